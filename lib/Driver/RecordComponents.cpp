//===- RecordComponents.cpp - What a derived type of Fortran has ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/RecordComponents.h"
#include "Library/Fortran/ElementKind.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

using fortran::ElementKind;

namespace {

/// Reads flang's tables, the types of its module __fortran_type_info, by the byte.
class TableReader {
public:
  explicit TableReader(RecordComponents &Found) : Found(Found) {}

  bool readType(const GlobalVariable &Table, uint64_t Base);

private:
  // Where the members are that matter: of derivedtype, of component, of value.
  enum InType {
    ComponentsAt = 232,
    ComponentCount = 264,
    NoFinalization = 431,
    NoAssignment = 432
  };
  enum InComponent {
    GenreAt = 24,
    CategoryAt = 25,
    KindAt = 26,
    RankAt = 27,
    OffsetAt = 32,
    LengthAt = 40,
    TypeAt = 56,
    BoundsAt = 160,
    InitializationAt = 248,
    ComponentSize = 256
  };
  enum InValue { ValueGenreAt = 0, ValueAt = 8, ValueSize = 16 };
  enum Genre { DataGenre = 1, PointerGenre, AllocatableGenre };
  enum Category { Integer, Unsigned, Real, Complex, Character, Logical, Derived };

  bool readComponent(const GlobalVariable &List, uint64_t At, uint64_t Base);
  bool readRecord(const GlobalVariable &List, uint64_t At, const RecordComponent &C);
  /// The number of elements of a component with constant bounds.
  std::optional<uint64_t> countOf(const GlobalVariable &List, uint64_t At, unsigned Rank) const;
  static uint8_t typeCode(uint64_t Category, uint64_t Size);
  bool setKind(RecordComponent &C, const GlobalVariable &List, uint64_t At) const;

  std::optional<uint64_t> number(const GlobalVariable &G, uint64_t At, unsigned Bits) const {
    auto *C = dyn_cast_or_null<ConstantInt>(partOf(G, At, IntegerType::get(G.getContext(), Bits)));
    return C ? std::optional<uint64_t>(C->getZExtValue()) : std::nullopt;
  }
  const GlobalVariable *pointer(const GlobalVariable &G, uint64_t At) const {
    Constant *C = partOf(G, At, PointerType::get(G.getContext(), 0));
    auto *To = C ? dyn_cast<GlobalVariable>(C->stripPointerCasts()) : nullptr;
    return To && To->isConstant() && To->hasDefinitiveInitializer() ? To : nullptr;
  }
  static Constant *partOf(const GlobalVariable &G, uint64_t At, Type *T) {
    return ConstantFoldLoadFromConst(const_cast<Constant *>(G.getInitializer()), T, APInt(64, At),
                                     G.getDataLayout());
  }

  RecordComponents &Found;
};

} // namespace

bool TableReader::readType(const GlobalVariable &Table, uint64_t Base) {
  constexpr unsigned MostComponents = 256;
  if (!Table.isConstant() || !Table.hasDefinitiveInitializer())
    return false;
  const GlobalVariable *List = pointer(Table, ComponentsAt);
  std::optional<uint64_t> Count = number(Table, ComponentCount, 64);
  if (!List || !Count || *Count > MostComponents || number(Table, NoFinalization, 8) != 1 ||
      number(Table, NoAssignment, 8) != 1)
    return false;
  for (uint64_t K = 0; K < *Count; ++K)
    if (Found.size() > MostComponents || !readComponent(*List, K * ComponentSize, Base))
      return false;
  return true;
}

std::optional<uint64_t> TableReader::countOf(const GlobalVariable &List, uint64_t At,
                                             unsigned Rank) const {
  uint64_t Count = 1;
  const GlobalVariable *Bounds = Rank ? pointer(List, At + BoundsAt) : nullptr;
  for (unsigned K = 0; K < Rank; ++K) {
    if (!Bounds)
      return std::nullopt;
    std::optional<uint64_t> Ends[2];
    for (unsigned End : {0, 1})
      Ends[End] = number(*Bounds, (2 * K + End) * ValueSize + ValueAt, 64);
    if (!Ends[0] || !Ends[1])
      return std::nullopt;
    Count *= std::max<int64_t>(int64_t(*Ends[1]) - int64_t(*Ends[0]) + 1, 0);
  }
  return Count;
}

