//===- KnownMultiple.h - A number that divides a value -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_KNOWNMULTIPLE_H
#define ISOZYME_VALUES_KNOWNMULTIPLE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace llvm {
class DataLayout;
class Function;
class Operator;
class Value;
} // namespace llvm

namespace isozyme {

/// A number, at least 1, that divides the integer \p V whatever its value is: 24 for
/// `mul %n, 24`. Byte offsets tell by it what elements they step over.
uint64_t knownMultiple(const llvm::Value &V, const llvm::DataLayout &DL);

/// The same for \p V as a distance between places of one object: no object is so large
/// that the product of an index and a size wraps.
/// \p OfPointers, if any, may know more of the difference of two pointers: 0 for none at all.
using PointerDistance = llvm::function_ref<uint64_t(const llvm::Operator &Sub)>;
uint64_t distanceMultiple(const llvm::Value &V, const llvm::DataLayout &DL,
                          PointerDistance OfPointers = {});

/// Notes in \p F, which is as the front end has made it, which differences of pointers are whole
/// elements: `end - begin` divides the distance in bytes by the size of an element, and means that
/// nothing remains. Where begin + (end - begin) is computed, simplified code divides no more.
void markElementDistances(llvm::Function &F);

} // namespace isozyme

#endif
