//===- RuleInterpreterTest.cpp - Guards, needs and families of calls -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are the business of rule-check; this is about the shape of the code.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/RuleInterpreter.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "isozyme/Rules/StrongZero.h"
#include "isozyme/Support/Options.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace isozyme;
using namespace llvm;

namespace {

class RuleInterpreterTest : public testing::Test {
protected:
  /// Parses @f(double %x, double %y, double %t, double %t2); the operation is %r.
  void parse(StringRef Body, StringRef Declarations = "") {
    SMDiagnostic Diagnostic;
    M = parseAssemblyString((Declarations +
                             "\ndefine void @f(double %x, double %y, double %t, double %t2) {\n" +
                             Body + "\nret void\n}\n")
                                .str(),
                            Diagnostic, Context);
    ASSERT_TRUE(M) << Diagnostic.getMessage().str();
    F = M->getFunction("f");
    TargetLibraryInfoImpl Impl(M->getTargetTriple());
    TargetLibraryInfo TLI(Impl);
    for (Instruction &I : instructions(*F))
      if (I.getName() == "r") {
        R = &I;
        View = viewOf(I, TLI);
      }
  }

  /// Emits a partial before the return; the instructions it took.
  unsigned emit(unsigned Wrt, unsigned Lanes = 1, RuleMode Mode = RuleMode::Forward) {
    const unsigned Before = F->getInstructionCount();
    IRBuilder<> B(F->back().getTerminator());
    SmallVector<Value *, 2> Incoming = {F->getArg(2)};
    if (Lanes > 1)
      Incoming.push_back(F->getArg(3));
    auto Lookup = [&](unsigned Operand) -> Value * {
      return Operand == ResultValue ? R : View.Operands[Operand];
    };
    auto NotComputed = [](RuleCall) -> Value * { return nullptr; };
    Result = emitPartial(B, *R, View, Wrt, Incoming, Mode, Lookup, NotComputed,
                         needsStrongZero(*R, View, Wrt, SimplifyQuery(R->getDataLayout())));
    EXPECT_FALSE(verifyModule(*M, &errs()));
    return F->getInstructionCount() - Before;
  }

