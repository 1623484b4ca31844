//===- Derivatives.cpp - Every derivative of a module, once ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a request.  Out: a filled function, or the first error.
// Functions are declared before they are filled, so recursion ends; the halves
// of a recursive function pass their tape boxed, since its type is not known yet; so do
// those whose plan says that it has many members.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Activity/ActivityAnalysis.h"
#include "isozyme/Cleanup/Cleanup.h"
#include "isozyme/Driver/TypedFunction.h"
#include "isozyme/Emit/CustomRules.h"
#include "isozyme/Emit/ForwardEmitter.h"
#include "isozyme/Emit/GlobalSetup.h"
#include "isozyme/Explain/Explainer.h"
#include "isozyme/Needs/FreshMemory.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Plan/PlanFile.h"
#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Requests/RequestText.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Types/TypeAnalysis.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace isozyme {

/// -isozyme-print-after: where debug output goes, like -print-after of LLVM.
template <typename T> static void printAfter(StringRef Stage, const T &Result) {
  if (options().PrintAfter == Stage)
    Result.print(dbgs());
}

/// -isozyme-verify-each: \p IsBroken writes why.
static Error verifyStage(const Function &F, const Twine &What,
                         function_ref<bool(raw_ostream &)> IsBroken) {
  std::string Why;
  raw_string_ostream OS(Why);
  if (!options().VerifyEach || !IsBroken(OS))
    return Error::success();
  return diffError(DiagId::InternalError, Place(F), What + ": " + Why,
                   "please report it with this program");
}

Expected<Derivatives::Source *> Derivatives::source(Function &F) {
  std::unique_ptr<Source> &S = Sources[&F];
  if (S)
    return S.get();
  Expected<TypedFunction> Typed = prepareWithTypes(F, FAM, Types);
  if (!Typed) {
    Sources.erase(&F);
    return Typed.takeError();
  }
  auto New = std::make_unique<Source>();
  New->P = std::move(Typed->P);
  New->Types = std::move(Typed->Types);
  if (Error E = verifyStage(F, "prepared code is not legal",
                            [&](raw_ostream &OS) { return verifyPrepared(*New->P, &OS); }))
    return std::move(E);
  printAfter("prepared", *New->P);
  printAfter("types", *New->Types);
  if (Error E = verifyStage(F, "the types contradict each other",
                            [&](raw_ostream &OS) { return New->Types->verify(OS); }))
    return std::move(E);
  Sources[&F] = std::move(New);
  return Sources[&F].get();
}

/// Where a call may lead to a function of a file that the linker adds, what is known here is
/// not enough.
static Error checkKnownTargets(const PreparedFunction &P, const CallPlanSet &Calls) {
  for (auto &[Call, Plan] : Calls)
    if (Plan.K == CallPlan::Stop)
      return diffError(DiagId::IndirectCall, P.placeOf(Call),
                       "this call may lead to a function of another file", "see it when linking");
  return Error::success();
}

/// A loop that the user has marked is run in parts, or there is no derivative. What runs the
/// parts has none.
static Error checkCheckpoints(const PreparedFunction &P, const DiffRequest &R) {
  for (const Instruction &I : instructions(P.function())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && R.isReverse() && isCheckpointCall(*Call))
      return diffError(DiagId::NoCheckpoints, P.placeOf(Call),
                       "the loop with 'isozyme_checkpoint' cannot be run in parts: " +
                           Call->getFnAttr(marking::NotCheckpointed).getValueAsString(),
                       "change the loop, or take the call out");
    if (Call && runsParts(*Call))
      return diffError(DiagId::NoCheckpoints, P.placeOf(Call),
                       "a derivative that runs a loop in parts is differentiated again",
                       "take the call of 'isozyme_checkpoint' out of the loop");
  }
  return Error::success();
}

