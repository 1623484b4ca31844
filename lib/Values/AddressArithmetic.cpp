//===- AddressArithmetic.cpp - Integers that are addresses ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/AddressArithmetic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

bool isAddressArithmetic(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Freeze:
  case Instruction::Sub:
  case Instruction::Add:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return true;
  default:
    return false;
  }
}

bool isHashProduct(const Instruction &I) {
  constexpr uint64_t LargeFactor = uint64_t(1) << 16;
  auto *Factor =
      I.getOpcode() == Instruction::Mul ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
  return Factor && Factor->getValue()[0] && Factor->getValue().ugt(LargeFactor);
}

bool becomesPointer(const Value &V) {
  SmallVector<const Value *, 8> Work = {&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (isa_and_nonnull<IntToPtrInst>(I))
        return true;
      if (I && (isAddressArithmetic(*I) || isa<PHINode, SelectInst>(I)) && Seen.insert(I).second)
        Work.push_back(I);
    }
  return false;
}

namespace {

/// The number of addresses that an integer is the sum of. Those that are subtracted count as -1.
/// None: the value is being looked at.
struct AddressCount {
  enum State { None, Known, Unknown } S = None;
  int Addresses = 0;

  static AddressCount of(int Addresses) { return {Known, Addresses}; }
  static AddressCount unknown() { return {Unknown, 0}; }
  /// Of a value that is one of the two.
  AddressCount join(AddressCount Other) const {
    if (S == None || Other.S == None)
      return S == None ? Other : *this;
    return S == Known && Other.S == Known && Addresses == Other.Addresses ? *this : unknown();
  }
  /// Of the sum of the two, \p Sign times the other. A counter of a loop keeps its count.
  AddressCount plus(AddressCount Other, int Sign) const {
    if (S == None || Other.S == None) {
      AddressCount Rest = S == None ? Other : *this;
      return Rest.S == None || (Rest.S == Known && !Rest.Addresses) ? AddressCount() : unknown();
    }
    if (S == Unknown || Other.S == Unknown)
      return unknown();
    return of(Addresses + Sign * Other.Addresses);
  }
  bool isNumber() const { return S != Unknown && !Addresses; }
};

/// Counts the addresses in a value by its operands.
class AddressCounter {
public:
  AddressCounter(function_ref<bool(const Value &)> IsNumber,
                 function_ref<bool(const Value &)> IsAddress)
      : IsNumber(IsNumber), IsAddress(IsAddress) {}

  AddressCount count(const Value &V) {
    constexpr unsigned MaxSteps = 256;
    if (isa<ConstantInt>(V))
      return AddressCount::of(0);
    if (isa<PtrToIntOperator>(V))
      return AddressCount::of(1);
    if (IsNumber && IsNumber(V))
      return AddressCount::of(0);
    if (IsAddress && IsAddress(V))
      return AddressCount::of(1);
    auto *I = dyn_cast<Instruction>(&V);
    if (!I || !I->getType()->isIntegerTy())
      return AddressCount::unknown();
    auto [It, New] = Seen.try_emplace(I);
    if (!New)
      return It->second;
    AddressCount Result = ++Steps > MaxSteps ? AddressCount::unknown() : countNew(*I);
    if (Result.S == AddressCount::None)
      Seen.erase(I); // Asked for from elsewhere, it may be known.
    else
      Seen[I] = Result;
    return Result;
  }

private:
  AddressCount countNew(const Instruction &I) {
    switch (I.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
      return count(*I.getOperand(0))
          .plus(count(*I.getOperand(1)), I.getOpcode() == Instruction::Add ? 1 : -1);
    case Instruction::PHI:
    case Instruction::Select:
      return anyOf(drop_begin(I.operands(), isa<SelectInst>(I)));
    case Instruction::Freeze:
      return count(*I.getOperand(0));
    case Instruction::And: // Low bits of an address say how it is aligned.
      return isLowBits(I.getOperand(0)) || isLowBits(I.getOperand(1)) ? AddressCount::of(0)
                                                                      : ofNumbers(I);
    case Instruction::Mul:
      return isHashProduct(I) ? AddressCount::of(0) : ofNumbers(I);
    case Instruction::SExt:
    case Instruction::ZExt: // Whatever is so short is no address.
      return I.getOperand(0)->getType()->getScalarSizeInBits() < AddressBits ? AddressCount::of(0)
                                                                             : ofNumbers(I);
    case Instruction::ICmp:
    case Instruction::FCmp:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return AddressCount::of(0);
    case Instruction::Call: {
      auto *Intrinsic = dyn_cast<MinMaxIntrinsic>(&I);
      return Intrinsic ? anyOf(Intrinsic->args()) : AddressCount::unknown();
    }
    default:
      return I.isBinaryOp() || I.isCast() ? ofNumbers(I) : AddressCount::unknown();
    }
  }

  static constexpr unsigned AddressBits = 64;

  static bool isLowBits(const Value *Mask) {
    constexpr uint64_t FirstPage = 4096; // Nothing is at addresses below.
    auto *C = dyn_cast<ConstantInt>(Mask);
    return C && C->getValue().ult(FirstPage);
  }

  /// Of a value that is one of \p Operands. A constant may stand for an address, and is left out.
  template <typename Range> AddressCount anyOf(Range &&Operands) {
    AddressCount Result;
    for (const Use &U : Operands)
      if (!isa<ConstantInt>(U.get()))
        Result = Result.join(count(*U.get()));
    return Result;
  }

  /// What is computed of numbers alone is a number; what is made of addresses is anything.
  AddressCount ofNumbers(const Instruction &I) {
    AddressCount Result = AddressCount::of(0);
    for (const Use &U : I.operands()) {
      AddressCount Operand = count(*U.get());
      if (!Operand.isNumber())
        return AddressCount::unknown();
      Result = Operand.S == AddressCount::None ? Operand : Result;
    }
    return Result;
  }

  function_ref<bool(const Value &)> IsNumber, IsAddress;
  SmallDenseMap<const Instruction *, AddressCount> Seen;
  unsigned Steps = 0;
};

} // namespace

bool isDistance(const Value &V, function_ref<bool(const Value &)> IsNumber,
                function_ref<bool(const Value &)> IsAddress) {
  return AddressCounter(IsNumber, IsAddress).count(V).isNumber();
}

} // namespace isozyme
