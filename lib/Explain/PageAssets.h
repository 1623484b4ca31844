//===- PageAssets.h - Style and script of the page ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_PAGEASSETS_H
#define ISOZYME_LIB_EXPLAIN_PAGEASSETS_H

namespace isozyme {

extern const char *const PageStyle;
extern const char *const PageScript;

} // namespace isozyme

#endif
