//===- ForwardMemory.cpp - Tangents in shadow memory ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever the primal does to memory that has a shadow is done to the shadow:
// numbers are replaced by their tangents, pointers by their shadows. So shadow
// memory always holds the tangent of what primal memory holds.
//
//===----------------------------------------------------------------------===//
#include "Dependence.h"
#include "ForwardEmission.h"
#include "Runtime/OwnShadow.h"
#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/KnownCalls.h"

using namespace llvm;

namespace isozyme {

Value *ForwardEmission::whatOwnHolds(Instruction &I) {
  return stepAt(I).IsAddress ? primal(&I) : Constant::getNullValue(I.getType());
}

/// The tangent of what is read through \p Ptr is zero where the shadow is the memory
/// itself; an address read there is its own shadow, as it stands.
void ForwardEmission::clearWhereOwn(Instruction &I, Value *Ptr) {
  const Step &Todo = stepAt(I);
  if (Todo.IsAddress || !isCompared(Todo.Shadow))
    return;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    Value *&T = Tangents[&I][Lane];
    T = zeroWhereOwn(B, isOwn(Ptr, Todo.Shadow, Lane), T);
  }
}

void ForwardEmission::visitLoad(LoadInst &I) {
  Value *Ptr = I.getPointerOperand();
  if (stepAt(I).Shadow == ShadowReach::Paged)
    return loadPaged(I);
  if (const LaneCopy *Copy = Plan.Vectors.copies().of(I))
    return loadPacked(I, *Copy);
  stopWhereOwn(I, Ptr);
  if (Replay)
    return loadInReplay(I);
  emitMirrored(I);
  if (!Failure)
    clearWhereOwn(I, Ptr);
}

void ForwardEmission::loadInReplay(LoadInst &I) {
  Value *Ptr = I.getPointerOperand();
  ShadowReach Reach = stepAt(I).Shadow;
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *From = shadowToAccess(Ptr, Reach, I.getType(), Lane);
    Value *T = insertCopy(I, {{0, From}}), *Own = isOwn(Ptr, Reach, Lane);
    return Own ? B.CreateSelect(Own, whatOwnHolds(I), T) : T;
  });
}

/// masked.load, masked.gather and masked.expandload: (pointer, mask, other).
void ForwardEmission::visitMaskedLoad(CallBase &I) {
  Value *Ptr = I.getArgOperand(0), *Mask = I.getArgOperand(1), *Other = I.getArgOperand(2);
  ShadowReach Reach = stepAt(I).Shadow;
  stopWhereOwn(I, Ptr);
  if (!Replay && !isCompared(Reach))
    return emitMirrored(I);
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *Own = isOwn(Ptr, Reach, Lane), *Read = primal(Mask), *Else = tangent(Other, Lane);
    if (!Own)
      return insertCopy(I, {{0, tangent(Ptr, Lane)}, {2, Else}});
    if (!Own->getType()->isVectorTy())
      Own = B.CreateVectorSplat(cast<VectorType>(Read->getType())->getElementCount(), Own);
    Read = B.CreateAnd(Read, B.CreateNot(Own));
    // Of a packed load, the lanes are none of one place: all have a shadow, or none.
    Else = B.CreateSelect(Own, whatOwnHolds(I), Else);
    return insertCopy(I, {{0, tangent(Ptr, Lane)}, {1, Read}, {2, Else}});
  });
}

Value *ForwardEmission::inPages(Value *Ptr, unsigned Lane) {
  return pagedShadow(B, primal(Ptr), tangent(Ptr, Lane), {Lane, R.Level});
}

/// An address that nobody has stored a shadow of is its own shadow.
void ForwardEmission::loadPaged(LoadInst &I) {
  bool Address = I.getType()->isPointerTy();
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *T = insertCopy(I, {{0, inPages(I.getPointerOperand(), Lane)}});
    return Address ? B.CreateSelect(B.CreateIsNull(T), primal(&I), T) : T;
  });
}

