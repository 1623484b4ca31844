//===- ForwardSweep.cpp - The primal, its shadows, writes to the tape -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a plan.  Out: the prepared body in the frame's function, where
//   * memory made by the function has a shadow, and addresses that are stored,
//     passed to derivatives or kept have theirs;
//   * calls to differentiate call the forward half of their derivative;
//   * each kept value is written to its slot, right after it is computed or where the plan says.
// Float bytes of shadow memory are left alone: they hold the caller's seeds.
//
//===----------------------------------------------------------------------===//
#include "AnyOrder.h"
#include "DebugScope.h"
#include "Runtime/OwnShadow.h"
#include "Sweeps.h"
#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Values/ShadowAlignment.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

void resetAttributes(Function &Fn) {
  bool Meets = any_of(instructions(Fn), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->isConvergent();
  });
  Fn.setCallingConv(CallingConv::C); // As its callers were told.
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::NoFree, Attribute::NoSync, Attribute::NoRecurse,
        Attribute::Speculatable, Attribute::AlwaysInline, Attribute::NoInline,
        Attribute::OptimizeNone, Attribute::WillReturn, Attribute::Convergent, Attribute::AllocKind,
        Attribute::AllocSize, Attribute::NoCreateUndefOrPoison})
    Fn.removeFnAttr(K);
  AttributeList Attributes = Fn.getAttributes();
  AttributeList Kept =
      AttributeList::get(Fn.getContext(), Attributes.getFnAttrs(), AttributeSet(), {});
  SmallVector<unsigned, 8> NoAlias;
  for (Argument &A : Fn.args())
    if (A.hasNoAliasAttr())
      NoAlias.push_back(A.getArgNo());
  Fn.setAttributes(Kept);
  if (Meets) // Threads call it together, or none of them does.
    Fn.setConvergent();
  for (unsigned Number : NoAlias)
    Fn.addParamAttr(Number, Attribute::NoAlias);
}

