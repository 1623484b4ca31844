//===- SourceMemory.cpp - Addresses as elements and members ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: an address, as SCEV computes it.  Out: `x[i]`, `p->weight`, `v[2 * i].pos[1]`.
// The base has a name and, from debug information, a type; the offset is a polynomial,
// which is divided by the sizes of elements on the way down to what is accessed.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/ReservedNames.h"
#include "isozyme/Plan/Source/SourceText.h"
#include "isozyme/Prepare/SourceNames.h"
#include "isozyme/Support/DebugTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

static constexpr StringLiteral ShadowSuffix = ".shadow";

static uint64_t bytesOf(const DIType *T) {
  const DIType *Bare = bareType(T);
  return Bare ? Bare->getSizeInBits() / 8 : 0;
}

/// Are there parentheses around all of \p Index?
static bool isInBrackets(StringRef Index) {
  int Depth = 0;
  for (char C : Index.drop_back(!Index.empty())) {
    Depth += (C == '(') - (C == ')');
    if (!Depth)
      return false;
  }
  return Index.starts_with("(");
}

static std::string indexed(const Text &Array, StringRef Index) {
  if (isInBrackets(Index)) // Brackets need none.
    Index = Index.drop_front().drop_back();
  return Array.in(BindsCall) + "[" + Index.str() + "]";
}

/// Members whose names are the library's own are left out: `v[i]`, not
/// `v._M_impl._M_start[i]`.
static bool isHidden(StringRef Member) { return Member.empty() || isReservedIdentifier(Member); }

/// What a user calls a \p Member that is not his own: an address in a vector, the virtual
/// functions.
static StringRef publicName(StringRef Member) {
  return StringSwitch<StringRef>(Member)
      .Cases({"_M_start", "__begin_"}, "begin()")
      .Cases({"_M_finish", "__end_"}, "end()")
      .StartsWith("_vptr$", "vtable")
      .Default(Member);
}

static bool isFloat(const DIType *T) {
  auto *Basic = dyn_cast_or_null<DIBasicType>(bareType(T));
  return Basic && Basic->getEncoding() == dwarf::DW_ATE_float;
}

