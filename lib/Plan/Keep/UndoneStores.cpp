//===- UndoneStores.cpp - Stores that the reverse sweep undoes ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a store overwrites is kept and put back where the store is reversed. Then a load in front
// of it can be repeated. What has to hold:
//
//   the memory is a block or local of this          nobody sees that it is not what the function
//   function, whose address goes nowhere else       has left
//   all that overwrites what the load has read is   in front of them the memory is as it was
//   stores that are reversed
//   the value is read where all of them are         a store between the load and the reader is
//   undone                                          undone too late
//
//===----------------------------------------------------------------------===//
#include "UndoneStores.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Values/MemoryObjects.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace llvm;

namespace isozyme {

/// That may overwrite what a load has read.
constexpr unsigned MostStores = 8;
/// What a value is read by, and an address is computed from.
constexpr size_t MostReaders = 64, MostOperands = 64;

bool mayUndo(const DerivativePlan &Plan) {
  const Function &Original = Plan.P.original();
  return options().Undo != UndoPolicy::Never && !Plan.Request.isSplit() && Plan.P.returnBlock() &&
         Plan.Watches.empty() && !Original.hasFnAttribute(UnoptimisedMark) &&
         !acceleratorOf(*Original.getParent());
}

const char *whyNotUndone(const DerivativePlan &Plan, const StoreInst &S) {
  if (!S.isSimple() || !S.getValueOperand()->getType()->isFPOrFPVectorTy())
    return "of something else than a number";
  if (Plan.Steps.at(S).Adjoint != AdjointStep::Store)
    return "that is not reversed";
  if (Plan.Fused.around(Plan.P, &S))
    return "in a loop that runs in the reverse sweep only";
  return nullptr;
}

namespace {

class UndoFinder {
public:
  UndoFinder(const DerivativePlan &Plan, const MemoryAvailability &Memory, const RecomputeGraph &G,
             const NeedReaders &Readers)
      : Plan(Plan), P(Plan.P), Memory(Memory), Graph(G), Readers(Readers) {
    for (auto &[N, Node] : G)
      for (const Need &Operand : Node.Operands)
        Dependents[Operand].push_back(N);
  }

  UndoChoices find();

private:
  using Instructions = SmallSetVector<const Instruction *, 8>;
  using Blocks = SmallPtrSet<const BasicBlock *, 16>;

  bool endsHere(const Value *Ptr) const;
  bool hasPlainAddress(const StoreInst &S) const;
  std::optional<SmallVector<StoreInst *, 2>> overwritesOf(const LoadInst &Load) const;
  std::optional<Instructions> readersOf(LoadInst &Load) const;
  bool isBehind(const LoadInst &Load, const Instruction &Reader) const;
  bool isBetween(const StoreInst &S, const LoadInst &Load, const Instruction &Reader);
  const Blocks &behind(const BasicBlock *BB, const BasicBlock *Without);

