//===- ActivityPrinter.cpp - Activity as text, and its verifier -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Requests/DiffRequest.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace isozyme;

/// How a value is called in a sentence.
static std::string reference(const Value *V, ModuleSlotTracker *Slots) {
  if (isa<ReturnInst>(V))
    return "the result";
  std::string Text;
  raw_string_ostream OS(Text);
  if (isa<Argument>(V))
    OS << "argument ";
  if (Slots)
    V->printAsOperand(OS, false, *Slots);
  else if (V->hasName())
    OS << '%' << V->getName();
  else if (auto *I = dyn_cast<Instruction>(V))
    OS << "the result of '" << I->getOpcodeName() << "'";
  else if (auto *A = dyn_cast<Argument>(V))
    OS << A->getArgNo() + 1;
  return Text;
}

SmallVector<std::string, 4> ActivityResult::causeOf(const Value *V) const {
  SmallVector<std::string, 4> Lines;
  DenseSet<const Value *> Seen;
  for (const Value *At = V; At && Seen.insert(At).second;) {
    const Value *From = Cause.lookup(At);
    if (!From) {
      if (isa<Argument>(At))
        Lines.push_back(reference(At, nullptr) + " is differentiated");
      break;
    }
    bool Memory = isa<LoadInst>(At) || containsPointer(At->getType());
    Lines.push_back(reference(At, nullptr) +
                    (Memory ? " reads memory that depends on " : " depends on ") +
                    reference(From, nullptr));
    At = From;
  }
  return Lines;
}

void ActivityResult::print(raw_ostream &OS) const {
  ModuleSlotTracker Slots(F->getParent());
  Slots.incorporateFunction(*F);
  OS << "activity of @" << F->getName() << "   " << Request << '\n';
  auto Why = [&](const Value *V) {
    const Value *From = Cause.lookup(V), *To = UsedBy.lookup(V);
    if (!From && !To)
      return;
    OS << " (";
    if (From)
      OS << "varied from " << reference(From, &Slots);
    if (From && To)
      OS << "; ";
    if (To)
      OS << "useful for " << (isa<Argument>(To) ? "the caller, by " : "") << reference(To, &Slots);
    OS << ')';
  };
  for (const Argument &A : F->args()) {
    OS << "  " << reference(&A, &Slots) << ": " << (isActiveValue(&A) ? "active" : "inactive");
    if (isActiveValue(&A))
      Why(&A);
    OS << '\n';
  }
  for (const BasicBlock &BB : *F) {
    OS << "  ";
    BB.printAsOperand(OS, false, Slots);
    OS << ":\n";
    for (const Instruction &I : BB) {
      OS << "  ";
      I.print(OS, Slots);
      OS << "  ; " << (isActiveInstruction(&I) ? "active" : "inactive");
      if (isActiveValue(&I))
        Why(&I);
      OS << '\n';
    }
  }
}

bool ActivityResult::verify(raw_ostream &OS) const {
  bool Broken = false;
  auto Need = [&](const Instruction &I, const Value *Op) {
    // An address computed from null is its own shadow: nothing lies behind it.
    if (isa<Constant>(Op) || isActiveValue(Op) || isa<ConstantData>(getUnderlyingObject(Op)))
      return;
    OS << "the shadow of an active pointer is made from an inactive one:\n" << I << '\n' << *Op
       << '\n';
    Broken = true;
  };
  for (const Instruction &I : instructions(*F)) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (ActiveInstructions.contains(&I))
        Need(I, Store->getPointerOperand());
      continue;
    }
    if (!isActiveValue(&I) || !I.getType()->isPtrOrPtrVectorTy())
      continue;
    if (isa<LoadInst>(I) || isa<GetElementPtrInst>(I) || isa<CastInst>(I)) {
      Need(I, I.getOperand(0));
    } else if (isa<PHINode>(I) || isa<SelectInst>(I)) {
      for (const Use &U : drop_begin(I.operands(), isa<SelectInst>(I)))
        Need(I, U.get());
    }
  }
  return Broken;
}
