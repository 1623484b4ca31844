//===- CounterPolynomial.cpp - Integers of loop counters ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CounterPolynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace isozyme {

/// Addresses have a handful of terms. What has more is not worth the time.
constexpr size_t MaxTerms = 32;

CounterPolynomial::CounterPolynomial(int64_t Constant) { add({}, Constant); }
CounterPolynomial::CounterPolynomial(Symbol S) { add({S}, 1); }

void CounterPolynomial::add(const Product &Of, int64_t Factor) {
  if (Factor == 0)
    return;
  auto [It, New] = Terms.insert({Of, Factor});
  if (!New) {
    Known &= !AddOverflow(It->second, Factor, It->second);
    if (It->second == 0)
      Terms.erase(It);
  }
  Known &= Terms.size() <= MaxTerms;
}

CounterPolynomial CounterPolynomial::operator+(const CounterPolynomial &O) const {
  CounterPolynomial Sum = *this;
  Sum.Known &= O.Known;
  for (auto &[Of, Factor] : O.Terms)
    Sum.add(Of, Factor);
  return Sum;
}

CounterPolynomial CounterPolynomial::operator-(const CounterPolynomial &O) const {
  return *this + O * CounterPolynomial(-1);
}

CounterPolynomial CounterPolynomial::operator*(const CounterPolynomial &O) const {
  CounterPolynomial Result;
  Result.Known = Known && O.Known;
  for (auto &[A, FactorA] : Terms)
    for (auto &[B, FactorB] : O.Terms) {
      if (!Result.Known)
        return Result;
      Product Both(A);
      Both.append(B.begin(), B.end());
      llvm::sort(Both);
      int64_t Factor;
      Result.Known &= !MulOverflow(FactorA, FactorB, Factor);
      Result.add(Both, Factor);
    }
  return Result;
}

CounterPolynomial CounterPolynomial::with(Symbol S, const CounterPolynomial &Instead) const {
  CounterPolynomial Result;
  Result.Known = Known;
  for (auto &[Of, Factor] : Terms) {
    CounterPolynomial Each(Factor);
    for (Symbol Part : Of)
      Each = Each * (Part == S ? Instead : CounterPolynomial(Part));
    Result = Result + Each;
  }
  return Result;
}

CounterPolynomial CounterPolynomial::with(Symbol::Kind K, Symbol::Kind Instead) const {
  CounterPolynomial Result = *this;
  for (Symbol S : symbols())
    if (S.K == K)
      Result = Result.with(S, CounterPolynomial(Symbol{S.V, Instead}));
  return Result;
}

bool CounterPolynomial::contains(Symbol S) const {
  return any_of(Terms, [&](const auto &Term) { return is_contained(Term.first, S); });
}

SmallVector<Symbol, 8> CounterPolynomial::symbols() const {
  SmallVector<Symbol, 8> All;
  for (auto &[Of, Factor] : Terms)
    for (Symbol S : Of)
      if (!is_contained(All, S))
        All.push_back(S);
  return All;
}

int64_t CounterPolynomial::constant() const {
  auto It = Terms.find({});
  return It == Terms.end() ? 0 : It->second;
}

bool CounterPolynomial::isLinearIn(Symbol S, int64_t &Factor) const {
  auto It = Terms.find({S});
  if (!Known || It == Terms.end() || Terms.size() > 1 + Terms.count({}))
    return false;
  Factor = It->second;
  return true;
}

std::optional<CounterPolynomial> CounterPolynomial::factorOf(Symbol S) const {
  CounterPolynomial Result;
  Result.Known = Known;
  for (auto &[Of, Factor] : Terms) {
    auto Times = llvm::count(Of, S);
    if (Times > 1)
      return std::nullopt;
    if (Times == 0)
      continue;
    Product Rest(Of);
    Rest.erase(llvm::find(Rest, S));
    Result.add(Rest, Factor);
  }
  return Result;
}

bool CounterPolynomial::hasNegativeFactor() const {
  return any_of(Terms, [](const auto &Term) { return !Term.first.empty() && Term.second < 0; });
}

namespace {

/// A polynomial is linear in a counter, so that it is least where the counter is least or
/// greatest, and which of the two is told by the sign of its factor: a smaller polynomial.
class Minimum {
public:
  Minimum(ArrayRef<Counted> Domain, function_ref<std::optional<int64_t>(const Value *)> leastOf)
      : Domain(Domain), leastOf(leastOf) {}

  bool isAtLeast(CounterPolynomial P, int64_t Bound, size_t From);

private:
  bool numbersAtLeast(CounterPolynomial P, int64_t Bound) const;

  ArrayRef<Counted> Domain;
  function_ref<std::optional<int64_t>(const Value *)> leastOf;
  unsigned Left = 64; ///< Proofs of signs, before this gives up.
};

} // namespace

bool Minimum::isAtLeast(CounterPolynomial P, int64_t Bound, size_t From) {
  for (size_t I = From; I < Domain.size(); ++I) {
    const Counted &C = Domain[I];
    if (!P.isKnown())
      return false;
    if (!P.contains(C.S))
      continue;
    if (C.IsMost) {
      P = P.with(C.S, C.Most.front());
      continue;
    }
    std::optional<CounterPolynomial> Factor = P.factorOf(C.S);
    if (!Factor || Left < 2)
      return false;
    Left -= 2;
    if (isAtLeast(*Factor, 0, I + 1)) {
      P = P.with(C.S, CounterPolynomial(0));
      continue;
    }
    return !C.Most.empty() && isAtLeast(CounterPolynomial(0) - *Factor, 0, I + 1) &&
           any_of(C.Most, [&](const CounterPolynomial &Most) {
             return isAtLeast(P.with(C.S, Most), Bound, I + 1);
           });
  }
  return numbersAtLeast(P, Bound);
}

bool Minimum::numbersAtLeast(CounterPolynomial P, int64_t Bound) const {
  for (Symbol S : P.symbols()) {
    // A counter that is not in the domain may be anything.
    std::optional<int64_t> Least = S.K == Symbol::Number ? leastOf(S.V) : std::nullopt;
    if (!Least)
      return false;
    P = P.with(S, CounterPolynomial(*Least) + CounterPolynomial(S)); // S is now what exceeds it.
  }
  return P.isKnown() && !P.hasNegativeFactor() && P.constant() >= Bound;
}

bool isAtLeast(const CounterPolynomial &P, int64_t Bound, ArrayRef<Counted> Domain,
               function_ref<std::optional<int64_t>(const Value *)> leastOf) {
  return Minimum(Domain, leastOf).isAtLeast(P, Bound, 0);
}

} // namespace isozyme