Expected<Derivatives::Analysis> Derivatives::analyze(const DiffRequest &R) {
  if (Error E = verifyStage(*R.Fn, "the request is not canonical",
                            [&](raw_ostream &OS) { return verifyRequest(R, &OS); }))
    return std::move(E);
  Expected<Source *> S = source(*R.Fn);
  if (!S)
    return S.takeError();
  TimeTraceScope Time("isozyme-activity", R.Fn->getName());
  const PreparedFunction &P = *(*S)->P;
  if (Error E = checkCheckpoints(P, R))
    return std::move(E);
  Expected<ActivityResult> Activity = analyzeActivity(P, *(*S)->Types, R);
  if (!Activity)
    return Activity.takeError();
  printAfter("activity", *Activity);
  if (Error E = verifyStage(*R.Fn, "the activity is not sound",
                            [&](raw_ostream &OS) { return Activity->verify(OS); }))
    return std::move(E);
  if (!IsQuiet) {
    for (const auto &W : Activity->warnings())
      warn(W.Id, W.Where, W.Text);
    Watched.note(P, *Activity, findWatches(P, *Activity));
  }
  if (Explain)
    Explain->noteActivity(R, P, *(*S)->Types, *Activity);
  UnreadMemory Unread(P, R.Args);
  Expected<CallPlanSet> Calls = planCalls(P, *(*S)->Types, *Activity, R, Unread, Effects);
  if (!Calls)
    return Calls.takeError();
  if (BeforeLink)
    if (Error E = checkKnownTargets(P, *Calls))
      return std::move(E);
  LateStores Late;
  std::unique_ptr<MemoryAvailability> Memory;
  if (R.isReverse()) {
    std::optional<NeedNames> Names;
    const ChoiceWishes *Wishes = Plans ? &Plans->wishesFor(R).Stores : nullptr;
    Late = LateStores(P, R, *Activity, *Calls, Unread, [&](const StoreInst &S) {
      if (!Wishes || Wishes->empty())
        return false;
      return wishesFirst(*Wishes, nameOfStore(Names ? *Names : Names.emplace(P), S),
                         NeedNames::lineOf(&S));
    });
    Memory = std::make_unique<MemoryAvailability>(P, R, *Calls, Unread, Late, Effects);
    refineOverwrites(*Memory, *Calls);
    noteFreshArguments(FreshMemory(*(*S)->Types, R, P.libraryInfo()), Effects, *Calls);
  }
  return Analysis{&P,
                  &*(*S)->Types,
                  std::move(*Activity),
                  std::move(*Calls),
                  std::move(Unread),
                  std::move(Late),
                  std::move(Memory)};
}

/// "called here, in 'f', where 'y' depends on ...": what the callee's error is about.
static Error withCall(Error E, const PreparedFunction &P, const ActivityResult &Activity,
                      const CallBase &Call, const DiffRequest &Callee) {
  std::string Text = "called here, in '" + P.original().getName().str() + "'";
  const Value *Why = nullptr;
  std::string What;
  for (unsigned Arg = 0; Arg < Callee.Args.size() && !Why; ++Arg)
    if (Callee.Args[Arg] != ArgActivity::Const) {
      Why = Call.getArgOperand(Arg);
      What = "argument " + std::to_string(Arg + 1);
    }
  if (!Why && !Callee.Globals.empty()) {
    Why = Callee.Globals.front();
    What = "global variable '" + Why->getName().str() + "'";
  }
  if (Why)
    Text += ", where " + What + " " + Activity.whyActive(P, Why);
  return withNote(std::move(E), P.placeOf(&Call), Text);
}

Error Derivatives::deriveCallees(const Analysis &A) {
  for (auto &[Call, Plan] : A.Calls) {
    if (Plan.K != CallPlan::Differentiate)
      continue;
    Error E = Plan.Callee.isReverse() ? derivePair(Plan.Callee) : derive(Plan.Callee).takeError();
    if (E)
      return withCall(std::move(E), *A.P, A.Activity, *Call, Plan.Callee);
  }
  return Error::success();
}

/// `f`, mode and width in the name: `reverse.f`, `forward4.f`, `augment.f`.
Function *Derivatives::declare(const DiffRequest &R, Type *Tape) {
  std::string Name;
  raw_string_ostream OS(Name);
  if (R.Dependence)
    OS << "dependence";
  else
    OS << (R.Mode == DiffMode::FromTape ? DiffMode::Reverse : R.Mode);
  if (R.Mode == DiffMode::FromTape)
    OS << ".from.tape";
  if (R.Width > 1)
    OS << R.Width;
  OS << '.' << R.Fn->getName();
  auto *F = Function::Create(derivativeType(R, Tape), GlobalValue::InternalLinkage, Name, M);
  for (Attribute A : R.Fn->getAttributes().getFnAttrs())
    if (A.isStringAttribute() && !isAboutTheFunction(A.getKindAsString()))
      F->addFnAttr(A);
  F->addFnAttr(marking::Synthesised);
  F->setSubprogram(nullptr);
  Created.push_back(F);
  return F;
}

