//===- PointerMoves.cpp - Pointers that are nothing but moved -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/PointerMoves.h"
#include "isozyme/Values/Origins.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <functional>

using namespace llvm;

namespace isozyme {

/// What TBAA calls the type that \p I accesses.
static StringRef nameOfTag(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  auto *Access =
      Tag && Tag->getNumOperands() > 2 ? dyn_cast_or_null<MDNode>(Tag->getOperand(1)) : nullptr;
  auto *Name = Access && Access->getNumOperands()
                   ? dyn_cast_or_null<MDString>(Access->getOperand(0))
                   : nullptr;
  return Name ? Name->getString() : "";
}

/// "p1 double" and so on, since LLVM 20.
static bool hasPointeeTag(const Instruction &I) {
  StringRef Name = nameOfTag(I);
  return Name.size() > 1 && Name.front() == 'p' && isDigit(Name[1]) && Name.contains(' ');
}

/// Or "any pointer", "vtable pointer".
static bool hasPointerTag(const Instruction &I) {
  return hasPointeeTag(I) || nameOfTag(I).ends_with(" pointer");
}

bool saysPointee(const Instruction &I) {
  return hasPointeeTag(I) && !nameOfTag(I).ends_with(" omnipotent char");
}

/// A member or element of the type of a pointer; one of a union has no step of its own.
static bool isDeclaredPointer(const Instruction &I) {
  auto *GEP = dyn_cast_or_null<GEPOperator>(getLoadStorePointerOperand(&I));
  if (!GEP || !GEP->getResultElementType()->isPointerTy())
    return false;
  // A record without a name is what the calling convention makes of one with a union.
  auto *Record = dyn_cast<StructType>(GEP->getSourceElementType());
  return !Record || (Record->hasName() && !Record->getName().starts_with("union."));
}

/// Isozyme's own, of accesses to what the source declares as a pointer.
static constexpr StringLiteral DeclaredPointer = "isozyme-declared-pointer";

void markDeclaredPointers(Function &F) {
  for (Instruction &I : instructions(F))
    if (isDeclaredPointer(I) && !I.hasMetadata(LLVMContext::MD_tbaa))
      I.setMetadata(DeclaredPointer, MDNode::get(F.getContext(), {}));
}

bool saysPointer(const Instruction &I) {
  return hasPointerTag(I) || isDeclaredPointer(I) || I.hasMetadata(DeclaredPointer) ||
         I.hasMetadata(LLVMContext::MD_nonnull) || I.hasMetadata(LLVMContext::MD_dereferenceable);
}

static bool isSimpleLoad(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple();
}

static bool isMovingStore(const StoreInst &Store, const Value *Moved) {
  return Store.isSimple() && Store.getValueOperand() == Moved && Store.getPointerOperand() != Moved;
}

/// A variable that can be promoted to a register.
static bool isRegister(const Value *Place) {
  auto *Variable = dyn_cast<AllocaInst>(Place);
  return Variable && Variable->getAllocatedType()->isPointerTy() && isAllocaPromotable(Variable);
}

const Value *memberOf(const Value *V, unsigned Number) {
  if (!V->getType()->isStructTy())
    return V;
  while (auto *Insert = dyn_cast<InsertValueInst>(V)) {
    if (Insert->getNumIndices() != 1)
      return nullptr;
    if (Insert->getIndices()[0] == Number)
      return Insert->getInsertedValueOperand();
    V = Insert->getAggregateOperand();
  }
  return nullptr;
}

/// The values of which \p I is one, itself or as a member.
static Operands choices(const Instruction &I) {
  if (isChoice(I))
    return choicesOf(&I);
  auto *Part = dyn_cast<ExtractValueInst>(&I);
  const Value *Member = Part && Part->getNumIndices() == 1
                            ? memberOf(Part->getAggregateOperand(), Part->getIndices()[0])
                            : nullptr;
  if (Member)
    return {Member};
  return {};
}

bool isBitConstant(const Value *V) {
  auto *Cast = dyn_cast<ConstantExpr>(V); // A number that the optimiser knows.
  return isa<ConstantPointerNull, UndefValue>(V) ||
         (Cast && Cast->getOpcode() == Instruction::IntToPtr &&
          isa<ConstantInt>(Cast->getOperand(0)));
}

/// A float that is made an address.
static bool isMadeOfFloat(const Value &V) {
  auto *Made = dyn_cast<IntToPtrInst>(&V);
  auto *Bits = Made ? dyn_cast<BitCastInst>(Made->getOperand(0)) : nullptr;
  return Bits && Bits->getOperand(0)->getType()->isFloatingPointTy();
}

/// Are all uses of the pointer's bits bitcasts to floats?
static bool isOnlyFloat(const User &U) {
  return isa<PtrToIntInst>(U) && !U.use_empty() && all_of(U.users(), [](const User *Next) {
           return isa<BitCastInst>(Next) && Next->getType()->isFloatingPointTy();
         });
}

namespace {

/// Follows a pointer through functions. False answers are safe.
class MoveTrace {
public:
  bool staysMoved(const Argument &A);
  bool wasMoved(const Function &F, unsigned Number);

private:
  bool add(const Value *V) {
    Seen.insert(V);
    return Seen.size() <= MaxSteps;
  }
  bool followUse(const Value *V, const Use &U);
  bool followOrigin(const Value *V);
  bool addReturned(const Function &F, unsigned Number);

