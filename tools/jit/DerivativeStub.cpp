//===- DerivativeStub.cpp - The function that asks for one derivative -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DerivativeStub.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme::jit {
namespace {

bool isNumber(Type *T) { return T->isFloatTy() || T->isDoubleTy(); }

Error wrong(const Twine &Text) { return createStringError(inconvertibleErrorCode(), Text); }

/// Which parameters of \p F are active.
Expected<SmallVector<bool>> readActivities(Function &F, StringRef Text) {
  SmallVector<bool> Active;
  if (!Text.data()) {
    for (Argument &A : F.args())
      Active.push_back(isNumber(A.getType()) || A.getType()->isPointerTy());
    return Active;
  }
  SmallVector<StringRef> Words;
  Text.split(Words, ',', -1, /*KeepEmpty=*/false);
  if (Words.size() != F.arg_size())
    return wrong("'" + F.getName() + "' has " + Twine(F.arg_size()) + " parameters, and '" + Text +
                 "' says what " + Twine(Words.size()) + " of them are");
  for (auto [Word, A] : zip(Words, F.args())) {
    StringRef Trimmed = Word.trim();
    if (Trimmed != "const" && Trimmed != "active")
      return wrong("'" + Trimmed + "' is no activity; it is 'const' or 'active'");
    if (Trimmed == "active" && !isNumber(A.getType()) && !A.getType()->isPointerTy())
      return wrong("parameter " + Twine(A.getArgNo() + 1) + " of '" + F.getName() +
                   "' is neither a float or double nor a pointer, and can not be active");
    Active.push_back(Trimmed == "active");
  }
  return Active;
}

/// `F` with addresses in place of its active numbers, and one for its result.
Function *makePlain(Function &F, ArrayRef<bool> Active) {
  LLVMContext &C = F.getContext();
  SmallVector<Type *> Types;
  for (auto [A, IsActive] : zip(F.args(), Active))
    Types.push_back(IsActive ? PointerType::getUnqual(C) : A.getType());
  Type *Result = F.getReturnType();
  if (!Result->isVoidTy())
    Types.push_back(PointerType::getUnqual(C));
  Function *Plain = Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false),
                                     GlobalValue::InternalLinkage, "plain", F.getParent());
  IRBuilder<> B(BasicBlock::Create(C, "", Plain));
  SmallVector<Value *> Values;
  for (auto [A, Given] : zip(F.args(), Plain->args()))
    Values.push_back(Given.getType() == A.getType() ? cast<Value>(&Given)
                                                    : B.CreateLoad(A.getType(), &Given));
  CallInst *Call = B.CreateCall(&F, Values);
  Call->setCallingConv(F.getCallingConv());
  // How small integers fill their registers is part of the calling convention.
  for (Argument &A : F.args())
    for (Attribute::AttrKind Kind : {Attribute::ZExt, Attribute::SExt})
      if (A.hasAttribute(Kind))
        Call->addParamAttr(A.getArgNo(), Kind);
  if (!Result->isVoidTy())
    B.CreateStore(Call, Plain->getArg(Plain->arg_size() - 1));
  B.CreateRetVoid();
  return Plain;
}

/// Writes one stub: reads its parameters in order, and the operands of the marker call.
class StubWriter {
public:
  StubWriter(Function &F, ArrayRef<bool> Active, bool Reverse, StringRef Name)
      : F(F), C(F.getContext()), Active(Active), Reverse(Reverse), B(C) {
    Plain = makePlain(F, Active);
    Stub = Function::Create(typeOfStub(), GlobalValue::ExternalLinkage, Name, F.getParent());
    Next = Stub->arg_begin();
    B.SetInsertPoint(BasicBlock::Create(C, "", Stub));
  }

