//===- Reach.h - How accesses reach shadow memory ----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_REACH_H
#define ISOZYME_LIB_PLAN_REACH_H

#include "isozyme/Plan/Step.h"
#include "isozyme/Requests/DiffRequest.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace isozyme {

/// An access to one value of type \p T.
struct AccessShape {
  const llvm::Type &T;
  llvm::Align Alignment;
  const llvm::DataLayout &DL;
};

/// Sets how \p S reaches the shadow of an address with that \p Check. \p Stops: a derivative
/// would be lost where the access is not possible.
void setReach(Step &S, ShadowCheck Check, const AccessShape &Access, bool Stops);

/// Of a copy or fill, of any size.
ShadowReach bulkReach(ShadowCheck Check);

/// The address of the memory whose shadow the reverse of \p I adds to, or takes from; null if
/// there is none. Of a copy it is the address that is copied from.
const llvm::Value *adjointAddress(const llvm::Instruction &I, const Step &S);

} // namespace isozyme

#endif
