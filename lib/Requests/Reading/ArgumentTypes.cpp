//===- ArgumentTypes.cpp - Defaults and conversions by type ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A marker call is usually variadic, so that C has promoted its operands:
//
//   float f(float x, bool b);  __enzyme_autodiff((void*)f, x, b)
//   call @__enzyme_autodiff(ptr @f, double %x.ext, i32 %b.ext)
//
// and they are demoted again. Nothing else changes a value: a call that would
// need it was not meant so.
//
//===----------------------------------------------------------------------===//
#include "ArgumentTypes.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

ArgActivity defaultActivity(Type *T, DiffMode Mode) {
  if (T->isFPOrFPVectorTy())
    return Mode == DiffMode::Forward ? ArgActivity::Dup : ArgActivity::Active;
  if (T->isPtrOrPtrVectorTy())
    return ArgActivity::Dup;
  if (auto *A = dyn_cast<ArrayType>(T))
    return defaultActivity(A->getElementType(), Mode);
  ArgActivity Result = ArgActivity::Const;
  if (auto *S = dyn_cast<StructType>(T))
    for (Type *Member : S->elements()) {
      ArgActivity A = defaultActivity(Member, Mode);
      if (A == ArgActivity::Dup || Result == ArgActivity::Const)
        Result = A;
    }
  return Result;
}

std::optional<unsigned> structReturnParameter(const Function &F) {
  for (unsigned I = 0; I < std::min<unsigned>(F.arg_size(), 2); ++I)
    if (F.hasParamAttribute(I, Attribute::StructRet))
      return I;
  return std::nullopt;
}

/// C's default argument promotions, backwards.
static bool isPromotion(Type *Param, Type *Operand) {
  if (Operand->isDoubleTy())
    return Param->isFloatTy() || Param->isHalfTy() || Param->isBFloatTy();
  if (!Param->isIntegerTy() || !Operand->isIntegerTy())
    return false;
  unsigned To = Param->getIntegerBitWidth(), From = Operand->getIntegerBitWidth();
  return From > To && (To == 1 || (From == 32 && To < 32));
}

bool canConvert(const Value *V, Type *To) {
  Type *From = V->getType();
  if (From == To || isPromotion(To, From))
    return true;
  if (From->isPointerTy() && To->isPointerTy())
    return true;
  // A literal: the same number, whatever its width; and the null pointer.
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    if (To->isPointerTy())
      return C->isZero();
    return To->isIntegerTy() && !C->isNegative() &&
           C->getValue().getActiveBits() < To->getIntegerBitWidth();
  }
  return From->canLosslesslyBitCastTo(To);
}

Value *convert(IRBuilderBase &B, Value *V, Type *To) {
  Type *From = V->getType();
  if (From == To)
    return V;
  if (From->isPointerTy() && To->isPointerTy())
    return B.CreateAddrSpaceCast(V, To);
  if (To->isPointerTy())
    return Constant::getNullValue(To);
  if (From->isIntegerTy() && To->isIntegerTy())
    return B.CreateZExtOrTrunc(V, To);
  if (From->isDoubleTy() && To->isFloatingPointTy())
    return B.CreateFPTrunc(V, To);
  return B.CreateBitCast(V, To);
}

/// The source variable that parameter \p A holds, from debug information.
static StringRef sourceName(const Argument &A) {
  const Function &F = *A.getParent();
  if (!F.getSubprogram() || F.isDeclaration())
    return A.getName();
  SmallPtrSet<const Value *, 2> Holders = {&A};
  for (const User *U : A.users())
    if (auto *Store = dyn_cast<StoreInst>(U); Store && Store->getValueOperand() == &A)
      Holders.insert(getUnderlyingObject(Store->getPointerOperand()));
  for (const Instruction &I : F.getEntryBlock())
    for (const DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
      if (R.getVariable()->isParameter() && R.getNumVariableLocationOps() == 1 &&
          Holders.contains(R.getVariableLocationOp(0)))
        return R.getVariable()->getName();
  return A.getName();
}

std::string describeFunction(const Function &F) { return "'" + demangle(F.getName().str()) + "'"; }

std::string describeParameter(const Function &F, unsigned Number) {
  std::optional<unsigned> StructReturn = structReturnParameter(F);
  if (StructReturn == Number)
    return "the result of " + describeFunction(F);
  unsigned Counted = Number + (StructReturn && *StructReturn < Number ? 0 : 1);
  std::string Text = "argument " + std::to_string(Counted);
  if (StringRef Name = sourceName(*F.getArg(Number)); !Name.empty())
    Text += " ('" + Name.str() + "')";
  return Text + " of " + describeFunction(F);
}

std::string describeType(Type *T) {
  if (T->isPointerTy())
    return "a pointer";
  if (T->isIntegerTy())
    return "a " + std::to_string(T->getIntegerBitWidth()) + "-bit integer";
  if (T->isVoidTy())
    return "nothing";
  std::string Text;
  raw_string_ostream(Text) << "'" << *T << "'";
  return Text;
}

} // namespace isozyme
