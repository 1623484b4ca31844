//===- Recordings.cpp - Forward mode after the function has run -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of Derivatives that makes recordings, by function, and replays, by request.
// While a replay is emitted, derivatives of the functions that it calls are stand-ins
// without a body; replays take their places.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Emit/CustomRules.h"
#include "isozyme/Emit/ForwardEmitter.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/InternalCopy.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Function *Derivatives::create(const Function &Like, FunctionType *T, const Twine &Name,
                              GlobalValue::LinkageTypes L) {
  auto *F = Function::Create(T, L, Name, M);
  takeTarget(*F, Like);
  Created.push_back(F);
  return F;
}

/// A function that only computes is run again by a replay, and needs no record.
bool Derivatives::keepsNothing(Function &F) {
  // Of a function that calls itself nothing is said before it is known.
  auto [It, IsNew] = RecordFree.insert({&F, false});
  if (!IsNew)
    return It->second;
  if (F.isDeclaration() || customRules(F).hasSplitForward() ||
      F.hasFnAttribute(Attribute::NoReturn))
    return false;
  Expected<Source *> S = source(F);
  if (!S) { // Said where the derivative is made.
    consumeError(S.takeError());
    return false;
  }
  return RecordFree[&F] = recordPlan(**S).isEmpty();
}

RecordPlan Derivatives::recordPlan(const Source &S) {
  const Function &Self = S.P->function(), &Original = S.P->original();
  return RecordPlan(*S.P, *S.Types, [&](Function &Callee) {
    return &Callee != &Self && &Callee != &Original && keepsNothing(Callee);
  });
}

Error Derivatives::inspectRecord(Function &F, function_ref<void(const RecordPlan &)> Look) {
  Expected<Source *> S = source(F);
  if (!S)
    return S.takeError();
  Look(recordPlan(**S));
  return Error::success();
}

/// Which memory of \p Args nobody needs; the rest makes no difference to a recording.
static SmallVector<ArgActivity, 8> unneeded(ArrayRef<ArgActivity> Args) {
  return map_to_vector<8>(
      Args, [](ArgActivity A) { return A == ArgActivity::DupNoNeed ? A : ArgActivity::Const; });
}

Expected<Function *> Derivatives::recordingOf(Function &F, ArrayRef<ArgActivity> Args) {
  for (const Recording &Made : Recordings)
    if (Made.Of == &F && ArrayRef(Made.Args) == Args)
      return Made.Fn;
  if (customRules(F).hasSplitForward()) {
    Function *Shell = create(F, withRecord(F.getFunctionType()), "record." + F.getName());
    Recordings.push_back({&F, SmallVector<ArgActivity, 8>(Args), Shell});
    DiffRequest R;
    R.Fn = &F;
    R.Mode = DiffMode::Forward;
    R.Args.assign(F.arg_size(), ArgActivity::Const);
    R.ReturnPrimal = true;
    Expected<RuleShape> S = readSplitForwardRule(R);
    if (!S)
      return S.takeError();
    emitCustomRecording(*Shell, R, *S);
    if (Error E = finish(*Shell, F))
      return std::move(E);
    return Shell;
  }
  Expected<Source *> S = source(F);
  if (!S)
    return S.takeError();
  const PreparedFunction &P = *(*S)->P;
  Function *Shell = create(F, withRecord(P.function().getFunctionType()), "record." + F.getName());
  Recordings.push_back({&F, SmallVector<ArgActivity, 8>(Args), Shell});
  const RecordPlan Plan = recordPlan(**S);
  const UnreadMemory Unread(P, Args);
  DenseMap<const CallInst *, Function *> Callees;
  for (Instruction &I : instructions(P.function())) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || Plan.at(I) != RecordStep::Call)
      continue;
    Function *Callee = Call->getCalledFunction();
    // A registered recording stores what it likes.
    bool ByRule = customRules(*Callee).hasSplitForward();
    auto Passed = map_to_vector<8>(Call->args(), [&](const Use &U) {
      return !ByRule && Unread.contains(U) ? ArgActivity::DupNoNeed : ArgActivity::Const;
    });
    Expected<Function *> Made = recordingOf(Callee == &P.function() ? F : *Callee, Passed);
    if (!Made)
      return withNote(Made.takeError(), P.placeOf(Call), "called here, in '" + F.getName() + "'");
    Callees[Call] = *Made;
  }
  emitRecording(*Shell, P, Plan, Unread,
                [&](const CallInst &Call) { return Callees.lookup(&Call); });
  if (Error E = finish(*Shell, F))
    return std::move(E);
  return Shell;
}

