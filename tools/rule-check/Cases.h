//===- Cases.h - What is checked, as IR --------------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One case per operation, spelling (instruction, library function, intrinsic)
// and type. All functions work on memory, so that every type is passed alike:
//
//   void @f(ptr %in, ptr %out, i64 %n)
//
// Operand i lies at in + 64 i, an integer operand is %n. Shadow l of a pointer
// is at shadow + LaneStride l. Complex numbers lie there part by part.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_RULECHECK_CASES_H
#define ISOZYME_TOOLS_RULECHECK_CASES_H

#include "Numbers.h"
#include "isozyme/Ops/OpTable.h"
#include "llvm/ADT/Twine.h"
#include <string>
#include <vector>

namespace rulecheck {

constexpr unsigned OperandStride = 64, LaneStride = 256, MaxLanes = 4;

struct Case {
  isozyme::Op Id;
  std::string Spelling; ///< "sinf", "llvm.sin.f32", "fmul"
  NumberType In, Out;
  unsigned Number; ///< Tells the functions of one module apart.
  /// The operation is this half of an intrinsic with two results; -1 otherwise.
  int Half = -1;

  std::string name(llvm::StringRef Prefix) const {
    return (Prefix + "_" + llvm::Twine(Number)).str();
  }
  std::string label() const;
};

/// Every case of an operation that this host can run; \p HasSymbol tells which
/// library functions exist. \p WithPairs: also intrinsics with two results, which are
/// split by an early stage of the pipeline.
std::vector<Case> casesOf(isozyme::Op Id, llvm::function_ref<bool(llvm::StringRef)> HasSymbol,
                          bool WithPairs);

/// Numbers for the integer operand; one zero if there is none.
std::vector<int> integersFor(isozyme::Op Id);
/// Where operands are drawn from: the range in MathOps.def, and others where the
/// rule takes another path.
std::vector<isozyme::TestDomain> domainsFor(isozyme::Op Id);
/// How many float operands, and where they stand among all.
std::vector<unsigned> floatOperands(isozyme::Op Id);

/// The function @f_N of a case.
std::string primalIR(const Case &C);
/// The declaration of what it calls; empty for an instruction.
std::string declarationIR(const Case &C);
/// @ref: the operation in the widest type; empty if the host has none.
std::string referenceIR(isozyme::Op Id, llvm::function_ref<bool(llvm::StringRef)> HasSymbol);
/// Functions that ask for derivatives: @fwd_N, @rev_N (width 1), @fwd4_N, @rev4_N, with
/// void(ptr in, ptr din, ptr out, ptr dout, i64 n).
std::string requestsIR(const Case &C);

} // namespace rulecheck

#endif
