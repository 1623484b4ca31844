//===- StepPlan.h - One verdict for every instruction ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a derivative does for each instruction of a prepared function, and where the
// derivative of each value is. Made once, from types, activity and what calls do; whoever
// comes later reads it, and asks neither types nor activity. A user's mistake in one
// instruction is found while it is made.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_STEPPLAN_H
#define ISOZYME_PLAN_STEPPLAN_H

#include "isozyme/Plan/ByteRuns.h"
#include "isozyme/Plan/Step.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <string>

namespace llvm {
class AllocaInst;
class Instruction;
class Value;
} // namespace llvm

namespace isozyme {

class PreparedFunction;

/// What stands for the shadow of a value that holds addresses.
enum class ShadowForm : uint8_t {
  None,       ///< It holds no address.
  Itself,     ///< Memory without a shadow.
  Given,      ///< A parameter of the derivative.
  OfConstant, ///< Another constant, one per lane.
  Companion,  ///< A constant that holds zeros, the same in all lanes.
  Missing,    ///< It has none, where one would be needed.
  Made,       ///< An instruction of the derivative.
};

/// Where the derivative of a value is.
struct ValuePlan {
  /// The type of its adjoint, or of its tangent if it holds floats; null if there is none.
  llvm::Type *Adjoint = nullptr;
  /// Forward mode: something in the derivative is its tangent, or shadow.
  bool HasTangent = false;
  ShadowForm Shadow = ShadowForm::None;
  /// Its adjoint is added to and taken in the reverse of one block only.
  bool InBlock = false;
  /// A parameter that is known to be an integer.
  bool IsNumber = false;
};

/// A call of a rule that the program makes as well: cos(x), for the derivative of sin(x).
struct ComputedCall {
  RuleCall Call;
  llvm::Instruction *By;
  bool IsTaken = true; ///< Otherwise somebody wishes that the function is called.
};

class StepPlan {
public:
  /// \p Unlisted: what stands for the shadow of an address that is not listed.
  explicit StepPlan(ShadowForm Unlisted = ShadowForm::Itself) : Unlisted(Unlisted) {}

  void set(const llvm::Instruction &I, const Step &S) { Steps.insert({&I, S}); }
  void set(const llvm::Value &V, const ValuePlan &Plan) { Values[&V] = Plan; }
  void setContents(const llvm::AllocaInst &A, std::string Text) { Contents[&A] = std::move(Text); }
  void setBytes(const llvm::Instruction &I, ByteRuns Runs) { Bytes[&I] = std::move(Runs); }
  void addComputed(const llvm::Instruction &I, ComputedCall C) { Computed[&I].push_back(C); }
  using ComputedMap =
      llvm::MapVector<const llvm::Instruction *, llvm::SmallVector<ComputedCall, 1>>;
  /// What rules call and the program has computed, in program order.
  ComputedMap &computed() { return Computed; }
  const ComputedMap &computed() const { return Computed; }

  using CheckMap = llvm::DenseMap<const llvm::Value *, ShadowCheck>;
  void setChecks(const CheckMap &Made) { Checks = Made; }

  /// Nothing is done for what is not listed.
  const Step &at(const llvm::Instruction &I) const;
  ValuePlan of(const llvm::Value *V) const;
  /// What is asked at run time about the shadow of the memory that \p V leads to.
  ShadowCheck checkOf(const llvm::Value *V) const;
  /// The bytes that a copy or fill moves.
  const ByteRuns &bytesOf(const llvm::Instruction &I) const;

  /// The instruction that computes what the rule of \p I calls; null where that is done anew.
  llvm::Instruction *computedFor(const llvm::Instruction &I, RuleCall Call) const;

  /// What lies in a local record, in the words of "enzyme_type"; "" where that is plain. Of
  /// shadows a derivative reads the floats alone: its own derivative would have to guess what
  /// the rest is.
  llvm::StringRef contentsOf(const llvm::AllocaInst &A) const;

  /// In program order.
  const llvm::MapVector<const llvm::Instruction *, Step> &steps() const { return Steps; }
  /// What is not obvious from the code: what is decided at run time, and how memory is shared.
  void print(llvm::raw_ostream &OS) const;
  /// True, and an explanation in \p OS, when a step contradicts itself or its instruction.
  bool verify(const PreparedFunction &P, llvm::raw_ostream &OS) const;

private:
  ShadowForm Unlisted;
  llvm::MapVector<const llvm::Instruction *, Step> Steps;
  llvm::DenseMap<const llvm::Value *, ValuePlan> Values;
  CheckMap Checks;
  llvm::DenseMap<const llvm::Instruction *, ByteRuns> Bytes;
  llvm::DenseMap<const llvm::AllocaInst *, std::string> Contents;
  ComputedMap Computed;
};

} // namespace isozyme

#endif
