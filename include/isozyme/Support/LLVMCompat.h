//===- LLVMCompat.h - What differs between LLVM releases ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that may ask which LLVM release this is. A pass plugin works
// only in the major release it was built for.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_LLVMCOMPAT_H
#define ISOZYME_SUPPORT_LLVMCOMPAT_H

#include "llvm/Config/llvm-config.h"

#if LLVM_VERSION_MAJOR != 22
#error "this release of Isozyme builds with LLVM 22"
#endif

#include "llvm/Plugins/PassPlugin.h"

#endif
