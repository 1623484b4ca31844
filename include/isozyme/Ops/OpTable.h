//===- OpTable.h - Facts about an operation ----------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of MathOps.def as data, and the two directions of naming: which
// operation a function name stands for, and what an operation is called in a
// family for a type. Names are taken apart here and nowhere else.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_OPTABLE_H
#define ISOZYME_OPS_OPTABLE_H

#include "isozyme/Ops/Op.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>
#include <string>

namespace llvm {
class FunctionType;
class Module;
class Type;
} // namespace llvm

namespace isozyme {

/// Result, then parameters: F float, I integer, P pointer, C complex.
enum class Signature : uint8_t {
  F_F,
  F_FF,
  F_FFF,
  F_FI,
  F_IF,
  F_FL, ///< The second is a long double, whatever the first is.
  F_FP,
  F_FFP,
  I_F,
  C_C,
  C_CC,
  C_CF, ///< The float takes no part in the derivative.
  C_IC
};

/// Do finite operands give a finite result?
enum class Finiteness : uint8_t { Total, Partial };

/// What computing an operation again costs.
enum class Work : uint8_t { Simple, Division, Call };

/// Whose function it is, which decides the names a derivative may call.
enum class MathFamily : uint8_t {
  Instruction,  ///< An instruction of LLVM.
  Intrinsic,    ///< llvm.sin.f64
  Libm,         ///< sin, sinf, sinl, sinf128
  Libdevice,    ///< __nv_sin, __nv_sinf
  Ocml,         ///< __ocml_sin_f64
  Pgmath,       ///< __fd_sin_1, __fs_sin_1: what flang called
  VectorLibrary ///< _ZGVbN2v_sin, Sleef_sind4_u10, __svml_sin4: see VectorNames.h
};

/// Where tests take the operands from.
struct TestDomain {
  double Lo, Hi;   ///< The first float operand.
  double Lo1, Hi1; ///< The others.
};

struct OpInfo {
  enum Kind : uint8_t { NoOp, Arithmetic, Function, ComplexFunction, ZeroFunction, RuleOnly };
  Kind K;
  llvm::StringLiteral Id;
  llvm::StringLiteral Name;
  Signature Sig;
  /// Opcode of an Arithmetic row.
  unsigned Opcode;
  llvm::Intrinsic::ID Intrinsic;
  Finiteness Finite;
  Work Again;
  TestDomain Domain;
};

const OpInfo &opInfo(Op Id);
/// The name of an operation for people: "sin".
inline llvm::StringRef opName(Op Id) { return opInfo(Id).Name; }

/// Is it a function of complex numbers?
inline bool isComplexOp(Op Id) { return opInfo(Id).K == OpInfo::ComplexFunction; }
/// Number of operands that a rule can refer to (pointers written through do not count, nor
/// what says how exact the result shall be).
unsigned numOperands(Signature S);
/// How many of them are complex numbers.
unsigned numComplexOperands(Signature S);
/// Is operand \p I of the signature an integer?
bool isIntOperand(Signature S, unsigned I);
/// Does \p T fit \p S, with \p Float as the type of every float in it?
bool signatureFits(const llvm::FunctionType *T, Signature S, const llvm::Type *Float);

/// How the name of a C function says its type.
enum class FloatSuffix : uint8_t { None, F, L, F16, F32, F64, F128 };

struct MathName {
  Op Id;
  MathFamily Family;
  FloatSuffix Suffix;
  /// Too plain a name: a function has it by chance, unless it is marked to be like that one.
  bool NeedsMark = false;
};

/// Which operation, if any, a function of this name performs.
std::optional<MathName> parseMathName(llvm::StringRef Name);
/// Which complex operation a libm function of this name performs: csqrt, csqrtf, ...
std::optional<MathName> parseComplexName(llvm::StringRef Name);
/// The suffix of a name in the family of \p Base ("sincosf"), which need not be in the table.
std::optional<FloatSuffix> suffixAfter(llvm::StringRef Name, llvm::StringRef Base);
/// May a function with this suffix compute in \p Float (a scalar type)?
bool suffixFits(FloatSuffix Suffix, MathFamily Family, const llvm::Type *Float);

/// The library of mathematics of the machine that \p M is compiled for.
MathFamily libraryOf(const llvm::Module &M);

/// The name of \p Id in \p Family for the scalar type \p Float; \p Hint is the
/// suffix of the original call (fp128 is "l" on some targets and "f128" on
/// others). Empty when the family has none, e.g. libm for half.
std::string mathName(Op Id, MathFamily Family, const llvm::Type *Float,
                     FloatSuffix Hint = FloatSuffix::None);

/// What the library of \p Name, a function for \p Like, calls its function for \p Id:
/// gsl_sf_bessel_I1 beside gsl_sf_bessel_I0. Empty where no such pair is known;
/// the name need not be one of a mathematical function.
std::string nameBeside(llvm::StringRef Name, Op Like, Op Id);

/// Which operation an intrinsic performs; Op::None when it is in no row.
Op opOfIntrinsic(llvm::Intrinsic::ID Id);
/// All intrinsics that perform \p Id: llvm.minnum and llvm.minimumnum.
llvm::SmallVector<llvm::Intrinsic::ID, 2> intrinsicsOf(Op Id);

} // namespace isozyme

#endif
