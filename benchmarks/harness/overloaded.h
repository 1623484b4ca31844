//===- overloaded.h - Gradients by overloaded numbers -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADOL-C, Sacado (reverse mode) or CppAD. Each gradient makes a recording of its own, for
// branches may depend on the variables.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_HARNESS_OVERLOADED_H
#define ISOZYME_BENCHMARKS_HARNESS_OVERLOADED_H

#include <vector>

#if defined(BENCH_ADOLC)
#include <adolc/adolc.h>
using Overloaded = adouble;

template <typename P>
void deriveOverloaded(const P &program, const std::vector<double> &x, double *g) {
  trace_on(1);
  std::vector<adouble> active(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    active[i] <<= x[i];
  double result;
  program.value(static_cast<const adouble *>(active.data())) >>= result;
  trace_off();
  gradient(1, static_cast<int>(x.size()), const_cast<double *>(x.data()), g);
}

#elif defined(BENCH_SACADO)
#include <Sacado_trad.hpp>
using Overloaded = Sacado::Rad::ADvar<double>;

template <typename P>
void deriveOverloaded(const P &program, const std::vector<double> &x, double *g) {
  std::vector<Overloaded> active(x.begin(), x.end());
  Overloaded result = program.value(static_cast<const Overloaded *>(active.data()));
  Overloaded::Gradcomp();
  for (std::size_t i = 0; i < x.size(); ++i)
    g[i] = active[i].adj();
}

#elif defined(BENCH_CPPAD)
#include <cppad/cppad.hpp>
using Overloaded = CppAD::AD<double>;

template <typename P>
void deriveOverloaded(const P &program, const std::vector<double> &x, double *g) {
  std::vector<Overloaded> active(x.begin(), x.end()), results(1);
  CppAD::Independent(active);
  results[0] = program.value(static_cast<const Overloaded *>(active.data()));
  CppAD::ADFun<double> recording(active, results);
  const std::vector<double> gradient = recording.Reverse(1, std::vector<double>{1.0});
  std::copy(gradient.begin(), gradient.end(), g);
}
#endif

#endif
