//===- ReverseSweep.cpp - The blocks of the adjoint, and ways between -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse of a block handles its instructions backwards and goes where the
// plan's ReverseCFG says. A loop of n iterations becomes a loop that counts the
// same counter down:
//
//   for:      %iv = phi [0], [+1]        rev.for:       iv == 0 ? preheader : again
//   for.exit                             rev.for.entry: iv := last; to the exiting block
//
// or, where the plan says so, counts it up: from zero, until iv == last.
//
//===----------------------------------------------------------------------===//
#include "LoopHints.h"
#include "Sweeps.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Support/LoopMarks.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Error ReverseSweep::emit(BasicBlock *Start) {
  makeBlocks();
  IRBuilder<>(Start).CreateBr(Blocks.lookup(P.returnBlock()));
  for (auto &[BB, Step] : Plan.CFG->steps()) {
    Site &S = *Sites[BB];
    releaseRegions(BB, S);
    if (const FusedLoop *Fused = Plan.Fused.find(P.loops().getLoopFor(BB));
        Fused && Fused->latch() == BB)
      runIteration(*Fused, S);
    visitAll(*BB, S);
    leaveBlock(BB, S, Step);
  }
  for (const Loop *L : Plan.CFG->loops())
    finishLoopEntry(L);
  for (const Loop *L : Plan.Independent.loops())
    promiseIndependence(*Blocks.lookup(L->getLoopLatch()), *Backs.lookup(L));
  // What comes next may write what other threads still read again.
  if (Plan.WaitsForBlock)
    acceleratorOf(*F.Fn.getParent())->waitForBlock(*End);
  if (!Undeclared)
    return Error::success();
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "the reverse sweep reads ";
  printNeed(OS, *Undeclared);
  OS << ", which its plan does not declare";
  return diffError(DiagId::InternalError, Place(P.original()), Text,
                   "please report it with this program");
}

void ReverseSweep::makeBlocks() {
  LLVMContext &C = F.Fn.getContext();
  for (const Loop *L : Plan.CFG->loops())
    makeLoopEntry(L);
  for (auto &[BB, Step] : Plan.CFG->steps()) {
    auto S = std::make_unique<Site>();
    S->L = P.loops().getLoopFor(BB);
    S->At = BasicBlock::Create(C, "rev." + BB->getName(), &F.Fn);
    Blocks[BB] = S->At;
    Sites[BB] = std::move(S);
  }
  for (auto [Index, R] : enumerate(Plan.Tape.regions()))
    if (R.Shape != TapeShape::Scalar)
      Regions[R.outermost()->getLoopPreheader()].push_back(Index);
}

/// Finds the exits that the reverse sweep comes through, and makes the block in
/// front of the reverse loop.
void ReverseSweep::makeLoopEntry(const Loop *L) {
  LLVMContext &C = F.Fn.getContext();
  StringRef Name = L->getHeader()->getName();
  SmallVector<ExitEdge, 2> &Edges = Exits[L];
  for (auto &[BB, Step] : Plan.CFG->steps()) {
    if (L->contains(BB) || (Step.K != ReverseStep::Single && Step.K != ReverseStep::Choose))
      continue;
    for (BasicBlock *Pred : P.predecessorsOf(BB))
      if (L->contains(Pred))
        Edges.push_back({Pred, BB});
  }
  Counters[L] = F.local(Type::getInt64Ty(C), "rev." + Name + ".iv");
  if (Edges.size() > 1) {
    Which[L] = F.local(Type::getInt32Ty(C), "rev." + Name + ".which");
    Dispatch[L] = BasicBlock::Create(C, "rev." + Name + ".dispatch", &F.Fn);
  }
  auto Entry = std::make_unique<Site>();
  Entry->L = L->getParentLoop();
  Entry->At = BasicBlock::Create(C, "rev." + Name + ".entry", &F.Fn);
  Entries[L] = std::move(Entry);
  if (Plan.Skips.of(L) || Plan.Chosen.find(L))
    Tests[L] = BasicBlock::Create(C, "rev." + Name + ".test", &F.Fn);
}

