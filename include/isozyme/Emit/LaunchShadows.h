//===- LaunchShadows.h - Shadows of memory that launches size ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_LAUNCHSHADOWS_H
#define ISOZYME_EMIT_LAUNCHSHADOWS_H

#include "llvm/IR/IRBuilder.h"

namespace isozyme {

/// Half of what the launch gives to its blocks: the size of an `extern __shared__` array whose
/// gradient is asked for, and of its shadow behind it.
llvm::Value *bytesOfLaunchShadow(llvm::IRBuilderBase &B);

/// Derivatives name the shadow of such an array like that of any other variable. Puts the second
/// half in its place, when all derivatives of \p M are there. With -isozyme-check, their accesses
/// to either half are checked.
void placeLaunchShadows(llvm::Module &M);

} // namespace isozyme

#endif
