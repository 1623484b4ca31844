//===- LowerInlineAsm.cpp - Assembly that LLVM can say itself --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   asm ("" : "+x"(v))                 v, as it is: a fence for the optimiser
//   asm ("maxpd %1, %0" : "+x"(v) : "x"(w))        v > w ? v : w
//
// Eigen, built by clang, writes both: the one keeps the order of a sum, the other is
// an extremum with its result for nan. What GPUs' assembly says, Accelerator knows.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

namespace {

/// The operands of a statement, by the numbers in its text: results first.
struct AsmOperand {
  bool IsResult = false;
  Value *In = nullptr;      ///< What is there before; null: nothing.
  Value *Address = nullptr; ///< Where a result, or an input, is in memory.
};

} // namespace

/// Nothing where the statement may jump.
static std::optional<SmallVector<AsmOperand, 4>> operandsOf(const CallInst &Call,
                                                            const InlineAsm &Asm) {
  InlineAsm::ConstraintInfoVector Constraints = Asm.ParseConstraints();
  SmallVector<AsmOperand, 4> Operands;
  unsigned Next = 0;
  for (const InlineAsm::ConstraintInfo &C : Constraints) {
    if (C.Type == InlineAsm::isLabel)
      return std::nullopt;
    if (C.Type == InlineAsm::isClobber)
      continue;
    AsmOperand &O = Operands.emplace_back();
    O.IsResult = C.Type == InlineAsm::isOutput;
    if (C.isIndirect)
      O.Address = Call.getArgOperand(Next++);
    else if (!O.IsResult)
      O.In = Call.getArgOperand(Next++);
  }
  // An input in the place of a result bears its number.
  for (auto [O, C] : zip(Operands, Constraints)) {
    int Input = C.MatchingInput;
    if (Input < 0 && !C.multipleAlternatives.empty())
      Input = C.multipleAlternatives.front().MatchingInput;
    if (O.IsResult && Input >= 0 && unsigned(Input) < Operands.size())
      O.In = Operands[Input].In;
  }
  return Operands;
}

/// Text that does nothing: results are what was in their place before.
static bool lowerFence(CallInst &Call, ArrayRef<AsmOperand> Operands) {
  SmallVector<Value *, 2> Results;
  for (const AsmOperand &O : Operands) {
    if (O.IsResult && !O.In)
      return false;
    if (O.IsResult && !O.Address)
      Results.push_back(O.In);
  }
  IRBuilder<> B(&Call);
  for (const AsmOperand &O : Operands)
    if (O.IsResult && O.Address)
      B.CreateStore(O.In, O.Address);
  Value *V = Results.size() == 1 ? Results.front() : PoisonValue::get(Call.getType());
  if (Results.size() > 1)
    for (auto [Number, Each] : enumerate(Results))
      V = B.CreateInsertValue(V, Each, unsigned(Number));
  if (V->getType() != Call.getType())
    return false;
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(V);
  return true;
}

/// max and min of x86: the source where the two are equal or one is no number.
static bool lowerExtremum(CallInst &Call, StringRef Text, ArrayRef<AsmOperand> Operands) {
  auto [Name, Rest] = Text.split(' ');
  bool Fused = Name.consume_front("v"); // Three operands: the result has its own register.
  bool Larger = Name.starts_with("max");
  if (!Larger && !Name.starts_with("min"))
    return false;
  StringRef Kind = Name.drop_front(3);
  Type *T = Call.getType(), *Scalar = T->getScalarType();
  bool Fits = (Kind == "pd" && Scalar->isDoubleTy()) || (Kind == "ps" && Scalar->isFloatTy()) ||
              (Kind == "sd" && T->isDoubleTy()) || (Kind == "ss" && T->isFloatTy());
  SmallVector<StringRef, 3> Parts;
  Rest.split(Parts, ',');
  if (!Fits || Parts.size() != (Fused ? 3u : 2u) || Parts.back().trim() != "$0")
    return false;
  auto value = [&](StringRef Part) -> Value * {
    unsigned Number;
    Part = Part.trim();
    if (!Part.consume_front("$") || Part.getAsInteger(10, Number) || Number >= Operands.size())
      return nullptr;
    return Operands[Number].In;
  };
  Value *Second = value(Parts[0]), *First = value(Parts[1]);
  if (!First || !Second || First->getType() != T || Second->getType() != T)
    return false;
  IRBuilder<> B(&Call);
  Value *Take = Larger ? B.CreateFCmpOGT(First, Second) : B.CreateFCmpOLT(First, Second);
  Call.replaceAllUsesWith(B.CreateSelect(Take, First, Second));
  return true;
}

/// Assembly of a GPU, which computes and does nothing else.
static bool lowerForDevice(CallInst &Call, StringRef Text, ArrayRef<AsmOperand> Operands,
                           const Accelerator &Machine) {
  Type *T = Call.getType();
  auto *Record = dyn_cast<StructType>(T);
  SmallVector<AssemblyOperand, 4> All;
  unsigned Results = 0;
  for (const AsmOperand &O : Operands) {
    if (O.Address)
      return false;
    Type *Result = !O.IsResult ? nullptr : Record ? Record->getElementType(Results) : T;
    Results += O.IsResult;
    All.push_back({Result, O.In});
  }
  Function &F = *Call.getFunction();
  BasicBlock *Draft = BasicBlock::Create(F.getContext(), "", &F);
  IRBuilder<> B(Draft);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  auto Said = Machine.readAssembly(B, Text, All);
  if (Said && !Said->empty()) {
    Value *V = Record ? PoisonValue::get(T) : Said->front();
    if (Record)
      for (auto [Number, Each] : enumerate(*Said))
        V = B.CreateInsertValue(V, Each, unsigned(Number));
    Call.getParent()->splice(Call.getIterator(), Draft);
    Call.replaceAllUsesWith(V);
  }
  const bool IsDone = Said && !Said->empty();
  Draft->eraseFromParent();
  return IsDone;
}

void lowerInlineAsm(Function &F) {
  const Accelerator *Machine = acceleratorOf(*F.getParent());
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    if (!Asm || Asm->getDialect() != InlineAsm::AD_ATT)
      continue;
    std::optional<SmallVector<AsmOperand, 4>> Operands = operandsOf(*Call, *Asm);
    if (!Operands)
      continue;
    StringRef Text = StringRef(Asm->getAsmString()).trim();
    bool Nothing = Text.empty() || (Text.starts_with("#") && !Text.contains('\n'));
    if (Nothing   ? lowerFence(*Call, *Operands)
        : Machine ? lowerForDevice(*Call, Text, *Operands, *Machine)
                  : lowerExtremum(*Call, Text, *Operands))
      Call->eraseFromParent();
  }
}

} // namespace isozyme
