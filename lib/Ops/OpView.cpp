//===- OpView.cpp - Recognise one operation --------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says, for one instruction, what differentiation has to know about it: its
// class, its row in the rule table, and the operands in the order of that row.
//
// In: an instruction, TargetLibraryInfo.  Out: OpView.
// Never: asks whether anything is active, or what integers hold (bits of floats
// inside integers are found by type analysis).
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/OpView.h"
#include "isozyme/Ops/ComplexCalls.h"
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Values/AtomicBits.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

namespace {

OpView plain(OpClass Class) {
  OpView V;
  V.Class = Class;
  return V;
}

OpView arithmetic(const Instruction &I, Op Id) {
  OpView V;
  V.Class = OpClass::Elementwise;
  V.Id = Id;
  V.Operands.append(I.op_begin(), I.op_end());
  return V;
}

/// A recognised math function, called with the signature its row says.
OpView mathCall(const CallBase &CB, Op Id, MathFamily Family, FloatSuffix Suffix) {
  const OpInfo &Info = opInfo(Id);
  OpView V;
  V.Class = Info.K == OpInfo::ZeroFunction ? OpClass::Zero : OpClass::Elementwise;
  V.Id = Id;
  V.Family = Family;
  V.Suffix = Suffix;
  if (Family != MathFamily::Intrinsic)
    V.Callee = CB.getCalledFunction();
  V.Operands.append(CB.arg_begin(), CB.arg_begin() + numOperands(Info.Sig));
  if (Id == Op::Modf) {
    V.WritesZeroTo = CB.getArgOperand(1);
    V.WrittenType = CB.getType();
  }
  return V;
}

bool isIntegerOnly(const Type *T) {
  if (const auto *S = dyn_cast<StructType>(T))
    return all_of(S->elements(), isIntegerOnly);
  return T->isIntOrIntVectorTy();
}

OpView viewOfIntrinsic(const CallBase &CB, Intrinsic::ID Id) {
  if (Op O = opOfIntrinsic(Id); O != Op::None)
    return mathCall(CB, O, MathFamily::Intrinsic, FloatSuffix::None);
  if (isInactiveIntrinsic(Id))
    return plain(OpClass::KnownInactive);
  switch (Id) {
  case Intrinsic::vector_reduce_fadd:
    return plain(OpClass::Structural);
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::is_fpclass:
    return plain(OpClass::Zero);
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
    return plain(OpClass::Memory);
  default:
    break;
  }
  // Prepare leaves the exponent only, an integer: llvm.frexp's fraction becomes an ldexp.
  if (Id == Intrinsic::frexp && all_of(CB.users(), [](const User *U) {
        const auto *E = dyn_cast<ExtractValueInst>(U);
        return E && E->getIndices()[0] == 1;
      }))
    return plain(OpClass::Zero);
  // umin, ctpop, uadd.with.overflow, vector.reduce.add, ... What other threads are handed may be
  // the bits of a float.
  if (CB.doesNotAccessMemory() && !CB.isConvergent() && isIntegerOnly(CB.getType()) &&
      all_of(CB.args(), [](const Use &A) { return isIntegerOnly(A->getType()); }))
    return plain(OpClass::Zero);
  return plain(OpClass::Opaque);
}

bool isBulkMemoryFunction(const Function &F, const TargetLibraryInfo &TLI) {
  LibFunc LF;
  return F.isDeclaration() && TLI.getLibFunc(F, LF) &&
         (LF == LibFunc_memcpy || LF == LibFunc_memmove || LF == LibFunc_memset);
}

std::optional<MathName> mathFunction(const CallBase &CB) {
  const Function *Callee = CB.getCalledFunction();
  if (!Callee || Callee->getFunctionType() != CB.getFunctionType())
    return std::nullopt;
  return mathFunctionOf(*Callee);
}

bool isStandIn(const Function &F) { return F.getName().starts_with(opName(Op::StandIn)); }

OpView viewOfCall(const CallBase &CB, const TargetLibraryInfo &TLI) {
  if (CB.isInlineAsm())
    return plain(OpClass::Opaque);
  const Function *Callee = CB.getCalledFunction();
  if (Callee && Callee->isIntrinsic())
    return viewOfIntrinsic(CB, Callee->getIntrinsicID());
  if (exchangedBy(CB) != Intrinsic::not_intrinsic)
    return plain(OpClass::Structural);
  if (freedPointer(CB, TLI))
    return plain(OpClass::Free);
  if (isAllocation(CB, TLI))
    return plain(OpClass::Allocate);
  if (isKnownInactive(CB))
    return plain(OpClass::KnownInactive);
  if (!Callee)
    return plain(isUnlisted(CB) ? OpClass::Unlisted : OpClass::Call);
  if (std::optional<MathName> Name = complexFunctionName(*Callee))
    return mathCall(CB, Name->Id, Name->Family, Name->Suffix);
  if (isSignedLogGamma(CB))
    return plain(OpClass::Zero);
  if (isStandIn(*Callee)) {
    OpView V = plain(OpClass::Elementwise);
    V.Id = Op::StandIn;
    V.Operands.push_back(CB.getArgOperand(0)); // The other has no part in the derivative.
    return V;
  }
  if (isBulkMemoryFunction(*Callee, TLI))
    return plain(OpClass::Memory);
  if (std::optional<MathName> Name = mathFunction(CB))
    return mathCall(CB, Name->Id, Name->Family, Name->Suffix);
  return plain(OpClass::Call);
}

OpView viewOfAtomic(const AtomicRMWInst &I) {
  // Others would need the old value's derivative too.
  return plain(I.getOperation() == AtomicRMWInst::FAdd || I.getOperation() == AtomicRMWInst::FSub ||
                       isAtomicExtremum(I)
                   ? OpClass::Memory
                   : OpClass::Opaque);
}

} // namespace

