//===- RequestText.cpp - Requests as text ---------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse of DiffRequest::print, and what makes a request canonical.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/RequestText.h"
#include "Reading/ArgumentTypes.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

namespace {
class RequestParser {
public:
  RequestParser(StringRef Text, Function &F) : Text(Text), Rest(Text), F(F) { R.Fn = &F; }
  Expected<DiffRequest> parse();

private:
  Error parseArgument(StringRef Item);
  Error parseReturn();
  Error parseGlobals(StringRef Names);
  Error fail(const Twine &What) const {
    return diffError(DiagId::BadActivity, Place(F), "in the request '" + Text + "': " + What,
                     "write it like 'reverse(dup, const) -> active, width 1'");
  }
  StringRef takeUntil(StringRef Stops) {
    size_t End = Rest.find_first_of(Stops);
    StringRef Item = Rest.take_front(End).trim();
    Rest = Rest.substr(std::min(End, Rest.size()));
    return Item;
  }

  StringRef Text, Rest;
  Function &F;
  DiffRequest R;
  SmallVector<ShadowCheck, 8> Checks;
};
} // namespace

static std::optional<ArgActivity> argActivity(StringRef Word) {
  return StringSwitch<std::optional<ArgActivity>>(Word)
      .Case("const", ArgActivity::Const)
      .Cases({"active", "out"}, ArgActivity::Active)
      .Case("dup", ArgActivity::Dup)
      .Case("dupnoneed", ArgActivity::DupNoNeed)
      .Default(std::nullopt);
}

Error RequestParser::parseArgument(StringRef Item) {
  unsigned Number = R.Args.size();
  auto [Word, Type] = Item.split(' ');
  ShadowCheck Check = Word.consume_back("?")   ? ShadowCheck::Skip
                      : Word.consume_back("!") ? ShadowCheck::Page
                                               : ShadowCheck::None;
  std::optional<ArgActivity> Activity = argActivity(Word);
  if (!Activity)
    return fail("'" + Word + "' is no activity of an argument");
  if (Number >= F.arg_size())
    return fail("more activities than parameters");
  Type = Type.trim();
  auto takes = [&](StringRef Word) {
    bool IsThere = Type.consume_back(Word);
    Type = Type.trim();
    return IsThere;
  };
  // From the last one on.
  bool Common = takes("common"), Unshared = takes("unshared"), Own = takes("own"),
       Steady = takes("steady"), Fresh = takes("fresh"), Apart = takes("apart"),
       Overwritten = takes("overwritten");
  std::string Expected;
  raw_string_ostream(Expected) << *F.getArg(Number)->getType();
  if (!Type.empty() && Type != Expected)
    return fail("parameter " + Twine(Number + 1) + " has type " + Expected);
  R.Args.push_back(*Activity);
  Checks.push_back(Check);
  if (R.isSplit())
    R.MayOverwrite.push_back(Overwritten || Type.empty());
  else if (Overwritten || Apart || Fresh || Steady || Own)
    return fail("'overwritten', 'apart', 'fresh', 'steady' and 'own' are for split derivatives");
  auto note = [&](SmallVectorImpl<bool> &Facts, bool IsSo) {
    if (!IsSo)
      return;
    Facts.resize(F.arg_size());
    Facts[Number] = true;
  };
  note(R.Apart, Apart);
  note(R.Fresh, Fresh);
  note(R.Steady, Steady);
  note(R.Own, Own);
  note(R.Unshared, Unshared);
  note(R.Common, Common);
  return Error::success();
}

Error RequestParser::parseGlobals(StringRef Names) {
  while (!Names.empty()) {
    StringRef Name;
    std::tie(Name, Names) = Names.split(' ');
    GlobalVariable *G = nullptr;
    if (Name.consume_front("@"))
      G = F.getParent()->getGlobalVariable(Name, /*AllowInternal=*/true);
    if (!G)
      return fail("'" + Name + "' is no global variable");
    R.Globals.push_back(G);
  }
  return Error::success();
}

