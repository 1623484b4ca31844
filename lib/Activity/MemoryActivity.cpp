//===- MemoryActivity.cpp - Which memory needs a shadow -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides for each node of the memory graph whose memory it is and whether it
// holds floats that are both varied and useful, then closes over pointers: what
// leads to active memory has a shadow too, for the shadow pointer is read there.
//
//===----------------------------------------------------------------------===//

#include "Solver.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Values/BitFlow.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace isozyme;

ActivitySolver::ActivitySolver(const PreparedFunction &P, const TypeResult &Types,
                               const DiffRequest &R)
    : P(P), Types(Types), G(Types.memory()), R(R) {}

OpView ActivitySolver::view(const Instruction &I) const { return viewOf(I, P.libraryInfo()); }

/// The integers that are taken out of the structure \p V, here or behind a phi or select.
static SmallVector<const Value *, 4> integersOf(const Value *V) {
  SmallVector<const Value *, 4> Parts;
  SmallSetVector<const Value *, 8> Work;
  Work.insert(V);
  for (unsigned I = 0; I < Work.size(); ++I)
    for (const User *U : Work[I]->users())
      if (isa<ExtractValueInst>(U) && U->getType()->isIntOrIntVectorTy())
        Parts.push_back(U);
      else if (isChoice(*U))
        Work.insert(U);
  return Parts;
}

bool ActivitySolver::mayCarry(const Value *V) const {
  if (isFloatLike(V->getType()))
    return true;
  if (V->getType()->isStructTy()) // A union in registers: the bits of a float may be in it.
    return any_of(integersOf(V), [&](const Value *Part) { return mayCarry(Part); });
  if (!V->getType()->isIntOrIntVectorTy())
    return false;
  ConcreteType T = Types.typeOf(V);
  return T.isFloat() || !T.isKnown();
}

uint8_t ActivitySolver::ownerOf(const Value *Root) const {
  if (auto *A = dyn_cast<Argument>(Root))
    return R.Args[A->getArgNo()] == ArgActivity::Const ? OwnedByConst : OwnedByShadowed;
  auto *GV = dyn_cast<GlobalVariable>(Root);
  if (!GV)
    return OwnedByLocal;
  switch (shadowKindOf(*GV)) {
  case GlobalShadow::Mirrored:
    return OwnedByConstant;
  case GlobalShadow::Inactive:
    return OwnedByConst;
  case GlobalShadow::Explicit:
    return OwnedByShadowed;
  case GlobalShadow::Missing:
    return OwnedByExternal;
  case GlobalShadow::Automatic: // Like a local: zero at first, and nobody reads it in the end.
    return OwnedByGlobal | (is_contained(R.Globals, GV) ? OwnedByShadowed : OwnedByLocal);
  }
  llvm_unreachable("complete switch");
}

/// What pointers that are read from memory of \p Owner may lead to, since they may
/// have been there from the start.
static uint8_t inheritedOwners(uint8_t Owner) {
  uint8_t Inherited = Owner & (OwnedByConst | OwnedByShadowed | OwnedByUnknown | OwnedByBefore);
  if (Owner & (OwnedByGlobal | OwnedByExternal))
    Inherited |= OwnedByBefore;
  return Inherited;
}

void ActivitySolver::findOwners() {
  SmallVector<unsigned, 16> Work;
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N))
      continue;
    if (G.node(N).External)
      Owners[N] |= OwnedByUnknown;
    for (const Value *Root : G.node(N).Roots)
      Owners[N] |= ownerOf(Root);
    Work.push_back(N);
  }
  while (!Work.empty()) {
    unsigned N = Work.pop_back_val();
    uint8_t Inherited = inheritedOwners(Owners[N]);
    for (auto &[Key, Cell] : G.node(N).Cells) {
      if (!Cell.Loaded || !Cell.Target.isValid())
        continue;
      unsigned To = G.find(Cell.Target.Node);
      if ((Owners[To] | Inherited) == Owners[To])
        continue;
      Owners[To] |= Inherited;
      Work.push_back(To);
    }
  }
}

bool isozyme::canMirror(const Value *Root) {
  auto *GV = dyn_cast<GlobalVariable>(Root);
  return GV && GV->isConstant() && GV->hasDefinitiveInitializer() && !GV->isThreadLocal() &&
         shadowKindOf(*GV) == GlobalShadow::Mirrored;
}

bool ActivitySolver::isMirrorable(unsigned Node) const {
  return Owners[Node] == OwnedByConstant && all_of(G.node(Node).Roots, canMirror);
}

