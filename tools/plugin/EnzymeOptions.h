//===- EnzymeOptions.h - Options of another tool -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build systems that were written for Enzyme pass its options. All are taken; what they
// do here is in EnzymeOptions.def.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_PLUGIN_ENZYMEOPTIONS_H
#define ISOZYME_TOOLS_PLUGIN_ENZYMEOPTIONS_H

#include "isozyme/Support/Options.h"
#include "llvm/Support/CommandLine.h"
#include <memory>
#include <vector>

/// What an option does here.
enum class EnzymeEffect {
  Enable,
  RuntimeActivity,
  StrongZero,
  PrintPrepared,
  PrintTypes,
  PrintActivity,
  PrintPlan,
  PrintFunction,
  Anyway, ///< Nothing: Isozyme does by itself what is asked for.
  None    ///< Nothing, which a remark says.
};

/// Takes options of Enzyme's that are not in the list: those of other releases.
struct UnknownEnzymeParser : llvm::cl::parser<std::string> {
  using parser::parser;
  bool parse(llvm::cl::Option &O, llvm::StringRef, llvm::StringRef Word, std::string &Value);
};

class EnzymeOptions {
public:
  /// Registers all of them.
  explicit EnzymeOptions(llvm::cl::OptionCategory &Category);
  /// Carries over into \p O what was given; what has no effect is said once.
  void apply(isozyme::Options &O) const;

private:
  struct Option {
    std::unique_ptr<llvm::cl::opt<std::string>> Given;
    EnzymeEffect Effect;
  };
  std::vector<Option> All;
  llvm::cl::list<std::string, bool, UnknownEnzymeParser> Unknown;
};

#endif
