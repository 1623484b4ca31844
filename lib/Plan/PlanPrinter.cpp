//===- PlanPrinter.cpp - A reverse plan as text ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stable text for FileCheck and for people: no addresses, program order.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/AtomicCounts.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/ForwardPlan.h"
#include "isozyme/Plan/PlanForecast.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

StringRef wordFor(KeepDecision::Kind K) {
  switch (K) {
  case KeepDecision::Available:
    return "available";
  case KeepDecision::Recompute:
    return "recompute";
  case KeepDecision::Reload:
    return "reload";
  case KeepDecision::Cache:
    return "cache";
  }
  llvm_unreachable("complete switch");
}

std::optional<KeepDecision::Kind> keepKindFor(StringRef Word) {
  for (KeepDecision::Kind K : {KeepDecision::Available, KeepDecision::Recompute,
                               KeepDecision::Reload, KeepDecision::Cache})
    if (wordFor(K) == Word)
      return K;
  return std::nullopt;
}

static StringRef wordsFor(SlotWrite Write) {
  switch (Write) {
  case SlotWrite::Each:
    return "";
  case SlotWrite::WithNext:
    return ", written behind the next one";
  case SlotWrite::Behind:
    return ", written behind the loop";
  case SlotWrite::Never:
    return ", written by another";
  }
  llvm_unreachable("complete switch");
}

static void printDecision(const KeepDecision &D, raw_ostream &OS) {
  OS << wordFor(D.K);
  if (D.K == KeepDecision::Cache)
    OS << " #" << D.Slot;
  for (auto [Number, Place] : enumerate(D.Place))
    OS << (Number ? ", " : " at +") << Place;
  OS << wordsFor(D.Write);
  if (!D.Reason.empty())
    OS << "  (" << D.Reason << ')';
}

static void printLoops(const DerivativePlan &Plan, raw_ostream &OS) {
  for (const Loop *L : Plan.CFG->loops()) {
    const CanonicalLoop &C = Plan.P.canonical(L);
    OS << "  loop " << operandName(L->getHeader()) << ": iv " << operandName(C.IV) << ", ";
    if (C.LastIV)
      OS << "last " << operandName(C.LastIV) << ", known before the loop\n";
    else
      OS << "trip count known only afterwards\n";
  }
}

void DerivativePlan::print(raw_ostream &OS) const {
  OS << "derivative plan for " << Request.str() << '\n';
  printLoops(*this, OS);
  OS << "  needs\n";
  for (auto &[N, D] : Keep) {
    OS << "    ";
    printNeed(OS, N);
    auto It = Needs.find(N);
    if (It != Needs.end())
      OS << "  for " << It->second;
    OS << "  ";
    printDecision(D, OS);
    OS << '\n';
  }
  OS << "  tape ("
     << (Tape.isBoxed()      ? "returned by a pointer: many members"
         : Request.isSplit() ? "returned"
                             : "local")
     << ")\n";
  Tape.print(P, OS);
  Locals.print(OS);
  printCallPlans(P, Calls, OS);
  Steps.print(OS);
  Scopes.print(OS);
  Unread.print(OS);
  Late.print(OS);
  Fused.print(OS);
  Chosen.print(OS);
  Carried.print(OS);
  Rising.print(OS);
  Swapped.print(OS);
  Independent.print(OS);
  Unseen.print(OS);
  Skips.print(OS);
  if (ReleasesAtEnd)
    OS << "    memory freed here or in callees is released after the reverse sweep\n";
  if (MarksMemory)
    OS << "    an exception may leave it: the memory of its tape is marked\n";
  if (!Globals.empty()) {
    OS << "  shadows of global variables:";
    for (const GlobalVariable *G : Globals)
      OS << " @" << G->getName();
    OS << '\n';
  }
  if (AtomicCounts Atomics = atomicCountsOf(*this); !Atomics.empty())
    OS << "  atomic operations of a thread, at most: " << Atomics.text([&](auto Loops) {
      std::string Text;
      for (const Loop *L : Loops)
        Text += " * " + tripText(P, L);
      return Text;
    }) << '\n';
  if (WaitsForBlock)
    OS << "  the threads of a block wait for each other at its end\n";
  Watches.print(OS);
  forecastOf(*this).print(OS);
  OS << "  reverse\n";
  CFG->print(P, [this](const Loop *L) { return Rising.contains(L); }, OS);
  if (!Versions)
    return;
  Versions->print(OS);
  if (Versions->Apart)
    Versions->Apart->print(OS);
}

void ForwardPlan::print(raw_ostream &OS) const {
  OS << "derivative plan for " << Request.str() << '\n';
  Vectors.print(P, OS);
  printCallPlans(P, Calls, OS);
  Steps.print(OS);
  Unread.print(OS);
  Watches.print(OS);
}

} // namespace isozyme
