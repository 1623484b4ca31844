//===- VirtualTables.h - Slots of virtual functions --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A virtual function is found at the slots of its class's table and nowhere else:
//
//   %table = load ptr, ptr %object
//   %slot = getelementptr i8, ptr %table, i64 16
//   %f = load ptr, ptr %slot
//   call void %f(ptr %object)                     no function of slot 0 or 8
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PREPARE_VIRTUALTABLES_H
#define ISOZYME_LIB_PREPARE_VIRTUALTABLES_H

#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace isozyme {

/// By how many bytes behind an address from memory \p Call finds what it calls, if it does.
std::optional<int64_t> slotOf(const llvm::CallBase &Call);

/// Can \p F be found \p Slot bytes behind such an address? It can, unless only tables of virtual
/// functions hold it, and all in other slots.
bool mayBeInSlot(const llvm::Function &F, int64_t Slot);

/// Can \p Call, which may be one of a member function to its own object, mean \p F? It cannot if
/// the classes whose tables hold the one function have no class in common with those of the other:
///
///   void Base::destroy() { delete this; }         no destructor of a class without that base
bool mayShareObject(const llvm::CallBase &Call, const llvm::Function &F);

} // namespace isozyme

#endif