  Function *write() {
    Operands.push_back(Plain);
    for (auto [A, IsActive] : zip(F.args(), Active))
      addParameter(A.getType(), IsActive);
    Value *Result = addResult();
    Type *Void = Type::getVoidTy(C);
    FunctionCallee Marker = F.getParent()->getOrInsertFunction(
        Reverse ? "__enzyme_autodiff_at_run_time" : "__enzyme_fwddiff_at_run_time",
        FunctionType::get(Void, {PointerType::getUnqual(C)}, true));
    B.CreateCall(Marker, Operands);
    for (auto [From, To, T] : Stores)
      B.CreateStore(B.CreateLoad(T, From), To);
    if (Result)
      B.CreateRet(B.CreateLoad(F.getReturnType(), Result));
    else
      B.CreateRetVoid();
    return Stub;
  }

private:
  FunctionType *typeOfStub() {
    Type *Address = PointerType::getUnqual(C), *Result = F.getReturnType();
    SmallVector<Type *> Types;
    for (auto [A, IsActive] : zip(F.args(), Active)) {
      Types.push_back(A.getType());
      if (IsActive)
        Types.push_back(Reverse ? Address : A.getType());
    }
    if (isNumber(Result))
      Types.push_back(Reverse ? Result : Address);
    return FunctionType::get(Result, Types, false);
  }

  void addMarker(StringRef Word) {
    Type *Int = Type::getInt32Ty(C);
    Operands.push_back(B.CreateLoad(Int, F.getParent()->getOrInsertGlobal(Word, Int)));
  }

  /// Memory that begins as \p Start; null: as nothing.
  Value *memory(Type *T, Value *Start) {
    Value *Place = B.CreateAlloca(T);
    if (Start)
      B.CreateStore(Start, Place);
    return Place;
  }

  void addParameter(Type *T, bool IsActive) {
    Value *Given = &*Next++;
    addMarker(IsActive ? "enzyme_dup" : "enzyme_const");
    if (!IsActive || T->isPointerTy()) {
      Operands.push_back(Given);
      if (IsActive)
        Operands.push_back(&*Next++);
      return;
    }
    Value *Other = &*Next++;
    Value *Shadow = memory(T, Reverse ? Constant::getNullValue(T) : Other);
    Operands.append({memory(T, Given), Shadow});
    if (Reverse)
      Stores.push_back({Shadow, Other, T});
  }

  /// Where the result of F is; null if it has none.
  Value *addResult() {
    Type *T = F.getReturnType();
    if (T->isVoidTy())
      return nullptr;
    Value *Place = memory(T, nullptr);
    addMarker(isNumber(T) ? "enzyme_dup" : "enzyme_const");
    Operands.push_back(Place);
    if (isNumber(T)) {
      Value *Shadow = memory(T, Reverse ? cast<Value>(&*Next) : Constant::getNullValue(T));
      Operands.push_back(Shadow);
      if (!Reverse)
        Stores.push_back({Shadow, &*Next, T});
    }
    return Place;
  }

  struct Copy {
    Value *From, *To;
    Type *T;
  };
  Function &F;
  LLVMContext &C;
  ArrayRef<bool> Active;
  bool Reverse;
  IRBuilder<> B;
  Function *Plain, *Stub;
  Function::arg_iterator Next;
  SmallVector<Value *> Operands;
  SmallVector<Copy> Stores; // Behind the derivative.
};

} // namespace

Expected<Function *> addDerivativeStub(Function &F, StringRef Name, bool Reverse,
                                       StringRef Activities) {
  if (F.isVarArg())
    return wrong("'" + F.getName() + "' takes a variable number of arguments");
  for (Argument &A : F.args())
    if (A.hasByValAttr() || A.hasStructRetAttr() || A.getType()->isStructTy() ||
        A.getType()->isVectorTy())
      return wrong("'" + F.getName() +
                   "' takes or returns a structure by value; derivatives at run "
                   "time take numbers and pointers");
  if (F.getReturnType()->isStructTy() || F.getReturnType()->isVectorTy())
    return wrong("'" + F.getName() +
                 "' returns a structure; derivatives at run time take numbers "
                 "and pointers");
  Expected<SmallVector<bool>> Active = readActivities(F, Activities);
  if (!Active)
    return Active.takeError();
  return StubWriter(F, *Active, Reverse, Name).write();
}

} // namespace isozyme::jit
