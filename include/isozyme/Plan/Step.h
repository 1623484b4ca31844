//===- Step.h - What a derivative does for one instruction -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_STEP_H
#define ISOZYME_PLAN_STEP_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace llvm {
class Type;
} // namespace llvm

namespace isozyme {

/// What forward mode does for one instruction beside the primal's.
enum class TangentStep : uint8_t {
  Nothing,
  Zero,        ///< Its tangent is zero.
  Rule,        ///< Its tangent is the sum of its operands' shares, by the rule table.
  Mirror,      ///< The same instruction moves tangents and shadows.
  Unite,       ///< Dependences: a choice by value counts with both of its sides.
  MoveAddress, ///< An address in an integer: its shadow is moved by the same distance.
  MoveFloats,  ///< Whole floats in an integer: their tangents are moved likewise.
  Join,        ///< Phi: of tangents.
  Reduce,      ///< A sum over the elements of a vector: of tangents.
  Load,        ///< Loads from shadow memory.
  MaskedLoad,  ///< Load, under a mask.
  Store,       ///< Stores in shadow memory.
  MaskedStore, ///< Store, under a mask.
  Atomic,      ///< Adds in shadow memory, at once.
  Copy,        ///< Copies in shadow memory.
  Clear,       ///< Sets shadow memory to zero.
  Release,     ///< Releases shadow memory.
  Call,        ///< The derivative of the callee is called instead.
  Stop,        ///< The program ends.
  Return,      ///< Returns the tangent, where that is asked for.
};

/// What forward mode stores in shadow memory, or copies there.
enum class ShadowData : uint8_t {
  Tangent,   ///< The tangent, or shadow, of what the primal stores.
  Number,    ///< An integer as it is: no step reads a tangent there.
  Address,   ///< Addresses of memory without a shadow as they are; floats among them are zero.
  Companion, ///< What the shadow of a constant holds.
  Zero,      ///< Zeros: what is copied does not vary.
};

/// What the forward sweep of a reverse derivative does beside the primal's instruction.
enum class SweepStep : uint8_t {
  Nothing,
  MakeShadow,     ///< Memory begins: its shadow is made, and zero.
  LoadAddress,    ///< Its shadow is loaded from shadow memory, where something asks for it.
  StoreAddress,   ///< The shadow of an address is stored in shadow memory.
  CopyAddresses,  ///< The same for addresses among bytes that are copied.
  ClearAddresses, ///< Addresses in shadow memory are set to zero.
  Check,          ///< Only ends the program where a derivative would be lost (Stopped).
  Augment,        ///< The forward half of the callee's derivative is called instead.
  LeaveOut,       ///< A release of memory waits for the reverse sweep.
  ReleaseLater,   ///< Memory without a shadow is put on the list that the derivative releases last.
  Stop,           ///< The program ends.
  Expect,         ///< It ends where an atomic operation changes memory: it was to find the result.
};

/// What the reverse sweep does.
enum class AdjointStep : uint8_t {
  Nothing,
  Seed,         ///< The returned value receives the seed.
  HandOn,       ///< Phi: goes to the value that came along the way taken.
  Rule,         ///< Each operand receives its share, by the rule table.
  Pass,         ///< Goes to the operand as it is.
  Choose,       ///< Select: goes to the operand that was chosen.
  PutBack,      ///< Elements and members go back to where they were taken from.
  Load,         ///< Is added to shadow memory.
  Store,        ///< Is taken from shadow memory, where zero is left.
  Atomic,       ///< Stays in shadow memory; the operand receives it as well.
  Extremum,     ///< Is taken from shadow memory by a thread whose value stands in memory.
  MaskedLoad,   ///< Load, under a mask.
  MaskedStore,  ///< Store, under a mask.
  Copy,         ///< Floats among the bytes of the destination are added to those of the source.
  Clear,        ///< Floats in shadow memory are set to zero.
  Call,         ///< The reverse half of the callee's derivative is called.
  HandBack,     ///< Goes to the thread of the warp that it was handed on by.
  Wait,         ///< Threads wait for each other, as they did in the forward sweep.
  Release,      ///< Memory that the primal releases goes on the list of releases.
  ReleaseLocal, ///< Local memory is released, if it was put on the heap.
  ReleaseShadow ///< The shadow goes whose release no instruction stands for.
};

/// How the shadow of an address that is accessed is reached.
enum class ShadowReach : uint8_t {
  None,     ///< There is none, or nothing is done to it.
  Direct,   ///< It is memory of its own.
  Compared, ///< It may be the primal memory itself: then nothing is done to it.
  Paged,    ///< The same, but then it lies in pages that are made at run time.
  Stopped,  ///< The same, but this access is not possible in pages: then the program ends.
};
/// Are the address and its shadow compared at run time, and is nothing done where they are one?
inline bool isCompared(ShadowReach R) {
  return R == ShadowReach::Compared || R == ShadowReach::Stopped;
}

/// How a share of an adjoint is added.
enum class AdjointSum : uint8_t {
  Plain,  ///< By this thread, which nobody disturbs.
  Atomic, ///< Other threads may add to it at the same time.
  /// The same; and where all threads of a warp add to one number at once, they add up what they
  /// have, and one of them adds the sum.
  PerWarp,
  /// Room for targets that run one function by many threads; verification refuses it today: each
  /// thread adds to a copy of its own, and the copies are added up.
  PerThread,
};
/// May other threads add to it at the same time?
inline bool isAtomic(AdjointSum S) { return S == AdjointSum::Atomic || S == AdjointSum::PerWarp; }

/// Why a step is as it is, where that does not follow from the instruction.
enum class StepReason : uint8_t {
  Obvious,
  Declared,     ///< The caller may pass memory without a shadow.
  Undeclared,   ///< The memory may be one that nobody has made a shadow for.
  TooLarge,     ///< And the access does not lie in one page.
  Overlap,      ///< And the two sides of a copy may overlap.
  OtherThreads, ///< Other threads may add to the same memory.
  OwnMemory,    ///< No other thread can reach the memory.
  SameStore,    ///< Other threads may store the same there.
  SameValue,    ///< Other threads may have the same value, which stands there.
  Promised,     ///< No other thread touches the shadow, the user says.
};

/// What is done for one instruction, in the sweeps that a request has.
struct Step {
  TangentStep Tangent = TangentStep::Nothing;
  SweepStep Sweep = SweepStep::Nothing;
  AdjointStep Adjoint = AdjointStep::Nothing;
  /// Of the memory that is accessed, or copied to; and of what is copied from.
  ShadowReach Shadow = ShadowReach::None, Source = ShadowReach::None;
  StepReason Why = StepReason::Obvious;
  /// Load, Store, Atomic, Extremum: how the adjoint in memory is accessed.
  AdjointSum Sum = AdjointSum::Plain;
  /// Atomic: the operand's share is negative.
  bool Negated = false;
  /// Copy: the adjoint of the destination is taken at once, as other threads may copy there, too.
  bool TakesAtOnce = false;
  /// Copy: the program ends where the two sides overlap and lie in pages.
  bool StopsAtOverlap = false;
  /// StoreAddress: waits for the end of the reverse sweep, as the primal's store does.
  bool Waits = false;
  /// MakeShadow, Release: the shadow lies in the memory of tapes, from the allocation in the
  /// forward sweep to that in the reverse sweep.
  bool OnTape = false;
  /// Rule: bit N is set if the share of operand N is zero where the derivative is, whatever its
  /// coefficient.
  uint8_t Guards = 0;
  /// Store, Copy in forward mode.
  ShadowData Data = ShadowData::Tangent;
  /// Load in forward mode: what is loaded is an address, in a pointer or an integer.
  bool IsAddress = false;
  /// MoveAddress: the operand that is the address. MoveFloats: the last one with a tangent.
  uint8_t Operand = 0;
  /// Load, Store and those under a mask: the type of the adjoint in memory. Forward mode has
  /// it for stores of floats.
  llvm::Type *Moved = nullptr;

  bool isNothing() const {
    return Tangent == TangentStep::Nothing && Sweep == SweepStep::Nothing &&
           Adjoint == AdjointStep::Nothing;
  }
  /// Does the reverse do nothing, or only hand an adjoint on, so that zero makes no difference? A
  /// load hands it on to memory, where others may find it.
  bool onlyHandsAdjointOn() const;
};

llvm::StringRef wordFor(TangentStep S);
llvm::StringRef wordFor(ShadowData D);
llvm::StringRef wordFor(SweepStep S);
llvm::StringRef wordFor(AdjointStep S);
llvm::StringRef wordFor(ShadowReach R);
llvm::StringRef wordFor(AdjointSum S);
/// "" for what is obvious.
llvm::StringRef wordFor(StepReason R);

} // namespace isozyme

#endif
