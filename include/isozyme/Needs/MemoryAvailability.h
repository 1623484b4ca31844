//===- MemoryAvailability.h - Can a load be repeated later? ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_MEMORYAVAILABILITY_H
#define ISOZYME_NEEDS_MEMORYAVAILABILITY_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Needs/LateStores.h"
#include "isozyme/Needs/OwnedRows.h"
#include "isozyme/Needs/PointerTargets.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace llvm {
class CallBase;
class LoadInst;
class Loop;
class StoreInst;
} // namespace llvm

namespace isozyme {

/// Why a load can, or cannot, be repeated in the reverse sweep.
enum class ReloadReason : uint8_t {
  ConstantMemory,     ///< The memory never changes.
  NeverOverwritten,   ///< No aliasing write can run after the load.
  OverwrittenBy,      ///< An aliasing write may follow; see Clobber.
  CallerMayOverwrite, ///< Split derivative, memory not promised stable.
  LocalMemory,        ///< Split derivative, memory of this activation.
  Volatile,           ///< Volatile or atomic.
};

class WriteOrder;

struct Availability {
  ReloadReason Reason = ReloadReason::Volatile;
  const llvm::Instruction *Clobber = nullptr;
  bool isReloadable() const {
    return Reason == ReloadReason::ConstantMemory || Reason == ReloadReason::NeverOverwritten;
  }
  std::string str() const;
};

/// Answers for one prepared function under one request. Keeps an index of the
/// writes, so that a query looks only at those that may touch its memory.
class MemoryAvailability {
public:
  /// \p Calls: their plans say which releases the derivative puts off to its end. Nor are
  /// stores overwrites that it does late or not at all.
  MemoryAvailability(const PreparedFunction &P, const DiffRequest &R, const CallPlanSet &Calls,
                     const UnreadMemory &Unread, const LateStores &Late, CalleeEffects &Effects);
  ~MemoryAvailability();

  Availability of(const llvm::LoadInst &L) const;
  /// All writes that may change what \p L reads after it has read; nothing where there are more
  /// than \p Most.
  std::optional<llvm::SmallVector<llvm::Instruction *, 4>> overwritesAfter(const llvm::LoadInst &L,
                                                                           unsigned Most) const;
  /// Is \p Object one block of this function that nobody looks at when it has returned?
  bool endsHere(const llvm::Value *Object) const;
  /// May memory that \p Ptr points into be written after \p Call has returned,
  /// before the reverse sweep reaches it? (the overwritten bit of an argument)
  bool mayChangeAfter(const llvm::CallBase &Call, llvm::Value *Ptr) const;
  /// The same of what addresses lead to that are in memory of argument \p Arg when \p Call begins;
  /// true where the callee takes none from there. (the steady bit)
  bool mayChangeBehind(const llvm::CallBase &Call, unsigned Arg) const;
  /// Is memory that argument \p Arg of \p Call leads to, near and far, reached in no other way?
  /// False where the callee takes no addresses from memory. (the own bit)
  bool isOwn(const llvm::CallBase &Call, unsigned Arg) const;
  /// May a write other than \p S, between the store's loop inside \p Common and \p L in the
  /// same iteration of \p Common, change what \p L reads? \p Common is around both; null: none.
  bool mayChangeBetween(const llvm::StoreInst &S, const llvm::LoadInst &L,
                        const llvm::Loop *Common) const;
  /// May \p In write to what \p L reads?
  bool mayChangeIn(const llvm::LoadInst &L, const llvm::Loop &In) const;

  /// Do \p A and \p B, loads or stores, access different bytes in each two iterations of \p In, of
  /// one iteration of the loops around it?
  bool areApartIn(const llvm::Instruction &A, const llvm::Instruction &B,
                  const llvm::Loop &In) const;

