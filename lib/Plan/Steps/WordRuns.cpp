//===- WordRuns.cpp - Words that tell at run time what they are -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/Markings.h"
#include "isozyme/Plan/ByteRuns.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Types/BulkNotes.h"
#include "isozyme/Types/MemoryGraph.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace isozyme {

/// Larger records are moved by what is known of their bytes.
static constexpr uint64_t MostBytes = 256;
static constexpr uint64_t WordSize = WordContent::Size;

/// What is known of a word at one end or the other.
static MemoryLayout knownWord(ArrayRef<PointerTarget> Ends, uint64_t At, uint64_t Size,
                              const MemoryGraph &G) {
  MemoryLayout L;
  for (PointerTarget End : Ends)
    if (!L.isComplete())
      L = G.layoutOf(End.plus(At), Size);
  return L;
}

/// Is there neither a float nor an address?
static bool holdsOthers(const MemoryLayout &L) {
  return L.isComplete() && all_of(L.Runs, [](const TypedRun &Run) {
           return !Run.Type.isFloat() && Run.Type.kind() != ConcreteType::Pointer;
         });
}

/// The ends of \p M, if it moves or clears words of a known number. Less than a word may follow, as
/// the number that tells which member a variant has.
static SmallVector<const Value *, 2> endsOfWords(const MemIntrinsic &M) {
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  auto *Copy = dyn_cast<MemTransferInst>(&M);
  auto *Set = dyn_cast<MemSetInst>(&M);
  uint64_t Size = Length ? Length->getZExtValue() : 0;
  if (Size < WordSize || Size > MostBytes || M.getDestAlign().valueOrOne() < Align(WordSize) ||
      (Copy && Copy->getSourceAlign().valueOrOne() < Align(WordSize)) ||
      (Set && !match(Set->getValue(), PatternMatch::m_Zero())) ||
      M.getDataLayout().getPointerSize() != WordSize || acceleratorOf(*M.getModule()))
    return {};
  SmallVector<const Value *, 2> Ends = {M.getRawDest()};
  if (Copy)
    Ends.push_back(Copy->getRawSource());
  return Ends;
}

/// Loops that are run in parts repeat what moves addresses when derivatives are there already.
static bool runsInParts(const Module &M) {
  return any_of(M, [](const Function &F) { return F.hasFnAttribute(marking::Checkpointed); });
}

static NotedRun noteOf(const ByteRun &Run) {
  switch (Run.K) {
  case ByteRun::Others:
    return {Run.Size, ConcreteType::Anything};
  case ByteRun::Floats:
    return {Run.Size, ConcreteType::ofFloat(Run.Float)};
  case ByteRun::Addresses:
    return {Run.Size, ConcreteType::Pointer};
  case ByteRun::Either:
    return {Run.Size, std::nullopt};
  }
  llvm_unreachable("covered switch");
}

static ByteRun runOf(const NotedRun &Noted, uint64_t At) {
  if (!Noted.Type)
    return {At, Noted.Size, ByteRun::Either};
  if (Noted.Type->isFloat())
    return {At, Noted.Size, ByteRun::Floats, Noted.Type->floatType()};
  bool IsAddress = Noted.Type->kind() == ConcreteType::Pointer;
  return {At, Noted.Size, IsAddress ? ByteRun::Addresses : ByteRun::Others};
}

static std::optional<ByteRuns> notedWords(const MemIntrinsic &M) {
  ByteRuns Result;
  for (const NotedRun &Noted : notedMoves(M)) {
    Result.Runs.push_back(runOf(Noted, Result.Period));
    Result.Period += Noted.Size;
  }
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  bool Fits = Result.hasWords() && (!Length || Length->getZExtValue() % Result.Period == 0);
  return Fits ? std::optional(std::move(Result)) : std::nullopt;
}

void noteBulkWords(Function &F, const TypeResult &Types) {
  for (Instruction &I : instructions(F)) {
    auto *Bulk = dyn_cast<MemIntrinsic>(&I);
    std::optional<ByteRuns> Words = Bulk ? runsOfWords(*Bulk, Types) : std::nullopt;
    if (Words)
      noteMoves(*Bulk, map_to_vector(Words->Runs, [](const ByteRun &Run) { return noteOf(Run); }));
  }
}

std::optional<ByteRuns> runsOfWords(const MemIntrinsic &M, const TypeResult &Types) {
  if (std::optional<ByteRuns> Noted = notedWords(M))
    return Noted;
  SmallVector<PointerTarget, 2> Ends;
  for (const Value *End : endsOfWords(M))
    Ends.push_back(Types.placeOf(End));
  if (std::optional<MemoryLayout> Told =
          Types.elementsOf(cast<AnyMemIntrinsic>(static_cast<const Instruction &>(M)));
      Told && Told->isComplete())
    return std::nullopt;
  if (Ends.empty())
    return std::nullopt;
  ByteRuns Result;
  Result.Period = cast<ConstantInt>(M.getLength())->getZExtValue();
  SmallVector<WordContent, 4> Words = Types.memory().wordsOf(Ends, Result.Period);
  for (uint64_t At = 0; At < Result.Period; At += WordSize) {
    uint64_t Size = std::min(WordSize, Result.Period - At);
    WordContent Content = Size == WordSize ? Words[At / WordSize] : WordContent();
    MemoryLayout Known = knownWord(Ends, At, Size, Types.memory());
    if (Size < WordSize && !holdsOthers(Known))
      return std::nullopt;
    if (Size == WordSize &&
        (Content.isEither() || (Content.maybeDouble() && !Known.isComplete()))) {
      Result.Runs.push_back({At, WordSize, ByteRun::Either});
      continue;
    }
    if (!Known.isComplete())
      return std::nullopt;
    for (ByteRun R : ByteRuns(Known).Runs) {
      R.Offset += At;
      Result.Runs.push_back(R);
    }
  }
  return Result.hasWords() && !runsInParts(*M.getModule()) ? std::optional(std::move(Result))
                                                           : std::nullopt;
}

} // namespace isozyme
