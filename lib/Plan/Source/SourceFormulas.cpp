//===- SourceFormulas.cpp - Integers as formulas in variables -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: what SCEV knows of an integer.  Out: a polynomial in the variables of the source.
// A counter of a loop is the variable that debug information says it is, so that
// `start + step * iteration` becomes the variable itself.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Source/SourceText.h"
#include "isozyme/Prepare/SourceNames.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// i = Start + Step * iteration, as the source has it; the value before it is counted up.
LoopVariable SourceText::findVariable(const Loop *L) {
  const PHINode *IV = P.canonical(L).IV;
  auto consider = [&](const Instruction &I) -> std::optional<LoopVariable> {
    const DILocalVariable *Variable = sourceVariableOf(&I);
    if (!I.getType()->isIntegerTy() || !Variable)
      return std::nullopt;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Instruction *>(&I)));
    auto *Step = Rec && Rec->isAffine() && Rec->getLoop() == L
                     ? dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE))
                     : nullptr;
    if (!Step || Step->getAPInt().isZero() || Step->getAPInt().getSignificantBits() > 32)
      return std::nullopt;
    const SCEV *Start = Rec->getStart();
    bool IsNext = any_of(L->getHeader()->phis(), [&](const PHINode &Phi) {
      return L->getLoopLatch() && Phi.getIncomingValueForBlock(L->getLoopLatch()) == &I;
    });
    if (IsNext)
      Start = SE.getMinusSCEV(Start, Step);
    return LoopVariable{Variable->getName().str(), Start, Step->getAPInt().getSExtValue()};
  };
  for (const BasicBlock *BB : L->blocks())
    for (const Instruction &I : *BB)
      if (std::optional<LoopVariable> Found = consider(I))
        return *Found;
  if (!HasDebugInfo && IV && IV->hasName())
    return {IV->getName().str()};
  DebugLoc Loc = L->getStartLoc();
  return {Loc ? "k" + std::to_string(lineOfUser(Loc)->getLine())
              : "k" + std::to_string(P.numberOf(IV))};
}

const LoopVariable &SourceText::variableOf(const Loop *L) {
  auto It = Variables.find(L);
  if (It == Variables.end()) {
    Variables[L] = {"k"}; // While its start is put into words.
    LoopVariable Found = findVariable(L);
    It = Variables.insert_or_assign(L, Found).first;
  }
  return It->second;
}

bool SourceText::isCounter(StringRef Name) {
  return any_of(P.loops().getLoopsInPreorder(),
                [&](const Loop *L) { return variableOf(L).Start && variableOf(L).Name == Name; });
}

namespace {
/// Counts a formula while it is being made.
class NestedCount {
public:
  explicit NestedCount(unsigned &Count) : Count(Count) { ++Count; }
  ~NestedCount() { --Count; }
  NestedCount(const NestedCount &) = delete;

private:
  unsigned &Count;
};
} // namespace

/// Remembers each formula: integers that are computed from each other are a graph, not a tree.
Polynomial SourceText::formula(const SCEV *S) {
  if (!Nesting)
    Steps = 0;
  if (auto It = Formulas.find(S); It != Formulas.end())
    return It->second;
  if (Nesting > MaxNesting || ++Steps > MaxSteps)
    return Polynomial::name("...");
  NestedCount Here(Nesting);
  Polynomial Found = newFormula(S);
  if (Found.isTooLong())
    Found = Polynomial::name("...");
  return Formulas[S] = Found;
}

/// The low bits of \p S, as many as its type has: three in `i & 7` and `i % 8u`.
Polynomial SourceText::masked(const SCEV *S) {
  uint64_t Bits = SE.getTypeSizeInBits(S->getType());
  bool IsType =
      Bits > 32 || (Bits >= 8 && isPowerOf2_64(Bits)) || (Bits == 1 && isa<SCEVUnknown>(S));
  if (IsType)
    return formula(S);
  std::string Whole = formula(S).text();
  if (StringRef(Whole).contains(' '))
    Whole = "(" + Whole + ")";
  return Polynomial::name("(" + Whole + " & " + std::to_string(maskTrailingOnes<uint64_t>(Bits)) +
                          ")");
}

