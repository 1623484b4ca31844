//===- KnownMultiple.cpp - A number that divides a value ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/KnownMultiple.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

uint64_t knownMultiple(const Value &V, const DataLayout &DL) {
  const APInt *Factor;
  const Value *Rest;
  // Without wrapping only: 2^64 is no multiple of 24.
  if ((match(&V, m_NUWMul(m_Value(Rest), m_APInt(Factor))) ||
       match(&V, m_NSWMul(m_Value(Rest), m_APInt(Factor)))) &&
      Factor->isStrictlyPositive() && Factor->getActiveBits() <= 32)
    return Factor->getZExtValue();
  // No address is aligned more than a page, so larger powers tell nothing.
  unsigned Zeros = computeKnownBits(&V, DL).countMinTrailingZeros();
  return uint64_t(1) << std::min(Zeros, 12u);
}

/// The alignment with which memory at \p Pointer is accessed somewhere: that of what it
/// is meant to point to.
static uint64_t accessAlignment(const Value &Pointer, const DataLayout &DL) {
  constexpr unsigned MaxUsers = 32;
  uint64_t Known = Pointer.getPointerAlignment(DL).value();
  unsigned Count = 0;
  for (const Use &U : Pointer.uses()) {
    if (++Count > MaxUsers)
      break;
    if (auto *Load = dyn_cast<LoadInst>(U.getUser()))
      Known = std::max(Known, Load->getAlign().value());
    else if (auto *Store = dyn_cast<StoreInst>(U.getUser());
             Store && Store->getPointerOperand() == &Pointer)
      Known = std::max(Known, Store->getAlign().value());
    else if (auto *Bulk = dyn_cast<AnyMemIntrinsic>(U.getUser()); Bulk && U.getOperandNo() < 2)
      Known = std::max(Known, Bulk->getParamAlign(U.getOperandNo()).valueOrOne().value());
  }
  return Known;
}

/// Isozyme's own, of the difference of two pointers: what it is a multiple of.
static constexpr StringLiteral WholeElements = "isozyme-whole-elements";

/// By what the program divides the distance \p Sub and says that nothing remains: the
/// size of what both pointers point to, as `end - begin` counts it.
static uint64_t exactDivisor(const Operator &Sub) {
  constexpr unsigned MaxUsers = 32;
  uint64_t Largest = 1;
  if (auto *I = dyn_cast<Instruction>(&Sub))
    if (const MDNode *Noted = I->getMetadata(WholeElements))
      Largest = mdconst::extract<ConstantInt>(Noted->getOperand(0))->getZExtValue();
  unsigned Count = 0;
  for (const User *U : Sub.users()) {
    if (++Count > MaxUsers)
      break;
    const APInt *Divisor;
    if (match(U, m_Exact(m_SDiv(m_Specific(&Sub), m_APInt(Divisor)))) ||
        match(U, m_Exact(m_UDiv(m_Specific(&Sub), m_APInt(Divisor))))) {
      if (Divisor->getSignificantBits() <= 32)
        Largest = std::max(Largest, Divisor->abs().getZExtValue());
    } else if (match(U, m_Exact(m_Shr(m_Specific(&Sub), m_APInt(Divisor))))) {
      if (Divisor->ult(32))
        Largest = std::max(Largest, uint64_t(1) << Divisor->getZExtValue());
    }
  }
  return Largest;
}

void markElementDistances(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (I.getOpcode() != Instruction::Sub)
      continue;
    uint64_t Divisor = exactDivisor(cast<Operator>(I));
    if (Divisor == 1)
      continue;
    auto *Number = ConstantInt::get(Type::getInt64Ty(F.getContext()), Divisor);
    I.setMetadata(WholeElements, MDNode::get(F.getContext(), ConstantAsMetadata::get(Number)));
  }
}

/// The alignment of both ends of a copy whose length is the distance of \p To and \p From, to or
/// from one of these. It is that of the elements. An end that has this alignment by its origin,
/// such as a block from malloc, tells nothing of elements.
///
///   %n = sub i64 %last, %first                ; their ptrtoint
///   call void @llvm.memmove(ptr align 8 %to, ptr align 8 %first.p, i64 %n, i1 false)
static uint64_t copyAlignment(const Operator &Sub, const Value &To, const Value &From,
                              const DataLayout &DL) {
  constexpr unsigned MaxUsers = 32;
  uint64_t Largest = 1;
  unsigned Count = 0;
  for (const User *U : Sub.users()) {
    if (++Count > MaxUsers)
      break;
    auto *Copy = dyn_cast<MemTransferInst>(U);
    if (!Copy || Copy->getLength() != &Sub)
      continue;
    const Value *Ends[] = {Copy->getRawDest(), Copy->getRawSource()};
    if (!is_contained(Ends, &To) && !is_contained(Ends, &From))
      continue;
    Align Stated[] = {Copy->getDestAlign().valueOrOne(), Copy->getSourceAlign().valueOrOne()};
    bool Tells = Stated[0] > Ends[0]->getPointerAlignment(DL) ||
                 Stated[1] > Ends[1]->getPointerAlignment(DL);
    if (Tells)
      Largest = std::max(Largest, std::min(Stated[0], Stated[1]).value());
  }
  return Largest;
}

