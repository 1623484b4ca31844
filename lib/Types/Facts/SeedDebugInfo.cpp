//===- SeedDebugInfo.cpp - Types that the compiler was told (-g) ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: the variables of a function, its parameters and the globals that it uses, as
// debug information describes them.  Out: facts about their memory and what they
// point to.
//
//   #dbg_value(ptr %x, !"double *x", ...)  =>  behind %x: every 8 bytes a double
//
// Only asked where the code leaves a doubt, so that -g changes no derivative that
// there is without it. Never: looks into unions and arrays of characters, which may be
// a place for anything.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Support/DebugTypes.h"
#include "isozyme/Target/TargetModel.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace isozyme;

namespace {

/// How far pointers of pointers are followed: lists and trees have no end.
constexpr unsigned MaxDepth = 6;
/// Members and elements that are noted of one variable.
constexpr unsigned MaxFacts = 1024;

/// What an address leads to; null for what is none. In C++ a reference, and `this`, lead to one
/// object, which may be a member of another.
struct Pointee {
  const DIType *Type = nullptr;
  bool IsOne = false;
};

/// A scalar or record at an offset; Sink is told of each scalar.
class DeclaredType {
public:
  using Sink = function_ref<void(int64_t /*Offset*/, uint64_t /*Size*/, ConcreteType, Pointee)>;
  DeclaredType(const Module &M, Sink Note) : M(M), Note(Note) {}

  void visit(const DIType *T, int64_t Offset);

private:
  void visitBasic(const DIBasicType &T, int64_t Offset);
  void visitMember(const DIDerivedType &Member, const DIType &Of, int64_t Offset);
  void visitArray(const DICompositeType &T, int64_t Offset);

  const Module &M;
  Sink Note;
  unsigned Budget = MaxFacts;
};

} // namespace

void DeclaredType::visitBasic(const DIBasicType &T, int64_t Offset) {
  uint64_t Bits = T.getSizeInBits();
  LLVMContext &Ctx = M.getContext();
  auto floatOf = [&](uint64_t Size) -> Type * {
    switch (Size) {
    case 16:
      return T.getName().contains("bf16") ? Type::getBFloatTy(Ctx) : Type::getHalfTy(Ctx);
    case 32:
      return Type::getFloatTy(Ctx);
    case 64:
      return Type::getDoubleTy(Ctx);
    case 128:
      return T.getName().contains("long double") && TargetModel(M).isX86()
                 ? Type::getX86_FP80Ty(Ctx)
                 : nullptr;
    default:
      return nullptr;
    }
  };
  switch (T.getEncoding()) {
  case dwarf::DW_ATE_float:
    if (Type *F = floatOf(Bits))
      Note(Offset, Bits / 8, ConcreteType::ofFloat(F), {});
    return;
  case dwarf::DW_ATE_complex_float:
    if (Type *F = floatOf(Bits / 2))
      for (uint64_t Part : {uint64_t(0), Bits / 16})
        Note(Offset + Part, Bits / 16, ConcreteType::ofFloat(F), {});
    return;
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_unsigned:
  case dwarf::DW_ATE_boolean:
    if (Bits > 8 || T.getEncoding() == dwarf::DW_ATE_boolean)
      Note(Offset, Bits / 8, ConcreteType::Integer, {});
    return;
  default: // Characters are bytes.
    return;
  }
}

void DeclaredType::visitArray(const DICompositeType &T, int64_t Offset) {
  const DIType *Element = bareType(T.getBaseType());
  // Fortran's descriptor of an array: in front is the address of the elements.
  if (T.getRawDataLocation()) {
    const DIExpression *Where = T.getDataLocationExp();
    if (Where && Where->getElements() ==
                     ArrayRef<uint64_t>{dwarf::DW_OP_push_object_address, dwarf::DW_OP_deref})
      Note(Offset, M.getDataLayout().getPointerSize(), ConcreteType::Pointer, {Element});
    return;
  }
  uint64_t Size = elementDistance(Element);
  if (!Size)
    return;
  // An array of unknown length (flexible, or of variable size) is told from its start.
  uint64_t Count = std::max<uint64_t>(T.getSizeInBits() / 8 / Size, 1);
  for (uint64_t K = 0; K != Count && Budget; ++K)
    visit(Element, Offset + int64_t(K * Size));
}

