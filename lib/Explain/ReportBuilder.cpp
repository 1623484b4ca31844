//===- ReportBuilder.cpp - From decisions to a report ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: what the stages have found out about one derivative.  Out: the same by lines of
// the source and in its words. Decides nothing and leaves nothing out that decides the
// cost of the derivative: what is kept, how large, and why.
//
//===----------------------------------------------------------------------===//
#include "ReportBuilder.h"
#include "DerivativeText.h"
#include "ShortNames.h"
#include "UnrolledStatements.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Explain/Renderers.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Prepare/SourceNames.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

static std::string printed(const Type *T) {
  std::string Text;
  raw_string_ostream OS(Text);
  T->print(OS);
  return Text;
}

/// "double" for what C calls so, else the name in IR.
static std::string typeName(const Type *T) {
  if (T->isFloatTy() || T->isDoubleTy())
    return printed(T);
  if (T->isX86_FP80Ty())
    return "long double";
  return T->isPointerTy() ? "pointer" : printed(T);
}

ReportBuilder::ReportBuilder(const DiffRequest &R, const PreparedFunction &P,
                             const TypeResult &Types, const ActivityResult &Activity,
                             const CallPlanSet *Calls, const StepPlan *Steps,
                             const DerivativePlan *Plan, SourceFiles &Files)
    : R(R), P(P), Types(Types), Activity(Activity), Calls(Calls), Steps(Steps), Plan(Plan),
      Words(P), Lines(P.original(), Files) {
  if (Plan)
    Decisions.emplace(*Plan);
}

SourceLine ReportBuilder::lineOf(const Value *V) const {
  ShownPlace Where = shownPlace(placeInSource(V));
  if (Where.Program && Where.Line)
    return {Where.Program->getFilename().str(), Where.Line};
  if (const DISubprogram *Program = P.original().getSubprogram())
    return {Program->getFilename().str(), Program->getLine()};
  return {};
}

static std::string activityText(ArgActivity A, bool IsPointer) {
  switch (A) {
  case ArgActivity::Const:
    return IsPointer ? "constant: what it points to carries no derivative" : "constant";
  case ArgActivity::Active:
    return "active: its derivative is returned";
  case ArgActivity::Dup:
    return IsPointer ? "active: its derivatives are in a shadow of the same layout"
                     : "active: its tangent is passed with it";
  case ArgActivity::DupNoNeed:
    return "active, and the caller does not need the values behind it";
  }
  llvm_unreachable("complete switch");
}

void ReportBuilder::addArguments() {
  for (const Argument &A : P.function().args()) {
    ArgActivity Asked = R.Args[A.getArgNo()];
    std::string Activity;
    raw_string_ostream(Activity) << Asked;
    // What our headers pass besides is not the user's.
    const DILocalVariable *Variable = sourceVariableOf(&A);
    bool IsLambda = SourceText::isLambda(&A);
    if (Asked == ArgActivity::Const && !IsLambda && Variable &&
        isOurHeader(Variable->getFilename()))
      continue;
    std::string Name = IsLambda ? "captured variables" : Words.of(&A).S;
    if (IsLambda && Asked == ArgActivity::Const) {
      D.Arguments.push_back({Name, "lambda", Activity, "constant"});
      continue;
    }
    D.Arguments.push_back(
        {Name, typeName(A.getType()), Activity, activityText(Asked, A.getType()->isPointerTy())});
  }
}

std::vector<std::string> ReportBuilder::causesOf(const Value *V) {
  std::vector<std::string> Steps;
  SmallVector<const Value *, 8> Chain = Activity.chainOf(V);
  auto told = [&](const Value *At) {
    if (isa<ReturnInst>(At))
      return std::string("the result");
    std::string Text = "'" + Words.of(At).S + "'";
    auto *I = dyn_cast<Instruction>(At);
    if (unsigned Line = I ? shownPlace(I->getDebugLoc()).Line : 0)
      Text += " (line " + std::to_string(Line) + ")";
    return Text;
  };
  for (auto [At, From] : zip(Chain, drop_begin(Chain))) {
    std::string A = told(At), B = told(From);
    bool Memory = isa<LoadInst>(At) || At->getType()->isPointerTy();
    if (A != B)
      Steps.push_back(A + (Memory ? " reads memory that depends on " : " is computed from ") + B);
  }
  if (auto *A = dyn_cast<Argument>(Chain.back()))
    Steps.push_back("'" + Words.of(A).S + "' is argument " + std::to_string(A->getArgNo() + 1) +
                    ", which is differentiated");
  else if (isa<GlobalVariable>(Chain.back()))
    Steps.push_back(told(Chain.back()) + " is a global variable that holds differentiated data");
  return Steps;
}

