//===- ModuleFixture.h - Modules with analyses to test on --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TEST_UNIT_MODULEFIXTURE_H
#define ISOZYME_TEST_UNIT_MODULEFIXTURE_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace isozyme {

class ModuleFixture : public testing::Test {
protected:
  void read(llvm::StringRef Assembly) {
    llvm::SMDiagnostic Diagnostic;
    M = llvm::parseAssemblyString(Assembly, Diagnostic, Context);
    ASSERT_TRUE(M) << Diagnostic.getMessage().str();
    llvm::PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
  llvm::Function &function(llvm::StringRef Name) const { return *M->getFunction(Name); }
  /// The instruction of \p F that is called so.
  static llvm::Instruction *valueIn(llvm::Function &F, llvm::StringRef Name) {
    for (llvm::Instruction &I : instructions(F))
      if (I.getName() == Name)
        return &I;
    ADD_FAILURE() << "no value is called " << Name.str();
    return nullptr;
  }
  /// The calls of \p F, in order.
  static llvm::SmallVector<llvm::CallBase *, 4> callsIn(llvm::Function &F) {
    llvm::SmallVector<llvm::CallBase *, 4> Calls;
    for (llvm::Instruction &I : instructions(F))
      if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        Calls.push_back(Call);
    return Calls;
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
};

} // namespace isozyme

#endif
