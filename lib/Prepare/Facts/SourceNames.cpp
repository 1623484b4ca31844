//===- SourceNames.cpp - What the user calls a value ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/SourceNames.h"
#include "isozyme/Ops/ReservedNames.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Support/DebugTypes.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// How many calls have been inlined around \p Loc.
static unsigned depthOf(const DILocation *Loc) {
  unsigned Depth = 0;
  while (Loc && (Loc = Loc->getInlinedAt()))
    ++Depth;
  return Depth;
}

/// How well a record tells what \p V itself is called; smaller is better. Assignments elsewhere
/// (`old = x`, `for (j = k; ...)`) make a value that of other variables, too. The function's own
/// variables come before those of functions that were inlined, and the user's before those of
/// the headers by which derivatives are asked for.
static unsigned distance(const DbgVariableRecord &Record, const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  const DILocalVariable *Variable = Record.getVariable();
  unsigned Far = I ? Record.getParent() != I->getParent() : !Variable->isParameter();
  unsigned Depth = std::min(depthOf(Record.getDebugLoc()), 16u);
  if (isOurHeader(Variable->getFilename()))
    Depth += 32;
  return Far + 2 * Depth + (Depth && Variable->isArtificial() ? 2 : 0);
}

/// Is \p A in front of \p B, which is in the same block?
static bool isBefore(const DbgVariableRecord &A, const DbgVariableRecord &B) {
  if (A.getParent() != B.getParent())
    return false;
  const Instruction *OfA = A.getInstruction(), *OfB = B.getInstruction();
  if (OfA != OfB)
    return OfA && OfB && OfA->comesBefore(OfB);
  DbgMarker *Marker = const_cast<DbgVariableRecord &>(A).getMarker();
  for (const DbgRecord &Record : Marker->getDbgRecordRange())
    if (&Record == &A || &Record == &B)
      return &Record == &A;
  return false;
}

/// Is \p Record about what the variable is set to in a turn of a loop, after it was another value?
///
///   %i = phi, %next = add %i, 1       #dbg_value(%i, "i") ... #dbg_value(%next, "i")
static bool isLaterValue(const DbgVariableRecord &Record) {
  for (const Instruction &I : *Record.getParent())
    for (const DbgVariableRecord &Other : filterDbgVars(I.getDbgRecordRange())) {
      if (&Other == &Record)
        return false;
      if (Other.getVariable() == Record.getVariable() &&
          Other.getDebugLoc().getInlinedAt() == Record.getDebugLoc().getInlinedAt())
        return true;
    }
  return false;
}

/// The `this` of a method of a library that was inlined says nothing of what the object is called.
static bool isThisOfLibrary(const DbgVariableRecord &Record) {
  const DILocalVariable &Variable = *Record.getVariable();
  return Variable.isArtificial() && depthOf(Record.getDebugLoc()) &&
         isLibraryFile(Variable.getScope()->getSubprogram()->getFilename());
}

/// The record of the variable that debug information says a value is the value of; null if none.
static const DbgVariableRecord *recordOf(const TinyPtrVector<DbgVariableRecord *> &Records,
                                         const Value *V, bool IsMemory) {
  const DbgVariableRecord *Best = nullptr;
  bool IsOffset = false; // From a variable that begins with the value: a counter one off.
  for (const DbgVariableRecord *Record : Records) {
    StringRef Name = Record->getVariable()->getName();
    // An expression with operations describes something computed from the value.
    // Reserved names are those of inlined functions of the library.
    const DIExpression &Expression = *Record->getExpression();
    bool IsItself = Expression.getNumElements() == 0 || (IsMemory && Expression.isDeref());
    if (Name.empty() || isReservedIdentifier(Name) || isThisOfLibrary(*Record))
      continue;
    auto *I = dyn_cast<Instruction>(V);
    bool InTurn = I && Record->getParent() == I->getParent();
    bool IsNext = InTurn && V->getType()->isIntegerTy() && isLaterValue(*Record);
    if (!IsItself || IsNext) {
      IsOffset |= InTurn && (IsNext || isa<PHINode>(I));
      continue;
    }
    unsigned Rank = distance(*Record, V), Least = Best ? distance(*Best, V) : ~0u;
    if (Rank < Least || (Rank == Least && isBefore(*Record, *Best)))
      Best = Record;
  }
  return !Best || (IsOffset && distance(*Best, V) % 2) ? nullptr : Best;
}

