//===- PreparedFunctionTest.cpp - The facts a prepared function states ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/Prepare.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace isozyme;

namespace {

/// A module with one function @f, and the analyses to prepare it.
class PreparedFunctionTest : public testing::Test {
protected:
  void parse(StringRef Assembly) {
    SMDiagnostic Diagnostic;
    M = parseAssemblyString(Assembly, Diagnostic, Context);
    ASSERT_TRUE(M) << Diagnostic.getMessage().str();
    PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

  Expected<std::unique_ptr<PreparedFunction>> prepare() {
    return prepareFunction(*M->getFunction("f"), FAM);
  }

  static BasicBlock *block(const PreparedFunction &P, StringRef Name) {
    for (BasicBlock &BB : P.function())
      if (BB.getName() == Name)
        return &BB;
    return nullptr;
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
};

constexpr char Search[] = R"(
  define double @f(ptr %a, i64 %n) {
  entry:
    br label %row
  row:
    %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
    br label %col
  col:
    %j = phi i64 [ 0, %row ], [ %j.next, %col.end ]
    %p = getelementptr double, ptr %a, i64 %j
    %v = load double, ptr %p
    %hit = fcmp oeq double %v, 0.0
    br i1 %hit, label %found, label %col.end
  col.end:
    %j.next = add nuw nsw i64 %j, 1
    %c = icmp ult i64 %j.next, %n
    br i1 %c, label %col, label %row.end
  row.end:
    %i.next = add nuw nsw i64 %i, 1
    %d = icmp ult i64 %i.next, 10
    br i1 %d, label %row, label %exit
  found:
    store i64 %i, ptr %a
    br label %end
  exit:
    %bad = icmp ugt i64 %n, 1000
    br i1 %bad, label %fail, label %end
  fail:
    unreachable
  end:
    %r = phi double [ 1.0, %found ], [ 2.0, %exit ]
    ret double %r
  })";

TEST_F(PreparedFunctionTest, KnowsTheCounterAtEachExit) {
  parse(Search);
  auto P = cantFail(prepare());
  BasicBlock *Found = block(*P, "found");
  ASSERT_TRUE(Found);
  const auto Loops = P->loops().getLoopsInPreorder();
  ASSERT_EQ(Loops.size(), 2u);
  for (const Loop *L : Loops) {
    const CanonicalLoop &Known = P->canonical(L);
    EXPECT_EQ(Known.L, L);
    EXPECT_EQ(&L->getHeader()->front(), Known.IV);
    EXPECT_FALSE(Known.LastIV);
    EXPECT_EQ(Known.ExitIV.size(), 2u);
    // The block behind the break leaves both loops at once.
    auto *Last = dyn_cast<PHINode>(P->lastIV(L, Found));
    ASSERT_TRUE(Last);
    EXPECT_EQ(Last->getParent(), Found);
    EXPECT_EQ(Last->getIncomingValue(0), Known.IV);
  }
}

TEST_F(PreparedFunctionTest, KnowsATripCountBeforeTheLoop) {
  parse(R"(
    define void @f(ptr %a, i64 %n) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
      %p = getelementptr double, ptr %a, i64 %i
      store double 0.0, ptr %p
      %i.next = add nuw nsw i64 %i, 1
      %c = icmp ule i64 %i.next, 99
      br i1 %c, label %loop, label %exit
    exit:
      ret void
    })");
  auto P = cantFail(prepare());
  const Loop *L = P->loops().getLoopsInPreorder().front();
  auto *Last = dyn_cast_or_null<ConstantInt>(P->canonical(L).LastIV);
  ASSERT_TRUE(Last);
  EXPECT_EQ(Last->getZExtValue(), 99u);
  EXPECT_EQ(P->lastIV(L, block(*P, "exit")), Last);
  EXPECT_EQ(P->predecessorsOf(L->getHeader()).size(), 2u);
  EXPECT_FALSE(P->cameFrom(L->getHeader()));
  EXPECT_FALSE(isa<SCEVCouldNotCompute>(P->scalarEvolution().getBackedgeTakenCount(L)));
}

TEST_F(PreparedFunctionTest, KnowsWhichBlocksReturn) {
  parse(Search);
  auto P = cantFail(prepare());
  EXPECT_EQ(P->returnBlock(), block(*P, "end"));
  EXPECT_TRUE(P->reachesReturn(block(*P, "found")));
  EXPECT_TRUE(P->reachesReturn(&P->function().getEntryBlock()));
  for (BasicBlock &BB : P->function()) {
    EXPECT_EQ(P->reachesReturn(&BB), !isa<UnreachableInst>(BB.getTerminator()));
    if (Value *From = P->cameFrom(&BB)) {
      EXPECT_EQ(&BB, P->returnBlock());
      EXPECT_EQ(P->predecessorsOf(&BB).size(), 2u);
      EXPECT_TRUE(From->getType()->isIntegerTy(8));
    }
  }
}

TEST_F(PreparedFunctionTest, NumbersFollowThePosition) {
  parse(Search);
  auto P = cantFail(prepare());
  EXPECT_EQ(P->numberOf(P->function().getArg(0)), 0u);
  EXPECT_EQ(P->numberOf(P->function().getArg(1)), 1u);
  unsigned Last = 1;
  for (BasicBlock &BB : P->function())
    for (Instruction &I : BB) {
      EXPECT_GT(P->numberOf(&I), Last);
      Last = P->numberOf(&I);
    }
}

TEST_F(PreparedFunctionTest, TakesTheCloneAlong) {
  parse(Search);
  Function *Original = M->getFunction("f");
  {
    auto P = cantFail(prepare());
    EXPECT_EQ(P->function().getName(), "f.prepared");
    EXPECT_TRUE(P->function().hasInternalLinkage());
    EXPECT_EQ(&P->original(), Original);
    EXPECT_EQ(P->placeOf(&P->function().front().front()).Fn, Original);
  }
  EXPECT_FALSE(M->getFunction("f.prepared"));
}

TEST_F(PreparedFunctionTest, AnErrorLeavesNoClone) {
  parse(R"(
    define double @f(double %x, ...) {
      %y = musttail call double (double, ...) @f(double %x, ...)
      ret double %y
    })");
  auto P = prepare();
  ASSERT_FALSE(P);
  handleAllErrors(P.takeError(), [&](const DiffError &E) {
    EXPECT_EQ(E.id(), DiagId::NoLegalForm);
    EXPECT_EQ(E.where().Fn, M->getFunction("f"));
  });
  EXPECT_FALSE(M->getFunction("f.prepared"));
}

TEST_F(PreparedFunctionTest, RefusesADeclaration) {
  parse("declare double @f(double)");
  auto P = prepare();
  ASSERT_FALSE(P);
  handleAllErrors(P.takeError(), [](const DiffError &E) { EXPECT_EQ(E.id(), DiagId::NoBody); });
}

TEST_F(PreparedFunctionTest, TheVerifierSeesABrokenPromise) {
  parse(Search);
  auto P = cantFail(prepare());
  EXPECT_FALSE(verifyPrepared(*P, nullptr));
  const Loop *L = P->loops().getLoopsInPreorder().front();
  PHINode *IV = P->canonical(L).IV;
  Value *Zero = IV->getIncomingValueForBlock(L->getLoopPreheader());
  IV->setIncomingValueForBlock(L->getLoopPreheader(), ConstantInt::get(IV->getType(), 1));
  std::string Why;
  raw_string_ostream OS(Why);
  EXPECT_TRUE(verifyPrepared(*P, &OS));
  EXPECT_NE(Why.find("a counter starts at 0"), std::string::npos) << Why;
  IV->setIncomingValueForBlock(L->getLoopPreheader(), Zero);
  EXPECT_FALSE(verifyPrepared(*P, nullptr));
}

TEST_F(PreparedFunctionTest, SpeaksTheSourceLanguage) {
  parse(R"(
    define double @f(double %0, double %named) !dbg !4 {
        #dbg_value(double %0, !8, !DIExpression(), !9)
      %2 = fmul double %0, %named, !dbg !9
        #dbg_value(double %2, !10, !DIExpression(), !9)
      %sum = fadd double %2, 1.0, !dbg !9
      ret double %sum, !dbg !9
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!3}
    !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "spring.c", directory: "/")
    !3 = !{i32 2, !"Debug Info Version", i32 3}
    !4 = distinct !DISubprogram(name: "f", file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)
    !5 = !DISubroutineType(types: !6)
    !6 = !{null}
    !7 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
    !8 = !DILocalVariable(name: "length", arg: 1, scope: !4, file: !1, type: !7)
    !9 = !DILocation(line: 5, column: 7, scope: !4)
    !10 = !DILocalVariable(name: "energy", scope: !4, file: !1, type: !7)
  )");
  auto P = cantFail(prepare());
  Function &F = P->function();
  EXPECT_EQ(P->sourceName(F.getArg(0)), "length");
  EXPECT_EQ(P->sourceName(F.getArg(1)), "named");
  Instruction &Product = F.front().front();
  EXPECT_EQ(P->sourceName(&Product), "energy");
  EXPECT_EQ(P->sourceName(Product.getNextNode()), "sum");
  EXPECT_EQ(P->placeOf(&Product).Loc.getLine(), 5u);
}

} // namespace
