//===- PlanFile.cpp - Plans as data: written, and overridden ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   { "version": 1,
//     "plans": [ { "function": "f", "request": "reverse(@f: ...) -> active, width 1",
//                  "keep": [ { "value": "%y primal", "line": 7, "decision": "cache",
//                              "choices": ["cache", "recompute"], ... }, ... ],
//                  "loops": [ { "loop": "%for", "line": 5, "decision": "both sweeps",
//                               "choices": ["both sweeps", "reverse only"], ... }, ... ],
//                  "stores": [ { "store": "%p in %end", "decision": "after the reverse sweep", ...
//                  "computed": [ { "value": "%s cos", "decision": "take", ...
//                  "shadows": [ { "shadow": "%c", "decision": "apart", ...
//                  "sums": [ { "sum": "%right", "decision": "carried", ...
//                  "skips": [ { "part": "loop %for", "decision": "unless zero", ...
//                  ... } ] }
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/PlanFile.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

constexpr int64_t Version = 1;

static json::Array choicesOf(const KeepDecision &D) {
  json::Array Choices;
  if (D.Again != KeepDecision::Available)
    Choices.push_back(wordFor(KeepDecision::Cache));
  if (D.Again != KeepDecision::Cache)
    Choices.push_back(wordFor(D.Again));
  return Choices;
}

static json::Array keptOf(const DerivativePlan &Plan, NeedNames &Names) {
  json::Array Kept;
  for (auto &[N, D] : Plan.Keep) {
    if (isa<Constant, Argument>(N.V))
      continue;
    json::Object Each{{"value", Names.nameOf(N)}, {"decision", wordFor(D.K)}};
    Each["choices"] = choicesOf(D);
    if (unsigned Line = NeedNames::lineOf(N.V))
      Each["line"] = Line;
    if (std::string Variable = Plan.P.sourceName(N.V); !Variable.empty())
      Each["variable"] = Variable;
    if (!D.Reason.empty())
      Each["reason"] = D.Reason;
    if (D.K == KeepDecision::Cache) {
      const TapeSlot &Slot = Plan.Tape.slots()[D.Slot];
      Each["size"] = Plan.Tape.sizeOf(Plan.P, Slot);
      if (!(Slot.Key == N))
        Each["shares the array of"] = Names.nameOf(Slot.Key.V);
      if (const Loop *Repeats = Plan.Tape.regions()[Slot.Region].Repeats)
        Each["shared by iterations of"] = Names.nameOf(Repeats->getHeader());
    }
    if (auto For = Plan.Needs.find(N); For != Plan.Needs.end() && For->second.At)
      Each["for"] = For->second.Role + Names.nameOf(For->second.At);
    Kept.push_back(std::move(Each));
  }
  return Kept;
}

static json::Array callsOf(const DerivativePlan &Plan, NeedNames &Names) {
  json::Array Calls;
  for (auto &[Call, What] : Plan.Calls) {
    std::string Kind;
    raw_string_ostream(Kind) << What.K;
    json::Object Each{{"does", Kind}};
    if (!Call->isInlineAsm())
      Each["callee"] = Names.nameOf(Call->getCalledOperand());
    if (unsigned Line = NeedNames::lineOf(Call))
      Each["line"] = Line;
    if (What.K == CallPlan::Differentiate)
      Each["request"] = What.Callee.str();
    else if (!What.Reason.empty())
      Each["reason"] = What.Reason;
    Calls.push_back(std::move(Each));
  }
  return Calls;
}

