//===- UnreadMemory.cpp - Stores that nobody reads ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   store double %y, ptr %out      %out is dupnoneed, and the function never reads
//                                  through it: not done
//
// One way of reading, or one by which the address gets out of sight, is enough to keep
// all stores through an argument. Functions that are called are looked into: attributes
// alone do not tell of a function that also reports its address, as sanitizers make it do.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/UnreadMemory.h"
#include "isozyme/Ops/AddressNumbers.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

namespace {
/// What is done with the memory behind one argument.
class Walk {
public:
  /// \p Seen: arguments that are known to be unread, if this one is.
  Walk(Argument &A, SmallPtrSetImpl<Argument *> &Seen) : Seen(Seen) {
    Addresses.insert(&A);
    Seen.insert(&A);
  }

  bool isUnread();

  SetVector<Value *> Addresses; ///< Those that are computed from the argument.
  SmallVector<Instruction *, 8> Stores;

private:
  bool allows(Use &U);
  bool allowsCall(CallBase &Call, Use &U);
  bool allowsInCallee(CallBase &Call, unsigned Arg);

  SmallPtrSetImpl<Argument *> &Seen;
};
} // namespace

bool Walk::allowsInCallee(CallBase &Call, unsigned Arg) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->hasExactDefinition() || Arg >= Callee->arg_size())
    return false; // Its body is not what runs, or takes the argument from a list.
  Argument &A = *Callee->getArg(Arg);
  return Seen.contains(&A) || Walk(A, Seen).isUnread();
}

bool Walk::allowsCall(CallBase &Call, Use &U) {
  if (Call.isLifetimeStartOrEnd() || isa<AssumeInst>(Call))
    return true;
  if (!Call.isDataOperand(&U) || !Call.isArgOperand(&U))
    return false;
  unsigned Arg = Call.getArgOperandNo(&U);
  if (auto *Bulk = dyn_cast<MemIntrinsic>(&Call)) {
    if (Bulk->isVolatile() || Arg != 0)
      return false;
    Stores.push_back(&Call);
    return true;
  }
  if (auto *II = dyn_cast<IntrinsicInst>(&Call); II && maskedAccess(Call)) {
    if (!Call.getType()->isVoidTy())
      return false;
    Stores.push_back(&Call);
    return true;
  }
  if (Function *Callee = Call.getCalledFunction(); Callee && hasMarkedMeaning(*Callee))
    return false; // A derivative of the user's may read what the function does not.
  bool OnlyWritten = Call.onlyWritesMemory(Arg) || Call.onlyWritesMemory();
  return (OnlyWritten && Call.doesNotCapture(Arg)) || allowsInCallee(Call, Arg);
}

bool Walk::allows(Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (looksAtAddressOnly(U))
    return true;
  if (isa<GetElementPtrInst, CastInst, FreezeInst, PHINode, SelectInst>(I)) {
    if (!I->getType()->isPointerTy())
      return false;
    Addresses.insert(I);
    return true;
  }
  if (auto *S = dyn_cast<StoreInst>(I)) {
    if (!S->isSimple() || U.getOperandNo() != StoreInst::getPointerOperandIndex())
      return false;
    Stores.push_back(S);
    return true;
  }
  auto *Call = dyn_cast<CallBase>(I);
  return Call && allowsCall(*Call, U);
}

bool Walk::isUnread() {
  for (size_t Next = 0; Next < Addresses.size(); ++Next)
    for (Use &U : Addresses[Next]->uses())
      if (!allows(U))
        return false;
  // What joins them with other memory might be read as that.
  return all_of(Addresses, [&](Value *V) {
    auto *Phi = dyn_cast<PHINode>(V);
    auto *Select = dyn_cast<SelectInst>(V);
    auto isOne = [&](Value *From) { return isa<ConstantData>(From) || Addresses.contains(From); };
    return Phi      ? all_of(Phi->incoming_values(), isOne)
           : Select ? isOne(Select->getTrueValue()) && isOne(Select->getFalseValue())
                    : true;
  });
}

UnreadMemory::UnreadMemory(const PreparedFunction &P, ArrayRef<ArgActivity> Args) {
  for (Argument &A : P.function().args()) {
    if (Args[A.getArgNo()] != ArgActivity::DupNoNeed || !A.getType()->isPointerTy())
      continue;
    SmallPtrSet<Argument *, 8> Seen;
    Walk W(A, Seen);
    if (!W.isUnread())
      continue;
    Stores.insert_range(W.Stores);
    Addresses.insert_range(W.Addresses);
  }
}

void UnreadMemory::print(raw_ostream &OS) const {
  for (const Instruction *I : Stores) {
    OS << "    " << I->getOpcodeName() << " in ";
    I->getParent()->printAsOperand(OS, /*PrintType=*/false);
    OS << "  not done on primal memory  (nobody reads it)\n";
  }
}

} // namespace isozyme
