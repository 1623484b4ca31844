//===- BulkLayout.h - What memcpy and memset move ----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_BULKLAYOUT_H
#define ISOZYME_NEEDS_BULKLAYOUT_H

#include "isozyme/Needs/NeedAnalysis.h"
#include "isozyme/Types/TypeResult.h"

namespace llvm {
class IntrinsicInst;
class MemIntrinsic;
} // namespace llvm

namespace isozyme {

/// What the bytes that \p M moves or sets hold. Without an answer for every byte
/// the derivative is unknown: error IZ203.
llvm::Expected<MemoryLayout> bulkLayout(const ReverseFacts &F, const llvm::MemIntrinsic &M);

/// The error for bytes of which nothing tells what they hold.
llvm::Error unknownBytes(const PreparedFunction &P, const llvm::IntrinsicInst &M);

} // namespace isozyme

#endif
