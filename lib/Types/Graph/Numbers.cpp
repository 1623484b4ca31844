//===- Numbers.cpp - Integers that are no addresses -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An integer that is made of other integers leads to no memory, whatever these lead to, if it is a
// distance of two places, a count, a hash or a remainder; also where it is passed or returned:
//
//   std::pair<T *, ptrdiff_t> room(ptrdiff_t n)     one member is an address, the other is none
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Values/AddressArithmetic.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace isozyme;

bool GraphBuilder::isNumber(const Value &V) const {
  // Derivatives hand tapes over in records: an address in one is a pointer.
  if (auto *Member = dyn_cast<ExtractValueInst>(&V); Member && !FromSource)
    return Member->getType()->isIntegerTy() &&
           containsPointer(Member->getAggregateOperand()->getType());
  constexpr uint64_t LeastMask = uint64_t(1) << 32;
  if (isa<BinaryOperator, PHINode, SelectInst>(V) && isDistance(V))
    return true;
  if (auto *I = dyn_cast<BinaryOperator>(&V); I && I->getOpcode() == Instruction::Mul) {
    // Simplified code rounds an address by a remainder.
    return !isa<ConstantInt>(I->getOperand(1)) || isHashProduct(*I);
  }
  if (auto *I = dyn_cast<BinaryOperator>(&V); I && I->isIntDivRem()) {
    auto *Divisor = dyn_cast<ConstantInt>(I->getOperand(1));
    bool IsRemainder = I->getOpcode() == Instruction::URem || I->getOpcode() == Instruction::SRem;
    return IsRemainder && (!Divisor || Divisor->getValue().ult(LeastMask));
  }
  if (isa<ZExtInst, SExtInst>(V))
    return cast<Instruction>(V).getOperand(0)->getType()->getScalarSizeInBits() <
           DL.getPointerSizeInBits();
  if (auto *A = dyn_cast<Argument>(&V))
    return A->getType()->isIntegerTy() && isPassedNumbers(*A);
  auto *Part = dyn_cast<ExtractValueInst>(&V);
  auto *Call = dyn_cast<CallBase>(Part ? Part->getAggregateOperand() : &V);
  if (!Call || !V.getType()->isIntegerTy() || isa<IntrinsicInst>(Call))
    return false;
  if (bodyOfCallee(*Call)) {
    const GraphSummary::Interface *Callee = interfaceOf(*Call);
    unsigned Member = Part && Part->getNumIndices() == 1 ? Part->getIndices()[0] : 0;
    return Callee && Member < Callee->ReturnedNumbers.size() && Callee->ReturnedNumbers[Member];
  }
  return viewOf(*Call, TLI).Class == OpClass::KnownInactive && !isMarkedInactive(*Call);
}

/// Is what \p F returns, or its member \p Number, a number on each way?
bool GraphBuilder::returnsNumber(const Function &F, unsigned Number) const {
  return all_of(F, [&](const BasicBlock &BB) {
    auto *Return = dyn_cast<ReturnInst>(BB.getTerminator());
    const Value *V = Return ? memberOf(Return->getReturnValue(), Number) : nullptr;
    auto IsNumber = [&](const Value &Leaf) { return isNumber(Leaf); };
    return !Return || (V && (isa<ConstantInt>(V) || isDistance(*V, IsNumber)));
  });
}

void GraphBuilder::noteReturnedNumbers(const Function &F) {
  Type *T = F.getReturnType();
  auto *Record = dyn_cast<StructType>(T);
  auto &Numbers = S.Functions[&F].ReturnedNumbers;
  for (unsigned K = 0; K != (Record ? Record->getNumElements() : 1); ++K) {
    Type *Member = Record ? Record->getElementType(K) : T;
    Numbers.push_back(Member->isIntegerTy() && returnsNumber(F, K));
  }
}

bool GraphBuilder::isPassedNumbers(const Argument &A) const {
  const Function &F = IsDifferentiated ? *Called : *A.getParent();
  if (F.use_empty() || F.hasFnAttribute(marking::ServesLaterCallers) ||
      F.getFunctionType() != A.getParent()->getFunctionType())
    return false;
  return all_of(F.uses(), [&](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isCallee(&U) || bodyOfCallee(*Call) != &F)
      return false;
    const Value *Passed = Call->getArgOperand(A.getArgNo());
    return isa<ConstantInt>(Passed) || (!isa<Argument>(Passed) && isNumber(*Passed));
  });
}
