//===- Derivatives.cpp - Every derivative of a module, once ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a request.  Out: a filled function, or the first error.
// Functions are declared before they are filled, so recursion ends; the halves
// of a recursive function pass their tape boxed, since its type is not known yet.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Activity/ActivityAnalysis.h"
#include "isozyme/Cleanup/Cleanup.h"
#include "isozyme/Emit/ForwardEmitter.h"
#include "isozyme/Needs/MemoryAvailability.h"
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
  TimeTraceScope Time("isozyme-prepare", F.getName());
  Expected<std::unique_ptr<PreparedFunction>> P = prepareFunction(F, FAM);
  if (!P) {
    Sources.erase(&F);
    return P.takeError();
  }
  auto New = std::make_unique<Source>();
  New->P = std::move(*P);
  if (Error E = verifyStage(F, "prepared code is not legal", [&](raw_ostream &OS) {
        return verifyPrepared(*New->P, &OS);
      }))
    return std::move(E);
  printAfter("prepared", *New->P);
  New->Types = analyzeTypes(*New->P);
  printAfter("types", *New->Types);
  if (Error E = verifyStage(F, "the types contradict each other",
                            [&](raw_ostream &OS) { return New->Types->verify(OS); }))
    return std::move(E);
  Sources[&F] = std::move(New);
  return Sources[&F].get();
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
  Expected<ActivityResult> Activity = analyzeActivity(P, *(*S)->Types, R);
  if (!Activity)
    return Activity.takeError();
  printAfter("activity", *Activity);
  if (Error E = verifyStage(*R.Fn, "the activity is not sound",
                            [&](raw_ostream &OS) { return Activity->verify(OS); }))
    return std::move(E);
  for (const auto &W : Activity->warnings())
    warn(W.Id, W.Where, W.Text);
  Expected<CallPlanSet> Calls = planCalls(P, *(*S)->Types, *Activity, R);
  if (!Calls)
    return Calls.takeError();
  if (R.isReverse())
    refineOverwrites(P, R, *Calls);
  return Analysis{&P, &*(*S)->Types, std::move(*Activity), std::move(*Calls)};
}

Error Derivatives::deriveCallees(const CallPlanSet &Calls) {
  for (auto &[Call, Plan] : Calls) {
    if (Plan.K != CallPlan::Differentiate)
      continue;
    Error E = Plan.Callee.isReverse() ? derivePair(Plan.Callee) : derive(Plan.Callee).takeError();
    if (E) {
      const Function *Caller = Call->getFunction();
      for (auto &[Original, S] : Sources)
        if (S && &S->P->function() == Caller)
          return withNote(std::move(E), S->P->placeOf(Call),
                          "called here, in '" + Original->getName() + "'");
      return E;
    }
  }
  return Error::success();
}

/// `f`, mode and width in the name: `reverse.f`, `forward4.f`, `augment.f`.
Function *Derivatives::declare(const DiffRequest &R, Type *Tape) {
  std::string Name;
  raw_string_ostream OS(Name);
  OS << (R.Mode == DiffMode::FromTape ? DiffMode::Reverse : R.Mode);
  if (R.Mode == DiffMode::FromTape)
    OS << ".from.tape";
  if (R.Width > 1)
    OS << R.Width;
  OS << '.' << R.Fn->getName();
  auto *F = Function::Create(derivativeType(R, Tape), GlobalValue::InternalLinkage, Name, M);
  for (Attribute A : R.Fn->getAttributes().getFnAttrs())
    if (A.isStringAttribute() && A.getKindAsString() != "isozyme-request")
      F->addFnAttr(A);
  F->setSubprogram(nullptr);
  Created.push_back(F);
  return F;
}

