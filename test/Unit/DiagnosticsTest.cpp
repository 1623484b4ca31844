//===- DiagnosticsTest.cpp - Errors as values, and how they are printed ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/Diagnostics.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace isozyme;

namespace {

/// Collects what a compiler would print.
class DiagnosticsTest : public testing::Test {
protected:
  struct Handler : DiagnosticHandler {
    std::vector<std::string> &Lines;
    explicit Handler(std::vector<std::string> &Lines) : Lines(Lines) {}
    bool handleDiagnostics(const DiagnosticInfo &Info) override {
      std::string Text;
      raw_string_ostream OS(Text);
      DiagnosticPrinterRawOStream Printer(OS);
      Info.print(Printer);
      const char *Severity[] = {"error: ", "warning: ", "remark: ", "note: "};
      Lines.push_back(Severity[Info.getSeverity()] + Text);
      return true;
    }
  };

  DiagnosticsTest() : M("test", Context) {
    Context.setDiagnosticHandler(std::make_unique<Handler>(Lines));
    F = Function::Create(FunctionType::get(Type::getVoidTy(Context), false),
                         Function::ExternalLinkage, "f", M);
  }

  std::vector<std::string> Lines;
  LLVMContext Context;
  Module M;
  Function *F;
};

TEST_F(DiagnosticsTest, NamesAndSummaries) {
  EXPECT_EQ(diagnosticName(DiagId::MissingShadow), "IZ103");
  EXPECT_EQ(diagnosticSummary(DiagId::MissingShadow), "a duplicated argument lacks its shadow");
}

TEST_F(DiagnosticsTest, TextSaysWhatIsWrongWhatToDoAndTheNumber) {
  Error E = diffError(DiagId::NoBody, Place(*F), "'g' has no body", "define it");
  EXPECT_EQ(toString(std::move(E)), "'g' has no body; define it [IZ102]");
}

TEST_F(DiagnosticsTest, ReportsTheErrorThenItsNotes) {
  Error E = diffError(DiagId::NoBody, Place(*F), "no body", "define it");
  E = withNote(std::move(E), Place(*F), "called here");
  report(withNote(std::move(E), Place(*F), "asked for here"));
  ASSERT_EQ(Lines.size(), 3u);
  EXPECT_EQ(Lines[0].find("error: "), 0u);
  EXPECT_NE(Lines[0].find("no body; define it [IZ102]"), std::string::npos);
  EXPECT_EQ(Lines[1], "note: in function 'f': called here");
  EXPECT_EQ(Lines[2], "note: in function 'f': asked for here");
}

TEST_F(DiagnosticsTest, WarnsWithANumber) {
  warn(DiagId::ActiveIntoConst, Place(*F), "this is odd");
  ASSERT_EQ(Lines.size(), 1u);
  EXPECT_EQ(Lines[0].find("warning: "), 0u);
  EXPECT_NE(Lines[0].find("this is odd [IZ301]"), std::string::npos);
}

} // namespace
