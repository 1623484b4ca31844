//===- AtomicExtrema.cpp - The largest value that threads leave in memory -===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many threads leave the largest of their values at one place (atomicMax). The adjoint of that
// place belongs to the thread whose value it is, which finds out in the reverse sweep: it compares.
// So the result must be there when the first of them comes back, and must not have changed since.
//
// In: an atomic operation.  Out: why this may not be so.
//
//===----------------------------------------------------------------------===//
#include "SharedMemory.h"
#include "Steps/Reach.h"
#include "isozyme/Plan/StepPlan.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Values/AtomicBits.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

/// The operation that leaves the same one of two floats, by their bits, if their sign is another:
/// the larger of two negative floats has the smaller number. Programs have both at one place.
static AtomicRMWInst::BinOp onOtherSign(AtomicRMWInst::BinOp Operation) {
  switch (Operation) {
  case AtomicRMWInst::Max:
    return AtomicRMWInst::UMin;
  case AtomicRMWInst::UMin:
    return AtomicRMWInst::Max;
  case AtomicRMWInst::Min:
    return AtomicRMWInst::UMax;
  case AtomicRMWInst::UMax:
    return AtomicRMWInst::Min;
  default:
    return Operation;
  }
}

/// Do all threads of the block wait for each other behind \p I, whatever way they take?
static bool meetsBehind(const PreparedFunction &P, const Instruction &I) {
  auto meetsFrom = [&](const Instruction *At) {
    for (; At; At = At->getNextNode())
      if (meetingAt(P, *At) == Meeting::Block)
        return true;
    return false;
  };
  if (meetsFrom(I.getNextNode()))
    return true;
  SmallVector<const BasicBlock *, 8> Work = {I.getParent()};
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (isa<ReturnInst>(BB->getTerminator()))
      return false;
    for (const BasicBlock *Next : successors(BB))
      if (Seen.insert(Next).second && !meetsFrom(&Next->front()))
        Work.push_back(Next);
  }
  return true;
}

namespace {
/// Follows the address of a variable through a module.
class AddressUses {
public:
  /// Is the address of \p G used for nothing but reading and writing what lies there?
  bool areAccesses(const GlobalVariable &G) {
    push(G);
    while (!Work.empty())
      if (!isFollowed(*Work.pop_back_val()))
        return false;
    return true;
  }

private:
  void push(const Value &V) {
    if (Seen.insert(&V).second)
      for (const Use &U : V.uses())
        Work.push_back(&U);
  }
  bool isFollowed(const Use &U);
  bool isFollowedIn(const Value &Local);

  SmallVector<const Use *, 16> Work;
  SmallPtrSet<const Value *, 16> Seen;
};
} // namespace

bool AddressUses::isFollowed(const Use &U) {
  const User *By = U.getUser();
  if (isa<LoadInst, ICmpInst, MemIntrinsic>(By))
    return true;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(By))
    return U.getOperandNo() == 0;
  if (auto *Store = dyn_cast<StoreInst>(By))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex() ||
           isFollowedIn(*Store->getPointerOperand()->stripPointerCasts());
  if (isa<GEPOperator, AddrSpaceCastOperator, PHINode, SelectInst>(By)) {
    push(*By);
    return true;
  }
  auto *Call = dyn_cast<CallBase>(By);
  if (!Call || !Call->isArgOperand(&U))
    return false;
  unsigned Number = Call->getArgOperandNo(&U);
  const Function *Callee = Call->getCalledFunction();
  if (Callee && !Callee->isDeclaration() && Number < Callee->arg_size())
    push(*Callee->getArg(Number));
  else if (!Call->doesNotCapture(Number))
    return false;
  return true;
}

/// Without optimisation addresses lie in local variables.
bool AddressUses::isFollowedIn(const Value &Local) {
  if (!isa<AllocaInst>(Local))
    return false;
  SmallVector<const Value *, 2> Names = {&Local};
  while (!Names.empty()) {
    const Value *Name = Names.pop_back_val();
    for (const Use &U : Name->uses()) {
      const User *By = U.getUser();
      if (isa<AddrSpaceCastInst>(By))
        Names.push_back(By);
      else if (isa<LoadInst>(By))
        push(*By);
      else if (!isa<LifetimeIntrinsic>(By) &&
               !(isa<StoreInst>(By) && U.getOperandNo() == StoreInst::getPointerOperandIndex()))
        return false;
    }
  }
  return true;
}

