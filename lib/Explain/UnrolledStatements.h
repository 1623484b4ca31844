//===- UnrolledStatements.h - Copies by unrolling, told once -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_UNROLLEDSTATEMENTS_H
#define ISOZYME_LIB_EXPLAIN_UNROLLEDSTATEMENTS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace isozyme {

/// Tells statements that unrolling has copied once, with the indices of the copies. \p Source is
/// the line that they belong to.
void tellCopiesOnce(std::vector<std::string> &Statements, llvm::StringRef Source);

} // namespace isozyme

#endif
