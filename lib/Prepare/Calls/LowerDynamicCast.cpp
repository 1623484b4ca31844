//===- LowerDynamicCast.cpp - A dynamic_cast is a distance ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library answers a dynamic_cast with an address in the same object, or null. The
// address becomes one that is computed from that of the object, so that its shadow lies at
// the same distance in the shadow of the object, whose tables of functions nobody asks:
//
//   %to = call ptr @__dynamic_cast(ptr %from, ...)
//   =>  %distance = call i64 @isozyme.cast.distance(ptr %from, ...)
//       %there = getelementptr i8, ptr %from, i64 %distance
//       %to = select i1 (%distance == NotFound), ptr null, ptr %there
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/ExceptionCalls.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// Further than any two places in one object.
static Constant *notFound(Type *Int) {
  return ConstantInt::get(Int, APInt::getSignedMinValue(Int->getIntegerBitWidth()));
}

/// How far what \p Library finds is from what it gets. A function of its own: in sight of the
/// caller the distance would be the library's address again.
static Function *distanceFunction(Function &Library) {
  Module &M = *Library.getParent();
  if (Function *Known = M.getFunction("isozyme.cast.distance"))
    return Known;
  Type *Int = M.getDataLayout().getIntPtrType(Library.getReturnType());
  auto *F = Function::Create(FunctionType::get(Int, Library.getFunctionType()->params(), false),
                             GlobalValue::InternalLinkage, "isozyme.cast.distance", M);
  F->addFnAttr(marking::Inactive);
  F->addFnAttr(Attribute::AlwaysInline);
  F->setMemoryEffects(MemoryEffects::readOnly());
  F->setDoesNotThrow();
  F->setWillReturn();
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  SmallVector<Value *, 4> Operands(make_pointer_range(F->args()));
  CallInst *Found = B.CreateCall(&Library, Operands, "found");
  Value *Distance = B.CreateSub(B.CreatePtrToInt(Found, Int), B.CreatePtrToInt(Operands[0], Int));
  B.CreateRet(B.CreateSelect(B.CreateIsNull(Found), notFound(Int), Distance, "distance"));
  return F;
}

void lowerDynamicCasts(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Cast = dyn_cast<CallInst>(&I);
    if (!Cast || !isDynamicCast(*Cast))
      continue;
    IRBuilder<> B(Cast);
    SmallVector<Value *, 4> Operands(Cast->args());
    Value *Distance =
        B.CreateCall(distanceFunction(*Cast->getCalledFunction()), Operands, "distance");
    Value *There = B.CreatePtrAdd(Operands[0], Distance, "there");
    Value *Missing = B.CreateICmpEQ(Distance, notFound(Distance->getType()), "missing");
    Value *To = B.CreateSelect(Missing,
                               ConstantPointerNull::get(cast<PointerType>(Cast->getType())), There);
    To->takeName(Cast);
    Cast->replaceAllUsesWith(To);
    Cast->eraseFromParent();
  }
}

} // namespace isozyme
