//===- DerivativeText.cpp - Derivatives as statements of the source -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: prepared code, steps and call plans.  Out: what each instruction becomes.
// The reverse walk goes through blocks and instructions backwards, so that the shares
// of an adjoint are known when its value is reached, except around loops: there
// the adjoint goes by the name of the variable.
//
//===----------------------------------------------------------------------===//
#include "DerivativeText.h"
#include "ReportBuilder.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Rules/PartialNeeds.h"
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

/// The plainest name for a value that has none: a short expression is its own name.
std::string DerivativeText::nameOf(const Value *V) {
  if (std::string Name = Words.variable(V); !Name.empty())
    return Name;
  std::string Expression = Words.of(V).in(BindsCall);
  if (Expression.size() <= MaxName && !StringRef(Expression).contains(SourceText::ShortPrefix) &&
      !isa<PHINode>(V))
    return Expression;
  return Words.shortName(V);
}

void DerivativeText::say(const Instruction &At, const Twine &Text) {
  Statements.push_back({&At, Text.str()});
}

bool DerivativeText::isCarried(const Value *V) const { return F.Steps.of(V).Adjoint; }

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

/// Does the derivative do anything for \p I?
bool DerivativeText::isDifferentiated(const Instruction &I) const {
  if (isa<ReturnInst>(I) && F.R.Return == ReturnActivity::Const)
    return false;
  return !F.Steps.at(I).isNothing();
}

/// A value in the middle of an expression: no variable, and used in the same block only.
bool DerivativeText::isPassedOn(const Instruction &I) const {
  auto *Phi = dyn_cast<PHINode>(&I);
  if (!Words.variable(&I).empty() || (Phi && !isCopy(I) && !Words.movedLoad(*Phi, "")))
    return false;
  return all_of(I.users(), [&](const User *U) {
    auto *By = cast<Instruction>(U);
    return By->getParent() == I.getParent() || isa<PHINode>(By) || !isDifferentiated(*By);
  });
}

Text DerivativeText::partial(const Instruction &I, const OpView &View, unsigned Wrt,
                             const Text &T) {
  const Expr &E = *partialOf(View, Wrt);
  auto NameOf = [&](const Node &N, int Surrounding) {
    if (N.K == NodeKind::T) // "-x" as a factor: the sign comes to the front.
      return Surrounding > BindsSum && subtracted(T) ? "(" + T.S + ")" : T.in(Surrounding);
    return Words
        .of(N.K == NodeKind::Result ? static_cast<const Value *>(&I)
                                    : View.Operands[unsigned(N.Value)])
        .in(Surrounding);
  };
  bool IsT = E.root().K == NodeKind::T || E.root().K == NodeKind::Convert;
  return tidyProduct({exprText(E, NameOf), IsT ? T.Binds : bindingOf(E)});
}

/// "x += a", "x -= a"
static std::string added(const std::string &To, const Text &Share) {
  std::optional<Text> Less = subtracted(Share);
  return To + (Less ? " -= " + Less->S : " += " + Share.S);
}

/// Equal shares are counted: x * x has two of them.
static Text sumOfShares(ArrayRef<Text> Shares) {
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
      Share = productOf({std::to_string(Count)}, Share);
  // A sum does not begin with a minus if it can be helped.
  auto First = find_if(Different, [](const auto &D) { return !subtracted(D.first); });
  if (First != Different.end())
    std::rotate(Different.begin(), First, First + 1);
  Text Sum = Different.front().first;
  for (auto &[Share, Count] : drop_begin(Different))
    Sum = sumOf(Sum, Share);
  return Sum;
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
  std::string Text = (Sweep + "." + shortTemplate(sourceNameOf(*Plan.Callee.Fn)) + "(").str();
  ListSeparator Comma;
  raw_string_ostream OS(Text);
  for (unsigned Arg = 0; Arg < Plan.Callee.Args.size(); ++Arg) {
    const Value *V = Call.getArgOperand(Arg);
    std::string Name = Words.of(V).S;
    OS << Comma << Name;
    if (Plan.Callee.hasShadow(Arg))
      OS << Comma
         << (V->getType()->isPointerTy()
                 ? (StringRef(Name).starts_with("&")
                        ? "&" + Words.memory(V, nullptr, ShadowSuffix).in(BindsCall)
                        : Name + ShadowSuffix.str())
                 : tangentOf(V).S);
  }
  return Text + Suffix.str() + ")";
}

