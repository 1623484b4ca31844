//===- PlanRemarks.cpp - Tell the user what a plan costs ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimisation remarks of pass `isozyme` (docs/remarks.md): Cached and
// GrowableTape cost something (missed), Reloaded is done well (passed), and
// PlanSummary adds up (analysis). CheckedShadow tells of comparisons at run time (missed).
//
// They are for people who look at their source, not at IR: values have the
// names of variables, sizes the lines of loops.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/DerivativePlan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace isozyme {

constexpr const char *PassName = "isozyme";

namespace {

class PlanRemarks {
public:
  explicit PlanRemarks(const DerivativePlan &Plan)
      : Plan(Plan), P(Plan.P), F(P.original()), Emitter(&F), Region(&F.getEntryBlock()) {
    nameControlValues();
  }
  void emit();

private:
  void nameControlValues();
  std::string describe(const Need &N) const;
  std::string describeUnnamed(const Instruction &I) const;
  std::string loopText(const Loop *L) const;
  /// What the bytes of one value are multiplied with; "" for a value that is there once.
  std::string timesText(const TapeSlot &S) const;
  uint64_t bytesOf(const TapeSlot &S) const {
    return P.function().getDataLayout().getTypeAllocSize(S.Elem);
  }
  void remarkKept(const Need &N, const KeepDecision &D);
  void remarkGrowing();
  void remarkSummary();

  const DerivativePlan &Plan;
  const PreparedFunction &P;
  Function &F;
  OptimizationRemarkEmitter Emitter;
  BasicBlock *Region;
  unsigned Kept = 0, Recomputed = 0, Reloaded = 0;
  /// Bytes per iteration, by what they are multiplied with.
  std::map<std::string, uint64_t> Sizes;
  /// Values that stand for control flow and have no counterpart in the source.
  DenseMap<const Value *, std::string> ControlValues;
};

} // namespace

static std::string byteText(uint64_t Bytes, StringRef Times) {
  return std::to_string(Bytes) + (Bytes == 1 ? " byte" : " bytes") + Times.str();
}

/// As the source says it.
static std::string nameOf(const Function &F) {
  if (const DISubprogram *Program = F.getSubprogram())
    return Program->getName().str();
  return demangle(F.getName());
}

static DiagnosticLocation locationOf(const PreparedFunction &P, const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I ? DiagnosticLocation(P.placeOf(I).Loc) : DiagnosticLocation();
}

std::string PlanRemarks::loopText(const Loop *L) const {
  DebugLoc Start = L->getStartLoc();
  if (!Start) {
    StringRef Name = L->getHeader()->getName();
    return Name.empty() ? "a loop" : "the loop '" + Name.str() + "'";
  }
  std::string Text = "the loop in line " + std::to_string(Start.getLine());
  const DISubprogram *Here = F.getSubprogram();
  if (Here && Start->getFile() != Here->getFile())
    Text += " of " + sys::path::filename(Start->getFilename()).str();
  return Text;
}

void PlanRemarks::nameControlValues() {
  for (auto &[BB, Step] : Plan.CFG->steps())
    if (const Value *From = P.cameFrom(BB))
      ControlValues[From] = "which way was taken";
  for (const Loop *L : Plan.CFG->loops()) {
    const CanonicalLoop &C = P.canonical(L);
    std::string Text = "the number of iterations of " + loopText(L);
    if (C.LastIV)
      ControlValues[C.LastIV] = Text;
    for (auto &[Exit, Phi] : C.ExitIV)
      ControlValues[Phi] = Text;
  }
}

std::string PlanRemarks::describeUnnamed(const Instruction &I) const {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    std::string From = P.sourceName(getUnderlyingObject(Load->getPointerOperand()));
    return From.empty() ? "a value loaded here" : "a value of '" + From + "'";
  }
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    const Function *Callee = Call->getCalledFunction();
    return Callee ? "the result of '" + nameOf(*Callee) + "'" : "the result of a call";
  }
  switch (I.getOpcode()) {
  case Instruction::FAdd:
    return "a sum";
  case Instruction::FSub:
    return "a difference";
  case Instruction::FMul:
    return "a product";
  case Instruction::FDiv:
    return "a quotient";
  case Instruction::GetElementPtr:
    return "an address";
  case Instruction::Alloca:
    return "a local variable";
  case Instruction::ICmp:
  case Instruction::FCmp:
    return "a condition";
  case Instruction::PHI:
  case Instruction::Select:
    return "a value that depends on a condition";
  default:
    return "a value computed here";
  }
}

