//===- SourceText.cpp - Values as the source writes them ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a value of prepared code.  Out: an expression of C that people recognise.
// Variables have their names; what has none is written as what computes it, down
// to variables; conversions, which C leaves unsaid, are left out. Text that grows
// too long gets a short name, whose meaning is told apart.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Source/SourceText.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Prepare/SourceNames.h"
#include "isozyme/Support/DebugTypes.h"
#include "isozyme/Support/SymbolNames.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace isozyme {

SourceText::SourceText(const PreparedFunction &P)
    : P(P), SE(P.scalarEvolution()), HasDebugInfo(describesVariables(P.original())),
      IsFortran(isFortran(P.original())) {}

std::string SourceText::ownName(const Value *V) {
  if (std::string Part = partName(V); !Part.empty())
    return Part;
  // A variable or a member that is passed on goes by its own name: `k`, `p->k`, not by that of
  // the parameter. An element (`x[i]`) is better called by the parameter.
  if (auto *Load = dyn_cast<LoadInst>(V); Load && Nesting < MaxDepth && isNamedByCallee(V))
    if (std::string Place = spot(Load->getPointerOperand(), Load->getType(), "", 0).T.S;
        StringRef(Place).find_first_of("[(#") == StringRef::npos)
      return Place;
  if (const DILocalVariable *Variable = sourceVariableOf(V))
    return Variable->getName().str();
  return isa<Argument>(V) || !HasDebugInfo ? P.sourceName(V) : "";
}

/// The one variable that all values of a phi belong to; "" if there are several or none.
std::string SourceText::joinedName(const PHINode &Phi) {
  std::string Name;
  SmallSetVector<const Value *, 8> Reached;
  Reached.insert(&Phi);
  for (unsigned N = 0; N < Reached.size(); ++N) {
    if (N == 16)
      return "";
    auto *Join = dyn_cast<PHINode>(Reached[N]);
    if (isa<Constant>(Reached[N]))
      continue;
    std::string Own = ownName(Reached[N]);
    if (Own.empty() && !Join)
      return "";
    if (Own.empty()) {
      Reached.insert_range(Join->incoming_values());
      continue;
    }
    if (!Name.empty() && Name != Own)
      return "";
    Name = Own;
  }
  return Name;
}

std::string SourceText::variable(const Value *V) {
  std::string Name = ownName(V);
  auto *Phi = dyn_cast<PHINode>(V);
  return Name.empty() && Phi ? joinedName(*Phi) : Name;
}

/// The number, from 1, that \p A has in the source; 0 if the ABI has made other parameters of
/// those that are there: pieces of structures. The place for a result has none either.
static unsigned sourceNumber(const Argument &A) {
  const Function &F = *A.getParent();
  const DISubprogram *Where = F.getSubprogram();
  bool HasResult = any_of(F.args(), [](const Argument &B) { return B.hasStructRetAttr(); });
  // The first type is that of the result.
  if (!Where || A.hasStructRetAttr() || !Where->getType() ||
      Where->getType()->getTypeArray().size() != F.arg_size() + (HasResult ? 0 : 1))
    return 0;
  return A.getArgNo() + 1 - (HasResult ? 1 : 0);
}

/// An argument that nothing uses has lost its value, not its name.
static std::string unusedName(const Argument &A) {
  const Function &F = *A.getParent();
  unsigned Number = sourceNumber(A);
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      if (Number && Record.getVariable()->getArg() == Number &&
          Record.getVariable()->getScope()->getSubprogram() == F.getSubprogram())
        return Record.getVariable()->getName().str();
  if (A.hasStructRetAttr())
    return "result";
  return "argument" + std::to_string(Number ? Number : A.getArgNo() + 1);
}

std::string SourceText::shortName(const Value *V) {
  auto It = find(Shortened, V);
  size_t Number = It - Shortened.begin();
  if (It == Shortened.end())
    Shortened.push_back(V);
  return ShortPrefix.str() + std::to_string(Number);
}