/// The member of \p Record at \p Offset; null if there is none.
static const DIDerivedType *memberAt(const DICompositeType &Record, uint64_t Offset) {
  const DIDerivedType *Found = nullptr;
  for (const DINode *Element : Record.getElements()) {
    auto *Member = dyn_cast<DIDerivedType>(Element);
    if (!Member || Member->isStaticMember() ||
        (Member->getTag() != dwarf::DW_TAG_member && Member->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    uint64_t Start = Member->getOffsetInBits() / 8;
    // Derivatives are those of the numbers in a union, not of its bits.
    if (Found && Record.getTag() == dwarf::DW_TAG_union_type && isFloat(Found) && !isFloat(Member))
      continue;
    if (Start <= Offset && (Offset < Start + bytesOf(Member) || Offset == Start))
      if (!Found || Start >= Found->getOffsetInBits() / 8)
        Found = Member;
  }
  return Found;
}

/// The object behind a lambda: its members are the variables that it captures.
static bool isClosure(const DIType *T) {
  auto *Record = dyn_cast_or_null<DICompositeType>(bareType(T));
  return Record && Record->getTag() == dwarf::DW_TAG_class_type && Record->getName().empty();
}

bool SourceText::isLambda(const Value *V) {
  const DILocalVariable *Variable = sourceVariableOf(V);
  return Variable && isClosure(pointeeType(Variable->getType()));
}

/// "p.x"; of a lambda "x", which is how its body speaks of what it captures.
static Text memberOf(const Text &Object, const DIType &Type, StringRef Member) {
  if (!isClosure(&Type))
    return {Object.in(BindsCall) + "." + Member.str()};
  bool IsShadow = StringRef(Object.S).ends_with(ShadowSuffix);
  return {Member.str() + (IsShadow ? ShadowSuffix.str() : "")};
}

/// The array that Fortran passes by a descriptor, which holds its address, bounds and strides.
static const DICompositeType *describedArray(const DIType *T) {
  auto *Array = dyn_cast_or_null<DICompositeType>(bareType(T));
  return Array && Array->getTag() == dwarf::DW_TAG_array_type && Array->getRawDataLocation()
             ? Array
             : nullptr;
}

namespace {
/// The part of a descriptor of flang's at \p Offset. Three words for each dimension follow the
/// address of the array and what it holds.
struct DescriptorPart {
  enum Kind { LowerBound, Extent, Stride, Other } K = Other;
  unsigned Dimension = 0;

  explicit DescriptorPart(int64_t Offset) {
    constexpr int64_t Word = 8, Head = 3 * Word;
    if (Offset < Head || Offset % Word)
      return;
    Dimension = unsigned((Offset - Head) / (3 * Word));
    K = Kind((Offset - Head) / Word % 3);
  }
};
} // namespace

/// "size(u)", of an array of several dimensions "size(u, 2)".
static std::string partText(StringRef Array, const DICompositeType &Type, DescriptorPart Part) {
  const char *Function = Part.K == DescriptorPart::LowerBound ? "lbound(" : "size(";
  bool IsVector = Type.getElements().size() == 1;
  return Function + Array.str() + (IsVector ? "" : ", " + std::to_string(Part.Dimension + 1)) + ")";
}

/// The number of bytes between two elements of an array that was passed by a descriptor, as if it
/// were in one piece: this is how the source counts them.
std::optional<Polynomial> SourceText::strideOf(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || !IsFortran)
    return std::nullopt;
  int64_t Offset = 0;
  const Value *Box = GetPointerBaseWithConstantOffset(Load->getPointerOperand(), Offset,
                                                      P.function().getDataLayout());
  const DILocalVariable *Variable = Box ? sourceVariableOf(Box) : nullptr;
  const DICompositeType *Array = Variable ? describedArray(Variable->getType()) : nullptr;
  const DescriptorPart Part(Offset);
  if (!Array || Part.K != DescriptorPart::Stride)
    return std::nullopt;
  Polynomial Bytes = int64_t(bytesOf(Array->getBaseType()));
  for (unsigned D = 0; D < Part.Dimension; ++D) {
    DescriptorPart Extent(0);
    Extent.K = DescriptorPart::Extent;
    Extent.Dimension = D;
    Bytes = Bytes * Polynomial::name(partText(Variable->getName(), *Array, Extent));
  }
  return Bytes;
}

/// How many elements \p Array has in a dimension; none if that is not known.
std::optional<Polynomial> SourceText::countOf(const DICompositeType &Array, StringRef Name,
                                              unsigned Dimension) {
  auto *Range = dyn_cast<DISubrange>(Array.getElements()[Dimension]);
  auto Count = Range ? Range->getCount() : DISubrange::BoundType();
  if (auto *Constant = dyn_cast_or_null<ConstantInt *>(Count))
    return Polynomial(Constant->getSExtValue());
  if (describedArray(&Array)) {
    DescriptorPart Extent(0);
    Extent.K = DescriptorPart::Extent;
    Extent.Dimension = Dimension;
    Name.consume_back(ShadowSuffix);
    return Polynomial::name(partText(Name, Array, Extent));
  }
  auto *Variable = dyn_cast_or_null<DIVariable *>(Count); // Of flang's, for a(n, m).
  for (const Instruction &I : instructions(P.function()))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      if (Value *V = Variable && Record.getVariable() == Variable ? Record.getVariableLocationOp(0)
                                                                  : nullptr;
          V && SE.isSCEVable(V->getType()))
        return formula(SE.getSCEV(V));
  return std::nullopt;
}

/// The name that flang's extent of a(n, m) has in \p Offset, `max(0, n)`, if there is just one.
static std::optional<Polynomial> extentIn(const Polynomial &Offset) {
  std::optional<Polynomial> Found;
  for (const std::string &Name : Offset.names()) {
    if (!StringRef(Name).starts_with("max(0, "))
      continue;
    if (Found)
      return std::nullopt;
    Found = Polynomial::name(Name);
  }
  return Found;
}

/// u(i, j): the first index counts neighbours, and the first element has the lower bound as its
/// index, which is 1 unless the source says something else. None where sizes are not known.
std::optional<std::string> SourceText::fortranElement(const DICompositeType &Array,
                                                      const Text &Name, Polynomial &Offset) {
  SmallVector<Polynomial, 3> Sizes; // Of what an index of each dimension counts.
  SmallVector<int64_t, 3> Lower;
  Polynomial Size = int64_t(bytesOf(Array.getBaseType()));
  for (unsigned D = 0, End = Array.getElements().size(); D < End; ++D) {
    auto *Range = dyn_cast<DISubrange>(Array.getElements()[D]);
    auto Bound = Range ? Range->getLowerBound() : DISubrange::BoundType();
    auto *First = dyn_cast_or_null<ConstantInt *>(Bound);
    if (Size == Polynomial() || (Bound && !First))
      return std::nullopt;
    Sizes.push_back(Size);
    Lower.push_back(First ? First->getSExtValue() : 1);
    if (D + 1 == End)
      break;
    std::optional<Polynomial> Count = countOf(Array, Name.S, D);
    if (!Count && End == 2)
      Count = extentIn(Offset);
    Size = Size * Count.value_or(Polynomial());
  }
  SmallVector<std::string, 3> Indices(Sizes.size());
  for (size_t D = Sizes.size(); D-- > 0;) {
    Polynomial Rest;
    Indices[D] = (Offset.divide(Sizes[D], Rest) + Polynomial(Lower[D])).text();
    Offset = Rest;
  }
  return Name.in(BindsCall) + "(" + join(Indices, ", ") + ")";
}

/// Goes from an object into its members and elements, as far as \p Offset says.
void SourceText::descend(Spot &At, Polynomial Offset, bool IsBase) {
  StringRef Hidden; // The last member, if its name was left out.
  for (unsigned Level = 0; Level < 8; ++Level) {
    auto *Composite = dyn_cast_or_null<DICompositeType>(bareType(At.Type));
    if (!Composite)
      break;
    if (Composite->getTag() == dwarf::DW_TAG_array_type) {
      if (std::optional<std::string> Element =
              IsFortran ? fortranElement(*Composite, At.T, Offset) : std::nullopt) {
        At.T = {*Element};
        Hidden = "";
        At.Type = Composite->getBaseType();
        continue;
      }
      uint64_t Element = bytesOf(Composite->getBaseType());
      uint64_t Whole = Composite->getSizeInBits() / 8;
      SmallVector<uint64_t, 2> Sizes; // Of an element of each dimension.
      for (const DINode *Node : Composite->getElements()) {
        auto *Range = dyn_cast<DISubrange>(Node);
        auto *Count = Range ? dyn_cast_or_null<ConstantInt *>(Range->getCount()) : nullptr;
        Whole = Count && Count->getSExtValue() > 0 ? Whole / Count->getSExtValue() : Element;
        Sizes.push_back(std::max<uint64_t>(Whole, 1));
      }
      for (uint64_t Size : Sizes) {
        Polynomial Rest;
        At.T = {indexed(At.T, Offset.divide(Size, Rest).text())};
        Offset = Rest;
      }
      Hidden = "";
      At.Type = Composite->getBaseType();
      continue;
    }
    const DIDerivedType *Member =
        Offset.constant() < 0 ? nullptr : memberAt(*Composite, Offset.constant());
    if (!Member)
      break;
    if (!isHidden(Member->getName()) && Member->getTag() == dwarf::DW_TAG_member)
      At.T = memberOf(At.T, *Composite, publicName(Member->getName()));
    Hidden = isHidden(Member->getName()) ? Member->getName() : "";
    Offset += -int64_t(Member->getOffsetInBits() / 8);
    At.Type = Member;
  }
  // As a value, and not as the way to one, it is what is read.
  if (!IsBase && !Hidden.empty())
    At.T = {At.T.in(BindsCall) + "." + publicName(Hidden).str()};
}

/// What an address is computed from.
SourceText::Spot SourceText::base(const Value *V, StringRef Suffix, unsigned Depth) {
  Spot B;
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    SmallVector<DIGlobalVariableExpression *, 1> Known;
    G->getDebugInfo(Known);
    return {{constantText(*G).S + Suffix.str()},
            Known.empty() ? nullptr : Known.front()->getVariable()->getType(),
            true};
  }
  B.IsObject = isa<AllocaInst>(V);
  if (std::optional<VariablePart> Part = variablePartOf(V)) {
    B.T = {Part->Variable->getName().str() + Suffix.str()};
    B.Type = Part->Variable->getType();
    B.IsData = IsFortran && describedArray(B.Type) && !Part->Offset;
    if (!B.IsData)
      descend(B, Part->Offset, /*IsBase=*/true);
    return B;
  }
  if (const DILocalVariable *Variable = sourceVariableOf(V)) {
    B.T = {Variable->getName().str() + Suffix.str()};
    B.Type = Variable->getType();
    return B;
  }
  if (auto *Load = dyn_cast<LoadInst>(V); Load && Depth < MaxDepth)
    return spot(Load->getPointerOperand(), Load->getType(), Suffix, Depth + 1, /*IsBase=*/true);
  bool IsUnnamed = variable(V).empty();
  B.T = IsUnnamed && isa<AllocaInst>(V)                   ? Text{"local"}
        : IsUnnamed && isa<CallBase>(V) && V != Explained ? placeholder(V)
                                                          : expression(V, Depth + 1);
  B.T = {B.T.in(BindsCall) + Suffix.str()};
  return B;
}

