//===- DerivativeTextTest.cpp - What is told is what is done ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row for each kind of instruction and each step that a plan can have for it: the smallest
// function, its step, and the whole text of its derivative.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Explain/DerivativeText.h"
#include "PlanFixture.h"
#include "isozyme/Driver/Derivatives.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace isozyme {
namespace {

struct Row {
  const char *Step; ///< Of the first instruction that has it, "reverse load".
  const char *Opcode;
  const char *Request;
  const char *Function;
  const char *Text; ///< Statements, with "; " between.
};

constexpr const char *Declarations = R"(
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, <2 x i1>, <2 x double>)
declare void @llvm.masked.store.v2f64.p0(<2 x double>, ptr, <2 x i1>)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)
declare double @exp(double)
declare ptr @malloc(i64)
declare void @free(ptr)
define double @g(double %a) noinline {
  %r = fmul double %a, %a
  ret double %r
}
)";

const Row Rows[] = {
    {"reverse seed", "ret", "reverse(active)->active",
     "define double @f(double %x) { ret double %x }", "x.adj += seed"},
    {"reverse rule", "fmul", "reverse(active,active)->active",
     "define double @f(double %x, double %y) { %r = fmul double %x, %y ret double %r }",
     "r.adj += seed; x.adj += r.adj * y; y.adj += r.adj * x"},
    {"reverse rule", "fneg", "reverse(active)->active",
     "define double @f(double %x) { %r = fneg double %x ret double %r }",
     "r.adj += seed; x.adj -= r.adj"},
    {"reverse rule", "fptrunc", "reverse(active)->active",
     "define float @f(double %x) { %r = fptrunc double %x to float ret float %r }",
     "r.adj += seed; x.adj += r.adj"},
    {"reverse rule", "call", "reverse(active)->active",
     "define double @f(double %x) { %r = call double @exp(double %x) ret double %r }",
     "r.adj += seed; x.adj += r.adj * r"},
    {"reverse load", "load", "reverse(dup)->active",
     "define double @f(ptr %p) { %r = load double, ptr %p ret double %r }",
     "r.adj += seed; p.shadow[0] += r.adj"},
    {"reverse store", "store", "reverse(dup,active)->const",
     "define void @f(ptr %p, double %x) { store double %x, ptr %p ret void }",
     "x.adj += p.shadow[0]; p.shadow[0] = 0"},
    {"reverse atomic", "atomicrmw", "reverse(dup,active)->const",
     "define void @f(ptr %p, double %x) { %o = atomicrmw fadd ptr %p, double %x monotonic ret void "
     "}",
     "x.adj += p.shadow[0]"},
    {"reverse atomic", "atomicrmw", "reverse(dup,active)->const",
     "define void @f(ptr %p, double %x) { %o = atomicrmw fsub ptr %p, double %x monotonic ret void "
     "}",
     "x.adj -= p.shadow[0]"},
    {"reverse extremum", "atomicrmw", "reverse(dup,active)->const",
     "target triple = \"nvptx64-nvidia-cuda\"\n"
     "define void @f(ptr %p, double %x) { %o = atomicrmw fmax ptr %p, double %x monotonic ret void "
     "}",
     "x.adj += (p[0] == x ? p.shadow[0] : 0)"},
    {"reverse masked load", "call", "reverse(dup,const,active)->active",
     "define <2 x double> @f(ptr %p, <2 x i1> %m, <2 x double> %o) {"
     " %r = call <2 x double> @llvm.masked.load.v2f64.p0(ptr align 8 %p, <2 x i1> %m, <2 x double> "
     "%o)"
     " ret <2 x double> %r }",
     "r.adj += seed; p.shadow[0] += m ? r.adj : 0; o.adj += m ? 0 : r.adj"},
    {"reverse masked store", "call", "reverse(dup,const,active)->const",
     "define void @f(ptr %p, <2 x i1> %m, <2 x double> %x) {"
     " call void @llvm.masked.store.v2f64.p0(<2 x double> %x, ptr align 8 %p, <2 x i1> %m) ret "
     "void }",
     "x.adj += m ? p.shadow[0] : 0; p.shadow[0] = m ? 0 : p.shadow[0]"},
    {"reverse copy", "call", "reverse(dup,dup)->active",
     "define double @f(ptr %p, ptr %q) { %v = load double, ptr %q"
     " call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false) ret double %v }",
     "v.adj += seed; q.shadow[0] += p.shadow[0]; p.shadow[0] = 0   // and what follows: 8 bytes; "
     "q.shadow[0] += v.adj"},
    {"reverse clear", "call", "reverse(dup)->active",
     "define double @f(ptr %p) { %v = load double, ptr %p"
     " call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) ret double %v }",
     "v.adj += seed; p.shadow[0] = 0   // and what follows: 8 bytes; p.shadow[0] += v.adj"},
    {"reverse hand on", "phi", "reverse(active,active,const)->active",
     "define double @f(double %x, double %y, i1 %c) {\nentry:\n br i1 %c, label %a, label %b\n"
     "a:\n %s = fmul double %x, 3.0\n br label %b\n"
     "b:\n %r = phi double [ %s, %a ], [ %y, %entry ]\n ret double %r }",
     "r.adj += seed; s.adj += r.adj; y.adj += r.adj; x.adj += s.adj * 3"},
    {"reverse choose", "select", "reverse(active,active,const)->active",
     "define double @f(double %x, double %y, i1 %c) {"
     " %r = select i1 %c, double %x, double %y ret double %r }",
     "r.adj += seed; x.adj += c ? r.adj : 0; y.adj += c ? 0 : r.adj"},
    {"reverse pass", "freeze", "reverse(active)->active",
     "define double @f(double %x) { %r = freeze double %x ret double %r }",
     "r.adj += seed; x.adj += r.adj"},
    {"reverse put back", "extractelement", "reverse(active,const)->active",
     "define double @f(<2 x double> %x, i32 %i) { %r = extractelement <2 x double> %x, i32 %i"
     " ret double %r }",
     "r.adj += seed; x.adj += r.adj"},
    {"reverse put back", "insertelement", "reverse(active,active,const)->active",
     "define <2 x double> @f(<2 x double> %x, double %y, i32 %i) {"
     " %r = insertelement <2 x double> %x, double %y, i32 %i ret <2 x double> %r }",
     "r.adj += seed; x.adj += r.adj; y.adj += r.adj"},
    {"reverse put back", "shufflevector", "reverse(active)->active",
     "define <2 x double> @f(<2 x double> %x) {"
     " %r = shufflevector <2 x double> %x, <2 x double> poison, <2 x i32> <i32 1, i32 0>"
     " ret <2 x double> %r }",
     "r.adj += seed; x.adj += r.adj"},
    {"reverse put back", "extractvalue", "reverse(active)->active",
     "define double @f({ double, double } %x) { %r = extractvalue { double, double } %x, 1"
     " ret double %r }",
     "r.adj += seed; x.adj += r.adj"},
    {"reverse put back", "insertvalue", "reverse(active,active)->active",
     "define { double, double } @f({ double, double } %x, double %y) {"
     " %r = insertvalue { double, double } %x, double %y, 0 ret { double, double } %r }",
     "r.adj += seed; x.adj += r.adj; y.adj += r.adj"},
    {"reverse put back", "call", "reverse(active,active)->active",
     "define double @f(double %x, <2 x double> %y) {"
     " %r = call reassoc double @llvm.vector.reduce.fadd.v2f64(double %x, <2 x double> %y)"
     " ret double %r }",
     "r.adj += seed; x.adj += r.adj; y.adj += r.adj"},
    {"reverse call", "call", "reverse(active)->active",
     "define double @f(double %x) { %r = call double @g(double %x) ret double %r }",
     "r.adj += seed; x.adj += reverse.g(x; r.adj)"},
    {"reverse wait", "call", "reverse(dup)->const",
     "target triple = \"nvptx64-nvidia-cuda\"\n"
     "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
     "define void @f(ptr %p) { %v = load double, ptr %p %w = fmul double %v, %v store double %w, "
     "ptr %p"
     " call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ret void }",
     "// the threads wait for each other; w.adj += p.shadow[0]; p.shadow[0] = 0; "
     "v.adj += 2 * w.adj * v; p.shadow[0] += v.adj"},
    {"reverse hand back", "call", "reverse(active)->active",
     "target triple = \"nvptx64-nvidia-cuda\"\n"
     "declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)\n"
     "define float @f(float %x) {"
     " %r = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %x, i32 1, i32 31)"
     " ret float %r }",
     "// each thread of the warp gets the adjoints of those that it has handed its value to"},
    {"reverse release", "call", "reverse(active)->active",
     "define double @f(double %x) { %p = call ptr @malloc(i64 8) store volatile double %x, ptr %p"
     " %r = load volatile double, ptr %p call void @free(ptr %p) ret double %r }",
     "r.adj += seed; p.shadow[0] += r.adj; x.adj += p.shadow[0]; p.shadow[0] = 0"},
    {"reverse release local", "alloca", "augment(active)->active",
     "define double @f(double %x) { %p = alloca double store volatile double %x, ptr %p"
     " %r = load volatile double, ptr %p ret double %r }",
     "p.0.r.adj += seed; p.shadow += p.0.r.adj; x.adj += p.shadow; p.shadow = 0"},
    {"forward rule", "fmul", "forward(dup,dup)->dup",
     "define double @f(double %x, double %y) { %r = fmul double %x, %y ret double %r }",
     "r.tan = x.tan * y + y.tan * x; return r.tan"},
    {"forward rule", "fptrunc", "forward(dup)->dup",
     "define float @f(double %x) { %r = fptrunc double %x to float ret float %r }",
     "r.tan = x.tan; return r.tan"},
    {"forward rule", "call", "forward(dup)->dup",
     "define double @f(double %x) { %r = call double @exp(double %x) ret double %r }",
     "r.tan = x.tan * r; return r.tan"},
    {"forward mirror", "freeze", "forward(dup)->dup",
     "define double @f(double %x) { %r = freeze double %x ret double %r }",
     "r.tan = x.tan; return r.tan"},
    {"forward mirror", "select", "forward(dup,dup,const)->dup",
     "define double @f(double %x, double %y, i1 %c) {"
     " %r = select i1 %c, double %x, double %y ret double %r }",
     "r.tan = c ? x.tan : y.tan; return r.tan"},
    {"forward mirror", "getelementptr", "forward(dup)->dup",
     "define double @f(ptr %p) { %q = getelementptr double, ptr %p, i64 1"
     " %r = load double, ptr %q ret double %r }",
     "r.tan = p.shadow[1]; return r.tan"},
    {"forward mirror", "alloca", "forward(dup)->dup",
     "define double @f(double %x) { %p = alloca double store volatile double %x, ptr %p"
     " %r = load volatile double, ptr %p ret double %r }",
     "p.shadow = x.tan; p.0.r.tan = p.shadow; return p.0.r.tan"},
    {"forward mirror", "extractelement", "forward(dup,const)->dup",
     "define double @f(<2 x double> %x, i32 %i) { %r = extractelement <2 x double> %x, i32 %i"
     " ret double %r }",
     "r.tan = x.tan; return r.tan"},
    {"forward mirror", "insertvalue", "forward(dup,dup)->dup",
     "define { double, double } @f({ double, double } %x, double %y) {"
     " %r = insertvalue { double, double } %x, double %y, 0 ret { double, double } %r }",
     "r.tan = x.tan + y.tan; return r.tan"},
    {"forward unite", "select", "forward(dup,dup)->dup",
     "define double @f(double %x, double %y) { %c = fcmp olt double %x, %y"
     " %r = select i1 %c, double %x, double %y ret double %r }",
     "r.tan = x.tan + y.tan; return r.tan"},
    {"forward join", "phi", "forward(dup,dup,const)->dup",
     "define double @f(double %x, double %y, i1 %c) {\nentry:\n br i1 %c, label %a, label %b\n"
     "a:\n %s = fmul double %x, 3.0\n br label %b\n"
     "b:\n %r = phi double [ %s, %a ], [ %y, %entry ]\n ret double %r }",
     "s.tan = x.tan * 3; return r.tan"},
    {"forward reduce", "call", "forward(dup,dup)->dup",
     "define double @f(double %x, <2 x double> %y) {"
     " %r = call reassoc double @llvm.vector.reduce.fadd.v2f64(double %x, <2 x double> %y)"
     " ret double %r }",
     "r.tan = x.tan + y.tan; return r.tan"},
    {"forward load", "load", "forward(dup)->dup",
     "define double @f(ptr %p) { %r = load double, ptr %p ret double %r }",
     "r.tan = p.shadow[0]; return r.tan"},
    {"forward masked load", "call", "forward(dup,const,dup)->dup",
     "define <2 x double> @f(ptr %p, <2 x i1> %m, <2 x double> %o) {"
     " %r = call <2 x double> @llvm.masked.load.v2f64.p0(ptr align 8 %p, <2 x i1> %m, <2 x double> "
     "%o)"
     " ret <2 x double> %r }",
     "r.tan = m ? p.shadow[0] : o.tan; return r.tan"},
    {"forward masked store", "call", "forward(dup,const,dup)->const",
     "define void @f(ptr %p, <2 x i1> %m, <2 x double> %x) {"
     " call void @llvm.masked.store.v2f64.p0(<2 x double> %x, ptr align 8 %p, <2 x i1> %m) ret "
     "void }",
     "p.shadow[0] = m ? x.tan : p.shadow[0]"},
    {"forward store", "store", "forward(dup,dup)->const",
     "define void @f(ptr %p, double %x) { store double %x, ptr %p ret void }",
     "p.shadow[0] = x.tan"},
    {"forward atomic", "atomicrmw", "forward(dup,dup)->const",
     "define void @f(ptr %p, double %x) { %o = atomicrmw fadd ptr %p, double %x monotonic ret void "
     "}",
     "p.shadow[0] += x.tan"},
    {"forward atomic", "atomicrmw", "forward(dup,dup)->const",
     "define void @f(ptr %p, double %x) { %o = atomicrmw fsub ptr %p, double %x monotonic ret void "
     "}",
     "p.shadow[0] -= x.tan"},
    {"forward copy", "call", "forward(dup,dup)->dup",
     "define double @f(ptr %p, ptr %q) { %v = load double, ptr %q"
     " call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false) ret double %v }",
     "v.tan = q.shadow[0]; p.shadow[0] = q.shadow[0]   // and what follows: 8 bytes; return v.tan"},
    {"forward clear", "call", "forward(dup)->dup",
     "define double @f(ptr %p) { %v = load double, ptr %p"
     " call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) ret double %v }",
     "v.tan = p.shadow[0]; p.shadow[0] = 0   // and what follows: 8 bytes; return v.tan"},
    {"forward release", "call", "forward(dup)->dup",
     "define double @f(double %x) { %p = call ptr @malloc(i64 8) store volatile double %x, ptr %p"
     " %r = load volatile double, ptr %p call void @free(ptr %p) ret double %r }",
     "p.shadow[0] = x.tan; r.tan = p.shadow[0]; return r.tan"},
    {"forward call", "call", "forward(dup)->dup",
     "define double @f(double %x) { %r = call double @g(double %x) ret double %r }",
     "r.tan = forward.g(x, x.tan); return r.tan"},
    {"forward stop", "call", "forward(const,dup)->dup",
     "define double @f(ptr %h, double %x) {\n %c = icmp ne ptr %h, null\n br i1 %c, label %a, "
     "label %b\n"
     "a:\n %s = call double %h(double %x) \"isozyme-unlisted\"\n br label %b\n"
     "b:\n %r = phi double [ %s, %a ], [ %x, %0 ]\n ret double %r }",
     "return r.tan"},
    {"forward return", "ret", "forward(dup)->dup", "define double @f(double %x) { ret double %x }",
     "return x.tan"},
};

