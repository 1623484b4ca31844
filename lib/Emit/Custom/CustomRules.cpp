//===- CustomRules.cpp - Derivatives that the user has written ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a request, and what the signatures of the functions registered for its function mean
// (Requests/RuleShape). Out: adapters with the signature of the request.
//
// What a request holds constant is passed all the same: a float as if it were active, its
// gradient dropped; a tangent of zero; a pointer as its own shadow. With several
// directions the user's functions are called once for each.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/CustomRules.h"
#include "Forward/Dependence.h"
#include "Reverse/Sweeps.h"
#include "isozyme/Emit/Recording.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/ResultLayout.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// The parts of an adapter that are the same for all of them.
class Adapter {
public:
  Adapter(Function &Shell, const DiffRequest &R, const RuleShape &S);

  /// The arguments of the function as the user's function takes them.
  SmallVector<Value *, 16> interleaved(unsigned Lane);
  /// What stands for the shadow of parameter \p I.
  Value *shadowOf(unsigned I, unsigned Lane, const RuleParam &P);
  /// For a constant struct by value: a tangent of zero, or memory for a gradient that is
  /// ignored.
  Value *emptyShadow(unsigned I, Type *Struct);
  /// The result of lane \p Lane goes to where the request wants it: into memory, or to
  /// \p Members.
  void giveResult(Value *Primal, const Lanes &Tangents, SmallVectorImpl<Value *> &Members);
  /// Calls it, and returns the scalars of its result, which is an \p Unpacked in fact.
  SmallVector<Value *, 8> call(Function &Fn, ArrayRef<Value *> Args, Type *Unpacked = nullptr);
  /// Appends the parameters of \p U from number \p First on, made of \p Scalars.
  void appendParams(const UserFunction &U, unsigned First, unsigned Last, ArrayRef<Value *> Scalars,
                    SmallVectorImpl<Value *> &Args);

  Function &Shell;
  const DiffRequest &R;
  const RuleShape &S;
  IRBuilder<> B;
  SmallVector<Value *, 8> Primals;
  SmallVector<Lanes, 8> Shadows;
  SmallVector<Value *, 2> Rest; ///< Seed and tape.
  bool NoShadows = false;       ///< They are not known yet.
};

} // namespace

Adapter::Adapter(Function &Shell, const DiffRequest &R, const RuleShape &S)
    : Shell(Shell), R(R), S(S), B(BasicBlock::Create(Shell.getContext(), "entry", &Shell)) {
  if (R.Fn->isConvergent())
    Shell.setConvergent();
  auto *Next = Shell.arg_begin();
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Primals.push_back(Next++);
    Shadows.emplace_back();
    for (unsigned Lane = 0; R.hasShadow(I) && Lane < R.Width; ++Lane)
      Shadows.back().push_back(Next++);
  }
  while (Next != Shell.arg_end())
    Rest.push_back(Next++);
}

Value *Adapter::emptyShadow(unsigned I, Type *Struct) {
  const DataLayout &DL = Shell.getDataLayout();
  MaybeAlign Alignment = R.Fn->getParamAlign(I);
  Value *Slot = createTemporary(B, Struct, Alignment, "no.shadow");
  B.CreateMemCpy(Slot, Alignment, Primals[I], Alignment, DL.getTypeAllocSize(Struct));
  for (const Leaf &L : leavesOf(Struct, DL))
    if (L.Ty->isFloatingPointTy())
      B.CreateAlignedStore(ConstantFP::getZero(L.Ty), bytesBehind(B, Slot, L.Offset), Align(1));
  return Slot;
}

Value *Adapter::shadowOf(unsigned I, unsigned Lane, const RuleParam &P) {
  if (R.hasShadow(I))
    return Shadows[I][Lane];
  Type *T = Primals[I]->getType();
  if (NoShadows && T->isPointerTy())
    return Constant::getNullValue(T);
  if (P.InMemory)
    return emptyShadow(I, P.InMemory);
  return isFloatLike(T) && !containsPointer(T) ? Constant::getNullValue(T) : Primals[I];
}

