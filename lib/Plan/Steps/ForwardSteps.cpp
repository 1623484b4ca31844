//===- ForwardSteps.cpp - Decide what a forward derivative does -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: types, activity, what calls do.  Out: the step of each instruction, and what stands for
// the tangent of each value that a step reads. A value that has none is found here.
//
//===----------------------------------------------------------------------===//
#include "ForwardSteps.h"
#include "ComputedCalls.h"
#include "FloatChecks.h"
#include "Reach.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Needs/BulkLayout.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/Mirror.h"
#include "isozyme/Plan/Watch.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "isozyme/Rules/StrongZero.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {

class ForwardSteps {
public:
  explicit ForwardSteps(const ForwardFacts &F) : F(F), Computed(F.P) {}
  Expected<StepPlan> run(const WatchSet &Watches);

private:
  void visit(const Instruction &I);
  void decide(const Instruction &I, Step &S);
  void decideActive(const Instruction &I, Step &S);
  void decideCall(const CallBase &I, Step &S);
  void rule(const Instruction &I, Step &S);
  void mirror(const Instruction &I, Step &S);
  void integerMove(const Instruction &I, Step &S);
  void load(const LoadInst &I, Step &S);
  void maskedLoad(const Instruction &I, Step &S);
  void store(const StoreInst &I, Step &S);
  void maskedStore(const Instruction &I, Step &S);
  void atomic(const AtomicRMWInst &I, Step &S);
  void exchange(const AtomicCmpXchgInst &I, Step &S);
  void copy(const AnyMemTransferInst &I, Step &S);
  void bulk(const CallBase &I, Step &S);
  void release(const CallBase &I, Step &S);
  void call(const CallBase &I, const CallPlan &Plan, Step &S);
  void finishPhi(const PHINode &I);
  void noteContents(const AllocaInst &A);
  bool copiesAddresses(const AnyMemTransferInst &I) const;

  /// The step of \p At reads the tangent (shadow) of \p V.
  void reads(const Value *V, const Instruction &At);
  ShadowForm formOf(const Value &V) const;
  ShadowForm formOfInactive(const Value &V) const;
  void refuseMissing(const Value &V, const Instruction &At);
  void setTangent(const Value &V, ShadowForm Form);
  bool isPlainInteger(const Value *V, const Value *Ptr) const;
  bool isAddress(const Instruction &I) const;
  bool isActive(const Value *V) const { return F.Activity.isActiveValue(V); }
  bool hasTangent(const Value *V) const { return Result.of(V).HasTangent; }
  /// Must what happens to the memory behind \p Ptr happen to a shadow too?
  bool hasShadow(const Value *Ptr) const { return isActive(Ptr) || hasTangent(Ptr); }
  void reach(Step &S, const Value *Ptr, const Type &T, Align A, bool Stops) const {
    setReach(S, F.Activity.checkOf(Ptr), {T, A, F.P.function().getDataLayout()}, Stops);
  }
  void zeroIfActive(const Instruction &I, Step &S) const {
    S.Tangent = isActive(&I) ? TangentStep::Zero : TangentStep::Nothing;
  }
  void fail(Error E);
  void failUnknown(const Instruction &I);

  const ForwardFacts &F;
  const ComputedCalls Computed;
  /// An address has a shadow in the plan only if a step reads it.
  StepPlan Result{ShadowForm::Missing};
  SmallPtrSet<const BasicBlock *, 16> Visited;
  std::optional<Error> Failure; ///< The first one.
};

} // namespace

void ForwardSteps::fail(Error E) {
  if (Failure)
    consumeError(std::move(E));
  else
    Failure.emplace(std::move(E));
}

void ForwardSteps::failUnknown(const Instruction &I) {
  fail(diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&I),
                 Twine("no derivative is known for '") + I.getOpcodeName() +
                     "' on differentiated data",
                 "write it with floating-point arithmetic, or keep differentiated data away from "
                 "it"));
}

// --- What stands for a tangent ---

/// An inactive pointer is its own shadow when nobody can read a number behind it.
ShadowForm ForwardSteps::formOfInactive(const Value &V) const {
  if (isa<Constant>(V)) {
    auto *GV = dyn_cast<GlobalVariable>(getUnderlyingObject(&V));
    return GV && !GV->isConstant() ? ShadowForm::Missing : ShadowForm::Companion;
  }
  // An address computed from null (the end of an empty range) is never read.
  bool OfNothing = isa<ConstantData>(getUnderlyingObject(&V));
  if (OfNothing || F.Types.layoutOf(&V, 0).uniform().kind() == ConcreteType::Integer)
    return ShadowForm::Itself;
  return ShadowForm::Missing;
}

