//===- Annotations.cpp - What a module says of its functions --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds declarations of custom derivatives and of activity: by the names of
// variables, and in llvm.global.annotations. Hints, which change no value
// (enzyme_nofree, enzyme_shouldrecompute), may be there. Never reads a call.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/Annotations.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

// The name of a variable contains one of these.
static constexpr StringLiteral Registrations[] = {
    "__enzyme_register_gradient", "__enzyme_register_derivative",
    "__enzyme_register_splitderivative", "__enzyme_inactivefn",
    "__enzyme_inactive_global", "__enzyme_function_like",
    "__enzyme_allocation_like", "__enzyme_sparse_accumulate",
};

// A function or variable is annotated by one of these, or by one and "=...".
static constexpr StringLiteral Attributes[] = {
    "enzyme_inactive",
    "enzyme_function_like",
    "enzyme_sparse_accumulate",
};

/// The function that \p C is, or the first one in it.
static const Function *functionIn(const Constant &C) {
  if (auto *F = dyn_cast<Function>(C.stripPointerCasts()))
    return F;
  for (const Use &Operand : C.operands())
    if (auto *Part = dyn_cast<Constant>(Operand))
      if (const Function *F = functionIn(*Part))
        return F;
  return nullptr;
}

static Error notSupported(const Function *Where, const Place &Otherwise, const Twine &What) {
  return diffError(DiagId::NotSupportedYet, Where ? Place(*Where) : Otherwise,
                   What + " is not in this release of Isozyme",
                   "remove it, and have the function differentiated as it is written");
}

static Error checkVariable(const GlobalVariable &G, const Place &Asked) {
  for (StringRef Text : Registrations)
    if (G.getName().contains(Text))
      return notSupported(G.hasInitializer() ? functionIn(*G.getInitializer()) : nullptr, Asked,
                          "'" + G.getName() + "'");
  return Error::success();
}

/// An element of llvm.global.annotations: { what, text, file, line, arguments }.
static Error checkAnnotation(const Constant &Element, const Place &Asked) {
  if (Element.getNumOperands() < 2)
    return Error::success();
  auto *Text = dyn_cast<GlobalVariable>(Element.getOperand(1)->stripPointerCasts());
  auto *Letters = Text && Text->hasInitializer()
                      ? dyn_cast<ConstantDataSequential>(Text->getInitializer())
                      : nullptr;
  if (!Letters || !Letters->isCString())
    return Error::success();
  auto *What = dyn_cast<GlobalValue>(Element.getOperand(0)->stripPointerCasts());
  StringRef Name = Letters->getAsCString().split('=').first;
  if (!What || !is_contained(Attributes, Name))
    return Error::success();
  return notSupported(dyn_cast<Function>(What), Asked,
                      "'" + Name + "' of '" + What->getName() + "'");
}

Error checkAnnotations(const Module &M, const Place &Asked) {
  Error All = Error::success();
  for (const GlobalVariable &G : M.globals())
    All = joinErrors(std::move(All), checkVariable(G, Asked));
  const GlobalVariable *List = M.getGlobalVariable("llvm.global.annotations");
  if (List && List->hasInitializer())
    for (const Use &Element : List->getInitializer()->operands())
      All = joinErrors(std::move(All), checkAnnotation(*cast<Constant>(Element), Asked));
  return All;
}

} // namespace isozyme
