//===- Varied.cpp - What the active inputs may influence ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward from active arguments and from memory that has a shadow, through
// operations with a derivative, memory and calls. Operations of derivative zero
// and conversions to integers stop it; bit operations on integers do not, since
// the bits may become a float again.
//
//===----------------------------------------------------------------------===//

#include "Solver.h"
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace isozyme;

bool ActivitySolver::markVaried(const Value *V, const Value *Why) {
  if (!mayCarry(V) || hasInactiveResult(*V) || !Varied.insert(V).second)
    return false;
  if (Why)
    Cause[V] = Why;
  pushUsersOf(*V);
  return true;
}

bool ActivitySolver::markNodeVaried(unsigned Node, const Value *Why) {
  if (Node == PointerTarget::None || NodeVaried[Node] || isFrozen(Node))
    return false;
  NodeVaried[Node] = true;
  if (Why)
    NodeCause[Node] = Why;
  pushTouching(Node);
  return true;
}

void ActivitySolver::seedVaried() {
  for (const Argument &A : P.function().args()) {
    ArgActivity Activity = R.Args[A.getArgNo()];
    if (Activity == ArgActivity::Const)
      continue;
    markVaried(&A, nullptr);
    if (unsigned N = nodeOf(&A); N != PointerTarget::None)
      markNodeVaried(N, &A);
  }
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N) || !(Owners[N] & OwnedByShadowed))
      continue;
    const auto *Global = find_if(G.node(N).Roots, [&](const Value *Root) {
      return isa<GlobalVariable>(Root) && (ownerOf(Root) & OwnedByShadowed);
    });
    markNodeVaried(N, Global == G.node(N).Roots.end() ? nullptr : *Global);
  }
  // Memory that is handed to a caller who has a shadow for it is written there.
  SmallVector<unsigned, 8> Returned;
  DenseSet<unsigned> Seen;
  if (BasicBlock *BB = P.returnBlock(); BB && R.Return == ReturnActivity::Dup)
    if (const Value *V = cast<ReturnInst>(BB->getTerminator())->getReturnValue())
      Returned.push_back(nodeOf(V));
  for (unsigned N = 0; N != G.size(); ++N)
    if (G.isRepresentative(N) && (Owners[N] & OwnedByShadowed))
      for (auto &[Key, Cell] : G.node(N).Cells)
        if (Cell.Stored && Cell.Target.isValid())
          Returned.push_back(G.find(Cell.Target.Node));
  while (!Returned.empty()) {
    unsigned N = Returned.pop_back_val();
    if (N == PointerTarget::None || !Seen.insert(N).second)
      continue;
    markNodeVaried(N, nullptr);
    for (auto &[Key, Cell] : G.node(N).Cells)
      if (Cell.Target.isValid())
        Returned.push_back(G.find(Cell.Target.Node));
  }
  // What is reached through loaded pointers is varied because of the argument.
  for (unsigned N = 0; N != G.size(); ++N)
    if (G.isRepresentative(N) && NodeCause.lookup(N))
      for (auto &[Key, Cell] : G.node(N).Cells)
        if (Cell.Target.isValid())
          NodeCause.try_emplace(G.find(Cell.Target.Node), NodeCause.lookup(N));
}

SmallVector<const Value *, 4> isozyme::carriedOperands(const Instruction &I, const OpView &View) {
  SmallVector<const Value *, 4> Out;
  if (View.Class == OpClass::Elementwise) {
    for (const Value *Op : View.Operands)
      if (Op->getType()->isFPOrFPVectorTy())
        Out.push_back(Op);
    return Out;
  }
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Out = {Select->getTrueValue(), Select->getFalseValue()};
    return Out;
  }
  if (exchangedBy(I) != Intrinsic::not_intrinsic) { // The others say who gets it.
    Out.push_back(I.getOperand(0));
    return Out;
  }
  // Shifts, masks, sums, llvm.bswap: the bits of a float may pass through them.
  bool Bits = I.getType()->isIntOrIntVectorTy() && View.Class == OpClass::Zero && !isa<CmpInst>(I);
  if (View.Class == OpClass::Structural || Bits)
    for (const Use &U : I.operands())
      if (View.Class == OpClass::Structural || U->getType()->isIntOrIntVectorTy())
        Out.push_back(U.get());
  return Out;
}