void ForwardSweep::emit() {
  for (Argument &A : P.function().args())
    Map[&A] = F.Primal[A.getArgNo()];
  keepDebugScope(Map, P);
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(&F.Fn, &P.function(), Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  resetAttributes(F.Fn);
  F.Fn.addFnAttr(marking::Synthesised);   // Cloning has put the primal's in its place.
  for (Argument &A : P.function().args()) // Its shadow may be the same memory.
    if (Plan.Request.checkOf(A.getArgNo()) != ShadowCheck::None)
      F.Primal[A.getArgNo()]->removeAttr(Attribute::NoAlias);
  Return = Returns.empty() ? nullptr : Returns.front();
  for (const UnseenSum &Sum : Plan.Unseen.sums())
    for (Instruction *Addition : Sum)
      Map[Addition] = addInAnyOrder(*cast<Instruction>(&*Map[Addition]));
  for (Instruction &I : instructions(P.function())) {
    auto *Clone = cast<Instruction>(&*Map[&I]);
    if (isa<PHINode>(I))
      After[&I] = &*Clone->getParent()->getFirstInsertionPt();
    else
      After[&I] = Clone->getNextNode();
    F.Scopes.primal(Clone);
  }
  F.makeTopSlots();
  allocateRegions();
  for (Instruction &I : instructions(P.function()))
    visit(I);
  for (auto &[N, D] : Plan.Keep)
    if (D.K == KeepDecision::Cache && !Plan.Fused.around(P, N.V))
      writeSlot(N, D);
  for (Instruction *I : Plan.Unread.stores())
    if (auto *Clone = cast<Instruction>(primal(I)); !is_contained(Replaced, Clone))
      Replaced.push_back(Clone);
}

Value *ForwardSweep::primal(Value *V) const {
  if (isa<Constant, MetadataAsValue, InlineAsm>(V))
    return V;
  return Map.lookup(V);
}

DebugLoc ForwardSweep::debugLocOf(const Value *Prepared) const {
  auto *Clone = dyn_cast_or_null<Instruction>(Map.lookup(Prepared));
  return Clone ? Clone->getDebugLoc() : DebugLoc();
}

void ForwardSweep::placeBuilderAfter(IRBuilder<> &B, Value *Prepared) const {
  if (auto *I = dyn_cast<Instruction>(Prepared)) {
    B.SetInsertPoint(After.lookup(I));
    B.SetCurrentDebugLocation(debugLocOf(I));
    return;
  }
  BasicBlock &Entry = F.Fn.getEntryBlock();
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
}

const Lanes &ForwardSweep::shadow(Value *V) {
  auto It = Shadows.find(V);
  if (It != Shadows.end())
    return It->second;
  Lanes L;
  switch (Plan.Steps.of(V).Shadow) {
  case ShadowForm::None:
    L.assign(F.Width, Constant::getNullValue(V->getType()));
    break;
  case ShadowForm::Itself: // Never read as a shadow, or only where that is checked.
    L.assign(F.Width, primal(V));
    break;
  case ShadowForm::Given: {
    ArrayRef<Argument *> Mine = F.Shadows[cast<Argument>(V)->getArgNo()];
    L.assign(Mine.begin(), Mine.end());
    break;
  }
  case ShadowForm::OfConstant:
    for (unsigned Lane = 0; Lane < F.Width; ++Lane)
      L.push_back(
          shadowOfConstant(*cast<Constant>(V), ShadowUse::Scratch, {Lane, Plan.Request.Level}));
    break;
  case ShadowForm::Made: {
    L = makeShadow(*cast<Instruction>(V));
    IRBuilder<> B(V->getContext());
    placeBuilderAfter(B, V);
    describeLanes(B, V, L, "_adj");
    break;
  }
  case ShadowForm::Companion:
  case ShadowForm::Missing:
    llvm_unreachable("only in forward mode");
  }
  return Shadows[V] = L;
}

Lanes ForwardSweep::makeShadow(Instruction &I) {
  IRBuilder<> B(I.getContext());
  Lanes L;
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    auto *Clone = cast<PHINode>(primal(Phi));
    B.SetInsertPoint(Clone);
    B.SetCurrentDebugLocation(debugLocOf(&I));
    for (unsigned Lane = 0; Lane < F.Width; ++Lane)
      L.push_back(B.CreatePHI(I.getType(), Phi->getNumIncomingValues(), I.getName() + ".shadow"));
    OpenPhis.push_back(Phi);
    return L;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && Plan.Steps.at(I).Shadow == ShadowReach::Paged)
    return loadPaged(*Load);
  placeBuilderAfter(B, &I);
  auto *A = dyn_cast<AllocaInst>(&I);
  bool Heap = A && Plan.onHeap(A, Part::Shadow);
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    if (Plan.Steps.at(I).OnTape) {
      L.push_back(makeOnTape(B, cast<CallBase>(I)));
      continue;
    }
    if (Heap) {
      LocalMemory Memory = allocateLocal(B, *A, Part::Shadow, Lane);
      Memory.At->setName(I.getName() + ".shadow");
      B.CreateMemSet(Memory.At, B.getInt8(0), Memory.Bytes, MaybeAlign(16));
      L.push_back(Memory.At);
      continue;
    }
    L.push_back(mirrorPointer(
        B, P, I, [&](Value *V) { return primal(V); },
        [&](Value *V) { return shadowLane(V, Lane); }));
  }
  return L;
}

/// The shadow of a block that the function allocates.
Value *ForwardSweep::makeOnTape(IRBuilder<> &B, CallBase &Allocation) {
  Value *Size = Allocation.getArgOperand(allocationSize(Allocation, P.libraryInfo())->Bytes);
  Value *Bytes = B.CreateZExtOrTrunc(primal(Size), B.getInt64Ty());
  Value *Memory =
      allocateTape(B, Plan.Tape.memory(), Bytes, (Allocation.getName() + ".shadow").str());
  B.CreateMemSet(Memory, B.getInt8(0), Bytes, MaybeAlign(16));
  return Memory;
}

