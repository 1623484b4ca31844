//===- ErrnoCalls.h - Calls that write to errno at most ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_ERRNOCALLS_H
#define ISOZYME_OPS_ERRNOCALLS_H

namespace llvm {
class CallBase;
class TargetLibraryInfo;
} // namespace llvm

namespace isozyme {

/// sin, pow and the like: a math function that takes no pointers. Of the program's memory it
/// changes errno at most, which differentiated code does not look at.
bool writesErrnoAtMost(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

} // namespace isozyme

#endif
