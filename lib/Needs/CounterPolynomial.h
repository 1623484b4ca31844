//===- CounterPolynomial.h - Integers of loop counters ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An integer as a polynomial of loop counters and of numbers that do not change, such as
// 8*i*n + 8*k, and the proof that it is never less than a bound. The integers are those of
// mathematics: whoever makes a polynomial of an operation has shown that it does not wrap.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_COUNTERPOLYNOMIAL_H
#define ISOZYME_NEEDS_COUNTERPOLYNOMIAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>

namespace llvm {
class Value;
} // namespace llvm

namespace isozyme {

/// What a polynomial is made of. Two accesses are in two iterations of a loop.
struct Symbol {
  enum Kind : uint8_t {
    Number,  ///< Computed once, outside of all loops.
    Counter, ///< A loop's counter at the first access.
    Later,   ///< The same at the second.
    Gap,     ///< Later - Counter - 1.
  };
  const llvm::Value *V;
  Kind K;
  bool operator==(const Symbol &O) const { return V == O.V && K == O.K; }
  bool operator<(const Symbol &O) const { return V != O.V ? V < O.V : K < O.K; }
};

class CounterPolynomial {
public:
  explicit CounterPolynomial(int64_t Constant = 0);
  explicit CounterPolynomial(Symbol S);

  CounterPolynomial operator+(const CounterPolynomial &O) const;
  CounterPolynomial operator-(const CounterPolynomial &O) const;
  CounterPolynomial operator*(const CounterPolynomial &O) const;
  CounterPolynomial with(Symbol S, const CounterPolynomial &Instead) const;
  CounterPolynomial with(Symbol::Kind K, Symbol::Kind Instead) const;

  /// False where a coefficient does not fit or there are too many terms: nothing is proven
  /// of such a polynomial.
  bool isKnown() const { return Known; }
  bool contains(Symbol S) const;
  /// All numbers and counters, each once.
  llvm::SmallVector<Symbol, 8> symbols() const;
  int64_t constant() const;
  /// Is it \p Factor times \p S, and a constant?
  bool isLinearIn(Symbol S, int64_t &Factor) const;
  /// The factor A in A*S + B; nothing where S is squared.
  std::optional<CounterPolynomial> factorOf(Symbol S) const;
  bool hasNegativeFactor() const;
  bool operator==(const CounterPolynomial &O) const { return Known && O.Known && Terms == O.Terms; }

private:
  using Product = llvm::SmallVector<Symbol, 3>; ///< Sorted; empty: one.
  void add(const Product &Of, int64_t Factor);

  std::map<Product, int64_t> Terms;
  bool Known = true;
};

/// A counter and what it is at most, in terms of symbols that come behind it in the domain:
/// each of several bounds holds. It is at least zero.
struct Counted {
  Symbol S;
  llvm::SmallVector<CounterPolynomial, 2> Most;
  bool IsMost = false; ///< It is the first of these, and nothing less.
};

/// Is \p P at least \p Bound wherever the counters are in \p Domain? \p leastOf tells the least
/// value of a number, if it knows one.
bool isAtLeast(const CounterPolynomial &P, int64_t Bound, llvm::ArrayRef<Counted> Domain,
               llvm::function_ref<std::optional<int64_t>(const llvm::Value *)> leastOf);

} // namespace isozyme

#endif
