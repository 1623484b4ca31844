//===- ActivityPrinter.cpp - Activity as text, and its verifier -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
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
  if (isa<GlobalVariable>(V))
    return ("global variable @" + V->getName()).str();
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

SmallVector<const Value *, 8> ActivityResult::chainOf(const Value *V) const {
  SmallVector<const Value *, 8> Chain;
  DenseSet<const Value *> Seen;
  for (const Value *At = V; At && Seen.insert(At).second; At = Cause.lookup(At))
    Chain.push_back(At);
  return Chain;
}

SmallVector<std::string, 4> ActivityResult::causeOf(const Value *V) const {
  SmallVector<std::string, 4> Lines;
  SmallVector<const Value *, 8> Chain = chainOf(V);
  for (auto [At, From] : zip(Chain, drop_begin(Chain))) {
    bool Memory = isa<LoadInst>(At) || containsPointer(At->getType());
    Lines.push_back(reference(At, nullptr) +
                    (Memory ? " reads memory that depends on " : " depends on ") +
                    reference(From, nullptr));
  }
  if (isa<Argument>(Chain.back()))
    Lines.push_back(reference(Chain.back(), nullptr) + " is differentiated");
  if (isa<GlobalVariable>(Chain.back()))
    Lines.push_back(reference(Chain.back(), nullptr) + " holds differentiated data of the caller");
  return Lines;
}

std::string ActivityResult::whyActive(const PreparedFunction &P, const Value *V) const {
  SmallVector<const Value *, 8> Chain = chainOf(V);
  const Value *Origin = Chain.back();
  std::string Text = Chain.size() == 1 ? "is " : "depends on ";
  if (auto *A = dyn_cast<Argument>(Origin)) {
    std::string Name = P.sourceName(A);
    Text += "argument " + std::to_string(A->getArgNo() + 1) +
            (Name.empty() ? "" : " (" + Name + ")") + " of '" + P.original().getName().str() +
            "', which is differentiated";
  } else if (isa<GlobalVariable>(Origin)) {
    Text += "global variable '" + Origin->getName().str() + "', which holds differentiated data";
  } else {
    return "is differentiated";
  }
  // What the user can find on the way, the last steps first.
  SmallVector<std::string, 3> Steps;
  ArrayRef<const Value *> Between = ArrayRef(Chain).drop_front().drop_back(Chain.size() > 1);
  for (const Value *Step : Between) {
    std::string Name = isa<GlobalVariable>(Step) ? Step->getName().str() : P.sourceName(Step);
    if (!Name.empty() && !is_contained(Steps, Name) && Steps.size() < 3)
      Steps.push_back(Name);
  }
  for (auto [Number, Name] : enumerate(Steps))
    Text += (Number ? ", '" : ", by way of '") + Name + "'";
  return Text;
}

static StringRef checkText(const ActivityResult &A, const Value *V) {
  if (A.isOwnShadow(V))
    return " [is its own shadow]";
  switch (A.checkOf(V)) {
  case ShadowCheck::None:
    return "";
  case ShadowCheck::Skip:
    return " [may be its own shadow]";
  case ShadowCheck::Page:
    return " [may be its own shadow, with pages]";
  }
  llvm_unreachable("complete switch");
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
    OS << checkText(*this, &A) << '\n';
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
      OS << checkText(*this, &I) << '\n';
    }
  }
  if (!Globals.empty()) {
    OS << "  global variables with a shadow:";
    for (const GlobalVariable *GV : Globals)
      OS << " @" << GV->getName();
    OS << '\n';
  }
}

bool ActivityResult::verify(raw_ostream &OS) const {
  bool Broken = false;
  auto Need = [&](const Instruction &I, const Value *Op) {
    // An address computed from null is its own shadow: nothing lies behind it.
    if (isa<Constant>(Op) || isActiveValue(Op) || isOwnShadow(&I) ||
        isa<ConstantData>(getUnderlyingObject(Op)))
      return;
    OS << "the shadow of an active pointer is made from an inactive one:\n"
       << I << '\n'
       << *Op << '\n';
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
