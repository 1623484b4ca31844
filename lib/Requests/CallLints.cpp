//===- CallLints.cpp - Calls that are legal and hardly meant --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/CallLints.h"
#include "ArgumentTypes.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// malloc and the like, whose memory holds anything.
static bool isUninitializedAllocation(const Value *V) {
  auto *Call = dyn_cast<CallBase>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && is_contained({"malloc", "_Znwm", "_Znam", "aligned_alloc"}, F->getName());
}

/// Does nobody but readers and requests for derivatives get hold of \p Object?
static bool isNeverWritten(const Value *Object) {
  SmallVector<const Value *, 8> Work = {Object};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty())
    for (const Use &U : Work.pop_back_val()->uses()) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      if (!I)
        return false;
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(I)) {
        if (Seen.insert(I).second)
          Work.push_back(I);
        continue;
      }
      auto *Call = dyn_cast<CallBase>(I);
      bool Reads = isa<LoadInst, ICmpInst>(I) ||
                   (Call && (isa<LifetimeIntrinsic, DbgInfoIntrinsic>(I) ||
                             calledEntryPoint(*Call) ||
                             (Call->isArgOperand(&U) &&
                              (Call->onlyReadsMemory(Call->getArgOperandNo(&U)) ||
                               (Call->getCalledFunction() &&
                                Call->getCalledFunction()->getName() == "free")))));
      if (!Reads)
        return false;
    }
  return true;
}

/// The value that a variable without optimisation holds, if it is set once.
static const Value *throughVariable(const Value *V) {
  V = V->stripPointerCasts();
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Variable = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  const Value *Stored = nullptr;
  if (!Variable)
    return V;
  for (const User *U : Variable->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && Store->getPointerOperand() == Variable && !Stored)
      Stored = Store->getValueOperand();
    else if (!isa<LoadInst, LifetimeIntrinsic>(U))
      return V;
  }
  return Stored ? Stored->stripPointerCasts() : V;
}

/// The bytes of the array, or of the allocation, that \p V is the start of. Memory that is
/// reached in another way may be a part of something larger.
static std::optional<uint64_t> sizeOfArray(const Value *V, const DataLayout &DL) {
  V = throughVariable(V);
  auto *Variable = dyn_cast<AllocaInst>(V);
  auto *Global = dyn_cast<GlobalVariable>(V);
  Type *Whole = Variable ? Variable->getAllocatedType() : Global ? Global->getValueType() : nullptr;
  if (Whole && !(Whole->isArrayTy() && isFloatLike(Whole)))
    return std::nullopt;
  // An object of a class is made by another `new`; its shadow may lack what holds no numbers.
  auto *Call = dyn_cast<CallBase>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  if (!Whole && !(F && makesArrays(*F)))
    return std::nullopt;
  uint64_t Size;
  if (!getObjectSize(V, Size, DL, /*TLI=*/nullptr))
    return std::nullopt;
  return Size;
}

/// Why memory cannot take what the call adds to it; empty if nothing is known against it.
static std::string unfitness(const MarkerCall &M, unsigned Param, const Value *Shadow) {
  const DiffRequest &R = M.Request;
  const CallArgument &A = M.Arguments[Param];
  const DataLayout &DL = M.Call->getModule()->getDataLayout();
  auto isNull = [](const Value *V) {
    auto *C = dyn_cast<Constant>(throughVariable(V));
    return C && C->isNullValue() && (C->getType()->isPointerTy() || C->getType()->isIntegerTy());
  };
  if (!R.Fn->getArg(Param)->getType()->isPointerTy() || A.ByRef)
    return "";
  if (isNull(Shadow))
    return isNull(A.Primal) ? "" : "is a null pointer";
  if (!Shadow->getType()->isPointerTy())
    return "";
  auto *Global = dyn_cast<GlobalVariable>(getUnderlyingObject(throughVariable(Shadow)));
  if (Global && Global->isConstant() && R.isReverse())
    return ("is the constant '" + Global->getName() + "', which cannot be written").str();
  std::optional<uint64_t> Has = sizeOfArray(Shadow, DL), Wanted = sizeOfArray(A.Primal, DL);
  if (!Has || !Wanted || *Has >= *Wanted || A.Stride)
    return "";
  return "has " + std::to_string(*Has) + " bytes, and the argument itself " +
         std::to_string(*Wanted);
}

