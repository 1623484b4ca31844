//===- AssumedShape.cpp - Arrays of Fortran without their bounds ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CallReader that looks whether both sides pass an array in the same way. An array of
// assumed shape, x(:), comes in a descriptor, and one of explicit shape, x(n), as its address. A
// call that is declared `external` passes the address only:
//
//   call f__enzyme_autodiff(f, enzyme_dup, x, dx)
//
// The function would take numbers for the bounds, and what it does with them may be nothing at all:
// a gradient of zero.
//
//===----------------------------------------------------------------------===//
#include "CallReader.h"
#include "isozyme/Support/SymbolNames.h"
#include "isozyme/Values/FortranDescriptors.h"
#include "isozyme/Values/Origins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace isozyme {

/// The variable, with its first value, that a descriptor at \p At is or is a copy of.
static const GlobalVariable *descriptorIn(const Value *At) {
  if (auto *Copied = dyn_cast<AllocaInst>(At))
    for (const User *U : Copied->users())
      if (auto *Copy = dyn_cast<MemCpyInst>(U); Copy && Copy->getRawDest() == At)
        At = Copy->getRawSource();
  auto *Global = dyn_cast<GlobalVariable>(At);
  return Global && Global->hasInitializer() && isDescriptorType(Global->getValueType()) ? Global
                                                                                        : nullptr;
}

/// The member of a descriptor that says what the elements are, and its value for records.
constexpr unsigned TypeCode = 4, DerivedType = 42;

/// What the procedure writes to that member of a descriptor of its own.
static const ConstantInt *typeCodeWrittenTo(const AllocaInst &Made) {
  const DataLayout &DL = Made.getDataLayout();
  auto *Descriptor = cast<StructType>(Made.getAllocatedType());
  const uint64_t Place = DL.getStructLayout(Descriptor)->getElementOffset(TypeCode);
  for (const User *U : Made.users()) {
    APInt Offset(DL.getIndexTypeSizeInBits(Made.getType()), 0);
    auto *Member = dyn_cast<GetElementPtrInst>(U);
    bool IsCode = Member && Member->accumulateConstantOffset(DL, Offset) && Offset == Place;
    for (const User *By : IsCode ? Member->users() : Made.users()) {
      auto *Store = dyn_cast<StoreInst>(By);
      const Value *Stored = Store ? Store->getValueOperand() : nullptr;
      if (!IsCode && Stored)
        Stored = isDescriptorType(Stored->getType())
                     ? FindInsertedValue(const_cast<Value *>(Stored), TypeCode)
                     : nullptr;
      if (auto *Code = dyn_cast_or_null<ConstantInt>(Stored))
        return Code;
    }
  }
  return nullptr;
}

/// That member of the descriptor at \p At, if it is known.
static const ConstantInt *typeCodeAt(const Value *At) {
  if (const GlobalVariable *Global = descriptorIn(At))
    return dyn_cast_or_null<ConstantInt>(Global->getInitializer()->getAggregateElement(TypeCode));
  auto *Made = dyn_cast<AllocaInst>(At);
  return Made && isDescriptorType(Made->getAllocatedType()) ? typeCodeWrittenTo(*Made) : nullptr;
}

/// Is \p V what the descriptor of an array of numbers leads to? An array that need not be
/// contiguous has two, that of a copy being one.
static bool isDataOfArray(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || !Load->getType()->isPointerTy())
    return false;
  SmallVector<const Value *, 4> Descriptors;
  getUnderlyingObjects(Load->getPointerOperand(), Descriptors);
  bool Numbers = false;
  for (const Value *Each : Descriptors) {
    const ConstantInt *Code = typeCodeAt(Each);
    if (Code && Code->getZExtValue() == DerivedType)
      return false;
    Numbers |= Code != nullptr;
  }
  return Numbers;
}

namespace {
enum class Passing { Unknown, Descriptor, Elements };
} // namespace

/// How \p A is passed, by what the function reads and writes there.
static Passing passingOf(const Argument &A) {
  SmallVector<const Value *, 8> Work{&A};
  while (!Work.empty()) {
    const Value *Address = Work.pop_back_val();
    for (const User *U : Address->users()) {
      auto *At = dyn_cast<GetElementPtrInst>(U);
      if (At && isDescriptorType(At->getSourceElementType()))
        return Passing::Descriptor;
      if (At) {
        Work.push_back(At);
        continue;
      }
      if (getLoadStorePointerOperand(U) != Address)
        continue; // A store of the address, maybe in a descriptor that the function makes.
      auto *I = cast<Instruction>(U);
      Type *Accessed = getLoadStoreType(I);
      // No array begins with an address, and no record is passed for one.
      bool BeginsWithAddress = Accessed->isPointerTy() && Address == &A;
      if (BeginsWithAddress || isDescriptorType(Accessed) || isTaggedDescriptor(*I))
        return Passing::Descriptor;
      if (Accessed->isFPOrFPVectorTy())
        return Passing::Elements;
    }
  }
  return Passing::Unknown;
}

/// How \p V is passed, by what is known of the variable.
static Passing passingOf(const Value *V) {
  const Value *Object = getUnderlyingObject(throughVariable(V));
  auto *Variable = dyn_cast<AllocaInst>(Object);
  auto *Global = dyn_cast<GlobalVariable>(Object);
  Type *T = Variable ? Variable->getAllocatedType() : Global ? Global->getValueType() : nullptr;
  if (isDescriptorType(T))
    return Object == throughVariable(V) ? Passing::Descriptor : Passing::Unknown;
  while (auto *Array = dyn_cast_or_null<ArrayType>(T))
    T = Array->getElementType();
  if (T && T->isFloatingPointTy())
    return Passing::Elements;
  return isDataOfArray(Object) ? Passing::Elements : Passing::Unknown;
}

Error CallReader::checkShape(unsigned Param, const Operand &O, bool IsShadow) const {
  if (!isFortran(*R.Fn) || !isFortran(*Call.getFunction()) || !O.V->getType()->isPointerTy())
    return Error::success();
  const Passing Wanted = passingOf(*R.Fn->getArg(Param)), Given = passingOf(O.V);
  if (Wanted == Given || Wanted == Passing::Unknown || Given == Passing::Unknown)
    return Error::success();
  const bool Bounds = Wanted == Passing::Descriptor;
  return fail(DiagId::BadArgumentType,
              "argument " + Twine(O.Number) + " of the call is an array " +
                  (Bounds ? "without" : "with") + " its bounds, and " +
                  (IsShadow ? "the shadow of " : "") + parameter(Param) + " is one " +
                  (Bounds ? "of assumed shape, which comes with them"
                          : "of explicit shape, which comes without"),
              "declare the call with an interface in which the array has the shape that it has in "
              "the procedure (docs/fortran.md)");
}

} // namespace isozyme
