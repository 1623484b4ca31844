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
#include "isozyme/Values/KnownMultiple.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace isozyme {

/// What is larger is moved by what is known of its bytes, or else word by word.
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

/// Is \p M one of the copies and fills in whose words it can be told what they are?
static bool hasWords(const MemIntrinsic &M) {
  auto *Set = dyn_cast<MemSetInst>(&M);
  return M.getDataLayout().getPointerSize() == WordSize && !acceleratorOf(*M.getModule()) &&
         (!Set || match(Set->getValue(), PatternMatch::m_Zero()));
}

static SmallVector<const Value *, 2> endsOf(const MemIntrinsic &M) {
  SmallVector<const Value *, 2> Ends = {M.getRawDest()};
  if (auto *Copy = dyn_cast<MemTransferInst>(&M))
    Ends.push_back(Copy->getRawSource());
  return Ends;
}

/// What \p M moves if its length is not known, or large, nor, for all that is known of its ends,
/// whether the words are doubles or addresses: a function that copies whatever it is given sees
/// both as one memory.
static std::optional<ByteRuns> wordsOfAnyNumber(const MemIntrinsic &M, const TypeResult &Types) {
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  uint64_t Size = Length ? Length->getZExtValue() : 0;
  if (!isa<MemTransferInst>(M) || distanceMultiple(*M.getLength(), M.getDataLayout()) % WordSize)
    return std::nullopt;
  SmallVector<const Value *, 2> Ends = endsOf(M);
  auto Anywhere = map_to_vector<2>(
      Ends, [&](const Value *End) { return Types.placeOf(End).plus(0, WordSize); });
  if (!Types.memory().wordsOf(Anywhere, WordSize).front().isEither())
    return std::nullopt;
  for (const Value *End : Ends)
    if (MemoryLayout L = Types.layoutOf(End, Size);
        L.isComplete() && !Types.hidesOthers(Ends, L, Length != nullptr))
      return std::nullopt;
  return ByteRuns::words();
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
  if (!hasWords(M) || runsInParts(*M.getModule()))
    return std::nullopt;
  if (std::optional<MemoryLayout> Told =
          Types.elementsOf(cast<AnyMemIntrinsic>(static_cast<const Instruction &>(M)));
      Told && Told->isComplete())
    return std::nullopt;
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  ByteRuns Result;
  Result.Period = Length ? Length->getZExtValue() : 0;
  if (!Length || Result.Period > MostBytes)
    return wordsOfAnyNumber(M, Types);
  if (Result.Period < WordSize)
    return std::nullopt;
  auto Ends = map_to_vector<2>(endsOf(M), [&](const Value *End) { return Types.placeOf(End); });
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
  return Result.hasWords() ? std::optional(std::move(Result)) : std::nullopt;
}

} // namespace isozyme
