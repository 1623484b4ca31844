//===- TapeCounts.cpp - What a launch on a GPU takes of the memory for tapes ===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every derivative that takes some has a function beside it that adds up how much.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Target/DeviceTape.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// Null where the program has set no memory aside.
Function *Derivatives::declareCounter(Function &Primal) {
  if (!deviceTape(M))
    return nullptr;
  return create(Primal, Primal.getFunctionType(), "tape.bytes." + Primal.getName());
}

/// Fills what counts for \p Plan; null where nothing is taken. \p Declared: null, or by which
/// others call it already. \p Self: the halves, of a pair.
Expected<Function *> Derivatives::counterFor(const DerivativePlan &Plan, Function *Declared,
                                             const SplitPair &Self) {
  Function *Counter = Declared ? Declared : declareCounter(*Plan.Request.Fn);
  if (!Counter)
    return nullptr;
  auto Lookup = [&](const DiffRequest &Callee) { return findPair(Callee)->Functions; };
  bool TakesAny = emitTapeCount(*Counter, Plan, Self, Lookup);
  if (!TakesAny && !Declared) {
    eraseCopy(*Counter);
    return nullptr;
  }
  if (Error E = finish(*Counter, *Plan.Request.Fn))
    return std::move(E);
  return Counter;
}

Error Derivatives::emitCounted(Function &Shell, const DerivativePlan &Plan) {
  Expected<Function *> Counter = counterFor(Plan);
  if (!Counter)
    return Counter.takeError();
  auto Lookup = [&](const DiffRequest &Callee) { return findPair(Callee)->Functions; };
  return emitReverse(Shell, Plan, Lookup, *Counter);
}

/// Has the first half that users call count what it takes, with the box in which it hands its
/// tape to them.
Error Derivatives::countInEntry(Function &Entry, const Pair &Self, TapeForm Form) {
  if (!Self.Plan)
    return Error::success(); // By functions of the user.
  SplitPair Halves = Self.Functions;
  Function *Counter = Halves.Count;
  if (Form == TapeForm::Pointer && Halves.Tape && !Halves.Boxed) {
    Halves.Boxed = true;
    Expected<Function *> WithBox = counterFor(*Self.Plan, nullptr, Halves);
    if (!WithBox)
      return WithBox.takeError();
    Counter = *WithBox;
  }
  if (!Counter)
    return Error::success();
  const DiffRequest &R = Self.Request;
  SmallVector<Value *, 8> Args;
  auto *Next = Entry.arg_begin();
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Args.push_back(Next);
    Next += R.hasShadow(I) ? 1 + R.Width : 1;
  }
  countFirst(Entry, *Counter, Args, !R.Fn->getReturnType()->isVoidTy());
  return Error::success();
}

} // namespace isozyme