Error Derivatives::verify(const Function &F, StringRef Stage) {
  return verifyStage(F, "invalid code after " + Stage,
                     [&](raw_ostream &OS) { return verifyFunction(F, &OS); });
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

static bool freesMemory(const DerivativePlan &Plan) {
  return any_of(Plan.Calls, [](auto &Entry) { return Entry.second.K == CallPlan::Free; });
}

Error Derivatives::fill(Function &Shell, const DiffRequest &R) {
  Expected<Analysis> A = analyze(R);
  if (!A)
    return A.takeError();
  if (Error E = deriveCallees(A->Calls))
    return E;
  TimeTraceScope Time("isozyme-emit", Shell.getName());
  if (!R.isReverse()) {
    auto Lookup = [&](const DiffRequest &Callee) { return cantFail(derive(Callee)); };
    if (Error E = emitForward(Shell, *A->P, R, *A->Types, A->Activity, A->Calls, Lookup))
      return E;
  } else {
    Expected<std::unique_ptr<DerivativePlan>> Plan = planFrom(R, std::move(*A));
    if (!Plan)
      return Plan.takeError();
    auto Lookup = [&](const DiffRequest &Callee) { return findPair(Callee)->Functions; };
    (*Plan)->ReleasesAtEnd = freesMemory(**Plan) || any_of(Pairs, [](auto &Callee) {
                               return Callee->Plan && freesMemory(*Callee->Plan);
                             });
    if (Error E = emitReverse(Shell, **Plan, Lookup))
      return E;
    remarkPlan(**Plan);
  }
  if (Error E = verify(Shell, "emission"))
    return E;
  cleanUp(Shell, FAM.getResult<TargetLibraryAnalysis>(Shell));
  return verify(Shell, "clean-up");
}

Derivatives::Pair *Derivatives::findPair(const DiffRequest &R) {
  for (std::unique_ptr<Pair> &P : Pairs)
    if (P->Request == R)
      return P.get();
  return nullptr;
}

/// Can \p F, by direct calls of functions with a body, call itself?
bool Derivatives::mayReachItself(Function &F) {
  SetVector<Function *> Reached;
  Reached.insert(&F);
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    for (Instruction &I : instructions(*Reached[Next]))
      for (Value *Operand : I.operands())
        if (auto *G = dyn_cast<Function>(Operand->stripPointerCasts())) {
          if (G == &F)
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

Expected<std::unique_ptr<DerivativePlan>> Derivatives::planFrom(const DiffRequest &R, Analysis A) {
  TimeTraceScope Time("isozyme-plan", R.Fn->getName());
  Expected<std::unique_ptr<DerivativePlan>> Plan = planReverse(
      *A.P, R, *A.Types, A.Activity, std::move(A.Calls),
      [&](const CallPlan &C) { return readsOf(C); },
      [&](const CallPlan &C) { return findPair(C.Callee)->Functions.Tape; });
  if (Plan)
    printAfter("plan", **Plan);
  if (!Plan)
    return Plan;
  if (Error E = verifyStage(*R.Fn, "the plan is not sound", [&](raw_ostream &OS) {
        return verifyPlan(**Plan, &OS);
      }))
    return std::move(E);
  return Plan;
}

Error Derivatives::derivePair(const DiffRequest &R) {
  if (findPair(R))
    return Error::success();
  Pairs.push_back(std::make_unique<Pair>());
  Pair &Self = *Pairs.back();
  Self.Request = R;
  Self.Functions.Boxed = mayReachItself(*R.Fn);
  if (Self.Functions.Boxed) {
    Self.Functions.Tape = PointerType::get(M.getContext(), 0);
    Self.Functions.Augment = declare(R, Self.Functions.Tape);
    Self.Functions.FromTape = declare(R.inMode(DiffMode::FromTape), Self.Functions.Tape);
  }
  return emitPair(Self);
}

Error Derivatives::emitPair(Pair &Self) {
  Expected<Analysis> A = analyze(Self.Request);
  if (!A)
    return A.takeError();
  if (Error E = deriveCallees(A->Calls))
    return E;
  Expected<std::unique_ptr<DerivativePlan>> Plan = planFrom(Self.Request, std::move(*A));
  if (!Plan)
    return Plan.takeError();
  Self.Plan = std::move(*Plan);
  if (!Self.Functions.Boxed) {
    Self.Functions.Tape = Self.Plan->Tape.tapeType(M.getContext());
    Self.Functions.Augment = declare(Self.Request, Self.Functions.Tape);
    Self.Functions.FromTape =
        declare(Self.Request.inMode(DiffMode::FromTape), Self.Functions.Tape);
  }
  TimeTraceScope Time("isozyme-emit", Self.Functions.Augment->getName());
  auto Lookup = [&](const DiffRequest &Callee) { return findPair(Callee)->Functions; };
  if (Error E = emitAugment(Self.Functions, *Self.Plan, Lookup))
    return E;
  if (Error E = emitFromTape(Self.Functions, *Self.Plan, Lookup))
    return E;
  remarkPlan(*Self.Plan);
  for (Function *F : {Self.Functions.Augment, Self.Functions.FromTape}) {
    if (Error E = verify(*F, "emission"))
      return E;
    cleanUp(*F, FAM.getResult<TargetLibraryAnalysis>(*F));
    if (Error E = verify(*F, "clean-up"))
      return E;
  }
  return Error::success();
}

/// Erases what was made since; finished derivatives of earlier requests stay.
void Derivatives::rollBack(size_t Functions, size_t SingleCount, size_t PairCount) {
  Singles.truncate(SingleCount);
  Pairs.truncate(PairCount);
  ArrayRef<Function *> Unfinished = ArrayRef(Created).drop_front(Functions);
  for (Function *F : Unfinished)
    F->dropAllReferences();
  for (Function *F : Unfinished) {
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    F->eraseFromParent();
  }
  Created.truncate(Functions);
}

Expected<Function *> Derivatives::get(const DiffRequest &R) {
  size_t Functions = Created.size(), SingleCount = Singles.size(), PairCount = Pairs.size();
  Expected<Function *> F = derive(R);
  if (!F)
    rollBack(Functions, SingleCount, PairCount);
  return F;
}

Error Derivatives::inspectPlan(const DiffRequest &R,
                               function_ref<void(const DerivativePlan &)> Look) {
  size_t Functions = Created.size(), SingleCount = Singles.size(), PairCount = Pairs.size();
  auto planAndLook = [&]() -> Error {
    Expected<Analysis> A = analyze(R);
    if (!A)
      return A.takeError();
    // The tapes of callees are part of the plan.
    if (Error E = deriveCallees(A->Calls))
      return E;
    Expected<std::unique_ptr<DerivativePlan>> Plan = planFrom(R, std::move(*A));
    if (!Plan)
      return Plan.takeError();
    Look(**Plan);
    return Error::success();
  };
  Error E = planAndLook();
  rollBack(Functions, SingleCount, PairCount);
  return E;
}

} // namespace isozyme
