//===- DerivativeText.cpp - Derivatives as statements of the source -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: prepared code, activity and call plans.  Out: what each instruction becomes.
// The reverse walk goes through blocks and instructions backwards, so that the shares
// of an adjoint are known when its value is reached, except around loops: there
// the adjoint goes by the name of the variable.
//
//===----------------------------------------------------------------------===//
#include "DerivativeText.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Rules/RuleTable.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

static constexpr StringLiteral ShadowSuffix = ".shadow";
/// An expression of this length may have an adjoint in statements: `(a * b).adj`.
static constexpr unsigned MaxName = 24;

/// "-(a * b)" is "a * b", subtracted.
static std::optional<std::string> subtracted(const Text &T) {
  if (T.Binds != BindsSign || T.S[0] != '-')
    return std::nullopt;
  StringRef Inner = StringRef(T.S).drop_front();
  unsigned Open = 0;
  for (size_t I = 0; I < Inner.size(); ++I) {
    Open += Inner[I] == '(';
    Open -= Inner[I] == ')';
    if (!Open && I + 1 < Inner.size())
      return Inner.str(); // Not all of it is in parentheses.
  }
  return Inner.starts_with("(") ? Inner.drop_front().drop_back().str() : Inner.str();
}

/// The plainest name for a value that has none: a short expression is its own name.
std::string DerivativeText::nameOf(const Value *V) {
  if (std::string Name = Words.variable(V); !Name.empty())
    return Name;
  std::string Expression = Words.of(V).in(BindsCall);
  if (Expression.size() <= MaxName && !StringRef(Expression).contains("...") && !isa<PHINode>(V))
    return Expression;
  std::string &Name = MadeUp[V];
  if (Name.empty())
    Name = "t" + std::to_string(MadeUp.size());
  return Name;
}

void DerivativeText::say(const Instruction &At, const Twine &Text) {
  Statements.push_back({&At, Text.str()});
}

bool DerivativeText::isCarried(const Value *V) const {
  return !isa<Constant>(V) && F.Activity.isActiveValue(V) &&
         (V->getType()->isFPOrFPVectorTy() || adjointType(V, F.Types));
}

const CallPlan *DerivativeText::planOf(const Instruction &I) const {
  auto *Call = dyn_cast<CallBase>(&I);
  auto It = Call ? F.Calls.find(Call) : F.Calls.end();
  return It == F.Calls.end() ? nullptr : &It->second;
}

/// Only hands a value on, as a copy does in C.
static bool isCopy(const Instruction &I) {
  auto *Phi = dyn_cast<PHINode>(&I);
  return isa<FreezeInst, BitCastInst>(I) || (Phi && Phi->getNumIncomingValues() == 1);
}

/// A value in the middle of an expression: no variable, and used in the same block only.
bool DerivativeText::isPassedOn(const Instruction &I) const {
  auto *Phi = dyn_cast<PHINode>(&I);
  if (!Words.variable(&I).empty() || (Phi && !isCopy(I) && !Words.movedLoad(*Phi, "")))
    return false;
  return all_of(I.users(), [&](const User *U) {
    auto *By = cast<Instruction>(U);
    return By->getParent() == I.getParent() || isa<PHINode>(By) || !F.Activity.isActiveInstruction(By);
  });
}

Text DerivativeText::partial(const Instruction &I, const OpView &View, unsigned Wrt, const Text &T) {
  const Rule *R = ruleOf(View.Id);
  const Expr &E = R->Partials[Wrt];
  auto NameOf = [&](const Node &N, int Surrounding) {
    if (N.K == NodeKind::T)
      return T.in(Surrounding);
    return Words.of(N.K == NodeKind::Result ? static_cast<const Value *>(&I)
                                            : View.Operands[unsigned(N.Value)])
        .in(Surrounding);
  };
  bool IsT = E.root().K == NodeKind::T || E.root().K == NodeKind::Convert;
  return {exprText(E, NameOf), IsT ? T.Binds : bindingOf(E)};
}

