//===- ActivityAnalysis.cpp - What carries a derivative -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the fixed points into a result: the sets of active values and active
// instructions. Refuses what no shadow can be made for: memory that is reached
// both from an argument marked const and from one that has a shadow (IZ204), and
// global variables with differentiated contents (IZ207).
//
// Never: decides how a derivative is computed.
//
//===----------------------------------------------------------------------===//

#include "isozyme/Activity/ActivityAnalysis.h"
#include "Solver.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace isozyme;

namespace isozyme {

class ActivityAnalysis {
public:
  ActivityAnalysis(const PreparedFunction &P, const TypeResult &Types, const DiffRequest &R)
      : P(P), Types(Types), G(Types.memory()), R(R), S(P, Types, R) {}

  Expected<ActivityResult> run();

private:
  Error checkShadows() const;
  bool isForCallPlanning(unsigned Node) const;
  Error mixedOwners(unsigned Node) const;
  Error activeGlobal(unsigned Node) const;
  bool canShadowConstants(unsigned Node) const;
  void collect(ActivityResult &Result) const;
  void collectWarnings(ActivityResult &Result) const;
  bool isActive(const Value &V) const;
  bool isActiveInstruction(const Instruction &I) const;
  bool isActiveStore(const Value *Stored, const Value *Ptr) const;
  bool isActiveCall(const CallBase &Call) const;
  const Instruction *firstUseOf(unsigned Node) const;
  std::string nameOf(const Value *V) const;
  bool isActiveNode(unsigned N) const { return N != PointerTarget::None && S.isActiveNode(N); }

  const PreparedFunction &P;
  const TypeResult &Types;
  const MemoryGraph &G;
  const DiffRequest &R;
  ActivitySolver S;
};

} // namespace isozyme

Expected<ActivityResult> isozyme::analyzeActivity(const PreparedFunction &P,
                                                  const TypeResult &Types,
                                                  const DiffRequest &R) {
  return ActivityAnalysis(P, Types, R).run();
}

Expected<ActivityResult> ActivityAnalysis::run() {
  S.solve();
  if (Error E = checkShadows())
    return std::move(E);
  ActivityResult Result;
  Result.F = &P.function();
  Result.Request = R.str();
  collect(Result);
  collectWarnings(Result);
  return Result;
}

std::string ActivityAnalysis::nameOf(const Value *V) const {
  if (auto *GV = dyn_cast<GlobalVariable>(V))
    return ("'" + GV->getName() + "'").str();
  std::string Name = P.sourceName(V);
  if (Name.empty() && isa<Argument>(V))
    return "argument " + std::to_string(cast<Argument>(V)->getArgNo() + 1);
  if (!Name.empty())
    return "'" + Name + "'";
  return isa<AllocaInst>(V) ? "a local variable" : "memory allocated here";
}

/// The first instruction that brings the memory of \p Node together: where two
/// pointers meet, else where it is accessed.
const Instruction *ActivityAnalysis::firstUseOf(unsigned Node) const {
  const Instruction *Access = nullptr;
  for (const Instruction &I : instructions(P.function())) {
    bool Meets = isa<PHINode>(I) || isa<SelectInst>(I);
    if (Meets && I.getType()->isPointerTy() && S.nodeOf(&I) == Node)
      return &I;
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (Store->getValueOperand()->getType()->isPointerTy() &&
          S.nodeOf(Store->getValueOperand()) == Node)
        return &I;
    if (!Access)
      for (const Use &U : I.operands())
        if (U->getType()->isPointerTy() && !isa<Function>(U.get()) && S.nodeOf(U.get()) == Node)
          Access = &I;
  }
  return Access;
}