namespace {
/// A list of decisions between two things, and what they are called.
struct ChoiceList {
  StringLiteral Member, Name, First, Second, Expected;
  StringRef word(bool IsSecond) const { return IsSecond ? Second : First; }
  /// An entry of the list, with \p Choices of which there may be only the first.
  json::Object entry(std::string What, bool IsSecond, bool HasSecond = true) const {
    json::Array Choices{First};
    if (HasSecond)
      Choices.push_back(Second);
    return json::Object{
        {Name, std::move(What)}, {"decision", word(IsSecond)}, {"choices", std::move(Choices)}};
  }
};
constexpr ChoiceList Loops{"loops", "loop", "both sweeps", "reverse only",
                           "expected both sweeps or reverse only"};
constexpr ChoiceList Stores{"stores", "store", "in its place", "after the reverse sweep",
                            "expected in its place or after the reverse sweep"};
constexpr ChoiceList Computed{"computed", "value", "call", "take", "expected call or take"};
constexpr ChoiceList Shadows{"shadows", "shadow", "may overlap", "apart",
                             "expected may overlap or apart"};
constexpr ChoiceList Sums{"sums", "sum", "at once", "carried", "expected at once or carried"};
constexpr ChoiceList Skips{"skips", "part", "always", "unless zero",
                           "expected always or unless zero"};
} // namespace

static json::Array loopsOf(const DerivativePlan &Plan, NeedNames &Names) {
  json::Array List;
  for (const LoopChoice &C : reverse(Plan.Fused.choices())) {
    bool IsFused = Plan.Fused.find(C.L);
    std::string Reason = C.WhyNot            ? std::string("it is a loop ") + C.WhyNot
                         : C.ByFile          ? "as the file of plans says"
                         : IsFused           ? "its iterations are independent, and less is kept"
                         : C.isLeftForCost() ? "to keep what it needs costs little"
                                             : "nothing of it is kept";
    json::Object Each = Loops.entry(Names.nameOf(C.L->getHeader()), IsFused, !C.WhyNot);
    Each["reason"] = Reason;
    if (unsigned Line = NeedNames::lineOf(C.L))
      Each["line"] = Line;
    List.push_back(std::move(Each));
  }
  return List;
}

/// Adds to \p List the decision on \p V, which is called \p Name.
static void addChoice(json::Array &List, const ChoiceList &Of, std::string Name, const Value &V,
                      bool IsSecond) {
  json::Object Each = Of.entry(std::move(Name), IsSecond);
  if (unsigned Line = NeedNames::lineOf(&V))
    Each["line"] = Line;
  List.push_back(std::move(Each));
}

static json::Array storesOf(const DerivativePlan &Plan, NeedNames &Names) {
  json::Array List;
  for (const StoreInst *S : Plan.Late.stores())
    addChoice(List, Stores, nameOfStore(Names, *S), *S, true);
  for (const StoreInst *S : Plan.Late.inPlace())
    addChoice(List, Stores, nameOfStore(Names, *S), *S, false);
  return List;
}

static json::Array shadowsOf(const DerivativePlan &Plan, NeedNames &Names) {
  json::Array List;
  for (const ShadowScope &S : Plan.Scopes.scopes())
    if (S.Object)
      addChoice(List, Shadows, Names.nameOf(S.Object), *S.Object, true);
  for (const Value *Object : Plan.Scopes.left())
    addChoice(List, Shadows, Names.nameOf(Object), *Object, false);
  return List;
}

static json::Array sumsOf(const DerivativePlan &Plan, NeedNames &Names) {
  json::Array List;
  for (bool IsCarried : {true, false})
    for (const CarriedSum &Sum : IsCarried ? Plan.Carried.sums() : Plan.Carried.left())
      addChoice(List, Sums, Names.nameOf(Sum.furthestAhead()), *Sum.furthestAhead(), IsCarried);
  return List;
}

static json::Array computedOf(const DerivativePlan &Plan, NeedNames &Names) {
  json::Array List;
  for (auto &[I, Calls] : Plan.Steps.computed())
    for (const ComputedCall &C : Calls) {
      json::Object Each = Computed.entry(nameOfCall(Names, *I, C), C.IsTaken);
      Each["from"] = Names.nameOf(C.By);
      if (unsigned Line = NeedNames::lineOf(I))
        Each["line"] = Line;
      List.push_back(std::move(Each));
    }
  return List;
}