  /// Do \p A and \p B lead to different objects whenever both have a value? That of one moment: in
  /// a loop around their definitions, of one iteration.
  bool areDifferent(const llvm::Value *A, const llvm::Value *B) const;
  /// Is memory of \p Arg, an argument of \p Call, reached by nothing else that \p Call knows?
  bool isApart(const llvm::CallBase &Call, unsigned Arg) const;

private:
  /// An access as object + constant + sum of multiples of Stride (0: none).
  struct Region;
  struct Index;
  const llvm::Instruction *clobberAfter(const llvm::Instruction &From, const Region &What) const;
  /// Gives \p Each write to what \p From has read, until that says false.
  void clobbersAfter(const llvm::Instruction &From, const Region &What,
                     llvm::function_ref<bool(llvm::Instruction *)> Each) const;
  bool mayWrite(const llvm::Instruction &W, const Region *To, const Region &What, bool Once) const;
  /// Does the order of the loops show that \p W does not write where \p From has read?
  bool writesElsewhere(const llvm::Instruction &W, const Region *To, const llvm::Instruction &From,
                       const Region &What) const;
  bool isWrite(const llvm::Instruction &I) const;
  bool anyWrite(llvm::function_ref<bool(const llvm::Instruction &)> Is) const;
  /// May \p W write to \p Memory?
  bool mayWriteTo(const llvm::Instruction &W, const PointerTargets::Places &Memory) const;
  void findTargets(const CallPlanSet &Plans, CalleeEffects &Effects);
  /// Does the derivative put off the release \p Call to its end?
  bool isPutOff(const llvm::CallBase &Call) const;
  llvm::MemoryEffects effectsOf(const llvm::CallBase &Call) const;
  bool mayReach(const llvm::CallBase &Call, const Region &What) const;
  bool mayMeet(const llvm::Value *A, const llvm::Value *B) const;
  /// Two different objects, of which one is reached in no other way (DiffRequest::Apart).
  bool areApart(const llvm::Value *A, const llvm::Value *B) const;
  /// Do addresses of what \p A leads to differ from all that \p B leads to (PointerTargets)?
  bool leadApart(const llvm::Value *A, const llvm::Value *B) const;
  bool isHidden(const llvm::Value *Object) const;
  bool isThereBefore(const llvm::Value *A, const llvm::Value *B) const;
  bool isMadeLater(const llvm::Value *A, const llvm::Value *B) const;
  /// Is this object the same throughout one run of the function?
  bool isFixed(const llvm::Value *Object) const;
  bool mayRunAfter(const llvm::Instruction &From, const llvm::Instruction &W) const;
  /// Memory that this function has allocated and that its caller cannot reach when it
  /// has returned, although it still exists.
  bool isPrivateBlock(const llvm::Value *Object) const;
  /// Split requests: null when \p Object is stable between the two halves.
  const ReloadReason *unstable(const llvm::Value *Object) const;

  const PreparedFunction &P;
  const DiffRequest R;
  /// What calls do to memory, by their plans.
  struct CallEffects {
    llvm::MemoryEffects Effects;
    bool PutOff;
  };
  llvm::DenseMap<const llvm::CallBase *, CallEffects> Calls;
  mutable llvm::DenseMap<const llvm::Value *, bool> Hidden;
  OwnedRows Rows;
  /// Where pointers are asked for that were loaded from memory: what they lead to, and what calls
  /// write to, if that is known.
  std::optional<PointerTargets> Targets;
  llvm::DenseMap<const llvm::CallBase *, llvm::SmallBitVector> ReadBehind;
  llvm::DenseMap<const llvm::CallBase *, PointerTargets::Places> CallWrites;
  std::unique_ptr<Index> Writes;
  std::unique_ptr<WriteOrder> Order;
};

/// Sets the bits MayOverwrite, Apart, Steady and Own of the callee requests: what a callee reads
/// from memory that stays as it is until the reverse sweep need not be kept.
void refineOverwrites(const MemoryAvailability &Memory, CallPlanSet &Calls);

} // namespace isozyme

#endif