SmallVector<Value *, 16> Adapter::interleaved(unsigned Lane) {
  SmallVector<Value *, 16> Args;
  for (const RuleParam &P : S.Params) {
    for (unsigned I = P.First; I < P.First + P.Count; ++I)
      Args.push_back(Primals[I]);
    for (unsigned I = P.First; P.Shadowed && I < P.First + P.Count; ++I)
      Args.push_back(shadowOf(I, Lane, P));
  }
  return Args;
}

/// Stores the scalars of a struct that \p Wanted is true for.
static void storeScalars(IRBuilder<> &B, Value *Struct, Value *Address,
                         function_ref<bool(Type *)> Wanted) {
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  for (auto [L, V] : zip_equal(leavesOf(Struct->getType(), DL), scalarsOf(B, Struct)))
    if (Wanted(L.Ty))
      B.CreateAlignedStore(V, bytesBehind(B, Address, L.Offset), Align(1));
}

void Adapter::giveResult(Value *Primal, const Lanes &Tangents, SmallVectorImpl<Value *> &Members) {
  if (!Primal)
    return;
  if (!S.ReturnsStruct) {
    if (R.Mode != DiffMode::Forward || R.ReturnPrimal)
      Members.push_back(Primal);
    if (R.Return == ReturnActivity::Dup)
      Members.push_back(joinLanes(B, Tangents));
    return;
  }
  storeScalars(B, Primal, Primals[0], [](Type *) { return true; });
  // In reverse mode the floats of the shadow are the caller's seed.
  for (unsigned Lane = 0; R.hasShadow(0) && Lane < Tangents.size(); ++Lane)
    storeScalars(B, Tangents[Lane], Shadows[0][Lane],
                 [&](Type *T) { return R.Mode == DiffMode::Forward || !T->isFloatingPointTy(); });
}

SmallVector<Value *, 8> Adapter::call(Function &Fn, ArrayRef<Value *> Args, Type *Unpacked) {
  UserFunction U(Fn);
  SmallVector<Value *, 16> All;
  Value *Buffer = nullptr;
  if (U.FirstParam) {
    Buffer = createTemporary(B, U.Result, Fn.getParamAlign(0), "result");
    All.push_back(Buffer);
  }
  append_range(All, Args);
  CallInst *Call = B.CreateCall(&Fn, All);
  Call->setCallingConv(Fn.getCallingConv());
  // How arguments are passed is said at the call as well.
  SmallVector<AttributeSet, 8> Params;
  for (unsigned I = 0; I < Fn.arg_size(); ++I)
    Params.push_back(Fn.getAttributes().getParamAttrs(I));
  Call->setAttributes(
      AttributeList::get(Fn.getContext(), {}, Fn.getAttributes().getRetAttrs(), Params));
  if (!U.Result)
    return {};
  Value *Result = Buffer ? B.CreateLoad(U.Result, Buffer) : static_cast<Value *>(Call);
  if (Unpacked)
    Result = convertResult(B, Result, Unpacked, ResultMatch::ByMemory);
  return scalarsOf(B, Result);
}

void Adapter::appendParams(const UserFunction &U, unsigned First, unsigned Last,
                           ArrayRef<Value *> Scalars, SmallVectorImpl<Value *> &Args) {
  for (unsigned I = First; I < Last; ++I) {
    unsigned Count = U.param(I).size();
    Type *ByValue = U.Fn.getParamByValType(I);
    Value *V =
        fromScalars(B, ByValue ? ByValue : U.Fn.getArg(I)->getType(), Scalars.take_front(Count));
    Scalars = Scalars.drop_front(Count);
    if (ByValue) {
      Value *Slot = createTemporary(B, ByValue, U.Fn.getParamAlign(I), "by.value");
      B.CreateStore(V, Slot);
      V = Slot;
    }
    Args.push_back(V);
  }
}

