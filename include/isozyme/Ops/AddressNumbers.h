//===- AddressNumbers.h - Numbers of addresses -------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_ADDRESSNUMBERS_H
#define ISOZYME_OPS_ADDRESSNUMBERS_H

namespace llvm {
class Use;
} // namespace llvm

namespace isozyme {

/// Whether the user of an address looks at the address alone: compares it, asks how large
/// its object is, or computes with its number and reports it. Nothing is read or written
/// there, and the number is never made an address again. Sanitizers use addresses thus:
///
///   %n = ptrtoint ptr %p to i64
///   %m = and i64 %n, 7
///   call void @__ubsan_handle_type_mismatch_v1(ptr @place, i64 %n)
bool looksAtAddressOnly(const llvm::Use &Address);

} // namespace isozyme

#endif
