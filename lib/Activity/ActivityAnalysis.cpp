//===- ActivityAnalysis.cpp - What carries a derivative -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the fixed points into a result: the sets of active values and active
// instructions; and, where a pointer may lead to memory with a shadow and to memory
// without, the accesses that compare at run time. It refuses memory that cannot have a
// shadow: global variables of other files, and memory allocated elsewhere (IZ204, IZ207).
//
// Never: decides how a derivative is computed.
//
//===----------------------------------------------------------------------===//

#include "isozyme/Activity/ActivityAnalysis.h"
#include "Solver.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/KnownRuntimes.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
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
  Error noShadow(unsigned Node) const;
  void collect(ActivityResult &Result) const;
  void collectGlobals(ActivityResult &Result) const;
  void noteChecks(const Value &V, ActivityResult &Result) const;
  bool isOwnShadow(const Value &V) const;
  std::vector<ShadowCheck> checksBehind() const;
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
  std::vector<ShadowCheck> Behind;
};

} // namespace isozyme

Expected<ActivityResult> isozyme::analyzeActivity(const PreparedFunction &P,
                                                  const TypeResult &Types, const DiffRequest &R) {
  return ActivityAnalysis(P, Types, R).run();
}

Expected<ActivityResult> ActivityAnalysis::run() {
  S.solve();
  if (Error E = checkShadows())
    return std::move(E);
  ActivityResult Result;
  Result.F = &P.function();
  Result.Request = R.str();
  Behind = checksBehind();
  collect(Result);
  collectGlobals(Result);
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

/// A variable of another file would have to hold derivatives.
Error ActivityAnalysis::noShadow(unsigned Node) const {
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
  Place Where = At ? P.placeOf(At) : Place(P.original());
  for (const Value *Root : G.node(Node).Roots) {
    auto *GV = dyn_cast<GlobalVariable>(Root);
    if (!GV || shadowKindOf(*GV) != GlobalShadow::Missing)
      continue;
    const std::string What = "global variable " + nameOf(GV);
    if (const KnownRuntime *Runtime = knownRuntime(GV->getName()))
      return diffError(DiagId::ActiveGlobal, Where,
                       Twine(What) + " belongs to " + Runtime->Name +
                           ", which Isozyme does not differentiate",
                       Runtime->Advice);
    return diffError(DiagId::ActiveGlobal, Where,
                     Twine(What) + " would hold differentiated data, but it is defined in another "
                                   "file and has no shadow here",
                     "define it in this file, " + linkTimeAdvice(P.original()) +
                         ", or declare it inactive: void *__enzyme_inactive_global_" +
                         GV->getName() + " = &" + GV->getName() + ";");
  }
  llvm_unreachable("only variables of other files own such a node");
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
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N) || !S.isActiveNode(N) || isForCallPlanning(N))
      continue;
    for (const Value *Root : G.node(N).Roots)
      if (auto *GV = dyn_cast<GlobalVariable>(Root);
          GV && shadowKindOf(*GV) == GlobalShadow::Explicit && !explicitShadow(*GV, R.Width - 1))
        return diffError(DiagId::ActiveGlobal, Place(P.original()),
                         "global variable " + Twine(nameOf(GV)) +
                             " has fewer shadows in its "
                             "metadata 'enzyme_shadow' than there are directions",
                         "name one for each direction");
    constexpr uint8_t HaveOne = OwnedByShadowed | OwnedByLocal | OwnedByUnknown;
    if ((S.ownersOf(N) & OwnedByExternal) && !(S.ownersOf(N) & HaveOne))
      return noShadow(N);
  }
  for (const Instruction &I : instructions(P.function())) {
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && S.isLive(I) && S.isLost(*Load))
      return diffError(
          DiagId::NoShadowMemory, P.placeOf(&I),
          "an address that leads to numbers is read where it was stored in pieces",
          "copy addresses as a whole, by an assignment or a memcpy of all their bytes");
    if (S.isLive(I) && (S.givesNumberToText(I) || (writesText(I) && isActiveInstruction(I))))
      return diffError(DiagId::NoShadowMemory, P.placeOf(&I),
                       "a differentiated number is kept in the text of a string",
                       "keep it in a variable, or an array of the program's own");
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && S.isLive(I) && S.readsBitsOfFloat(*Load))
      return diffError(DiagId::NoInstructionDerivative, P.placeOf(&I),
                       "the bits of a differentiated float are kept in memory as an integer",
                       "keep the float itself there");
    if (auto *Call = dyn_cast<CallBase>(&I); Call && S.isLive(I) && S.returnsBitsOfFloat(*Call))
      return diffError(DiagId::NoInstructionDerivative, P.placeOf(&I),
                       "the bits of a differentiated float come from " +
                           nameOf(Call->getCalledOperand()) + " as an integer",
                       "return it as a floating-point number");
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && S.isLive(I) && S.readsBitsOfPointer(*Load))
      return diffError(DiagId::NoInstructionDerivative, P.placeOf(&I),
                       "the bits of a differentiated float are kept in memory as an address",
                       "keep the float itself there, apart from addresses");
    if (S.isLive(I) && S.isFloatAsPointer(I))
      return diffError(DiagId::NoInstructionDerivative, P.placeOf(&I),
                       "the bits of a differentiated float are handed on as an address",
                       "hand on the float itself, or a pointer to it");
    unsigned N = containsPointer(I.getType()) ? S.nodeOf(&I) : PointerTarget::None;
    bool FromInteger = isa<IntToPtrInst>(I) && !isa<Constant>(I.getOperand(0));
    if (!S.isLive(I) || !isActiveNode(N) || !(FromInteger || S.comesFromNowhere(I)) ||
        isMarkedInactive(I))
      continue;
    if (auto *Call = dyn_cast<CallBase>(&I); Call && returnsText(*Call))
      continue;
    // A result of strcpy or strchr that is only compared leads nowhere.
    if (all_of(I.users(), [](const User *U) { return isa<ICmpInst>(U); }))
      continue;
    // A pointer into memory with a shadow would have to have that shadow.
    bool IntoOperand = any_of(I.operands(), [&](const Use &U) {
      return U->getType()->isPointerTy() && !isa<Function>(U.get()) && S.nodeOf(U.get()) == N;
    });
    if (!IntoOperand && !isa<IntToPtrInst>(I))
      continue;
    if (isa<IntToPtrInst>(I))
      return diffError(DiagId::NoShadowMemory, P.placeOf(&I),
                       "a pointer made from an integer leads to differentiated data",
                       "use pointers, not integers, to refer to such memory");
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