Type *customTape(const DiffRequest &R, const RuleShape &S) {
  if (S.Tape.empty())
    return nullptr;
  return laneType(StructType::get(R.Fn->getContext(), S.Tape), R.Width);
}

void emitCustomAugment(Function &Shell, const DiffRequest &R, const RuleShape &S) {
  Adapter A(Shell, R, S);
  Value *Primal = nullptr;
  Lanes ResultShadows, Tapes;
  unsigned Count = S.Result ? leavesOf(S.Result, Shell.getDataLayout()).size() : 0;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    SmallVector<Value *, 8> Given =
        A.call(*customRules(*R.Fn).Augment, A.interleaved(Lane), S.Unpacked);
    ArrayRef<Value *> All = Given;
    if (Count && !Primal)
      Primal = fromScalars(A.B, S.Result, All.slice(S.ResultAt, Count));
    if (Count)
      ResultShadows.push_back(
          S.HasShadow ? fromScalars(A.B, S.Result, All.slice(S.ResultAt + Count, Count)) : Primal);
    if (!S.Tape.empty())
      Tapes.push_back(
          fromScalars(A.B, StructType::get(A.B.getContext(), S.Tape), All.take_front(S.ResultAt)));
  }
  SmallVector<Value *, 3> Members;
  A.giveResult(Primal, ResultShadows, Members);
  if (!Tapes.empty())
    Members.push_back(joinLanes(A.B, Tapes));
  createReturn(A.B, Members);
}

/// The seeds of a result that the user's functions return; they are used up.
static Lanes seedsFor(Adapter &A) {
  Type *Result = A.S.Result;
  if (A.S.ReturnsStruct && A.R.hasShadow(0)) {
    Lanes Seeds;
    for (Value *Shadow : A.Shadows[0]) {
      Seeds.push_back(A.B.CreateAlignedLoad(Result, Shadow, Align(1), "seed"));
      storeScalars(A.B, Constant::getNullValue(Result), Shadow,
                   [](Type *T) { return T->isFloatingPointTy(); });
    }
    return Seeds;
  }
  if (A.R.Return == ReturnActivity::Active)
    return splitLanes(A.B, A.Rest.front(), A.R.Width);
  return Lanes(A.R.Width, Constant::getNullValue(Result));
}

/// Hands the gradients that a call has returned to \p Gradients, by parameter, or adds them
/// to shadows of structs.
static void giveGradients(Adapter &A, ArrayRef<Value *> Left, unsigned Lane,
                          MutableArrayRef<Lanes> Gradients) {
  const DataLayout &DL = A.Shell.getDataLayout();
  for (const RuleParam &P : A.S.Params)
    for (unsigned I = P.First; P.Seeded && I < P.First + P.Count; ++I) {
      Type *T = P.InMemory ? P.InMemory : A.Primals[I]->getType();
      SmallVector<Value *, 8> Own;
      for (const Leaf &L : leavesOf(T, DL)) {
        bool Given = L.Ty->isFloatingPointTy() || A.S.GradientsOfIntegers;
        Own.push_back(Given ? Left.front() : Constant::getNullValue(L.Ty));
        Left = Left.drop_front(Given);
        if (!P.InMemory || !A.R.hasShadow(I) || !L.Ty->isFloatingPointTy())
          continue;
        Value *At = bytesBehind(A.B, A.Shadows[I][Lane], L.Offset);
        Value *Old = A.B.CreateAlignedLoad(L.Ty, At, Align(1));
        A.B.CreateAlignedStore(A.B.CreateFAdd(Old, Own.back()), At, Align(1));
      }
      if (!P.InMemory && A.R.Args[I] == ArgActivity::Active)
        Gradients[I].push_back(fromScalars(A.B, T, Own));
    }
}

