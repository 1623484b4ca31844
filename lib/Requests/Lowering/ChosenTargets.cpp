//===- ChosenTargets.cpp - Which function is asked at run time ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %f = select i1 %c, ptr @g, ptr @h
//   %d = call double @__enzyme_autodiff(ptr %f, double %x)
//   =>
//   %is = icmp eq ptr %f, @g
//   br i1 %is, label %asked.g, label %asked.h
//   asked.g: %d.g = call double @__enzyme_autodiff(ptr @g, double %x)
//   asked.h: %d.h = call double @__enzyme_autodiff(ptr @h, double %x)
//   asked:   %d = phi double [ %d.g, %asked.g ], [ %d.h, %asked.h ]
//
// In: a module before its marker calls are read. Never: guesses what a pointer is that
// comes from out of sight.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/ChosenTargets.h"
#include "isozyme/Ops/AddressNumbers.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace isozyme {

/// The search gives up on a pointer that may be more functions: each one costs a derivative.
static constexpr unsigned MostTargets = 64;

namespace {
/// Goes up from a pointer to the functions that it may be.
class Search {
public:
  bool run(Value *Start);
  SetVector<Function *> Found;

private:
  bool visit(Value *V);
  bool visitMemory(Value *Address);
  bool visitLocal(AllocaInst &Slot);
  bool visitTable(Constant &C);

  SetVector<Value *> Work;
};
} // namespace

bool Search::visitTable(Constant &C) {
  Constant *Stripped = C.stripPointerCasts();
  if (auto *F = dyn_cast<Function>(Stripped))
    Found.insert(F);
  else if (isa<ConstantAggregate>(C))
    return all_of(C.operands(), [&](Use &U) { return visitTable(*cast<Constant>(&U)); });
  return true; // Names, numbers and null pointers are none to be called.
}

/// What is stored in a local variable, if its address stays in sight.
bool Search::visitLocal(AllocaInst &Slot) {
  SmallVector<Value *, 8> Addresses{&Slot};
  while (!Addresses.empty())
    for (Use &U : Addresses.pop_back_val()->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *Store = dyn_cast<StoreInst>(I);
      auto *Copy = dyn_cast<MemTransferInst>(I);
      if (isa<LoadInst, LifetimeIntrinsic, MemSetInst>(I) || looksAtAddressOnly(U))
        continue;
      if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(I))
        Addresses.push_back(I);
      else if (Store && U.getOperandNo() == StoreInst::getPointerOperandIndex())
        Work.insert(Store->getValueOperand());
      else if (!Copy || (U.getOperandNo() == 0 && !visitMemory(Copy->getSource())))
        return false;
    }
  return true;
}

bool Search::visitMemory(Value *Address) {
  Value *Object = getUnderlyingObject(Address);
  if (auto *Slot = dyn_cast<AllocaInst>(Object))
    return visitLocal(*Slot);
  auto *Table = dyn_cast<GlobalVariable>(Object);
  return Table && isNeverWritten(*Table) && visitTable(*Table->getInitializer());
}

bool Search::visit(Value *V) {
  if (auto *F = dyn_cast<Function>(V->stripPointerCastsAndAliases())) {
    Found.insert(F);
    return true;
  }
  if (isa<ConstantPointerNull, UndefValue>(V) || !V->getType()->isPointerTy())
    return true; // What is stored beside the pointer.
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    Work.insert_range(Phi->incoming_values());
    return true;
  }
  if (auto *Select = dyn_cast<SelectInst>(V)) {
    Work.insert(Select->getTrueValue());
    Work.insert(Select->getFalseValue());
    return true;
  }
  if (isa<FreezeInst, BitCastInst, AddrSpaceCastInst>(V)) {
    Work.insert(cast<Instruction>(V)->getOperand(0));
    return true;
  }
  auto *Load = dyn_cast<LoadInst>(V);
  return Load && !Load->isVolatile() && visitMemory(Load->getPointerOperand());
}

