//===- DeviceTape.cpp - Memory for tapes that a program sets aside --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each piece is taken by one atomic addition, and none is given back during a launch: pieces of
// different threads, and of kernels that run at the same time, never overlap, and what was asked
// for is known when the launch is done.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/DeviceTape.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static constexpr unsigned WordBytes = 8, PieceAlign = 16;
/// More than any GPU has, and so little that the sum of a million such pieces can be counted.
static constexpr uint64_t MaxPiece = uint64_t(1) << 43;

namespace {
enum Word : uint8_t { Address, Size, Used };
} // namespace

GlobalVariable *deviceTape(const Module &M) {
  auto *Tape = acceleratorOf(M) ? const_cast<Module &>(M).getNamedGlobal("isozyme_tape") : nullptr;
  bool Fits = Tape && M.getDataLayout().getTypeAllocSize(Tape->getValueType()) == 3 * WordBytes;
  return Fits ? Tape : nullptr;
}

static Value *at(IRBuilderBase &B, Word Which) {
  GlobalVariable *Tape = deviceTape(*B.GetInsertBlock()->getModule());
  return B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), Tape, Which * WordBytes);
}

/// What was asked for before.
static Value *askFor(IRBuilderBase &B, Value *Pieces) {
  const Accelerator &Machine = *acceleratorOf(*B.GetInsertBlock()->getModule());
  SyncScope::ID Scope = B.getContext().getOrInsertSyncScopeID(Machine.addingScope());
  return B.CreateAtomicRMW(AtomicRMWInst::Add, at(B, Used), Pieces, MaybeAlign(),
                           AtomicOrdering::Monotonic, Scope);
}

Value *sizeOfPiece(IRBuilderBase &B, Value *Bytes) {
  Value *Some = B.CreateBinaryIntrinsic(Intrinsic::umin, Bytes, B.getInt64(MaxPiece));
  return B.CreateAnd(B.CreateAdd(Some, B.getInt64(PieceAlign - 1)),
                     B.getInt64(-uint64_t(PieceAlign)));
}

Value *takePiece(IRBuilderBase &B, Value *Bytes, const Twine &Name) {
  Value *Whole = sizeOfPiece(B, Bytes);
  Value *Start = askFor(B, Whole);
  Value *All = B.CreateLoad(B.getInt64Ty(), at(B, Size));
  Value *Memory = B.CreateLoad(B.getPtrTy(), at(B, Address));
  Value *Fits =
      B.CreateAnd(B.CreateICmpULE(Start, All), B.CreateICmpULE(Whole, B.CreateSub(All, Start)));
  return B.CreateSelect(Fits, B.CreateGEP(B.getInt8Ty(), Memory, Start),
                        ConstantPointerNull::get(B.getPtrTy()), Name);
}

Value *onlyCounts(IRBuilderBase &B) {
  return B.CreateIsNull(B.CreateLoad(B.getPtrTy(), at(B, Address)), "counts");
}

void countPieces(IRBuilderBase &B, Value *Pieces) { askFor(B, Pieces); }

} // namespace isozyme