static json::Array skipsOf(const DerivativePlan &Plan, NeedNames &Names) {
  json::Array List;
  for (const ZeroSkip &Skip : Plan.Skips.skips()) {
    json::Object Each = Skips.entry(nameOfSkip(Names, Skip), Skip.IsTaken);
    json::Array Tested;
    for (const Instruction *V : Skip.Tested)
      Tested.push_back(Names.nameOf(V));
    Each["tested"] = std::move(Tested);
    Each["saves"] = Skip.Work;
    if (unsigned Line = NeedNames::lineOf(Skip.Tested.front()))
      Each["line"] = Line;
    List.push_back(std::move(Each));
  }
  return List;
}

void PlanFile::note(const DerivativePlan &Plan) {
  NeedNames Names(Plan.P);
  if (Noted.empty())
    First = Plan.Request.Fn->getName();
  Noted.push_back(json::Object{{"function", Plan.Request.Fn->getName()},
                               {"request", Plan.Request.str()},
                               {"keep", keptOf(Plan, Names)},
                               {"loops", loopsOf(Plan, Names)},
                               {"stores", storesOf(Plan, Names)},
                               {"computed", computedOf(Plan, Names)},
                               {"shadows", shadowsOf(Plan, Names)},
                               {"sums", sumsOf(Plan, Names)},
                               {"skips", skipsOf(Plan, Names)},
                               {"calls", callsOf(Plan, Names)},
                               {"releases at end", Plan.ReleasesAtEnd}});
}

Error PlanFile::write(StringRef Path) const {
  if (Path.empty() || Noted.empty())
    return Error::success();
  std::error_code Failed;
  raw_fd_ostream OS(Path, Failed, sys::fs::OF_Text);
  if (Failed)
    return createStringError(Failed,
                             "cannot write the plans to '" + Path + "': " + Failed.message());
  OS << formatv("{0:2}\n",
                json::Value(json::Object{{"version", Version}, {"plans", json::Array(Noted)}}));
  return Error::success();
}

static bool fromJSON(const json::Value &From, KeepDecision::Kind &K, json::Path At) {
  std::optional<StringRef> Word = From.getAsString();
  std::optional<KeepDecision::Kind> Known = Word ? keepKindFor(*Word) : std::nullopt;
  if (!Known)
    At.report("expected available, cache, recompute or reload");
  K = Known.value_or(KeepDecision::Available);
  return Known.has_value();
}

namespace {
/// The members of a plan file that decide something; the others are for readers.
struct WrittenDecision {
  std::string Value;
  KeepWish Wish;
};
template <const ChoiceList &List> struct WrittenChoice {
  std::string Name;
  ChoiceWish Wish;
};
struct WrittenPlan {
  std::string Function, Request;
  std::vector<WrittenDecision> Keep;
  std::vector<WrittenChoice<isozyme::Loops>> Loops;
  std::vector<WrittenChoice<isozyme::Stores>> Stores;
  std::vector<WrittenChoice<isozyme::Computed>> Computed;
  std::vector<WrittenChoice<isozyme::Shadows>> Shadows;
  std::vector<WrittenChoice<isozyme::Sums>> Sums;
  std::vector<WrittenChoice<isozyme::Skips>> Skips;
};
struct WrittenFile {
  int64_t Version = 0;
  std::vector<WrittenPlan> Plans;
};

bool fromJSON(const json::Value &From, WrittenDecision &D, json::Path At) {
  json::ObjectMapper Map(From, At);
  return Map && Map.map("value", D.Value) && Map.mapOptional("line", D.Wish.Line) &&
         Map.map("decision", D.Wish.K);
}

template <const ChoiceList &List>
bool fromJSON(const json::Value &From, WrittenChoice<List> &C, json::Path At) {
  json::ObjectMapper Map(From, At);
  std::string Word;
  if (!Map || !Map.map(List.Name, C.Name) || !Map.mapOptional("line", C.Wish.Line) ||
      !Map.map("decision", Word))
    return false;
  C.Wish.IsSecond = Word == List.Second;
  if (C.Wish.IsSecond || Word == List.First)
    return true;
  At.field("decision").report(List.Expected);
  return false;
}

bool fromJSON(const json::Value &From, WrittenPlan &Plan, json::Path At) {
  json::ObjectMapper Map(From, At);
  return Map && Map.map("function", Plan.Function) && Map.mapOptional("request", Plan.Request) &&
         Map.mapOptional("keep", Plan.Keep) && Map.mapOptional(Loops.Member, Plan.Loops) &&
         Map.mapOptional(Stores.Member, Plan.Stores) &&
         Map.mapOptional(Computed.Member, Plan.Computed) &&
         Map.mapOptional(Shadows.Member, Plan.Shadows) && Map.mapOptional(Sums.Member, Plan.Sums) &&
         Map.mapOptional(Skips.Member, Plan.Skips);
}

bool fromJSON(const json::Value &From, WrittenFile &File, json::Path At) {
  json::ObjectMapper Map(From, At);
  if (!Map || !Map.map("version", File.Version))
    return false;
  if (File.Version != Version) {
    At.field("version").report("expected 1: another version of Isozyme has written this");
    return false;
  }
  return Map.map("plans", File.Plans);
}
} // namespace