void ForwardEmission::stopWhereOwn(Instruction &I, Value *Ptr) {
  ShadowReach Reach = stepAt(I).Shadow;
  for (unsigned Lane = 0; Reach == ShadowReach::Stopped && Lane < R.Width; ++Lane)
    emitStop(B, anyOf(B, isOwn(Ptr, Reach, Lane)), P, &I);
}

Value *ForwardEmission::isOwn(Value *Ptr, ShadowReach Reach, unsigned Lane) {
  if (Replay && tangent(Ptr, Lane) == primal(Ptr))
    return ConstantInt::getTrue(CmpInst::makeCmpResultType(Ptr->getType()));
  if (!isCompared(Reach))
    return nullptr;
  return B.CreateICmpEQ(tangent(Ptr, Lane), primal(Ptr));
}

Value *ForwardEmission::shadowToAccess(Value *Ptr, ShadowReach Reach, Type *T, unsigned Lane) {
  Value *Own = Replay ? isOwn(Ptr, Reach, Lane) : nullptr;
  if (!Own)
    return tangent(Ptr, Lane);
  IRBuilder<> Start(&Shell.getEntryBlock(), Shell.getEntryBlock().begin());
  Value *Elsewhere = Start.CreateAlloca(T, nullptr, "elsewhere");
  return B.CreateSelect(Own, B.CreateAddrSpaceCast(Elsewhere, Ptr->getType()), tangent(Ptr, Lane));
}

void ForwardEmission::visitStore(StoreInst &I) {
  Value *Ptr = I.getPointerOperand(), *Stored = I.getValueOperand();
  const Step &Todo = stepAt(I);
  Lanes Values, Addresses;
  for (unsigned Lane = 0; Lane < R.Width && !Failure; ++Lane) {
    Value *V = Todo.Data == ShadowData::Tangent ? tangent(Stored, Lane) : primal(Stored);
    if (Todo.Shadow == ShadowReach::Paged) {
      insertCopy(I, {{0, V}, {1, inPages(Ptr, Lane)}});
      continue;
    }
    // What has no shadow gets what it holds already.
    if (Value *Own = isOwn(Ptr, Todo.Shadow, Lane); Own && Todo.Data != ShadowData::Number) {
      stopWhereLost(Own, Stored, V, Todo.Shadow);
      V = B.CreateSelect(Own, primal(Stored), V);
    }
    insertCopy(I, {{0, V}, {1, shadowToAccess(Ptr, Todo.Shadow, Stored->getType(), Lane)}});
    Values.push_back(V);
    Addresses.push_back(tangent(Ptr, Lane));
  }
  if (!Failure && !Addresses.empty())
    watch(I, Values, Addresses);
}

/// Stops the program where a derivative would be stored in memory that nobody has
/// declared to be without.
void ForwardEmission::stopWhereLost(Value *Own, Value *Stored, Value *Shadow, ShadowReach Reach) {
  if (Reach != ShadowReach::Stopped)
    return;
  if (Stored->getType()->isPointerTy())
    Own = B.CreateAnd(Own, B.CreateICmpNE(Shadow, primal(Stored)));
  emitStop(B, Own, P, Current);
}

/// masked.store, masked.scatter and masked.compressstore: (value, pointer, mask).
void ForwardEmission::visitMaskedStore(IntrinsicInst &I) {
  Value *Stored = I.getArgOperand(0), *Ptr = I.getArgOperand(1);
  const Step &Todo = stepAt(I);
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    Value *V = Todo.Data == ShadowData::Tangent ? tangent(Stored, Lane) : primal(Stored);
    Value *Mask = primal(I.getArgOperand(2));
    if (Value *Own = isOwn(Ptr, Todo.Shadow, Lane)) {
      stopWhereLost(anyOf(B, Own), Stored, V, Todo.Shadow);
      Mask = B.CreateSelect(Own, Constant::getNullValue(Mask->getType()), Mask);
    }
    insertCopy(I, {{0, V}, {1, tangent(Ptr, Lane)}, {2, Mask}});
  }
}

