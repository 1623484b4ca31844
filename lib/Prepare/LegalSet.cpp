//===- LegalSet.cpp - What a prepared function consists of -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row per opcode, with the condition under which it is legal, and one rule
// for the constants that any instruction may use.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/LegalSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {
using Condition = bool (*)(const Instruction &);

struct LegalRow {
  unsigned Opcode;
  Condition Holds;  ///< Null: always.
  const char *Rule; ///< Said when the condition does not hold.
};
} // namespace

static bool accessesLeaf(const Instruction &I) { return !getLoadStoreType(&I)->isAggregateType(); }

static bool isPlainAlloca(const Instruction &I) {
  auto &Alloca = cast<AllocaInst>(I);
  return !Alloca.isUsedWithInAlloca() && !Alloca.isSwiftError();
}

static bool isPlainCall(const Instruction &I) {
  auto &Call = cast<CallInst>(I);
  if (Call.isTailCall())
    return false;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::stackrestore:
  case Intrinsic::prefetch:
  case Intrinsic::vastart:
    return false;
  default:
    return true;
  }
}

static constexpr char LeafRule[] = "structs and arrays are accessed leaf by leaf";

// clang-format off
static constexpr LegalRow LegalSet[] = {
    // Control.
    {Instruction::Ret,            nullptr, ""}, // exactly one: see verifyPrepared
    {Instruction::Br,             nullptr, ""},
    {Instruction::Switch,         nullptr, ""},
    {Instruction::Unreachable,    nullptr, ""},
    // Float arithmetic.
    {Instruction::FNeg,           nullptr, ""},
    {Instruction::FAdd,           nullptr, ""},
    {Instruction::FSub,           nullptr, ""},
    {Instruction::FMul,           nullptr, ""},
    {Instruction::FDiv,           nullptr, ""},
    {Instruction::FRem,           nullptr, ""},
    // Index and bit arithmetic.
    {Instruction::Add,            nullptr, ""},
    {Instruction::Sub,            nullptr, ""},
    {Instruction::Mul,            nullptr, ""},
    {Instruction::UDiv,           nullptr, ""},
    {Instruction::SDiv,           nullptr, ""},
    {Instruction::URem,           nullptr, ""},
    {Instruction::SRem,           nullptr, ""},
    {Instruction::Shl,            nullptr, ""},
    {Instruction::LShr,           nullptr, ""},
    {Instruction::AShr,           nullptr, ""},
    {Instruction::And,            nullptr, ""},
    {Instruction::Or,             nullptr, ""},
    {Instruction::Xor,            nullptr, ""},
    // Memory.
    {Instruction::Alloca,         isPlainAlloca, "no inalloca or swifterror memory"},
    {Instruction::Load,           accessesLeaf, LeafRule},
    {Instruction::Store,          accessesLeaf, LeafRule},
    {Instruction::GetElementPtr,  nullptr, ""},
    {Instruction::Fence,          nullptr, ""},
    {Instruction::AtomicCmpXchg,  nullptr, ""},
    {Instruction::AtomicRMW,      nullptr, ""},
    // Casts.
    {Instruction::Trunc,          nullptr, ""},
    {Instruction::ZExt,           nullptr, ""},
    {Instruction::SExt,           nullptr, ""},
    {Instruction::FPToUI,         nullptr, ""},
    {Instruction::FPToSI,         nullptr, ""},
    {Instruction::UIToFP,         nullptr, ""},
    {Instruction::SIToFP,         nullptr, ""},
    {Instruction::FPTrunc,        nullptr, ""},
    {Instruction::FPExt,          nullptr, ""},
    {Instruction::PtrToInt,       nullptr, ""},
    {Instruction::PtrToAddr,      nullptr, ""},
    {Instruction::IntToPtr,       nullptr, ""},
    {Instruction::BitCast,        nullptr, ""},
    {Instruction::AddrSpaceCast,  nullptr, ""},
    // The rest.
    {Instruction::ICmp,           nullptr, ""},
    {Instruction::FCmp,           nullptr, ""},
    {Instruction::PHI,            nullptr, ""},
    {Instruction::Call,           isPlainCall, "no tail calls, no markers for the optimiser"},
    {Instruction::Select,         nullptr, ""},
    {Instruction::ExtractElement, nullptr, ""},
    {Instruction::InsertElement,  nullptr, ""},
    {Instruction::ShuffleVector,  nullptr, ""},
    {Instruction::ExtractValue,   nullptr, ""},
    {Instruction::InsertValue,    nullptr, ""},
    {Instruction::Freeze,         nullptr, ""},
};
// clang-format on

static bool isVariable(const Constant &C) {
  const GlobalObject *Object =
      isa<GlobalValue>(C) ? cast<GlobalValue>(C).getAliaseeObject() : nullptr;
  auto *Variable = dyn_cast_or_null<GlobalVariable>(Object);
  return Variable && !Variable->isConstant();
}

bool hidesVariable(const Constant &C) {
  SmallVector<const Constant *> Work{&C};
  SmallPtrSet<const Constant *, 8> Seen;
  while (!Work.empty()) {
    const Constant *Next = Work.pop_back_val();
    if (!isa<ConstantExpr>(Next) && !isa<ConstantAggregate>(Next))
      continue;
    for (const Use &U : Next->operands()) {
      auto *Operand = cast<Constant>(U.get());
      if (isVariable(*Operand))
        return true;
      if (Seen.insert(Operand).second)
        Work.push_back(Operand);
    }
  }
  return false;
}

StringRef whyIllegal(const Instruction &I) {
  for (const Use &U : I.operands())
    if (auto *C = dyn_cast<Constant>(U.get()); C && hidesVariable(*C))
      return "constants hide no variable";
  for (const LegalRow &Row : LegalSet)
    if (Row.Opcode == I.getOpcode())
      return !Row.Holds || Row.Holds(I) ? "" : Row.Rule;
  return "this instruction is not in the legal set";
}

} // namespace isozyme
