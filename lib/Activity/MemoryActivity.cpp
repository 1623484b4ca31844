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
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace isozyme;

ActivitySolver::ActivitySolver(const PreparedFunction &P, const TypeResult &Types,
                               const DiffRequest &R)
    : P(P), Types(Types), G(Types.memory()), R(R) {}

OpView ActivitySolver::view(const Instruction &I) const { return viewOf(I, P.libraryInfo()); }

static bool containsFloat(const Type *T) {
  if (T->isFPOrFPVectorTy())
    return true;
  return (isa<StructType>(T) || isa<ArrayType>(T)) && any_of(T->subtypes(), containsFloat);
}

bool ActivitySolver::mayCarry(const Value *V) const {
  if (!V->getType()->isIntOrIntVectorTy())
    return containsFloat(V->getType());
  ConcreteType T = Types.typeOf(V);
  return T.isFloat() || !T.isKnown();
}

void ActivitySolver::findOwners() {
  auto Owner = [&](const Value *Root) -> uint8_t {
    if (auto *A = dyn_cast<Argument>(Root))
      return R.Args[A->getArgNo()] == ArgActivity::Const ? OwnedByConst : OwnedByShadowed;
    if (auto *GV = dyn_cast<GlobalVariable>(Root))
      return GV->isConstant() ? OwnedByConstant : OwnedByGlobal;
    return OwnedByLocal;
  };
  SmallVector<unsigned, 16> Work;
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N))
      continue;
    if (G.node(N).External)
      Owners[N] |= OwnedByUnknown;
    for (const Value *Root : G.node(N).Roots)
      Owners[N] |= Owner(Root);
    Work.push_back(N);
  }
  // A pointer that is read from memory may be one that was there from the start.
  while (!Work.empty()) {
    unsigned N = Work.pop_back_val();
    uint8_t Inherited =
        Owners[N] & (OwnedByConst | OwnedByShadowed | OwnedByGlobal | OwnedByUnknown);
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
    NodeActive[N] = DataActive[N] || (Escapes[N] && mayHold(G, N, ConcreteType::Pointer));
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned N = 0; N != G.size(); ++N) {
      if (!G.isRepresentative(N) || NodeActive[N] || isFrozen(N))
        continue;
      bool Leads = any_of(G.node(N).Cells, [&](const auto &Entry) {
        PointerTarget T = Entry.second.Target;
        return T.isValid() && NodeActive[G.find(T.Node)];
      });
      NodeActive[N] = Leads;
      Changed |= Leads;
    }
  }
}

void ActivitySolver::solve() {
  unsigned Size = G.size();
  for (std::vector<bool> *Bits : {&NodeVaried, &NodeUseful, &Escapes, &DataActive, &NodeActive})
    Bits->assign(Size, false);
  Owners.assign(Size, 0);
  findOwners();
  seedVaried();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Instruction &I : instructions(P.function()))
      if (isLive(I))
        Changed |= flowForward(I);
  }
  seedUseful();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock &BB : reverse(P.function()))
      for (const Instruction &I : reverse(BB))
        if (isLive(I))
          Changed |= flowBackward(I);
  }
  findActiveNodes();
}
