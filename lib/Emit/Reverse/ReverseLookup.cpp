//===- ReverseLookup.cpp - Values of the forward sweep, read in reverse ---===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lookup(need) gives a value where it is wanted, in the way the plan decided:
// at hand, computed again, loaded again, or read from the tape. A value that does
// not change inside the current loops is looked up once, in front of them.
// What the plan does not list cannot be read: that is reported as an internal error.
//
//===----------------------------------------------------------------------===//
#include "DebugScope.h"
#include "Sweeps.h"
#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

void ReverseSweep::locate(IRBuilder<> &B, const Value *Like) const {
  if (auto *I = dyn_cast<Instruction>(Like))
    B.SetCurrentDebugLocation(I->getDebugLoc());
}

ReverseSweep::Site &ReverseSweep::siteIn(const Loop *Scope, Site &From) {
  const Loop *L = From.L;
  if (L == Scope || !L)
    return From;
  if (From.Beside)
    return siteIn(Scope, *From.Beside);
  while (L && L->getParentLoop() != Scope)
    L = L->getParentLoop();
  return L ? *Entries.find(L)->second : From;
}

ReverseSweep::Site &ReverseSweep::siteFor(Value *V, Site &From) {
  auto *I = dyn_cast<Instruction>(V);
  return siteIn(I ? P.loops().getLoopFor(I->getParent()) : nullptr, From);
}

void ReverseSweep::undeclared(const Need &N) {
  if (!Undeclared)
    Undeclared = N;
}

/// The loop of \p S, or one that is being entered there, whose iterations \p V counts.
const Loop *ReverseSweep::loopCountedBy(const Value *V, const Site &S) const {
  auto *Phi = dyn_cast<PHINode>(V);
  const Loop *L = Phi ? P.loops().getLoopFor(Phi->getParent()) : nullptr;
  return L && P.canonical(L).IV == Phi && (L == S.L || S.Counters.count(L)) ? L : nullptr;
}

const Lanes &ReverseSweep::lookup(const Need &N, Site &From) {
  Site &S = siteFor(N.V, From);
  auto It = S.Values.find(N);
  if (It != S.Values.end())
    return It->second;
  Lanes L;
  unsigned Count = N.P == Part::Shadow ? F.Width : 1;
  const KeepDecision *D = Plan.decisionFor(N);
  if (N.P == Part::Shadow && (isa<ConstantData>(N.V) || !containsPointer(N.V->getType()))) {
    L.assign(Count, Constant::getNullValue(N.V->getType()));
  } else if (auto *C = dyn_cast<Constant>(N.V)) {
    bool Shadow = N.P == Part::Shadow && Plan.Steps.of(C).Shadow == ShadowForm::OfConstant;
    for (unsigned Lane = 0; Lane < Count; ++Lane)
      L.push_back(Shadow ? shadowOfConstant(*C, ShadowUse::Scratch, {Lane, Plan.Request.Level})
                         : C);
  } else if (!D) {
    undeclared(N);
    L.assign(Count, PoisonValue::get(N.V->getType()));
  } else if (D->K != KeepDecision::Available) {
    L = D->K == KeepDecision::Cache ? readSlot(N, *D, S) : compute(N, *D, S);
    IRBuilder<> B(S.At);
    if (N.P == Part::Primal || N.P == Part::Shadow)
      describeLanes(B, N.V, L, N.P == Part::Shadow ? "_adj" : "");
  } else if (auto *A = dyn_cast<Argument>(N.V)) {
    unsigned Number = A->getArgNo();
    if (N.P == Part::Shadow && Plan.Request.hasShadow(Number))
      L.assign(F.Shadows[Number].begin(), F.Shadows[Number].end());
    else
      L.assign(Count, F.Primal[Number]);
  } else if (const Loop *Counted = N.P == Part::Primal ? loopCountedBy(N.V, S) : nullptr) {
    L = {counter(Counted, S)};
  } else if (N.P == Part::Shadow) {
    L = Forward->shadow(N.V);
  } else {
    L = {N.P == Part::Tape ? Forward->tapeOf(cast<CallBase>(N.V)) : Forward->primal(N.V)};
  }
  return S.Values[N] = L;
}

/// What a store has put down in the iteration of its loop that \p From tells.
Lanes ReverseSweep::stored(const StoredValue &From, Site &S) {
  Need V = {From.Store->getValueOperand(), Part::Primal};
  if (!From.Writes)
    return lookup(V, S);
  std::unique_ptr<Site> &There = S.Iterations[{From.Writes, From.Reads, From.Shift}];
  if (!There) {
    Value *IV = primal(P.canonical(From.Reads).IV, S);
    There = std::make_unique<Site>();
    There->L = From.Writes;
    There->At = S.At;
    There->Beside = &S;
    IRBuilder<> B(S.At);
    There->Counters[From.Writes] =
        From.Shift ? B.CreateAdd(IV, B.getInt64(From.Shift), "", true, true) : IV;
  }
  There->At = S.At;
  return lookup(V, *There);
}