Expected<PlanFile> PlanFile::read(StringRef Path) {
  PlanFile File;
  if (Path.empty())
    return File;
  auto fail = [&](const Twine &Why) {
    return createStringError("cannot read the plans of '" + Path + "': " + Why);
  };
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Text)
    return fail(Text.getError().message());
  Expected<WrittenFile> Written = json::parse<WrittenFile>((*Text)->getBuffer(), "file");
  if (!Written)
    return fail(toString(Written.takeError()));
  for (const WrittenPlan &Plan : Written->Plans) {
    Entry &E = File.Entries[Plan.Request.empty() ? Plan.Function : Plan.Request];
    E.Function = Plan.Function;
    PlanWishes &Wishes = E.Wishes;
    for (const WrittenDecision &Each : Plan.Keep)
      Wishes.Keep[Each.Value] = Each.Wish;
    auto add = [](ChoiceWishes &To, const auto &List) {
      for (const auto &Each : List)
        To[Each.Name] = Each.Wish;
    };
    add(Wishes.Loops, Plan.Loops);
    add(Wishes.Stores, Plan.Stores);
    add(Wishes.Computed, Plan.Computed);
    add(Wishes.Shadows, Plan.Shadows);
    add(Wishes.Sums, Plan.Sums);
    add(Wishes.Skips, Plan.Skips);
  }
  return File;
}

const PlanWishes &PlanFile::wishesFor(const DiffRequest &R) {
  static const PlanWishes None;
  auto Found = Entries.end();
  for (const std::string &Key : {R.Fn->getName().str(), R.str()})
    if (auto It = Entries.find(Key); It != Entries.end()) {
      It->second.IsUsed = true;
      Found = It;
    }
  return Found == Entries.end() ? None : Found->second.Wishes;
}

void PlanFile::warnOfUnused(const Module &M) const {
  SmallVector<StringRef, 2> Unused;
  for (const auto &Each : Entries)
    if (!Each.second.IsUsed)
      Unused.push_back(Each.first());
  llvm::sort(Unused);
  // Other functions of the file may have been compiled with other modules.
  for (StringRef Key : Unused)
    if (const Function *F = M.getFunction(Entries.find(Key)->second.Function);
        F && !F->isDeclaration())
      warn(DiagId::WishRefused, Place(*F),
           "the file of plans has one for '" + Key + "', of which no reverse derivative is made");
  if (const Function *F = M.getFunction(First); F && Unused.size() == Entries.size())
    warn(DiagId::WishRefused, Place(*F),
         "the file of plans has none for '" + F->getName() +
             "', nor for another function that is differentiated here");
}

} // namespace isozyme
