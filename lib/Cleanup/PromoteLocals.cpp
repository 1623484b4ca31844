//===- PromoteLocals.cpp - Locals of a derivative into registers ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A derivative has a local per adjoint and per kept value, and a kept value lives
// from one end of the function to the other. LLVM's mem2reg walks all blocks of
// each lifetime, which is locals x blocks. Here the work for a local is in
// proportion to its accesses: phis belong to the iterated dominance frontier of the
// stores, and what reaches a load is the nearest of these above it in the
// dominator tree.
//
//===----------------------------------------------------------------------===//
#include "PromoteLocals.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace isozyme {

namespace {

/// What a local holds at some point.
struct Reaching {
  enum Kind : uint8_t { Nothing, Stored, Joined } K = Nothing;
  unsigned Index = 0; ///< In Local::Stores or the phis of the local.
};

/// The accesses of one local that matter outside their block.
struct Local {
  /// The last value stored in a block. A handle: it may be a load to be replaced.
  SmallVector<std::pair<BasicBlock *, TrackingVH<Value>>, 2> Stores;
  /// Loads that no store in their block precedes; one per block.
  SmallVector<LoadInst *, 2> Loads;
};

/// A phi that may be needed.
struct Join {
  BasicBlock *At = nullptr;
  SmallVector<Reaching, 2> Incoming; ///< In the order of predecessors().
  PHINode *Phi = nullptr;
};

class Promotion {
public:
  explicit Promotion(Function &F) : F(F), DT(F) { DT.updateDFSNumbers(); }
  void run();

private:
  void chooseLocals();
  void promoteInBlock(BasicBlock &BB);
  void findFrontiers();
  void promote(AllocaInst &A, Local &L);
  SmallVector<Join, 2> joinsOf(const Local &L) const;

  Function &F;
  DominatorTree DT;
  MapVector<AllocaInst *, Local> Locals;
  DenseMap<const BasicBlock *, SmallVector<BasicBlock *, 2>> Frontier;
  SmallVector<Instruction *, 64> Replaced;
};

/// Something that happens to a local at the start or the end of a block, in the
/// order in which a walk over the dominator tree meets it.
struct Event {
  enum Kind : uint8_t { Join, AskAtStart, Store, AskAtEnd };
  unsigned In, Out; ///< Numbers of the block in the dominator tree.
  Kind K;
  Reaching Sets;
  Reaching *Answer = nullptr;
  bool operator<(const Event &E) const { return std::pair(In, K) < std::pair(E.In, E.K); }
};

} // namespace

void Promotion::chooseLocals() {
  SmallVector<AllocaInst *, 8> Others;
  for (Instruction &I : F.getEntryBlock()) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A || !isAllocaPromotable(A))
      continue;
    // Lifetime markers and debug information: those of the program, not many.
    bool Plain = !A->isUsedByMetadata() &&
                 all_of(A->users(), [](const User *U) { return isa<LoadInst, StoreInst>(U); });
    if (Plain)
      Locals.insert({A, {}});
    else
      Others.push_back(A);
  }
  AssumptionCache AC(F);
  if (!Others.empty())
    PromoteMemToReg(Others, DT, &AC);
}

/// Loads behind an access in the same block get the value from there.
void Promotion::promoteInBlock(BasicBlock &BB) {
  struct Now {
    TrackingVH<Value> V;
    bool IsStored;
  };
  MapVector<AllocaInst *, Now> Held;
  for (Instruction &I : BB) {
    auto *A = dyn_cast_or_null<AllocaInst>(getLoadStorePointerOperand(&I));
    auto It = A ? Locals.find(A) : Locals.end();
    if (It == Locals.end())
      continue;
    Replaced.push_back(&I);
    if (auto *S = dyn_cast<StoreInst>(&I)) {
      Held[A] = {S->getValueOperand(), true};
      continue;
    }
    auto [At, First] = Held.insert({A, {&I, false}});
    if (First)
      It->second.Loads.push_back(cast<LoadInst>(&I));
    else
      I.replaceAllUsesWith(At->second.V);
  }
  for (auto &[A, N] : Held)
    if (N.IsStored)
      Locals.find(A)->second.Stores.push_back({&BB, N.V});
}

void Promotion::findFrontiers() {
  for (BasicBlock &BB : F) {
    if (pred_size(&BB) < 2)
      continue;
    const DomTreeNode *Above = DT.getNode(&BB)->getIDom();
    for (BasicBlock *Pred : predecessors(&BB))
      for (DomTreeNode *N = DT.getNode(Pred); N != Above; N = N->getIDom()) {
        auto &Of = Frontier[N->getBlock()];
        if (!Of.empty() && Of.back() == &BB)
          break; // Another predecessor has come this way.
        Of.push_back(&BB);
      }
  }
}

