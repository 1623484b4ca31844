//===- EnzymeOptions.cpp - Options of another tool ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EnzymeOptions.h"
#include <cstdio>
#include <cstdlib>

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

/// What LLVM would say of an option that nobody knows, and the end. Where options are taken by
/// UnknownEnzymeParser, LLVM takes all of them to be known.
[[noreturn]] static void refuseUnknown(StringRef Word) {
  StringRef Name = Word.ltrim('-').split('=').first;
  StringRef Nearest;
  unsigned Best = std::min<unsigned>(4, Name.size());
  for (const auto &Known : cl::getRegisteredOptions())
    if (unsigned Distance = Name.edit_distance(Known.first, true, Best); Distance < Best) {
      Best = Distance;
      Nearest = Known.first;
    }
  std::fprintf(stderr, "LLVM option parsing: Unknown command line argument '%s'%s%s%s\n",
               Word.str().c_str(), Nearest.empty() ? "" : "; did you mean '-",
               Nearest.str().c_str(), Nearest.empty() ? "" : "'?");
  std::exit(1);
}

bool UnknownEnzymeParser::parse(cl::Option &, StringRef, StringRef Word, std::string &Value) {
  StringRef Name = Word.ltrim('-').split('=').first;
  if (!Name.starts_with("enzyme-") && !Name.starts_with("enzyme_"))
    refuseUnknown(Word);
  Value = Name.str();
  return false;
}

EnzymeOptions::EnzymeOptions(cl::OptionCategory &Category)
    : Unknown(cl::Sink, cl::Hidden, cl::cat(Category)) {
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
  for (const std::string &Name : Unknown)
    Idle += (Idle.empty() ? "-" : ", -") + Name;
  if (!Idle.empty() && O.NoWarn != "all")
    std::fprintf(stderr,
                 "isozyme: remark: options of Enzyme's without effect here: %s; docs/migrating.md "
                 "says what to do instead\n",
                 Idle.c_str());
}