bool Search::run(Value *Start) {
  Work.insert(Start);
  for (size_t Next = 0; Next < Work.size(); ++Next)
    if (!visit(Work[Next]) || Found.size() > MostTargets)
      return false;
  return true;
}

SetVector<Function *> possibleFunctions(Value *V) {
  Search S;
  return S.run(V) ? std::move(S.Found) : SetVector<Function *>();
}

/// Distinct for each call of the source that has become several.
static constexpr StringLiteral Choice = "isozyme_choice";

const MDNode *choiceOf(const CallBase &Call) { return Call.getMetadata(Choice); }

/// A copy of \p Call, in a block of its own, that asks for \p Target.
static CallBase *cloneFor(CallBase &Call, unsigned Number, Function &Target, BasicBlock &Join) {
  auto *Block =
      BasicBlock::Create(Call.getContext(), "asked." + Target.getName(), Call.getFunction(), &Join);
  auto *New = cast<CallBase>(Call.clone());
  New->insertInto(Block, Block->end());
  New->setArgOperand(Number, &Target);
  auto *Invoke = dyn_cast<InvokeInst>(New);
  if (!Invoke) {
    BranchInst::Create(&Join, Block)->setDebugLoc(Call.getDebugLoc());
    return New;
  }
  for (PHINode &Phi : Invoke->getUnwindDest()->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Call.getParent()), Block);
  Invoke->setNormalDest(&Join);
  return New;
}

static void split(CallBase &Call, unsigned Number, ArrayRef<Function *> Targets) {
  Value *Pointer = Call.getArgOperand(Number);
  BasicBlock *Before = Call.getParent();
  BasicBlock *Asking = SplitBlock(Before, &Call), *Join;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *After = Invoke->getNormalDest();
    Join = BasicBlock::Create(Call.getContext(), "", Call.getFunction(), After);
    BranchInst::Create(After, Join)->setDebugLoc(Call.getDebugLoc());
    After->replacePhiUsesWith(Asking, Join);
    Invoke->setNormalDest(Join);
  } else {
    Join = SplitBlock(Asking, Call.getNextNode());
  }
  Join->setName("asked");
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  PHINode *Result = nullptr;
  if (!Call.getType()->isVoidTy()) {
    Result = PHINode::Create(Call.getType(), Targets.size(), "", Join->begin());
    Call.replaceAllUsesWith(Result);
    Result->addIncoming(PoisonValue::get(Call.getType()), Asking); // Which goes.
    Result->takeName(&Call);
  }
  BasicBlock *From = Before;
  Call.setMetadata(Choice, MDNode::getDistinct(Call.getContext(), {}));
  for (Function *Target : Targets) {
    CallBase *New = cloneFor(Call, Number, *Target, *Join);
    if (Result)
      Result->addIncoming(New, New->getParent());
    From->getTerminator()->eraseFromParent();
    B.SetInsertPoint(From);
    if (Target == Targets.back()) {
      B.CreateBr(New->getParent());
      break;
    }
    From = BasicBlock::Create(Call.getContext(), "else", Call.getFunction(), Join);
    B.CreateCondBr(B.CreateICmpEQ(Pointer, Target), New->getParent(), From);
    B.SetInsertPoint(From);
    B.CreateUnreachable(); // Until the next one.
  }
  DeleteDeadBlock(Asking);
}

bool splitChosenCalls(Module &M) {
  bool Changed = false;
  for (CallBase *Call : findEntryCalls(M)) {
    unsigned Number = functionOperandNumber(*Call);
    if (Number >= Call->arg_size() || !Call->getArgOperand(Number)->getType()->isPointerTy() ||
        tracedFunction(Call->getArgOperand(Number)) || isa<CallBrInst>(Call))
      continue;
    SetVector<Function *> Targets = possibleFunctions(Call->getArgOperand(Number));
    if (Targets.size() < 2)
      continue;
    split(*Call, Number, Targets.getArrayRef());
    Changed = true;
  }
  return Changed;
}

} // namespace isozyme