bool ActivitySolver::comesFromNowhere(const Instruction &I) const {
  if (isa<IntToPtrInst>(I))
    return Owners[nodeOf(&I)] & OwnedByUnknown;
  return isa<VAArgInst>(I) || (isa<CallBase>(I) && view(I).Class == OpClass::KnownInactive);
}

bool ActivitySolver::isLost(const LoadInst &Load) const {
  PointerTarget Place = Types.placeOf(Load.getPointerOperand());
  unsigned To = Load.getType()->isPointerTy() ? nodeOf(&Load) : PointerTarget::None;
  return Place.isValid() && To != PointerTarget::None && !Owners[To] && NodeUseful[To] &&
         !G.isStored(Place) && G.node(Place.Node).Pieces;
}

bool ActivitySolver::readsBitsOfFloat(const LoadInst &Load) const {
  unsigned Node = nodeOf(Load.getPointerOperand());
  if (!Load.getType()->isIntegerTy() || mayCarry(&Load) || Node == PointerTarget::None ||
      !becomesFloat(&Load, passesBitsOn, [&](const Value *V) { return isUseful(V); }))
    return false;
  return any_of(Touching[Node], [&](const Instruction *I) {
    auto *Store = dyn_cast<StoreInst>(I);
    return Store && Store->getValueOperand()->getType() == Load.getType() &&
           nodeOf(Store->getPointerOperand()) == Node && isLive(*Store) &&
           isMadeOfBits(Store->getValueOperand(), Load.getDataLayout(),
                        [&](const Value *V) { return isVaried(V); });
  });
}

bool ActivitySolver::returnsBitsOfFloat(const CallBase &Call) const {
  if (!Call.getType()->isIntegerTy() || mayCarry(&Call) || !Types.returnsBits(Call) ||
      !becomesFloat(&Call, passesBitsOn, [&](const Value *V) { return isUseful(V); }))
    return false;
  return any_of(G.effectsOf(&Call),
                [&](const CallEffect &E) { return E.ReadsData && NodeVaried[E.Node]; }) ||
         any_of(Call.args(), [&](const Use &U) { return mayCarry(U.get()) && isVaried(U.get()); });
}

/// Does \p IsIt hold for the load or call that the pointer \p V is from, or is chosen from?
static bool isFrom(const Value *V, function_ref<bool(const Instruction *)> IsIt) {
  return mayBeCopyOf(V, [&](const Value *From) {
    return isa<LoadInst, CallBase>(From) && IsIt(cast<Instruction>(From));
  });
}

/// The call of a function that leaves its result, which may only look like a pointer, at
/// \p Place: see LowerMixedValues.
static const CallBase *leavesResultAt(const Value *Place) {
  Place = Place->stripInBoundsConstantOffsets();
  if (!isa<AllocaInst>(Place))
    return nullptr;
  for (const User *U : Place->users()) {
    auto *Call = dyn_cast<CallBase>(U);
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    if (F && F->hasFnAttribute(marking::ByMemory) && Call->getArgOperand(0) == Place)
      return Call;
  }
  return nullptr;
}

bool ActivitySolver::readsVaried(const Instruction &I) const {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    unsigned N = nodeOf(Load->getPointerOperand());
    const CallBase *Call = leavesResultAt(Load->getPointerOperand());
    return (N != PointerTarget::None && NodeVaried[N]) || (Call && readsVaried(*Call));
  }
  return any_of(G.effectsOf(&cast<CallBase>(I)), [&](const CallEffect &E) {
    return (E.ReadsData || E.ReadsPointer) && NodeVaried[E.Node];
  });
}

/// The store in front of \p Load, in its block and by the same address, which no call behind it is
/// given.
static const StoreInst *storeReadBy(const LoadInst &Load) {
  const Instruction *Last = nullptr;
  for (const Use &U : Load.getPointerOperand()->uses()) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    auto *Call = dyn_cast_or_null<CallBase>(I);
    bool Writes =
        (Call && Call->isArgOperand(&U)) ||
        (isa_and_nonnull<StoreInst>(I) && U.getOperandNo() == StoreInst::getPointerOperandIndex());
    if (Writes && I->getParent() == Load.getParent() && I->comesBefore(&Load) &&
        (!Last || Last->comesBefore(I)))
      Last = I;
  }
  return dyn_cast_or_null<StoreInst>(Last);
}