Expected<Derivatives::Replay> Derivatives::replayOf(const DiffRequest &R) {
  auto standIn = [&] {
    return create(*R.Fn, derivativeType(R), "stand.in." + R.Fn->getName(),
                  GlobalValue::ExternalLinkage);
  };
  for (Replay &Made : Replays)
    if (Made.Request == R) {
      if (!Made.StandIn) // Another caller came before, and is done.
        Made.StandIn = standIn();
      return Made;
    }
  bool ByRule = customRules(*R.Fn).hasSplitForward();
  if (!ByRule && hasCustomRule(R))
    return diffError(DiagId::NoDerivative, Place(*R.Fn),
                     "'" + R.Fn->getName() +
                         "' has a registered derivative that runs it again, and "
                         "none from a tape",
                     "register one with __enzyme_register_splitderivative_" + R.Fn->getName());
  Replay Self{R, create(*R.Fn, withRecord(derivativeType(R)), "replay." + R.Fn->getName()),
              standIn()};
  Replays.push_back(Self);
  if (ByRule) {
    Expected<RuleShape> S = readSplitForwardRule(R);
    if (!S)
      return S.takeError();
    emitCustomReplay(*Self.Fn, R, *S);
    if (Error E = finish(*Self.Fn, *R.Fn))
      return std::move(E);
    return Self;
  }
  Expected<Analysis> A = analyze(R);
  if (!A)
    return A.takeError();
  SmallMapVector<Function *, Replay, 4> Callees;
  SmallVector<Replay, 4> Made;
  for (auto &[Call, Plan] : A->Calls) {
    if (Plan.K != CallPlan::Differentiate)
      continue;
    Expected<Replay> Callee = replayOf(Plan.Callee);
    if (!Callee)
      return withNote(Callee.takeError(), A->P->placeOf(Call),
                      "called here, in '" + R.Fn->getName() + "'");
    Callees.insert({Callee->StandIn, *Callee});
    Made.push_back(*Callee);
  }
  noteGlobals(R, *A);
  auto Lookup = [&](const DiffRequest &Callee) {
    return find_if(Made, [&](const Replay &C) { return C.Request == Callee; })->StandIn;
  };
  auto Replace = [&](Function &StandIn) {
    auto It = Callees.find(&StandIn);
    return It == Callees.end() ? ReplayCallee()
                               : ReplayCallee{It->second.Fn, It->second.Request.Fn->getReturnType(),
                                              !keepsNothing(*It->second.Request.Fn)};
  };
  Expected<Source *> S = source(*R.Fn); // Made by now.
  if (!S)
    return S.takeError();
  const RecordPlan Plan = recordPlan(**S);
  Expected<std::unique_ptr<ForwardPlan>> Tangents = forwardPlanFrom(R, *A, /*IsReplay=*/true);
  if (!Tangents)
    return Tangents.takeError();
  if (Error E = emitForward(*Self.Fn, **Tangents, Lookup, &Plan, [&](const CloneMap &Primals) {
        turnIntoReplay(*Self.Fn, *A->P, Plan, Primals, Replace);
      }))
    return std::move(E);
  if (Error E = finish(*Self.Fn, *R.Fn))
    return std::move(E);
  return Self;
}

/// Stand-ins are not needed any more: derivatives have taken their places.
void Derivatives::eraseStandIns() {
  for (Replay &R : Replays)
    if (R.StandIn && R.StandIn->use_empty()) {
      erase(Created, R.StandIn);
      R.StandIn->eraseFromParent();
      R.StandIn = nullptr;
    }
}

Expected<Function *> Derivatives::getRecording(const DiffRequest &R) {
  Function &F = *R.Fn;
  const SmallVector<ArgActivity, 8> Args = unneeded(R.Args);
  for (const Recording &Made : RecordingEntries)
    if (Made.Of == &F && Made.Args == Args)
      return Made.Fn;
  Mark Before = mark();
  Expected<Function *> Made = recordingOf(F, Args);
  if (!Made) {
    rollBack(Before);
    return Made.takeError();
  }
  Type *Ptr = PointerType::getUnqual(M.getContext());
  SmallVector<Type *, 2> Members;
  if (!F.getReturnType()->isVoidTy())
    Members.push_back(F.getReturnType());
  Members.push_back(Ptr);
  auto *T = FunctionType::get(StructType::get(M.getContext(), Members),
                              F.getFunctionType()->params(), false);
  Function *Shell = create(F, T, "record." + F.getName() + ".entry");
  emitRecordingEntry(*Shell, **Made);
  RecordingEntries.push_back({&F, Args, Shell});
  return Shell;
}

bool Derivatives::readsRecord(Function &F) {
  Expected<Source *> S = source(F);
  if (S && !customRules(F).hasSplitForward())
    return recordPlan(**S).isRead();
  consumeError(S.takeError());
  return true;
}

Expected<Function *> Derivatives::getReplay(const DiffRequest &Asked, bool Keep,
                                            function_ref<Error(bool)> Check) {
  Mark Before = mark();
  DiffRequest R = Asked;
  R.Level = shadowLevelFor(*R.Fn);
  Expected<Replay> Made = replayOf(R);
  if (Error E = Made ? Check(readsRecord(*R.Fn)) : Made.takeError()) {
    rollBack(Before);
    return std::move(E);
  }
  Function *Replayed = Made->Fn;
  eraseStandIns();
  Function *Shell =
      create(*R.Fn, Replayed->getFunctionType(), "replay." + R.Fn->getName() + ".entry");
  emitReplayEntry(*Shell, *Replayed, Keep);
  return withStart(*Shell, R);
}

} // namespace isozyme
