//===- EvenRows.cpp - Are the rows of a table evenly spaced? --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EvenRows.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace isozyme {

void EvenRows::require(Value *Condition, const Twine &Then) {
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Next = BasicBlock::Create(B.getContext(), Then, F, &Otherwise);
  // What is undefined may not decide.
  B.CreateCondBr(B.CreateFreeze(Condition), Next, &Otherwise,
                 MDBuilder(B.getContext()).createLikelyBranchWeights());
  B.SetInsertPoint(Next);
}

void EvenRows::requireGuards(const RowTables &Tables) {
  Value *All = B.getTrue();
  for (const AssumedValue &A : Tables.Assumed) {
    Value *Here = Values.of(A.Value);
    All = B.CreateAnd(All, B.CreateICmpSGE(Here, B.getInt64(A.Least)));
    All = B.CreateAnd(All, B.CreateICmpSLE(Here, B.getInt64(A.Most)));
  }
  for (const EntryCompare &Guard : Tables.Guards)
    All = B.CreateAnd(All, B.CreateICmp(Guard.Is, Values.of(Guard.Left), Values.of(Guard.Right)));
  require(All, "are.read");
}

Value *EvenRows::wordAt(Value *Base, Value *Offset) {
  Type *Word = Base->getType();
  Value *Address = B.CreateAlignedLoad(Word, B.CreatePtrAdd(Base, Offset), Align(1));
  return B.CreatePtrToInt(Address, B.getInt64Ty());
}

/// Is row i of each table, at the words that begin at its base, at its First + i * Spacing?
Value *EvenRows::compareAll(ArrayRef<Value *> Bases, ArrayRef<Value *> First, Value *Spacing,
                            Value *Rows, int64_t Stride) {
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(B.getContext(), "row", F, &Otherwise);
  BasicBlock *Behind = BasicBlock::Create(B.getContext(), "rows.read", F, &Otherwise);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Number = B.CreatePHI(B.getInt64Ty(), 2, "number");
  PHINode *SoFar = B.CreatePHI(B.getInt1Ty(), 2, "even");
  Value *Distance = B.CreateMul(Number, Spacing);
  Value *All = SoFar;
  for (auto [Base, Its] : zip_equal(Bases, First)) {
    Value *Word = wordAt(Base, B.CreateMul(Number, B.getInt64(Stride)));
    All = B.CreateAnd(All, B.CreateICmpEQ(Word, B.CreateAdd(Its, Distance)));
  }
  Value *Next = B.CreateNUWAdd(Number, B.getInt64(1));
  B.CreateCondBr(B.CreateICmpULT(Next, Rows), Loop, Behind);
  Number->addIncoming(B.getInt64(0), Before);
  Number->addIncoming(Next, Loop);
  SoFar->addIncoming(B.getTrue(), Before);
  SoFar->addIncoming(All, Loop);
  B.SetInsertPoint(Behind);
  return All;
}

/// The addresses at \p Places, of the primal and of shadows.
FirstRows EvenRows::wordsAt(ArrayRef<Value *> Places, Type *Word) {
  auto read = [&](Value *Place) -> Value * { return B.CreateAlignedLoad(Word, Place, Align(1)); };
  FirstRows Found{read(Places.front()), {}, nullptr};
  for (Value *Place : drop_begin(Places))
    Found.Shadows.push_back(read(Place));
  return Found;
}

/// The same address, which leads to all rows. LLVM may know which object the first row is, and
/// would take the others for memory that nobody gets to from there.
static Value *asAnyAddress(IRBuilder<> &B, Value *Number, Type *Pointer) {
  auto *Identity = FunctionType::get(Number->getType(), Number->getType(), /*isVarArg=*/false);
  auto *Opaque = InlineAsm::get(Identity, "", "=r,0", /*hasSideEffects=*/false);
  return B.CreateIntToPtr(B.CreateCall(Identity, Opaque, Number), Pointer);
}

/// How many addresses, after it is sure that there are some, and that the range fits.
Value *EvenRows::countRows(const RowTable &Table, Value *Begin, Value *Last) {
  Value *Stride = B.getInt64(Table.Stride);
  Value *Bytes = B.CreateSub(Last, Begin), *Before = B.CreateSub(Begin, B.getInt64(Table.Offset));
  Value *Rows = B.CreateAdd(B.CreateSDiv(Bytes, Stride), B.getInt64(1), "rows");
  Value *AreWhole = B.CreateAnd(B.CreateIsNull(B.CreateSRem(Bytes, Stride)),
                                B.CreateIsNull(B.CreateSRem(Before, Stride)));
  Value *AreFew = B.CreateICmpULT(Rows, B.getInt(RowTable::spacings().getUpper()));
  require(B.CreateAnd(B.CreateAnd(AreWhole, AreFew), B.CreateICmpSLE(Begin, Last)), "table");
  return Rows;
}

FirstRows EvenRows::read(const RowTable &Table, ArrayRef<Value *> Shadows) {
  Value *Begin = Values.extreme(Table.Begins, /*Largest=*/false);
  Type *Pointer = Table.Base->getType();
  SmallVector<Value *, 2> Bases = {Values.of(Table.Base)};
  append_range(Bases, Shadows);
  auto goTo = [&](Value *Offset) {
    for (Value *&Base : Bases)
      Base = B.CreatePtrAdd(Base, Offset);
  };
  if (Table.isOneWord()) {
    goTo(Begin);
    return wordsAt(Bases, Pointer);
  }
  Value *Stride = B.getInt64(Table.Stride);
  Value *Size = B.getInt64(B.GetInsertBlock()->getDataLayout().getTypeStoreSize(Pointer));
  Value *Last = B.CreateSub(Values.extreme(Table.Ends, /*Largest=*/true), Size);
  Value *Rows = countRows(Table, Begin, Last);
  goTo(Begin);
  SmallVector<Value *, 2> First;
  for (Value *Base : Bases)
    First.push_back(wordAt(Base, B.getInt64(0)));
  Value *HasMore = B.CreateICmpUGT(Rows, B.getInt64(1));
  Value *Second = wordAt(Bases.front(), B.CreateSelect(HasMore, Stride, B.getInt64(0)));
  Value *Spacing = B.CreateSub(Second, First.front(), "spacing");
  Value *AreEven = compareAll(Bases, First, Spacing, Rows, Table.Stride);
  AreEven =
      B.CreateAnd(AreEven, B.CreateICmpULT(Spacing, B.getInt(RowTable::spacings().getUpper())));
  Value *Rest = B.CreateAnd(Spacing, B.getInt64(Table.Unit - 1));
  AreEven = B.CreateAnd(AreEven, B.CreateIsNull(Rest));
  Value *Gap = B.CreateLShr(Spacing, B.getInt64(Log2_64(Table.Unit)));
  if (Table.Width)
    Gap = B.CreateSub(Gap, Values.of(Table.Width), "gap");
  AreEven = B.CreateAnd(AreEven, B.CreateICmpULT(Gap, B.getInt(RowTable::spacings().getUpper())));
  require(AreEven, "rows.even");
  Value *Before = B.CreateSDiv(B.CreateSub(Begin, B.getInt64(Table.Offset)), Stride);
  Value *Distance = B.CreateMul(Before, Spacing);
  for (Value *&Row : First)
    Row = asAnyAddress(B, B.CreateSub(Row, Distance), Pointer);
  return {First.front(), SmallVector<Value *, 1>(drop_begin(First)), Gap};
}

} // namespace isozyme