/// Of a value that no instruction of the derivative is the tangent of.
ShadowForm ForwardSteps::formOf(const Value &V) const {
  if (F.Activity.isOwnShadow(&V))
    return ShadowForm::Itself;
  if (isa<Constant>(V) && isActive(&V) && containsPointer(V.getType()))
    return ShadowForm::OfConstant;
  if (isActive(&V) && !isa<Constant>(V))
    return ShadowForm::Missing;
  // No step reads the shadow of an inactive record, even if the record is put into another.
  // Poison is mostly an operand that its instruction ignores.
  if (isa<PoisonValue>(V) || !V.getType()->isPtrOrPtrVectorTy())
    return ShadowForm::None;
  return formOfInactive(V);
}

void ForwardSteps::refuseMissing(const Value &V, const Instruction &At) {
  if (isa<Argument>(V) && isActive(&V) && V.getType()->isIntOrIntVectorTy())
    return fail(
        diffError(DiagId::UnknownType, F.P.placeOf(&At),
                  "it cannot be told whether the integer '" + F.P.sourceName(&V) +
                      "' is a number or the address of differentiated data: memory that holds "
                      "numbers and memory that holds addresses are reached by one pointer here",
                  "use one pointer for each"));
  if (isActive(&V) && !isa<Constant>(V))
    return fail(diffError(DiagId::InternalError, F.P.placeOf(&At),
                          "the tangent of '" + F.P.sourceName(&V) + "' is used before it is made",
                          ""));
  fail(diffError(DiagId::NoShadowMemory, F.P.placeOf(&At),
                 "the pointer '" + F.P.sourceName(&V) +
                     "' has no shadow, but meets differentiated memory here",
                 "pass its argument as enzyme_dup, with a shadow that is zero"));
}

void ForwardSteps::reads(const Value *V, const Instruction &At) {
  if (hasTangent(V))
    return;
  ValuePlan Plan;
  Plan.Shadow = formOf(*V);
  if (Plan.Shadow == ShadowForm::Missing)
    return refuseMissing(*V, At);
  Result.set(*V, Plan);
}

/// \p V has a tangent, or shadow, of that \p Form.
void ForwardSteps::setTangent(const Value &V, ShadowForm Form) {
  ValuePlan Plan;
  Plan.HasTangent = true;
  Plan.Shadow = Form;
  if (isActive(&V))
    Plan.Adjoint = adjointType(&V, F.Types);
  Result.set(V, Plan);
}

/// What lies in a local record, if these are things of several kinds.
void ForwardSteps::noteContents(const AllocaInst &A) {
  const DataLayout &DL = A.getDataLayout();
  std::optional<TypeSize> Size = A.getAllocationSize(DL);
  constexpr uint64_t Largest = 512;
  if (!Size || Size->isScalable() || *Size == 0 || *Size > Largest)
    return;
  MemoryLayout L = F.Types.layoutOf(&A, *Size);
  if (std::string Text = L.Runs.size() > 1 ? statementOf(L, DL) : ""; !Text.empty())
    Result.setContents(A, std::move(Text));
}

// --- Values ---

void ForwardSteps::rule(const Instruction &I, Step &S) {
  S.Tangent = TangentStep::Rule;
  OpView View = viewOf(I, F.P.libraryInfo());
  for (unsigned Wrt = 0; Wrt < View.Operands.size(); ++Wrt) {
    if (!hasPartial(View, Wrt))
      continue;
    reads(View.Operands[Wrt], I);
    if (hasTangent(View.Operands[Wrt]) && !F.R.Dependence &&
        needsStrongZero(I, View, Wrt, F.P.factsAt(I)))
      S.Guards |= 1u << Wrt;
  }
  if (!F.R.Dependence)
    Computed.note(
        I, /*InReverse=*/false, [&](unsigned Wrt) { return hasTangent(View.Operands[Wrt]); },
        Result);
  // modf: the whole part goes to memory, and does not vary.
  if (View.WritesZeroTo && hasShadow(View.WritesZeroTo)) {
    reads(View.WritesZeroTo, I);
    reach(S, View.WritesZeroTo, *View.WrittenType,
          F.P.function().getDataLayout().getABITypeAlign(View.WrittenType), /*Stops=*/false);
  }
}

