//===- FixedArrays.cpp - Descriptors of which all is known ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Fortran/FixedArrays.h"
#include "isozyme/Driver/ElementsOfDescriptor.h"
#include "isozyme/Driver/RecordComponents.h"
#include "isozyme/Ops/KnownRuntimes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Reads a constant at one place of a variable all writes to which are seen.
class OnlyConstant {
public:
  /// \p Reads: a call that does not write to what it is passed there.
  OnlyConstant(const DataLayout &DL, Type *Wanted, function_ref<bool(const Use &)> Reads)
      : DL(DL), Wanted(Wanted), Size(DL.getTypeStoreSize(Wanted)), Reads(Reads) {}

  /// Null: there is none, or another one at times.
  Constant *at(const Value &Address, int64_t Offset) {
    return read(Address, Offset, 0) ? Found : nullptr;
  }

private:
  enum class Place { Elsewhere, Here, InPart };

  bool read(const Value &Address, int64_t Offset, unsigned Depth) {
    APInt Distance(DL.getIndexTypeSizeInBits(Address.getType()), 0);
    const Value *Root = Address.stripAndAccumulateConstantOffsets(DL, Distance, true);
    return Depth < MaxDepth && isa<AllocaInst>(Root) &&
           readWrites(*Root, Offset + Distance.getSExtValue(), Depth);
  }

  /// Where the place is that lies \p At bytes behind the start of \p Bytes bytes.
  Place placeIn(int64_t At, uint64_t Bytes) const {
    if (At + int64_t(Size) <= 0 || At >= int64_t(Bytes))
      return Place::Elsewhere;
    return At >= 0 && At + int64_t(Size) <= int64_t(Bytes) ? Place::Here : Place::InPart;
  }

  bool readWrites(const Value &Memory, int64_t At, unsigned Depth) {
    return all_of(Memory.uses(), [&](const Use &U) {
      const User *By = U.getUser();
      if (auto *GEP = dyn_cast<GEPOperator>(By)) {
        APInt Step(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        return GEP->accumulateConstantOffset(DL, Step) &&
               readWrites(*GEP, At - Step.getSExtValue(), Depth);
      }
      if (auto *S = dyn_cast<StoreInst>(By))
        return U.getOperandNo() == StoreInst::getPointerOperandIndex() &&
               isStored(*S->getValueOperand(), At);
      if (auto *Copy = dyn_cast<MemTransferInst>(By))
        return U.getOperandNo() != 0 || isCopied(*Copy, At, Depth);
      return isa<LoadInst>(By) || isa<LifetimeIntrinsic>(By) || (isa<CallBase>(By) && Reads(U));
    });
  }

  bool isCopied(const MemTransferInst &Copy, int64_t At, unsigned Depth) {
    auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
    Place Where = Length ? placeIn(At, Length->getZExtValue()) : Place::InPart;
    return Where == Place::Elsewhere ||
           (Where == Place::Here && read(*Copy.getRawSource(), At, Depth + 1));
  }

  /// A record may be built member by member; what is inserted last counts.
  bool isStored(const Value &Stored, int64_t At) {
    const Value *V = &Stored;
    if (Place Where = placeIn(At, DL.getTypeStoreSize(V->getType())); Where != Place::Here)
      return Where == Place::Elsewhere;
    while (auto *Insert = dyn_cast<InsertValueInst>(V)) {
      const Value *Member = Insert->getInsertedValueOperand();
      SmallVector<Value *, 4> Path = {ConstantInt::get(Type::getInt32Ty(V->getContext()), 0)};
      for (unsigned Index : Insert->indices())
        Path.push_back(ConstantInt::get(Type::getInt32Ty(V->getContext()), Index));
      int64_t In = At - DL.getIndexedOffsetInType(Insert->getType(), Path);
      Place Where = placeIn(In, DL.getTypeStoreSize(Member->getType()));
      if (Where != Place::Elsewhere)
        return Where == Place::Here && isStored(*Member, In);
      V = Insert->getAggregateOperand();
    }
    auto *C = dyn_cast<Constant>(V);
    Constant *Part = C ? ConstantFoldLoadFromConst(const_cast<Constant *>(C), Wanted,
                                                   APInt(64, At, /*isSigned=*/true), DL)
                       : nullptr;
    if (!Part || isa<UndefValue>(Part) || (Found && Found != Part))
      return false;
    Found = Part;
    return true;
  }

  static constexpr unsigned MaxDepth = 6;
  const DataLayout &DL;
  Type *Wanted;
  uint64_t Size;
  function_ref<bool(const Use &)> Reads;
  Constant *Found = nullptr;
};

} // namespace

// Where the parts of a descriptor are, and those of the bounds for each dimension.
static constexpr int64_t SizeAt = 8, RankAt = 20, HeaderBytes = 24, ExtentAt = 8, StrideAt = 16,
                         DimensionBytes = 24;

std::optional<uint64_t> bytesOfFixedArray(const Value &Descriptor, const Function &Reader) {
  LLVMContext &C = Descriptor.getContext();
  auto Reads = [&](const Use &U) {
    return cast<CallBase>(U.getUser())->getCalledFunction() == &Reader;
  };
  auto Number = [&](unsigned Bits, int64_t At) -> std::optional<uint64_t> {
    OnlyConstant Only(Reader.getDataLayout(), IntegerType::get(C, Bits), Reads);
    auto *Known = dyn_cast_or_null<ConstantInt>(Only.at(Descriptor, At));
    return Known ? std::optional<uint64_t>(Known->getZExtValue()) : std::nullopt;
  };
  std::optional<uint64_t> Bytes = Number(64, SizeAt), Rank = Number(8, RankAt);
  if (!Bytes || !Rank)
    return std::nullopt;
  constexpr uint64_t MostElements = 1 << 20; // Of a dimension: no product is too large.
  for (uint64_t K = 0; K != *Rank; ++K) {
    const int64_t At = HeaderBytes + int64_t(K) * DimensionBytes;
    std::optional<uint64_t> Extent = Number(64, At + ExtentAt), Stride = Number(64, At + StrideAt);
    if (!Extent || Stride != Bytes || *Extent > MostElements || *Bytes > MostElements)
      return std::nullopt;
    *Bytes *= *Extent;
  }
  return Bytes;
}

/// Only `class` variables get another type.
static bool keepsType(const Use &U) {
  auto *Call = cast<CallBase>(U.getUser());
  const Function *Callee = Call->getCalledFunction();
  return Callee && Callee->getName().starts_with("_FortranA") &&
         (U.getOperandNo() != 0 || !setsDynamicType(*Call));
}

const GlobalVariable *onlyTypeOf(const Value &Descriptor, const DataLayout &DL) {
  LLVMContext &C = Descriptor.getContext();
  OnlyConstant RankByte(DL, Type::getInt8Ty(C), keepsType);
  auto *Rank = dyn_cast_or_null<ConstantInt>(RankByte.at(Descriptor, RankAt));
  if (!Rank)
    return nullptr;
  OnlyConstant Table(DL, PointerType::get(C, 0), keepsType);
  return dyn_cast_or_null<GlobalVariable>(
      Table.at(Descriptor, HeaderBytes + DimensionBytes * Rank->getSExtValue()));
}

const GlobalVariable *typeTakenFrom(const Value &From, const DataLayout &DL) {
  auto *Table = dyn_cast<GlobalVariable>(&From);
  return Table && recordSizeOf(*Table) ? Table : onlyTypeOf(From, DL);
}

} // namespace isozyme
