//===- CheckRequests.cpp - What a check asks for --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: the request of a call.  Out: the requests of derivatives that it is compared with,
// or what of it no check understands.
//
//===----------------------------------------------------------------------===//
#include "RuntimeNames.h"
#include "isozyme/Check/CheckedCall.h"
#include "isozyme/Requests/ResultLayout.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

DiffRequest forwardRequestFor(const DiffRequest &R, Function &F) {
  DiffRequest Forward;
  Forward.Fn = &F;
  Forward.Mode = DiffMode::Forward;
  for (unsigned I = 0; I < R.Args.size(); ++I)
    Forward.Args.push_back(R.Args[I] == ArgActivity::Const ? ArgActivity::Const : ArgActivity::Dup);
  for (unsigned I = 0; I < R.Args.size(); ++I)
    Forward.setCheck(I, R.checkOf(I));
  Type *Returned = F.getReturnType();
  bool HasTangent =
      R.Return != ReturnActivity::Const && isFloatLike(Returned) && !containsPointer(Returned);
  Forward.Return = HasTangent ? ReturnActivity::Dup : ReturnActivity::Const;
  Forward.ReturnPrimal = !Returned->isVoidTy();
  return Forward;
}

std::optional<DiffRequest> reverseRequestFor(const DiffRequest &R, Function &F) {
  if (R.Mode != DiffMode::Forward || !R.Globals.empty())
    return std::nullopt;
  DiffRequest Reverse = forwardRequestFor(R, F);
  Reverse.Mode = DiffMode::Reverse;
  Reverse.ReturnPrimal = false;
  if (Reverse.Return == ReturnActivity::Dup)
    Reverse.Return = ReturnActivity::Active;
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Type *T = F.getArg(I)->getType();
    if (R.Args[I] == ArgActivity::Const || T->isPointerTy())
      continue;
    if (!isFloatLike(T) || containsPointer(T))
      return std::nullopt; // Nothing says where its gradient would go.
    Reverse.Args[I] = ArgActivity::Active;
  }
  return Reverse;
}

/// Is there a float in \p T that checks cannot move?
static bool hasOtherFloats(Type *T, const DataLayout &DL) {
  return any_of(leavesOf(T, DL), [](const Leaf &L) {
    return L.Ty->isFloatingPointTy() && accessKindOf(L.Ty) == KindBytes;
  });
}

std::string obstacleIn(const DiffRequest &R) {
  const DataLayout &DL = R.Fn->getDataLayout();
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Type *T = R.Fn->getArg(I)->getType();
    if (R.Args[I] != ArgActivity::Const && !T->isPointerTy() && hasOtherFloats(T, DL))
      return "argument " + std::to_string(I + 1) + " has floats of a type that is not checked";
    if (T->isPointerTy() && T->getPointerAddressSpace() != 0)
      return "it takes pointers to other address spaces";
  }
  if (R.Return != ReturnActivity::Const && hasOtherFloats(R.Fn->getReturnType(), DL))
    return "its result has floats of a type that is not checked";
  return "";
}

} // namespace isozyme
