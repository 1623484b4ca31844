//===- Accelerator.cpp - Machines on which many threads run one function --===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace isozyme {

static bool isOnAny(function_ref<bool(const Accelerator &)> Is) {
  return Is(nvptxAccelerator()) || Is(amdgpuAccelerator());
}

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel ||
         F.getCallingConv() == CallingConv::AMDGPU_KERNEL;
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

bool meetsOthersAt(const Instruction &I) {
  if (isa<FenceInst>(I))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  if (auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr)
    return acceleratorOf(*I.getModule())->meetingIn(Asm->getAsmString()) != Meeting::None ||
           StringRef(Asm->getConstraintString()).contains("{memory}");
  return Call && isDeviceMeeting(Call->getIntrinsicID());
}

/// What prints, or ends the program: it talks to the host, which is nobody to wait for.
static bool talksToHost(const Function &F) {
  StringRef Name = F.getName();
  return Name.starts_with("__ockl_printf") || Name.starts_with("__ockl_fprintf") ||
         Name.starts_with("__ockl_hostcall") || Name.starts_with("__assert");
}

bool meetsOthers(const Function &F) {
  if (talksToHost(F))
    return false;
  SmallVector<const Function *, 4> Work = {&F};
  SmallPtrSet<const Function *, 4> Seen;
  while (!Work.empty())
    for (const Instruction &I : instructions(*Work.pop_back_val())) {
      if (meetsOthersAt(I))
        return true;
      auto *Call = dyn_cast<CallBase>(&I);
      if (const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
          Callee && !talksToHost(*Callee) && Seen.insert(Callee).second)
        Work.push_back(Callee);
    }
  return false;
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