void DeclaredType::visitMember(const DIDerivedType &Member, const DIType &Of, int64_t Offset) {
  auto *Basic = dyn_cast_or_null<DIBasicType>(bareType(&Member));
  Offset += int64_t(Member.getOffsetInBits() / 8);
  // A character by itself is no place for a float.
  if (Basic && Basic->getSizeInBits() == 8 && Of.getSizeInBits() > 8)
    return Note(Offset, 1, ConcreteType::Integer, {});
  visit(&Member, Offset);
}

void DeclaredType::visit(const DIType *T, int64_t Offset) {
  T = bareType(T);
  if (!T || !Budget)
    return;
  --Budget;
  if (auto *Basic = dyn_cast<DIBasicType>(T))
    return visitBasic(*Basic, Offset);
  if (isa<DIDerivedType>(T)) {
    switch (T->getTag()) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_rvalue_reference_type:
      return Note(Offset, M.getDataLayout().getPointerSize(), ConcreteType::Pointer,
                  {pointeeType(T), isReferenceType(T)});
    default:
      return;
    }
  }
  auto *Composite = dyn_cast<DICompositeType>(T);
  if (!Composite)
    return;
  switch (Composite->getTag()) {
  case dwarf::DW_TAG_array_type:
    return visitArray(*Composite, Offset);
  case dwarf::DW_TAG_enumeration_type:
    return Note(Offset, T->getSizeInBits() / 8, ConcreteType::Integer, {});
  case dwarf::DW_TAG_structure_type:
  case dwarf::DW_TAG_class_type:
    for (const DINode *Node : Composite->getElements())
      if (auto *Member = dyn_cast_or_null<DIDerivedType>(Node);
          Member && !Member->isStaticMember() && !Member->isBitField() &&
          (Member->getTag() == dwarf::DW_TAG_member ||
           Member->getTag() == dwarf::DW_TAG_inheritance))
        visitMember(*Member, *T, Offset);
    return;
  default: // A union may hold either.
    return;
  }
}

/// Has \p T members that say where numbers or addresses are? \p Depth ends what contains
/// itself by way of its members' types, which no source can write.
static bool holdsMoreThanIntegers(const DIType *T, unsigned Depth = 16) {
  T = bareType(T);
  if (!T || !Depth)
    return false;
  if (auto *Basic = dyn_cast<DIBasicType>(T))
    return Basic->getEncoding() == dwarf::DW_ATE_float ||
           Basic->getEncoding() == dwarf::DW_ATE_complex_float;
  auto *Composite = dyn_cast<DICompositeType>(T);
  if (!Composite)
    return true;
  if (Composite->getTag() == dwarf::DW_TAG_array_type)
    return holdsMoreThanIntegers(Composite->getBaseType(), Depth - 1);
  for (const DINode *Node : Composite->getElements())
    if (auto *Member = dyn_cast_or_null<DIDerivedType>(Node);
        Member && !Member->isStaticMember() && holdsMoreThanIntegers(Member, Depth - 1))
      return true;
  return false;
}

/// Does \p T end in an array of unknown length, for which memory goes on behind it?
static bool endsInOpenArray(const DIType *T, unsigned Depth = 16) {
  auto *Composite = dyn_cast_or_null<DICompositeType>(bareType(T));
  if (!Composite || !Depth)
    return false;
  if (Composite->getTag() == dwarf::DW_TAG_array_type)
    return !Composite->getSizeInBits();
  const DIDerivedType *Last = nullptr;
  for (const DINode *Node : Composite->getElements())
    if (auto *Member = dyn_cast_or_null<DIDerivedType>(Node);
        Member && !Member->isStaticMember() && Member->getTag() == dwarf::DW_TAG_member &&
        (!Last || Member->getOffsetInBits() >= Last->getOffsetInBits()))
      Last = Member;
  return Last && endsInOpenArray(Last, Depth - 1);
}

