//===- EvenRowsCopy.cpp - A function whose tables are arrays --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy is made of the prepared function, for it is there that all reads of a table were found.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/EntryValues.h"
#include "isozyme/Plan/Versions/GivenCopy.h"
#include "isozyme/Plan/Versions/RowTables.h"
#include "isozyme/Values/AddressTerms.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

/// The address that \p Load, a read of \p Table, gives if row i is at \p Rows + i * \p Spacing.
static Value *rowInstead(LoadInst &Load, const RowTable &Table, Value &Rows, Value &Spacing) {
  AddressTerms At = *addressTerms(Load.getPointerOperand(), Load.getDataLayout());
  IRBuilder<> B(&Load);
  Value *Number = B.getInt64((At.Offset - Table.Offset) / Table.Stride);
  for (auto &[Index, Scale] : At.Terms) {
    Value *Wide = B.CreateSExtOrTrunc(Index, B.getInt64Ty());
    Value *Part = B.CreateMul(Wide, B.getInt64(Scale / Table.Stride), "", /*HasNUW=*/false,
                              /*HasNSW=*/true);
    Number = B.CreateAdd(Part, Number, "", /*HasNUW=*/false, /*HasNSW=*/true);
  }
  // The distance of two rows is one of two places in memory.
  Value *Distance = B.CreateMul(Number, &Spacing, "", /*HasNUW=*/false, /*HasNSW=*/true);
  return B.CreateGEP(B.getIntNTy(8 * Table.Unit), &Rows, Distance, Load.getName());
}

Function *copyWithEvenRows(const DerivativePlan &Plan, const RowTables &Tables) {
  Function &F = Plan.P.function();
  LLVMContext &C = F.getContext();
  SmallVector<Type *, 8> Given;
  for (const RowTable &Table : Tables.Tables) {
    Given.push_back(Table.Base->getType());
    if (!Table.isOneWord())
      Given.push_back(Type::getInt64Ty(C));
  }
  ValueToValueMapTy Map;
  Function *Copy = copyWithParameters(F, Given, Plan.Request.Fn->getName() + ".rows", Map);
  BasicBlock &Entry = Copy->getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  EntryValues Values(Plan.P, B,
                     SmallVector<Value *, 8>(make_pointer_range(
                         make_range(Copy->arg_begin(), Copy->getArg(F.arg_size())))));
  Argument *Next = Copy->getArg(F.arg_size());
  for (const RowTable &Table : Tables.Tables) {
    Argument *Row = Next++, *Gap = Table.isOneWord() ? nullptr : Next++;
    StringRef Name = Table.Base->getName();
    Row->setName(Gap ? Name + ".rows" : Name + "." + Twine(Table.Offset));
    nameAsInSource(*Row, Table.Name, Table.Declared);
    Value *Spacing = Gap;
    if (Gap) {
      Gap->setName(Name + ".gap");
      Gap->addAttr(Attribute::get(C, Attribute::Range, RowTable::spacings()));
      if (Table.Width)
        Spacing = B.CreateNSWAdd(Values.of(Table.Width), Gap, Name + ".spacing");
    }
    for (LoadInst *Load : Table.Loads) {
      auto *Here = cast<LoadInst>(Map[Load]);
      Here->replaceAllUsesWith(Gap ? rowInstead(*Here, Table, *Row, *Spacing) : Row);
      Here->eraseFromParent();
    }
  }
  return Copy;
}

DiffRequest requestForEvenRows(const DiffRequest &R, Function &Copy, const RowTables &Tables) {
  DiffRequest Given = R;
  Given.Fn = &Copy;
  for (const RowTable &Table : Tables.Tables) {
    addParameter(Given, Table.HasShadow ? ArgActivity::Dup : ArgActivity::Const);
    if (!Table.isOneWord())
      addParameter(Given, ArgActivity::Const);
  }
  return Given;
}

} // namespace isozyme
