//===- MemoryAvailability.cpp - Can a load be repeated later? -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers one question for the planner: if the reverse sweep executes this load
// again, does it see the same bytes? It does when no write that may alias can
// run after the load in the forward sweep, and, for split derivatives, when the
// caller promised not to overwrite the argument in between.
//
// LLVM's alias analysis compares two pointers of the same moment. Here the load
// of one iteration meets the writes of all later ones, so inside loops only
// facts that hold for every iteration are used: distinct underlying objects,
// type-based aliasing, and offsets that differ modulo the common stride.
//
// Never: looks at activity, emits IR, or guesses: an unknown callee is a write.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Support/KnownMultiple.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace isozyme {

/// Above this many (load, write) pairs the answer is "may be overwritten": the
/// cost of planning stays linear in the size of huge straight-line functions.
constexpr size_t MaxWritesPerQuery = 4096;

struct MemoryAvailability::Region {
  Value *Ptr = nullptr;
  LocationSize Size = LocationSize::beforeOrAfterPointer();
  AAMDNodes Tags;
  SmallVector<const Value *, 2> Objects;
  /// Valid when HasOffset: the access starts at Objects[0] + Offset + k*Stride.
  bool HasOffset = false;
  int64_t Offset = 0;
  uint64_t Stride = 0;

  static Region of(Value *Ptr, LocationSize Size, AAMDNodes Tags, const DataLayout &DL);
};

/// Walks the GEPs from \p Ptr to \p Object and adds up constants and strides.
static bool decompose(Value *Ptr, const Value *Object, const DataLayout &DL, int64_t &Offset,
                      uint64_t &Stride) {
  while (Ptr != Object) {
    auto *GEP = dyn_cast<GEPOperator>(Ptr);
    if (!GEP)
      return false;
    unsigned Bits = DL.getIndexTypeSizeInBits(GEP->getType());
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(Bits, 0);
    if (!GEP->collectOffset(DL, Bits, Variable, Constant))
      return false;
    Offset += Constant.getSExtValue();
    for (auto &[Index, Scale] : Variable)
      Stride = std::gcd(Stride, Scale.abs().getLimitedValue() * knownMultiple(*Index, DL));
    Ptr = GEP->getPointerOperand();
  }
  return true;
}

MemoryAvailability::Region MemoryAvailability::Region::of(Value *Ptr, LocationSize Size,
                                                          AAMDNodes Tags, const DataLayout &DL) {
  Region G;
  G.Ptr = Ptr;
  G.Size = Size;
  // Scoped noalias may speak of one iteration only; type-based facts hold always.
  G.Tags.TBAA = Tags.TBAA;
  getUnderlyingObjects(Ptr, G.Objects, nullptr, 0);
  if (G.Objects.size() == 1)
    G.HasOffset = decompose(Ptr, G.Objects[0], DL, G.Offset, G.Stride);
  return G;
}

/// Do [OffA, OffA+SizeA) and [OffB, OffB+SizeB), repeated every Stride bytes,
/// have no byte in common?
static bool disjoint(int64_t OffA, uint64_t SizeA, int64_t OffB, uint64_t SizeB, uint64_t Stride) {
  if (Stride == 0)
    return OffA + int64_t(SizeA) <= OffB || OffB + int64_t(SizeB) <= OffA;
  if (SizeA > Stride || SizeB > Stride)
    return false;
  int64_t Gap = (OffB - OffA) % int64_t(Stride);
  if (Gap < 0)
    Gap += Stride;
  return uint64_t(Gap) >= SizeA && uint64_t(Gap) + SizeB <= Stride;
}

MemoryAvailability::MemoryAvailability(const PreparedFunction &P, const DiffRequest &R)
    : P(P), R(R) {
  for (Instruction &I : instructions(P.function())) {
    if (!I.mayWriteToMemory() || !P.reachesReturn(I.getParent()))
      continue;
    // Math functions write errno at most, which no differentiated load reads.
    OpClass Class = viewOf(I, P.libraryInfo()).Class;
    if (isa<CallBase>(I) && (Class == OpClass::Elementwise || Class == OpClass::Zero))
      continue;
    Writes.push_back(&I);
  }
}

bool MemoryAvailability::isFixed(const Value *Object) const {
  auto *I = dyn_cast<Instruction>(Object);
  return !I || !P.loops().getLoopFor(I->getParent());
}

bool MemoryAvailability::mayRunAfter(const Instruction &From, const Instruction &W) const {
  const BasicBlock *Here = From.getParent(), *There = W.getParent();
  if (Here == There) // LLVM's query would walk the block each time.
    return P.loops().getLoopFor(Here) || P.numberOf(&From) < P.numberOf(&W);
  return isPotentiallyReachable(Here, There, nullptr, &P.dominators(), &P.loops());
}