/// What \p Phi is, by the way that was taken to it.
std::string SourceText::joinText(const PHINode &Phi) {
  const Loop *L = P.loops().getLoopFor(Phi.getParent());
  if (L && L->getHeader() == Phi.getParent() && L->getLoopPreheader() && L->getLoopLatch())
    return expression(Phi.getIncomingValueForBlock(L->getLoopPreheader()), 1).S +
           " at first, then " + expression(Phi.getIncomingValueForBlock(L->getLoopLatch()), 1).S;
  SmallVector<std::string, 4> Ways;
  for (const Value *In : Phi.incoming_values()) {
    if (isa<UndefValue>(In))
      continue; // Nobody reads it on that way.
    if (std::string Way = expression(In, 1).S; !is_contained(Ways, Way))
      Ways.push_back(Way);
  }
  return Ways.size() == 1 ? Ways.front() : join(Ways, " or ") + ", by the way that was taken";
}

std::string SourceText::meaning(const Value *V) {
  Explained = V;
  auto *Phi = dyn_cast<PHINode>(V);
  std::string S = Phi ? joinText(*Phi) : instruction(*cast<Instruction>(V), 1).S;
  Explained = nullptr;
  return S;
}

/// The last resort.
Text SourceText::placeholder(const Value *V) {
  if (auto *A = dyn_cast<Argument>(V))
    return {unusedName(*A)};
  return isa<Instruction>(V) ? Text{shortName(V)} : Text{"..."};
}

/// As short as it can be: 0.5, 1e-10.
static std::string floatText(const APFloat &F) {
  APFloat Double = F;
  bool LosesInfo;
  Double.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &LosesInfo);
  for (const char *Format : {"%.6g", "%.15g"}) {
    char Digits[40];
    snprintf(Digits, sizeof Digits, Format, Double.convertToDouble());
    if (std::strtod(Digits, nullptr) == Double.convertToDouble() || Format[2] == '1')
      return Digits;
  }
  return "";
}

/// A text of the source, without its end where it is long; empty for other variables.
static std::string literalText(const GlobalVariable &G) {
  constexpr size_t Most = 24;
  bool IsLiteral = G.isConstant() && G.hasInitializer() &&
                   (G.hasLocalLinkage() || G.getName().starts_with("_QQcl")); // flang's
  auto *Data = IsLiteral ? dyn_cast<ConstantDataArray>(G.getInitializer()) : nullptr;
  if (!Data || !Data->isString())
    return "";
  StringRef Characters = Data->getAsString().rtrim('\0');
  std::string S;
  raw_string_ostream OS(S);
  printEscapedString(Characters.take_front(Most), OS);
  return '"' + S + (Characters.size() > Most ? "...\"" : "\"");
}

Text constantText(const Constant &C) {
  auto Signed = [](std::string S) { return Text{S, S[0] == '-' ? BindsSign : BindsCall}; };
  if (auto *F = dyn_cast<ConstantFP>(&C))
    return Signed(floatText(F->getValueAPF()));
  if (auto *I = dyn_cast<ConstantInt>(&C))
    return I->getBitWidth() == 1   ? Text{I->isOne() ? "true" : "false"}
           : I->getBitWidth() > 64 ? Text{"..."}
                                   : Signed(std::to_string(I->getSExtValue()));
  if (isa<ConstantPointerNull>(C))
    return {"NULL"};
  if (auto *F = dyn_cast<Function>(&C))
    return {sourceNameOf(*F)};
  if (auto *G = dyn_cast<GlobalVariable>(&C)) {
    SmallVector<DIGlobalVariableExpression *, 1> Known;
    G->getDebugInfo(Known);
    if (!Known.empty() && !Known.front()->getVariable()->getName().empty())
      return {Known.front()->getVariable()->getName().str()};
    std::string Literal = literalText(*G);
    return {Literal.empty() ? G->getName().str() : Literal};
  }
  if (C.isNullValue())
    return {"0"};
  if (Constant *Same = C.getType()->isVectorTy() ? C.getSplatValue() : nullptr)
    return constantText(*Same);
  if (auto *Lanes = dyn_cast<ConstantDataVector>(&C)) {
    std::string S;
    for (unsigned N = 0; N < Lanes->getNumElements(); ++N)
      S += (N ? ", " : "{") + constantText(*Lanes->getElementAsConstant(N)).S;
    return {S + "}"};
  }
  return {"..."};
}

