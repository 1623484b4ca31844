//===- ReverseSteps.cpp - Decide what a reverse derivative does -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: types, activity, what calls do.  Out: the step of each instruction in both sweeps, and
// where the derivative of each value is.
//
//===----------------------------------------------------------------------===//
#include "ReverseSteps.h"
#include "ComputedCalls.h"
#include "Device/SharedMemory.h"
#include "FloatChecks.h"
#include "Reach.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Needs/BulkLayout.h"
#include "isozyme/Needs/FreshMemory.h"
#include "isozyme/Needs/LateStores.h"
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/Watch.h"
#include "isozyme/Rules/StrongZero.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Types/TypeResult.h"
#include "isozyme/Values/AtomicBits.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

class ReverseSteps {
public:
  ReverseSteps(const ReverseFacts &F, const LateStores &Late)
      : F(F), Late(Late), Computed(F.P), Taped(tapedShadows(F)) {}

  Expected<StepPlan> run(const WatchSet &Watches) {
    if (Error E = checkFloats(F.P, F.Types, F.Activity))
      return std::move(E);
    if (Error E = checkIntegers(F))
      return std::move(E);
    Result.setChecks(F.Activity.checks());
    for (const Argument &A : F.P.function().args())
      noteValue(A);
    for (const BasicBlock &BB : F.P.function())
      for (const Instruction &I : BB)
        if (Error E = visit(I))
          return std::move(E);
    for (auto &[Access, Place] : Watches.Accesses)
      noteValue(*Place.Base);
    return std::move(Result);
  }

private:
  Error visit(const Instruction &I);
  void noteValue(const Value &V);
  ShadowForm shadowFormOf(const Value &V) const;
  Error noteBytes(const MemIntrinsic &M);
  Expected<AdjointStep> adjointStepOf(const Instruction &I) const;
  Expected<AdjointStep> adjointOfCall(const CallPlan &Plan, const CallBase &Call) const;
  Expected<AdjointStep> adjointOfAtomic(const Instruction &I) const;
  Type *adjointOf(const AtomicRMWInst &RMW) const;
  Error unknownDerivative(const Instruction &I) const;
  void sweep(const Instruction &I, Step &S) const;
  void sweepCall(const CallBase &Call, const CallPlan &Plan, Step &S) const;
  void adjoint(const Instruction &I, Step &S);
  void reach(Step &S, const Value *Ptr, const Type &T, Align A, bool Stops) const;
  void guard(const Instruction &I, Step &S) const;
  bool isActive(const Value *V) const { return F.Activity.isActiveValue(V); }

  const ReverseFacts &F;
  const LateStores &Late;
  const ComputedCalls Computed;
  const CallSet Taped;
  StepPlan Result;
};

// --- Values ---

/// Is the adjoint of \p V added to and taken in the reverse of one block only?
static bool staysInBlock(const Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  return I && !isa<PHINode>(I) && all_of(I->users(), [&](const User *U) {
           return !isa<PHINode>(U) && cast<Instruction>(U)->getParent() == I->getParent();
         });
}

ShadowForm ReverseSteps::shadowFormOf(const Value &V) const {
  if (auto *A = dyn_cast<Argument>(&V); A && F.R.hasShadow(A->getArgNo()))
    return ShadowForm::Given;
  if (isa<ConstantData>(V) || !containsPointer(V.getType()))
    return ShadowForm::None;
  if (!isActive(&V) || F.Activity.isOwnShadow(&V))
    return ShadowForm::Itself;
  return isa<Constant>(V) ? ShadowForm::OfConstant : ShadowForm::Made;
}

void ReverseSteps::noteValue(const Value &V) {
  ValuePlan Plan;
  Plan.Shadow = shadowFormOf(V);
  Plan.IsNumber = isa<Argument>(V) && V.getType()->isIntOrIntVectorTy() &&
                  F.Types.typeOf(&V).kind() == ConcreteType::Integer;
  if (isActive(&V))
    Plan.Adjoint = adjointType(&V, F.Types);
  Plan.InBlock = Plan.Adjoint && staysInBlock(V);
  if (isActive(&V) || isa<Argument>(V))
    Result.set(V, Plan);
}

