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
#include "isozyme/Values/AccessedBytes.h"
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

/// The bytes of a record that its function accesses without calls; nothing: any.
using Accesses = std::optional<SmallVector<ByteSpan, 8>>;

bool hasAny(const Accesses &Accessed, uint64_t Begin, uint64_t Size) {
  return !Accessed || any_of(*Accessed, [&](const ByteSpan &Each) {
    return Each.First < static_cast<int64_t>(Begin + Size) &&
           static_cast<int64_t>(Begin) < Each.End;
  });
}

/// A record that is passed by value.
class RecordCopy {
public:
  RecordCopy(IRBuilder<> &B, Type *T, const DataLayout &DL) : B(B), T(T), DL(DL) {}

  void copy(Value *To, Value *From, Align Alignment, const Accesses &Accessed) {
    auto *Record = dyn_cast<StructType>(T);
    if (Record && Record->hasName() &&
        !B.GetInsertBlock()->getParent()->hasFnAttribute(marking::Synthesised))
      collect(Record, 0);
    if (Parts.size() > MaxParts)
      Parts.clear();
    addRest(DL.getTypeAllocSize(T).getFixedValue());
    for (const PartOfCopy &Each : Parts)
      if (hasAny(Accessed, Each.Begin, Each.End - Each.Begin))
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
    const Accesses Accessed = accessesThrough(
        A, DL, [](const CallBase &, unsigned) -> std::optional<ByteSpan> { return std::nullopt; });
    AllocaInst *Copy = B.CreateAlloca(T, DL.getAllocaAddrSpace(), nullptr, A.getName() + ".copy");
    Copy->setAlignment(Alignment);
    Value *Own = B.CreateAddrSpaceCast(Copy, A.getType());
    A.replaceAllUsesWith(Own);
    RecordCopy(B, T, DL).copy(Own, &A, Alignment, Accessed);
  }
}

} // namespace isozyme
