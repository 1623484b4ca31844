//===- ForwardEmitter.h - Tangents beside the primal -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_FORWARDEMITTER_H
#define ISOZYME_EMIT_FORWARDEMITTER_H

#include "isozyme/Needs/CallPlan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace isozyme {

/// The derivative function for a request (declared at least, perhaps not yet
/// filled: so recursion ends).
using DerivativeLookup = llvm::function_ref<llvm::Function *(const DiffRequest &)>;

/// Fills \p Shell (signature: derivativeType(R)) with the forward derivative.
/// Executes decisions already taken; an error here is IZ202 for an instruction
/// that no emitter knows.
llvm::Error emitForward(llvm::Function &Shell, const PreparedFunction &P, const DiffRequest &R,
                        const TypeResult &Types, const ActivityResult &Activity,
                        const CallPlanSet &Calls, DerivativeLookup Lookup);

} // namespace isozyme

#endif
