//===- OutlineCheckpoints.cpp - Long loops become functions of a range -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n; i++) {             s = start;
//     isozyme_checkpoint();          ->   f.steps(0, n - 1, &s, u, ...);
//     s = step(u, s);
//   }
//
// f.steps(first, last, ...) runs these iterations. What goes from one iteration to the next in
// registers, or is used behind the loop, lies in variables. Running all iterations is then
// running them in parts, which is what a reverse derivative does (Plan/CheckpointPlan.h).
//
// Two buffers that change places are pointers that go round: which of the pointers it is goes
// round in their place, as a number, so that only numbers have to be saved.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Support/UnusedFunctions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace isozyme {

namespace {

/// One loop on its way out.
class LoopOutliner {
public:
  LoopOutliner(Function &F, Loop &L, const LoopFacts &Facts, const Function &Original)
      : F(F), L(L), IV(Facts.IV), LastIV(Facts.LastIV), Original(Original),
        Before(L.getLoopPreheader()), Exit(L.getUniqueExitBlock()) {}

  /// Why it has to stay; empty if it need not.
  std::string whyNot();
  Function *run();

private:
  std::string whyNotPointers();
  bool isSwapped(const Value *Pointer) const;
  unsigned numberOf(Value *Base) const;
  Value *pointerAt(IRBuilder<> &B, Value *Number);
  void swapNumbers();
  AllocaInst *variable(Type *T, const Twine &Name);
  void throughVariables();
  Value *inside(Value *V, DenseMap<Value *, Value *> &Copies);
  void computeAddressesInside(ArrayRef<BasicBlock *> Region);
  void markParameters(Function &Steps, CallInst &Call);

  Function &F;
  Loop &L;
  PHINode *IV;
  Value *LastIV;
  const Function &Original;
  BasicBlock *Before, *Exit;                   ///< Around the loop, and
  BasicBlock *Entry = nullptr, *End = nullptr; ///< at its ends, inside the function.
  SmallVector<PHINode *, 2> Pointers;          ///< Of the header.
  SetVector<Value *> Bases;                    ///< What they may be.
  FreezeInst *First = nullptr, *Last = nullptr;
};

} // namespace

/// Which of the pointers \p Pointer is, is known.
bool LoopOutliner::isSwapped(const Value *Pointer) const {
  return L.isLoopInvariant(Pointer) || is_contained(Pointers, Pointer);
}

std::string LoopOutliner::whyNotPointers() {
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isPointerTy())
      Pointers.push_back(&Phi);
  for (PHINode *Phi : Pointers) {
    Value *Next = Phi->getIncomingValueForBlock(L.getLoopLatch());
    if (!isSwapped(Next))
      return "a pointer goes from iteration to iteration, and is more than one of several";
    Bases.insert(Phi->getIncomingValueForBlock(Before));
    if (L.isLoopInvariant(Next))
      Bases.insert(Next);
  }
  for (PHINode &Phi : Exit->phis())
    if (Phi.getType()->isPointerTy() && !isSwapped(Phi.getIncomingValue(0)))
      return "a pointer that the last iteration computes is used behind the loop";
  return "";
}

std::string LoopOutliner::whyNot() {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Exit || !Latch || L.getExitingBlock() != Latch)
    return "the loop can be left in the middle of an iteration";
  if (!LastIV)
    return "the number of iterations is not known before the loop";
  for (BasicBlock *With : {L.getHeader(), Exit})
    for (PHINode &Phi : With->phis())
      if (Phi.getType()->isAggregateType() || Phi.getType()->isTokenTy())
        return "a structure goes from iteration to iteration in one value";
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (isa<AllocaInst>(I))
        return "an array of variable length is made in the loop";
  return whyNotPointers();
}

unsigned LoopOutliner::numberOf(Value *Base) const {
  return std::distance(Bases.begin(), find(Bases, Base));
}

