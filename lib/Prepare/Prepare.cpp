//===- Prepare.cpp - Bring a function into legal form ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the steps of PrepareSteps.def, which write down the facts of PreparedFunction
// at their end. Every step keeps the numbers that the function computes, bit for bit.
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
#include "llvm/IR/StructuralHash.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Debug.h"
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
  Preparer(PreparedFunction &P, ArrayRef<MistypedMove> Mistyped)
      : P(P), F(P.function()), FAM(P.analyses()), Mistyped(Mistyped) {}
  Error run();

private:
  struct Step;
  static const Step Steps[];
  Error runStep(const Step &Each);
  Error checkAfter(const Step &Done) const;

  void simplifyValues();
  void simplifyBranches();
  void simplifyLoops();
  void canonicalise();
  void recordLoops();
  void recordBlocks();
  void emitJoins();
  void number();
  void retype();

  PreparedFunction &P;
  Function &F;
  FunctionAnalysisManager &FAM;
  ArrayRef<MistypedMove> Mistyped;
  LoopFactsMap Facts;
};

/// Memory into registers and no more: code that was optimised stays as it is,
/// and branches stay branches.
void Preparer::simplifyValues() {
  FunctionPassManager Passes;
  Passes.addPass(LowerConstantIntrinsicsPass());
  Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  Passes.addPass(EarlyCSEPass());
  Passes.addPass(InstSimplifyPass());
  Passes.run(F, FAM);
}

void Preparer::simplifyBranches() {
  SimplifyCFGPass(SimplifyCFGOptions().setSimplifyCondBranch(false).speculateBlocks(false))
      .run(F, FAM);
  removeUnreachableBlocks(F);
}

void Preparer::simplifyLoops() {
  FunctionPassManager Passes;
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  Passes.run(F, FAM);
}

void Preparer::canonicalise() { Facts = canonicaliseLoops(F, FAM); }

void Preparer::recordLoops() {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    const LoopFacts &Known = Facts.find(L->getHeader())->second;
    CanonicalLoop &Canonical = P.Loops[L];
    Canonical.L = L;
    Canonical.IV = Known.IV;
    Canonical.LastIV = Known.LastIV;
    Canonical.Extent = Known.Extent;
    Canonical.ExitIV = Known.ExitIV;
    for (auto &[Carried, Last] : Known.Chosen)
      if (auto *Phi = dyn_cast_or_null<PHINode>(Carried); Phi && Last)
        Canonical.Chosen.push_back({Phi, cast<PHINode>(Last)});
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
  if (Mistyped.empty())
    return;
  SmallVector<Instruction *> Moves;
  SmallVector<std::pair<Instruction *, bool>> InMemory;
  SmallVector<std::pair<LoadInst *, Type *>> Bits;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      for (const MistypedMove &Each : Mistyped)
        if (Each.Number == P.numberOf(&I) && Each.FloatType)
          Bits.push_back({cast<LoadInst>(&I), Each.FloatType});
        else if (Each.Number == P.numberOf(&I) && Each.StaysInMemory)
          InMemory.push_back({&I, Each.IsOfMembers});
        else if (Each.Number == P.numberOf(&I))
          Moves.push_back(&I);
  for (auto [Load, Float] : Bits)
    loadAsFloat(*Load, Float);
  retypeMoves(Moves);
  for (auto [I, OfMembers] : InMemory)
    moveInMemory(*I, OfMembers);
  if (!Bits.empty()) {
    separatePointerBits(F);
    separateCarriedFloats(F);
    rewriteFloatBits(F);
  }
  P.Numbers.clear();
  number();
}

namespace {
/// What a step leaves of the analyses.
enum class Changes { Nothing, Code };
} // namespace

struct Preparer::Step {
  StringLiteral Phase, Name;
  Changes What;
  Error (*Run)(Preparer &S, PreparedFunction &P, Function &F, FunctionAnalysisManager &FAM);
};

/// The error of a step that may fail; success of one that cannot.
template <typename T> static Error resultOf(T Do) {
  if constexpr (std::is_same_v<decltype(Do()), Error>)
    return Do();
  else
    Do();
  return Error::success();
}

const Preparer::Step Preparer::Steps[] = {
#define PREPARE_STEP(PHASE, NAME, CHANGES, CALL)                                                   \
  {#PHASE, NAME, Changes::CHANGES,                                                                 \
   [](Preparer &S, PreparedFunction &P, Function &F, FunctionAnalysisManager &FAM) {               \
     return resultOf([&] { return CALL; });                                                        \
   }},
#include "PrepareSteps.def"
};

/// Under -isozyme-verify-each: is the code still code, and do the analyses still hold that the
/// step has left?
Error Preparer::checkAfter(const Step &Done) const {
  if (!options().VerifyEach)
    return Error::success();
  std::string Why;
  raw_string_ostream OS(Why);
  auto *DT = FAM.getCachedResult<DominatorTreeAnalysis>(F);
  auto *LI = FAM.getCachedResult<LoopAnalysis>(F);
  if (!verifyFunction(F, &OS)) {
    if (!DT || DT->verify()) {
      if (DT && LI)
        LI->verify(*DT);
      return Error::success();
    }
    OS << "the dominator tree is out of date";
  }
  return diffError(DiagId::InternalError, Place(P.original()),
                   "step '" + Done.Name + "' of preparing '" + P.original().getName() +
                       "' broke it: " + Why,
                   "please report this with the input");
}

/// -isozyme-print-after=<step> prints the code, =steps the steps that were run, and which of them
/// changed anything.
Error Preparer::runStep(const Step &Each) {
  bool ListsSteps = options().PrintAfter == "steps";
  auto Before = ListsSteps ? StructuralHash(F, /*DetailedHash=*/true) : stable_hash();
  if (Error E = Each.Run(*this, P, F, FAM))
    return E;
  if (Each.What == Changes::Code)
    FAM.invalidate(F, PreservedAnalyses::none());
  if (ListsSteps)
    dbgs() << Each.Phase << ' ' << Each.Name
           << (StructuralHash(F, true) == Before ? "\n" : ": changed\n");
  if (options().PrintAfter == Each.Name)
    dbgs() << "; after " << Each.Name << " of @" << P.original().getName() << '\n' << F;
  return checkAfter(Each);
}

Error Preparer::run() {
  if (options().PrintAfter == "steps")
    dbgs() << "steps for @" << P.original().getName() << ":\n";
  for (const Step &Each : Steps)
    if (Error E = runStep(Each))
      return E;
  return Error::success();
}

bool isPrepareStep(StringRef Name) {
  if (Name == "steps")
    return true;
#define PREPARE_STEP(PHASE, NAME, CHANGES, CALL)                                                   \
  if (Name == NAME)                                                                                \
    return true;
#include "PrepareSteps.def"
  return false;
}

Expected<std::unique_ptr<PreparedFunction>>
prepareFunction(Function &F, FunctionAnalysisManager &FAM, ArrayRef<MistypedMove> Mistyped) {
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