BasicBlock *ReverseSweep::entryOf(const Loop *L) const {
  BasicBlock *Test = Tests.lookup(L);
  return Test ? Test : Entries.find(L)->second->At;
}

BasicBlock *ReverseSweep::insideOf(const Loop *L, BasicBlock *Exiting) const {
  const Loop *In = P.loops().getLoopFor(Exiting);
  if (In == L)
    return Blocks.lookup(Exiting);
  while (In->getParentLoop() != L)
    In = In->getParentLoop();
  return entryOf(In);
}

void ReverseSweep::finishLoopEntry(const Loop *L) {
  finishTests(L);
  IRBuilder<> B(Entries[L]->At);
  ArrayRef<ExitEdge> Edges = Exits[L];
  if (!Dispatch.count(L)) {
    B.CreateBr(insideOf(L, Edges.front().first));
    return;
  }
  B.CreateBr(Dispatch[L]);
  B.SetInsertPoint(Dispatch[L]);
  Value *Number = B.CreateLoad(B.getInt32Ty(), Which[L]);
  SwitchInst *Switch = B.CreateSwitch(Number, Blocks.lookup(L->getLoopLatch()), Edges.size());
  for (auto [I, Edge] : enumerate(Edges))
    Switch->addCase(B.getInt32(I), insideOf(L, Edge.first));
}

/// The tape of a loop nest is released when all its iterations are reversed.
void ReverseSweep::releaseRegions(BasicBlock *BB, Site &S) {
  if (F.KeepTape)
    return;
  auto It = Regions.find(BB);
  if (It == Regions.end())
    return;
  // The last that was allocated is the first to go.
  for (unsigned Index : reverse(It->second)) {
    const TapeRegion &R = Plan.Tape.regions()[Index];
    if (R.SharedWith >= 0)
      continue;
    Value *Base = baseOf(Index, S);
    IRBuilder<> B(S.At);
    if (R.Shape == TapeShape::Growable)
      B.CreateCall(tapeReleaseChunks(*F.Fn.getParent(), Plan.Tape.memory()), {Base});
    if (R.Memory != TapeMemory::Stack)
      releaseTape(B, Base, R.Memory);
  }
}

void ReverseSweep::leaveBlock(BasicBlock *BB, Site &S, const ReverseStep &Step) {
  SmallVector<std::pair<PHINode *, Lanes>, 4> Phis;
  IRBuilder<> B(S.At);
  for (PHINode &Phi : BB->phis())
    if (Adjoints.carries(&Phi))
      Phis.push_back({&Phi, Adjoints.take(B, &Phi)});
  ArrayRef<BasicBlock *> Preds = P.predecessorsOf(BB);
  switch (Step.K) {
  case ReverseStep::End:
    End.emplace(S.At);
    return;
  case ReverseStep::Skip:
    B.CreateBr(Blocks.lookup(Step.Target));
    return;
  case ReverseStep::Single: {
    BasicBlock *To = edge(BB, Step.Target, S, Phis);
    IRBuilder<>(S.At).CreateBr(To);
    return;
  }
  case ReverseStep::Loop: {
    const Loop *L = P.loops().getLoopFor(BB);
    if (Plan.Chosen.find(L)) { // What is handed on is not part of what was chosen.
      BasicBlock *Before = edge(BB, L->getLoopPreheader(), S, {});
      IRBuilder<>(S.At).CreateBr(Before);
      return;
    }
    BasicBlock *Before = edge(BB, L->getLoopPreheader(), S, Phis);
    BasicBlock *Again = edge(BB, L->getLoopLatch(), S, Phis);
    if (Value *Last = IsLast.lookup(L)) {
      IRBuilder<>(S.At).CreateCondBr(Last, Before, Again);
      return;
    }
    Value *IV = counter(L, S), *End = B.getInt64(0);
    if (Plan.Rising.contains(L))
      End = primal(P.canonical(L).LastIV, S);
    B.SetInsertPoint(S.At);
    B.CreateCondBr(B.CreateICmpEQ(IV, End), Before, Again);
    return;
  }
  case ReverseStep::Choose: {
    SmallVector<BasicBlock *, 4> To;
    for (BasicBlock *Pred : Preds)
      To.push_back(edge(BB, Pred, S, Phis));
    Value *From = primal(P.cameFrom(BB), S);
    B.SetInsertPoint(S.At);
    if (To.size() == 2) {
      Value *First = B.CreateICmpEQ(From, ConstantInt::get(From->getType(), 0));
      B.CreateCondBr(First, To[0], To[1]);
      return;
    }
    SwitchInst *Switch = B.CreateSwitch(From, To.back(), To.size() - 1);
    for (unsigned I = 0; I + 1 < To.size(); ++I)
      Switch->addCase(cast<ConstantInt>(ConstantInt::get(From->getType(), I)), To[I]);
    return;
  }
  }
}

