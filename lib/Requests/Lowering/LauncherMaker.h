//===- LauncherMaker.h - Functions that launch kernels -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_LOWERING_LAUNCHERMAKER_H
#define ISOZYME_REQUESTS_LOWERING_LAUNCHERMAKER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallBase;
class Function;
class Module;
class Type;
class Value;
} // namespace llvm

namespace isozyme {

constexpr llvm::StringLiteral LauncherPrefix = "isozyme.launch.";

/// What a function does for the kernel that it is registered for.
enum class LaunchRole : uint8_t { Primal, Augmented, Reverse, Forward };

/// Makes functions that take the configuration of a launch, and then what a kernel takes, or a
/// function of the host that is registered for one.
class LauncherMaker {
public:
  /// Of the kernel behind \p Stub, as \p Push configures it.
  LauncherMaker(const llvm::CallBase &Push, llvm::Function &Stub);

  /// What calls \p Run, a stub or a function of the host.
  llvm::Function *launcherOf(llvm::Function &Run, LaunchRole Role);
  /// The operand \p V of the push as a parameter: what a stream is does not matter to derivatives.
  llvm::Value *asParameter(llvm::IRBuilderBase &B, llvm::Value *V) const;

private:
  struct Slot {
    unsigned Param;
    bool IsShadow;
  };

  llvm::SmallVector<Slot, 16> slotsOf(const llvm::Function &Run, LaunchRole Role) const;
  llvm::Type *resultOf(const llvm::Function &Run, LaunchRole Role) const;
  llvm::Function *declare(llvm::Function &Run, LaunchRole Role, llvm::StringRef Name) const;
  void noteParts(llvm::Function &Launcher, llvm::Function &Run) const;
  void emit(llvm::Function &Launcher, llvm::Function &Run, LaunchRole Role) const;
  void dropOwnShadows(llvm::IRBuilderBase &B, llvm::MutableArrayRef<llvm::Value *> Args,
                      LaunchRole Role) const;
  llvm::Value *push(llvm::IRBuilderBase &B, llvm::ArrayRef<llvm::Value *> Given,
                    bool WaitsBefore) const;

  llvm::Function &Push, &Stub;
  llvm::Module &M;
  llvm::SmallVector<llvm::Type *, 6> Configuration;
};

} // namespace isozyme

#endif
