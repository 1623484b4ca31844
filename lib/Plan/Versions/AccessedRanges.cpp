//===- AccessedRanges.cpp - What a function may access, before it runs ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/EntryExtent.h"
#include "isozyme/Plan/PlanForecast.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Target/TargetModel.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// So few bytes of tape are not worth a comparison.
static constexpr uint64_t FewBytes = 128;
/// More code than this is not made twice, more pairs than this are not compared.
static constexpr unsigned MostInstructions = 4000, MostPairs = 100, MostFormulas = 6,
                          MostAssumed = 16;

namespace {

class RangeFinder {
public:
  RangeFinder(const DerivativePlan &Any, VersionPlan &V) : Any(Any), P(Any.P), V(V) {}
  void run();

private:
  void refuse(const Instruction &I, const Twine &Why);
  void look(Instruction &I);
  void lookAtCall(const CallBase &Call);
  void note(const Instruction &I, const Value *Ptr, const SCEV *Bytes, bool IsWritten);
  void addGiven();
  void addTables();
  bool isBeside(const AccessedRange &Word, const AccessedRange &Range);
  void findPairs();
  AccessedRange &rangeOf(const Value *Base);

  const DerivativePlan &Any;
  const PreparedFunction &P;
  VersionPlan &V;
};

} // namespace

void RangeFinder::refuse(const Instruction &I, const Twine &Why) {
  if (V.Refused.empty())
    V.Refused = (operandName(&I) + ": " + Why).str();
}

AccessedRange &RangeFinder::rangeOf(const Value *Base) {
  auto *Here = find_if(
      V.Ranges, [&](const AccessedRange &R) { return R.Base == Base && !R.IsGiven && !R.Stage; });
  return Here != V.Ranges.end() ? *Here : V.Ranges.emplace_back(Base);
}

/// Memory that the function makes, or nobody writes: no parameter leads there.
static bool isOwnOrConstant(const Value *Object) {
  auto *G = dyn_cast<GlobalVariable>(Object);
  return isa<AllocaInst>(Object) || isNoAliasCall(Object) || (G && G->isConstant());
}

/// May memory that the function has not made be there?
static bool leadsElsewhere(const Value *Argument) {
  SmallVector<const Value *, 4> Objects;
  if (Argument->getType()->isPointerTy())
    getUnderlyingObjects(Argument, Objects, nullptr, /*MaxLookup=*/0);
  return !all_of(Objects, isOwnOrConstant);
}

void RangeFinder::note(const Instruction &I, const Value *Ptr, const SCEV *Bytes, bool IsWritten) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Ptr, Objects, &P.loops(), /*MaxLookup=*/0);
  if (all_of(Objects, isOwnOrConstant))
    return;
  ScalarEvolution &SE = P.scalarEvolution();
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(Ptr));
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
  if (Objects.size() != 1 || !Base || Base->getValue() != Objects.front() ||
      !isa<Argument, GlobalVariable>(Base->getValue()))
    return refuse(I, "it is not known which memory this is");
  Type *I64 = Type::getInt64Ty(I.getContext());
  const SCEV *Offset = SE.getTruncateOrSignExtend(SE.removePointerBase(Address), I64);
  const SCEV *Begin = extremeAtEntry(P, Offset, I, /*Largest=*/false, &V.Assumed);
  const SCEV *End =
      extremeAtEntry(P, SE.getAddExpr(Offset, Bytes), I, /*Largest=*/true, &V.Assumed);
  if (!Begin || !End)
    return refuse(I, "it is not known before the call which bytes of " +
                         operandName(Base->getValue()) + " these are");
  AccessedRange &Range = rangeOf(Base->getValue());
  Range.IsWritten |= IsWritten;
  addExtreme(SE, Range.Begins, Begin, /*Largest=*/false);
  addExtreme(SE, Range.Ends, End, /*Largest=*/true);
  if (Range.Begins.size() > MostFormulas || Range.Ends.size() > MostFormulas ||
      V.Assumed.size() > MostAssumed)
    refuse(I, "too many formulas say which bytes of " + operandName(Base->getValue()) +
                  " are accessed");
}

