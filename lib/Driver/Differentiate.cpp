//===- Differentiate.cpp - All requests of a module -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers marker calls one by one, those inside differentiated code first; a
// call that fails is reported and left, and the others are still lowered.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Differentiate.h"
#include "isozyme/Driver/CallChecks.h"
#include "isozyme/Driver/CaughtExceptions.h"
#include "isozyme/Driver/ContainerShadows.h"
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Driver/DeviceMath.h"
#include "isozyme/Driver/LibraryBodies.h"
#include "isozyme/Driver/MarkerTargets.h"
#include "isozyme/Driver/Reproducer.h"
#include "isozyme/Driver/ResolvedCalls.h"
#include "isozyme/Driver/TapeFlow.h"
#include "isozyme/Driver/VirtualShadows.h"
#include "isozyme/Emit/CheckpointEmitter.h"
#include "isozyme/Emit/GpuMemory.h"
#include "isozyme/Emit/LaunchShadows.h"
#include "isozyme/Emit/RuntimeHelpers.h"

#include "isozyme/Explain/Explainer.h"
#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Requests/Annotations.h"
#include "isozyme/Requests/CallLints.h"
#include "isozyme/Requests/ChosenTargets.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Requests/PlainCalls.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Target/DeviceTape.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace isozyme {

bool hasRequests(const Module &M) {
  return any_of(M,
                [](const Function &F) { return isConventionName(F.getName()) && !F.use_empty(); });
}

namespace {

class RequestLowering {
public:
  RequestLowering(Module &M, FunctionAnalysisManager &FAM, const DifferentiateOptions &Options)
      : M(M), All(M, FAM, Options.BeforeLink), Checks(M, FAM, All), Explain(Options.Explain),
        BeforeLink(Options.BeforeLink), Tapes(M, FAM) {
    All.explainTo(Explain);
    All.planWith(Options.Plans);
  }

  bool run() {
    // What asks for the size of a tape gives numbers that other calls are told.
    for (CallBase *Call : findMarkerCalls(M))
      if (asksForSize(*Call))
        Open.insert(Call);
    for (CallBase *Call : findEntryCalls(M))
      Open.insert(Call);
    noteDifferentiated();
    Place Where = Open.empty() ? Place(*M.begin()) : Place(*Open.front());
    while (!Open.empty())
      lower(*Open.front());
    All.watched().warnOfMissing(Where);
    warnOfLoneHalves();
    return Changed;
  }

  void runPrepared() { All.runPrepared(); }
  /// Has a call been left to the linker's run?
  bool leavesCalls() const { return !Left.empty(); }

private:
  void lower(CallBase &Call);
  void finish(CallBase &Call, Error E, const MDNode *Choice, Reproducer &Kept);
  Error derive(const MarkerCall &Call);
  void replace(const MarkerCall &Call, Function &Derivative);
  void warnOfLoneHalves() const;
  bool leavesRecord(CallBase &Call, Function &Target) const;
  Error findTape(MarkerCall &Call) const;
  Error deriveFromRecord(const MarkerCall &Call);
  Error lowerVirtualReverse(CallBase &Call);
  bool lowerInside(Function &F);
  void noteDifferentiated();
  bool isForTheLinker(const Error &E) const;
  bool isNewsOf(const CallBase &Call);
  void tell(Error E, Reproducer &Kept);

  Module &M;
  Derivatives All; ///< A request that is made at several places is derived once.
  CallChecks Checks;
  Explainer *Explain;
  StringSet<> Told; ///< What was said already, and of which calls.
  /// Calls that choose a function, and had an error with one of those.
  SmallPtrSet<const MDNode *, 2> FailedChoices;
  bool BeforeLink, Changed = false;
  SetVector<CallBase *> Open;
  SmallPtrSet<const CallBase *, 4> Left; ///< To the linker's run.
  SetVector<Function *> Differentiated;  ///< All that is, with all that they call.
  /// A half that has been asked for. What passes between two is a matter of these members.
  struct Half {
    DiffRequest Request;
    TapeForm Form;
    Place Where;
  };
  SmallVector<Half, 4> FirstHalves, SecondHalves;
  TapeFlow Tapes;
};

} // namespace

