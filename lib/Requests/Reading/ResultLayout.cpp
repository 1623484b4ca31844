//===- ResultLayout.cpp - How a derivative's result reaches the user ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   derivative               declared as C sees it      as LLVM sees it
//   { double }               double                     double
//   { float, float }         struct { float a, b; }     <2 x float>
//   { i32, float }           struct { int a; float b; } i64
//   { [3 x double] }         struct { double v[3]; }    void, with sret
//
// Never: drops or invents a scalar. What does not fit is refused by the reader.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/ResultLayout.h"
#include "ArgumentTypes.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static void appendLeaves(Type *T, uint64_t Offset, SmallVectorImpl<unsigned> &Path,
                         const DataLayout &DL, SmallVectorImpl<Leaf> &Leaves) {
  auto visit = [&](unsigned Index, Type *Member, uint64_t At) {
    Path.push_back(Index);
    appendLeaves(Member, At, Path, DL, Leaves);
    Path.pop_back();
  };
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *Layout = DL.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      visit(I, S->getElementType(I), Offset + Layout->getElementOffset(I));
  } else if (auto *A = dyn_cast<ArrayType>(T)) {
    uint64_t Size = DL.getTypeAllocSize(A->getElementType());
    for (unsigned I = 0; I < A->getNumElements(); ++I)
      visit(I, A->getElementType(), Offset + I * Size);
  } else if (auto *V = dyn_cast<FixedVectorType>(T)) {
    uint64_t Size = DL.getTypeStoreSize(V->getElementType());
    for (unsigned I = 0; I < V->getNumElements(); ++I)
      visit(I, V->getElementType(), Offset + I * Size);
  } else if (!T->isVoidTy()) {
    Leaves.push_back({T, Offset, SmallVector<unsigned, 4>(Path.begin(), Path.end())});
  }
}

SmallVector<Leaf, 8> leavesOf(Type *T, const DataLayout &DL) {
  SmallVector<Leaf, 8> Leaves;
  SmallVector<unsigned, 4> Path;
  appendLeaves(T, 0, Path, DL, Leaves);
  return Leaves;
}

/// A bool is one bit as a value and eight in memory and in coerced structs.
static bool sameScalar(Type *Derivative, Type *Declared) {
  return Derivative == Declared || (Derivative->isIntegerTy(1) && Declared->isIntegerTy(8)) ||
         (Derivative->isPointerTy() && Declared->isPointerTy());
}

/// Is every scalar of \p From found in \p To, as itself or inside an integer?
static bool bytesFound(ArrayRef<Leaf> From, ArrayRef<Leaf> To, const DataLayout &DL) {
  return all_of(From, [&](const Leaf &L) {
    uint64_t End = L.Offset + DL.getTypeStoreSize(L.Ty);
    return any_of(To, [&](const Leaf &Other) {
      if (Other.Offset == L.Offset && (Other.Ty == L.Ty || sameScalar(L.Ty, Other.Ty)))
        return true;
      uint64_t OtherEnd = Other.Offset + DL.getTypeStoreSize(Other.Ty);
      if (L.Ty->isIntegerTy() && Other.Offset >= L.Offset && OtherEnd <= End)
        return true;
      return Other.Ty->isIntegerTy() && Other.Offset <= L.Offset && OtherEnd >= End;
    });
  });
}

ResultMatch matchResult(Type *Derivative, Type *Declared, const DataLayout &DL) {
  SmallVector<Leaf, 8> From = leavesOf(Derivative, DL), To = leavesOf(Declared, DL);
  if (From.size() == To.size() && all_of(zip_equal(From, To), [](auto Pair) {
        return sameScalar(std::get<0>(Pair).Ty, std::get<1>(Pair).Ty);
      }))
    return ResultMatch::ByLeaf;
  // An ABI merges scalars into an integer only beside another integer; and a
  // number is never read as the bits of another one.
  auto isInteger = [](const Leaf &L) { return L.Ty->isIntegerTy(); };
  if (From.size() == To.size() || none_of(From, isInteger) || none_of(To, isInteger))
    return ResultMatch::None;
  if (bytesFound(From, To, DL) && bytesFound(To, From, DL))
    return ResultMatch::ByMemory;
  return ResultMatch::None;
}

/// How many indices of a leaf's path lead through structs and arrays.
static unsigned aggregateDepth(const Type *T, ArrayRef<unsigned> Path) {
  for (unsigned Depth = 0; Depth < Path.size(); ++Depth) {
    if (T->isVectorTy())
      return Depth;
    T = T->isArrayTy() ? T->getArrayElementType() : T->getStructElementType(Path[Depth]);
  }
  return unsigned(Path.size());
}

static Value *extractLeaf(IRBuilderBase &B, Value *V, ArrayRef<unsigned> Path) {
  unsigned Depth = aggregateDepth(V->getType(), Path);
  if (Depth)
    V = B.CreateExtractValue(V, Path.take_front(Depth));
  return Depth < Path.size() ? B.CreateExtractElement(V, uint64_t(Path.back())) : V;
}

