//===- RunPrepared.cpp - Programs run in the form that is differentiated ---===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A derivative is right only if the prepared clone computes what the original does. Nobody runs
// the clone. For tests, it becomes the body of the original: what the program computes then, to
// the last bit, is what it has computed before.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

static void takeBody(Function &To, Function &From) {
  // The body goes, the symbol stays what it is, and is called as before.
  GlobalValue::LinkageTypes Linkage = To.getLinkage();
  AttributeList Attributes = To.getAttributes();
  Comdat *Group = To.getComdat();
  To.deleteBody();
  To.setLinkage(Linkage);
  To.setComdat(Group);
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip_equal(From.args(), To.args()))
    Map[&Old] = &New;
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(&To, &From, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  To.setAttributes(Attributes);
  if (From.hasPersonalityFn())
    To.setPersonalityFn(From.getPersonalityFn());
}

void Derivatives::runPrepared() {
  for (auto &[Original, Known] : Sources)
    if (Known) {
      FAM.clear(*Original, Original->getName());
      takeBody(*Original, Known->P->function());
    }
}

} // namespace isozyme
