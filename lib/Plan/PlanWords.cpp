//===- PlanWords.cpp - A plan in the words of the source ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace isozyme {

std::string byteText(uint64_t Bytes, StringRef Times) {
  return std::to_string(Bytes) + (Bytes == 1 ? " byte" : " bytes") + Times.str();
}

std::string sourceNameOf(const Function &F) {
  if (const DISubprogram *Program = F.getSubprogram())
    return Program->getName().str();
  return demangle(F.getName());
}

std::string loopText(const Function &Original, const Loop *L) {
  const DILocation *Start = lineOfUser(L->getStartLoc());
  if (!Start) {
    StringRef Name = L->getHeader()->getName();
    return Name.empty() ? "a loop" : "the loop '" + Name.str() + "'";
  }
  std::string Text = "the loop in line " + std::to_string(Start->getLine());
  const DISubprogram *Here = Original.getSubprogram();
  if (Here && Start->getFile() != Here->getFile())
    Text += " of " + sys::path::filename(Start->getFilename()).str();
  return Text;
}

static DebugLoc placeInSource(const Value *V, unsigned Depth) {
  auto *I = dyn_cast_or_null<Instruction>(V);
  if (!I || (I->getDebugLoc() && I->getDebugLoc().getLine()))
    return I ? I->getDebugLoc() : DebugLoc();
  for (const User *U : I->users())
    if (auto *By = dyn_cast<Instruction>(U); By && !isa<PHINode>(By) && Depth < 4)
      if (DebugLoc Loc = placeInSource(By, Depth + 1))
        return Loc;
  return DebugLoc();
}

DebugLoc placeInSource(const Value *V) { return placeInSource(V, 0); }

StringRef checkSentence(ShadowCheck Check) {
  switch (Check) {
  case ShadowCheck::None:
    return "";
  case ShadowCheck::Skip:
    return "may lead to memory without a shadow: each access through it compares the address "
           "with that of the shadow";
  case ShadowCheck::Page:
    return "may lead to memory that was allocated outside: each access through it looks for a "
           "shadow at run time";
  }
  llvm_unreachable("complete switch");
}

PlanWords::PlanWords(const DerivativePlan &Plan) : Plan(Plan), Words(Plan.P) {
  for (auto &[BB, Step] : Plan.CFG->steps())
    if (const Value *From = Plan.P.cameFrom(BB))
      ControlValues[From] = "which way was taken";
  for (const Loop *L : Plan.CFG->loops()) {
    const CanonicalLoop &C = Plan.P.canonical(L);
    std::string Text = "the number of iterations of " + loopText(Plan.P.original(), L);
    if (C.LastIV)
      ControlValues[C.LastIV] = Text;
    if (const ChosenIteration *Chosen = Plan.Chosen.find(L))
      ControlValues[Chosen->Last] =
          "which iteration of " + loopText(Plan.P.original(), L) + " was chosen";
    for (auto &[Exit, Phi] : C.ExitIV)
      ControlValues[Phi] = Text;
  }
}

std::string PlanWords::describeUnnamed(const Instruction &I) const {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    std::string From = Plan.P.sourceName(getUnderlyingObject(Load->getPointerOperand()));
    return From.empty() ? "a value loaded here" : "a value of '" + From + "'";
  }
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    const Function *Callee = Call->getCalledFunction();
    return Callee ? "the result of '" + sourceNameOf(*Callee) + "'" : "the result of a call";
  }
  switch (I.getOpcode()) {
  case Instruction::FAdd:
    return "a sum";
  case Instruction::FSub:
    return "a difference";
  case Instruction::FMul:
    return "a product";
  case Instruction::FDiv:
    return "a quotient";
  case Instruction::GetElementPtr:
    return "an address";
  case Instruction::Alloca:
    return "a local variable";
  case Instruction::ICmp:
  case Instruction::FCmp:
    return "a condition";
  case Instruction::PHI:
  case Instruction::Select:
    return "a value that depends on a condition";
  default:
    return "a value computed here";
  }
}

std::string PlanWords::describe(const Need &N, StringRef Quote) {
  auto &I = *cast<Instruction>(N.V);
  auto quoted = [&](const std::string &Code) { return (Quote + Code + Quote).str(); };
  if (N.P == Part::Tape) {
    const Function *Callee = cast<CallBase>(I).getCalledFunction();
    return Callee ? "the tape of " + quoted(sourceNameOf(*Callee)) : "the tape of a call";
  }
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    Type *Accessed = S->getValueOperand()->getType();
    std::string Name = Words.memory(S->getPointerOperand(), Accessed).S;
    bool HasName =
        !StringRef(Name).contains(SourceText::ShortPrefix) && Name.find("...") == Name.npos;
    return "what is overwritten" + (HasName ? " in " + quoted(Name) : " here");
  }
  if (auto It = ControlValues.find(&I); It != ControlValues.end() && N.P == Part::Primal)
    return It->second;
  bool IsShadow = N.P == Part::Shadow;
  std::string Name = IsShadow                     ? Words.address(&I, ".shadow")
                     : I.getType()->isPointerTy() ? Words.address(&I, "")
                                                  : Words.of(&I).S;
  if (StringRef(Name).contains(SourceText::ShortPrefix) || StringRef(Name).contains("..."))
    return (IsShadow ? "the shadow address of " : "") + describeUnnamed(I);
  return (IsShadow ? "the address " : "") + quoted(Name);
}

std::string PlanWords::timesText(const TapeSlot &S) const {
  return timesText(Plan.Tape.loopsOf(S), [&](const Loop *L) { return Plan.Tape.haloOf(S, L); });
}

std::string PlanWords::timesText(ArrayRef<const Loop *> Loops,
                                 function_ref<unsigned(const Loop *)> Halo) const {
  uint64_t Known = 1;
  std::string Unknown;
  for (const Loop *L : Loops) {
    auto *Last = dyn_cast_or_null<ConstantInt>(Plan.P.canonical(L).LastIV);
    bool Overflow = !Last || Last->getValue().getActiveBits() > 31;
    uint64_t Product =
        Overflow ? 0 : SaturatingMultiply(Known, Last->getZExtValue() + 1 + Halo(L), &Overflow);
    if (Overflow)
      Unknown += " * iterations of " + loopText(Plan.P.original(), L);
    else
      Known = Product;
  }
  return (Known == 1 ? "" : " * " + std::to_string(Known)) + Unknown;
}

} // namespace isozyme
