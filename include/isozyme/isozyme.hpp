//===- isozyme.hpp - Derivatives of C++ functions ----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++20, headers only; every call turns into a call of derivative code, without
// anything between.
//
//   grad(f)(x...)             the gradient of a number
//   value_and_grad(f)(x...)   .value and .gradient
//   jvp(f, at(x...), along(v...))   .value and .tangent: one direction
//   vjp(f)(x...)              .value and .pullback(seed): any result, from its side
//   jacobian(f)(x)            a matrix: a row for each result, a column for each x
//   hvp(f)(x, v)              the Hessian times a vector
//   hessian(f)(x)             the Hessian
//   sparsity(f, x)            where Jacobian or Hessian have entries (CSR)
//   sparse_jacobian(f, x)(x)  the Jacobian in compressed rows; sparse_hessian likewise
//
// Arguments may be numbers, std::array, std::vector, std::span, std::map, structs of these, and
// vectors, matrices and arrays of Eigen. What is returned for an argument has its type (a vector
// for a span); for one differentiable argument it stands alone, for several in a std::tuple in
// their order. Integers, enumerations, text and isozyme::constant(x) are constants.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_ISOZYME_HPP
#define ISOZYME_ISOZYME_HPP

/// \file
/// Derivatives of C++ functions, C++20: includes all of isozyme/cxx.

/// Derivatives of C++ functions. A derivative has the unit of the result divided by that of the
/// argument, and the shape of the argument. What does not fit is a compile-time error: a failed
/// `static_assert`, or a numbered error of the plugin at the call.
namespace isozyme {}

#if __cplusplus < 202002L
#ifdef __clang__ // Once: a fatal error is the last one.
#pragma clang diagnostic fatal "-W#warnings"
#warning "isozyme.hpp is C++20: compile with -std=c++20 (enzyme/enzyme is C++17)"
#endif
#error "isozyme.hpp is C++20: compile with -std=c++20 (enzyme/enzyme is C++17)"
#include <isozyme/cxx/refused.hpp>
#else
#include <isozyme/cxx/hide_macros.hpp>

#include <isozyme/cxx/arguments.hpp>
#include <isozyme/cxx/coloring.hpp>
#include <isozyme/cxx/gradient.hpp>
#include <isozyme/cxx/jacobian.hpp>
#include <isozyme/cxx/lanes.hpp>
#include <isozyme/cxx/pullback.hpp>
#include <isozyme/cxx/rule.hpp>
#include <isozyme/cxx/second.hpp>
#include <isozyme/cxx/sparse.hpp>
#include <isozyme/cxx/sparsity.hpp>
#include <isozyme/cxx/tangent.hpp>

#include <isozyme/cxx/show_macros.hpp>
#endif

#endif
