//===- TypeAnalysis.h - Deduce what memory holds -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TYPES_TYPEANALYSIS_H
#define ISOZYME_TYPES_TYPEANALYSIS_H

#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/SmallVector.h"

namespace isozyme {

/// What is known of functions that others call. May be kept from one analysis to the
/// next as long as no function changes.
class TypeSummaries {
public:
  TypeSummaries();
  ~TypeSummaries();
  void clear();

  struct Impl;

private:
  friend TypeResult analyzeTypes(const PreparedFunction &P, TypeSummaries &Known);
  std::unique_ptr<Impl> I;
};

/// Deduces types for one prepared function from its own code, TBAA, known
/// library functions and (read only) the bodies of the functions it calls.
TypeResult analyzeTypes(const PreparedFunction &P, TypeSummaries &Known);

/// Notes what the copies and fills in \p F, which is prepared, move, where \p Types knows all of
/// it, see BulkNotes.h.
void noteBulkTypes(llvm::Function &F, const TypeResult &Types);

/// The instructions by which \p P moves addresses as integers, or floats as pointers, or by
/// which it loads the bits of a float to compute with them.
llvm::SmallVector<MistypedMove, 0> mistypedMoves(const PreparedFunction &P,
                                                 const TypeResult &Types);

} // namespace isozyme

#endif
