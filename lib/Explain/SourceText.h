//===- SourceText.h - Values as the source writes them -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_SOURCETEXT_H
#define ISOZYME_LIB_EXPLAIN_SOURCETEXT_H

#include "Polynomial.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Rules/RulePrinter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace isozyme {

/// An expression of C, and how tightly it binds.
struct Text {
  std::string S;
  int Binds = BindsCall;
  /// For a surrounding of that strength.
  std::string in(int Surrounding) const { return Binds < Surrounding ? "(" + S + ")" : S; }
};

/// The variable that counts the iterations of a loop.
struct LoopVariable {
  std::string Name;
  const llvm::SCEV *Start = nullptr; ///< Null: the name is made up, and counts from 0.
  int64_t Step = 1;
};

/// Numbers, functions, global variables.
Text constantText(const llvm::Constant &C);

class SourceText {
public:
  explicit SourceText(const PreparedFunction &P);

  /// A variable of the source holds this value (or, in IR without debug information, it
  /// has a name).
  std::string variable(const llvm::Value *V) const;
  /// "e", "x[i] * x[i]", "sin(e)".
  Text of(const llvm::Value *V) { return expression(V, 0); }
  /// What an access of \p Accessed at \p Ptr reads: "x[i]", "p->weight". With \p Suffix
  /// behind the name of the memory: "x.shadow[i]".
  Text memory(const llvm::Value *Ptr, llvm::Type *Accessed, llvm::StringRef Suffix = "");
  /// A phi that stands for a load of this iteration, as optimised loops have them.
  std::optional<Text> movedLoad(const llvm::PHINode &Phi, llvm::StringRef Suffix);
  /// An integer as a formula in the variables.
  Polynomial formula(const llvm::SCEV *S);
  /// How often the body of \p L runs, each time that it is reached.
  Polynomial count(const llvm::Loop *L);
  const LoopVariable &variableOf(const llvm::Loop *L);
  /// Longer texts are cut, or given a name.
  static constexpr unsigned MaxLength = 60;
  /// Expressions in expressions, beyond which nobody reads on; the same through memory and
  /// formulas; values looked at for one expression, shared ones each time.
  static constexpr unsigned MaxDepth = 6, MaxNesting = 24, MaxSteps = 2000;

private:
  /// Memory, and what debug information says is in it.
  struct Spot {
    Text T;
    const llvm::DIType *Type = nullptr;
    bool IsObject = false; ///< T names the memory itself, not its address.
  };
  Text expression(const llvm::Value *V, unsigned Depth);
  Text instruction(const llvm::Instruction &I, unsigned Depth);
  Text operation(const llvm::Instruction &I, unsigned Depth);
  Text call(const llvm::CallBase &Call, unsigned Depth);
  Text compare(const llvm::CmpInst &I, unsigned Depth);
  Text placeholder(const llvm::Value *V) const;
  Spot base(const llvm::Value *V, llvm::StringRef Suffix, unsigned Depth);
  Spot spot(const llvm::Value *Ptr, llvm::Type *Accessed, llvm::StringRef Suffix, unsigned Depth,
            bool IsBase = false);
  Spot spotAt(const llvm::SCEV *Address, const llvm::Value *Ptr, llvm::Type *Accessed,
              llvm::StringRef Suffix, unsigned Depth, bool IsBase);
  void descend(Spot &At, Polynomial Offset, bool IsBase);
  Polynomial newFormula(const llvm::SCEV *S);
  Polynomial masked(const llvm::SCEV *S);
  bool isCounter(llvm::StringRef Name);
  LoopVariable findVariable(const llvm::Loop *L);

  const PreparedFunction &P;
  llvm::ScalarEvolution &SE;
  bool HasDebugInfo;
  llvm::DenseMap<const llvm::Loop *, LoopVariable> Variables;
  llvm::DenseMap<const llvm::SCEV *, Polynomial> Formulas;
  unsigned Nesting = 0; ///< Of spots, formulas and expressions in each other.
  unsigned Steps = 0;   ///< Since the outermost of them.
};

} // namespace isozyme

#endif
