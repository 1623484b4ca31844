//===- BulkLayout.cpp - What memcpy and memset move -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/BulkLayout.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Types/MemoryGraph.h"
#include "isozyme/Values/LengthBound.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

static bool isComplete(const MemoryLayout &L) {
  return L.Period && all_of(L.Runs, [](const TypedRun &R) { return R.Type.isKnown(); });
}

/// Elements that nothing reads or writes one by one are of the type that all others
/// of their array have. Empty where they are not known to be in such an array.
static MemoryLayout asPartOfArray(const ReverseFacts &F, const Value *Start, uint64_t Size) {
  MemoryLayout Array = F.Types.layoutOf(Start, 0);
  bool Fits = isComplete(Array) && Array.Runs.size() == 1 && Size % Array.Period == 0;
  return Fits ? Array : MemoryLayout();
}

/// A string, a table of numbers: constant, and without addresses.
static bool isPlainConstant(const Value *Source) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Source));
  return G && G->isConstant() && G->hasDefinitiveInitializer() &&
         !G->getInitializer()->needsRelocation();
}

/// Whatever floats there are behind such bytes, they start without derivative: all is
/// cleared, as if it were floats.
static MemoryLayout bytesWithoutDerivative(LLVMContext &C) {
  MemoryLayout L;
  L.Period = 1;
  L.Runs.push_back({0, 1, ConcreteType::ofFloat(Type::getFloatTy(C))});
  return L;
}

/// Is this the first access to a local variable, and does it run once?
static bool isFirstUse(const MemSetInst &M) {
  auto *Local = dyn_cast<AllocaInst>(M.getRawDest());
  return Local && Local->isStaticAlloca() && M.getParent()->isEntryBlock() &&
         none_of(Local->users(), [&](const User *U) {
           auto *I = cast<Instruction>(U);
           return I->getParent() == M.getParent() && I->comesBefore(&M);
         });
}

/// Larger objects are not looked at member by member.
static constexpr uint64_t MaxObject = 8192;

/// A copy or fill whose length is not known is one of the first bytes of what lies at \p End,
/// up to the end of the object or the largest length there may be.
static MemoryLayout asStartOfObject(const ReverseFacts &F, const MemIntrinsic &M,
                                    const Value *End) {
  uint64_t Most = mostBytes(*M.getLength()), Object = Most;
  getObjectSize(End, Object, M.getDataLayout(), &F.P.libraryInfo());
  uint64_t Size = std::min(Most, Object);
  if (!Size || Size > MaxObject)
    return {};
  MemoryLayout L = F.Types.layoutOf(End, Size);
  // The blocks of a heap may be larger than what was asked for; nobody reads what lies there.
  auto *Copy = dyn_cast<MemTransferInst>(&M);
  if (Size < Most && Copy && isLimitedByBlockSize(*Copy)) {
    if (Most > MaxObject)
      return {};
    L.Runs.push_back({Size, Most - Size, ConcreteType::Anything});
    L.Period = Most;
  }
  return L;
}

Expected<MemoryLayout> bulkLayout(const ReverseFacts &F, const MemIntrinsic &M) {
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  uint64_t Size = Length ? Length->getZExtValue() : 0;
  if (std::optional<MemoryLayout> Own =
          F.Types.elementsOf(cast<AnyMemIntrinsic>(static_cast<const Instruction &>(M))))
    return isComplete(*Own) ? *Own : Expected<MemoryLayout>(unknownBytes(F.P, M));
  SmallVector<const Value *, 2> Ends = {M.getRawDest()};
  if (auto *Copy = dyn_cast<MemTransferInst>(&M))
    Ends.push_back(Copy->getRawSource());
  for (const Value *End : Ends)
    if (MemoryLayout L = F.Types.layoutOf(End, Size); isComplete(L)) {
      if (F.Types.hidesOthers(Ends, L, Length != nullptr))
        return unknownBytes(F.P, M);
      return L;
    }
  for (const Value *End : Ends)
    if (MemoryLayout L = asPartOfArray(F, End, Size); isComplete(L))
      return L;
  for (const Value *End : Ends)
    if (MemoryLayout L = Length ? MemoryLayout() : asStartOfObject(F, M, End); isComplete(L))
      return L;
  if (auto *Copy = dyn_cast<MemTransferInst>(&M); Copy &&
                                                  !F.Activity.isActiveValue(Copy->getRawSource()) &&
                                                  isPlainConstant(Copy->getRawSource()))
    return bytesWithoutDerivative(M.getContext());
  // No address consists of eight bytes that are all alike, but for null; text may be filled up.
  if (auto *Set = dyn_cast<MemSetInst>(&M);
      Set && isa<ConstantInt>(Set->getValue()) && !cast<ConstantInt>(Set->getValue())->isZero())
    return bytesWithoutDerivative(M.getContext());
  // The shadow of a local starts as zeros, addresses included.
  if (auto *Set = dyn_cast<MemSetInst>(&M); Set && isFirstUse(*Set))
    return bytesWithoutDerivative(M.getContext());
  return unknownBytes(F.P, M);
}

Error unknownBytes(const PreparedFunction &P, const IntrinsicInst &M) {
  bool Sets = isa<AnyMemSetInst>(M);
  std::string Name = P.describeMemory(M.getArgOperand(0));
  if (!Sets && Name.empty())
    Name = P.describeMemory(M.getArgOperand(1));
  StringRef Done = Sets ? "set" : "copied";
  return diffError(DiagId::UnknownType, P.placeOf(&M),
                   "cannot deduce what the memory " + (Name.empty() ? "" : "of " + Name + " ") +
                       "that is " + Done +
                       " here holds: nothing in this function or its callers reads or writes it "
                       "as numbers",
                   "say so by a call of __enzyme_double(pointer, bytes), or access it as its real "
                   "type");
}

} // namespace isozyme
