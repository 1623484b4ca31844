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
//   br (t == 0), behind, some      ->    br some
//
// A derivative leaves out by such a branch what only computes multiples of t. Going there is never
// wrong. The tests are marked themselves, for the optimiser makes selects of some branches; and so
// is the branch, for it makes one test of two that are equal.
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

/// What a test for zero says where the number is none: false for ==, true for !=; null: it is
/// another test.
static Constant *saysNotZero(const Value *V) {
  auto *Test = dyn_cast<FCmpInst>(V);
  if (!Test || !match(Test->getOperand(1), m_AnyZeroFP()))
    return nullptr;
  if (Test->getPredicate() == FCmpInst::FCMP_OEQ)
    return ConstantInt::getFalse(Test->getType());
  return Test->getPredicate() == FCmpInst::FCMP_UNE ? ConstantInt::getTrue(Test->getType())
                                                    : nullptr;
}

/// \p Condition, in which each test for zero says that there is none.
static Value *opened(IRBuilder<> &B, Value *Condition) {
  if (Constant *Says = saysNotZero(Condition))
    return Says;
  Value *Left, *Right;
  if (match(Condition, m_Not(m_Value(Left))))
    return B.CreateNot(opened(B, Left));
  if (match(Condition, m_And(m_Value(Left), m_Value(Right))))
    return B.CreateAnd(opened(B, Left), opened(B, Right));
  if (match(Condition, m_Or(m_Value(Left), m_Value(Right))))
    return B.CreateOr(opened(B, Left), opened(B, Right));
  return Condition;
}

/// Branches around what is a multiple of zero.
static void openBranches(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (!isZeroGuard(I))
      continue;
    if (auto *Branch = dyn_cast<BranchInst>(&I); Branch && Branch->isConditional()) {
      IRBuilder<> B(Branch);
      Branch->setCondition(opened(B, Branch->getCondition()));
    } else if (Constant *Says = saysNotZero(&I)) {
      I.replaceAllUsesWith(Says);
    } else {
      continue; // A select.
    }
    I.setMetadata(ZeroGuard, nullptr);
  }
}

void openZeroGuards(Function &F) {
  openBranches(F);
  for (Instruction &I : instructions(F)) {
    auto *Guard = dyn_cast<SelectInst>(&I);
    auto *Test = Guard && isZeroGuard(*Guard) ? dyn_cast<FCmpInst>(Guard->getCondition()) : nullptr;
    if (!Test || !saysNotZero(Test))
      continue;
    bool IsZero = Test->getPredicate() == FCmpInst::FCMP_OEQ;
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
