//===- UnseenSums.cpp - Sums that only derivatives are made of ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that somebody sees are found backwards, from what sees them to what they are made of:
//
//   passes on what is seen of its result  arithmetic and functions whose derivative does not jump
//                                         (isSmooth), choices between values, moves of values
//   memory that nobody else knows, or     what is stored there is seen if a load from it is
//   asks for (dupnoneed)
//   sees                                  everything else: comparisons, conversions to integers,
//                                         memory of others, calls, the result if it is asked for
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Order/UnseenSums.h"
#include "isozyme/Needs/HiddenMemory.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Rules/RuleTable.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// So many additions one after the other are a sum. Few may be a number that is put together of
/// parts, so that digits are not lost: x - k * high - k * low.
constexpr unsigned FewestInBlock = 8;

void UnseenSums::print(raw_ostream &OS) const {
  for (const UnseenSum &Sum : Sums)
    OS << "    " << operandName(Sum.back()) << "  sum of " << Sum.size()
       << ", in any order  (nobody sees how it is rounded)\n";
}

/// The operand of \p I to which it adds the others, if \p I is an addition.
static const Use *sumOf(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (Call && Call->getIntrinsicID() == Intrinsic::fmuladd)
    return &Call->getArgOperandUse(2);
  const bool Adds = I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub;
  return Adds ? &I.getOperandUse(0) : nullptr;
}

/// The only thing that is done with \p Sum, if that is to add to it.
static Instruction *nextAddition(const Value &Sum) {
  if (!Sum.hasOneUse())
    return nullptr;
  const Use &U = *Sum.use_begin();
  auto *Next = cast<Instruction>(U.getUser());
  const bool Either = Next->getOpcode() == Instruction::FAdd;
  return sumOf(*Next) && (Either || sumOf(*Next) == &U) ? Next : nullptr;
}

UnseenSum additionsTo(PHINode &Phi, const PreparedFunction &P) {
  const Loop *L = P.loops().getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent() || !L->getLoopLatch() ||
      !Phi.getType()->isFloatingPointTy())
    return {};
  const Value *Last = Phi.getIncomingValueForBlock(L->getLoopLatch());
  UnseenSum Found;
  for (Value *Sum = &Phi; Sum != Last; Sum = Found.back()) {
    Instruction *Next = nextAddition(*Sum);
    if (!Next || P.loops().getLoopFor(Next->getParent()) != L)
      return {};
    Found.push_back(Next);
  }
  for (const User *U : Last->users())
    if (U != &Phi && L->contains(cast<Instruction>(U)))
      return {};
  return Found;
}

UnseenSum additionsFrom(Instruction &First) {
  const Use *Sum = First.getType()->isFloatingPointTy() ? sumOf(First) : nullptr;
  auto *Before = Sum ? dyn_cast<Instruction>(Sum->get()) : nullptr;
  if (!Sum || (Before && sumOf(*Before) && nextAddition(*Before) == &First))
    return {};
  UnseenSum Found = {&First};
  Instruction *Next;
  while ((Next = nextAddition(*Found.back())) && Next->getParent() == First.getParent())
    Found.push_back(Next);
  if (Found.size() < FewestInBlock)
    return {};
  return Found;
}

namespace {

/// Which numbers of a derivative somebody sees. Of hidden memory, all contents together.
class SeenNumbers {
public:
  explicit SeenNumbers(const DerivativePlan &Plan);
  bool contains(const Value &V) const { return Seen.contains(&V); }

private:
  void noteUse(const Value &Object, const Use &U);
  void noteHidden(const Value &Object);
  /// Is it memory of the caller who does not want to know what is in it?
  bool isUnasked(const Value &Object) const;
  /// Does \p I, a store or copy, write to hidden memory, and nowhere else?
  bool writesHidden(const Instruction &I) const;
  bool isArithmetic(const Instruction &I) const;
  bool passesOn(const Instruction &I) const;
  void lookBehind(const Value &V);
  void see(const Value *V) {
    if (!isa<Constant>(V) && Seen.insert(V).second)
      Worklist.push_back(V);
  }

  const DerivativePlan &Plan;
  const PreparedFunction &P;
  SmallPtrSet<const Value *, 32> Seen; ///< Values, and objects of hidden memory.
  SmallVector<const Value *, 16> Worklist;
  /// Stores and copies into hidden memory, and which of it loads and copies may read.
  DenseMap<const Value *, SmallVector<const Instruction *, 4>> Into;
  DenseMap<const Instruction *, SmallVector<const Value *, 1>> From;
  SmallPtrSet<const Value *, 8> Hidden;
};

} // namespace

SeenNumbers::SeenNumbers(const DerivativePlan &Plan) : Plan(Plan), P(Plan.P) {
  for (const Argument &A : P.function().args())
    noteHidden(A);
  for (const Instruction &I : instructions(P.function()))
    noteHidden(I);
  for (const Instruction &I : instructions(P.function())) {
    if (auto *Copy = dyn_cast<MemTransferInst>(&I); Copy && !writesHidden(*Copy))
      for (const Value *Object : From.lookup(Copy))
        see(Object);
    for (const Value *Operand : I.operands())
      if (isFloatLike(Operand->getType()) && !passesOn(I))
        see(Operand);
  }
  while (!Worklist.empty())
    lookBehind(*Worklist.pop_back_val());
}