ExplainedValue ReportBuilder::describe(const Value *V) {
  ExplainedValue E;
  E.Name = Words.of(V).S;
  E.Type = typeName(V->getType());
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && P.loops().isLoopHeader(Phi->getParent()))
    E.Which = "at the start of each iteration";
  E.Active = Activity.isActiveValue(V);
  if (E.Active) {
    E.Why = Activity.whyActive(P, V);
    E.Causes = causesOf(V);
  } else if (Activity.isVaried(V)) {
    E.Why = "depends on what is differentiated, but no differentiated result depends on it";
  } else {
    E.Why = V->getType()->isFPOrFPVectorTy() ? "does not depend on what is differentiated"
                                             : "carries no derivative";
  }
  return E;
}

/// One row per name and line; the one that says most stays.
void ReportBuilder::addValue(ExplainedLine &Line, ExplainedValue V) {
  bool IsNamed = !StringRef(V.Name).starts_with(SourceText::ShortPrefix);
  if (!IsNamed && V.How != Had::Kept && V.How != Had::ReadAgain)
    return; // Nobody would know what is meant.
  for (ExplainedValue &Old : Line.Values)
    if (Old.Name == V.Name && Old.Which == V.Which &&
        (Old.How == Had::NotNeeded || Old.How == V.How)) {
      if (V.How != Had::NotNeeded) {
        V.Active |= Old.Active;
        Old = std::move(V);
      }
      return;
    }
  if (V.How == Had::NotNeeded &&
      any_of(Line.Values, [&](const ExplainedValue &Old) { return Old.Name == V.Name; }))
    return;
  Line.Values.push_back(std::move(V));
}

/// What a call does, as a sentence about the callee.
static std::string callSentence(const CallPlan &Plan, bool IsReverse) {
  switch (Plan.K) {
  case CallPlan::Inactive:
    return "runs once, as it stands: " + Plan.Reason;
  case CallPlan::ByRule:
    return "its derivative is in the table of rules";
  case CallPlan::Structural:
  case CallPlan::BulkMemory:
    return Plan.Reason;
  case CallPlan::Allocate:
    return "the shadow of its memory is allocated and set to zero beside it";
  case CallPlan::Free:
    return Plan.Reason + (IsReverse ? "; both are released after the reverse sweep" : "");
  case CallPlan::Differentiate:
    return hasCustomRule(Plan.Callee) ? "by the derivative that is registered for it"
           : IsReverse                ? "by a pair of derivatives of its own: one for each sweep"
                                      : "by a derivative of its own";
  case CallPlan::Stop:
    return "should the pointer lead to a function that this file takes no address of, the "
           "derivative ends the program, with error IZ205";
  }
  llvm_unreachable("complete switch");
}

void ReportBuilder::addCall(const CallBase &Call, const CallPlan &Plan, ExplainedLine &Line) {
  if (isa<DbgInfoIntrinsic, LifetimeIntrinsic>(Call) ||
      (isa<IntrinsicInst>(Call) && cast<IntrinsicInst>(Call).isAssumeLikeIntrinsic()))
    return;
  auto *BuiltIn = dyn_cast<IntrinsicInst>(&Call);
  if (BuiltIn &&
      (mathOpOf(Call) == Op::Fma || (mathOpOf(Call) == Op::Opaque && Plan.K == CallPlan::Inactive)))
    return; // a * b + c, min(a, b): nobody has written it as a call.
  const DILocation *Loc = Call.getDebugLoc();
  bool IsFailure = Plan.K == CallPlan::Inactive && Call.doesNotReturn();
  if (IsFailure && Loc && isLibraryFile(Loc->getFilename()))
    return; // The library would throw there, for a size that is too large.
  const Function *Known = Call.getCalledFunction();
  bool IsTape = Known && isTapeAllocation(*Known);
  if (Known && Known->getName().starts_with("isozyme.") && !IsTape)
    return; // A helper of the gradient that is differentiated again.
  ExplainedCall C;
  if (Call.isInlineAsm())
    C.Callee = "asm";
  else if (IsTape)
    C.Callee = "tape";
  else if (const Function *F = Call.getCalledFunction())
    C.Callee = mathOpOf(Call) != Op::Opaque && BuiltIn ? opName(mathOpOf(Call)).str()
               : BuiltIn ? Intrinsic::getBaseName(F->getIntrinsicID()).drop_front(5).str()
                         : shortTemplate(sourceNameOf(*F));
  else
    C.Callee = Words.of(Call.getCalledOperand()).S;
  raw_string_ostream(C.Treatment) << Plan.K;
  C.Text = callSentence(Plan, R.isReverse());
  if (Plan.Recursive && R.isReverse())
    C.Text += "; the calls are recursive: its tape is passed by a pointer";
  addCall(Line, std::move(C));
}