static Value *insertLeaf(IRBuilderBase &B, Value *Into, Value *V, ArrayRef<unsigned> Path) {
  unsigned Depth = aggregateDepth(Into->getType(), Path);
  if (Depth < Path.size()) {
    Value *Vector = Depth ? B.CreateExtractValue(Into, Path.take_front(Depth)) : Into;
    V = B.CreateInsertElement(Vector, V, uint64_t(Path.back()));
  }
  return Depth ? B.CreateInsertValue(Into, V, Path.take_front(Depth)) : V;
}

static Value *convertScalar(IRBuilderBase &B, Value *V, Type *To) {
  if (V->getType()->isIntegerTy(1) && !To->isIntegerTy(1))
    return B.CreateZExt(V, To);
  return convert(B, V, To);
}

static const DataLayout &layoutAt(IRBuilderBase &B) {
  return B.GetInsertBlock()->getModule()->getDataLayout();
}

SmallVector<Value *, 8> scalarsOf(IRBuilderBase &B, Value *V) {
  SmallVector<Value *, 8> Scalars;
  for (const Leaf &L : leavesOf(V->getType(), layoutAt(B)))
    Scalars.push_back(extractLeaf(B, V, L.Path));
  return Scalars;
}

Value *fromScalars(IRBuilderBase &B, Type *T, ArrayRef<Value *> Scalars) {
  Value *All = PoisonValue::get(T);
  for (auto [L, V] : zip_equal(leavesOf(T, layoutAt(B)), Scalars))
    All = insertLeaf(B, All, V, L.Path);
  return All;
}

Value *createTemporary(IRBuilderBase &B, Type *T, MaybeAlign Align, const Twine &Name) {
  const DataLayout &DL = layoutAt(B);
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock &Entry = F->getEntryBlock();
  auto *Slot =
      new AllocaInst(T, DL.getAllocaAddrSpace(), nullptr, Align ? *Align : DL.getPrefTypeAlign(T),
                     Name, Entry.getFirstInsertionPt());
  return B.CreateAddrSpaceCast(Slot, PointerType::getUnqual(B.getContext()));
}

Value *bytesBehind(IRBuilderBase &B, Value *Pointer, uint64_t Offset) {
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, Offset) : Pointer;
}

Value *convertResult(IRBuilderBase &B, Value *V, Type *Declared, ResultMatch Match) {
  if (Match == ResultMatch::First)
    V = B.CreateExtractValue(V, 0);
  if (V->getType() == Declared)
    return V;
  const DataLayout &DL = layoutAt(B);
  if (Match == ResultMatch::ByMemory || Match == ResultMatch::Bytes) {
    // Both types describe the same bytes; the slot must hold the larger one.
    Type *Larger =
        DL.getTypeAllocSize(V->getType()) > DL.getTypeAllocSize(Declared) ? V->getType() : Declared;
    Align Strictest = std::max(DL.getPrefTypeAlign(V->getType()), DL.getPrefTypeAlign(Declared));
    Value *Slot = createTemporary(B, Larger, Strictest, "result.slot");
    storeResult(B, V, Slot, V->getType(), Match);
    return B.CreateLoad(Declared, Slot);
  }
  SmallVector<Leaf, 8> From = leavesOf(V->getType(), DL), To = leavesOf(Declared, DL);
  Value *Result = PoisonValue::get(Declared);
  for (auto [Source, Target] : zip_equal(From, To)) {
    Value *Scalar = convertScalar(B, extractLeaf(B, V, Source.Path), Target.Ty);
    Result = insertLeaf(B, Result, Scalar, Target.Path);
  }
  return Result;
}

void storeResult(IRBuilderBase &B, Value *V, Value *Buffer, Type *Declared, ResultMatch Match) {
  const DataLayout &DL = layoutAt(B);
  if (Match == ResultMatch::First)
    V = B.CreateExtractValue(V, 0);
  SmallVector<Leaf, 8> From = leavesOf(V->getType(), DL);
  // By leaf, the scalars go where the user's type has them; by memory, where ours has.
  bool ByLeaf = Match == ResultMatch::ByLeaf || Match == ResultMatch::First;
  SmallVector<Leaf, 8> To = ByLeaf ? leavesOf(Declared, DL) : From;
  Align Known = Buffer->getPointerAlignment(DL);
  for (auto [Source, Target] : zip_equal(From, To)) {
    Value *Scalar = convertScalar(B, extractLeaf(B, V, Source.Path), Target.Ty);
    B.CreateAlignedStore(Scalar, bytesBehind(B, Buffer, Target.Offset),
                         commonAlignment(Known, Target.Offset));
  }
}

std::string describeLeaves(Type *T, const DataLayout &DL) {
  SmallVector<Leaf, 8> Leaves = leavesOf(T, DL);
  if (Leaves.empty())
    return "nothing";
  if (Leaves.size() == 1)
    return describeType(Leaves.front().Ty);
  std::string Text = "a struct of ";
  for (unsigned I = 0; I < Leaves.size();) {
    unsigned Same = I + 1;
    while (Same < Leaves.size() && Leaves[Same].Ty == Leaves[I].Ty)
      ++Same;
    if (I)
      Text += Same == Leaves.size() ? " and " : ", ";
    if (Same - I > 1)
      Text += std::to_string(Same - I) + " x ";
    Text += describeType(Leaves[I].Ty);
    I = Same;
  }
  return Text;
}

} // namespace isozyme
