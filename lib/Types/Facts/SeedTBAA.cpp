//===- SeedTBAA.cpp - Types that alias metadata names ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the type names in TBAA: the accessed scalar is a fact on the access, and
// the members of the record that it is part of are facts on the bytes around it.
// Pointers are "any pointer" or, since LLVM 20, "p1 double" and so on. The tag
// of a call says nothing about its result (it is about errno) and is not read.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace isozyme;

namespace {

struct NamedScalar {
  ConcreteType Type;
  uint64_t Size = 0; ///< 0: depends on the target.
};

uint64_t integerAt(const MDNode *N, unsigned K) {
  if (auto *C = mdconst::dyn_extract_or_null<ConstantInt>(N->getOperand(K)))
    return C->getZExtValue();
  return 0;
}

StringRef nameOf(const MDNode *N) {
  if (!N || !N->getNumOperands())
    return {};
  auto *S = dyn_cast_or_null<MDString>(N->getOperand(0));
  return S ? S->getString() : StringRef();
}

/// "p1 double", "p2 int", "any p2 pointer": takes the pointer depth off \p Name; 0 if there is
/// none.
unsigned takePointerDepth(StringRef &Name) {
  StringRef Rest = Name;
  Rest.consume_front("any ");
  unsigned Depth = 0;
  if (!Rest.consume_front("p") || Rest.consumeInteger(10, Depth) || !Rest.consume_front(" "))
    return 0;
  Name = Rest;
  return Depth;
}

std::optional<NamedScalar> scalarNamed(StringRef Name, LLVMContext &C, const DataLayout &DL) {
  if (Name.empty())
    return std::nullopt;
  auto Float = [&](Type *T) { return NamedScalar{ConcreteType::ofFloat(T), floatSize(T, DL)}; };
  if (Name == "double")
    return Float(Type::getDoubleTy(C));
  if (Name == "float")
    return Float(Type::getFloatTy(C));
  if (Name == "_Float16" || Name == "half" || Name == "__fp16")
    return Float(Type::getHalfTy(C));
  if (Name == "__bf16")
    return Float(Type::getBFloatTy(C));
  if (Name == "__float128")
    return Float(Type::getFP128Ty(C));
  if (Name == "any pointer" || Name == "vtable pointer" || takePointerDepth(Name))
    return NamedScalar{ConcreteType::Pointer, DL.getPointerSize()};
  for (auto [Integer, Size] :
       std::initializer_list<std::pair<StringRef, unsigned>>{{"bool", 1},
                                                             {"_Bool", 1},
                                                             {"short", 2},
                                                             {"int", 4},
                                                             {"long", 0},
                                                             {"long long", 8},
                                                             {"__int128", 16},
                                                             {"wchar_t", 4},
                                                             {"char16_t", 2},
                                                             {"char32_t", 4}})
    if (Name == Integer)
      return NamedScalar{ConcreteType::Integer, Size};
  return std::nullopt;
}

std::optional<NamedScalar> scalarOf(const MDNode *N, const DataLayout &DL) {
  if (!N)
    return std::nullopt;
  return scalarNamed(nameOf(N), N->getContext(), DL);
}

/// An empty class has a name and no members. What its one byte holds means nothing.
bool isEmptyRecord(const MDNode *N) { return N->getNumOperands() == 1 && !nameOf(N).empty(); }

/// A record has members at offsets; a scalar has only its parent, at 0, which is one of characters,
/// or of pointers. In C, the name of a record may be empty.
bool isRecord(const MDNode *N) {
  if (!N || N->getNumOperands() < 3 || !isa_and_nonnull<MDString>(N->getOperand(0)))
    return false;
  if (N->getNumOperands() > 3 || integerAt(N, 2) != 0)
    return true;
  // A class that has nothing but what it is derived from, or one member.
  static const DataLayout Any("");
  auto *Member = dyn_cast_or_null<MDNode>(N->getOperand(1));
  return Member && !scalarOf(N, Any) && (scalarOf(Member, Any) || isRecord(Member));
}

/// Anything may be in an array of them, and in a union, which is named like that, too.
bool isChar(const MDNode *N) { return nameOf(N) == "omnipotent char"; }

/// So many bytes between the beginnings of two members are characters, or else a half, to which
/// integers yield.
constexpr int64_t MaxChars = 3;
constexpr unsigned MaxRecordDepth = 8;

/// The bytes of the member at operand \p K; 0: not known. Bit fields are named by the type that
/// they are part of, and end where the next member begins.
uint64_t sizeOfMember(const MDNode *Record, unsigned K, const NamedScalar &Named,
                      const DataLayout &DL) {
  uint64_t Offset = integerAt(Record, K + 1);
  uint64_t Most = Named.Size ? Named.Size : DL.getPointerSize();
  for (unsigned L = K + 2; L + 1 < Record->getNumOperands(); L += 2) {
    uint64_t Next = integerAt(Record, L + 1);
    if (Next > Offset && Next - Offset < Most && Named.Type.kind() == ConcreteType::Integer)
      return Next - Offset;
  }
  return Named.Size;
}

/// Notes what the members are, and what lies between them. The end of the last one, if each byte up
/// to it is known.
std::optional<int64_t> memberFacts(const MDNode *Record, int64_t At, unsigned Depth,
                                   const DataLayout &DL, TagFactSink Note) {
  std::optional<int64_t> End = 0; // Unknown after a member of unknown size.
  for (unsigned K = 1; K + 1 < Record->getNumOperands(); K += 2) {
    auto *Member = dyn_cast_or_null<MDNode>(Record->getOperand(K));
    int64_t Offset = integerAt(Record, K + 1);
    if (End && Offset > *End)
      Note(At + *End, Offset - *End, ConcreteType::Anything, FactRank::Declared);
    End.reset();
    if (!Member)
      continue;
    if (auto Scalar = scalarOf(Member, DL)) {
      uint64_t Size = sizeOfMember(Record, K, *Scalar, DL);
      Note(At + Offset, Size ? Size : DL.getPointerSize(), Scalar->Type, FactRank::Declared);
      if (Size)
        End = Offset + int64_t(Size);
    } else if (isChar(Member)) {
      int64_t Next = K + 3 < Record->getNumOperands() ? integerAt(Record, K + 3) : 0;
      if (Offset < Next && Next - Offset <= MaxChars)
        Note(At + Offset, Next - Offset, ConcreteType::Integer, FactRank::Stated);
    } else if (isEmptyRecord(Member)) {
      End = Offset;
    } else if (isRecord(Member) && Depth) {
      if (auto Inner = memberFacts(Member, At + Offset, Depth - 1, DL, Note))
        End = Offset + *Inner;
    }
  }
  return End;
}

} // namespace

