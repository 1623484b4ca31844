//===- ElementsOfDescriptor.cpp - What an array of Fortran holds ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at all writes to the memory that a descriptor is in, whenever they happen: stores of
// constants, and copies of other descriptors, also in functions that the memory is passed to. A
// parameter is what the calls in the file pass for it. A component of a record that an array holds
// is what the table of the array says.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/ElementsOfDescriptor.h"
#include "isozyme/Driver/Fortran/FixedArrays.h"
#include "isozyme/Driver/RecordComponents.h"
#include "isozyme/Ops/KnownRuntimes.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

namespace {

constexpr int64_t SizeOffset = 8, HeaderSize = 24, DimensionSize = 24;

/// Of an array whose elements are records; \p Depth arrays are within each other.
const GlobalVariable *derivedTypeOf(Value *Descriptor, unsigned Depth);

/// Collects the constants of a type that may be at one place in memory.
class ConstantsAt {
public:
  ConstantsAt(const DataLayout &DL, Type *Wanted, unsigned Depth = 0)
      : DL(DL), Wanted(Wanted), Depth(Depth) {}

  /// All that is written \p Offset bytes behind \p Address.
  void collect(Value *Address, int64_t Offset) {
    APInt Distance(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    Value *Root = Address->stripAndAccumulateConstantOffsets(DL, Distance, true);
    Offset += Distance.getSExtValue();
    if (!Seen.insert({Root, Offset}).second || Seen.size() > MaxPlaces)
      return;
    if (auto *A = dyn_cast<Argument>(Root))
      return collectFromCallers(*A, Offset);
    if (auto *G = dyn_cast<GlobalVariable>(Root)) {
      if (G->hasInitializer())
        add(G->getInitializer(), Offset);
      return;
    }
    if (auto *Select = dyn_cast<SelectInst>(Root)) {
      collect(Select->getTrueValue(), Offset);
      return collect(Select->getFalseValue(), Offset);
    }
    if (auto *Phi = dyn_cast<PHINode>(Root)) {
      for (Value *Incoming : Phi->incoming_values())
        collect(Incoming, Offset);
      return;
    }
    collectWrites(Root, Offset);
    collectFromRecord(Root, Offset);
  }

  /// The one value, if there is but one.
  Constant *agreed() const { return Contradiction ? nullptr : Found; }

private:
  void add(Constant *C, int64_t At) {
    Constant *Part = At < 0 ? nullptr : ConstantFoldLoadFromConst(C, Wanted, APInt(64, At), DL);
    if (!Part || isa<UndefValue>(Part) || (Wanted->isPointerTy() && Part->isNullValue()))
      return;
    Contradiction |= Found && Found != Part;
    Found = Part;
  }

  /// \p At: where in \p Memory.
  void collectWrites(Value *Memory, int64_t At) {
    int64_t Size = DL.getTypeStoreSize(Wanted);
    for (User *U : Memory->users()) {
      if (auto *GEP = dyn_cast<GEPOperator>(U)) {
        APInt Step(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        if (GEP->accumulateConstantOffset(DL, Step))
          collectWrites(GEP, At - Step.getSExtValue());
        continue;
      }
      if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == Memory) {
        Value *V = S->getValueOperand();
        if (At >= 0 && At + Size <= int64_t(DL.getTypeStoreSize(V->getType())))
          addStored(V, At);
        continue;
      }
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->arg_size() && Call->getArgOperand(0) == Memory && setsDynamicType(*Call)) {
        addTypeFrom(*Call->getArgOperand(1));
        continue;
      }
      if (auto *Call = dyn_cast<CallBase>(U); Call && !isa<IntrinsicInst>(Call)) {
        collectFromCallee(*Call, *Memory, At);
        continue;
      }
      auto *Copy = dyn_cast<MemTransferInst>(U);
      if (!Copy || Copy->getRawDest() != Memory)
        continue;
      auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
      if (At >= 0 && Length && uint64_t(At + Size) <= Length->getZExtValue())
        collect(Copy->getRawSource(), At);
    }
  }

