//===- AddressArithmetic.h - Integers that are addresses ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_ADDRESSARITHMETIC_H
#define ISOZYME_VALUES_ADDRESSARITHMETIC_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace isozyme {

/// Does \p I make an integer that may be an address near to one of its operands (tags,
/// alignment, distances)?
bool isAddressArithmetic(const llvm::Instruction &I);

/// Does \p I multiply with a large odd number, as for a hash? No address is found by what it makes.
bool isHashProduct(const llvm::Instruction &I);

/// Is the integer \p V the address of something, by what becomes of it?
bool becomesPointer(const llvm::Value &V);

/// Is the integer \p V made of addresses and constants alone, of which as many are subtracted as
/// added, of a few low bits of an address, or of a hash of it? Then it is a number, such as the
/// distance of two places, and no address. \p IsNumber knows arguments and the like to be numbers,
/// \p IsAddress knows them to be addresses.
bool isDistance(const llvm::Value &V,
                llvm::function_ref<bool(const llvm::Value &)> IsNumber = nullptr,
                llvm::function_ref<bool(const llvm::Value &)> IsAddress = nullptr);

} // namespace isozyme

#endif
