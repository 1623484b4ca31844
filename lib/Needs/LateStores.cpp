//===- LateStores.cpp - Stores that can wait for the reverse sweep --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at the stores from the last to the first. A store that waits does not hinder an
// earlier one, since stores that wait stay in order.
//
// The reverse sweep reads memory as it was at the loads that it repeats, and as callees
// have read it; all of these come before the store, or read other memory. Only functions
// that the user has registered may look at memory as the primal leaves it.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/LateStores.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

/// Accesses that are compared with a store, all in all: planning stays linear in the size of
/// huge functions.
constexpr unsigned MostComparisons = 100000;

bool runsOnce(const PreparedFunction &P, const StoreInst &S) {
  const BasicBlock *BB = S.getParent();
  return P.returnBlock() && !P.loops().getLoopFor(BB) &&
         P.dominators().dominates(BB, P.returnBlock());
}

/// May a function that the user has registered run in the reverse sweep? Of calls through
/// pointers nothing is known.
static bool runsRegistered(const PreparedFunction &P, const CallPlanSet &Calls) {
  if (none_of(*P.function().getParent(),
              [](const Function &F) { return customRules(F).hasReverse(); }))
    return false;
  SetVector<const Function *> Reached;
  for (auto &[Call, Plan] : Calls)
    if (Plan.K == CallPlan::Differentiate)
      Reached.insert(Plan.Callee.Fn);
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    if (customRules(*Reached[Next]).hasReverse())
      return true;
    for (const Instruction &I : instructions(*Reached[Next])) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && Call->isIndirectCall())
        return true;
      for (const Value *Operand : I.operands())
        if (auto *F = dyn_cast<Function>(Operand->stripPointerCastsAndAliases()))
          Reached.insert(F);
    }
  }
  return false;
}

namespace {
class LateStoreSearch {
public:
  LateStoreSearch(const PreparedFunction &P, const ActivityResult &Activity,
                  const CallPlanSet &Calls, const UnreadMemory &Unread)
      : P(P), Activity(Activity), Calls(Calls), AA(P.aliasAnalysis()),
        IsOnGPU(acceleratorOf(*P.function().getParent())),
        NotDone(Unread.stores().begin(), Unread.stores().end()) {}

  /// Tells \p Found of each store that can wait, the last one first; it says if the store does.
  void run(function_ref<bool(StoreInst &)> Found);

private:
  bool canWait(const StoreInst &S);
  bool mayOverwrite(const MemoryLocation &Where);
  bool mayMeet(const Instruction &I, const MemoryLocation &Where);
  bool mayMeet(const CallBase &Call, const MemoryLocation &Where);

  const PreparedFunction &P;
  const ActivityResult &Activity;
  const CallPlanSet &Calls;
  AAResults &AA;
  const bool IsOnGPU;
  /// Stores that the forward sweep leaves out.
  SmallPtrSet<const Instruction *, 8> NotDone;
  unsigned Comparisons = 0;
};
} // namespace

/// May \p Call see or change what is in \p Where, or never come back?
bool LateStoreSearch::mayMeet(const CallBase &Call, const MemoryLocation &Where) {
  auto It = Calls.find(&Call);
  if (It != Calls.end() && It->second.K == CallPlan::Free)
    return false; // Happens after all late stores.
  MemoryEffects Effects = It == Calls.end() ? Call.getMemoryEffects() : It->second.Effects;
  if (Call.mayThrow())
    return true;
  if (!isModOrRefSet(visibleEffects(Effects)) || !isModOrRefSet(AA.getModRefInfo(&Call, Where)))
    return false;
  return isModOrRefSet(Effects.getModRef(IRMemLocation::Other)) ||
         any_of(Call.data_ops(), [&](const Use &Arg) {
           return Arg->getType()->isPtrOrPtrVectorTy() &&
                  !AA.isNoAlias(Where, MemoryLocation::getBeforeOrAfter(Arg));
         });
}

bool LateStoreSearch::mayMeet(const Instruction &I, const MemoryLocation &Where) {
  if (NotDone.contains(&I) || !(I.mayReadOrWriteMemory() || I.mayThrow()))
    return false;
  if (++Comparisons > MostComparisons)
    return true;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return mayMeet(*Call, Where);
  return I.mayThrow() || isModOrRefSet(AA.getModRefInfo(&I, Where));
}

/// Does anything read what may be in \p Where? Else nothing is won. On a GPU, what is read once in
/// this function stays in a register, and what waits to be stored would need another one.
bool LateStoreSearch::mayOverwrite(const MemoryLocation &Where) {
  return any_of(instructions(P.function()), [&](const Instruction &I) {
    bool IsRepeated =
        P.loops().getLoopFor(I.getParent()) || (isa<CallBase>(I) && !isa<IntrinsicInst>(I));
    return I.mayReadFromMemory() && (IsRepeated || !IsOnGPU) && ++Comparisons <= MostComparisons &&
           isRefSet(AA.getModRefInfo(&I, Where));
  });
}

bool LateStoreSearch::canWait(const StoreInst &S) {
  const Value *Ptr = S.getPointerOperand();
  // A pointer that is compared with its shadow may be its own: then derivatives lie in this memory.
  if (!S.isSimple() || !runsOnce(P, S) || Activity.checkOf(Ptr) != ShadowCheck::None ||
      Activity.isOwnShadow(Ptr))
    return false;
  MemoryLocation Where = MemoryLocation::get(&S);
  // Scopes speak of accesses of one moment. This address is compared with those of later moments.
  Where.AATags.Scope = Where.AATags.NoAlias = nullptr;
  SetVector<const BasicBlock *> After;
  After.insert_range(successors(S.getParent()));
  for (size_t Next = 0; Next < After.size(); ++Next)
    After.insert_range(successors(After[Next]));
  auto meets = [&](const Instruction &I) { return mayMeet(I, Where); };
  for (const Instruction *I = S.getNextNode(); I; I = I->getNextNode())
    if (meets(*I))
      return false;
  return none_of(After, [&](const BasicBlock *BB) { return any_of(*BB, meets); }) &&
         mayOverwrite(Where);
}

void LateStoreSearch::run(function_ref<bool(StoreInst &)> Found) {
  // From block to block upwards in the dominator tree: on the way of every run.
  const auto *Node = P.dominators().getNode(P.returnBlock());
  for (; Node; Node = Node->getIDom())
    for (Instruction &I : reverse(*Node->getBlock()))
      if (auto *S = dyn_cast<StoreInst>(&I); S && !NotDone.contains(S) && canWait(*S))
        if (Found(*S))
          NotDone.insert(S);
}

void LateStores::print(raw_ostream &OS) const {
  for (const StoreInst *S : Stores)
    OS << "    store to " << operandName(S->getPointerOperand()) << " in "
       << operandName(S->getParent())
       << "  done after the reverse sweep  (nothing else reads or writes there until then)\n";
}

LateStores::LateStores(const PreparedFunction &P, const DiffRequest &R,
                       const ActivityResult &Activity, const CallPlanSet &Calls,
                       const UnreadMemory &Unread, function_ref<bool(const StoreInst &)> InPlace) {
  if (R.Mode != DiffMode::Reverse || !P.returnBlock() || runsRegistered(P, Calls))
    return;
  LateStoreSearch(P, Activity, Calls, Unread).run([&](StoreInst &S) {
    bool Waits = !InPlace(S);
    (Waits ? Stores : Kept).push_back(&S);
    return Waits;
  });
  std::reverse(Stores.begin(), Stores.end());
}

} // namespace isozyme