namespace {
/// What is done at the place of one atomic operation.
class PlaceOf {
public:
  PlaceOf(const PreparedFunction &P, const StepPlan &Steps, const AtomicRMWInst &At)
      : P(P), Steps(Steps), At(At), Location(MemoryLocation::get(&At)) {
    auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(At.getPointerOperand(), 0));
    if (G && liesInBlock(P, *G) && AddressUses().areAccesses(*G))
      Named = G;
  }

  bool isWrittenOtherwise() const {
    return any_of(instructions(P.function()), [&](const Instruction &I) {
      return !isSame(I) && mayDo(I, ModRefInfo::Mod) && follows(At, I);
    });
  }
  /// Is it read with a derivative before another value may become the largest?
  bool isReadBetween() const {
    return any_of(instructions(P.function()), [&](const Instruction &Read) {
      return !isSame(Read) && hasDerivative(Read) && mayDo(Read, ModRefInfo::Ref) &&
             follows(At, Read) && any_of(instructions(P.function()), [&](const Instruction &I) {
               return isSame(I) && follows(Read, I);
             });
    });
  }

  /// Is it read before, so that a thread may know that its value is not needed there?
  bool isReadBefore() const {
    const Value *Object = getUnderlyingObject(At.getPointerOperand(), 0);
    return any_of(instructions(P.function()), [&](const Instruction &I) {
      auto *Load = dyn_cast<LoadInst>(&I);
      return Load && getUnderlyingObject(Load->getPointerOperand(), 0) == Object &&
             mayDo(I, ModRefInfo::Ref) && follows(I, At);
    });
  }

private:
  bool follows(const Instruction &First, const Instruction &Then) const {
    return isPotentiallyReachable(&First, &Then, nullptr, &P.dominators(), &P.loops());
  }
  bool hasDerivative(const Instruction &I) const {
    AdjointStep Todo = Steps.at(I).Adjoint;
    return Steps.of(&I).Adjoint || Todo == AdjointStep::Copy || Todo == AdjointStep::Call;
  }
  bool mayDo(const Instruction &I, ModRefInfo What) const {
    // Alias analysis takes what is atomic for both.
    if (isa<LoadInst>(I) ? What == ModRefInfo::Mod : isa<StoreInst>(I) && What == ModRefInfo::Ref)
      return false;
    return meetingAt(P, I) == Meeting::None && I.mayReadOrWriteMemory() && !isElsewhere(I) &&
           isModOrRefSet(P.aliasAnalysis().getModRefInfo(&I, Location) & What);
  }
  /// No address leads to a variable of the block but those that are made of its name.
  bool isElsewhere(const Instruction &I) const {
    auto isApart = [&](const Value *Ptr) {
      SmallVector<const Value *, 4> Objects;
      getUnderlyingObjects(Ptr, Objects, &P.loops(), /*MaxLookup=*/0);
      return none_of(Objects, [&](const Value *Object) {
        return Object == Named || isa<PHINode, SelectInst>(Object);
      });
    };
    if (!Named)
      return false;
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      return isApart(Copy->getRawDest()) && isApart(Copy->getRawSource());
    if (auto *Fill = dyn_cast<MemSetInst>(&I))
      return isApart(Fill->getRawDest());
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      return isApart(RMW->getPointerOperand());
    const Value *Ptr = getLoadStorePointerOperand(&I);
    return Ptr && isApart(Ptr);
  }
  /// The same operation there, or anywhere.
  bool isSame(const Instruction &I) const {
    auto *Other = dyn_cast<AtomicRMWInst>(&I);
    return Other && Other->getType() == At.getType() &&
           (Other->getOperation() == At.getOperation() ||
            Other->getOperation() == onOtherSign(At.getOperation()));
  }

  const PreparedFunction &P;
  const StepPlan &Steps;
  const AtomicRMWInst &At;
  MemoryLocation Location;
  /// The variable of the block, if it is one that is reached by its name alone.
  const GlobalVariable *Named = nullptr;
};
} // namespace

const char *whyResultIsUnknown(const PreparedFunction &P, const StepPlan &Steps,
                               const AtomicRMWInst &At) {
  if (liesInBlock(P, *At.getPointerOperand()) && !meetsBehind(P, At))
    return "the threads of the block do not wait for each other behind it";
  PlaceOf Place(P, Steps, At);
  if (Steps.at(At).Sweep == SweepStep::Expect && Place.isReadBefore())
    return "a thread that finds the result there may leave nothing";
  if (Place.isWrittenOtherwise())
    return "the place may be written to again";
  if (Place.isReadBetween())
    return "the place is read before the last value comes";
  return nullptr;
}

} // namespace isozyme