void ReportBuilder::addCall(ExplainedLine &Line, ExplainedCall C) {
  for (const ExplainedCall &Old : Line.Calls)
    if (Old.Callee == C.Callee && Old.Text == C.Text)
      return;
  Line.Calls.push_back(std::move(C));
}

/// The calls that brought \p I here are as active as it is.
void ReportBuilder::addInlinedCalls(const Instruction &I, bool Active) {
  ShownPlace Where = shownPlace(I.getDebugLoc());
  const DISubprogram *Callee = Where.Program;
  for (const DILocation *At : Where.Calls) {
    if (!Active)
      return;
    ExplainedLine &Line = Lines.at(DebugLoc(At));
    Line.Kind = LineKind::Active;
    addCall(Line, {shownName(*Callee), "inlined", "its code is part of this function, see below"});
    Callee = At->getScope()->getSubprogram();
  }
}

void ReportBuilder::addRemarks(const Instruction &I, ExplainedLine &Line) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    addOnce(Line.Remarks,
            "atomic '" + AtomicRMWInst::getOperationName(RMW->getOperation()).str() +
                (isActive(I) ? "': its reverse reads the shadow, and changes nothing there"
                             : "': moves no derivative"));
  } else if (isa<AtomicCmpXchgInst>(I)) {
    addOnce(Line.Remarks, "atomic compare and exchange: moves no derivative");
  } else if (isa<FenceInst>(I)) {
    addOnce(Line.Remarks, "a fence: runs in the forward sweep only");
  }
  if (Steps && isa<LoadInst, PHINode, SelectInst, CallBase>(I)) {
    StringRef Check = checkSentence(Steps->checkOf(&I));
    if (!Check.empty())
      addOnce(Line.Remarks, "'" + Words.of(&I).S + "' " + Check.str());
  }
  auto *Load = dyn_cast<LoadInst>(&I);
  if (Load && I.getType()->isIntegerTy() && I.getType()->getIntegerBitWidth() >= 32 &&
      !Types.typeOf(&I).isKnown())
    addOnce(Line.Remarks, "what the bytes of '" + Words.of(&I).S +
                              "' hold is not known: a number, a float or an address");
}

/// Is something in the derivative the tangent, adjoint or shadow of what \p V is?
static bool hasDerivative(const StepPlan &Steps, const Value &V) {
  ValuePlan Plan = Steps.of(&V);
  return Plan.Adjoint || Plan.Shadow == ShadowForm::Made || Plan.Shadow == ShadowForm::Given;
}

/// Does the derivative do more for \p I than the primal does? Integers in shadow memory are the
/// primal's. Where an error came before the plan, only activity is known.
bool ReportBuilder::isActive(const Instruction &I) const {
  if (!Steps)
    return P.reachesReturn(I.getParent()) && Activity.isActiveInstruction(&I);
  if (auto *Return = dyn_cast<ReturnInst>(&I)) {
    const Value *Returned = Return->getReturnValue();
    return Returned && R.Return != ReturnActivity::Const && hasDerivative(*Steps, *Returned);
  }
  const Step &S = Steps->at(I);
  return hasDerivative(*Steps, I) || !(S.isNothing() || S.Data == ShadowData::Number);
}

