//===- OwnedRows.cpp - Tables whose rows nothing else leads to ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   std::vector<std::vector<double>> u(n, std::vector<double>(n)), v = u;
//
// A row of u is what some store has put into the table of u. A table owns its rows if
//
//   its address is nowhere else                             each store to it is known
//   each address stored to it is that of memory that was    a row is no memory of the caller's, and
//   made for it, or comes from the same table               no other that has a name here
//   the address of this memory is stored to no other table  one row is never in two tables
//   rows are made when the table is there                   nor in the tables of two iterations
//
// Tables are filled by functions of containers, too: their bodies are looked at in the same way.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/OwnedRows.h"
#include "isozyme/Needs/HiddenMemory.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Values/MemoryObjects.h"
#include "isozyme/Values/Origins.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

/// Of functions that hand a table on to others.
constexpr unsigned MostCalls = 4;
/// Addresses that are computed from one.
constexpr size_t MostAddresses = 256;

namespace {

/// Looks at all that is done with the address of a table, in the function that has made it, or with
/// a parameter, in a function that it is passed to.
class TableUses {
public:
  TableUses(const Value &Table, const TargetLibraryInfo &TLI, const PreparedFunction *MadeIn,
            unsigned Calls)
      : Table(Table), TLI(TLI), MadeIn(MadeIn), Calls(Calls) {}

  /// Are all of them known, and does the table own what is stored?
  bool areKnown();

  SmallPtrSet<const Value *, 4> Makers;
  bool IsReturned = false;

private:
  bool isKnown(const Use &U);
  bool isKnownCall(const CallBase &Call, const Use &U);
  bool isRow(const Value *Stored, const StoreInst &To);
  bool ownsRow(const Value &Row) const;
  bool isJustTable(const Instruction &Access) const;

  const Value &Table;
  const TargetLibraryInfo &TLI;
  const PreparedFunction *MadeIn; ///< Null: the table is a parameter.
  unsigned Calls;
  SmallSetVector<const Value *, 16> Addresses;
};

} // namespace

/// Is \p I an address computed from \p U's, or a vector of such?
static bool passesOn(const Instruction &I, const Use &U) {
  if (auto *GEP = dyn_cast<GetElementPtrInst>(&I))
    return GEP->getPointerOperand() == U.get();
  return isChoice(I) || isa<InsertElementInst, ShuffleVectorInst>(I);
}

/// What an address, or a vector of addresses, that is stored is computed from.
static Operands basesOf(const Value *V) {
  if (auto *GEP = dyn_cast<GEPOperator>(V))
    return {GEP->getPointerOperand()};
  if (auto *Insert = dyn_cast<InsertElementInst>(V))
    return {Insert->getOperand(0), Insert->getOperand(1)};
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V))
    return {Shuffle->getOperand(0), Shuffle->getOperand(1)};
  return choicesOf(V);
}

bool TableUses::isJustTable(const Instruction &Access) const {
  SmallVector<const Value *, 2> Objects =
      accessedObjects(getLoadStorePointerOperand(&Access), *Access.getFunction());
  return Objects.size() == 1 && Objects[0] == &Table;
}

/// Is the address of \p Row, memory that was made, in this table only, and in one that was there
/// before?
bool TableUses::ownsRow(const Value &Row) const {
  if (auto *Made = dyn_cast<Instruction>(&Table);
      Made && !MadeIn->dominators().dominates(Made, cast<Instruction>(&Row)))
    return false;
  auto comesRound = [&](const Value *V) {
    auto *Phi = dyn_cast<PHINode>(V);
    auto *Made = dyn_cast<Instruction>(&Table);
    const Loop *L = Phi && Made ? MadeIn->loops().getLoopFor(Phi->getParent()) : nullptr;
    return L && L->getHeader() == Phi->getParent() && L->contains(Made);
  };
  SmallSetVector<const Value *, 8> Known;
  Known.insert(&Row);
  for (size_t Next = 0; Next < Known.size(); ++Next) {
    if (Known.size() > MostAddresses || comesRound(Known[Next]))
      return false;
    for (const Use &U : Known[Next]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *Store = dyn_cast<StoreInst>(I);
      auto *Call = dyn_cast<CallBase>(I);
      if (passesOn(*I, U))
        Known.insert(I);
      else if (!keepsToItself(U, TLI) &&
               !(Store && Store->getValueOperand() == U.get() && isJustTable(*Store)) &&
               !(Call && Call->isDataOperand(&U) &&
                 Call->doesNotCapture(Call->getDataOperandNo(&U))))
        return false;
    }
  }
  return true;
}

