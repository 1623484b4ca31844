//===- ReportBuilder.h - From decisions to a report --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_REPORTBUILDER_H
#define ISOZYME_LIB_EXPLAIN_REPORTBUILDER_H

#include "SourceFiles.h"
#include "SourceText.h"
#include "isozyme/Explain/Report.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/PlanWords.h"
#include <map>
#include <set>
#include <tuple>

namespace isozyme {

/// Which function a line belongs to: file, first line, name.
using BlockKey = std::tuple<std::string, unsigned, std::string>;

/// Lines, found by debug locations, in blocks of one function each.
class LineTable {
public:
  LineTable(const llvm::Function &Original, SourceFiles &Files);

  /// The line that \p Loc is on; without a location the line of the function.
  ExplainedLine &at(const llvm::DebugLoc &Loc);
  /// With the source text, and with the lines between.
  std::vector<ExplainedBlock> finish();

private:
  struct Block {
    std::map<unsigned, ExplainedLine> Lines;
    const llvm::DISubprogram *Program = nullptr;
    std::set<unsigned> Callers; ///< Lines into which it is inlined.
  };
  BlockKey keyOf(const llvm::DISubprogram *Program) const;

  const llvm::Function &Original;
  SourceFiles &Files;
  BlockKey Main;
  std::map<BlockKey, Block> Blocks;
  std::vector<BlockKey> Order;
};

/// Builds what is known of one derivative. \p Calls and \p Plan are null where an error
/// came before them; a forward derivative has no plan.
class ReportBuilder {
public:
  ReportBuilder(const DiffRequest &R, const PreparedFunction &P, const TypeResult &Types,
                const ActivityResult &Activity, const CallPlanSet *Calls,
                const DerivativePlan *Plan, SourceFiles &Files);
  ExplainedDerivative build();

private:
  SourceLine lineOf(const llvm::Value *V) const;
  void addArguments();
  void addInstructions();
  void addInstruction(const llvm::Instruction &I);
  void addCall(const llvm::CallBase &Call, const CallPlan &Plan, ExplainedLine &Line);
  void addCall(ExplainedLine &Line, ExplainedCall C);
  void addInlinedCalls(const llvm::Instruction &I, bool Active);
  void addRemarks(const llvm::Instruction &I, ExplainedLine &Line);
  void addValue(ExplainedLine &Line, ExplainedValue V);
  ExplainedValue describe(const llvm::Value *V);
  std::vector<std::string> causesOf(const llvm::Value *V);
  void addKept();
  void addLoops();
  void addTape();
  void addDerivative();
  void explainInactive();
  Polynomial sizeOf(const TapeSlot &S);
  std::string wordsFor(const Need &N);
  /// A size or count, where long parts have short names.
  std::string inShort(const Polynomial &Size);

  const DiffRequest &R;
  const PreparedFunction &P;
  const TypeResult &Types;
  const ActivityResult &Activity;
  const CallPlanSet *Calls;
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