void ReportBuilder::addInstruction(const Instruction &I) {
  if (!I.getDebugLoc() && P.original().getSubprogram())
    return; // Made up by the compiler: no line would be the right one.
  ExplainedLine &Line = Lines.at(I.getDebugLoc());
  Silence &S = Silent[&Line];
  bool Active = isActive(I);
  bool IsCode = !isa<PHINode>(I); // Where ways meet is no place of the source.
  if (IsCode && Active)
    Line.Kind = LineKind::Active;
  else if (IsCode && Line.Kind == LineKind::Empty)
    Line.Kind = LineKind::Inactive;
  if (I.getType()->isFPOrFPVectorTy()) {
    S.Floats = true;
    S.Varied |= Activity.isVaried(&I);
    bool Named = !Words.variable(&I).empty() || !isa<PHINode>(I);
    if (Active && Named)
      addValue(Line, describe(&I));
  }
  addInlinedCalls(I, Active);
  addRemarks(I, Line);
  auto *Call = dyn_cast<CallBase>(&I);
  auto It = Call && Calls ? Calls->find(Call) : nullptr;
  if (It && It != Calls->end())
    addCall(*Call, It->second, Line);
}

void ReportBuilder::addInstructions() {
  for (const Instruction &I : instructions(P.function()))
    addInstruction(I);
  for (const auto &W : Activity.warnings()) {
    ExplainedMessage M{"warning", diagnosticName(W.Id), W.Text, {}};
    if (W.Where.Loc)
      Lines.at(W.Where.Loc).Messages.push_back(M);
    else
      D.Messages.push_back(M);
  }
}

void ReportBuilder::explainInactive() {
  for (auto &[Line, S] : Silent) {
    if (Line->Kind != LineKind::Inactive)
      continue;
    Line->WhyInactive =
        S.Varied   ? "depends on what is differentiated, but no differentiated result depends on it"
        : S.Floats ? "does not depend on what is differentiated"
                   : "only counts, compares or computes addresses, which carry no derivative";
  }
}

bool ReportBuilder::isSpokenOf(StringRef Name) {
  bool Found = false;
  Lines.forEach([&](const ExplainedLine &Line) {
    Found |= any_of(Line.Derivative, [&](const std::string &Text) { return hasWord(Text, Name); });
  });
  return Found;
}

void ReportBuilder::addLoops() {
  for (const Loop *L : P.loops().getLoopsInPreorder()) {
    DebugLoc Loc = L->getStartLoc();
    ExplainedLoop E;
    if (ShownPlace Where = shownPlace(Loc); Where.Line)
      E.Where = {Where.Program->getFilename().str(), Where.Line};
    E.Counter = Words.variableOf(L).Name;
    E.Count = inShort(Words.count(L));
    E.HasVariable = Words.variableOf(L).Start;
    E.Depth = L->getLoopDepth();
    E.KnownBefore = P.canonical(L).LastIV;
    E.IsFused = Plan && Plan->Fused.find(L);
    E.IsCarrying =
        Plan && any_of(Plan->Carried.sums(), [&](const CarriedSum &Sum) { return Sum.L == L; });
    // A name that is made up is told if it is used.
    std::string Counted =
        E.HasVariable || !isSpokenOf(E.Counter) ? "" : ", counted by " + E.Counter;
    if (E.Where.Line)
      addOnce(Lines.at(Loc).Loops, loopSentence(E) + Counted);
    D.Loops.push_back(std::move(E));
  }
}

/// A statement that stands there several times is told once, with how often it does.
static void addStatement(std::vector<std::string> &To, const std::string &Statement) {
  static constexpr StringLiteral Times = "   // ";
  for (std::string &Old : To) {
    auto [Text, Count] = StringRef(Old).split(Times);
    if (Text != Statement)
      continue;
    unsigned Number = 1;
    Count.consumeInteger(10, Number);
    Old = Statement + Times.str() + std::to_string(Number + 1) + " times";
    return;
  }
  To.push_back(Statement);
}

void ReportBuilder::addDerivative() {
  DerivativeText Text({P, R, *Calls, *Steps}, Words);
  for (const auto &[At, Statement] : R.isReverse() ? Text.reverse() : Text.forward()) {
    bool Returns = isa<ReturnInst>(At);
    ExplainedLine &Line = Returns ? Lines.atReturn(placeInSource(At)) : Lines.at(placeInSource(At));
    if (Returns)
      Line.Kind = LineKind::Active;
    addStatement(Line.Derivative, Statement);
  }
}

