//===- ComplexCalls.h - Library functions of complex numbers -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C passes complex numbers as each target likes: two scalars, a vector, an array, a
// struct, or memory; all of these occur on x86-64 alone. One form stands for them all:
//
//   <2 x double> @isozyme.csqrt(<2 x double>)
//
// a function of Isozyme that calls the library's in the target's form. It carries the
// attribute "isozyme-complex"="csqrt", by which OpView knows it, and is inlined in the end.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_COMPLEXCALLS_H
#define ISOZYME_OPS_COMPLEXCALLS_H

#include "isozyme/Ops/OpTable.h"

namespace llvm {
class CallBase;
class Function;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

/// The real and the imaginary part of a number.
struct ComplexParts {
  llvm::Value *Re = nullptr, *Im = nullptr;
};

/// A call of a library function of complex numbers, in whatever form.
struct ComplexCall {
  /// What is computed: an operation of complex numbers, or a real one of the two parts.
  enum Kind : uint8_t { Complex, OfParts, Real, Imaginary, Conjugate } K;
  Op Id = Op::None; ///< Complex: the operation. OfParts: hypot or atan2.
  FloatSuffix Suffix = FloatSuffix::None;
  llvm::Type *Float = nullptr;
};

/// What \p Call computes; none if it is no such call or of an unusual form.
std::optional<ComplexCall> complexCall(const llvm::CallBase &Call);

/// The parts of the \p Number-th complex operand, read at \p B.
ComplexParts complexOperand(llvm::IRBuilderBase &B, const llvm::CallBase &Call,
                            const ComplexCall &What, unsigned Number);
/// The call's other operands, before and behind the complex ones.
llvm::SmallVector<llvm::Value *, 1> operandsBefore(const llvm::CallBase &Call,
                                                   const ComplexCall &What);
llvm::SmallVector<llvm::Value *, 1> operandsBehind(const llvm::CallBase &Call,
                                                   const ComplexCall &What);
/// Lets all users of the call have \p Result instead, and erases the call.
void replaceComplexCall(llvm::IRBuilderBase &B, llvm::CallBase &Call, const ComplexCall &What,
                        ComplexParts Result);

/// The function on vectors that calls the library function of \p Call in its form.
llvm::Function &complexFunction(llvm::CallBase &Call, const ComplexCall &What);
/// Such a function of another operation, for the same type. \p Id takes no more operands
/// than that of \p Like.
llvm::Function &complexFunctionLike(const llvm::Function &Like, Op Id);
/// The operation of such a function.
std::optional<MathName> complexFunctionName(const llvm::Function &F);

} // namespace isozyme

#endif
