//===- GpuMemory.h - Derivatives of copies to and from a GPU -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_GPUMEMORY_H
#define ISOZYME_EMIT_GPUMEMORY_H

namespace llvm {
class Module;
} // namespace llvm

namespace isozyme {

/// Writes the bodies of the rules that Needs/GpuTransfers has declared. For when all derivatives
/// exist.
void emitGpuTransfers(llvm::Module &M);

} // namespace isozyme

#endif