/// Adds what \p F, by its operands, may call.
static void addReached(Function &F, SetVector<Function *> &Reached) {
  for (Instruction &I : instructions(F))
    for (Value *Operand : I.operands())
      if (auto *G = dyn_cast<Function>(Operand->stripPointerCasts()); G && !G->isDeclaration())
        Reached.insert(G);
}

/// A derivative that is asked for in such code is differentiated again.
void RequestLowering::noteDifferentiated() {
  for (CallBase *Call : Open)
    if (Function *Target = targetOf(*Call, calledKind(*Call)); Target && !Target->isDeclaration())
      Differentiated.insert(Target);
  for (size_t Next = 0; Next < Differentiated.size(); ++Next)
    addReached(*Differentiated[Next], Differentiated);
}

/// Calls in code that is about to be differentiated are lowered before it. False if one of them is
/// left to the linker's run: then all that this code calls is known only there.
bool RequestLowering::lowerInside(Function &F) {
  SetVector<Function *> Reached;
  Reached.insert(&F);
  bool IsWhole = true;
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    SmallVector<CallBase *, 2> Inner;
    for (Instruction &I : instructions(*Reached[Next]))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && (Open.contains(Call) || Left.contains(Call)))
        Inner.push_back(Call);
    addReached(*Reached[Next], Reached);
    for (CallBase *Call : Inner) {
      if (Open.contains(Call))
        lower(*Call);
      IsWhole &= !Left.contains(Call);
    }
  }
  return IsWhole;
}

bool RequestLowering::isForTheLinker(const Error &E) const {
  if (!BeforeLink || !E.isA<DiffError>())
    return false;
  // What other files may have: functions, and variables with or without derivatives.
  static constexpr DiagId Kinds[] = {DiagId::NoBody, DiagId::NoDerivative,
                                     DiagId::NoInnerDerivative, DiagId::IndirectCall,
                                     DiagId::ActiveGlobal};
  bool Missing = false;
  visitErrors(E, [&](const ErrorInfoBase &Info) {
    DiagId Id = static_cast<const DiffError &>(Info).id();
    Missing |= is_contained(Kinds, Id);
  });
  return Missing;
}

/// Where the user wrote it. Code that was unrolled or inlined is at one place several times.
static std::string sourcePlace(const Place &Where) {
  const DILocation *Loc = userLocation(Where.Loc);
  if (!Loc)
    return Where.Fn ? Where.Fn->getName().str() : "";
  return (Loc->getFilename() + ":" + Twine(Loc->getLine()) + ":" + Twine(Loc->getColumn())).str();
}

/// True if no other copy of \p Call has been looked at, or if the call has no place to tell by.
bool RequestLowering::isNewsOf(const CallBase &Call) {
  const Function *Target = targetOf(Call, calledKind(Call));
  return !Call.getDebugLoc() ||
         Told.insert(sourcePlace(Place(Call)) + (Target ? Target->getName().str() : "")).second;
}

/// Says what is wrong; once, if copies of a call have the same mistake.
void RequestLowering::tell(Error E, Reproducer &Kept) {
  std::string Words;
  if (!E)
    return;
  visitErrors(E, [&](const ErrorInfoBase &Info) {
    if (!Info.isA<DiffError>())
      return;
    auto &D = static_cast<const DiffError &>(Info);
    Words += sourcePlace(D.where()) + D.text();
    for (const DiffError::Note &N : D.notes())
      Words += sourcePlace(N.Where) + N.Text;
  });
  if (Words.empty() || Told.insert(Words).second)
    report(Kept.judge(std::move(E)));
  else
    consumeError(std::move(E));
}

void RequestLowering::replace(const MarkerCall &Call, Function &Derivative) {
  std::optional<CheckPlan> Check = Checks.planFor(Call);
  CallBase &New = replaceMarkerCall(Call, Derivative);
  compareContainerSizes(New, Call);
  if (Check)
    emitCheck(New, Call.Request, *Check);
}

