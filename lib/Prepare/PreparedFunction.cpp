//===- PreparedFunction.cpp - A function in legal form, frozen -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions that later stages ask of a prepared function, its lifetime, and
// its printed form.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

PreparedFunction::PreparedFunction(Function &Original, Function &Clone,
                                   FunctionAnalysisManager &FAM)
    : Original(&Original), Clone(&Clone), FAM(&FAM) {}

PreparedFunction::~PreparedFunction() {
  FAM->clear(*Clone, Clone->getName());
  Clone->eraseFromParent();
}

DominatorTree &PreparedFunction::dominators() const {
  return FAM->getResult<DominatorTreeAnalysis>(*Clone);
}
LoopInfo &PreparedFunction::loops() const { return FAM->getResult<LoopAnalysis>(*Clone); }
ScalarEvolution &PreparedFunction::scalarEvolution() const {
  return FAM->getResult<ScalarEvolutionAnalysis>(*Clone);
}
AAResults &PreparedFunction::aliasAnalysis() const { return FAM->getResult<AAManager>(*Clone); }
const TargetLibraryInfo &PreparedFunction::libraryInfo() const {
  return FAM->getResult<TargetLibraryAnalysis>(*Clone);
}

SimplifyQuery PreparedFunction::factsAt(const Instruction &At) const {
  if (!Conditions) {
    Conditions.emplace();
    for (BasicBlock &BB : *Clone)
      if (auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
          Branch && Branch->isConditional())
        Conditions->registerBranch(Branch);
  }
  return SimplifyQuery(Clone->getDataLayout(), &libraryInfo(), &dominators(), /*AC=*/nullptr, &At,
                       /*UseInstrInfo=*/true, /*CanUseUndef=*/true, &*Conditions);
}

const CanonicalLoop &PreparedFunction::canonical(const Loop *L) const {
  auto Known = Loops.find(L);
  assert(Known != Loops.end() && "not a loop of this function");
  return Known->second;
}

Value *PreparedFunction::lastIV(const Loop *L, BasicBlock *Exit) const {
  const CanonicalLoop &Known = canonical(L);
  if (Known.LastIV)
    return Known.LastIV;
  auto At = Known.ExitIV.find(Exit);
  assert(At != Known.ExitIV.end() && "not an exit block of this loop");
  return At->second;
}

ArrayRef<BasicBlock *> PreparedFunction::predecessorsOf(const BasicBlock *BB) const {
  auto Known = Preds.find(BB);
  return Known == Preds.end() ? ArrayRef<BasicBlock *>() : ArrayRef<BasicBlock *>(Known->second);
}

Value *PreparedFunction::cameFrom(const BasicBlock *BB) const { return CameFrom.lookup(BB); }

unsigned PreparedFunction::numberOf(const Value *V) const {
  auto Known = Numbers.find(V);
  assert(Known != Numbers.end() && "only arguments, blocks and instructions have a number");
  return Known->second;
}

Place PreparedFunction::placeOf(const Instruction *I) const {
  return I ? Place(*Original, I->getDebugLoc()) : Place(*Original);
}

static void printLoop(const CanonicalLoop &Known, ModuleSlotTracker &Slots, raw_ostream &OS) {
  auto Print = [&](const Value *V) { V->printAsOperand(OS, false, Slots); };
  OS << "loop ";
  Print(Known.L->getHeader());
  OS << ": depth " << Known.L->getLoopDepth() << ", counter ";
  Print(Known.IV);
  if (Known.LastIV) {
    OS << ", last ";
    Print(Known.LastIV);
  }
  for (auto [Exit, Last] : Known.ExitIV) {
    OS << ", last ";
    Print(Last);
    OS << " at ";
    Print(Exit);
  }
  for (auto [Carried, Last] : Known.Chosen) {
    OS << ", ";
    Print(Carried);
    OS << " from iteration ";
    Print(Last);
  }
  if (!Known.LastIV && Known.ExitIV.empty())
    OS << ", endless";
  OS << '\n';
}

void PreparedFunction::print(raw_ostream &OS) const {
  OS << "prepared function for @" << Original->getName() << '\n';
  Clone->print(OS);
  ModuleSlotTracker Slots(Clone->getParent());
  Slots.incorporateFunction(*Clone);
  for (const auto &[L, Known] : Loops)
    printLoop(Known, Slots, OS);
  for (const BasicBlock &BB : *Clone) {
    auto Print = [&](const Value *V) { V->printAsOperand(OS, false, Slots); };
    if (Value *From = cameFrom(&BB)) {
      OS << "join ";
      Print(&BB);
      OS << ": ";
      Print(From);
      OS << " in [";
      ListSeparator Comma;
      for (BasicBlock *Pred : predecessorsOf(&BB)) {
        OS << Comma;
        Print(Pred);
      }
      OS << "]\n";
    }
    if (!reachesReturn(&BB)) {
      OS << "never returns: ";
      Print(&BB);
      OS << '\n';
    }
  }
}

} // namespace isozyme
