//===- DevicePlan.cpp - What a derivative cannot do on a GPU --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a GPU have no heap of their own, and wait for each other. A plan that needs one,
// or whose reverse sweep would have to wait, is an error here, before anything is emitted.
//
// In: a plan.  Out: an error, at the place that has to change.
//
//===----------------------------------------------------------------------===//
#include "SharedMemory.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/ForwardPlan.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Target/DeviceTape.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// No piece of a tape has a larger alignment.
static constexpr unsigned AlignOfTape = 16;

namespace {

/// One derivative, on one machine.
class DeviceCheck {
public:
  DeviceCheck(const Accelerator &Machine, const DiffRequest &R, const PreparedFunction &P,
              const CallPlanSet &Calls, const StepPlan &Steps)
      : Machine(Machine), R(R), P(P), Calls(Calls), Steps(Steps) {}

  Error checkTape(const DerivativePlan &Plan) const;
  Error checkLocals(const DerivativePlan &Plan) const;
  Error checkCalls() const;
  Error checkSteps() const;
  /// Refuses barriers and the like where the reverse sweep has no counterpart for them.
  Error checkMeetings() const;
  bool handsNothingOn(const Instruction &Fence) const;
  /// Refuses numbers that threads hand to each other: nobody would hand their adjoints back.
  Error checkExchanges() const;
  Error checkGlobals(ArrayRef<GlobalVariable *> Globals, const DiffRequest &R) const;

private:
  bool holdsDerivative(const Value &V) const;
  bool mayHoldFloat(const Value &V) const;
  Error checkAssembly(const CallBase &Call) const;
  Error refuse(const Place &Where, const Twine &What, const Twine &Fix) const {
    return diffError(DiagId::UnsupportedTarget, Where,
                     What + ", which is not possible on " + Machine.name(), Fix);
  }
  Error checkStep(const Instruction &I, const Step &S) const;
  Error checkAtomicAdd(const Instruction &I, const Step &S) const;
  Error checkExtremum(const AtomicRMWInst &I) const;
  std::string nameOf(const Value &V) const {
    std::string Name = P.sourceName(&V);
    return Name.empty() ? "a value" : "'" + Name + "'";
  }

  const Accelerator &Machine;
  const DiffRequest &R;
  const PreparedFunction &P;
  const CallPlanSet &Calls;
  const StepPlan &Steps;
};

} // namespace

Error DeviceCheck::checkTape(const DerivativePlan &Plan) const {
  if (deviceTape(*P.original().getParent()))
    return Error::success();
  for (const TapeSlot &S : Plan.Tape.slots()) {
    const TapeRegion &R = Plan.Tape.regions()[S.Region];
    if (R.Shape == TapeShape::Scalar || (R.Memory == TapeMemory::Stack && R.KnownCount))
      continue;
    if (!S.Key.V)
      continue; // The address of an array; the array has a slot, too.
    const Loop &L = *R.Group.back();
    bool IsRead = isa<LoadInst>(S.Key.V);
    return refuse(
        P.placeOf(L.getHeader()->getTerminator()),
        Twine("the gradient would keep ") + (IsRead ? "what is read into " : "") +
            nameOf(*S.Key.V) + " once per iteration of this loop (" + Plan.Tape.sizeOf(P, S) +
            "), in memory that it allocates",
        Twine(IsRead ? "write __restrict__ on the pointers to data and to results, so that the "
                       "gradient may read again, or "
                     : "") +
            "declare memory for tapes (isozyme_tape), or give the loop a constant number of "
            "iterations, or a constant bound for it, with at most 4096 bytes to keep "
            "and called from a function that is inlined, or write the loop so that its values "
            "can be computed from the counter");
  }
  for (auto &[Call, C] : Plan.Calls)
    if (C.K == CallPlan::Differentiate && C.Recursive)
      return refuse(P.placeOf(Call),
                    "the gradient of a function that calls itself allocates its tape",
                    "declare memory for tapes (isozyme_tape), or write the recursion as a loop");
  return Error::success();
}

Error DeviceCheck::checkLocals(const DerivativePlan &Plan) const {
  bool HasTape = deviceTape(*P.original().getParent());
  for (const Instruction &I : instructions(P.function()))
    if (auto *A = const_cast<AllocaInst *>(dyn_cast<AllocaInst>(&I)))
      if ((Plan.onHeap(A, Part::Primal) || Plan.onHeap(A, Part::Shadow)) &&
          !(HasTape && A->getAlign().value() <= AlignOfTape))
        return refuse(P.placeOf(A),
                      "the gradient would move the local variable " + nameOf(*A) +
                          " to memory that it allocates, for this function is called",
                      "let the function be inlined, for instance by __forceinline__, or declare "
                      "memory for tapes (isozyme_tape)");
  return Error::success();
}