/// How \p S reaches the shadow of \p Ptr, for an access of type \p T.
void ReverseSteps::reach(Step &S, const Value *Ptr, const Type &T, Align A, bool Stops) const {
  setReach(S, F.Activity.checkOf(Ptr), {T, A, F.P.function().getDataLayout()}, Stops);
}

// --- The forward sweep ---

void ReverseSteps::sweepCall(const CallBase &Call, const CallPlan &Plan, Step &S) const {
  switch (Plan.K) {
  case CallPlan::Differentiate:
    S.Sweep = SweepStep::Augment;
    return;
  case CallPlan::Allocate:
    S.Sweep = SweepStep::MakeShadow;
    return;
  case CallPlan::Stop:
    S.Sweep = SweepStep::Stop;
    return;
  case CallPlan::Free:
    S.Sweep = Plan.Shadowless ? SweepStep::ReleaseLater : SweepStep::LeaveOut;
    return;
  case CallPlan::BulkMemory:
    if (Result.bytesOf(Call).has(ByteRun::Addresses))
      S.Sweep = isa<MemSetInst>(Call) ? SweepStep::ClearAddresses : SweepStep::CopyAddresses;
    return;
  case CallPlan::Structural: {
    std::optional<MaskedAccess> Access = maskedAccess(Call);
    if (!Access || !F.Activity.isActiveInstruction(&Call))
      return;
    if (S.Shadow == ShadowReach::Stopped)
      S.Sweep = SweepStep::Check;
    if (!Access->IsLoad && Access->Data->getType()->isPtrOrPtrVectorTy())
      S.Sweep = SweepStep::StoreAddress;
    return;
  }
  case CallPlan::Inactive:
  case CallPlan::ByRule:
    return;
  }
}

void ReverseSteps::sweep(const Instruction &I, Step &S) const {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (auto It = F.Calls.find(Call); It != F.Calls.end())
      sweepCall(*Call, It->second, S);
    return;
  }
  if (isa<AllocaInst>(I) && isActive(&I))
    S.Sweep = SweepStep::MakeShadow;
  if (S.Shadow == ShadowReach::Stopped)
    S.Sweep = SweepStep::Check;
  if (isa<LoadInst>(I) && isActive(&I) && shadowFormOf(I) == ShadowForm::Made)
    S.Sweep = SweepStep::LoadAddress;
  auto *Store = dyn_cast<StoreInst>(&I);
  if (Store && F.Activity.isActiveInstruction(Store) &&
      (Store->getValueOperand()->getType()->isPtrOrPtrVectorTy() ||
       storesNullPointer(*Store, F.Types))) {
    S.Sweep = SweepStep::StoreAddress;
    S.Waits = Late.contains(*Store);
  }
}

// --- The reverse sweep ---

Expected<AdjointStep> ReverseSteps::adjointOfCall(const CallPlan &Plan,
                                                  const CallBase &Call) const {
  switch (Plan.K) {
  case CallPlan::Differentiate:
    return AdjointStep::Call;
  case CallPlan::BulkMemory:
    if (!isa<MemIntrinsic>(Call)) // Copied by elements, each at once.
      return unknownDerivative(Call);
    return isa<MemSetInst>(Call) ? AdjointStep::Clear : AdjointStep::Copy;
  case CallPlan::Free:
    return Plan.Shadowless ? AdjointStep::Nothing : AdjointStep::Release;
  case CallPlan::Allocate:
    return AdjointStep::ReleaseShadow;
  default:
    return AdjointStep::Nothing;
  }
}

/// The float whose largest or smallest \p RMW leaves in memory, maybe by its bits.
Type *ReverseSteps::adjointOf(const AtomicRMWInst &RMW) const {
  const Value *V = RMW.getValOperand();
  Type *T = isa<Constant>(V) && !V->getType()->isFloatingPointTy() ? adjointType(&RMW, F.Types)
                                                                   : adjointType(V, F.Types);
  return T && T->isFloatingPointTy() ? T : nullptr;
}

