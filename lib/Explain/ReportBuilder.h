//===- ReportBuilder.h - From decisions to a report --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_REPORTBUILDER_H
#define ISOZYME_LIB_EXPLAIN_REPORTBUILDER_H

#include "SourceFiles.h"
#include "isozyme/Explain/Report.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/Lanes/LaneVectors.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Plan/Source/SourceText.h"
#include <map>
#include <memory>
#include <vector>

namespace isozyme {

/// Where code is shown: in a copy of a function, for one way of calls that leads there. What
/// libraries do is shown where the user calls them.
struct ShownPlace {
  const llvm::DISubprogram *Program = nullptr; ///< Null: in the function itself.
  unsigned Line = 0;
  /// The calls that it came by, the innermost first.
  std::vector<const llvm::DILocation *> Calls;
  /// They as text: "f.c:12:3 < g.c:20:7". Empty for the function itself.
  std::string path() const;
};
ShownPlace shownPlace(const llvm::DebugLoc &Loc);

/// Lines, found by debug locations, in blocks of one function each.
class LineTable {
public:
  LineTable(const llvm::Function &Original, SourceFiles &Files);

  /// The line that \p Loc is on; without a location the line of the function.
  ExplainedLine &at(const llvm::DebugLoc &Loc);
  /// Where the source returns, if the compiler says that it is the closing brace.
  ExplainedLine &atReturn(const llvm::DebugLoc &Loc);
  void forEach(llvm::function_ref<void(ExplainedLine &)> Do) {
    for (auto &B : Blocks)
      for (auto &[Number, Line] : B->Lines)
        Do(Line);
  }
  /// With the source text, and with the lines between.
  std::vector<ExplainedBlock> finish();
  /// The function whose code comes first: that of the user which is differentiated.
  const llvm::DISubprogram *mainProgram() const { return Main; }

private:
  struct Block {
    std::map<unsigned, ExplainedLine> Lines;
    ShownPlace Where; ///< Of its first line that was met.
    std::string Path;
  };
  Block &blockOf(const ShownPlace &Where);
  ExplainedBlock finish(Block &B);
  unsigned lastReturn(unsigned From, unsigned To);

  const llvm::Function &Original;
  SourceFiles &Files;
  const llvm::DISubprogram *Main;
  std::vector<std::unique_ptr<Block>> Blocks; ///< The function itself comes first.
  std::map<std::string, Block *> Copies;      ///< The others, by path and function.
};

/// "norm"; of a lambda the variable that holds it, or "the lambda in line 12".
std::string shownName(const llvm::DISubprogram &Program);

/// "sort<...>", where what is between the brackets is long.
std::string shortTemplate(const std::string &Name);

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
  void noteLoopChoices();
  void noteShadowScopes();
  void noteLanes(const LaneVectors &Vectors);
  void explainInactive();
  Polynomial sizeOf(const TapeSlot &S);
  std::string wordsFor(const Need &N);
  std::string title() const;
  void nameShortTexts();
  void addMeanings();
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
