//===- CallChain.h - From a culprit to the user's lines ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_SUPPORT_CALLCHAIN_H
#define ISOZYME_LIB_SUPPORT_CALLCHAIN_H

#include "isozyme/Support/Diagnostics.h"

namespace isozyme {

/// One line of a report.
struct ChainLink {
  Place Where;
  std::string Text;
};

/// What is printed of an error: the error itself first, then notes.
llvm::SmallVector<ChainLink, 8> callChain(const DiffError &E);

/// Replaces the linker's names in quotes: '_ZN3geo4normEd' becomes 'geo::norm(double)',
/// '_QMheatmodPheat' becomes 'heat (module heatmod)'.
std::string readable(const llvm::Twine &Raw);

} // namespace isozyme

#endif
