//===- SameInWarp.h - Is a value the same in all threads of a warp? -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TARGET_SAMEINWARP_H
#define ISOZYME_TARGET_SAMEINWARP_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Argument;
class Value;
} // namespace llvm

namespace isozyme {

/// Is \p V computed from nothing that differs between threads of a warp, such as their numbers?
/// A guess: threads that run a loop at different passes have different counters, and memory may
/// change between two reads. \p OfArgument says it of the arguments of a function that is no
/// kernel. On a processor, and of what is too long to follow, the answer is no.
bool isSameInWarp(const llvm::Value &V,
                  llvm::function_ref<bool(const llvm::Argument &)> OfArgument);

} // namespace isozyme

#endif