/// Equal shares are counted: x * x has two of them.
static Text sumOf(ArrayRef<Text> Shares) {
  std::vector<std::pair<Text, unsigned>> Different;
  for (const Text &Share : Shares) {
    auto It = find_if(Different, [&](const auto &D) { return D.first.S == Share.S; });
    if (It != Different.end())
      ++It->second;
    else
      Different.push_back({Share, 1});
  }
  for (auto &[Share, Count] : Different)
    if (Count > 1)
      Share = {std::to_string(Count) + " * " + Share.in(BindsProduct), BindsProduct};
  if (Different.size() == 1)
    return Different.front().first;
  std::string Sum;
  for (auto &[Share, Count] : Different) {
    std::optional<std::string> Minus = Sum.empty() ? std::nullopt : subtracted(Share);
    Sum += Sum.empty() ? Share.in(BindsSum)
           : Minus     ? " - " + Share.in(BindsProduct).substr(1)
                       : " + " + Share.in(BindsSum);
  }
  return {Sum, BindsSum};
}

void DerivativeText::walk(bool Backwards, Visit Each) {
  ReversePostOrderTraversal<const Function *> Order(&F.P.function());
  SmallVector<const BasicBlock *, 32> Blocks;
  for (const BasicBlock *BB : Order)
    if (F.P.reachesReturn(BB))
      Blocks.push_back(BB);
  if (!Backwards) {
    for (const BasicBlock *BB : Blocks)
      for (const Instruction &I : *BB)
        (this->*Each)(I);
    return;
  }
  for (const BasicBlock *BB : llvm::reverse(Blocks))
    for (const Instruction &I : llvm::reverse(*BB))
      (this->*Each)(I);
}

/// "x, x.shadow, n": the arguments of the derivative of a callee.
std::string DerivativeText::callText(const CallBase &Call, const CallPlan &Plan, StringRef Sweep,
                                     StringRef Suffix) {
  std::string Text = (Sweep + "." + sourceNameOf(*Plan.Callee.Fn) + "(").str();
  ListSeparator Comma;
  raw_string_ostream OS(Text);
  for (unsigned Arg = 0; Arg < Plan.Callee.Args.size(); ++Arg) {
    const Value *V = Call.getArgOperand(Arg);
    std::string Name = Words.of(V).S;
    OS << Comma << Name;
    if (Plan.Callee.hasShadow(Arg))
      OS << Comma
         << (V->getType()->isPointerTy()
                 ? (StringRef(Name).starts_with("&") || Name == "..."
                        ? "&" + Words.memory(V, nullptr, ShadowSuffix).in(BindsCall)
                        : Name + ShadowSuffix.str())
                 : tangentOf(V).S);
  }
  return Text + Suffix.str() + ")";
}

/// memcpy and memset, in the words of what they move.
std::string DerivativeText::bulkText(const CallBase &Call) {
  auto &Bulk = cast<MemIntrinsic>(Call);
  auto shadow = [&](const Value *Ptr) {
    const Value *Base = Ptr->stripInBoundsConstantOffsets();
    return Words.memory(Base, Type::getInt8Ty(Call.getContext()), ShadowSuffix).S;
  };
  std::string Bytes = Words.formula(F.P.scalarEvolution().getSCEV(
                                        const_cast<Value *>(Bulk.getLength()))).text() + " bytes";
  std::string To = shadow(Bulk.getDest());
  if (F.R.isReverse()) {
    std::string Clear = To + " = 0";
    auto *Copy = dyn_cast<MemTransferInst>(&Bulk);
    if (Copy && F.Activity.isActiveValue(Copy->getSource()))
      Clear = shadow(Copy->getSource()) + " += " + To + "; " + Clear;
    return Clear + "  (" + Bytes + ")";
  }
  auto *Copy = dyn_cast<MemTransferInst>(&Bulk);
  return To + " = " + (Copy && F.Activity.isActiveValue(Copy->getSource()) ? shadow(Copy->getSource()) : "0") +
         "  (" + Bytes + ")";
}

// --- Reverse ---

/// Adds to the adjoint of \p To: where that has a name by a statement, else to what will
/// take its place.
void DerivativeText::add(const Value *To, const Text &Share, const Instruction &At) {
  if (!isCarried(To))
    return;
  auto *I = dyn_cast<Instruction>(To);
  if (I && isPassedOn(*I)) {
    Shares[To].push_back(Share);
    return;
  }
  std::string Name = nameOf(To) + ".adj";
  if (Share.S == Name)
    return;
  // x = f(x): the new adjoint replaces the old one, when nothing reads that any more.
  if (hasWord(Share.S, Name)) {
    Replacement &R = Replacements[To];
    R.Shares.push_back(Share);
    R.At = &At;
    return;
  }
  if (std::optional<std::string> Less = subtracted(Share))
    return say(At, Name + " -= " + *Less);
  say(At, Name + " += " + Share.S);
}