/// Is the integer \p V stored, returned or passed on as it is? What is computed with is no address.
static bool isHandedOn(const Value &V) {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(&V);
  for (unsigned K = 0; K < Work.size(); ++K)
    for (const Use &U : Work[K]->uses()) {
      const User *By = U.getUser();
      auto *Call = dyn_cast<CallBase>(By);
      bool Runs =
          Call && !(Call->getCalledFunction() && Call->getCalledFunction()->isDeclaration());
      if (isa<PHINode, FreezeInst>(By) || (isa<SelectInst>(By) && U.getOperandNo() != 0))
        Work.insert(By);
      else if (isa<ReturnInst>(By) || Runs || (isa<StoreInst>(By) && U.getOperandNo() == 0))
        return true;
    }
  return false;
}

bool ActivityAnalysis::isActive(const Value &V) const {
  if (S.isVaried(&V) && S.isUseful(&V))
    return true;
  // Pointers, aggregates with pointers, and pointers in the guise of integers: where nothing
  // tells what an integer is that only moves, it is taken for one.
  Type *T = V.getType();
  bool MayPoint = containsPointer(T);
  if (T->isIntOrIntVectorTy()) {
    ConcreteType Known = Types.typeOf(&V);
    MayPoint = Known.kind() == ConcreteType::Pointer || (!Known.isKnown() && isHandedOn(V));
  }
  return MayPoint && isActiveNode(S.nodeOf(&V));
}

