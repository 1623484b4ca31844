//===- Prepare.cpp - Bring a function into legal form ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the steps in order and writes down the facts of PreparedFunction. Every
// step keeps the numbers that the function computes, bit for bit.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/Prepare.h"
#include "Steps.h"
#include "isozyme/Prepare/ComputedGoto.h"
#include "isozyme/Prepare/SourceNames.h"
#include "isozyme/Support/Options.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace isozyme {

class Preparer {
public:
  Preparer(PreparedFunction &P, ArrayRef<unsigned> Mistyped)
      : P(P), F(P.function()), FAM(P.analyses()), Mistyped(Mistyped) {}
  Error run();

private:
  void simplify();
  void recordLoops(const LoopFactsMap &Facts);
  void recordBlocks();
  void emitJoins();
  void number();
  void retype();

  PreparedFunction &P;
  Function &F;
  FunctionAnalysisManager &FAM;
  ArrayRef<unsigned> Mistyped;
};

/// Memory into registers and no more: code that was optimised stays as it is,
/// and branches stay branches.
void Preparer::simplify() {
  FunctionPassManager Values, Branches;
  Values.addPass(LowerConstantIntrinsicsPass());
  Values.addPass(SROAPass(SROAOptions::PreserveCFG));
  Values.addPass(EarlyCSEPass());
  Values.addPass(InstSimplifyPass());
  Branches.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().setSimplifyCondBranch(false).speculateBlocks(false)));
  Values.run(F, FAM);
  tellFunctionsApart(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  Branches.run(F, FAM);
  removeUnreachableBlocks(F);
  dropMarkers(F); // A branch to unreachable has become an assumption.
  FAM.invalidate(F, PreservedAnalyses::none());
}

void Preparer::recordLoops(const LoopFactsMap &Facts) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    const LoopFacts &Known = Facts.find(L->getHeader())->second;
    CanonicalLoop &Canonical = P.Loops[L];
    Canonical.L = L;
    Canonical.IV = Known.IV;
    Canonical.LastIV = Known.LastIV;
    Canonical.Extent = Known.Extent;
    Canonical.ExitIV = Known.ExitIV;
  }
}

void Preparer::recordBlocks() {
  SmallVector<BasicBlock *> Work;
  SmallPtrSet<BasicBlock *, 16> Live;
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator())) {
      P.ReturnBlock = &BB;
      Work.push_back(&BB);
      Live.insert(&BB);
    }
  while (!Work.empty())
    for (BasicBlock *Pred : predecessors(Work.pop_back_val()))
      if (Live.insert(Pred).second)
        Work.push_back(Pred);
  // In the order of the block list, whatever the order of the use lists is.
  for (BasicBlock &BB : F) {
    if (!Live.contains(&BB))
      P.Dead[&BB] = true;
    SmallPtrSet<BasicBlock *, 4> Seen;
    for (BasicBlock *Successor : successors(&BB))
      if (Seen.insert(Successor).second)
        P.Preds[Successor].push_back(&BB);
  }
}

void Preparer::emitJoins() {
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (BasicBlock &BB : F)
    if (P.reachesReturn(&BB) && P.predecessorsOf(&BB).size() > 1 && !LI.isLoopHeader(&BB))
      P.CameFrom[&BB] = emitCameFrom(BB, P.predecessorsOf(&BB), DT, LI);
}

void Preparer::number() {
  unsigned Next = 0;
  for (Argument &A : F.args())
    P.Numbers[&A] = Next++;
  for (BasicBlock &BB : F) {
    P.Numbers[&BB] = Next++;
    for (Instruction &I : BB)
      P.Numbers[&I] = Next++;
  }
}

/// The same function is prepared in the same way, so that numbers still hold.
void Preparer::retype() {
  SmallVector<Instruction *> Moves;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (is_contained(Mistyped, P.numberOf(&I)))
        Moves.push_back(&I);
  retypeMoves(Moves);
  P.Numbers.clear();
  number();
  FAM.invalidate(F, PreservedAnalyses::none());
}

Error Preparer::run() {
  if (Error E = lowerComputedGotos(F, P.original())) // While the blocks are the original's.
    return E;
  lowerLoopArrays(F, FAM);
  dropMarkers(F);
  copyByValueParameters(F);
  if (Error E = lowerUnwinding(F, P.original()))
    return E;
  lowerFloatEnvironment(F);
  lowerWidePowers(F, P.libraryInfo());
  lowerPairedMath(F); // Before its results leave memory.
  lowerComplexMath(F);
  lowerAllocation(F, P.libraryInfo());
  lowerInlineAsm(F);
  lowerTargetVectors(F);
  lowerReductions(F);
  lowerMixedValues(F);
  countIterations(F);
  splitAggregateAccesses(F);
  lowerIntegerAddresses(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  simplify();
  splitReleases(F, P.libraryInfo());
  FAM.invalidate(F, PreservedAnalyses::none());
  if (makeReducible(F))
    FAM.invalidate(F, PreservedAnalyses::none());
  mergeReturns(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager Passes;
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  Passes.run(F, FAM);
  // After all passes: they would fold the constants and casts again.
  expandConstants(F);
  separatePointerBits(F);
  rewriteFloatIdioms(F);
  separateHalves(F);
  rewritePackedFloats(F);
  rewriteFloatBits(F);
  widenShuffles(F); // After all that would make them narrow again.
  markRoundings(F);
  definePoison(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  LoopFactsMap Facts = canonicaliseLoops(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  keepTripCountsVisible(F, Facts, FAM);
  expandConstants(F); // Of addresses that counters were computed from.
  recordBlocks();
  emitJoins();
  nameAfterVariables(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  number();
  if (!Mistyped.empty())
    retype();
  recordLoops(Facts); // At last: an analysis that is made again has other loops.
  return Error::success();
}

Expected<std::unique_ptr<PreparedFunction>>
prepareFunction(Function &F, FunctionAnalysisManager &FAM, ArrayRef<unsigned> Mistyped) {
  if (F.isDeclaration())
    return diffError(
        DiagId::NoBody, Place(F), "'" + F.getName() + "' has no body in this module",
        "compile its definition together with the call, or use link-time optimisation");
  if (F.hasFnAttribute(Attribute::Naked) || F.hasFnAttribute(Attribute::PresplitCoroutine))
    return diffError(DiagId::NoLegalForm, Place(F),
                     "'" + F.getName() + "' is a coroutine or a naked function",
                     "differentiate an ordinary function");
  auto P = std::make_unique<PreparedFunction>(F, cloneForPreparation(F), FAM);
  if (Error E = Preparer(*P, Mistyped).run())
    return std::move(E);
  if (options().VerifyEach) {
    std::string Why;
    raw_string_ostream OS(Why);
    if (verifyPrepared(*P, &OS))
      return diffError(DiagId::InternalError, Place(F),
                       "preparing '" + F.getName() + "' broke it: " + Why,
                       "please report this with the input");
  }
  return P;
}

} // namespace isozyme