  /// A procedure of this file writes the descriptor, as that of its result. Bodies of flang's
  /// functions keep the type of what they are given.
  void collectFromCallee(const CallBase &Call, const Value &Memory, int64_t At) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration() || Callee->getName().starts_with("_FortranA"))
      return;
    for (auto [Parameter, Passed] : zip(Callee->args(), Call.args()))
      if (Passed == &Memory && Entered.insert({&Parameter, At}).second &&
          Entered.size() <= MaxPlaces)
        collectWrites(&Parameter, At);
  }

  /// \p Type: a table, or a descriptor.
  void addTypeFrom(Value &Type) {
    auto *Table = const_cast<GlobalVariable *>(typeTakenFrom(Type, DL));
    std::optional<uint64_t> Size = Table ? recordSizeOf(*Table) : std::nullopt;
    if (Wanted->isIntegerTy(8))
      return; // The type code is that of records, whatever they are.
    Constant *Part = nullptr;
    if (Size)
      Part = Wanted->isPointerTy() ? cast<Constant>(Table) : ConstantInt::get(Wanted, *Size);
    Contradiction |= !Part || (Found && Found != Part);
    Found = Part;
  }

  /// \p Address is in an array of records whose descriptor is known.
  void collectFromRecord(Value *Address, int64_t Offset) {
    SmallVector<APInt, 4> Steps;
    const unsigned Bits = DL.getIndexTypeSizeInBits(Address->getType());
    while (auto *GEP = dyn_cast<GEPOperator>(Address)) {
      SmallMapVector<Value *, APInt, 4> Variable;
      APInt Distance(Bits, 0);
      if (!GEP->collectOffset(DL, Bits, Variable, Distance))
        return;
      Offset += Distance.getSExtValue();
      for (auto &[Index, Step] : Variable)
        Steps.push_back(Step);
      Address = GEP->getPointerOperand();
    }
    auto *Base = dyn_cast<LoadInst>(Address);
    if (!Base || Depth == MaxDepth)
      return;
    const GlobalVariable *Table = derivedTypeOf(Base->getPointerOperand(), Depth + 1);
    std::optional<uint64_t> Size = Table ? recordSizeOf(*Table) : std::nullopt;
    if (!Size || !*Size || any_of(Steps, [&](const APInt &Step) { return Step.urem(*Size) != 0; }))
      return;
    if (std::optional<RecordComponents> Components = componentsOf(*Table))
      addFrom(*Components, uint64_t(((Offset % int64_t(*Size)) + *Size) % *Size));
  }

  /// What is at the offset in the descriptor of a component.
  void addFrom(ArrayRef<RecordComponent> Components, uint64_t At) {
    for (const RecordComponent &C : Components) {
      const uint64_t Table = HeaderSize + DimensionSize * C.Rank;
      if (C.How == RecordComponent::Data || At < C.Offset || At > C.Offset + Table)
        continue;
      const uint64_t In = At - C.Offset;
      if (Wanted->isPointerTy() && In == Table && C.Type)
        add(C.Type, 0);
      else if (Wanted->isIntegerTy(64) && In == SizeOffset)
        add(ConstantInt::get(Wanted, C.ElementSize), 0);
      else if (Wanted->isIntegerTy(8) && In == uint64_t(DescriptorByte::Rank))
        add(ConstantInt::get(Wanted, C.Rank), 0);
      else if (Wanted->isIntegerTy(8) && In == uint64_t(DescriptorByte::TypeCode) && C.TypeCode)
        add(ConstantInt::get(Wanted, C.TypeCode), 0);
      else if (Wanted->isIntegerTy(8) && In == uint64_t(DescriptorByte::Attribute))
        add(ConstantInt::get(Wanted, C.How == RecordComponent::Pointer ? 1 : 2), 0);
    }
  }

  /// A record may be built member by member.
  void addStored(Value *V, int64_t At) {
    while (auto *Insert = dyn_cast<InsertValueInst>(V)) {
      if (Insert->getInsertedValueOperand()->getType() == Wanted)
        if (auto *C = dyn_cast<Constant>(Insert->getInsertedValueOperand());
            C && offsetOf(*Insert) == At)
          return add(C, 0);
      V = Insert->getAggregateOperand();
    }
    if (auto *C = dyn_cast<Constant>(V))
      add(C, At);
    else if (auto *L = dyn_cast<LoadInst>(V))
      collect(L->getPointerOperand(), At);
  }

  int64_t offsetOf(const InsertValueInst &Insert) const {
    SmallVector<Value *, 4> Path = {ConstantInt::get(Type::getInt32Ty(Insert.getContext()), 0)};
    for (unsigned Index : Insert.indices())
      Path.push_back(ConstantInt::get(Type::getInt32Ty(Insert.getContext()), Index));
    return DL.getIndexedOffsetInType(Insert.getType(), Path);
  }

  void collectFromCallers(Argument &A, int64_t Offset) {
    Function &F = *A.getParent();
    for (User *U : F.users()) {
      auto *Call = dyn_cast<CallBase>(U);
      if (!Call)
        continue;
      if (Call->getCalledOperand() == &F) {
        if (A.getArgNo() < Call->arg_size())
          collect(Call->getArgOperand(A.getArgNo()), Offset);
        continue;
      }
      if (!Call->getCalledFunction() || !entryPoint(Call->getCalledFunction()->getName()))
        continue;
      Expected<MarkerCall> Read = parseMarkerCall(*Call);
      if (!Read) {
        consumeError(Read.takeError());
        continue;
      }
      if (Read->Request.Fn == &F && A.getArgNo() < Read->Arguments.size())
        if (Value *Primal = Read->Arguments[A.getArgNo()].Primal)
          collect(Primal, Offset);
    }
  }

  static constexpr unsigned MaxPlaces = 256, MaxDepth = 6;
  const DataLayout &DL;
  Type *Wanted;
  unsigned Depth;
  Constant *Found = nullptr;
  bool Contradiction = false;
  SmallSet<std::pair<Value *, int64_t>, 16> Seen;
  SmallSet<std::pair<Value *, int64_t>, 4> Entered; ///< Parameters whose writes are counted.
};

