//===- TapeCount.cpp - How much memory a tape on a GPU takes --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a plan.  Out: the prepared body, which adds up what the forward sweep would take:
//   * an array, in front of its loop;
//   * a table of chunks there, and a chunk in each iteration in which one is made;
//   * locals that outlive the forward half, and the box in which it hands its tape on.
// It has the parameters of the primal: the sizes depend on nothing else. A derivative on a GPU
// begins by asking whether this is all that the launch is for.
//
//===----------------------------------------------------------------------===//
#include "DebugScope.h"
#include "Sweeps.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/DeviceTape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

namespace {
class TapeCount {
public:
  TapeCount(Function &Fn, const DerivativePlan &Plan, PairLookup Pairs)
      : Fn(Fn), Plan(Plan), P(Plan.P), Pairs(Pairs) {}

  /// \p Box: how many bytes the tape has where it is handed on in memory.
  void emit(uint64_t Box);
  bool takesAny() const { return TakesItself || CalleeTakes; }

private:
  void add(IRBuilder<> &B, Value *Pieces);
  void piece(IRBuilder<> &B, Value *Bytes) { add(B, sizeOfPiece(B, Bytes)); }
  void countRegion(const TapeRegion &R, unsigned Index);
  void countChunk(const TapeRegion &R);
  void countLocal(AllocaInst &A, Part Which);
  void countCall(CallBase &Call, const CallPlan &C);
  Value *clone(Value *V) const {
    return isa<Constant>(V) ? V : static_cast<Value *>(Map.lookup(V));
  }
  BasicBlock &blockOf(BasicBlock *BB) const { return *cast<BasicBlock>(clone(BB)); }

  Function &Fn;
  const DerivativePlan &Plan;
  const PreparedFunction &P;
  PairLookup Pairs;
  ValueToValueMapTy Map;
  AllocaInst *Sum = nullptr;
  bool TakesItself = false, CalleeTakes = false;
};
} // namespace

void TapeCount::add(IRBuilder<> &B, Value *Pieces) {
  TakesItself = true;
  B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Sum), Pieces), Sum);
}

void TapeCount::countRegion(const TapeRegion &R, unsigned Index) {
  if (R.BaseSlot < 0)
    return; // Once per call, or in the block of another region.
  IRBuilder<> B(blockOf(R.outermost()->getLoopPreheader()).getTerminator());
  if (R.Shape == TapeShape::Growable) {
    if (R.Memory != TapeMemory::Stack)
      piece(B, B.getInt64(Fn.getDataLayout().getTypeAllocSize(tableType(B.getContext()))));
    countChunk(R);
  } else if (R.Memory != TapeMemory::Stack && R.SharedWith < 0) {
    piece(B, sizeOfBlock(B, Plan, Index, [&](Value *V) { return clone(V); }).All);
  }
}

/// In each iteration the chunk that begins there.
void TapeCount::countChunk(const TapeRegion &R) {
  BasicBlock &Header = blockOf(R.outermost()->getHeader());
  IRBuilder<> B(&Header, Header.getFirstInsertionPt());
  Value *I = clone(P.canonical(R.outermost()).IV);
  uint64_t Bytes = Fn.getDataLayout().getTypeAllocSize(Plan.Tape.recordType(R, B.getContext()));
  NewChunk Chunk = chunkFrom(B, I);
  Value *Pieces = sizeOfPiece(B, B.CreateMul(Chunk.Records, B.getInt64(Bytes)));
  add(B, B.CreateSelect(Chunk.Begins, Pieces, B.getInt64(0)));
}

void TapeCount::countLocal(AllocaInst &A, Part Which) {
  if (!Plan.onHeap(&A, Which))
    return;
  IRBuilder<> B(cast<Instruction>(clone(&A))->getNextNode());
  if (Plan.Locals.find(&A, Which)) { // It has a place in the block of all.
    if (&A == Plan.Locals.first() && Which == Plan.Locals.members().front().Which)
      piece(B, B.getInt64(Plan.Locals.bytes()));
    return;
  }
  unsigned Copies = Which == Part::Shadow ? Plan.Request.Width : 1;
  for (unsigned Each = 0; Each < Copies; ++Each)
    piece(B, bytesOfLocal(B, A, clone(A.getArraySize())));
}

