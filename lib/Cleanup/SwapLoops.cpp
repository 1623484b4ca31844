//===- SwapLoops.cpp - Two loops change places ----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for j: { d = c'[j]; c'[j] = 0; for k: { a'[k] += d * b[k][j]; b'[k][j] += d * a[k]; } }
//
// becomes
//
//   for k: { s = 0; for j: { d = c'[j]; s += d * b[k][j]; b'[k][j] += d * a[k]; } a'[k] += s; }
//   for j: c'[j] = 0;
//
// and both loops count up. LLVM's own interchange wants to prove what the plan knows: that
// additions may come in any order.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Cleanup/SwapLoops.h"
#include "isozyme/Support/LoopMarks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace isozyme {

namespace {

/// A loop's only variable, from its last value to its first.
struct Counter {
  PHINode *Phi = nullptr;
  const SCEV *First = nullptr, *Last = nullptr;
  Constant *Step = nullptr;
};

/// Head and Tail are of the outer loop, in front of and behind the inner one, which is Body.
struct Nest {
  BasicBlock *Before, *Head, *Body, *Tail, *Behind;
  Counter Outer, Inner;
};

class LoopSwapper {
public:
  LoopSwapper(Nest &N, ScalarEvolution &SE) : N(N), SE(SE), F(*N.Body->getParent()) {}
  void run();

private:
  PHINode *beginLoop(BasicBlock *In, BasicBlock *From, const Counter &C);
  Value *endLoop(IRBuilder<> &B, PHINode *Phi, const Counter &C);
  Instruction *copyOf(Instruction &I, IRBuilder<> &B, ValueToValueMapTy &Map);
  void copyHead(IRBuilder<> &B, ValueToValueMapTy &Map, bool WithStores);
  void copyBody(IRBuilder<> &B, ValueToValueMapTy &Map);
  bool movesWith(const Value *V, const PHINode &Phi) const;
  void addSums(IRBuilder<> &B);

  Nest &N;
  ScalarEvolution &SE;
  Function &F;
  DenseMap<const SCEV *, Value *> Ends;
  /// Sums of the new inner loop, and where each is added to behind it, as it was in each iteration.
  SmallVector<std::tuple<Value *, Value *, StoreInst *>, 2> Sums;
};

} // namespace

static std::optional<Counter> counterOf(const Loop &L, const Loop &Around, ScalarEvolution &SE) {
  Counter C;
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *Moving = C.Phi ? nullptr : dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    auto *By = Moving && Moving->isAffine() && Moving->getLoop() == &L
                   ? dyn_cast<SCEVConstant>(Moving->getStepRecurrence(SE))
                   : nullptr;
    const SCEV *Count = SE.getBackedgeTakenCount(&L);
    if (!By || !Phi.getType()->isIntegerTy() || isa<SCEVCouldNotCompute>(Count) ||
        SE.getTypeSizeInBits(Count->getType()) > SE.getTypeSizeInBits(Phi.getType()))
      return std::nullopt;
    C = {&Phi, Moving->getStart(), Moving->evaluateAtIteration(Count, SE),
         cast<Constant>(By->getValue())};
  }
  // A counter that does not move would never come to its end.
  if (!C.Phi || C.Step->isZeroValue() || !SE.isLoopInvariant(C.First, &Around) ||
      !SE.isLoopInvariant(C.Last, &Around))
    return std::nullopt;
  return C;
}

/// x, for a store of `load p + x` or `load p - x` to p; null for other stores.
static Value *addend(const StoreInst &S) {
  using namespace PatternMatch;
  auto Was = m_OneUse(m_Load(m_Specific(S.getPointerOperand())));
  Value *Added;
  if (S.isSimple() &&
      match(S.getValueOperand(),
            m_OneUse(m_CombineOr(m_c_FAdd(Was, m_Value(Added)), m_FSub(Was, m_Value(Added))))))
    return Added;
  return nullptr;
}

static bool areUsedIn(const BasicBlock &BB, const Loop &L) {
  return all_of(BB, [&](const Instruction &I) {
    return all_of(I.users(), [&](const User *U) { return L.contains(cast<Instruction>(U)); });
  });
}

/// May \p I be run again, or at another time? Stores are looked at by others.
static bool isSimpleEnough(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return I.isTerminator() || isa<PHINode, StoreInst>(I) || !I.mayReadOrWriteMemory();
}