Error Derivatives::verify(const Function &F, const Function &Of, StringRef Stage) {
  // Told at the function that it is of: what has errors is erased.
  return verifyStage(Of, "invalid code after " + Stage,
                     [&](raw_ostream &OS) { return verifyFunction(F, &OS); });
}

void Derivatives::noteGlobals(const DiffRequest &R, const Analysis &A) {
  GlobalUse &Use = GlobalUses.emplace_back();
  Use.Request = R;
  append_range(Use.Own, A.Activity.globals());
  for (auto &[Call, Plan] : A.Calls)
    if (Plan.K == CallPlan::Differentiate && !is_contained(Use.Callees, Plan.Callee))
      Use.Callees.push_back(Plan.Callee);
}

/// The variables whose shadows the derivative \p R uses, itself or by calls, and
/// which its caller knows nothing of.
SmallVector<GlobalVariable *, 4> Derivatives::touchedGlobals(const DiffRequest &R) const {
  SmallVector<GlobalVariable *, 4> Touched;
  if (all_of(GlobalUses, [](const GlobalUse &Use) { return Use.Own.empty(); }))
    return Touched;
  SmallVector<DiffRequest, 8> Reached{R};
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    for (const GlobalUse &Use : GlobalUses) {
      if (!(Use.Request == Reached[Next]))
        continue;
      for (GlobalVariable *G : Use.Own)
        if (!is_contained(Touched, G) && !is_contained(R.Globals, G))
          Touched.push_back(G);
      for (const DiffRequest &Callee : Use.Callees)
        if (!is_contained(Reached, Callee))
          Reached.push_back(Callee);
    }
  llvm::sort(Touched, [](const GlobalVariable *A, const GlobalVariable *B) {
    return A->getName() < B->getName();
  });
  return Touched;
}

/// A derivative that the user asked for starts with zero in the shadows of globals. It
/// may be one that others call as well: the start is a function around it.
Function *Derivatives::withStart(Function &F, const DiffRequest &R) {
  DiffRequest Key = R.Mode == DiffMode::FromTape ? R.inMode(DiffMode::Augment) : R;
  SmallVector<GlobalVariable *, 4> Globals = touchedGlobals(Key);
  if (Globals.empty())
    return &F;
  Function *&Start = Starts[&F];
  if (!Start) {
    Start = emitGlobalStart(F, Globals, R.Width, R.Level);
    Created.push_back(Start);
  }
  return Start;
}

Expected<Function *> Derivatives::derive(const DiffRequest &R) {
  for (const Single &S : Singles)
    if (S.Request == R)
      return S.Fn;
  Function *Shell = declare(R, nullptr);
  Singles.push_back({R, Shell});
  if (Error E = fill(*Shell, R))
    return std::move(E);
  return Shell;
}

/// Does a derivative with these calls, or one that it calls, put off releases of memory?
bool Derivatives::putsOffReleases(const CallPlanSet &Calls) {
  SmallVector<const CallPlanSet *, 8> Reached{&Calls};
  SmallPtrSet<Pair *, 8> Seen;
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    for (auto &[Call, Plan] : *Reached[Next]) {
      if (Plan.K == CallPlan::Free)
        return true;
      Pair *Callee = Plan.K == CallPlan::Differentiate ? findPair(Plan.Callee) : nullptr;
      if (Callee && Callee->Plan && Seen.insert(Callee).second)
        Reached.push_back(&Callee->Plan->Calls);
    }
  return false;
}

