//===- SplitEntries.h - The halves of a pair, as users call them -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair of halves passes its tape as a value. Users mostly see a pointer, and expect
// that memory which the primal released is gone when the second half is done.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_SPLITENTRIES_H
#define ISOZYME_EMIT_SPLITENTRIES_H

#include "isozyme/Emit/ReverseEmitter.h"

namespace isozyme {

/// What users are handed as a tape: one pointer to the heap, null for an empty tape; or
/// the tape itself, nothing when it is empty.
enum class TapeForm : uint8_t { Pointer, Value };

/// The type of the tape in that form, null for nothing.
llvm::Type *tapeTypeFor(const SplitPair &Pair, TapeForm Form, llvm::LLVMContext &C);

/// Fills \p Shell, a first half with a tape in \p Form: calls the one of \p Pair.
void emitAugmentEntry(llvm::Function &Shell, const SplitPair &Pair, TapeForm Form);
/// Fills \p Shell, a second half with a tape in \p Form: calls the one of \p Pair, which
/// says whether the tape is kept. \p Releases: the halves put off releases of memory.
void emitFromTapeEntry(llvm::Function &Shell, const SplitPair &Pair, TapeForm Form, bool Releases);

} // namespace isozyme

#endif
