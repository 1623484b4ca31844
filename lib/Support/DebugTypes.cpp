//===- DebugTypes.cpp - Types as debug information describes them ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/DebugTypes.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace isozyme {

bool describesVariables(const Function &F) {
  const DISubprogram *Program = F.getSubprogram();
  return Program && Program->getUnit() &&
         Program->getUnit()->getEmissionKind() == DICompileUnit::FullDebug;
}

const DIType *bareType(const DIType *T) {
  while (auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    switch (D->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_member:
    case dwarf::DW_TAG_inheritance:
      T = D->getBaseType();
      continue;
    default:
      return T;
    }
  }
  return T;
}

bool isReferenceType(const DIType *T) {
  T = bareType(T);
  return T && (T->getTag() == dwarf::DW_TAG_reference_type ||
               T->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

const DIType *pointeeType(const DIType *T) {
  auto *D = dyn_cast_or_null<DIDerivedType>(bareType(T));
  if (!D || (D->getTag() != dwarf::DW_TAG_pointer_type && !isReferenceType(D)))
    return nullptr;
  return bareType(D->getBaseType());
}

uint64_t elementDistance(const DIType *T) {
  auto *Record = dyn_cast_or_null<DICompositeType>(bareType(T));
  uint64_t Size = T ? T->getSizeInBits() / 8 : 0, Align = 1;
  if (Record && Record->getTag() == dwarf::DW_TAG_structure_type)
    for (const DINode *Node : Record->getElements())
      if (auto *Member = dyn_cast_or_null<DIDerivedType>(Node))
        Align = std::max<uint64_t>(Align, Member->getAlignInBytes());
  return alignTo(Size, Align);
}

} // namespace isozyme