/// Does a derivative with this plan, or one that it calls, leave blocks of tape in memory of
/// the thread when an exception or longjmp leaves it?
bool Derivatives::marksMemory(const DerivativePlan &Plan) {
  SmallVector<const DerivativePlan *, 8> Reached{&Plan};
  SmallPtrSet<Pair *, 8> Seen;
  bool HasBlocks = false, IsLeft = false;
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    const DerivativePlan &Here = *Reached[Next];
    HasBlocks |= Here.Tape.memory() == TapeMemory::Thread &&
                 (Here.Request.isSplit() || Here.Tape.regions().size() > 1 ||
                  any_of(Here.Steps.steps(), [](auto &S) { return S.second.OnTape; }));
    IsLeft |= mayBeLeft(Here.P, Here.Calls);
    for (auto &[Call, Called] : Here.Calls) {
      Pair *Callee = Called.K == CallPlan::Differentiate ? findPair(Called.Callee) : nullptr;
      if (!Callee || !Seen.insert(Callee).second)
        continue;
      if (Callee->Plan)
        Reached.push_back(Callee->Plan.get());
      else // By functions of the user.
        IsLeft = true;
    }
  }
  return HasBlocks && IsLeft;
}

Error Derivatives::finish(Function &F, const Function &Of) {
  if (Error E = verify(F, Of, "emission"))
    return E;
  cleanUp(F, FAM.getResult<TargetLibraryAnalysis>(F));
  return verify(F, Of, "clean-up");
}

/// By the functions that the user has registered.
Error Derivatives::fillByRule(Function &Shell, const DiffRequest &R) {
  if (!R.isReverse()) {
    Expected<RuleShape> S = readForwardRule(R);
    if (!S)
      return S.takeError();
    emitCustomForward(Shell, R, *S);
    return finish(Shell, *R.Fn);
  }
  DiffRequest Key = R.inMode(DiffMode::Augment);
  Key.ReturnPrimal = false;
  Key.MayOverwrite.assign(R.Args.size(), true);
  if (Error E = derivePair(Key))
    return E;
  emitCombined(Shell, R, findPair(Key)->Functions);
  return finish(Shell, *R.Fn);
}

Error Derivatives::fill(Function &Shell, const DiffRequest &R) {
  if (hasCustomRule(R))
    return fillByRule(Shell, R);
  if (R.Fn->isDeclaration())
    return diffError(DiagId::NoDerivative, Place(*R.Fn),
                     "'" + R.Fn->getName() +
                         "', which has no body here, has a registered derivative "
                         "from a tape only",
                     "register one with __enzyme_register_derivative_" + R.Fn->getName());
  Expected<Analysis> A = analyze(R);
  if (!A)
    return A.takeError();
  if (Error E = deriveCallees(*A))
    return E;
  noteGlobals(R, *A);
  TimeTraceScope Time("isozyme-emit", Shell.getName());
  if (!R.isReverse()) {
    auto Lookup = [&](const DiffRequest &Callee) { return cantFail(derive(Callee)); };
    Expected<std::unique_ptr<ForwardPlan>> Plan = forwardPlanFrom(R, *A, /*IsReplay=*/false);
    if (!Plan)
      return Plan.takeError();
    if (Explain)
      Explain->notePlan(**Plan, *A->Types, A->Activity);
    if (Error E = emitForward(Shell, **Plan, Lookup))
      return E;
  } else {
    Expected<std::unique_ptr<DerivativePlan>> Plan = planFrom(R, *A);
    if (!Plan)
      return Plan.takeError();
    if (Cutting && R == Cutting->partRequest())
      noteTape(*Cutting, **Plan);
    if (Explain)
      Explain->notePlan(**Plan, *A->Types, A->Activity);
    bool HasVersions = (*Plan)->Versions && (*Plan)->Versions->Apart;
    if (Error E = HasVersions ? emitVersions(Shell, **Plan) : emitCounted(Shell, **Plan))
      return E;
    remarkPlan(**Plan);
    if (HasVersions)
      dropVersions(**Plan);
  }
  Error E = finish(Shell, *R.Fn);
  if (Explain && !E)
    Explain->noteDerivative(R, Shell);
  return E;
}

Derivatives::Pair *Derivatives::findPair(const DiffRequest &R) {
  for (std::unique_ptr<Pair> &P : Pairs)
    if (P->Request == R)
      return P.get();
  return nullptr;
}

/// Can \p F, by direct calls of functions with a body, call itself? A call of a function
/// with a form of its own becomes one of the form when the caller is prepared.
bool Derivatives::mayReachItself(Function &F) {
  SetVector<Function *> Reached;
  Reached.insert(&F);
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    for (Instruction &I : instructions(*Reached[Next]))
      for (Value *Operand : I.operands())
        if (auto *G = dyn_cast<Function>(Operand->stripPointerCasts())) {
          if (G == &F || mixedFormOf(*G) == &F)
            return true;
          if (!G->isDeclaration())
            Reached.insert(G);
        }
  return false;
}