void emitCustomFromTape(Function &Shell, const DiffRequest &R, const RuleShape &S) {
  Adapter A(Shell, R, S);
  UserFunction U(*customRules(*R.Fn).Reverse);
  Lanes Seeds, Tapes;
  if (S.TakesSeed)
    Seeds = seedsFor(A);
  if (!S.Tape.empty())
    Tapes = splitLanes(A.B, A.Rest.back(), R.Width);
  SmallVector<Lanes, 8> Gradients(R.Args.size());
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    SmallVector<Value *, 16> Args = A.interleaved(Lane);
    unsigned Next = U.FirstParam + unsigned(Args.size());
    if (S.TakesSeed)
      A.appendParams(U, Next, S.TapeParam, scalarsOf(A.B, Seeds[Lane]), Args);
    SmallVector<Value *, 8> Tape; // Its parameter may be an empty struct.
    if (!S.Tape.empty())
      Tape = scalarsOf(A.B, Tapes[Lane]);
    else if (S.TapeIsNull)
      Tape.push_back(Constant::getNullValue(U.Fn.getArg(S.TapeParam)->getType()));
    A.appendParams(U, S.TapeParam, unsigned(U.Fn.arg_size()), Tape, Args);
    giveGradients(A, A.call(U.Fn, Args), Lane, Gradients);
  }
  SmallVector<Value *, 4> Members;
  for (const Lanes &L : Gradients)
    if (!L.empty())
      Members.push_back(joinLanes(A.B, L));
  createReturn(A.B, Members);
}

/// Each result depends on each argument.
static void emitCustomDependence(Function &Shell, const DiffRequest &R, const RuleShape &S) {
  Function &User = *customRules(*R.Fn).Forward;
  Type *Ret = R.Fn->getReturnType();
  Adapter A(Shell, R, S);
  Lanes Masks(R.Width, ConstantFP::getZero(A.B.getDoubleTy()));
  for (unsigned Arg = 0; Arg < A.Shadows.size(); ++Arg)
    for (unsigned Lane = 0; Lane < A.Shadows[Arg].size(); ++Lane) {
      for (Value *Mask : scalarsOf(A.B, A.Shadows[Arg][Lane]))
        Masks[Lane] = uniteMasks(A.B, Masks[Lane], convertMask(A.B, Mask, A.B.getDoubleTy()));
      A.Shadows[Arg][Lane] = Constant::getNullValue(A.Primals[Arg]->getType());
    }
  SmallVector<Value *, 8> Given = A.call(User, A.interleaved(0));
  SmallVector<Leaf, 8> Leaves;
  if (!Ret->isVoidTy())
    Leaves = leavesOf(Ret, Shell.getDataLayout());
  SmallVector<Value *, 2> Members;
  if (R.ReturnPrimal)
    Members.push_back(fromScalars(A.B, Ret, ArrayRef(Given).take_front(Leaves.size())));
  Lanes Tangents;
  for (unsigned Lane = 0; R.Return == ReturnActivity::Dup && Lane < R.Width; ++Lane) {
    SmallVector<Value *, 8> Depends;
    for (const Leaf &L : Leaves)
      Depends.push_back(convertMask(A.B, Masks[Lane], L.Ty));
    Tangents.push_back(fromScalars(A.B, Ret, Depends));
  }
  if (!Tangents.empty())
    Members.push_back(joinLanes(A.B, Tangents));
  createReturn(A.B, Members);
}

void emitCustomForward(Function &Shell, const DiffRequest &R, const RuleShape &S) {
  if (R.Dependence)
    return emitCustomDependence(Shell, R, S);
  Adapter A(Shell, R, S);
  Value *Primal = nullptr;
  Lanes Tangents;
  unsigned Count = S.Result ? leavesOf(S.Result, Shell.getDataLayout()).size() : 0;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    SmallVector<Value *, 8> Given = A.call(*customRules(*R.Fn).Forward, A.interleaved(Lane));
    ArrayRef<Value *> All = Given;
    if (Count && !Primal)
      Primal = fromScalars(A.B, S.Result, All.take_front(Count));
    if (S.HasTangent)
      Tangents.push_back(fromScalars(A.B, S.Result, All.drop_front(Count)));
  }
  SmallVector<Value *, 2> Members;
  A.giveResult(Primal, Tangents, Members);
  createReturn(A.B, Members);
}

