//===- kinds.h - How checked memory is accessed ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that the compiler writes and the run-time part reads: C and C++ alike.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_KINDS_H
#define ISOZYME_CHECK_KINDS_H

/// KindWrite may be added to the others.
enum {
  KindBytes = 0,
  KindFloat = 1,
  KindDouble = 2,
  KindLongDouble = 3,
  KindUnknown = 4, ///< Bytes that may hold numbers.
  KindMoved = 5,   ///< Bytes of which is told where they come from, or go to.
  KindPointer = 8,
  KindWrite = 16,
  KindOverwritten = 32 ///< Bytes that are only to be put back.
};

#endif
