//===- StopIf.cpp - The end of a program that cannot go on right ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/StopIf.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// void isozyme.stop.if(i1 when, ptr text)
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

void emitStop(IRBuilderBase &B, Value *When, const DILocation *Loc, const Twine &What) {
  if (auto *C = dyn_cast<ConstantInt>(When); C && C->isZero())
    return;
  std::string Text;
  raw_string_ostream OS(Text);
  if (Loc)
    OS << Loc->getFilename() << ':' << Loc->getLine() << ": ";
  OS << What;
  B.CreateCall(stopIf(*B.GetInsertBlock()->getModule()), {When, B.CreateGlobalString(Text)});
}

} // namespace isozyme
