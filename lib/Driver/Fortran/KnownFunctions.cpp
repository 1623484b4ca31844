//===- KnownFunctions.cpp - Fortran's functions of arrays and records -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KnownFunctions.h"
#include "isozyme/Driver/ElementsOfDescriptor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme::fortran {

static constexpr StringLiteral KindFunction = "isozyme_element_kind";
static constexpr StringLiteral SizeFunction = "isozyme_element_size";
static constexpr StringLiteral RankFunction = "isozyme_rank";
static constexpr StringLiteral KindFunctions[] = {"isozyme_first_kind", "isozyme_second_kind"};
static constexpr StringLiteral RankFunctions[] = {"isozyme_first_rank", "isozyme_second_rank"};
static constexpr StringLiteral DeepFunction = "isozyme_is_deep";
static constexpr StringLiteral RecordFunction = "isozyme_is_record";
static constexpr StringLiteral TableFunction = "isozyme_table";

/// What records are assigned and released by (Records.h).
static constexpr StringLiteral InitializeAllFunction = "isozyme_initialize_components";
static constexpr StringLiteral ReleaseAllFunction = "isozyme_release_components";
static constexpr StringLiteral ReleaseOneFunction = "isozyme_release_component";
static constexpr StringLiteral AssignAllFunction = "isozyme_assign_components";
static constexpr StringLiteral CopyAllFunction = "isozyme_copy_components";
static constexpr StringLiteral AssignOneFunction = "isozyme_assign_component";
static constexpr StringLiteral ReleaseRecordsFunction = "isozyme_release_records";
static constexpr StringLiteral AssignRecordsFunction = "isozyme_assign_records";
/// Bodies that do so; others only move the bytes of records.
static constexpr StringLiteral DestroyFunction = "_FortranADestroy";
/// Of what a function has returned. The components that are known are those of types without
/// `final` procedures.
static constexpr StringLiteral FinalizeFunction = "_FortranAFinalize";
static constexpr StringLiteral InitializeFunction = "_FortranAInitialize";
static constexpr StringLiteral AssignFunctions[] = {"_FortranAAssign", "_FortranAAssignTemporary"};
/// Those that make or release records. Of other elements they know no more than the memory.
static constexpr StringLiteral MakeFunctions[] = {"_FortranAAllocatableAllocate",
                                                  "_FortranAPointerAllocate", InitializeFunction};
static constexpr StringLiteral ReleaseFunctions[] = {
    "_FortranAAllocatableDeallocate", "_FortranAPointerDeallocate", "_FortranAMoveAlloc",
    DestroyFunction, FinalizeFunction};

/// Those that leave elements alone, whatever these are.
static constexpr StringLiteral BoundsFunctions[] = {"_FortranAAllocatableSetBounds",
                                                    "_FortranAPointerSetBounds"};

/// Those whose bodies are for elements of one type of numbers only.
static constexpr StringLiteral OneTypeFunctions[] = {
    "_FortranAFindloc",      "_FortranAFindlocDim",        "_FortranATransfer",
    "_FortranATransferSize", "_FortranAioInputDescriptor", "_FortranARandomNumber"};

/// Those whose arrays may have different types.
static constexpr StringLiteral TwoTypesFunctions[] = {
    "_FortranADotProductReal4", "_FortranADotProductReal8", "_FortranACppDotProductComplex4",
    "_FortranACppDotProductComplex8"};

/// Which parameters lead to elements: descriptors, by their number.
struct ElementParameters {
  StringLiteral Name;
  SmallVector<unsigned, 3> Descriptors;
};

/// Array constructors have a record that leads to the descriptor, as their first parameter.
static constexpr StringLiteral ConstructorFunction = "_FortranAInitArrayConstructorVector";
static constexpr StringLiteral PushFunctions[] = {"_FortranAPushArrayConstructorValue",
                                                  "_FortranAPushArrayConstructorSimpleScalar"};