/// An address that nobody has stored a shadow of is its own shadow.
Lanes ForwardSweep::loadPaged(LoadInst &I) {
  Lanes From = shadow(I.getPointerOperand()), L;
  IRBuilder<> B(I.getContext());
  placeBuilderAfter(B, &I);
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    Value *At =
        pagedShadow(B, primal(I.getPointerOperand()), From[Lane], {Lane, Plan.Request.Level});
    Value *T = B.CreateAlignedLoad(I.getType(), At, shadowAlignment(I), I.isVolatile());
    L.push_back(B.CreateSelect(B.CreateIsNull(T), primal(&I), T, I.getName() + ".shadow"));
  }
  return L;
}

void ForwardSweep::finishPhis() {
  // Filling one may ask for the shadow of another.
  while (!OpenPhis.empty()) {
    PHINode *Phi = OpenPhis.pop_back_val();
    Lanes Mine = Shadows[Phi];
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I) {
      Lanes In = shadow(Phi->getIncomingValue(I));
      auto *From = cast<BasicBlock>(&*Map[Phi->getIncomingBlock(I)]);
      for (auto [To, Each] : zip_equal(Mine, In))
        cast<PHINode>(To)->addIncoming(Each, From);
    }
  }
}

void ForwardSweep::finish() {
  finishPhis();
  for (Instruction *I : Replaced)
    I->eraseFromParent();
  for (const FusedLoop &L : Plan.Fused.loops())
    leaveOut(L);
}

/// From in front of the loop to what is behind it. Nothing there uses its results.
void ForwardSweep::leaveOut(const FusedLoop &L) {
  auto cloneOf = [&](BasicBlock *BB) { return cast<BasicBlock>(&*Map[BB]); };
  BasicBlock *Before = cloneOf(L.L->getLoopPreheader()), *Exit = cloneOf(L.exit());
  for (PHINode &Phi : Exit->phis())
    Phi.addIncoming(PoisonValue::get(Phi.getType()), Before);
  Before->getTerminator()->replaceSuccessorWith(cloneOf(L.L->getHeader()), Exit);
  SmallVector<BasicBlock *, 8> Dead;
  for (BasicBlock *BB : L.L->blocks())
    Dead.push_back(cloneOf(BB));
  DeleteDeadBlocks(Dead);
}

void ForwardSweep::allocateRegions() {
  for (unsigned R = 1; R < Plan.Tape.regions().size(); ++R)
    allocateRegion(R);
}

/// Memory for \p Index and all that share its block.
void ForwardSweep::allocateArrays(IRBuilder<> &B, unsigned Index) {
  const TapeRegion &R = Plan.Tape.regions()[Index];
  if (R.Memory == TapeMemory::Stack) {
    auto *Array = ArrayType::get(Plan.Tape.slots()[R.Slots.front()].Elem, *R.KnownCount);
    const Accelerator *Machine = acceleratorOf(*F.Fn.getParent());
    Bases[Index] = F.local(Machine ? Machine->localTape(Array) : Array, "tape.array");
    return;
  }
  SmallVector<unsigned, 4> Members = Plan.Tape.blockOf(Index);
  BlockSize Bytes = sizeOfBlock(B, Plan, Index, [&](Value *V) { return primal(V); });
  Value *Memory = allocateTape(B, R.Memory, Bytes.All, "tape.array");
  for (auto [Number, Member] : enumerate(Members))
    Bases[Member] =
        Number ? B.CreatePtrAdd(Memory, B.CreateMul(Bytes.Each, B.getInt64(Number)), "tape.array")
               : Memory;
}

void ForwardSweep::storeBase(IRBuilder<> &B, unsigned Index) {
  unsigned Slot = Plan.Tape.regions()[Index].BaseSlot;
  F.Scopes.tape(B.CreateStore(Bases.lookup(Index), slotAddress(B, Slot)));
}

