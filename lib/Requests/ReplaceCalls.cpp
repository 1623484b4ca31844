//===- ReplaceCalls.cpp - Calls the derivative instead --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a marker call that has been read, and its derivative.  Out: a call of the
// derivative, its result in the form that the user declared.
//
//   %g = call double @__enzyme_autodiff(ptr @f, double %x)
//   =>
//   %0 = call { double } @f.reverse(double %x, double 1.0)
//   %g = extractvalue { double } %0, 0
//
// Never fails: the reader has checked everything.
//
//===----------------------------------------------------------------------===//
#include "ArgumentTypes.h"
#include "ResultLayout.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

namespace {
class CallReplacer {
public:
  CallReplacer(const MarkerCall &M, Function &Derivative)
      : M(M), R(M.Request), Derivative(Derivative), B(M.Call),
        DL(Derivative.getParent()->getDataLayout()) {}

  void replace();

private:
  SmallVector<Value *, 16> arguments();
  void appendParameter(unsigned Param, SmallVectorImpl<Value *> &Args);
  Value *operand(const CallArgument &A, Value *V, Type *To);
  Value *shadow(unsigned Param, unsigned Lane);
  Value *structReturnSlot(unsigned Param, std::optional<unsigned> BufferIndex);
  Value *passByValue(unsigned Param, Value *Pointer, unsigned Position);
  CallBase *createCall(ArrayRef<Value *> Args);
  void useResult(CallBase &New);

  const MarkerCall &M;
  const DiffRequest &R;
  Function &Derivative;
  IRBuilder<> B;
  const DataLayout &DL;
};
} // namespace

/// A derivative of 1 for every float in \p T, in every lane.
static Constant *unitSeed(Type *T) {
  if (auto *S = dyn_cast<StructType>(T)) {
    SmallVector<Constant *, 4> Members;
    for (Type *Member : S->elements())
      Members.push_back(unitSeed(Member));
    return ConstantStruct::get(S, Members);
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    SmallVector<Constant *, 4> Members(A->getNumElements(), unitSeed(A->getElementType()));
    return ConstantArray::get(A, Members);
  }
  return T->isFPOrFPVectorTy() ? ConstantFP::get(T, 1.0) : Constant::getNullValue(T);
}

Value *CallReplacer::operand(const CallArgument &A, Value *V, Type *To) {
  if (A.ByRef && V->getType()->isPointerTy())
    return B.CreateAlignedLoad(To, V, Align(1));
  return convert(B, V, To);
}

/// Memory for what \p Param returns: a part of the user's buffer, or of nobody's interest.
Value *CallReplacer::structReturnSlot(unsigned Param, std::optional<unsigned> BufferIndex) {
  Type *Struct = R.Fn->getParamStructRetType(Param);
  if (BufferIndex && M.ResultBuffer) {
    uint64_t Offset = *BufferIndex * DL.getTypeAllocSize(Struct);
    Value *Part = bytesBehind(B, M.ResultBuffer, Offset);
    return B.CreateAddrSpaceCast(Part, R.Fn->getArg(Param)->getType());
  }
  Value *Slot = createTemporary(B, Struct, R.Fn->getParamAlign(Param), "result.unused");
  return B.CreateAddrSpaceCast(Slot, R.Fn->getArg(Param)->getType());
}

Value *CallReplacer::shadow(unsigned Param, unsigned Lane) {
  const CallArgument &A = M.Arguments[Param];
  Type *Ty = R.Fn->getArg(Param)->getType();
  if (A.Shadows.empty())
    return structReturnSlot(Param, Lane + (M.PrimalInBuffer ? 1 : 0));
  if (!A.Stride)
    // A pointer's shadow is a pointer even if the pointer itself came by address.
    return Ty->isPointerTy() ? convert(B, A.Shadows[Lane], Ty) : operand(A, A.Shadows[Lane], Ty);
  Value *Base = convert(B, A.Shadows[0], Ty);
  if (!Lane)
    return Base;
  Type *IndexTy = DL.getIndexType(Ty);
  Value *Stride = B.CreateSExtOrTrunc(A.Stride, IndexTy);
  Value *Distance = B.CreateMul(Stride, ConstantInt::get(IndexTy, Lane));
  return B.CreatePtrAdd(Base, Distance);
}

/// The callee owns a byval argument, and in forward mode its tangent, which it may
/// overwrite. If the derivative does not take them so, it gets copies made here.
Value *CallReplacer::passByValue(unsigned Param, Value *Pointer, unsigned Position) {
  Type *Pointee = R.Fn->getParamByValType(Param);
  if (!Pointee || Derivative.hasParamAttribute(Position, Attribute::ByVal))
    return Pointer;
  MaybeAlign Alignment = R.Fn->getParamAlign(Param);
  Value *Copy = createTemporary(B, Pointee, Alignment, "byval.copy");
  B.CreateMemCpy(Copy, Alignment, Pointer, MaybeAlign(), DL.getTypeAllocSize(Pointee));
  return B.CreateAddrSpaceCast(Copy, Pointer->getType());
}