/// Copies of which the same is said, as one.
ReportBuilder::Copies ReportBuilder::tellOnce(Copies Blocks) const {
  auto saysTheSame = [](const ExplainedBlock &A, const ExplainedBlock &B) {
    return A.Function == B.Function && A.File == B.File && !A.Inlined.empty() &&
           !B.Inlined.empty() && A.Lines == B.Lines;
  };
  Copies Different;
  for (ExplainedBlock &B : Blocks) {
    auto Same = find_if(Different, [&](const ExplainedBlock &A) { return saysTheSame(A, B); });
    if (Same == Different.end()) {
      Different.push_back(std::move(B));
      continue;
    }
    llvm::append_range(Same->CalledFrom, B.CalledFrom);
    llvm::append_range(Same->Paths, B.Paths);
    Same->Copies.push_back(B.Inlined);
  }
  return Different;
}

/// "reverse of 'cost', by k and h"
std::string ReportBuilder::title() const {
  std::string Title = D.Mode + " of " + inQuotes(D.Function), By;
  std::vector<std::string> Names;
  for (const ExplainedArgument &A : D.Arguments)
    if (A.Activity != "const")
      Names.push_back(A.Name);
  for (auto [Number, Name] : enumerate(Names))
    By += (Number == 0 ? ", by " : Number + 1 == Names.size() ? " and " : ", ") + Name;
  return Title + By + (R.Width > 1 ? ", width " + std::to_string(R.Width) : "");
}

/// Nothing is left to tell of an inlined function, such as an operator[].
static bool tellsNothing(const ExplainedBlock &B) {
  return !B.Inlined.empty() && none_of(B.Lines, [](const ExplainedLine &Line) {
    return !Line.Derivative.empty() || !Line.Messages.empty() ||
           any_of(Line.Calls, [](const ExplainedCall &C) { return C.Treatment != "inlined"; }) ||
           any_of(Line.Values, [](const ExplainedValue &V) { return V.How == Had::Kept; });
  });
}

ExplainedDerivative ReportBuilder::build(const LaneVectors *Vectors) {
  const DISubprogram *Program = Lines.mainProgram();
  D.Function = Program ? shownName(*Program) : shortTemplate(sourceNameOf(P.original()));
  D.Mode = R.isSplit() ? "split reverse" : R.isReverse() ? "reverse" : "forward";
  D.Request = R.str();
  addArguments();
  D.Title = title();
  addInstructions();
  if (Plan) {
    addKept();
    addTape();
    noteCarriedSums();
    noteRisingLoops();
    noteSwappedLoops();
    noteUnseenSums();
    noteLoopChoices();
    noteShadowScopes();
    noteAtomics();
    if (Plan->ReleasesAtEnd)
      D.Remarks.push_back("memory that is freed here, or in called functions, is released after "
                          "the reverse sweep");
  }
  if (Steps) {
    addDerivative();
    D.Complete = true;
  }
  addLoops();
  if (Vectors)
    noteLanes(*Vectors);
  for (const GlobalVariable *G : Activity.globals())
    D.Remarks.push_back("global variable '" + Words.of(G).S +
                        "' holds differentiated data: its derivatives are in '" + Words.of(G).S +
                        ".shadow'");
  addMeanings(Lines, D, Words);
  explainInactive();
  D.Blocks = Lines.finish();
  llvm::erase_if(D.Blocks, tellsNothing);
  nameShortTexts(D);
  for (ExplainedBlock &B : D.Blocks)
    for (ExplainedLine &Line : B.Lines)
      tellCopiesOnce(Line.Derivative, Line.Source);
  D.Blocks = tellOnce(std::move(D.Blocks));
  auto isElsewhere = [&](const ExplainedCall &C) {
    return C.Treatment == "inlined" && none_of(D.Blocks, [&](const ExplainedBlock &B) {
             return !B.Inlined.empty() && B.Function == C.Callee;
           });
  };
  for (ExplainedBlock &B : D.Blocks)
    for (ExplainedLine &Line : B.Lines)
      llvm::erase_if(Line.Calls, isElsewhere);
  return std::move(D);
}

} // namespace isozyme