/// \p V is \p Phi plus a constant: that.
static const ConstantInt *distanceFrom(const PHINode &Phi, const Value *V) {
  auto *Add = dyn_cast<BinaryOperator>(V);
  if (!Add || Add->getOpcode() != Instruction::Add || !is_contained(Add->operands(), &Phi))
    return nullptr;
  auto *Right = dyn_cast<ConstantInt>(Add->getOperand(1));
  return Right ? Right : dyn_cast<ConstantInt>(Add->getOperand(0));
}

/// The variable whose next value is one step of the counter \p Phi away. Optimisers may have
/// forgotten what the counter itself is:
///
///   %i = phi [0], [%step]       #dbg_value(poison, "i")
///   %next = add %i, 1           #dbg_value(%next, "i")
static const DILocalVariable *variableStepping(const PHINode &Phi) {
  for (const User *U : Phi.users()) {
    const ConstantInt *Step = distanceFrom(Phi, U);
    if (!Step || none_of(Phi.incoming_values(), [&](const Value *In) {
          const ConstantInt *Taken = distanceFrom(Phi, In);
          return Taken && Taken->getValue() == Step->getValue();
        }))
      continue;
    for (const DbgVariableRecord *Record : findDVRValues(const_cast<User *>(U)))
      if (Record->getParent() == Phi.getParent() &&
          Record->getExpression()->getNumElements() == 0 &&
          !isReservedIdentifier(Record->getVariable()->getName()) && isLaterValue(*Record))
        return Record->getVariable();
  }
  return nullptr;
}

static const DbgVariableRecord *recordOf(const Value *V) {
  if (!isa<Instruction>(V) && !isa<Argument>(V))
    return nullptr;
  auto *Described = const_cast<Value *>(V);
  const DbgVariableRecord *Declared = recordOf(findDVRDeclares(Described), V, true);
  return Declared ? Declared : recordOf(findDVRValues(Described), V, isa<AllocaInst>(V));
}

bool isNamedByCallee(const Value *V) {
  const DbgVariableRecord *Record = recordOf(V);
  auto *I = dyn_cast<Instruction>(V);
  return Record && I && I->getDebugLoc() &&
         depthOf(Record->getDebugLoc()) > depthOf(I->getDebugLoc());
}

const DILocalVariable *sourceVariableOf(const Value *V) {
  if (const DbgVariableRecord *Record = recordOf(V))
    return Record->getVariable();
  auto *Phi = dyn_cast<PHINode>(V);
  return Phi ? variableStepping(*Phi) : nullptr;
}

const DIType *derivedClassAt(const Value *V, uint64_t Offset) {
  if (!isa<Instruction>(V) && !isa<Argument>(V))
    return nullptr;
  const DIType *Found = nullptr;
  for (const DbgVariableRecord *Record : findDVRValues(const_cast<Value *>(V))) {
    const DILocalVariable &Variable = *Record->getVariable();
    const DIType *Class = Variable.isArtificial() ? pointeeType(Variable.getType()) : nullptr;
    if (!Class || isThisOfLibrary(*Record) || Record->getExpression()->getNumElements() ||
        Class->getSizeInBits() / 8 <= Offset)
      continue;
    if (Found && Found != Class) // Two classes: which one it is depends on the run.
      return nullptr;
    Found = Class;
  }
  return Found;
}

/// \p Record describes a part of a variable, as it is.
static bool isPart(const DbgVariableRecord &Record) {
  return Record.getExpression()->getNumElements() == 3 && Record.getFragment() &&
         Record.getFragment()->OffsetInBits % 8 == 0;
}

std::optional<VariablePart> variablePartOf(const Value *V) {
  const DbgVariableRecord *Best = nullptr;
  if (!isa<Instruction>(V) && !isa<Argument>(V))
    return std::nullopt;
  for (const DbgVariableRecord *Record : findDVRValues(const_cast<Value *>(V))) {
    StringRef Name = Record->getVariable()->getName();
    if (Name.empty() || isReservedIdentifier(Name) || !isPart(*Record))
      continue;
    unsigned Rank = distance(*Record, V), Least = Best ? distance(*Best, V) : ~0u;
    if (Rank < Least || (Rank == Least && isBefore(*Record, *Best)))
      Best = Record;
  }
  const DbgVariableRecord *Whole = recordOf(V);
  if (!Best || (Whole && distance(*Whole, V) <= distance(*Best, V)))
    return std::nullopt;
  auto Fragment = *Best->getFragment();
  return VariablePart{Best->getVariable(), Fragment.OffsetInBits / 8, Fragment.SizeInBits / 8};
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
