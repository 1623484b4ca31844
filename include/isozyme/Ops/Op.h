//===- Op.h - The operations that Isozyme knows by name ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One enumerator per row of MathOps.def. An Op says what is computed, never by
// which name: sinf, llvm.sin.f32 and __nv_sinf are all Op::Sin.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_OP_H
#define ISOZYME_OPS_OP_H

#include <cstdint>

namespace isozyme {

enum class Op : uint16_t {
  None,
  Opaque,
#define ARITH_OP(ID, NAME, SIGNATURE, OPCODE, FINITENESS, WORK, DOMAIN) ID,
#define MATH_OP(ID, NAME, SIGNATURE, INTRINSIC, FINITENESS, WORK, DOMAIN) ID,
#define COMPLEX_OP(ID, NAME, SIGNATURE, FINITENESS, DOMAIN) ID,
#define ZERO_OP(ID, NAME, SIGNATURE, INTRINSIC) ID,
#define RULE_OP(ID, NAME, SIGNATURE) ID,
#include "isozyme/Ops/MathOps.def"
  Count
};

constexpr unsigned NumOps = static_cast<unsigned>(Op::Count);

} // namespace isozyme

#endif
