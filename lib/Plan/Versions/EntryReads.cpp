//===- EntryReads.cpp - Words that are read before all else ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Versions/EntryReads.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Plan/Source/SourceText.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace isozyme {

/// More words are no handful of arrays.
static constexpr unsigned MostReads = 24;

Word wordAt(const Value *Ptr, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  Ptr = Ptr->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  return {Ptr, Offset.getSExtValue()};
}

SmallVector<EntryRead, 8> findEntryReads(const PreparedFunction &P, const DiffRequest &R,
                                         const TypeResult &Types, const ActivityResult &Activity) {
  const Function &F = P.function();
  const DataLayout &DL = F.getDataLayout();
  SourceText Names(P);
  SmallVector<EntryRead, 8> Reads;
  DenseMap<const Value *, unsigned> ParameterOf; // Of pointers that the copy is given.
  for (const Argument &A : F.args())
    ParameterOf[&A] = A.getArgNo();
  for (const BasicBlock *BB : ReversePostOrderTraversal<const Function *>(&F))
    for (const Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || Reads.size() == MostReads)
        continue;
      Type *T = Load->getType();
      ConcreteType::Kind Kind = Types.typeOf(Load).kind();
      bool IsAddress = T->isPointerTy() && Activity.checkOf(Load) == ShadowCheck::None &&
                       !Activity.isOwnShadow(Load);
      bool IsCount = T->isIntegerTy() && Kind == ConcreteType::Integer;
      if ((!IsAddress && !IsCount) || Activity.isActiveValue(Load) > IsAddress)
        continue;
      Word W = wordAt(Load->getPointerOperand(), DL);
      auto Base = ParameterOf.find(W.Base);
      if (Base == ParameterOf.end())
        continue;
      unsigned Number = Base->second;
      auto *Known = find_if(Reads, [&](const EntryRead &Read) {
        return Read.Base == Number && Read.Offset == W.Offset && Read.Type == T;
      });
      if (Known == Reads.end()) {
        Reads.push_back({Number, W.Offset, T});
        Known = &Reads.back();
        if (P.original().getSubprogram())
          Known->Name = Names.address(Load, ""), Known->Declared = Names.declaredType(Load);
      }
      Known->HasShadow |= Activity.isActiveValue(Load);
      if (IsAddress)
        ParameterOf[Load] = F.arg_size() + (Known - Reads.begin());
    }
  // What has no shadow itself leads to none.
  for (EntryRead &Read : Reads)
    Read.HasShadow &= Read.Base < F.arg_size() ? R.hasShadow(Read.Base)
                                               : Reads[Read.Base - F.arg_size()].HasShadow;
  return Reads;
}

} // namespace isozyme
