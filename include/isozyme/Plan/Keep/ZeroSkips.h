//===- ZeroSkips.h - What adjoints of zero make superfluous ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (c ...) {                      reverse:  for (c ...) {
//     d = distance(x, c);                          d_adj = was d chosen ? nearest_adj : 0;
//     if (d < nearest) nearest = d;                if (d_adj != 0) the adjoint of distance
//   }                                            }
//
// Only the nearest distance has an adjoint. The reverse of a loop, or of a part of a block, that
// does nothing but hand adjoints on is left out where all that come in are zero.
//   x[i] = y < x[i] ? y : x[i];      reverse:  if (y was less) the adjoint of y
//
// Where a store puts back what was there, its adjoint stays where it is.
// In: steps, reverse CFG.  Out: the loops and parts of blocks, and what is tested.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ZEROSKIPS_H
#define ISOZYME_PLAN_ZEROSKIPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class raw_ostream;
class SelectInst;
class StoreInst;
} // namespace llvm

namespace isozyme {

class NeedNames;
struct DerivativePlan;

/// A part of the function whose reverse is one way, with a test in front.
struct ZeroSkip {
  const llvm::Loop *L = nullptr; ///< All of its iterations; null: a part of Block.
  /// What stands in Block in front of Behind, which is a choice, or comes after the store that
  /// changes nothing; all of it, if that is null.
  llvm::BasicBlock *Block = nullptr;
  llvm::Instruction *Behind = nullptr;
  /// The last of a part that is left out where Tested, which it stores, is what was there before.
  llvm::StoreInst *Unchanged = nullptr;
  /// Values of the part that are used behind it: all adjoints that come in.
  llvm::SmallVector<llvm::Instruction *, 2> Tested;
  /// What the reverse of the part costs, in simple operations.
  uint64_t Work = 0;
  bool IsTaken = true; ///< Otherwise somebody wishes that it is always reversed.

  /// The header of the loop, or the block.
  llvm::BasicBlock *begin() const;
  bool contains(const llvm::Instruction &I) const;
  /// What Unchanged stores.
  llvm::SelectInst *choice() const;
  /// Does \p V, which is chosen, leave the memory of Unchanged as it was?
  bool isThere(const llvm::Value *V) const;
};

class ZeroSkips {
public:
  void add(ZeroSkip Skip) { Skips.push_back(std::move(Skip)); }
  llvm::MutableArrayRef<ZeroSkip> skips() { return Skips; }
  llvm::ArrayRef<ZeroSkip> skips() const { return Skips; }
  /// Null where nothing is tested.
  const ZeroSkip *of(const llvm::Loop *L) const;
  const ZeroSkip *of(const llvm::BasicBlock *BB) const;
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<ZeroSkip, 2> Skips;
};

/// "loop %header" or "block %name".
std::string nameOfSkip(NeedNames &Names, const ZeroSkip &Skip);

/// All else in \p Plan is decided.
ZeroSkips findZeroSkips(const DerivativePlan &Plan);

/// Null if the reverse of \p Skip does nothing where its tested adjoints are zero, else the rule
/// that it breaks.
const char *whyNotSkipped(const DerivativePlan &Plan, const ZeroSkip &Skip);

} // namespace isozyme

#endif
