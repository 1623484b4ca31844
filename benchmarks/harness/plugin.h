//===- plugin.h - The calls that a plugin replaces --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what all plugins with this interface know.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_HARNESS_PLUGIN_H
#define ISOZYME_BENCHMARKS_HARNESS_PLUGIN_H

extern "C" int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_out, enzyme_width;
template <typename Return, typename... Args> Return __enzyme_autodiff(void *, Args...);
template <typename Return, typename... Args> Return __enzyme_fwddiff(void *, Args...);

#endif
