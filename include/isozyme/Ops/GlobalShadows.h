//===- GlobalShadows.h - Which global variables have a shadow ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_GLOBALSHADOWS_H
#define ISOZYME_OPS_GLOBALSHADOWS_H

#include "llvm/ADT/DenseSet.h"
#include <cstdint>

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace isozyme {

/// Where the shadow of a global variable is, if a derivative wants one.
enum class GlobalShadow : uint8_t {
  Mirrored,  ///< A constant: a companion with shadows in the place of addresses.
  Automatic, ///< A variable of this module: `<name>.shadow`, zero when a derivative starts.
  Explicit,  ///< The variable that its metadata `enzyme_shadow` names; the user's.
  Inactive,  ///< Marked as never holding a derivative.
  Missing    ///< Declared here and defined elsewhere: has none.
};

/// Marks: the attribute `enzyme_inactive` of the variable (what registrations and
/// annotations become), and names that contain `enzyme_const`.
GlobalShadow shadowKindOf(const llvm::GlobalVariable &G);

/// Is \p G memory of a block whose size each launch says (`extern __shared__`)? It has a shadow in
/// the second half of what the launch gives (LaunchShadows.h).
bool isSizedByLaunch(const llvm::GlobalVariable &G);

/// The shadow that metadata names for lane \p Lane; null when there is none.
llvm::GlobalVariable *explicitShadow(const llvm::GlobalVariable &G, unsigned Lane);

/// Marks \p Shadow as made by Isozyme for derivatives of \p Level.
void markShadow(llvm::GlobalVariable &Shadow, unsigned Level);
/// Marks \p Shadow as standing for the second half of \p G, which is sized by launches.
void markLaunchShadow(llvm::GlobalVariable &Shadow, llvm::GlobalVariable &G);
/// The variable of the program that \p Shadow is the second half of; null for others.
llvm::GlobalVariable *halvedBy(const llvm::GlobalVariable &Shadow);
/// Marks \p Companion as made by Isozyme to stand for a constant's shadow.
void markCompanion(llvm::GlobalVariable &Companion);
/// Is \p G one of these, not a variable of the program?
bool isMadeShadow(const llvm::GlobalVariable &G);
/// The level that a derivative of \p F needs: above those of all shadows that \p F, or
/// what it calls or mentions, refers to.
unsigned shadowLevelFor(const llvm::Function &F);
/// The global variables that \p F, and everything that it mentions, refers to.
llvm::DenseSet<const llvm::GlobalVariable *> mentionedGlobals(const llvm::Function &F);

} // namespace isozyme

#endif