Error RequestParser::parseReturn() {
  StringRef Word = takeUntil(",");
  std::optional<ArgActivity> Activity = argActivity(Word);
  if (!Activity || *Activity == ArgActivity::DupNoNeed)
    return fail("'" + Word + "' is no activity of a result");
  R.Return = *Activity == ArgActivity::Const    ? ReturnActivity::Const
             : *Activity == ArgActivity::Active ? ReturnActivity::Active
                                                : ReturnActivity::Dup;
  while (Rest.consume_front(",")) {
    StringRef Flag = takeUntil(",");
    if (Flag == "primal")
      R.ReturnPrimal = true;
    else if (Flag == "tape outlives" && R.isReverse())
      R.TapeOutlives = true;
    else if (Flag.consume_front("level ") && !Flag.getAsInteger(10, R.Level))
      continue;
    else if (Flag.consume_front("globals ")) {
      if (Error E = parseGlobals(Flag))
        return E;
    } else if (Flag == "keep" && R.isSplit())
      R.MayOverwrite.assign(R.Args.size(), false);
    else if (!Flag.consume_front("width ") || Flag.trim().getAsInteger(10, R.Width) || !R.Width)
      return fail("'" + Flag +
                  "' is neither 'primal', 'width N', 'keep', 'tape outlives' nor 'globals @g'");
  }
  return Error::success();
}

Expected<DiffRequest> RequestParser::parse() {
  StringRef Mode = takeUntil("(");
  auto Known = StringSwitch<std::optional<DiffMode>>(Mode)
                   .Case("forward", DiffMode::Forward)
                   .Case("dependence", DiffMode::Forward)
                   .Case("reverse", DiffMode::Reverse)
                   .Case("augment", DiffMode::Augment)
                   .Case("fromtape", DiffMode::FromTape)
                   .Default(std::nullopt);
  if (!Known || !Rest.consume_front("("))
    return fail("'" + Mode + "' is no mode");
  R.Mode = *Known;
  R.Dependence = Mode == "dependence";
  Rest = Rest.ltrim();
  if (Rest.consume_front("@")) {
    if (!Rest.consume_front(F.getName()) || !Rest.consume_front(":"))
      return fail("it names another function");
    Rest = Rest.ltrim();
  }
  // Types of vectors and structs have commas and parentheses of their own.
  while (!Rest.consume_front(")")) {
    unsigned Open = 0;
    size_t End = 0;
    for (; End < Rest.size(); ++End) {
      char C = Rest[End];
      if (!Open && (C == ',' || C == ')'))
        break;
      Open += StringRef("({[<").contains(C);
      Open -= Open && StringRef(")}]>").contains(C);
    }
    if (End == Rest.size())
      return fail("')' is missing");
    if (Error E = parseArgument(Rest.take_front(End).trim()))
      return E;
    Rest = Rest.drop_front(End);
    if (Rest.consume_front(","))
      Rest = Rest.ltrim();
  }
  if (R.Args.size() != F.arg_size())
    return fail("fewer activities than parameters");
  for (unsigned I = 0; I < Checks.size(); ++I)
    R.setCheck(I, Checks[I]);
  Rest = Rest.ltrim();
  if (!Rest.consume_front("->"))
    return fail("'->' is missing");
  if (Error E = parseReturn())
    return E;
  std::string Why;
  raw_string_ostream OS(Why);
  if (verifyRequest(R, &OS))
    return fail(StringRef(Why).trim());
  return R;
}

Expected<DiffRequest> parseRequest(StringRef Text, Function &F) {
  return RequestParser(Text, F).parse();
}