Value *LoopOutliner::pointerAt(IRBuilder<> &B, Value *Number) {
  Value *Chosen = Bases.back();
  for (unsigned I = Bases.size() - 1; I-- > 0;)
    Chosen = B.CreateSelect(B.CreateICmpEQ(Number, B.getInt32(I)), Bases[I], Chosen, "which");
  return Chosen;
}

/// Numbers go round in place of pointers.
void LoopOutliner::swapNumbers() {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  DenseMap<Value *, PHINode *> Numbers;
  IRBuilder<> B(Header, Header->begin());
  for (PHINode *Phi : Pointers)
    Numbers[Phi] = B.CreatePHI(B.getInt32Ty(), 2, "which");
  auto numberFor = [&](Value *Pointer) -> Value * {
    PHINode *Phi = Numbers.lookup(Pointer);
    return Phi ? static_cast<Value *>(Phi) : B.getInt32(numberOf(Pointer));
  };
  for (PHINode *Phi : Pointers) {
    PHINode *Number = Numbers[Phi];
    Number->addIncoming(numberFor(Phi->getIncomingValueForBlock(Before)), Before);
    Number->addIncoming(numberFor(Phi->getIncomingValueForBlock(Latch)), Latch);
  }
  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    PHINode *Number = Numbers.lookup(Phi.getIncomingValue(0));
    if (!Number)
      continue;
    B.SetInsertPoint(&Phi);
    PHINode *Left = B.CreatePHI(B.getInt32Ty(), 1, "which.last");
    Left->addIncoming(Number, Latch);
    B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
    Phi.replaceAllUsesWith(pointerAt(B, Left));
    Phi.eraseFromParent();
  }
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  SmallVector<Value *, 2> Chosen;
  for (PHINode *Phi : Pointers)
    Chosen.push_back(pointerAt(B, Numbers[Phi]));
  for (auto [Phi, Value] : zip_equal(Pointers, Chosen)) {
    Phi->replaceAllUsesWith(Value);
    Value->takeName(Phi);
  }
  for (PHINode *Phi : Pointers)
    Phi->eraseFromParent();
}

AllocaInst *LoopOutliner::variable(Type *T, const Twine &Name) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  return B.CreateAlloca(T, nullptr, Name);
}

/// What is carried, and what is left, goes through variables at both ends of the loop.
void LoopOutliner::throughVariables() {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  IRBuilder<> AtStart(Before->getTerminator()), AtEntry(Entry->getTerminator()),
      AtEnd(End->getTerminator()), Behind(Exit, Exit->getFirstInsertionPt());
  DenseMap<Value *, AllocaInst *> Variables;
  auto keep = [&](Value *V, const Twine &Name) {
    AllocaInst *&Variable = Variables[V];
    if (!Variable) {
      Variable = variable(V->getType(), Name);
      AtEnd.CreateStore(V, Variable);
    }
    return Variable;
  };
  for (PHINode &Phi : Header->phis()) {
    if (&Phi == IV)
      continue;
    AllocaInst *Variable = variable(Phi.getType(), Phi.getName() + ".carried");
    AtStart.CreateStore(Phi.getIncomingValueForBlock(Entry), Variable);
    Phi.setIncomingValueForBlock(
        Entry, AtEntry.CreateLoad(Phi.getType(), Variable, Phi.getName() + ".first"));
    Value *Next = Phi.getIncomingValueForBlock(Latch);
    AtEnd.CreateStore(Next, Variable);
    Variables.insert({Next, Variable});
  }
  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    Value *V = Phi.getIncomingValue(0);
    if (!L.isLoopInvariant(V))
      V = Behind.CreateLoad(V->getType(), keep(V, Phi.getName() + ".left"));
    Phi.replaceAllUsesWith(V);
    Phi.eraseFromParent();
  }
}

