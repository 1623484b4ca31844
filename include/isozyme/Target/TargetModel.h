//===- TargetModel.h - What depends on the machine that is compiled for ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place that looks at target triples: may derivatives be made for this
// machine, and which of the few differences between systems does it have?
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TARGET_TARGETMODEL_H
#define ISOZYME_TARGET_TARGETMODEL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace isozyme {

/// The machine and the system that a module is compiled for.
class TargetModel {
public:
  explicit TargetModel(const llvm::Module &M) : M(M) {}

  /// Are derivatives right on this machine? On a processor they add to shadow memory as one thread
  /// that has it to itself, and allocate their tape. GPUs are known one by one (Accelerator.h).
  /// A module that does not say what it is compiled for counts as one for the machine at
  /// hand.
  bool isSupported() const;
  /// For the reader: "an NVIDIA GPU (nvptx64)", "bpf".
  std::string name() const;
  /// Many threads run the same code on the same memory.
  bool isAccelerator() const;

  /// Can a thread keep memory for its tapes? It has variables of its own, and sizes have 64 bits.
  bool hasThreadMemory() const;
  /// Does the C library release a thread's memory when it ends (__cxa_thread_atexit_impl)?
  bool releasesAtThreadExit() const;

  /// Does va_arg read arguments from registers, of which a counter says how many are left, and else
  /// from memory, as on x86-64 but for Windows?
  bool countsArgumentRegisters() const;

  bool isLinux() const;
  bool isDarwin() const;
  bool isX86() const;

private:
  const llvm::Module &M;
};

} // namespace isozyme

#endif
