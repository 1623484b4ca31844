//===- InlineParts.h - Helpers of a derivative become part of it -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_CLEANUP_INLINEPARTS_H
#define ISOZYME_LIB_CLEANUP_INLINEPARTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace isozyme {

/// Inlines the calls of functions that are marked marking::PartOfCaller.
void inlineParts(llvm::Function &F);

} // namespace isozyme

#endif // ISOZYME_LIB_CLEANUP_INLINEPARTS_H
