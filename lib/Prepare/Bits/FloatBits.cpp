//===- FloatBits.cpp - Floats made by integer arithmetic on bits -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between two powers of two, the bits of a float, read as an integer, grow in
// proportion to it. So a float whose bits are an affine function of the bits of
// another has a derivative: with e(x) the exponent of x,
//
//   y = float(a * bits(x) + b)      dy/dx = a * 2^(e(y) - e(x))
//
// a = 1: scaling by an addition to the exponent, a new exponent, rounding by an
// addition or a mask; a = -1/2: the fast inverse square root; a = 1/3: a first guess
// of a cube root. Rounding to at least 20 bits (float: 10) counts as smooth, and what
// it drops as constant; the exponent alone, and integers made from it, are constant.
//
// Where bits are chosen, on several ways that agree about a, so is the float that they are made of.
//
//   %y = bitcast i64 %bits to double    ->  %d = %x * (constant) a 2^(e(y) - e(x))
//                                           %y' = isozyme.stand.in(%d, %y)
//
// Where bits are made from an integer that a float was converted to (exp as a line of
// bits), that integer is the variable, and e(x) the exponent of 2^52.
//
// And where such an integer becomes a number again (a logarithm as the bits, times a factor), that
// has a derivative, too:
//
//   y = number(a * bits(x) + b)     dy/dx = a * 2^(52 - e(x))
//
// The value is still that of the integers, bit for bit. What fits no such form, as a
// mask that keeps few bits (is it a rounding, or the number of a table's row?), stays,
// and is an error where it is differentiated.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Values/Origins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include <cmath>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

namespace {

/// An integer as a function of the bits of Source: Slope times them, plus what does
/// not vary. Their mantissa begins at bit -Shift.
struct Affine {
  Value *Source = nullptr; ///< A float; null: a constant.
  double Slope = 0;
  unsigned Shift = 0;
  bool Scaled = false;    ///< Multiplied: the bits of the mantissa have no place any more.
  bool Converted = false; ///< Not of the bits of Source, but of its whole number.

  bool isLike(const Affine &Other) const {
    return Slope == Other.Slope && Shift == Other.Shift && Scaled == Other.Scaled &&
           Converted == Other.Converted;
  }
};

class BitsAnalysis {
public:
  explicit BitsAnalysis(Type *Float)
      : Float(Float), Mantissa(Float->getScalarType()->isDoubleTy() ? 52 : 23),
        Enough(Mantissa == 52 ? 20 : 10), DL(nullptr) {}

  std::optional<Affine> of(Value *V, const DataLayout &Layout) {
    DL = &Layout;
    return visit(V, 0);
  }
  /// Erases the choices between floats that nobody has taken as a source.
  void eraseUnused() {
    for (Instruction *Source : reverse(Made))
      if (Source->use_empty())
        Source->eraseFromParent();
  }

private:
  static constexpr unsigned MaxDepth = 12;
  /// Beyond it bits are rather scrambled than scaled.
  static constexpr unsigned LargestFactor = 16;

  std::optional<Affine> visit(Value *V, unsigned Depth);
  std::optional<Affine> visitBinary(BinaryOperator &I, unsigned Depth);
  std::optional<Affine> sum(BinaryOperator &I, unsigned Depth);
  std::optional<Affine> choice(Instruction &I, unsigned Depth);
  Value *chosenSource(Instruction &I, ArrayRef<Affine> Ways);
  std::optional<Affine> masked(Affine A, const APInt &Mask) const;
  std::optional<Affine> combine(const Affine &A, const Affine &B, double Sign) const;
  /// Is no bit of the mantissa in \p V other than zero?
  bool changesExponentOnly(Value *V, const Affine &Of) const;
  /// How much of the mantissa is left when \p A is shifted by \p By more.
  unsigned kept(const Affine &A, unsigned By) const {
    return A.Shift + By < Mantissa ? Mantissa - A.Shift - By : 0;
  }

  Type *Float;
  unsigned Mantissa, Enough;
  const DataLayout *DL;
  DenseMap<const Instruction *, std::optional<Affine>> Choices;
  SmallVector<Instruction *, 4> Made;
};

} // namespace

std::optional<Affine> BitsAnalysis::combine(const Affine &A, const Affine &B, double Sign) const {
  if (A.Source && B.Source && A.Converted != B.Converted)
    return std::nullopt;
  if (A.Source && B.Source && (A.Source != B.Source || A.Shift != B.Shift))
    if (A.Slope != 0 && B.Slope != 0)
      return std::nullopt;
  // Of two floats, one may not vary: the exponent of one with the mantissa of another.
  Affine Sum = A.Slope != 0 || !B.Source ? A : B;
  Sum.Slope = A.Slope + Sign * B.Slope;
  Sum.Scaled = A.Scaled || B.Scaled;
  return Sum;
}