SmallVector<Join, 2> Promotion::joinsOf(const Local &L) const {
  SmallSetVector<BasicBlock *, 4> Blocks;
  auto addFrontier = [&](const BasicBlock *BB) {
    auto It = Frontier.find(BB);
    if (It != Frontier.end())
      Blocks.insert(It->second.begin(), It->second.end());
  };
  for (auto &[BB, V] : L.Stores)
    addFrontier(BB);
  for (size_t Next = 0; Next < Blocks.size(); ++Next)
    addFrontier(Blocks[Next]);
  SmallVector<Join, 2> Joins;
  for (BasicBlock *BB : Blocks) {
    Joins.push_back({BB, {}});
    Joins.back().Incoming.resize(pred_size(BB));
  }
  return Joins;
}

/// Answers all questions in one walk over the events: what reaches a point is the
/// last store or join on the stack of those that dominate it.
static void answer(SmallVectorImpl<Event> &Events) {
  stable_sort(Events);
  SmallVector<const Event *, 4> Above;
  for (const Event &E : Events) {
    while (!Above.empty() && Above.back()->Out < E.Out)
      Above.pop_back();
    if (!E.Answer)
      Above.push_back(&E);
    else if (!Above.empty())
      *E.Answer = Above.back()->Sets;
  }
}

void Promotion::promote(AllocaInst &A, Local &L) {
  SmallVector<Join, 2> Joins = joinsOf(L);
  SmallVector<Reaching, 2> AtLoads(L.Loads.size());
  SmallVector<Event, 8> Events;
  auto event = [&](const BasicBlock *BB, Event::Kind K, Reaching Sets, Reaching *Answer) {
    const DomTreeNode *N = DT.getNode(BB);
    Events.push_back({N->getDFSNumIn(), N->getDFSNumOut(), K, Sets, Answer});
  };
  for (auto [I, S] : enumerate(L.Stores))
    event(S.first, Event::Store, {Reaching::Stored, unsigned(I)}, nullptr);
  for (auto [I, Load] : enumerate(L.Loads))
    event(Load->getParent(), Event::AskAtStart, {}, &AtLoads[I]);
  for (auto [I, J] : enumerate(Joins)) {
    event(J.At, Event::Join, {Reaching::Joined, unsigned(I)}, nullptr);
    for (auto [Number, Pred] : enumerate(predecessors(J.At)))
      event(Pred, Event::AskAtEnd, {}, &J.Incoming[Number]);
  }
  answer(Events);
  // Only joins that a load sees, directly or through others, become phis.
  SmallVector<unsigned, 4> Needed;
  auto need = [&](const Reaching &R) {
    if (R.K != Reaching::Joined || Joins[R.Index].Phi)
      return;
    Join &J = Joins[R.Index];
    J.Phi = PHINode::Create(A.getAllocatedType(), J.Incoming.size(),
                            A.getName() + "." + Twine(Needed.size()));
    J.Phi->insertBefore(J.At->begin());
    Needed.push_back(R.Index);
  };
  for (const Reaching &R : AtLoads)
    need(R);
  for (size_t Next = 0; Next < Needed.size(); ++Next)
    for (const Reaching &R : Joins[Needed[Next]].Incoming)
      need(R);
  auto value = [&](const Reaching &R) -> Value * {
    if (R.K == Reaching::Joined)
      return Joins[R.Index].Phi;
    if (R.K == Reaching::Stored)
      return L.Stores[R.Index].second;
    return UndefValue::get(A.getAllocatedType());
  };
  for (auto [Load, R] : zip_equal(L.Loads, AtLoads))
    Load->replaceAllUsesWith(value(R));
  for (unsigned Index : Needed)
    for (auto [Pred, R] : zip_equal(predecessors(Joins[Index].At), Joins[Index].Incoming))
      Joins[Index].Phi->addIncoming(value(R), Pred);
}

void Promotion::run() {
  chooseLocals();
  if (Locals.empty())
    return;
  for (BasicBlock &BB : F)
    promoteInBlock(BB);
  findFrontiers();
  for (auto &[A, L] : Locals)
    promote(*A, L);
  for (Instruction *I : reverse(Replaced))
    I->eraseFromParent();
  for (auto &[A, L] : Locals)
    A->eraseFromParent();
}

void promoteLocals(Function &F) { Promotion(F).run(); }

} // namespace isozyme
