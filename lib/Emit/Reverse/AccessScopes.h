//===- AccessScopes.h - Tells LLVM which accesses never meet -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan's ShadowScopes as metadata: `alias.scope` says where an access to shadow memory or
// to the tape may be, `noalias` where an access is not. Each derivative function has scopes of its
// own, which it declares where it begins: where it is inlined into a loop, each iteration has
// others.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_REVERSE_ACCESSSCOPES_H
#define ISOZYME_LIB_EMIT_REVERSE_ACCESSSCOPES_H

#include "isozyme/Plan/Steps/ShadowScopes.h"

namespace llvm {
class Function;
class MDNode;
class Metadata;
} // namespace llvm

namespace isozyme {

class AccessScopes {
public:
  AccessScopes(llvm::Function &Fn, const ShadowScopes &Plan) : Fn(Fn), Plan(Plan) {}

  /// \p Access is one to the shadow of what \p Primal accesses.
  void shadow(llvm::Instruction *Access, const llvm::Instruction &Primal);
  void tape(llvm::Instruction *Access);
  /// \p Access is to memory of the primal; anything but a load or store is left as it is.
  void primal(llvm::Instruction *Access);
  /// When the function is complete.
  void declare();

private:
  void make();
  /// The scopes in \p Which, and that of the tape if \p Tape is set; null for none.
  llvm::MDNode *list(const llvm::BitVector &Which, bool Tape);
  void mark(llvm::Instruction *Access, llvm::MDNode *In, llvm::MDNode *Apart);

  llvm::Function &Fn;
  const ShadowScopes &Plan;
  /// Of the plan's scopes, and of the tape. Made when first used.
  llvm::SmallVector<llvm::Metadata *, 4> Shadows;
  llvm::Metadata *Tape = nullptr;
  llvm::MDNode *OnTape = nullptr, *InShadows = nullptr, *InBoth = nullptr;
};

} // namespace isozyme

#endif