Error ActivityAnalysis::mixedOwners(unsigned Node) const {
  const Instruction *At = firstUseOf(Node);
  Place Where = At ? P.placeOf(At) : Place(P.original());
  std::string Const = "memory reached from an argument marked enzyme_const", Other;
  std::string Fix = "pass that argument as enzyme_dup with a shadow filled with zeros";
  for (const Value *Root : G.node(Node).Roots) {
    auto *A = dyn_cast<Argument>(Root);
    auto *GV = dyn_cast<GlobalVariable>(Root);
    if (A && R.Args[A->getArgNo()] == ArgActivity::Const) {
      Const = nameOf(A) + ", which is marked enzyme_const";
      Fix = "pass " + nameOf(A) + " as enzyme_dup with a shadow filled with zeros";
    } else if (GV && GV->isConstant()) {
      Const = "the constant " + nameOf(GV);
      Fix = "use a copy of the constant in a local variable";
    } else if (Other.empty()) {
      Other = nameOf(Root);
    }
  }
  if (Other.empty())
    Other = "memory that has a shadow";
  return diffError(DiagId::NoShadowMemory, Where,
                   "one pointer may point to " + Twine(Const) + ", and to " + Other +
                       ", which holds differentiated data",
                   Fix);
}

/// One pointer may lead to a constant table and to memory with derivatives. The
/// table then gets a shadow too, which says that its derivative is of no use to
/// anybody; but not when its address comes out of constant memory, which has none.
bool ActivityAnalysis::canShadowConstants(unsigned Node) const {
  for (const Value *Root : G.node(Node).Roots) {
    auto *GV = dyn_cast<GlobalVariable>(Root);
    if (GV && (!GV->hasDefinitiveInitializer() || GV->isThreadLocal()))
      return false;
  }
  for (unsigned N = 0; N != G.size(); ++N)
    if (G.isRepresentative(N) && S.isFrozen(N) &&
        any_of(G.node(N).Cells, [&](const auto &Entry) {
          PointerTarget T = Entry.second.Target;
          return T.isValid() && G.find(T.Node) == Node;
        }))
      return false;
  return true;
}

Error ActivityAnalysis::activeGlobal(unsigned Node) const {
  const Instruction *At = nullptr;
  for (const Instruction &I : instructions(P.function())) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (Store && S.nodeOf(Store->getPointerOperand()) == Node &&
        (S.isVaried(Store->getValueOperand()) ||
         Store->getValueOperand()->getType()->isPointerTy())) {
      At = &I;
      break;
    }
  }
  if (!At)
    At = firstUseOf(Node);
  std::string Name = "a global variable";
  for (const Value *Root : G.node(Node).Roots)
    if (auto *GV = dyn_cast<GlobalVariable>(Root); GV && !GV->isConstant()) {
      Name = "global variable " + nameOf(GV);
      break;
    }
  return diffError(DiagId::ActiveGlobal, At ? P.placeOf(At) : Place(P.original()),
                   Twine(Name) + " would hold differentiated data, and it has no shadow",
                   "pass it as an argument with enzyme_dup, or keep the value in a local variable");
}

/// Memory that an unknown function was given: if a call of one is active, the
/// user has to deal with that first, and call planning says so.
bool ActivityAnalysis::isForCallPlanning(unsigned Node) const {
  if (!(S.ownersOf(Node) & OwnedByUnknown))
    return false;
  return any_of(instructions(P.function()), [&](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      return false;
    const Function *Callee = Call->getCalledFunction();
    OpClass Class = S.view(I).Class;
    return (!Callee || Callee->isDeclaration()) &&
           (Class == OpClass::Call || Class == OpClass::Opaque) && isActiveInstruction(I);
  });
}

