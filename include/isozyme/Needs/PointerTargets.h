//===- PointerTargets.h - What pointers in memory lead to --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's alias analysis knows nothing of a pointer that was loaded from memory. A function that
// takes a std::vector by reference has no others. Here each function is asked which addresses it
// stores where (L. O. Andersen, Program Analysis and Specialization for the C Programming
// Language, 1994): memory is divided into places, and a set of places is found for each address
// and for what each place holds. The sets hold for all moments of the function together, and for
// all elements of a place together. A local record is a place for each of the parts that are
// accessed apart from each other (AccessedBytes.h).
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_POINTERTARGETS_H
#define ISOZYME_NEEDS_POINTERTARGETS_H

#include "isozyme/Values/AccessedBytes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/SparseBitVector.h"
#include <functional>
#include <optional>
#include <vector>

namespace llvm {
class AllocaInst;
class CallBase;
class Function;
class GetElementPtrInst;
class Instruction;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace isozyme {

/// Which addresses a call leaves where. Sinks and sources are numbered alike: the places outside of
/// its callee (PointerTargets), then memory that the call makes; then, a sink only, the result.
struct AddressFlows {
  explicit AddressFlows(unsigned Outside)
      : Made(Outside), Into(Outside + 2, llvm::SmallBitVector(Outside + 1)) {}
  unsigned result() const { return Made + 1; }
  bool usesMade() const {
    return llvm::any_of(Into, [&](const llvm::SmallBitVector &From) { return From[Made]; });
  }

  unsigned Made;
  std::vector<llvm::SmallBitVector> Into;
};

/// What a call does with addresses.
struct AddressEffects {
  /// Nothing: it may leave any address anywhere.
  std::optional<AddressFlows> Flows;
  /// Arguments from whose memory, near and far, it takes addresses.
  llvm::SmallBitVector ReadsBehind;
  /// It writes only to these places outside of its callee; nothing: to any.
  std::optional<llvm::SmallBitVector> Writes;
  /// How far it uses the address in each argument; nothing: for any memory, or it keeps it.
  llvm::SmallVector<std::optional<ByteSpan>, 4> Spans;
};

class PointerTargets {
public:
  using Places = llvm::SparseBitVector<>;
  using CallQuery = std::function<AddressEffects(const llvm::CallBase &)>;

  /// \p Calls answers for functions that are called.
  /// \p Own: memory that these arguments lead to is reached in no other way (DiffRequest::Own).
  PointerTargets(const llvm::Function &F, const llvm::TargetLibraryInfo &TLI, CallQuery Calls,
                 llvm::ArrayRef<bool> Own);

  /// Where an access through \p Ptr may lie. Of an address that is computed, and of which nothing
  /// is seen, that is anywhere.
  Places of(const llvm::Value *Ptr) const;
  /// All places of \p Object, from which addresses are computed that lead there.
  Places ofObject(const llvm::Value *Object) const;
  /// What addresses lead to that are in \p Memory, those in that memory, and so on.
  Places behind(const Places &Memory) const;
  /// \p Memory, and what is behind it.
  Places reachedFrom(Places Memory) const;
  /// What memory leads to that was there before the function ran, and that memory.
  Places reachedFromOutside() const;
  /// What \p Write may write to; nothing: to any memory.
  std::optional<Places> writtenBy(const llvm::Instruction &Write) const;

  static bool anyOf(const Places &Memory, llvm::function_ref<bool(unsigned)> Is);
  /// Is there memory in \p Memory that was there before the function ran?
  bool hasOutside(const Places &Memory) const;
  /// May two accesses that lie in \p A and \p B meet? Two places outside may be one, unless an
  /// argument owns one of them alone.
  bool mayMeet(const Places &A, const Places &B) const;
  /// The local or allocated block, or the argument that leads to the place; null for memory
  /// that is known by no name, as that which a function has made that is called.
  const llvm::Value *nameOf(unsigned Place) const;
  /// The argument that leads to \p Place, at once or from memory to memory; nothing for others.
  std::optional<unsigned> argumentOf(unsigned Place) const;
  /// Was the memory there before the function ran?
  bool isOutside(unsigned Place) const { return Place < FirstLocal; }
  unsigned outside() const { return FirstLocal; } ///< The number of such places.
  /// Is there memory in \p Memory of which nothing is known?
  bool hasUnknown(const Places &Memory) const { return Memory.test(Anywhere); }
  /// How far the function uses the address in each argument.
  llvm::SmallVector<std::optional<ByteSpan>, 4> spans() const;
  /// Which addresses the function leaves where, for its callers.
  std::optional<AddressFlows> flows() const;

private:
  /// Memory outside of which nothing is known; behind it two places for each argument (what it
  /// leads to, and what is behind that); then the locals and blocks.
  static constexpr unsigned Anywhere = 0;
  static unsigned atArgument(unsigned Arg) { return 1 + 2 * Arg; }
  static unsigned behindThat(unsigned Arg) { return 2 + 2 * Arg; }
  unsigned holderOf(unsigned Place) const;
  void findLocals();
  std::optional<ByteSpan> spanOf(const llvm::CallBase &Call, unsigned Arg) const;
  Places ofPart(const llvm::AllocaInst &Local, int64_t At) const;
  Places ofElement(const llvm::GetElementPtrInst &Address) const;
  Places ofConstant(const llvm::Value *V) const;
  Places ofArgument(const llvm::Argument &A) const;
  Places ofOperands(const llvm::Instruction &I) const;
  Places ofCall(const llvm::CallBase &Call);
  Places computedBy(const llvm::Instruction &I);
  std::optional<Places> ofNumber(const llvm::Instruction &I);
  Places heldBy(const Places &Memory) const;
  Places argumentsOf(const llvm::CallBase &Call) const;
  Places passThrough(const llvm::CallBase &Call, const AddressFlows &Flows);
  bool isOwn(unsigned Arg) const { return !Own.empty() && Own[Arg]; }
  bool isUnknown() const; ///< There is too much memory.
  void put(const Places &Memory, const Places &Addresses);
  void look(const llvm::Instruction &I);
  bool isKnownCall(const llvm::CallBase &Call) const;
  bool makesMemory(const llvm::Instruction &I) const;

  const llvm::Function &F;
  const llvm::TargetLibraryInfo &TLI;
  CallQuery Calls;
  llvm::ArrayRef<bool> Own;
  unsigned FirstLocal;
  llvm::SmallVector<const llvm::Value *, 8> Locals;
  llvm::DenseMap<const llvm::Value *, unsigned> PlaceOfLocal; ///< The first of its parts.
  llvm::DenseMap<const llvm::AllocaInst *, llvm::SmallVector<ByteSpan, 2>> Parts;
  llvm::DenseMap<const llvm::Value *, Places> Of;
  /// What places hold; of all that is outside together at Anywhere, but for what an argument owns.
  std::vector<Places> Holds;
  std::vector<Places> StoredTo; ///< The part of it that is stored to each place outside.
  Places Exposed;               ///< What addresses lead to that are made to numbers.
  bool Changed = false;
  bool IsDone = false; ///< The sets do not grow any more.
};

} // namespace isozyme

#endif
