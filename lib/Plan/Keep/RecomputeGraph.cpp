//===- RecomputeGraph.cpp - How needed values could be had again ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: the needs.  Out: a graph with a node per value (or shadow) reachable from
// them through operands, and the cheapest set of nodes to keep.
// Never: looks at where things lie on the tape.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/RecomputeGraph.h"
#include "Costs.h"
#include "RepeatedCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/Keep/MinCut.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

Type *keptType(const PreparedFunction &P, const Need &N, const DiffRequest &R, Type *Tape) {
  if (N.P == Part::Tape)
    return Tape;
  if (N.P == Part::Overwritten)
    return cast<StoreInst>(N.V)->getValueOperand()->getType();
  Type *T = N.V->getType();
  if (N.P == Part::Shadow)
    return laneType(T, R.Width);
  auto *I = dyn_cast<Instruction>(N.V);
  if (!I || !T->isIntegerTy())
    return T;
  // Records and tapes that are passed on are padded, which eats what narrow members save.
  const Loop *L = P.loops().getLoopFor(I->getParent());
  if (!L || !P.canonical(L).LastIV)
    return T->isIntegerTy(1) ? Type::getInt8Ty(T->getContext()) : T;
  // Only as many bytes as its values fill: conditions, results of `% 100`, small tables.
  unsigned Needed = computeConstantRangeIncludingKnownBits(I, /*ForSigned=*/false,
                                                           SimplifyQuery(I->getDataLayout()))
                        .getActiveBits();
  for (unsigned Bits : {8, 16, 32})
    if (Needed <= Bits)
      return Bits < T->getIntegerBitWidth() || Bits == 8 ? IntegerType::get(T->getContext(), Bits)
                                                         : T;
  return T;
}

namespace {

class GraphBuilder {
public:
  GraphBuilder(const RecomputeFacts &F, KeepPolicy Policy) : F(F), Policy(Policy) {}

  RecomputeGraph build(const NeedSet &Needs) {
    SmallVector<Need, 16> Worklist;
    for (auto &[N, Consumer] : Needs)
      Worklist.push_back(N);
    while (!Worklist.empty()) {
      Need N = Worklist.pop_back_val();
      if (Graph.count(N))
        continue;
      RecomputeNode Node = classify(N);
      append_range(Worklist, Node.Operands);
      Graph.insert({N, std::move(Node)});
    }
    return std::move(Graph);
  }

private:
  RecomputeNode classify(const Need &N);
  RecomputeNode instruction(Instruction &I, Part P);
  RecomputeNode markedCall(CallBase &Call);
  RecomputeNode compute(Instruction &I, Part P, RecomputeNode::Kind K, std::string Reason);
  RecomputeNode fixed(Instruction &I, Part P, std::string Reason);
  RecomputeNode load(LoadInst &Load, Part P);
  RecomputeNode undone(LoadInst &Load, ArrayRef<StoreInst *> Stores, std::string Reason);
  bool seenByBothSweeps(const Instruction &I) const;
  uint64_t costOf(const Instruction &I, Part P) const;

  const RecomputeFacts &F;
  KeepPolicy Policy;
  RecomputeGraph Graph;
};

} // namespace

/// A combined derivative is one function: what dominates its return and is not
/// in a loop is simply still there in the reverse sweep.
bool GraphBuilder::seenByBothSweeps(const Instruction &I) const {
  return !F.R.isSplit() && !F.P.loops().getLoopFor(I.getParent()) &&
         F.P.dominators().dominates(I.getParent(), F.P.returnBlock());
}

uint64_t GraphBuilder::costOf(const Instruction &I, Part P) const {
  uint64_t Bytes = 8 * F.R.Width;
  if (P == Part::Primal || P == Part::Overwritten)
    Bytes = I.getDataLayout().getTypeAllocSize(
        keptType(F.P, {const_cast<Instruction *>(&I), P}, F.R, nullptr));
  return timesTrips(F.P, I, CostOfSlot + CostPerByte * Bytes);
}

RecomputeNode GraphBuilder::fixed(Instruction &I, Part P, std::string Reason) {
  return {RecomputeNode::Fixed, std::move(Reason), {}, costOf(I, P)};
}