bool BitsAnalysis::changesExponentOnly(Value *V, const Affine &Of) const {
  return computeKnownBits(V, *DL).countMinTrailingZeros() >= kept(Of, 0);
}

std::optional<Affine> BitsAnalysis::masked(Affine A, const APInt &Mask) const {
  if (A.Slope == 0)
    return A;
  unsigned Bits = kept(A, 0);
  if (A.Scaled || Bits == 0 || Mask.getBitWidth() < Bits)
    return std::nullopt;
  APInt Here = Mask.extractBits(Bits, 0);
  if (Here.isAllOnes())
    return A;
  unsigned Upper = Here.countl_one();
  if (Here.isZero() || (Here.countl_zero() >= Enough && Here.isMask())) {
    A.Slope = 0; // The exponent, or what a rounding has left over.
    return A;
  }
  if (Upper < Enough || Upper + Here.countr_zero() != Bits)
    return std::nullopt;
  return A;
}

std::optional<Affine> BitsAnalysis::sum(BinaryOperator &I, unsigned Depth) {
  std::optional<Affine> A = visit(I.getOperand(0), Depth), C = visit(I.getOperand(1), Depth);
  // What varies stays what it is if the other changes the exponent alone, by whatever is in it.
  auto IsScaled = [&](const std::optional<Affine> &Of, const std::optional<Affine> &Other,
                      Value *By) {
    return Of && Of->Source && (!Other || Of->Slope != 0) && changesExponentOnly(By, *Of);
  };
  if (IsScaled(A, C, I.getOperand(1)))
    return A;
  double Sign = I.getOpcode() == Instruction::Sub ? -1 : 1;
  if (IsScaled(C, A, I.getOperand(0))) {
    C->Slope *= Sign;
    return C;
  }
  return A && C ? combine(*A, *C, Sign) : std::nullopt;
}

std::optional<Affine> BitsAnalysis::visitBinary(BinaryOperator &I, unsigned Depth) {
  Value *Left = I.getOperand(0), *Right = I.getOperand(1);
  const APInt *C = nullptr;
  bool Constant = match(Right, m_APInt(C));
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return sum(I, Depth);
  case Instruction::Or:
  case Instruction::Xor: {
    if (haveNoCommonBitsSet(Left, Right, SimplifyQuery(*DL, &I)))
      return sum(I, Depth);
    std::optional<Affine> A = visit(Left, Depth);
    return A && Constant && changesExponentOnly(Right, *A) ? A : std::nullopt;
  }
  default:
    break;
  }
  std::optional<Affine> A = Constant ? visit(Left, Depth) : std::nullopt;
  if (!A)
    return std::nullopt;
  switch (I.getOpcode()) {
  case Instruction::And:
    return masked(*A, *C);
  case Instruction::LShr:
  case Instruction::AShr: {
    unsigned Left = kept(*A, C->getZExtValue());
    if (A->Slope != 0 && Left != 0 && (Left < Enough || A->Scaled))
      return std::nullopt;
    A->Slope = Left ? std::ldexp(A->Slope, -int(C->getZExtValue())) : 0;
    A->Shift += C->getZExtValue();
    return A;
  }
  case Instruction::Shl:
    if (A->Slope != 0 && !A->Scaled && C->getZExtValue() > A->Shift)
      return std::nullopt;
    A->Slope = std::ldexp(A->Slope, C->getZExtValue());
    A->Shift -= std::min<unsigned>(A->Shift, C->getZExtValue());
    return A;
  case Instruction::Mul:
  case Instruction::UDiv:
  case Instruction::SDiv: {
    double Factor = C->getSExtValue();
    if (Factor < 1 || Factor > LargestFactor)
      return std::nullopt;
    A->Slope = I.getOpcode() == Instruction::Mul ? A->Slope * Factor : A->Slope / Factor;
    A->Scaled = true;
    return A;
  }
  default:
    return std::nullopt;
  }
}

/// The source on the way that \p I takes; 1 where that way does not vary.
Value *BitsAnalysis::chosenSource(Instruction &I, ArrayRef<Affine> Ways) {
  SmallVector<Value *, 4> Sources;
  for (const Affine &Way : Ways)
    Sources.push_back(Way.Slope != 0 ? Way.Source : ConstantFP::get(Float, 1));
  if (all_equal(Sources))
    return Sources.front();
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    PHINode *Source =
        PHINode::Create(Float, Sources.size(), I.getName() + ".source", Phi->getIterator());
    for (auto [Way, BB] : zip_equal(Sources, Phi->blocks()))
      Source->addIncoming(Way, BB);
    Made.push_back(Source);
  } else {
    Made.push_back(SelectInst::Create(cast<SelectInst>(I).getCondition(), Sources[0], Sources[1],
                                      I.getName() + ".source", I.getIterator()));
  }
  Made.back()->setDebugLoc(I.getDebugLoc());
  return Made.back();
}

