//===- LowerComputedGoto.cpp - Addresses of labels become numbers ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address of a label is only good for a goto in its own function, so a clone
// may give its labels addresses of its own: 1, 2, 3, ... Tables of labels are
// copied with these addresses, and the computed goto becomes a switch.
//
//   @table = [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
//     %to = load ptr, ptr (gep @table, %i)          %to = load ptr, ptr (gep @table.labels, %i)
//     indirectbr ptr %to, [%a, %b]            ->    switch ptrtoint(%to), [1: %a, 2: %b]
//
// A goto to an address that may come from elsewhere is refused.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Prepare/ComputedGoto.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace isozyme {

namespace {

class GotoLowering {
public:
  GotoLowering(Function &F, const Function &Original) : F(F), Original(Original) {}
  Error run();

private:
  void number();
  bool mentionsLabel(const Constant *C);
  void copyTables();
  void replaceOperands();
  bool isLabel(const Value *V);
  bool isLabelInLocal(const AllocaInst &Local);
  void lower(IndirectBrInst &Goto);

  Function &F;
  const Function &Original;
  /// Labels of the original and of the clone, and their new addresses.
  ValueToValueMapTy NewAddress;
  DenseMap<const BasicBlock *, uint64_t> Numbers; ///< Of blocks of the clone.
  SmallVector<BlockAddress *> Labels;             ///< Of the clone.
  SmallPtrSet<const GlobalVariable *, 4> Tables;
  SmallPtrSet<const Value *, 8> Seen;
};

} // namespace

/// Is \p GV read only, by whatever function?
static bool isNeverWritten(const GlobalVariable &GV) {
  if (GV.isConstant())
    return true;
  if (!GV.hasLocalLinkage())
    return false;
  SmallVector<const User *> Work(GV.users());
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (isa<LoadInst>(U))
      continue;
    if (!isa<GEPOperator>(U))
      return false;
    Work.append(U->user_begin(), U->user_end());
  }
  return true;
}

void GotoLowering::number() {
  Type *Address = PointerType::getUnqual(F.getContext());
  uint64_t Next = 1;
  for (auto [Mine, Theirs] : zip_equal(F, Original)) {
    if (!Mine.hasAddressTaken() && !Theirs.hasAddressTaken())
      continue;
    Constant *New = ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(F.getContext()), Next), Address);
    Numbers[&Mine] = Next++;
    if (auto *Label = BlockAddress::lookup(&Mine)) {
      NewAddress[Label] = New;
      Labels.push_back(Label);
    }
    if (auto *Label = BlockAddress::lookup(&Theirs))
      NewAddress[Label] = New;
  }
}

bool GotoLowering::mentionsLabel(const Constant *C) {
  if (isa<BlockAddress>(C))
    return NewAddress.count(C);
  if (isa<ConstantData>(C) || isa<GlobalValue>(C))
    return false;
  return any_of(C->operands(),
                [&](const Use &U) { return mentionsLabel(cast<Constant>(U.get())); });
}

void GotoLowering::copyTables() {
  Module &M = *F.getParent();
  SmallVector<GlobalVariable *> Old;
  for (GlobalVariable &GV : M.globals())
    if (GV.hasDefinitiveInitializer() && isNeverWritten(GV) && mentionsLabel(GV.getInitializer()))
      Old.push_back(&GV);
  for (GlobalVariable *GV : Old) {
    convertUsersOfConstantsToInstructions({GV}, &F, /*RemoveDeadConstants=*/false);
    auto UsedHere = [&](const User *U) {
      auto *I = dyn_cast<Instruction>(U);
      return I && I->getFunction() == &F;
    };
    if (none_of(GV->users(), UsedHere))
      continue;
    auto *New =
        new GlobalVariable(M, GV->getValueType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
                           MapValue(GV->getInitializer(), NewAddress, RF_NoModuleLevelChanges),
                           GV->getName() + ".labels");
    New->setAlignment(GV->getAlign());
    Tables.insert(New);
    GV->replaceUsesWithIf(New, [&](Use &U) { return UsedHere(U.getUser()); });
  }
}