void isozyme::readAccessTag(const MDNode *Tag, uint64_t AccessSize, const DataLayout &DL,
                            TagFactSink Note) {
  if (Tag->getNumOperands() < 3)
    return;
  auto *Base = dyn_cast_or_null<MDNode>(Tag->getOperand(0));
  auto *Access = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  if (!Base || !Access)
    return; // A tag of the oldest form names its type directly; nobody writes it now.
  if (auto Scalar = scalarOf(Access, DL)) {
    uint64_t Size = Scalar->Type.isFloat() ? Scalar->Size : AccessSize;
    // What memcpy puts into an integer variable, LLVM stores with the variable's tag. A member
    // of a record is one place among others, of which the caller may know less.
    bool IsInteger = Scalar->Type.kind() == ConcreteType::Integer;
    FactRank OfIntegers = Base == Access ? FactRank::Stated : FactRank::Member;
    FactRank Rank = IsInteger ? OfIntegers : FactRank::Access;
    if (Size && (AccessSize % Size == 0 || (Scalar->Type.isFloat() && AccessSize == 10)))
      for (uint64_t At = 0; At < AccessSize; At += Size)
        Note(At, Size, Scalar->Type, Rank);
  }
  // A single byte as a member of a record is a char: arrays of them, which may hold anything, are
  // accessed as what they are, and so are unions.
  if (Base != Access && isRecord(Base) && AccessSize == 1 && isChar(Access))
    Note(0, 1, ConcreteType::Integer, FactRank::Stated);
  if (Base != Access && isRecord(Base))
    memberFacts(Base, -int64_t(integerAt(Tag, 2)), MaxRecordDepth, DL, Note);
}

ConcreteType isozyme::typeNamedBy(const MDNode *Tag, const DataLayout &DL) {
  auto *Access = Tag->getNumOperands() < 3 ? nullptr : dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  if (Access && isChar(Access))
    return ConcreteType::Anything;
  auto Scalar = scalarOf(Access, DL);
  return Scalar ? Scalar->Type : ConcreteType::Unknown;
}

StringRef isozyme::pointerNamedBy(const MDNode *Tag) {
  auto *Access = Tag->getNumOperands() < 3 ? nullptr : dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  StringRef Whole = nameOf(Access), Name = Whole;
  bool IsOne = !Whole.starts_with("any ") && takePointerDepth(Name);
  return IsOne || Whole == "vtable pointer" ? Whole : StringRef();
}

