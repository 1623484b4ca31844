//===- SourceFile.h - From a source file to LLVM IR -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_JIT_SOURCEFILE_H
#define ISOZYME_JIT_SOURCEFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace isozyme::jit {

/// Runs the command `isozyme`, which stands where this library is installed, and returns what
/// comes before all optimisation. \p Arguments ends with null, or is null.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compileSource(const char *Path,
                                                                  const char *const *Arguments);

} // namespace isozyme::jit

#endif