/// May \p Stored be in the table?
bool TableUses::isRow(const Value *Stored, const StoreInst &To) {
  Type *T = Stored->getType();
  if (!T->isPtrOrPtrVectorTy())
    return isa<Constant>(Stored) || T->isFPOrFPVectorTy() ||
           (T->isIntegerTy() &&
            T->getIntegerBitWidth() < To.getDataLayout().getPointerSizeInBits());
  SmallSetVector<const Value *, 8> Parts;
  Parts.insert(Stored);
  for (size_t Next = 0; Next < Parts.size(); ++Next) {
    const Value *V = Parts[Next];
    Operands Bases = basesOf(V);
    if (Parts.size() > MostAddresses)
      return false;
    if (!Bases.empty()) {
      Parts.insert_range(Bases);
    } else if (isNoAliasCall(V)) {
      if (!Makers.contains(V) && !ownsRow(*V))
        return false;
      Makers.insert(V);
    } else if (auto *Moved = dyn_cast<LoadInst>(V)) {
      if (!isJustTable(*Moved) || !isJustTable(To))
        return false;
    } else if (!isa<ConstantPointerNull, UndefValue, ConstantAggregateZero, ConstantInt>(V)) {
      return false;
    }
  }
  return true;
}

/// Is what the function called does with the table known as well?
bool TableUses::isKnownCall(const CallBase &Call, const Use &U) {
  if (!Call.isArgOperand(&U))
    return false;
  unsigned Number = Call.getArgOperandNo(&U);
  const Function *Callee = Call.getCalledFunction();
  if (Call.doesNotCapture(Number) && Call.onlyReadsMemory(Number))
    return true;
  if (!Callee || Callee->isDeclaration() || Callee->isInterposable() || Callee->isVarArg() ||
      Callee->getFunctionType() != Call.getFunctionType() || customRules(*Callee).hasReverse() ||
      Calls == MostCalls)
    return false;
  TableUses Inner(*Callee->getArg(Number), TLI, nullptr, Calls + 1);
  if (!Inner.areKnown())
    return false;
  if (Inner.IsReturned)
    Addresses.insert(&Call);
  if (!Inner.Makers.empty())
    Makers.insert(&Call);
  return true;
}

bool TableUses::isKnown(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (passesOn(*I, U)) {
    Addresses.insert(I);
    return I->getType()->isPointerTy();
  }
  if (auto *Store = dyn_cast<StoreInst>(I))
    return Store->isSimple() && Store->getPointerOperand() == U.get() &&
           isRow(Store->getValueOperand(), *Store);
  if (isa<MemTransferInst>(I))
    return false;
  if (isa<ReturnInst>(I) && !MadeIn)
    return IsReturned = true;
  if (keepsToItself(U, TLI))
    return true;
  auto *Call = dyn_cast<CallBase>(I);
  return Call && isKnownCall(*Call, U);
}

bool TableUses::areKnown() {
  Addresses.insert(&Table);
  for (size_t Next = 0; Next < Addresses.size(); ++Next) {
    if (Addresses.size() > MostAddresses)
      return false;
    for (const Use &U : Addresses[Next]->uses())
      if (!isKnown(U))
        return false;
  }
  return true;
}

const std::optional<OwnedRows::Makers> &OwnedRows::makersIn(const Value *Table) const {
  auto [It, New] = Tables.insert({Table, std::nullopt});
  if (New && (isa<AllocaInst>(Table) || isNoAliasCall(Table))) {
    TableUses Uses(*Table, P.libraryInfo(), &P, 0);
    if (Uses.areKnown())
      It->second = Uses.Makers;
  }
  return It->second;
}

std::optional<OwnedRows::Makers> OwnedRows::makersOf(const Value *Row) const {
  auto *Read = dyn_cast<LoadInst>(Row);
  if (!Read || !Read->getType()->isPointerTy())
    return std::nullopt;
  Makers All;
  for (const Value *Table : accessedObjects(Read->getPointerOperand(), P.function())) {
    const std::optional<Makers> &Of = makersIn(Table);
    if (!Of)
      return std::nullopt;
    All.insert_range(*Of);
  }
  return All;
}

const Value *OwnedRows::tableOf(const Value *Row) const {
  return makersOf(Row)
             ? getUnderlyingObject(cast<LoadInst>(Row)->getPointerOperand(), /*MaxLookup=*/0)
             : nullptr;
}

bool OwnedRows::areApart(const Value *A, const Value *B) const {
  std::optional<Makers> OfA = makersOf(A), OfB = makersOf(B);
  if (OfA && OfB)
    return none_of(*OfA, [&](const Value *Maker) { return OfB->contains(Maker); });
  if (!OfA && !OfB)
    return false;
  const Value *Other = OfA ? B : A;
  return isa<Argument, GlobalVariable, AllocaInst>(Other) ||
         (isNoAliasCall(Other) && !(OfA ? *OfA : *OfB).contains(Other));
}

} // namespace isozyme
