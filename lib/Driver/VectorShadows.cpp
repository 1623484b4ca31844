//===- VectorShadows.cpp - Shadows of std::vectors are as long ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/VectorShadows.h"
#include "isozyme/Emit/StopIf.h"
#include "isozyme/Support/SymbolNames.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// Does \p Type, a parameter's, refer to a constant std::vector of floats, or of vectors of them?
/// (A function may give another one new elements.) Both libraries begin it with the addresses of
/// the first element and of what is behind the last.
static bool isVectorOfNumbers(StringRef Type) {
  bool IsReference = Type.consume_back(" const&") || Type.consume_back(" const*");
  bool IsVector = false, Nested = true;
  while (Nested) {
    Nested = Type.consume_front("std::vector<") || Type.consume_front("std::__1::vector<");
    IsVector |= Nested;
  }
  StringRef Element = Type.take_until([](char C) { return C == ','; });
  return IsReference && IsVector && is_contained({"double", "float", "long double"}, Element);
}

/// The bytes from the first element of the vector at \p Object to the last.
static Value *bytesOf(IRBuilderBase &B, Value *Object) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  Type *Ptr = B.getPtrTy();
  Value *First = B.CreateLoad(Ptr, Object);
  Value *End = B.CreateLoad(Ptr, B.CreatePtrAdd(Object, B.getInt64(DL.getPointerSize())));
  return B.CreateSub(B.CreatePtrToInt(End, DL.getIntPtrType(Ptr)),
                     B.CreatePtrToInt(First, DL.getIntPtrType(Ptr)), "bytes");
}

void compareVectorSizes(CallBase &New, const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  SmallVector<std::string, 8> Types = parameterTypes(*R.Fn);
  // By the time of a second half the vectors may be gone; those of a recording have no shadow.
  if (R.Mode == DiffMode::FromTape || M.Records || M.FromRecord ||
      Types.size() != R.Fn->arg_size() || acceleratorOf(*New.getModule()))
    return;
  IRBuilder<> B(&New);
  for (unsigned Param = 0, Position = 0; Param < Types.size(); ++Param) {
    Value *Primal = New.getArgOperand(Position++);
    for (unsigned Lane = 0; R.hasShadow(Param) && Lane < R.Width; ++Lane) {
      Value *Shadow = New.getArgOperand(Position++);
      if (isVectorOfNumbers(Types[Param]))
        emitStop(B, B.CreateICmpULT(bytesOf(B, Shadow), bytesOf(B, Primal)),
                 userLocation(New.getDebugLoc()),
                 "the shadow of " + describeParameter(*R.Fn, Param) +
                     " has fewer elements than the argument; give it as many [IZ309]");
    }
  }
}

} // namespace isozyme
