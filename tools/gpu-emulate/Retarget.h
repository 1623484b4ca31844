//===- Retarget.h - The code of a GPU, for this machine ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_GPUEMULATE_RETARGET_H
#define ISOZYME_TOOLS_GPUEMULATE_RETARGET_H

#include "llvm/IR/Module.h"

namespace isozyme {

/// Rewrites \p M in place. Where a thread is and what threads do together become calls of
/// functions gpu_*, which the emulator's runtime has (test/GPU/Inputs/emulator.cpp).
void retarget(llvm::Module &M);

/// Lets ThreadSanitizer see all accesses, after retarget: threads of the GPU are threads to it.
void watchRaces(llvm::Module &M);

/// A planted fault: what is added atomically is read and written one after the other.
void loseAtomics(llvm::Module &M);

} // namespace isozyme

#endif
