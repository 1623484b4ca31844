//===- IntegerMoves.cpp - Pointers that callees move as integers ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes one load and one store of an integer from a memcpy of a few bytes, and
// programs keep addresses in integers of their own. A function that only moves such an
// integer does not show what it is; its caller may know. So its summary lists the moves
// as copies: from memory, from a parameter, to memory, to the result. Parameters
// and results that take part get a node of their own: a piece of memory, as it were, in
// which a call leaves the value.
//
// So it is with what the source calls an integer, which may be an address that is cast elsewhere:
//
//   void move(long *to, const long *from) { *to = *from; }
//
// Such a move tells the caller nothing unless addresses are where it moves from or to.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Values/Origins.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace isozyme;

/// Could \p V be an address, or several, in the guise of an integer?
bool GraphBuilder::mayBeAddress(const Value *V) const {
  Type *T = V->getType();
  if (MovedPointers.contains(V)) // Of others, the graph knows where they lead.
    return S.Scalars.isPointerByLook(V) || !S.Scalars.typeOf(V).isKnown();
  if (isa<Constant>(V) || !T->isIntOrIntVectorTy() || T->getPrimitiveSizeInBits().isScalable() ||
      DL.getTypeStoreSize(T) % DL.getPointerSize())
    return false;
  ConcreteType Known = S.Scalars.typeOf(V);
  return !Known.isKnown() || Known.kind() == ConcreteType::Pointer;
}

bool GraphBuilder::isNumberByName(const Value *V) const {
  auto IsMade = [](const Function *F) {
    return isMadeByIsozyme(*F) || F->hasFnAttribute(LentBodyMark);
  };
  ConcreteType T = S.Scalars.typeOf(V);
  bool IsNumber = T.isFloat() || T.kind() == ConcreteType::Integer;
  return V->getType()->isIntegerTy(DL.getPointerSizeInBits()) && IsNumber && !isa<Constant>(V) &&
         !S.Scalars.isUsedAsInteger(V) && !isNumber(*V) && none_of(Component, IsMade);
}

PointerTarget GraphBuilder::passedPlace(const CallBase &Call, PointerTarget Theirs) const {
  auto Map = Instances.find(&Call);
  if (!Theirs.isValid() || Map == Instances.end())
    return {};
  auto Mine = Map->second.find(Theirs.Node);
  return Mine == Map->second.end() || !Mine->second.isValid() ? PointerTarget()
                                                              : G.normal(Mine->second).plus(Theirs);
}

PointerTarget GraphBuilder::placeOfInteger(PointerTarget &Place) {
  if (!Place.isValid())
    Place = {G.addNode(), 0, 0};
  return Place;
}

const GraphSummary::Interface *GraphBuilder::interfaceOf(const CallBase &Call) const {
  const Function *Body = bodyOfCallee(Call);
  auto There = Body ? Callees.find(Body) : Callees.end();
  return There == Callees.end() || !There->second ? nullptr
                                                  : &There->second->Functions.find(Body)->second;
}

/// Is the result of \p I made of its operands, or lanes of them?
static bool handsOn(const Instruction &I) {
  return isChoice(I) || isa<ShuffleVectorInst, InsertElementInst, ExtractElementInst>(I);
}