  const DerivativePlan &Plan;
  const PreparedFunction &P;
  const MemoryAvailability &Memory;
  const RecomputeGraph &Graph;
  const NeedReaders &Readers;
  DenseMap<Need, SmallVector<Need, 2>> Dependents;
  std::map<std::pair<const BasicBlock *, const BasicBlock *>, Blocks> Behind;
};

} // namespace

bool UndoFinder::endsHere(const Value *Ptr) const {
  SmallVector<const Value *, 2> Objects = accessedObjects(Ptr, P.function());
  return Objects.size() == 1 && Memory.endsHere(Objects.front());
}

/// Is the address computed without the numbers that are to be had again?
bool UndoFinder::hasPlainAddress(const StoreInst &S) const {
  SmallSetVector<const Value *, 8> Open;
  Open.insert(S.getPointerOperand());
  for (size_t Next = 0; Next < Open.size(); ++Next) {
    const Value *V = Open[Next];
    if (V->getType()->isFPOrFPVectorTy() || Open.size() > MostOperands)
      return false;
    auto *I = dyn_cast<Instruction>(V);
    if (I && !isa<PHINode, AllocaInst, CallBase>(I))
      for (const Value *Operand : I->operands())
        if (!isa<Constant>(Operand))
          Open.insert(Operand);
  }
  return true;
}

/// The stores that overwrite what \p Load has read, if nothing else does.
std::optional<SmallVector<StoreInst *, 2>> UndoFinder::overwritesOf(const LoadInst &Load) const {
  std::optional<SmallVector<Instruction *, 4>> Writes = Memory.overwritesAfter(Load, MostStores);
  if (!Writes)
    return std::nullopt;
  SmallVector<StoreInst *, 2> Stores;
  for (Instruction *W : *Writes) {
    auto *S = dyn_cast<StoreInst>(W);
    if (!S || whyNotUndone(Plan, *S) || !endsHere(S->getPointerOperand()) || !hasPlainAddress(*S))
      return std::nullopt;
    Stores.push_back(S);
  }
  return Stores;
}

/// Has \p Load run whenever \p Reader runs, in the same iteration? A rule may read what the program
/// computes later.
bool UndoFinder::isBehind(const LoadInst &Load, const Instruction &Reader) const {
  const Loop *L = P.loops().getLoopFor(Load.getParent());
  return (!L || L->contains(&Reader)) && P.dominators().dominates(&Load, &Reader);
}

/// What reads \p Load or something that may be computed from it; nothing if that may be anywhere.
std::optional<UndoFinder::Instructions> UndoFinder::readersOf(LoadInst &Load) const {
  Instructions Found;
  SmallSetVector<Need, 8> Open;
  Open.insert({&Load, Part::Primal});
  for (size_t Next = 0; Next < Open.size(); ++Next) {
    Need N = Open[Next];
    // What was stored is had for another iteration than the one that reads it.
    if (Open.size() > MostReaders || (Next && isa<LoadInst>(N.V)))
      return std::nullopt;
    if (auto It = Readers.find(N); It != Readers.end())
      for (const Instruction *Reader : It->second) {
        if (!Reader || Plan.Fused.around(P, Reader) || !isBehind(Load, *Reader))
          return std::nullopt;
        Found.insert(Reader);
      }
    if (auto It = Dependents.find(N); It != Dependents.end())
      Open.insert_range(It->second);
  }
  return Found;
}

/// What can be reached from the end of \p BB on ways that do not enter \p Without.
const UndoFinder::Blocks &UndoFinder::behind(const BasicBlock *BB, const BasicBlock *Without) {
  auto [It, New] = Behind.insert({{BB, Without}, {}});
  if (!New)
    return It->second;
  SmallVector<const BasicBlock *, 16> Open = {BB};
  while (!Open.empty())
    for (const BasicBlock *Next : successors(Open.pop_back_val()))
      if (Next != Without && It->second.insert(Next).second)
        Open.push_back(Next);
  return It->second;
}

/// May \p S run behind \p Load and in front of \p Reader, which reads the value of that load?
bool UndoFinder::isBetween(const StoreInst &S, const LoadInst &Load, const Instruction &Reader) {
  const BasicBlock *Loads = Load.getParent(), *Stores = S.getParent(), *Reads = Reader.getParent();
  auto isBefore = [&](const Instruction &A, const Instruction &B) {
    return A.getParent() == B.getParent() && P.numberOf(&A) < P.numberOf(&B);
  };
  if (&S == &Reader)
    return true;
  if (isBefore(S, Reader))
    return !(isBefore(S, Load) && isBefore(Load, Reader));
  if (isBefore(S, Load) || isBefore(Load, Reader)) // The load runs again on the way.
    return false;
  return behind(Stores, Loads).contains(Reads);
}

UndoChoices UndoFinder::find() {
  UndoChoices Found;
  for (auto &[N, Node] : Graph) {
    auto *Load = dyn_cast<LoadInst>(N.V);
    if (!Load || N.P != Part::Primal || Node.K != RecomputeNode::Fixed || !Load->isSimple() ||
        !Load->getType()->isFPOrFPVectorTy() || Plan.Fused.around(P, Load) ||
        !endsHere(Load->getPointerOperand()))
      continue;
    std::optional<Instructions> ReadBy = readersOf(*Load);
    if (!ReadBy)
      continue;
    std::optional<SmallVector<StoreInst *, 2>> Stores = overwritesOf(*Load);
    bool IsInTime =
        Stores && none_of(*Stores, [&](const StoreInst *S) {
          return any_of(*ReadBy, [&](const Instruction *R) { return isBetween(*S, *Load, *R); });
        });
    if (IsInTime && !Stores->empty())
      Found.insert({Load, *Stores});
  }
  return Found;
}

UndoChoices findUndoChoices(const DerivativePlan &Plan, const MemoryAvailability &Memory,
                            const RecomputeGraph &G, const NeedReaders &Readers) {
  return UndoFinder(Plan, Memory, G, Readers).find();
}

} // namespace isozyme
