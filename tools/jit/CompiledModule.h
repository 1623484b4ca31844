//===- CompiledModule.h - Code that is compiled at run time -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions and variables of a module are compiled once. Each derivative comes from a
// copy of the module whose functions are there to be read, and whose variables are those
// of the first compilation: so derivatives are compiled when they are asked for.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_JIT_COMPILEDMODULE_H
#define ISOZYME_JIT_COMPILEDMODULE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include <mutex>

namespace isozyme::jit {

class CompiledModule {
public:
  /// Takes bitcode or text.
  static llvm::Expected<std::unique_ptr<CompiledModule>> create(llvm::MemoryBufferRef IR);
  ~CompiledModule();

  llvm::Expected<void *> function(llvm::StringRef Name);
  llvm::Expected<void *> derivative(llvm::StringRef Name, bool Reverse, llvm::StringRef Activities);

private:
  CompiledModule(std::unique_ptr<llvm::orc::LLJIT> Engine,
                 llvm::orc::JITTargetMachineBuilder Target)
      : Engine(std::move(Engine)), Target(std::move(Target)) {}

  llvm::Expected<void *> addressOf(llvm::StringRef Name);
  llvm::Error compile(llvm::orc::ThreadSafeModule M);

  std::unique_ptr<llvm::orc::LLJIT> Engine;
  llvm::orc::JITTargetMachineBuilder Target;
  llvm::SmallString<0> Bitcode; // Not optimised; every name is visible.
  llvm::StringMap<void *> Derivatives;
  std::mutex Lock;
};

} // namespace isozyme::jit

#endif
