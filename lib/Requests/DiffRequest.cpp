//===- DiffRequest.cpp - What is asked for, as a value --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of a request and the signature that it implies.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

raw_ostream &operator<<(raw_ostream &OS, ArgActivity A) {
  switch (A) {
  case ArgActivity::Const:
    return OS << "const";
  case ArgActivity::Active:
    return OS << "active";
  case ArgActivity::Dup:
    return OS << "dup";
  case ArgActivity::DupNoNeed:
    return OS << "dupnoneed";
  }
  llvm_unreachable("complete switch");
}

raw_ostream &operator<<(raw_ostream &OS, ReturnActivity A) {
  switch (A) {
  case ReturnActivity::Const:
    return OS << "const";
  case ReturnActivity::Active:
    return OS << "active";
  case ReturnActivity::Dup:
    return OS << "dup";
  }
  llvm_unreachable("complete switch");
}

raw_ostream &operator<<(raw_ostream &OS, DiffMode M) {
  switch (M) {
  case DiffMode::Forward:
    return OS << "forward";
  case DiffMode::Reverse:
    return OS << "reverse";
  case DiffMode::Augment:
    return OS << "augment";
  case DiffMode::FromTape:
    return OS << "fromtape";
  }
  llvm_unreachable("complete switch");
}

void DiffRequest::print(raw_ostream &OS) const {
  if (Dependence)
    OS << "dependence(@";
  else
    OS << Mode << "(@";
  OS << Fn->getName() << ":";
  for (unsigned I = 0; I < Args.size(); ++I) {
    static constexpr StringLiteral Marks[] = {"", "?", "!"};
    OS << (I ? ", " : " ") << Args[I] << Marks[unsigned(checkOf(I))] << ' '
       << *Fn->getArg(I)->getType();
    if (isSplit() && MayOverwrite[I] && Fn->getArg(I)->getType()->isPointerTy())
      OS << " overwritten";
    if (isApart(I))
      OS << " apart";
    if (isFresh(I))
      OS << " fresh";
    if (isSteady(I))
      OS << " steady";
    if (isOwn(I))
      OS << " own";
    if (isUnshared(I))
      OS << " unshared";
    if (isCommon(I))
      OS << " common";
  }
  OS << ") -> " << Return;
  if (ReturnPrimal)
    OS << ", primal";
  if (KeepTape)
    OS << ", keep tape";
  if (TapeOutlives)
    OS << ", tape outlives";
  OS << ", width " << Width;
  if (Level)
    OS << ", level " << Level;
  for (const GlobalVariable *G : Globals)
    OS << (G == Globals.front() ? ", globals @" : " @") << G->getName();
}

std::string DiffRequest::str() const {
  std::string S;
  raw_string_ostream OS(S);
  print(OS);
  return S;
}

bool hasCustomRule(const DiffRequest &R) {
  CustomRules Rules = customRules(*R.Fn);
  return R.isReverse() ? Rules.hasReverse() : Rules.Forward != nullptr;
}

Type *laneType(Type *T, unsigned Width) { return Width == 1 ? T : ArrayType::get(T, Width); }

FunctionType *derivativeType(const DiffRequest &R, Type *Tape) {
  SmallVector<Type *, 16> Params, Results;
  Type *Ret = R.Fn->getReturnType();
  bool Primal = R.Mode == DiffMode::Augment ? !Ret->isVoidTy() : R.ReturnPrimal;
  if (Primal && R.Mode != DiffMode::FromTape)
    Results.push_back(Ret);
  if (R.Return == ReturnActivity::Dup &&
      (R.Mode == DiffMode::Forward || R.Mode == DiffMode::Augment))
    Results.push_back(laneType(Ret, R.Width));
  for (Argument &A : R.Fn->args()) {
    Params.push_back(A.getType());
    ArgActivity Activity = R.Args[A.getArgNo()];
    if (R.hasShadow(A.getArgNo()))
      Params.append(R.Width, A.getType());
    if (Activity == ArgActivity::Active && R.Mode != DiffMode::Augment)
      Results.push_back(laneType(A.getType(), R.Width));
  }
  if (R.Return == ReturnActivity::Active && R.Mode != DiffMode::Augment)
    Params.push_back(laneType(Ret, R.Width));
  if (Tape)
    (R.Mode == DiffMode::Augment ? Results : Params).push_back(Tape);
  LLVMContext &C = R.Fn->getContext();
  Type *Result = Results.empty() ? Type::getVoidTy(C) : StructType::get(C, Results);
  return FunctionType::get(Result, Params, false);
}

} // namespace isozyme
