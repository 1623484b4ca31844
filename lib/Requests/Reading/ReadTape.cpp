//===- ReadTape.cpp - What split derivatives are told and given -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CallReader that is about the two halves of a reverse derivative:
//
//   tape = __enzyme_augmentfwd(f, ..., x)          the seed and the tape come
//   __enzyme_reverse(f, ..., x, seed, tape)        after all parameters
//   size = __enzyme_augmentsize(f, enzyme_dup, enzyme_const)     markers only
//
//===----------------------------------------------------------------------===//
#include "ArgumentTypes.h"
#include "CallReader.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Requests/ResultLayout.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Error CallReader::readTapeFlag(const Operand &Flag, unsigned &I, ArrayRef<Operand> All) {
  if (!R.isSplit() && !Result.FromRecord && !Result.Records)
    return fail(DiagId::BadActivity,
                "'" + Flag.Text + "' is about a tape, and this call leaves none",
                "leave it out, or use '__enzyme_augmentfwd' and '__enzyme_reverse'");
  if (*Flag.Kind == Marker::NoFree) {
    R.KeepTape = R.Mode == DiffMode::FromTape;
    Result.KeepRecord = Result.FromRecord;
    return Error::success();
  }
  bool IsTape = *Flag.Kind == Marker::Tape;
  if (IsTape ? Result.TapeAddress != nullptr : Result.Allocated.has_value())
    return fail(DiagId::BadTape, "'" + Flag.Text + "' is given twice", "keep one of them");
  bool HasValue = I + 1 < All.size() && !All[I + 1].Kind;
  if (IsTape) {
    if (!HasValue || !All[I + 1].V->getType()->isPointerTy())
      return fail(DiagId::BadTape, "no address follows 'enzyme_tape'",
                  "pass a pointer to the memory that holds the tape");
    Result.TapeAddress = All[++I].V;
    return Error::success();
  }
  const ConstantInt *Bytes = HasValue ? tracedInteger(All[I + 1].V) : nullptr;
  if (!Bytes || Bytes->isNegative())
    return fail(DiagId::BadTape, "no constant number of bytes follows 'enzyme_allocated'",
                "pass a literal, or what '__enzyme_augmentsize' returns");
  Result.Allocated = Bytes->getZExtValue();
  ++I;
  return Error::success();
}

/// A question for the size of the tape: an activity for each parameter, no values.
Error CallReader::readActivities() {
  std::optional<unsigned> StructReturn = structReturnParameter(*R.Fn);
  for (unsigned Param = 0; Param < R.Args.size(); ++Param) {
    if (StructReturn == Param) {
      R.Args[Param] = structReturnActivity(Param);
      continue;
    }
    Modifiers M;
    while (const Operand *O = peek()) {
      if (!O->Kind)
        return fail(DiagId::BadArgumentType,
                    "argument " + Twine(O->Number) + " of the call is a value",
                    "pass markers only: '__enzyme_augmentsize' runs nothing");
      ++Next;
      if (*O->Kind == Marker::NotOverwritten) {
        M.NotOverwritten = true;
        continue;
      }
      M.Activity = activityOf(*O->Kind);
      M.Last = O->Text;
      if (!M.Activity)
        return fail(DiagId::BadActivity, "'" + O->Text + "' says nothing of the tape's size",
                    "leave it out");
      break;
    }
    if (R.isSplit())
      R.MayOverwrite[Param] = !M.NotOverwritten;
    if (Error E = chooseActivity(Param, M))
      return E;
  }
  return Error::success();
}

/// Are \p Given, in this order, the scalars of \p Wanted, as C passes them?
static bool isMadeOf(ArrayRef<Type *> Given, Type *Wanted, const DataLayout &DL) {
  SmallVector<Type *, 8> Scalars;
  for (Type *T : Given)
    for (const Leaf &L : leavesOf(T, DL))
      Scalars.push_back(L.Ty);
  SmallVector<Leaf, 8> Leaves = leavesOf(Wanted, DL);
  return Scalars.size() == Leaves.size() && all_of(zip_equal(Scalars, Leaves), [](auto Pair) {
           auto [Scalar, L] = Pair;
           return Scalar == L.Ty || (Scalar->isDoubleTy() && L.Ty->isFloatingPointTy());
         });
}

