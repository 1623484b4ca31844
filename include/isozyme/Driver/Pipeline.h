//===- Pipeline.h - Where Isozyme runs in LLVM's pipelines -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_PIPELINE_H
#define ISOZYME_DRIVER_PIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace isozyme {

/// Registers the pass names and hooks into the default pipelines. \p LoadOptions
/// is called before a pass of Isozyme runs, possibly by several threads.
void registerIsozyme(llvm::PassBuilder &PB, void (*LoadOptions)());

} // namespace isozyme

#endif
