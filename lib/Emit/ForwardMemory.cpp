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
#include "ForwardEmission.h"
#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Ops/KnownCalls.h"

using namespace llvm;

namespace isozyme {

void ForwardEmission::visitLoad(LoadInst &I) {
  Value *Ptr = I.getPointerOperand();
  bool FromShadow = hasShadow(Ptr) || (isa<Constant>(Ptr) && shadowOfInactive(Ptr));
  if (!FromShadow && !containsPointer(I.getType()))
    return setZero(I);
  emitMirrored(I);
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
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    Value *V = Copy ? primal(Stored) : tangent(Stored, Lane);
    insertCopy(I, {{0, V}, {1, tangent(Ptr, Lane)}});
  }
}

/// masked.store, masked.scatter and masked.compressstore: (value, pointer, mask).
void ForwardEmission::visitMaskedStore(IntrinsicInst &I) {
  Value *Stored = I.getArgOperand(0), *Ptr = I.getArgOperand(1);
  bool Copy = isPlainInteger(Stored, Ptr);
  if (!hasShadow(Ptr) || !(Copy || Activity.isActiveInstruction(&I)))
    return;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    Value *V = Copy ? primal(Stored) : tangent(Stored, Lane);
    insertCopy(I, {{0, V}, {1, tangent(Ptr, Lane)}});
  }
}

void ForwardEmission::visitAtomic(AtomicRMWInst &I) {
  Value *Ptr = I.getPointerOperand(), *Operand = I.getValOperand();
  if (!hasShadow(Ptr))
    return;
  AtomicRMWInst::BinOp Op = I.getOperation();
  if (Op == AtomicRMWInst::FAdd || Op == AtomicRMWInst::FSub) {
    forEachLane(I, [&](unsigned Lane) -> Value * {
      return insertCopy(I, {{0, tangent(Ptr, Lane)}, {1, tangent(Operand, Lane)}});
    });
    return;
  }
  // Counters and flags beside the numbers (reference counts).
  ConcreteType Held = Types.typeOf(Operand);
  bool Integers = I.getType()->isIntegerTy() && Op != AtomicRMWInst::Xchg;
  if (Integers || Held.kind() == ConcreteType::Integer)
    return isActive(&I) ? setZero(I) : void();
  fail(diffError(DiagId::ActiveAtomic, P.placeOf(&I),
                 Twine("no derivative is known for the atomic '") +
                     AtomicRMWInst::getOperationName(Op) + "' on differentiated memory",
                 "use an atomic addition, or keep differentiated data out of this memory"));
}

void ForwardEmission::visitCompareExchange(AtomicCmpXchgInst &I) {
  Value *Ptr = I.getPointerOperand();
  if (!hasShadow(Ptr) || isPlainInteger(I.getNewValOperand(), Ptr))
    return isActive(&I) ? setZero(I) : void();
  fail(diffError(DiagId::ActiveAtomic, P.placeOf(&I),
                 "a compare-and-exchange works on differentiated memory",
                 "use an atomic addition, or keep differentiated data out of this memory"));
}

/// memcpy(p, q, n)  ->  memcpy(p.shadow, q.shadow, n); where q has no shadow, its
/// numbers do not vary (and activity has shown that its pointers need no shadow):
/// memset(p.shadow, 0, n).
void ForwardEmission::copyShadow(AnyMemTransferInst &I, unsigned Lane) {
  Value *To = tangent(I.getRawDest(), Lane), *Source = I.getRawSource();
  if (hasShadow(Source)) {
    insertCopy(I, {{0, To}, {1, tangent(Source, Lane)}});
    return;
  }
  if (isa<Constant>(Source)) {
    if (Value *Shadow = shadowOfInactive(Source)) {
      insertCopy(I, {{0, To}, {1, Shadow}});
      return;
    }
  }
  B.CreateMemSet(To, B.getInt8(0), primal(I.getLength()), I.getDestAlign(), I.isVolatile());
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
    else // The bytes are the same in every run of the program: tangent zero.
      insertCopy(I, {{0, tangent(Memory->getRawDest(), Lane)}, {1, B.getInt8(0)}});
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