/// (v.end() - v.begin()) / 8  ->  v.size(). Both may be multiplied by a number on the way to a
/// narrow type: (int)v.size().
std::optional<Polynomial> containerSize(const Polynomial &Bytes, int64_t Divisor) {
  std::string Ends = (Bytes + Polynomial(-Bytes.constant())).text();
  auto [End, Begin] = StringRef(Ends).split(" - ");
  int64_t Factor = 1, OfBegin = 1;
  if (!End.consumeInteger(10, Factor) && !Begin.consumeInteger(10, OfBegin) &&
      !(End.consume_front(" * ") && Begin.consume_front(" * ")))
    return std::nullopt;
  if (Factor != OfBegin || !Divisor || Divisor % Factor)
    return std::nullopt;
  bool IsSize = End.consume_back(".end()") && Begin.consume_back(".begin()");
  if (!IsSize || End != Begin || Bytes.constant() % Divisor)
    return std::nullopt;
  return Polynomial::name(End.str() + ".size()") + Bytes.constant() / Divisor;
}

/// \p V is X / N or X >> N: X and the divisor.
static std::pair<const Value *, int64_t> quotientOf(const Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  auto *By = I ? dyn_cast<ConstantInt>(I->getOperand(1)) : nullptr;
  if (!By || By->isNegative() || By->getValue().getActiveBits() > 32)
    return {nullptr, 0};
  switch (I->getOpcode()) {
  case Instruction::AShr:
  case Instruction::LShr:
    return By->getValue().ult(62) ? std::pair(I->getOperand(0), int64_t(1) << By->getZExtValue())
                                  : std::pair<Value *, int64_t>();
  case Instruction::SDiv:
  case Instruction::UDiv:
    return {I->getOperand(0), By->getZExtValue()};
  default:
    return {nullptr, 0};
  }
}

static bool isZeroOrMore(const SCEVNAryExpr &Max) {
  return Max.getNumOperands() == 2 && Max.getOperand(0)->isZero();
}

/// size(u) of Fortran is not negative, and flang asks all the same: max(0, size(u)).
static bool isSize(const Polynomial &P) {
  return StringRef(P.text()).starts_with("size(") && !P.isSum();
}

Polynomial SourceText::newFormula(const SCEV *S) {
  auto named = [&](const std::string &Name) { return Polynomial::name(Name); };
  auto joined = [&](const SCEVNAryExpr *Operands, const char *Function) {
    std::string Text;
    for (const SCEV *Operand : Operands->operands())
      Text += (Text.empty() ? "" : ", ") + formula(Operand).text();
    return named(std::string(Function) + "(" + Text + ")");
  };
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &Value = cast<SCEVConstant>(S)->getAPInt();
    return Value.getSignificantBits() <= 64 ? Polynomial(Value.getSExtValue()) : named("...");
  }
  case scUnknown:
    if (auto [Whole, Divisor] = quotientOf(cast<SCEVUnknown>(S)->getValue()); Whole)
      if (auto Size = containerSize(formula(SE.getSCEV(const_cast<Value *>(Whole))), Divisor))
        return *Size;
    if (std::optional<Polynomial> Stride = strideOf(cast<SCEVUnknown>(S)->getValue()))
      return *Stride;
    return named(expression(cast<SCEVUnknown>(S)->getValue(), 1).in(BindsSign));
  case scZeroExtend:
    return masked(cast<SCEVZeroExtendExpr>(S)->getOperand());
  case scSignExtend:
  case scTruncate:
  case scPtrToInt:
    return formula(cast<SCEVCastExpr>(S)->getOperand());
  case scAddExpr: {
    Polynomial Sum;
    for (const SCEV *Operand : cast<SCEVAddExpr>(S)->operands())
      Sum += formula(Operand);
    return Sum;
  }
  case scMulExpr: {
    Polynomial Product = 1;
    for (const SCEV *Operand : cast<SCEVMulExpr>(S)->operands())
      Product = Product * formula(Operand);
    return Product;
  }
  case scAddRecExpr: {
    auto *Rec = cast<SCEVAddRecExpr>(S);
    if (!Rec->isAffine())
      return named("...");
    const LoopVariable V = variableOf(Rec->getLoop());
    Polynomial Step = formula(Rec->getStepRecurrence(SE)), Rest;
    Polynomial Steps = V.Start ? Step.divide(V.Step, Rest) : Step;
    if (!(Rest == Polynomial()))
      return formula(Rec->getStart()) +
             Step * named("(" + V.Name + " - " + formula(V.Start).text() + ") / " +
                          std::to_string(V.Step));
    Polynomial FromStart = named(V.Name);
    if (V.Start)
      FromStart += formula(V.Start) * Polynomial(-1);
    return formula(Rec->getStart()) + Steps * FromStart;
  }
  case scSMaxExpr:
    if (auto *Max = cast<SCEVNAryExpr>(S); IsFortran && isZeroOrMore(*Max))
      if (Polynomial Size = formula(Max->getOperand(1)); isSize(Size))
        return Size;
    [[fallthrough]];
  case scUMaxExpr:
    return joined(cast<SCEVNAryExpr>(S), "max");
  case scSMinExpr:
  case scUMinExpr:
  case scSequentialUMinExpr:
    return joined(cast<SCEVNAryExpr>(S), "min");
  case scUDivExpr: {
    auto *Div = cast<SCEVUDivExpr>(S);
    Polynomial Over = formula(Div->getLHS());
    std::string Top = Over.text();
    if (auto *By = dyn_cast<SCEVConstant>(Div->getRHS()))
      if (auto Size = containerSize(Over, By->getAPInt().getLimitedValue(INT64_MAX)))
        return *Size;
    return named("(" + (Over.isSum() ? "(" + Top + ")" : Top) + " / " +
                 formula(Div->getRHS()).text() + ")");
  }
  default:
    return named("...");
  }
}

