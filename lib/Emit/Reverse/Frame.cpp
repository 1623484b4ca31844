//===- Frame.cpp - Parameters and top slots of a derivative ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps the parameters of a derivative function to those of the primal, names
// them, and holds the tape's top slots as locals (promoted to registers later).
//
//===----------------------------------------------------------------------===//
#include "DebugScope.h"
#include "Sweeps.h"
#include "isozyme/Emit/RuleInterpreter.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Frame::Frame(Function &Fn, const DerivativePlan &Plan)
    : Fn(Fn), Plan(Plan), P(Plan.P), Width(Plan.Request.Width), Scopes(Fn, Plan.Scopes) {
  const DiffRequest &R = Plan.Request;
  auto *Next = Fn.arg_begin();
  for (Argument &A : P.function().args()) {
    Next->setName(A.getName());
    Primal.push_back(Next++);
    Shadows.emplace_back();
    if (!R.hasShadow(A.getArgNo()))
      continue;
    for (unsigned Lane = 0; Lane < Width; ++Lane) {
      Next->setName(A.getName() + ".shadow");
      Shadows.back().push_back(Next++);
    }
  }
  if (R.Return == ReturnActivity::Active && Next != Fn.arg_end()) {
    Next->setName("seed");
    Seed = Next++;
  }
  if (Next != Fn.arg_end()) {
    Next->setName("tape");
    Tape = Next;
  }
}

AllocaInst *Frame::local(Type *T, const Twine &Name) {
  BasicBlock &Entry = Fn.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  return B.CreateAlloca(T, nullptr, Name);
}

void Frame::describeArguments(bool HasPrimal) {
  BasicBlock &Entry = Fn.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Argument &A : P.function().args()) {
    if (!HasPrimal)
      describe(B, &A, Primal[A.getArgNo()], "");
    ArrayRef<Argument *> Mine = Shadows[A.getArgNo()];
    describeLanes(B, &A, Lanes(Mine.begin(), Mine.end()), "_adj");
  }
}

AllocaInst *Frame::scratch(Type *T) {
  AllocaInst *&A = Scratch[T];
  if (!A)
    A = local(T, "scratch");
  return A;
}

Value *Frame::zeroBlock(IRBuilder<> &B, uint64_t Bytes) {
  Type *T = ArrayType::get(B.getInt64Ty(), divideCeil(Bytes, 8));
  AllocaInst *Block = scratch(T);
  B.CreateMemSet(Block, B.getInt8(0), Bytes, Block->getAlign());
  return Block;
}

Instruction *Frame::behindLocals() {
  // A local that nothing uses, which Cleanup removes. Later ones are made in front of it, so
  // that the end of the locals is found without a walk over all of them.
  if (!Anchor)
    Anchor = local(Type::getInt8Ty(Fn.getContext()), "locals.end");
  return Anchor;
}

void Frame::makeTopSlots() {
  for (unsigned Slot : Plan.Tape.regions()[0].Slots) {
    const TapeSlot &S = Plan.Tape.slots()[Slot];
    StringRef Name = S.Key.V && S.Key.V->hasName() ? S.Key.V->getName() : "tape";
    TopSlots[Slot] = local(S.Elem, Name + ".kept");
  }
}

Align Frame::alignInBox(StructType *Record, unsigned Field) const {
  const DataLayout &DL = Fn.getDataLayout();
  return commonAlignment(tapeAlign(Record, DL),
                         DL.getStructLayout(Record)->getElementOffset(Field));
}

/// The same members as type \p To: vectors have become arrays, or the reverse.
static Value *convert(IRBuilder<> &B, Value *V, Type *To) {
  Type *From = V->getType();
  if (From == To)
    return V;
  Value *All = PoisonValue::get(To);
  unsigned Count = isa<StructType>(To)  ? To->getStructNumElements()
                   : isa<ArrayType>(To) ? unsigned(To->getArrayNumElements())
                                        : cast<FixedVectorType>(To)->getNumElements();
  for (unsigned I = 0; I < Count; ++I) {
    Value *Member =
        isa<FixedVectorType>(From) ? B.CreateExtractElement(V, I) : B.CreateExtractValue(V, I);
    if (isa<FixedVectorType>(To)) {
      All = B.CreateInsertElement(All, Member, I);
      continue;
    }
    Type *MemberType =
        isa<StructType>(To) ? To->getStructElementType(I) : To->getArrayElementType();
    All = B.CreateInsertValue(All, convert(B, Member, MemberType), I);
  }
  return All;
}

Value *Frame::pack(IRBuilder<> &B, const SplitPair &Self) const {
  StructType *Record = Plan.Tape.tapeType(B.getContext());
  if (Self.Boxed && !Record)
    return Constant::getNullValue(Self.Tape);
  Value *All = nullptr;
  if (Self.Boxed)
    All = allocateTape(B, Plan.Tape.memory(),
                       B.getInt64(Fn.getDataLayout().getTypeAllocSize(Record)), "box");
  else
    All = PoisonValue::get(Self.Tape);
  for (auto [Field, Slot] : enumerate(Plan.Tape.regions()[0].Slots)) {
    AllocaInst *At = topSlot(Slot);
    Value *Kept = B.CreateLoad(At->getAllocatedType(), At);
    if (Self.Boxed)
      B.CreateAlignedStore(Kept, B.CreateStructGEP(Record, All, Field), alignInBox(Record, Field));
    else
      All = B.CreateInsertValue(All, convert(B, Kept, Self.Tape->getStructElementType(Field)),
                                unsigned(Field));
  }
  return All;
}

