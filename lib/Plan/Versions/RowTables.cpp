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

/// A read of a table, and the bytes behind the parameter that it reads in all iterations. Where the
/// guards hold, it reads there; nothing: nobody knows whether it does.
struct TableRead {
  using Guards = std::optional<SmallVector<EntryCompare, 4>>;
  const SCEV *Begin = nullptr, *End = nullptr;
  Guards ToBegin, ToEnd;
};

class TableFinder {
public:
  explicit TableFinder(const DerivativePlan &Plan) : Plan(Plan), P(Plan.P) {}
  RowTables run();

private:
  bool isRow(const LoadInst &Load) const;
  bool leadsToShadow(const LoadInst &Load, const Argument &Base) const;
  void addTo(RowTable &Table, LoadInst &Load) const;
  void note(LoadInst &Load);
  std::optional<TableRead> measure(LoadInst &Load, RowTables &All) const;
  TableRead::Guards guardsOf(const LoadInst &Load, const LoopCorner &Corner) const;
  void extend(RowTable &Table, const TableRead &Read, RowTables &All) const;
  bool isInside(const RowTable &Table, const TableRead &Read) const;
  const SCEV *widthOf(const RowTable &Table, RowTables &All) const;
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

/// \p S in units of \p Unit, where all of its terms are whole ones; else null.
static const SCEV *dividedBy(ScalarEvolution &SE, const SCEV *S, unsigned Unit) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().srem(Unit) == 0 ? SE.getConstant(C->getAPInt().sdiv(Unit)) : nullptr;
  auto *Sum = dyn_cast<SCEVNAryExpr>(S);
  if (!Sum || !isa<SCEVAddExpr, SCEVMulExpr>(S))
    return nullptr;
  SmallVector<const SCEV *, 4> Parts(Sum->operands());
  // Constants come first; one factor is enough.
  for (const SCEV *&Part :
       MutableArrayRef(Parts).take_front(isa<SCEVMulExpr>(S) ? 1 : Parts.size()))
    if (Part = dividedBy(SE, Part, Unit); !Part)
      return nullptr;
  return isa<SCEVMulExpr>(S) ? SE.getMulExpr(Parts) : SE.getAddExpr(Parts);
}

/// Is it an address with one shadow, or with none?
bool TableFinder::isRow(const LoadInst &Load) const {
  return Load.isSimple() && Load.getType()->isPointerTy() && P.reachesReturn(Load.getParent()) &&
         Plan.Steps.checkOf(&Load) == ShadowCheck::None;
}

/// What has no shadow itself leads to none.
bool TableFinder::leadsToShadow(const LoadInst &Load, const Argument &Base) const {
  return Plan.Steps.of(&Load).Shadow == ShadowForm::Made && Plan.Request.hasShadow(Base.getArgNo());
}

