//===- PlanFixture.h - Functions to plan derivatives of ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TEST_UNIT_PLANFIXTURE_H
#define ISOZYME_TEST_UNIT_PLANFIXTURE_H

#include "ModuleFixture.h"
#include "isozyme/Activity/ActivityAnalysis.h"
#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Requests/RequestText.h"
#include "isozyme/Types/TypeAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace isozyme {

/// A module with a function @f, in prepared form.
class PlanFixture : public ModuleFixture {
protected:
  void parse(llvm::StringRef Assembly) {
    read(Assembly);
    if (M)
      Prepared = cantFail(prepareFunction(function("f"), FAM));
  }
  const PreparedFunction &prepared() const { return *Prepared; }

  DiffRequest request(llvm::StringRef Text) { return cantFail(parseRequest(Text, function("f"))); }
  const TypeResult &types() {
    if (!Types)
      Types = analyzeTypes(prepared(), Summaries);
    return *Types;
  }
  ActivityResult activity(llvm::StringRef Request) {
    return cantFail(analyzeActivity(prepared(), types(), request(Request)));
  }
  llvm::BasicBlock *block(llvm::StringRef Name) const {
    for (llvm::BasicBlock &BB : Prepared->function())
      if (BB.getName() == Name)
        return &BB;
    ADD_FAILURE() << "no block is called " << Name.str();
    return nullptr;
  }
  llvm::Instruction *value(llvm::StringRef Name) const {
    return valueIn(Prepared->function(), Name);
  }
  llvm::Argument *argument(unsigned Number) const { return Prepared->function().getArg(Number); }
  const llvm::Loop *loopOf(llvm::StringRef Block) const {
    return Prepared->loops().getLoopFor(block(Block));
  }

  std::unique_ptr<PreparedFunction> Prepared;
  TypeSummaries Summaries;
  std::optional<TypeResult> Types;
};

} // namespace isozyme

#endif