void ForwardSweep::allocateRegion(unsigned Index) {
  if (Made.contains(Index))
    return;
  Made.insert(Index);
  const TapeRegion &R = Plan.Tape.regions()[Index];
  if (R.SharedWith >= 0)
    allocateRegion(R.SharedWith);
  if (R.BaseSlot < 0)
    return;
  if (unsigned Holder = Plan.Tape.slots()[R.BaseSlot].Region)
    allocateRegion(Holder); // Its slot holds our base.
  LLVMContext &C = F.Fn.getContext();
  Module &M = *F.Fn.getParent();
  const Loop *Outer = R.outermost();
  auto *Before = cast<BasicBlock>(&*Map[Outer->getLoopPreheader()]);
  IRBuilder<> B(Before->getTerminator());
  if (R.Shape == TapeShape::Array) {
    if (R.SharedWith < 0)
      allocateArrays(B, Index);
    storeBase(B, Index);
    return;
  }
  uint64_t TableBytes = F.Fn.getDataLayout().getTypeAllocSize(tableType(C));
  Value *Table;
  if (R.Memory == TapeMemory::Stack)
    Table = B.CreateAddrSpaceCast(F.local(tableType(C), "tape.table"), B.getPtrTy());
  else
    Table = allocateTape(B, R.Memory, B.getInt64(TableBytes), "tape.table");
  B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), Table); // No chunk yet.
  Bases[Index] = Table;
  storeBase(B, Index);
  auto *Header = cast<BasicBlock>(&*Map[Outer->getHeader()]);
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  uint64_t Bytes = F.Fn.getDataLayout().getTypeAllocSize(Plan.Tape.recordType(R, C));
  Records[Index] =
      B.CreateCall(tapeRecordForWriting(M, Plan.Tape.memory()),
                   {Table, primal(P.canonical(Outer).IV), B.getInt64(Bytes)}, "tape.record");
}

Value *ForwardSweep::slotAddress(IRBuilder<> &B, unsigned Slot, ArrayRef<unsigned> Place) {
  const TapeSlot &S = Plan.Tape.slots()[Slot];
  const TapeRegion &R = Plan.Tape.regions()[S.Region];
  switch (R.Shape) {
  case TapeShape::Scalar:
    return F.topSlot(Slot);
  case TapeShape::Array: {
    Value *Index = linearIndex(B, P, R, Place, [&](Value *V) { return primal(V); });
    return B.CreateInBoundsGEP(S.Elem, Bases.lookup(S.Region), {Index}, "tape.at");
  }
  case TapeShape::Growable:
    return B.CreateStructGEP(Plan.Tape.recordType(R, B.getContext()), Records.lookup(S.Region),
                             S.Field, "tape.at");
  }
  llvm_unreachable("complete switch");
}

void ForwardSweep::writeSlot(const Need &N, const KeepDecision &D) {
  if (D.Write == SlotWrite::Never)
    return;
  Value *V;
  IRBuilder<> B(F.Fn.getContext());
  if (N.P == Part::Shadow) {
    Lanes L = shadow(N.V);
    placeBuilderAfter(B, N.V);
    V = joinLanes(B, L);
  } else if (N.P == Part::Overwritten) {
    auto *S = cast<StoreInst>(primal(N.V));
    B.SetInsertPoint(S);
    B.SetCurrentDebugLocation(S->getDebugLoc());
    LoadInst *Before = B.CreateAlignedLoad(S->getValueOperand()->getType(), S->getPointerOperand(),
                                           S->getAlign(), "overwritten");
    F.Scopes.primal(Before);
    V = Before;
  } else {
    placeBuilderAfter(B, D.Write == SlotWrite::WithNext ? nextOf(P.loops(), N.V) : N.V);
    B.SetCurrentDebugLocation(debugLocOf(N.V));
    if (D.Write == SlotWrite::Behind) {
      const Loop *L = P.loops().getLoopFor(cast<Instruction>(N.V)->getParent());
      B.SetInsertPoint(cast<BasicBlock>(&*Map[L->getUniqueExitBlock()])->getFirstInsertionPt());
    }
    V = N.P == Part::Tape ? tapeOf(cast<CallBase>(N.V)) : primal(N.V);
  }
  Type *Elem = Plan.Tape.slots()[D.Slot].Elem;
  if (V->getType()->isIntegerTy())
    V = B.CreateZExtOrTrunc(V, Elem);
  F.Scopes.tape(B.CreateAlignedStore(V, slotAddress(B, D.Slot, D.Place),
                                     tapeAlign(V->getType(), F.Fn.getDataLayout())));
}

} // namespace isozyme
