//===- TapeLayout.h - Where kept values lie ----------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tape is a tree of regions. Region 0 holds the slots that exist once per
// call. Any other region holds slots of one loop, or of a nest of loops whose
// trip counts are all known before the outermost; its base address is itself a
// slot of the region around it.
//
//   Scalar    one value
//   Array     one value per iteration, trip counts known: base[linear index]
//   Growable  one record per iteration, trip count unknown: geometric chunks
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_TAPE_TAPELAYOUT_H
#define ISOZYME_PLAN_TAPE_TAPELAYOUT_H

#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Plan/Keep/VaryingLoops.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class StructType;
} // namespace llvm

namespace isozyme {

enum class TapeShape : uint8_t { Scalar, Array, Growable };

enum class TapeMemory : uint8_t {
  Stack,  ///< Of the derivative: bytes are a small compile-time constant.
  Thread, ///< A stack of blocks that the thread keeps (Emit/Runtime/tape.c).
  Heap,   ///< A block from malloc: it may outlive the call, or have another thread.
};

struct TapeSlot {
  Need Key; ///< V == nullptr: the base address of region BaseOf. The first of those that share it.
  llvm::Type *Elem = nullptr;
  unsigned Region = 0;
  unsigned Field = 0; ///< Growable: position in the record.
  int BaseOf = -1;
};

struct TapeRegion {
  TapeShape Shape = TapeShape::Scalar;
  llvm::SmallVector<const llvm::Loop *, 2> Group; ///< Outermost first.
  /// Array that neighbours share: by how many elements it is longer than each loop of the group has
  /// iterations; else nothing.
  llvm::SmallVector<unsigned, 2> Halo;
  unsigned haloOf(const llvm::Loop *L) const;
  /// Array: the loop in front of which it lies, where that is around the group. Each of its
  /// iterations writes the same values to the same places.
  const llvm::Loop *Repeats = nullptr;
  /// Repeats is a fused loop: each of its iterations has other values, which the next one does
  /// without.
  bool OneIteration = false;
  /// In front of this loop it is made, and released.
  const llvm::Loop *outermost() const { return Repeats ? Repeats : Group.front(); }
  /// The loops around the innermost one whose iterations write the same values to the same places.
  llvm::SmallVector<const llvm::Loop *, 2> repeating() const;
  llvm::SmallVector<unsigned, 4> Slots;
  int BaseSlot = -1; ///< None: its place in the block that it shares follows from its size.
  /// Array: of the array. Growable: of the table of chunks.
  TapeMemory Memory = TapeMemory::Heap;
  std::optional<uint64_t> KnownCount; ///< Array: the product of the trip counts, or their bound.
  /// Array in memory of the thread: the region in whose block it lies, the first one there.
  int SharedWith = -1;
  llvm::SmallVector<unsigned, 0> Sharing; ///< The other regions in the block, if it is the first.
};

/// By loop, how many more elements than iterations an array has.
using LoopHalo = llvm::SmallDenseMap<const llvm::Loop *, unsigned, 4>;

/// How often the body of \p L runs: `(%last+1)`; \p Halo is added.
std::string tripText(const PreparedFunction &P, const llvm::Loop *L, unsigned Halo = 0);

class TapeLayout {
public:
  /// \p Memory: of all that is not on the stack.
  explicit TapeLayout(TapeMemory Memory = TapeMemory::Heap) : Memory(Memory) {
    Regions.emplace_back();
  }

  /// What lies in \p L, which is in no other loop, is kept for one of its iterations only.
  void keepOneIterationOf(const llvm::Loop *L) { Fused.push_back(L); }

  /// Adds a slot for \p Key, a value of type \p Elem defined in loop \p Scope
  /// (null: none). \p MayUseStack: forward and reverse sweep share a frame.
  unsigned add(const PreparedFunction &P, Need Key, llvm::Type *Elem, const llvm::Loop *Scope,
               bool MayUseStack, ChangeQuery Changes);

  /// A slot for \p Key and neighbours of it. Nothing if there is no one array for all the loops.
  std::optional<unsigned> addShared(const PreparedFunction &P, Need Key, llvm::Type *Elem,
                                    const llvm::Loop *Scope, bool MayUseStack,
                                    const LoopHalo &Halo);

  llvm::ArrayRef<TapeSlot> slots() const { return Slots; }
  llvm::ArrayRef<TapeRegion> regions() const { return Regions; }
  /// The record of a growable region.
  llvm::StructType *recordType(const TapeRegion &R, llvm::LLVMContext &C) const;
  /// What a split pair keeps: the slots of region 0; null when empty.
  llvm::StructType *tapeType(llvm::LLVMContext &C) const;
  /// The same as one value that is passed from function to function: arrays instead of vectors.
  /// How vectors are passed depends on the target features of either function, which may differ.
  llvm::StructType *passedType(llvm::LLVMContext &C) const;
  bool empty() const { return Slots.empty(); }
  /// Of a split pair, when all slots are known: a record of many members is passed as a pointer.
  /// Records lie in those of callers, and of many calls each: by value they would grow without
  /// end, and LLVM takes them apart member by member.
  void boxIfWide();
  bool isBoxed() const { return Boxed; }
  TapeMemory memory() const { return Memory; }

  /// The loops of which each iteration has a value of its own in \p S, outermost first.
  llvm::SmallVector<const llvm::Loop *, 4> loopsOf(const TapeSlot &S) const;
  /// By how many elements its array is longer than \p L has iterations.
  unsigned haloOf(const TapeSlot &S, const llvm::Loop *L) const;
  /// `8 bytes * (%last+1)`: the size of \p S in terms of the prepared function.
  std::string sizeOf(const PreparedFunction &P, const TapeSlot &S) const;
  /// The regions that lie in one block with \p Region, and \p Region; none if it is not the first.
  llvm::SmallVector<unsigned, 4> blockOf(unsigned Region) const;
  /// How many arrays of the same size lie in front of \p Region in its block.
  unsigned placeInBlock(unsigned Region) const;
  void print(const PreparedFunction &P, llvm::raw_ostream &OS) const;

private:
  void shareBlock(unsigned Region, llvm::Type *Elem);
  unsigned regionFor(const PreparedFunction &P, const Need &Key, llvm::Type *Elem,
                     const llvm::Loop *Scope, bool MayUseStack, ChangeQuery Changes,
                     const LoopHalo *Halo);
  unsigned add(const PreparedFunction &P, Need Key, llvm::Type *Elem, const llvm::Loop *Scope,
               bool MayUseStack, ChangeQuery Changes, const LoopHalo *Halo);

  TapeMemory Memory;
  bool Boxed = false;
  llvm::SmallVector<TapeSlot, 8> Slots;
  llvm::SmallVector<TapeRegion, 4> Regions;
  llvm::DenseMap<const llvm::Loop *, unsigned> GrowableOf;
  /// The first regions of blocks, by the innermost loop and the type of their elements.
  llvm::DenseMap<std::pair<const llvm::Loop *, llvm::Type *>, llvm::SmallVector<unsigned, 1>>
      Blocks;
  llvm::SmallVector<const llvm::Loop *, 1> Fused;
};

} // namespace isozyme

#endif
