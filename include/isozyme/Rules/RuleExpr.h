//===- RuleExpr.h - The vocabulary of derivative rules -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A partial derivative is a constant expression tree, linear in T. It is
// data: forward mode, reverse mode, the planner, the printer and the tests all
// read the same tree. Nothing here knows LLVM.
//
//   T          the incoming derivative (tangent of the operand, or adjoint of the result)
//   X X1 X2    the operands          Y   the result of the operation
//   + - * /  unary -  comparisons  ||  select(condition, then, else)
//   sin(X) ...  calls of other operations, of the family of the original call
//   toFloat(n), offset(n, -1)        for integer operands
//   convert(T)                       between operand type and result type
//   none                             an operand that carries no derivative
//   unknown                          an operand by which no formula is known: using it is an error
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_RULEEXPR_H
#define ISOZYME_RULES_RULEEXPR_H

#include "isozyme/Ops/Op.h"
#include <algorithm>
#include <array>

namespace isozyme {

// clang-format off: by kind
enum class NodeKind : uint8_t {
  T, Arg, Result, Const, Unknown,
  Add, Sub, Mul, Div, Neg,
  Less, Equal, NotEqual, Or, Select,
  Call, Offset, ToFloat, Convert
};
// clang-format on

struct Node {
  NodeKind K = NodeKind::Const;
  uint8_t A = 0, B = 0, C = 0; ///< Children, by position.
  uint8_t NumChildren = 0;
  Op Fn = Op::None;             ///< Call.
  double Value = 0;             ///< Const and Offset; Arg: the number of the operand.
  const char *Digits = nullptr; ///< Const: decimal digits beyond double precision.
  bool Imaginary = false;       ///< Const: times i.

  constexpr bool operator==(const Node &O) const = default;
};

/// Nodes in post-order, the root last; equal subtrees are stored once.
struct Expr {
  static constexpr unsigned MaxNodes = 24; ///< Beyond it a rule does not compile.
  std::array<Node, MaxNodes> Nodes{};
  uint8_t Size = 0;

  constexpr Expr() = default; ///< `none`
  constexpr Expr(double V) { add({.K = NodeKind::Const, .Value = V}); }
  explicit constexpr Expr(const Node &N) { add(N); }

  constexpr bool isNone() const { return Size == 0; }
  constexpr const Node &root() const { return Nodes[Size - 1]; }

