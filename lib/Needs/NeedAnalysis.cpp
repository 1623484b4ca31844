//===- NeedAnalysis.cpp - What the reverse sweep reads --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: activity, types, call plans.  Out: for each instruction, the primal
// values, shadows and tapes that its adjoint reads.
// The emitters ask for exactly these; a mismatch is reported, not repaired.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/NeedAnalysis.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Needs/BulkLayout.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

raw_ostream &operator<<(raw_ostream &OS, Part P) {
  return OS << (P == Part::Primal ? "primal" : P == Part::Shadow ? "shadow" : "tape");
}

std::string operandName(const Value *V) {
  std::string S;
  raw_string_ostream OS(S);
  V->printAsOperand(OS, isa<ConstantData>(V));
  return S;
}

raw_ostream &operator<<(raw_ostream &OS, const NeedConsumer &C) {
  return OS << C.Role << (C.At ? operandName(C.At) : "");
}

void printNeed(raw_ostream &OS, const Need &N) { OS << operandName(N.V) << ' ' << N.P; }

void printNeeds(const NeedSet &Needs, raw_ostream &OS) {
  for (auto &[N, Consumer] : Needs) {
    OS << "  ";
    printNeed(OS, N);
    OS << " for " << Consumer << '\n';
  }
}

/// A shadow pointer is read where float bytes are moved through it.
static bool storesFloats(const ReverseFacts &F, const StoreInst &S) {
  return F.Activity.isActiveInstruction(&S) && storedAdjointType(S, F.Types);
}

bool hasReverseAction(const ReverseFacts &F, const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    auto It = F.Calls.find(Call);
    if (It != F.Calls.end()) {
      switch (It->second.K) {
      case CallPlan::Inactive:
      case CallPlan::Allocate:
      case CallPlan::Stop:
        return false;
      case CallPlan::BulkMemory:
      case CallPlan::Differentiate:
      case CallPlan::Free:
        return true;
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

/// Where the reverse sweep goes to shadow memory; the address itself tells where there
/// may be none.
static void addressNeeds(const ReverseFacts &F, Value *Ptr, function_ref<void(Need)> Add) {
  Add({Ptr, Part::Shadow});
  if (F.Activity.checkOf(Ptr) != ShadowCheck::None)
    Add({Ptr, Part::Primal});
}

/// The needs of an elementwise operation: what the partials of its active
/// operands read.
static void elementwiseNeeds(const ReverseFacts &F, Instruction &I, const OpView &V,
                             function_ref<void(Need)> Add) {
  for (unsigned Wrt = 0; Wrt < V.Operands.size(); ++Wrt) {
    if (!hasPartial(V, Wrt) || !F.Activity.isActiveValue(V.Operands[Wrt]))
      continue;
    PartialNeeds N = partialNeeds(V, Wrt);
    for (unsigned Operand : N.Operands)
      Add({V.Operands[Operand], Part::Primal});
    if (N.Result)
      Add({&I, Part::Primal});
  }
  if (V.WritesZeroTo && F.Activity.isActiveValue(V.WritesZeroTo))
    addressNeeds(F, V.WritesZeroTo, Add);
}

static Error bulkNeeds(const ReverseFacts &F, CallBase &Call, function_ref<void(Need)> Add) {
  if (Error E = bulkLayout(F, cast<MemIntrinsic>(Call)).takeError())
    return E;
  addressNeeds(F, Call.getArgOperand(0), Add);
  if (!isa<MemSetInst>(Call) && F.Activity.isActiveValue(Call.getArgOperand(1)))
    addressNeeds(F, Call.getArgOperand(1), Add);
  Add({Call.getArgOperand(2), Part::Primal});
  return Error::success();
}

static void calleeNeeds(const CallPlan &Plan, CallBase &Call, CalleeQuery Query,
                        function_ref<void(Need)> Add) {
  CalleeReads Reads = Query(Plan);
  for (unsigned I = 0; I < Plan.Callee.Args.size(); ++I) {
    if (Reads.Primal.test(I))
      Add({Call.getArgOperand(I), Part::Primal});
    if (Plan.Callee.hasShadow(I) && Reads.Shadow.test(I))
      Add({Call.getArgOperand(I), Part::Shadow});
  }
  if (Reads.HasTape)
    Add({&Call, Part::Tape});
}

/// The release is put off to the end of the reverse sweep: all operands then.
static void freeNeeds(const ReverseFacts &F, CallBase &Call, function_ref<void(Need)> Add) {
  for (Value *Operand : Call.args())
    Add({Operand, Part::Primal});
  Add({freedPointer(Call, F.P.libraryInfo()), Part::Shadow});
}

/// Structural operations whose transpose visitStructural knows.
static bool isTransposable(const Instruction &I) {
  auto *II = dyn_cast<IntrinsicInst>(&I);
  return !isa<CallBase>(I) || (II && II->getIntrinsicID() == Intrinsic::vector_reduce_fadd);
}

/// Integers whose derivative nobody would carry on: copies of addresses are
/// fine (shadows are taken from the pointers), copies of floats have an adjoint.
static bool losesDerivative(const ReverseFacts &F, const Value *V) {
  if (!V->getType()->isIntOrIntVectorTy() || isa<Constant>(V) || !F.Activity.isActiveValue(V))
    return false;
  return F.Types.typeOf(V).kind() != ConcreteType::Pointer;
}

static Error checkInteger(const ReverseFacts &F, const Instruction &I) {
  if (losesDerivative(F, &I) && !adjointType(&I, F.Types)) {
    if (isa<LoadInst, PHINode, SelectInst, FreezeInst>(I))
      return diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&I),
                       "what is moved here may be a differentiated float, or else an address or "
                       "an integer",
                       "move it by the type that it has, where that is known, or use forward "
                       "mode, which need not know");
    return diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&I),
                     Twine("the bits of a differentiated float pass through integer arithmetic ('") +
                         I.getOpcodeName() + "')",
                     "compute on the float itself");
  }
  auto *Call = dyn_cast<CallBase>(&I);
  auto It = Call ? F.Calls.find(Call) : F.Calls.end();
  if (It == F.Calls.end() || It->second.K != CallPlan::Differentiate)
    return Error::success();
  if (losesDerivative(F, &I) ||
      any_of(Call->args(), [&](const Use &U) { return losesDerivative(F, U.get()); }))
    return diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&I),
                     "a float is passed as the bits of an integer in this call",
                     "pass it as a float, or let the called function be inlined");
  return Error::success();
}

