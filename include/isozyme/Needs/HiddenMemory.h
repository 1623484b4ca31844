//===- HiddenMemory.h - Memory that only its function knows ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_HIDDENMEMORY_H
#define ISOZYME_NEEDS_HIDDENMEMORY_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class TargetLibraryInfo;
class Use;
class Value;
} // namespace llvm

namespace isozyme {

/// Is \p Object a local or a block of its function whose address is nowhere else: not in memory,
/// and not given to functions but those that release it? Does \p MayUse hold for
/// each access, release and comparison?
bool isHiddenMemory(const llvm::Value &Object, const llvm::TargetLibraryInfo &TLI,
                    llvm::function_ref<bool(const llvm::Use &)> MayUse);

/// Is \p Address, which points to an object, neither put into memory nor given to functions but
/// those that release it? \p MayUse as above.
bool staysInFunction(const llvm::Value &Address, const llvm::TargetLibraryInfo &TLI,
                     llvm::function_ref<bool(const llvm::Use &)> MayUse);

/// Does \p U, of an address, access memory there, compare it, or release it, so that the address
/// comes to no other place?
bool keepsToItself(const llvm::Use &U, const llvm::TargetLibraryInfo &TLI);

} // namespace isozyme

#endif
