//===- RowTables.cpp - Tables whose rows may be evenly spaced -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Versions/RowTables.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/Source/SourceText.h"
#include "isozyme/Values/AddressTerms.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace isozyme {

/// More tables, or conditions, are not worth the comparisons.
static constexpr unsigned MostTables = 8, MostGuards = 16, MostFormulas = 4;

namespace {

/// A read of a table, and the bytes behind the parameter that it reads in all iterations.
struct TableRead {
  const SCEV *Begin = nullptr, *End = nullptr;
  SmallVector<EntryCompare, 4> Guards;
  bool IsSure = false; ///< Both ends are read where the guards hold.
};

class TableFinder {
public:
  explicit TableFinder(const DerivativePlan &Plan) : Plan(Plan), P(Plan.P) {}
  RowTables run();

private:
  bool isRow(const LoadInst &Load) const;
  void addTo(RowTable &Table, LoadInst &Load) const;
  void note(LoadInst &Load);
  std::optional<TableRead> measure(LoadInst &Load, RowTables &All) const;
  bool extend(RowTable &Table, const TableRead &Read, RowTables &All) const;
  bool isInside(const RowTable &Table, const TableRead &Read) const;
  bool measureAll(RowTable &Table, RowTables &All) const;
  void addWord(LoadInst &Load, RowTables &All) const;

  const DerivativePlan &Plan;
  const PreparedFunction &P;
  SmallVector<RowTable, 4> Tables;
  /// Reads at one place.
  SmallVector<LoadInst *, 4> Words;
};

} // namespace

/// The size of the smallest number that is accessed in a row: whole numbers of them are likely to
/// lie between rows, and LLVM knows more of the addresses then.
static unsigned unitOf(const RowTable &Table) {
  const DataLayout &DL = Table.Base->getParent()->getDataLayout();
  SmallSetVector<const Value *, 16> Places(Table.Loads.begin(), Table.Loads.end());
  uint64_t Least = 8;
  for (size_t Next = 0; Next < Places.size(); ++Next)
    for (const User *U : Places[Next]->users()) {
      if (isa<GetElementPtrInst>(U))
        Places.insert(U);
      else if (getLoadStorePointerOperand(U) == Places[Next])
        Least = std::min(Least, DL.getTypeStoreSize(getLoadStoreType(U)).getKnownMinValue());
    }
  return bit_floor(std::max<uint64_t>(Least, 1));
}

/// Is it an address with one shadow, or with none?
bool TableFinder::isRow(const LoadInst &Load) const {
  return Load.isSimple() && Load.getType()->isPointerTy() && P.reachesReturn(Load.getParent()) &&
         Plan.Steps.checkOf(&Load) == ShadowCheck::None;
}

void TableFinder::addTo(RowTable &Table, LoadInst &Load) const {
  if (Table.Loads.empty() && P.original().getSubprogram()) {
    SourceText Names(P);
    Table.Name = Names.address(&Load, "");
    Table.Declared = Names.declaredType(&Load);
  }
  Table.Loads.push_back(&Load);
  Table.HasShadow |= Plan.Steps.of(&Load).Shadow == ShadowForm::Made;
}

void TableFinder::note(LoadInst &Load) {
  const DataLayout &DL = P.function().getDataLayout();
  std::optional<AddressTerms> At = addressTerms(Load.getPointerOperand(), DL);
  auto *Base = At && !At->MayWrap ? dyn_cast<Argument>(At->Base) : nullptr;
  if (!Base)
    return;
  int64_t Stride = At->stride();
  if (Stride == 0)
    Words.push_back(&Load);
  if (Stride < int64_t(DL.getPointerSize()))
    return;
  int64_t Offset = ((At->Offset % Stride) + Stride) % Stride;
  auto *Known = find_if(Tables, [&](const RowTable &T) {
    return T.Base == Base && T.Stride == Stride && T.Offset == Offset;
  });
  if (Known == Tables.end())
    Known = &Tables.emplace_back(Base, Stride, Offset);
  addTo(*Known, Load);
}