void GotoLowering::replaceOperands() {
  for (BlockAddress *Label : Labels) {
    convertUsersOfConstantsToInstructions({Label}, &F, /*RemoveDeadConstants=*/false);
    Label->replaceUsesWithIf(NewAddress.lookup(Label), [&](Use &U) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      return I && I->getFunction() == &F;
    });
    Label->removeDeadConstantUsers();
    if (Label->use_empty())
      Label->destroyConstant(); // So that the block may be merged with others.
  }
}

/// A local variable to which nothing but labels is assigned.
bool GotoLowering::isLabelInLocal(const AllocaInst &Local) {
  return all_of(Local.users(), [&](const User *U) {
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand() == &Local && isLabel(Store->getValueOperand());
    return isa<LoadInst>(U) || isa<LifetimeIntrinsic>(U);
  });
}

/// Can \p V be nothing but a label of this function, or a number to reckon with one?
bool GotoLowering::isLabel(const Value *V) {
  if (isa<Constant>(V) || !Seen.insert(V).second)
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  switch (I->getOpcode()) {
  case Instruction::Load: {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(cast<LoadInst>(I)->getPointerOperand(), Objects, nullptr, /*MaxLookup=*/0);
    return all_of(Objects, [&](const Value *Object) {
      if (auto *Local = dyn_cast<AllocaInst>(Object))
        return isLabelInLocal(*Local);
      auto *Table = dyn_cast<GlobalVariable>(Object);
      return Table && Tables.contains(Table);
    });
  }
  case Instruction::Select:
    return isLabel(I->getOperand(1)) && isLabel(I->getOperand(2));
  case Instruction::PHI:
  case Instruction::Freeze:
  case Instruction::GetElementPtr:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::SExt:
  case Instruction::Trunc:
    return all_of(I->operands(), [&](const Use &U) { return isLabel(U); });
  default:
    return false;
  }
}

void GotoLowering::lower(IndirectBrInst &Goto) {
  BasicBlock *From = Goto.getParent();
  auto *Nowhere = BasicBlock::Create(F.getContext(), From->getName() + ".nowhere", &F);
  new UnreachableInst(F.getContext(), Nowhere);
  IRBuilder<> B(&Goto);
  Value *Number = B.CreatePtrToInt(Goto.getAddress(), B.getInt64Ty());
  SwitchInst *Switch = B.CreateSwitch(Number, Nowhere, Goto.getNumDestinations());
  SmallPtrSet<BasicBlock *, 16> Reached;
  for (BasicBlock *To : Goto.successors()) {
    if (Numbers.contains(To) && Reached.insert(To).second)
      Switch->addCase(B.getInt64(Numbers.lookup(To)), To);
    else
      To->removePredecessor(From, /*KeepOneInputPHIs=*/true);
  }
  Goto.eraseFromParent();
}

Error GotoLowering::run() {
  SmallVector<IndirectBrInst *> Gotos;
  for (BasicBlock &BB : F)
    if (auto *Goto = dyn_cast<IndirectBrInst>(BB.getTerminator()))
      Gotos.push_back(Goto);
  if (Gotos.empty())
    return Error::success();
  number();
  copyTables();
  replaceOperands();
  for (IndirectBrInst *Goto : Gotos)
    if (!isLabel(Goto->getAddress()))
      return refuse(DiagId::NoLegalForm, Original, *Goto,
                    "a computed goto to an address that is not in a table of this function's "
                    "labels cannot be differentiated through",
                    "keep the labels in a constant table, or use a switch");
  for (IndirectBrInst *Goto : Gotos)
    lower(*Goto);
  return Error::success();
}

Error lowerComputedGotos(Function &F, const Function &Original) {
  return GotoLowering(F, Original).run();
}

} // namespace isozyme