/// The values of `forall` are on a stack, the first parameter.
static constexpr StringLiteral ValueAtFunction = "_FortranAValueAt";
/// This one keeps descriptors of arrays of numbers.
static constexpr StringLiteral PushDescriptorFunction = "_FortranAPushDescriptor";

/// The helper that bodies share.
static constexpr StringLiteral CopyFunction = "isozyme_copy_elements";

static ArrayRef<ElementParameters> elementParameters() {
  static const ElementParameters Table[] = {
      {"_FortranAAdjustl", {0, 1}},
      {"_FortranAAdjustr", {0, 1}},
      {"_FortranAAllocatableAllocate", {0}},
      {"_FortranAAllocatableAllocateSource", {0, 1}},
      {"_FortranAAllocatableApplyMold", {0, 1}},
      {"_FortranAAllocatableDeallocate", {0}},
      {"_FortranAAllocatableDeallocatePolymorphic", {0}},
      {"_FortranAAllocatableInitDerivedForAllocate", {0}},
      {BoundsFunctions[0], {0}},
      {"_FortranAAssign", {0, 1}},
      {"_FortranAAssignPolymorphic", {0, 1}},
      {"_FortranAAssignTemporary", {0, 1}},
      {"_FortranACopyAndUpdateDescriptor", {0, 1}},
      {"_FortranACopyInAssign", {0, 1}},
      {"_FortranACopyOutAssign", {0, 1}},
      {"_FortranACshift", {0, 1}},
      {"_FortranACshiftVector", {0, 1}},
      {DestroyFunction, {0}},
      {TwoTypesFunctions[0], {0, 1}},
      {TwoTypesFunctions[1], {0, 1}},
      {TwoTypesFunctions[2], {1, 2}},
      {TwoTypesFunctions[3], {1, 2}},
      {"_FortranAEoshift", {0, 1, 3}},
      {"_FortranAEoshiftVector", {0, 1, 3}},
      {FinalizeFunction, {0}},
      {OneTypeFunctions[0], {1, 2}},
      {OneTypeFunctions[1], {1, 2}},
      {"_FortranAInitialize", {0}},
      {"_FortranAMaxlocDim", {1}},
      {"_FortranAMaxvalDim", {0, 1}},
      {"_FortranAMinlocDim", {1}},
      {"_FortranAMinvalDim", {0, 1}},
      {"_FortranAMoveAlloc", {0, 1}},
      {"_FortranANorm2Dim", {0, 1}},
      {"_FortranAPack", {0, 1, 3}},
      {"_FortranAPointerAllocate", {0}},
      {"_FortranAPointerAllocateSource", {0, 1}},
      {"_FortranAPointerApplyMold", {0, 1}},
      {"_FortranAPointerDeallocate", {0}},
      {"_FortranAPointerDeallocatePolymorphic", {0}},
      {"_FortranAPointerNullifyDerived", {0}},
      {BoundsFunctions[1], {0}},
      {"_FortranAProductDim", {0, 1}},
      {PushDescriptorFunction, {1}},
      {PushValueFunction, {1}},
      {"_FortranARepeat", {0, 1}},
      {"_FortranAReshape", {0, 1, 3}},
      {"_FortranAShallowCopy", {0, 1}},
      {"_FortranAShallowCopyDirect", {0, 1}},
      {"_FortranASpread", {0, 1}},
      {"_FortranASumDim", {0, 1}},
      {OneTypeFunctions[2], {0, 1, 2}},
      {OneTypeFunctions[3], {0, 1, 2}},
      {"_FortranATranspose", {0, 1}},
      {"_FortranATrim", {0, 1}},
      {"_FortranAUnpack", {0, 1, 3}},
      {ValueAtFunction, {2}},
      {OneTypeFunctions[4], {1}},
      {OneTypeFunctions[5], {0}},
      {AssignOneFunction, {0, 1}},
      {AssignRecordsFunction, {0, 1}},
      {ReleaseRecordsFunction, {0}},
  };
  return Table;
}

