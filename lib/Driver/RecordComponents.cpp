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
  /// \p Depth: of allocatable records within each other.
  TableReader(RecordComponents &Found, unsigned Depth) : Found(Found), Depth(Depth) {}

  bool readType(const GlobalVariable &Table, uint64_t Base);
  const GlobalVariable *readParent(const GlobalVariable &Table) const;

private:
  // Where the members are that matter: of derivedtype, of component, of value.
  enum InType {
    ComponentsAt = 232,
    ComponentCount = 264,
    HasParent = 428,
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
  bool readRecord(const GlobalVariable &Type, const RecordComponent &C);
  bool readRecordsElsewhere(GlobalVariable &Type, RecordComponent C);
  /// The number of elements of a component with constant bounds.
  std::optional<uint64_t> countOf(const GlobalVariable &List, uint64_t At, unsigned Rank) const;
  void setInitialValue(RecordComponent &C, Constant *Value, uint64_t Genre, bool IsRecord) const;
  static uint8_t typeCode(uint64_t Category, uint64_t Size);
  bool setKind(RecordComponent &C, const GlobalVariable &List, uint64_t At) const;

  std::optional<uint64_t> number(const GlobalVariable &G, uint64_t At, unsigned Bits) const {
    auto *C = dyn_cast_or_null<ConstantInt>(partOf(G, At, IntegerType::get(G.getContext(), Bits)));
    return C ? std::optional<uint64_t>(C->getZExtValue()) : std::nullopt;
  }
  GlobalVariable *pointer(const GlobalVariable &G, uint64_t At) const {
    Constant *C = partOf(G, At, PointerType::get(G.getContext(), 0));
    auto *To = C ? dyn_cast<GlobalVariable>(C->stripPointerCasts()) : nullptr;
    return To && To->isConstant() && To->hasDefinitiveInitializer() ? To : nullptr;
  }
  static Constant *partOf(const GlobalVariable &G, uint64_t At, Type *T) {
    return ConstantFoldLoadFromConst(const_cast<Constant *>(G.getInitializer()), T, APInt(64, At),
                                     G.getDataLayout());
  }

  RecordComponents &Found;
  unsigned Depth;
};

} // namespace

constexpr unsigned MostComponents = 256, MostDepth = 8;

bool TableReader::readType(const GlobalVariable &Table, uint64_t Base) {
  if (!Table.isConstant() || !Table.hasDefinitiveInitializer())
    return false;
  const GlobalVariable *List = pointer(Table, ComponentsAt);
  std::optional<uint64_t> Count = number(Table, ComponentCount, 64);
  // An abstract type may have no components, and so no list of them.
  if (!Count || (!List && *Count) || *Count > MostComponents ||
      number(Table, NoFinalization, 8) != 1 || number(Table, NoAssignment, 8) != 1)
    return false;
  for (uint64_t K = 0; K < *Count; ++K)
    if (Found.size() > MostComponents || !readComponent(*List, K * ComponentSize, Base))
      return false;
  return true;
}

/// The parent is the first component.
const GlobalVariable *TableReader::readParent(const GlobalVariable &Table) const {
  if (!Table.isConstant() || !Table.hasDefinitiveInitializer())
    return nullptr;
  std::optional<uint64_t> Has = number(Table, HasParent, 8);
  const GlobalVariable *List = Has && *Has ? pointer(Table, ComponentsAt) : nullptr;
  return List ? pointer(*List, TypeAt) : nullptr;
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

/// Of the outer record: one component of records, or an array of them.
bool TableReader::readRecord(const GlobalVariable &Type, const RecordComponent &C) {
  if (C.HasOtherValue)
    return false;
  for (uint64_t K = 0; K < C.Count; ++K)
    if (!readType(Type, C.Offset + K * C.ElementSize))
      return false;
  return true;
}

/// Behind the address in a descriptor.
bool TableReader::readRecordsElsewhere(GlobalVariable &Type, RecordComponent C) {
  constexpr unsigned DerivedType = 42;
  C.TypeCode = DerivedType;
  C.Type = &Type;
  if (C.How == RecordComponent::Allocatable) {
    auto Inside = std::make_shared<RecordComponents>();
    if (Depth == MostDepth || !TableReader(*Inside, Depth + 1).readType(Type, 0) ||
        any_of(*Inside, [](const RecordComponent &In) { return In.HasOtherValue; }))
      return false;
    C.Inside = std::move(Inside);
  }
  Found.push_back(C);
  return true;
}

void TableReader::setInitialValue(RecordComponent &C, Constant *Value, uint64_t Genre,
                                  bool IsRecord) const {
  auto *Initial = Value ? dyn_cast<GlobalVariable>(Value->stripPointerCasts()) : nullptr;
  if (Genre == DataGenre && !IsRecord && Initial) {
    C.InitialValue = Initial;
    return;
  }
  // That of a pointer is a descriptor: `=> null()` is one without an address.
  Constant *Address = Genre == PointerGenre && Initial && Initial->hasDefinitiveInitializer()
                          ? partOf(*Initial, 0, PointerType::get(Initial->getContext(), 0))
                          : nullptr;
  C.HasOtherValue = !Address || !Address->isNullValue();
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
  if (!Value || !Value->isNullValue())
    setInitialValue(C, Value, *Genre, number(List, At + CategoryAt, 8) == Derived);
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
  if (number(List, At + CategoryAt, 8) == Derived) {
    GlobalVariable *Type = pointer(List, At + TypeAt);
    std::optional<uint64_t> Size = Type ? recordSizeOf(*Type) : std::nullopt;
    C.ElementSize = Size.value_or(0);
    return Size &&
           (C.How == RecordComponent::Data ? readRecord(*Type, C) : readRecordsElsewhere(*Type, C));
  }
  if (!setKind(C, List, At))
    return false;
  Found.push_back(C);
  return true;
}

std::optional<uint64_t> recordSizeOf(const GlobalVariable &Table) {
  constexpr uint64_t SizeAt = 88;
  if (!Table.isConstant() || !Table.hasDefinitiveInitializer())
    return std::nullopt;
  auto *Size = dyn_cast_or_null<ConstantInt>(ConstantFoldLoadFromConst(
      const_cast<Constant *>(Table.getInitializer()), Type::getInt64Ty(Table.getContext()),
      APInt(64, SizeAt), Table.getDataLayout()));
  return Size ? std::optional<uint64_t>(Size->getZExtValue()) : std::nullopt;
}

const GlobalVariable *parentOf(const GlobalVariable &Table) {
  RecordComponents None;
  return TableReader(None, 0).readParent(Table);
}

std::optional<RecordComponents> componentsOf(const GlobalVariable &Table) {
  RecordComponents Found;
  if (!TableReader(Found, 0).readType(Table, 0))
    return std::nullopt;
  return Found;
}

} // namespace isozyme
