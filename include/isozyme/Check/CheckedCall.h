//===- CheckedCall.h - A derivative that is checked as it runs ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a check around the call of a derivative:
//
//   %g = call { double } @reverse.f(double %x, double 1.0)
//   =>
//   store operands to %frame
//   %check = call ptr @__isozyme_check_begin(ptr @site, ptr %frame)
//   %g = call { double } @reverse.f(double %x, double 1.0)
//   store { double } %g to %frame
//   call void @__isozyme_check_end(ptr %check, ptr %frame)
//
// and the run-time part into the module. What the table @site says is in Runtime/site.h.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_CHECKEDCALL_H
#define ISOZYME_CHECK_CHECKEDCALL_H

#include "isozyme/Requests/DiffRequest.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class CallBase;
class GlobalVariable;
class Module;
} // namespace llvm

namespace isozyme {

/// What a check of a call runs. Without functions the call is counted as not checked.
struct CheckPlan {
  std::string Why;                   ///< It cannot be checked, because ...
  std::string Rules;                 ///< Functions whose registered derivatives it uses.
  bool HasFloat = false;             ///< Single precision is all that can be expected.
  bool Prints = false;               ///< Streams change, which the copies leave alone.
  llvm::Function *Primal = nullptr;  ///< The watched copy.
  llvm::Function *Forward = nullptr; ///< Its forward derivative,
  DiffRequest ForwardRequest;        ///< for this request.
  llvm::Function *Reverse = nullptr; ///< Of forward calls: the reverse derivative of a copy
                                     ///< that is not watched; null if it cannot be made,
  DiffRequest ReverseRequest;        ///< for this request.
  /// What these have thrown and not caught, when they return; null if they catch nothing.
  llvm::GlobalVariable *Thrown = nullptr;
};

/// The forward derivative that a check of a call of \p R compares with, of the copy \p F.
DiffRequest forwardRequestFor(const DiffRequest &R, llvm::Function &F);
/// The reverse derivative that a forward call of \p R compares with, of the copy \p F; none
/// if not all gradients would have a place.
std::optional<DiffRequest> reverseRequestFor(const DiffRequest &R, llvm::Function &F);
/// What of \p R no check understands; empty if nothing.
std::string obstacleIn(const DiffRequest &R);

/// \p New calls the derivative of \p R.
void emitCheck(llvm::CallBase &New, const DiffRequest &R, const CheckPlan &Plan);

/// Puts the run-time part into \p M, if a check is called there.
void linkCheckRuntime(llvm::Module &M);

} // namespace isozyme

#endif
