//===- DeviceMath.h - The library of mathematics of a GPU ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_DEVICEMATH_H
#define ISOZYME_DRIVER_DEVICEMATH_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace isozyme {

/// Functions of the library that have a rule count as such, whatever their bodies do, and are not
/// inlined until derivatives exist (pinMarked). True if there are any.
bool markDeviceMath(llvm::Module &M);

/// Links what derivatives have made \p M call, where the rest of the library is in \p M.
llvm::Error linkDeviceMath(llvm::Module &M);

} // namespace isozyme

#endif
