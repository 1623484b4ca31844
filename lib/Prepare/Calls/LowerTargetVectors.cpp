//===- LowerTargetVectors.cpp - SSE and AVX in LLVM's own words ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most of <immintrin.h> is ordinary vector code. What clang leaves to the x86
// backend by name is written here as what the instruction does, bit for bit:
//
//   x86.sse2.min.pd(a, b)       ->  select(fcmp olt a, b), a, b
//   x86.sse41.blendvpd(a, b, m) ->  select(m < 0 as integers), b, a
//   x86.sse3.hadd.pd(a, b)      ->  shuffle(a, b; 0, 2) + shuffle(a, b; 1, 3)
//
// Approximations (rcp, rsqrt) keep their value, and get the derivative of what they stand for. What
// is not in the table stays as it is.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/OpView.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace isozyme {

namespace {

using Detail = unsigned;
using LowerFunction = Value *(*)(IRBuilder<> &, IntrinsicInst &, Detail);

unsigned lanesOf(const Value *V) { return cast<FixedVectorType>(V->getType())->getNumElements(); }

/// The integers that the bits of a vector of floats are.
Value *bitsOf(IRBuilder<> &B, Value *V) {
  return B.CreateBitCast(V, VectorType::getInteger(cast<VectorType>(V->getType())));
}

/// Which lanes have the sign bit.
Value *signsOf(IRBuilder<> &B, Value *V) {
  Value *Bits = V->getType()->isFPOrFPVectorTy() ? bitsOf(B, V) : V;
  return B.CreateICmpSLT(Bits, Constant::getNullValue(Bits->getType()));
}

/// Lane 0 of \p Low, the others of \p Rest.
Value *lowLane(IRBuilder<> &B, Value *Low, Value *Rest) {
  return B.CreateInsertElement(Rest, B.CreateExtractElement(Low, uint64_t(0)), uint64_t(0));
}

enum : Detail { Smaller = 0, Larger = 1, Reciprocal = 0, ReciprocalRoot = 1, LowLaneOnly = 2 };

/// min and max: the second operand where they are equal or one is no number.
Value *lowerExtremum(IRBuilder<> &B, IntrinsicInst &I, Detail D) {
  Value *A = I.getArgOperand(0), *C = I.getArgOperand(1);
  Value *First = D & Larger ? B.CreateFCmpOGT(A, C) : B.CreateFCmpOLT(A, C);
  Value *V = B.CreateSelect(First, A, C);
  return D & LowLaneOnly ? lowLane(B, V, A) : V;
}

Value *lowerBlend(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  return B.CreateSelect(signsOf(B, I.getArgOperand(2)), I.getArgOperand(1), I.getArgOperand(0));
}

enum : Detail { Add = 0, Subtract = 1 };

/// Neighbours within each half of 128 bits: those of the first operand, then of the second.
Value *lowerHorizontal(IRBuilder<> &B, IntrinsicInst &I, Detail D) {
  Value *A = I.getArgOperand(0), *C = I.getArgOperand(1);
  unsigned Lanes = lanesOf(A);
  unsigned Half = 128 / A->getType()->getScalarSizeInBits();
  SmallVector<int, 8> Even, Odd;
  for (unsigned Start = 0; Start < Lanes; Start += Half)
    for (unsigned From : {Start, Start + Lanes})
      for (unsigned Pair = 0; Pair < Half; Pair += 2) {
        Even.push_back(From + Pair);
        Odd.push_back(From + Pair + 1);
      }
  Value *E = B.CreateShuffleVector(A, C, Even), *O = B.CreateShuffleVector(A, C, Odd);
  return D == Add ? B.CreateFAdd(E, O) : B.CreateFSub(E, O);
}

/// Even lanes of \p Even, odd lanes of \p Odd.
Value *alternate(IRBuilder<> &B, Value *Even, Value *Odd) {
  SmallVector<int, 8> Mask;
  for (unsigned Lane = 0; Lane < lanesOf(Even); ++Lane)
    Mask.push_back(Lane % 2 ? Lane + lanesOf(Even) : Lane);
  return B.CreateShuffleVector(Even, Odd, Mask);
}

Value *lowerAddSub(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  Value *A = I.getArgOperand(0), *C = I.getArgOperand(1);
  return alternate(B, B.CreateFSub(A, C), B.CreateFAdd(A, C));
}

Value *lowerFusedAddSub(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1), *Z = I.getArgOperand(2);
  auto fused = [&](Value *Addend) {
    return B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, Addend});
  };
  Value *Minus = fused(B.CreateFNeg(Z));
  return alternate(B, Minus, fused(Z));
}

