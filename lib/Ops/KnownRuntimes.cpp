//===- KnownRuntimes.cpp - Libraries that compute out of sight ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/KnownRuntimes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/GlobPattern.h"

using namespace llvm;

namespace isozyme {

namespace {
enum RuntimeId {
#define IZ_RUNTIME(ID, NAME, ADVICE) ID,
#include "isozyme/Ops/KnownRuntimes.def"
};

constexpr KnownRuntime Runtimes[] = {
#define IZ_RUNTIME(ID, NAME, ADVICE) {NAME, ADVICE},
#include "isozyme/Ops/KnownRuntimes.def"
};

struct RuntimeNames {
  RuntimeId Id;
  ArrayRef<StringLiteral> Patterns;
};
} // namespace

#define IZ_RUNTIME_NAMES(ID, ...) static constexpr StringLiteral ID##Names[] = {__VA_ARGS__};
#include "isozyme/Ops/KnownRuntimes.def"

static const RuntimeNames Names[] = {
#define IZ_RUNTIME_NAMES(ID, ...) {ID, ID##Names},
#include "isozyme/Ops/KnownRuntimes.def"
};

static bool matches(StringRef Pattern, StringRef Symbol) {
  if (Pattern.find_first_of("[{*") == StringRef::npos)
    return Symbol.starts_with(Pattern);
  constexpr size_t MostAlternatives = 1024;
  Expected<GlobPattern> Glob = GlobPattern::create(Pattern, MostAlternatives);
  if (Glob)
    return Glob->match(Symbol);
  consumeError(Glob.takeError());
  return false;
}

const KnownRuntime *knownRuntime(StringRef Symbol) {
  for (const RuntimeNames &N : Names)
    if (any_of(N.Patterns, [&](StringRef Pattern) { return matches(Pattern, Symbol); }))
      return &Runtimes[N.Id];
  return nullptr;
}

bool runsProgram(const Function &F) {
  if (!F.isDeclaration() || F.isIntrinsic())
    return false;
  static constexpr StringLiteral Prefixes[] = {
#define IZ_RUNS_PROGRAM(PREFIX) PREFIX,
#include "isozyme/Ops/KnownRuntimes.def"
  };
  return any_of(Prefixes, [&](StringRef P) { return F.getName().starts_with(P); });
}

/// What gives the variable that is its first argument the type that the second tells.
static constexpr StringLiteral DynamicTypes[] = {"_FortranAAllocatableApplyMold",
                                                 "_FortranAAllocatableDeallocatePolymorphic",
                                                 "_FortranAAllocatableInitDerivedForAllocate",
                                                 "_FortranAAssignPolymorphic",
                                                 "_FortranAPointerApplyMold",
                                                 "_FortranAPointerDeallocatePolymorphic",
                                                 "_FortranAPointerNullifyDerived"};

bool setsDynamicType(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && any_of(DynamicTypes, [&](StringRef Name) {
           return Callee->getName() == Name || Callee->getName().starts_with((Name + ".").str());
         });
}

} // namespace isozyme