/// memcpy and memset, in the words of what they move.
std::string DerivativeText::bulkText(const CallBase &Call) {
  auto &Bulk = cast<MemIntrinsic>(Call);
  const ByteRuns &Moved = F.Steps.bytesOf(Call);
  Type *Element = Moved.Runs.size() == 1 ? Moved.Runs.front().Float : nullptr;
  if (!Element)
    Element = Type::getInt8Ty(Call.getContext());
  auto shadow = [&](const Value *Ptr) {
    return Words.memory(Ptr->stripInBoundsConstantOffsets(), Element, ShadowSuffix).S;
  };
  std::string Bytes =
      Words.formula(F.P.scalarEvolution().getSCEV(const_cast<Value *>(Bulk.getLength()))).text() +
      " bytes";
  std::string To = shadow(Bulk.getDest()), Length = "   // and what follows: " + Bytes;
  auto *Copy = dyn_cast<MemTransferInst>(&Bulk);
  bool FromActive = F.Steps.at(Call).Source != ShadowReach::None;
  if (!F.R.isReverse())
    return To + " = " + (FromActive ? shadow(Copy->getSource()) : "0") + Length;
  return (FromActive ? shadow(Copy->getSource()) + " += " + To + "; " : "") + To + " = 0" + Length;
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
  say(At, added(Name, Share));
}

/// All that used the variable's old value has been reached.
void DerivativeText::replaceAdjoint(const Value *V) {
  auto It = Replacements.find(V);
  if (It == Replacements.end())
    return;
  Replacement R = It->second;
  Replacements.erase(It);
  say(*R.At, nameOf(V) + ".adj = " + sumOfShares(R.Shares).S);
}

/// The adjoint of a result, by name or by what it is made of.
Text DerivativeText::takeAdjoint(const Instruction &I) {
  if (!isPassedOn(I))
    return {nameOf(&I) + ".adj"};
  auto It = Shares.find(&I);
  if (It == Shares.end())
    return {"0"};
  Text Sum = sumOfShares(It->second);
  if (Sum.S.size() <= SourceText::MaxLength || isCopy(I))
    return Sum;
  std::string Name = nameOf(&I) + ".adj";
  say(I, Name + " = " + Sum.S);
  return {Name};
}

void DerivativeText::reverseStore(const StoreInst &I) {
  const Value *Stored = I.getValueOperand();
  Text Shadow = Words.memory(I.getPointerOperand(), Stored->getType(), ShadowSuffix);
  auto *Computed = dyn_cast<Instruction>(Stored);
  if (Computed && isCarried(Stored) && isPassedOn(*Computed)) {
    // What is read below is what was there before.
    Text Before = {Words.memory(I.getPointerOperand(), Stored->getType()).S + ".adj"};
    say(I, Before.S + " = " + Shadow.S);
    Shares[Stored].push_back(Before);
  } else {
    add(Stored, Shadow, I);
  }
  say(I, Shadow.S + " = 0");
}

/// *p += x: the adjoint of *p stays, and x receives it; that of the old value is one of *p.
void DerivativeText::reverseAtomic(const AtomicRMWInst &I) {
  Text Shadow = Words.memory(I.getPointerOperand(), I.getType(), ShadowSuffix);
  if (isCarried(&I) && (!isPassedOn(I) || Shares.contains(&I)))
    say(I, added(Shadow.S, takeAdjoint(I)));
  bool IsMinus = F.Steps.at(I).Negated;
  add(I.getValOperand(), IsMinus ? Text{"-" + Shadow.in(BindsSign), BindsSign} : Shadow, I);
}

/// *p = max(*p, x): of those whose x it is in the end, one takes the adjoint.
void DerivativeText::reverseExtremum(const AtomicRMWInst &I) {
  Text Shadow = Words.memory(I.getPointerOperand(), I.getType(), ShadowSuffix);
  Text Memory = Words.memory(I.getPointerOperand(), I.getType());
  std::string Taken = Memory.in(BindsCall) + " == " + Words.of(I.getValOperand()).in(BindsCall);
  add(I.getValOperand(), {"(" + Taken + " ? " + Shadow.S + " : 0)"}, I);
}

void DerivativeText::reverseMasked(const Instruction &I, const MaskedAccess &Access) {
  Text If = Words.of(Access.Mask);
  Type *Accessed = Access.IsLoad ? I.getType() : Access.Data->getType();
  Text Shadow = Words.memory(Access.Address, Accessed, ShadowSuffix);
  if (!Access.IsLoad) {
    add(Access.Data, choiceOf(If, Shadow, {"0"}), I);
    return say(I, Shadow.S + " = " + choiceOf(If, {"0"}, Shadow).S);
  }
  if (!isCarried(&I) || (isPassedOn(I) && !Shares.contains(&I)))
    return;
  Text T = takeAdjoint(I);
  say(I, Shadow.S + " += " + choiceOf(If, T, {"0"}).S);
  add(Access.Data, choiceOf(If, {"0"}, T), I);
}