/// Products of the lanes in the upper half of the mask, summed pair by pair, to the
/// lanes in its lower half; 128 bits at a time.
Value *lowerDot(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  Value *A = I.getArgOperand(0);
  auto *Which = dyn_cast<ConstantInt>(I.getArgOperand(2));
  if (!Which)
    return nullptr;
  uint64_t Mask = Which->getZExtValue();
  unsigned Lanes = lanesOf(A), Half = 128 / A->getType()->getScalarSizeInBits();
  Value *Products = B.CreateFMul(A, I.getArgOperand(1)),
        *Result = Constant::getNullValue(A->getType());
  Value *Zero = ConstantFP::getZero(A->getType()->getScalarType());
  for (unsigned Start = 0; Start < Lanes; Start += Half) {
    auto product = [&](unsigned Lane) {
      return Mask >> (4 + Lane) & 1 ? B.CreateExtractElement(Products, Start + Lane) : Zero;
    };
    Value *Sum = B.CreateFAdd(product(0), product(1));
    if (Half == 4)
      Sum = B.CreateFAdd(Sum, B.CreateFAdd(product(2), product(3)));
    for (unsigned Lane = 0; Lane < Half; ++Lane)
      if (Mask >> Lane & 1)
        Result = B.CreateInsertElement(Result, Sum, Start + Lane);
  }
  return Result;
}

/// Bits 0 and 1 say how, bit 2 that the current mode says it, bit 3 that nobody is told.
Value *lowerRound(IRBuilder<> &B, IntrinsicInst &I, Detail D) {
  static constexpr Intrinsic::ID How[] = {Intrinsic::roundeven, Intrinsic::floor, Intrinsic::ceil,
                                          Intrinsic::trunc};
  Value *X = I.getArgOperand(D & LowLaneOnly ? 1 : 0);
  auto *Mode = dyn_cast<ConstantInt>(I.getArgOperand(D & LowLaneOnly ? 2 : 1));
  if (!Mode)
    return nullptr;
  uint64_t M = Mode->getZExtValue();
  Value *V = B.CreateUnaryIntrinsic(M & 4 ? Intrinsic::rint : How[M & 3], X);
  return D & LowLaneOnly ? lowLane(B, V, I.getArgOperand(0)) : V;
}

/// All bits of the lanes for which the comparison holds.
Value *lowerCompare(IRBuilder<> &B, IntrinsicInst &I, Detail D) {
  static constexpr CmpInst::Predicate How[] = {
      CmpInst::FCMP_OEQ, CmpInst::FCMP_OLT, CmpInst::FCMP_OLE, CmpInst::FCMP_UNO,
      CmpInst::FCMP_UNE, CmpInst::FCMP_UGE, CmpInst::FCMP_UGT, CmpInst::FCMP_ORD,
      CmpInst::FCMP_UEQ, CmpInst::FCMP_ULT, CmpInst::FCMP_ULE, CmpInst::FCMP_FALSE,
      CmpInst::FCMP_ONE, CmpInst::FCMP_OGE, CmpInst::FCMP_OGT, CmpInst::FCMP_TRUE};
  auto *Which = dyn_cast<ConstantInt>(I.getArgOperand(2));
  if (!Which)
    return nullptr;
  Value *A = I.getArgOperand(0);
  Value *Holds = B.CreateFCmp(How[Which->getZExtValue() & 15], A, I.getArgOperand(1));
  Value *Bits = B.CreateSExt(Holds, VectorType::getInteger(cast<VectorType>(A->getType())));
  Value *V = B.CreateBitCast(Bits, A->getType());
  return D & LowLaneOnly ? lowLane(B, V, A) : V;
}

