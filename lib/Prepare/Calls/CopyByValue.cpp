//===- CopyByValue.cpp - Parameters passed by value own their memory -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  define void @f(ptr byval(%S) align 8 %s)     ; the call makes the copy
// after:   define void @f(ptr align 8 %s)               ; f makes it
//            %s.copy = alloca %S, align 8
//            and loads and stores of the members that f accesses, from %s to %s.copy
//
// Floats say of which record they are members: elsewhere nothing may tell that they are no integers
// to the source.
//
// A derivative takes plain pointers, so that a write to such a parameter would
// reach the caller's variable. And the copy is where the derivative of the
// parameter separates from that of the variable. A function that writes nothing
// needs no copy; one that does may reach the caller's variable in another way,
// or return its result there.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Values/DeclaredRecords.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace isozyme {

namespace {

/// A float in a record, or all that lies between two of them.
struct PartOfCopy {
  Type *Float; ///< Null for what is none.
  uint64_t Begin, End;
};

/// The bytes of a record that a function accesses.
class AccessedBytes {
public:
  explicit AccessedBytes(const Argument &A) : DL(A.getParent()->getDataLayout()) { visit(A, 0); }

  bool any(uint64_t Begin, uint64_t Size) const {
    return All || any_of(Ranges, [&](auto Range) {
             return Range.first < Begin + Size && Begin < Range.second;
           });
  }

private:
  void visit(const Value &Place, int64_t Offset) {
    for (const Use &U : Place.uses())
      visitUse(U, Offset);
  }

  void visitUse(const Use &U, int64_t Offset) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (auto *GEP = dyn_cast_or_null<GetElementPtrInst>(I)) {
      APInt Step(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
      if (GEP->accumulateConstantOffset(DL, Step))
        return visit(*GEP, Offset + Step.getSExtValue());
    }
    bool IsAccess = isa_and_nonnull<LoadInst, StoreInst>(I) && getLoadStorePointerOperand(I) == U;
    auto *Bulk = dyn_cast_or_null<MemIntrinsic>(I);
    auto *Length = Bulk ? dyn_cast<ConstantInt>(Bulk->getLength()) : nullptr;
    if (IsAccess && Offset >= 0)
      Ranges.push_back({Offset, Offset + DL.getTypeStoreSize(getLoadStoreType(I)).getFixedValue()});
    else if (Length && Offset >= 0)
      Ranges.push_back({Offset, Offset + Length->getZExtValue()});
    else
      All = true;
  }

  const DataLayout &DL;
  SmallVector<std::pair<uint64_t, uint64_t>, 8> Ranges;
  bool All = false;
};

/// A record that is passed by value.
class RecordCopy {
public:
  RecordCopy(IRBuilder<> &B, Type *T, const DataLayout &DL) : B(B), T(T), DL(DL) {}

  void copy(Value *To, Value *From, Align Alignment, const AccessedBytes &Accessed) {
    auto *Record = dyn_cast<StructType>(T);
    if (Record && Record->hasName() &&
        !B.GetInsertBlock()->getParent()->hasFnAttribute(marking::Synthesised))
      collect(Record, 0);
    if (Parts.size() > MaxParts)
      Parts.clear();
    addRest(DL.getTypeAllocSize(T).getFixedValue());
    for (const PartOfCopy &Each : Parts)
      if (Accessed.any(Each.Begin, Each.End - Each.Begin))
        copyPart(Each, To, From, Alignment);
  }

private:
  /// A record with more of them is copied as a whole.
  static constexpr unsigned MaxParts = 64;

  void addRest(uint64_t Begin) {
    uint64_t End = Parts.empty() ? 0 : Parts.back().End;
    if (End < Begin)
      Parts.push_back({nullptr, End, Begin});
  }

  /// Arrays stay whole: one element is accessed as the other.
  void collect(StructType *Record, uint64_t Offset) {
    const StructLayout *Layout = DL.getStructLayout(Record);
    for (auto [K, T] : enumerate(Record->elements())) {
      uint64_t At = Offset + Layout->getElementOffset(K).getFixedValue();
      if (auto *Inner = dyn_cast<StructType>(T); Inner && !isUnion(*Inner)) {
        collect(Inner, At);
      } else if (T->isFloatingPointTy() && Parts.size() <= MaxParts) {
        addRest(At);
        Parts.push_back({T, At, At + DL.getTypeAllocSize(T).getFixedValue()});
      }
    }
  }

  void copyPart(const PartOfCopy &Each, Value *To, Value *From, Align Alignment) {
    Align At = commonAlignment(Alignment, Each.Begin);
    auto PlaceIn = [&](Value *Start) {
      return Each.Begin ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start, Each.Begin) : Start;
    };
    if (!Each.Float) {
      B.CreateMemCpy(PlaceIn(To), At, PlaceIn(From), At, Each.End - Each.Begin);
      return;
    }
    LoadInst *Load = B.CreateAlignedLoad(Each.Float, PlaceIn(From), At);
    B.CreateAlignedStore(Load, PlaceIn(To), At);
    markDeclaredMember(*Load, {cast<StructType>(T), int64_t(Each.Begin), false});
  }

  IRBuilder<> &B;
  Type *T;
  const DataLayout &DL;
  SmallVector<PartOfCopy, 16> Parts;
};

} // namespace

void copyByValueParameters(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Argument &A : F.args()) {
    Type *T = A.getParamByValType();
    if (!T)
      continue;
    Align Alignment = F.getParamAlign(A.getArgNo()).value_or(DL.getABITypeAlign(T));
    A.removeAttr(Attribute::ByVal);
    if (F.onlyReadsMemory() || A.use_empty())
      continue;
    // These were said of the copy.
    for (Attribute::AttrKind Kind :
         {Attribute::Initializes, Attribute::WriteOnly, Attribute::ReadNone, Attribute::NoAlias,
          Attribute::DeadOnReturn})
      A.removeAttr(Kind);
    AccessedBytes Accessed(A);
    AllocaInst *Copy = B.CreateAlloca(T, DL.getAllocaAddrSpace(), nullptr, A.getName() + ".copy");
    Copy->setAlignment(Alignment);
    Value *Own = B.CreateAddrSpaceCast(Copy, A.getType());
    A.replaceAllUsesWith(Own);
    RecordCopy(B, T, DL).copy(Own, &A, Alignment, Accessed);
  }
}

} // namespace isozyme