void DerivativeText::reverseCall(const CallBase &Call, const CallPlan &Plan) {
  bool HasSeed = Plan.Callee.Return == ReturnActivity::Active;
  std::string Gradients;
  for (unsigned Arg = 0; Arg < Plan.Callee.Args.size(); ++Arg)
    if (Plan.Callee.Args[Arg] == ArgActivity::Active)
      Gradients += (Gradients.empty() ? "" : ", ") + nameOf(Call.getArgOperand(Arg)) + ".adj";
  std::string Text =
      callText(Call, Plan, "reverse", HasSeed ? "; " + takeAdjoint(Call).S : std::string());
  say(Call, Gradients.empty() ? Text : Gradients + " += " + Text);
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

void DerivativeText::reverseRule(const Instruction &I, const Text &T) {
  OpView View = viewOf(I, F.P.libraryInfo());
  MapVector<const Value *, std::vector<Text>> To; // x * x adds to x once.
  for (unsigned Wrt = 0; Wrt < View.Operands.size() && Wrt < 3; ++Wrt)
    if (isCarried(View.Operands[Wrt]) && !ruleOf(View.Id)->Partials[Wrt].isNone())
      To[View.Operands[Wrt]].push_back(partial(I, View, Wrt, T));
  for (auto &[V, Sum] : To)
    add(V, sumOfShares(Sum), I);
}

/// Of a step that takes the adjoint \p T of its result.
void DerivativeText::reverseValue(const Instruction &I, AdjointStep S, const Text &T) {
  if (S == AdjointStep::Load)
    return say(I,
               added(Words.memory(getLoadStorePointerOperand(&I), I.getType(), ShadowSuffix).S, T));
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (std::optional<Text> Shadow = Words.movedLoad(*Phi, ShadowSuffix))
      return say(I, added(Shadow->S, T));
    return reversePhi(*Phi, T);
  }
  if (S == AdjointStep::Choose) {
    auto &Select = cast<SelectInst>(I);
    Text If = Words.of(Select.getCondition());
    add(Select.getTrueValue(), choiceOf(If, T, {"0"}), I);
    return add(Select.getFalseValue(), choiceOf(If, {"0"}, T), I);
  }
  if (S == AdjointStep::Rule)
    return reverseRule(I, T);
  // Lanes and members are moved back to where they came from.
  for (const Use &U : I.operands())
    add(U.get(), T, I);
}