class DerivativeTextTest : public PlanFixture, public testing::WithParamInterface<Row> {
protected:
  /// Describes a plan: its steps, and the text.
  template <typename PlanType> void look(const PlanType &Plan) {
    for (auto &[I, S] : Plan.Steps.steps()) {
      StringRef Word = Plan.Request.isReverse() ? wordFor(S.Adjoint) : wordFor(S.Tangent);
      if (("reverse " + Word).str() == GetParam().Step ||
          ("forward " + Word).str() == GetParam().Step)
        Opcodes.push_back(I->getOpcodeName());
    }
    SourceText Words(Plan.P);
    DerivativeText Told({Plan.P, Plan.Request, Plan.Calls, Plan.Steps}, Words);
    ListSeparator Next("; ");
    for (const auto &Statement : Plan.Request.isReverse() ? Told.reverse() : Told.forward())
      Text += (StringRef(Next) + Statement.Text).str();
  }

  std::vector<std::string> Opcodes;
  std::string Text;
};

TEST_P(DerivativeTextTest, TellsWhatTheStepDoes) {
  read(std::string(GetParam().Function) + Declarations);
  ASSERT_TRUE(M);
  DiffRequest R = cantFail(parseRequest(GetParam().Request, function("f")));
  R.Dependence = StringRef(GetParam().Step) == "forward unite";
  Derivatives All(*M, FAM);
  Error E = R.isReverse() ? All.inspectPlan(R, [&](const DerivativePlan &P) { look(P); })
                          : All.inspectForward(R, [&](const ForwardPlan &P) { look(P); });
  ASSERT_FALSE(bool(E)) << toString(std::move(E));
  EXPECT_TRUE(is_contained(Opcodes, GetParam().Opcode)) << "not " << join(Opcodes, " ");
  EXPECT_EQ(Text, GetParam().Text);
}

