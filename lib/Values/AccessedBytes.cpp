//===- AccessedBytes.cpp - How far an address is used ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/AccessedBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Follows an address through constant distances. Each use becomes the bytes from the address to
/// what is accessed through it: so an address lies in the part that it leads to.
class UseWalk {
public:
  UseWalk(const DataLayout &DL, SpanQuery OfCall) : DL(DL), OfCall(OfCall) {}

  /// False: an address may be used to access anything.
  bool follow(const Value &Address, int64_t At) {
    return all_of(Address.uses(), [&](const Use &U) { return see(U, At); });
  }

  SmallVector<ByteSpan, 8> Spans;

private:
  bool access(int64_t At, ByteSpan Bytes) {
    Spans.push_back({At + std::min<int64_t>(Bytes.First, 0), At + std::max<int64_t>(Bytes.End, 1)});
    return true;
  }

  bool access(int64_t At, Type *T) {
    const TypeSize Size = DL.getTypeStoreSize(T);
    return !Size.isScalable() && access(At, {0, static_cast<int64_t>(Size.getFixedValue())});
  }

  bool see(const Use &U, int64_t At) {
    auto *I = cast<Instruction>(U.getUser());
    if (auto *GEP = dyn_cast<GetElementPtrInst>(I)) {
      APInt Distance(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
      return GEP->getType()->isPointerTy() && GEP->accumulateConstantOffset(DL, Distance) &&
             follow(*GEP, At + Distance.getSExtValue());
    }
    if (auto *L = dyn_cast<LoadInst>(I))
      return access(At, L->getType());
    if (auto *S = dyn_cast<StoreInst>(I))
      return U.getOperandNo() == StoreInst::getPointerOperandIndex() &&
             access(At, S->getValueOperand()->getType());
    if (auto *Call = dyn_cast<CallBase>(I))
      return seeCall(*Call, U, At);
    return isa<ICmpInst>(I);
  }

  bool seeCall(const CallBase &Call, const Use &U, int64_t At) {
    auto *II = dyn_cast<IntrinsicInst>(&Call);
    if (II && (II->isLifetimeStartOrEnd() || isa<AssumeInst, DbgInfoIntrinsic>(II)))
      return true;
    if (auto *Bulk = dyn_cast<MemIntrinsic>(&Call)) {
      auto *Length = dyn_cast<ConstantInt>(Bulk->getLength());
      return Length && access(At, {0, static_cast<int64_t>(Length->getLimitedValue(INT32_MAX))});
    }
    if (!Call.isArgOperand(&U) || Call.isByValArgument(Call.getArgOperandNo(&U)))
      return false;
    std::optional<ByteSpan> Bytes = OfCall(Call, Call.getArgOperandNo(&U));
    return Bytes && access(At, *Bytes);
  }

  const DataLayout &DL;
  SpanQuery OfCall;
};

} // namespace

std::optional<SmallVector<ByteSpan, 8>> accessesThrough(const Value &Address, const DataLayout &DL,
                                                        SpanQuery OfCall) {
  UseWalk Walk(DL, OfCall);
  if (!Walk.follow(Address, 0))
    return std::nullopt;
  return std::move(Walk.Spans);
}

std::optional<ByteSpan> bytesAccessed(const Argument &A, SpanQuery OfCall) {
  if (!A.getType()->isPointerTy())
    return std::nullopt;
  auto Spans = accessesThrough(A, A.getParent()->getDataLayout(), OfCall);
  if (!Spans)
    return std::nullopt;
  ByteSpan All;
  for (const ByteSpan &Each : *Spans)
    All = {std::min(All.First, Each.First), std::max(All.End, Each.End)};
  return All;
}

SmallVector<ByteSpan, 2> partsOf(const AllocaInst &Local, SpanQuery OfCall) {
  SmallVector<ByteSpan, 2> Parts;
  auto Spans = accessesThrough(Local, Local.getModule()->getDataLayout(), OfCall);
  if (!Spans)
    return Parts;
  sort(*Spans, [](const ByteSpan &A, const ByteSpan &B) { return A.First < B.First; });
  for (const ByteSpan &Each : *Spans)
    if (!Parts.empty() && Each.First < Parts.back().End)
      Parts.back().End = std::max(Parts.back().End, Each.End);
    else
      Parts.push_back(Each);
  return Parts;
}

} // namespace isozyme