/// Compares the lowest lanes.
Value *lowerLowCompare(IRBuilder<> &B, IntrinsicInst &I, Detail Predicate) {
  Value *A = B.CreateExtractElement(I.getArgOperand(0), uint64_t(0));
  Value *C = B.CreateExtractElement(I.getArgOperand(1), uint64_t(0));
  return B.CreateZExt(B.CreateFCmp(static_cast<CmpInst::Predicate>(Predicate), A, C), I.getType());
}

Value *lowerSignMask(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  Value *Signs = signsOf(B, I.getArgOperand(0));
  return B.CreateZExt(B.CreateBitCast(Signs, B.getIntNTy(lanesOf(Signs))), I.getType());
}

Value *lowerMaskLoad(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  return B.CreateMaskedLoad(I.getType(), I.getArgOperand(0), Align(1),
                            signsOf(B, I.getArgOperand(1)), Constant::getNullValue(I.getType()));
}

Value *lowerMaskStore(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  return B.CreateMaskedStore(I.getArgOperand(2), I.getArgOperand(0), Align(1),
                             signsOf(B, I.getArgOperand(1)));
}

/// gather(else, base, indices, mask, scale). There may be more indices than lanes.
Value *lowerGather(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  Value *Index = I.getArgOperand(2), *Mask = signsOf(B, I.getArgOperand(3));
  auto *Scale = dyn_cast<ConstantInt>(I.getArgOperand(4));
  unsigned Lanes = lanesOf(&I);
  // The form of which the upper lanes are zero.
  if (!Scale || lanesOf(Index) < Lanes)
    return nullptr;
  SmallVector<int, 8> First;
  for (unsigned Lane = 0; Lane < Lanes; ++Lane)
    First.push_back(Lane);
  if (lanesOf(Index) > Lanes)
    Index = B.CreateShuffleVector(Index, First);
  auto *Wide = FixedVectorType::get(B.getInt64Ty(), Lanes);
  Value *Bytes =
      B.CreateMul(B.CreateSExt(Index, Wide), ConstantInt::get(Wide, Scale->getZExtValue()));
  Value *At = B.CreateGEP(B.getInt8Ty(), I.getArgOperand(1), Bytes);
  return B.CreateMaskedGather(I.getType(), At, Align(1), Mask, I.getArgOperand(0));
}

enum : Detail { AcrossWhole = 0, WithinHalf = 1 };

/// Each lane of the result is the lane that its index names.
Value *lowerPermute(IRBuilder<> &B, IntrinsicInst &I, Detail D) {
  Value *V = I.getArgOperand(0), *Indices = I.getArgOperand(1),
        *Result = PoisonValue::get(V->getType());
  unsigned Lanes = lanesOf(V), Bits = V->getType()->getScalarSizeInBits();
  unsigned Group = D == WithinHalf ? 128 / Bits : Lanes;
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    Value *Index = B.CreateExtractElement(Indices, Lane);
    if (Bits == 64) // The number is in bit 1.
      Index = B.CreateLShr(Index, 1);
    Index = B.CreateAnd(Index, ConstantInt::get(Index->getType(), Group - 1));
    Index = B.CreateAdd(Index, ConstantInt::get(Index->getType(), Lane / Group * Group));
    Result = B.CreateInsertElement(Result, B.CreateExtractElement(V, Index), Lane);
  }
  return Result;
}

/// cvtsd2ss(a, b): the lowest double of b as a float, in a.
Value *lowerNarrowLow(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  Value *A = I.getArgOperand(0), *X = B.CreateExtractElement(I.getArgOperand(1), uint64_t(0));
  return B.CreateInsertElement(A, B.CreateFPTrunc(X, A->getType()->getScalarType()), uint64_t(0));
}

/// cvtpd2ps: the upper half of the result is zero where there are only two.
Value *lowerNarrow(IRBuilder<> &B, IntrinsicInst &I, Detail) {
  Value *X = I.getArgOperand(0);
  auto *T = FixedVectorType::get(B.getFloatTy(), lanesOf(X));
  Value *V = B.CreateFPTrunc(X, T);
  return T == I.getType() ? V : B.CreateShuffleVector(V, Constant::getNullValue(T), {0, 1, 2, 3});
}