static void lintShadow(const MarkerCall &M, unsigned Param, const Value *Shadow) {
  const DiffRequest &R = M.Request;
  const Value *Primal = M.Arguments[Param].Primal;
  if (std::string Why = Primal ? unfitness(M, Param, Shadow) : ""; !Why.empty()) {
    warn(DiagId::ShadowUnfit, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) + " " + Why +
             "; pass memory of the same layout as the argument's, or mark it with 'enzyme_const'");
    return;
  }
  if (!Shadow->getType()->isPointerTy() || !Primal)
    return;
  if (throughVariable(Primal) == throughVariable(Shadow) &&
      R.checkOf(Param) == ShadowCheck::None && !isa<ConstantPointerNull>(Primal)) {
    warn(DiagId::ShadowIsPrimal, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) +
             " is the memory of the argument itself: derivatives and values would overwrite each "
             "other; pass memory of its own, or mark it with 'enzyme_const'");
    return;
  }
  const Value *Object = getUnderlyingObject(throughVariable(Shadow));
  bool Fresh = isa<AllocaInst>(Object) || isUninitializedAllocation(Object);
  if (R.isReverse() && R.Mode != DiffMode::FromTape && Fresh && isNeverWritten(Object))
    warn(DiagId::ShadowUninitialized, Place(*M.Call),
         "nothing is written to the shadow of " + describeParameter(*R.Fn, Param) +
             " before the call, which adds to it; set it to zero first");
}

static bool isZero(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  return C && C->isNullValue() && isFloatLike(C->getType());
}

/// All that the derivative starts from is zero.
static bool startsFromZero(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  if (R.Mode == DiffMode::FromTape && R.Return == ReturnActivity::Active)
    return !M.Seed.Values.empty() && !M.Seed.InMemory && all_of(M.Seed.Values, isZero) &&
           none_of(R.Args, [](ArgActivity A) { return A == ArgActivity::Dup; });
  if (R.Mode != DiffMode::Forward)
    return false;
  bool Any = false;
  for (const CallArgument &A : M.Arguments)
    for (const Value *Tangent : A.Shadows) {
      Any = true;
      if (!isZero(Tangent))
        return false;
    }
  return Any;
}

/// Gradients are returned, and that is all that comes of the call.
static bool isIgnored(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  bool Returned = is_contained(R.Args, ArgActivity::Active);
  bool InMemory = any_of(M.Arguments, [](const CallArgument &A) { return !A.Shadows.empty(); });
  return (R.Mode == DiffMode::Reverse || R.Mode == DiffMode::FromTape) && Returned && !InMemory &&
         !M.ResultBuffer && M.Call->use_empty();
}

/// Gradients of numbers by a function whose result has no derivative, and that has no shadows.
static bool startsFromNothing(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  return R.Mode == DiffMode::Reverse && R.Return == ReturnActivity::Const &&
         !isFloatLike(R.Fn->getReturnType()) &&
         is_contained(R.Args, ArgActivity::Active) &&
         none_of(M.Arguments, [](const CallArgument &A) { return !A.Shadows.empty(); });
}

void lintCall(const MarkerCall &M) {
  if (M.SizeOnly)
    return;
  for (auto [Param, Argument] : enumerate(M.Arguments))
    for (const Value *Shadow : Argument.Shadows)
      lintShadow(M, unsigned(Param), Shadow);
  bool Ignored = isIgnored(M);
  // Both together release a tape that is not needed any more.
  if (Ignored && M.Request.Mode == DiffMode::FromTape && startsFromZero(M))
    return;
  if (startsFromZero(M))
    warn(DiagId::ZeroSeed, Place(*M.Call),
         M.Request.Mode == DiffMode::Forward
             ? "all derivatives that the call starts from are zero, and so are all that it gives; "
               "pass 1 for the argument to differentiate by"
             : "the seed is zero, and so are all derivatives; pass 1 for the gradient itself");
  if (startsFromNothing(M))
    warn(DiagId::ZeroSeed, Place(*M.Call),
         "all gradients are zero: the result of " + describeFunction(*M.Request.Fn) +
             " has no derivative, and no argument has a shadow; return a floating-point number, or "
             "write the result to memory that has a shadow");
  if (Ignored)
    warn(DiagId::GradientIgnored, Place(*M.Call),
         "the call returns the gradient, and nothing uses it; declare the call to return it, or "
         "pass pointers and their shadows");
}

} // namespace isozyme
