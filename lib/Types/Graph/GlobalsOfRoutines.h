//===- GlobalsOfRoutines.h - What a function that is run later uses -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::call_once leaves the address of a closure in a global variable and calls
// pthread_once, whose routine takes no argument. Such a call may read and write all
// that the routine finds by way of global variables.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TYPES_GLOBALSOFROUTINES_H
#define ISOZYME_TYPES_GLOBALSOFROUTINES_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
} // namespace llvm

namespace isozyme {

/// The global variables that the functions among a call's operands may access.
class GlobalsOfRoutines {
public:
  explicit GlobalsOfRoutines(const llvm::CallBase &Call);

  bool mayUse(const llvm::GlobalVariable &GV) const;

private:
  void addUsed(const llvm::Function &Routine);

  llvm::SmallPtrSet<const llvm::GlobalVariable *, 8> Used;
  /// Some code of a routine is elsewhere.
  bool MayUseAny = false;
};

} // namespace isozyme

#endif