void DerivativeText::reverseOf(const Instruction &I) {
  replaceAdjoint(&I);
  AdjointStep S = F.Steps.at(I).Adjoint;
  switch (S) {
  case AdjointStep::Nothing:
  case AdjointStep::Release: // Said of the call.
  case AdjointStep::ReleaseLocal:
  case AdjointStep::ReleaseShadow:
    return;
  case AdjointStep::HandBack:
    return say(
        I, "// each thread of the warp gets the adjoints of those that it has handed its value to");
  case AdjointStep::Wait:
    return say(I, "// the threads wait for each other");
  case AdjointStep::Seed:
    return add(cast<ReturnInst>(I).getReturnValue(), {"seed"}, I);
  case AdjointStep::Store:
    return reverseStore(cast<StoreInst>(I));
  case AdjointStep::Atomic:
    return reverseAtomic(cast<AtomicRMWInst>(I));
  case AdjointStep::Extremum:
    return reverseExtremum(cast<AtomicRMWInst>(I));
  case AdjointStep::MaskedLoad:
  case AdjointStep::MaskedStore:
    return reverseMasked(I, *maskedAccess(I));
  case AdjointStep::Copy:
  case AdjointStep::Clear:
    return say(I, bulkText(cast<CallBase>(I)));
  case AdjointStep::Call:
    return reverseCall(cast<CallBase>(I), *planOf(I));
  case AdjointStep::HandOn:
  case AdjointStep::Rule:
  case AdjointStep::Pass:
  case AdjointStep::Choose:
  case AdjointStep::PutBack:
  case AdjointStep::Load:
    if (isCarried(&I) && (!isPassedOn(I) || Shares.contains(&I)))
      reverseValue(I, S, takeAdjoint(I));
    return;
  }
  llvm_unreachable("complete switch");
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

void DerivativeText::forwardAtomic(const AtomicRMWInst &I) {
  Text Shadow = Words.memory(I.getPointerOperand(), I.getType(), ShadowSuffix);
  bool IsMinus = F.Steps.at(I).Negated;
  if (isCarried(&I) && !I.use_empty()) // What was there before.
    say(I, nameOf(&I) + ".tan = " + Shadow.S);
  say(I,
      Shadow.S + (IsMinus ? " -= " : " += ") + tangentOf(I.getValOperand()).in(BindsSum + IsMinus));
}

void DerivativeText::forwardMasked(const Instruction &I, const MaskedAccess &Access) {
  Text If = Words.of(Access.Mask);
  Type *Accessed = Access.IsLoad ? I.getType() : Access.Data->getType();
  Text Shadow = Words.memory(Access.Address, Accessed, ShadowSuffix);
  if (Access.IsLoad)
    setTangent(I, choiceOf(If, Shadow, tangentOf(Access.Data)));
  else if (F.Steps.at(I).Data == ShadowData::Tangent)
    say(I, Shadow.S + " = " + choiceOf(If, tangentOf(Access.Data), Shadow).S);
}

void DerivativeText::forwardStore(const StoreInst &I) {
  if (!F.Steps.at(I).Moved)
    return;
  const Value *Stored = I.getValueOperand();
  say(I, Words.memory(I.getPointerOperand(), Stored->getType(), ShadowSuffix).S + " = " +
             tangentOf(Stored).S);
}

/// The shares that the rule of \p I gives.
std::vector<Text> DerivativeText::ruleShares(const Instruction &I) {
  OpView View = viewOf(I, F.P.libraryInfo());
  std::vector<Text> Sum;
  for (unsigned Wrt = 0; Wrt < View.Operands.size() && Wrt < 3; ++Wrt)
    if (isCarried(View.Operands[Wrt]) && !ruleOf(View.Id)->Partials[Wrt].isNone())
      Sum.push_back(partial(I, View, Wrt, tangentOf(View.Operands[Wrt])));
  return Sum;
}

/// Of a step that gives the result of \p I a tangent.
void DerivativeText::forwardValue(const Instruction &I, TangentStep S) {
  if (S == TangentStep::Load)
    return setTangent(I, Words.memory(getLoadStorePointerOperand(&I), I.getType(), ShadowSuffix));
  if (isCopy(I))
    return setTangent(I, tangentOf(I.getOperand(0)));
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (std::optional<Text> Shadow = Words.movedLoad(*Phi, ShadowSuffix))
      setTangent(I, *Shadow);
    return;
  }
  if (auto *Select = dyn_cast<SelectInst>(&I); Select && S != TangentStep::Unite)
    return setTangent(I,
                      choiceOf(Words.of(Select->getCondition()), tangentOf(Select->getTrueValue()),
                               tangentOf(Select->getFalseValue())));
  std::vector<Text> Sum;
  if (S == TangentStep::Rule)
    Sum = ruleShares(I);
  else
    for (const Use &U : I.operands())
      if (isCarried(U.get()))
        Sum.push_back(tangentOf(U.get()));
  if (!Sum.empty())
    setTangent(I, sumOfShares(Sum));
}

void DerivativeText::forwardOf(const Instruction &I) {
  TangentStep S = F.Steps.at(I).Tangent;
  switch (S) {
  case TangentStep::Nothing:
  case TangentStep::Release: // Said of the call.
  case TangentStep::Stop:
    return;
  case TangentStep::Zero:
    if (isCarried(&I))
      Shares[&I] = {{"0"}};
    return;
  case TangentStep::Atomic:
    return forwardAtomic(cast<AtomicRMWInst>(I));
  case TangentStep::MaskedLoad:
  case TangentStep::MaskedStore:
    return forwardMasked(I, *maskedAccess(I));
  case TangentStep::Copy:
  case TangentStep::Clear:
    return say(I, bulkText(cast<CallBase>(I)));
  case TangentStep::Call: {
    std::string Text = callText(cast<CallBase>(I), *planOf(I), "forward", "");
    return say(I, isCarried(&I) ? nameOf(&I) + ".tan = " + Text : Text);
  }
  case TangentStep::Store:
    return forwardStore(cast<StoreInst>(I));
  case TangentStep::Return: {
    const Value *Returned = cast<ReturnInst>(I).getReturnValue();
    if (F.R.Return != ReturnActivity::Const && isCarried(Returned))
      say(I, "return " + tangentOf(Returned).S);
    return;
  }
  case TangentStep::Rule:
  case TangentStep::Mirror:
  case TangentStep::Unite:
  case TangentStep::MoveAddress:
  case TangentStep::MoveFloats:
  case TangentStep::Join:
  case TangentStep::Reduce:
  case TangentStep::Load:
    if (isCarried(&I))
      forwardValue(I, S);
    return;
  }
  llvm_unreachable("complete switch");
}

std::vector<DerivativeText::Statement> DerivativeText::forward() {
  walk(/*Backwards=*/false, &DerivativeText::forwardOf);
  return std::move(Statements);
}

} // namespace isozyme