  static constexpr unsigned MaxSteps = 128;
  SmallSetVector<const Value *, 16> Seen;
  bool InMemory = false; ///< It comes from or goes to memory, or is returned.
};

} // namespace

bool MoveTrace::followUse(const Value *V, const Use &U) {
  const User *I = U.getUser();
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    if (isRegister(Store->getPointerOperand()))
      return Store->getPointerOperand() == V || add(Store->getPointerOperand());
    InMemory = true;
    return isMovingStore(*Store, V) && !saysPointer(*Store);
  }
  if (isa<PHINode, SelectInst, FreezeInst, InsertValueInst, ExtractValueInst>(I) ||
      (isa<AllocaInst>(V) && isSimpleLoad(*cast<Instruction>(I))))
    return add(I);
  if (isa<ReturnInst>(I) || isOnlyFloat(*I))
    return InMemory = true;
  auto *Call = dyn_cast<CallBase>(I);
  if (!Call || Call->isLifetimeStartOrEnd())
    return Call;
  const Function *F = Call->getCalledFunction();
  return F && !F->isDeclaration() && Call->isArgOperand(&U) &&
         Call->getArgOperandNo(&U) < F->arg_size() && add(F->getArg(Call->getArgOperandNo(&U)));
}

static bool saysPointer(const AttributeSet &Attributes) {
  return Attributes.hasAttribute(Attribute::NonNull) ||
         Attributes.hasAttribute(Attribute::NoAlias) ||
         Attributes.hasAttribute(Attribute::NoFree) || Attributes.getDereferenceableBytes();
}

bool MoveTrace::staysMoved(const Argument &A) {
  add(&A);
  for (unsigned K = 0; K != Seen.size(); ++K) {
    auto *Parameter = dyn_cast<Argument>(Seen[K]);
    if (Parameter &&
        (saysPointer(Parameter->getAttributes()) || Parameter->hasPointeeInMemoryValueAttr()))
      return false;
    for (const Use &U : Seen[K]->uses())
      if (!followUse(Seen[K], U))
        return false;
  }
  return InMemory;
}

bool MoveTrace::addReturned(const Function &F, unsigned Number) {
  for (const BasicBlock &BB : F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
      const Value *V =
          Return->getReturnValue() ? memberOf(Return->getReturnValue(), Number) : nullptr;
      if (!V || !add(V))
        return false;
    }
  return true;
}

