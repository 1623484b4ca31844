//===- FortranCalls.cpp - What calls of flang's library are about ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Fortran/FortranCalls.h"
#include "Library/Fortran/ElementKind.h"
#include "isozyme/Driver/ElementsOfDescriptor.h"
#include "isozyme/Driver/Fortran/FixedArrays.h"
#include "isozyme/Ops/KnownRuntimes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme::fortran {

/// Type codes of CFI_type_t, as flang numbers them.
static ElementKind kindOfTypeCode(unsigned Code) {
  switch (Code) {
  case 27:
    return ElementKind::Real4;
  case 28:
    return ElementKind::Real8;
  case 34:
    return ElementKind::Complex4;
  case 35:
    return ElementKind::Complex8;
  default: // Integers up to 24, logicals and characters, unsigned.
    bool IsInteger =
        (Code >= 1 && Code <= 24) || Code == 39 || Code == 40 || (Code >= 43 && Code <= 49);
    return IsInteger ? ElementKind::Integer : ElementKind::Unknown;
  }
}

/// Of floats of one size, or of integers.
static bool consistOfTheSame(ElementKind A, ElementKind B) {
  auto IsFloat = [](ElementKind Kind) {
    return Kind != ElementKind::Unknown && Kind != ElementKind::Integer;
  };
  return IsFloat(A) && IsFloat(B) ? floatSize(A) == floatSize(B) : A == B;
}

uint64_t floatSize(ElementKind Kind) {
  return Kind == ElementKind::Real4 || Kind == ElementKind::Complex4 ? 4 : 8;
}

/// Those that release an object of a `class` variable, which may be of any type that extends the
/// declared one; and those that copy such an object.
static constexpr StringLiteral ReleaseClassFunctions[] = {
    "_FortranAAllocatableDeallocatePolymorphic", "_FortranAPointerDeallocatePolymorphic"};
static constexpr StringLiteral AssignClassFunction = "_FortranAAssignPolymorphic";

/// Larger arrays are not copied number by number.
static constexpr uint64_t MostSingleNumbers = 32;

void findFixedBytes(CallKind &Kind, ArrayRef<Value *> Descriptors, const Function &Assignment) {
  constexpr unsigned Allocatable = 2;
  std::optional<unsigned> Attribute = byteOfDescriptor(Descriptors[0], DescriptorByte::Attribute);
  if (Kind.Kind == ElementKind::Unknown || !Attribute || Attribute == Allocatable ||
      !Kind.Ranks[0] || Kind.Ranks[0] != Kind.Ranks[1])
    return;
  std::optional<uint64_t> Bytes[2];
  for (unsigned K : {0, 1}) {
    Bytes[K] = bytesOfFixedArray(*Descriptors[K], Assignment);
    Kind.IsFixed[K] = Bytes[K].has_value();
  }
  uint64_t Found = Bytes[0].value_or(Bytes[1].value_or(0));
  Kind.HasGaps = !Bytes[0] || !Bytes[1];
  if (!Kind.HasGaps)
    Kind.Bytes = Bytes[0] == Bytes[1] ? Found : 0;
  else if (Kind.Kind != ElementKind::Integer && Kind.Ranks[0] == 1) {
    const uint64_t Float = floatSize(Kind.Kind);
    const bool IsPair = Kind.Kind == ElementKind::Complex4 || Kind.Kind == ElementKind::Complex8;
    Kind.Size = IsPair ? 2 * Float : Float;
    Kind.Bytes = Found <= MostSingleNumbers * Float ? Found : 0;
  }
}

/// The type that a `class` variable takes by \p Call.
static const GlobalVariable *dynamicTypeBy(const CallBase &Call) {
  return typeTakenFrom(*Call.getArgOperand(1), Call.getDataLayout());
}

/// That which the variable takes just before \p Call allocates it.
static const GlobalVariable *typeToAllocate(const CallBase &Call) {
  for (const Instruction *I = Call.getPrevNode(); I; I = I->getPrevNode())
    if (auto *Before = dyn_cast<CallBase>(I);
        Before && setsDynamicType(*Before) && Before->getArgOperand(0) == Call.getArgOperand(0))
      return dynamicTypeBy(*Before);
  return nullptr;
}

/// May a variable of this type hold more than bytes, given the types that extend it?
static bool mayHoldMore(const GlobalVariable &Declared) {
  return any_of(Declared.getParent()->globals(), [&](const GlobalVariable &Table) {
    for (const GlobalVariable *Base = &Table; Base; Base = parentOf(*Base))
      if (Base == &Declared)
        return assignmentGoesDeep(Table);
    return false;
  });
}