void CallReplacer::appendParameter(unsigned Param, SmallVectorImpl<Value *> &Args) {
  const CallArgument &A = M.Arguments[Param];
  Type *Ty = R.Fn->getArg(Param)->getType();
  if (A.Primal) {
    Value *Primal = operand(A, A.Primal, Ty);
    Args.push_back(passByValue(Param, Primal, unsigned(Args.size())));
  } else {
    Args.push_back(structReturnSlot(Param, M.PrimalInBuffer ? std::optional(0u) : std::nullopt));
  }
  if (R.hasShadow(Param))
    for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
      Value *Shadow = shadow(Param, Lane);
      // A reverse sweep leaves the gradient with respect to what the caller passed there.
      Args.push_back(R.isReverse() ? Shadow
                                   : passByValue(Param, Shadow, unsigned(Args.size())));
    }
}

SmallVector<Value *, 16> CallReplacer::arguments() {
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < R.Args.size(); ++I)
    appendParameter(I, Args);
  if (R.isReverse() && R.Return == ReturnActivity::Active)
    while (Args.size() < Derivative.arg_size())
      Args.push_back(unitSeed(Derivative.getArg(Args.size())->getType()));
  assert(Args.size() == Derivative.arg_size() && "the derivative has another signature");
  return Args;
}

/// Creates the call, and leaves the builder where its result may be used.
CallBase *CallReplacer::createCall(ArrayRef<Value *> Args) {
  CallBase *New;
  bool MayThrow = !Derivative.doesNotThrow() && !R.Fn->doesNotThrow();
  if (auto *Invoke = dyn_cast<InvokeInst>(M.Call); Invoke && MayThrow) {
    // The result may be used only where the edge has been taken.
    SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
    BasicBlock *Normal = Invoke->getNormalDest();
    New = B.CreateInvoke(&Derivative, Normal, Invoke->getUnwindDest(), Args);
    B.SetInsertPoint(Normal, Normal->getFirstInsertionPt());
  } else {
    New = B.CreateCall(&Derivative, Args);
  }
  B.SetCurrentDebugLocation(M.Call->getDebugLoc());
  New->setDebugLoc(M.Call->getDebugLoc());
  New->setCallingConv(Derivative.getCallingConv());
  AttributeList Declared = Derivative.getAttributes();
  SmallVector<AttributeSet, 8> Params;
  for (unsigned I = 0; I < Derivative.arg_size(); ++I)
    Params.push_back(Declared.getParamAttrs(I));
  New->setAttributes(AttributeList::get(New->getContext(), {}, Declared.getRetAttrs(), Params));
  return New;
}

void CallReplacer::useResult(CallBase &New) {
  if (M.ResultBuffer && !New.getType()->isVoidTy()) {
    storeResult(B, &New, M.ResultBuffer, M.Call->getParamStructRetType(0));
    return;
  }
  if (M.Call->use_empty())
    return;
  Value *Result = New.getType()->isVoidTy() ? PoisonValue::get(M.Call->getType())
                                            : convertResult(B, &New, M.Call->getType());
  if (!isa<Constant>(Result))
    Result->takeName(M.Call);
  M.Call->replaceAllUsesWith(Result);
}

void CallReplacer::replace() {
  SmallVector<Value *, 16> Args = arguments();
  CallBase *New = createCall(Args);
  useResult(*New);
  SmallVector<WeakTrackingVH, 8> Operands(M.Call->operands());
  if (auto *Invoke = dyn_cast<InvokeInst>(M.Call); Invoke && !isa<InvokeInst>(New)) {
    BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
  }
  M.Call->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
}

void replaceMarkerCall(const MarkerCall &M, Function &Derivative) {
  CallReplacer(M, Derivative).replace();
}

void eraseUnusedMarkers(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.use_empty() && F.isDeclaration() && entryPoint(F.getName()))
      F.eraseFromParent();
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!markerByName(G.getName()) || !(G.isDeclaration() || G.hasLocalLinkage()))
      continue;
    // What is still loaded goes nowhere (a local variable of the user's at -O0).
    for (User *U : make_early_inc_range(G.users()))
      if (auto *Load = dyn_cast<LoadInst>(U); Load && !Load->isVolatile()) {
        Load->replaceAllUsesWith(Constant::getNullValue(Load->getType()));
        Load->eraseFromParent();
      }
    if (G.use_empty())
      G.eraseFromParent();
  }
}

} // namespace isozyme