void emitCustomRecording(Function &Shell, const DiffRequest &R, const RuleShape &Both) {
  RuleShape S = Both;
  S.Params = S.FirstParams;
  Adapter A(Shell, R, S);
  A.NoShadows = true;
  SmallVector<Value *, 8> Given =
      A.call(*customRules(*R.Fn).SplitAugment, A.interleaved(0), S.Unpacked);
  ArrayRef<Value *> All = Given;
  if (!S.Tape.empty())
    writeToRecord(
        A.B, A.Rest.back(),
        fromScalars(A.B, StructType::get(A.B.getContext(), S.Tape), All.take_front(S.ResultAt)));
  if (!S.Result) {
    A.B.CreateRetVoid();
    return;
  }
  Value *Primal = fromScalars(A.B, S.Result, All.drop_front(S.ResultAt));
  SmallVector<Value *, 1> Members;
  A.giveResult(Primal, {}, Members);
  if (Members.empty()) {
    A.B.CreateRetVoid();
    return;
  }
  writeToRecord(A.B, A.Rest.back(), Primal);
  A.B.CreateRet(Primal);
}

void emitCustomReplay(Function &Shell, const DiffRequest &R, const RuleShape &S) {
  Adapter A(Shell, R, S);
  UserFunction U(*customRules(*R.Fn).SplitForward);
  Value *Record = A.Rest.back();
  A.B.CreateCall(recordRewind(*Shell.getParent()), {Record});
  SmallVector<Value *, 8> Tape;
  if (!S.Tape.empty())
    Tape = scalarsOf(A.B, readFromRecord(A.B, Record, StructType::get(A.B.getContext(), S.Tape)));
  else if (S.TapeIsNull)
    Tape.push_back(Constant::getNullValue(U.Fn.getArg(S.TapeParam)->getType()));
  SmallVector<Value *, 2> Members;
  if (R.ReturnPrimal)
    Members.push_back(readFromRecord(A.B, Record, R.Fn->getReturnType()));
  Lanes Tangents;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    SmallVector<Value *, 16> Args = A.interleaved(Lane);
    A.appendParams(U, S.TapeParam, unsigned(U.Fn.arg_size()), Tape, Args);
    SmallVector<Value *, 8> Given = A.call(U.Fn, Args);
    if (!S.HasTangent)
      continue;
    Tangents.push_back(fromScalars(A.B, S.Result, Given));
    if (S.ReturnsStruct && R.hasShadow(0))
      storeScalars(A.B, Tangents.back(), A.Shadows[0][Lane], [](Type *) { return true; });
  }
  if (R.Return == ReturnActivity::Dup)
    Members.push_back(joinLanes(A.B, Tangents));
  createReturn(A.B, Members);
}

void emitCombined(Function &Shell, const DiffRequest &R, const SplitPair &Pair) {
  IRBuilder<> B(BasicBlock::Create(Shell.getContext(), "entry", &Shell));
  SmallVector<Value *, 16> Args(llvm::make_pointer_range(Shell.args()));
  SmallVector<Value *, 16> First = Args;
  if (R.Return == ReturnActivity::Active)
    First.pop_back();
  CallInst *Both = B.CreateCall(Pair.Augment, First);
  SmallVector<Value *, 4> Members;
  if (R.ReturnPrimal)
    Members.push_back(B.CreateExtractValue(Both, 0));
  if (Pair.Tape)
    Args.push_back(B.CreateExtractValue(Both, Both->getType()->getStructNumElements() - 1));
  CallInst *Gradients = B.CreateCall(Pair.FromTape, Args);
  if (!Gradients->getType()->isVoidTy())
    for (unsigned I = 0; I < Gradients->getType()->getStructNumElements(); ++I)
      Members.push_back(B.CreateExtractValue(Gradients, I));
  createReturn(B, Members);
}

} // namespace isozyme
