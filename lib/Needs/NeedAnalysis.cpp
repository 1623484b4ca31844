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
#include "isozyme/Emit/RuleInterpreter.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Needs/BulkLayout.h"
#include "isozyme/Ops/OpView.h"
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
        return false;
      case CallPlan::BulkMemory:
      case CallPlan::Differentiate:
      case CallPlan::Free:
        return true;
      case CallPlan::Structural:
        if (Call->getType()->isVoidTy())
          return F.Activity.isActiveInstruction(Call);
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
  if (isa<AtomicRMWInst>(I))
    return true;
  if (!F.Activity.isActiveValue(&I))
    return false;
  return adjointType(&I, F.Types) != nullptr;
}

/// The needs of an elementwise operation: what the partials of its active
/// operands read.
static void elementwiseNeeds(const ReverseFacts &F, Instruction &I, const OpView &V,
                             function_ref<void(Need)> Add) {
  for (unsigned Wrt = 0; Wrt < V.Operands.size(); ++Wrt) {
    if (!hasPartial(V, Wrt) || !F.Activity.isActiveValue(V.Operands[Wrt]))
      continue;
    PartialNeeds N = partialNeeds(I, V, Wrt);
    for (unsigned Operand : N.Operands)
      Add({V.Operands[Operand], Part::Primal});
    if (N.Result)
      Add({&I, Part::Primal});
  }
}

static Error bulkNeeds(const ReverseFacts &F, CallBase &Call, function_ref<void(Need)> Add) {
  if (Error E = bulkLayout(F, cast<MemIntrinsic>(Call)).takeError())
    return E;
  Add({Call.getArgOperand(0), Part::Shadow});
  if (!isa<MemSetInst>(Call) && F.Activity.isActiveValue(Call.getArgOperand(1)))
    Add({Call.getArgOperand(1), Part::Shadow});
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
static void freeNeeds(CallBase &Call, function_ref<void(Need)> Add) {
  for (Value *Operand : Call.args()) {
    Add({Operand, Part::Primal});
    if (Operand->getType()->isPointerTy())
      Add({Operand, Part::Shadow});
  }
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
  // A constant may stand for anything: then the place must tell.
  ConcreteType T = F.Types.typeOf(V);
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(V->getType());
  if (isa<Constant>(V) || T.kind() == ConcreteType::Anything)
    T = F.Types.layoutOf(S.getPointerOperand(), Bytes).uniform();
  if (T.kind() == ConcreteType::Integer || T.kind() == ConcreteType::Anything ||
      (isa<Constant>(V) && Bytes == 1))
    return Error::success();
  std::string Name = F.P.sourceName(S.getPointerOperand());
  return diffError(DiagId::UnknownType, F.P.placeOf(&S),
                   "cannot deduce whether the integer stored " +
                       (Name.empty() ? "here" : "in '" + Name + "'") +
                       " holds a number, a float or an address",
                   "copy the value as its real type");
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

Error needsOf(const ReverseFacts &F, Instruction &I, CalleeQuery Query,
              function_ref<void(Need)> Add) {
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    Add({L->getPointerOperand(), Part::Shadow});
    return Error::success();
  }
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    Add({S->getPointerOperand(), Part::Shadow});
    return Error::success();
  }
  if (isa<AllocaInst>(I))
    return Error::success();
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    bool Adds = RMW->getOperation() == AtomicRMWInst::FAdd ||
                RMW->getOperation() == AtomicRMWInst::FSub;
    if (!Adds || F.Activity.isActiveValue(RMW))
      return diffError(DiagId::ActiveAtomic, F.P.placeOf(RMW),
                       Adds ? "the old value that an atomic addition returns is differentiated"
                            : "no derivative is known for this atomic operation on "
                              "differentiated memory",
                       "only atomic additions and subtractions whose result is not used can be "
                       "differentiated in reverse mode");
    Add({RMW->getPointerOperand(), Part::Shadow});
    return Error::success();
  }
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
        freeNeeds(*Call, Add);
        return Error::success();
      }
      if (It->second.K == CallPlan::Differentiate)
        return Error::success();
    }
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
  return diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&I),
                   "no derivative is known for '" + Name + "'",
                   "rewrite the expression, or mark what it computes enzyme_const");
}

} // namespace isozyme
