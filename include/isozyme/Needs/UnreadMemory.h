//===- UnreadMemory.h - Stores that nobody reads -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller does not want what an enzyme_dupnoneed argument points to. Where the function
// does not read it either, the derivative leaves out what stores it, and the pointer may be
// one that leads nowhere. In: a prepared function and the request. Never: looks at other
// arguments: that they lead elsewhere is what the caller has promised (see CallReader).
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_UNREADMEMORY_H
#define ISOZYME_NEEDS_UNREADMEMORY_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Instruction;
class Value;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class UnreadMemory {
public:
  UnreadMemory() = default;
  /// \p Args: the activity of each parameter of the function.
  UnreadMemory(const PreparedFunction &P, llvm::ArrayRef<ArgActivity> Args);

  /// What the derivative does not do on primal memory.
  llvm::ArrayRef<llvm::Instruction *> stores() const { return Stores.getArrayRef(); }
  /// Does this address lead to such memory?
  bool contains(const llvm::Value *Address) const { return Addresses.contains(Address); }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SetVector<llvm::Instruction *> Stores;
  llvm::SmallPtrSet<const llvm::Value *, 8> Addresses;
};

} // namespace isozyme

#endif
