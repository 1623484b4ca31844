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
#include "OwnShadow.h"
#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Types/TypeResult.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Needs/BulkLayout.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Support/TypeContents.h"

using namespace llvm;

namespace isozyme {

static bool isAddress(const Instruction &I, const TypeResult &Types) {
  return I.getType()->isPtrOrPtrVectorTy() || Types.typeOf(&I).kind() == ConcreteType::Pointer;
}

Value *ForwardEmission::whatOwnHolds(Instruction &I) {
  return isAddress(I, Types) ? primal(&I) : Constant::getNullValue(I.getType());
}

/// The tangent of what is read through \p Ptr is zero where the shadow is the memory
/// itself; an address read there is its own shadow, as it stands.
void ForwardEmission::clearWhereOwn(Instruction &I, Value *Ptr) {
  if (isAddress(I, Types) || Activity.checkOf(Ptr) == ShadowCheck::None || !hasTangent(&I))
    return;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    Value *&T = Tangents[&I][Lane];
    T = zeroWhereOwn(B, isOwn(Ptr, Lane), T);
  }
}

void ForwardEmission::visitLoad(LoadInst &I) {
  if (Activity.isOwnShadow(&I))
    return;
  Value *Ptr = I.getPointerOperand();
  bool FromShadow = hasShadow(Ptr) || (isa<Constant>(Ptr) && shadowOfInactive(Ptr));
  if (!FromShadow && !containsPointer(I.getType()))
    return setZero(I);
  if (inPages(Ptr, *I.getType(), I.getAlign()))
    return loadPaged(I);
  stopWhereOwn(I, Ptr);
  if (Replay)
    return loadInReplay(I);
  emitMirrored(I);
  clearWhereOwn(I, Ptr);
}

void ForwardEmission::loadInReplay(LoadInst &I) {
  Value *Ptr = I.getPointerOperand();
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *From = shadowToAccess(Ptr, I.getType(), Lane);
    Value *T = insertCopy(I, {{0, From}}), *Own = isOwn(Ptr, Lane);
    return Own ? B.CreateSelect(Own, whatOwnHolds(I), T) : T;
  });
}

/// masked.load, masked.gather and masked.expandload: (pointer, mask, other).
void ForwardEmission::visitMaskedLoad(CallBase &I) {
  Value *Ptr = I.getArgOperand(0), *Mask = I.getArgOperand(1), *Other = I.getArgOperand(2);
  stopWhereOwn(I, Ptr);
  if (!Replay && Activity.checkOf(Ptr) == ShadowCheck::None)
    return emitMirrored(I);
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *Own = isOwn(Ptr, Lane), *Read = primal(Mask), *Else = tangent(Other, Lane);
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

bool ForwardEmission::inPages(Value *Ptr, const Type &T, Align A) const {
  return Activity.checkOf(Ptr) == ShadowCheck::Page &&
         fitsPage(T, A, P.function().getDataLayout());
}

/// An address that nobody has stored a shadow of is its own shadow.
void ForwardEmission::loadPaged(LoadInst &I) {
  Value *Ptr = I.getPointerOperand();
  bool Address = I.getType()->isPointerTy();
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *At = pagedShadow(B, primal(Ptr), tangent(Ptr, Lane), {Lane, R.Level});
    Value *T = insertCopy(I, {{0, At}});
    return Address ? B.CreateSelect(B.CreateIsNull(T), primal(&I), T) : T;
  });
}

void ForwardEmission::stopWhereOwn(Instruction &I, Value *Ptr) {
  for (unsigned Lane = 0; Lane < R.Width; ++Lane)
    if (Activity.checkOf(Ptr) == ShadowCheck::Page)
      emitStop(B, anyOf(B, isOwn(Ptr, Lane)), P, &I);
}

/// Is the shadow of \p Ptr the memory itself? Null where that cannot be.
Value *ForwardEmission::isOwn(Value *Ptr, unsigned Lane) {
  if (Replay && tangent(Ptr, Lane) == primal(Ptr))
    return ConstantInt::getTrue(CmpInst::makeCmpResultType(Ptr->getType()));
  if (Activity.checkOf(Ptr) == ShadowCheck::None)
    return nullptr;
  return B.CreateICmpEQ(tangent(Ptr, Lane), primal(Ptr));
}

