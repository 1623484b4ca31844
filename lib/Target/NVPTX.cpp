//===- NVPTX.cpp - NVIDIA's GPUs ------------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace isozyme {

static constexpr StringLiteral LibraryInToolkit = "/nvvm/libdevice/libdevice.10.bc";

namespace {
class NVPTX : public Accelerator {
public:
  StringRef name() const override { return "an NVIDIA GPU"; }

  MemorySharing sharingOf(unsigned AddressSpace) const override {
    switch (AddressSpace) {
    case 3:
      return MemorySharing::Block;
    case 4:
    case 101: // Parameters of kernels.
      return MemorySharing::Constant;
    case 5:
      return MemorySharing::Thread;
    default:
      return MemorySharing::Device;
    }
  }

  StringRef mathPrefix() const override { return "__nv_"; }

  SmallVector<std::string, 2> mathFiles() const override {
    SmallVector<std::string, 2> Files;
    for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
      if (std::optional<std::string> Folder = sys::Process::GetEnv(Variable))
        Files.push_back(*Folder + LibraryInToolkit.str());
    Files.push_back("/usr/local/cuda" + LibraryInToolkit.str());
    return Files;
  }

  bool isQuery(Intrinsic::ID Id) const override {
    return Intrinsic::getBaseName(Id).starts_with("llvm.nvvm.read.ptx.sreg.");
  }

  bool isBarrier(Intrinsic::ID Id) const override {
    StringRef Name = Intrinsic::getBaseName(Id);
    return any_of(ArrayRef<StringRef>{"llvm.nvvm.barrier", "llvm.nvvm.bar.", "llvm.nvvm.membar",
                                      "llvm.nvvm.fence"},
                  [&](StringRef Kind) { return Name.starts_with(Kind); });
  }

  StringRef addingScope() const override { return "device"; }
  void allowNativeAdd(AtomicRMWInst &) const override {}

  Value *leadsToOwnMemory(IRBuilderBase &B, Value *Ptr) const override {
    if (Ptr->getType()->getPointerAddressSpace() != 0)
      return nullptr;
    return B.CreateIntrinsic(B.getInt1Ty(), Intrinsic::nvvm_isspacep_local, {Ptr});
  }
};
} // namespace

const Accelerator &nvptxAccelerator() {
  static const NVPTX Machine;
  return Machine;
}

} // namespace isozyme
