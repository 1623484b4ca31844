//===- NameExchanges.cpp - Floats that threads hand to each other ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a warp hand words to each other. Where the word is a float, or two are the halves of
// one, the float is handed on:
//
//   %bits = bitcast float %v to i32
//   %got = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %bits, i32 1, i32 31)
//   %r = bitcast i32 %got to float
//
//   -> %r = call float @isozyme.exchange.nvvm.shfl.sync.bfly.i32.float(float %v, i32 -1, i32 1, i32
//   31)
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

namespace {

class ExchangeNames {
public:
  ExchangeNames(Function &F, const Accelerator &Machine) : F(F), Machine(Machine) {}
  void run();

private:
  std::optional<WarpExchange> exchangeOf(Value *V) const;
  Value *wordOf(const IntrinsicInst &Call) const {
    return Call.getArgOperand(Machine.exchangeOf(Call.getIntrinsicID())->Word);
  }
  bool areHalvesOfOne(IntrinsicInst &Low, IntrinsicInst &High) const;
  Value *insertCall(IntrinsicInst &Call, Value *Float, Instruction &At) const;
  void nameHalves(BitCastInst &Joined);
  void nameWord(IntrinsicInst &Call);
  void nameHalfWord(IntrinsicInst &Call);

  Function &F;
  const Accelerator &Machine;
};

} // namespace

std::optional<WarpExchange> ExchangeNames::exchangeOf(Value *V) const {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call ? Machine.exchangeOf(Call->getIntrinsicID()) : std::nullopt;
}

/// Of what is \p V the half \p Number? Null if of nothing.
static Value *wholeOf(Value *V, unsigned Number) {
  Value *Whole = nullptr;
  const uint64_t At = Number;
  if (match(V, m_ExtractElt(m_BitCast(m_Value(Whole)), m_SpecificInt(At))))
    return Whole;
  if (Number == 0 ? match(V, m_Trunc(m_Value(Whole)))
                  : match(V, m_Trunc(m_Shr(m_Value(Whole), m_SpecificInt(32)))))
    return Whole->getType()->isIntegerTy(64) ? Whole : nullptr;
  return nullptr;
}

/// What \p V is before its bits are moved as an integer.
static Value *asFloat(Value *V, Type *Float, Instruction &At) {
  Value *Source = V;
  if (match(V, m_BitCast(m_Value(Source))) && Source->getType() == Float)
    return Source;
  return V->getType() == Float ? V : new BitCastInst(V, Float, "", At.getIterator());
}

bool ExchangeNames::areHalvesOfOne(IntrinsicInst &Low, IntrinsicInst &High) const {
  Value *Whole = wholeOf(wordOf(Low), 0);
  if (!Whole || wholeOf(wordOf(High), 1) != Whole || Low.getIntrinsicID() != High.getIntrinsicID())
    return false;
  const unsigned Word = exchangeOf(&Low)->Word;
  for (unsigned I = 0; I < Low.arg_size(); ++I)
    if (I != Word && Low.getArgOperand(I) != High.getArgOperand(I))
      return false;
  return Low.getParent() == High.getParent();
}

Value *ExchangeNames::insertCall(IntrinsicInst &Call, Value *Float, Instruction &At) const {
  SmallVector<Value *, 4> Args = {Float};
  for (auto [Number, Arg] : enumerate(Call.args()))
    if (Number != exchangeOf(&Call)->Word)
      Args.push_back(Arg);
  Function *Callee = exchangeFunction(*F.getParent(), Call.getIntrinsicID(), Float->getType());
  auto *New = CallInst::Create(Callee, Args, "", At.getIterator());
  New->setDebugLoc(Call.getDebugLoc());
  return New;
}