void ForwardSteps::mirror(const Instruction &I, Step &S) {
  S.Tangent = TangentStep::Mirror;
  auto *Call = dyn_cast<CallBase>(&I);
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    if (I.getDataLayout().getTypeAllocSize(A->getAllocatedType()).isScalable())
      return failUnknown(I);
    return noteContents(*A);
  }
  if (isMirrored(I)) {
    for (const Use &U : I.operands())
      if ((!Call || Call->isArgOperand(&U)) && isMirroredOperand(I, U.getOperandNo()))
        reads(U.get(), I);
  } else if (!Call || !allocationSize(*Call, F.P.libraryInfo())) {
    failUnknown(I);
  }
}

/// Two floats travel in one i64: shifts and masks move their tangents likewise.
void ForwardSteps::integerMove(const Instruction &I, Step &S) {
  if (!I.getType()->isIntOrIntVectorTy())
    return failUnknown(I);
  ConcreteType Held = F.Types.typeOf(&I);
  if (Held.kind() == ConcreteType::Integer) {
    S.Tangent = TangentStep::Zero;
    return;
  }
  if (!Held.isKnown() && !F.Types.typeOf(I.getOperand(0)).isKnown())
    return fail(diffError(DiagId::UnknownType, F.P.placeOf(&I),
                          "it cannot be told whether this integer carries a floating-point number",
                          "access the memory that it comes from by its own type"));
  auto isAddressInInteger = [&](const Value *V) {
    return isActive(V) && F.Types.typeOf(V).kind() == ConcreteType::Pointer;
  };
  bool First = isAddressInInteger(I.getOperand(0));
  if (Held.kind() == ConcreteType::Pointer && First != isAddressInInteger(I.getOperand(1))) {
    S.Tangent = TangentStep::MoveAddress;
    S.Operand = First ? 0 : 1;
    return reads(I.getOperand(S.Operand), I);
  }
  // end + (last - first), as the optimiser adds: the sum of two addresses leads nowhere.
  auto isTakenFrom = [&](const User *U) {
    auto *Sub = dyn_cast<BinaryOperator>(U);
    return Sub && Sub->getOpcode() == Instruction::Sub && Sub->getOperand(0) == &I &&
           isAddressInInteger(Sub->getOperand(1)) && !isActive(Sub);
  };
  if (Held.kind() == ConcreteType::Pointer && First && I.getOpcode() == Instruction::Add &&
      all_of(I.users(), isTakenFrom)) {
    S.Tangent = TangentStep::Zero;
    return;
  }
  if (!movesWholeFloats(I, F.Types))
    return failUnknown(I);
  S.Tangent = TangentStep::MoveFloats;
  S.Operand = I.getOpcode() == Instruction::Or ? 1 : 0;
  for (unsigned Number = 0; Number <= S.Operand; ++Number)
    reads(I.getOperand(Number), I);
}