std::optional<CopiedMemory> isozyme::copiedBy(const Instruction &I, const TypeResult &Types,
                                              const OpView &View) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || View.Class != OpClass::Memory || Call->arg_size() < 3)
    return std::nullopt;
  bool Intrinsic = isa<IntrinsicInst>(I);
  if (Intrinsic ? !isa<MemTransferInst>(I) : !Call->getArgOperand(1)->getType()->isPointerTy())
    return std::nullopt;
  const Value *To = Call->getArgOperand(0), *From = Call->getArgOperand(1);
  auto *Length = dyn_cast<ConstantInt>(Call->getArgOperand(2));
  uint64_t Size = Length ? Length->getZExtValue() : 0;
  CopiedMemory M{Types.placeOf(From).Node, Types.placeOf(To).Node, false};
  MemoryLayout L = Types.layoutOf(From, Size);
  M.Data = !L.Period && !(Length && Length->isZero());
  for (const TypedRun &Run : L.Runs)
    M.Data |= Run.Type.isFloat() || !Run.Type.isKnown();
  // What accesses make an address is not all that comes by: a double may, too.
  constexpr uint64_t MostBytes = 256; // More are moved by what is known best.
  uint64_t Told = Length ? Size : std::min(L.Period, MostBytes);
  if (Told <= MostBytes)
    M.Data |= any_of(Types.memory().wordsOf({Types.placeOf(From), Types.placeOf(To)}, Told),
                     [](WordContent Word) { return Word.isEither(); });
  return M;
}

bool ActivitySolver::forwardCall(const CallBase &Call, const OpView &View) {
  if (auto Copy = copiedBy(Call, Types, View)) {
    bool Moves = Copy->Data && Copy->From != PointerTarget::None && NodeVaried[Copy->From];
    return Moves && markNodeVaried(Copy->To, causeOfNode(Copy->From));
  }
  if (View.Class == OpClass::Memory) {
    if (std::optional<MaskedAccess> Access = maskedAccess(Call)) {
      unsigned N = nodeOf(Access->Address);
      if (!Access->IsLoad)
        return isVaried(Access->Data) && markNodeVaried(N, Access->Data);
      if (isVaried(Access->Data))
        return markVaried(&Call, Access->Data);
      return N != PointerTarget::None && NodeVaried[N] && markVaried(&Call, causeOfNode(N));
    }
    return false;
  }
  if (View.Class != OpClass::Call && View.Class != OpClass::Unlisted &&
      View.Class != OpClass::Opaque)
    return false;
  const Value *Why = nullptr;
  bool Any = false;
  for (const Use &U : Call.args())
    if (isVaried(U.get()) && !isMarkedInactive(Call, Call.getArgOperandNo(&U))) {
      Any = true;
      Why = U.get();
      break;
    }
  for (const CallEffect &E : G.effectsOf(&Call))
    if (!Any && E.ReadsData && NodeVaried[E.Node]) {
      Any = true;
      Why = causeOfNode(E.Node);
    }
  if (!Any)
    return false;
  bool Changed = markVaried(&Call, Why);
  for (const CallEffect &E : G.effectsOf(&Call))
    if (E.WritesData)
      Changed |= markNodeVaried(E.Node, Why);
  return Changed;
}

bool ActivitySolver::flowForward(const Instruction &I) {
  if (isMarkedInactive(I))
    return false;
  if (isMarkedActive(I))
    markVaried(&I, nullptr);
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    unsigned N = nodeOf(L->getPointerOperand());
    return N != PointerTarget::None && NodeVaried[N] && markVaried(L, causeOfNode(N));
  }
  if (auto *S = dyn_cast<StoreInst>(&I))
    return isVaried(S->getValueOperand()) &&
           markNodeVaried(nodeOf(S->getPointerOperand()), S->getValueOperand());
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I)) {
    unsigned N = nodeOf(I.getOperand(0));
    bool Changed = false;
    for (const Use &U : drop_begin(I.operands()))
      if (isVaried(U.get()))
        Changed |= markNodeVaried(N, U.get());
    if (N != PointerTarget::None && NodeVaried[N])
      Changed |= markVaried(&I, causeOfNode(N));
    return Changed;
  }
  OpView View = view(I);
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && View.Class != OpClass::Elementwise && View.Class != OpClass::Structural &&
      View.Class != OpClass::Zero)
    return forwardCall(*Call, View);
  for (const Value *Op : carriedOperands(I, View))
    if (isVaried(Op))
      return markVaried(&I, Op);
  // What no table knows may do anything with its operands.
  if (View.Class == OpClass::Opaque)
    for (const Use &U : I.operands())
      if (isVaried(U.get()))
        return markVaried(&I, U.get());
  return false;
}
