//===- SourceNames.cpp - What the user calls a value ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/SourceNames.h"
#include "isozyme/Ops/ReservedNames.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace isozyme {

/// The variable that debug records say a value is the value of; null if none. The function's
/// own variables come before those of functions that were inlined.
static const DILocalVariable *variableOf(const TinyPtrVector<DbgVariableRecord *> &Records,
                                         bool IsMemory) {
  const DILocalVariable *Inlined = nullptr;
  for (const DbgVariableRecord *Record : Records) {
    const DILocalVariable *Variable = Record->getVariable();
    StringRef Name = Variable->getName();
    // An expression with operations describes something computed from the value.
    // Reserved names are those of inlined functions of the library.
    const DIExpression &Expression = *Record->getExpression();
    bool IsItself = Expression.getNumElements() == 0 || (IsMemory && Expression.isDeref());
    if (!IsItself || Name.empty() || isReservedIdentifier(Name))
      continue;
    if (!Record->getDebugLoc().getInlinedAt())
      return Variable;
    if (!Inlined || (Inlined->isArtificial() && !Variable->isArtificial()))
      Inlined = Variable;
  }
  return Inlined;
}

const DILocalVariable *sourceVariableOf(const Value *V) {
  if (!isa<Instruction>(V) && !isa<Argument>(V))
    return nullptr;
  auto *Described = const_cast<Value *>(V);
  const DILocalVariable *Variable = variableOf(findDVRDeclares(Described), true);
  return Variable ? Variable : variableOf(findDVRValues(Described), isa<AllocaInst>(V));
}

void nameAfterVariables(Function &F) {
  auto name = [](Value &V) {
    if (V.hasName() || V.getType()->isVoidTy() || !V.isUsedByMetadata())
      return;
    if (const DILocalVariable *Variable = sourceVariableOf(&V))
      V.setName(Variable->getName());
  };
  for (Argument &A : F.args())
    name(A);
  for (Instruction &I : instructions(F))
    name(I);
}

/// "const double *", as C writes it; "" where C has no short name for it.
static std::string typeText(const DIType *T) {
  if (!T)
    return "void";
  if (!T->getName().empty())
    return T->getName().str();
  auto *Derived = dyn_cast<DIDerivedType>(T);
  if (!Derived)
    return "";
  std::string Base = typeText(Derived->getBaseType());
  if (Base.empty())
    return "";
  switch (Derived->getTag()) {
  case dwarf::DW_TAG_const_type:
    return "const " + Base;
  case dwarf::DW_TAG_volatile_type:
    return "volatile " + Base;
  case dwarf::DW_TAG_restrict_type:
    return Base;
  case dwarf::DW_TAG_pointer_type:
    return Base + (StringRef(Base).ends_with("*") ? "*" : " *");
  case dwarf::DW_TAG_reference_type:
    return Base + " &";
  default:
    return "";
  }
}

std::string PreparedFunction::sourceName(const Value *V) const {
  if (const DILocalVariable *Variable = sourceVariableOf(V))
    return Variable->getName().str();
  return V->getName().str();
}

std::string PreparedFunction::describeMemory(const Value *Ptr) const {
  // An element of an array is spoken of as the array.
  for (const Value *V : {Ptr, getUnderlyingObject(Ptr)}) {
    if (const DILocalVariable *Variable = sourceVariableOf(V)) {
      std::string Type = typeText(Variable->getType());
      return "'" + Variable->getName().str() + "'" +
             (Type.empty() ? "" : " (declared as '" + Type + "')");
    }
    if (V->hasName())
      return "'" + V->getName().str() + "'";
  }
  return "";
}

} // namespace isozyme