void RangeFinder::lookAtCall(const CallBase &Call) {
  auto Known = Any.Calls.find(&Call);
  if (Known == Any.Calls.end())
    return;
  switch (viewOf(Call, P.libraryInfo()).Class) {
  case OpClass::Elementwise:
  case OpClass::Zero:
  case OpClass::Structural:
    return;
  case OpClass::Allocate:
  case OpClass::Free:
    if (none_of(Call.args(), leadsElsewhere))
      return;
    break;
  default:
    break;
  }
  MemoryEffects Effects = Known->second.Effects.getWithoutLoc(IRMemLocation::ErrnoMem)
                              .getWithoutLoc(IRMemLocation::InaccessibleMem);
  if (Known->second.K == CallPlan::Differentiate || !Effects.doesNotAccessMemory())
    refuse(Call, "what is called may access memory");
}

void RangeFinder::look(Instruction &I) {
  ScalarEvolution &SE = P.scalarEvolution();
  const DataLayout &DL = P.function().getDataLayout();
  Type *I64 = Type::getInt64Ty(I.getContext());
  if (I.isAtomic() || I.isVolatile())
    return refuse(I, "this access is volatile or atomic");
  if (const Value *Ptr = getLoadStorePointerOperand(&I)) {
    TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(&I));
    if (Size.isScalable())
      return refuse(I, "its size is not known");
    return note(I, Ptr, SE.getConstant(I64, Size.getFixedValue()), isa<StoreInst>(I));
  }
  if (auto *Bulk = dyn_cast<MemIntrinsic>(&I)) {
    const SCEV *Bytes = SE.getTruncateOrZeroExtend(SE.getSCEV(Bulk->getLength()), I64);
    note(I, Bulk->getDest(), Bytes, /*IsWritten=*/true);
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      note(I, Copy->getSource(), Bytes, /*IsWritten=*/false);
    return;
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    return lookAtCall(*Call);
  if (I.mayReadOrWriteMemory())
    refuse(I, "it is not known what this does to memory");
}

/// The words that have been read are ranges of their own, for the function may write beside them.
/// Words beside each other are one range.
void RangeFinder::addGiven() {
  ScalarEvolution &SE = P.scalarEvolution();
  const DataLayout &DL = P.function().getDataLayout();
  Type *I64 = Type::getInt64Ty(P.function().getContext());
  auto bytes = [&](int64_t Offset) { return SE.getConstant(I64, Offset, /*isSigned=*/true); };
  SmallVector<EntryRead, 8> Sorted(V.Reads);
  llvm::sort(Sorted, [](const EntryRead &A, const EntryRead &B) {
    return std::tie(A.Base, A.Offset) < std::tie(B.Base, B.Offset);
  });
  constexpr int64_t Padding = 4; // Between a count and an address.
  int64_t LastEnd = 0;
  for (const EntryRead &Read : Sorted) {
    const Value *Base = P.function().getArg(Read.Base);
    int64_t End = Read.Offset + DL.getTypeStoreSize(Read.Type).getFixedValue();
    bool IsBeside = !V.Ranges.empty() && V.Ranges.back().IsGiven && V.Ranges.back().Base == Base &&
                    Read.Offset <= LastEnd + Padding;
    AccessedRange &Range = IsBeside ? V.Ranges.back() : V.Ranges.emplace_back(Base);
    LastEnd = IsBeside ? std::max(LastEnd, End) : End;
    if (!IsBeside)
      Range.Begins.push_back(bytes(Read.Offset));
    Range.Ends = {bytes(LastEnd)};
    Range.IsGiven = true;
  }
}

/// Nor may the function write where the tables are.
void RangeFinder::addTables() {
  for (auto [Number, Stage] : enumerate(V.Stages))
    for (const RowTable &Table : Stage.Tables.Tables) {
      AccessedRange &Range = V.Ranges.emplace_back(P.function().getArg(Table.Base->getArgNo()));
      Range.Begins = Table.Begins;
      Range.Ends = Table.Ends;
      Range.Stage = Number;
    }
}

