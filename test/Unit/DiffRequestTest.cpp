//===- DiffRequestTest.cpp - Requests as values and as text ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/RequestText.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace isozyme;

namespace {

class DiffRequestTest : public testing::Test {
protected:
  void SetUp() override {
    SMDiagnostic Problem;
    M = parseAssemblyString("define double @f(double %x, ptr %p, i64 %n) { ret double %x }\n"
                            "define void @g({ <2 x float>, [2 x double] } %s) { ret void }\n"
                            "define ptr @h() { ret ptr null }\n",
                            Problem, Context);
    ASSERT_TRUE(M) << Problem.getMessage().str();
  }

  Function &function(StringRef Name) { return *M->getFunction(Name); }

  DiffRequest parsed(StringRef Text, StringRef Name = "f") {
    Expected<DiffRequest> R = parseRequest(Text, function(Name));
    if (R)
      return *R;
    ADD_FAILURE() << toString(R.takeError());
    return DiffRequest();
  }

  std::string problem(StringRef Text, StringRef Name = "f") {
    Expected<DiffRequest> R = parseRequest(Text, function(Name));
    return R ? "" : toString(R.takeError());
  }

  std::string signature(const DiffRequest &R, Type *Tape = nullptr) {
    std::string Text;
    raw_string_ostream(Text) << *derivativeType(R, Tape);
    return Text;
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
};

TEST_F(DiffRequestTest, PrintedTextIsReadBack) {
  for (const char *Text :
       {"reverse(@f: active double, dup ptr, const i64) -> active, width 1",
        "forward(@f: dup double, dup ptr, const i64) -> dup, primal, width 4",
        "dependence(@f: dup double, dup ptr, const i64) -> dup, primal, width 1",
        "reverse(@f: const double, dupnoneed ptr, const i64) -> const, width 16",
        "augment(@f: active double, dup ptr overwritten, const i64) -> active, width 2",
        "reverse(@f: active double, dup ptr unshared common, const i64 common) -> active, width 1",
        "fromtape(@f: active double, dup ptr, const i64) -> active, width 1"})
    EXPECT_EQ(parsed(Text).str(), Text);
  const char *Aggregate = "reverse(@g: active { <2 x float>, [2 x double] }) -> const, width 1";
  EXPECT_EQ(parsed(Aggregate, "g").str(), Aggregate);
  EXPECT_EQ(parsed("reverse(@h:) -> dup, width 1", "h").str(), "reverse(@h:) -> dup, width 1");
}

TEST_F(DiffRequestTest, ShortTextMeansTheSame) {
  EXPECT_EQ(parsed("reverse(active,dup,const)->active"),
            parsed("reverse(@f: active double, dup ptr, const i64) -> active, width 1"));
  EXPECT_EQ(parsed("forward(dup,dup,const)->dup,width 2,primal").Width, 2u);
  EXPECT_TRUE(parsed("augment(active,dup,const)->active").MayOverwrite[1]);
  EXPECT_FALSE(parsed("augment(active,dup,const)->active,keep").MayOverwrite[1]);
}

TEST_F(DiffRequestTest, WrongTextIsAnError) {
  EXPECT_NE(problem("sideways(active,dup,const)->active").find("no mode"), std::string::npos);
  EXPECT_NE(problem("reverse(active,dup)->active").find("fewer"), std::string::npos);
  EXPECT_NE(problem("reverse(active,dup,const,const)->active").find("more"), std::string::npos);
  EXPECT_NE(problem("reverse(active,dup,const").find("')'"), std::string::npos);
  EXPECT_NE(problem("reverse(active,dup,const)").find("'->'"), std::string::npos);
  EXPECT_NE(problem("reverse(active,dup,const)->active,width 0").find("width"), std::string::npos);
  EXPECT_NE(problem("reverse(active float,dup,const)->active").find("double"), std::string::npos);
  EXPECT_NE(problem("reverse(@g: active,dup,const)->active").find("another"), std::string::npos);
}

TEST_F(DiffRequestTest, VerifierKnowsWhatFits) {
  EXPECT_NE(problem("reverse(dup,dup,const)->active"), "");
  EXPECT_NE(problem("forward(active,dup,const)->dup"), "");
  EXPECT_NE(problem("reverse(active,dup,dup)->active"), "");
  EXPECT_NE(problem("augment(active,dup ptr common,const)->active").find("common"),
            std::string::npos);
  EXPECT_NE(problem("reverse(active,active,const)->active"), "");
  EXPECT_NE(problem("reverse(active,dup,const)->dup"), "");
  EXPECT_NE(problem("reverse(const)->const,primal", "g"), "");
  DiffRequest R = parsed("reverse(active,dup,const)->active");
  EXPECT_FALSE(verifyRequest(R));
  R.MayOverwrite.assign(3, true);
  EXPECT_TRUE(verifyRequest(R)) << "not canonical";
}

TEST_F(DiffRequestTest, SignatureFollowsFromTheRequest) {
  EXPECT_EQ(signature(parsed("reverse(active,dup,const)->active")),
            "{ double } (double, ptr, ptr, i64, double)");
  EXPECT_EQ(signature(parsed("reverse(active,dup,const)->active,primal,width 2")),
            "{ double, [2 x double] } (double, ptr, ptr, ptr, i64, [2 x double])");
  EXPECT_EQ(signature(parsed("forward(dup,const,const)->dup")),
            "{ double } (double, double, ptr, i64)");
  EXPECT_EQ(signature(parsed("dependence(dup,const,const)->dup")),
            "{ double } (double, double, ptr, i64)");
  EXPECT_EQ(signature(parsed("reverse(const,dup,const)->const")), "void (double, ptr, ptr, i64)");
  Type *Tape = PointerType::getUnqual(Context);
  EXPECT_EQ(signature(parsed("augment(active,dup,const)->active"), Tape),
            "{ double, ptr } (double, ptr, ptr, i64)");
  EXPECT_EQ(signature(parsed("fromtape(active,dup,const)->active"), Tape),
            "{ double } (double, ptr, ptr, i64, double, ptr)");
}

TEST(MarkerNamesTest, EntryPointsByContainedText) {
  EXPECT_EQ(entryPoint("_Z17__enzyme_autodiffIdEvPv"), EntryPoint::Autodiff);
  EXPECT_EQ(entryPoint("my__enzyme_fwddiff2"), EntryPoint::Fwddiff);
  EXPECT_EQ(entryPoint("__enzyme_truncate_op_func"), EntryPoint::NotSupported);
  EXPECT_EQ(entryPoint("__isozyme_dependence_of_f"), EntryPoint::Dependence);
  EXPECT_EQ(entryPoint("__enzyme_post_sparse_todense"), EntryPoint::Todense);
  EXPECT_FALSE(entryPoint("enzyme_autodiff"));
  EXPECT_FALSE(entryPoint("__enzyme_register_gradient_f"));
  EXPECT_FALSE(entryPoint("__enzyme_double")); // Says something of memory.
}

TEST(MarkerNamesTest, NearestSharesMostLetters) {
  EXPECT_EQ(nearestMarkerName("enzyme_dupp"), "enzyme_dup");
  EXPECT_EQ(nearestMarkerName("enzyme_cosnt"), "enzyme_const");
  EXPECT_EQ(nearestMarkerName("enzyme_primalreturn"), "enzyme_primal_return");
  EXPECT_EQ(nearestMarkerName("enzyme_duplicated"), "enzyme_dup");
  EXPECT_EQ(nearestMarkerName("enzyme_duponneed"), "enzyme_dupnoneed");
  EXPECT_EQ(nearestMarkerName("enzyme_dup_noneed"), "enzyme_dupnoneed");
  EXPECT_EQ(nearestMarkerName("enzyme_duplicated_noneed"), "enzyme_dup");
  EXPECT_EQ(nearestMarkerName("enzyme_constant"), "enzyme_const");
  EXPECT_EQ(nearestMarkerName("enzyme_active"), "enzyme_out");
  EXPECT_EQ(nearestMarkerName("enzyme_inactive"), "enzyme_const");
  EXPECT_EQ(nearestMarkerName("enzyme_widht"), "enzyme_width");
  EXPECT_EQ(nearestMarkerName("enzyme_primal"), "enzyme_primal_return");
  EXPECT_EQ(nearestMarkerName("enzyme_noreturn"), "enzyme_noret");
  EXPECT_EQ(nearestMarkerName("enzyme_bogus"), "");
  EXPECT_EQ(nearestMarkerName("enzyme_"), "");
  EXPECT_EQ(nearestEntryPoint("__enzyme_autodif"), "__enzyme_autodiff");
  EXPECT_EQ(nearestEntryPoint("__enzyme_fwdiff"), "__enzyme_fwddiff");
  EXPECT_EQ(nearestEntryPoint("__enzyme_gradient"), "__enzyme_autodiff");
  EXPECT_EQ(nearestEntryPoint("__enzyme_forward"), "__enzyme_fwddiff");
  EXPECT_EQ(nearestEntryPoint("__enzyme_augmentforward"), "__enzyme_augmentfwd");
  EXPECT_EQ(nearestEntryPoint("__enzyme_unlike"), "");
  EXPECT_FALSE(markerByName("enzyme_du"));
}

} // namespace
