//===- CheckpointPrinter.cpp - Plans of loops in parts, as text ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Plan/Checkpoint/CheckpointPlan.h"
#include "isozyme/Plan/Checkpoint/CheckpointSchedule.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace isozyme {

static std::string tapeText(const CheckpointPlan &Plan) {
  std::string Text;
  for (const TapeShare &T : Plan.Tape) {
    Text += (Text.empty() ? "" : " + ") + std::to_string(T.Bytes) + " bytes";
    for (const Value *Times : T.Times)
      Text += " * " + operandName(Times);
  }
  if (!Plan.UnknownTape.empty())
    Text += (Text.empty() ? "" : ", ") + ("not known before the loop: " + Plan.UnknownTape);
  return Text.empty() ? "nothing" : Text;
}

static std::string megabytes(uint64_t Bytes) {
  std::string Text;
  raw_string_ostream(Text) << format("%.4g MB", double(Bytes) / 1e6);
  return Text;
}

std::string CheckpointPlan::forecast() const {
  std::optional<uint64_t> N = iterations(), Snapshot = snapshotBytes(), OneTape = tapeBytes();
  std::string Text;
  raw_string_ostream OS(Text);
  if (!N || !Snapshot || !OneTape) {
    OS << "chosen when the loop is reached, from the number of iterations and these sizes";
    return Text;
  }
  IsozymeSchedule S = isozymeSchedule(*N, *Snapshot, *OneTape, options().TapeLimit);
  OS << "parts of " << S.Length << (S.Length == 1 ? " iteration" : " iterations");
  if (S.Levels > 1)
    OS << ", cut " << S.Levels << " times into " << S.Parts;
  OS << "; " << megabytes(S.Peak) << " at once"
     << (options().TapeLimit && S.Peak > options().TapeLimit ? ", more than the limit," : "")
     << " in place of " << megabytes(*N * *OneTape) << "; "
     << format("%.3g", double(S.Extra) / double(*N)) << " runs of the loop more";
  return Text;
}

static void printPart(const SavedPart &Part, raw_ostream &OS) {
  OS << "bytes " << *Part.Begin << " to " << *Part.End;
  for (const KnownCondition &C : Part.If)
    OS << (C.Holds ? ", if " : ", unless ") << operandName(C.Value);
}

void CheckpointPlan::print(raw_ostream &OS) const {
  OS << "checkpoints for " << Request.str() << '\n';
  if (!Refused.empty()) {
    OS << "  none: " << Refused << '\n';
    return;
  }
  OS << "  snapshot";
  if (std::optional<uint64_t> Bytes = snapshotBytes())
    OS << "  (" << *Bytes << " bytes)";
  if (Moves)
    OS << "  (of each part another)";
  OS << '\n';
  for (const SavedMemory &M : Saved)
    for (const SavedPart &Part : M.Parts) {
      OS << "    " << operandName(M.Base) << "  ";
      printPart(Part, OS);
      OS << '\n';
    }
  OS << "  tape of an iteration  " << tapeText(*this) << '\n';
  OS << "  forecast  " << forecast() << '\n';
}

bool verifyPlan(const CheckpointPlan &Plan, raw_ostream *OS) {
  auto broken = [&](const Twine &Why) {
    if (OS)
      *OS << Why << '\n';
    return true;
  };
  if (!Plan.Refused.empty())
    return false;
  if (Plan.First == Plan.Last)
    return broken("the parameters for the iterations are not known");
  if (Plan.Request.hasShadow(Plan.First) || Plan.Request.hasShadow(Plan.Last))
    return broken("numbers of iterations carry no derivative");
  for (const SavedMemory &M : Plan.Saved) {
    if (!isa<Argument, GlobalVariable>(M.Base) || M.Parts.empty())
      return broken(operandName(M.Base) + " is no memory to be saved");
    for (const SavedPart &Part : M.Parts) {
      if (!isKnownAtEntry(Part.Begin) || !isKnownAtEntry(Part.End))
        return broken("the bytes of " + operandName(M.Base) + " are not known before the loop");
      for (const KnownCondition &C : Part.If)
        if (!isKnownAtEntry(C.Value))
          return broken(operandName(C.Value) + " is not known before the loop");
    }
  }
  for (const TapeShare &T : Plan.Tape)
    for (const Value *Times : T.Times)
      if (!isKnownAtEntry(Times))
        return broken(operandName(Times) + " is not known before the loop");
  return false;
}

void remarkPlan(const CheckpointPlan &Plan) {
  Function &F = *Plan.Request.Fn;
  DebugLoc Loc;
  for (const BasicBlock &BB : Plan.P.function())
    for (const Instruction &I : BB)
      Loc = Loc ? Loc : I.getDebugLoc();
  OptimizationRemarkEmitter Emitter(&F);
  Emitter.emit([&] {
    std::string Snapshot = Plan.snapshotBytes() ? std::to_string(*Plan.snapshotBytes()) + " bytes"
                                                : "what it overwrites";
    return OptimizationRemark("isozyme", "Checkpoints",
                              Loc ? DiagnosticLocation(Loc) : DiagnosticLocation(F.getSubprogram()),
                              &F.getEntryBlock())
           << "this loop is run in parts, and once more in the reverse sweep, in place of a tape "
              "of "
           << (Plan.WholeTape.empty() ? std::string("nothing") : Plan.WholeTape)
           << "; a snapshot is " << Snapshot << "; " << Plan.forecast();
  });
}

} // namespace isozyme