/// What divides the distance of \p A and \p B, pointers that the source subtracts from others in
/// whole elements: with `end - place` and `end - begin`, place lies whole elements behind begin.
static uint64_t distanceByOthers(const Value &A, const Value &B) {
  constexpr unsigned MaxUsers = 32, MaxPointers = 8;
  SmallMapVector<const Value *, uint64_t, MaxPointers> Reached;
  Reached.insert({&A, 0});
  for (unsigned K = 0; K != Reached.size() && Reached.size() < MaxPointers; ++K) {
    auto [From, Divisor] = *(Reached.begin() + K);
    if (From == &B)
      return Divisor;
    unsigned Count = 0;
    for (const User *Cast : From->users()) {
      if (++Count > MaxUsers)
        break;
      if (!isa<PtrToIntOperator>(Cast))
        continue;
      for (const User *U : Cast->users()) {
        auto *Sub = dyn_cast<Instruction>(U);
        if (!Sub || Sub->getOpcode() != Instruction::Sub ||
            Sub->getOperand(0) == Sub->getOperand(1))
          continue;
        auto *Other = dyn_cast<PtrToIntOperator>(Sub->getOperand(Sub->getOperand(0) == Cast));
        uint64_t Elements = Other ? exactDivisor(cast<Operator>(*Sub)) : 1;
        if (Elements > 1)
          Reached.insert({Other->getPointerOperand(), std::gcd(Divisor, Elements)});
      }
    }
  }
  auto *Found = Reached.find(&B);
  return Found == Reached.end() ? 1 : Found->second;
}

/// The distance between two pointers to elements of one array.
static uint64_t distanceOfPointers(const Operator &Sub, const DataLayout &DL) {
  auto *To = dyn_cast<PtrToIntOperator>(Sub.getOperand(0));
  auto *From = dyn_cast<PtrToIntOperator>(Sub.getOperand(1));
  if (!To || !From)
    return 1;
  const Value &End = *To->getPointerOperand(), &Start = *From->getPointerOperand();
  return std::max({exactDivisor(Sub), copyAlignment(Sub, End, Start, DL),
                   distanceByOthers(End, Start),
                   std::min(accessAlignment(End, DL), accessAlignment(Start, DL))});
}

/// \p Seen: what is being looked at; a loop adds nothing to what it starts with.
static uint64_t distanceMultiple(const Value &V, const DataLayout &DL, PointerDistance OfPointers,
                                 SmallPtrSetImpl<const Value *> &Seen) {
  constexpr unsigned MaxValues = 16;
  if (auto *C = dyn_cast<ConstantInt>(&V))
    return C->getValue().getSignificantBits() <= 32 ? std::abs(C->getSExtValue()) : 1;
  auto *I = dyn_cast<Operator>(&V);
  if (!I)
    return knownMultiple(V, DL);
  if (Seen.size() >= MaxValues)
    return knownMultiple(V, DL);
  if (!Seen.insert(&V).second)
    return 0;
  auto Of = [&](unsigned K) { return distanceMultiple(*I->getOperand(K), DL, OfPointers, Seen); };
  const APInt *Factor;
  switch (I->getOpcode()) {
  case Instruction::Mul: {
    if (match(&V, m_Mul(m_Value(), m_APInt(Factor))) && Factor->getSignificantBits() <= 32)
      return Factor->abs().getZExtValue();
    uint64_t A = Of(0), B = Of(1); // The distance of rows, times a number of them.
    return isUInt<31>(A) && isUInt<31>(B) ? A * B : knownMultiple(V, DL);
  }
  case Instruction::Select:
    return std::gcd(Of(1), Of(2));
  case Instruction::Sub: {
    uint64_t Distance = distanceOfPointers(*I, DL), Known = OfPointers ? OfPointers(*I) : 1;
    if (Known % Distance == 0)
      Distance = Known;
    if (Distance != 1)
      return Distance;
  }
    [[fallthrough]];
  case Instruction::Add:
    return std::gcd(Of(0), Of(1));
  case Instruction::SExt: // Narrow numbers do wrap: they may be hashes.
  case Instruction::ZExt:
    return knownMultiple(*I->getOperand(0), DL);
  case Instruction::Freeze:
    return Of(0);
  case Instruction::PHI: {
    uint64_t Common = 0;
    for (unsigned K = 0; K != I->getNumOperands(); ++K)
      Common = std::gcd(Common, Of(K));
    return Common;
  }
  default:
    return knownMultiple(V, DL);
  }
}

uint64_t distanceMultiple(const Value &V, const DataLayout &DL, PointerDistance OfPointers) {
  SmallPtrSet<const Value *, 16> Seen;
  uint64_t Multiple = distanceMultiple(V, DL, OfPointers, Seen);
  return Multiple || OfPointers ? Multiple : 1;
}

} // namespace isozyme
