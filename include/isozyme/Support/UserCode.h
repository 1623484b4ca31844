//===- UserCode.h - Which lines are the user's -------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_USERCODE_H
#define ISOZYME_SUPPORT_USERCODE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class DILocation;
class Function;
} // namespace llvm

namespace isozyme {

/// \p Loc, or where the code of Isozyme's headers that it is in was called from:
///
///   enzyme:90, inlined at enzyme:130, ..., inlined at gradient.hpp:49, inlined at main.cpp:6
const llvm::DILocation *userLocation(const llvm::DILocation *Loc);
/// Is a line, or a function of which no line is known, code of the C++ library or of another
/// library of headers in the system's folders, which a user cannot change?
bool isLibraryCode(const llvm::DILocation &Loc);
bool isLibraryCode(const llvm::Function &F);
/// Isozyme's own attribute: the function is a copy of one that was compiled without optimisation.
constexpr llvm::StringLiteral UnoptimisedMark = "isozyme-unoptimised";
/// Likewise: a body that is lent to a function of a library. No integer there is an address.
constexpr llvm::StringLiteral LentBodyMark = "isozyme-lent-body";

/// Is \p Path that of a header of Isozyme's, by which calls are made?
bool isOurHeader(llvm::StringRef Path);
/// Is \p Path that of a library, which the user has not written: of the standard library, the
/// compiler, the system, or of Isozyme?
bool isLibraryFile(llvm::StringRef Path);
/// \p Loc, or the line of the user's that called the library code that it is in. Where all of
/// it is a library's, its outermost call.
const llvm::DILocation *lineOfUser(const llvm::DILocation *Loc);

} // namespace isozyme

#endif
