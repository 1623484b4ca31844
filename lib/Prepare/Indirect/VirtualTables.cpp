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
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
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
    return !Call->isCallee(&U) && !isForRuntime(U);
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

/// The types of the classes of whose tables \p Part is one, and of all that they derive from.
/// False if these are not all known.
static bool addClasses(const ConstantArray &Part, SmallPtrSetImpl<const Value *> &Classes) {
  std::optional<unsigned> Start = addressPoint(Part);
  const Value *Own = Start && *Start ? Part.getOperand(*Start - 1)->stripPointerCasts() : nullptr;
  if (!isa_and_nonnull<GlobalVariable>(Own))
    return false;
  SmallVector<const Value *, 8> Work = {Own};
  while (!Work.empty()) {
    auto *Class = cast<GlobalVariable>(Work.pop_back_val());
    if (!Classes.insert(Class).second)
      continue;
    if (!Class->hasInitializer())
      return false;
    for (const Use &Member : Class->getInitializer()->operands())
      if (auto *Base = dyn_cast<GlobalVariable>(Member.get()->stripPointerCasts());
          Base && Base->getName().starts_with("_ZTI"))
        Work.push_back(Base);
  }
  return true;
}

/// The classes whose objects have the virtual function \p F, with all that they derive from.
/// False if it may be found by other ways than through their tables.
static bool addClasses(const Function &F, SmallPtrSetImpl<const Value *> &Classes) {
  for (const User *U : F.users()) {
    auto *Part = dyn_cast<ConstantArray>(U);
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == &F)
      continue;
    if (!isa<ICmpInst>(U) && !(Part && addClasses(*Part, Classes)))
      return false;
  }
  return !Classes.empty();
}

/// Does \p Call find what it calls in the table of the object of its own function?
static bool callsOwnObject(const CallBase &Call) {
  const Function &F = *Call.getFunction();
  auto *Entry = dyn_cast<LoadInst>(Call.getCalledOperand());
  auto *Table =
      Entry ? dyn_cast<LoadInst>(Entry->getPointerOperand()->stripInBoundsOffsets()) : nullptr;
  return Table && F.arg_size() && Table->getPointerOperand() == F.getArg(0);
}

bool mayShareObject(const CallBase &Call, const Function &F) {
  if (!callsOwnObject(Call))
    return true;
  SmallPtrSet<const Value *, 8> Own, Theirs;
  if (!addClasses(*Call.getFunction(), Own) || !addClasses(F, Theirs))
    return true;
  return any_of(Own, [&](const Value *Class) { return Theirs.contains(Class); });
}

} // namespace isozyme
