//===- FloatChecks.cpp - Floats that are read as other floats -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The upper half of a double is a float without a meaning, and so is its derivative. What is only
// moved as another float than it is, Prepare makes what it is (CarriedFloats); what is left has
// been computed as one and is computed with as the other.
//
//===----------------------------------------------------------------------===//
#include "FloatChecks.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Support/Diagnostics.h"
#include "isozyme/Types/TypeResult.h"
#include "isozyme/Values/CarriedFloats.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

static std::string nameOf(const Type *T) {
  std::string Name;
  raw_string_ostream OS(Name);
  T->print(OS);
  return Name;
}

static Error readsOther(const PreparedFunction &P, const Instruction &At, Type *From, Type *To) {
  return diffError(DiagId::NoInstructionDerivative, P.placeOf(&At),
                   "the bits of a differentiated '" + nameOf(From) + "' are read as '" +
                       nameOf(To) + "' here, and computed with as such",
                   "convert the number, or move and read it as what it is");
}

/// Is \p V, over moves, the result of arithmetic on floats? What is passed or returned as a float
/// is one: if it only carries others, Prepare has put it into memory.
static bool isComputed(const Value *V) {
  constexpr unsigned MaxSteps = 64;
  SmallSetVector<const Value *, 8> Work;
  Work.insert(V);
  for (unsigned K = 0; K != Work.size() && K != MaxSteps; ++K) {
    auto *I = dyn_cast<Instruction>(Work[K]);
    if (isa<Constant, LoadInst>(Work[K]))
      continue;
    if (!I || !isMoveOfFloats(*I))
      return true;
    for (const Value *Operand : I->operand_values())
      if (Operand->getType()->isFPOrFPVectorTy())
        Work.insert(Operand);
  }
  return false;
}

/// Is \p V, over moves, computed with as a float?
static bool isComputedWith(const Value *V) {
  constexpr unsigned MaxSteps = 64;
  SmallSetVector<const Value *, 8> Work;
  Work.insert(V);
  for (unsigned K = 0; K != Work.size() && K != MaxSteps; ++K)
    for (const User *U : Work[K]->users()) {
      auto *I = cast<Instruction>(U);
      if (I->getType()->isFPOrFPVectorTy() && isMoveOfFloats(*I))
        Work.insert(I);
      else if (isa<BinaryOperator, UnaryOperator, FPTruncInst, FPExtInst, IntrinsicInst>(I))
        return true;
    }
  return false;
}

/// The store that has last written some of the bytes that \p Load reads, if that can be told.
static const StoreInst *lastStore(const PreparedFunction &P, const LoadInst &Load) {
  MemorySSA &MSSA = P.analyses().getResult<MemorySSAAnalysis>(P.function()).getMSSA();
  auto *Def = dyn_cast_or_null<MemoryDef>(
      MSSA.getWalker()->getClobberingMemoryAccess(const_cast<LoadInst *>(&Load)));
  auto *Store = Def ? dyn_cast_or_null<StoreInst>(Def->getMemoryInst()) : nullptr;
  if (!Store)
    return nullptr;
  const DataLayout &DL = Load.getDataLayout();
  int64_t From = 0, To = 0;
  const Value *Read = GetPointerBaseWithConstantOffset(Load.getPointerOperand(), From, DL);
  const Value *Written = GetPointerBaseWithConstantOffset(Store->getPointerOperand(), To, DL);
  int64_t ReadSize = DL.getTypeStoreSize(Load.getType());
  int64_t WrittenSize = DL.getTypeStoreSize(Store->getValueOperand()->getType());
  bool Overlap = From < To + WrittenSize && To < From + ReadSize;
  return Read == Written && Overlap ? Store : nullptr;
}

/// One of the stores to the local memory that \p Load reads, if all of them store floats of another
/// size than it reads, and nothing else is done with that memory.
static const StoreInst *storeOfOthers(const LoadInst &Load, const Type *Float) {
  constexpr unsigned MaxUses = 256;
  auto *Local = dyn_cast<AllocaInst>(getUnderlyingObject(Load.getPointerOperand()));
  SmallSetVector<const Value *, 8> Places;
  if (Local)
    Places.insert(Local);
  const StoreInst *Found = nullptr;
  unsigned Uses = 0;
  for (unsigned K = 0; K != Places.size(); ++K)
    for (const Use &U : Places[K]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *Store = dyn_cast<StoreInst>(I);
      const Type *T = Store ? Store->getValueOperand()->getType() : nullptr;
      bool IsOther =
          T && U.getOperandNo() == 1 && T->isFPOrFPVectorTy() && T->getScalarType() != Float;
      if (isa<GetElementPtrInst>(I))
        Places.insert(I);
      else if (!IsOther && !isa<LoadInst>(I) && !I->isLifetimeStartOrEnd())
        return nullptr;
      if (IsOther && !isa<Constant>(Store->getValueOperand()))
        Found = Store;
      if (++Uses > MaxUses)
        return nullptr;
    }
  return Found;
}

/// Floats may be loaded as integers.
static Error checkLoad(const PreparedFunction &P, const TypeResult &Types, const LoadInst &Load) {
  Type *T = Load.getType()->getScalarType();
  Type *Float = T->isFloatingPointTy() ? T : Types.typeOf(&Load).floatType();
  uint64_t Size = Load.getDataLayout().getTypeStoreSize(Load.getType());
  // Where only such floats are, there is nothing to look for.
  if (!Float || !Load.isSimple() ||
      Types.layoutOf(Load.getPointerOperand(), Size).uniform().isFloat())
    return Error::success();
  const StoreInst *Store = lastStore(P, Load);
  Store = Store ? Store : storeOfOthers(Load, Float);
  const Value *V = Store ? Store->getValueOperand() : nullptr;
  Type *Stored = V ? V->getType()->getScalarType() : nullptr;
  if (!Stored || !Stored->isFloatingPointTy() || Stored == Float || !isComputed(V))
    return Error::success();
  // Floats that are read as one of another size may go back to where they are read as what they
  // are.
  bool Narrower = Stored->getPrimitiveSizeInBits() < Float->getPrimitiveSizeInBits();
  return Narrower && !isComputedWith(&Load) ? Error::success() : readsOther(P, Load, Stored, Float);
}

Error checkFloats(const PreparedFunction &P, const TypeResult &Types,
                  const ActivityResult &Activity) {
  for (const Instruction &I : instructions(P.function())) {
    if (!P.reachesReturn(I.getParent()) || !Activity.isActiveValue(&I))
      continue;
    if (auto *Cast = dyn_cast<BitCastInst>(&I)) {
      auto [Wide, Narrow] = carriedBy(*Cast);
      bool Reads = Wide && Cast->getOperand(0)->getType()->getScalarType() == Wide;
      if (Wide)
        return readsOther(P, I, Reads ? Wide : Narrow, Reads ? Narrow : Wide);
    } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (Error E = checkLoad(P, Types, *Load))
        return E;
    }
  }
  return Error::success();
}

} // namespace isozyme