/// \p V, or a copy at the entry if it is an address that is computed in front of the loop.
Value *LoopOutliner::inside(Value *V, DenseMap<Value *, Value *> &Copies) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isa<GetElementPtrInst, PtrToIntInst>(I))
    return V;
  if (Value *Done = Copies.lookup(V))
    return Done;
  Instruction *Copy = I->clone();
  for (Use &Operand : Copy->operands())
    Operand.set(inside(Operand, Copies));
  Copy->insertBefore(Entry->getTerminator()->getIterator());
  Copy->setName(I->getName());
  return Copies[V] = Copy;
}

/// The parameters are then objects, of each one.
void LoopOutliner::computeAddressesInside(ArrayRef<BasicBlock *> Region) {
  SmallPtrSet<BasicBlock *, 16> Inside(Region.begin(), Region.end());
  DenseMap<Value *, Value *> Copies;
  for (BasicBlock *BB : Region)
    for (Instruction &I : make_early_inc_range(*BB))
      for (Use &Operand : I.operands())
        if (auto *From = dyn_cast<Instruction>(Operand);
            From && !Inside.contains(From->getParent()))
          Operand.set(inside(From, Copies));
}

/// The first and the last iteration, and the sizes of variables that are passed.
void LoopOutliner::markParameters(Function &Steps, CallInst &Call) {
  LLVMContext &C = F.getContext();
  const DataLayout &DL = F.getDataLayout();
  auto mark = [&](unsigned Param, StringRef What, const Twine &Text = "") {
    Steps.addParamAttr(Param, Attribute::get(C, What, Text.str()));
  };
  for (Use &Arg : Call.args()) {
    unsigned Param = Call.getArgOperandNo(&Arg);
    if (Arg == First) {
      mark(Param, marking::FirstIteration);
      Arg.set(First->getOperand(0));
    } else if (Arg == Last) {
      auto *Known = dyn_cast<ConstantInt>(Last->getOperand(0));
      mark(Param, marking::LastIteration, Known ? Twine(Known->getZExtValue()) : Twine());
      Arg.set(Last->getOperand(0));
    } else if (auto *Local = dyn_cast<AllocaInst>(Arg)) {
      if (std::optional<TypeSize> Size = Local->getAllocationSize(DL); Size && !Size->isScalable())
        mark(Param, marking::KnownBytes, Twine(Size->getFixedValue()));
    }
  }
  First->eraseFromParent();
  Last->eraseFromParent();
}

/// To debuggers and in messages the iterations are part of the user's function.
static void nameSubprogram(Function &Steps, const Function &Original) {
  DISubprogram *Its = Steps.getSubprogram(), *User = Original.getSubprogram();
  if (!Its || !User)
    return;
  Its->replaceOperandWith(2, MDString::get(Steps.getContext(), User->getName()));
  Its->replaceOperandWith(3, MDString::get(Steps.getContext(), Steps.getName()));
}

Function *LoopOutliner::run() {
  LLVMContext &C = F.getContext();
  if (!Pointers.empty())
    swapNumbers();
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  Entry = BasicBlock::Create(C, "steps.entry", &F, Header);
  End = BasicBlock::Create(C, "steps.end", &F, Exit);
  IRBuilder<>(Entry).CreateBr(Header);
  IRBuilder<>(End).CreateBr(Exit);
  Before->getTerminator()->replaceSuccessorWith(Header, Entry);
  Header->replacePhiUsesWith(Before, Entry);
  Exit->replacePhiUsesWith(Latch, End);
  IRBuilder<> B(Before->getTerminator());
  First = cast<FreezeInst>(B.CreateFreeze(B.getInt64(0), "first"));
  Last = cast<FreezeInst>(B.Insert(new FreezeInst(LastIV), "last"));
  IV->setIncomingValueForBlock(Entry, First);
  auto *Branch = cast<BranchInst>(Latch->getTerminator());
  DebugLoc Where = Branch->getDebugLoc();
  B.SetInsertPoint(Branch);
  Value *Stay = B.CreateICmpNE(IV, Last, "stay");
  B.CreateCondBr(Stay, Header, End)->setDebugLoc(Where);
  Branch->eraseFromParent();
  throughVariables();

  SmallVector<BasicBlock *, 16> Region{Entry};
  append_range(Region, L.blocks());
  Region.push_back(End);
  computeAddressesInside(Region);
  DominatorTree DT(F);
  CodeExtractorAnalysisCache Cache(F);
  Function *Steps = CodeExtractor(Region, &DT).extractCodeRegion(Cache);
  if (!Steps)
    return nullptr;
  Steps->setName(Original.getName() + ".steps");
  nameSubprogram(*Steps, Original);
  Steps->addFnAttr(marking::Checkpointed, Original.getName());
  Steps->addFnAttr(Attribute::NoInline);
  markParameters(*Steps, *cast<CallInst>(*Steps->user_begin()));
  return Steps;
}