/// What is wrong with the activity of parameter \p I; empty if nothing is.
static std::string brokenArgument(const DiffRequest &R, unsigned I) {
  Type *Ty = R.Fn->getArg(I)->getType();
  bool Floats = isFloatLike(Ty), Pointers = containsPointer(Ty);
  switch (R.Args[I]) {
  case ArgActivity::Const:
    return "";
  case ArgActivity::Active:
    if (!R.isReverse())
      return "is active in forward mode";
    return Floats && !Pointers ? "" : "is active, but not made of floats";
  case ArgActivity::DupNoNeed:
    if (!R.isReverse() && !Pointers)
      return "is dupnoneed in forward mode, but leads to no memory: that is dup";
    [[fallthrough]];
  case ArgActivity::Dup:
    if (!Floats && !Pointers)
      return "has a shadow, but carries no derivative";
    return R.isReverse() && !Pointers ? "is a float with a shadow in reverse mode" : "";
  }
  llvm_unreachable("complete switch");
}

static std::string brokenReturn(const DiffRequest &R) {
  Type *Ty = R.Fn->getReturnType();
  bool Floats = isFloatLike(Ty), Pointers = containsPointer(Ty);
  if (R.ReturnPrimal && Ty->isVoidTy())
    return "the primal result of a void function is asked for";
  switch (R.Return) {
  case ReturnActivity::Const:
    return "";
  case ReturnActivity::Active:
    return R.isReverse() && Floats && !Pointers ? "" : "the result cannot be active";
  case ReturnActivity::Dup:
    return Pointers || (!R.isReverse() && Floats) ? "" : "the result cannot have a shadow";
  }
  llvm_unreachable("complete switch");
}

bool verifyRequest(const DiffRequest &R, raw_ostream *OS) {
  auto broken = [&](const Twine &Why) {
    if (OS)
      *OS << Why << '\n';
    return true;
  };
  if (!R.Fn)
    return broken("no function");
  if (R.Args.size() != R.Fn->arg_size())
    return broken("not one activity for each parameter");
  if (R.Width < 1 || R.Width > 16)
    return broken("width is not between 1 and 16");
  if (R.MayOverwrite.size() != (R.isSplit() ? R.Args.size() : 0))
    return broken("overwritten arguments are said of split derivatives, and of all arguments");
  for (const auto &Said : {R.Apart, R.Fresh, R.Steady, R.Own})
    if (!Said.empty() &&
        (!R.isSplit() || Said.size() != R.Args.size() || !is_contained(Said, true)))
      return broken("arguments are apart, fresh, steady or own in split derivatives, and it is "
                    "said where any is");
  if (!R.Unshared.empty() && (!R.isReverse() || R.Unshared.size() != R.Args.size()))
    return broken("shadows are unshared in reverse mode, and it is said of all arguments");
  if (!R.Common.empty() && (R.Mode != DiffMode::Reverse || R.Common.size() != R.Args.size()))
    return broken("arguments are common in combined derivatives, and it is said of all arguments");
  if (R.Dependence && R.isReverse())
    return broken("masks go forward");
  if (R.KeepTape && R.Mode != DiffMode::FromTape)
    return broken("only what uses a tape may keep it");
  if (R.TapeOutlives && !R.isReverse())
    return broken("derivatives in forward mode have no tape");
  auto ByName = [](const GlobalVariable *A, const GlobalVariable *B) {
    return A->getName() < B->getName();
  };
  if (!is_sorted(R.Globals, ByName) || adjacent_find(R.Globals) != R.Globals.end())
    return broken("global variables are not sorted by name");
  if (!R.Checks.empty() && (R.Checks.size() != R.Args.size() ||
                            all_of(R.Checks, [](ShadowCheck C) { return C == ShadowCheck::None; })))
    return broken("checks are said of all arguments, or of none");
  for (unsigned I = 0; I < R.Args.size(); ++I)
    if (R.checkOf(I) != ShadowCheck::None && !R.hasShadow(I))
      return broken("parameter " + Twine(I + 1) + " is checked, but has no shadow");
  for (unsigned I = 0; I < R.Args.size(); ++I)
    if (std::string Why = brokenArgument(R, I); !Why.empty())
      return broken("parameter " + Twine(I + 1) + " " + Why);
  if (std::string Why = brokenReturn(R); !Why.empty())
    return broken(Why);
  return false;
}

} // namespace isozyme