RecomputeNode GraphBuilder::compute(Instruction &I, Part P, RecomputeNode::Kind K,
                                    std::string Reason) {
  if (Policy == KeepPolicy::Cache)
    return fixed(I, P, "everything is kept, as asked");
  RecomputeNode Node{K, std::move(Reason), {}, costOf(I, P)};
  if (Policy == KeepPolicy::Plan)
    Node.Work = timesTrips(F.P, I, workOf(I) * (P == Part::Shadow ? F.R.Width : 1));
  for (Value *Operand : I.operands()) {
    if (isa<Constant, BasicBlock, MetadataAsValue>(Operand))
      continue;
    // The shadow of an address is computed from shadows of addresses and from
    // primal indices and conditions.
    bool Shadow = P == Part::Shadow && containsPointer(Operand->getType());
    if (P == Part::Shadow && !Shadow && isa<InsertValueInst>(I))
      continue;
    Node.Operands.push_back({Operand, Shadow ? Part::Shadow : Part::Primal});
  }
  return Node;
}

RecomputeNode GraphBuilder::classify(const Need &N) {
  if (isa<Constant>(N.V))
    return {RecomputeNode::Free, "constant", {}, 0};
  if (isa<Argument>(N.V))
    return {RecomputeNode::Free, "argument", {}, 0};
  auto &I = *cast<Instruction>(N.V);
  if (N.P == Part::Shadow && F.Steps.of(&I).Shadow == ShadowForm::Itself && !seenByBothSweeps(I))
    return {RecomputeNode::Compute, "the address itself", {{&I, Part::Primal}}, costOf(I, N.P)};
  if (N.P == Part::Overwritten) {
    // The forward sweep reads it first, and the reverse sweep writes it.
    uint64_t More = timesTrips(F.P, I, 2 * WorkOfLoad);
    return {RecomputeNode::Fixed,
            "put back in the reverse sweep",
            {},
            options().Undo == UndoPolicy::Always ? 0 : costOf(I, N.P) + More};
  }
  if (N.P == Part::Tape)
    return seenByBothSweeps(I) ? RecomputeNode{RecomputeNode::Free, "same function", {}, 0}
                               : fixed(I, N.P, "tape of the call");
  return instruction(I, N.P);
}

/// Is repeating this call about as cheap as reading a kept value?
static bool isCheapCall(const CallBase &Call) {
  auto *II = dyn_cast<IntrinsicInst>(&Call);
  return II && isTriviallyVectorizable(II->getIntrinsicID()) && !II->mayReadOrWriteMemory() &&
         opInfo(mathOpOf(Call)).Again != Work::Call;
}

/// The user says that calling again is better than keeping the result.
RecomputeNode GraphBuilder::markedCall(CallBase &Call) {
  std::string WhyNot = whyNotRepeated(Call, F.P);
  if (!WhyNot.empty())
    return fixed(Call, Part::Primal, "enzyme_shouldrecompute cannot be followed, since " + WhyNot);
  RecomputeNode Node =
      compute(Call, Part::Primal, RecomputeNode::Compute, "enzyme_shouldrecompute");
  Node.Work = 0;
  return Node;
}

RecomputeNode GraphBuilder::load(LoadInst &Load, Part P) {
  Availability A = F.Memory.of(Load);
  if (A.isReloadable())
    return compute(Load, P, RecomputeNode::Reload, A.str());
  std::optional<StoredValue> V;
  if (P == Part::Primal && Policy != KeepPolicy::Cache)
    V = F.Stored.of(Load);
  if (F.Undo && P == Part::Primal && !V)
    if (auto Undo = F.Undo->find(&Load); Undo != F.Undo->end())
      return undone(Load, Undo->second, A.str());
  if (!V)
    return fixed(Load, P, A.str());
  RecomputeNode Node{RecomputeNode::Compute, "as it was stored", {}, costOf(Load, P)};
  if (Value *Value = V->Store->getValueOperand(); !isa<Constant>(Value))
    Node.Operands.push_back({Value, Part::Primal});
  if (V->Reads)
    Node.Operands.push_back({F.P.canonical(V->Reads).IV, Part::Primal});
  return Node;
}

/// The load can be repeated, and so costs what it costs to undo the stores.
RecomputeNode GraphBuilder::undone(LoadInst &Load, ArrayRef<StoreInst *> Stores,
                                   std::string Reason) {
  RecomputeNode Node = compute(Load, Part::Primal, RecomputeNode::Reload, std::move(Reason));
  append_range(Node.Undone, Stores);
  for (StoreInst *S : Stores) {
    Node.Operands.push_back({S, Part::Overwritten});
    if (!isa<Constant>(S->getPointerOperand()))
      Node.Operands.push_back({S->getPointerOperand(), Part::Primal});
  }
  return Node;
}

