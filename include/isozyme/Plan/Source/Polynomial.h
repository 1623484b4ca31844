//===- Polynomial.h - Integer formulas in variables of the source -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_POLYNOMIAL_H
#define ISOZYME_PLAN_POLYNOMIAL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace isozyme {

/// Is \p Name a word of \p Text?
bool hasWord(llvm::StringRef Text, llvm::StringRef Name);

/// A sum of products of names with whole factors: `8*n*m + 16*n + 8`. A name is any
/// text that stands in a product as it is: `n`, `max(0, m)`, `p->count`.
class Polynomial {
public:
  Polynomial() = default;
  Polynomial(int64_t Constant) {
    if (Constant)
      Terms[{}] = Constant;
  }
  static Polynomial name(std::string Name) {
    Polynomial P;
    P.Terms[{std::move(Name)}] = 1;
    return P;
  }

  Polynomial &operator+=(const Polynomial &B);
  friend Polynomial operator+(Polynomial A, const Polynomial &B) { return A += B; }
  friend Polynomial operator*(const Polynomial &A, const Polynomial &B);
  bool operator==(const Polynomial &) const = default;

  bool isConstant() const {
    return Terms.empty() || (Terms.size() == 1 && Terms.begin()->first.empty());
  }
  int64_t constant() const;
  /// The terms of which \p Divisor divides the factor, divided; the others stay in \p Rest.
  /// Of the constant the part is taken that leaves a rest in [0, Divisor).
  Polynomial divide(int64_t Divisor, Polynomial &Rest) const;
  /// The same for a product; of a sum, nothing is divided.
  Polynomial divide(const Polynomial &Divisor, Polynomial &Rest) const;
  /// Does \p Name occur, alone or inside another name (`max(0, n - i)`)?
  bool mentions(llvm::StringRef Name) const;
  /// The sum of this for `Name` = Start, Start + Step, ... (Count values), as a polynomial where
  /// it is one with whole factors, else as a name: `sum(i: 8 * max(0, n - i))`.
  Polynomial sumOver(const std::string &Name, const Polynomial &Start, int64_t Step,
                     const Polynomial &Count) const;
  /// All names, each once.
  std::set<std::string> names() const;
  /// With other names.
  Polynomial renamed(llvm::function_ref<std::string(const std::string &)> NewName) const;
  /// "8 * n * m + 8"; "0".
  std::string text() const;
  /// More than anybody would read.
  bool isTooLong() const { return Terms.size() > 12; }
  /// Is this more than one term (so that a product needs parentheses)?
  bool isSum() const { return Terms.size() > 1; }

private:
  /// Names in a product, sorted; longer products are printed first.
  std::map<std::vector<std::string>, int64_t> Terms;
};

} // namespace isozyme

#endif
