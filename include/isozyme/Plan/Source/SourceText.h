//===- SourceText.h - Values as the source writes them -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_SOURCETEXT_H
#define ISOZYME_PLAN_SOURCETEXT_H

#include "isozyme/Plan/Source/Polynomial.h"
#include "isozyme/Plan/Source/Text.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace isozyme {

/// What \p Bytes, divided by the size of an element, is where it is the size of a container, and a
/// constant: `v.size() - 1`.
std::optional<Polynomial> containerSize(const Polynomial &Bytes, int64_t Divisor);

/// The variable that counts the iterations of a loop.
struct LoopVariable {
  std::string Name;
  const llvm::SCEV *Start = nullptr; ///< Null: the name is made up, and counts from 0.
  int64_t Step = 1;
};

/// Makes room for the tape of a gradient that is differentiated again.
bool isTapeAllocation(const llvm::Function &F);

/// Numbers, functions, global variables.
Text constantText(const llvm::Constant &C);

class SourceText {
public:
  explicit SourceText(const PreparedFunction &P);

  /// The variable of the source, or its member or element, that holds this value (in IR
  /// without debug information, the value's own name).
  std::string variable(const llvm::Value *V);
  /// "e", "x[i] * x[i]", "sin(e)".
  Text of(const llvm::Value *V) { return expression(V, 0); }
  /// What an access of \p Accessed at \p Ptr reads: "x[i]", "p->weight". With \p Suffix
  /// behind the name of the memory: "x.shadow[i]".
  Text memory(const llvm::Value *Ptr, llvm::Type *Accessed, llvm::StringRef Suffix = "");
  /// An address, by the name of what is there: "x", "&x[i]", "p->data"; with \p Suffix as above.
  std::string address(const llvm::Value *Ptr, llvm::StringRef Suffix);
  /// The type of the variable or member that holds this value; null if nothing says so.
  const llvm::DIType *declaredType(const llvm::Value *V);
  /// Does \p V point to what a lambda captures?
  static bool isLambda(const llvm::Value *V);
  /// A phi that stands for a load of this iteration, as optimised loops have them.
  std::optional<Text> movedLoad(const llvm::PHINode &Phi, llvm::StringRef Suffix);
  /// An integer as a formula in the variables.
  Polynomial formula(const llvm::SCEV *S);
  /// How often the body of \p L runs, each time that it is reached.
  Polynomial count(const llvm::Loop *L);
  const LoopVariable &variableOf(const llvm::Loop *L);
  /// A made-up name for what has none and is too long to be said each time: "t#1".
  std::string shortName(const llvm::Value *V);
  /// What has got such names, by their numbers, from 0.
  llvm::ArrayRef<const llvm::Value *> shortened() const { return Shortened; }
  /// What a short name stands for: an expression, or half a sentence.
  std::string meaning(const llvm::Value *V);
  static constexpr llvm::StringLiteral ShortPrefix = "t#";
  /// Longer texts are given a name.
  static constexpr unsigned MaxLength = 60;
  /// Limits for one readable text: expressions inside expressions; the same through memory and
  /// formulas; values visited for one expression, where a shared value counts each time.
  static constexpr unsigned MaxDepth = 6, MaxNesting = 24, MaxSteps = 2000;

private:
  /// Memory, and what debug information says is in it.
  struct Spot {
    Text T;
    const llvm::DIType *Type = nullptr;
    bool IsObject = false; ///< T names the memory itself, not its address.
    bool IsData = false;   ///< Of an array that is passed by a descriptor: T names its elements.
  };
  Text expression(const llvm::Value *V, unsigned Depth);
  Text instruction(const llvm::Instruction &I, unsigned Depth);
  Text operation(const llvm::Instruction &I, unsigned Depth);
  Text call(const llvm::CallBase &Call, unsigned Depth);
  Text compare(const llvm::CmpInst &I, unsigned Depth);
  Text placeholder(const llvm::Value *V);
  std::string ownName(const llvm::Value *V);
  std::string joinedName(const llvm::PHINode &Phi);
  std::string joinText(const llvm::PHINode &Phi);
  Spot base(const llvm::Value *V, llvm::StringRef Suffix, unsigned Depth);
  Spot spot(const llvm::Value *Ptr, llvm::Type *Accessed, llvm::StringRef Suffix, unsigned Depth,
            bool IsBase = false);
  Spot spotAt(const llvm::SCEV *Address, const llvm::Value *Ptr, llvm::Type *Accessed,
              llvm::StringRef Suffix, unsigned Depth, bool IsBase);
  void descend(Spot &At, Polynomial Offset, bool IsBase);
  std::string partName(const llvm::Value *V);
  std::optional<std::string> fortranElement(const llvm::DICompositeType &Array, const Text &Name,
                                            Polynomial &Offset);
  std::optional<Polynomial> countOf(const llvm::DICompositeType &Array, llvm::StringRef Name,
                                    unsigned Dimension);
  std::optional<Polynomial> strideOf(const llvm::Value *V);
  Polynomial newFormula(const llvm::SCEV *S);
  Polynomial masked(const llvm::SCEV *S);
  bool isCounter(llvm::StringRef Name);
  LoopVariable findVariable(const llvm::Loop *L);

  const PreparedFunction &P;
  llvm::ScalarEvolution &SE;
  bool HasDebugInfo, IsFortran;
  llvm::DenseMap<const llvm::Loop *, LoopVariable> Variables;
  llvm::DenseMap<const llvm::SCEV *, Polynomial> Formulas;
  std::vector<const llvm::Value *> Shortened;
  const llvm::Value *Explained = nullptr; ///< Whose meaning is put into words.
  unsigned Nesting = 0;                   ///< Of spots, formulas and expressions in each other.
  unsigned Steps = 0;                     ///< Since the outermost of them.
};

} // namespace isozyme

#endif
