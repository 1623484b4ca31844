//===- Useful.cpp - What may influence the active outputs -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backward from the active result and from memory that the caller can see and
// that has a shadow, through the same operations as Varied.
//
//===----------------------------------------------------------------------===//

#include "Solver.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace isozyme;

bool ActivitySolver::markUseful(const Value *V, const Value *Why) {
  if (isa<Constant>(V) || !mayCarry(V) || !Useful.insert(V).second)
    return false;
  if (Why)
    UsedBy[V] = Why;
  if (auto *I = dyn_cast<Instruction>(V))
    push(*I);
  return true;
}

bool ActivitySolver::markNodeUseful(unsigned Node, const Value *Why) {
  if (Node == PointerTarget::None || NodeUseful[Node])
    return false;
  NodeUseful[Node] = true;
  if (Why)
    NodeUse[Node] = Why;
  pushTouching(Node);
  return true;
}

void ActivitySolver::seedUseful() {
  SmallVector<unsigned, 16> Work;
  auto Visible = [&](unsigned N, const Value *Why) {
    if (markNodeUseful(N, Why))
      Work.push_back(N);
  };
  for (const Argument &A : P.function().args())
    if (R.hasShadow(A.getArgNo()))
      Visible(nodeOf(&A), &A);
  if (BasicBlock *BB = P.returnBlock(); BB && R.Return != ReturnActivity::Const) {
    auto *Ret = cast<ReturnInst>(BB->getTerminator());
    if (const Value *V = Ret->getReturnValue()) {
      markUseful(V, Ret);
      if (unsigned N = nodeOf(V); N != PointerTarget::None) {
        Visible(N, Ret);
        Escapes[N] = true;
      }
    }
  }
  closeOver(Work);
  for (unsigned N = 0; N != G.size(); ++N)
    if (G.isRepresentative(N) && (Owners[N] & (OwnedByShadowed | OwnedByUnknown)))
      Visible(N, nullptr);
  closeOver(Work);
}

/// What can be reached from useful memory by pointers is useful; what was stored
/// there is handed out to whoever sees that memory.
void ActivitySolver::closeOver(SmallVectorImpl<unsigned> &Work) {
  while (!Work.empty()) {
    unsigned N = Work.pop_back_val();
    for (auto &[Key, Cell] : G.node(N).Cells) {
      if (!Cell.Target.isValid())
        continue;
      unsigned To = G.find(Cell.Target.Node);
      if (markNodeUseful(To, useOfNode(N)))
        Work.push_back(To);
      if ((Cell.Stored || Escapes[N]) && !Escapes[To]) {
        Escapes[To] = true;
        Work.push_back(To);
      }
    }
  }
}

bool ActivitySolver::backwardCall(const CallBase &Call, const OpView &View) {
  if (auto Copy = copiedBy(Call, Types, View)) {
    bool Moves = Copy->Data && Copy->To != PointerTarget::None && NodeUseful[Copy->To];
    return Moves && markNodeUseful(Copy->From, useOfNode(Copy->To));
  }
  if (View.Class == OpClass::Memory) {
    bool Changed = false;
    if (std::optional<MaskedAccess> Access = maskedAccess(Call)) {
      unsigned N = nodeOf(Access->Address);
      if (Access->IsLoad && isUseful(&Call)) {
        Changed |= markNodeUseful(N, &Call);
        Changed |= markUseful(Access->Data, &Call);
      } else if (!Access->IsLoad && N != PointerTarget::None && NodeUseful[N]) {
        Changed |= markUseful(Access->Data, useOfNode(N));
      }
    }
    return Changed;
  }
  if (View.Class != OpClass::Call && View.Class != OpClass::Unlisted &&
      View.Class != OpClass::Opaque)
    return false;
  bool Any = isUseful(&Call);
  const Value *Why = &Call;
  for (const CallEffect &E : G.effectsOf(&Call))
    if (!Any && E.WritesData && NodeUseful[E.Node] && !isFrozen(E.Node)) {
      Any = true;
      Why = useOfNode(E.Node);
    }
  if (!Any)
    return false;
  bool Changed = false;
  for (const Use &U : Call.args())
    if (!isMarkedInactive(Call, Call.getArgOperandNo(&U)))
      Changed |= markUseful(U.get(), Why);
  for (const CallEffect &E : G.effectsOf(&Call))
    if (E.ReadsData)
      Changed |= markNodeUseful(E.Node, Why);
  return Changed;
}

bool ActivitySolver::flowBackward(const Instruction &I) {
  if (isMarkedInactive(I))
    return false;
  if (isMarkedActive(I))
    markUseful(&I, nullptr);
  if (auto *L = dyn_cast<LoadInst>(&I))
    return isUseful(L) && markNodeUseful(nodeOf(L->getPointerOperand()), L);
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    unsigned N = nodeOf(S->getPointerOperand());
    return N != PointerTarget::None && NodeUseful[N] &&
           markUseful(S->getValueOperand(), useOfNode(N));
  }
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I)) {
    unsigned N = nodeOf(I.getOperand(0));
    bool Changed = isUseful(&I) && markNodeUseful(N, &I);
    if (N != PointerTarget::None && NodeUseful[N])
      for (const Use &U : drop_begin(I.operands()))
        Changed |= markUseful(U.get(), useOfNode(N));
    return Changed;
  }
  OpView View = view(I);
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && View.Class != OpClass::Elementwise && View.Class != OpClass::Structural &&
      View.Class != OpClass::Zero)
    return backwardCall(*Call, View);
  if (!isUseful(&I))
    return false;
  bool Changed = false;
  for (const Value *Op : carriedOperands(I, View))
    Changed |= markUseful(Op, &I);
  if (View.Class == OpClass::Opaque)
    for (const Use &U : I.operands())
      Changed |= markUseful(U.get(), &I);
  return Changed;
}