INSTANTIATE_TEST_SUITE_P(AllSteps, DerivativeTextTest, testing::ValuesIn(Rows));

/// Steps that only large functions have, made by hand for the one instruction of a small one.
class HandMadeStepTest : public PlanFixture {
protected:
  std::string textOf(TangentStep Tangent, Type *Carried) {
    parse("define i64 @f(i64 %x, i64 %n) { %m = add i64 %x, %n %r = xor i64 %m, %n ret i64 %r }");
    DiffRequest R = request("forward(const,const)->const");
    StepPlan Steps;
    ValuePlan Value;
    Value.HasTangent = true;
    Value.Adjoint = Carried;
    Steps.set(*argument(0), Value);
    for (StringRef Name : {"m", "r"}) {
      Step S;
      S.Tangent = Name == "m" ? Tangent : TangentStep::MoveFloats;
      Steps.set(*value(Name), S);
      Steps.set(static_cast<llvm::Value &>(*value(Name)), Value);
    }
    SourceText Words(prepared());
    CallPlanSet Calls;
    std::string Text;
    ListSeparator Next("; ");
    for (const auto &Statement : DerivativeText({prepared(), R, Calls, Steps}, Words).forward())
      Text += (StringRef(Next) + Statement.Text).str();
    return Text;
  }
};

