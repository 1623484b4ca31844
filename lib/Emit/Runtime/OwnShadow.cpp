//===- OwnShadow.cpp - Pointers that may be their own shadow --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OwnShadow.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Value *zeroWhereOwn(IRBuilderBase &B, Value *Own, Value *V) {
  return Own ? B.CreateSelect(Own, Constant::getNullValue(V->getType()), V) : V;
}

Value *anyOf(IRBuilderBase &B, Value *Own) {
  return Own->getType()->isVectorTy() ? B.CreateOrReduce(Own) : Own;
}

/// void isozyme.stop.if(i1 lost, ptr text)
static Function *stopIf(Module &M) {
  constexpr const char *Name = "isozyme.stop.if";
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0);
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), {Type::getInt1Ty(C), Ptr}, false),
                       GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  auto *Entry = BasicBlock::Create(C, "entry", F), *Stop = BasicBlock::Create(C, "stop", F),
       *Fine = BasicBlock::Create(C, "fine", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(F->getArg(0), Stop, Fine);
  B.SetInsertPoint(Stop);
  targetRuntime(M).print(B, B.CreateGlobalString("isozyme: %s\n"), {F->getArg(1)});
  targetRuntime(M).stop(B);
  B.SetInsertPoint(Fine);
  B.CreateRetVoid();
  return F;
}

void emitStop(IRBuilderBase &B, Value *Lost, const PreparedFunction &P, const Instruction *I) {
  emitStop(B, Lost, I,
           "in '" + P.original().getName() +
               "', a vector or an overlapping copy of differentiated data is in memory that has "
               "no shadow: it was allocated outside of the differentiated code and reached "
               "through a global variable; pass it as an argument with enzyme_dup [IZ207]");
}

void emitStop(IRBuilderBase &B, Value *When, const Instruction *I, const Twine &What) {
  if (auto *C = dyn_cast<ConstantInt>(When); C && C->isZero())
    return;
  std::string Text;
  raw_string_ostream OS(Text);
  if (const DebugLoc &Loc = I->getDebugLoc())
    OS << Loc->getFilename() << ':' << Loc.getLine() << ": ";
  OS << What;
  B.CreateCall(stopIf(*B.GetInsertBlock()->getModule()), {When, B.CreateGlobalString(Text)});
}

void forRuns(IRBuilderBase &B, const ByteRuns &Layout, Value *Length, ByteRun::Kind Wanted,
             function_ref<void(const ByteRun &, Value *, Value *, Value *, Value *)> Emit) {
  Value *Bytes = B.CreateZExtOrTrunc(Length, B.getInt64Ty());
  Value *Period = B.getInt64(Layout.Period), *Rows = B.CreateUDiv(Bytes, Period);
  Value *Whole = B.CreateMul(Rows, Period), *Rest = B.CreateSub(Bytes, Whole);
  for (const ByteRun &R : Layout.Runs) {
    if (R.K != Wanted)
      continue;
    if (Layout.Runs.size() == 1) {
      Emit(R, B.getInt64(0), B.getInt64(1), B.getInt64(0), Bytes);
      continue;
    }
    Value *Offset = B.getInt64(R.Offset);
    Emit(R, Offset, Rows, Period, B.getInt64(R.Size));
    // The length may end inside a period: struct { char *s; double v[9]; }, and n of v.
    Value *Part = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Rest, Offset);
    Part = B.CreateBinaryIntrinsic(Intrinsic::umin, Part, B.getInt64(R.Size));
    if (auto *C = dyn_cast<ConstantInt>(Part); !C || !C->isZero())
      Emit(R, B.CreateAdd(Whole, Offset), B.getInt64(1), B.getInt64(0), Part);
  }
}

} // namespace isozyme
