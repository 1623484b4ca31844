//===- ExpandConstants.cpp - No constant hides a variable ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  load double, ptr getelementptr (i8, ptr @g, i64 8)
// after:   %g.addr = getelementptr i8, ptr @g, i64 8
//          load double, ptr %g.addr
//
// A global variable that may change can have a shadow; where it is an operand of
// an instruction every stage sees it, inside a constant none does.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Prepare/LegalSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/NoFolder.h"

using namespace llvm;

namespace isozyme {

/// Without folding, which would make the same constants again.
using Builder = IRBuilder<NoFolder>;

/// Instructions before the position of \p B that compute \p C.
static Value *expand(Constant *C, Builder &B) {
  if (!hidesVariable(*C))
    return C;
  if (auto *Expr = dyn_cast<ConstantExpr>(C)) {
    Instruction *I = Expr->getAsInstruction();
    for (Use &U : I->operands())
      if (auto *Operand = dyn_cast<Constant>(U.get()))
        U.set(expand(Operand, B));
    return B.Insert(I, "const");
  }
  Value *Whole = PoisonValue::get(C->getType());
  for (unsigned N = 0; N != C->getNumOperands(); ++N) {
    Value *Element = expand(cast<Constant>(C->getOperand(N)), B);
    Whole = C->getType()->isVectorTy() ? B.CreateInsertElement(Whole, Element, uint64_t(N))
                                       : B.CreateInsertValue(Whole, Element, N);
  }
  return Whole;
}

static void expandInPhi(PHINode &Phi) {
  // Several edges from one block (a switch) must carry one value.
  DenseMap<BasicBlock *, Value *> Done;
  for (unsigned N = 0; N != Phi.getNumIncomingValues(); ++N) {
    auto *C = dyn_cast<Constant>(Phi.getIncomingValue(N));
    if (!C || !hidesVariable(*C))
      continue;
    Value *&Known = Done[Phi.getIncomingBlock(N)];
    if (!Known) {
      Builder B(Phi.getIncomingBlock(N)->getTerminator());
      Known = expand(C, B);
    }
    Phi.setIncomingValue(N, Known);
  }
}

void expandConstants(Function &F) {
  SmallVector<Instruction *> Users;
  for (Instruction &I : instructions(F))
    if (any_of(I.operands(), [](Use &U) {
          auto *C = dyn_cast<Constant>(U.get());
          return C && hidesVariable(*C);
        }))
      Users.push_back(&I);
  for (Instruction *I : Users) {
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      expandInPhi(*Phi);
      continue;
    }
    Builder B(I);
    for (Use &U : I->operands())
      if (auto *C = dyn_cast<Constant>(U.get()))
        U.set(expand(C, B));
  }
}

} // namespace isozyme
