//===- InternalCopy.cpp - Copies of functions are nobody's symbols ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/InternalCopy.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

void becomeInternal(Function &Copy) {
  // Linkage first: internal symbols admit default visibility only.
  Copy.setLinkage(GlobalValue::InternalLinkage);
  Copy.setVisibility(GlobalValue::DefaultVisibility);
  Copy.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Copy.setDSOLocal(true);
  Copy.setComdat(nullptr);
  Copy.setSection("");
  Copy.setPartition("");
  Copy.setPrefixData(nullptr);
  Copy.setPrologueData(nullptr);
}

Function &internalCopyOf(Function &F) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  becomeInternal(*Copy);
  return *Copy;
}

void takeTarget(Function &F, const Function &Like) {
  for (StringRef Kind : {"target-cpu", "target-features", "tune-cpu", "min-legal-vector-width",
                         "prefer-vector-width", "use-soft-float"})
    if (Attribute A = Like.getFnAttribute(Kind); A.isValid())
      F.addFnAttr(A);
}

} // namespace isozyme
