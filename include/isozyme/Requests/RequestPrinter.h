//===- RequestPrinter.h - What a module asks for -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_REQUESTPRINTER_H
#define ISOZYME_REQUESTS_REQUESTPRINTER_H

namespace llvm {
class Module;
class raw_ostream;
} // namespace llvm

namespace isozyme {

/// One line for each marker call, in module order: its request, or
/// `error: ` and why it has none. Leaves the module as it is.
void printRequests(llvm::Module &M, llvm::raw_ostream &OS);

} // namespace isozyme

#endif
