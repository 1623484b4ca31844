//===- CallChain.cpp - From a culprit to the user's lines -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts an error and its notes in the order in which a user can follow them: from the
// culprit, by every call on the way, to the call that asks for the derivative. Of code
// of a library the user's own line that led there comes first, and what works instead.
//
// In: a DiffError.  Out: lines of a report.  Never: prints.
//
//===----------------------------------------------------------------------===//
#include "CallChain.h"
#include "isozyme/Support/DebugTypes.h"
#include "isozyme/Support/SymbolNames.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace isozyme {

std::string readable(const Twine &Raw) {
  std::string Text = Raw.str(), Result;
  StringRef Rest = Text;
  auto Next = [&] { return std::min(Rest.find("'_Z"), Rest.find("'_Q")); };
  for (size_t At = Next(); At != StringRef::npos; At = Next()) {
    size_t End = Rest.find('\'', At + 1);
    if (End == StringRef::npos)
      break;
    Result += Rest.take_front(At + 1).str() + nameInSource(Rest.slice(At + 1, End));
    Rest = Rest.drop_front(End);
  }
  return Result + Rest.str();
}

namespace {
/// A link before it is known which ones are shown.
struct Step {
  Place Where;
  std::string Text;
  bool OnlyCalls = false; ///< "called here", and nothing else.
};
} // namespace

static bool isInLibrary(const Place &Where) {
  const DILocation *Loc = Where.Loc ? userLocation(Where.Loc) : nullptr;
  if (Where.Variable)
    return false;
  return Loc ? isLibraryCode(*Loc) : isLibraryCode(*Where.Fn);
}

/// The linker's name of the function that a place is in.
static StringRef functionAt(const Place &Where) {
  const DILocation *Loc = Where.Loc ? userLocation(Where.Loc) : nullptr;
  const DISubprogram *Source = Loc ? Loc->getScope()->getSubprogram() : nullptr;
  if (!Source && Where.Fn->hasFnAttribute(LentBodyMark))
    return Where.Fn->getName().split('.').first; // Behind it is which copy it is.
  if (!Source)
    return Where.Fn->getName();
  return Source->getLinkageName().empty() ? Source->getName() : Source->getLinkageName();
}

/// Code that was inlined: the calls that it came by, innermost first.
static void addCallsOf(const Place &Where, SmallVectorImpl<Step> &Steps) {
  const DILocation *At = Where.Loc ? userLocation(Where.Loc) : nullptr;
  while (At && (At = userLocation(At->getInlinedAt()))) {
    const DISubprogram *Caller = At->getScope()->getSubprogram();
    Steps.push_back({Place(*Where.Fn, DebugLoc(At)),
                     ("called here, in '" + Caller->getName() + "'").str(), true});
  }
}

static SmallVector<Step, 8> stepsOf(const DiffError &E) {
  SmallVector<Step, 8> Steps = {{E.where(), E.text()}};
  Place Last = E.where();
  for (const DiffError::Note &N : E.notes()) {
    if (N.Where.Loc != Last.Loc) // What is said of one place stays together.
      addCallsOf(Last, Steps);
    Steps.push_back({N.Where, N.Text});
    Last = N.Where;
  }
  addCallsOf(Last, Steps);
  return Steps;
}

static bool isAboutTypes(DiagId Id) {
  return Id == DiagId::UnknownType || Id == DiagId::NoShadowMemory ||
         Id == DiagId::NoInstructionDerivative;
}

static bool isUnoptimised(const Function &F) {
  return F.hasOptNone() || F.hasFnAttribute(UnoptimisedMark);
}

/// The flags of the compiler that would tell more about types; empty if all are there.
static std::string flagsForTypes(DiagId Id, const Function &F) {
  bool UseG = Id == DiagId::UnknownType && !describesVariables(F);
  bool UseO1 = isUnoptimised(F);
  return UseG && UseO1 ? "-g or with -O1 or higher" : UseG ? "-g" : UseO1 ? "-O1 or higher" : "";
}

/// For the end of an advice.
static std::string moreAboutTypes(DiagId Id, const Function &F) {
  std::string Flags = Id == DiagId::UnknownType ? flagsForTypes(Id, F) : "";
  return Flags.empty() ? ""
                       : ", or compile with " + Flags + ", which tells Isozyme more about types";
}

/// What to do about a culprit in a library, by the functions on the way there.
static std::string libraryAdvice(DiagId Id, ArrayRef<Step> InLibrary, const Function &F) {
  struct Row {
    bool OftenByFlags;
    StringRef Advice;
    std::initializer_list<StringRef> Names;
  };
  static const Row Rows[] = {
#define IZ_LIBRARY_ADVICE(OFTEN_BY_FLAGS, ADVICE, ...) {OFTEN_BY_FLAGS, ADVICE, {__VA_ARGS__}},
#include "isozyme/Support/LibraryAdvice.def"
  };
  SmallVector<std::string, 8> Functions;
  for (const Step &S : InLibrary)
    Functions.push_back(demangle(functionAt(S.Where)));
  auto applies = [&](const Row &R) {
    return any_of(R.Names, [&](StringRef Name) {
      return any_of(Functions, [&](StringRef F) {
        return F.take_until([](char C) { return C == '('; }).contains(Name);
      });
    });
  };
  const Row *R = find_if(Rows, applies);
  bool IsForAll = is_contained(R->Names, StringRef());
  std::string Flags = R->OftenByFlags || IsForAll ? flagsForTypes(Id, F) : "";
  if (Flags.empty())
    return R->Advice.str();
  return "compile with " + Flags + (IsForAll ? "" : ", or " + R->Advice.str());
}

SmallVector<ChainLink, 8> callChain(const DiffError &E) {
  SmallVector<Step, 8> Steps = stepsOf(E);
  SmallVector<ChainLink, 8> Links;
  const Step *User = find_if(Steps, [](const Step &S) { return !isInLibrary(S.Where); });
  if (User == Steps.begin() || User == Steps.end()) {
    Links.push_back({E.where(), E.text(moreAboutTypes(E.id(), *E.where().Fn))});
    User = Steps.begin();
  } else {
    ArrayRef<Step> InLibrary(Steps.begin(), User);
    std::string Called = readable("'" + functionAt(InLibrary.back().Where) + "'");
    std::string Fix =
        isAboutTypes(E.id()) ? libraryAdvice(E.id(), InLibrary, *E.where().Fn) : E.fix();
    Links.push_back({User->Where, "in " + Called + ", which is called here: " + E.what() + "; " +
                                      Fix + " [" + diagnosticName(E.id()) + "]"});
    if (E.where().Loc ||
        !E.where().Fn->hasFnAttribute(LentBodyMark)) // Of which there is no source.
      Links.push_back({E.where(), "the code of the library that this is about"});
  }
  // Of the library's own calls there are many, which say nothing to the user.
  bool LedHere = User != Steps.begin();
  for (const Step &S : ArrayRef<Step>(Steps).drop_front()) {
    bool Hidden = isInLibrary(S.Where) ? LedHere || S.OnlyCalls : S.OnlyCalls && &S == User;
    if (!Hidden)
      Links.push_back({S.Where, S.Text});
  }
  return Links;
}

} // namespace isozyme
