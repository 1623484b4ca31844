//===- EnzymeOptions.cpp - Options of another tool ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EnzymeOptions.h"
#include <cstdio>

using namespace llvm;

namespace {
enum class Form { Switch, Value };
struct Row {
  const char *Name;
  Form Takes;
  EnzymeEffect Effect;
};
constexpr Row Table[] = {
#define ENZYME_OPTION(NAME, FORM, EFFECT) {NAME, Form::FORM, EnzymeEffect::EFFECT},
#include "EnzymeOptions.def"
};
} // namespace

EnzymeOptions::EnzymeOptions(cl::OptionCategory &Category) {
  for (const Row &R : Table) {
    auto New = std::make_unique<cl::opt<std::string>>(
        StringRef(R.Name), cl::desc("An option of Enzyme's: see docs/migrating.md"), cl::Hidden,
        cl::cat(Category), R.Takes == Form::Switch ? cl::ValueOptional : cl::ValueRequired);
    All.push_back({std::move(New), R.Effect});
  }
}

void EnzymeOptions::apply(isozyme::Options &O) const {
  std::string Idle;
  for (const Option &Each : All) {
    if (!Each.Given->getNumOccurrences())
      continue;
    StringRef Value = Each.Given->getValue();
    bool On = Value.empty() || Value.equals_insensitive("true") || Value == "1";
    switch (Each.Effect) {
    case EnzymeEffect::Enable:
      O.Enabled = On;
      break;
    case EnzymeEffect::RuntimeActivity:
      O.RuntimeActivity = On;
      break;
    case EnzymeEffect::StrongZero:
      O.StrongZero = On;
      break;
    case EnzymeEffect::PrintPrepared:
    case EnzymeEffect::PrintTypes:
    case EnzymeEffect::PrintActivity:
    case EnzymeEffect::PrintPlan:
      if (On)
        O.PrintAfter = Each.Effect == EnzymeEffect::PrintPrepared ? "prepared"
                       : Each.Effect == EnzymeEffect::PrintTypes  ? "types"
                       : Each.Effect == EnzymeEffect::PrintPlan   ? "plan"
                                                                  : "activity";
      break;
    case EnzymeEffect::PrintFunction:
      O.PrintFunction = Value.str();
      break;
    case EnzymeEffect::Anyway:
      break;
    case EnzymeEffect::None:
      Idle += (Idle.empty() ? "-" : ", -") + Each.Given->ArgStr.str();
      break;
    }
  }
  if (!Idle.empty() && O.NoWarn != "all")
    std::fprintf(stderr,
                 "isozyme: remark: options of Enzyme's without effect here: %s; docs/migrating.md "
                 "says what to do instead\n",
                 Idle.c_str());
}
