//===- SplitChosenMembers.cpp - One member of a record at a time -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a search in a tree goes left or right, the optimiser computes the place of the link and
// reads it once. Such an address leads to either member; to an analysis of places they would be
// elements of one array, and with them all that lies around them.
//
// before:  %at = select i1 %less, i64 16, i64 24        after:  br i1 %less, label %a, label %b
//          %link = getelementptr i8, ptr %p, i64 %at            a: %x = load ptr, p + 16
//          %next = load ptr, ptr %link                          b: %y = load ptr, p + 24
//                                                               %next = phi [%x, %a], [%y, %b]
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

/// The addresses of two members of one record, and what chooses between them.
struct ChosenMember {
  Value *Condition = nullptr;
  Value *Record = nullptr;
  APInt IfTrue, IfFalse; ///< In bytes behind Record.
};

/// A step of bytes from \p Record, where a condition chooses how many.
static std::optional<ChosenMember> chosenStep(GetElementPtrInst &GEP) {
  auto *Choice = GEP.getNumIndices() == 1 && GEP.getType()->isPointerTy()
                     ? dyn_cast<SelectInst>(GEP.idx_begin()->get())
                     : nullptr;
  auto *True = Choice ? dyn_cast<ConstantInt>(Choice->getTrueValue()) : nullptr;
  auto *False = Choice ? dyn_cast<ConstantInt>(Choice->getFalseValue()) : nullptr;
  if (!True || !False || GEP.getSourceElementType()->isScalableTy())
    return std::nullopt;
  const DataLayout &DL = GEP.getDataLayout();
  unsigned Bits = DL.getIndexTypeSizeInBits(GEP.getType());
  APInt Size(Bits, DL.getTypeAllocSize(GEP.getSourceElementType()).getFixedValue());
  return ChosenMember{Choice->getCondition(), GEP.getOperand(0),
                      True->getValue().sextOrTrunc(Bits) * Size,
                      False->getValue().sextOrTrunc(Bits) * Size};
}

/// The address of one member or that of another.
static std::optional<ChosenMember> chosenAddress(SelectInst &Choice) {
  const DataLayout &DL = Choice.getDataLayout();
  if (!Choice.getType()->isPointerTy())
    return std::nullopt;
  unsigned Bits = DL.getIndexTypeSizeInBits(Choice.getType());
  ChosenMember M{Choice.getCondition(), nullptr, APInt(Bits, 0), APInt(Bits, 0)};
  M.Record = Choice.getTrueValue()->stripAndAccumulateConstantOffsets(DL, M.IfTrue,
                                                                      /*AllowNonInbounds=*/true);
  Value *Other = Choice.getFalseValue()->stripAndAccumulateConstantOffsets(
      DL, M.IfFalse, /*AllowNonInbounds=*/true);
  return M.Record == Other ? std::optional(M) : std::nullopt;
}

/// What \p Access accesses, if it is one of two addresses in a record.
static std::optional<ChosenMember> chosenMember(Instruction &Access) {
  Value *Address = getLoadStorePointerOperand(&Access);
  bool IsSimple = isa<LoadInst>(Access)
                      ? cast<LoadInst>(Access).isSimple()
                      : isa<StoreInst>(Access) && cast<StoreInst>(Access).isSimple();
  if (!IsSimple || !getLoadStoreType(&Access)->isPointerTy())
    return std::nullopt;
  if (auto *GEP = dyn_cast<GetElementPtrInst>(Address))
    return chosenStep(*GEP);
  auto *Choice = dyn_cast<SelectInst>(Address);
  return Choice ? chosenAddress(*Choice) : std::nullopt;
}

static Instruction *accessAt(const Instruction &Access, Value *Record, const APInt &Offset,
                             Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Access.getDebugLoc());
  Instruction *Copy = Access.clone();
  unsigned Operand = isa<LoadInst>(Copy) ? LoadInst::getPointerOperandIndex()
                                         : StoreInst::getPointerOperandIndex();
  Copy->setOperand(Operand, B.CreatePtrAdd(Record, B.getInt(Offset)));
  return B.Insert(Copy);
}

static void splitAccess(Instruction &Access, const ChosenMember &M) {
  Instruction *IfTrue = nullptr, *IfFalse = nullptr;
  SplitBlockAndInsertIfThenElse(M.Condition, &Access, &IfTrue, &IfFalse);
  Instruction *First = accessAt(Access, M.Record, M.IfTrue, IfTrue);
  Instruction *Second = accessAt(Access, M.Record, M.IfFalse, IfFalse);
  if (isa<LoadInst>(Access)) {
    auto *Read = PHINode::Create(Access.getType(), 2, "", Access.getParent()->begin());
    Read->addIncoming(First, First->getParent());
    Read->addIncoming(Second, Second->getParent());
    Read->setDebugLoc(Access.getDebugLoc());
    Read->takeName(&Access);
    Access.replaceAllUsesWith(Read);
  }
  Access.eraseFromParent();
}

void splitChosenMembers(Function &F) {
  SmallVector<Instruction *, 4> Found;
  for (Instruction &I : instructions(F))
    if (std::optional<ChosenMember> M = chosenMember(I); M && M->IfTrue != M->IfFalse)
      Found.push_back(&I);
  for (Instruction *Access : Found) {
    Value *Address = getLoadStorePointerOperand(Access);
    splitAccess(*Access, *chosenMember(*Access)); // Whose record may have been split since.
    RecursivelyDeleteTriviallyDeadInstructions(Address);
  }
}

} // namespace isozyme
