//===- AccessTags.h - What alias metadata tells of an access -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TYPES_ACCESSTAGS_H
#define ISOZYME_TYPES_ACCESSTAGS_H

#include "isozyme/Types/TypeResult.h"

namespace llvm {
class DataLayout;
class MDNode;
} // namespace llvm

namespace isozyme {

/// The type that \p Tag names, Anything for bytes of any kind, Unknown for none of these.
ConcreteType typeNamedBy(const llvm::MDNode *Tag, const llvm::DataLayout &DL);

} // namespace isozyme

#endif