Text SourceText::expression(const Value *V, unsigned Depth) {
  if (!Nesting)
    Steps = 0;
  if (++Steps > MaxSteps)
    return placeholder(V);
  if (auto *C = dyn_cast<Constant>(V))
    return constantText(*C);
  auto *I = dyn_cast<Instruction>(V);
  std::string Name = variable(V);
  if (I && I->getType()->isIntegerTy() && !I->getType()->isIntegerTy(1) &&
      Nesting <= 2 * MaxDepth) {
    // A counter that has been counted up already goes by the name of the next iteration.
    const SCEV *S = SE.getSCEV(const_cast<Value *>(V));
    if (isa<SCEVAddRecExpr>(S) || (Name.empty() && !isa<SCEVUnknown>(S))) {
      ++Nesting;
      Polynomial Sum = formula(S);
      --Nesting;
      return {Sum.text(), Sum.isSum() ? BindsSum : Sum.text()[0] == '-' ? BindsSign : BindsProduct};
    }
  }
  // The start of a counter goes by its name, too.
  if (!Name.empty() && !(I && I->getType()->isIntegerTy() && !isa<PHINode>(I) && isCounter(Name)))
    return {Name};
  if (!I || Depth > MaxDepth || Nesting > MaxNesting)
    return placeholder(V);
  ++Nesting;
  Text T = instruction(*I, Depth + 1);
  --Nesting;
  return T.S.size() > MaxLength ? placeholder(V) : T;
}

Text SourceText::compare(const CmpInst &I, unsigned Depth) {
  static constexpr std::pair<CmpInst::Predicate, const char *> Signs[] = {
      {CmpInst::ICMP_EQ, " == "},  {CmpInst::ICMP_NE, " != "},  {CmpInst::ICMP_SLT, " < "},
      {CmpInst::ICMP_ULT, " < "},  {CmpInst::ICMP_SLE, " <= "}, {CmpInst::ICMP_ULE, " <= "},
      {CmpInst::ICMP_SGT, " > "},  {CmpInst::ICMP_UGT, " > "},  {CmpInst::ICMP_SGE, " >= "},
      {CmpInst::ICMP_UGE, " >= "}, {CmpInst::FCMP_OEQ, " == "}, {CmpInst::FCMP_UNE, " != "},
      {CmpInst::FCMP_OLT, " < "},  {CmpInst::FCMP_OLE, " <= "}, {CmpInst::FCMP_OGT, " > "},
      {CmpInst::FCMP_OGE, " >= "}, {CmpInst::FCMP_ULT, " < "},  {CmpInst::FCMP_ULE, " <= "},
      {CmpInst::FCMP_UGT, " > "},  {CmpInst::FCMP_UGE, " >= "}};
  for (auto &[Predicate, Sign] : Signs)
    if (I.getPredicate() == Predicate)
      return {expression(I.getOperand(0), Depth).in(BindsSum) + Sign +
                  expression(I.getOperand(1), Depth).in(BindsSum),
              BindsComparison};
  bool IsNaN = I.getPredicate() == CmpInst::FCMP_UNO,
       IsNone = I.getPredicate() == CmpInst::FCMP_ORD;
  if (IsNaN || IsNone) {
    Text Any = {(IsNone ? "!isunordered(" : "isunordered(") + expression(I.getOperand(0), Depth).S +
                ", " + expression(I.getOperand(1), Depth).S + ")"};
    return IsNone ? Text{Any.S, BindsSign} : Any;
  }
  return placeholder(&I);
}

bool isTapeAllocation(const Function &F) {
  return F.getName().starts_with("isozyme.tape.allocate");
}

Text SourceText::call(const CallBase &Call, unsigned Depth) {
  const Function *Called = Call.getCalledFunction();
  if (Called && isTapeAllocation(*Called))
    return {"tape[" + expression(Call.getArgOperand(0), Depth).S + " bytes]"};
  std::string Name;
  if (Op Id = mathOpOf(Call); Id != Op::Opaque)
    Name = opName(Id).str();
  else if (const Function *F = Call.getCalledFunction())
    Name = isa<IntrinsicInst>(Call) ? Intrinsic::getBaseName(F->getIntrinsicID()).str()
                                    : sourceNameOf(*F);
  else
    Name = expression(Call.getCalledOperand(), Depth).in(BindsCall);
  std::string S = Name + "(";
  for (const Use &U : Call.args())
    S += (U.getOperandNo() ? ", " : "") + expression(U.get(), Depth).S;
  return {S + ")"};
}

/// For what C has no expression for.
static std::string wordsOf(const Instruction &I) {
  if (isa<LandingPadInst>(I))
    return "the exception that was caught";
  return I.getType()->isVectorTy()        ? "several values side by side"
         : I.getType()->isAggregateType() ? "several values together"
                                          : "a value computed here";
}