  bool isGuarded(unsigned Wrt) {
    emit(Wrt);
    return Result[0]->getName().starts_with("strong");
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  Function *F = nullptr;
  Instruction *R = nullptr;
  OpView View;
  SmallVector<Value *, 4> Result;
};

TEST_F(RuleInterpreterTest, SharesWhatHasNoT) {
  parse("%r = call double @sin(double %x)", "declare double @sin(double)");
  // One cos, one product per lane.
  EXPECT_EQ(emit(0, 2), 3u);
  EXPECT_TRUE(M->getFunction("cos"));
  EXPECT_TRUE(M->getFunction("cos")->doesNotAccessMemory());
}

TEST_F(RuleInterpreterTest, KeepsTheFamily) {
  parse("%r = call double @llvm.sin.f64(double %x)", "declare double @llvm.sin.f64(double)");
  emit(0);
  EXPECT_TRUE(M->getFunction("llvm.cos.f64"));
  parse("%r = call double @__nv_sin(double %x)", "declare double @__nv_sin(double)");
  emit(0);
  EXPECT_TRUE(M->getFunction("__nv_cos"));
  parse("%r = call double @__ocml_sin_f64(double %x)", "declare double @__ocml_sin_f64(double)");
  emit(0);
  EXPECT_TRUE(M->getFunction("__ocml_cos_f64"));
}

TEST_F(RuleInterpreterTest, AvoidsTheUsersOwnFunction) {
  parse("%r = call double @sin(double %x)",
        "declare double @sin(double)\ndefine double @cos(double %x) { ret double %x }");
  emit(0);
  EXPECT_TRUE(M->getFunction("llvm.cos.f64"));
}

TEST_F(RuleInterpreterTest, NeedsWhatTheActiveOperandReads) {
  parse("%r = fmul double %x, %y");
  PartialNeeds N = partialNeeds(View, 0);
  EXPECT_EQ(N.Operands, (SmallVector<unsigned, 3>{1}));
  EXPECT_FALSE(N.Result);

  parse("%r = call double @sqrt(double %x)", "declare double @sqrt(double)");
  N = partialNeeds(View, 0);
  EXPECT_TRUE(N.Operands.empty());
  EXPECT_TRUE(N.Result);

  // Constants are at hand.
  parse("%r = fmul double %x, 2.0");
  EXPECT_TRUE(partialNeeds(View, 0).Operands.empty());
}

TEST_F(RuleInterpreterTest, IntegerOperandsHaveNoPartial) {
  parse("%n = fptosi double %y to i32\n%r = call double @llvm.powi.f64.i32(double %x, i32 %n)",
        "declare double @llvm.powi.f64.i32(double, i32)");
  EXPECT_TRUE(hasPartial(View, 0));
  EXPECT_FALSE(hasPartial(View, 1));
}

TEST_F(RuleInterpreterTest, GuardsWhereThePartialMayBeInfinite) {
  parse("%r = fdiv double %x, %y");
  EXPECT_TRUE(isGuarded(0));
  parse("%r = fdiv double %x, 2.0");
  EXPECT_FALSE(isGuarded(0));
  parse("%r = fdiv nnan ninf double %x, %y");
  EXPECT_FALSE(isGuarded(0));
  parse("%r = call double @atan(double %x)", "declare double @atan(double)");
  EXPECT_FALSE(isGuarded(0));
  parse("%r = call double @erf(double %x)", "declare double @erf(double)");
  EXPECT_FALSE(isGuarded(0));
  parse("%r = call double @hypot(double %x, double %y)", "declare double @hypot(double, double)");
  EXPECT_FALSE(isGuarded(0));
  parse("%r = call double @exp(double %x)", "declare double @exp(double)");
  EXPECT_TRUE(isGuarded(0));
}

TEST_F(RuleInterpreterTest, GuardsProductsByWhereOperandsComeFrom) {
  parse("%r = fmul double %x, %y");
  EXPECT_FALSE(isGuarded(0));
  parse("%l = call double @log(double %y)\n%n = fneg double %l\n%r = fmul double %x, %n",
        "declare double @log(double)");
  EXPECT_TRUE(isGuarded(0));
  EXPECT_FALSE(isGuarded(1));
  parse("%q = fdiv double 1.0, %y\n%r = fmul double %x, %q");
  EXPECT_TRUE(isGuarded(0));
}

TEST_F(RuleInterpreterTest, SquareRootsOfSquaresAreFinite) {
  StringRef Sqrt = "declare double @llvm.sqrt.f64(double)";
  parse("%r = call double @llvm.sqrt.f64(double %x)", Sqrt);
  EXPECT_TRUE(isGuarded(0)); // nan below zero
  parse("%a = fmul double %x, %x\n%b = fmul double %y, %y\n%s = fadd double %a, %b\n"
        "%r = call double @llvm.sqrt.f64(double %s)",
        Sqrt);
  EXPECT_FALSE(isGuarded(0));
}

TEST_F(RuleInterpreterTest, StrongZeroCanBeSwitchedOff) {
  const Options Saved = options();
  Options Off = Saved;
  Off.StrongZero = false;
  setOptions(Off);
  parse("%r = fdiv double %x, %y");
  EXPECT_FALSE(isGuarded(0));
  setOptions(Saved);
}

TEST_F(RuleInterpreterTest, KeepsFastMathFlags) {
  parse("%r = fmul reassoc contract double %x, %y");
  emit(0);
  auto *I = cast<Instruction>(Result[0]);
  EXPECT_TRUE(I->hasAllowReassoc() && I->hasAllowContract() && !I->hasNoNaNs());
}

TEST_F(RuleInterpreterTest, DigammaIsWrittenOnce) {
  parse("%r = call double @lgamma(double %x)", "declare double @lgamma(double)");
  emit(0);
  emit(0);
  unsigned Count = 0;
  for (Function &G : *M)
    Count += G.getName().starts_with("__isozyme_digamma");
  EXPECT_EQ(Count, 1u);
  EXPECT_TRUE(M->getFunction("__isozyme_digamma")->hasLocalLinkage());
}

} // namespace
