//===- DerivativeText.h - Derivatives as statements of the source -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_DERIVATIVETEXT_H
#define ISOZYME_LIB_EXPLAIN_DERIVATIVETEXT_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/Source/SourceText.h"
#include "isozyme/Plan/StepPlan.h"

namespace isozyme {

/// What a derivative does, as statements for each instruction of the primal:
///
///   e = exp(x[i] * x[i])    reverse  x.shadow[i] += e.adj * e * x[i] + e.adj * e * x[i]
///                           forward  e.tan = (x.shadow[i] * x[i] + x.shadow[i] * x[i]) * e
///
/// By the steps and rules that emission follows; a value without a name whose derivative is used
/// in one place goes without one there, too.
class DerivativeText {
public:
  struct Statement {
    const llvm::Instruction *At; ///< The instruction it is the derivative of.
    std::string Text;
  };

  /// What is told, and what emission does.
  struct Facts {
    const PreparedFunction &P;
    const DiffRequest &R;
    const CallPlanSet &Calls;
    const StepPlan &Steps;
  };
  DerivativeText(const Facts &F, SourceText &Words) : F(F), Words(Words) {}

  /// In the order in which the derivative runs them.
  std::vector<Statement> reverse();
  std::vector<Statement> forward();

private:
  using Visit = void (DerivativeText::*)(const llvm::Instruction &);
  void walk(bool Backwards, Visit Each);
  void say(const llvm::Instruction &At, const llvm::Twine &Text);
  bool isCarried(const llvm::Value *V) const;
  bool isPassedOn(const llvm::Instruction &I) const;
  bool isDifferentiated(const llvm::Instruction &I) const;
  std::string nameOf(const llvm::Value *V);
  const CallPlan *planOf(const llvm::Instruction &I) const;
  Text partial(const llvm::Instruction &I, const OpView &View, unsigned Wrt, const Text &T);
  std::string callText(const llvm::CallBase &Call, const CallPlan &Plan, llvm::StringRef Sweep,
                       llvm::StringRef Suffix);
  std::string bulkText(const llvm::CallBase &Call);

  void reverseOf(const llvm::Instruction &I);
  void reverseStore(const llvm::StoreInst &I);
  void reverseAtomic(const llvm::AtomicRMWInst &I);
  void reverseExtremum(const llvm::AtomicRMWInst &I);
  void reverseMasked(const llvm::Instruction &I, const MaskedAccess &Access);
  void reverseCall(const llvm::CallBase &Call, const CallPlan &Plan);
  void reversePhi(const llvm::PHINode &Phi, const Text &T);
  void reverseRule(const llvm::Instruction &I, const Text &T);
  void reverseValue(const llvm::Instruction &I, AdjointStep S, const Text &T);
  void replaceAdjoint(const llvm::Value *V);
  void add(const llvm::Value *To, const Text &Share, const llvm::Instruction &At);
  Text takeAdjoint(const llvm::Instruction &I);

  void forwardOf(const llvm::Instruction &I);
  void forwardAtomic(const llvm::AtomicRMWInst &I);
  void forwardMasked(const llvm::Instruction &I, const MaskedAccess &Access);
  void forwardStore(const llvm::StoreInst &I);
  void forwardValue(const llvm::Instruction &I, TangentStep S);
  std::vector<Text> ruleShares(const llvm::Instruction &I);
  Text tangentOf(const llvm::Value *V);
  void setTangent(const llvm::Instruction &I, Text T);

  const Facts F;
  SourceText &Words;
  std::vector<Statement> Statements;
  /// Reverse: shares of adjoints that have no name. Forward: tangents that have none.
  llvm::DenseMap<const llvm::Value *, std::vector<Text>> Shares;
  /// Of values whose variable has another value later, which has an adjoint of that name.
  struct Replacement {
    std::vector<Text> Shares;
    const llvm::Instruction *At = nullptr; ///< The first of those that use the old value.
  };
  llvm::DenseMap<const llvm::Value *, Replacement> Replacements;
};

} // namespace isozyme

#endif