TEST_F(HandMadeStepTest, FloatsInIntegersAreMovedByTheSameOperations) {
  EXPECT_EQ(textOf(TangentStep::MoveFloats, Type::getDoubleTy(Context)),
            "m.tan = x.tan; r.tan = m.tan");
}

TEST_F(HandMadeStepTest, AnAddressIsNoTangent) {
  EXPECT_EQ(textOf(TangentStep::MoveAddress, nullptr), "");
}

TEST_F(HandMadeStepTest, ATangentOfZeroIsZeroWhereItIsUsed) {
  EXPECT_EQ(textOf(TangentStep::Zero, Type::getDoubleTy(Context)), "r.tan = 0");
}

bool isShown(const Twine &Step) {
  return any_of(Rows, [&](const Row &Each) { return Each.Step == Step.str(); });
}

TEST(DerivativeTextRows, HaveEveryStep) {
  for (unsigned S = 1; S <= unsigned(AdjointStep::ReleaseLocal); ++S)
    EXPECT_TRUE(isShown("reverse " + wordFor(AdjointStep(S)))) << wordFor(AdjointStep(S)).str();
  for (unsigned S = 1; S <= unsigned(TangentStep::Return); ++S)
    if (!is_contained({TangentStep::Zero, TangentStep::MoveAddress, TangentStep::MoveFloats},
                      TangentStep(S))) // Made by hand.
      EXPECT_TRUE(isShown("forward " + wordFor(TangentStep(S)))) << wordFor(TangentStep(S)).str();
}

} // namespace
} // namespace isozyme