bool ActivitySolver::readsBitsOfPointer(const LoadInst &Load) const {
  PointerTarget Place = Types.placeOf(Load.getPointerOperand());
  if (!Load.getType()->isFloatingPointTy() || !Place.isValid() || !isUseful(&Load))
    return false;
  const StoreInst *Last = NodeVaried[Place.Node] ? storeReadBy(Load) : nullptr;
  const Value *Stored = Last ? Last->getValueOperand() : nullptr;
  if (Stored && Stored->getType()->isPointerTy() && !isBitConstant(Stored))
    return true;
  bool Found = false;
  for (const Instruction *I : Touching[Place.Node]) {
    auto *Store = dyn_cast<StoreInst>(I);
    bool Writes = Store ? nodeOf(Store->getPointerOperand()) == Place.Node
                        : isa<CallBase>(I) && !cast<CallBase>(I)->onlyReadsMemory();
    if (!Writes)
      continue;
    if (!Store || !Store->getValueOperand()->getType()->isPointerTy())
      return false; // It may be the float that is read.
    Found |= Types.placeOf(Store->getPointerOperand()) == Place && isLive(*Store) &&
             isFrom(Store->getValueOperand(),
                    [&](const Instruction *From) { return readsVaried(*From); });
  }
  return Found;
}

/// Is the pointer \p Load compared and handed on, but used as an address nowhere, and does
/// nothing in the source say that it is one?
static bool isComparedAndMoved(const LoadInst &Load) {
  auto Compares = [](const User *U) { return isa<ICmpInst>(U); };
  return !saysPointer(Load) && any_of(Load.users(), Compares) &&
         all_of(Load.uses(), [&](const Use &U) {
           auto *Store = dyn_cast<StoreInst>(U.getUser());
           return Compares(U.getUser()) || isa<ReturnInst, PHINode, SelectInst>(U.getUser()) ||
                  (Store && Store->getPointerOperand() != &Load);
         });
}

/// Is nothing but a float written where \p Load reads a pointer, and one of them varies?
bool ActivitySolver::readsFloatAsPointer(const LoadInst &Load) const {
  PointerTarget Place = Types.placeOf(Load.getPointerOperand());
  bool IsUsed = any_of(Load.users(), [](const User *U) { return !isa<ICmpInst>(U); });
  if (!Load.getType()->isPointerTy() || !IsUsed || !Place.isValid())
    return false;
  auto MayBeFloat = [&](const Value *At) {
    return G.mayBeFloat(Types.placeOf(At), Load.getDataLayout().getPointerSize());
  };
  if (isComparedAndMoved(Load) && NodeVaried[Place.Node] &&
      any_of(Load.users(), [&](const User *U) {
        auto *Store = dyn_cast<StoreInst>(U); // To a variable that holds a number at other times.
        return Store && isa<AllocaInst>(Store->getPointerOperand()) &&
               MayBeFloat(Store->getPointerOperand());
      }))
    return true;
  if (!G.node(Place.Node).Private)
    return false;
  if (leavesResultAt(Load.getPointerOperand()))
    return NodeVaried[Place.Node] && MayBeFloat(Load.getPointerOperand());
  bool Found = false;
  for (const Instruction *I : Touching[Place.Node]) {
    auto *Store = dyn_cast<StoreInst>(I);
    if (!Store && isa<CallBase>(I) && !cast<CallBase>(I)->onlyReadsMemory() &&
        !I->isLifetimeStartOrEnd())
      return false;
    if (!Store || nodeOf(Store->getPointerOperand()) != Place.Node ||
        isa<ConstantPointerNull>(Store->getValueOperand()))
      continue;
    if (!Types.typeOf(Store->getValueOperand()).isFloat())
      return false;
    Found |=
        isVaried(Store->getValueOperand()) && Types.placeOf(Store->getPointerOperand()) == Place;
  }
  return Found;
}

bool ActivitySolver::isFloatAsPointer(const Instruction &I) const {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return readsFloatAsPointer(*Load);
  const Value *From = isa<CastInst>(I) ? I.getOperand(0) : nullptr;
  if (isa<IntToPtrInst>(I))
    return !I.use_empty() && isVaried(From) && Types.typeOf(From).isFloat();
  if (!isa<PtrToIntInst>(I) || isa<Constant>(From) || hasInactiveResult(*From))
    return false;
  auto *A = dyn_cast<Argument>(From);
  bool IsConstant = A && R.Args[A->getArgNo()] == ArgActivity::Const;
  return !IsConstant && isUseful(&I) && Types.typeOf(&I).isFloat();
}

