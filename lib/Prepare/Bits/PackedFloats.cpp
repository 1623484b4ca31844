//===- PackedFloats.cpp - Floats side by side in one integer ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts, masks and truncations that move whole floats about become what they are,
// operations on the elements of a vector:
//
//   trunc(lshr i64 %p, 32)                     ->  extractelement (bitcast %p), 1
//   or(zext %a, shl(zext %b, 32))              ->  bitcast (insertelement (%a), %b, 1)
//   or(and(%p, 0xffffffff), shl(zext %b, 32))  ->  bitcast (insertelement %p, %b, 1)
//
// Only where an element is known to be a float, by where it comes from or by what is
// made of it: for plain integers nothing changes.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

namespace {

/// An element of an integer: which one of Whole (Number), the integer of an element's
/// size that Whole is (Number < 0), or zero (Whole null).
struct Element {
  Value *Whole = nullptr;
  int Number = -1;
};
using Elements = SmallVector<Element, 4>;

/// Takes an integer apart into elements of \p Bits bits.
class Splitter {
public:
  explicit Splitter(unsigned Bits) : Bits(Bits) {}
  std::optional<Elements> split(Value *V, unsigned Depth = 0) const;

private:
  std::optional<Elements> splitOperation(Instruction &I, unsigned Depth) const;
  std::optional<Elements> join(Instruction &I, unsigned Depth) const;
  std::optional<Elements> mask(Elements Of, const APInt &Mask) const;
  unsigned Bits;
};

} // namespace

std::optional<Elements> Splitter::join(Instruction &I, unsigned Depth) const {
  std::optional<Elements> A = split(I.getOperand(0), Depth), B = split(I.getOperand(1), Depth);
  if (!A || !B)
    return std::nullopt;
  for (auto [To, From] : zip_equal(*A, *B)) {
    if (To.Whole && From.Whole)
      return std::nullopt;
    if (From.Whole)
      To = From;
  }
  return A;
}

std::optional<Elements> Splitter::mask(Elements Of, const APInt &Mask) const {
  for (auto [Number, E] : enumerate(Of)) {
    APInt Part = Mask.extractBits(Bits, Number * Bits);
    if (Part.isZero())
      E = Element();
    else if (!Part.isAllOnes() && E.Whole)
      return std::nullopt;
  }
  return Of;
}

std::optional<Elements> Splitter::splitOperation(Instruction &I, unsigned Depth) const {
  unsigned Count = I.getType()->getIntegerBitWidth() / Bits;
  const APInt *C = nullptr;
  switch (I.getOpcode()) {
  case Instruction::Or:
    return join(I, Depth);
  case Instruction::ZExt:
  case Instruction::Trunc: {
    if (I.getOperand(0)->getType()->getIntegerBitWidth() % Bits)
      return std::nullopt;
    std::optional<Elements> Of = split(I.getOperand(0), Depth);
    if (Of)
      Of->resize(Count);
    return Of;
  }
  case Instruction::And:
    if (std::optional<Elements> Of = split(I.getOperand(0), Depth);
        Of && match(I.getOperand(1), m_APInt(C)))
      return mask(std::move(*Of), *C);
    return std::nullopt;
  case Instruction::Shl:
  case Instruction::LShr: {
    if (!match(I.getOperand(1), m_APInt(C)) || C->getZExtValue() % Bits)
      return std::nullopt;
    std::optional<Elements> Of = split(I.getOperand(0), Depth);
    unsigned By = C->getZExtValue() / Bits;
    if (!Of || By >= Count)
      return std::nullopt;
    Elements Moved(Count);
    for (unsigned To = 0; To < Count; ++To) {
      int From = I.getOpcode() == Instruction::Shl ? int(To) - int(By) : int(To + By);
      if (From >= 0 && From < int(Count))
        Moved[To] = (*Of)[From];
    }
    return Moved;
  }
  default:
    return std::nullopt;
  }
}

std::optional<Elements> Splitter::split(Value *V, unsigned Depth) const {
  constexpr unsigned MaxDepth = 16;
  unsigned Count = V->getType()->getIntegerBitWidth() / Bits;
  if (match(V, m_Zero()))
    return Elements(Count);
  if (isa<Constant>(V) || Depth == MaxDepth)
    return std::nullopt;
  if (auto *I = dyn_cast<Instruction>(V))
    if (I->getOpcode() != Instruction::Or || isa<BinaryOperator>(I))
      if (std::optional<Elements> Parts = splitOperation(*I, Depth + 1))
        return Parts;
  Elements Own(Count);
  for (auto [Number, E] : enumerate(Own))
    E = {V, Count == 1 ? -1 : int(Number)};
  return Own;
}