Value *ForwardEmission::shadowToAccess(Value *Ptr, Type *T, unsigned Lane) {
  Value *Own = Replay ? isOwn(Ptr, Lane) : nullptr;
  if (!Own)
    return tangent(Ptr, Lane);
  IRBuilder<> Start(&Shell.getEntryBlock(), Shell.getEntryBlock().begin());
  Value *Elsewhere = Start.CreateAlloca(T, nullptr, "elsewhere");
  return B.CreateSelect(Own, Elsewhere, tangent(Ptr, Lane));
}

/// Data that has no tangent, so that its shadow is a plain copy. What only might
/// be an integer counts as a float: a zero tangent is never wrong, for shadow
/// integers are not read.
bool ForwardEmission::isPlainInteger(Value *V, Value *Ptr) const {
  if (!V->getType()->isIntOrIntVectorTy() || isActive(V))
    return false;
  if (!isa<Constant>(V))
    return Types.typeOf(V).kind() == ConcreteType::Integer;
  uint64_t Size = P.function().getDataLayout().getTypeStoreSize(V->getType());
  return Types.layoutOf(Ptr, Size).uniform().kind() == ConcreteType::Integer;
}

void ForwardEmission::visitStore(StoreInst &I) {
  Value *Ptr = I.getPointerOperand(), *Stored = I.getValueOperand();
  bool Copy = isPlainInteger(Stored, Ptr);
  if (!hasShadow(Ptr) || !(Copy || Activity.isActiveInstruction(&I)))
    return;
  // An address of memory without shadow leads to itself.
  bool Itself = Stored->getType()->isPointerTy() && !isActive(Stored) && !shadowOfInactive(Stored);
  Lanes Values, Addresses;
  for (unsigned Lane = 0; Lane < R.Width && !Failure; ++Lane) {
    Value *V = Copy || Itself ? primal(Stored) : tangent(Stored, Lane);
    if (inPages(Ptr, *Stored->getType(), I.getAlign())) {
      insertCopy(I, {{0, V}, {1, pagedShadow(B, primal(Ptr), tangent(Ptr, Lane), {Lane, R.Level})}});
      continue;
    }
    // What has no shadow gets what it holds already.
    if (Value *Own = isOwn(Ptr, Lane); Own && !Copy) {
      stopWhereLost(Own, Stored, V, Ptr);
      V = B.CreateSelect(Own, primal(Stored), V);
    }
    insertCopy(I, {{0, V}, {1, shadowToAccess(Ptr, Stored->getType(), Lane)}});
    Values.push_back(V);
    Addresses.push_back(tangent(Ptr, Lane));
  }
  if (!Failure && !Addresses.empty())
    watch(I, Values, Addresses);
}

/// Stops the program where a derivative would be stored in memory that nobody has
/// declared to be without.
void ForwardEmission::stopWhereLost(Value *Own, Value *Stored, Value *Shadow, Value *Ptr) {
  if (Activity.checkOf(Ptr) != ShadowCheck::Page || !isActive(Stored))
    return;
  if (Stored->getType()->isPointerTy())
    Own = B.CreateAnd(Own, B.CreateICmpNE(Shadow, primal(Stored)));
  emitStop(B, Own, P, Current);
}

/// masked.store, masked.scatter and masked.compressstore: (value, pointer, mask).
void ForwardEmission::visitMaskedStore(IntrinsicInst &I) {
  Value *Stored = I.getArgOperand(0), *Ptr = I.getArgOperand(1);
  bool Copy = isPlainInteger(Stored, Ptr);
  if (!hasShadow(Ptr) || !(Copy || Activity.isActiveInstruction(&I)))
    return;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    Value *V = Copy ? primal(Stored) : tangent(Stored, Lane);
    Value *Mask = primal(I.getArgOperand(2));
    if (Value *Own = isOwn(Ptr, Lane)) {
      stopWhereLost(anyOf(B, Own), Stored, V, Ptr);
      Mask = B.CreateSelect(Own, Constant::getNullValue(Mask->getType()), Mask);
    }
    insertCopy(I, {{0, V}, {1, tangent(Ptr, Lane)}, {2, Mask}});
  }
}