/// "y[0]": what the optimiser has taken of a variable into a register.
std::string SourceText::partName(const Value *V) {
  std::optional<VariablePart> Part = variablePartOf(V);
  if (!Part)
    return "";
  Spot At{{Part->Variable->getName().str()}, Part->Variable->getType(), true};
  if (const DICompositeType *Array = IsFortran ? describedArray(At.Type) : nullptr) {
    DescriptorPart In(int64_t(Part->Offset));
    return In.K == DescriptorPart::Other ? At.T.S : partText(At.T.S, *Array, In);
  }
  // An address may be one of several in a container: `v.end()`.
  descend(At, Part->Offset, /*IsBase=*/!V->getType()->isPointerTy());
  const DIType *Type = bareType(At.Type);
  auto *Number = dyn_cast_or_null<DIBasicType>(Type);
  if (!Number || bytesOf(Type) == Part->Size)
    return At.T.S;
  if (Number->getEncoding() != dwarf::DW_ATE_complex_float || bytesOf(Type) != 2 * Part->Size)
    return "";
  return (Part->Offset % (2 * Part->Size) ? "imag(" : "real(") + At.T.S + ")";
}

/// x[i], where the optimiser has taken x[i + 1] of the iteration before:
///   phi [ x[0], preheader ], [ x[i + 1], latch ]
std::optional<Text> SourceText::movedLoad(const PHINode &Phi, StringRef Suffix) {
  const Loop *L = P.loops().getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent() || !L->getLoopLatch() || !L->getLoopPreheader() ||
      sourceVariableOf(&Phi))
    return std::nullopt;
  auto addressOf = [&](const BasicBlock *From) -> const SCEV * {
    auto *Load = dyn_cast<LoadInst>(Phi.getIncomingValueForBlock(From));
    return Load ? SE.getSCEV(Load->getPointerOperand()) : nullptr;
  };
  const SCEV *First = addressOf(L->getLoopPreheader());
  auto *Next = dyn_cast_or_null<SCEVAddRecExpr>(addressOf(L->getLoopLatch()));
  if (!First || !Next || !Next->isAffine() || Next->getLoop() != L ||
      SE.getMinusSCEV(Next->getStart(), Next->getStepRecurrence(SE)) != First)
    return std::nullopt;
  const SCEV *Here = SE.getMinusSCEV(Next, Next->getStepRecurrence(SE));
  return spotAt(Here, nullptr, Phi.getType(), Suffix, 0, /*IsBase=*/false).T;
}