Error DeviceCheck::checkCalls() const {
  for (auto &[Call, C] : Calls)
    if (C.K == CallPlan::Allocate || C.K == CallPlan::Free || C.K == CallPlan::Stop)
      return refuse(P.placeOf(Call),
                    C.K == CallPlan::Stop ? "the derivative would end the program here"
                                          : "the derivative allocates memory beside this",
                    C.K == CallPlan::Stop
                        ? Twine("keep differentiated data away from this call")
                        : Twine("use a local array of constant size, or memory that the host "
                                "has allocated"));
  return Error::success();
}

/// Machines add floats of their own types at their own places only.
Error DeviceCheck::checkAtomicAdd(const Instruction &I, const Step &S) const {
  Type *T = S.Adjoint == AdjointStep::Copy || !S.Moved ? nullptr : S.Moved->getScalarType();
  if (S.Adjoint == AdjointStep::MaskedLoad || S.Adjoint == AdjointStep::MaskedStore)
    return refuse(P.placeOf(&I), "several threads may add to this vector under a mask at once",
                  "load and store its elements one by one");
  if (!T)
    return Error::success();
  if (!T->isHalfTy() && !T->isBFloatTy() && !T->isFloatTy() && !T->isDoubleTy())
    return refuse(P.placeOf(&I), "several threads may add to a number of this type at once",
                  "use 'float' or 'double'");
  if (getLoadStorePointerOperand(&I) &&
      getLoadStoreAlignment(&I).value() < T->getPrimitiveSizeInBits() / 8)
    return refuse(P.placeOf(&I),
                  "several threads may add to a number that is not aligned to its size at once",
                  "align the data, and do not pack the structure");
  return Error::success();
}

/// A thread that comes back has to find the result where it has left its value.
Error DeviceCheck::checkExtremum(const AtomicRMWInst &I) const {
  if (Steps.of(&I).Adjoint)
    return diffError(DiagId::ActiveAtomic, P.placeOf(&I),
                     "the old value of an atomic maximum or minimum is used, and which one a "
                     "thread gets changes from run to run",
                     "use the result when all threads have come");
  const char *Why =
      R.isSplit() ? "the function that does this is called" : whyResultIsUnknown(P, Steps, I);
  if (!Why)
    return Error::success();
  return diffError(DiagId::ActiveAtomic, P.placeOf(&I),
                   "whose value an atomic maximum or minimum has left is not known in the reverse "
                   "sweep: " +
                       Twine(Why),
                   "give each such operation a place of its own, which is set before and read "
                   "behind a barrier, in a function that is inlined");
}

Error DeviceCheck::checkStep(const Instruction &I, const Step &S) const {
  if (S.Shadow == ShadowReach::Paged || S.Shadow == ShadowReach::Stopped ||
      S.Source == ShadowReach::Paged || S.Source == ShadowReach::Stopped)
    return refuse(P.placeOf(&I),
                  "memory that nobody has made a shadow for would get one at run time",
                  "pass the memory to the function as an argument with a shadow, or mark it "
                  "enzyme_const");
  const Value *Ptr = getLoadStorePointerOperand(&I);
  if (Ptr && !Ptr->getType()->isVectorTy() && S.Shadow != ShadowReach::None) {
    unsigned Space = Ptr->getType()->getPointerAddressSpace();
    if (Machine.sharingOf(Space) == MemorySharing::Constant && S.Adjoint != AdjointStep::Nothing &&
        S.Moved)
      return refuse(P.placeOf(&I), "the derivative by constant memory would be written there",
                    "pass the data in memory that can be written to");
    if (isCompared(S.Shadow) && Space != 0)
      return refuse(P.placeOf(&I),
                    "memory that may have no shadow is accessed in an address space of its own",
                    "pass this memory as an argument with a shadow");
  }
  if (S.Adjoint == AdjointStep::Atomic && Steps.of(&I).Adjoint)
    return diffError(DiagId::ActiveAtomic, P.placeOf(&I),
                     "the old value of an atomic addition is used, and which one a thread gets "
                     "changes from run to run",
                     "use the sum when all threads have added to it, in another kernel");
  if (S.Adjoint == AdjointStep::Extremum)
    if (Error E = checkExtremum(cast<AtomicRMWInst>(I)))
      return E;
  return isAtomic(S.Sum) ? checkAtomicAdd(I, S) : Error::success();
}