/// Of a call that gives a `class` variable a type.
static CallKind kindOfTyping(const CallBase &Call, ArrayRef<Value *> Descriptors) {
  CallKind Found;
  for (Value *Descriptor : Descriptors)
    Found.Ranks.push_back(byteOfDescriptor(Descriptor, DescriptorByte::Rank));
  Found.Table = dynamicTypeBy(Call);
  Found.Rank = Found.Ranks[0];
  Found.Size = Found.Table ? recordSizeOf(*Found.Table) : std::nullopt;
  Found.MayBeComponent = true;
  Found.IsUnknown = false;
  StringRef Name = Call.getCalledFunction()->getName();
  const bool Releases = is_contained(ReleaseClassFunctions, Name);
  Found.GoesDeep = !Found.Size || (!Releases && !Found.Rank);
  if (!Found.GoesDeep && Releases) {
    Found.GoesDeep = mayHoldMore(*Found.Table);
  } else if (!Found.GoesDeep && Name == AssignClassFunction) {
    if (!assignmentGoesDeep(*Found.Table))
      Found.Fields = componentsOf(*Found.Table);
    Found.GoesDeep = !Found.Fields || Found.Rank != 0 || Found.Ranks[1] != 0;
  }
  return Found;
}

/// \p Given: the type of the records, where something else than descriptors tells it.
static CallKind kindOfElements(ArrayRef<Value *> Descriptors, bool Makes,
                               const GlobalVariable *Given) {
  CallKind Found;
  for (Value *Descriptor : Descriptors) {
    Found.Ranks.push_back(byteOfDescriptor(Descriptor, DescriptorByte::Rank));
    std::optional<unsigned> Code = byteOfDescriptor(Descriptor, DescriptorByte::TypeCode);
    Found.Kinds.push_back(Code ? kindOfTypeCode(*Code) : ElementKind::Unknown);
  }
  for (Value *Descriptor : Descriptors) {
    std::optional<unsigned> Code = byteOfDescriptor(Descriptor, DescriptorByte::TypeCode);
    if (!Code)
      continue;
    Found.IsUnknown = false;
    constexpr unsigned DerivedType = 42, Pointer = 1, Allocatable = 2;
    std::optional<unsigned> Attribute = byteOfDescriptor(Descriptors[0], DescriptorByte::Attribute);
    const bool IsVariable = Attribute == Pointer || Attribute == Allocatable;
    if (*Code != DerivedType) {
      Found.Kind = kindOfTypeCode(*Code);
      Found.IsMixed = any_of(Found.Kinds,
                             [&](ElementKind Each) { return !consistOfTheSame(Found.Kind, Each); });
      Found.MayBeComponent = IsVariable;
      return Found;
    }
    const GlobalVariable *Table = Given ? Given : derivedTypeOf(Descriptor);
    Found.GoesDeep = !Table; // There may be anything in such a record.
    if (!Table)
      continue;
    Found.Size = Given ? recordSizeOf(*Given) : elementSizeOf(Descriptor);
    Found.Rank = byteOfDescriptor(Descriptor, DescriptorByte::Rank);
    Found.GoesDeep = assignmentGoesDeep(*Table) || (Makes && isInitialized(*Table));
    if (Found.GoesDeep && Found.Size)
      Found.Components = componentsOf(*Table);
    Found.HasOnlyBytes = !Found.GoesDeep;
    if (Found.HasOnlyBytes && Found.Size)
      Found.Fields = componentsOf(*Table);
    Found.MayBeComponent = Found.Components && IsVariable;
    return Found;
  }
  return Found;
}

/// Is the first variable one of numbers? It keeps its type, and only takes the shape.
static bool isOfNumbers(ArrayRef<Value *> Descriptors) {
  std::optional<unsigned> Code = byteOfDescriptor(Descriptors[0], DescriptorByte::TypeCode);
  return Code && kindOfTypeCode(*Code) != ElementKind::Unknown;
}

CallKind kindOfCall(const CallBase &Call, ArrayRef<Value *> Descriptors, bool Makes) {
  if (setsDynamicType(Call) && !isOfNumbers(Descriptors))
    return kindOfTyping(Call, Descriptors);
  return kindOfElements(Descriptors, Makes, Makes ? typeToAllocate(Call) : nullptr);
}

} // namespace isozyme::fortran