static Error checkStore(const ReverseFacts &F, const StoreInst &S) {
  const Value *V = S.getValueOperand();
  if (!F.Activity.isActiveInstruction(&S) || !V->getType()->isIntOrIntVectorTy() ||
      storedAdjointType(S, F.Types) || storesNullPointer(S, F.Types))
    return Error::success();
  ConcreteType T = F.Types.typeOfStored(S);
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(V->getType());
  if (T.kind() == ConcreteType::Integer || T.kind() == ConcreteType::Anything ||
      (isa<Constant>(V) && Bytes == 1))
    return Error::success();
  std::string Name = F.P.describeMemory(S.getPointerOperand());
  return diffError(DiagId::UnknownType, F.P.placeOf(&S),
                   "cannot deduce whether the integer stored " +
                       (Name.empty() ? "here" : "in " + Name) +
                       " holds a number, a float or an address",
                   "copy the value as its real type, or say what is there by a call of "
                   "__enzyme_double(pointer, bytes) or __enzyme_integer(pointer, bytes)");
}

Error checkIntegers(const ReverseFacts &F) {
  for (Instruction &I : instructions(F.P.function())) {
    if (!F.P.reachesReturn(I.getParent()))
      continue;
    if (Error E = checkInteger(F, I))
      return E;
    if (auto *S = dyn_cast<StoreInst>(&I))
      if (Error E = checkStore(F, *S))
        return E;
  }
  return Error::success();
}

/// Of what reads and writes at once.
static Error atomicNeeds(const ReverseFacts &F, Instruction &I, function_ref<void(Need)> Add) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  if (!RMW)
    return diffError(DiagId::ActiveAtomic, F.P.placeOf(&I),
                     "a compare-and-exchange works on differentiated memory",
                     "add by 'atomic_fetch_add' ('+=' on an _Atomic number is an exchange), or keep "
                     "differentiated data out of this memory");
  if (!is_contained({AtomicRMWInst::FAdd, AtomicRMWInst::FSub}, RMW->getOperation()))
    return diffError(DiagId::ActiveAtomic, F.P.placeOf(RMW),
                     "no derivative is known for the atomic '" +
                         AtomicRMWInst::getOperationName(RMW->getOperation()) +
                         "' on differentiated memory",
                     "use an atomic addition, or keep differentiated data out of this memory");
  addressNeeds(F, RMW->getPointerOperand(), Add);
  return Error::success();
}

Error needsOf(const ReverseFacts &F, Instruction &I, CalleeQuery Query,
              function_ref<void(Need)> Add) {
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    addressNeeds(F, L->getPointerOperand(), Add);
    return Error::success();
  }
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    addressNeeds(F, S->getPointerOperand(), Add);
    return Error::success();
  }
  if (isa<AllocaInst>(I))
    return Error::success();
  if (isa<AtomicCmpXchgInst, AtomicRMWInst>(I))
    return atomicNeeds(F, I, Add);
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Add({Select->getCondition(), Part::Primal});
    return Error::success();
  }
  if (auto *Extract = dyn_cast<ExtractElementInst>(&I)) {
    Add({Extract->getIndexOperand(), Part::Primal});
    return Error::success();
  }
  if (auto *Insert = dyn_cast<InsertElementInst>(&I)) {
    Add({Insert->getOperand(2), Part::Primal});
    return Error::success();
  }
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    auto It = F.Calls.find(Call);
    if (It != F.Calls.end()) {
      if (It->second.K == CallPlan::BulkMemory)
        return bulkNeeds(F, *Call, Add);
      if (It->second.K == CallPlan::Differentiate)
        calleeNeeds(It->second, *Call, Query, Add);
      if (It->second.K == CallPlan::Free) {
        freeNeeds(F, *Call, Add);
        return Error::success();
      }
      if (It->second.K == CallPlan::Differentiate)
        return Error::success();
    }
  }
  if (std::optional<MaskedAccess> Access = maskedAccess(I);
      Access && maskedAdjointType(I, F.Types)) {
    addressNeeds(F, Access->Address, Add);
    Add({Access->Mask, Part::Primal});
    return Error::success();
  }
  OpView V = viewOf(I, F.P.libraryInfo());
  if (V.Class == OpClass::Elementwise) {
    elementwiseNeeds(F, I, V, Add);
    return Error::success();
  }
  if ((V.Class == OpClass::Structural && isTransposable(I)) || isa<ReturnInst>(I))
    return Error::success();
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

} // namespace isozyme