/// The halves of a forward derivative: a record is its tape.
Error RequestLowering::deriveFromRecord(const MarkerCall &Call) {
  Function &Fn = *Call.Request.Fn;
  if (Call.Records && Tapes.hasBoth(Fn) && !Tapes.makesRecord(*Call.Call))
    return diffError(DiagId::BadTape, Place(*Call.Call),
                     "this file has calls of '__enzyme_fwdsplit' and of '__enzyme_reverse' for '" +
                         Fn.getName() +
                         "', which need different tapes, and which of them gets this "
                         "one cannot be seen",
                     "hand the tape on in local variables, or wrap the function in another one "
                     "for one of the two");
  Type *Tape = PointerType::getUnqual(M.getContext());
  if (Error E = checkTape(Call, Tape))
    return E;
  if (Call.SizeOnly) {
    replaceSizeCall(Call, Tape);
    return Error::success();
  }
  Expected<Function *> F = Call.Records
                               ? All.getRecording(Call.Request)
                               : All.getReplay(Call.Request, Call.KeepRecord, [&](bool IsRead) {
                                   return IsRead ? checkNoNullTape(Call) : Error::success();
                                 });
  if (!F)
    return withNote(F.takeError(), Place(*Call.Call),
                    "needed for the derivative that is asked for here");
  replace(Call, **F);
  return Error::success();
}

/// Does \p F, or a function that it calls, name memory that the threads of a block share?
static bool usesMemoryOfBlock(const Function &F, const Accelerator &Machine) {
  SmallSetVector<const Function *, 8> Called;
  Called.insert(&F);
  for (unsigned I = 0; I < Called.size(); ++I)
    for (const Instruction &Each : instructions(*Called[I]))
      if (auto *Call = dyn_cast<CallBase>(&Each); Call && Call->getCalledFunction())
        Called.insert(Call->getCalledFunction());
  SmallVector<const User *, 16> Work;
  for (const GlobalVariable &G : F.getParent()->globals())
    if (Machine.sharingOf(G.getAddressSpace()) == MemorySharing::Block)
      append_range(Work, G.users());
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (auto *I = dyn_cast<Instruction>(U); I && Called.contains(I->getFunction()))
      return true;
    if (isa<Constant>(U))
      append_range(Work, U->users());
  }
  return false;
}

/// Halves run in one kernel or in two. What is kept from one to the other needs memory that the
/// program has set aside; that of a block is gone by then.
static Error checkHalves(const MarkerCall &Call) {
  const Module &M = *Call.Call->getModule();
  const Accelerator *Machine = acceleratorOf(M);
  auto refuse = [&](const Twine &What, const char *Fix) {
    return diffError(DiagId::UnsupportedTarget, Place(*Call.Call),
                     What + ", which is not possible on " + Machine->name(), Fix);
  };
  if (Machine && (Call.Records || Call.FromRecord))
    return refuse("a tape is handed from one call to another in forward mode",
                  "ask for the tangent by one call of '__enzyme_fwddiff'");
  if (!Machine || !Call.Request.isSplit())
    return Error::success();
  if (!deviceTape(M))
    return refuse("a tape is handed from one call to another, in memory that is allocated",
                  "declare memory for tapes (isozyme_tape), or ask for the whole gradient by one "
                  "call of '__enzyme_autodiff'");
  if (usesMemoryOfBlock(*Call.Request.Fn, *Machine))
    return refuse("a tape is handed from one call to another, and memory of the block is not",
                  "ask for the whole gradient by one call of '__enzyme_autodiff'");
  return Error::success();
}

/// Makes the derivative and replaces the call by one of it.
Error RequestLowering::derive(const MarkerCall &Call) {
  if (Error E = checkHalves(Call))
    return E;
  if (Call.Records || Call.FromRecord)
    return deriveFromRecord(Call);
  // A call that was made for an explanation is none that the user could look at.
  auto noted = [&](Error E) {
    if (isMadeUpCaller(*Call.Call->getFunction()))
      return E;
    return withNote(std::move(E), Place(*Call.Call),
                    "needed for the derivative that is asked for here");
  };
  if (!Call.Request.isSplit()) {
    Expected<Function *> F = All.get(Call.Request);
    if (!F)
      return noted(F.takeError());
    replace(Call, **F);
    return Error::success();
  }
  TapeForm Form = Call.Allocated || Call.SizeOnly ? TapeForm::Value : TapeForm::Pointer;
  Type *Tape = nullptr;
  bool IsMade = false;
  Expected<Function *> F = All.getHalf(Call.Request, Form, [&](Type *T) {
    Tape = T;
    IsMade = true;
    return checkTape(Call, T);
  });
  if (!F) // What the call itself does wrong needs no note that it is the call.
    return IsMade ? F.takeError() : noted(F.takeError());
  if (Call.SizeOnly) {
    // Either tape has room: a record is one address.
    Type *Record = PointerType::getUnqual(M.getContext());
    const DataLayout &DL = M.getDataLayout();
    if (Tapes.hasBoth(*Call.Request.Fn) &&
        (!Tape || DL.getTypeAllocSize(Tape) < DL.getTypeAllocSize(Record)))
      Tape = Record;
    replaceSizeCall(Call, Tape);
    return Error::success();
  }
  if (Tape)
    lintReleasedTape(Call);
  bool First = Call.Request.Mode == DiffMode::Augment;
  (First ? FirstHalves : SecondHalves)
      .push_back({Call.Request.inMode(DiffMode::Augment), Form, Place(*Call.Call)});
  replace(Call, **F);
  return Error::success();
}