/// All that used the variable's old value has been reached.
void DerivativeText::replaceAdjoint(const Value *V) {
  auto It = Replacements.find(V);
  if (It == Replacements.end())
    return;
  Replacement R = It->second;
  Replacements.erase(It);
  say(*R.At, nameOf(V) + ".adj = " + sumOf(R.Shares).S);
}

/// The adjoint of a result, by name or by what it is made of.
Text DerivativeText::takeAdjoint(const Instruction &I) {
  if (!isPassedOn(I))
    return {nameOf(&I) + ".adj"};
  auto It = Shares.find(&I);
  if (It == Shares.end())
    return {"0"};
  Text Sum = sumOf(It->second);
  if (Sum.S.size() <= SourceText::MaxLength || isCopy(I))
    return Sum;
  std::string Name = nameOf(&I) + ".adj";
  say(I, Name + " = " + Sum.S);
  return {Name};
}

void DerivativeText::reverseStore(const Instruction &I, const Value *Ptr, const Value *Stored,
                                  bool Clears) {
  Text Shadow = Words.memory(Ptr, Stored->getType(), ShadowSuffix);
  auto *Computed = dyn_cast<Instruction>(Stored);
  if (Clears && Computed && isCarried(Stored) && isPassedOn(*Computed)) {
    // What is read below is what was there before.
    Text Before = {Words.memory(Ptr, Stored->getType()).S + ".adj"};
    say(I, Before.S + " = " + Shadow.S);
    Shares[Stored].push_back(Before);
  } else {
    add(Stored, Shadow, I);
  }
  if (Clears)
    say(I, Shadow.S + " = 0");
}

void DerivativeText::reverseCall(const CallBase &Call, const CallPlan &Plan) {
  switch (Plan.K) {
  case CallPlan::BulkMemory:
    return say(Call, bulkText(Call));
  case CallPlan::Differentiate: {
    bool HasSeed = Plan.Callee.Return == ReturnActivity::Active;
    std::string Gradients;
    for (unsigned Arg = 0; Arg < Plan.Callee.Args.size(); ++Arg)
      if (Plan.Callee.Args[Arg] == ArgActivity::Active)
        Gradients += (Gradients.empty() ? "" : ", ") + nameOf(Call.getArgOperand(Arg)) + ".adj";
    std::string Text =
        callText(Call, Plan, "reverse", HasSeed ? "; " + takeAdjoint(Call).S : std::string());
    return say(Call, Gradients.empty() ? Text : Gradients + " += " + Text);
  }
  default:
    return;
  }
}

void DerivativeText::reversePhi(const PHINode &Phi, const Text &T) {
  for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N) {
    const Value *From = Phi.getIncomingValue(N);
    const Instruction *At = dyn_cast<Instruction>(From);
    if (!At || isa<PHINode>(At))
      At = Phi.getIncomingBlock(N)->getTerminator();
    if (From != &Phi)
      add(From, T, isCopy(Phi) ? Phi : *At);
  }
}

void DerivativeText::reverseOf(const Instruction &I) {
  replaceAdjoint(&I);
  if (!hasReverseAction(F, I))
    return;
  const CallPlan *Plan = planOf(I);
  if (Plan && Plan->K != CallPlan::ByRule && Plan->K != CallPlan::Structural)
    return reverseCall(cast<CallBase>(I), *Plan);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return reverseStore(I, Store->getPointerOperand(), Store->getValueOperand(), true);
  if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return reverseStore(I, Atomic->getPointerOperand(), Atomic->getValOperand(), false);
  if (auto *Return = dyn_cast<ReturnInst>(&I))
    return add(Return->getReturnValue(), {"seed"}, I);
  if (!isCarried(&I) || (isPassedOn(I) && !Shares.contains(&I)))
    return;
  Text T = takeAdjoint(I);
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    std::optional<std::string> Less = subtracted(T);
    return say(I, Words.memory(Load->getPointerOperand(), Load->getType(), ShadowSuffix).S +
                      (Less ? " -= " + *Less : " += " + T.S));
  }
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (std::optional<Text> Shadow = Words.movedLoad(*Phi, ShadowSuffix))
      return say(I, Shadow->S + " += " + T.S);
    return reversePhi(*Phi, T);
  }
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    std::string If = Words.of(Select->getCondition()).in(BindsOr);
    add(Select->getTrueValue(), {If + " ? " + T.in(BindsOr) + " : 0", BindsChoice}, I);
    add(Select->getFalseValue(), {If + " ? 0 : " + T.in(BindsOr), BindsChoice}, I);
    return;
  }
  OpView View = viewOf(I, F.P.libraryInfo());
  if (View.Class == OpClass::Elementwise && ruleOf(View.Id)) {
    MapVector<const Value *, std::vector<Text>> To; // x * x adds to x once.
    for (unsigned Wrt = 0; Wrt < View.Operands.size() && Wrt < 3; ++Wrt)
      if (isCarried(View.Operands[Wrt]) && !ruleOf(View.Id)->Partials[Wrt].isNone())
        To[View.Operands[Wrt]].push_back(partial(I, View, Wrt, T));
    for (auto &[V, Sum] : To)
      add(V, sumOf(Sum), I);
    return;
  }
  // Lanes and members are moved back to where they came from.
  for (const Use &U : I.operands())
    add(U.get(), T, I);
}

