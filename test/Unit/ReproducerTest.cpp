//===- ReproducerTest.cpp - What is kept of a failure, and what is said ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No program is known to provoke an internal error (IZ901), so that one is made here.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Reproducer.h"
#include "isozyme/Support/Options.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace isozyme;

namespace {

class ReproducerTest : public testing::Test {
protected:
  ReproducerTest() {
    SMDiagnostic Problem;
    M = parseAssemblyString(R"(
      declare double @__enzyme_autodiff(ptr, ...)
      define double @callee(double %x) {
        ret double %x
      }
      define double @f(double %x) {
        %y = call double @callee(double %x)
        ret double %y
      }
      define double @other(double %x) {
        ret double %x
      }
      define double @df(double %x) {
        %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
        %o = call double @other(double %d)
        ret double %o
      })",
                            Problem, Context);
    Call = cast<CallBase>(&M->getFunction("df")->getEntryBlock().front());
    sys::fs::createUniqueDirectory("isozyme-reproducer", Folder);
  }
  ~ReproducerTest() override {
    setOptions({});
    sys::fs::remove_directories(Folder);
  }

  std::string file(StringRef Name) const {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Name);
    return Path.str().str();
  }
  /// The notes of an error with number \p Id that has been judged.
  std::string judged(DiagId Id) {
    Reproducer Kept(*Call, M->getFunction("f"));
    std::string Notes;
    handleAllErrors(Kept.judge(diffError(Id, Place(*Call), "what", "fix")),
                    [&](const DiffError &D) {
                      for (const DiffError::Note &N : D.notes())
                        Notes += N.Text + "\n";
                    });
    return Notes;
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  CallBase *Call;
  SmallString<128> Folder;
};

TEST_F(ReproducerTest, InternalErrorSaysHowToGetAFile) {
  EXPECT_EQ(judged(DiagId::InternalError),
            "compile with '-mllvm -isozyme-reproducer=<directory>' to get a file for the report\n");
  EXPECT_EQ(judged(DiagId::NoDerivative), "");
}

TEST_F(ReproducerTest, InternalErrorKeepsWhatItIsAbout) { // [IZ901]
  Options O;
  O.Reproducer = Folder.str().str();
  setOptions(O);
  EXPECT_EQ(judged(DiagId::InternalError), "what Isozyme failed on is in '" + file("f.ll") +
                                               "', and '" + file("f.sh") + "' repeats it\n");
  SMDiagnostic Problem;
  LLVMContext Fresh;
  std::unique_ptr<Module> Part = parseIRFile(file("f.ll"), Problem, Fresh);
  ASSERT_TRUE(Part);
  EXPECT_FALSE(Part->getFunction("callee")->isDeclaration());
  EXPECT_FALSE(Part->getFunction("df")->isDeclaration());
  EXPECT_TRUE(Part->getFunction("other")->isDeclaration());
  EXPECT_TRUE(sys::fs::can_execute(file("f.sh")));
}

TEST_F(ReproducerTest, OtherErrorsKeepNothingUnlessAskedFor) {
  Options O;
  O.Reproducer = Folder.str().str();
  setOptions(O);
  EXPECT_EQ(judged(DiagId::NoDerivative), "");
  EXPECT_FALSE(sys::fs::exists(file("f.ll")));
  O.ReproducerFor = "IZ201";
  setOptions(O);
  EXPECT_NE(judged(DiagId::NoDerivative), "");
  EXPECT_TRUE(sys::fs::exists(file("f.ll")));
}

} // namespace
