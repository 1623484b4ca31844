//===- ReportBuilder.h - From decisions to a report --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_REPORTBUILDER_H
#define ISOZYME_LIB_EXPLAIN_REPORTBUILDER_H

#include "LineTable.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/Lanes/LaneVectors.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Plan/Source/SourceText.h"
#include <map>
#include <vector>

namespace isozyme {

/// What two places say in the same words is said once.
inline void addOnce(std::vector<std::string> &To, std::string Text) {
  if (!llvm::is_contained(To, Text))
    To.push_back(std::move(Text));
}

/// Builds what is known of one derivative. \p Calls, \p Steps and \p Plan are null where an
/// error came before them; a forward derivative keeps nothing, and has no \p Plan.
class ReportBuilder {
public:
  ReportBuilder(const DiffRequest &R, const PreparedFunction &P, const TypeResult &Types,
                const ActivityResult &Activity, const CallPlanSet *Calls, const StepPlan *Steps,
                const DerivativePlan *Plan, SourceFiles &Files);
  /// \p Vectors: null where tangents of one direction are computed, or adjoints.
  ExplainedDerivative build(const LaneVectors *Vectors = nullptr);

private:
  using Copies = std::vector<ExplainedBlock>;
  Copies tellOnce(Copies Blocks) const;
  SourceLine lineOf(const llvm::Value *V) const;
  void addArguments();
  void addInstructions();
  void addInstruction(const llvm::Instruction &I);
  bool isActive(const llvm::Instruction &I) const;
  void addCall(const llvm::CallBase &Call, const CallPlan &Plan, ExplainedLine &Line);
  void addCall(ExplainedLine &Line, ExplainedCall C);
  void addInlinedCalls(const llvm::Instruction &I, bool Active);
  void addRemarks(const llvm::Instruction &I, ExplainedLine &Line);
  void addValue(ExplainedLine &Line, ExplainedValue V);
  ExplainedValue describe(const llvm::Value *V);
  std::vector<std::string> causesOf(const llvm::Value *V);
  void addKept();
  bool isSpokenOf(llvm::StringRef Name);
  void addLoops();
  void addTape();
  void addDerivative();
  void noteInLoop(const llvm::Loop &L, const std::string &Text);
  void noteCarriedSums();
  void noteRisingLoops();
  void noteSwappedLoops();
  void noteUnseenSums();
  void noteLoopChoices();
  void noteAtomics();
  void noteShadowScopes();
  void noteLanes(const LaneVectors &Vectors);
  void explainInactive();
  /// \p Each in every iteration of \p Loops, the outermost one first; some run more often.
  Polynomial timesLoops(Polynomial Each, llvm::ArrayRef<const llvm::Loop *> Loops,
                        llvm::function_ref<unsigned(const llvm::Loop *)> HaloOf);
  Polynomial sizeOf(const TapeSlot &S);
  std::string wordsFor(const Need &N);
  std::string title() const;
  /// A size or count, where long parts have short names.
  std::string inShort(const Polynomial &Size);

  const DiffRequest &R;
  const PreparedFunction &P;
  const TypeResult &Types;
  const ActivityResult &Activity;
  const CallPlanSet *Calls;
  const StepPlan *Steps;
  const DerivativePlan *Plan;
  SourceText Words;
  std::optional<PlanWords> Decisions;
  LineTable Lines;
  ExplainedDerivative D;
  /// What is known of why a line is not active.
  struct Silence {
    bool Floats = false, Varied = false;
    std::string Call;
  };
  std::map<ExplainedLine *, Silence> Silent;
};

} // namespace isozyme

#endif