/// Takes the operands that are a seed, if the next ones are.
bool CallReader::takeSeed() {
  const DataLayout &DL = Call.getModule()->getDataLayout();
  Type *Seed = laneType(R.Fn->getReturnType(), R.Width);
  const Operand *O = peek();
  if (!O || O->Kind)
    return false;
  unsigned Number = O->Number - 1 + functionOperandNumber(Call);
  if (Call.isByValArgument(Number) &&
      DL.getTypeAllocSize(Call.getParamByValType(Number)) == DL.getTypeAllocSize(Seed)) {
    Result.Seed.Values.push_back(takeValue()->V);
    Result.Seed.InMemory = true;
    return true;
  }
  SmallVector<Type *, 8> Types;
  for (unsigned Last = Next; Last < Items.size() && !Items[Last].Kind; ++Last) {
    Types.push_back(Items[Last].V->getType());
    if (!isMadeOf(Types, Seed, DL))
      continue;
    while (Next <= Last)
      Result.Seed.Values.push_back(takeValue()->V);
    return true;
  }
  return false;
}

Error CallReader::readSeed(unsigned TapeOperands) {
  Type *Seed = laneType(R.Fn->getReturnType(), R.Width);
  const Operand *First = peek();
  if (First && First->Kind == Marker::ByRef) {
    ++Next;
    const Operand *Size = takeValue();
    const ConstantInt *Bytes = Size ? tracedInteger(Size->V) : nullptr;
    const Operand *Address = takeValue();
    uint64_t Wanted = Call.getModule()->getDataLayout().getTypeAllocSize(Seed);
    if (!Bytes || !Address || !Address->V->getType()->isPointerTy() || Bytes->getValue() != Wanted)
      return fail(DiagId::BadSeed,
                  "the seed, passed by 'enzyme_byref', is not " + Twine(Wanted) +
                      " bytes of memory",
                  "pass its size and its address");
    Result.Seed.Values.push_back(Address->V);
    Result.Seed.InMemory = true;
    return Error::success();
  }
  // Left out, it is 1 in every lane.
  if (valuesLeft() <= TapeOperands || takeSeed())
    return Error::success();
  const DataLayout &DL = Call.getModule()->getDataLayout();
  auto *Literal = dyn_cast<ConstantInt>(First->V);
  bool IsFloat = Seed->isFloatingPointTy() && First->V->getType()->isIntegerTy();
  std::string Number = Literal ? std::to_string(Literal->getSExtValue()) : "";
  return fail(DiagId::BadSeed,
              "argument " + Twine(First->Number) + " of the call is " +
                  describeType(First->V->getType()) + ", but the derivative of the result of " +
                  describeFunction(*R.Fn) + " is " + describeLeaves(Seed, DL),
              IsFloat && Literal ? "pass " + Number + ".0 instead of " + Number
              : IsFloat          ? std::string("convert it in the call")
                                 : "pass the seed after the arguments, then the tape");
}

Error CallReader::readTape() {
  if (Result.TapeAddress)
    return Error::success();
  const Operand *First = peek();
  if (Result.Allocated) {
    // A value of whatever type; the ABI may have taken it apart.
    if (First && !First->Kind)
      Result.Tape.InMemory = Call.isByValArgument(First->Number - 1 + functionOperandNumber(Call));
    while (const Operand *O = takeValue())
      Result.Tape.Values.push_back(O->V);
    return Error::success();
  }
  if (!First || First->Kind)
    return fail(DiagId::TooFewArguments, "the call lacks the tape",
                "pass what '__enzyme_augmentfwd' returned as the last argument");
  if (!First->V->getType()->isPointerTy())
    return fail(DiagId::BadTape,
                "argument " + Twine(First->Number) + " of the call is " +
                    describeType(First->V->getType()) + ", not the tape",
                "pass the pointer that '__enzyme_augmentfwd' returned as the last argument");
  if (isa<AllocaInst, GlobalVariable>(First->V->stripPointerCasts()))
    return fail(DiagId::BadTape,
                "argument " + Twine(First->Number) +
                    " of the call is the address of a variable, not the tape",
                "pass the variable that holds what '__enzyme_augmentfwd' returned; behind "
                "'enzyme_tape' comes an address");
  Result.Tape.Values.push_back(takeValue()->V);
  return Error::success();
}

Error CallReader::readSeedAndTape() {
  if (Result.FromRecord)
    return readTape();
  if (R.Mode != DiffMode::FromTape)
    return Error::success();
  unsigned TapeOperands = Result.TapeAddress || Result.Allocated ? 0 : 1;
  if (R.Return == ReturnActivity::Active)
    if (Error E = readSeed(TapeOperands))
      return E;
  return readTape();
}

} // namespace isozyme