/// What the reverse sweep does for an instruction that reads and writes at once.
Expected<AdjointStep> ReverseSteps::adjointOfAtomic(const Instruction &I) const {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  if (!RMW)
    return diffError(DiagId::ActiveAtomic, F.P.placeOf(&I),
                     "a compare-and-exchange works on differentiated memory",
                     "add by 'atomic_fetch_add', or by '+=' a number of the same type, or keep "
                     "differentiated data out of this memory");
  if (isAtomicExtremum(*RMW) && acceleratorOf(*F.P.original().getParent()) && adjointOf(*RMW))
    return AdjointStep::Extremum;
  if (!is_contained({AtomicRMWInst::FAdd, AtomicRMWInst::FSub}, RMW->getOperation()))
    return diffError(DiagId::ActiveAtomic, F.P.placeOf(RMW),
                     "no derivative is known for the atomic '" +
                         AtomicRMWInst::getOperationName(RMW->getOperation()) +
                         "' on differentiated memory",
                     "use an atomic addition, or keep differentiated data out of this memory");
  return AdjointStep::Atomic;
}

Error ReverseSteps::unknownDerivative(const Instruction &I) const {
  auto *Call = dyn_cast<CallBase>(&I);
  StringRef Name = Call && Call->getCalledFunction() ? Call->getCalledFunction()->getName()
                                                     : StringRef(I.getOpcodeName());
  // Without types, a counter may look like the bits of a float.
  bool IsCount = is_contained({Instruction::Add, Instruction::Sub}, I.getOpcode()) &&
                 F.P.original().hasFnAttribute(UnoptimisedMark);
  return diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&I),
                   "no derivative is known for '" + Name + "'",
                   Twine("rewrite the expression, or mark what it computes enzyme_const") +
                       (IsCount ? ", or compile with -O1 or higher, which tells integers from the "
                                  "bits of floats"
                                : ""));
}

/// A shadow pointer is read where float bytes are moved through it.
static bool storesFloats(const ReverseFacts &F, const StoreInst &S) {
  return F.Activity.isActiveInstruction(&S) && storedAdjointType(S, F.Types);
}

/// Does the reverse sweep do anything for \p I?
static bool hasReverseAction(const ReverseFacts &F, const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    auto It = F.Calls.find(Call);
    if (It != F.Calls.end()) {
      switch (It->second.K) {
      case CallPlan::Inactive:
      case CallPlan::Stop:
        return false;
      case CallPlan::Allocate: // What makes it in one half alone releases it when it returns.
        return F.R.isSplit() && shadowRelease(*Call);
      case CallPlan::BulkMemory:
      case CallPlan::Differentiate:
        return true;
      case CallPlan::Free:
        return !It->second.Shadowless;
      case CallPlan::Structural:
        if (Call->getType()->isVoidTy())
          return F.Activity.isActiveInstruction(Call) &&
                 !maskedAccess(*Call)->Data->getType()->isPtrOrPtrVectorTy();
        break;
      case CallPlan::ByRule:
        break;
      }
    }
  }
  // Local memory of a split derivative may lie on the heap: released in reverse.
  if (isa<AllocaInst>(I))
    return F.R.isSplit();
  if (!F.Activity.isActiveInstruction(&I))
    return false;
  if (auto *S = dyn_cast<StoreInst>(&I))
    return storesFloats(F, *S);
  if (isa<ReturnInst>(I))
    return F.R.Return == ReturnActivity::Active;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return !worksOnInteger(I, F.Types);
  if (!F.Activity.isActiveValue(&I))
    return false;
  return adjointType(&I, F.Types) != nullptr;
}