/// Warns of a second half whose function has first halves in this module, none of which makes its
/// tape. The call is probably a mistake.
void RequestLowering::warnOfLoneHalves() const {
  for (const Half &Second : SecondHalves) {
    auto makesIts = [&](const Half &First) {
      return First.Request == Second.Request && First.Form == Second.Form;
    };
    const Half *Other = find_if(
        FirstHalves, [&](const Half &First) { return First.Request.Fn == Second.Request.Fn; });
    if (Other == FirstHalves.end() || any_of(FirstHalves, makesIts))
      continue;
    warn(DiagId::LoneHalf, Second.Where,
         Twine("no '__enzyme_augmentfwd' in this file makes the tape that this call reads; one for "
               "the same function has ") +
             (Other->Form != Second.Form ? Other->Form == TapeForm::Value
                                               ? "'enzyme_allocated', and this call has not"
                                               : "no 'enzyme_allocated', and this call has"
              : Other->Request.Width != Second.Request.Width ? "another 'enzyme_width'"
              : Other->Request.Args != Second.Request.Args   ? "other activities"
              : Other->Request.Return != Second.Request.Return
                  ? "another activity of the result"
                  : "'enzyme_not_overwritten' before other arguments"));
  }
}

/// The operand is a function, or a constant table of functions such as a class has.
Error RequestLowering::lowerVirtualReverse(CallBase &Call) {
  Constant *Named = Call.arg_size() ? tracedConstant(Call.getArgOperand(0)) : nullptr;
  if (!Named || !Call.getType()->isPointerTy())
    return diffError(DiagId::NotAFunction, Place(Call),
                     "'__enzyme_virtualreverse' takes a function or a constant table of functions",
                     "pass one of these by its name, or what a constructor has just stored in an "
                     "object (-O2 follows that), and let the call return a pointer");
  auto Halves = [&](Function &F) -> Expected<SplitPair> {
    lowerInside(F);
    DiffRequest R = defaultRequest(F);
    SplitPair Pair;
    for (DiffMode Mode : {DiffMode::Augment, DiffMode::FromTape}) {
      Expected<Function *> Half =
          All.getHalf(R.inMode(Mode), TapeForm::Pointer, [](Type *) { return Error::success(); });
      if (!Half)
        return Half.takeError();
      (Mode == DiffMode::Augment ? Pair.Augment : Pair.FromTape) = *Half;
    }
    return Pair;
  };
  Expected<Constant *> Shadow = VirtualShadows(M, Halves).of(*Named);
  if (!Shadow)
    return withNote(Shadow.takeError(), Place(Call),
                    "needed for the shadow that is asked for here");
  Call.replaceAllUsesWith(*Shadow);
  eraseMarkerCall(Call);
  return Error::success();
}

/// A structure that the ABI has packed into an integer has a derivative that nobody sees.
static Error checkPackedArguments(const MarkerCall &M) {
  for (auto [Argument, Operands] : zip_equal(M.Request.Fn->args(), M.Arguments))
    if (!Operands.SaidConst && isFloatInDisguise(Argument))
      return diffError(DiagId::BadActivity, Place(*M.Call),
                       "argument " + Twine(Argument.getArgNo() + 1) + " of '" +
                           M.Request.Fn->getName() +
                           "' is a structure with a floating-point member that is passed as an "
                           "integer: its derivative would be lost",
                       "pass it by pointer, or mark it with 'enzyme_const'");
  return Error::success();
}