void Frame::unpack(IRBuilder<> &B, const SplitPair &Self) const {
  StructType *Record = Plan.Tape.tapeType(B.getContext());
  if (!Record)
    return;
  for (auto [Field, Slot] : enumerate(Plan.Tape.regions()[0].Slots)) {
    Value *Kept = Self.Boxed ? B.CreateAlignedLoad(Record->getElementType(Field),
                                                   B.CreateStructGEP(Record, Tape, Field),
                                                   alignInBox(Record, Field), "unboxed")
                             : convert(B, B.CreateExtractValue(Tape, unsigned(Field)),
                                       Record->getElementType(Field));
    B.CreateStore(Kept, topSlot(Slot));
  }
  if (Self.Boxed && !KeepTape)
    releaseTape(B, Tape, Plan.Tape.memory());
}

Value *linearIndex(IRBuilder<> &B, const PreparedFunction &P, const TapeRegion &R,
                   ArrayRef<unsigned> Place, function_ref<Value *(Value *)> Translate) {
  Value *Index = nullptr;
  for (auto [Number, L] : enumerate(R.Group)) {
    const CanonicalLoop &C = P.canonical(L);
    Value *Here = Translate(C.IV);
    if (!Place.empty() && Place[Number])
      Here = B.CreateAdd(Here, B.getInt64(Place[Number]), "", true, true);
    if (Index) {
      uint64_t More = 1 + R.haloOf(L);
      Value *Trips = B.CreateAdd(Translate(C.LastIV), B.getInt64(More), "trips", true, true);
      Index = B.CreateMul(Index, Trips, "", true, true);
      Index = B.CreateAdd(Index, Here, "", true, true);
    } else {
      Index = Here;
    }
  }
  return Index;
}

/// A product that does not fit is more than any machine has: it becomes the largest number.
static Value *timesChecked(IRBuilder<> &B, Value *Bytes, Value *Times) {
  Value *Both = B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, Bytes, Times);
  return B.CreateSelect(B.CreateExtractValue(Both, 1), B.getInt64(-1),
                        B.CreateExtractValue(Both, 0));
}

/// Of one array; of more than can be counted, the largest number.
static Value *sizeOfArray(IRBuilder<> &B, const DerivativePlan &Plan, const TapeRegion &R,
                          function_ref<Value *(Value *)> Translate) {
  const DataLayout &DL = Plan.P.function().getDataLayout();
  Value *Bytes = B.getInt64(DL.getTypeAllocSize(Plan.Tape.slots()[R.Slots.front()].Elem));
  for (const Loop *L : R.Group) {
    // The array is made in front of the outermost one, which is then reached.
    const CanonicalLoop &Known = Plan.P.canonical(L);
    Value *Count = L == R.outermost() ? B.CreateAdd(Translate(Known.LastIV), B.getInt64(1))
                                      : Translate(Known.Extent);
    if (unsigned Halo = R.haloOf(L))
      Count = B.CreateAdd(Count, B.getInt64(Halo));
    Bytes = timesChecked(B, Bytes, Count);
  }
  return Bytes;
}

BlockSize sizeOfBlock(IRBuilder<> &B, const DerivativePlan &Plan, unsigned Index,
                      function_ref<Value *(Value *)> Translate) {
  Value *Each = sizeOfArray(B, Plan, Plan.Tape.regions()[Index], Translate);
  unsigned Arrays = Plan.Tape.blockOf(Index).size();
  return {Each, Arrays == 1 ? Each : timesChecked(B, Each, B.getInt64(Arrays))};
}

Lanes splitLanes(IRBuilderBase &B, Value *V, unsigned Width) {
  if (Width == 1)
    return {V};
  Lanes L;
  for (unsigned Lane = 0; Lane < Width; ++Lane)
    L.push_back(B.CreateExtractValue(V, Lane));
  return L;
}

Value *joinLanes(IRBuilderBase &B, const Lanes &L) {
  if (L.size() == 1)
    return L[0];
  Value *V = PoisonValue::get(ArrayType::get(L[0]->getType(), L.size()));
  for (auto [Lane, Each] : enumerate(L))
    V = B.CreateInsertValue(V, Each, unsigned(Lane));
  return V;
}

void createReturn(IRBuilderBase &B, ArrayRef<Value *> Members) {
  Type *T = B.GetInsertBlock()->getParent()->getReturnType();
  if (T->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  Value *All = PoisonValue::get(T);
  for (auto [I, V] : enumerate(Members))
    All = B.CreateInsertValue(All, V, unsigned(I));
  B.CreateRet(All);
}

Value *addDerivatives(IRBuilderBase &B, Value *A, Value *C) {
  auto isZero = [](Value *V) {
    auto *Constant_ = dyn_cast<Constant>(V);
    return Constant_ && Constant_->isNullValue();
  };
  if (isZero(A))
    return C;
  if (isZero(C))
    return A;
  Type *T = A->getType();
  if (T->isFPOrFPVectorTy()) {
    // The sign of a zero derivative means nothing: 0 + d may become d.
    FastMathFlags Flags = withFreeOrder({});
    Flags.setNoSignedZeros();
    return B.CreateFAddFMF(A, C, FMFSource(Flags));
  }
  if (!T->isAggregateType())
    return A; // Integers and addresses inside an aggregate carry nothing.
  unsigned Count = isa<StructType>(T) ? T->getStructNumElements() : T->getArrayNumElements();
  Value *Sum = A;
  for (unsigned I = 0; I < Count; ++I) {
    Value *Member = addDerivatives(B, B.CreateExtractValue(A, I), B.CreateExtractValue(C, I));
    Sum = B.CreateInsertValue(Sum, Member, I);
  }
  return Sum;
}

} // namespace isozyme