bool ActivityAnalysis::isActiveStore(const Value *Stored, const Value *Ptr) const {
  PointerTarget Place = Types.placeOf(Ptr);
  if (!Place.isValid() || !S.isActiveNode(Place.Node))
    return false;
  Type *T = Stored->getType();
  if (containsPointer(T)) {
    SmallVector<PointerTarget, 2> Contents = G.contentsOf(Place);
    if (Contents.empty())
      return isActiveNode(S.nodeOf(Stored));
    return any_of(Contents, [&](PointerTarget Content) {
      return S.isActiveNode(Content.Node) || S.leadsToItself(Content.Node);
    });
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
    return false; // Their result alone counts, which was asked about above.
  case OpClass::Elementwise:
    return View.WritesZeroTo && S.nodeOf(View.WritesZeroTo) != PointerTarget::None &&
           S.holdsActiveData(S.nodeOf(View.WritesZeroTo));
  case OpClass::Free:
    return any_of(Call.args(), [&](const Use &U) {
      return U->getType()->isPointerTy() && isActiveNode(S.nodeOf(U.get()));
    });
  case OpClass::Memory: {
    if (std::optional<MaskedAccess> Access = maskedAccess(Call))
      return !Access->IsLoad && isActiveStore(Access->Data, Access->Address);
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
  if (!S.isLive(I) || (isMarkedInactive(I) && !isActive(I)))
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

/// An active pointer that leads to memory without a shadow.
bool ActivityAnalysis::isOwnShadow(const Value &V) const {
  if (auto *A = dyn_cast<Argument>(&V))
    return !R.hasShadow(A->getArgNo());
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !S.isLive(*I))
    return false;
  if (auto *L = dyn_cast<LoadInst>(I))
    return !isActive(*L->getPointerOperand());
  return S.comesFromNowhere(*I);
}

/// Memory of its own, or an argument that has a shadow, is never without.
static bool surelyHasShadow(const Value &Object, const DiffRequest &R) {
  if (auto *A = dyn_cast<Argument>(&Object))
    return R.hasShadow(A->getArgNo()) && R.checkOf(A->getArgNo()) == ShadowCheck::None;
  if (auto *GV = dyn_cast<GlobalVariable>(&Object)) {
    GlobalShadow Kind = shadowKindOf(*GV);
    return Kind == GlobalShadow::Automatic || Kind == GlobalShadow::Explicit || canMirror(GV);
  }
  return isa<AllocaInst>(Object);
}

/// For each node, the strictest check in what can be reached from it.
std::vector<ShadowCheck> ActivityAnalysis::checksBehind() const {
  std::vector<ShadowCheck> Behind(G.size(), ShadowCheck::None);
  SmallVector<unsigned, 16> Work;
  auto IsWithout = [&](unsigned N) { return G.isRepresentative(N) && S.leadsToItself(N); };
  for (unsigned N = 0; N != G.size(); ++N)
    if ((S.isActiveNode(N) && S.checkOf(N) != ShadowCheck::None) || IsWithout(N))
      Work.push_back(N);
  while (!Work.empty()) {
    unsigned N = Work.pop_back_val();
    ShadowCheck Here = std::max(Behind[N], S.checkOf(N));
    if (IsWithout(N))
      Here = std::max(Here, ShadowCheck::Skip);
    for (unsigned From : S.leadingTo(N))
      if (S.isActiveNode(From) && Behind[From] < Here) {
        Behind[From] = Here;
        Work.push_back(From);
      }
  }
  return Behind;
}

void ActivityAnalysis::noteChecks(const Value &V, ActivityResult &Result) const {
  unsigned N = S.nodeOf(&V);
  if (N == PointerTarget::None)
    return;
  if (isOwnShadow(V))
    Result.OwnShadows.insert(&V);
  ShadowCheck Own = S.checkOf(N);
  SmallVector<const Value *, 4> Objects;
  if (Own != ShadowCheck::None)
    getUnderlyingObjects(&V, Objects);
  if (!Objects.empty() && all_of(Objects, [&](const Value *O) { return surelyHasShadow(*O, R); }))
    Own = ShadowCheck::None;
  if (Own != ShadowCheck::None)
    Result.Checks[&V] = Own;
  if (ShadowCheck All = std::max(Own, Behind[N]); All != ShadowCheck::None)
    Result.ChecksBehind[&V] = All;
}

void ActivityAnalysis::collectGlobals(ActivityResult &Result) const {
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N) || !S.isActiveNode(N))
      continue;
    for (const Value *Root : G.node(N).Roots)
      if (auto *GV = dyn_cast<GlobalVariable>(Root);
          GV && shadowKindOf(*GV) == GlobalShadow::Automatic) {
        Result.Globals.push_back(const_cast<GlobalVariable *>(GV));
        if (const Value *From = S.causeOfNode(N); From && From != GV)
          Result.Cause[GV] = From;
      }
  }
  llvm::sort(Result.Globals, [](const GlobalVariable *A, const GlobalVariable *B) {
    return A->getName() < B->getName();
  });
}

void ActivityAnalysis::collect(ActivityResult &Result) const {
  auto Note = [&](const Value &V) {
    if (!isActive(V)) {
      if (S.isVaried(&V))
        Result.Futile.insert(&V);
      return;
    }
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
    if (N != PointerTarget::None)
      noteChecks(V, Result);
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
    if (all_of(G.node(N).Roots, [](const Value *Root) { return isa<GlobalVariable>(Root); }) &&
        !G.node(N).Roots.empty())
      continue; // The user has marked this very variable.
    std::string Name = "memory marked enzyme_const";
    for (const Value *Root : G.node(N).Roots)
      if (isa<Argument>(Root))
        Name = "the memory of " + nameOf(Root) + ", which is marked enzyme_const,";
    Result.Warnings.push_back({DiagId::ActiveIntoConst, P.placeOf(&I),
                               "a differentiated value is stored in " + Name +
                                   " and read again: its derivative ends here; pass a shadow with "
                                   "enzyme_dup to keep it"});
  }
}
