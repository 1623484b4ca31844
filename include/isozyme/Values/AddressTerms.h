//===- AddressTerms.h - An address as a sum ---------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_ADDRESSTERMS_H
#define ISOZYME_VALUES_ADDRESSTERMS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace isozyme {

/// Base + Offset + the sum of Scale * Index, in bytes.
struct AddressTerms {
  struct Term {
    llvm::Value *Index;
    int64_t Scale;
  };
  llvm::Value *Base = nullptr;
  int64_t Offset = 0;
  llvm::SmallVector<Term, 4> Terms;
  /// A product may need more bits than an address has: the index is known but for multiples.
  bool MayWrap = false;

  /// The greatest common divisor of the scales, 0 without terms.
  int64_t stride() const;
};

/// \p Ptr back to what is no `getelementptr`; nothing where one has no such form.
std::optional<AddressTerms> addressTerms(llvm::Value *Ptr, const llvm::DataLayout &DL);

} // namespace isozyme

#endif