Error ActivityAnalysis::checkShadows() const {
  // Name the variable itself before what it leads to.
  for (unsigned N = 0; N != G.size(); ++N)
    if (G.isRepresentative(N) && (S.isActiveNode(N) || S.isVariedNode(N)) &&
        any_of(G.node(N).Roots, [](const Value *Root) {
          auto *GV = dyn_cast<GlobalVariable>(Root);
          return GV && !GV->isConstant();
        }))
      return activeGlobal(N);
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N))
      continue;
    uint8_t Owners = S.ownersOf(N);
    bool Active = S.isActiveNode(N);
    if ((Owners & OwnedByGlobal) && (Active || S.isVariedNode(N)))
      return activeGlobal(N);
    bool Mixed = (Owners & OwnedByConst) ||
                 ((Owners & OwnedByConstant) && !canShadowConstants(N));
    if (Active && Mixed && !isForCallPlanning(N))
      return mixedOwners(N);
  }
  for (const Instruction &I : instructions(P.function())) {
    unsigned N = containsPointer(I.getType()) ? S.nodeOf(&I) : PointerTarget::None;
    if (!S.isLive(I) || !isActiveNode(N))
      continue;
    if (isa<IntToPtrInst>(I) && (S.ownersOf(N) & OwnedByUnknown))
      return diffError(DiagId::NoShadowMemory, P.placeOf(&I),
                       "a pointer made from an integer leads to differentiated data",
                       "use pointers, not integers, to refer to such memory");
    if (isa<VAArgInst>(I) ||
        (isa<CallBase>(I) && S.view(I).Class == OpClass::KnownInactive))
      return diffError(DiagId::NoShadowMemory, P.placeOf(&I),
                       "differentiated data is kept in memory that comes from a library call",
                       "keep it in an array of the program's own");
  }
  // The shadow of a returned pointer must exist.
  if (R.Return == ReturnActivity::Dup && P.returnBlock()) {
    auto *Ret = cast<ReturnInst>(P.returnBlock()->getTerminator());
    const Value *V = Ret->getReturnValue();
    if (V && V->getType()->isPointerTy() && S.nodeOf(V) != PointerTarget::None &&
        S.isFrozen(S.nodeOf(V)) && !isa<Constant>(V))
      return mixedOwners(S.nodeOf(V));
  }
  return Error::success();
}

bool ActivityAnalysis::isActive(const Value &V) const {
  if (S.isVaried(&V) && S.isUseful(&V))
    return true;
  // Pointers, aggregates with pointers, and pointers in the guise of integers.
  Type *T = V.getType();
  bool MayPoint = containsPointer(T) ||
                  (T->isIntOrIntVectorTy() &&
                   Types.typeOf(&V).kind() == ConcreteType::Pointer);
  return MayPoint && isActiveNode(S.nodeOf(&V));
}

bool ActivityAnalysis::isActiveStore(const Value *Stored, const Value *Ptr) const {
  PointerTarget Place = Types.placeOf(Ptr);
  if (!Place.isValid() || !S.isActiveNode(Place.Node))
    return false;
  Type *T = Stored->getType();
  if (containsPointer(T)) {
    PointerTarget Content = G.contentOf(Place);
    return Content.isValid() ? S.isActiveNode(Content.Node) : isActiveNode(S.nodeOf(Stored));
  }
  if (!S.holdsActiveData(Place.Node))
    return isActive(*Stored);
  if (!T->isIntOrIntVectorTy())
    return S.mayCarry(Stored);
  if (!isa<Constant>(Stored))
    return S.mayCarry(Stored) || isActive(*Stored);
  // The constant 0 may be a float, a null pointer or a number: the place knows.
  uint64_t Size = P.function().getDataLayout().getTypeStoreSize(T);
  MemoryLayout L = Types.layoutOf(Ptr, Size);
  return !L.Period || any_of(L.Runs, [](const TypedRun &Run) {
    return Run.Type.isFloat() || !Run.Type.isKnown();
  });
}