void TableFinder::addTo(RowTable &Table, LoadInst &Load) const {
  if (Table.Loads.empty() && P.original().getSubprogram()) {
    SourceText Names(P);
    Table.Name = Names.address(&Load, "");
    Table.Declared = Names.declaredType(&Load);
  }
  Table.Loads.push_back(&Load);
  Table.HasShadow |= leadsToShadow(Load, *Table.Base);
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

/// Those that do not hold in any case; nothing where one cannot hold, either.
TableRead::Guards TableFinder::guardsOf(const LoadInst &Load, const LoopCorner &Corner) const {
  TableRead::Guards All = guardsAt(P, Load, Corner), Open;
  if (!All)
    return std::nullopt;
  Open.emplace();
  for (const EntryCompare &Guard : *All) {
    std::optional<bool> Holds =
        P.scalarEvolution().evaluatePredicate(Guard.Is, Guard.Left, Guard.Right);
    if (Holds == false)
      return std::nullopt;
    if (!Holds)
      Open->push_back(Guard);
  }
  return Open;
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
  Read.ToBegin = guardsOf(Load, First);
  Read.ToEnd = guardsOf(Load, Last);
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

/// The table goes as far as \p Read surely does.
void TableFinder::extend(RowTable &Table, const TableRead &Read, RowTables &All) const {
  auto add = [&](const TableRead::Guards &Guards, SmallVectorImpl<const SCEV *> &To, const SCEV *S,
                 bool Largest) {
    if (!Guards)
      return;
    addExtreme(P.scalarEvolution(), To, S, Largest);
    for (const EntryCompare &Guard : *Guards)
      if (!is_contained(All.Guards, Guard))
        All.Guards.push_back(Guard);
  };
  add(Read.ToBegin, Table.Begins, Read.Begin, /*Largest=*/false);
  add(Read.ToEnd, Table.Ends, Read.End, /*Largest=*/true);
}

bool TableFinder::measureAll(RowTable &Table, RowTables &All) const {
  SmallVector<TableRead, 4> Reads;
  for (LoadInst *Load : Table.Loads) {
    std::optional<TableRead> Read = measure(*Load, All);
    if (!Read)
      return false;
    extend(Table, *Read, All);
    Reads.push_back(std::move(*Read));
  }
  return std::max(Table.Begins.size(), Table.Ends.size()) <= MostFormulas &&
         All.Guards.size() <= MostGuards &&
         all_of(Reads, [&](const TableRead &Read) { return isInside(Table, Read); });
}

/// The end of what is accessed in each row, behind where it begins.
const SCEV *TableFinder::widthOf(const RowTable &Table, RowTables &All) const {
  ScalarEvolution &SE = P.scalarEvolution();
  Type *I64 = Type::getInt64Ty(P.function().getContext());
  SmallVector<const SCEV *, 2> Ends;
  for (Instruction &I : instructions(P.function())) {
    Value *Ptr = getLoadStorePointerOperand(&I);
    auto *Row = Ptr ? dyn_cast<LoadInst>(getUnderlyingObject(Ptr, /*MaxLookup=*/0)) : nullptr;
    if (!Row || !is_contained(Table.Loads, Row))
      continue;
    const SCEV *Address = SE.getSCEV(Ptr);
    const SCEV *Offset = SE.getTruncateOrSignExtend(SE.removePointerBase(Address), I64);
    const SCEV *Size = SE.getStoreSizeOfExpr(I64, getLoadStoreType(&I));
    const SCEV *End =
        extremeAtEntry(P, SE.getAddExpr(Offset, Size), I, /*Largest=*/true, &All.Assumed);
    if (!End)
      return nullptr;
    addExtreme(SE, Ends, End, /*Largest=*/true);
  }
  return Ends.size() == 1 ? dividedBy(SE, Ends.front(), Table.Unit) : nullptr;
}

/// One place is a row of a table, or a table of its own.
void TableFinder::addWord(LoadInst &Load, RowTables &All) const {
  AddressTerms At = *addressTerms(Load.getPointerOperand(), Load.getDataLayout());
  auto *Base = cast<Argument>(At.Base);
  std::optional<TableRead> Read = measure(Load, All);
  for (RowTable &Table : All.Tables) {
    bool IsRow = Table.isOneWord()
                     ? Table.Offset == At.Offset
                     : (At.Offset - Table.Offset) % Table.Stride == 0 && isInside(Table, *Read);
    if (Table.Base != Base || !IsRow || Table.HasShadow < leadsToShadow(Load, *Base))
      continue;
    Table.Loads.push_back(&Load);
    return;
  }
  RowTable Word(Base, 0, At.Offset);
  addTo(Word, Load);
  RowTables With = All;
  extend(Word, *Read, With);
  if (!Word.Begins.empty() && !Word.Ends.empty() && All.Tables.size() < MostTables &&
      With.Guards.size() <= MostGuards) {
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
    Table.Unit = unitOf(Table);
    if (All.Tables.size() < MostTables && measureAll(Table, With)) {
      Table.Width = widthOf(Table, With);
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