void SeenNumbers::noteUse(const Value &Object, const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  const bool Writes = isa<StoreInst>(I) || (isa<MemTransferInst>(I) && U.getOperandNo() == 0);
  if (Writes) {
    Into[&Object].push_back(I);
  } else if (isa<LoadInst, MemTransferInst>(I)) {
    From[I].push_back(&Object);
  }
  // Integers may be the bits of what is stored.
  const bool Plain = !I->isVolatile() && !I->isAtomic();
  if (!Plain || (isa<LoadInst>(I) && I->getType()->isIntOrIntVectorTy()))
    see(&Object);
}

void SeenNumbers::noteHidden(const Value &Object) {
  SmallVector<const Use *, 16> Uses;
  auto note = [&](const Use &U) {
    Uses.push_back(&U);
    return true;
  };
  if (!(isUnasked(Object) ? staysInFunction(Object, P.libraryInfo(), note)
                          : isHiddenMemory(Object, P.libraryInfo(), note)))
    return;
  Hidden.insert(&Object);
  for (const Use *U : Uses)
    noteUse(Object, *U);
}

bool SeenNumbers::writesHidden(const Instruction &I) const {
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Copy ? Copy->getRawDest() : getLoadStorePointerOperand(&I), Objects,
                       &P.loops(), /*MaxLookup=*/0);
  return all_of(Objects, [&](const Value *Object) {
    return Hidden.contains(Object) || isa<ConstantPointerNull>(Object); // An empty vector.
  });
}

bool SeenNumbers::isUnasked(const Value &Object) const {
  auto *A = dyn_cast<Argument>(&Object);
  return A && A->hasNoAliasAttr() && Plan.Request.Args[A->getArgNo()] == ArgActivity::DupNoNeed &&
         !Plan.Request.isSplit();
}

bool SeenNumbers::isArithmetic(const Instruction &I) const {
  const OpView View = viewOf(I, P.libraryInfo());
  const Rule *R = View.Class == OpClass::Elementwise ? ruleOf(View.Id) : nullptr;
  return R && isSmooth(*R) && none_of(I.operands(), [](const Use &U) {
           return U->getType()->isPtrOrPtrVectorTy() && !isa<Function>(U.get());
         });
}

bool SeenNumbers::passesOn(const Instruction &I) const {
  if (isa<StoreInst>(I))
    return writesHidden(I) || is_contained(Plan.Unread.stores(), &I);
  if (isa<ReturnInst>(I))
    return !Plan.Request.isSplit() && !Plan.Request.ReturnPrimal;
  return isa<PHINode, SelectInst, FreezeInst, InsertElementInst, ExtractElementInst,
             ShuffleVectorInst, InsertValueInst, ExtractValueInst>(I) ||
         isArithmetic(I);
}

void SeenNumbers::lookBehind(const Value &V) {
  for (const Instruction *Write : Into.lookup(&V)) {
    if (auto *S = dyn_cast<StoreInst>(Write); S && isFloatLike(S->getValueOperand()->getType()))
      see(S->getValueOperand());
    for (const Value *Object : From.lookup(Write))
      see(Object);
  }
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !isFloatLike(I->getType()))
    return;
  for (const Value *Object : From.lookup(I))
    see(Object);
  if (passesOn(*I))
    for (const Value *Operand : I->operands())
      if (isFloatLike(Operand->getType()))
        see(Operand);
}

/// Does a derivative need \p Sum, or what is computed from it? What only leads to the result is
/// left out.
static bool isNeeded(const DerivativePlan &Plan, const Instruction &Sum) {
  SmallSetVector<const Instruction *, 8> Made;
  Made.insert(&Sum);
  for (size_t Next = 0; Next < Made.size(); ++Next) {
    const Instruction *I = Made[Next];
    if (Plan.decisionFor({const_cast<Instruction *>(I), Part::Primal}) || isa<StoreInst>(I))
      return true;
    for (const User *U : I->users())
      Made.insert(cast<Instruction>(U));
  }
  return false;
}

UnseenSums findUnseenSums(const DerivativePlan &Plan) {
  UnseenSums Found;
  if (!mayReorder(Plan) || Plan.P.original().hasFnAttribute(Attribute::StrictFP))
    return Found;
  SmallVector<UnseenSum, 4> Sums;
  SmallPtrSet<const Instruction *, 16> Noted; // A loop may hand on what a row of a block adds up.
  auto note = [&](UnseenSum Sum) {
    if (!Sum.empty() && Noted.insert(Sum.back()).second)
      Sums.push_back(std::move(Sum));
  };
  for (Instruction &I : instructions(Plan.P.function())) {
    if (auto *Phi = dyn_cast<PHINode>(&I))
      note(additionsTo(*Phi, Plan.P));
    note(additionsFrom(I));
  }
  if (Sums.empty())
    return Found;
  const SeenNumbers Seen(Plan);
  for (UnseenSum &Sum : Sums)
    if (!Seen.contains(*Sum.back()) && isNeeded(Plan, *Sum.back()))
      Found.add(std::move(Sum));
  return Found;
}

} // namespace isozyme
