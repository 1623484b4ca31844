//===- Text.cpp - Expressions as people write them ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of arithmetic that make formulas shorter without making others of them:
// signs go to the front of products and become those of sums, and products in products
// lose their parentheses.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Source/Text.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

using namespace llvm;

namespace isozyme {

/// The length of \p S up to the parenthesis that closes its first one.
static size_t enclosedLength(StringRef S) {
  unsigned Open = 0;
  for (size_t I = 0; I < S.size(); ++I) {
    Open += S[I] == '(' || S[I] == '[';
    Open -= S[I] == ')' || S[I] == ']';
    if (!Open)
      return I + 1;
  }
  return S.size();
}

/// One factor, with the operator in front of it.
struct Factor {
  StringRef Operator; ///< "", " * " or " / "
  StringRef Value;
};

/// The factors of a product; nothing for what is none.
static std::optional<std::vector<Factor>> factorsOf(StringRef S) {
  std::vector<Factor> Factors;
  StringRef Operator;
  for (size_t Begin = 0, I = 0; I <= S.size();) {
    if (I == S.size() || S[I] == ' ') {
      Factors.push_back({Operator, S.slice(Begin, I)});
      if (I == S.size())
        break;
      Operator = S.substr(I, 3);
      if (Operator != " * " && Operator != " / ")
        return std::nullopt;
      Begin = I += 3;
      continue;
    }
    I += S[I] == '(' || S[I] == '[' ? enclosedLength(S.substr(I)) : 1;
  }
  return Factors;
}

static bool isEnclosed(StringRef S) { return S.starts_with("(") && enclosedLength(S) == S.size(); }

/// Takes a sign away from the front of \p S.
static bool takeSign(StringRef &S) { return S.size() > 1 && S.consume_front("-"); }

/// Puts the factors of \p S behind \p To. \returns whether their sign is minus.
static bool spread(StringRef S, StringRef Operator, std::vector<std::string> &To) {
  bool Minus = takeSign(S);
  auto Inner =
      Operator != " / " && isEnclosed(S) ? factorsOf(S.drop_front().drop_back()) : std::nullopt;
  if (!Inner) {
    To.push_back((Operator + S).str());
    return Minus;
  }
  for (const Factor &F : *Inner)
    Minus ^= spread(F.Value, F.Operator.empty() ? Operator : F.Operator, To);
  return Minus;
}

Text tidyProduct(const Text &T) {
  std::optional<std::vector<Factor>> Factors;
  if (T.Binds == BindsProduct || T.Binds == BindsSign)
    Factors = factorsOf(T.S);
  if (!Factors)
    return T;
  std::vector<std::string> Flat;
  bool Minus = false;
  for (const Factor &F : *Factors)
    Minus ^= spread(F.Value, F.Operator, Flat);
  std::string S = Minus ? "-" : "";
  for (const std::string &F : Flat)
    S += F;
  return {S, Flat.size() > 1 ? BindsProduct : Minus ? BindsSign : BindsCall};
}

Text productOf(const Text &A, const Text &B) {
  return tidyProduct({A.in(BindsProduct) + " * " + B.in(BindsProduct + 1), BindsProduct});
}

std::optional<Text> subtracted(const Text &T) {
  StringRef S = T.S;
  if (T.Binds < BindsProduct || !takeSign(S))
    return std::nullopt;
  if (T.Binds == BindsSign && isEnclosed(S)) {
    StringRef Inner = S.drop_front().drop_back();
    if (factorsOf(Inner))
      return Text{Inner.str(), BindsProduct};
  }
  return Text{S.str(), T.Binds == BindsSign ? BindsCall : T.Binds};
}

Text sumOf(const Text &A, const Text &B) {
  if (std::optional<Text> Less = subtracted(B))
    return {A.in(BindsSum) + " - " + Less->in(BindsProduct), BindsSum};
  return {A.in(BindsSum) + " + " + B.in(BindsSum), BindsSum};
}

Text choiceOf(const Text &Condition, const Text &Then, const Text &Else) {
  return {Condition.in(BindsCall) + " ? " + Then.in(BindsOr) + " : " + Else.in(BindsOr),
          BindsChoice};
}

} // namespace isozyme