void ForwardEmission::visitAtomic(AtomicRMWInst &I) {
  Value *Ptr = I.getPointerOperand(), *Operand = I.getValOperand();
  if (!hasShadow(Ptr))
    return;
  AtomicRMWInst::BinOp Op = I.getOperation();
  if (Op == AtomicRMWInst::FAdd || Op == AtomicRMWInst::FSub) {
    auto add = [&](Value *To, Value *T) -> Value * {
      return R.Dependence ? uniteAtomically(B, I, To, T) : insertCopy(I, {{0, To}, {1, T}});
    };
    forEachLane(I, [&](unsigned Lane) -> Value * {
      if (inPages(Ptr, *I.getType(), I.getAlign()))
        return add(pagedShadow(B, primal(Ptr), tangent(Ptr, Lane), {Lane, R.Level}),
                   tangent(Operand, Lane));
      Value *Own = isOwn(Ptr, Lane), *T = zeroWhereOwn(B, Own, tangent(Operand, Lane));
      if (Own)
        stopWhereLost(Own, Operand, T, Ptr);
      return zeroWhereOwn(B, Own, add(shadowToAccess(Ptr, I.getType(), Lane), T));
    });
    return;
  }
  // Counters and flags beside the numbers (reference counts).
  if (worksOnInteger(I, Types))
    return isActive(&I) ? setZero(I) : void();
  fail(diffError(DiagId::ActiveAtomic, P.placeOf(&I),
                 Twine("no derivative is known for the atomic '") +
                     AtomicRMWInst::getOperationName(Op) + "' on differentiated memory",
                 "use an atomic addition, or keep differentiated data out of this memory"));
}

void ForwardEmission::visitCompareExchange(AtomicCmpXchgInst &I) {
  Value *Ptr = I.getPointerOperand();
  if (!hasShadow(Ptr) || worksOnInteger(I, Types))
    return isActive(&I) ? setZero(I) : void();
  fail(diffError(DiagId::ActiveAtomic, P.placeOf(&I),
                 "a compare-and-exchange works on differentiated memory",
                 "add by 'atomic_fetch_add' ('+=' on an _Atomic number is an exchange), or keep "
                 "differentiated data out of this memory"));
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
  auto *Known = dyn_cast<ConstantInt>(I.getLength());
  uint64_t Size = Known ? Known->getZExtValue() : 0;
  MemoryLayout L = Types.layoutOf(I.getRawDest(), Size);
  if (!L.isComplete())
    L = Types.layoutOf(I.getRawSource(), Size);
  if (!L.isComplete())
    return fail(unknownBytes(P, I));
  forRuns(B, ByteRuns(L), Length, ByteRun::Floats,
          [&](const ByteRun &, Value *Offset, Value *Rows, Value *Stride, Value *Bytes) {
            clearRows(B, B.CreateInBoundsPtrAdd(To, Offset), {Rows, Stride, Bytes});
          });
}

/// Is an address among what \p I copies that is read as one with a shadow?
bool ForwardEmission::copiesAddresses(AnyMemTransferInst &I) const {
  auto *Known = dyn_cast<ConstantInt>(I.getLength());
  MemoryLayout L = Types.layoutOf(I.getRawDest(), Known ? Known->getZExtValue() : 0);
  return L.isComplete() && any_of(L.Runs, [](const TypedRun &Run) {
           return Run.Type.kind() == ConcreteType::Pointer;
         });
}

Value *ForwardEmission::copiedBytes(AnyMemTransferInst &I) {
  return Replay ? Copied.lookup(&I) : primal(I.getRawSource());
}

