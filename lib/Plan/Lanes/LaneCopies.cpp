//===- LaneCopies.cpp - Shadow memory with lanes side by side -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: steps of a forward derivative.  Out: which local variables are copied before which loops.
// Never: copies memory that the loop writes, or that loop vectorisers read well as it is.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Lanes/LaneCopies.h"
#include "isozyme/Plan/StepPlan.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

/// A loop whose trip count is not known counts as so many iterations; more are not counted.
constexpr uint64_t GuessedTrips = 8, MostTrips = 64;
/// The loop around everything runs so often at least, where copies are to pay.
constexpr uint64_t RunsOfCopy = 64;
/// Copies lie on the stack.
constexpr uint64_t MostBytes = 32768;

/// What a loop reads of one variable.
struct LaneCopies::Reads {
  SmallVector<const LoadInst *, 16> Loads;
  uint64_t Weight = 0; ///< Loads, by how often they run in an iteration.
  bool Fits = true;    ///< All of one type, aligned as its elements are.
};

/// The static variable that \p Ptr points into by constant and variable distances.
static const AllocaInst *variableOf(const Value *Ptr) {
  while (auto *Gep = dyn_cast<GEPOperator>(Ptr))
    Ptr = Gep->getPointerOperand();
  auto *Memory = dyn_cast<AllocaInst>(Ptr);
  return Memory && Memory->isStaticAlloca() ? Memory : nullptr;
}

/// How often \p BB runs in an iteration of \p L, for comparisons.
static uint64_t weightOf(const BasicBlock *BB, const Loop &L, const PreparedFunction &P) {
  uint64_t Weight = 1;
  for (const Loop *In = P.loops().getLoopFor(BB); In != &L; In = In->getParentLoop()) {
    auto *Extent = dyn_cast_or_null<ConstantInt>(P.canonical(In).Extent);
    Weight *= Extent ? std::clamp<uint64_t>(Extent->getLimitedValue(), 1, MostTrips) : GuessedTrips;
  }
  return Weight;
}

/// Neighbours in neighbouring iterations: vectors of iterations are better than of lanes.
static bool readsInOrder(const LoadInst &I, const PreparedFunction &P) {
  const Loop *Inner = P.loops().getLoopFor(I.getParent());
  ScalarEvolution &SE = P.scalarEvolution();
  auto *Address = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(I.getPointerOperand())));
  if (!Address || Address->getLoop() != Inner)
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE));
  const TypeSize Size = I.getDataLayout().getTypeStoreSize(I.getType());
  return Step && Step->getAPInt().abs() == Size.getFixedValue();
}

static bool isElementLoad(const LoadInst &I, const StepPlan &Steps, const PreparedFunction &P) {
  const Type *T = I.getType();
  return (T->isFloatTy() || T->isDoubleTy()) && I.isSimple() &&
         Steps.at(I).Shadow == ShadowReach::Direct && !readsInOrder(I, P);
}

static bool mayWrite(const Loop &L, const AllocaInst &Memory, const PreparedFunction &P) {
  const MemoryLocation Where = MemoryLocation::getBeforeOrAfter(&Memory);
  AAResults &AA = P.aliasAnalysis();
  return any_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      return I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Where));
    });
  });
}

LaneCopies::LaneCopies(const PreparedFunction &P, const StepPlan &Steps, unsigned Width,
                       function_ref<bool(const Loop &)> MayTake) {
  for (const Loop *L : P.loops())
    if (MayTake(*L))
      visit(*L, P, Steps, Width);
}

void LaneCopies::visit(const Loop &L, const PreparedFunction &P, const StepPlan &Steps,
                       unsigned Width) {
  if (L.getLoopPreheader() && take(L, P, Steps, Width))
    return;
  for (const Loop *Inner : L)
    visit(*Inner, P, Steps, Width);
}

/// Decides for the loop \p L: copies what it reads if most of its accesses gain by that.
bool LaneCopies::take(const Loop &L, const PreparedFunction &P, const StepPlan &Steps,
                      unsigned Width) {
  MapVector<const AllocaInst *, Reads> Read;
  uint64_t Others = 0; // Accesses to shadows as they are.
  for (BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (Steps.at(I).Tangent == TangentStep::Nothing || !I.mayReadOrWriteMemory())
        continue;
      auto *Load = dyn_cast<LoadInst>(&I);
      const AllocaInst *Memory = Load ? variableOf(Load->getPointerOperand()) : nullptr;
      const uint64_t Weight = weightOf(BB, L, P);
      if (!Memory || L.contains(Memory) || !isElementLoad(*Load, Steps, P)) {
        Others += isa<CallBase>(I) && !isa<IntrinsicInst>(I) ? 4 * Weight : Weight;
        continue;
      }
      Reads &R = Read[Memory];
      const Type *First = R.Loads.empty() ? Load->getType() : R.Loads.front()->getType();
      const uint64_t Size = I.getDataLayout().getTypeStoreSize(Load->getType());
      R.Fits &= Load->getType() == First && Load->getAlign() >= Size && Memory->getAlign() >= Size;
      R.Loads.push_back(Load);
      R.Weight += Weight;
    }
  uint64_t Gained = 0;
  Read.remove_if([&](auto &Entry) {
    auto &[Memory, R] = Entry;
    const DataLayout &DL = Memory->getDataLayout();
    const uint64_t Bytes = Memory->getAllocationSize(DL).value_or(TypeSize::getFixed(0));
    const uint64_t Size = DL.getTypeStoreSize(R.Loads.front()->getType());
    const bool Pays = R.Fits && Bytes && Bytes * Width <= MostBytes &&
                      Bytes / Size <= RunsOfCopy * R.Weight && !mayWrite(L, *Memory, P);
    (Pays ? Gained : Others) += R.Weight;
    return !Pays;
  });
  if (Read.empty() || Gained < Others)
    return false;
  for (auto &[Memory, R] : Read) {
    const DataLayout &DL = Memory->getDataLayout();
    Type *Element = R.Loads.front()->getType();
    for (const LoadInst *Load : R.Loads)
      CopyOf[Load] = Copies.size();
    Copies.push_back(
        {Memory, &L, Element, *Memory->getAllocationSize(DL) / DL.getTypeStoreSize(Element)});
  }
  return true;
}

const LaneCopy *LaneCopies::of(const LoadInst &L) const {
  auto Known = CopyOf.find(&L);
  return Known == CopyOf.end() ? nullptr : &Copies[Known->second];
}

bool LaneCopies::verify(const PreparedFunction &P, raw_ostream &OS) const {
  StringRef Fault;
  for (const LaneCopy &C : Copies)
    if (!C.Where->getLoopPreheader() || C.Where->contains(C.Memory) ||
        mayWrite(*C.Where, *C.Memory, P))
      Fault = "a copy of what its loop makes or writes";
  for (auto &[Load, Index] : CopyOf) {
    const LaneCopy &C = Copies[Index];
    if (!C.Where->contains(Load) || Load->getType() != C.Element ||
        variableOf(Load->getPointerOperand()) != C.Memory)
      Fault = "a copy is read as what it is not";
  }
  if (!Fault.empty())
    OS << Fault << '\n';
  return !Fault.empty();
}

} // namespace isozyme