void ForwardEmission::visitAtomic(AtomicRMWInst &I) {
  Value *Ptr = I.getPointerOperand(), *Operand = I.getValOperand();
  ShadowReach Reach = stepAt(I).Shadow;
  auto add = [&](Value *To, Value *T) -> Value * {
    return R.Dependence ? uniteAtomically(B, I, To, T) : insertCopy(I, {{0, To}, {1, T}});
  };
  forEachLane(I, [&](unsigned Lane) -> Value * {
    if (Reach == ShadowReach::Paged) {
      Value *At = inPages(Ptr, Lane);
      return add(At, tangent(Operand, Lane));
    }
    Value *Own = isOwn(Ptr, Reach, Lane), *T = zeroWhereOwn(B, Own, tangent(Operand, Lane));
    if (Own)
      stopWhereLost(Own, Operand, T, Reach);
    return zeroWhereOwn(B, Own, add(shadowToAccess(Ptr, Reach, I.getType(), Lane), T));
  });
}

/// The bytes to copy in shadow memory from \p From.
Value *ForwardEmission::shadowLength(AnyMemTransferInst &I, Value *From) {
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  Value *Length = primal(I.getLength());
  return Copy && isLimitedByBlockSize(*Copy) ? limitToBlock(B, Length, From) : Length;
}

/// Sets the floats among what \p I has copied to \p To to zero, the addresses stay:
/// their memory has no shadow either.
void ForwardEmission::clearFloats(AnyMemTransferInst &I, Value *To, Value *Length) {
  const ByteRuns &Bytes = Plan.Steps.bytesOf(I);
  if (!Bytes.Period)
    return fail("nothing is known of the bytes that are copied here");
  if (Bytes.hasWords()) { // Numbers go where nothing is read.
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    IRBuilder<> AtStart(&Entry, Entry.begin());
    Value *Nowhere = AtStart.CreateAlloca(ArrayType::get(B.getInt64Ty(), Bytes.Period / 8));
    B.CreateMemSet(Nowhere, B.getInt8(0), Bytes.Period, Align(8));
    B.CreateCall(moveAdjointRuns(*I.getModule(), Bytes, {}),
                 {To, Nowhere, B.CreateZExtOrTrunc(Length, B.getInt64Ty())});
    return;
  }
  forRuns(B, Bytes, Length, ByteRun::Floats,
          [&](const ByteRun &, Value *Offset, Value *Rows, Value *Stride, Value *Bytes) {
            clearRows(B, B.CreateInBoundsPtrAdd(To, Offset), {Rows, Stride, Bytes});
          });
}

Value *ForwardEmission::copiedBytes(AnyMemTransferInst &I) {
  return Replay ? Copied.lookup(&I) : primal(I.getRawSource());
}

/// Copies by way of one block where either side may be in pages.
void ForwardEmission::copyPaged(AnyMemTransferInst &I, unsigned Lane) {
  Value *Dest = I.getRawDest(), *Source = I.getRawSource();
  const Step &Todo = stepAt(I);
  bool HasShadow = Todo.Source != ShadowReach::None;
  bool PagedTo = Todo.Shadow == ShadowReach::Paged, PagedFrom = Todo.Source == ShadowReach::Paged;
  Value *Length = primal(I.getLength());
  if (!PagedTo)
    Length = zeroWhereOwn(B, isOwn(Dest, Todo.Shadow, Lane), Length);
  Value *From = HasShadow ? tangent(Source, Lane) : copiedBytes(I);
  Value *OwnFrom = HasShadow && !PagedFrom ? isOwn(Source, Todo.Source, Lane) : nullptr;
  if (Value *Bytes = OwnFrom && Replay ? copiedBytes(I) : nullptr)
    From = B.CreateSelect(OwnFrom, Bytes, From);
  ShadowBlock Read(B, PagedFrom, primal(Source), From, Length, {Lane, R.Level});
  ShadowBlock Write(B, PagedTo, primal(Dest), tangent(Dest, Lane), Length, {Lane, R.Level});
  if (Read.memory())
    B.CreateMemMove(Write.memory(), MaybeAlign(), Read.memory(), MaybeAlign(), Length);
  else
    B.CreateMemSet(Write.memory(), B.getInt8(0), Length, MaybeAlign());
  if (!HasShadow || OwnFrom)
    clearFloats(I, Write.memory(),
                OwnFrom ? zeroWhereOwn(B, B.CreateNot(OwnFrom), Length) : Length);
  Write.close(/*Written=*/true);
  Read.close(/*Written=*/false);
}

