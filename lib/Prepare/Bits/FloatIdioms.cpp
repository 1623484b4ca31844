//===- FloatIdioms.cpp - Sign-bit tricks as float operations ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  %b = bitcast double %x to i64     after:  %n = fneg double %x
//          %n = xor i64 %b, SIGN
//          %y = bitcast i64 %n to double
//
// In vectors, lane by lane: xor with <SIGN, 0> negates the first.
// Likewise `and ~SIGN` is fabs, `or SIGN` is -fabs, and (a & ~SIGN) | (b & SIGN)
// is copysign. All four are defined on the bits, for NaN too, so that nothing
// changes. A load of an integer that is only used as a float is loaded as one.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/ADT/APInt.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// The float type that all users of \p V read its bits as; null if they differ.
static Type *floatTypeOfUses(const Value *V) {
  Type *Common = nullptr;
  for (const User *U : V->users()) {
    auto *Cast = dyn_cast<BitCastInst>(U);
    if (!Cast || !Cast->getType()->isFPOrFPVectorTy() || (Common && Cast->getType() != Common))
      return nullptr;
    Common = Cast->getType();
  }
  return Common;
}

/// Lane for lane as wide, so that a sign bit is a sign bit.
static bool sameLanes(Type *Float, Type *Int) {
  return Float->isFPOrFPVectorTy() && Float->getScalarSizeInBits() == Int->getScalarSizeInBits() &&
         !Float->getScalarType()->isPPC_FP128Ty();
}

/// The float type in which the operation \p I on bits \p A is done: that of the
/// float whose bits \p A are, else that of all uses of the result. Null: neither.
static Type *floatTypeOf(const Instruction &I, Value *A) {
  Value *Source;
  if (match(A, m_BitCast(m_Value(Source))) && sameLanes(Source->getType(), I.getType()))
    return Source->getType();
  Type *Uses = floatTypeOfUses(&I);
  return Uses && sameLanes(Uses, I.getType()) ? Uses : nullptr;
}

/// The float type of bits that come from memory and go to memory, where nobody else looks at them:
/// only a float has a sign bit of its own. (LLVM loads and stores vectors of integers where the
/// source has vectors of floats, if only such an operation stands between.)
static Type *floatTypeOfMoved(const Instruction &I, const Value *A) {
  unsigned Bits = I.getType()->getScalarSizeInBits();
  auto *Load = dyn_cast<LoadInst>(A);
  auto isStored = [&](const User *U) {
    auto *Store = dyn_cast<StoreInst>(U);
    return Store && !Store->isAtomic() && Store->getValueOperand() == &I;
  };
  if (!Load || Load->isAtomic() || !(Bits == 64 || Bits == 32) || I.use_empty() ||
      !all_of(I.users(), isStored))
    return nullptr;
  Type *Float = Bits == 64 ? Type::getDoubleTy(I.getContext()) : Type::getFloatTy(I.getContext());
  return I.getType()->getWithNewType(Float);
}

static Value *asFloat(IRBuilder<> &B, Value *Bits, Type *Ty) {
  Value *Source;
  if (match(Bits, m_BitCast(m_Value(Source))) && Source->getType() == Ty)
    return Source;
  return B.CreateBitCast(Bits, Ty);
}

/// Lanes in which a constant has nothing but the sign bit, as a mask; null where a lane
/// has other bits.
static Constant *signLanes(const Value *V, const APInt &Sign) {
  auto *C = dyn_cast<Constant>(V);
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  if (!C || !T)
    return nullptr;
  SmallVector<Constant *, 8> Lanes;
  for (unsigned Lane = 0; Lane < T->getNumElements(); ++Lane) {
    auto *Bits = dyn_cast_or_null<ConstantInt>(C->getAggregateElement(Lane));
    if (!Bits || !(Bits->isZero() || Bits->getValue() == Sign))
      return nullptr;
    Lanes.push_back(ConstantInt::getBool(V->getContext(), !Bits->isZero()));
  }
  return ConstantVector::get(Lanes);
}

