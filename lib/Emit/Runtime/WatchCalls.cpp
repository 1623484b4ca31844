//===- WatchCalls.cpp - Print a derivative that is watched ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of dprintf, to the standard error output, which is not buffered.
//
//===----------------------------------------------------------------------===//
#include "WatchCalls.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace isozyme {

static std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text)
    Result += C == '%' ? "%%" : std::string(1, C);
  return Result;
}

/// "gradient of f: f.c:12: ", or without the line.
static std::string placeText(const IRBuilderBase &B, const WatchedChange &Change) {
  const DISubprogram *Program = Change.P.original().getSubprogram();
  StringRef Name = Program ? Program->getName() : Change.P.original().getName();
  std::string Text = Change.Added ? "gradient of " : "derivative of ";
  Text += Name.str() + ": ";
  if (DebugLoc Loc = B.getCurrentDebugLocation(); Loc && Loc.getLine())
    Text +=
        sys::path::filename(Loc->getFilename()).str() + ":" + std::to_string(Loc.getLine()) + ": ";
  return escaped(Text);
}

static void emitLine(IRBuilderBase &B, const WatchedChange &Change, StringRef Place,
                     ArrayRef<Value *> Indices, Value *Added, Value *Now) {
  Module &M = *B.GetInsertBlock()->getModule();
  std::string Text = placeText(B, Change) + Place.str();
  Text += Change.Added ? ".adj" : ".tan";
  if (Change.Width > 1)
    Text += " (lane " + std::to_string(Change.Lane) + ")";
  Text += Change.Added ? " += %.10g -> %.10g\n" : " = %.10g\n";
  SmallVector<Value *, 6> Args(Indices);
  if (Added)
    Args.push_back(B.CreateFPCast(Added, B.getDoubleTy()));
  Args.push_back(B.CreateFPCast(Now, B.getDoubleTy()));
  targetRuntime(M).print(B, B.CreateGlobalString(Text), Args);
}

void emitWatch(IRBuilderBase &B, const WatchedChange &Change) {
  SmallVector<Value *, 4> Indices;
  if (Change.Base) {
    Type *I64 = B.getInt64Ty();
    Value *Bytes =
        B.CreateSub(B.CreatePtrToInt(Change.Address, I64), B.CreatePtrToInt(Change.Base, I64));
    for (const WatchedPlace::Index &I : Change.Place.Indices) {
      Value *Number = I.Stride > 1 ? B.CreateSDiv(Bytes, B.getInt64(I.Stride)) : Bytes;
      Indices.push_back(I.Count ? B.CreateSRem(Number, B.getInt64(I.Count)) : Number);
    }
  }
  Type *T = Change.Now->getType();
  if (T->isFloatingPointTy())
    return emitLine(B, Change, Change.Place.Name, Indices, Change.Added, Change.Now);
  auto *Vector = dyn_cast<FixedVectorType>(T);
  if (!Vector || !Vector->getElementType()->isFloatingPointTy())
    return;
  for (unsigned I = 0; I < Vector->getNumElements(); ++I)
    emitLine(B, Change, Change.Place.Name + " part " + std::to_string(I), Indices,
             Change.Added ? B.CreateExtractElement(Change.Added, I) : nullptr,
             B.CreateExtractElement(Change.Now, I));
}

} // namespace isozyme
