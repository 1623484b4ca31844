//===- ThrownTypes.cpp - What objects that are thrown may hold ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most exceptions are messages. Those of the standard library hold no numbers, nor do
// classes that add no member to them. Sizes are those of the Itanium C++ ABI.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/ExceptionFlow.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace isozyme {

/// Bytes of the object behind \p Address, if it was allocated in this function.
static std::optional<uint64_t> sizeOfThrown(const Value *Address) {
  auto *Call = dyn_cast<CallBase>(Address->stripPointerCasts());
  auto *Size = Call && Call->arg_size() ? dyn_cast<ConstantInt>(Call->getArgOperand(0)) : nullptr;
  return Size ? std::optional(Size->getZExtValue()) : std::nullopt;
}

/// A class of the library whose objects have an address of virtual functions and nothing else.
static bool isBareException(StringRef Name) {
  return is_contained({"St9exception", "St9bad_alloc", "St8bad_cast", "St10bad_typeid",
                       "St13bad_exception", "St20bad_array_new_length"},
                      Name);
}

/// The class that \p Type has as its only base, or null: __si_class_type_info.
static const Value *onlyBase(const Value &Type) {
  auto *G = dyn_cast<GlobalVariable>(&Type);
  auto *Parts = G && G->hasInitializer() ? dyn_cast<ConstantStruct>(G->getInitializer()) : nullptr;
  return Parts && Parts->getNumOperands() == 3 ? Parts->getOperand(2) : nullptr;
}

static bool isOfLibrary(StringRef Name) {
  return Name.starts_with("St") || Name.starts_with("NSt");
}

const Value *libraryBase(const Value &Type) {
  for (const Value *Base = Type.stripPointerCasts(); Base; Base = onlyBase(*Base))
    if (StringRef Name = Base->getName(); Name.consume_front("_ZTI") && isOfLibrary(Name))
      return Base;
  return nullptr;
}

bool mayCarryNumbers(const CallBase &Throw) {
  const Value *Type = Throw.getArgOperand(1)->stripPointerCasts();
  StringRef Name = Type->getName();
  if (!Name.consume_front("_ZTI"))
    return true;
  if (Name.starts_with("P"))
    return Name != "PKc" && Name != "Pc";
  if (Name.size() == 1)
    return StringRef("dfeg").contains(Name);
  if (Name.starts_with("D")) // half, and the like
    return true;
  const Value *Base = libraryBase(*Type);
  if (Base == Type)
    return false;
  uint64_t WithoutNumbers = sizeof(float) - 1;
  if (Base)
    WithoutNumbers = isBareException(Base->getName().drop_front(strlen("_ZTI"))) ? 8 : 16;
  return sizeOfThrown(Throw.getArgOperand(0)).value_or(-1) > WithoutNumbers;
}

} // namespace isozyme
