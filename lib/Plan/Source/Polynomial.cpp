//===- Polynomial.cpp - Integer formulas in variables of the source -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of tapes, numbers of iterations and indices of arrays are sums of products.
// Kept as such, they can be added, divided by the size of an element, and printed
// without the clutter of the order in which the compiler computes them.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Source/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <iterator>

using namespace llvm;

namespace isozyme {

// Without undefined behaviour where factors are absurd, as in unreachable code.
static int64_t plus(int64_t A, int64_t B) { return int64_t(uint64_t(A) + uint64_t(B)); }
static int64_t times(int64_t A, int64_t B) { return int64_t(uint64_t(A) * uint64_t(B)); }

Polynomial &Polynomial::operator+=(const Polynomial &B) {
  for (auto &[Names, Factor] : B.Terms) {
    int64_t &Sum = Terms[Names];
    Sum = plus(Sum, Factor);
    if (!Sum)
      Terms.erase(Names);
  }
  return *this;
}

Polynomial operator*(const Polynomial &A, const Polynomial &B) {
  Polynomial Product;
  if (A.Terms.size() * B.Terms.size() > 64) // Before it grows any further.
    return Polynomial::name("...");
  for (auto &[NamesA, FactorA] : A.Terms)
    for (auto &[NamesB, FactorB] : B.Terms) {
      std::vector<std::string> Names = NamesA;
      Names.insert(Names.end(), NamesB.begin(), NamesB.end());
      llvm::sort(Names);
      Polynomial Term;
      Term.Terms[Names] = times(FactorA, FactorB);
      Product += Term;
    }
  return Product;
}

int64_t Polynomial::constant() const {
  auto It = Terms.find({});
  return It == Terms.end() ? 0 : It->second;
}

Polynomial Polynomial::divide(int64_t Divisor, Polynomial &Rest) const {
  Polynomial Quotient;
  Rest = Polynomial();
  for (auto &[Names, Factor] : Terms) {
    if (Names.empty()) {
      int64_t Whole = divideFloorSigned(Factor, Divisor);
      Quotient += Whole;
      Rest += Factor - Whole * Divisor;
      continue;
    }
    (Factor % Divisor ? Rest : Quotient).Terms[Names] =
        Factor % Divisor ? Factor : Factor / Divisor;
  }
  return Quotient;
}

Polynomial Polynomial::divide(const Polynomial &Divisor, Polynomial &Rest) const {
  if (Divisor.isConstant() && Divisor.constant())
    return divide(Divisor.constant(), Rest);
  Polynomial Quotient;
  Rest = *this;
  if (Divisor.Terms.size() != 1)
    return Quotient;
  const auto &[By, ByFactor] = *Divisor.Terms.begin();
  for (auto &[Names, Factor] : Terms) {
    if (Factor % ByFactor || !std::ranges::includes(Names, By))
      continue;
    Polynomial Term, Part;
    Term.Terms[Names] = -Factor;
    Rest += Term;
    std::vector<std::string> Others;
    std::ranges::set_difference(Names, By, std::back_inserter(Others));
    Part.Terms[Others] = Factor / ByFactor;
    Quotient += Part;
  }
  return Quotient;
}

bool hasWord(StringRef Text, StringRef Name) {
  auto isPart = [](char C) { return isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != StringRef::npos; At = Text.find(Name, At + 1)) {
    size_t End = At + Name.size();
    if ((At == 0 || !isPart(Text[At - 1])) && (End == Text.size() || !isPart(Text[End])))
      return true;
  }
  return false;
}

bool Polynomial::mentions(StringRef Name) const {
  return any_of(Terms, [&](const auto &Term) {
    return any_of(Term.first, [&](const std::string &Text) { return hasWord(Text, Name); });
  });
}

Polynomial Polynomial::sumOver(const std::string &Name, const Polynomial &Start, int64_t Step,
                               const Polynomial &Count) const {
  Polynomial Once, Each; // this = Once + Each * Name
  bool IsLinear = true;
  for (auto &[Names, Factor] : Terms) {
    Polynomial Term;
    std::vector<std::string> Others = Names;
    if (auto It = find(Others, Name); It != Others.end()) {
      Others.erase(It);
      IsLinear &= Factor * Step % 2 == 0;
      Term.Terms[Others] = Factor;
      Each += Term;
    } else {
      Term.Terms[Others] = Factor;
      Once += Term;
    }
  }
  if (!IsLinear || Each.mentions(Name) || Once.mentions(Name))
    return Polynomial::name("sum(" + Name + ": " + text() + ")");
  Polynomial Half = Each;
  for (auto &[Names, Factor] : Half.Terms)
    Factor = Factor * Step / 2;
  return Once * Count + Each * Count * Start + Half * (Count * Count + Count * Polynomial(-1));
}

std::set<std::string> Polynomial::names() const {
  std::set<std::string> Names;
  for (auto &[Product, Factor] : Terms)
    Names.insert(Product.begin(), Product.end());
  return Names;
}

Polynomial Polynomial::renamed(function_ref<std::string(const std::string &)> NewName) const {
  Polynomial Renamed;
  for (auto &[Product, Factor] : Terms) {
    Polynomial Term = Factor;
    for (const std::string &Name : Product)
      Term = Term * name(NewName(Name));
    Renamed += Term;
  }
  return Renamed;
}

std::string Polynomial::text() const {
  std::vector<std::pair<std::vector<std::string>, int64_t>> Sorted(Terms.begin(), Terms.end());
  // A positive term first, else long products before short ones.
  llvm::sort(Sorted, [](const auto &A, const auto &B) {
    return std::tuple(A.second < 0, B.first.size(), A.first) <
           std::tuple(B.second < 0, A.first.size(), B.first);
  });
  std::string Text;
  for (auto &[Names, Factor] : Sorted) {
    bool Minus = Factor < 0;
    Text += Text.empty() ? (Minus ? "-" : "") : (Minus ? " - " : " + ");
    uint64_t Size = Minus ? 0 - uint64_t(Factor) : uint64_t(Factor);
    std::string Product = Size == 1 && !Names.empty() ? "" : std::to_string(Size);
    for (const std::string &Name : Names)
      Product += (Product.empty() ? "" : " * ") + Name;
    Text += Product;
  }
  return Text.empty() ? "0" : Text;
}

} // namespace isozyme