SourceText::Spot SourceText::spot(const Value *Ptr, Type *Accessed, StringRef Suffix,
                                  unsigned Depth, bool IsBase) {
  return spotAt(SE.isSCEVable(Ptr->getType()) ? SE.getSCEV(const_cast<Value *>(Ptr)) : nullptr, Ptr,
                Accessed, Suffix, Depth, IsBase);
}

SourceText::Spot SourceText::spotAt(const SCEV *Address, const Value *Ptr, Type *Accessed,
                                    StringRef Suffix, unsigned Depth, bool IsBase) {
  if (!Nesting)
    Steps = 0;
  if (Nesting > MaxNesting || ++Steps > MaxSteps)
    return {{"..."}};
  ++Nesting;
  const SCEV *Start = Address ? SE.getPointerBase(Address) : nullptr;
  auto *Known = dyn_cast_or_null<SCEVUnknown>(Start);
  Polynomial Offset;
  if (Known)
    Offset = formula(SE.removePointerBase(Address));
  Spot B;
  if (Known || Ptr)
    B = base(Known ? Known->getValue() : Ptr, Suffix, Depth);
  else
    B.T = {"..."};
  --Nesting;
  if (const DICompositeType *Array = B.IsData ? nullptr : describedArray(B.Type);
      Array && IsFortran) {
    if (DescriptorPart Part(Offset.constant()); Part.K != DescriptorPart::Other)
      return {{partText(B.T.S, *Array, Part)}};
    return {B.T, B.Type, false, IsBase};
  }
  // What has no type of an address goes by reference.
  B.IsObject |= IsFortran && B.Type && !pointeeType(B.Type);
  if (!B.IsObject) {
    bool IsReference = isReferenceType(B.Type);
    const DIType *Behind = pointeeType(B.Type);
    // Behind the end of a base class are the members of one that is derived from it.
    if (Known && Offset.isConstant() && Offset.constant() >= int64_t(bytesOf(Behind)))
      if (const DIType *Derived = derivedClassAt(Known->getValue(), Offset.constant()))
        Behind = Derived;
    B.Type = Behind;
    uint64_t Size = Behind ? bytesOf(Behind) : 0;
    if (!Size && Accessed && Accessed->isSized())
      Size = P.function().getDataLayout().getTypeAllocSize(Accessed);
    Polynomial Rest;
    Polynomial Index = Size ? Offset.divide(Size, Rest) : Polynomial();
    if (std::optional<Polynomial> Count = containerSize(Rest, int64_t(Size))) {
      Index += *Count;
      Rest = Polynomial();
    }
    auto *Record = dyn_cast_or_null<DICompositeType>(Behind);
    bool IsRecord = Record && Record->getTag() != dwarf::DW_TAG_array_type;
    if (!Size)
      return {{B.T.S}};
    if (IsRecord && Index == Polynomial()) {
      if (isClosure(Record)) {
        Spot Inside{{B.T.S}, Behind, true};
        descend(Inside, Rest, IsBase);
        Inside.IsObject = false;
        return Inside;
      }
      // p->member; what only stands for its members goes by its own name.
      Spot Inside{{"@"}, Behind, true};
      descend(Inside, Rest, IsBase);
      bool HasMember = StringRef(Inside.T.S).starts_with("@.");
      std::string Members = Inside.T.S.substr(HasMember ? 2 : 1);
      Inside.T = {B.T.S + (HasMember ? (IsReference ? "." : "->") : "") + Members};
      Inside.IsObject = false;
      return Inside;
    }
    if (!(IsReference && Index == Polynomial()))
      B.T = {indexed(B.T, Index.text())};
    Offset = Rest;
  } else if (auto *Local = dyn_cast_or_null<AllocaInst>(Known ? Known->getValue() : Ptr);
             !B.Type && Accessed &&
             (Offset != Polynomial() || (Local && Local->getAllocatedType()->isArrayTy()))) {
    Polynomial Rest;
    uint64_t Size = P.function().getDataLayout().getTypeAllocSize(Accessed);
    B.T = {indexed(B.T, Offset.divide(std::max<uint64_t>(Size, 1), Rest).text())};
  }
  descend(B, Offset, IsBase);
  B.IsObject = B.IsData = false;
  if (B.T.S.size() > 2 * MaxLength && Ptr && isa<Instruction>(Ptr) && Ptr != Explained)
    B.T = {"(*" + shortName(Ptr) + ")" + Suffix.str()};
  return B;
}

Text SourceText::memory(const Value *Ptr, Type *Accessed, StringRef Suffix) {
  return spot(Ptr, Accessed, Suffix, 0).T;
}

std::string SourceText::address(const Value *Ptr, StringRef Suffix) {
  if (variable(Ptr).empty() && isa<GetElementPtrInst>(Ptr))
    return "&" + spot(Ptr, nullptr, Suffix, 0).T.in(BindsCall);
  return base(Ptr, Suffix, 0).T.S;
}

const DIType *SourceText::declaredType(const Value *V) { return bareType(base(V, "", 0).Type); }

} // namespace isozyme