  constexpr uint8_t add(const Node &N) {
    for (uint8_t I = 0; I < Size; ++I)
      if (Nodes[I] == N)
        return I;
    Nodes[Size] = N;
    return Size++;
  }
  /// Copies the nodes of \p E to the end; returns where its root is now.
  constexpr uint8_t splice(const Expr &E) {
    std::array<uint8_t, MaxNodes> At{};
    for (uint8_t I = 0; I < E.Size; ++I) {
      Node N = E.Nodes[I];
      if (N.NumChildren > 0)
        N.A = At[N.A];
      if (N.NumChildren > 1)
        N.B = At[N.B];
      if (N.NumChildren > 2)
        N.C = At[N.C];
      At[I] = add(N);
    }
    return At[E.Size - 1];
  }
};

/// A node over one, two or three subtrees.
constexpr Expr over(Node N, const Expr &A) {
  Expr E;
  N.NumChildren = 1;
  N.A = E.splice(A);
  E.add(N);
  return E;
}
constexpr Expr over(Node N, const Expr &A, const Expr &B) {
  Expr E;
  N.NumChildren = 2;
  N.A = E.splice(A);
  N.B = E.splice(B);
  E.add(N);
  return E;
}
constexpr Expr over(Node N, const Expr &A, const Expr &B, const Expr &C) {
  Expr E;
  N.NumChildren = 3;
  N.A = E.splice(A);
  N.B = E.splice(B);
  N.C = E.splice(C);
  E.add(N);
  return E;
}

/// What rows are written in. A file of rules says `using namespace isozyme::rule_words`.
namespace rule_words {

constexpr Expr T{Node{.K = NodeKind::T}};
constexpr Expr X{Node{.K = NodeKind::Arg, .Value = 0}};
constexpr Expr X1{Node{.K = NodeKind::Arg, .Value = 1}};
constexpr Expr X2{Node{.K = NodeKind::Arg, .Value = 2}};
constexpr Expr Y{Node{.K = NodeKind::Result}};
constexpr Expr none{};
constexpr Expr unknown{Node{.K = NodeKind::Unknown}};

/// A constant known to more digits than a double holds (x86_fp80, fp128).
constexpr Expr digits(double V, const char *Text) {
  return Expr(Node{.K = NodeKind::Const, .Value = V, .Digits = Text});
}
constexpr Expr pi = digits(3.14159265358979323846, "3.14159265358979323846264338327950288420");
constexpr Expr ln2 = digits(0.69314718055994530942, "0.69314718055994530941723212145817656808");
constexpr Expr ln10 = digits(2.30258509299404568402, "2.30258509299404568401799145468436420760");
/// sqrt(pi) / 2, 1 / sqrt(2 pi), sqrt(2 pi)
constexpr Expr halfSqrtPi =
    digits(0.88622692545275801365, "0.88622692545275801364908374167057259140");
constexpr Expr invSqrt2Pi =
    digits(0.39894228040143267794, "0.39894228040143267793994605993438186848");
constexpr Expr sqrt2Pi = digits(2.50662827463100050242, "2.50662827463100050241576528481104525301");
constexpr Expr twoOverSqrtPi =
    digits(1.12837916709551257390, "1.12837916709551257389615890312154517169");

/// A constant times i, in rules of complex numbers.
constexpr Expr imaginary(const Expr &Constant) {
  Node N = Constant.root();
  N.Imaginary = true;
  return Expr(N);
}

constexpr Expr operator+(const Expr &A, const Expr &B) { return over({.K = NodeKind::Add}, A, B); }
constexpr Expr operator-(const Expr &A, const Expr &B) { return over({.K = NodeKind::Sub}, A, B); }
constexpr Expr operator*(const Expr &A, const Expr &B) { return over({.K = NodeKind::Mul}, A, B); }
constexpr Expr operator/(const Expr &A, const Expr &B) { return over({.K = NodeKind::Div}, A, B); }
constexpr Expr operator-(const Expr &A) { return over({.K = NodeKind::Neg}, A); }
/// Comparisons of floats: < and == are false, != is true when an operand is nan.
constexpr Expr operator<(const Expr &A, const Expr &B) { return over({.K = NodeKind::Less}, A, B); }
constexpr Expr operator==(const Expr &A, const Expr &B) {
  return over({.K = NodeKind::Equal}, A, B);
}
constexpr Expr operator!=(const Expr &A, const Expr &B) {
  return over({.K = NodeKind::NotEqual}, A, B);
}
constexpr Expr operator||(const Expr &A, const Expr &B) { return over({.K = NodeKind::Or}, A, B); }
// Only a nan is not equal to itself.
constexpr Expr isNan(const Expr &A) { return A != A; } // NOLINT(misc-redundant-expression)
constexpr Expr select(const Expr &If, const Expr &Then, const Expr &Else) {
  return over({.K = NodeKind::Select}, If, Then, Else);
}
constexpr Expr call(Op Fn, const Expr &A) { return over({.K = NodeKind::Call, .Fn = Fn}, A); }
constexpr Expr call(Op Fn, const Expr &A, const Expr &B) {
  return over({.K = NodeKind::Call, .Fn = Fn}, A, B);
}
/// Integer operands: n + By, and n as a float.
constexpr Expr offset(const Expr &N, int By) {
  return over({.K = NodeKind::Offset, .Value = double(By)}, N);
}
constexpr Expr toFloat(const Expr &N) { return over({.K = NodeKind::ToFloat}, N); }
/// From the type of the operand to that of the result (forward) or back (reverse).
constexpr Expr convert(const Expr &A) { return over({.K = NodeKind::Convert}, A); }

} // namespace rule_words

/// Degree in T: 0 or 1, AnyDegree for the literal 0, NotLinear for the rest.
constexpr int AnyDegree = -1, NotLinear = 2;

constexpr int sameDegree(int A, int B) {
  if (A == AnyDegree)
    return B;
  return B == AnyDegree || A == B ? A : NotLinear;
}

constexpr int degreeOf(const Expr &E, unsigned I) {
  const Node &N = E.Nodes[I];
  switch (N.K) {
  case NodeKind::T:
  case NodeKind::Unknown:
    return 1;
  case NodeKind::Arg:
  case NodeKind::Result:
    return 0;
  case NodeKind::Const:
    return N.Value == 0 ? AnyDegree : 0;
  case NodeKind::Neg:
  case NodeKind::Convert:
    return degreeOf(E, N.A);
  case NodeKind::Add:
  case NodeKind::Sub:
    return sameDegree(degreeOf(E, N.A), degreeOf(E, N.B));
  case NodeKind::Mul: {
    int A = degreeOf(E, N.A), B = degreeOf(E, N.B);
    return A == AnyDegree || B == AnyDegree ? AnyDegree : std::min(A + B, NotLinear);
  }
  case NodeKind::Div:
    return degreeOf(E, N.B) > 0 ? NotLinear : degreeOf(E, N.A);
  case NodeKind::Less:
  case NodeKind::Equal:
  case NodeKind::NotEqual:
  case NodeKind::Or:
    return degreeOf(E, N.A) > 0 || degreeOf(E, N.B) > 0 ? NotLinear : 0;
  case NodeKind::Select:
    return degreeOf(E, N.A) > 0 ? NotLinear : sameDegree(degreeOf(E, N.B), degreeOf(E, N.C));
  case NodeKind::Offset:
  case NodeKind::ToFloat:
    return degreeOf(E, N.A) > 0 ? NotLinear : 0;
  case NodeKind::Call:
    if (N.NumChildren > 1 && degreeOf(E, N.B) > 0)
      return NotLinear;
    // Scaling by a power of two is linear in what is scaled.
    if (N.Fn == Op::Ldexp || N.Fn == Op::Scalbn || N.Fn == Op::Scalbln)
      return degreeOf(E, N.A);
    return degreeOf(E, N.A) > 0 ? NotLinear : 0;
  }
  return NotLinear;
}

/// Is E linear in T (or none, or zero)?
constexpr bool isLinear(const Expr &E) {
  if (E.isNone())
    return true;
  int D = degreeOf(E, E.Size - 1);
  return D == 1 || D == AnyDegree;
}

/// Does a result with this partial derivative depend on the operand at all? `none` and a
/// literal zero say that it does not.
constexpr bool dependsOnT(const Expr &E) { return !E.isNone() && degreeOf(E, E.Size - 1) == 1; }

constexpr bool isUnknown(const Expr &E) { return !E.isNone() && E.root().K == NodeKind::Unknown; }

/// What an expression reads besides T: bit i for operand i, ResultBit for Y.
constexpr unsigned ResultBit = 1u << 7;

constexpr unsigned readsOf(const Expr &E) {
  unsigned Reads = 0;
  for (unsigned I = 0; I < E.Size; ++I) {
    if (E.Nodes[I].K == NodeKind::Arg)
      Reads |= 1u << unsigned(E.Nodes[I].Value);
    if (E.Nodes[I].K == NodeKind::Result)
      Reads |= ResultBit;
  }
  return Reads;
}

} // namespace isozyme

#endif
