//===- OwnShadow.cpp - Pointers that may be their own shadow --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OwnShadow.h"
#include "isozyme/Prepare/PreparedFunction.h"

using namespace llvm;

namespace isozyme {

Value *zeroWhereOwn(IRBuilderBase &B, Value *Own, Value *V) {
  return Own ? B.CreateSelect(Own, Constant::getNullValue(V->getType()), V) : V;
}

Value *anyOf(IRBuilderBase &B, Value *Own) {
  return Own->getType()->isVectorTy() ? B.CreateOrReduce(Own) : Own;
}

void emitStop(IRBuilderBase &B, Value *Lost, const PreparedFunction &P, const Instruction *I) {
  emitStop(B, Lost, I->getDebugLoc().get(),
           "in '" + P.original().getName() +
               "', a vector or an overlapping copy of differentiated data is in memory that has "
               "no shadow: it was allocated outside of the differentiated code and reached "
               "through a global variable; pass it as an argument with enzyme_dup [IZ207]");
}

void forRuns(IRBuilderBase &B, const ByteRuns &Layout, Value *Length, ByteRun::Kind Wanted,
             function_ref<void(const ByteRun &, Value *, Value *, Value *, Value *)> Emit) {
  Value *Bytes = B.CreateZExtOrTrunc(Length, B.getInt64Ty());
  Value *Period = B.getInt64(Layout.Period), *Rows = B.CreateUDiv(Bytes, Period);
  Value *Whole = B.CreateMul(Rows, Period), *Rest = B.CreateSub(Bytes, Whole);
  for (const ByteRun &R : Layout.Runs) {
    if (!R.maybe(Wanted))
      continue;
    if (Layout.Runs.size() == 1) {
      Emit(R, B.getInt64(0), B.getInt64(1), B.getInt64(0), Bytes);
      continue;
    }
    Value *Offset = B.getInt64(R.Offset);
    Emit(R, Offset, Rows, Period, B.getInt64(R.Size));
    // The length may end inside a period: struct { char *s; double v[9]; }, and n of v.
    Value *Part = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Rest, Offset);
    Part = B.CreateBinaryIntrinsic(Intrinsic::umin, Part, B.getInt64(R.Size));
    if (auto *C = dyn_cast<ConstantInt>(Part); !C || !C->isZero())
      Emit(R, B.CreateAdd(Whole, Offset), B.getInt64(1), B.getInt64(0), Part);
  }
}

} // namespace isozyme