/// Is \p Word, at the same parameter as \p Range, surely in front of or behind all of it?
bool RangeFinder::isBeside(const AccessedRange &Word, const AccessedRange &Range) {
  ScalarEvolution &SE = P.scalarEvolution();
  return all_of(Range.Begins,
                [&](const SCEV *Begin) {
                  return SE.isKnownPredicate(CmpInst::ICMP_SLE, Word.Ends.front(), Begin);
                }) ||
         all_of(Range.Ends, [&](const SCEV *End) {
           return SE.isKnownPredicate(CmpInst::ICMP_SLE, End, Word.Begins.front());
         });
}

/// Is it known that \p Range is at \p Word, at the same parameter?
static bool isAt(const AccessedRange &Word, const AccessedRange &Range) {
  auto constant = [](const SCEV *S) { return dyn_cast<SCEVConstant>(S); };
  auto Begins = map_range(Range.Begins, constant), Ends = map_range(Range.Ends, constant);
  return any_of(Begins,
                [&](auto *C) {
                  return C && C->getAPInt().slt(constant(Word.Ends.front())->getAPInt());
                }) &&
         any_of(Ends, [&](auto *C) {
           return C && C->getAPInt().sgt(constant(Word.Begins.front())->getAPInt());
         });
}

void RangeFinder::findPairs() {
  auto isAlone = [](const AccessedRange &R) {
    auto *A = dyn_cast<Argument>(R.Base);
    return A && (A->hasNoAliasAttr() || A->hasByValAttr());
  };
  for (unsigned A = 0; A < V.Ranges.size(); ++A)
    for (unsigned B = A + 1; B < V.Ranges.size(); ++B) {
      const AccessedRange &One = V.Ranges[A], &Other = V.Ranges[B];
      if (!One.IsWritten && !Other.IsWritten)
        continue;
      if (One.Base == Other.Base && (One.Stage || Other.Stage)) {
        V.Refused = "it writes at " + operandName(One.Base) + ", where it reads addresses of rows";
        return;
      }
      bool AreVariables = isa<GlobalVariable>(One.Base) && isa<GlobalVariable>(Other.Base);
      if (One.Base == Other.Base ? !isBeside(Other, One)
                                 : !AreVariables && !isAlone(One) && !isAlone(Other))
        V.Pairs.push_back({A, B});
      if (One.Base == Other.Base && isAt(Other, One))
        V.Refused =
            "it writes at " + operandName(One.Base) + ", where it reads an address or a count";
    }
}

void RangeFinder::run() {
  for (Instruction &I : instructions(P.function())) {
    if (P.reachesReturn(I.getParent()))
      look(I);
    if (!V.Refused.empty())
      return;
  }
  addGiven();
  addTables();
  findPairs();
  if (V.Pairs.size() > MostPairs)
    V.Refused = std::to_string(V.Pairs.size()) + " pairs of pointers would have to be compared";
  if (V.Refused.empty() && V.Pairs.empty())
    V.Refused = "the pointers are known to be apart where one of them is written through";
}

static bool mayHaveVersions(const DerivativePlan &Any) {
  const DiffRequest &R = Any.Request;
  const Function &F = *R.Fn;
  auto isChecked = [](ShadowCheck C) { return C != ShadowCheck::None; };
  return options().Versions && R.Mode == DiffMode::Reverse && !R.TapeOutlives &&
         none_of(R.Checks, isChecked) && !F.hasOptSize() && !F.hasOptNone() &&
         !TargetModel(*F.getParent()).isAccelerator() &&
         Any.P.function().getInstructionCount() <= MostInstructions &&
         forecastOf(Any).TapeBytes >= FewBytes;
}

std::unique_ptr<VersionPlan> findAccessedRanges(const DerivativePlan &Any,
                                                SmallVector<EntryRead, 8> Reads,
                                                SmallVector<RowStage, 2> Stages) {
  if (!mayHaveVersions(Any))
    return nullptr;
  auto V = std::make_unique<VersionPlan>();
  V->Reads = std::move(Reads);
  V->Stages = std::move(Stages);
  RangeFinder(Any, *V).run();
  return V;
}

} // namespace isozyme
