//===- VersionPlan.cpp - A version for memory that is apart ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/EntryExtent.h"
#include "isozyme/Plan/PlanForecast.h"
#include "isozyme/Support/InternalCopy.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

RowStage::RowStage(RowTables Tables, std::unique_ptr<DerivativePlan> With)
    : Tables(std::move(Tables)), With(std::move(With)) {}
RowStage::RowStage(RowStage &&) = default;
RowStage &RowStage::operator=(RowStage &&) = default;
RowStage::~RowStage() = default;

VersionPlan::VersionPlan() = default;
VersionPlan::~VersionPlan() = default;

Function &apartCopyOf(Function &F, const VersionPlan &V) {
  Function &Copy = internalCopyOf(F);
  Copy.setName(F.getName() + ".apart");
  for (const AccessedRange &Range : V.Ranges)
    if (auto *A = dyn_cast<Argument>(Range.Base))
      Copy.getArg(A->getArgNo())->addAttr(Attribute::NoAlias);
  return Copy;
}

void chooseVersions(VersionPlan &V, const DerivativePlan &Any,
                    std::unique_ptr<DerivativePlan> Apart) {
  PlanForecast OfAny = forecastOf(Any), OfApart = forecastOf(*Apart);
  V.AnyBytes = OfAny.TapeBytes;
  V.ApartBytes = OfApart.TapeBytes;
  // A quarter less tape is worth as much code again.
  if (OfApart.TapeBytes > OfAny.TapeBytes - OfAny.TapeBytes / 4)
    V.Refused = "where the memory is apart, " + std::to_string(V.ApartBytes) + " bytes of " +
                std::to_string(V.AnyBytes) + " are kept all the same";
  else
    V.Apart = std::move(Apart);
}

static void printAssumed(const AssumedValue &A, raw_ostream &OS) {
  OS << "    if " << *A.Value << " is " << A.Least << " or more";
  if (A.Most != INT64_MAX)
    OS << ", and " << A.Most << " or less";
  OS << '\n';
}

static void printFormulas(ArrayRef<const SCEV *> Formulas, raw_ostream &OS) {
  interleave(Formulas, OS, [&](const SCEV *S) { OS << *S; }, " or ");
}

static void printRange(const AccessedRange &Range, raw_ostream &OS) {
  OS << "    " << operandName(Range.Base) << " from ";
  printFormulas(Range.Begins, OS);
  OS << " up to ";
  printFormulas(Range.Ends, OS);
  OS << (Range.IsWritten ? "  (written)\n" : "\n");
}

void RowTables::print(raw_ostream &OS) const {
  for (const RowTable &Table : Tables) {
    OS << "    " << operandName(Table.Base);
    if (Table.isOneWord())
      OS << " has an address from ";
    else
      OS << " has even rows every " << Table.Stride << " bytes from ";
    printFormulas(Table.Begins, OS);
    OS << " up to ";
    printFormulas(Table.Ends, OS);
    if (Table.Width)
      OS << ", of " << *Table.Width << " times " << Table.Unit << " bytes or more";
    OS << (Table.HasShadow ? ", with its shadow\n" : "\n");
  }
  for (const AssumedValue &A : Assumed)
    printAssumed(A, OS);
  for (const EntryCompare &Guard : Guards)
    OS << "    if " << *Guard.Left << ' ' << CmpInst::getPredicateName(Guard.Is) << ' '
       << *Guard.Right << '\n';
}

void VersionPlan::print(raw_ostream &OS) const {
  if (!Refused.empty()) {
    OS << "  one version: " << Refused << '\n';
    return;
  }
  OS << "  two versions: with " << ApartBytes << " bytes of tape where memory is apart, else "
     << AnyBytes << "; bytes are compared of\n";
  for (auto [N, Read] : enumerate(Reads)) {
    const Function &F = *Given->Request.Fn;
    unsigned Param = F.arg_size() - Reads.size() + N;
    OS << "    " << operandName(F.getArg(Param)) << " is the " << *Read.Type << " at byte "
       << Read.Offset << " of " << operandName(F.getArg(Read.Base))
       << (Read.HasShadow ? ", with its shadow\n" : "\n");
  }
  for (const RowStage &Stage : Stages)
    Stage.Tables.print(OS);
  for (const AccessedRange &Range : Ranges)
    if (!Range.IsGiven && !Range.Stage)
      printRange(Range, OS);
  for (const AssumedValue &A : Assumed)
    printAssumed(A, OS);
  OS << "    pairs:";
  for (auto [A, B] : Pairs) {
    OS << ' ' << operandName(Ranges[A].Base) << '-';
    if (Ranges[B].Stage)
      OS << "table(" << operandName(Ranges[B].Base) << ')';
    else if (Ranges[B].IsGiven)
      OS << *Ranges[B].Begins.front() << ".." << *Ranges[B].Ends.front() << '('
         << operandName(Ranges[B].Base) << ')';
    else
      OS << operandName(Ranges[B].Base);
  }
  OS << '\n';
}

bool verifyVersions(const DerivativePlan &Any, raw_ostream *OS) {
  bool Broken = false;
  auto complain = [&](const Twine &What) {
    Broken = true;
    if (OS)
      *OS << "versions: " << What << '\n';
  };
  const VersionPlan &V = *Any.Versions;
  if (!V.Refused.empty()) {
    if (V.Apart)
      complain("there is a second one all the same");
    return Broken;
  }
  for (const AccessedRange &Range : V.Ranges) {
    auto isUnknown = [](const SCEV *S) { return !isKnownAtEntry(S); };
    if (any_of(Range.Begins, isUnknown) || any_of(Range.Ends, isUnknown) || Range.Begins.empty() ||
        Range.Ends.empty())
      complain("the range of " + operandName(Range.Base) + " is not known at entry");
  }
  if (any_of(V.Assumed, [](const AssumedValue &A) { return !isKnownAtEntry(A.Value); }))
    complain("what is assumed is not known at entry");
  for (const RowStage &Stage : V.Stages)
    for (const EntryCompare &Guard : Stage.Tables.Guards)
      if (!isKnownAtEntry(Guard.Left) || !isKnownAtEntry(Guard.Right))
        complain("what decides whether a table is read is not known at entry");
  for (auto [A, B] : V.Pairs)
    if (!V.Ranges[A].IsWritten && !V.Ranges[B].IsWritten)
      complain("what is only read is compared");
  if (V.Pairs.empty() || !V.Apart)
    complain("the second version is missing");
  else if (verifyPlan(*V.Apart, OS))
    complain("the second version is not sound");
  return Broken;
}

} // namespace isozyme