void ForwardSteps::decideActive(const Instruction &I, Step &S) {
  if (isa<PHINode>(I)) {
    S.Tangent = TangentStep::Join;
    return;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return load(*Load, S);
  if (viewOf(I, F.P.libraryInfo()).Class == OpClass::Elementwise)
    return rule(I, S);
  if (isa<FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst, CmpInst>(I)) {
    S.Tangent = TangentStep::Zero;
    return;
  }
  if (isa<BinaryOperator>(I))
    return integerMove(I, S);
  // A choice between numbers that a comparison of numbers decides counts with both.
  if (F.R.Dependence && isa<SelectInst>(I) && I.getType()->isSingleValueType() &&
      !I.getType()->isPtrOrPtrVectorTy() && F.Types.typeOf(&I).kind() != ConcreteType::Pointer &&
      choosesByValue(I)) {
    S.Tangent = TangentStep::Unite;
    reads(I.getOperand(1), I);
    return reads(I.getOperand(2), I);
  }
  mirror(I, S);
}

void ForwardSteps::finishPhi(const PHINode &I) {
  for (unsigned K = 0; K < I.getNumIncomingValues(); ++K)
    if (Visited.contains(I.getIncomingBlock(K)))
      reads(I.getIncomingValue(K), I);
}

// --- Memory ---

bool ForwardSteps::isAddress(const Instruction &I) const {
  return I.getType()->isPtrOrPtrVectorTy() || F.Types.typeOf(&I).kind() == ConcreteType::Pointer;
}

void ForwardSteps::load(const LoadInst &I, Step &S) {
  if (F.Activity.isOwnShadow(&I))
    return;
  const Value *Ptr = I.getPointerOperand();
  bool FromShadow =
      hasShadow(Ptr) || (isa<Constant>(Ptr) && formOfInactive(*Ptr) != ShadowForm::Missing);
  if (!FromShadow && !containsPointer(I.getType())) {
    S.Tangent = TangentStep::Zero;
    return;
  }
  S.Tangent = TangentStep::Load;
  S.IsAddress = isAddress(I);
  reads(Ptr, I);
  reach(S, Ptr, *I.getType(), I.getAlign(), /*Stops=*/true);
}

/// masked.load, masked.gather and masked.expandload: (pointer, mask, other).
void ForwardSteps::maskedLoad(const Instruction &I, Step &S) {
  S.Tangent = TangentStep::MaskedLoad;
  S.IsAddress = isAddress(I);
  MaskedAccess Access = *maskedAccess(I);
  reads(Access.Address, I);
  reads(Access.Data, I);
  reach(S, Access.Address, *Access.Data->getType(), Align(), /*Stops=*/true);
}

/// Data that has no tangent, so that its shadow is a plain copy. What only might
/// be an integer counts as a float: a zero tangent is never wrong, for shadow
/// integers are not read.
bool ForwardSteps::isPlainInteger(const Value *V, const Value *Ptr) const {
  if (!V->getType()->isIntOrIntVectorTy() || isActive(V))
    return false;
  if (!isa<Constant>(V))
    return F.Types.typeOf(V).kind() == ConcreteType::Integer;
  uint64_t Size = F.P.function().getDataLayout().getTypeStoreSize(V->getType());
  return F.Types.layoutOf(Ptr, Size).uniform().kind() == ConcreteType::Integer;
}

void ForwardSteps::store(const StoreInst &I, Step &S) {
  const Value *Ptr = I.getPointerOperand(), *Stored = I.getValueOperand();
  bool Copy = isPlainInteger(Stored, Ptr);
  if (!hasShadow(Ptr) || !(Copy || F.Activity.isActiveInstruction(&I)))
    return;
  S.Tangent = TangentStep::Store;
  S.Moved = storedAdjointType(I, F.Types);
  // An address of memory without shadow leads to itself.
  if (Copy)
    S.Data = ShadowData::Number;
  else if (Stored->getType()->isPointerTy() && !isActive(Stored) &&
           formOfInactive(*Stored) == ShadowForm::Missing)
    S.Data = ShadowData::Address;
  else
    reads(Stored, I);
  reads(Ptr, I);
  reach(S, Ptr, *Stored->getType(), I.getAlign(), /*Stops=*/isActive(Stored));
}

/// masked.store, masked.scatter and masked.compressstore: (value, pointer, mask).
void ForwardSteps::maskedStore(const Instruction &I, Step &S) {
  MaskedAccess Access = *maskedAccess(I);
  bool Copy = isPlainInteger(Access.Data, Access.Address);
  if (!hasShadow(Access.Address) || !(Copy || F.Activity.isActiveInstruction(&I)))
    return;
  S.Tangent = TangentStep::MaskedStore;
  if (Copy)
    S.Data = ShadowData::Number;
  else
    reads(Access.Data, I);
  reads(Access.Address, I);
  reach(S, Access.Address, *Access.Data->getType(), Align(), /*Stops=*/isActive(Access.Data));
}

void ForwardSteps::atomic(const AtomicRMWInst &I, Step &S) {
  const Value *Ptr = I.getPointerOperand();
  if (!hasShadow(Ptr))
    return;
  AtomicRMWInst::BinOp Op = I.getOperation();
  if (Op == AtomicRMWInst::FAdd || Op == AtomicRMWInst::FSub) {
    S.Tangent = TangentStep::Atomic;
    S.Sum = AdjointSum::Atomic;
    S.Negated = Op == AtomicRMWInst::FSub;
    reads(Ptr, I);
    reads(I.getValOperand(), I);
    return reach(S, Ptr, *I.getType(), I.getAlign(), /*Stops=*/isActive(I.getValOperand()));
  }
  // Counters and flags beside the numbers (reference counts).
  if (worksOnInteger(I, F.Types))
    return zeroIfActive(I, S);
  fail(diffError(DiagId::ActiveAtomic, F.P.placeOf(&I),
                 Twine("no derivative is known for the atomic '") +
                     AtomicRMWInst::getOperationName(Op) + "' on differentiated memory",
                 "use an atomic addition, or keep differentiated data out of this memory"));
}

void ForwardSteps::exchange(const AtomicCmpXchgInst &I, Step &S) {
  if (!hasShadow(I.getPointerOperand()) || worksOnInteger(I, F.Types))
    return zeroIfActive(I, S);
  fail(diffError(DiagId::ActiveAtomic, F.P.placeOf(&I),
                 "a compare-and-exchange works on differentiated memory",
                 "add by 'atomic_fetch_add', or by '+=' a number of the same type, or keep "
                 "differentiated data out of this memory"));
}

// --- Copies, fills ---

static uint64_t knownLength(const AnyMemIntrinsic &I) {
  auto *Known = dyn_cast<ConstantInt>(I.getLength());
  return Known ? Known->getZExtValue() : 0;
}

/// What \p I copies, by where it copies to or from.
static MemoryLayout copiedBytes(const AnyMemTransferInst &I, const TypeResult &Types) {
  if (std::optional<MemoryLayout> Own = Types.elementsOf(I))
    return *Own;
  MemoryLayout L = Types.layoutOf(I.getRawDest(), knownLength(I));
  return L.isComplete() ? L : Types.layoutOf(I.getRawSource(), knownLength(I));
}

/// Is an address among what \p I copies that is read as one with a shadow?
bool ForwardSteps::copiesAddresses(const AnyMemTransferInst &I) const {
  MemoryLayout L = F.Types.layoutOf(I.getRawDest(), knownLength(I));
  return L.isComplete() && ByteRuns(L).has(ByteRun::Addresses);
}

/// memcpy(p, q, n)  ->  memcpy(p.shadow, q.shadow, n); where q has no shadow, its
/// numbers do not vary: memset(p.shadow, 0, n), and addresses are copied as they are.
void ForwardSteps::copy(const AnyMemTransferInst &I, Step &S) {
  const Value *Source = I.getRawSource();
  S.Tangent = TangentStep::Copy;
  bool Paged = S.Shadow == ShadowReach::Paged;
  bool Clears = false; // Floats among what was copied as it is.
  if (hasShadow(Source)) {
    reads(Source, I);
    S.Source = bulkReach(F.Activity.checkOf(Source));
    bool IsItself = F.IsReplay && Result.of(Source).Shadow == ShadowForm::Itself;
    Clears = S.Source == ShadowReach::Compared || IsItself;
  } else if (!Paged && isa<Constant>(Source) && formOfInactive(*Source) != ShadowForm::Missing) {
    S.Data = ShadowData::Companion;
    reads(Source, I);
  } else {
    Clears = Paged || copiesAddresses(I);
    S.Data = Clears ? ShadowData::Address : ShadowData::Zero;
  }
  auto *Plain = dyn_cast<MemTransferInst>(&I);
  std::optional<ByteRuns> Words = Plain ? runsOfWords(*Plain, F.Types) : std::nullopt;
  MemoryLayout L = copiedBytes(I, F.Types);
  if (Words)
    Result.setBytes(I, std::move(*Words));
  else if (L.isComplete())
    Result.setBytes(I, ByteRuns(L));
  else if (Clears)
    fail(unknownBytes(F.P, I));
}

void ForwardSteps::bulk(const CallBase &I, Step &S) {
  auto *Memory = dyn_cast<AnyMemIntrinsic>(&I);
  if (!Memory)
    return failUnknown(I);
  if (!hasShadow(Memory->getRawDest()))
    return;
  reads(Memory->getRawDest(), I);
  S.Shadow = bulkReach(F.Activity.checkOf(Memory->getRawDest()));
  if (auto *Transfer = dyn_cast<AnyMemTransferInst>(Memory))
    return copy(*Transfer, S);
  S.Tangent = TangentStep::Clear;
}

// --- Calls ---

void ForwardSteps::release(const CallBase &I, Step &S) {
  const Value *Freed = freedPointer(I, F.P.libraryInfo());
  if (!Freed)
    return fail(diffError(DiagId::Allocation, F.P.placeOf(&I),
                          "memory with a shadow is released in a way that cannot be mirrored",
                          "release it with free or delete"));
  S.Tangent = TangentStep::Release;
  reads(Freed, I);
}

void ForwardSteps::call(const CallBase &I, const CallPlan &Plan, Step &S) {
  S.Tangent = TangentStep::Call;
  for (unsigned Arg = 0; Arg < I.arg_size(); ++Arg)
    if (Plan.Callee.hasShadow(Arg))
      reads(I.getArgOperand(Arg), I);
  // The result of an inactive function has no tangent of its own.
  if (Plan.Callee.Return != ReturnActivity::Dup && isActive(&I) && !containsPointer(I.getType()))
    S.Data = ShadowData::Zero;
}

void ForwardSteps::decideCall(const CallBase &I, Step &S) {
  auto It = F.Calls.find(&I);
  if (It == F.Calls.end())
    return fail(diffError(DiagId::InternalError, F.P.placeOf(&I), "a call was not planned", ""));
  switch (It->second.K) {
  case CallPlan::Inactive:
    if (!containsPointer(I.getType()))
      zeroIfActive(I, S);
    return;
  case CallPlan::ByRule:
    return rule(I, S);
  case CallPlan::Structural:
    if (I.getIntrinsicID() == Intrinsic::vector_reduce_fadd) {
      S.Tangent = TangentStep::Reduce;
      reads(I.getArgOperand(0), I);
      return reads(I.getArgOperand(1), I);
    }
    if (std::optional<MaskedAccess> Access = maskedAccess(I); Access && !Access->IsLoad)
      return maskedStore(I, S);
    else if (isActive(&I))
      Access ? maskedLoad(I, S) : mirror(I, S);
    return;
  case CallPlan::BulkMemory:
    return bulk(I, S);
  case CallPlan::Allocate:
    return mirror(I, S);
  case CallPlan::Free:
    return release(I, S);
  case CallPlan::Differentiate:
    return call(I, It->second, S);
  case CallPlan::Stop:
    S.Tangent = TangentStep::Stop;
    return;
  }
}

// --- All ---

void ForwardSteps::decide(const Instruction &I, Step &S) {
  if (auto *Return = dyn_cast<ReturnInst>(&I)) {
    S.Tangent = TangentStep::Return;
    if (F.R.Return == ReturnActivity::Dup && Return->getReturnValue())
      reads(Return->getReturnValue(), I);
    return;
  }
  if (I.isTerminator())
    return;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return store(*Store, S);
  if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return atomic(*Atomic, S);
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return exchange(*Exchange, S);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return decideCall(*Call, S);
  if (isActive(&I))
    decideActive(I, S);
}

/// Is there a tangent of the result behind that step?
static bool yieldsTangent(const Instruction &I, const Step &S, const CallPlanSet &Calls) {
  switch (S.Tangent) {
  case TangentStep::Nothing:
  case TangentStep::Store:
  case TangentStep::MaskedStore:
  case TangentStep::Copy:
  case TangentStep::Clear:
  case TangentStep::Release:
  case TangentStep::Return:
    return false;
  case TangentStep::Call:
    return S.Data == ShadowData::Zero ||
           Calls.find(cast<CallBase>(&I))->second.Callee.Return == ReturnActivity::Dup;
  default:
    return !I.getType()->isVoidTy();
  }
}

void ForwardSteps::visit(const Instruction &I) {
  Step S;
  decide(I, S);
  if (S.isNothing())
    return;
  Result.set(I, S);
  if (!yieldsTangent(I, S, F.Calls))
    return;
  setTangent(I, ShadowForm::Made);
}

Expected<StepPlan> ForwardSteps::run(const WatchSet &Watches) {
  if (Error E = checkFloats(F.P, F.Types, F.Activity))
    return std::move(E);
  Result.setChecks(F.Activity.checks());
  for (const Argument &A : F.P.function().args())
    if (F.R.hasShadow(A.getArgNo()))
      setTangent(A, ShadowForm::Given);
  // Operands before users, but for the phis of loops, which are completed last.
  ReversePostOrderTraversal<const Function *> Order(&F.P.function());
  for (const BasicBlock *BB : Order)
    if (F.P.reachesReturn(BB))
      Visited.insert(BB);
  for (const BasicBlock *BB : Order)
    for (const Instruction &I : *BB)
      if (Visited.contains(BB) && !Failure)
        visit(I);
  for (const BasicBlock *BB : Order)
    for (const PHINode &Phi : BB->phis())
      if (Result.at(Phi).Tangent == TangentStep::Join && !Failure)
        finishPhi(Phi);
  for (auto &[Access, Place] : Watches.Accesses)
    if (!Failure && Result.at(*Access).Tangent != TangentStep::Nothing)
      reads(Place.Base, *Access);
  if (Failure)
    return std::move(*Failure);
  return std::move(Result);
}

Expected<StepPlan> planForwardSteps(const ForwardFacts &F, const WatchSet &Watches) {
  return ForwardSteps(F).run(Watches);
}

} // namespace isozyme