/// A class that has a table of virtual functions.
static bool isPolymorphic(const DIType *T) {
  auto *Class = dyn_cast_or_null<DICompositeType>(bareType(T));
  return Class && Class->getVTableHolder();
}

/// Does \p Phi go on through an array, from element to element?
static bool isCursor(const PHINode &Phi) {
  return any_of(Phi.incoming_values(), [&](const Value *Next) {
    const Value *From = Next;
    while (auto *GEP = dyn_cast<GEPOperator>(From))
      From = GEP->getPointerOperand();
    return From == &Phi && Next != &Phi;
  });
}

/// Does \p User do more with what is behind the address \p Ptr than to copy it? A copy of a few
/// bytes becomes an integer that is loaded and stored.
static bool accesses(const User &User, const Value &Ptr) {
  auto *Load = dyn_cast<LoadInst>(&User);
  if (Load && Load->getType()->isIntegerTy() && !Load->hasMetadata(LLVMContext::MD_tbaa) &&
      all_of(Load->users(), [](const auto *By) { return isa<StoreInst>(By); }))
    return false;
  auto *Call = dyn_cast<CallBase>(&User);
  return getLoadStorePointerOperand(&User) == &Ptr || (Call && !isa<IntrinsicInst>(Call));
}

/// Does the program step from \p Pointer over elements of \p Size bytes, as over an array, and
/// access them there? What is only copied may be something else, behind a header of that size.
static bool stepsOverElements(const Value &Pointer, uint64_t Size, const DataLayout &DL) {
  constexpr unsigned MaxValues = 32;
  if (isa<ConstantData>(Pointer)) // Null has no users of its own.
    return false;
  SmallVector<std::pair<const Value *, bool /*Stepped*/>, 8> Work = {{&Pointer, false}};
  SmallPtrSet<const Value *, 16> Seen = {&Pointer};
  while (!Work.empty()) {
    auto [V, Stepped] = Work.pop_back_val();
    for (const User *U : V->users()) {
      bool Steps = false;
      if (Stepped && accesses(*U, *V))
        return true;
      if (auto *GEP = dyn_cast<GEPOperator>(U); GEP && GEP->getPointerOperand() == V) {
        uint64_t Stride = stepBy(*GEP, PointerTarget{0, 0, 0}, DL).Stride;
        Steps = Stride && Stride % Size == 0;
      } else if (auto *Phi = dyn_cast<PHINode>(U)) {
        Steps = isCursor(*Phi);
      } else if (!isa<SelectInst>(U)) {
        continue;
      }
      if (Seen.size() < MaxValues && Seen.insert(U).second)
        Work.push_back({U, Stepped || Steps});
    }
  }
  return false;
}

/// Facts about the memory at \p Place, which holds a \p T, or elements of it when
/// \p Place has a stride, and about what pointers there lead to.
/// \p Certain: such an object is there; else it may be another, whose accesses know better.
void GraphBuilder::debugFacts(const DIType *T, PointerTarget Place, unsigned Depth, bool Certain) {
  if (!T || !Place.isValid() || !Depth)
    return;
  const Module &M = *Component.front()->getParent();
  DeclaredType(M, [&](int64_t Offset, uint64_t Size, ConcreteType Type, Pointee Behind) {
    PointerTarget At = Place.plus(Offset);
    G.addFact(At, Size, Type, Certain ? rankOfStatement(Type) : FactRank::Spread);
    if (Behind.Type && Certain)
      pointeeFacts(Behind.Type, Behind.IsOne, G.contentOf(At), Depth - 1);
  }).visit(T, 0);
}

