//===- RuleShape.h - What signatures of user's rules mean --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a request, and the functions registered for its function. Out: which operand of the
// user's functions is what, or the user's mistake (IZ211, IZ213); what is
// emitted for a rule can no longer fail. Scalars are compared one by one, since an ABI passes
// structs in many ways:
//
//   struct pair { double a, b; };  struct three { double v[3]; };
//   double f(struct pair, double)     double @f(double, double, double)
//   double g(struct three)            double @g(ptr byval(%struct.three))
//   struct three h(double)            void @h(ptr sret(%struct.three), double)
//
// A struct in several registers is one parameter of the user's: its shadow follows the whole
// of it. A struct in memory has its gradient returned, or a pointer to its shadow behind
// it. A result in memory is returned by the user's functions as well, or its address and
// that of its shadow are their first operands.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_RULESHAPE_H
#define ISOZYME_REQUESTS_RULESHAPE_H

#include "isozyme/Requests/DiffRequest.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace isozyme {

using TypeList = llvm::SmallVector<llvm::Type *, 8>;

/// A function of the user's, without what the ABI adds to it.
struct UserFunction {
  llvm::Function &Fn;
  unsigned FirstParam = 0;      ///< Behind the buffer for the result.
  llvm::Type *Result = nullptr; ///< Null: nothing.

  explicit UserFunction(llvm::Function &F);
  TypeList result() const { return Result ? scalars({Result}) : TypeList(); }
  /// The scalars that parameter \p I holds.
  TypeList param(unsigned I) const;
  TypeList scalars(llvm::ArrayRef<llvm::Type *> Of) const;
};

/// A parameter of the function as the source has it.
struct RuleParam {
  unsigned First = 0, Count = 1;  ///< Parameters in IR.
  bool Shadowed = false;          ///< A shadow or tangent follows.
  bool Seeded = false;            ///< Reverse: its gradient is returned.
  llvm::Type *InMemory = nullptr; ///< A struct by value.
};

/// What the signatures of a registered derivative say.
struct RuleShape {
  llvm::SmallVector<RuleParam, 8> Params;
  llvm::SmallVector<RuleParam, 8> FirstParams; ///< Forward from a tape: of the first half.
  /// The result is one that the user's functions return, although the ABI of the function
  /// has it written to memory, whose address is parameter 0.
  bool ReturnsStruct = false;
  llvm::Type *Result = nullptr; ///< What the function returns by the source; null: nothing.
  // Forward.
  bool HasTangent = false; ///< The result is { result, tangent }.
  // Reverse.
  TypeList Tape;                  ///< Its scalars.
  bool TapeIsNull = false;        ///< There is none, but the second half has a parameter for it.
  unsigned ResultAt = 0;          ///< Where the scalars of the result begin.
  bool HasShadow = false;         ///< The shadow of the result follows it.
  llvm::Type *Unpacked = nullptr; ///< What the ABI has packed into the first half's result.
  unsigned TapeParam = 0;         ///< The first parameter of the second half that is the tape.
  bool TakesSeed = false;
  bool GradientsOfIntegers = false; ///< Structs that are returned have their integers, too.
};

/// Does a shadow (a tangent) follow a parameter of this type?
bool isShadowedType(llvm::Type *T, bool Forward);
/// Is a derivative of this type passed by value in reverse mode?
bool isSeededType(llvm::Type *T);

// Those that read a rule warn where a function of the user's uses the shadow of a pointer that
// is constant in this request, and does not look whether it is the pointer itself, which it is.
llvm::Expected<RuleShape> readReverseRule(const DiffRequest &R);
llvm::Expected<RuleShape> readForwardRule(const DiffRequest &R);
/// Forward from a tape: the first half runs without shadows (its parameters for them are
/// null), the second returns the tangent alone.
llvm::Expected<RuleShape> readSplitForwardRule(const DiffRequest &R);

} // namespace isozyme

#endif