CalleeReads Derivatives::readsOf(const CallPlan &C) {
  Pair *Callee = findPair(C.Callee);
  CalleeReads Reads;
  if (Callee->Plan) {
    Reads = Callee->Plan->Reads;
  } else {
    Reads.Primal.resize(C.Callee.Args.size(), true);
    Reads.Shadow.resize(C.Callee.Args.size(), true);
  }
  Reads.HasTape = Callee->Functions.Tape != nullptr;
  return Reads;
}

Expected<std::unique_ptr<DerivativePlan>> Derivatives::planFrom(const DiffRequest &R, Analysis &A) {
  TimeTraceScope Time("isozyme-plan", R.Fn->getName());
  Expected<std::unique_ptr<DerivativePlan>> Plan = planReverse(
      *A.P, R, *A.Types, A.Activity, std::move(A.Calls), std::move(A.Unread), std::move(A.Late),
      *A.Memory, [&](const CallPlan &C) { return readsOf(C); },
      [&](const CallPlan &C) { return findPair(C.Callee)->Functions.Tape; },
      Plans ? Plans->wishesFor(R) : PlanWishes());
  if (!Plan)
    return Plan;
  for (const RefusedWish &Each : (*Plan)->Refused)
    warn(DiagId::WishRefused, Place(*R.Fn, Each.Loc),
         "the file of plans asks for '" + Each.Value + "' in another way, but " + Each.Why);
  if (!IsQuiet)
    remarkChecks(*A.P, (*Plan)->Steps);
  (*Plan)->ReleasesAtEnd = !R.isSplit() && putsOffReleases((*Plan)->Calls);
  (*Plan)->MarksMemory = !R.isSplit() && marksMemory(**Plan);
  if (Plans)
    Plans->note(**Plan);
  planVersions(**Plan, A);
  printAfter("plan", **Plan);
  if (Error E = verifyStage(*R.Fn, "the plan is not sound",
                            [&](raw_ostream &OS) { return verifyPlan(**Plan, &OS); }))
    return std::move(E);
  return Plan;
}

Expected<std::unique_ptr<ForwardPlan>>
Derivatives::forwardPlanFrom(const DiffRequest &R, const Analysis &A, bool IsReplay) {
  TimeTraceScope Time("isozyme-plan", R.Fn->getName());
  Expected<std::unique_ptr<ForwardPlan>> Plan =
      planForward(*A.P, R, *A.Types, A.Activity, A.Calls, A.Unread, IsReplay);
  if (!Plan)
    return Plan;
  if (!IsQuiet)
    remarkChecks(*A.P, (*Plan)->Steps);
  printAfter("plan", **Plan);
  if (Error E = verifyStage(*R.Fn, "the plan is not sound",
                            [&](raw_ostream &OS) { return verifyPlan(**Plan, &OS); }))
    return std::move(E);
  return Plan;
}

Error Derivatives::derivePair(const DiffRequest &R) {
  if (findPair(R))
    return Error::success();
  Pairs.push_back(std::make_unique<Pair>());
  Pair &Self = *Pairs.back();
  Self.Request = R;
  if (hasCustomRule(R))
    return adoptPair(Self);
  if (isCheckpointed(*R.Fn))
    return cutPair(Self);
  Self.Functions.Boxed = mayReachItself(*R.Fn);
  if (Self.Functions.Boxed) {
    Self.Functions.Tape = PointerType::get(M.getContext(), 0);
    Self.Functions.Augment = declare(R, Self.Functions.Tape);
    Self.Functions.FromTape = declare(R.inMode(DiffMode::FromTape), Self.Functions.Tape);
    Self.Functions.Count = declareCounter(*R.Fn);
  }
  return emitPair(Self);
}

/// The halves that the user has registered.
Error Derivatives::adoptPair(Pair &Self) {
  const DiffRequest &R = Self.Request;
  Expected<RuleShape> S = readReverseRule(R);
  if (!S)
    return S.takeError();
  Type *Tape = customTape(R, *S);
  Self.Functions.Tape = Tape;
  Self.Functions.Augment = declare(R, Tape);
  emitCustomAugment(*Self.Functions.Augment, R, *S);
  Self.Functions.FromTape = declare(R.inMode(DiffMode::FromTape), Tape);
  emitCustomFromTape(*Self.Functions.FromTape, R, *S);
  Self.KeepingFromTape = Self.Functions.FromTape; // The user's functions decide what they keep.
  if (Error E = finish(*Self.Functions.Augment, *R.Fn))
    return E;
  return finish(*Self.Functions.FromTape, *R.Fn);
}