bool MemoryAvailability::mayWrite(const Instruction &W, const Region &What, bool Once) const {
  AAResults &AA = P.aliasAnalysis();
  const DataLayout &DL = W.getDataLayout();
  if (Once)
    return isModSet(AA.getModRefInfo(&W, MemoryLocation(What.Ptr, What.Size, What.Tags)));
  std::optional<MemoryLocation> Target = MemoryLocation::getOrNone(&W);
  bool Aliases = any_of(What.Objects, [&](const Value *Object) {
    MemoryLocation Whole(Object, LocationSize::beforeOrAfterPointer(), What.Tags);
    if (!Target)
      return isModSet(AA.getModRefInfo(&W, Whole));
    SmallVector<const Value *, 2> Written;
    getUnderlyingObjects(Target->Ptr, Written, nullptr, 0);
    AAMDNodes Tags;
    Tags.TBAA = Target->AATags.TBAA;
    return any_of(Written, [&](const Value *To) {
      // Two pointers that change from iteration to iteration may meet later,
      // even when they never are equal at one moment.
      if (!isFixed(Object) && !isFixed(To))
        return true;
      return !AA.isNoAlias(Whole, MemoryLocation(To, LocationSize::beforeOrAfterPointer(), Tags));
    });
  });
  if (!Aliases || !Target)
    return Aliases;
  Region To = Region::of(const_cast<Value *>(Target->Ptr), Target->Size, Target->AATags, DL);
  if (!What.HasOffset || !To.HasOffset || What.Objects[0] != To.Objects[0])
    return true;
  // Offsets are only comparable from an object that is the same at both moments.
  if (!isFixed(What.Objects[0]) || !What.Size.hasValue() || !To.Size.hasValue() || What.Size.isScalable() ||
      To.Size.isScalable())
    return true;
  return !disjoint(What.Offset, What.Size.getValue().getFixedValue(), To.Offset,
                   To.Size.getValue().getFixedValue(), std::gcd(What.Stride, To.Stride));
}

const Instruction *MemoryAvailability::clobberAfter(const Instruction &From,
                                                    const Region &What) const {
  if (Writes.size() > MaxWritesPerQuery)
    return Writes.front();
  bool Once = !P.loops().getLoopFor(From.getParent());
  for (const Instruction *W : Writes) {
    if (W == &From && Once)
      continue;
    // Across blocks reachability is the dearer question, within one the cheaper.
    if (W->getParent() == From.getParent() && !mayRunAfter(From, *W))
      continue;
    bool OnlyOnce = Once && !P.loops().getLoopFor(W->getParent());
    if (mayWrite(*W, What, OnlyOnce) && mayRunAfter(From, *W))
      return W;
  }
  return nullptr;
}

const ReloadReason *MemoryAvailability::unstable(const Value *Object) const {
  static constexpr ReloadReason Caller = ReloadReason::CallerMayOverwrite,
                                Local = ReloadReason::LocalMemory;
  if (auto *A = dyn_cast<Argument>(Object))
    return R.MayOverwrite[A->getArgNo()] ? &Caller : nullptr;
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return G->isConstant() ? nullptr : &Caller;
  return isa<AllocaInst>(Object) ? &Local : &Caller;
}

Availability MemoryAvailability::of(const LoadInst &L) const {
  if (!L.isSimple())
    return {ReloadReason::Volatile, nullptr};
  MemoryLocation Loc = MemoryLocation::get(&L);
  if (L.hasMetadata(LLVMContext::MD_invariant_load) ||
      !isModSet(P.aliasAnalysis().getModRefInfoMask(Loc)))
    return {ReloadReason::ConstantMemory, nullptr};
  Region What = Region::of(const_cast<Value *>(L.getPointerOperand()), Loc.Size, Loc.AATags,
                           L.getDataLayout());
  if (R.isSplit())
    for (const Value *Object : What.Objects)
      if (const ReloadReason *Why = unstable(Object))
        return {*Why, nullptr};
  if (const Instruction *W = clobberAfter(L, What))
    return {ReloadReason::OverwrittenBy, W};
  return {ReloadReason::NeverOverwritten, nullptr};
}

bool MemoryAvailability::mayChangeAfter(const CallBase &Call, Value *Ptr) const {
  Region What = Region::of(Ptr, LocationSize::beforeOrAfterPointer(), AAMDNodes(),
                           Call.getDataLayout());
  What.HasOffset = false; // The callee may go anywhere in the object.
  if (R.isSplit() &&
      any_of(What.Objects, [&](const Value *O) { return !isa<AllocaInst>(O) && unstable(O); }))
    return true;
  return clobberAfter(Call, What) != nullptr;
}

void refineOverwrites(const PreparedFunction &P, const DiffRequest &R, CallPlanSet &Calls) {
  MemoryAvailability Memory(P, R);
  for (auto &[Call, Plan] : Calls) {
    if (Plan.K != CallPlan::Differentiate || !Plan.Callee.isSplit())
      continue;
    Plan.Callee.MayOverwrite.resize(Plan.Callee.Args.size(), false);
    for (unsigned I = 0; I < Plan.Callee.Args.size(); ++I) {
      Value *Arg = Call->getArgOperand(I);
      Plan.Callee.MayOverwrite[I] =
          Arg->getType()->isPointerTy() && Memory.mayChangeAfter(*Call, Arg);
    }
  }
}

std::string Availability::str() const {
  switch (Reason) {
  case ReloadReason::ConstantMemory:
    return "constant memory";
  case ReloadReason::NeverOverwritten:
    return "not overwritten afterwards";
  case ReloadReason::OverwrittenBy: {
    std::string S = "may be overwritten";
    if (Clobber && Clobber->getDebugLoc())
      S += " in line " + std::to_string(Clobber->getDebugLoc().getLine());
    return S;
  }
  case ReloadReason::CallerMayOverwrite:
    return "the caller may overwrite it between the sweeps";
  case ReloadReason::LocalMemory:
    return "local memory of the forward sweep";
  case ReloadReason::Volatile:
    return "volatile or atomic";
  }
  llvm_unreachable("complete switch");
}

} // namespace isozyme