bool MoveTrace::followOrigin(const Value *V) {
  if (isBitConstant(V))
    return true;
  if (auto *A = dyn_cast<Argument>(V); A && isMovedParameter(*A))
    return InMemory = true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  if (isRegister(I))
    return all_of(I->users(), [&](const User *U) {
      auto *Store = dyn_cast<StoreInst>(U);
      return !Store || (Store->isSimple() && add(Store->getValueOperand()));
    });
  if (isSimpleLoad(*I) && !saysPointer(*I)) {
    const Value *From = cast<LoadInst>(I)->getPointerOperand();
    InMemory |= !isRegister(From);
    return !isRegister(From) || add(From);
  }
  if (isMadeOfFloat(*I))
    return InMemory = true;
  if (auto Choices = choices(*I); !Choices.empty())
    return all_of(Choices, [&](const Value *Choice) { return add(Choice); });
  auto *Part = dyn_cast<ExtractValueInst>(I);
  if (Part && Part->getNumIndices() != 1)
    return false;
  auto *Call = dyn_cast<CallBase>(Part ? Part->getAggregateOperand() : I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && !F->isDeclaration() && addReturned(*F, Part ? Part->getIndices()[0] : 0);
}

bool MoveTrace::wasMoved(const Function &F, unsigned Number) {
  if (saysPointer(F.getAttributes().getRetAttrs()) || !addReturned(F, Number))
    return false;
  for (unsigned K = 0; K != Seen.size(); ++K)
    if (!followOrigin(Seen[K]))
      return false;
  return InMemory;
}

bool isMovedParameter(const Argument &A) {
  return A.getType()->isPointerTy() && MoveTrace().staysMoved(A);
}

bool isMovedResult(const Function &F, unsigned Number) { return MoveTrace().wasMoved(F, Number); }

/// Isozyme's own, of accesses to what is handed on in memory.
static constexpr StringLiteral UnionMember = "isozyme-union-member";

void markUnionMember(LoadInst &Load) {
  Load.setMetadata(UnionMember, MDNode::get(Load.getContext(), {}));
}

bool isUnionMember(const Instruction &I) {
  if (!getLoadStoreType(&I)->isDoubleTy())
    return false;
  if (I.hasMetadata(LLVMContext::MD_tbaa) || I.hasMetadata(UnionMember))
    return nameOfTag(I) == "omnipotent char" || I.hasMetadata(UnionMember);
  // Without tags, an address may have been computed as that of a union.
  auto *GEP = dyn_cast_or_null<GEPOperator>(getLoadStorePointerOperand(&I));
  auto *Union = GEP ? dyn_cast<StructType>(GEP->getResultElementType()) : nullptr;
  return Union && Union->hasName() && Union->getName().starts_with("union.");
}

namespace {

/// Starts with all that could be moved and takes out what is used otherwise.
class MoveFinder {
public:
  explicit MoveFinder(const Function &F) : F(F) {}
  DenseSet<const Value *> find();

private:
  bool mayMove(const Instruction &I) const;
  bool isMoved(const Value *V) const { return Found.contains(V); }
  bool isGiven(const Value *V) const { return isMoved(V) || isBitConstant(V); }
  bool isUsedToMove(const Value &V, const Use &U) const;
  bool onlyMoves(const Value &V) const;
  bool isPutTogetherToMove(const Value &V, const User &Whole) const;
  bool returnsMoved() const;

  const Function &F;
  DenseSet<const Value *> Found;
};

} // namespace

/// Is \p V a pointer that a function returns that only moves it?
static bool isMovedByCallee(const Value &V) {
  auto *Part = dyn_cast<ExtractValueInst>(&V);
  auto *Call = dyn_cast<CallBase>(Part ? Part->getAggregateOperand() : &V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isDeclaration() && (!Part || Part->getNumIndices() == 1) &&
         isMovedResult(*Callee, Part ? Part->getIndices()[0] : 0);
}

bool MoveFinder::mayMove(const Instruction &I) const {
  if (isRegister(&I))
    return true;
  if (!I.getType()->isPointerTy() || I.getType()->getPointerAddressSpace())
    return false;
  return isSimpleLoad(I) || isMadeOfFloat(I) || !choices(I).empty() || isMovedByCallee(I);
}

bool MoveFinder::returnsMoved() const {
  auto *Record = dyn_cast<StructType>(F.getReturnType());
  for (unsigned K = 0; K != (Record ? Record->getNumElements() : 1); ++K)
    if ((Record ? Record->getElementType(K) : F.getReturnType())->isPointerTy() &&
        isMovedResult(F, K))
      return true;
  return false;
}

/// Is \p V, a member of \p Whole, only returned or taken out again?
bool MoveFinder::isPutTogetherToMove(const Value &V, const User &Whole) const {
  return all_of(Whole.users(), [&](const User *U) {
    if (isa<InsertValueInst>(U))
      return isPutTogetherToMove(V, *U);
    auto *Part = dyn_cast<ExtractValueInst>(U);
    return Part ? !is_contained(choices(*Part), &V) || isMoved(Part)
                : isa<ReturnInst>(U) && returnsMoved();
  });
}

bool MoveFinder::isUsedToMove(const Value &V, const Use &U) const {
  const User *I = U.getUser();
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    const Value *To = Store->getPointerOperand();
    return isRegister(To) ? isMoved(To) && isGiven(Store->getValueOperand())
                          : isMovingStore(*Store, &V);
  }
  if (isMoved(I) || isOnlyFloat(*I))
    return true;
  if (isa<InsertValueInst>(I))
    return isPutTogetherToMove(V, *I);
  if (isa<ReturnInst>(I))
    return returnsMoved();
  auto *Call = dyn_cast<CallBase>(I);
  if (!Call || Call->isLifetimeStartOrEnd())
    return Call;
  const Function *Callee = Call->getCalledFunction();
  return Callee && !Callee->isDeclaration() && Call->isArgOperand(&U) &&
         Call->getArgOperandNo(&U) < Callee->arg_size() &&
         isMovedParameter(*Callee->getArg(Call->getArgOperandNo(&U)));
}

bool MoveFinder::onlyMoves(const Value &V) const {
  if (!all_of(V.uses(), [&](const Use &U) { return isUsedToMove(V, U); }))
    return false;
  auto *I = dyn_cast<Instruction>(&V);
  if (I && !all_of(choices(*I), [&](const Value *Choice) { return isGiven(Choice); }))
    return false;
  auto *Load = dyn_cast<LoadInst>(&V);
  return !Load || !isRegister(Load->getPointerOperand()) || isMoved(Load->getPointerOperand());
}

DenseSet<const Value *> MoveFinder::find() {
  SmallSetVector<const Value *, 16> Work;
  for (const Argument &A : F.args())
    if (isMovedParameter(A))
      Work.insert(&A);
  for (const Instruction &I : instructions(F))
    if (mayMove(I))
      Work.insert(&I);
  Found.insert_range(Work);
  auto Ask = [&](const Value *V) {
    if (isMoved(V))
      Work.insert(V);
  };
  std::function<void(const User &)> AskMembers = [&](const User &Whole) {
    for_each(Whole.operand_values(), Ask);
    for (const User *U : Whole.users())
      isa<InsertValueInst>(U) ? AskMembers(*U) : Ask(U);
  };
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (onlyMoves(*V))
      continue;
    Found.erase(V);
    if (auto *I = dyn_cast<Instruction>(V)) {
      for_each(I->operand_values(), Ask);
      for_each(choices(*I), Ask);
    }
    for (const User *U : V->users()) {
      Ask(U);
      if (isa<StoreInst>(U)) // To or from a variable.
        for_each(U->operand_values(), Ask);
      if (isa<InsertValueInst>(U))
        AskMembers(*U);
    }
  }
  return std::move(Found);
}

DenseSet<const Value *> movedPointers(const Function &F) { return MoveFinder(F).find(); }

} // namespace isozyme