/// A pointer to a T may point to any element of an array of them; or to what only begins
/// with a T, as with a header before other data, or a base in C. Integers are often such
/// headers, and memory of integers has no shadow: they are an array if that is how they are
/// used. So is a class with virtual functions, for which one of any derived class may stand.
/// \p IsOne: it is declared to lead to no array. \p Pointer: the variable, or null for a
/// pointer in memory.
void GraphBuilder::pointeeFacts(const DIType *T, bool IsOne, PointerTarget Target, unsigned Depth,
                                const Value *Pointer, bool Certain) {
  uint64_t Size = elementDistance(T);
  if (!Size)
    return;
  const DataLayout &DL = Component.front()->getDataLayout();
  bool IsElement = Target.Stride && Target.Stride % Size == 0;
  bool IsDeclaredSo = !IsOne && holdsMoreThanIntegers(T) && !isPolymorphic(T);
  bool IsArray = !endsInOpenArray(T) &&
                 (IsElement || IsDeclaredSo || (Pointer && stepsOverElements(*Pointer, Size, DL)));
  debugFacts(T, IsArray ? Target.plus(0, Size) : Target, Depth, Certain);
}

/// The blocks that only run where an address is, or is not, that of a certain function. Most were
/// inlined where a virtual function is called; the object may be of another class, for which
/// they never run, and then it is not what their `this` is declared to lead to.
static SmallPtrSet<const BasicBlock *, 8> blocksOfTargets(const Function &F) {
  SmallPtrSet<const BasicBlock *, 8> Guarded;
  DominatorTree Tree;
  for (const BasicBlock &BB : F) {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    auto *Compared =
        Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    if (!Compared || !isa<Function>(Compared->getOperand(1)))
      continue;
    if (!Tree.getRootNode())
      Tree.recalculate(const_cast<Function &>(F));
    for (const BasicBlock *Side : successors(&BB))
      for (const BasicBlock &Inside : F)
        if (Side->getSinglePredecessor() && Tree.dominates(Side, &Inside))
          Guarded.insert(&Inside);
  }
  return Guarded;
}

void GraphBuilder::addDebugInfo(const Function &F) {
  SmallPtrSet<const BasicBlock *, 8> OfTargets = blocksOfTargets(F);
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      if (Record.hasArgList() || Record.getExpression()->getNumElements())
        continue; // A part of the variable, or a value that is computed from it.
      const Value *V = Record.getVariableLocationOp(0);
      const DIType *T = Record.getVariable()->getType();
      if (!V || !V->getType()->isPointerTy())
        continue;
      if (Record.isDbgDeclare())
        debugFacts(T, targetOf(V), MaxDepth);
      else if (const DIType *Behind = pointeeType(T))
        pointeeFacts(Behind, isReferenceType(T) || Record.getVariable()->isArtificial(),
                     targetOf(V), MaxDepth, V, !OfTargets.contains(I.getParent()));
    }
  // Parameters that nothing is said of, if none of them has been taken apart.
  if (const DISubprogram *Subprogram = F.getSubprogram()) {
    DITypeRefArray Types = Subprogram->getType()->getTypeArray();
    if (Types && Types.size() == F.arg_size() + 1)
      for (const Argument &A : F.args())
        if (const DIType *T = Types[A.getArgNo() + 1], *Behind = pointeeType(T);
            Behind && A.getType()->isPointerTy())
          pointeeFacts(Behind, isReferenceType(T) || T->isArtificial(), targetOf(&A), MaxDepth, &A);
  }
  for (auto &[GV, Node] : S.Globals) {
    SmallVector<DIGlobalVariableExpression *, 1> Declared;
    GV->getDebugInfo(Declared);
    for (const DIGlobalVariableExpression *E : Declared)
      if (!E->getExpression()->getNumElements())
        debugFacts(E->getVariable()->getType(), G.normal({Node, 0, 0}), MaxDepth);
  }
}