bool ActivityAnalysis::isActiveCall(const CallBase &Call) const {
  if (isActive(Call))
    return true;
  OpView View = S.view(Call);
  switch (View.Class) {
  case OpClass::KnownInactive:
  case OpClass::Zero:
  case OpClass::Control:
  case OpClass::Structural:
  case OpClass::Allocate:
    return false; // Only by their result, which was asked about above.
  case OpClass::Elementwise:
    return View.WritesZeroTo && S.nodeOf(View.WritesZeroTo) != PointerTarget::None &&
           S.holdsActiveData(S.nodeOf(View.WritesZeroTo));
  case OpClass::Free:
    return any_of(Call.args(), [&](const Use &U) {
      return U->getType()->isPointerTy() && isActiveNode(S.nodeOf(U.get()));
    });
  case OpClass::Memory: {
    auto *I = dyn_cast<IntrinsicInst>(&Call);
    if (I && I->getIntrinsicID() == Intrinsic::masked_store)
      return isActiveStore(I->getArgOperand(0), I->getArgOperand(1));
    if (I && I->getIntrinsicID() == Intrinsic::masked_load)
      return false;
    return isActiveNode(S.nodeOf(Call.getArgOperand(0)));
  }
  default:
    break;
  }
  return any_of(G.effectsOf(&Call), [&](const CallEffect &E) {
    return (E.WritesData && S.holdsActiveData(E.Node)) ||
           (E.WritesPointer && S.isActiveNode(E.Node));
  });
}

bool ActivityAnalysis::isActiveInstruction(const Instruction &I) const {
  if (!S.isLive(I))
    return false;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isActiveStore(Store->getValueOperand(), Store->getPointerOperand());
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return isActive(I) || isActiveStore(RMW->getValOperand(), RMW->getPointerOperand());
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    return isActive(I) || isActiveStore(X->getNewValOperand(), X->getPointerOperand());
  if (auto *Call = dyn_cast<CallBase>(&I))
    return isActiveCall(*Call);
  if (auto *Ret = dyn_cast<ReturnInst>(&I))
    return R.Return != ReturnActivity::Const && Ret->getReturnValue() &&
           isActive(*Ret->getReturnValue());
  return isActive(I);
}

void ActivityAnalysis::collect(ActivityResult &Result) const {
  auto Note = [&](const Value &V) {
    if (!isActive(V))
      return;
    Result.Active.insert(&V);
    unsigned N = containsPointer(V.getType()) ? S.nodeOf(&V) : PointerTarget::None;
    const Value *From = S.causeOf(&V), *To = S.useOf(&V);
    if (N != PointerTarget::None) {
      From = From ? From : S.causeOfNode(N);
      To = To ? To : S.useOfNode(N);
    }
    if (From && From != &V)
      Result.Cause[&V] = From;
    if (To)
      Result.UsedBy[&V] = To;
  };
  for (const Argument &A : P.function().args())
    Note(A);
  for (const Instruction &I : instructions(P.function())) {
    if (!S.isLive(I))
      continue;
    Note(I);
    for (const Use &U : I.operands()) // Addresses of constant tables.
      if (isa<Constant>(U.get()) && U->getType()->isPointerTy() && !isa<ConstantData>(U.get()))
        Note(*U.get());
    if (isActiveInstruction(I))
      Result.ActiveInstructions.insert(&I);
  }
}

void ActivityAnalysis::collectWarnings(ActivityResult &Result) const {
  DenseSet<unsigned> Told;
  for (const Instruction &I : instructions(P.function())) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || !S.isLive(I) || !S.isVaried(Store->getValueOperand()))
      continue;
    unsigned N = S.nodeOf(Store->getPointerOperand());
    if (N == PointerTarget::None || !S.isFrozen(N) || !S.isUsefulNode(N) || !Told.insert(N).second)
      continue;
    std::string Name = "memory marked enzyme_const";
    for (const Value *Root : G.node(N).Roots)
      if (isa<Argument>(Root))
        Name = "the memory of " + nameOf(Root) + ", which is marked enzyme_const,";
    Result.Warnings.push_back(
        {DiagId::ActiveIntoConst, P.placeOf(&I),
         "a differentiated value is stored in " + Name +
             " and read again: its derivative ends here; pass a shadow with enzyme_dup to keep it"});
  }
}