Error Derivatives::emitPair(Pair &Self) {
  Expected<Analysis> A = analyze(Self.Request);
  if (!A)
    return A.takeError();
  if (Error E = deriveCallees(*A))
    return E;
  noteGlobals(Self.Request, *A);
  Expected<std::unique_ptr<DerivativePlan>> Plan = planFrom(Self.Request, *A);
  if (!Plan)
    return Plan.takeError();
  Self.Plan = std::move(*Plan);
  if (Explain)
    Explain->notePlan(*Self.Plan, *A->Types, A->Activity);
  if (!Self.Functions.Boxed) {
    Self.Functions.Boxed = Self.Plan->Tape.isBoxed();
    Self.Functions.Tape = Self.Plan->Tape.passedType(M.getContext());
    if (Self.Functions.Boxed)
      Self.Functions.Tape = PointerType::getUnqual(M.getContext());
    Self.Functions.Augment = declare(Self.Request, Self.Functions.Tape);
    Self.Functions.FromTape = declare(Self.Request.inMode(DiffMode::FromTape), Self.Functions.Tape);
  }
  TimeTraceScope Time("isozyme-emit", Self.Functions.Augment->getName());
  Expected<Function *> Counter = counterFor(*Self.Plan, Self.Functions.Count, Self.Functions);
  if (!Counter)
    return Counter.takeError();
  Self.Functions.Count = *Counter;
  auto Lookup = [&](const DiffRequest &Callee) { return findPair(Callee)->Functions; };
  if (Error E = emitAugment(Self.Functions, *Self.Plan, Lookup))
    return E;
  if (Error E = emitFromTape(Self.Functions, *Self.Plan, Lookup))
    return E;
  remarkPlan(*Self.Plan);
  for (Function *F : {Self.Functions.Augment, Self.Functions.FromTape}) {
    if (Error E = finish(*F, *Self.Request.Fn))
      return E;
    if (Explain)
      Explain->noteDerivative(Self.Request, *F);
  }
  return Error::success();
}

SplitPair Derivatives::halvesOf(const DiffRequest &R, bool KeepTape) {
  Pair *P = findPair(R);
  SplitPair Halves = P->Functions;
  if (KeepTape) {
    Halves.FromTape = P->KeepingFromTape;
    Halves.KeepTape = true;
  }
  return Halves;
}

/// Makes the second half that leaves the tape for another use, of callees first.
Error Derivatives::deriveKeeping(Pair &Self) {
  if (Self.KeepingFromTape)
    return Error::success();
  DiffRequest R = Self.Request.inMode(DiffMode::FromTape);
  R.KeepTape = true;
  Self.KeepingFromTape = declare(R, Self.Functions.Tape);
  for (auto &[Call, Plan] : Self.Plan->Calls)
    if (Plan.K == CallPlan::Differentiate)
      if (Error E = deriveKeeping(*findPair(Plan.Callee)))
        return E;
  auto Lookup = [&](const DiffRequest &Callee) { return halvesOf(Callee, true); };
  if (Error E = emitFromTape(halvesOf(Self.Request, true), *Self.Plan, Lookup))
    return E;
  return finish(*Self.KeepingFromTape, *Self.Request.Fn);
}

/// Erases what was made since; finished derivatives of earlier requests stay.
void Derivatives::rollBack(const Mark &To) {
  Singles.truncate(To.Singles);
  Pairs.truncate(To.Pairs);
  Entries.truncate(To.Entries);
  Recordings.truncate(To.Recordings);
  Replays.truncate(To.Replays);
  ArrayRef<Function *> Unfinished = ArrayRef(Created).drop_front(To.Functions);
  for (auto &P : Pairs)
    if (is_contained(Unfinished, P->KeepingFromTape))
      P->KeepingFromTape = nullptr;
  for (Function *F : Unfinished) {
    Sources.erase(F);
    FAM.clear(*F, F->getName()); // Others may come to their addresses.
    F->dropAllReferences();
  }
  for (Function *F : Unfinished) {
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    F->eraseFromParent();
  }
  if (!Unfinished.empty()) // What they have called for the first time.
    for (Function &F : make_early_inc_range(M))
      if (F.isIntrinsic() && F.use_empty())
        F.eraseFromParent();
  Created.truncate(To.Functions);
  Effects.clear();
}

