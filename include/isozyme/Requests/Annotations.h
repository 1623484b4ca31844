//===- Annotations.h - What a module says of its functions -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside calls, Enzyme's surface has declarations about functions: variables such
// as __enzyme_register_gradient_f, and attributes such as enzyme_inactive. Those
// that change what a derivative is are not in this release, and none is ignored.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_ANNOTATIONS_H
#define ISOZYME_REQUESTS_ANNOTATIONS_H

#include "isozyme/Support/Diagnostics.h"

namespace llvm {
class Module;
} // namespace llvm

namespace isozyme {

/// One error per declaration of \p M that would change a derivative; success
/// where there is none. \p Asked: a call for one, the place of declarations that
/// name no function.
llvm::Error checkAnnotations(const llvm::Module &M, const Place &Asked);

} // namespace isozyme

#endif