static std::optional<Nest> nestOf(Loop &Inner, ScalarEvolution &SE) {
  Loop *Outer = Inner.getParentLoop();
  if (!Outer || Inner.getNumBlocks() != 1 || Outer->getNumBlocks() != 3)
    return std::nullopt;
  Nest N{Outer->getLoopPreheader(),
         Outer->getHeader(),
         Inner.getHeader(),
         Outer->getLoopLatch(),
         Outer->getExitBlock(),
         {},
         {}};
  if (!N.Before || !N.Behind || Inner.getLoopPreheader() != N.Head ||
      Inner.getExitBlock() != N.Tail || Outer->getExitingBlock() != N.Tail ||
      Inner.getExitingBlock() != N.Body || isa<PHINode>(N.Behind->front()) ||
      isa<PHINode>(N.Tail->front()))
    return std::nullopt;
  for (BasicBlock *BB : {N.Head, N.Body, N.Tail})
    if (!areUsedIn(*BB, *Outer) || !all_of(*BB, isSimpleEnough))
      return std::nullopt;
  if (any_of(*N.Tail, [](const Instruction &I) { return I.mayReadOrWriteMemory(); }))
    return std::nullopt;
  for (const Instruction &I : *N.Body)
    if (auto *S = dyn_cast<StoreInst>(&I); S && !addend(*S))
      return std::nullopt;
  for (const Instruction &I : *N.Head)
    if (auto *S = dyn_cast<StoreInst>(&I);
        S && (!S->isSimple() || !isa<Constant>(S->getValueOperand())))
      return std::nullopt;
  std::optional<Counter> Out = counterOf(*Outer, *Outer, SE), In = counterOf(Inner, *Outer, SE);
  if (!Out || !In)
    return std::nullopt;
  N.Outer = *Out;
  N.Inner = *In;
  SCEVExpander Expander(SE, "swap");
  for (const SCEV *S : {N.Outer.First, N.Outer.Last, N.Inner.First, N.Inner.Last})
    if (!Expander.isSafeToExpandAt(S, N.Before->getTerminator()))
      return std::nullopt;
  return N;
}

/// \p In is the first block of a loop that counts \p C from its end, and is entered from \p From.
PHINode *LoopSwapper::beginLoop(BasicBlock *In, BasicBlock *From, const Counter &C) {
  PHINode *Phi = PHINode::Create(C.Phi->getType(), 2, C.Phi->getName(), In->begin());
  Phi->addIncoming(Ends.at(C.Last), From);
  return Phi;
}

/// Was this the last iteration? The next one comes from where \p B is.
Value *LoopSwapper::endLoop(IRBuilder<> &B, PHINode *Phi, const Counter &C) {
  Phi->addIncoming(B.CreateSub(Phi, C.Step), B.GetInsertBlock());
  return B.CreateICmpEQ(Phi, Ends.at(C.First));
}