namespace {
/// max(1, n)  ->  n, where the loop is not entered for less: LLVM asks in front of a loop that it
/// has turned into do-while, in words that SCEV does not always take for the same question. As
/// everywhere in formulas, integers do not overflow.
class AsEntered : public SCEVRewriteVisitor<AsEntered> {
public:
  AsEntered(ScalarEvolution &SE, const Loop *L) : SCEVRewriteVisitor(SE), L(L) {}

  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *Max) {
    const SCEV *Count = beside1(Max);
    return Count && isPositive(Count) ? Count : SCEVRewriteVisitor::visitSMaxExpr(Max);
  }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *Max) {
    const SCEV *Count = beside1(Max);
    return Count && isNotZero(Count) ? Count : SCEVRewriteVisitor::visitUMaxExpr(Max);
  }

private:
  static const SCEV *beside1(const SCEVNAryExpr *Max) {
    return Max->getNumOperands() == 2 && Max->getOperand(0)->isOne() ? Max->getOperand(1) : nullptr;
  }
  bool holds(CmpPredicate Relation, const SCEV *S) {
    return SE.isLoopEntryGuardedByCond(L, Relation, S, SE.getZero(S->getType()));
  }
  bool isNotZero(const SCEV *S) {
    if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(S))
      return isNotZero(cast<SCEVCastExpr>(S)->getOperand());
    if (auto *Product = dyn_cast<SCEVMulExpr>(S))
      return all_of(Product->operands(), [&](const SCEV *Factor) { return isNotZero(Factor); });
    return SE.isKnownNonZero(S) || holds(CmpInst::ICMP_NE, S);
  }
  bool isPositive(const SCEV *S) {
    if (auto *Wide = dyn_cast<SCEVSignExtendExpr>(S))
      return isPositive(Wide->getOperand());
    if (isa<SCEVZeroExtendExpr>(S))
      return isNotZero(S);
    if (holds(CmpInst::ICMP_SGT, S))
      return true;
    auto *Product = dyn_cast<SCEVMulExpr>(S);
    return Product ? isPositiveProduct(*Product) : isNotZero(S) && holds(CmpInst::ICMP_SGE, S);
  }
  /// Of positive numbers and of squares of which none is zero.
  bool isPositiveProduct(const SCEVMulExpr &Product) {
    return all_of(Product.operands(), [&](const SCEV *Factor) {
      return llvm::count(Product.operands(), Factor) % 2 == 0 ? isNotZero(Factor)
                                                              : isPositive(Factor);
    });
  }

  const Loop *L;
};
} // namespace

Polynomial SourceText::count(const Loop *L) {
  const CanonicalLoop &C = P.canonical(L);
  if (!C.LastIV) {
    DebugLoc Loc = L->getStartLoc();
    return Polynomial::name(Loc ? "iterations(line " + std::to_string(lineOfUser(Loc)->getLine()) +
                                      ")"
                                : "iterations(" + L->getHeader()->getName().str() + ")");
  }
  return formula(AsEntered(SE, L).visit(SE.getSCEV(C.LastIV))) + 1;
}

} // namespace isozyme
