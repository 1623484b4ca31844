//===- ReservedNames.cpp - Names that no program may choose ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/ReservedNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace isozyme {

bool isReservedIdentifier(StringRef Identifier) {
  return Identifier.consume_front("_") && !Identifier.empty() &&
         (Identifier.front() == '_' || isUpper(Identifier.front()));
}

} // namespace isozyme