Expected<AdjointStep> ReverseSteps::adjointStepOf(const Instruction &I) const {
  if (Meeting Kind = meetingAt(F.P, I);
      F.P.reachesReturn(I.getParent()) && (Kind == Meeting::Block || Kind == Meeting::Part))
    return AdjointStep::Wait;
  if (!F.P.reachesReturn(I.getParent()) || !hasReverseAction(F, I))
    return AdjointStep::Nothing;
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    auto It = F.Calls.find(Call);
    if (It != F.Calls.end() && It->second.K != CallPlan::ByRule &&
        It->second.K != CallPlan::Structural)
      return adjointOfCall(It->second, *Call);
  }
  switch (I.getOpcode()) {
  case Instruction::Load:
    return AdjointStep::Load;
  case Instruction::Store:
    return AdjointStep::Store;
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return adjointOfAtomic(I);
  case Instruction::Alloca:
    return AdjointStep::ReleaseLocal;
  case Instruction::Ret:
    return AdjointStep::Seed;
  case Instruction::PHI:
    return AdjointStep::HandOn;
  case Instruction::Select:
    return AdjointStep::Choose;
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
    return AdjointStep::PutBack;
  default:
    break;
  }
  if (std::optional<MaskedAccess> Access = maskedAccess(I)) {
    if (maskedAdjointType(I, F.Types))
      return Access->IsLoad ? AdjointStep::MaskedLoad : AdjointStep::MaskedStore;
    return unknownDerivative(I);
  }
  OpView V = viewOf(I, F.P.libraryInfo());
  if (V.Class == OpClass::Elementwise)
    return AdjointStep::Rule;
  if (V.Class != OpClass::Structural)
    return unknownDerivative(I);
  if (exchangedBy(I) != Intrinsic::not_intrinsic)
    return AdjointStep::HandBack;
  if (auto *II = dyn_cast<CallBase>(&I))
    return II->getIntrinsicID() == Intrinsic::vector_reduce_fadd
               ? Expected<AdjointStep>(AdjointStep::PutBack)
               : unknownDerivative(I);
  return isa<ShuffleVectorInst, ExtractValueInst, InsertValueInst>(I) ? AdjointStep::PutBack
                                                                      : AdjointStep::Pass;
}

/// Which shares of an operation would be nan where zero meets an infinite coefficient.
void ReverseSteps::guard(const Instruction &I, Step &S) const {
  OpView V = viewOf(I, F.P.libraryInfo());
  for (unsigned Wrt = 0; Wrt < V.Operands.size(); ++Wrt)
    if (isActive(V.Operands[Wrt]) && needsStrongZero(I, V, Wrt, F.P.factsAt(I)))
      S.Guards |= 1u << Wrt;
  if (V.WritesZeroTo && isActive(V.WritesZeroTo))
    reach(S, V.WritesZeroTo, *V.WrittenType,
          F.P.function().getDataLayout().getABITypeAlign(V.WrittenType), /*Stops=*/false);
}

