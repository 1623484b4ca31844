//===- InvariantLoads.cpp - What a loop reads and does not change ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (int i = 0; i < o->rows; i++)           reads o->rows in each iteration, since
//     for (int j = 0; j < o->columns; j++)      sqrt may set errno, which is an int, too
//       sum += sqrt(x[i * o->columns + j]);
//
// A derivative does not look at errno. So what bounds and addresses are computed from is read
// once, in front of the loops, and trip counts are known there. What the optimiser carried
// from iteration to iteration, because it had read the integer before, is then the same value
// in all of them, and its phis go.
//
//   for (int j = k + 1; j < n; j++)             may write a[i][k], as types see it, but never does
//     a[i][j] -= a[i][k] * a[k][j];
//
// So it is with numbers, where the distance of what is written tells that it is elsewhere: the
// reverse sweep needs them once, not in each iteration.
//
// In: any function.  Out: loads of integers and numbers in front of loops that do not write there;
// one load of an integer or address where there were several.
// Never: reads what the function might not have read.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/ErrnoCalls.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace isozyme {

/// More accesses than this are not compared with a load, so that the work stays linear.
constexpr unsigned MaxWrites = 256, MaxReads = 4;

namespace {

class InvariantLoads {
public:
  InvariantLoads(Function &F, FunctionAnalysisManager &FAM)
      : DT(FAM.getResult<DominatorTreeAnalysis>(F)), TLI(FAM.getResult<TargetLibraryAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), AA(FAM.getResult<AAManager>(F)) {}

  void hoist(Loop &L);
  void share(Function &F);
  void dropCarried();

private:
  /// Base and type, offset.
  using Place = std::pair<std::pair<const Value *, Type *>, int64_t>;
  /// A load, and the last one behind it that reads the same: from there on ways are shorter.
  struct Reading {
    LoadInst *First, *Last;
  };

  bool isMathCall(const Instruction &I) const {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && writesErrnoAtMost(*Call, TLI);
  }
  Place placeOf(const LoadInst &Load) const;
  bool isUnchanged(LoadInst &Before, LoadInst &Load);
  bool isRepeated(const Reading &Before, LoadInst &Load);
  bool collectWrites(const Loop &L);
  bool isElsewhere(StoreInst &Store, LoadInst &Load);
  bool mayChange(Instruction &Write, LoadInst &Load);

  DominatorTree &DT;
  const TargetLibraryInfo &TLI;
  ScalarEvolution &SE;
  BatchAAResults AA;
  SmallVector<Instruction *, 16> Writes;
  SmallSetVector<LoadInst *, 8> Shared; ///< Read in place of others, or in front of a loop.
};

} // namespace

/// All that may write in \p L. False if there are too many, or one that says nothing.
bool InvariantLoads::collectWrites(const Loop &L) {
  Writes.clear();
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (!I.mayWriteToMemory() || isMathCall(I))
        continue;
      Writes.push_back(&I);
      if (I.isAtomic() || I.isVolatile() || Writes.size() > MaxWrites)
        return false;
    }
  return true;
}

/// What is read again only because a math function might have written there: sizes, and without
/// alias metadata addresses, too.
static bool isSizeOrAddress(const LoadInst &Load) {
  return Load.isSimple() && (Load.getType()->isIntegerTy() || Load.getType()->isPointerTy());
}

/// Is \p Distance, in bytes within an object, at least \p Least in all iterations? What grows by a
/// constant is least in the first: no object is so large that an address in it could wrap.
static bool isAtLeast(const SCEV &Distance, int64_t Least) {
  if (auto *Known = dyn_cast<SCEVConstant>(&Distance))
    return Known->getAPInt().sge(Least);
  auto *Steps = dyn_cast<SCEVAddRecExpr>(&Distance);
  auto *Step = Steps && Steps->isAffine() ? dyn_cast<SCEVConstant>(Steps->getOperand(1)) : nullptr;
  return Step && Step->getAPInt().isStrictlyPositive() && Step->getAPInt().isSignedIntN(32) &&
         isAtLeast(*Steps->getStart(), Least);
}

/// Does \p Store, whenever it runs in a loop in which the address of \p Load is the same, write to
/// other bytes of the same object?
bool InvariantLoads::isElsewhere(StoreInst &Store, LoadInst &Load) {
  const DataLayout &DL = Load.getDataLayout();
  TypeSize Read = DL.getTypeStoreSize(Load.getType()),
           Written = DL.getTypeStoreSize(Store.getValueOperand()->getType());
  const SCEV *To = SE.getSCEV(Store.getPointerOperand()),
             *From = SE.getSCEV(Load.getPointerOperand());
  const SCEV *Forth = SE.getMinusSCEV(To, From), *Back = SE.getMinusSCEV(From, To);
  if (isa<SCEVCouldNotCompute>(Forth) || isa<SCEVCouldNotCompute>(Back) || Read.isScalable() ||
      Written.isScalable())
    return false;
  return isAtLeast(*Forth, Read.getFixedValue()) || isAtLeast(*Back, Written.getFixedValue());
}

bool InvariantLoads::mayChange(Instruction &Write, LoadInst &Load) {
  if (!isModSet(AA.getModRefInfo(&Write, MemoryLocation::get(&Load))))
    return false;
  auto *Store = dyn_cast<StoreInst>(&Write);
  return !Store || !isElsewhere(*Store, Load);
}

