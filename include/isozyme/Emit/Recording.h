//===- Recording.h - Forward mode after the function has run -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording runs a function and writes down, in order, what it finds in memory and
// what calls return. A replay is the forward derivative without the function's effects:
// it reads the record instead of memory. Control flow follows from what is read, so both
// walk the same way. A call of a function with a body has a record of its own, whose
// address stands in the caller's.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_RECORDING_H
#define ISOZYME_EMIT_RECORDING_H

#include "isozyme/Emit/ForwardEmitter.h"
#include "isozyme/Plan/RecordPlan.h"

namespace isozyme {

/// \p T with a record behind the other parameters.
llvm::FunctionType *withRecord(llvm::FunctionType *T);

/// Appends \p V to a record, and reads it again.
void writeToRecord(llvm::IRBuilder<> &B, llvm::Value *Record, llvm::Value *V);
llvm::Value *readFromRecord(llvm::IRBuilder<> &B, llvm::Value *Record, llvm::Type *T);

/// Takes the next \p Bytes (i64) of a record: where they lie.
llvm::Value *bytesOfRecord(llvm::IRBuilderBase &B, llvm::Value *Record, llvm::Value *Bytes);

/// What replaces a stand-in for the derivative of a function that is called.
struct ReplayCallee {
  llvm::Function *Replay = nullptr; ///< Null: it is none.
  llvm::Type *Result = nullptr;     ///< What the function itself returns.
  bool HasRecord = true;            ///< It wrote down something in the recording.
};

/// Fills \p Shell, of the type of the function with a record, as \p Plan says. \p Unread:
/// stores that are left out. \p Of: the recording that takes the place of a call.
void emitRecording(llvm::Function &Shell, const PreparedFunction &P, const RecordPlan &Plan,
                   const UnreadMemory &Unread,
                   llvm::function_ref<llvm::Function *(const llvm::CallInst &)> Of);
/// Takes the effects of the primal out of \p Shell, which emitForward has filled, with the
/// clones \p Primals of the instructions of \p P. \p Of: what replaces a stand-in.
void turnIntoReplay(llvm::Function &Shell, const PreparedFunction &P, const RecordPlan &Plan,
                    const CloneMap &Primals, llvm::function_ref<ReplayCallee(llvm::Function &)> Of);

/// Fills \p Shell, which returns { [result], record }.
void emitRecordingEntry(llvm::Function &Shell, llvm::Function &Recording);
/// Fills \p Shell, which takes the record last; \p Keep: and leaves it for another use.
void emitReplayEntry(llvm::Function &Shell, llvm::Function &Replay, bool Keep);

} // namespace isozyme

#endif