/// %r = call double @f(ptr %p)  ->  %r = call double @tape.bytes.f(ptr %p)
void TapeCount::countCall(CallBase &Call, const CallPlan &C) {
  Function *Counter = Pairs(C.Callee).Count;
  if (!Counter)
    return;
  CalleeTakes = true;
  auto *Old = cast<CallBase>(clone(&Call));
  SmallVector<Value *, 8> Args(Old->args());
  IRBuilder<> B(Old);
  CallInst *New = B.CreateCall(Counter, Args);
  New->takeName(Old);
  Old->replaceAllUsesWith(New);
  Map[&Call] = New;
  Old->eraseFromParent();
}

void TapeCount::emit(uint64_t Box) {
  for (auto [Prepared, Mine] : zip_equal(P.function().args(), Fn.args())) {
    Mine.setName(Prepared.getName());
    Map[&Prepared] = &Mine;
  }
  keepDebugScope(Map, P);
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(&Fn, &P.function(), Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  resetAttributes(Fn);
  Fn.addFnAttr(marking::Synthesised);
  Fn.addFnAttr(Attribute::Cold);
  BasicBlock &Entry = Fn.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  Sum = B.CreateAlloca(B.getInt64Ty(), nullptr, "tape.bytes");
  B.CreateStore(B.getInt64(0), Sum);
  for (auto [Index, R] : enumerate(Plan.Tape.regions()))
    countRegion(R, Index);
  for (Instruction &I : instructions(P.function())) {
    if (auto *A = dyn_cast<AllocaInst>(&I))
      for (Part Which : {Part::Primal, Part::Shadow})
        countLocal(*A, Which);
    if (Plan.Steps.at(I).Sweep == SweepStep::Augment)
      countCall(cast<CallBase>(I), Plan.Calls.find(cast<CallBase>(&I))->second);
  }
  if (!Returns.empty()) {
    B.SetInsertPoint(Returns.front());
    if (Box)
      piece(B, B.getInt64(Box));
    if (TakesItself)
      countPieces(B, B.CreateLoad(B.getInt64Ty(), Sum));
  }
  giveDebugScope(Fn, P, "bytes of tape of");
}

bool emitTapeCount(Function &Shell, const DerivativePlan &Plan, const SplitPair &Self,
                   PairLookup Pairs) {
  StructType *Record = Self.Boxed ? Plan.Tape.tapeType(Shell.getContext()) : nullptr;
  TapeCount Count(Shell, Plan, Pairs);
  Count.emit(Record ? Shell.getDataLayout().getTypeAllocSize(Record) : TypeSize::getZero());
  return Count.takesAny();
}

/// In front of all else, but behind where locals are made:
///
///   if (!isozyme_tape.address) { r = tape.bytes.f(x); return {r, 0, 0}; }
void countFirst(Function &Fn, Function &Counter, ArrayRef<Value *> Args, bool ReturnsPrimal) {
  BasicBlock &Rest = Fn.getEntryBlock();
  LLVMContext &C = Fn.getContext();
  auto *Ask = BasicBlock::Create(C, "ask", &Fn, &Rest),
       *Counts = BasicBlock::Create(C, "counts", &Fn);
  for (Instruction &I : make_early_inc_range(Rest))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isa<Constant>(A->getArraySize()))
      A->moveBefore(*Ask, Ask->end());
  IRBuilder<> B(Ask);
  B.CreateCondBr(onlyCounts(B), Counts, &Rest);
  B.SetInsertPoint(Counts);
  CallInst *Result = B.CreateCall(&Counter, Args);
  Type *T = Fn.getReturnType();
  if (T->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  Value *All = Constant::getNullValue(T);
  if (ReturnsPrimal)
    All = B.CreateInsertValue(All, Result, 0u);
  B.CreateRet(All);
}

} // namespace isozyme