/// Which nodes are reached by pointers that may be their own shadow.
void ActivitySolver::findChecks() {
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N))
      continue;
    if (Owners[N] & (OwnedByBefore | OwnedByExternal))
      Checks[N] = ShadowCheck::Page;
    else if (Owners[N] & OwnedByConst)
      Checks[N] = ShadowCheck::Skip;
    for (const Value *Root : G.node(N).Roots) {
      if (auto *A = dyn_cast<Argument>(Root))
        Checks[N] = std::max(Checks[N], R.checkOf(A->getArgNo()));
      auto *GV = dyn_cast<GlobalVariable>(Root);
      if (GV && GV->isConstant() && !canMirror(GV))
        Checks[N] = std::max(Checks[N], ShadowCheck::Skip);
    }
  }
  for (const Instruction &I : instructions(P.function())) {
    unsigned N = containsPointer(I.getType()) ? nodeOf(&I) : PointerTarget::None;
    if (N != PointerTarget::None && comesFromNowhere(I))
      Checks[N] = ShadowCheck::Page;
  }
  inheritChecks();
}

/// What is read through such a pointer is its own shadow again.
void ActivitySolver::inheritChecks() {
  SmallVector<unsigned, 16> Work;
  for (unsigned N = 0; N != G.size(); ++N)
    if (G.isRepresentative(N))
      Work.push_back(N);
  while (!Work.empty()) {
    unsigned N = Work.pop_back_val();
    ShadowCheck Inherited = Checks[N];
    if (!NodeActive[N] && isFrozen(N)) // Not mirrored: an address there leads to itself.
      Inherited = std::max(Inherited, ShadowCheck::Skip);
    for (auto &[Key, Cell] : G.node(N).Cells) {
      if (!Cell.Loaded || !Cell.Target.isValid())
        continue;
      unsigned To = G.find(Cell.Target.Node);
      if (Checks[To] < Inherited)
        Work.push_back(To);
      Checks[To] = std::max(Checks[To], Inherited);
    }
  }
}

/// Memory that is handed out is read in ways that are not seen here: only a proof
/// that it holds none of what \p Matters is about will do.
static bool mayHold(const MemoryGraph &G, unsigned N, ConcreteType::Kind Matters) {
  MemoryLayout L = G.layoutOf({N, 0, 0}, 0);
  return !L.Period || any_of(L.Runs, [&](const TypedRun &Run) {
    return Run.Type.kind() == Matters || !Run.Type.isKnown();
  });
}

void ActivitySolver::findActiveNodes() {
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N) || isFrozen(N) || !NodeVaried[N] || !NodeUseful[N])
      continue;
    const MemoryNode &Node = G.node(N);
    DataActive[N] = Node.ReadsData || Node.WritesData || Node.Opaque ||
                    (Escapes[N] && mayHold(G, N, ConcreteType::Float));
    // Who releases memory that came with a shadow releases the shadow.
    bool WithShadow = Escapes[N] || (Node.Freed && (Owners[N] & OwnedByShadowed));
    NodeActive[N] = DataActive[N] || (WithShadow && mayHaveShadow(N));
  }
  SmallVector<unsigned, 16> Work;
  auto Activate = [&](unsigned N) {
    if (NodeActive[N] || (isFrozen(N) && !isMirrorable(N)))
      return;
    NodeActive[N] = true;
    Work.push_back(N);
  };
  for (unsigned N = 0; N != G.size(); ++N)
    if (NodeActive[N])
      Work.push_back(N);
  // Addresses that are copied as bytes into memory that the caller has a shadow for:
  // where they lead is seen there only.
  SmallVector<std::pair<unsigned, unsigned>, 2> Copied = Types.copiedAddresses();
  for (auto [From, To] : Copied)
    if ((Owners[To] & OwnedByShadowed) && !isFrozen(To))
      Activate(To);
  do {
    while (!Work.empty()) {
      unsigned N = Work.pop_back_val();
      for (unsigned From : LeadFrom[N])
        Activate(From);
      for (auto [From, To] : Copied)
        if (To == N && (Owners[From] & (OwnedByShadowed | OwnedByLocal)) && !isFrozen(From))
          Activate(From);
    }
    for (unsigned N : handedOn())
      Activate(N);
  } while (!Work.empty());
}

