//===- Versions.cpp - Choose a version at run time ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/Versions.h"
#include "EntryValues.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace isozyme {

namespace {

struct Bytes {
  Value *Begin, *End;
};

class ChoiceEmitter {
public:
  ChoiceEmitter(Function &Shell, const DerivativePlan &Plan);
  Value *areApart();

private:
  Value *extreme(ArrayRef<const SCEV *> Formulas, Intrinsic::ID Which);
  SmallVector<Value *, 2> shadowsOf(const AccessedRange &Range);
  Bytes bytesAt(const AccessedRange &Range, Value *Base);
  void require(Value *Condition) { All = All ? B.CreateAnd(All, Condition) : Condition; }
  void requireApart(const Bytes &One, const Bytes &Other);

  Function &Shell;
  const VersionPlan &V;
  const DiffRequest &R;
  IRBuilder<> B;
  SmallVector<unsigned, 8> ParameterOf; ///< Of each argument of the function, in Shell.
  std::optional<EntryValues> Values;
  Value *All = nullptr;
};

} // namespace

ChoiceEmitter::ChoiceEmitter(Function &Shell, const DerivativePlan &Plan)
    : Shell(Shell), V(*Plan.Versions), R(Plan.Request),
      B(BasicBlock::Create(Shell.getContext(), "entry", &Shell)) {
  SmallVector<Value *, 8> Primals;
  for (unsigned Arg = 0, Param = 0; Arg < R.Args.size(); ++Arg) {
    ParameterOf.push_back(Param);
    Primals.push_back(Shell.getArg(Param));
    Param += 1 + (R.hasShadow(Arg) ? R.Width : 0);
  }
  Values.emplace(Plan.P, B, Primals);
}

Value *ChoiceEmitter::extreme(ArrayRef<const SCEV *> Formulas, Intrinsic::ID Which) {
  Value *Result = Values->of(Formulas.front());
  for (const SCEV *S : drop_begin(Formulas))
    Result = B.CreateBinaryIntrinsic(Which, Result, Values->of(S));
  return Result;
}

/// Shadows of global variables are made by Isozyme, and overlap nothing.
SmallVector<Value *, 2> ChoiceEmitter::shadowsOf(const AccessedRange &Range) {
  SmallVector<Value *, 2> Shadows;
  auto *A = dyn_cast<Argument>(Range.Base);
  if (A && R.hasShadow(A->getArgNo()))
    for (unsigned Lane = 0; Lane < R.Width; ++Lane)
      Shadows.push_back(Shell.getArg(ParameterOf[A->getArgNo()] + 1 + Lane));
  return Shadows;
}

Bytes ChoiceEmitter::bytesAt(const AccessedRange &Range, Value *Base) {
  return {B.CreatePtrAdd(Base, extreme(Range.Begins, Intrinsic::smin)),
          B.CreatePtrAdd(Base, extreme(Range.Ends, Intrinsic::smax))};
}

void ChoiceEmitter::requireApart(const Bytes &One, const Bytes &Other) {
  require(B.CreateOr(B.CreateICmpULE(One.End, Other.Begin), B.CreateICmpULE(Other.End, One.Begin)));
}

Value *ChoiceEmitter::areApart() {
  SmallVector<Bytes, 4> Primal;
  SmallVector<SmallVector<Bytes, 2>, 4> Shadow;
  for (const AccessedRange &Range : V.Ranges) {
    Primal.push_back(bytesAt(Range, Values->of(Range.Base)));
    // A formula of a loop that does not run may be anything: then nothing is known.
    require(B.CreateICmpULE(Primal.back().Begin, Primal.back().End));
    Shadow.emplace_back();
    for (Value *Base : shadowsOf(Range))
      Shadow.back().push_back(bytesAt(Range, Base));
  }
  for (const AssumedValue &A : V.Assumed) {
    Value *Here = Values->of(A.Value);
    require(B.CreateICmpSGE(Here, B.getInt64(A.Least)));
    require(B.CreateICmpSLE(Here, B.getInt64(A.Most)));
  }
  for (auto [One, Other] : V.Pairs) {
    requireApart(Primal[One], Primal[Other]);
    for (const Bytes &Mine : Shadow[One])
      for (const Bytes &Its : Shadow[Other])
        requireApart(Mine, Its);
  }
  return B.CreateFreeze(All, "apart"); // What is undefined may not decide.
}

void emitChoiceOfVersions(Function &Shell, const DerivativePlan &Plan, Function &Apart,
                          Function &Any) {
  ChoiceEmitter Choice(Shell, Plan);
  Value *AreApart = Choice.areApart();
  LLVMContext &C = Shell.getContext();
  BasicBlock *Ways[2];
  for (Function *F : {&Apart, &Any}) {
    BasicBlock *BB = BasicBlock::Create(C, F == &Apart ? "memory.apart" : "any.memory", &Shell);
    Ways[F == &Any] = BB;
    IRBuilder<> B(BB);
    SmallVector<Value *, 8> Args;
    for (Argument &A : Shell.args())
      Args.push_back(&A);
    CallInst *Call = B.CreateCall(F, Args);
    if (Call->getType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Call);
  }
  IRBuilder<>(&Shell.getEntryBlock())
      .CreateCondBr(AreApart, Ways[0], Ways[1], MDBuilder(C).createLikelyBranchWeights());
}

} // namespace isozyme
