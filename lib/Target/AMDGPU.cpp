//===- AMDGPU.cpp - AMD's GPUs --------------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace isozyme {

namespace {
class AMDGPU : public Accelerator {
public:
  StringRef name() const override { return "an AMD GPU"; }

  MemorySharing sharingOf(unsigned AddressSpace) const override {
    switch (AddressSpace) {
    case 2:
    case 3:
      return MemorySharing::Block;
    case 4:
    case 6:
      return MemorySharing::Constant;
    case 5:
      return MemorySharing::Thread;
    default:
      return MemorySharing::Device;
    }
  }

  StringRef mathPrefix() const override { return "__ocml_"; }
  // ocml is nothing without the files that say how the program is compiled: the user has to link.
  SmallVector<std::string, 2> mathFiles() const override { return {}; }

  bool isQuery(Intrinsic::ID Id) const override {
    switch (Id) {
    case Intrinsic::amdgcn_workitem_id_x:
    case Intrinsic::amdgcn_workitem_id_y:
    case Intrinsic::amdgcn_workitem_id_z:
    case Intrinsic::amdgcn_workgroup_id_x:
    case Intrinsic::amdgcn_workgroup_id_y:
    case Intrinsic::amdgcn_workgroup_id_z:
    case Intrinsic::amdgcn_dispatch_ptr:
    case Intrinsic::amdgcn_implicitarg_ptr:
    case Intrinsic::amdgcn_kernarg_segment_ptr:
      return true;
    default:
      return false;
    }
  }

  bool isBarrier(Intrinsic::ID Id) const override {
    return Intrinsic::getBaseName(Id).starts_with("llvm.amdgcn.s.barrier");
  }

  StringRef addingScope() const override { return "agent"; }

  // As HIP's own atomicAdd says: memory that the host reaches at the same time needs more.
  void allowNativeAdd(AtomicRMWInst &Add) const override {
    MDNode *Yes = MDNode::get(Add.getContext(), {});
    Add.setMetadata("amdgpu.no.fine.grained.memory", Yes);
    Add.setMetadata("amdgpu.no.remote.memory", Yes);
    if (Add.getType()->isFloatTy())
      Add.setMetadata("amdgpu.ignore.denormal.mode", Yes);
  }

  Value *leadsToOwnMemory(IRBuilderBase &, Value *) const override { return nullptr; }
};
} // namespace

const Accelerator &amdgpuAccelerator() {
  static const AMDGPU Machine;
  return Machine;
}

} // namespace isozyme
