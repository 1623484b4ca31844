//===- LocalBlock.cpp - Locals that outlive the forward half --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only where the thread keeps the memory of tapes: what malloc gives stays apart, so that checkers
// of memory see the end of each local, and a derivative of the derivative what lies in it.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Tape/LocalBlock.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/PlanWords.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

/// What the memory of tapes is aligned to.
constexpr uint64_t AlignOfTapes = 16;
/// A few members, or a few elements: nothing that loops run over.
constexpr uint64_t MostBytesOfSmall = 64;

static uint64_t bytesOf(const AllocaInst &Local) {
  return Local.getAllocationSize(Local.getDataLayout())->getFixedValue();
}

void LocalBlock::add(AllocaInst *Local, Part Which, unsigned Lanes) {
  uint64_t Stride = alignTo(std::max<uint64_t>(bytesOf(*Local), 1), AlignOfTapes);
  Members.push_back({Local, Which, Bytes, Stride});
  Bytes += Stride * Lanes;
}

const LocalBlock::Member *LocalBlock::find(const AllocaInst *Local, Part Which) const {
  const auto *It =
      find_if(Members, [&](const Member &M) { return M.Local == Local && M.Which == Which; });
  return It == Members.end() ? nullptr : It;
}

void LocalBlock::print(raw_ostream &OS) const {
  if (Members.empty())
    return;
  OS << "    locals in one block of " << Bytes << " bytes:";
  for (const Member &M : Members)
    OS << ' ' << operandName(M.Local) << ' ' << M.Which << " at +" << M.Offset
       << (&M == &Members.back() ? "\n" : ",");
}

const char *whyApart(const DerivativePlan &Plan, AllocaInst *Local, Part Which) {
  if (!Plan.Request.isSplit() || Plan.Tape.memory() != TapeMemory::Thread)
    return "whose tape is not in memory of the thread";
  if (!Plan.onHeap(Local, Which))
    return "that does not outlive its half";
  if (!Local->isStaticAlloca() || Local->getAllocatedType()->isScalableTy())
    return "whose size is not constant";
  if (bytesOf(*Local) > MostBytesOfSmall || Local->getAlign().value() > AlignOfTapes)
    return "that is large";
  return nullptr;
}

LocalBlock findLocalBlock(const DerivativePlan &Plan) {
  LocalBlock Block;
  if (!Plan.Request.isSplit())
    return Block;
  for (Instruction &I : Plan.P.function().getEntryBlock())
    if (auto *Local = dyn_cast<AllocaInst>(&I))
      for (Part Which : {Part::Shadow, Part::Primal})
        if (!whyApart(Plan, Local, Which))
          Block.add(Local, Which, Which == Part::Shadow ? Plan.Request.Width : 1);
  bool IsOneAlone = Block.members().size() == 1 && Block.bytes() == Block.members()[0].Stride;
  return IsOneAlone ? LocalBlock() : Block;
}

} // namespace isozyme