RecomputeNode GraphBuilder::instruction(Instruction &I, Part P) {
  const Loop *L = F.P.loops().getLoopFor(I.getParent());
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (P == Part::Primal && L && F.P.canonical(L).IV == Phi)
      return {RecomputeNode::Free, "loop counter", {}, 0};
    if (seenByBothSweeps(I))
      return {RecomputeNode::Free, "same function", {}, 0};
    return fixed(I, P, "depends on the path taken");
  }
  if (seenByBothSweeps(I))
    return {RecomputeNode::Free, "same function", {}, 0};
  if (auto *Load = dyn_cast<LoadInst>(&I);
      Load && P == Part::Shadow && F.Steps.checkOf(Load->getPointerOperand()) == ShadowCheck::Page)
    return fixed(I, P, "looked up when it is read");
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return load(*Load, P);
  if (isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst,
          ExtractElementInst, InsertElementInst, ShuffleVectorInst, ExtractValueInst,
          InsertValueInst>(I))
    return compute(I, P, RecomputeNode::Compute, "cheap");
  if (auto *Call = dyn_cast<CallBase>(&I); Call && P == Part::Primal) {
    if (isMarkedShouldRecompute(*Call))
      return markedCall(*Call);
    auto *II = dyn_cast<IntrinsicInst>(Call);
    bool Heavy = !isCheapCall(*Call);
    auto It = F.Calls.find(Call);
    bool ByRule = It != F.Calls.end() && It->second.K == CallPlan::ByRule;
    OpClass Class = viewOf(I, F.P.libraryInfo()).Class;
    bool Pure = (ByRule || Class == OpClass::Elementwise || Class == OpClass::Zero ||
                 (II && !II->mayReadOrWriteMemory() && !II->isConvergent())) &&
                none_of(Call->args(), [](const Use &U) { return U->getType()->isPointerTy(); });
    if (!Pure)
      return fixed(I, P, "result of a call");
    if (!Heavy || Policy == KeepPolicy::Recompute)
      return compute(I, P, RecomputeNode::Compute, Heavy ? "as asked" : "cheap");
    RecomputeNode Node = compute(I, P, RecomputeNode::Compute, "expensive to compute again");
    auto *Vector = dyn_cast<FixedVectorType>(I.getType());
    Node.Work = timesTrips(F.P, I, WorkOfCall * (Vector ? Vector->getNumElements() : 1));
    Node.Dear = Node.K == RecomputeNode::Compute;
    return Node;
  }
  if (isa<AllocaInst>(I))
    return fixed(I, P, "local memory");
  return fixed(I, P, "cannot be repeated");
}

RecomputeGraph buildRecomputeGraph(const RecomputeFacts &F, const NeedSet &Needs,
                                   KeepPolicy Policy) {
  return GraphBuilder(F, Policy).build(Needs);
}

SetVector<Need> chooseKept(const RecomputeGraph &G, const NeedSet &Needs) {
  MinCut Cut;
  DenseMap<Need, unsigned> NodeOf;
  SmallVector<Need, 16> Order;
  for (auto &[N, Node] : G)
    if (Node.K != RecomputeNode::Free) {
      NodeOf[N] = Cut.addNode(Node.MustCompute ? MinCut::Unlimited : Node.Cost);
      Order.push_back(N);
    }
  for (auto &[N, Node] : G) {
    auto At = NodeOf.find(N);
    if (At == NodeOf.end())
      continue;
    if (Node.K == RecomputeNode::Fixed || Node.MustKeep)
      Cut.addSource(At->second);
    Cut.addCostBehind(At->second, Node.Work);
    for (const Need &Operand : Node.Operands)
      if (auto From = NodeOf.find(Operand); From != NodeOf.end())
        Cut.addEdge(From->second, At->second);
    if (Needs.count(N) || Node.MustKeep)
      Cut.addSink(At->second);
  }
  SetVector<Need> Kept;
  for (unsigned Node : Cut.solve())
    Kept.insert(Order[Node]);
  return Kept;
}

} // namespace isozyme