static bool hasTypes(const Module &M, function_ref<bool(const GlobalVariable &)> Are) {
  return any_of(M.globals(), [&](const GlobalVariable &G) {
    auto *Table = dyn_cast<StructType>(G.getValueType());
    return Table && Table->hasName() &&
           Table->getName().starts_with("_QM__fortran_type_infoTderivedtype") && Are(G);
  });
}

KnownFunctions::KnownFunctions(Module &M)
    : HasMadeTypes(hasTypes(M, isInitialized)), HasDeepTypes(hasTypes(M, assignmentGoesDeep)),
      Kind(M.getFunction(KindFunction)), Size(M.getFunction(SizeFunction)),
      Rank(M.getFunction(RankFunction)), Deep(M.getFunction(DeepFunction)),
      Record(M.getFunction(RecordFunction)), Table(M.getFunction(TableFunction)),
      Copy(M.getFunction(CopyFunction)), CopyAll(M.getFunction(CopyAllFunction)),
      InitializeAll(M.getFunction(InitializeAllFunction)),
      ReleaseAll(M.getFunction(ReleaseAllFunction)), ReleaseOne(M.getFunction(ReleaseOneFunction)),
      AssignAll(M.getFunction(AssignAllFunction)), AssignOne(M.getFunction(AssignOneFunction)),
      ReleaseRecords(M.getFunction(ReleaseRecordsFunction)),
      AssignRecords(M.getFunction(AssignRecordsFunction)),
      BeginConstructor(M.getFunction(ConstructorFunction)), Destroy(M.getFunction(DestroyFunction)),
      Finalize(M.getFunction(FinalizeFunction)), Initialize(M.getFunction(InitializeFunction)),
      PushDescriptor(M.getFunction(PushDescriptorFunction)),
      PushValue(M.getFunction(PushValueFunction)), ValueAt(M.getFunction(ValueAtFunction)),
      Kinds{M.getFunction(KindFunctions[0]), M.getFunction(KindFunctions[1])},
      Ranks{M.getFunction(RankFunctions[0]), M.getFunction(RankFunctions[1])} {
  for (StringRef Name : AssignFunctions)
    if (const Function *F = M.getFunction(Name))
      Assigns.insert(F);
  for (StringRef Name : MakeFunctions)
    if (const Function *F = M.getFunction(Name))
      Makes.insert(F);
  for (StringRef Name : ReleaseFunctions)
    if (const Function *F = M.getFunction(Name))
      OnlyMemory.insert(F);
  OnlyMemory.insert_range(Makes);
  for (StringRef Name : BoundsFunctions)
    if (const Function *F = M.getFunction(Name))
      OnlyBounds.insert(F);
  for (StringRef Name : TwoTypesFunctions)
    if (const Function *F = M.getFunction(Name))
      TwoTypes.insert(F);
  for (StringRef Name : OneTypeFunctions)
    if (const Function *F = M.getFunction(Name))
      OneType.insert(F);
  GoingDeep.insert_range(Assigns);
  GoingDeep.insert_range(OnlyMemory);
  for (const ElementParameters &Row : elementParameters())
    if (const Function *F = M.getFunction(Row.Name))
      Descriptors[F] = Row.Descriptors;
  for (StringRef Name : PushFunctions)
    if (const Function *F = M.getFunction(Name))
      Pushes.insert(F);
}

static std::optional<unsigned> placeIn(ArrayRef<Function *> Functions, const Function &F) {
  for (auto [K, Known] : enumerate(Functions))
    if (&F == Known)
      return K;
  return std::nullopt;
}

std::optional<unsigned> KnownFunctions::asksForRank(const Function &F) const {
  return placeIn(Ranks, F);
}

std::optional<unsigned> KnownFunctions::asksForKind(const Function &F) const {
  return placeIn(Kinds, F);
}

} // namespace isozyme::fortran