Error DeviceCheck::checkSteps() const {
  for (auto &[I, S] : Steps.steps())
    if (Error E = checkStep(*I, S))
      return E;
  return Error::success();
}

/// Does a step move derivatives by memory that other threads reach, to them or from them?
static bool handsOn(const Step &S, bool ToOthers) {
  if (S.Why == StepReason::OwnMemory)
    return false;
  switch (S.Adjoint) {
  case AdjointStep::Load:
  case AdjointStep::MaskedLoad:
    return !ToOthers;
  case AdjointStep::Store:
  case AdjointStep::MaskedStore:
  case AdjointStep::Atomic:
    return ToOthers;
  case AdjointStep::Copy:
  case AdjointStep::Call:
    return true;
  default:
    return false;
  }
}

/// A thread that sees what another one has written before its fence hands adjoints to it that come
/// too late. So nobody may write before, or nobody may read behind \p Fence.
bool DeviceCheck::handsNothingOn(const Instruction &Fence) const {
  auto isAny = [&](bool Before) {
    return any_of(Steps.steps(), [&](const auto &Each) {
      const Instruction &I = *Each.first;
      return handsOn(Each.second, Before) &&
             isPotentiallyReachable(Before ? &I : &Fence, Before ? &Fence : &I, nullptr,
                                    &P.dominators(), &P.loops());
    });
  };
  return !isAny(/*Before=*/true) || !isAny(/*Before=*/false);
}

Error DeviceCheck::checkMeetings() const {
  for (const Instruction &I : instructions(P.function())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        Callee && !Callee->isDeclaration() && meetsOthers(*Callee)) {
      auto It = Calls.find(Call);
      if (It == Calls.end() || It->second.K != CallPlan::Differentiate)
        return refuse(P.placeOf(&I),
                      "threads wait for each other, or hand memory on, in '" + Callee->getName() +
                          "', which moves no derivative, and would not in the reverse sweep",
                      "let the function be inlined, or wait outside of it");
    }
    const Meeting Kind = meetingAt(P, I);
    const bool IsFence = Kind == Meeting::Fence;
    if ((!IsFence && Kind != Meeting::Other) || (IsFence && handsNothingOn(I)))
      continue;
    return diffError(
        DiagId::UnsupportedTarget, P.placeOf(&I),
        Twine(IsFence ? "threads hand memory to each other here"
                      : "threads of a block wait for each other here") +
            ", and the gradient cannot do the same backwards yet on " + Machine.name(),
        "differentiate what stands between two such places, use forward mode, or write "
        "the derivative of this function by hand");
  }
  return Error::success();
}

/// May \p V, bit for bit or by arithmetic on its bits, be made of a float that has a derivative?
bool DeviceCheck::holdsDerivative(const Value &V) const {
  SmallVector<const Value *, 16> Work = {&V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *Each = Work.pop_back_val();
    if (!Seen.insert(Each).second)
      continue;
    if (Steps.of(Each).Adjoint)
      return true;
    auto *I = dyn_cast<Instruction>(Each);
    if (!I || isa<CmpInst, FPToSIInst, FPToUIInst, AllocaInst, GetElementPtrInst>(I))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      ShadowForm Shadow = Steps.of(Load->getPointerOperand()).Shadow;
      if (Shadow != ShadowForm::Itself && Shadow != ShadowForm::None)
        return true;
      continue;
    }
    Work.append(I->value_op_begin(), I->value_op_end());
  }
  return false;
}

/// Assembly has no types: an integer may hold the bits of a float.
bool DeviceCheck::mayHoldFloat(const Value &V) const {
  SmallVector<const Value *, 16> Work = {&V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *Each = Work.pop_back_val();
    auto *Global = dyn_cast<GlobalVariable>(Each);
    if (Global && !Global->isConstant())
      return true;
    if (isa<Constant>(Each) || !Seen.insert(Each).second)
      continue;
    if (Steps.of(Each).Adjoint)
      return true;
    if (auto *A = dyn_cast<Argument>(Each)) { // What no shadow is passed for is constant.
      if (R.Args[A->getArgNo()] != ArgActivity::Const)
        return true;
      continue;
    }
    auto *I = dyn_cast<Instruction>(Each);
    if (!I || isa<CmpInst, FPToSIInst, FPToUIInst>(I))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      Work.push_back(getUnderlyingObject(Load->getPointerOperand(), 0));
      continue;
    }
    if (isa<AllocaInst>(I))
      return true;
    if (auto *Call = dyn_cast<CallBase>(I); Call && Machine.isQuery(Call->getIntrinsicID()))
      continue;
    Work.append(I->value_op_begin(), I->value_op_end());
  }
  return false;
}

