//===- TargetRuntime.h - What derivatives ask of their system ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, words to the user, and the end of the program, as calls of what is there on the
// target. The only place that names such functions; a target that has others gets a class of
// its own. Code that a stage adds to a prepared function is differentiated, too: memory for it
// comes from here as well, under the names of the C library.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TARGET_TARGETRUNTIME_H
#define ISOZYME_TARGET_TARGETRUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace llvm {
class CallInst;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

class TargetRuntime {
public:
  virtual ~TargetRuntime() = default;

  /// The address of \p Bytes new bytes, an integer of the target's size type; or null.
  virtual llvm::CallInst *allocate(llvm::IRBuilderBase &B, llvm::Value *Bytes,
                                   const llvm::Twine &Name = "") const = 0;
  /// The same, and all of them are zero.
  virtual llvm::CallInst *allocateZeroed(llvm::IRBuilderBase &B, llvm::Value *Bytes,
                                         const llvm::Twine &Name = "") const = 0;
  /// The same, at a multiple of \p Alignment, a power of two; so is \p Bytes a multiple of it.
  virtual llvm::CallInst *allocateAligned(llvm::IRBuilderBase &B, llvm::Value *Alignment,
                                          llvm::Value *Bytes,
                                          const llvm::Twine &Name = "") const = 0;
  /// Gives back what one of the above has returned.
  virtual llvm::CallInst *release(llvm::IRBuilderBase &B, llvm::Value *Memory) const = 0;
  /// What LLVM calls functions that belong to release ("alloc-family").
  virtual llvm::StringRef family() const = 0;

  /// The same for a tape, which derivatives give back when they are done with it; null where
  /// there is no room left. Not every target has tapes released.
  virtual llvm::Value *allocateTape(llvm::IRBuilderBase &B, llvm::Value *Bytes,
                                    const llvm::Twine &Name = "") const;
  virtual bool releasesTapes() const { return true; }
  /// There is no room for \p Bytes more of a tape: what follows cannot be computed.
  virtual void stopWithoutTape(llvm::IRBuilderBase &B, llvm::Value *Bytes) const;

  /// Tells the user, as printf does: the string \p Format, and \p Values.
  virtual void print(llvm::IRBuilderBase &B, llvm::Value *Format,
                     llvm::ArrayRef<llvm::Value *> Values) const = 0;
  /// Ends the program at once, and with it the block.
  virtual void stop(llvm::IRBuilderBase &B) const = 0;
};

/// That of the target of \p M, which is supported (TargetModel).
const TargetRuntime &targetRuntime(const llvm::Module &M);

} // namespace isozyme

#endif
