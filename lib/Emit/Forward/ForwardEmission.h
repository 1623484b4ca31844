//===- ForwardEmission.h - One forward derivative being written --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that ForwardEmitter, ForwardMemory and ForwardCalls share. The body
// of the prepared function is cloned into the shell as it stands; then, for each
// active value, one tangent per lane is written right behind its clone. The
// tangent of a pointer is its shadow; of an aggregate, the tangents and shadows
// of its members; of an integer, the bits of what it carries.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_FORWARDEMISSION_H
#define ISOZYME_LIB_EMIT_FORWARDEMISSION_H

#include "isozyme/Emit/ForwardEmitter.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/ForwardPlan.h"
#include "isozyme/Plan/RecordPlan.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

namespace isozyme {

class ForwardEmission {
public:
  ForwardEmission(llvm::Function &Shell, const ForwardPlan &Plan, DerivativeLookup Lookup,
                  const RecordPlan *Replay)
      : Shell(Shell), Plan(Plan), P(Plan.P), R(Plan.Request), Lookup(Lookup), Replay(Replay),
        B(Shell.getContext()) {}

  llvm::Error run();
  const CloneMap &clones() const { return Primals; }
  /// Tells debuggers where the tangents of the arguments are.
  void describeArguments();

private:
  using Lanes = llvm::SmallVector<llvm::Value *, 4>;

  // ForwardEmitter.cpp: the frame, values and structural instructions.
  void cloneBody();
  void mapArguments();
  void visit(llvm::Instruction &I);
  void emitRule(llvm::Instruction &I);
  llvm::Value *addTangents(llvm::Value *L, llvm::Value *Right);
  void emitMirrored(llvm::Instruction &I);
  void emitIntegerMove(llvm::Instruction &I);
  void startPhi(llvm::PHINode &I);
  void finishPhis();
  void emitReturn(llvm::ReturnInst &I);

  // ForwardLanes.cpp
  /// The tangents of all lanes as a vector; emits where it has to be put together.
  llvm::Value *packed(llvm::Value *V);
  void setPacked(llvm::Instruction &I, llvm::Value *Vector);
  void startPackedPhi(llvm::PHINode &I);
  void finishPackedPhi(llvm::PHINode &I);
  void emitPackedSelect(llvm::SelectInst &I);
  /// Copies the shadows that the loop behind \p I, the end of its preheader, reads.
  void copyLanes(const llvm::Instruction &I);
  /// Where the tangents of \p Ptr lie in \p Copy, which is at \p Start.
  llvm::Value *inCopy(llvm::Value *Ptr, const LaneCopy &Copy, llvm::Value *Start);
  void loadPacked(llvm::LoadInst &I, const LaneCopy &Copy);

  // ForwardMemory.cpp
  void visitStore(llvm::StoreInst &I);
  void visitLoad(llvm::LoadInst &I);
  void visitAtomic(llvm::AtomicRMWInst &I);
  void visitCopy(llvm::AnyMemTransferInst &I);
  void visitFill(llvm::AnyMemIntrinsic &I);
  void visitMaskedStore(llvm::IntrinsicInst &I);
  void visitFree(llvm::CallBase &I);
  void loadInReplay(llvm::LoadInst &I);
  void visitMaskedLoad(llvm::CallBase &I);
  /// Is the shadow of \p Ptr the memory itself? Null where that is not asked.
  llvm::Value *isOwn(llvm::Value *Ptr, ShadowReach Reach, unsigned Lane);
  /// The shadow of \p Ptr, for an access of type \p T. In a replay never the memory itself.
  llvm::Value *shadowToAccess(llvm::Value *Ptr, ShadowReach Reach, llvm::Type *T, unsigned Lane);
  /// What is read where the shadow is the memory itself: an address is its own shadow.
  llvm::Value *whatOwnHolds(llvm::Instruction &I);
  /// The bytes that \p I has copied, of a source without shadow. Null in a replay if they
  /// are numbers only.
  llvm::Value *copiedBytes(llvm::AnyMemTransferInst &I);
  llvm::Value *inPages(llvm::Value *Ptr, unsigned Lane);
  void loadPaged(llvm::LoadInst &I);
  void copyPaged(llvm::AnyMemTransferInst &I, unsigned Lane);
  void stopWhereOwn(llvm::Instruction &I, llvm::Value *Ptr);
  void clearWhereOwn(llvm::Instruction &I, llvm::Value *Ptr);
  void stopWhereLost(llvm::Value *Own, llvm::Value *Stored, llvm::Value *Shadow, ShadowReach Reach);
  void clearFloats(llvm::AnyMemTransferInst &I, llvm::Value *To, llvm::Value *Length);
  llvm::Value *shadowLength(llvm::AnyMemTransferInst &I, llvm::Value *From);
  void copyShadow(llvm::AnyMemTransferInst &I, unsigned Lane);

  // ForwardCalls.cpp
  const CallPlan &callPlanOf(const llvm::Instruction &I) const;
  void emitDerivativeCall(llvm::CallBase &I, const CallPlan &Call);
  void emitStopCall(llvm::CallBase &I, const CallPlan &Call);
  void emitReduction(llvm::CallBase &I);

  const Step &stepAt(const llvm::Instruction &I) const { return Plan.Steps.at(I); }
  /// The clone of a value of the prepared function.
  llvm::Value *primal(llvm::Value *V) const;
  /// The tangent (shadow) of \p V in one lane; never emits. Zero where V is
  /// inactive. What the plan does not know of is noted as the failure.
  llvm::Value *tangent(llvm::Value *V, unsigned Lane);
  /// Inactive, or zero in every lane by construction: contributes nothing.
  bool isZero(llvm::Value *V);
  void setZero(llvm::Instruction &I);
  /// Runs \p EmitLane for each lane; its results become the tangents of \p I.
  void forEachLane(llvm::Instruction &I, llvm::function_ref<llvm::Value *(unsigned)> EmitLane);
  /// Prints the tangents of \p V, or what \p V stores, if that is asked for.
  void watch(llvm::Value &V, const Lanes &Values, const Lanes &Addresses = {});
  /// A second copy of the clone of \p I, inserted at the builder, with some of its
  /// operands replaced; for use on shadow memory.
  using OperandChange = std::pair<unsigned, llvm::Value *>;
  llvm::Instruction *insertCopy(llvm::Instruction &I, llvm::ArrayRef<OperandChange> Changes);
  /// IZ901: the plan is not what emission relies on.
  void fail(const llvm::Twine &What);

  llvm::Function &Shell;
  const ForwardPlan &Plan;
  const PreparedFunction &P;
  const DiffRequest &R;
  DerivativeLookup Lookup;
  const RecordPlan *Replay; ///< Null unless memory of the primal is out of reach.

  llvm::IRBuilder<> B;
  llvm::ValueToValueMapTy Primals;
  llvm::DenseMap<const llvm::Value *, Lanes> Tangents;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Packed;
  llvm::DenseMap<const LaneCopy *, llvm::AllocaInst *> LaneCopiesAt;
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> Copied; ///< Of a replay.
  llvm::SmallVector<llvm::PHINode *, 16> OpenPhis;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> Visited;
  const llvm::Instruction *Current = nullptr; ///< For the place of a failure.
  std::optional<llvm::Error> Failure;         ///< The first one; emission stops at it.
};

} // namespace isozyme

#endif
