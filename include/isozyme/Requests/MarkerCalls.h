//===- MarkerCalls.h - Calls such as __enzyme_autodiff(f, ...) ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the calls by which a user asks for derivatives, reads them into a
// DiffRequest with the operands that belong to it, and, once the derivative
// function exists, replaces the call. Everything about Enzyme's calling
// convention is here and in ReplaceCalls.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_MARKERCALLS_H
#define ISOZYME_REQUESTS_MARKERCALLS_H

#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/Diagnostics.h"

namespace llvm {
class CallBase;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

/// The operands that belong to one parameter of the differentiated function.
struct CallArgument {
  llvm::Value *Primal = nullptr; ///< Null: a temporary for an sret primal.
  llvm::SmallVector<llvm::Value *, 2> Shadows;
  llvm::Value *Stride = nullptr; ///< Bytes between the lanes behind Shadows[0], if given.
  bool ByRef = false;            ///< Operands that are not pointers came by address.
};

struct MarkerCall {
  llvm::CallBase *Call = nullptr;
  DiffRequest Request;
  llvm::SmallVector<CallArgument, 8> Arguments; ///< One per parameter.
  llvm::Value *ResultBuffer = nullptr; ///< The call's own sret operand.
  /// Forward mode, result returned by sret: the buffer starts with the primal result
  /// (enzyme_primal_return); a tangent per lane follows.
  bool PrimalInBuffer = false;
};

/// Calls of __enzyme_* entry points, in module order.
llvm::SmallVector<llvm::CallBase *, 4> findMarkerCalls(llvm::Module &M);

/// Reads one call. Checks all that can be checked before differentiation, the
/// declared result type included: after success, replaceMarkerCall cannot fail.
llvm::Expected<MarkerCall> parseMarkerCall(llvm::CallBase &Call);

/// Replaces the call by one of \p Derivative and erases it.
void replaceMarkerCall(const MarkerCall &M, llvm::Function &Derivative);

/// Erases declarations of entry points and marker globals that nothing uses any more.
void eraseUnusedMarkers(llvm::Module &M);

} // namespace isozyme

#endif
