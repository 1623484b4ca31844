//===- LowerFloatEnvironment.cpp - Constrained float operations ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that looks at the float environment (-ffp-model=strict, #pragma STDC
// FENV_ACCESS) has an intrinsic for each float operation:
//
//   %y = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b,
//            metadata !"round.dynamic", metadata !"fpexcept.strict")
//
// Here it becomes the plain operation. That rounds as the intrinsic does, to nearest or
// as the environment says when it runs; which flags it raises is lost. Operations with a
// rounding mode of their own, other than to nearest, stay.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {

struct PlainForm {
  unsigned Opcode = 0; ///< An instruction, or
  Intrinsic::ID Function = Intrinsic::not_intrinsic;
};

PlainForm plainFormOf(Intrinsic::ID Id) {
  switch (Id) {
#define INSTRUCTION(NAME, ARGS, ROUND, INTRINSIC)                                                  \
  case Intrinsic::INTRINSIC:                                                                       \
    return {Instruction::NAME, Intrinsic::not_intrinsic};
#define FUNCTION(NAME, ARGS, ROUND, INTRINSIC)                                                     \
  case Intrinsic::INTRINSIC:                                                                       \
    return {0, Intrinsic::NAME};
#define DAG_FUNCTION(NAME, ARGS, ROUND, INTRINSIC, NODE) FUNCTION(NAME, ARGS, ROUND, INTRINSIC)
#include "llvm/IR/ConstrainedOps.def"
  default:
    return {};
  }
}

bool hasOwnRounding(const ConstrainedFPIntrinsic &I) {
  std::optional<RoundingMode> Mode = I.getRoundingMode();
  return Mode && *Mode != RoundingMode::NearestTiesToEven && *Mode != RoundingMode::Dynamic;
}

Value *plain(IRBuilderBase &B, ConstrainedFPIntrinsic &I) {
  SmallVector<Value *, 3> Args(I.args().begin(), I.args().begin() + I.getNonMetadataArgCount());
  if (auto *Compare = dyn_cast<ConstrainedFPCmpIntrinsic>(&I))
    return B.CreateFCmp(Compare->getPredicate(), Args[0], Args[1]);
  const PlainForm Form = plainFormOf(I.getIntrinsicID());
  if (Form.Function != Intrinsic::not_intrinsic)
    return B.CreateIntrinsic(I.getType(), Form.Function, Args);
  if (Instruction::isCast(Form.Opcode))
    return B.CreateCast(static_cast<Instruction::CastOps>(Form.Opcode), Args[0], I.getType());
  if (Instruction::isBinaryOp(Form.Opcode))
    return B.CreateBinOp(static_cast<Instruction::BinaryOps>(Form.Opcode), Args[0], Args[1]);
  return nullptr;
}

} // namespace

void lowerFloatEnvironment(Function &F) {
  if (!F.hasFnAttribute(Attribute::StrictFP))
    return;
  F.removeFnAttr(Attribute::StrictFP);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    auto *Constrained = dyn_cast<ConstrainedFPIntrinsic>(Call);
    if (Constrained && hasOwnRounding(*Constrained))
      continue;
    Call->removeFnAttr(Attribute::StrictFP);
    if (!Constrained)
      continue;
    IRBuilder<> B(Constrained);
    if (isa<FPMathOperator>(Constrained))
      B.setFastMathFlags(Constrained->getFastMathFlags());
    if (Value *Plain = plain(B, *Constrained)) {
      Plain->takeName(Constrained);
      Constrained->replaceAllUsesWith(Plain);
      Constrained->eraseFromParent();
    }
  }
}

} // namespace isozyme