/// A float that is made of two words, each from the same thread.
void ExchangeNames::nameHalves(BitCastInst &Joined) {
  Value *Low = nullptr, *High = nullptr;
  Value *Bits = Joined.getOperand(0);
  if (!match(Bits,
             m_c_Or(m_Shl(m_ZExtOrSExt(m_Value(High)), m_SpecificInt(32)), m_ZExt(m_Value(Low)))) &&
      !match(Bits, m_InsertElt(m_InsertElt(m_Undef(), m_Value(Low), m_ZeroInt()), m_Value(High),
                               m_One())))
    return;
  if (!exchangeOf(Low) || !exchangeOf(High))
    return;
  auto &First = *cast<IntrinsicInst>(Low), &Second = *cast<IntrinsicInst>(High);
  if (!areHalvesOfOne(First, Second))
    return;
  Instruction &At = First.comesBefore(&Second) ? Second : First;
  Value *V = asFloat(wholeOf(wordOf(First), 0), Joined.getType(), At);
  Value *New = insertCall(First, V, At);
  New->takeName(&Joined);
  Joined.replaceAllUsesWith(New);
  Joined.eraseFromParent();
  WeakTrackingVH Halves[] = {Low, High}; // Some machines' are gone with the bits.
  RecursivelyDeleteTriviallyDeadInstructions(Bits);
  for (WeakTrackingVH &Half : Halves)
    if (Half && Half->use_empty())
      cast<Instruction>(Half)->eraseFromParent();
}

/// Replaces uses of \p V that take it as a \p T by \p New.
static void replaceCasts(Value &V, Value &New) {
  for (User *U : make_early_inc_range(V.users()))
    if (isa<BitCastInst>(U) && U->getType() == New.getType()) {
      U->replaceAllUsesWith(&New);
      cast<Instruction>(U)->eraseFromParent();
    }
}

/// One float fills a word, or two shorter ones do.
static bool fillsWord(const Type *T) {
  return T->isFloatTy() ||
         (T->isVectorTy() && T->isFPOrFPVectorTy() && T->getPrimitiveSizeInBits() == 32);
}

void ExchangeNames::nameWord(IntrinsicInst &Call) {
  Type *Float = nullptr;
  auto see = [&](Type *T) {
    if (fillsWord(T))
      Float = T;
  };
  see(Call.getType());
  Value *Source = nullptr;
  if (match(wordOf(Call), m_BitCast(m_Value(Source))))
    see(Source->getType());
  for (User *U : Call.users())
    if (isa<BitCastInst>(U))
      see(U->getType());
  if (!Float)
    return nameHalfWord(Call);
  Value *New = insertCall(Call, asFloat(wordOf(Call), Float, Call), Call);
  replaceCasts(Call, *New);
  if (!Call.use_empty())
    Call.replaceAllUsesWith(Call.getType() == Float
                                ? New
                                : new BitCastInst(New, Call.getType(), "", Call.getIterator()));
  Call.eraseFromParent();
}

/// A half in the lower part of a word, where only that part is used.
void ExchangeNames::nameHalfWord(IntrinsicInst &Call) {
  Value *Half = nullptr;
  if (!match(wordOf(Call), m_ZExtOrSExt(m_BitCast(m_Value(Half)))) ||
      Half->getType()->getPrimitiveSizeInBits() != 16 || !Half->getType()->isFloatingPointTy())
    return;
  if (!all_of(Call.users(),
              [](User *U) { return isa<TruncInst>(U) && U->getType()->isIntegerTy(16); }))
    return;
  Value *New = insertCall(Call, Half, Call);
  for (User *U : make_early_inc_range(Call.users())) {
    auto *Part = cast<Instruction>(U);
    replaceCasts(*Part, *New);
    if (!Part->use_empty())
      Part->replaceAllUsesWith(new BitCastInst(New, Part->getType(), "", Part->getIterator()));
    Part->eraseFromParent();
  }
  Call.eraseFromParent();
}

void ExchangeNames::run() {
  SmallVector<WeakTrackingVH, 8> Joined, Words;
  for (Instruction &I : instructions(F)) {
    if (isa<BitCastInst>(I) && I.getType()->isDoubleTy())
      Joined.push_back(&I);
    if (exchangeOf(&I))
      Words.push_back(&I);
  }
  if (Words.empty())
    return;
  for (WeakTrackingVH &V : Joined)
    nameHalves(*cast<BitCastInst>(V));
  for (WeakTrackingVH &V : Words)
    if (V)
      nameWord(*cast<IntrinsicInst>(V));
}

void nameExchanges(Function &F) {
  if (const Accelerator *Machine = acceleratorOf(*F.getParent()))
    ExchangeNames(F, *Machine).run();
}

} // namespace isozyme
