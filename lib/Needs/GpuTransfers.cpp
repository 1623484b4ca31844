//===- GpuTransfers.cpp - Rules for copies to and from a GPU --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What type of number a copy moves is known from the code around it, and how its adjoint is added
// depends on that. So there is a function for each, with registered derivatives as a user would
// write them:
//
//   i32 @isozyme.gpu.cudaMemcpy.double(to, from, bytes, kind)
//     !enzyme_augment, !enzyme_gradient, !enzyme_derivative
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/GpuTransfers.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

/// Behind each pointer its shadow.
static FunctionType *withShadows(const FunctionType &T, Type *Result) {
  SmallVector<Type *, 8> Params;
  for (Type *Param : T.params())
    Params.append(Param->isPointerTy() ? 2 : 1, Param);
  return FunctionType::get(Result, Params, false);
}

Function &transferWithRules(Function &Transfer, Type *Number) {
  Module &M = *Transfer.getParent();
  std::string Name;
  raw_string_ostream Text(Name);
  Text << "isozyme.gpu." << Transfer.getName();
  if (Number)
    Text << '.' << *Number;
  if (Function *Known = M.getFunction(Name))
    return *Known;
  FunctionType *T = Transfer.getFunctionType();
  Function *New = Function::Create(T, GlobalValue::ExternalLinkage, Name, M);
  New->addFnAttr(marking::GpuTransfer, Transfer.getName());
  auto declare = [&](StringRef Kind, StringRef Suffix, Type *Result) {
    Function *Rule =
        Function::Create(withShadows(*T, Result), GlobalValue::ExternalLinkage, Name + Suffix, M);
    New->setMetadata(Kind, MDNode::get(M.getContext(), ValueAsMetadata::get(Rule)));
  };
  declare(marking::Augment, ".augmented", T->getReturnType());
  declare(marking::Gradient, ".reverse", Type::getVoidTy(M.getContext()));
  declare(marking::Derivative, ".forward", T->getReturnType());
  return *New;
}

} // namespace isozyme
