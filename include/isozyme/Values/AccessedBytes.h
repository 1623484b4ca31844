//===- AccessedBytes.h - How far an address is used --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that gets the address of a member of a record might use it to get to the others. What
// its body does with it says that it does not.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_ACCESSEDBYTES_H
#define ISOZYME_VALUES_ACCESSEDBYTES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class AllocaInst;
class Argument;
class CallBase;
class DataLayout;
class Value;
} // namespace llvm

namespace isozyme {

/// Bytes from \p First up to, but without, \p End, counted from an address.
struct ByteSpan {
  int64_t First = 0, End = 0;
};

/// The bytes that a call accesses through its argument of a number, counted from there; nothing: it
/// may be any, or the call keeps the address.
using SpanQuery =
    llvm::function_ref<std::optional<ByteSpan>(const llvm::CallBase &Call, unsigned Arg)>;

/// What each use of an address that is computed from \p Address accesses, counted from there, with
/// the bytes between that address and it; nothing: it may be any, or the address is kept, handed
/// back or chosen from several.
std::optional<llvm::SmallVector<ByteSpan, 8>>
accessesThrough(const llvm::Value &Address, const llvm::DataLayout &DL, SpanQuery OfCall);

/// The bytes that are accessed through addresses computed from \p A, by its function and by those
/// that this calls; nothing: it may be any.
std::optional<ByteSpan> bytesAccessed(const llvm::Argument &A, SpanQuery OfCall);

/// The parts of \p Local that are accessed apart from each other, in order: no address in one of
/// them is used to access another. None: it is one memory.
llvm::SmallVector<ByteSpan, 2> partsOf(const llvm::AllocaInst &Local, SpanQuery OfCall);

} // namespace isozyme

#endif