/// A callee takes all that it finds behind an address in memory with a shadow to have a shadow,
/// too: it does not know what is constant here.
SmallVector<unsigned, 8> ActivitySolver::handedOn() {
  SmallVector<unsigned, 16> Work;
  HandedOn.assign(G.size(), false);
  auto Reach = [&](unsigned N) {
    if (!HandedOn[N]) {
      HandedOn[N] = true;
      Work.push_back(N);
    }
  };
  for (const Instruction &I : instructions(P.function())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !isLive(I) || isMarkedInactive(I) || view(I).Class != OpClass::Call)
      continue;
    for (const Use &U : Call->args())
      if (unsigned N = containsPointer(U->getType()) ? nodeOf(U.get()) : PointerTarget::None;
          N != PointerTarget::None && NodeActive[N])
        Reach(N);
    // The half of a pair that makes a tape makes its shadow, too.
    if (unsigned N = containsPointer(I.getType()) ? nodeOf(&I) : PointerTarget::None;
        N != PointerTarget::None && G.node(N).Tape)
      Reach(N);
  }
  SmallVector<unsigned, 8> Found;
  while (!Work.empty()) {
    unsigned N = Work.pop_back_val();
    for (auto &[Key, Cell] : G.node(N).Cells)
      if (Cell.Target.isValid())
        Reach(G.find(Cell.Target.Node));
    bool Has = (Owners[N] & OwnedByLocal) || isMirrorable(N) || G.node(N).Tape;
    if (!NodeActive[N] && Has && mayHaveShadow(N))
      Found.push_back(N);
  }
  return Found;
}

/// Another function must come to the same answer, with types of its own.
bool ActivitySolver::mayHaveShadow(unsigned N) const {
  return G.node(N).Tape || mayHold(G, N, ConcreteType::Float) ||
         mayHold(G, N, ConcreteType::Pointer);
}

bool ActivitySolver::leadsToItself(unsigned N) const {
  return HandedOn[N] && !NodeActive[N] && isFrozen(N) && mayHaveShadow(N);
}

void ActivitySolver::findNeighbours() {
  LeadFrom.resize(G.size());
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N))
      continue;
    for (auto &[Key, Cell] : G.node(N).Cells)
      if (Cell.Target.isValid())
        if (auto &From = LeadFrom[G.find(Cell.Target.Node)]; From.empty() || From.back() != N)
          From.push_back(N);
  }
  Touching.resize(G.size());
  auto Touches = [&](unsigned N, const Instruction &I) {
    if (N != PointerTarget::None && (Touching[N].empty() || Touching[N].back() != &I))
      Touching[N].push_back(&I);
  };
  for (const Instruction &I : instructions(P.function())) {
    if (!isLive(I))
      continue;
    for (const Use &U : I.operands())
      if (containsPointer(U->getType()) && !isa<Function>(U.get()))
        Touches(nodeOf(U.get()), I);
    if (auto *Call = dyn_cast<CallBase>(&I))
      for (const CallEffect &E : G.effectsOf(Call))
        Touches(E.Node, I);
  }
}

void ActivitySolver::push(const Instruction &I) {
  if (isLive(I) && Waiting.insert(&I).second)
    Queue.push_back(&I);
}

void ActivitySolver::pushUsersOf(const Value &V) {
  for (const User *U : V.users())
    if (auto *I = dyn_cast<Instruction>(U))
      push(*I);
}

void ActivitySolver::pushTouching(unsigned Node) {
  for (const Instruction *I : Touching[Node])
    push(*I);
}

void ActivitySolver::iterate(bool Backward) {
  // In the order of the program first, so that causes read from the inputs on.
  Queue.clear();
  Waiting.clear();
  for (const Instruction &I : instructions(P.function()))
    push(I);
  if (Backward)
    std::reverse(Queue.begin(), Queue.end());
  while (!Queue.empty()) {
    const Instruction &I = *Queue.front();
    Queue.pop_front();
    Waiting.erase(&I);
    if (Backward)
      flowBackward(I);
    else
      flowForward(I);
  }
}

void ActivitySolver::solve() {
  unsigned Size = G.size();
  for (std::vector<bool> *Bits : {&NodeVaried, &NodeUseful, &Escapes, &DataActive, &NodeActive})
    Bits->assign(Size, false);
  Owners.assign(Size, 0);
  Checks.assign(Size, ShadowCheck::None);
  findNeighbours();
  findOwners();
  seedVaried();
  iterate(/*Backward=*/false);
  seedUseful();
  iterate(/*Backward=*/true);
  findActiveNodes();
  findChecks();
}
