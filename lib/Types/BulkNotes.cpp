//===- BulkNotes.cpp - Notes of what copies and fills move ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   !isozyme-moves !{i64 8, double 0.0, i64 8, ptr null}
//
// The size of each run, and a constant of its type: i64 for integers, i1 for what does not matter,
// a pair of double and pointer for words that are either.
//
//===----------------------------------------------------------------------===//

#include "isozyme/Types/BulkNotes.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace isozyme;

static Type *typeInNote(std::optional<ConcreteType> T, LLVMContext &C) {
  if (!T)
    return StructType::get(Type::getDoubleTy(C), PointerType::getUnqual(C));
  if (T->isFloat())
    return T->floatType();
  if (T->kind() == ConcreteType::Pointer)
    return PointerType::getUnqual(C);
  return Type::getIntNTy(C, T->kind() == ConcreteType::Integer ? 64 : 1);
}

static std::optional<ConcreteType> typeNotedAs(Type *T) {
  if (T->isStructTy())
    return std::nullopt;
  return T->isFloatingPointTy() ? ConcreteType::ofFloat(T)
         : T->isPointerTy()     ? ConcreteType(ConcreteType::Pointer)
         : T->isIntegerTy(64)   ? ConcreteType(ConcreteType::Integer)
                                : ConcreteType(ConcreteType::Anything);
}

void isozyme::noteMoves(Instruction &Bulk, ArrayRef<NotedRun> Runs) {
  LLVMContext &C = Bulk.getContext();
  SmallVector<Metadata *, 8> Parts;
  auto Add = [&](Constant *Part) { Parts.push_back(ConstantAsMetadata::get(Part)); };
  for (const NotedRun &Run : Runs) {
    Add(ConstantInt::get(Type::getInt64Ty(C), Run.Size));
    Add(Constant::getNullValue(typeInNote(Run.Type, C)));
  }
  Bulk.setMetadata(marking::Moves, MDNode::get(C, Parts));
}

SmallVector<NotedRun, 4> isozyme::notedMoves(const Instruction &Bulk) {
  SmallVector<NotedRun, 4> Runs;
  const MDNode *Note = Bulk.getMetadata(marking::Moves);
  for (unsigned K = 0; Note && K + 1 < Note->getNumOperands(); K += 2)
    Runs.push_back({mdconst::extract<ConstantInt>(Note->getOperand(K))->getZExtValue(),
                    typeNotedAs(mdconst::extract<Constant>(Note->getOperand(K + 1))->getType())});
  return Runs;
}