void InvariantLoads::hoist(Loop &L) {
  for (Loop *Inner : L)
    hoist(*Inner);
  SmallVector<LoadInst *, 8> Loads;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && Load->isSimple() &&
          (Load->getType()->isIntegerTy() || Load->getType()->isFloatingPointTy()) &&
          L.isLoopInvariant(Load->getPointerOperand()))
        Loads.push_back(Load);
  if (Loads.empty() || !L.getLoopPreheader() || !collectWrites(L))
    return;
  SimpleLoopSafetyInfo Safety;
  Safety.computeLoopSafetyInfo(&L);
  for (LoadInst *Load : Loads) {
    auto mayWrite = [&](Instruction *I) { return mayChange(*I, *Load); };
    auto mayAlias = [&](Instruction *I) {
      return isModSet(AA.getModRefInfo(I, MemoryLocation::get(Load)));
    };
    // Other numbers have been hoisted, or stay where the source has them: the plan sums them up.
    if (Load->getType()->isFloatingPointTy() && none_of(Writes, mayAlias))
      continue;
    if (any_of(Writes, mayWrite) || !Safety.isGuaranteedToExecute(*Load, &DT, &L))
      continue;
    Load->moveBefore(L.getLoopPreheader()->getTerminator()->getIterator());
    Load->dropUBImplyingAttrsAndMetadata();
    Load->dropLocation();
    SE.forgetBlockAndLoopDispositions(Load);
    if (Load->getType()->isIntegerTy())
      Shared.insert(Load);
  }
}

InvariantLoads::Place InvariantLoads::placeOf(const LoadInst &Load) const {
  const DataLayout &DL = Load.getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
  const Value *Base = Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  return {{Base, Load.getType()}, Offset.getSExtValue()};
}

/// Is what \p Before has read still there at \p Load, which it dominates, on every way?
bool InvariantLoads::isUnchanged(LoadInst &Before, LoadInst &Load) {
  SmallVector<BasicBlock *, 16> Open;
  SmallPtrSet<BasicBlock *, 16> Passed;
  unsigned Seen = 0;
  MemoryLocation Where = MemoryLocation::get(&Load);
  auto mayWrite = [&](Instruction &I) {
    return I.mayWriteToMemory() && !isMathCall(I) &&
           (++Seen > MaxWrites || I.isAtomic() || I.isVolatile() ||
            isModSet(AA.getModRefInfo(&I, Where)));
  };
  BasicBlock *First = Before.getParent(), *Last = Load.getParent();
  if (First == Last)
    return Before.comesBefore(&Load) &&
           none_of(make_range(Before.getIterator(), Load.getIterator()), mayWrite);
  append_range(Open, predecessors(Last));
  while (!Open.empty()) {
    BasicBlock *BB = Open.pop_back_val();
    if (!Passed.insert(BB).second)
      continue;
    auto Begin = BB == First ? Before.getIterator() : BB->begin();
    if (any_of(make_range(Begin, BB->end()), mayWrite))
      return false;
    if (BB != First)
      append_range(Open, predecessors(BB));
  }
  return none_of(make_range(Last->begin(), Load.getIterator()), mayWrite);
}

bool InvariantLoads::isRepeated(const Reading &Before, LoadInst &Load) {
  auto isSame = [&](LoadInst &As) { return DT.dominates(&As, &Load) && isUnchanged(As, Load); };
  return isSame(*Before.Last) || (Before.Last != Before.First && isSame(*Before.First));
}

/// Integers and addresses that were read before are not read again.
void InvariantLoads::share(Function &F) {
  DenseMap<Place, SmallVector<Reading, 2>> Read;
  SmallVector<LoadInst *, 8> Repeated;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !isSizeOrAddress(*Load))
        continue;
      SmallVector<Reading, 2> &Others = Read[placeOf(*Load)];
      auto isBefore = [&](const Reading &Before) { return isRepeated(Before, *Load); };
      if (auto Same = find_if(Others, isBefore); Same == Others.end()) {
        if (Others.size() < MaxReads)
          Others.push_back({Load, Load});
      } else {
        combineMetadataForCSE(Same->First, Load, /*DoesKMove=*/false);
        Load->replaceAllUsesWith(Same->First);
        Shared.remove(Load);
        Shared.insert(Same->First);
        Same->Last = Load;
        Repeated.push_back(Load);
      }
    }
  for (LoadInst *Load : Repeated)
    Load->eraseFromParent();
}

/// The phis that \p First comes from, itself among them, if all they hand on is \p V.
static SmallSetVector<PHINode *, 8> phisOf(PHINode &First, const Value &V) {
  SmallSetVector<PHINode *, 8> Phis;
  Phis.insert(&First);
  for (size_t Next = 0; Next < Phis.size(); ++Next)
    for (Value *From : Phis[Next]->incoming_values()) {
      if (auto *Phi = dyn_cast<PHINode>(From))
        Phis.insert(Phi);
      else if (From != &V)
        return {};
    }
  return Phis;
}

void InvariantLoads::dropCarried() {
  for (LoadInst *Load : Shared) {
    auto isPhi = [](User *U) { return isa<PHINode>(U); };
    for (auto It = find_if(Load->users(), isPhi); It != Load->user_end();) {
      SmallSetVector<PHINode *, 8> Phis = phisOf(*cast<PHINode>(*It), *Load);
      for (PHINode *Phi : Phis) {
        Phi->replaceAllUsesWith(Load);
        Phi->eraseFromParent();
      }
      It = Phis.empty() ? std::find_if(std::next(It), Load->user_end(), isPhi)
                        : find_if(Load->users(), isPhi);
    }
  }
}

void hoistInvariantLoads(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager Form;
  Form.addPass(LoopSimplifyPass());
  Form.run(F, FAM);
  InvariantLoads Loads(F, FAM);
  for (Loop *L : FAM.getResult<LoopAnalysis>(F))
    Loads.hoist(*L);
  Loads.share(F);
  Loads.dropCarried();
}

} // namespace isozyme