Expected<Function *> Derivatives::get(const DiffRequest &Asked) {
  Mark Before = mark();
  DiffRequest R = Asked;
  R.Level = shadowLevelFor(*R.Fn);
  Expected<Function *> F = derive(R);
  if (!F)
    rollBack(Before);
  else
    F = withStart(**F, R);
  return F;
}

Expected<Function *> Derivatives::getQuietly(const DiffRequest &R,
                                             SmallVectorImpl<Function *> &Made) {
  size_t Before = Created.size();
  Explainer *Told = std::exchange(Explain, nullptr);
  IsQuiet = true;
  Expected<Function *> F = get(R);
  IsQuiet = false;
  Explain = Told;
  append_range(Made, drop_begin(Created, Before));
  return F;
}

Expected<Function *> Derivatives::deriveHalf(const DiffRequest &R, TapeForm Form,
                                             function_ref<Error(Type *)> Check) {
  DiffRequest Key = R.inMode(DiffMode::Augment);
  if (Error E = derivePair(Key))
    return std::move(E);
  if (R.KeepTape)
    if (Error E = deriveKeeping(*findPair(Key)))
      return std::move(E);
  SplitPair Halves = halvesOf(Key, R.KeepTape);
  if (Error E = Check(Halves.Tape))
    return std::move(E);
  for (const Entry &Made : Entries)
    if (Made.Request == R && Made.Form == Form)
      return Made.Fn;
  const DerivativePlan *Plan = findPair(Key)->Plan.get();
  Function *Shell = declare(R, tapeTypeFor(Halves, Form, M.getContext()));
  Shell->setName(Shell->getName() + ".entry");
  if (R.Mode == DiffMode::Augment)
    emitAugmentEntry(*Shell, Halves, Form);
  else
    emitFromTapeEntry(*Shell, Halves, Form, Plan && putsOffReleases(Plan->Calls));
  if (R.Mode == DiffMode::Augment)
    if (Error E = countInEntry(*Shell, *findPair(Key), Form))
      return std::move(E);
  if (Error E = finish(*Shell, *R.Fn))
    return std::move(E);
  Entries.push_back({R, Form, Shell});
  return Shell;
}

Expected<Function *> Derivatives::getHalf(const DiffRequest &Asked, TapeForm Form,
                                          function_ref<Error(Type *)> Check) {
  Mark Before = mark();
  DiffRequest R = Asked;
  R.Level = shadowLevelFor(*R.Fn);
  Expected<Function *> F = deriveHalf(R, Form, Check);
  if (!F)
    rollBack(Before);
  else
    F = withStart(**F, R);
  return F;
}

/// Looks at the plan that \p Make makes, and leaves nothing behind.
template <typename MakePlan, typename LookAt>
Error Derivatives::inspect(const DiffRequest &R, MakePlan Make, LookAt Look) {
  Mark Before = mark();
  auto planAndLook = [&]() -> Error {
    Expected<Analysis> A = analyze(R);
    if (!A)
      return A.takeError();
    auto Plan = Make(*A);
    if (!Plan)
      return Plan.takeError();
    Look(**Plan);
    return Error::success();
  };
  Error E = planAndLook();
  rollBack(Before);
  return E;
}

Error Derivatives::inspectPlan(const DiffRequest &R,
                               function_ref<void(const DerivativePlan &)> Look) {
  using Result = Expected<std::unique_ptr<DerivativePlan>>;
  auto make = [&](Analysis &A) -> Result {
    // The tapes of callees are part of the plan.
    if (Error E = deriveCallees(A))
      return std::move(E);
    return planFrom(R, A);
  };
  return inspect(R, make, Look);
}

Error Derivatives::inspectForward(const DiffRequest &R,
                                  function_ref<void(const ForwardPlan &)> Look) {
  return inspect(
      R, [&](const Analysis &A) { return forwardPlanFrom(R, A, /*IsReplay=*/false); }, Look);
}

} // namespace isozyme
