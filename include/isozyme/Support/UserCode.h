//===- UserCode.h - Which lines are the user's -------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_USERCODE_H
#define ISOZYME_SUPPORT_USERCODE_H

namespace llvm {
class DILocation;
}

namespace isozyme {

/// \p Loc, or where the code of Isozyme's headers that it is in was called from:
///
///   enzyme:90, inlined at enzyme:130, ..., inlined at gradient.hpp:49, inlined at main.cpp:6
const llvm::DILocation *userLocation(const llvm::DILocation *Loc);

} // namespace isozyme

#endif