std::optional<Affine> BitsAnalysis::choice(Instruction &I, unsigned Depth) {
  // Bits that come round in a loop are not made of one float.
  auto [Known, New] = Choices.try_emplace(&I, std::nullopt);
  if (!New)
    return Known->second;
  SmallVector<Affine, 4> Ways;
  for (const Value *V : choicesOf(&I)) {
    std::optional<Affine> Way = visit(const_cast<Value *>(V), Depth);
    if (!Way)
      return std::nullopt;
    Ways.push_back(*Way);
  }
  auto Varies = [](const Affine &A) { return A.Slope != 0; };
  auto *First = find_if(Ways, Varies);
  if (First == Ways.end()) {
    First = find_if(Ways, [](const Affine &A) { return A.Source; });
    return Choices[&I] = First == Ways.end() ? Affine() : *First;
  }
  if (any_of(Ways, [&](const Affine &A) { return Varies(A) && !A.isLike(*First); }))
    return std::nullopt;
  Affine Chosen = *First;
  Chosen.Source = chosenSource(I, Ways);
  return Choices[&I] = Chosen;
}

std::optional<Affine> BitsAnalysis::visit(Value *V, unsigned Depth) {
  if (isa<Constant>(V))
    return Affine();
  Value *Source;
  if (match(V, m_BitCast(m_Value(Source))) && Source->getType() == Float)
    return Affine{Source, 1, 0, false, false};
  if (isa<FPToSIInst, FPToUIInst>(V) && cast<CastInst>(V)->getSrcTy() == Float)
    return Affine{cast<CastInst>(V)->getOperand(0), 1, 0, true, true};
  if (Depth == MaxDepth)
    return std::nullopt;
  if (auto *Binary = dyn_cast<BinaryOperator>(V))
    return visitBinary(*Binary, Depth + 1);
  if (isChoice(*V))
    return choice(cast<Instruction>(*V), Depth + 1);
  if (isa<ZExtInst, SExtInst>(V))
    return visit(cast<CastInst>(V)->getOperand(0), Depth + 1);
  auto *Trunc = dyn_cast<TruncInst>(V);
  std::optional<Affine> A = Trunc ? visit(Trunc->getOperand(0), Depth + 1) : std::nullopt;
  if (!A || A->Slope == 0)
    return A;
  unsigned Width = V->getType()->getScalarSizeInBits();
  // All that there is of the float, or the end of its mantissa.
  if (A->Shift + Width >= Float->getScalarSizeInBits())
    return A;
  return masked(
      *A, APInt::getLowBitsSet(Trunc->getOperand(0)->getType()->getScalarSizeInBits(), Width));
}

/// 2^(e(y) - e(x)), with the sign of y times that of x. \p XBits null: x is 2^52.
static Value *emitScale(IRBuilder<> &B, Value *XBits, Value *YBits, Type *Float) {
  Type *T = YBits->getType();
  unsigned Width = T->getScalarSizeInBits(), Mantissa = Width == 64 ? 52 : 23;
  APInt Sign = APInt::getSignMask(Width), Least = APInt::getOneBitSet(Width, Mantissa);
  Constant *Exponents = ConstantInt::get(T, ~Sign & -Least);
  Constant *One = ConstantInt::get(T, Least * (Width == 64 ? 1023 : 127));
  auto exponent = [&](Value *Bits) { // That of the least ones is that of zero.
    return B.CreateBinaryIntrinsic(Intrinsic::umax, B.CreateAnd(Bits, Exponents),
                                   ConstantInt::get(T, Least));
  };
  Value *Scale, *Signs = YBits;
  if (XBits) {
    Scale = B.CreateAdd(B.CreateSub(exponent(YBits), exponent(XBits)), One);
    Signs = B.CreateXor(XBits, YBits);
  } else {
    Scale = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, exponent(YBits),
                                    ConstantInt::get(T, Least * Mantissa));
  }
  Scale = B.CreateOr(Scale, B.CreateAnd(Signs, ConstantInt::get(T, Sign)));
  return B.CreateBitCast(Scale, Float);
}

/// 2^(52 - e(x)), with the sign of x.
static Value *emitBitsPerUnit(IRBuilder<> &B, Value *X) {
  Type *Float = X->getType(), *T = Float->getWithNewType(B.getIntNTy(Float->getScalarSizeInBits()));
  unsigned Width = T->getScalarSizeInBits(), Mantissa = Width == 64 ? 52 : 23;
  uint64_t Bias = Width == 64 ? 1023 : 127;
  Value *Bits = B.CreateBitCast(X, T);
  Value *Exponent = B.CreateLShr(B.CreateShl(Bits, 1), Mantissa + 1);
  Exponent = B.CreateSub(ConstantInt::get(T, 2 * Bias + Mantissa), Exponent);
  Exponent = B.CreateBinaryIntrinsic(Intrinsic::umin, Exponent, ConstantInt::get(T, 2 * Bias));
  Value *Sign = B.CreateAnd(Bits, ConstantInt::get(T, APInt::getSignMask(Width)));
  return B.CreateBitCast(B.CreateOr(B.CreateShl(Exponent, Mantissa), Sign), Float);
}

