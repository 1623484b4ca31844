//===- Accelerator.cpp - Machines on which many threads run one function --===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace isozyme {

static bool isOnAny(function_ref<bool(const Accelerator &)> Is) {
  return Is(nvptxAccelerator()) || Is(amdgpuAccelerator());
}

bool isDeviceQuery(Intrinsic::ID Id) {
  return Intrinsic::isTargetIntrinsic(Id) &&
         isOnAny([&](const Accelerator &Machine) { return Machine.isQuery(Id); });
}

bool isDeviceMeeting(Intrinsic::ID Id) {
  return Intrinsic::isTargetIntrinsic(Id) && isOnAny([&](const Accelerator &Machine) {
           return Machine.meetingAt(Id) != Meeting::None;
         });
}

const Accelerator *acceleratorOf(const Module &M) {
  const Triple &T = M.getTargetTriple();
  if (T.getArch() == Triple::nvptx64)
    return &nvptxAccelerator();
  if (T.isAMDGCN())
    return &amdgpuAccelerator();
  return nullptr;
}

} // namespace isozyme
