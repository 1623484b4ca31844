//===- TapeNotes.cpp - What the derivative keeps, and how large it is -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportBuilder.h"
#include "isozyme/Explain/Renderers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

std::string ReportBuilder::wordsFor(const Need &N) {
  // What has no short text gets a name that is explained.
  bool IsValue =
      N.P == Part::Primal && (!Decisions->isControl(*N.V) || !Words.variable(N.V).empty());
  if (N.P == Part::Shadow)
    return "the address " + Words.address(N.V, ".shadow");
  return IsValue ? Words.of(N.V).S : shortTemplate(Decisions->describe(N, ""));
}

Polynomial ReportBuilder::timesLoops(Polynomial Each, ArrayRef<const Loop *> Loops,
                                     function_ref<unsigned(const Loop *)> HaloOf) {
  for (const Loop *L : llvm::reverse(Loops)) {
    const LoopVariable V = Words.variableOf(L);
    Polynomial Count = Words.count(L);
    if (unsigned Halo = HaloOf(L))
      Count += Polynomial(int64_t(Halo));
    if (Each.mentions(V.Name))
      Each = Each.sumOver(V.Name, V.Start ? Words.formula(V.Start) : Polynomial(), V.Step, Count);
    else
      Each = Each * Count;
  }
  return Each;
}

Polynomial ReportBuilder::sizeOf(const TapeSlot &S) {
  return timesLoops(int64_t(Decisions->bytesOf(S)), Plan->Tape.loopsOf(S),
                    [&](const Loop *L) { return Plan->Tape.haloOf(S, L); });
}

std::string ReportBuilder::inShort(const Polynomial &Size) {
  static constexpr size_t Long = 20;
  return Size
      .renamed([&](const std::string &Name) {
        if (Name.size() <= Long || StringRef(Name).starts_with("iterations("))
          return Name;
        auto It = find_if(D.ShortNames, [&](const ShortName &S) { return S.Text == Name; });
        if (It != D.ShortNames.end())
          return It->Name;
        std::string Text = Name;
        // The parentheses were for the place in a product.
        if (Text.front() == '(' && Text.back() == ')')
          Text = Text.substr(1, Text.size() - 2);
        It = find_if(D.ShortNames, [&](const ShortName &S) { return S.Text == Text; });
        if (It != D.ShortNames.end())
          return It->Name;
        D.ShortNames.push_back({"N" + std::to_string(D.ShortNames.size() + 1), Text});
        return D.ShortNames.back().Name;
      })
      .text();
}

static Had hadBy(KeepDecision::Kind K) {
  switch (K) {
  case KeepDecision::Available:
    return Had::AtHand;
  case KeepDecision::Recompute:
    return Had::ComputedAgain;
  case KeepDecision::Reload:
    return Had::ReadAgain;
  case KeepDecision::Cache:
    return Had::Kept;
  }
  llvm_unreachable("complete switch");
}

void ReportBuilder::addKept() {
  for (auto &[N, Decision] : Plan->Keep) {
    auto *I = dyn_cast<Instruction>(N.V);
    Had How = hadBy(Decision.K);
    D.Kept += How == Had::Kept;
    D.ComputedAgain += How == Had::ComputedAgain;
    D.ReadAgain += How == Had::ReadAgain;
    bool IsNumber = N.P == Part::Primal && N.V->getType()->isFPOrFPVectorTy();
    // Of what is not kept, only what the source has: numbers, and integers that are read.
    bool IsTold = How == Had::Kept || IsNumber ||
                  (How == Had::ReadAgain && N.P == Part::Primal && !N.V->getType()->isPointerTy());
    if (!I || !IsTold)
      continue;
    ExplainedLine &Line = Lines.at(placeInSource(I));
    ExplainedValue V = describe(N.V);
    V.Name = wordsFor(N);
    V.How = How;
    V.Reason = Decision.Reason;
    V.Slot = Decision.Slot;
    if (How == Had::Kept)
      V.Size = inBytes(inShort(sizeOf(Plan->Tape.slots()[Decision.Slot])));
    addValue(Line, std::move(V));
  }
}

static const char *shapeText(const TapeRegion &Region, bool IsSplit) {
  switch (Region.Shape) {
  case TapeShape::Scalar:
    return IsSplit ? "a member of the tape" : "a local variable";
  case TapeShape::Array:
    return Region.Memory == TapeMemory::Stack ? "an array on the stack" : "an array";
  case TapeShape::Growable:
    return "grows in chunks";
  }
  llvm_unreachable("complete switch");
}

void ReportBuilder::addTape() {
  Polynomial Total;
  for (auto [Number, S] : enumerate(Plan->Tape.slots())) {
    bool IsBase = S.BaseOf >= 0;
    bool Once = Plan->Tape.loopsOf(S).empty();
    // The address of an array is a register, except where there are many arrays.
    if (IsBase && Once && !R.isSplit())
      continue;
    TapeRow Row;
    Row.Slot = Number;
    Polynomial Size = sizeOf(S);
    Total += Size;
    Row.Bytes = Decisions->bytesOf(S);
    Row.Total = inShort(Size);
    for (const Loop *L : Plan->Tape.loopsOf(S))
      Row.Times +=
          (Row.Times.empty() ? "" : " * ") +
          (Words.count(L).isSum() ? "(" + inShort(Words.count(L)) + ")" : inShort(Words.count(L)));
    Row.Shape = shapeText(Plan->Tape.regions()[S.Region], R.isSplit());
    if (IsBase) {
      const TapeSlot &First = Plan->Tape.slots()[Plan->Tape.regions()[S.BaseOf].Slots.front()];
      Row.What = First.Key.V ? "the address of the array for '" + wordsFor(First.Key) + "'"
                             : "the address of an array of addresses";
      Row.Where = lineOf(First.Key.V);
    } else {
      Row.What = wordsFor(S.Key);
      Row.Where = lineOf(S.Key.V);
      if (const KeepDecision *Decision = Plan->decisionFor(S.Key))
        Row.Reason = Decision->Reason;
    }
    D.Tape.push_back(std::move(Row));
  }
  D.TapeTotal = inShort(Total);
  for (const std::string &Name : Total.names())
    D.Unknowns.push_back(inShort(Polynomial::name(Name)));
}

} // namespace isozyme
