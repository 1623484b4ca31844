//===- RequestText.h - Requests as text --------------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what DiffRequest::print writes, and a shorter form for tests of a stage
// that has no caller: "isozyme-request"="reverse(dup,const)->active, width 2".
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_REQUESTTEXT_H
#define ISOZYME_REQUESTS_REQUESTTEXT_H

#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/Diagnostics.h"

namespace isozyme {

/// `MODE([@name:] activity [type] [overwritten], ...) -> result [, primal] [, width N]
/// [, globals @g ...]`
/// for \p F. A name or type in the text must be that of \p F. In a split
/// derivative without types all memory may be overwritten, unless `keep` stands
/// among the flags.
llvm::Expected<DiffRequest> parseRequest(llvm::StringRef Text, llvm::Function &F);

/// Is \p R canonical, and does it fit its function? Like verifyFunction, returns
/// true and writes why to \p OS when something is broken.
bool verifyRequest(const DiffRequest &R, llvm::raw_ostream *OS = nullptr);

} // namespace isozyme

#endif