std::optional<PointeeTag> isozyme::pointeeOfTag(const MDNode *Tag, const DataLayout &DL) {
  auto *Access = Tag->getNumOperands() < 3 ? nullptr : dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  StringRef Name = nameOf(Access);
  unsigned Depth = takePointerDepth(Name);
  if (!Depth)
    return std::nullopt;
  auto Scalar = scalarNamed(Name, Tag->getContext(), DL);
  if (!Scalar && Depth > 1) // Pointers to whatever it is.
    return PointeeTag{Depth - 1, ConcreteType::Pointer, DL.getPointerSize()};
  if (!Scalar)
    return std::nullopt;
  return PointeeTag{Depth, Scalar->Type, Scalar->Size ? Scalar->Size : DL.getPointerSize()};
}

StringRef isozyme::pointeeRecordOfTag(const MDNode *Tag) {
  auto *Access = Tag->getNumOperands() < 3 ? nullptr : dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  StringRef Name = nameOf(Access);
  return takePointerDepth(Name) == 1 ? Name : StringRef();
}

/// The records that \p N is or has, by their names.
static void recordsIn(const MDNode *N, unsigned Depth, function_ref<void(const MDNode &)> Note) {
  if (!isRecord(N) || !Depth)
    return;
  Note(*N);
  for (unsigned K = 1; K + 1 < N->getNumOperands(); K += 2)
    recordsIn(dyn_cast_or_null<MDNode>(N->getOperand(K)), Depth - 1, Note);
}

void isozyme::recordsOfTag(const MDNode *Tag, function_ref<void(StringRef, const MDNode &)> Note) {
  int64_t Offset;
  recordsIn(recordOfTag(Tag, Offset), MaxRecordDepth, [&](const MDNode &Record) {
    StringRef Name = nameOf(&Record);
    if (!Name.empty())
      Note(Name, Record);
  });
}

/// \p Depth: records in records that are followed.
static void readMembers(const MDNode *Record, int64_t At, unsigned Depth, const DataLayout &DL,
                        MemberSink Note) {
  for (unsigned K = 1; K + 1 < Record->getNumOperands(); K += 2) {
    auto *Member = dyn_cast_or_null<MDNode>(Record->getOperand(K));
    int64_t Begin = At + int64_t(integerAt(Record, K + 1));
    auto Scalar = scalarOf(Member, DL);
    uint64_t Size = Scalar ? sizeOfMember(Record, K, *Scalar, DL) : 0;
    if (Scalar)
      Note(Begin, Size ? Size : DL.getPointerSize(), Scalar->Type);
    else if (isRecord(Member) && Depth)
      readMembers(Member, Begin, Depth - 1, DL, Note);
    else if (!Member || !isEmptyRecord(Member)) // Characters, a union, an enumeration.
      Note(Begin, 1, ConcreteType());
  }
}

void isozyme::readRecord(const MDNode &Record, const DataLayout &DL, MemberSink Note) {
  readMembers(&Record, 0, MaxRecordDepth, DL, Note);
}

const MDNode *isozyme::recordOfTag(const MDNode *Tag, int64_t &Offset) {
  if (Tag->getNumOperands() < 3 || Tag->getOperand(0) == Tag->getOperand(1))
    return nullptr;
  auto *Record = dyn_cast_or_null<MDNode>(Tag->getOperand(0));
  Offset = integerAt(Tag, 2);
  return isRecord(Record) ? Record : nullptr;
}

void isozyme::readStructTag(const MDNode *Tag, uint64_t Length, const DataLayout &DL,
                            TagFactSink Note) {
  uint64_t End = 0, Largest = 1;
  for (unsigned K = 0; K + 2 < Tag->getNumOperands(); K += 3) {
    uint64_t Offset = integerAt(Tag, K), Size = integerAt(Tag, K + 1);
    if (Offset > End)
      Note(End, Offset - End, ConcreteType::Anything, FactRank::Declared);
    End = Offset + Size;
    auto *Field = dyn_cast_or_null<MDNode>(Tag->getOperand(K + 2));
    if (!Field || Field->getNumOperands() < 2)
      continue;
    auto *Member = dyn_cast_or_null<MDNode>(Field->getOperand(1));
    // Behind the last byte of a record that ends in an array of one, there may be more of them.
    if (Size == 1 && K + 3 < Tag->getNumOperands() && isChar(Member))
      Note(Offset, 1, ConcreteType::Integer, FactRank::Stated);
    auto Scalar = scalarOf(Member, DL);
    if (!Scalar)
      continue;
    uint64_t Each = Scalar->Size ? Scalar->Size : Size;
    Largest = std::max(Largest, Each);
    for (uint64_t At = 0; Each && At + Each <= Size; At += Each)
      Note(Offset + At, Each, Scalar->Type, rankOfStatement(Scalar->Type));
  }
  if (End < Length && Length - End < Largest) // What fills the record up.
    Note(End, Length - End, ConcreteType::Anything, FactRank::Declared);
}
