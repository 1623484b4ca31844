//===- VirtualTables.cpp - Slots of virtual functions ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the C++ ABI of Itanium: a table is one array, or a record of several, each of offsets,
// the type of the class, and the functions. Objects hold the address of the first function.
//
//===----------------------------------------------------------------------===//
#include "VirtualTables.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

std::optional<int64_t> slotOf(const CallBase &Call) {
  auto *Entry = dyn_cast<LoadInst>(Call.getCalledOperand());
  if (!Entry)
    return std::nullopt;
  const DataLayout &DL = Entry->getDataLayout();
  const Value *Address = Entry->getPointerOperand();
  APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  Address = Address->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  if (!isa<LoadInst>(Address))
    return std::nullopt;
  return Offset.getSExtValue();
}

static bool isTable(const GlobalVariable &G) {
  return G.isConstant() && G.hasInitializer() &&
         (G.getName().starts_with("_ZTV") || G.getName().starts_with("_ZTC"));
}

/// The index in \p Part of a table of what objects hold the address of.
static std::optional<unsigned> addressPoint(const ConstantArray &Part) {
  std::optional<unsigned> FirstFunction;
  for (unsigned K = 0; K != Part.getNumOperands(); ++K) {
    const Value *Entry = Part.getOperand(K)->stripPointerCastsAndAliases();
    if (isa<GlobalVariable>(Entry))
      return K + 1; // The type of the class.
    if (isa<Function>(Entry) && !FirstFunction)
      FirstFunction = K;
  }
  return FirstFunction;
}

static bool hasInSlot(const ConstantArray &Part, const Function &F, int64_t Slot,
                      const DataLayout &DL) {
  std::optional<unsigned> Start = addressPoint(Part);
  int64_t Size = DL.getTypeAllocSize(Part.getType()->getElementType());
  if (!Start || Slot < 0 || Slot % Size)
    return true; // No table that is known here.
  uint64_t Index = *Start + Slot / Size;
  return Index < Part.getNumOperands() &&
         Part.getOperand(Index)->stripPointerCastsAndAliases() == &F;
}

/// Could \p U, a use of \p F or of a constant made of it, be what leads to it from there?
static bool leadsTo(const Use &U, const Function &F, int64_t Slot) {
  const User *By = U.getUser();
  if (auto *Call = dyn_cast<CallBase>(By))
    return !Call->isCallee(&U);
  if (auto *Alias = dyn_cast<GlobalAlias>(By))
    return any_of(Alias->uses(), [&](const Use &Of) { return leadsTo(Of, F, Slot); });
  if (isa<ICmpInst>(By))
    return false;
  auto *Part = dyn_cast<ConstantArray>(By);
  if (!Part || hasInSlot(*Part, F, Slot, F.getDataLayout()))
    return true;
  // Which are members of tables, and of nothing else.
  return !all_of(Part->users(), [](const User *Of) {
    if (auto *G = dyn_cast<GlobalVariable>(Of))
      return isTable(*G);
    return isa<ConstantStruct>(Of) && all_of(Of->users(), [](const User *Whole) {
             auto *G = dyn_cast<GlobalVariable>(Whole);
             return G && isTable(*G);
           });
  });
}

bool mayBeInSlot(const Function &F, int64_t Slot) {
  return any_of(F.uses(), [&](const Use &U) { return leadsTo(U, F, Slot); });
}

} // namespace isozyme
