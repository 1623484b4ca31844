//===- SourceNames.cpp - What the user calls a value ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"

using namespace llvm;

namespace isozyme {

/// The variable that debug records say a value is the value of; null if none.
static const DILocalVariable *variableOf(const TinyPtrVector<DbgVariableRecord *> &Records) {
  for (const DbgVariableRecord *Record : Records) {
    // An expression with operations describes something computed from the value.
    StringRef Name = Record->getVariable()->getName();
    // Names with two underscores belong to inlined functions of the library.
    if (Record->getExpression()->getNumElements() == 0 && !Name.empty() && !Name.starts_with("__"))
      return Record->getVariable();
  }
  return nullptr;
}

static const DILocalVariable *variableOf(const Value *V) {
  if (!isa<Instruction>(V) && !isa<Argument>(V))
    return nullptr;
  auto *Described = const_cast<Value *>(V);
  const DILocalVariable *Variable = variableOf(findDVRDeclares(Described));
  return Variable ? Variable : variableOf(findDVRValues(Described));
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
  if (const DILocalVariable *Variable = variableOf(V))
    return Variable->getName().str();
  return V->getName().str();
}

std::string PreparedFunction::describeMemory(const Value *Ptr) const {
  // An element of an array is spoken of as the array.
  for (const Value *V : {Ptr, getUnderlyingObject(Ptr)}) {
    if (const DILocalVariable *Variable = variableOf(V)) {
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