std::optional<TableRead> TableFinder::measure(LoadInst &Load, RowTables &All) const {
  ScalarEvolution &SE = P.scalarEvolution();
  Type *I64 = Type::getInt64Ty(Load.getContext());
  const SCEV *Address = SE.getSCEV(Load.getPointerOperand());
  const SCEV *Offset = SE.getTruncateOrSignExtend(SE.removePointerBase(Address), I64);
  const SCEV *Size = SE.getConstant(I64, P.function().getDataLayout().getPointerSize());
  LoopCorner First, Last;
  TableRead Read;
  Read.Begin = extremeAtEntry(P, Offset, Load, /*Largest=*/false, &All.Assumed, &First);
  const SCEV *Most = extremeAtEntry(P, Offset, Load, /*Largest=*/true, &All.Assumed, &Last);
  if (!Read.Begin || !Most)
    return std::nullopt;
  Read.End = SE.getAddExpr(Most, Size);
  auto AtFirst = guardsAt(P, Load, First), AtLast = guardsAt(P, Load, Last);
  Read.IsSure = AtFirst && AtLast;
  if (!Read.IsSure)
    return Read;
  for (auto *Guards : {&*AtFirst, &*AtLast})
    for (const EntryCompare &Guard : *Guards) {
      std::optional<bool> Holds = SE.evaluatePredicate(Guard.Is, Guard.Left, Guard.Right);
      Read.IsSure &= Holds.value_or(true);
      if (!Holds)
        Read.Guards.push_back(Guard);
    }
  return Read;
}

bool TableFinder::isInside(const RowTable &Table, const TableRead &Read) const {
  ScalarEvolution &SE = P.scalarEvolution();
  auto isUpTo = [&](const SCEV *Least, const SCEV *Most) {
    auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Most, Least));
    return Distance && !Distance->getAPInt().isNegative();
  };
  return any_of(Table.Begins, [&](const SCEV *Begin) { return isUpTo(Begin, Read.Begin); }) &&
         any_of(Table.Ends, [&](const SCEV *End) { return isUpTo(Read.End, End); });
}

/// The table goes as far as \p Read does.
bool TableFinder::extend(RowTable &Table, const TableRead &Read, RowTables &All) const {
  addExtreme(P.scalarEvolution(), Table.Begins, Read.Begin, /*Largest=*/false);
  addExtreme(P.scalarEvolution(), Table.Ends, Read.End, /*Largest=*/true);
  for (const EntryCompare &Guard : Read.Guards)
    if (!is_contained(All.Guards, Guard))
      All.Guards.push_back(Guard);
  return std::max(Table.Begins.size(), Table.Ends.size()) <= MostFormulas &&
         All.Guards.size() <= MostGuards;
}

bool TableFinder::measureAll(RowTable &Table, RowTables &All) const {
  SmallVector<TableRead, 4> Unsure;
  for (LoadInst *Load : Table.Loads) {
    std::optional<TableRead> Read = measure(*Load, All);
    if (!Read)
      return false;
    if (!Read->IsSure)
      Unsure.push_back(std::move(*Read));
    else if (!extend(Table, *Read, All))
      return false;
  }
  return all_of(Unsure, [&](const TableRead &Read) { return isInside(Table, Read); });
}

/// One place is a row of a table, or a table of its own.
void TableFinder::addWord(LoadInst &Load, RowTables &All) const {
  AddressTerms At = *addressTerms(Load.getPointerOperand(), Load.getDataLayout());
  std::optional<TableRead> Read = measure(Load, All);
  bool HasShadow = Plan.Steps.of(&Load).Shadow == ShadowForm::Made;
  for (RowTable &Table : All.Tables) {
    bool IsRow = Table.isOneWord()
                     ? Table.Offset == At.Offset
                     : (At.Offset - Table.Offset) % Table.Stride == 0 && isInside(Table, *Read);
    if (Table.Base != At.Base || !IsRow || Table.HasShadow < HasShadow)
      continue;
    Table.Loads.push_back(&Load);
    return;
  }
  RowTable Word(cast<Argument>(At.Base), 0, At.Offset);
  addTo(Word, Load);
  RowTables With = All;
  if (Read->IsSure && All.Tables.size() < MostTables && extend(Word, *Read, With)) {
    All = std::move(With);
    All.Tables.push_back(std::move(Word));
  }
}

RowTables TableFinder::run() {
  for (Instruction &I : instructions(P.function()))
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && isRow(*Load))
      note(*Load);
  RowTables All;
  for (RowTable &Table : Tables) {
    RowTables With = All;
    // What has no shadow itself leads to none.
    Table.HasShadow &= Plan.Request.hasShadow(Table.Base->getArgNo());
    Table.Unit = unitOf(Table);
    if (All.Tables.size() < MostTables && measureAll(Table, With)) {
      All = std::move(With);
      All.Tables.push_back(std::move(Table));
    }
  }
  for (LoadInst *Word : Words)
    addWord(*Word, All);
  return All;
}

RowTables findRowTables(const DerivativePlan &Plan) { return TableFinder(Plan).run(); }

} // namespace isozyme