/// The details of \p S, whose Adjoint is decided.
void ReverseSteps::adjoint(const Instruction &I, Step &S) {
  if (auto *L = dyn_cast<LoadInst>(&I); L && isActive(L)) {
    S.Moved = adjointType(L, F.Types);
    bool Reads = S.Adjoint == AdjointStep::Load || shadowFormOf(I) == ShadowForm::Made;
    reach(S, L->getPointerOperand(), *L->getType(), L->getAlign(), /*Stops=*/true);
    // An address is loaded as it is, whatever it leads to.
    if (S.Adjoint != AdjointStep::Load && S.Shadow != ShadowReach::Stopped) {
      S.Shadow = Reads && S.Shadow == ShadowReach::Paged ? ShadowReach::Paged
                 : Reads                                 ? ShadowReach::Direct
                                                         : ShadowReach::None;
    }
    if (L->isAtomic() && S.Moved && S.Moved->isFloatingPointTy())
      S.Sum = AdjointSum::Atomic;
  } else if (auto *St = dyn_cast<StoreInst>(&I); St && F.Activity.isActiveInstruction(St)) {
    S.Moved = storedAdjointType(*St, F.Types);
    const Value *V = St->getValueOperand();
    bool Stops = isActive(V) && (V->getType()->isPointerTy() || S.Moved);
    reach(S, St->getPointerOperand(), *V->getType(), St->getAlign(), Stops);
    if (St->isAtomic() && S.Moved && S.Moved->isFloatingPointTy())
      S.Sum = AdjointSum::Atomic;
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I); RMW && S.Adjoint == AdjointStep::Atomic) {
    S.Moved = I.getType();
    S.Negated = RMW->getOperation() == AtomicRMWInst::FSub;
    S.Sum = AdjointSum::Atomic;
    reach(S, RMW->getPointerOperand(), *I.getType(), RMW->getAlign(), /*Stops=*/false);
  } else if (RMW && S.Adjoint == AdjointStep::Extremum) {
    S.Moved = adjointOf(*RMW);
    reach(S, RMW->getPointerOperand(), *S.Moved, RMW->getAlign(), /*Stops=*/false);
    // The threads of a block wait until it has its result; those of a grid cannot.
    if (!liesInBlock(F.P, *RMW->getPointerOperand()))
      S.Sweep = SweepStep::Expect;
  } else if (auto *M = dyn_cast<MemIntrinsic>(&I); M && S.Adjoint != AdjointStep::Nothing) {
    S.Shadow = bulkReach(F.Activity.checkOf(M->getRawDest()));
    auto *Copy = dyn_cast<MemTransferInst>(M);
    if (Copy && isActive(Copy->getRawSource())) {
      S.Source = bulkReach(F.Activity.checkOf(Copy->getRawSource()));
      S.StopsAtOverlap = S.Shadow == ShadowReach::Paged && isa<MemMoveInst>(Copy);
    }
    S.Why = S.StopsAtOverlap ? StepReason::Overlap : StepReason::Obvious;
  } else if (std::optional<MaskedAccess> Access = maskedAccess(I);
             Access && F.Activity.isActiveInstruction(&I)) {
    if (S.Adjoint != AdjointStep::Nothing)
      S.Moved = maskedAdjointType(I, F.Types);
    // A vector does not lie in one page.
    reach(S, Access->Address, *Access->Data->getType(), Align(),
          Access->IsLoad ? isActive(&I) : isActive(Access->Data));
  }
  if (S.Adjoint != AdjointStep::Rule)
    return;
  guard(I, S);
  const OpView V = viewOf(I, F.P.libraryInfo());
  Computed.note(
      I, /*InReverse=*/true, [&](unsigned Wrt) { return isActive(V.Operands[Wrt]); }, Result);
}

Error ReverseSteps::noteBytes(const MemIntrinsic &M) {
  auto It = F.Calls.find(&M);
  if (It == F.Calls.end() || It->second.K != CallPlan::BulkMemory)
    return Error::success();
  if (std::optional<ByteRuns> Words = runsOfWords(M, F.Types)) {
    Result.setBytes(M, std::move(*Words));
    return Error::success();
  }
  Expected<MemoryLayout> Layout = bulkLayout(F, M);
  if (!Layout) {
    auto *Set = dyn_cast<MemSetInst>(&M);
    if (!Set || !match(Set->getValue(), m_Zero()) ||
        !FreshMemory(F.Types, F.R, F.P.libraryInfo()).holds(Set->getRawDest()))
      return Layout.takeError();
    consumeError(Layout.takeError());
    Result.setBytes(M, ByteRuns::either());
    return Error::success();
  }
  Result.setBytes(M, ByteRuns(*Layout));
  return Error::success();
}

Error ReverseSteps::visit(const Instruction &I) {
  noteValue(I);
  for (const Use &U : I.operands())
    if (isa<Constant>(U) && !isa<ConstantData>(U))
      noteValue(*U.get());
  if (auto *M = dyn_cast<MemIntrinsic>(&I))
    if (Error E = noteBytes(*M))
      return E;
  Step S;
  Expected<AdjointStep> Adjoint = adjointStepOf(I);
  if (!Adjoint)
    return Adjoint.takeError();
  S.Adjoint = *Adjoint;
  adjoint(I, S);
  decideSharing(F.P, F.R, I, S);
  sweep(I, S);
  if (auto *Call = dyn_cast<CallBase>(&I); Call && Taped.contains(Call)) {
    S.OnTape = true;
    if (S.Sweep == SweepStep::MakeShadow)
      S.Adjoint = AdjointStep::ReleaseShadow;
  }
  if (!S.isNothing())
    Result.set(I, S);
  return Error::success();
}

Expected<StepPlan> planReverseSteps(const ReverseFacts &F, const LateStores &Late,
                                    const WatchSet &Watches) {
  return ReverseSteps(F, Late).run(Watches);
}

} // namespace isozyme