Lanes ReverseSweep::compute(const Need &N, const KeepDecision &D, Site &S) {
  auto &I = *cast<Instruction>(N.V);
  if (D.From)
    return stored(*D.From, S);
  if (N.P == Part::Shadow && Plan.Steps.of(&I).Shadow == ShadowForm::Itself)
    return Lanes(F.Width, primal(&I, S));
  if (N.P == Part::Shadow) {
    Lanes L;
    for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
      IRBuilder<> B(S.At);
      locate(B, &I);
      L.push_back(mirrorPointer(
          B, P, I, [&](Value *V) { return isa<Constant>(V) ? V : primal(V, S); },
          [&](Value *V) { return shadow(V, S)[Lane]; }));
    }
    return L;
  }
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I.operands()) {
    bool AsIs = isa<Constant, BasicBlock, MetadataAsValue>(Operand);
    Operands.push_back(AsIs ? Operand : primal(Operand, S));
  }
  Instruction *New = I.clone();
  for (auto [Number, V] : enumerate(Operands))
    New->setOperand(Number, V);
  // Scoped aliasing facts speak of the forward sweep's order of accesses.
  if (D.K == KeepDecision::Reload) {
    New->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa, LLVMContext::MD_invariant_load});
    F.Scopes.primal(New);
  }
  IRBuilder<> B(S.At);
  locate(B, &I);
  B.Insert(New, I.hasName() ? I.getName() + ".again" : "");
  New->setDebugLoc(B.getCurrentDebugLocation());
  return {New};
}

Value *ReverseSweep::counter(const Loop *L, Site &S) {
  if (S.Beside && L != S.L)
    return counter(L, *S.Beside);
  Value *&V = S.Counters[L];
  if (!V) {
    IRBuilder<> B(S.At);
    V = B.CreateLoad(B.getInt64Ty(), Counters[L], "rev.iv");
    describe(B, P.canonical(L).IV, V, "");
  }
  return V;
}

/// Where in its block an array begins whose base is on no tape.
Value *ReverseSweep::bytesInFront(unsigned Region, Site &S) {
  const TapeRegion &R = Plan.Tape.regions()[Region];
  Value *Last = P.canonical(R.Group.front()).LastIV;
  Value *Found = R.KnownCount || isa<Constant>(Last) ? Last : primal(Last, S);
  IRBuilder<> B(S.At);
  Value *Count = R.KnownCount ? B.getInt64(*R.KnownCount)
                              : B.CreateAdd(Found, B.getInt64(1 + R.haloOf(R.Group.front())),
                                            "trips", true, true);
  uint64_t Each = F.Fn.getDataLayout().getTypeAllocSize(Plan.Tape.slots()[R.Slots.front()].Elem);
  return B.CreateMul(Count, B.getInt64(Each * Plan.Tape.placeInBlock(Region)), "", true, true);
}

Value *ReverseSweep::baseOf(unsigned Region, Site &From) {
  const TapeRegion &R = Plan.Tape.regions()[Region];
  Site &S = siteIn(R.outermost()->getParentLoop(), From);
  auto It = S.Bases.find(Region);
  if (It != S.Bases.end())
    return It->second;
  if (R.BaseSlot < 0) {
    Value *First = baseOf(R.SharedWith, S);
    Value *Bytes = bytesInFront(Region, S);
    IRBuilder<> B(S.At);
    return S.Bases[Region] = B.CreateInBoundsPtrAdd(First, Bytes, "tape.base");
  }
  Value *At = slotAddress(R.BaseSlot, S);
  IRBuilder<> B(S.At);
  LoadInst *Base = B.CreateLoad(Plan.Tape.slots()[R.BaseSlot].Elem, At, "tape.base");
  F.Scopes.tape(Base);
  return S.Bases[Region] = Base;
}

Value *ReverseSweep::slotAddress(unsigned Slot, Site &S, ArrayRef<unsigned> Place) {
  const TapeSlot &T = Plan.Tape.slots()[Slot];
  const TapeRegion &R = Plan.Tape.regions()[T.Region];
  switch (R.Shape) {
  case TapeShape::Scalar:
    return F.topSlot(Slot);
  case TapeShape::Array: {
    Value *Base = baseOf(T.Region, S);
    // Counters and trip counts first: looking them up emits elsewhere, too.
    DenseMap<Value *, Value *> Found;
    for (const Loop *L : R.Group) {
      const CanonicalLoop &C = P.canonical(L);
      Found[C.IV] = counter(L, S);
      if (L != R.Group.front())
        Found[C.LastIV] = isa<Constant>(C.LastIV) ? C.LastIV : primal(C.LastIV, S);
    }
    IRBuilder<> B(S.At);
    Value *Index = linearIndex(B, P, R, Place, [&](Value *V) { return Found.lookup(V); });
    return B.CreateInBoundsGEP(T.Elem, Base, {Index}, "tape.at");
  }
  case TapeShape::Growable: {
    StructType *Record = Plan.Tape.recordType(R, F.Fn.getContext());
    Value *&At = S.Records[T.Region];
    if (!At) {
      Value *Table = baseOf(T.Region, S), *IV = counter(R.Group.front(), S);
      IRBuilder<> B(S.At);
      uint64_t Bytes = F.Fn.getDataLayout().getTypeAllocSize(Record);
      At = B.CreateCall(tapeRecord(*F.Fn.getParent()), {Table, IV, B.getInt64(Bytes)},
                        "tape.record");
    }
    IRBuilder<> B(S.At);
    return B.CreateStructGEP(Record, At, T.Field, "tape.at");
  }
  }
  llvm_unreachable("complete switch");
}

Lanes ReverseSweep::readSlot(const Need &N, const KeepDecision &D, Site &S) {
  Type *Elem = Plan.Tape.slots()[D.Slot].Elem;
  Value *At = slotAddress(D.Slot, S, D.Place);
  IRBuilder<> B(S.At);
  locate(B, N.V);
  LoadInst *Kept =
      B.CreateAlignedLoad(Elem, At, tapeAlign(Elem, F.Fn.getDataLayout()),
                          N.P == Part::Overwritten ? "overwritten" : N.V->getName() + ".kept");
  F.Scopes.tape(Kept);
  Value *V = Kept;
  if (N.P == Part::Shadow)
    return splitLanes(B, V, F.Width);
  if (N.P == Part::Primal && V->getType() != N.V->getType())
    V = B.CreateZExtOrTrunc(V, N.V->getType());
  return {V};
}

} // namespace isozyme