/// A call has been replaced, is left to the linker's run, or has an error.
void RequestLowering::finish(CallBase &Call, Error E, const MDNode *Choice, Reproducer &Kept) {
  Changed |= !E;
  if (isForTheLinker(E)) {
    consumeError(std::move(E));
    Left.insert(&Call);
    return;
  }
  // The user wrote one call, whichever functions it chooses from.
  if (E && Choice && !FailedChoices.insert(Choice).second) {
    consumeError(std::move(E));
    return;
  }
  if (Explain && E)
    Explain->noteError(E);
  tell(std::move(E), Kept);
}

/// Is the tape of this first half, or the one whose size is asked for, for
/// __enzyme_fwdsplit?
bool RequestLowering::leavesRecord(CallBase &Call, Function &Target) const {
  if (!Tapes.hasBoth(Target))
    return Tapes.isReplayed(Target);
  return !asksForSize(Call) && Tapes.makesRecord(Call).value_or(true);
}

/// Looks which member of the struct of pointers that a first half returns is used as its tape.
Error RequestLowering::findTape(MarkerCall &Call) const {
  Expected<std::optional<unsigned>> Leaf = Tapes.tapeLeaf(*Call.Call);
  if (!Leaf)
    return Leaf.takeError();
  Call.TapeLeaf = *Leaf;
  return checkTapeLeaf(Call);
}

void RequestLowering::lower(CallBase &Call) {
  Open.remove(&Call);
  if (Explain)
    Explain->beginRequest(Call);
  Function *Target = targetOf(Call, calledKind(Call));
  Reproducer Kept(Call, Target);
  const MDNode *Choice = choiceOf(Call);
  if (calledKind(Call) == EntryPoint::Batch || calledKind(Call) == EntryPoint::VirtualReverse) {
    Error E = calledKind(Call) == EntryPoint::Batch ? lowerBatch(Call) : lowerVirtualReverse(Call);
    finish(Call, std::move(E), Choice, Kept);
    return;
  }
  Expected<MarkerCall> Parsed = parseMarkerCall(Call, Target && leavesRecord(Call, *Target));
  Error E = Parsed ? checkPackedArguments(*Parsed) : Parsed.takeError();
  if (!E)
    E = findTape(*Parsed);
  if (!E) {
    DiffRequest &R = Parsed->Request;
    const bool IsDifferentiated = Differentiated.contains(Call.getFunction());
    R.TapeOutlives |= R.isReverse() && IsDifferentiated;
    if (IsDifferentiated) // What threads hand to each other would be handed back.
      R.Common.clear();
    if (isNewsOf(Call)) {
      lintCall(*Parsed);
      lintTapeLeaf(*Parsed, Tapes.isTapeUnclear(Call));
    }
    if (!lowerInside(*Parsed->Request.Fn)) {
      Left.insert(&Call);
      return;
    }
    if (Explain)
      Explain->beginRequest(Call);
    E = derive(*Parsed);
    All.forgetCallees(); // The caller is another one now.
  }
  finish(Call, std::move(E), Choice, Kept);
}

bool differentiateModule(Module &M, ModuleAnalysisManager &MAM,
                         const DifferentiateOptions &Options) {
  if (!hasRequests(M))
    return false;
  TimeTraceScope Time("isozyme");
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  LibraryBodies Bodies(M, FAM);
  ResolvedCalls Resolved(M, MarkerTargets(M).roots(), FAM);
  CaughtExceptions Caught(M, FAM);
  RequestLowering Lowering(M, FAM, Options);
  bool Changed = Lowering.run();
  if (Options.RunPrepared)
    Lowering.runPrepared();
  eraseForms(M, FAM);
  eraseOutlinedLoops(M, FAM);
  linkCheckRuntime(M);
  linkTapeRuntime(M);
  linkCheckpointRuntime(M);
  emitGpuTransfers(M);
  report(linkDeviceMath(M));
  placeLaunchShadows(M);
  // Calls that are left are read again with all that belongs to them.
  if (!Lowering.leavesCalls()) {
    report(lowerTodense(M));
    eraseUnusedMarkers(M);
  }
  if (!Options.BeforeLink)
    eraseRegistrations(M);
  return Changed;
}

} // namespace isozyme