Text SourceText::operation(const Instruction &I, unsigned Depth) {
  auto binary = [&](const char *Sign, int Binds) {
    bool Strict = StringRef(Sign) != " + ";
    return Text{expression(I.getOperand(0), Depth).in(Binds) + Sign +
                    expression(I.getOperand(1), Depth).in(Binds + Strict),
                Binds};
  };
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::Add:
    return sumOf(expression(I.getOperand(0), Depth), expression(I.getOperand(1), Depth));
  case Instruction::FSub:
  case Instruction::Sub:
    return binary(" - ", BindsSum);
  case Instruction::Mul:
    return binary(" * ", BindsProduct);
  case Instruction::FMul:
    return productOf(expression(I.getOperand(0), Depth), expression(I.getOperand(1), Depth));
  case Instruction::FDiv:
    return tidyProduct(binary(" / ", BindsProduct));
  case Instruction::SDiv:
  case Instruction::UDiv:
    return binary(" / ", BindsProduct);
  case Instruction::SRem:
  case Instruction::URem:
    return binary(" % ", BindsProduct);
  case Instruction::Shl:
    return binary(" << ", BindsComparison);
  case Instruction::AShr:
  case Instruction::LShr:
    return binary(" >> ", BindsComparison);
  case Instruction::And:
    return binary(" & ", BindsOr);
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(I).isDisjoint() ? binary(" + ", BindsSum)
                                                      : binary(" | ", BindsOr);
  case Instruction::Xor:
    return binary(" ^ ", BindsOr);
  case Instruction::FNeg:
    return {"-" + expression(I.getOperand(0), Depth).in(BindsSign), BindsSign};
  case Instruction::ExtractValue:
  case Instruction::ExtractElement: {
    std::string S = expression(I.getOperand(0), Depth).in(BindsCall);
    auto *Value = dyn_cast<ExtractValueInst>(&I);
    if (!Value)
      return {S + "[" + expression(I.getOperand(1), Depth).S + "]"};
    for (unsigned Index : Value->indices())
      S += "[" + std::to_string(Index) + "]";
    return {S};
  }
  default:
    return Explained == &I ? Text{wordsOf(I)} : placeholder(&I);
  }
}

/// Is \p Condition that a product is too large for its type?
static bool isOverflow(const Value &Condition) {
  auto *Part = dyn_cast<ExtractValueInst>(&Condition);
  return Part && isa<WithOverflowInst>(Part->getAggregateOperand()) && Part->getIndices()[0] == 1;
}

Text SourceText::instruction(const Instruction &I, unsigned Depth) {
  if (isa<AllocaInst>(I))
    return {"local"};
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return spot(Load->getPointerOperand(), Load->getType(), "", Depth).T;
  if (I.getType()->isPointerTy() && isa<GetElementPtrInst>(I)) {
    Spot At = spot(&I, nullptr, "", Depth);
    return {"&" + At.T.in(BindsCall), BindsSign};
  }
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      Intrinsic && (Intrinsic->getIntrinsicID() == Intrinsic::fmuladd ||
                    Intrinsic->getIntrinsicID() == Intrinsic::fma)) {
    Text Product =
        productOf(expression(I.getOperand(0), Depth), expression(I.getOperand(1), Depth));
    Text Other = expression(I.getOperand(2), Depth);
    return subtracted(Product) ? sumOf(Other, Product) : sumOf(Product, Other);
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    return call(*Call, Depth);
  if (auto *Compare = dyn_cast<CmpInst>(&I))
    return compare(*Compare, Depth);
  if (isa<CastInst, FreezeInst>(I))
    return expression(I.getOperand(0), Depth);
  if (auto *Select = dyn_cast<SelectInst>(&I); Select && isOverflow(*Select->getCondition()))
    return expression(Select->getFalseValue(), Depth); // The size of a tape, if there is one.
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return choiceOf(expression(Select->getCondition(), Depth),
                    expression(Select->getTrueValue(), Depth),
                    expression(Select->getFalseValue(), Depth));
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (std::optional<Text> Moved = movedLoad(*Phi, ""))
      return *Moved;
    // The same expression on every way, as where a load was moved.
    Text First = expression(Phi->getIncomingValue(0), Depth);
    bool Same = all_of(Phi->incoming_values(),
                       [&](const Use &U) { return expression(U.get(), Depth).S == First.S; });
    return Same ? First : placeholder(Phi);
  }
  return operation(I, Depth);
}

} // namespace isozyme
