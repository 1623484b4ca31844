//===- ShadowScopes.h - Which accesses never meet in memory ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM has to know before it reorders or vectorises a reverse loop:
//
//   tape      overlaps nothing else
//   shadows   overlap no memory of the primal; they are divided into scopes
//
//   c[i] += a[i] * b[i]      dc[i] is read and cleared; da[i] and db[i] are somewhere else
//
// Shadows overlap as what they are shadows of does. What a function writes through a `restrict`
// parameter it reaches through nothing else, so its shadow is apart from that of all others.
// What it only reads may be reached through several parameters, and their shadows may be one.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_STEPS_SHADOWSCOPES_H
#define ISOZYME_PLAN_STEPS_SHADOWSCOPES_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class Loop;
class Value;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class PreparedFunction;
class StepPlan;
struct DiffRequest;

/// A part of all shadow memory.
struct ShadowScope {
  enum Kind : uint8_t {
    Given,    ///< Of memory that parameters and global variables lead to.
    Found,    ///< Of memory whose address comes out of memory, or from a call.
    Written,  ///< Of what is written through a `restrict` parameter.
    OwnMemory ///< Of a local or block that this function makes.
  };
  Kind K;
  /// The parameter, local or call.
  const llvm::Value *Object = nullptr;
  /// Written, OwnMemory: its address goes where Found looks.
  bool IsShown = false;
};

/// Of an access to shadow memory.
struct ScopesOfAccess {
  llvm::BitVector In;    ///< It is in one of these.
  llvm::BitVector Apart; ///< It is in none of these.
};

class ShadowScopes {
public:
  /// Nothing is known.
  ShadowScopes() = default;
  /// \p MayOverlap: does somebody wish that nothing is said of the shadow of this object?
  ShadowScopes(const PreparedFunction &P, const DiffRequest &R, const StepPlan &Steps,
               llvm::function_ref<bool(const llvm::Value &)> MayOverlap);

  /// Is anything known? If so, the tape and all accesses listed here are apart from the primal.
  bool areKnown() const { return Known; }
  llvm::ArrayRef<ShadowScope> scopes() const { return Scopes; }
  /// Objects whose shadows are apart, of which nothing is said because of a wish.
  llvm::ArrayRef<const llvm::Value *> left() const { return Left; }
  /// Null for accesses of which nothing is known.
  const ScopesOfAccess *of(const llvm::Instruction &I) const {
    auto It = Accesses.find(&I);
    return It == Accesses.end() ? nullptr : &It->second;
  }
  void print(llvm::raw_ostream &OS) const;
  /// True, and an explanation in \p OS, when a scope contradicts the steps.
  bool verify(const PreparedFunction &P, const StepPlan &Steps, llvm::raw_ostream &OS) const;

private:
  bool areApart(unsigned A, unsigned B) const;
  void addScopes(const PreparedFunction &P, const DiffRequest &R, const StepPlan &Steps,
                 llvm::function_ref<bool(const llvm::Value &)> MayOverlap);
  llvm::BitVector scopesOf(const llvm::Instruction &I, const llvm::Value *Ptr) const;

  bool Known = false;
  llvm::SmallVector<ShadowScope, 4> Scopes;
  llvm::SmallVector<const llvm::Value *, 2> Left;
  llvm::DenseMap<const llvm::Value *, unsigned> ScopeOf;
  /// Loops whose accesses are not listed: facts about them would do harm.
  llvm::SmallSetVector<const llvm::Loop *, 4> Carrying;
  llvm::DenseMap<const llvm::Instruction *, ScopesOfAccess> Accesses;
};

} // namespace isozyme

#endif
