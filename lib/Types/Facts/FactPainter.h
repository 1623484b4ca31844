//===- FactPainter.h - Facts painted on a range of bytes --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_TYPES_FACTPAINTER_H
#define ISOZYME_LIB_TYPES_FACTPAINTER_H

#include "isozyme/Types/MemoryGraph.h"

namespace isozyme {

/// Is what is known of floats in elements of an array about \p Place, and not only about all
/// that lies as far apart, a count before the array for one?
bool isAsExact(const MemoryNode::FactKey &Key, PointerTarget Place);

/// Is an integer known of one element of what \p Place steps through, and not of all?
bool isOfOneElement(const MemoryNode::FactKey &Key, const Fact &Type, PointerTarget Place);

/// What \p Facts, those of \p N or some of them, say of \p Size bytes at \p Place.
PaintedRange paintFacts(const MemoryNode::FactMap &Facts, PointerTarget Place, uint64_t Size,
                        const MemoryNode &N, WhichFacts Which = {});

} // namespace isozyme

#endif
