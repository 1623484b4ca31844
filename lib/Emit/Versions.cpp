//===- Versions.cpp - Choose a version at run time ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/Versions.h"
#include "EvenRows.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include <vector>

using namespace llvm;

namespace isozyme {

namespace {

struct Bytes {
  Value *Begin, *End;
};

class ChoiceEmitter {
public:
  /// \p Otherwise: where control goes to when the memory is not apart.
  ChoiceEmitter(Function &Shell, const DerivativePlan &Plan, BasicBlock &Otherwise);
  void branchTo(BasicBlock &Apart);
  SmallVector<Value *, 8> argumentsOfApart() const;

private:
  void takeArguments();
  void readWords();
  void readTables(unsigned Stage);
  Value *areApart();
  ArrayRef<Value *> shadowsOf(const AccessedRange &Range) const;
  Bytes bytesAt(const AccessedRange &Range, Value *Base);
  void require(Value *Condition) { All = All ? B.CreateAnd(All, Condition) : Condition; }
  void requireApart(const Bytes &One, const Bytes &Other);

  Function &Shell;
  const DerivativePlan &Plan;
  const VersionPlan &V;
  const DiffRequest &R;
  BasicBlock &Otherwise;
  IRBuilder<> B;
  /// Of the function whose ranges are compared, and for each the shadows, if it has any.
  SmallVector<Value *, 8> Parameters;
  SmallVector<SmallVector<Value *, 1>, 8> Shadows;
  SmallVector<Value *, 2> Seeds;
  /// In terms of the functions in which tables were found, and at the end of that whose ranges are
  /// compared.
  std::vector<EntryValues> ValuesOf;
  Value *All = nullptr;
};

} // namespace

ChoiceEmitter::ChoiceEmitter(Function &Shell, const DerivativePlan &Plan, BasicBlock &Otherwise)
    : Shell(Shell), Plan(Plan), V(*Plan.Versions), R(Plan.Request), Otherwise(Otherwise),
      B(BasicBlock::Create(Shell.getContext(), "entry", &Shell, &Shell.front())) {
  takeArguments();
  readWords();
  ValuesOf.reserve(V.Stages.size() + 1); // Nobody moves while a builder is in use.
  for (unsigned Stage = 0; Stage < V.Stages.size(); ++Stage)
    readTables(Stage);
  ValuesOf.emplace_back(V.measured(Plan).P, B, Parameters);
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

void ChoiceEmitter::readTables(unsigned Stage) {
  const RowTables &Tables = V.Stages[Stage].Tables;
  EntryValues &Values = ValuesOf.emplace_back(V.readBy(Stage, Plan).P, B, Parameters);
  EvenRows Reader(B, Values, Otherwise);
  Reader.requireGuards(Tables);
  for (const RowTable &Table : Tables.Tables) {
    ArrayRef<Value *> ItsShadows;
    if (Table.HasShadow)
      ItsShadows = Shadows[Table.Base->getArgNo()];
    FirstRows Rows = Reader.read(Table, ItsShadows);
    Parameters.push_back(Rows.Primal);
    Shadows.push_back(std::move(Rows.Shadows));
    if (!Rows.Gap)
      continue;
    Parameters.push_back(Rows.Gap);
    Shadows.emplace_back();
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

/// Shadows of global variables are made by Isozyme, and overlap nothing.
ArrayRef<Value *> ChoiceEmitter::shadowsOf(const AccessedRange &Range) const {
  auto *A = dyn_cast<Argument>(Range.Base);
  return A ? ArrayRef<Value *>(Shadows[A->getArgNo()]) : ArrayRef<Value *>();
}

Bytes ChoiceEmitter::bytesAt(const AccessedRange &Range, Value *Base) {
  EntryValues &Of = Range.Stage ? ValuesOf[*Range.Stage] : ValuesOf.back();
  return {B.CreatePtrAdd(Base, Of.extreme(Range.Begins, /*Largest=*/false)),
          B.CreatePtrAdd(Base, Of.extreme(Range.Ends, /*Largest=*/true))};
}

void ChoiceEmitter::requireApart(const Bytes &One, const Bytes &Other) {
  require(B.CreateOr(B.CreateICmpULE(One.End, Other.Begin), B.CreateICmpULE(Other.End, One.Begin)));
}

Value *ChoiceEmitter::areApart() {
  SmallVector<Bytes, 4> Primal;
  SmallVector<SmallVector<Bytes, 1>, 4> Shadow;
  for (const AccessedRange &Range : V.Ranges) {
    Primal.push_back(bytesAt(Range, ValuesOf.back().of(Range.Base)));
    // A formula of a loop that does not run may be anything: then nothing is known.
    require(B.CreateICmpULE(Primal.back().Begin, Primal.back().End));
    Shadow.emplace_back();
    for (Value *Base : shadowsOf(Range))
      Shadow.back().push_back(bytesAt(Range, Base));
  }
  for (const AssumedValue &A : V.Assumed) {
    Value *Here = ValuesOf.back().of(A.Value);
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

void ChoiceEmitter::branchTo(BasicBlock &Apart) {
  B.CreateCondBr(areApart(), &Apart, &Otherwise,
                 MDBuilder(B.getContext()).createLikelyBranchWeights());
}

static void returnCall(BasicBlock &BB, Function &F, ArrayRef<Value *> Args) {
  IRBuilder<> B(&BB);
  CallInst *Call = B.CreateCall(&F, Args);
  if (Call->getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

void emitChoiceOfVersions(Function &Shell, const DerivativePlan &Plan, Function &Apart,
                          Function &Any) {
  LLVMContext &C = Shell.getContext();
  BasicBlock &IsApart = *BasicBlock::Create(C, "memory.apart", &Shell);
  BasicBlock &IsAny = *BasicBlock::Create(C, "any.memory", &Shell);
  ChoiceEmitter Choice(Shell, Plan, IsAny);
  Choice.branchTo(IsApart);
  IsApart.moveBefore(&IsAny);
  returnCall(IsApart, Apart, Choice.argumentsOfApart());
  returnCall(IsAny, Any, SmallVector<Value *, 8>(make_pointer_range(Shell.args())));
}

} // namespace isozyme