/// The float operation that \p I does on bits, emitted by \p B; null if none.
static Value *emitIdiom(Instruction &I, IRBuilder<> &B) {
  unsigned Bits = I.getType()->getScalarSizeInBits();
  APInt Sign = APInt::getSignMask(Bits), Rest = ~Sign;
  Value *A, *S;
  if (match(&I, m_c_Or(m_And(m_Value(A), m_SpecificInt(Rest)),
                       m_And(m_Value(S), m_SpecificInt(Sign))))) {
    if (Type *Ty = floatTypeOf(I, A))
      return B.CreateBinaryIntrinsic(Intrinsic::copysign, asFloat(B, A, Ty), asFloat(B, S, Ty));
    return nullptr;
  }
  if (!isa<BinaryOperator>(I))
    return nullptr;
  A = I.getOperand(0);
  bool Negates = match(&I, m_Xor(m_Value(), m_SpecificInt(Sign)));
  Constant *Lanes = I.getOpcode() == Instruction::Xor ? signLanes(I.getOperand(1), Sign) : nullptr;
  Type *Ty = floatTypeOf(I, A);
  if (!Ty && (Negates || Lanes))
    Ty = floatTypeOfMoved(I, A);
  if (!Ty)
    return nullptr;
  if (Negates)
    return B.CreateFNeg(asFloat(B, A, Ty));
  if (Lanes) {
    Value *Float = asFloat(B, A, Ty);
    return B.CreateSelect(Lanes, B.CreateFNeg(Float), Float);
  }
  if (match(&I, m_And(m_Value(), m_SpecificInt(Rest))))
    return B.CreateUnaryIntrinsic(Intrinsic::fabs, asFloat(B, A, Ty));
  if (match(&I, m_Or(m_Value(), m_SpecificInt(Sign))))
    return B.CreateFNeg(B.CreateUnaryIntrinsic(Intrinsic::fabs, asFloat(B, A, Ty)));
  return nullptr;
}

static void rewriteSignBits(Function &F) {
  // From the last to the first: the parts of a copysign are looked at after it.
  SmallVector<Instruction *> Work;
  for (Instruction &I : instructions(F))
    if (I.isBitwiseLogicOp() && I.getType()->isIntOrIntVectorTy())
      Work.push_back(&I);
  for (Instruction *I : reverse(Work)) {
    if (I->use_empty())
      continue;
    IRBuilder<> B(I);
    Value *Float = emitIdiom(*I, B);
    if (!Float)
      continue;
    Float->takeName(I);
    I->replaceAllUsesWith(B.CreateBitCast(Float, I->getType()));
  }
  for (Instruction *I : reverse(Work))
    if (I->use_empty())
      I->eraseFromParent();
}

static void rewriteLoads(Function &F) {
  SmallVector<LoadInst *> Loads;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I);
        Load && Load->getType()->isIntOrIntVectorTy() && !Load->isAtomic() && floatTypeOfUses(Load))
      Loads.push_back(Load);
  for (LoadInst *Load : Loads) {
    IRBuilder<> B(Load);
    LoadInst *Float = B.CreateAlignedLoad(floatTypeOfUses(Load), Load->getPointerOperand(),
                                          Load->getAlign(), Load->isVolatile());
    // A type tag would call these bytes an integer.
    Float->copyMetadata(*Load, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                                LLVMContext::MD_nontemporal, LLVMContext::MD_invariant_load,
                                LLVMContext::MD_dbg});
    Float->takeName(Load);
    for (User *U : make_early_inc_range(Load->users())) {
      U->replaceAllUsesWith(Float);
      cast<Instruction>(U)->eraseFromParent();
    }
    Load->eraseFromParent();
  }
}

/// Bits of a float read back as the same float.
static void foldCastPairs(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Source;
    if (match(&I, m_BitCast(m_BitCast(m_Value(Source)))) && Source->getType() == I.getType())
      I.replaceAllUsesWith(Source);
  }
  for (BasicBlock &BB : F)
    for (Instruction &I : make_early_inc_range(reverse(BB)))
      if (isa<BitCastInst>(I) && I.use_empty())
        I.eraseFromParent();
}

void rewriteFloatIdioms(Function &F) {
  rewriteSignBits(F);
  foldCastPairs(F);
  rewriteLoads(F);
}

} // namespace isozyme