/// How fast what \p Cast makes of bits grows with A.Source.
static Value *emitSlope(IRBuilder<> &B, CastInst &Cast, const Affine &A) {
  Type *Float = A.Source->getType();
  if (!isa<BitCastInst>(Cast))
    return B.CreateFMul(emitBitsPerUnit(B, A.Source), ConstantFP::get(Float, A.Slope));
  Value *XBits = nullptr;
  if (!A.Converted)
    XBits = B.CreateBitCast(A.Source, Cast.getOperand(0)->getType());
  Value *Scale = emitScale(B, XBits, Cast.getOperand(0), Float);
  return B.CreateFMul(Scale, ConstantFP::get(Float, A.Slope));
}

static void standIn(CastInst &Cast, const Affine &A) {
  Type *Float = A.Source->getType();
  IRBuilder<> B(Cast.getNextNode());
  B.SetCurrentDebugLocation(Cast.getDebugLoc());
  Module &M = *Cast.getModule();
  Value *Zero = Constant::getNullValue(Float), *Derivative = Zero;
  if (A.Slope != 0) {
    Value *Slope = B.CreateCall(standInFunction(M, Float), {Zero, emitSlope(B, Cast, A)});
    Derivative = B.CreateFMul(A.Source, Slope);
  }
  Derivative = B.CreateFPCast(Derivative, Cast.getType());
  CallInst *New = B.CreateCall(standInFunction(M, Cast.getType()), {Derivative, &Cast});
  New->takeName(&Cast);
  Cast.replaceUsesWithIf(New, [&](Use &U) { return U.getUser() != New; });
}

/// Is \p V more than the bits of a float as they are?
static bool isComputed(const Value *V) {
  return isa<BinaryOperator, CastInst>(V) && !isa<BitCastInst>(V);
}

/// Numbers that are made of the bits of a float as they grow with it.
static void rewriteNumbersOfBits(Function &F) {
  SmallVector<CastInst *> Numbers;
  for (Instruction &I : instructions(F))
    if (isa<SIToFPInst, UIToFPInst>(I) && !isa<Constant>(I.getOperand(0)))
      Numbers.push_back(cast<CastInst>(&I));
  LLVMContext &C = F.getContext();
  for (CastInst *Cast : Numbers)
    for (Type *Float : {Type::getDoubleTy(C), Type::getFloatTy(C)}) {
      BitsAnalysis Bits(Cast->getType()->getWithNewType(Float));
      std::optional<Affine> A = Bits.of(Cast->getOperand(0), F.getDataLayout());
      auto *Sum = A ? dyn_cast_or_null<Instruction>(A->Source) : nullptr;
      bool Rounded = Sum && isSumThatRounds(*Sum);
      bool Grows = A && A->Source && A->Slope != 0 && !A->Converted && !Rounded;
      if (Grows)
        standIn(*Cast, *A);
      Bits.eraseUnused();
      if (Grows)
        break;
    }
}

void rewriteFloatBits(Function &F) {
  SmallVector<BitCastInst *> Casts;
  for (Instruction &I : instructions(F))
    if (auto *Cast = dyn_cast<BitCastInst>(&I)) {
      Type *To = Cast->getType(), *From = Cast->getOperand(0)->getType();
      bool OnBits = From->isIntOrIntVectorTy() && mayBeCopyOf(Cast->getOperand(0), isComputed);
      if (OnBits && (To->getScalarType()->isDoubleTy() || To->getScalarType()->isFloatTy()) &&
          To->getScalarSizeInBits() == From->getScalarSizeInBits())
        Casts.push_back(Cast);
    }
  for (BitCastInst *Cast : Casts) {
    BitsAnalysis Bits(Cast->getType());
    std::optional<Affine> A = Bits.of(Cast->getOperand(0), F.getDataLayout());
    // A whole number that is only an exponent is constant as it stands.
    bool Exponent = A && A->Converted &&
                    std::abs(A->Slope) >=
                        std::ldexp(1, Cast->getType()->getScalarType()->isDoubleTy() ? 52 : 23);
    if (A && A->Source && !Exponent)
      standIn(*Cast, *A);
    Bits.eraseUnused();
  }
  rewriteNumbersOfBits(F);
}

} // namespace isozyme
