//===- ForwardEmitter.h - Tangents beside the primal -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_FORWARDEMITTER_H
#define ISOZYME_EMIT_FORWARDEMITTER_H

#include "isozyme/Plan/ForwardPlan.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace isozyme {

class RecordPlan;

/// The derivative function for a request (declared at least, perhaps not yet
/// filled: so recursion ends).
using DerivativeLookup = llvm::function_ref<llvm::Function *(const DiffRequest &)>;

/// The clones of a prepared function's values in a derivative.
using CloneMap = llvm::ValueToValueMapTy;

/// Fills \p Shell (signature: derivativeType of the request) with the forward derivative.
/// Executes decisions already taken; an error here is IZ901: the plan is not what
/// emission relies on. \p Replay: memory of the primal is not touched, for it is not what
/// it was; the last parameter of \p Shell is the record. \p AtEnd is then told where the
/// primal's instructions are, if they are still there.
llvm::Error emitForward(llvm::Function &Shell, const ForwardPlan &Plan, DerivativeLookup Lookup,
                        const RecordPlan *Replay = nullptr,
                        llvm::function_ref<void(const CloneMap &)> AtEnd = nullptr);

} // namespace isozyme

#endif