const DataLayout *layoutFor(Value *V) {
  if (auto *I = dyn_cast<Instruction>(V))
    return &I->getDataLayout();
  if (auto *A = dyn_cast<Argument>(V))
    return &A->getParent()->getDataLayout();
  auto *G = dyn_cast<GlobalValue>(V->stripInBoundsOffsets());
  return G ? &G->getDataLayout() : nullptr;
}

std::optional<unsigned> byteOf(Value *Descriptor, DescriptorByte Which, unsigned Depth) {
  const DataLayout *DL = layoutFor(Descriptor);
  if (!DL)
    return std::nullopt;
  ConstantsAt Constants(*DL, Type::getInt8Ty(Descriptor->getContext()), Depth);
  Constants.collect(Descriptor, int64_t(Which));
  auto *Byte = dyn_cast_or_null<ConstantInt>(Constants.agreed());
  return Byte ? std::optional<unsigned>(Byte->getZExtValue()) : std::nullopt;
}

const GlobalVariable *derivedTypeOf(Value *Descriptor, unsigned Depth) {
  const DataLayout *DL = layoutFor(Descriptor);
  std::optional<unsigned> Rank = byteOf(Descriptor, DescriptorByte::Rank, Depth);
  if (!DL || !Rank)
    return nullptr;
  ConstantsAt Tables(*DL, PointerType::get(Descriptor->getContext(), 0), Depth);
  Tables.collect(Descriptor, HeaderSize + DimensionSize * *Rank);
  Constant *Table = Tables.agreed();
  return Table ? dyn_cast<GlobalVariable>(Table->stripPointerCasts()) : nullptr;
}

} // namespace

std::optional<unsigned> byteOfDescriptor(Value *Descriptor, DescriptorByte Which) {
  return byteOf(Descriptor, Which, 0);
}

std::optional<uint64_t> elementSizeOf(Value *Descriptor) {
  const DataLayout *DL = layoutFor(Descriptor);
  if (!DL)
    return std::nullopt;
  ConstantsAt Constants(*DL, Type::getInt64Ty(Descriptor->getContext()));
  Constants.collect(Descriptor, SizeOffset);
  auto *Size = dyn_cast_or_null<ConstantInt>(Constants.agreed());
  return Size ? std::optional<uint64_t>(Size->getZExtValue()) : std::nullopt;
}

const GlobalVariable *derivedTypeOf(Value *Descriptor) { return derivedTypeOf(Descriptor, 0); }

/// Where the type `derivedtype` of flang's module __fortran_type_info has two of its flags.
static constexpr unsigned NoInitializationNeeded = 429, NoDestructionNeeded = 430,
                          NoDefinedAssignment = 432;

static bool isSet(const GlobalVariable &Table, unsigned At) {
  if (!Table.hasDefinitiveInitializer())
    return false;
  Constant *Flag = ConstantFoldLoadFromConst(const_cast<Constant *>(Table.getInitializer()),
                                             Type::getInt8Ty(Table.getContext()), APInt(64, At),
                                             Table.getDataLayout());
  return Flag && !isa<UndefValue>(Flag) && !Flag->isNullValue();
}

bool assignmentGoesDeep(const GlobalVariable &Table) {
  return !isSet(Table, NoDestructionNeeded) || !isSet(Table, NoDefinedAssignment);
}

bool isInitialized(const GlobalVariable &Table) { return !isSet(Table, NoInitializationNeeded); }

} // namespace isozyme