/// CFI_type_t of ISO_Fortran_binding.h.
uint8_t TableReader::typeCode(uint64_t Category, uint64_t Size) {
  unsigned Power = Log2_64(Size); // 0 for one byte.
  switch (Category) {
  case Integer:
    return 7 + Power; // int8_t, int16_t, ...
  case Real:
    return Size == 4 ? 27 : 28;
  case Complex:
    return Size == 4 ? 34 : 35;
  case Logical:
    return Size == 1 ? 39 : 17 + Power; // _Bool, int_fast16_t, ...
  case Character:
    return Size == 1 ? 40 : 0;
  default:
    return 0;
  }
}

bool TableReader::setKind(RecordComponent &C, const GlobalVariable &List, uint64_t At) const {
  std::optional<uint64_t> Category = number(List, At + CategoryAt, 8),
                          Size = number(List, At + KindAt, 8);
  if (!Category || !Size)
    return false;
  C.ElementSize = *Size;
  C.TypeCode = typeCode(*Category, *Size);
  C.Kind = ElementKind::Integer;
  switch (*Category) {
  case Real:
  case Complex: {
    bool IsComplex = *Category == Complex;
    if (*Size != 4 && *Size != 8)
      return false;
    C.Kind = *Size == 4 ? (IsComplex ? ElementKind::Complex4 : ElementKind::Real4)
                        : (IsComplex ? ElementKind::Complex8 : ElementKind::Real8);
    C.ElementSize *= IsComplex ? 2 : 1;
    return true;
  }
  case Character: {
    std::optional<uint64_t> Length = number(List, At + LengthAt + ValueAt, 64);
    C.ElementSize *= Length.value_or(0);
    return C.How != RecordComponent::Data || C.ElementSize;
  }
  case Integer:
  case Unsigned:
  case Logical:
    return true;
  default:
    return false;
  }
}

bool TableReader::readRecord(const GlobalVariable &List, uint64_t At, const RecordComponent &C) {
  const GlobalVariable *Type = pointer(List, At + TypeAt);
  if (C.HasOtherValue)
    return false;
  constexpr uint64_t SizeAt = 88;
  std::optional<uint64_t> Size = Type ? number(*Type, SizeAt, 64) : std::nullopt;
  if (!Size || C.How != RecordComponent::Data)
    return false;
  for (uint64_t K = 0; K < C.Count; ++K)
    if (!readType(*Type, C.Offset + K * *Size))
      return false;
  return true;
}

bool TableReader::readComponent(const GlobalVariable &List, uint64_t At, uint64_t Base) {
  std::optional<uint64_t> Genre = number(List, At + GenreAt, 8),
                          Rank = number(List, At + RankAt, 8),
                          Offset = number(List, At + OffsetAt, 64);
  if (!Genre || !Rank || !Offset)
    return false;
  RecordComponent C;
  C.Offset = Base + *Offset;
  C.Rank = *Rank;
  Constant *Value = partOf(List, At + InitializationAt, PointerType::get(List.getContext(), 0));
  if (!Value || !Value->isNullValue()) {
    C.InitialValue = Value ? dyn_cast<GlobalVariable>(Value->stripPointerCasts()) : nullptr;
    C.HasOtherValue =
        !C.InitialValue || *Genre != DataGenre || number(List, At + CategoryAt, 8) == Derived;
  }
  switch (*Genre) {
  case DataGenre: {
    std::optional<uint64_t> Count = countOf(List, At, C.Rank);
    if (!Count)
      return false;
    C.Count = *Count;
    break;
  }
  case PointerGenre:
    C.How = RecordComponent::Pointer;
    break;
  case AllocatableGenre:
    C.How = RecordComponent::Allocatable;
    break;
  default:
    return false;
  }
  if (number(List, At + CategoryAt, 8) == Derived)
    return readRecord(List, At, C);
  if (!setKind(C, List, At))
    return false;
  Found.push_back(C);
  return true;
}

std::optional<RecordComponents> componentsOf(const GlobalVariable &Table) {
  RecordComponents Found;
  if (!TableReader(Found).readType(Table, 0))
    return std::nullopt;
  return Found;
}

} // namespace isozyme