std::vector<DerivativeText::Statement> DerivativeText::reverse() {
  walk(/*Backwards=*/true, &DerivativeText::reverseOf);
  for (const Argument &A : F.P.function().args())
    replaceAdjoint(&A);
  return std::move(Statements);
}

// --- Forward ---

Text DerivativeText::tangentOf(const Value *V) {
  if (!isCarried(V))
    return {"0"};
  if (auto It = Shares.find(V); It != Shares.end())
    return It->second.front();
  return {nameOf(V) + ".tan"};
}

void DerivativeText::setTangent(const Instruction &I, Text T) {
  if (isPassedOn(I) && T.S.size() <= SourceText::MaxLength) {
    Shares[&I] = {T};
    return;
  }
  std::string Name = nameOf(&I) + ".tan";
  if (T.S != Name)
    say(I, Name + " = " + T.S);
}

void DerivativeText::forwardOf(const Instruction &I) {
  if (!F.Activity.isActiveInstruction(&I))
    return;
  const CallPlan *Plan = planOf(I);
  if (Plan && Plan->K == CallPlan::BulkMemory)
    return say(I, bulkText(cast<CallBase>(I)));
  if (Plan && Plan->K == CallPlan::Differentiate) {
    std::string Text = callText(cast<CallBase>(I), *Plan, "forward", "");
    return say(I, isCarried(&I) ? nameOf(&I) + ".tan = " + Text : Text);
  }
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (storedAdjointType(*Store, F.Types))
      say(I, Words.memory(Store->getPointerOperand(), Store->getValueOperand()->getType(),
                          ShadowSuffix).S +
                 " = " + tangentOf(Store->getValueOperand()).S);
    return;
  }
  if (auto *Return = dyn_cast<ReturnInst>(&I)) {
    if (F.R.Return != ReturnActivity::Const && isCarried(Return->getReturnValue()))
      say(I, "return " + tangentOf(Return->getReturnValue()).S);
    return;
  }
  if (!isCarried(&I))
    return;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return setTangent(I, Words.memory(Load->getPointerOperand(), Load->getType(), ShadowSuffix));
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return setTangent(I, {Words.of(Select->getCondition()).in(BindsOr) + " ? " +
                              tangentOf(Select->getTrueValue()).in(BindsOr) + " : " +
                              tangentOf(Select->getFalseValue()).in(BindsOr),
                          BindsChoice});
  if (isCopy(I))
    return setTangent(I, tangentOf(I.getOperand(0)));
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (std::optional<Text> Shadow = Words.movedLoad(*Phi, ShadowSuffix))
      setTangent(I, *Shadow);
    return;
  }
  OpView View = viewOf(I, F.P.libraryInfo());
  std::vector<Text> Sum;
  if (View.Class == OpClass::Elementwise && ruleOf(View.Id))
    for (unsigned Wrt = 0; Wrt < View.Operands.size() && Wrt < 3; ++Wrt)
      if (isCarried(View.Operands[Wrt]) && !ruleOf(View.Id)->Partials[Wrt].isNone())
        Sum.push_back(partial(I, View, Wrt, tangentOf(View.Operands[Wrt])));
  if (Sum.empty())
    for (const Use &U : I.operands())
      if (isCarried(U.get()))
        Sum.push_back(tangentOf(U.get()));
  if (!Sum.empty())
    setTangent(I, sumOf(Sum));
}

std::vector<DerivativeText::Statement> DerivativeText::forward() {
  walk(/*Backwards=*/false, &DerivativeText::forwardOf);
  return std::move(Statements);
}

} // namespace isozyme
