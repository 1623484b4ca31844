//===- Exchange.cpp - What threads of a warp hand to each other -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines hand on words. A float of 64 bits is handed on in two halves, in which no stage would
// see it; so Prepare makes one call of the two, and this is its callee:
//
//   double isozyme.exchange.nvvm.shfl.sync.down.i32.double(double v, i32 mask, i32 by, i32 clamp)
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static constexpr StringLiteral Marking = "isozyme-exchange";
static constexpr unsigned WordBits = 32;

Value *byWords(IRBuilderBase &B, Value *V, function_ref<Value *(Value *)> HandOn) {
  unsigned Bits = V->getType()->getPrimitiveSizeInBits(), Count = Bits / WordBits;
  if (!Count) { // The lower part of a word.
    Type *Part = B.getIntNTy(Bits);
    Value *Word = B.CreateZExt(B.CreateBitCast(V, Part), B.getInt32Ty());
    return B.CreateBitCast(B.CreateTrunc(HandOn(Word), Part), V->getType());
  }
  if (Count == 1)
    return B.CreateBitCast(HandOn(B.CreateBitCast(V, B.getInt32Ty())), V->getType());
  Value *Words = B.CreateBitCast(V, FixedVectorType::get(B.getInt32Ty(), Count));
  for (unsigned Word = 0; Word < Count; ++Word)
    Words = B.CreateInsertElement(Words, HandOn(B.CreateExtractElement(Words, Word)), Word);
  return B.CreateBitCast(Words, V->getType());
}

Value *exchangeWord(IRBuilderBase &B, Intrinsic::ID Word, Value *What, ArrayRef<Value *> Others) {
  Function *F = Intrinsic::getOrInsertDeclaration(B.GetInsertBlock()->getModule(), Word);
  unsigned At = acceleratorOf(*F->getParent())->exchangeOf(Word)->Word;
  SmallVector<Value *, 4> Args(Others);
  Args.insert(Args.begin() + At, B.CreateBitCast(What, F->getFunctionType()->getParamType(At)));
  return B.CreateBitCast(B.CreateCall(F, Args), B.getInt32Ty());
}

Function *exchangeFunction(Module &M, Intrinsic::ID Word, Type *Float) {
  StringRef Base = Intrinsic::getBaseName(Word);
  std::string Name = ("isozyme.exchange" + Base.drop_front(strlen("llvm")) + ".").str();
  raw_string_ostream(Name) << *Float;
  if (Function *F = M.getFunction(Name))
    return F;
  SmallVector<Type *, 4> Params(Intrinsic::getType(M.getContext(), Word)->params());
  Params.erase(Params.begin() + acceleratorOf(M)->exchangeOf(Word)->Word);
  Params.insert(Params.begin(), Float);
  auto *F = Function::Create(FunctionType::get(Float, Params, false), GlobalValue::InternalLinkage,
                             Name, M);
  F->addFnAttr(Marking, Base);
  F->addFnAttr(marking::ServesLaterCallers);
  F->addFnAttr(Attribute::AlwaysInline);
  F->setConvergent();
  F->setDoesNotThrow();
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  SmallVector<Value *, 4> Others;
  for (Argument &A : drop_begin(F->args()))
    Others.push_back(&A);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", F));
  B.CreateRet(
      byWords(B, F->getArg(0), [&](Value *What) { return exchangeWord(B, Word, What, Others); }));
  return F;
}

Intrinsic::ID exchangedBy(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->hasFnAttribute(Marking))
    return Intrinsic::not_intrinsic;
  return Intrinsic::lookupIntrinsicID(Callee->getFnAttribute(Marking).getValueAsString());
}

} // namespace isozyme
