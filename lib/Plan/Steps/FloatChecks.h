//===- FloatChecks.h - Floats that are read as other floats ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_FLOATCHECKS_H
#define ISOZYME_LIB_PLAN_FLOATCHECKS_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/Support/Error.h"

namespace isozyme {

class ActivityResult;
class TypeResult;

/// Refuses differentiated floats that are read as floats of another size and computed with
/// (IZ202), in either mode.
llvm::Error checkFloats(const PreparedFunction &P, const TypeResult &Types,
                        const ActivityResult &Activity);

} // namespace isozyme

#endif
