//===- BatchCalls.cpp - A function for several values at once -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   __enzyme_batch(f, enzyme_width, 2, enzyme_vector, x0, x1, enzyme_scalar, y)
//   => { f(x0, y), f(x1, y) }
//
// The lanes run one after the other, each as the user wrote the function, whatever its
// control flow; what they have in common is for the optimiser to find.
//
//===----------------------------------------------------------------------===//
#include "Reading/ArgumentTypes.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Requests/PlainCalls.h"
#include "isozyme/Requests/ResultLayout.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {
class BatchLowering {
public:
  explicit BatchLowering(CallBase &Call) : Call(Call), B(&Call) {}
  Error run();

private:
  Error readFunction();
  Error readOperands();
  Error readParameter(unsigned Param);
  Error takeLanes(unsigned Param, bool Shared);
  Error takeBuffer(unsigned Param);
  Error checkResult();
  void emit();
  Error fail(DiagId Id, const Twine &What, const Twine &Fix) const {
    return diffError(Id, Place(Call), What, Fix);
  }
  std::optional<Marker> markerAt(unsigned I) const {
    StringRef Text = tracedMarker(Operands[I]);
    return Text.empty() ? std::nullopt : markerByName(Text);
  }
  Value *takeValue() {
    return Next < Operands.size() && tracedMarker(Operands[Next]).empty() ? Operands[Next++]
                                                                          : nullptr;
  }

  CallBase &Call;
  IRBuilder<> B;
  Function *F = nullptr;
  Value *ResultBuffer = nullptr;
  std::optional<unsigned> StructReturn;
  SmallVector<Value *, 16> Operands;
  unsigned Next = 0, Width = 0;
  /// What is passed, by parameter and lane; and the distance of lanes in a buffer.
  SmallVector<SmallVector<Value *, 4>, 8> Lanes;
  SmallVector<Value *, 8> Strides;
};
} // namespace

Error BatchLowering::readFunction() {
  unsigned At = functionOperandNumber(Call);
  if (At)
    ResultBuffer = Call.getArgOperand(0);
  F = At < Call.arg_size() ? tracedFunction(Call.getArgOperand(At)) : nullptr;
  if (!F)
    return fail(DiagId::NotAFunction, "it is not known here which function to call in a batch",
                "pass the function by its name, as the first argument");
  if (F->isVarArg())
    return fail(DiagId::NotSupportedYet,
                describeFunction(*F) + " takes a variable number of arguments",
                "wrap it in a function that takes a fixed number");
  StructReturn = structReturnParameter(*F);
  for (unsigned I = At + 1; I < Call.arg_size(); ++I)
    Operands.push_back(Call.getArgOperand(I));
  return Error::success();
}

/// The width may stand anywhere; it is taken out first.
Error BatchLowering::readOperands() {
  for (unsigned I = 0; I < Operands.size(); ++I) {
    StringRef Text = tracedMarker(Operands[I]);
    if (Text.empty())
      continue;
    std::optional<Marker> Kind = markerByName(Text);
    if (!Kind) {
      StringRef Nearest = nearestMarkerName(Text);
      return fail(DiagId::UnknownMarker, "'" + Text + "' is not a known marker",
                  Nearest.empty() ? Twine("docs/diagnostics.md lists the markers (IZ106)")
                                  : "did you mean '" + Nearest + "'?");
    }
    if (*Kind == Marker::Scalar || *Kind == Marker::Vector || *Kind == Marker::Buffer)
      continue;
    if (*Kind != Marker::Width)
      return fail(DiagId::BadActivity, "'" + Text + "' means nothing to a batch", "leave it out");
    const ConstantInt *Number = I + 1 < Operands.size() ? tracedInteger(Operands[I + 1]) : nullptr;
    if (Width || !Number || Number->getValue().ult(1) || Number->getValue().ugt(64))
      return fail(DiagId::BadWidth,
                  "the batch needs one 'enzyme_width', with a constant between 1 and 64 after it",
                  "pass the number of lanes as a literal");
    Width = unsigned(Number->getZExtValue());
    Operands.erase(Operands.begin() + I, Operands.begin() + I + 2);
    --I;
  }
  if (!Width)
    return fail(DiagId::BadWidth, "'enzyme_width' is missing",
                "pass 'enzyme_width' and the number of lanes");
  return Error::success();
}

Error BatchLowering::takeLanes(unsigned Param, bool Shared) {
  Type *Ty = F->getArg(Param)->getType();
  for (unsigned Lane = 0; Lane < (Shared ? 1 : Width); ++Lane) {
    Value *V = takeValue();
    if (!V)
      return fail(DiagId::TooFewArguments,
                  "value " + Twine(Lane + 1) + " of " + Twine(Shared ? 1 : Width) + " of " +
                      describeParameter(*F, Param) + " is missing",
                  "pass a value for each lane, or one for all behind 'enzyme_scalar'");
    if (!canConvert(V, Ty))
      return fail(DiagId::BadArgumentType,
                  "a value of " + describeParameter(*F, Param) + " is " +
                      describeType(V->getType()) + ", but must be " + describeType(Ty),
                  "convert it in the call");
    Lanes[Param].push_back(V);
  }
  return Error::success();
}