/// Functions that an iteration calls become part of it.
static void inlineCalls(Function &F, const BasicBlock *Header, FunctionAnalysisManager &FAM,
                        const Function &Original) {
  for (unsigned Round = 0; Round < 8; ++Round) {
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    SmallVector<CallBase *, 4> Calls;
    for (BasicBlock *BB : LI.getLoopFor(Header)->blocks())
      for (Instruction &I : *BB)
        if (auto *Call = dyn_cast<CallBase>(&I);
            Call && !Call->onlyReadsMemory() && canTakeTheBody(*Call, Original))
          Calls.push_back(Call);
    if (Calls.empty())
      return;
    for (CallBase *Call : Calls) {
      InlineFunctionInfo Info;
      InlineFunction(*Call, Info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false);
    }
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}

/// The innermost loop around a call of isozyme_checkpoint. A call in no loop says nothing: its
/// loop has been unrolled.
static Loop *nextLoop(Function &F, LoopInfo &LI) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !isCheckpointCall(*Call) || Call->hasFnAttr(marking::NotCheckpointed))
      continue;
    if (Loop *L = LI.getLoopFor(Call->getParent()))
      return L;
    Call->eraseFromParent();
  }
  return nullptr;
}

/// The calls in \p L, not those in loops inside it.
static SmallVector<CallInst *, 1> marksOf(Loop &L, LoopInfo &LI) {
  SmallVector<CallInst *, 1> Marks;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && isCheckpointCall(*Call) && LI.getLoopFor(BB) == &L)
        Marks.push_back(Call);
  return Marks;
}

static void normalise(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager Passes;
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  Passes.run(F, FAM);
}

void outlineCheckpoints(Function &F, FunctionAnalysisManager &FAM, const Function &Original) {
  while (Loop *Marked = nextLoop(F, FAM.getResult<LoopAnalysis>(F))) {
    BasicBlock *Header = Marked->getHeader();
    inlineCalls(F, Header, FAM, Original);
    normalise(F, FAM);
    LoopFactsMap Facts = canonicaliseLoops(F, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    Loop &L = *LI.getLoopFor(Header);
    LoopOutliner Outliner(F, L, Facts.find(Header)->second, Original);
    std::string Why = Outliner.whyNot();
    for (CallInst *Mark : marksOf(L, LI))
      if (Why.empty())
        Mark->eraseFromParent();
      else
        Mark->addFnAttr(Attribute::get(F.getContext(), marking::NotCheckpointed, Why));
    if (Why.empty())
      Outliner.run();
    normalise(F, FAM);
  }
}

void eraseOutlinedLoops(Module &M, FunctionAnalysisManager &FAM) {
  SetVector<Function *> Unused;
  for (Function &F : M)
    if (F.hasFnAttribute(marking::Checkpointed))
      Unused.insert(&F);
  eraseUnused(std::move(Unused), FAM);
}

} // namespace isozyme
