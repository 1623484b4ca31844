//===- DeviceRuntime.h - Derivatives on a GPU --------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_TARGET_DEVICERUNTIME_H
#define ISOZYME_LIB_TARGET_DEVICERUNTIME_H

#include "isozyme/Target/TargetRuntime.h"

namespace isozyme {

const TargetRuntime &deviceRuntime();

} // namespace isozyme

#endif