Error BatchLowering::takeBuffer(unsigned Param) {
  Type *Ty = F->getArg(Param)->getType();
  Value *Stride = takeValue();
  if (!Stride || !Stride->getType()->isIntegerTy())
    return fail(DiagId::BadArgumentType,
                "'enzyme_buffer' needs the distance between two lanes in bytes",
                "pass it as an integer directly after the marker");
  if (Next < Operands.size() && markerAt(Next) == Marker::Vector)
    ++Next;
  Value *Base = takeValue();
  if (!Base || !Base->getType()->isPointerTy() || !Ty->isPointerTy())
    return fail(DiagId::BadArgumentType,
                describeParameter(*F, Param) + " or what is passed for it is no pointer, as "
                                               "'enzyme_buffer' announces",
                "pass a value for each lane");
  Lanes[Param].push_back(Base);
  Strides[Param] = Stride;
  return Error::success();
}

Error BatchLowering::readParameter(unsigned Param) {
  std::optional<Marker> Kind;
  if (Next < Operands.size())
    Kind = markerAt(Next);
  if (Kind)
    ++Next;
  if (Kind == Marker::Buffer)
    return takeBuffer(Param);
  return takeLanes(Param, Kind == Marker::Scalar);
}

Error BatchLowering::checkResult() {
  const DataLayout &DL = F->getDataLayout();
  Type *Declared = ResultBuffer ? Call.getParamStructRetType(0) : Call.getType();
  Type *One = StructReturn ? F->getParamStructRetType(*StructReturn) : F->getReturnType();
  if (!ResultBuffer && (Declared->isVoidTy() || Call.use_empty()))
    return Error::success();
  if (!One->isVoidTy()) {
    Type *All = ArrayType::get(One, Width);
    bool InPlace =
        StructReturn && DL.getTypeAllocSize(Declared) != Width * DL.getTypeAllocSize(One);
    if (!InPlace && matchResult(All, Declared, DL) != ResultMatch::None)
      return Error::success();
  }
  return fail(DiagId::BadResultType,
              "the call is declared to return " + describeLeaves(Declared, DL) + ", but " +
                  describeFunction(*F) + " returns " + describeLeaves(One, DL) + ", " +
                  Twine(Width) + " times",
              "declare a struct that holds just these");
}

void BatchLowering::emit() {
  const DataLayout &DL = F->getDataLayout();
  Type *Ret = F->getReturnType();
  Value *All = Ret->isVoidTy() ? nullptr : PoisonValue::get(ArrayType::get(Ret, Width));
  SmallVector<AttributeSet, 8> Params;
  for (unsigned I = 0; I < F->arg_size(); ++I)
    Params.push_back(F->getAttributes().getParamAttrs(I));
  for (unsigned Lane = 0; Lane < Width; ++Lane) {
    SmallVector<Value *, 8> Args;
    for (Argument &A : F->args()) {
      unsigned I = A.getArgNo();
      if (StructReturn == I) {
        Type *Struct = F->getParamStructRetType(I);
        Args.push_back(ResultBuffer
                           ? bytesBehind(B, ResultBuffer, Lane * DL.getTypeAllocSize(Struct))
                           : createTemporary(B, Struct, F->getParamAlign(I), "result.unused"));
        continue;
      }
      Value *V = convert(B, Lanes[I][Lanes[I].size() > 1 ? Lane : 0], A.getType());
      if (Strides[I] && Lane) {
        Type *Index = DL.getIndexType(A.getType());
        Value *Stride = B.CreateSExtOrTrunc(Strides[I], Index);
        V = B.CreatePtrAdd(V, B.CreateMul(Stride, ConstantInt::get(Index, Lane)));
      }
      Args.push_back(V);
    }
    CallInst *One = B.CreateCall(F, Args);
    One->setCallingConv(F->getCallingConv());
    One->setAttributes(
        AttributeList::get(B.getContext(), {}, F->getAttributes().getRetAttrs(), Params));
    if (All)
      All = B.CreateInsertValue(All, One, Lane);
  }
  if (All && (ResultBuffer || !Call.use_empty())) {
    Type *Declared = ResultBuffer ? Call.getParamStructRetType(0) : Call.getType();
    ResultMatch Match = matchResult(All->getType(), Declared, DL);
    if (ResultBuffer)
      storeResult(B, All, ResultBuffer, Declared, Match);
    else
      Call.replaceAllUsesWith(convertResult(B, All, Declared, Match));
  }
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
  }
  Call.eraseFromParent();
}

Error BatchLowering::run() {
  if (Error E = readFunction())
    return E;
  if (Error E = readOperands())
    return E;
  Lanes.resize(F->arg_size());
  Strides.resize(F->arg_size());
  for (unsigned I = 0; I < F->arg_size(); ++I)
    if (StructReturn != I)
      if (Error E = readParameter(I))
        return E;
  if (Next < Operands.size())
    return fail(DiagId::TooManyArguments,
                describeFunction(*F) + " takes " + Twine(F->arg_size()) +
                    " arguments, but the call has more values than these need",
                "leave them out");
  if (Error E = checkResult())
    return E;
  emit();
  return Error::success();
}

Error lowerBatch(CallBase &Call) { return BatchLowering(Call).run(); }

} // namespace isozyme