std::string PlanRemarks::describe(const Need &N) const {
  auto &I = *cast<Instruction>(N.V);
  if (N.P == Part::Tape) {
    const Function *Callee = cast<CallBase>(I).getCalledFunction();
    return Callee ? "the tape of '" + nameOf(*Callee) + "'" : "the tape of a call";
  }
  if (auto It = ControlValues.find(&I); It != ControlValues.end() && N.P == Part::Primal)
    return It->second;
  std::string Name = P.sourceName(&I);
  std::string What = Name.empty() ? describeUnnamed(I) : "'" + Name + "'";
  return N.P == Part::Shadow ? "the shadow address of " + What : What;
}

std::string PlanRemarks::timesText(const TapeSlot &S) const {
  uint64_t Known = 1;
  std::string Unknown;
  for (const Loop *L : Plan.Tape.loopsOf(S)) {
    auto *Last = dyn_cast_or_null<ConstantInt>(P.canonical(L).LastIV);
    bool Overflow = !Last || Last->getValue().getActiveBits() > 31;
    uint64_t Product = Overflow ? 0 : SaturatingMultiply(Known, Last->getZExtValue() + 1, &Overflow);
    if (Overflow)
      Unknown += " * iterations of " + loopText(L);
    else
      Known = Product;
  }
  return (Known == 1 ? "" : " * " + std::to_string(Known)) + Unknown;
}

void PlanRemarks::remarkKept(const Need &N, const KeepDecision &D) {
  const TapeSlot &S = Plan.Tape.slots()[D.Slot];
  std::string Times = timesText(S);
  ++Kept;
  Sizes[Times] += bytesOf(S);
  Emitter.emit([&] {
    return OptimizationRemarkMissed(PassName, "Cached", locationOf(P, N.V), Region)
           << describe(N) << " is kept for the reverse sweep: " << byteText(bytesOf(S), Times)
           << "; " << D.Reason;
  });
}

void PlanRemarks::remarkGrowing() {
  for (const TapeRegion &R : Plan.Tape.regions())
    if (R.Shape == TapeShape::Growable)
      Emitter.emit([&] {
        return OptimizationRemarkMissed(PassName, "GrowableTape",
                                        DiagnosticLocation(R.Group.front()->getStartLoc()), Region)
               << "the trip count of this loop is not known before it: its tape grows at run time";
      });
}

void PlanRemarks::remarkSummary() {
  std::string Size;
  for (auto &[Times, Bytes] : Sizes)
    Size += (Size.empty() ? " (" : " + ") + byteText(Bytes, Times);
  Emitter.emit([&] {
    return OptimizationRemarkAnalysis(PassName, "PlanSummary", DiagnosticLocation(F.getSubprogram()),
                                      Region)
           << "reverse of '" << nameOf(F) << "': " << std::to_string(Kept)
           << (Kept == 1 ? " value kept" : " values kept") << Size << (Size.empty() ? "" : ")")
           << ", " << std::to_string(Recomputed) << " computed again, " << std::to_string(Reloaded)
           << " read again";
  });
}

void PlanRemarks::emit() {
  for (auto &[N, D] : Plan.Keep) {
    switch (D.K) {
    case KeepDecision::Available:
      break;
    case KeepDecision::Recompute:
      ++Recomputed;
      break;
    case KeepDecision::Reload:
      ++Reloaded;
      Emitter.emit([&, &N = N, &D = D] {
        return OptimizationRemark(PassName, "Reloaded", locationOf(P, N.V), Region)
               << describe(N) << " is read again in the reverse sweep: " << D.Reason;
      });
      break;
    case KeepDecision::Cache:
      remarkKept(N, D);
      break;
    }
  }
  remarkGrowing();
  remarkSummary();
}

void remarkPlan(const DerivativePlan &Plan) { PlanRemarks(Plan).emit(); }

void remarkChecks(const PreparedFunction &P, const ActivityResult &Activity) {
  Function &F = P.original();
  OptimizationRemarkEmitter Emitter(&F);
  auto Tell = [&](const Value *V, DiagnosticLocation Where) {
    if (Activity.checkOf(V) == ShadowCheck::None || Activity.isOwnShadow(V))
      return;
    Emitter.emit([&] {
      std::string Name = P.sourceName(V);
      return OptimizationRemarkMissed(PassName, "CheckedShadow", Where, &F.getEntryBlock())
             << (Name.empty() ? "a pointer" : "'" + Name + "'")
             << (Activity.checkOf(V) == ShadowCheck::Page
                     ? " may lead to memory that was allocated outside: each access through it "
                       "looks for a shadow at run time"
                     : " may lead to memory without a shadow: each access through it compares the "
                       "address with that of the shadow");
    });
  };
  for (const Argument &A : P.function().args())
    Tell(&A, DiagnosticLocation(F.getSubprogram()));
  // Where the pointer comes from; what is computed from it has its answer.
  for (const Instruction &I : instructions(P.function()))
    if (isa<LoadInst, PHINode, SelectInst, CallBase>(I))
      Tell(&I, locationOf(P, &I));
}

} // namespace isozyme