/// The scalar float that \p V, an integer, is a copy of or is read as; null if neither.
static Type *floatIn(const Value *V) {
  Value *Source;
  if (match(V, m_BitCast(m_Value(Source))) && Source->getType()->isFPOrFPVectorTy())
    return Source->getType()->getScalarType();
  // Packed floats have few uses; the size of the problem may have thousands.
  constexpr unsigned MaxLooked = 32;
  unsigned Looked = 0;
  for (const User *U : V->users()) {
    if (auto *Cast = dyn_cast<BitCastInst>(U); Cast && Cast->getType()->isFPOrFPVectorTy())
      return Cast->getType()->getScalarType();
    if (++Looked == MaxLooked)
      break;
  }
  return nullptr;
}

static bool isMove(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I && (I->getOpcode() == Instruction::Or || I->getOpcode() == Instruction::And ||
               I->getOpcode() == Instruction::Shl || I->getOpcode() == Instruction::LShr ||
               isa<ZExtInst, TruncInst>(I));
}

/// The float that moves in what \p I is computed from, or that \p I is read as.
static Type *movedFloat(const Instruction &I) {
  if (Type *T = floatIn(&I))
    return T;
  SmallVector<const Value *, 8> Work(I.op_begin(), I.op_end());
  for (unsigned Looked = 0; !Work.empty() && Looked < 16; ++Looked) {
    const Value *V = Work.pop_back_val();
    if (Type *T = isa<Constant>(V) ? nullptr : floatIn(V))
      return T;
    if (isMove(V))
      append_range(Work, cast<Instruction>(V)->operands());
  }
  return nullptr;
}

/// An element as an integer of its size.
static Value *emitElement(IRBuilder<> &B, const Element &E, Type *Int) {
  if (!E.Whole)
    return Constant::getNullValue(Int);
  if (E.Number < 0)
    return E.Whole;
  unsigned Bits = Int->getIntegerBitWidth();
  unsigned Count = E.Whole->getType()->getIntegerBitWidth() / Bits;
  return B.CreateExtractElement(B.CreateBitCast(E.Whole, FixedVectorType::get(Int, Count)),
                                E.Number);
}

static void rewriteMove(Instruction &I) {
  Type *Float = movedFloat(I);
  unsigned Width = I.getType()->getIntegerBitWidth();
  unsigned Bits = Float ? Float->getPrimitiveSizeInBits().getFixedValue() : 0;
  if (!Bits || Width % Bits || Float->isX86_FP80Ty())
    return;
  std::optional<Elements> Parts = Splitter(Bits).split(&I);
  if (!Parts || any_of(*Parts, [&](const Element &E) { return E.Whole == &I; }))
    return;
  IRBuilder<> B(&I);
  Type *Int = B.getIntNTy(Bits);
  Value *New;
  if (Parts->size() == 1) {
    New = emitElement(B, Parts->front(), Int);
  } else {
    New = Constant::getNullValue(FixedVectorType::get(Int, Parts->size()));
    for (auto [Number, E] : enumerate(*Parts))
      if (E.Whole)
        New = B.CreateInsertElement(New, emitElement(B, E, Int), Number);
    New = B.CreateBitCast(New, I.getType());
  }
  I.replaceAllUsesWith(New);
}

void rewritePackedFloats(Function &F) {
  if (!F.getDataLayout().isLittleEndian())
    return;
  SmallVector<Instruction *> Moves;
  for (Instruction &I : instructions(F))
    if (I.getType()->isIntegerTy() && isMove(&I) && I.getOperand(0)->getType()->isIntegerTy())
      Moves.push_back(&I);
  // The last of a chain stands for all of it.
  for (Instruction *I : reverse(Moves))
    if (any_of(I->users(), [](const User *U) { return !isMove(U); }))
      rewriteMove(*I);
  for (Instruction *I : reverse(Moves))
    if (I->use_empty())
      I->eraseFromParent();
}

} // namespace isozyme
