//===- OwnedRows.cpp - Tables whose rows nothing else leads to ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   std::vector<std::vector<double>> u(n, std::vector<double>(n)), v = u;
//
// A row of u is what some store has put into the table of u. A table owns its rows if
//
//   its address is nowhere else, and it begins empty        each store to it is known
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
#include "isozyme/Ops/KnownCalls.h"
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
  SmallSetVector<const Value *, 16> Addresses;
  bool IsReturned = false;
  bool ShowsRows = false; ///< A row's address comes to other places than the table.

private:
  bool isKnown(const Use &U);
  bool isKnownCall(const CallBase &Call, const Use &U);
  bool isRow(const Value *Stored, const StoreInst &To);
  bool ownsRow(const Value &Row) const;
  bool staysInTable(const Value &Row, function_ref<bool(const Value &)> MayBe) const;
  bool isJustTable(const Instruction &Access) const;

  const Value &Table;
  const TargetLibraryInfo &TLI;
  const PreparedFunction *MadeIn; ///< Null: the table is a parameter.
  unsigned Calls;
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

/// Is the address of \p Row stored to this table only, and handed to nobody? Each value computed
/// from it must be one that \p MayBe allows.
bool TableUses::staysInTable(const Value &Row, function_ref<bool(const Value &)> MayBe) const {
  SmallSetVector<const Value *, 8> Known;
  Known.insert(&Row);
  for (size_t Next = 0; Next < Known.size(); ++Next) {
    if (Known.size() > MostAddresses || !MayBe(*Known[Next]))
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

/// Is the address of \p Row, memory that was made, in this table only, and in one that was there
/// before?
bool TableUses::ownsRow(const Value &Row) const {
  auto *Made = dyn_cast<Instruction>(&Table);
  if (Made && !MadeIn->dominators().dominates(Made, cast<Instruction>(&Row)))
    return false;
  return staysInTable(Row, [&](const Value &V) {
    auto *Phi = dyn_cast<PHINode>(&V);
    const Loop *L = Phi && Made ? MadeIn->loops().getLoopFor(Phi->getParent()) : nullptr;
    bool ComesRound = L && L->getHeader() == Phi->getParent() && L->contains(Made);
    return !ComesRound;
  });
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
  ShowsRows |= Inner.ShowsRows;
  return true;
}

bool TableUses::isKnown(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (passesOn(*I, U)) {
    Addresses.insert(I);
    return I->getType()->isPointerTy();
  }
  if (isa<LoadInst>(I)) {
    Type *T = I->getType();
    bool IsNoAddress = T->isFPOrFPVectorTy() || T->isIntegerTy(1) || T->isIntegerTy(8);
    ShowsRows |=
        !IsNoAddress && !(T->isPointerTy() && staysInTable(*I, [](const Value &) { return true; }));
    return true;
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

/// Is \p Object memory that holds no address when it comes into being? A function that returns
/// memory of its own may have put rows into it.
static bool beginsEmpty(const Value &Object, const TargetLibraryInfo &TLI) {
  auto *Call = dyn_cast<CallBase>(&Object);
  return isa<AllocaInst>(Object) || (Call && isNoAliasCall(Call) && isAllocation(*Call, TLI));
}

const OwnedRows::Table *OwnedRows::find(const Value *Object) const {
  auto [It, New] = Tables.insert({Object, std::nullopt});
  if (New && beginsEmpty(*Object, P.libraryInfo())) {
    TableUses Uses(*Object, P.libraryInfo(), &P, 0);
    if (Uses.areKnown()) {
      Table Found{std::move(Uses.Makers), {}, Uses.ShowsRows};
      for (const Value *V : Uses.Addresses)
        if (V == Object || isa<CallBase>(V))
          Found.Names.insert(V);
      It->second = std::move(Found);
    }
  }
  return It->second ? &*It->second : nullptr;
}

SmallVector<const OwnedRows::Table *, 2> OwnedRows::tablesOf(const Value *Row) const {
  SmallVector<const Table *, 2> Found;
  auto *Read = dyn_cast<LoadInst>(Row);
  if (!Read || !Read->getType()->isPointerTy())
    return Found;
  for (const Value *Object : accessedObjects(Read->getPointerOperand(), P.function())) {
    const Table *T = find(Object);
    if (!T)
      return {};
    Found.push_back(T);
  }
  return Found;
}

const Value *OwnedRows::tableOf(const Value *Row) const {
  return tablesOf(Row).empty()
             ? nullptr
             : getUnderlyingObject(cast<LoadInst>(Row)->getPointerOperand(), /*MaxLookup=*/0);
}

/// Is \p Other never a row of \p T?
bool OwnedRows::isNoRowOf(const Table &T, const Value *Other) const {
  if (isa<Argument, GlobalVariable, AllocaInst>(Other))
    return true;
  if (isNoAliasCall(Other))
    return !T.Makers.contains(Other);
  auto *Read = dyn_cast<LoadInst>(Other);
  if (!Read || !Read->getType()->isPointerTy())
    return false;
  SmallVector<const Table *, 2> Others = tablesOf(Other);
  if (!Others.empty() && all_of(Others, [&](const Table *O) {
        return none_of(O->Makers, [&](const Value *M) { return T.Makers.contains(M); });
      }))
    return true;
  // What is read somewhere else, if rows are nowhere else.
  return !T.ShowsRows && none_of(accessedObjects(Read->getPointerOperand(), P.function()),
                                 [&](const Value *V) { return T.Names.contains(V); });
}

bool OwnedRows::areApart(const Value *A, const Value *B) const {
  auto isNoRowOfAny = [&](const Value *Row, const Value *Other) {
    SmallVector<const Table *, 2> Of = tablesOf(Row);
    return !Of.empty() && all_of(Of, [&](const Table *T) { return isNoRowOf(*T, Other); });
  };
  return isNoRowOfAny(A, B) || isNoRowOfAny(B, A);
}

} // namespace isozyme