/// Where the integer \p V is read from, through phis and the like. \p MovesLanes: not all
/// of it need be at the place that it had there.
SmallVector<GraphBuilder::IntegerSource, 2> GraphBuilder::sourcesOf(const Value *V,
                                                                    bool &MovesLanes) {
  SmallVector<IntegerSource, 2> Sources;
  SmallVector<const Value *, 4> Work = {V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *Next = Work.pop_back_val();
    if ((!mayBeAddress(Next) && !isNumberByName(Next)) || !Seen.insert(Next).second)
      continue;
    if (auto *A = dyn_cast<Argument>(Next)) {
      Sources.push_back(
          {placeOfInteger(S.Functions[A->getParent()].IntegerFormals[A->getArgNo()])});
    } else if (auto *Load = dyn_cast<LoadInst>(Next)) {
      PointerTarget Place = targetOf(Load->getPointerOperand());
      Sources.push_back({Place, isNumberedInteger(*Load, Place)});
    } else if (auto *Call = dyn_cast<CallBase>(Next)) {
      if (const Function *Body = bodyOfCallee(*Call); Body && S.Functions.contains(Body))
        Sources.push_back({placeOfInteger(S.Functions[Body].IntegerReturn)});
      else if (auto *Callee = interfaceOf(*Call))
        Sources.push_back({passedPlace(*Call, Callee->IntegerReturn)});
    } else if (auto *I = dyn_cast<Instruction>(Next); I && handsOn(*I)) {
      MovesLanes |= !isChoice(*I);
      for (const Use &U : drop_begin(I->operands(), isa<SelectInst>(I)))
        Work.push_back(U.get());
    }
  }
  return Sources;
}

void GraphBuilder::noteIntegerMoves(function_ref<void(const CopyLink &)> Add) {
  auto Move = [&](const Value *V, PointerTarget To, const StoreInst *By = nullptr) {
    bool Numbers = !mayBeAddress(V);
    if (!To.isValid() || (Numbers && !isNumberByName(V)))
      return;
    bool MovesLanes = false;
    bool Integers = Numbers || (By && isNumberedInteger(*By, To));
    for (auto [From, ReadAsInteger] : sourcesOf(V, MovesLanes)) {
      if (!From.isValid())
        continue;
      uint64_t Any = MovesLanes ? DL.getPointerSize() : 0;
      Add({G.normal(From).ofAnyObject().plus(0, Any), G.normal(To).ofAnyObject().plus(0, Any),
           Any ? 0 : DL.getTypeStoreSize(V->getType()).getFixedValue(), Integers || ReadAsInteger,
           Numbers});
    }
  };
  auto MayMove = [&](const Value *V) { return mayBeAddress(V) || isNumberByName(V); };
  for (const Function *F : Component)
    for (const Instruction &I : instructions(*F)) {
      if (auto *Store = dyn_cast<StoreInst>(&I)) {
        Move(Store->getValueOperand(), targetOf(Store->getPointerOperand()), Store);
      } else if (isa<ReturnInst>(I) && I.getNumOperands() && MayMove(I.getOperand(0))) {
        Move(I.getOperand(0), placeOfInteger(S.Functions[F].IntegerReturn));
      } else if (auto *Call = dyn_cast<CallBase>(&I)) {
        const Function *Body = bodyOfCallee(*Call);
        if (Body && S.Functions.contains(Body)) {
          for (const Argument &A : Body->args())
            if (MayMove(Call->getArgOperand(A.getArgNo())))
              Move(Call->getArgOperand(A.getArgNo()),
                   placeOfInteger(S.Functions[Body].IntegerFormals[A.getArgNo()]));
        } else if (auto *Callee = interfaceOf(*Call)) {
          for (auto [K, Formal] : enumerate(Callee->IntegerFormals))
            Move(Call->getArgOperand(K), passedPlace(*Call, Formal));
        }
      }
    }
}

bool GraphBuilder::joinInteger(const Value *V, PointerTarget Place, bool Stored) {
  if (isa<Constant>(V) || isNumber(*V))
    return false;
  bool Changed = G.joinNames(Place);
  if (PointerTarget Known = targetOf(V); Known.isValid())
    Changed |= G.joinCell(Place, {Known, !Stored, Stored, false, true});
  else if (!Stored && isAddress(*V, DL) && !G.contentOf(Place).isValid())
    Changed |= G.joinCell(Place, {{G.addNode(), 0, 0}, true, false, false, true});
  return Changed | G.setTarget(V, G.contentOf(Place));
}
