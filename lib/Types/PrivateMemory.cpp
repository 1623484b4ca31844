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

SmallVector<bool> GraphBuilder::memoryOfOthers() const {
  SmallVector<bool> Reached(G.size(), false);
  for (const Function *F : Component) {
    const GraphSummary::Interface &Interface = S.Functions.find(F)->second;
    SmallVector<PointerTarget, 8> Known(Interface.Formals.begin(), Interface.Formals.end());
    append_range(Known, Interface.IntegerFormals);
    Known.append({Interface.Return, Interface.IntegerReturn});
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

void GraphBuilder::findPrivateMemory() {
  SmallVector<bool> Reached = memoryOfOthers(), Seen = Reached;
  leavesByCopies(Seen);
  auto MadeHere = [&](const Value *Root) {
    auto *Call = dyn_cast<CallBase>(Root);
    return isa<AllocaInst>(Root) ||
           (Call && (viewOf(*Call, TLI).Class == OpClass::Allocate || bodyOfCallee(*Call)));
  };
  for (unsigned N = 0; N != G.size(); ++N) {
    MemoryNode &Node = G.Nodes[N];
    Node.WrittenHere = G.isRepresentative(N) && !Reached[N] && !Node.Raw && !Node.Roots.empty() &&
                       all_of(Node.Roots, MadeHere);
    Node.Private = Node.WrittenHere && !Seen[N];
  }
}