/// Copies by way of one block where either side may be in pages.
bool ForwardEmission::copyPaged(AnyMemTransferInst &I, unsigned Lane) {
  Value *Dest = I.getRawDest(), *Source = I.getRawSource();
  bool PagedTo = Activity.checkOf(Dest) == ShadowCheck::Page;
  bool PagedFrom = hasShadow(Source) && Activity.checkOf(Source) == ShadowCheck::Page;
  if (!PagedTo && !PagedFrom)
    return false;
  Value *Length = primal(I.getLength());
  Value *From = hasShadow(Source) ? tangent(Source, Lane) : copiedBytes(I);
  Value *OwnFrom = hasShadow(Source) && !PagedFrom ? isOwn(Source, Lane) : nullptr;
  if (Value *Bytes = OwnFrom && Replay ? copiedBytes(I) : nullptr)
    From = B.CreateSelect(OwnFrom, Bytes, From);
  ShadowBlock Read(B, PagedFrom, primal(Source), From, Length, {Lane, R.Level});
  ShadowBlock Write(B, PagedTo, primal(Dest), tangent(Dest, Lane), Length, {Lane, R.Level});
  if (Read.memory())
    B.CreateMemMove(Write.memory(), MaybeAlign(), Read.memory(), MaybeAlign(), Length);
  else
    B.CreateMemSet(Write.memory(), B.getInt8(0), Length, MaybeAlign());
  if (!hasShadow(Source) || OwnFrom)
    clearFloats(I, Write.memory(),
                OwnFrom ? zeroWhereOwn(B, B.CreateNot(OwnFrom), Length) : Length);
  Write.close(/*Written=*/true);
  Read.close(/*Written=*/false);
  return true;
}

/// memcpy(p, q, n)  ->  memcpy(p.shadow, q.shadow, n); where q has no shadow, its
/// numbers do not vary: memset(p.shadow, 0, n), and addresses are copied as they are.
void ForwardEmission::copyShadow(AnyMemTransferInst &I, unsigned Lane) {
  Value *To = tangent(I.getRawDest(), Lane), *Source = I.getRawSource();
  if (copyPaged(I, Lane))
    return;
  Value *OwnTo = isOwn(I.getRawDest(), Lane);
  if (hasShadow(Source)) {
    Value *From = tangent(Source, Lane), *Length = shadowLength(I, From);
    Value *OwnFrom = isOwn(Source, Lane);
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
  if (isa<Constant>(Source)) {
    if (Value *Shadow = shadowOfInactive(Source)) {
      insertCopy(I, {{0, To}, {1, Shadow}, {2, Length}});
      return;
    }
  }
  if (copiesAddresses(I)) {
    insertCopy(I, {{0, To}, {1, copiedBytes(I)}, {2, Length}});
    return clearFloats(I, To, Length);
  }
  B.CreateMemSet(To, B.getInt8(0), Length, I.getDestAlign(), I.isVolatile());
}

void ForwardEmission::visitBulkMemory(CallBase &I) {
  auto *Memory = dyn_cast<AnyMemIntrinsic>(&I);
  if (!Memory)
    return failUnknown(I);
  if (!hasShadow(Memory->getRawDest()))
    return;
  for (unsigned Lane = 0; Lane < R.Width && !Failure; ++Lane) {
    if (auto *Transfer = dyn_cast<AnyMemTransferInst>(Memory))
      copyShadow(*Transfer, Lane);
    else if (Activity.checkOf(Memory->getRawDest()) == ShadowCheck::Page) {
      Value *To = Memory->getRawDest(), *Length = primal(Memory->getLength());
      ShadowBlock Block(B, true, primal(To), tangent(To, Lane), Length, {Lane, R.Level});
      B.CreateMemSet(Block.memory(), B.getInt8(0), Length, MaybeAlign());
      Block.close(/*Written=*/true);
    } else // The bytes are the same in every run of the program: tangent zero.
      insertCopy(I, {{0, tangent(Memory->getRawDest(), Lane)},
                     {1, B.getInt8(0)},
                     {2, zeroWhereOwn(B, isOwn(Memory->getRawDest(), Lane),
                                      primal(Memory->getLength()))}});
  }
}

/// free(p.shadow), unless shadow and primal are one: then it is free already.
void ForwardEmission::visitFree(CallBase &I) {
  Value *Freed = freedPointer(I, P.libraryInfo());
  if (!Freed)
    return fail(diffError(DiagId::Allocation, P.placeOf(&I),
                          "memory with a shadow is released in a way that cannot be mirrored",
                          "release it with free or delete"));
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
