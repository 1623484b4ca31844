//===- NumbersInText.cpp - Differentiated numbers in the text of a string -===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a std::string has no shadow. Programs write numbers there as they are, or their
// bytes one by one, or hand the bytes to a member of the string:
//
//   memcpy(&text[8], &x, 8);    text.push_back(bytes[k]);    text.append(bytes, 8);
//
//===----------------------------------------------------------------------===//

#include "Solver.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Values/BitFlow.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace isozyme;

bool isozyme::writesText(const Instruction &I) {
  const Value *To = nullptr;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    To = Store->getPointerOperand();
  else if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    To = Copy->getRawDest();
  auto *Text = To ? dyn_cast<CallBase>(To->stripInBoundsOffsets()) : nullptr;
  return Text && returnsText(*Text);
}

/// Is a float that matters read from the text of a string?
static bool isNumberFromText(const Instruction &I, const ActivitySolver &S) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || !Load->getType()->isFloatingPointTy() || !S.isLive(I) || !S.isUseful(Load))
    return false;
  auto *Text = dyn_cast<CallBase>(Load->getPointerOperand()->stripInBoundsOffsets());
  return Text && returnsText(*Text);
}

/// Are the \p Size bytes behind \p Ptr those of floats that vary, or parts of them? Where several
/// objects share a node, text may lie beside floats: there, nothing but floats may be known.
bool ActivitySolver::holdsVariedFloat(const Value *Ptr, uint64_t Size) const {
  const PointerTarget Place = Types.placeOf(Ptr);
  if (!Place.isValid() || !NodeVaried[Place.Node])
    return false;
  const MemoryLayout All = Types.layoutOf(Ptr, 0);
  if (none_of(All.Runs, [](const TypedRun &Run) { return Run.Type.isKnown(); }))
    // Nothing is known of it: as what is it read back?
    return any_of(instructions(P.function()),
                  [&](const Instruction &I) { return isNumberFromText(I, *this); });
  if (!G.mayBeFloat(Place, Size))
    return false;
  const bool OnlyFloats = all_of(All.Runs, [](const TypedRun &Run) { return Run.Type.isFloat(); });
  return OnlyFloats || !(G.node(Place.Node).Merged || G.node(Place.Node).Skewed);
}

bool ActivitySolver::isBitsOfVaried(const Value *V) const {
  return V->getType()->isIntegerTy() &&
         isMadeOfBits(V, P.function().getDataLayout(), [&](const Value *From) {
           if (From->getType()->isFloatingPointTy())
             return isVaried(From);
           auto *Load = dyn_cast<LoadInst>(From);
           return Load && Load->getType()->isIntegerTy() &&
                  holdsVariedFloat(Load->getPointerOperand(),
                                   Load->getDataLayout().getTypeStoreSize(Load->getType()));
         });
}

bool ActivitySolver::givesNumberToText(const Instruction &I) const {
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    const Value *Stored = Store->getValueOperand();
    return writesText(I) &&
           ((Stored->getType()->isFPOrFPVectorTy() && isVaried(Stored)) || isBitsOfVaried(Stored));
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !isMemberOfString(*Call))
    return false;
  return any_of(drop_begin(Call->args()), [&](const Use &U) {
    if (!U->getType()->isPointerTy())
      return isBitsOfVaried(U.get());
    // What is passed by reference is another string, or what makes its memory.
    return !Call->getParamDereferenceableBytes(Call->getArgOperandNo(&U)) &&
           holdsVariedFloat(U.get(), 1);
  });
}