/// The way from the reverse of \p BB to that of \p Pred: hands the adjoints of the
/// phis to the values that came along this edge.
BasicBlock *ReverseSweep::edge(BasicBlock *BB, BasicBlock *Pred, Site &S,
                               ArrayRef<std::pair<PHINode *, Lanes>> Phis) {
  auto *Way = BasicBlock::Create(F.Fn.getContext(),
                                 "rev." + BB->getName() + ".to." + Pred->getName(), &F.Fn);
  IRBuilder<> B(Way);
  locate(B, Pred->getTerminator());
  for (auto &[Phi, D] : Phis)
    Adjoints.handOn(B, *Phi, Phi->getIncomingValueForBlock(Pred), D);
  const Loop *L = P.loops().getLoopFor(BB);
  bool IsHeader = L && L->getHeader() == BB;
  if (IsHeader && L->contains(Pred)) {
    repeatLoop(B, L, S);
    return Way;
  }
  if (IsHeader)
    addPending(B, L, S);
  enterLoops(B, Pred, BB, S);
  return Way;
}

void ReverseSweep::repeatLoop(IRBuilder<> &B, const Loop *L, Site &S) {
  Value *IV = counter(L, S), *One = B.getInt64(1);
  const bool Rises = Plan.Fused.find(L) || Plan.Rising.contains(L);
  B.CreateStore(Rises ? B.CreateAdd(IV, One, "", true, true) : B.CreateSub(IV, One, "", true, true),
                Counters[L]);
  if (Dispatch.count(L))
    B.CreateStore(B.getInt32(-1), Which[L]);
  BasicBlock *Again = Dispatch.count(L) ? Dispatch[L] : Blocks.lookup(L->getLoopLatch());
  Instruction *Back = Backs[L] = B.CreateBr(Again);
  // Each copy of the body takes registers, and with them the threads that would hide its waits.
  if (acceleratorOf(*F.Fn.getParent()))
    wishForLoop(*Back, "llvm.loop.unroll.runtime.disable");
  if (Plan.Swapped.containsInner(L))
    wishForLoop(*Back, SwapMark);
  if (!Rises && !L->isInnermost())
    wishForLoop(*Back, FallMark);
}

void ReverseSweep::enterLoops(IRBuilder<> &B, BasicBlock *Pred, BasicBlock *BB, Site &S) {
  SmallVector<const Loop *, 2> Left = ReverseCFG::loopsLeft(P, Pred, BB);
  // The last iteration of an inner loop may depend on that of the outer one, and means
  // nothing on other ways from here.
  Site Way;
  Way.L = S.L;
  Way.At = B.GetInsertBlock();
  for (const Loop *L : Left) {
    // Some count up, and know where they end.
    const ChosenIteration *Chosen = Plan.Chosen.find(L);
    Value *Last =
        Plan.Fused.find(L) || Plan.Rising.contains(L)
            ? B.getInt64(0)
            : primal(Chosen ? Chosen->Last : P.lastIV(L, BB), L == Left.front() ? S : Way);
    Way.Counters[L] = Last;
    B.SetInsertPoint(Way.At);
    B.CreateStore(Last, Counters[L]);
    if (!Dispatch.count(L))
      continue;
    const auto *Edge = find(Exits[L], ExitEdge(Pred, BB));
    B.CreateStore(B.getInt32(Edge - Exits[L].begin()), Which[L]);
  }
  B.CreateBr(Left.empty() ? Blocks.lookup(Pred) : entryOf(Left.front()));
}

} // namespace isozyme