/// rcp and rsqrt: dy = -y^2 dx and -y^3 / 2 dx.
Value *lowerApproximation(IRBuilder<> &B, IntrinsicInst &I, Detail D) {
  Value *Y = B.Insert(I.clone()), *X = I.getArgOperand(0);
  Type *T = X->getType();
  Value *Square = B.CreateFMul(Y, Y), *Zero = Constant::getNullValue(T);
  Value *Slope = D & ReciprocalRoot
                     ? B.CreateFMul(Square, B.CreateFMul(Y, ConstantFP::get(T, -0.5)))
                     : B.CreateFNeg(Square);
  Function *StandIn = standInFunction(*I.getModule(), T);
  Value *Derivative = B.CreateFMul(X, B.CreateCall(StandIn, {Zero, Slope}));
  Value *V = B.CreateCall(StandIn, {Derivative, Y});
  return D & LowLaneOnly ? lowLane(B, V, X) : V;
}

struct TableRow {
  Intrinsic::ID Id;
  LowerFunction Lower;
  Detail D;
};

// clang-format off
constexpr TableRow Table[] = {
    {Intrinsic::x86_sse_min_ps, lowerExtremum, Smaller},
    {Intrinsic::x86_sse_max_ps, lowerExtremum, Larger},
    {Intrinsic::x86_sse_min_ss, lowerExtremum, Smaller | LowLaneOnly},
    {Intrinsic::x86_sse_max_ss, lowerExtremum, Larger | LowLaneOnly},
    {Intrinsic::x86_sse2_min_pd, lowerExtremum, Smaller},
    {Intrinsic::x86_sse2_max_pd, lowerExtremum, Larger},
    {Intrinsic::x86_sse2_min_sd, lowerExtremum, Smaller | LowLaneOnly},
    {Intrinsic::x86_sse2_max_sd, lowerExtremum, Larger | LowLaneOnly},
    {Intrinsic::x86_avx_min_pd_256, lowerExtremum, Smaller},
    {Intrinsic::x86_avx_max_pd_256, lowerExtremum, Larger},
    {Intrinsic::x86_avx_min_ps_256, lowerExtremum, Smaller},
    {Intrinsic::x86_avx_max_ps_256, lowerExtremum, Larger},
    {Intrinsic::x86_avx512_min_pd_512, lowerExtremum, Smaller},
    {Intrinsic::x86_avx512_max_pd_512, lowerExtremum, Larger},
    {Intrinsic::x86_avx512_min_ps_512, lowerExtremum, Smaller},
    {Intrinsic::x86_avx512_max_ps_512, lowerExtremum, Larger},
    {Intrinsic::x86_sse41_blendvps, lowerBlend, 0},
    {Intrinsic::x86_sse41_blendvpd, lowerBlend, 0},
    {Intrinsic::x86_avx_blendv_ps_256, lowerBlend, 0},
    {Intrinsic::x86_avx_blendv_pd_256, lowerBlend, 0},
    {Intrinsic::x86_sse3_hadd_ps, lowerHorizontal, Add},
    {Intrinsic::x86_sse3_hadd_pd, lowerHorizontal, Add},
    {Intrinsic::x86_avx_hadd_ps_256, lowerHorizontal, Add},
    {Intrinsic::x86_avx_hadd_pd_256, lowerHorizontal, Add},
    {Intrinsic::x86_sse3_hsub_ps, lowerHorizontal, Subtract},
    {Intrinsic::x86_sse3_hsub_pd, lowerHorizontal, Subtract},
    {Intrinsic::x86_avx_hsub_ps_256, lowerHorizontal, Subtract},
    {Intrinsic::x86_avx_hsub_pd_256, lowerHorizontal, Subtract},
    {Intrinsic::x86_sse3_addsub_ps, lowerAddSub, 0},
    {Intrinsic::x86_sse3_addsub_pd, lowerAddSub, 0},
    {Intrinsic::x86_avx_addsub_ps_256, lowerAddSub, 0},
    {Intrinsic::x86_avx_addsub_pd_256, lowerAddSub, 0},
    {Intrinsic::x86_fma_vfmaddsub_ps, lowerFusedAddSub, 0},
    {Intrinsic::x86_fma_vfmaddsub_pd, lowerFusedAddSub, 0},
    {Intrinsic::x86_fma_vfmaddsub_ps_256, lowerFusedAddSub, 0},
    {Intrinsic::x86_fma_vfmaddsub_pd_256, lowerFusedAddSub, 0},
    {Intrinsic::x86_sse41_dpps, lowerDot, 0},
    {Intrinsic::x86_sse41_dppd, lowerDot, 0},
    {Intrinsic::x86_avx_dp_ps_256, lowerDot, 0},
    {Intrinsic::x86_sse41_round_ps, lowerRound, 0},
    {Intrinsic::x86_sse41_round_pd, lowerRound, 0},
    {Intrinsic::x86_avx_round_ps_256, lowerRound, 0},
    {Intrinsic::x86_avx_round_pd_256, lowerRound, 0},
    {Intrinsic::x86_sse41_round_ss, lowerRound, LowLaneOnly},
    {Intrinsic::x86_sse41_round_sd, lowerRound, LowLaneOnly},
    {Intrinsic::x86_sse_cmp_ps, lowerCompare, 0},
    {Intrinsic::x86_sse2_cmp_pd, lowerCompare, 0},
    {Intrinsic::x86_avx_cmp_ps_256, lowerCompare, 0},
    {Intrinsic::x86_avx_cmp_pd_256, lowerCompare, 0},
    {Intrinsic::x86_sse_cmp_ss, lowerCompare, LowLaneOnly},
    {Intrinsic::x86_sse2_cmp_sd, lowerCompare, LowLaneOnly},
    {Intrinsic::x86_sse_comieq_ss, lowerLowCompare, CmpInst::FCMP_OEQ},
    {Intrinsic::x86_sse_comige_ss, lowerLowCompare, CmpInst::FCMP_OGE},
    {Intrinsic::x86_sse_comigt_ss, lowerLowCompare, CmpInst::FCMP_OGT},
    {Intrinsic::x86_sse_comile_ss, lowerLowCompare, CmpInst::FCMP_OLE},
    {Intrinsic::x86_sse_comilt_ss, lowerLowCompare, CmpInst::FCMP_OLT},
    {Intrinsic::x86_sse_comineq_ss, lowerLowCompare, CmpInst::FCMP_UNE},
    {Intrinsic::x86_sse_ucomieq_ss, lowerLowCompare, CmpInst::FCMP_OEQ},
    {Intrinsic::x86_sse_ucomige_ss, lowerLowCompare, CmpInst::FCMP_OGE},
    {Intrinsic::x86_sse_ucomigt_ss, lowerLowCompare, CmpInst::FCMP_OGT},
    {Intrinsic::x86_sse_ucomile_ss, lowerLowCompare, CmpInst::FCMP_OLE},
    {Intrinsic::x86_sse_ucomilt_ss, lowerLowCompare, CmpInst::FCMP_OLT},
    {Intrinsic::x86_sse_ucomineq_ss, lowerLowCompare, CmpInst::FCMP_UNE},
    {Intrinsic::x86_sse2_comieq_sd, lowerLowCompare, CmpInst::FCMP_OEQ},
    {Intrinsic::x86_sse2_comige_sd, lowerLowCompare, CmpInst::FCMP_OGE},
    {Intrinsic::x86_sse2_comigt_sd, lowerLowCompare, CmpInst::FCMP_OGT},
    {Intrinsic::x86_sse2_comile_sd, lowerLowCompare, CmpInst::FCMP_OLE},
    {Intrinsic::x86_sse2_comilt_sd, lowerLowCompare, CmpInst::FCMP_OLT},
    {Intrinsic::x86_sse2_comineq_sd, lowerLowCompare, CmpInst::FCMP_UNE},
    {Intrinsic::x86_sse2_ucomieq_sd, lowerLowCompare, CmpInst::FCMP_OEQ},
    {Intrinsic::x86_sse2_ucomige_sd, lowerLowCompare, CmpInst::FCMP_OGE},
    {Intrinsic::x86_sse2_ucomigt_sd, lowerLowCompare, CmpInst::FCMP_OGT},
    {Intrinsic::x86_sse2_ucomile_sd, lowerLowCompare, CmpInst::FCMP_OLE},
    {Intrinsic::x86_sse2_ucomilt_sd, lowerLowCompare, CmpInst::FCMP_OLT},
    {Intrinsic::x86_sse2_ucomineq_sd, lowerLowCompare, CmpInst::FCMP_UNE},
    {Intrinsic::x86_sse_movmsk_ps, lowerSignMask, 0},
    {Intrinsic::x86_sse2_movmsk_pd, lowerSignMask, 0},
    {Intrinsic::x86_avx_movmsk_ps_256, lowerSignMask, 0},
    {Intrinsic::x86_avx_movmsk_pd_256, lowerSignMask, 0},
    {Intrinsic::x86_avx_maskload_ps, lowerMaskLoad, 0},
    {Intrinsic::x86_avx_maskload_pd, lowerMaskLoad, 0},
    {Intrinsic::x86_avx_maskload_ps_256, lowerMaskLoad, 0},
    {Intrinsic::x86_avx_maskload_pd_256, lowerMaskLoad, 0},
    {Intrinsic::x86_avx_maskstore_ps, lowerMaskStore, 0},
    {Intrinsic::x86_avx_maskstore_pd, lowerMaskStore, 0},
    {Intrinsic::x86_avx_maskstore_ps_256, lowerMaskStore, 0},
    {Intrinsic::x86_avx_maskstore_pd_256, lowerMaskStore, 0},
    {Intrinsic::x86_avx2_gather_d_ps, lowerGather, 0},
    {Intrinsic::x86_avx2_gather_d_pd, lowerGather, 0},
    {Intrinsic::x86_avx2_gather_d_ps_256, lowerGather, 0},
    {Intrinsic::x86_avx2_gather_d_pd_256, lowerGather, 0},
    {Intrinsic::x86_avx2_gather_q_ps, lowerGather, 0},
    {Intrinsic::x86_avx2_gather_q_pd, lowerGather, 0},
    {Intrinsic::x86_avx2_gather_q_ps_256, lowerGather, 0},
    {Intrinsic::x86_avx2_gather_q_pd_256, lowerGather, 0},
    {Intrinsic::x86_avx2_permps, lowerPermute, AcrossWhole},
    {Intrinsic::x86_avx_vpermilvar_ps, lowerPermute, WithinHalf},
    {Intrinsic::x86_avx_vpermilvar_pd, lowerPermute, WithinHalf},
    {Intrinsic::x86_avx_vpermilvar_ps_256, lowerPermute, WithinHalf},
    {Intrinsic::x86_avx_vpermilvar_pd_256, lowerPermute, WithinHalf},
    {Intrinsic::x86_sse2_cvtsd2ss, lowerNarrowLow, 0},
    {Intrinsic::x86_sse2_cvtpd2ps, lowerNarrow, 0},
    {Intrinsic::x86_avx_cvt_pd2_ps_256, lowerNarrow, 0},
    {Intrinsic::x86_sse_rcp_ps, lowerApproximation, Reciprocal},
    {Intrinsic::x86_avx_rcp_ps_256, lowerApproximation, Reciprocal},
    {Intrinsic::x86_sse_rcp_ss, lowerApproximation, Reciprocal | LowLaneOnly},
    {Intrinsic::x86_sse_rsqrt_ps, lowerApproximation, ReciprocalRoot},
    {Intrinsic::x86_avx_rsqrt_ps_256, lowerApproximation, ReciprocalRoot},
    {Intrinsic::x86_sse_rsqrt_ss, lowerApproximation, ReciprocalRoot | LowLaneOnly},
};
// clang-format on

} // namespace

void lowerTargetVectors(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || !Call->getCalledFunction()->isTargetIntrinsic())
      continue;
    const TableRow *Row =
        find_if(Table, [&](const TableRow &R) { return R.Id == Call->getIntrinsicID(); });
    if (Row == std::end(Table))
      continue;
    IRBuilder<> B(Call);
    Value *V = Row->Lower(B, *Call, Row->D);
    if (!V)
      continue;
    if (!V->getType()->isVoidTy()) {
      if (auto *New = dyn_cast<Instruction>(V); New && !New->hasName())
        New->takeName(Call);
      Call->replaceAllUsesWith(V);
    }
    Call->eraseFromParent();
  }
}

} // namespace isozyme
