//===- Program.h - The code of one operation, ready to run -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_RULECHECK_PROGRAM_H
#define ISOZYME_TOOLS_RULECHECK_PROGRAM_H

#include "Cases.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Error.h"

namespace rulecheck {

/// How derivatives are made: by the whole pipeline, or straight from the rule
/// interpreter, to tell an error in a rule from one in the pipeline.
enum class Maker { Pipeline, Direct };

using Primal = void (*)(const void *In, void *Out, int64_t N);
using Derivative = void (*)(const void *In, void *DIn, void *Out, void *DOut, int64_t N);

/// Does the host, or rule-check itself, have this library function?
bool hasSymbol(llvm::StringRef Name);

class Program {
public:
  /// Compiles all cases of one operation together with its reference.
  static llvm::Expected<Program> compile(isozyme::Op Id, llvm::ArrayRef<Case> Cases, Maker How,
                                         bool Print);

  llvm::Expected<Primal> primal(llvm::StringRef Name);
  llvm::Expected<Derivative> derivative(llvm::StringRef Name);

private:
  explicit Program(std::unique_ptr<llvm::orc::LLJIT> JIT) : JIT(std::move(JIT)) {}
  std::unique_ptr<llvm::orc::LLJIT> JIT;
};

/// Maker::Direct: writes @fwd_N, @rev_N, @fwd4_N and @rev4_N of a case with emitPartial.
void addDirectDerivatives(llvm::Module &M, const Case &C);

} // namespace rulecheck

#endif
