//===- DirectDerivatives.cpp - Derivatives by the rule interpreter alone ---===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a function that holds one operation, forward and reverse mode take a few
// lines: this checks rules with no other stage in between.
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include "isozyme/Emit/RuleInterpreter.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "isozyme/Rules/StrongZero.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace isozyme;

namespace rulecheck {

namespace {

/// void(ptr in, ptr din, ptr out, ptr dout, i64 n)
Function &derivativeShell(Module &M, const std::string &Name) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  auto *Type =
      FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, Ptr, Ptr, Type::getInt64Ty(C)}, false);
  return *Function::Create(Type, GlobalValue::ExternalLinkage, Name, M);
}

Value *slot(IRBuilder<> &B, Value *Base, unsigned Operand, unsigned Lane) {
  return B.CreateConstGEP1_64(B.getInt8Ty(), Base, OperandStride * Operand + LaneStride * Lane);
}

struct OneOperation {
  Instruction *I;
  OpView View;
};

OneOperation findOperation(Function &F, const Case &C) {
  TargetLibraryInfoImpl Impl(F.getParent()->getTargetTriple());
  TargetLibraryInfo TLI(Impl);
  for (Instruction &I : instructions(F))
    if (OpView V = viewOf(I, TLI); V.Class == OpClass::Elementwise && V.Id == C.Id)
      return {&I, V};
  return {nullptr, {}};
}

void writeDerivative(Module &M, const Case &C, bool Forward, unsigned Width) {
  std::string Mode = Forward ? "fwd" : "rev";
  Function &D = derivativeShell(M, C.name(Width == 1 ? Mode : Mode + std::to_string(Width)));
  Function &F = *M.getFunction(C.name("f"));
  ValueToValueMapTy Map;
  Map[F.getArg(0)] = D.getArg(0);
  Map[F.getArg(1)] = D.getArg(2);
  Map[F.getArg(2)] = D.getArg(4);
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(&D, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);

  OneOperation O = findOperation(F, C);
  if (!O.I)
    return; // The check of the row reports that it has no derivative.
  IRBuilder<> B(Returns.front());
  auto Lookup = [&](unsigned Operand) -> Value * {
    return Map[Operand == ResultValue ? O.I : O.View.Operands[Operand]];
  };
  SmallVector<Value *, MaxLanes> Sum(Width, nullptr);
  std::vector<unsigned> Floats = floatOperands(C.Id);
  for (unsigned S = 0; S < Floats.size(); ++S) {
    if (!hasPartial(O.View, Floats[S]))
      continue;
    Type *In = O.View.Operands[Floats[S]]->getType(), *Out = O.I->getType();
    SmallVector<Value *, MaxLanes> Incoming;
    for (unsigned L = 0; L < Width; ++L)
      Incoming.push_back(Forward ? B.CreateLoad(In, slot(B, D.getArg(1), S, L))
                                 : B.CreateLoad(Out, slot(B, D.getArg(3), 0, L)));
    auto Partial = emitPartial(
        B, *O.I, O.View, Floats[S], Incoming, Forward ? RuleMode::Forward : RuleMode::Reverse,
        Lookup, [](RuleCall) { return nullptr; },
        needsStrongZero(*O.I, O.View, Floats[S], SimplifyQuery(O.I->getDataLayout())));
    for (unsigned L = 0; L < Width; ++L) {
      if (Forward) {
        Sum[L] = Sum[L] ? B.CreateFAdd(Sum[L], Partial[L]) : Partial[L];
        continue;
      }
      Value *At = slot(B, D.getArg(1), S, L);
      B.CreateStore(B.CreateFAdd(B.CreateLoad(In, At), Partial[L]), At);
    }
  }
  for (unsigned L = 0; L < Width && Forward; ++L)
    if (Sum[L])
      B.CreateStore(Sum[L], slot(B, D.getArg(3), 0, L));
}

} // namespace

void addDirectDerivatives(Module &M, const Case &C) {
  for (bool Forward : {true, false})
    for (unsigned Width : {1u, MaxLanes})
      writeDerivative(M, C, Forward, Width);
}

} // namespace rulecheck
