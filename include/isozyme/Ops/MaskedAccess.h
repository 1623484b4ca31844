//===- MaskedAccess.h - Vector loads and stores under a mask -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.masked.load, .store, .gather, .scatter, .expandload and .compressstore as one
// kind of thing: data, an address or one per lane, and a mask.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_MASKEDACCESS_H
#define ISOZYME_OPS_MASKEDACCESS_H

#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace isozyme {

struct MaskedAccess {
  enum Shape : uint8_t {
    Whole,   ///< Lane i is at place i.
    PerLane, ///< Each lane has its own address.
    Packed   ///< The lanes of the mask lie one behind the other.
  };
  Shape Where;
  bool IsLoad;
  llvm::Value *Address; ///< A vector of pointers when PerLane.
  llvm::Value *Mask;
  llvm::Value *Data; ///< What is stored; of a load, the lanes outside the mask.
};

/// Nothing when \p I is something else.
std::optional<MaskedAccess> maskedAccess(const llvm::Instruction &I);

} // namespace isozyme

#endif
