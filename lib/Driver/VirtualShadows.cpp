//===- VirtualShadows.cpp - Shadows of functions and their tables ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   @"_enzyme_reverse_f'" = { ptr @augment.f.entry, ptr @reverse.from.tape.f.entry }
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/VirtualShadows.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

DiffRequest defaultRequest(Function &F) {
  DiffRequest R;
  R.Fn = &F;
  R.Mode = DiffMode::Augment;
  R.TapeOutlives = true;
  for (Argument &A : F.args())
    R.Args.push_back(defaultActivity(A.getType(), R.Mode));
  R.MayOverwrite.assign(F.arg_size(), true);
  Type *Ret = F.getReturnType();
  R.Return = containsPointer(Ret) ? ReturnActivity::Dup
             : isFloatLike(Ret)   ? ReturnActivity::Active
                                  : ReturnActivity::Const;
  return R;
}

Expected<Constant *> VirtualShadows::ofFunction(Function &F) {
  // What has no body cannot be differentiated, and is its own shadow: no derivative comes
  // from there.
  if (F.isDeclaration() && !hasCustomRule(defaultRequest(F)))
    return &F;
  std::string Name = ("_enzyme_reverse_" + F.getName() + "'").str();
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  Expected<SplitPair> Pair = Make(F);
  if (!Pair)
    return Pair.takeError();
  Type *Ptr = PointerType::getUnqual(M.getContext());
  ArrayType *Table = ArrayType::get(Ptr, 2);
  auto *G = new GlobalVariable(M, Table, true, GlobalValue::InternalLinkage,
                               ConstantArray::get(Table, {Pair->Augment, Pair->FromTape}), Name);
  return G;
}

Expected<Constant *> VirtualShadows::ofContents(Constant &C) {
  if (auto *F = dyn_cast<Function>(&C))
    return ofFunction(*F);
  if (!isa<ConstantAggregate>(C))
    return &C;
  SmallVector<Constant *, 8> Members;
  for (Use &Operand : C.operands()) {
    Expected<Constant *> Member = ofContents(*cast<Constant>(Operand));
    if (!Member)
      return Member.takeError();
    Members.push_back(*Member);
  }
  if (auto *A = dyn_cast<ArrayType>(C.getType()))
    return ConstantArray::get(A, Members);
  if (auto *S = dyn_cast<StructType>(C.getType()))
    return ConstantStruct::get(S, Members);
  return &C;
}

Expected<Constant *> VirtualShadows::ofTable(GlobalVariable &G) {
  std::string Name = (G.getName() + "_shadow").str();
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  Expected<Constant *> Contents = ofContents(*G.getInitializer());
  if (!Contents)
    return Contents.takeError();
  auto *Shadow =
      new GlobalVariable(M, G.getValueType(), true, GlobalValue::InternalLinkage, *Contents, Name);
  Shadow->setAlignment(G.getAlign());
  return Shadow;
}

Expected<Constant *> VirtualShadows::of(Constant &C) {
  if (auto *F = dyn_cast<Function>(&C))
    return ofFunction(*F);
  const DataLayout &DL = M.getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(C.getType()), 0);
  auto *G = cast<GlobalVariable>(C.stripAndAccumulateInBoundsConstantOffsets(DL, Offset));
  Expected<Constant *> Table = ofTable(*G);
  if (!Table)
    return Table.takeError();
  return ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(M.getContext()), *Table,
                                                ConstantInt::get(M.getContext(), Offset));
}

} // namespace isozyme
