//===- PtxAssembly.h - Inline assembly of NVIDIA's GPUs, in LLVM's words ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_TARGET_PTXASSEMBLY_H
#define ISOZYME_LIB_TARGET_PTXASSEMBLY_H

#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"

namespace isozyme {

/// The results of the statements in \p Text, by instructions at \p B; nothing where one of them is
/// not known. What has been inserted then is of no use.
std::optional<llvm::SmallVector<llvm::Value *, 2>>
readPtx(llvm::IRBuilderBase &B, llvm::StringRef Text, llvm::ArrayRef<AssemblyOperand> Operands);

/// Does a statement of \p Text work on floats?
bool ptxMentionsFloats(llvm::StringRef Text);

Meeting meetingInPtx(llvm::StringRef Text);

} // namespace isozyme

#endif
