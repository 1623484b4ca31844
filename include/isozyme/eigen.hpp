//===- eigen.hpp - Derivatives by vectors and matrices of Eigen --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   #include <isozyme/eigen.hpp>
//   Eigen::VectorXd g = isozyme::grad(f)(x);
//
// <isozyme/isozyme.hpp> knows Eigen's vectors, matrices and arrays by name. This header includes
// Eigen's core as well, in the order that the two need.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EIGEN_HPP
#define ISOZYME_EIGEN_HPP

/// \file
/// Derivatives by vectors, matrices and arrays of Eigen: isozyme.hpp and Eigen/Core.

#include <isozyme/cxx/hide_macros.hpp>

#include <Eigen/Core>
#include <isozyme/isozyme.hpp>

#include <isozyme/cxx/show_macros.hpp>

#endif
