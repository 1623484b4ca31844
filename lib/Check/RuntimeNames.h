//===- RuntimeNames.h - Functions of the run-time part of checks -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of what Runtime/site.h has, and its constants.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_CHECK_RUNTIMENAMES_H
#define ISOZYME_LIB_CHECK_RUNTIMENAMES_H

#include "Runtime/kinds.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class DataLayout;
class Function;
class Module;
class Type;
} // namespace llvm

namespace isozyme {

constexpr llvm::StringLiteral CheckBegin = "__isozyme_check_begin";
constexpr llvm::StringLiteral CheckEnd = "__isozyme_check_end";
constexpr llvm::StringLiteral CheckTouch = "__isozyme_check_touch";
constexpr llvm::StringLiteral CheckTouchForward = "__isozyme_check_touch_forward";
constexpr llvm::StringLiteral CheckAllocated = "__isozyme_check_allocated";
constexpr llvm::StringLiteral CheckFreed = "__isozyme_check_freed";
constexpr llvm::StringLiteral CheckStop = "__isozyme_check_stop";
constexpr llvm::StringLiteral CheckRefuse = "__isozyme_check_refuse";
constexpr llvm::StringLiteral CheckCopied = "__isozyme_check_copied";
constexpr llvm::StringLiteral CheckOrigin = "__isozyme_check_origin";
constexpr llvm::StringLiteral CheckMoved = "__isozyme_check_moved";
constexpr llvm::StringLiteral CheckForget = "__isozyme_check_forget";

/// Of a scalar type; KindBytes for what checks do not look into.
unsigned accessKindOf(const llvm::Type *T);

/// To be called before an access, with its forward derivative attached: the call of it in
/// a forward derivative also says where the shadow is.
llvm::Function *touchFunction(llvm::Module &M);
/// allocated(p, size), freed(p), stop(why), refuse(text), copied(to, from, size),
/// moved(to, token, size), forget(p, size): of no interest to derivatives.
llvm::Function *noteFunction(llvm::Module &M, llvm::StringRef Name);
/// allocated, which derivatives have that were made for checks.
bool isAllocationNote(const llvm::Function &F);
/// token = origin(p): likewise.
llvm::Function *originFunction(llvm::Module &M);

} // namespace isozyme

#endif
