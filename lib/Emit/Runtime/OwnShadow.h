//===- OwnShadow.h - Pointers that may be their own shadow -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shadow that is equal to its primal says that the memory carries no derivative.
// Where activity cannot exclude that (ShadowCheck), the derivative compares both addresses
// at run time. If they are equal, it leaves the shadow alone: a length or a mask becomes
// zero, and a number read counts as zero. There is no branch: `Own` is a bit, or null where
// no comparison is needed.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_OWNSHADOW_H
#define ISOZYME_LIB_EMIT_OWNSHADOW_H

#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Emit/StopIf.h"
#include "isozyme/Plan/ByteRuns.h"
#include "isozyme/Plan/Step.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace isozyme {

class PreparedFunction;

/// The bytes behind a shadow as one block, while it lasts: the shadow itself, or a copy
/// when they may be in pages.
class ShadowBlock {
public:
  ShadowBlock(llvm::IRBuilderBase &B, bool Paged, llvm::Value *Primal, llvm::Value *Shadow,
              llvm::Value *Bytes, ShadowIndex Index)
      : B(B), Paged(Paged), Index(Index), Primal(Primal), Shadow(Shadow), Bytes(Bytes),
        Memory(Shadow) {
    open();
  }
  llvm::Value *memory() const { return Memory; }
  /// Puts the bytes back if they were \p Written, and forgets the block.
  void close(bool Written);

private:
  void open();
  llvm::IRBuilderBase &B;
  bool Paged;
  ShadowIndex Index;
  llvm::Value *Primal, *Shadow, *Bytes, *Memory;
};

/// \p V, or zero where \p Own holds.
llvm::Value *zeroWhereOwn(llvm::IRBuilderBase &B, llvm::Value *Own, llvm::Value *V);
/// Does any lane of a vector of bits hold?
llvm::Value *anyOf(llvm::IRBuilderBase &B, llvm::Value *Own);

/// The shadow of an access to memory that may have none (ShadowCheck::Page): \p Shadow
/// where it differs from \p Primal, else a place in a page that is made on demand, and
/// holds zeros at first.
llvm::Value *pagedShadow(llvm::IRBuilderBase &B, llvm::Value *Primal, llvm::Value *Shadow,
                         ShadowIndex Index);
/// Does any derivative of this level in the module use pages?
bool hasPages(const llvm::Module &M, unsigned Level);
/// Forgets all pages of the level.
llvm::Function *releasePages(llvm::Module &M, unsigned Level);

/// Ends the program with a message that names the place of \p I when \p Lost holds: a
/// derivative in memory that would be in pages, where these cannot be used.
void emitStop(llvm::IRBuilderBase &B, llvm::Value *Lost, const PreparedFunction &P,
              const llvm::Instruction *I);

/// Calls Emit(run, offset, rows, stride, bytes) for each run of \p Wanted in \p Length bytes,
/// and again for the part of it in an unfinished last row.
void forRuns(llvm::IRBuilderBase &B, const ByteRuns &Layout, llvm::Value *Length,
             ByteRun::Kind Wanted,
             llvm::function_ref<void(const ByteRun &, llvm::Value *, llvm::Value *, llvm::Value *,
                                     llvm::Value *)>
                 Emit);

} // namespace isozyme

#endif
