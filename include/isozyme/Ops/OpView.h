//===- OpView.h - One recognised operation -----------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place where callee names and intrinsic ids are looked at. Every
// instruction has an OpView; what no table knows is Op::Opaque.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_OPVIEW_H
#define ISOZYME_OPS_OPVIEW_H

#include "isozyme/Ops/Op.h"
#include "isozyme/Ops/OpTable.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Module;
class TargetLibraryInfo;
class Type;
class Value;
class raw_ostream;
} // namespace llvm

namespace isozyme {

/// What kind of thing an instruction is to differentiation.
enum class OpClass : uint8_t {
  Elementwise,   ///< Has a row in the rule table (Id says which).
  Zero,          ///< Derivative zero everywhere (floor, comparisons, int arithmetic).
  Structural,    ///< select, phi, freeze, extract/insert, shuffle, bitcast, reduce.fadd, exchange.
  Memory,        ///< load, store, memcpy, memmove, memset, alloca, GEP.
  Allocate,      ///< malloc, calloc, operator new, ...: returns fresh memory.
  Free,          ///< free, operator delete, ...
  KnownInactive, ///< A library function that moves no derivative (printf, strlen, ...).
  Control,       ///< br, switch, ret, unreachable.
  Call,          ///< A call of a function with a body, or an unknown one.
  Unlisted,      ///< A call through a pointer that is none of the functions known to fit.
  Opaque         ///< Anything else.
};

struct OpView {
  OpClass Class = OpClass::Opaque;
  Op Id = Op::Opaque; ///< Elementwise and Zero math functions.
  /// The operands the rule numbers X, X1, X2 (floats and integers alike).
  llvm::SmallVector<llvm::Value *, 3> Operands;

  /// Whose function it is: derivatives call functions of the same family.
  MathFamily Family = MathFamily::Instruction;
  /// The suffix of the function called (libm only).
  FloatSuffix Suffix = FloatSuffix::None;
  /// modf(x, p) stores a float that has derivative zero: a float of type
  /// WrittenType at this pointer, whose shadow the call sets to zero (forward: store
  /// zero; reverse: the adjoint there becomes zero). Null for all other operations.
  llvm::Value *WritesZeroTo = nullptr;
  llvm::Type *WrittenType = nullptr;
  /// The function called; null for instructions and intrinsics. Operations of complex
  /// numbers: that on vectors (see ComplexCalls.h).
  llvm::Function *Callee = nullptr;
};

OpView viewOf(const llvm::Instruction &I, const llvm::TargetLibraryInfo &TLI);
/// The row of an instruction (Elementwise, or Zero function), Op::Opaque when it has none.
/// Needs no TargetLibraryInfo, for it does not tell other calls apart.
Op mathOpOf(const llvm::Instruction &I);

/// The math function that \p F is: a library's, by its name and signature (a body is the
/// user's own function, whatever its name), or one that it is marked to be like.
std::optional<MathName> mathFunctionOf(const llvm::Function &F);

/// { value, sign } = logabsgamma(x): Prepare takes the value's derivative from lgamma.
bool isSignedLogGamma(const llvm::CallBase &Call);

/// Float (Float derivative, Float value): returns the value, with the derivative of the
/// other (Op::StandIn). For code on the bits of floats, which Prepare leaves as it is.
llvm::Function *standInFunction(llvm::Module &M, llvm::Type *Float);

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, OpClass C);
/// "elementwise sin" and its operand count, for tests and explanations.
void printOpView(const OpView &V, llvm::raw_ostream &OS);

} // namespace isozyme

#endif