Instruction *LoopSwapper::copyOf(Instruction &I, IRBuilder<> &B, ValueToValueMapTy &Map) {
  Instruction *New = B.Insert(I.clone(), I.getName());
  RemapInstruction(New, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  Map[&I] = New;
  return New;
}

/// The outer loop's part, with or without its stores.
void LoopSwapper::copyHead(IRBuilder<> &B, ValueToValueMapTy &Map, bool WithStores) {
  for (Instruction &I : *N.Head)
    if (!isa<PHINode>(I) && !I.isTerminator() && (WithStores || !isa<StoreInst>(I)))
      copyOf(I, B, Map);
}

/// Does \p V, computed in the nest, change when \p Phi does?
bool LoopSwapper::movesWith(const Value *V, const PHINode &Phi) const {
  SmallVector<const Value *, 8> Open{V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Open.empty()) {
    auto *I = dyn_cast<Instruction>(Open.pop_back_val());
    if (!I || !Seen.insert(I).second || !is_contained({N.Head, N.Body}, I->getParent()))
      continue;
    // What a load finds may have been stored by another iteration.
    if (I == &Phi || I->mayReadFromMemory())
      return true;
    if (!isa<PHINode>(I))
      append_range(Open, I->operand_values());
  }
  return false;
}

/// The inner loop's part, in its order: an address may be that of an element that was just added
/// to. What is added to one element in each iteration stays in a register.
void LoopSwapper::copyBody(IRBuilder<> &B, ValueToValueMapTy &Map) {
  auto mapped = [&](Value *V) {
    Value *New = Map.lookup(V);
    return New ? New : V;
  };
  for (Instruction &I : *N.Body) {
    if (isa<PHINode>(I) || I.isTerminator())
      continue;
    auto *S = dyn_cast<StoreInst>(&I);
    if (!S || movesWith(S->getPointerOperand(), *N.Outer.Phi)) {
      copyOf(I, B, Map);
      continue;
    }
    auto *Sum = cast<Instruction>(S->getValueOperand());
    BasicBlock *BB = B.GetInsertBlock();
    PHINode *Total = PHINode::Create(Sum->getType(), 2, "total", BB->getFirstNonPHIIt());
    Value *Added = mapped(addend(*S));
    Value *Next = Sum->getOpcode() == Instruction::FSub ? B.CreateFSubFMF(Total, Added, Sum)
                                                        : B.CreateFAddFMF(Total, Added, Sum);
    Total->addIncoming(ConstantFP::getNegativeZero(Sum->getType()), BB->getSinglePredecessor());
    Total->addIncoming(Next, BB);
    Sums.push_back({Next, mapped(S->getPointerOperand()), S});
  }
}

/// Behind the new inner loop.
void LoopSwapper::addSums(IRBuilder<> &B) {
  for (auto [Next, At, Old] : Sums) {
    LoadInst *Was = B.CreateAlignedLoad(Next->getType(), At, Old->getAlign());
    StoreInst *New = B.CreateAlignedStore(
        B.CreateFAddFMF(Was, Next, cast<Instruction>(Old->getValueOperand())), At, Old->getAlign());
    Was->setAAMetadata(Old->getAAMetadata());
    New->setAAMetadata(Old->getAAMetadata());
  }
}

void LoopSwapper::run() {
  LLVMContext &C = F.getContext();
  SCEVExpander Expander(SE, "swap");
  for (const Counter &Each : {N.Outer, N.Inner})
    for (const SCEV *S : {Each.First, Each.Last})
      Ends[S] = Expander.expandCodeFor(S, Each.Phi->getType(), N.Before->getTerminator());
  auto *Around = BasicBlock::Create(C, N.Body->getName() + ".outside", &F, N.Head);
  auto *Inside = BasicBlock::Create(C, N.Head->getName() + ".inside", &F, N.Head);
  auto *Next = BasicBlock::Create(C, N.Body->getName() + ".next", &F, N.Head);
  auto *Store = BasicBlock::Create(C, N.Head->getName() + ".stores", &F, N.Head);
  N.Before->getTerminator()->replaceSuccessorWith(N.Head, Around);

  IRBuilder<> B(Around);
  PHINode *Outside = beginLoop(Around, N.Before, N.Inner);
  B.CreateBr(Inside);

  B.SetInsertPoint(Inside);
  PHINode *Along = beginLoop(Inside, Around, N.Outer);
  ValueToValueMapTy Map;
  Map[N.Inner.Phi] = Outside;
  Map[N.Outer.Phi] = Along;
  copyHead(B, Map, /*WithStores=*/false);
  copyBody(B, Map);
  Value *IsLast = endLoop(B, Along, N.Outer);
  B.CreateCondBr(IsLast, Next, Inside);

  B.SetInsertPoint(Next);
  addSums(B);
  Value *AreOver = endLoop(B, Outside, N.Inner);
  B.CreateCondBr(AreOver, Store, Around);

  B.SetInsertPoint(Store);
  PHINode *Storing = beginLoop(Store, Next, N.Outer);
  ValueToValueMapTy Again;
  Again[N.Outer.Phi] = Storing;
  copyHead(B, Again, /*WithStores=*/true);
  Value *AreStored = endLoop(B, Storing, N.Outer);
  B.CreateCondBr(AreStored, N.Behind, Store);
  DeleteDeadBlocks({N.Head, N.Body, N.Tail});
}

/// A loop of \p LI that wishes to be outside. It no longer does when it is returned.
static Loop *takeMarked(LoopInfo &LI) {
  for (Loop *L : LI.getLoopsInPreorder())
    if (findStringMetadataForLoop(L, SwapMark)) {
      L->setLoopID(makePostTransformationMetadata(L->getHeader()->getContext(), L->getLoopID(),
                                                  {SwapMark}, {}));
      return L;
    }
  return nullptr;
}

static bool hasMark(const Function &F) {
  return any_of(F, [](const BasicBlock &BB) {
    const MDNode *Wishes = BB.getTerminator()->getMetadata(LLVMContext::MD_loop);
    return Wishes && findOptionMDForLoopID(const_cast<MDNode *>(Wishes), SwapMark);
  });
}

bool swapMarkedLoops(Function &F, FunctionAnalysisManager &FAM) {
  if (!hasMark(F))
    return false;
  bool Changed = false;
  while (Loop *L = takeMarked(FAM.getResult<LoopAnalysis>(F))) {
    ScalarEvolution &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    std::optional<Nest> N = nestOf(*L, SE);
    if (!N)
      continue;
    LoopSwapper(*N, SE).run();
    FAM.invalidate(F, PreservedAnalyses::none());
    Changed = true;
  }
  if (!Changed)
    return false;
  FunctionPassManager Passes;
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FAM.invalidate(F, Passes.run(F, FAM));
  return true;
}

} // namespace isozyme
