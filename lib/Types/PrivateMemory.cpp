//===- PrivateMemory.cpp - Memory that only this code sees ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks the nodes whose objects are made by the functions that are looked at and that
// nobody else can reach: not by arguments, results, global variables or calls of code
// that cannot be seen. All that is ever done with their bytes is then in the graph, unless
// a callee moves bytes whose type it does not know: from where to where is not told.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Ops/OpView.h"

using namespace llvm;
using namespace isozyme;

void MemoryGraph::reachFrom(unsigned N, SmallVectorImpl<bool> &Reached) const {
  SmallVector<unsigned, 16> Work = {find(N)};
  while (!Work.empty()) {
    unsigned Next = Work.pop_back_val();
    if (Reached[Next])
      continue;
    Reached[Next] = true;
    for (const auto &[Key, Cell] : node(Next).Cells)
      if (Cell.Target.isValid())
        Work.push_back(find(Cell.Target.Node));
  }
}

/// Bytes that are copied into memory that others see are read by others.
void GraphBuilder::leavesByCopies(SmallVectorImpl<bool> &Reached) const {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const CopyLink &Link : Copies) {
      unsigned From = G.find(Link.From.Node), To = G.find(Link.To.Node);
      if (!Reached[To] || Reached[From])
        continue;
      Reached[From] = true;
      Changed = true;
    }
  }
}

SmallVector<bool> GraphBuilder::memoryOfOthers(bool Callers) const {
  SmallVector<bool> Reached(G.size(), false);
  for (const Function *F : Component) {
    const GraphSummary::Interface &Interface = S.Functions.find(F)->second;
    SmallVector<PointerTarget, 8> Known(Interface.IntegerFormals.begin(),
                                        Interface.IntegerFormals.end());
    Known.push_back(Interface.IntegerReturn);
    if (Callers) {
      append_range(Known, Interface.Formals);
      Known.push_back(Interface.Return);
    }
    for (PointerTarget Place : Known)
      if (Place.isValid())
        G.reachFrom(Place.Node, Reached);
  }
  for (auto &[GV, Node] : S.Globals)
    G.reachFrom(Node, Reached);
  if (S.External != PointerTarget::None)
    G.reachFrom(S.External, Reached);
  for (unsigned N = 0; N != G.size(); ++N)
    if (G.isRepresentative(N) && (G.node(N).External || G.node(N).Opaque))
      G.reachFrom(N, Reached);
  return Reached;
}

static bool isMadeHere(const Value &Root, const TargetLibraryInfo &TLI) {
  auto *Call = dyn_cast<CallBase>(&Root);
  return isa<AllocaInst>(Root) ||
         (Call && (viewOf(*Call, TLI).Class == OpClass::Allocate || bodyOfCallee(*Call)));
}

void GraphBuilder::findPrivateMemory() {
  SmallVector<bool> Reached = memoryOfOthers(), Seen = Reached;
  leavesByCopies(Seen);
  auto MadeHere = [&](const Value *Root) { return isMadeHere(*Root, TLI); };
  for (unsigned N = 0; N != G.size(); ++N) {
    MemoryNode &Node = G.Nodes[N];
    Node.WrittenHere = G.isRepresentative(N) && !Reached[N] && !Node.Raw && !Node.Roots.empty() &&
                       all_of(Node.Roots, MadeHere);
    Node.Private = Node.WrittenHere && !Seen[N];
  }
  findMemoryOfCallers();
}

/// What the caller has at \p There is here at \p Here.
void GraphBuilder::noteWhoseMemory(PointerTarget Here, PointerTarget There,
                                   const MemoryGraph &Caller) {
  bool IsTold = There.isValid() && Caller.node(There.Node).isToldWhole();
  (IsTold ? G.Nodes[Here.Node].MadeByCallers : G.Nodes[Here.Node].SeenByOthers) = true;
}

void GraphBuilder::findMemoryOfCallers() {
  if (!AllCallersTold || Component.size() != 1)
    return;
  SmallVector<bool> Seen = memoryOfOthers(/*Callers=*/false);
  for (unsigned N = 0; N != G.size(); ++N)
    if (G.isRepresentative(N) && G.node(N).SeenByOthers)
      G.reachFrom(N, Seen);
  leavesByCopies(Seen);
  auto IsKnown = [&](const Value *Root) { return isa<Argument>(Root) || isMadeHere(*Root, TLI); };
  for (unsigned N = 0; N != G.size(); ++N) {
    MemoryNode &Node = G.Nodes[N];
    Node.ToldByCallers = G.isRepresentative(N) && Node.MadeByCallers && !Seen[N] && !Node.Raw &&
                         all_of(Node.Roots, IsKnown);
  }
}
