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
  SmallVector<Value *, 8> argumentsOfApart() const;

private:
  void takeArguments();
  void readWords();
  Value *extreme(ArrayRef<const SCEV *> Formulas, Intrinsic::ID Which);
  ArrayRef<Value *> shadowsOf(const AccessedRange &Range) const;
  Bytes bytesAt(const AccessedRange &Range, Value *Base);
  void require(Value *Condition) { All = All ? B.CreateAnd(All, Condition) : Condition; }
  void requireApart(const Bytes &One, const Bytes &Other);

  Function &Shell;
  const VersionPlan &V;
  const DiffRequest &R;
  IRBuilder<> B;
  /// Of the function whose ranges are compared, and for each the shadows, if it has any.
  SmallVector<Value *, 8> Parameters;
  SmallVector<SmallVector<Value *, 1>, 8> Shadows;
  SmallVector<Value *, 2> Seeds;
  std::optional<EntryValues> Values;
  Value *All = nullptr;
};

} // namespace

ChoiceEmitter::ChoiceEmitter(Function &Shell, const DerivativePlan &Plan)
    : Shell(Shell), V(*Plan.Versions), R(Plan.Request),
      B(BasicBlock::Create(Shell.getContext(), "entry", &Shell)) {
  takeArguments();
  readWords();
  Values.emplace(V.measured(Plan).P, B, Parameters);
}

void ChoiceEmitter::takeArguments() {
  auto *Next = Shell.arg_begin();
  for (unsigned Arg = 0; Arg < R.Args.size(); ++Arg) {
    Parameters.push_back(Next++);
    Shadows.emplace_back();
    for (unsigned Lane = 0; R.hasShadow(Arg) && Lane < R.Width; ++Lane)
      Shadows.back().push_back(Next++);
  }
  for (; Next != Shell.arg_end(); ++Next)
    Seeds.push_back(Next);
}

void ChoiceEmitter::readWords() {
  for (const EntryRead &Read : V.Reads) {
    auto read = [&](Value *From) {
      Value *Ptr = B.CreatePtrAdd(From, B.getInt64(Read.Offset));
      return B.CreateAlignedLoad(Read.Type, Ptr, Align(1));
    };
    Parameters.push_back(read(Parameters[Read.Base]));
    SmallVector<Value *, 1> Here;
    if (Read.HasShadow)
      for (Value *Shadow : Shadows[Read.Base])
        Here.push_back(read(Shadow));
    Shadows.push_back(std::move(Here));
  }
}

SmallVector<Value *, 8> ChoiceEmitter::argumentsOfApart() const {
  SmallVector<Value *, 8> Args;
  for (auto [Parameter, Its] : zip_equal(Parameters, Shadows)) {
    Args.push_back(Parameter);
    append_range(Args, Its);
  }
  append_range(Args, Seeds);
  return Args;
}

Value *ChoiceEmitter::extreme(ArrayRef<const SCEV *> Formulas, Intrinsic::ID Which) {
  Value *Result = Values->of(Formulas.front());
  for (const SCEV *S : drop_begin(Formulas))
    Result = B.CreateBinaryIntrinsic(Which, Result, Values->of(S));
  return Result;
}

/// Shadows of global variables are made by Isozyme, and overlap nothing.
ArrayRef<Value *> ChoiceEmitter::shadowsOf(const AccessedRange &Range) const {
  auto *A = dyn_cast<Argument>(Range.Base);
  return A ? ArrayRef<Value *>(Shadows[A->getArgNo()]) : ArrayRef<Value *>();
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
  SmallVector<SmallVector<Bytes, 1>, 4> Shadow;
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
    if (F == &Apart)
      Args = Choice.argumentsOfApart();
    else
      append_range(Args, make_pointer_range(Shell.args()));
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