/// memcpy(p, q, n)  ->  memcpy(p.shadow, q.shadow, n); where q has no shadow, its
/// numbers do not vary: memset(p.shadow, 0, n), and addresses are copied as they are.
void ForwardEmission::copyShadow(AnyMemTransferInst &I, unsigned Lane) {
  const Step &Todo = stepAt(I);
  Value *To = tangent(I.getRawDest(), Lane), *Source = I.getRawSource();
  Value *OwnTo = isOwn(I.getRawDest(), Todo.Shadow, Lane);
  if (Todo.Data == ShadowData::Tangent) {
    Value *From = tangent(Source, Lane), *Length = shadowLength(I, From);
    Value *OwnFrom = isOwn(Source, Todo.Source, Lane);
    Length = zeroWhereOwn(B, OwnTo, Length);
    Value *There = Length;
    if (Value *Bytes = OwnFrom && Replay ? copiedBytes(I) : nullptr)
      From = B.CreateSelect(OwnFrom, Bytes, From);
    else if (Replay)
      There = zeroWhereOwn(B, OwnFrom, Length);
    insertCopy(I, {{0, To}, {1, From}, {2, There}});
    if (OwnFrom)
      clearFloats(I, To, zeroWhereOwn(B, B.CreateNot(OwnFrom), Length));
    return;
  }
  Value *Length = zeroWhereOwn(B, OwnTo, primal(I.getLength()));
  if (Todo.Data == ShadowData::Companion) {
    insertCopy(I, {{0, To}, {1, tangent(Source, Lane)}, {2, Length}});
    return;
  }
  if (Todo.Data == ShadowData::Address) {
    insertCopy(I, {{0, To}, {1, copiedBytes(I)}, {2, Length}});
    return clearFloats(I, To, Length);
  }
  B.CreateMemSet(To, B.getInt8(0), Length, I.getDestAlign(), I.isVolatile());
}

void ForwardEmission::visitCopy(AnyMemTransferInst &I) {
  const Step &Todo = stepAt(I);
  bool Paged = Todo.Shadow == ShadowReach::Paged || Todo.Source == ShadowReach::Paged;
  for (unsigned Lane = 0; Lane < R.Width && !Failure; ++Lane)
    Paged ? copyPaged(I, Lane) : copyShadow(I, Lane);
}

void ForwardEmission::visitFill(AnyMemIntrinsic &I) {
  Value *To = I.getRawDest();
  ShadowReach Reach = stepAt(I).Shadow;
  for (unsigned Lane = 0; Lane < R.Width && !Failure; ++Lane) {
    if (Reach == ShadowReach::Paged) {
      Value *Length = primal(I.getLength());
      ShadowBlock Block(B, true, primal(To), tangent(To, Lane), Length, {Lane, R.Level});
      B.CreateMemSet(Block.memory(), B.getInt8(0), Length, MaybeAlign());
      Block.close(/*Written=*/true);
    } else // The bytes are the same in every run of the program: tangent zero.
      insertCopy(I, {{0, tangent(To, Lane)},
                     {1, B.getInt8(0)},
                     {2, zeroWhereOwn(B, isOwn(To, Reach, Lane), primal(I.getLength()))}});
  }
}

/// free(p.shadow), unless shadow and primal are one: then it is free already.
void ForwardEmission::visitFree(CallBase &I) {
  Value *Freed = freedPointer(I, P.libraryInfo());
  unsigned Number = 0;
  while (I.getArgOperand(Number) != Freed)
    ++Number;
  B.SetInsertPoint(cast<Instruction>(primal(&I)));
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    Value *Shadow = tangent(Freed, Lane);
    Value *Same = B.CreateICmpEQ(Shadow, primal(Freed));
    Value *Null = Constant::getNullValue(Freed->getType());
    insertCopy(I, {{Number, B.CreateSelect(Same, Null, Shadow)}});
  }
}

} // namespace isozyme
