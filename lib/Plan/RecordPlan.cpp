//===- RecordPlan.cpp - What a recording writes down ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a prepared function and its types. Out: a step per instruction.
// Never: looks at activity, for the recording does not know what it is read for.
//
// A local is memory of one run. Its address in the replay is another one than in the
// recording, which shows where the program finds it in memory again, compares it or
// computes a number of it. Such an address is written down. The memory moves to the heap
// then: what the replay puts on the stack must not get an address that is in the record,
// for memory without a shadow is known by its address.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/RecordPlan.h"
#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

bool isRecordedInside(const PreparedFunction &P, const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isVarArg() || Call.getFunctionType() != Callee->getFunctionType())
    return false;
  CustomRules Rules = customRules(*Callee);
  if (Rules.hasSplitForward())
    return true;
  // A derivative for reverse mode alone says nothing here.
  bool IsMarked = hasMarkedMeaning(*Callee) && !isOnlyForReverse(*Callee);
  return !Callee->isDeclaration() && !IsMarked &&
         viewOf(Call, P.libraryInfo()).Class == OpClass::Call;
}

/// Has \p I no effect but on errno? A function such as modf writes through an argument, and
/// has one.
static bool onlyComputes(const Instruction &I, OpClass Class) {
  if (Class != OpClass::Elementwise && Class != OpClass::Zero)
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  return !Call || none_of(Call->args(), [](const Use &U) { return U->getType()->isPointerTy(); });
}

/// Does \p I do more than compute with its operands?
static bool isEffect(const PreparedFunction &P, const Instruction &I) {
  return I.mayReadOrWriteMemory() && !I.isTerminator() &&
         !onlyComputes(I, viewOf(I, P.libraryInfo()).Class);
}

/// A release that can be called again later, with its operands in words.
static bool canPutOff(const PreparedFunction &P, const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call || viewOf(I, P.libraryInfo()).Class != OpClass::Free || !I.getType()->isVoidTy() ||
      Call->arg_size() > 3 || !freedPointer(*Call, P.libraryInfo()))
    return false;
  const Function *Callee = Call->getCalledFunction();
  return Callee && !Callee->hasFnAttribute(marking::ReleasesLater);
}

/// Can the address of \p Local be found elsewhere, compared, or seen as a number?
static bool isSeenByAddress(const AllocaInst &Local) {
  return Local.getAddressSpace() == 0 && !Local.getAllocatedType()->isScalableTy() &&
         PointerMayBeCaptured(&Local, /*ReturnCaptures=*/true);
}

/// Are there surely no addresses in what \p Copy moves?
static bool copiesNumbersOnly(const AnyMemTransferInst &Copy, const TypeResult &Types) {
  auto *Known = dyn_cast<ConstantInt>(Copy.getLength());
  uint64_t Size = Known ? Known->getZExtValue() : 0;
  std::optional<MemoryLayout> Own = Types.elementsOf(Copy);
  MemoryLayout L = Own ? *Own : Types.layoutOf(Copy.getRawDest(), Size);
  if (!Own && !L.isComplete())
    L = Types.layoutOf(Copy.getRawSource(), Size);
  return L.isComplete() && none_of(L.Runs, [](const TypedRun &Run) {
           return Run.Type.kind() == ConcreteType::Pointer;
         });
}

RecordStep RecordPlan::stepFor(const Instruction &I, const TypeResult &Types,
                               function_ref<bool(Function &)> KeepsNothing) const {
  if (auto *Local = dyn_cast<AllocaInst>(&I))
    return isSeenByAddress(*Local) ? RecordStep::Local : RecordStep::None;
  if (auto *Call = dyn_cast<CallInst>(&I); Call && isRecordedInside(P, *Call))
    return KeepsNothing(*Call->getCalledFunction()) ? RecordStep::None : RecordStep::Call;
  if (!isEffect(P, I))
    return RecordStep::None;
  if (canPutOff(P, I))
    return RecordStep::Release;
  auto *Copy = dyn_cast<AnyMemTransferInst>(&I);
  return Copy && !copiesNumbersOnly(*Copy, Types) ? RecordStep::Copy : RecordStep::Effect;
}

RecordPlan::RecordPlan(const PreparedFunction &P, const TypeResult &Types,
                       function_ref<bool(Function &)> KeepsNothing)
    : P(P) {
  for (const Instruction &I : instructions(P.function()))
    if (RecordStep Step = stepFor(I, Types, KeepsNothing); Step != RecordStep::None)
      Steps[&I] = Step;
}

bool RecordPlan::isRead() const {
  return any_of(Steps, [](const auto &Entry) {
    auto [I, Step] = Entry;
    return Step != RecordStep::Release && (Step != RecordStep::Effect || !I->getType()->isVoidTy());
  });
}

/// `%v`, `store`, `call @free`
static void printName(const Instruction &I, raw_ostream &OS) {
  if (!I.getType()->isVoidTy())
    OS << operandName(&I);
  else if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction())
    OS << "call @" << Call->getCalledFunction()->getName();
  else
    OS << I.getOpcodeName();
}

static StringRef wordsFor(RecordStep Step, const Instruction &I) {
  switch (Step) {
  case RecordStep::Effect:
    return I.getType()->isVoidTy() ? "not repeated" : "written down";
  case RecordStep::Call:
    return "a record of its own";
  case RecordStep::Copy:
    return "written down  (what is copied may hold addresses)";
  case RecordStep::Release:
    return "put off until the record is released";
  case RecordStep::Local:
    return "on the heap, address written down  (the address can be found in memory or compared)";
  case RecordStep::None:
    break;
  }
  llvm_unreachable("has no step");
}

void RecordPlan::print(raw_ostream &OS) const {
  OS << "record of @" << P.original().getName() << '\n';
  for (auto &[I, Step] : Steps) {
    OS << "  ";
    printName(*I, OS);
    OS << "  " << wordsFor(Step, *I) << '\n';
  }
}

} // namespace isozyme
