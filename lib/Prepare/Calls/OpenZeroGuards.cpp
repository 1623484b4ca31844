//===- OpenZeroGuards.cpp - Guards of derivatives, differentiated ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   select(t == 0, 0, p)    ->    select(t == 0 and p is no number, 0, p)
//
// A derivative keeps zero times infinity at zero by such a select, where p is a multiple of t.
// As it stands its own derivative would be zero wherever t is, as at the solution of a
// least-squares problem. So the constant is chosen only where the product is not a number.
//
// In: any function.  Out: the same numbers, but for the sign of a zero.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Support/ZeroGuards.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

void openZeroGuards(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Guard = dyn_cast<SelectInst>(&I);
    auto *Test = Guard && isZeroGuard(*Guard) ? dyn_cast<FCmpInst>(Guard->getCondition()) : nullptr;
    if (!Test || !match(Test->getOperand(1), m_AnyZeroFP()))
      continue;
    bool IsZero = Test->getPredicate() == FCmpInst::FCMP_OEQ;
    if (!IsZero && Test->getPredicate() != FCmpInst::FCMP_UNE)
      continue;
    Value *Zero = IsZero ? Guard->getTrueValue() : Guard->getFalseValue(),
          *Product = IsZero ? Guard->getFalseValue() : Guard->getTrueValue();
    if (!match(Zero, m_AnyZeroFP()))
      continue;
    IRBuilder<> B(Guard);
    Value *Check = IsZero ? B.CreateFCmpUNO(Product, Product) : B.CreateFCmpORD(Product, Product);
    Value *Known = Test; // One number may decide on several.
    if (auto *Several = dyn_cast<VectorType>(Check->getType());
        Several && !Test->getType()->isVectorTy())
      Known = B.CreateVectorSplat(Several->getElementCount(), Test);
    Value *Condition = IsZero ? B.CreateAnd(Known, Check) : B.CreateOr(Known, Check);
    Guard->setCondition(Condition);
    Guard->setMetadata(ZeroGuard, nullptr);
  }
}

} // namespace isozyme