OpView viewOf(const Instruction &I, const TargetLibraryInfo &TLI) {
  switch (I.getOpcode()) {
#define ARITH_OP(ID, NAME, SIGNATURE, OPCODE, FINITENESS, WORK, DOMAIN)                            \
  case Instruction::OPCODE:                                                                        \
    return arithmetic(I, Op::ID);
#include "isozyme/Ops/MathOps.def"
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::ICmp:
  case Instruction::FCmp:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::FPToUI:
  case Instruction::FPToSI:
  case Instruction::UIToFP:
  case Instruction::SIToFP:
    return plain(OpClass::Zero);
  case Instruction::Select:
  case Instruction::PHI:
  case Instruction::Freeze:
  case Instruction::BitCast:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return plain(OpClass::Structural);
  case Instruction::Alloca:
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::GetElementPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
    return plain(OpClass::Memory);
  case Instruction::AtomicRMW:
    return viewOfAtomic(cast<AtomicRMWInst>(I));
  case Instruction::Fence:
    return plain(OpClass::KnownInactive);
  case Instruction::Br:
  case Instruction::Switch:
  case Instruction::Ret:
  case Instruction::Unreachable:
    return plain(OpClass::Control);
  case Instruction::Call:
  case Instruction::Invoke:
    return viewOfCall(cast<CallBase>(I), TLI);
  default:
    return plain(OpClass::Opaque);
  }
}

Function *standInFunction(Module &M, Type *Float) {
  std::string Name = opName(Op::StandIn).str() + ".";
  raw_string_ostream(Name) << *Float;
  if (Function *F = M.getFunction(Name))
    return F;
  auto *F = Function::Create(FunctionType::get(Float, {Float, Float}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(MemoryEffects::none());
  F->addFnAttr(Attribute::AlwaysInline);
  ReturnInst::Create(M.getContext(), F->getArg(1), BasicBlock::Create(M.getContext(), "", F));
  return F;
}

std::optional<MathName> mathFunctionOf(const Function &F) {
  StringRef Like = markedLike(F);
  if (Like.empty() && !F.isDeclaration())
    return std::nullopt;
  std::optional<MathName> Name = parseMathName(Like.empty() ? F.getName() : Like);
  if (!Name || (Name->NeedsMark && Like.empty()))
    return std::nullopt;
  const Signature Sig = opInfo(Name->Id).Sig;
  const FunctionType *Type = F.getFunctionType();
  const unsigned FloatParam = isIntOperand(Sig, 0) ? 1 : 0;
  if (Type->getNumParams() <= FloatParam)
    return std::nullopt;
  const llvm::Type *Float = Type->getParamType(FloatParam);
  if (!signatureFits(Type, Sig, Float))
    return std::nullopt;
  if (suffixFits(Name->Suffix, Name->Family, Float))
    return Name;
  // A float function that is like log1p is like log1pf.
  if (Like.empty() || !Float->isFloatingPointTy())
    return std::nullopt;
  return MathName{Name->Id, MathFamily::Libm, FloatSuffix::None};
}

bool isSignedLogGamma(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  const auto *Pair = dyn_cast<StructType>(Call.getType());
  return Callee && Callee->isDeclaration() && Callee->getName() == "logabsgamma" && Pair &&
         Pair->getNumElements() == 2 && Call.arg_size() == 1 &&
         Pair->getElementType(0) == Call.getArgOperand(0)->getType() &&
         Pair->getElementType(0)->isFloatingPointTy() && Pair->getElementType(1)->isIntegerTy();
}

Op mathOpOf(const Instruction &I) {
  switch (I.getOpcode()) {
#define ARITH_OP(ID, NAME, SIGNATURE, OPCODE, FINITENESS, WORK, DOMAIN)                            \
  case Instruction::OPCODE:                                                                        \
    return Op::ID;
#include "isozyme/Ops/MathOps.def"
  case Instruction::Call:
  case Instruction::Invoke: {
    const auto &CB = cast<CallBase>(I);
    Op Id = opOfIntrinsic(CB.getIntrinsicID());
    if (const Function *Callee = CB.getCalledFunction(); Callee && Id == Op::None)
      if (std::optional<MathName> Name = complexFunctionName(*Callee))
        Id = Name->Id;
    if (Id == Op::None)
      if (std::optional<MathName> Name = mathFunction(CB))
        Id = Name->Id;
    return Id == Op::None ? Op::Opaque : Id;
  }
  default:
    return Op::Opaque;
  }
}

raw_ostream &operator<<(raw_ostream &OS, OpClass C) {
  switch (C) {
  case OpClass::Elementwise:
    return OS << "elementwise";
  case OpClass::Zero:
    return OS << "zero";
  case OpClass::Structural:
    return OS << "structural";
  case OpClass::Memory:
    return OS << "memory";
  case OpClass::Allocate:
    return OS << "allocate";
  case OpClass::Free:
    return OS << "free";
  case OpClass::KnownInactive:
    return OS << "known inactive";
  case OpClass::Control:
    return OS << "control";
  case OpClass::Call:
    return OS << "call";
  case OpClass::Unlisted:
    return OS << "unlisted";
  case OpClass::Opaque:
    return OS << "opaque";
  }
  llvm_unreachable("unknown class");
}

void printOpView(const OpView &V, raw_ostream &OS) {
  OS << V.Class;
  if (V.Id != Op::Opaque)
    OS << ' ' << opName(V.Id) << '/' << V.Operands.size();
  if (V.WritesZeroTo)
    OS << " writes zero";
}

} // namespace isozyme