Error DeviceCheck::checkAssembly(const CallBase &Call) const {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  if (Call.arg_empty() || !Machine.mayComputeFloats(Asm->getAsmString()) ||
      none_of(Call.args(), [&](const Use &U) { return mayHoldFloat(*U); }))
    return Error::success();
  StringRef Text = StringRef(Asm->getAsmString()).trim(" \t\n{");
  return refuse(P.placeOf(&Call), "inline assembly ('" + Text.take_until([](char C) {
    return C == '\n' || C == ';';
  }) + "') may compute with differentiated data",
                "write it with ordinary operations, or move it to a function of its own with a "
                "derivative, or that is marked inactive");
}

Error DeviceCheck::checkExchanges() const {
  for (const Instruction &I : instructions(P.function())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && Call->isInlineAsm())
      if (Error E = checkAssembly(*Call))
        return E;
    if (!Call || (!Call->isInlineAsm() && !Intrinsic::isTargetIntrinsic(Call->getIntrinsicID())))
      continue;
    if (!Call->isInlineAsm() && !Call->isConvergent())
      continue;
    if (any_of(Call->args(), [&](const Use &U) { return holdsDerivative(*U); }))
      return refuse(P.placeOf(&I), "differentiated data may be handed to other threads here",
                    "exchange it through memory, or compute what is exchanged in a function of its "
                    "own that is marked inactive");
  }
  return Error::success();
}

/// The threads of a block clear the shadow of its memory together. They are all there, and wait,
/// where the function itself does.
Error DeviceCheck::checkGlobals(ArrayRef<GlobalVariable *> Globals, const DiffRequest &R) const {
  Place Where(P.original());
  bool Meets = meetsBlock(P);
  for (const GlobalVariable *G : Globals) {
    bool OfBlock = Machine.sharingOf(G->getAddressSpace()) == MemorySharing::Block;
    if (!OfBlock)
      return refuse(Where,
                    "'" + G->getName() +
                        "' holds differentiated data, and each thread would clear its shadow when "
                        "it begins",
                    "name its shadow (__enzyme_register_shadow), or pass its memory to the "
                    "function as an argument with a shadow");
    // What a caller uses, too, has been cleared there.
    bool IsCleared = Meets || is_contained(R.Globals, G);
    if (!IsCleared || containsPointer(G->getValueType()))
      return refuse(Where,
                    "'" + G->getName() +
                        "' of the block holds differentiated data, and the threads do not wait for "
                        "each other in this function, or there are addresses in it",
                    "use a local variable, or differentiate a function that has the barrier");
    if ((isSizedByLaunch(*G) && R.Width > 1) || halvedBy(*G))
      return refuse(Where,
                    "'" + G->getName() +
                        "', whose size the launch says, would need more than one shadow",
                    "ask for one direction after the other, and for first derivatives, or use an "
                    "array of constant size");
  }
  return Error::success();
}

Error checkForDevice(const DerivativePlan &Plan) {
  const Accelerator *Machine = acceleratorOf(*Plan.P.original().getParent());
  if (!Machine)
    return Error::success();
  DeviceCheck Check(*Machine, Plan.Request, Plan.P, Plan.Calls, Plan.Steps);
  if (Error E = Check.checkMeetings())
    return E;
  if (Error E = Check.checkExchanges())
    return E;
  if (Error E = Check.checkGlobals(Plan.Globals, Plan.Request))
    return E;
  if (Error E = Check.checkCalls())
    return E;
  if (Error E = Check.checkSteps())
    return E;
  if (Error E = Check.checkLocals(Plan))
    return E;
  return Check.checkTape(Plan);
}

Error checkForDevice(const ForwardPlan &Plan, ArrayRef<GlobalVariable *> Globals) {
  const Accelerator *Machine = acceleratorOf(*Plan.P.original().getParent());
  if (!Machine)
    return Error::success();
  DeviceCheck Check(*Machine, Plan.Request, Plan.P, Plan.Calls, Plan.Steps);
  if (Error E = Check.checkExchanges())
    return E;
  if (Error E = Check.checkGlobals(Globals, Plan.Request))
    return E;
  if (Error E = Check.checkCalls())
    return E;
  return Check.checkSteps();
}

} // namespace isozyme
