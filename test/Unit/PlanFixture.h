//===- PlanFixture.h - Functions to plan derivatives of ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TEST_UNIT_PLANFIXTURE_H
#define ISOZYME_TEST_UNIT_PLANFIXTURE_H

#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Requests/RequestText.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace isozyme {

/// A module with a function @f, in prepared form.
class PlanFixture : public testing::Test {
protected:
  void parse(llvm::StringRef Assembly) {
    llvm::SMDiagnostic Diagnostic;
    M = llvm::parseAssemblyString(Assembly, Diagnostic, Context);
    ASSERT_TRUE(M) << Diagnostic.getMessage().str();
    llvm::PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
    Prepared = cantFail(prepareFunction(*M->getFunction("f"), FAM));
  }
  const PreparedFunction &prepared() const { return *Prepared; }

  DiffRequest request(llvm::StringRef Text) {
    return cantFail(parseRequest(Text, *M->getFunction("f")));
  }
  llvm::BasicBlock *block(llvm::StringRef Name) const {
    for (llvm::BasicBlock &BB : Prepared->function())
      if (BB.getName() == Name)
        return &BB;
    ADD_FAILURE() << "no block is called " << Name.str();
    return nullptr;
  }
  llvm::Instruction *value(llvm::StringRef Name) const {
    for (llvm::Instruction &I : instructions(Prepared->function()))
      if (I.getName() == Name)
        return &I;
    ADD_FAILURE() << "no value is called " << Name.str();
    return nullptr;
  }
  const llvm::Loop *loopOf(llvm::StringRef Block) const {
    return Prepared->loops().getLoopFor(block(Block));
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  std::unique_ptr<PreparedFunction> Prepared;
};

} // namespace isozyme

#endif
