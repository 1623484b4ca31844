//===- TypeResultImpl.h - What TypeResult hides ------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_TYPES_TYPERESULTIMPL_H
#define ISOZYME_LIB_TYPES_TYPERESULTIMPL_H

#include "Graph/GraphBuilder.h"

namespace isozyme {

struct TypeResult::Impl {
  const llvm::Function *F = nullptr;
  GraphSummary Summary;
  /// Null where there are none.
  const TaggedRecords *records() const;
  mutable std::optional<TaggedRecords> Records; ///< Made when first asked.
};

} // namespace isozyme

#endif
