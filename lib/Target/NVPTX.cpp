//===- NVPTX.cpp - NVIDIA's GPUs ------------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxAssembly.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace isozyme {

static constexpr StringLiteral LibraryInToolkit = "/nvvm/libdevice/libdevice.10.bc";

/// A shuffle ends at the last lane.
static constexpr unsigned WholeWarp = 31;

static Value *ask(IRBuilderBase &B, Intrinsic::ID What) {
  return B.CreateIntrinsic(B.getInt32Ty(), What, {});
}

namespace {
class ShuffledSums : public WarpSums {
public:
  Value *isWhole(IRBuilderBase &B) const override {
    return B.CreateICmpEQ(ask(B, Intrinsic::nvvm_activemask), B.getInt32(-1));
  }
  Value *isSame(IRBuilderBase &B, Value *V) const override {
    Type *Found = StructType::get(B.getInt32Ty(), B.getInt1Ty());
    return B.CreateExtractValue(
        B.CreateIntrinsic(Found, Intrinsic::nvvm_match_all_sync_i64p, {B.getInt32(-1), V}), 1);
  }
  Value *fromPartner(IRBuilderBase &B, Value *Word, unsigned Bit) const override {
    return B.CreateIntrinsic(B.getInt32Ty(), Intrinsic::nvvm_shfl_sync_bfly_i32,
                             {B.getInt32(-1), Word, B.getInt32(Bit), B.getInt32(WholeWarp)});
  }
};

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

  std::optional<SmallVector<Value *, 2>>
  readAssembly(IRBuilderBase &B, StringRef Text,
               ArrayRef<AssemblyOperand> Operands) const override {
    return readPtx(B, Text, Operands);
  }
  bool mayComputeFloats(StringRef Text) const override { return ptxMentionsFloats(Text); }

  bool isQuery(Intrinsic::ID Id) const override {
    return Intrinsic::getBaseName(Id).starts_with("llvm.nvvm.read.ptx.sreg.");
  }

  Meeting meetingAt(Intrinsic::ID Id) const override {
    switch (Id) {
    case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    case Intrinsic::nvvm_barrier_cta_sync_all:
      return Meeting::Block;
    case Intrinsic::nvvm_barrier_cta_sync_aligned_count:
    case Intrinsic::nvvm_barrier_cta_sync_count:
    case Intrinsic::nvvm_bar_warp_sync:
      return Meeting::Part;
    default:
      break;
    }
    StringRef Name = Intrinsic::getBaseName(Id);
    if (Name.starts_with("llvm.nvvm.membar") || Name.starts_with("llvm.nvvm.fence"))
      return Meeting::Fence;
    bool Waits = Name.starts_with("llvm.nvvm.barrier") || Name.starts_with("llvm.nvvm.bar.");
    return Waits ? Meeting::Other : Meeting::None;
  }

  Meeting meetingIn(StringRef Assembly) const override { return meetingInPtx(Assembly); }

  void waitForBlock(IRBuilderBase &B) const override {
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::nvvm_barrier_cta_sync_aligned_all, {B.getInt32(0)});
  }

  Value *threadInBlock(IRBuilderBase &B) const override {
    Value *X = ask(B, Intrinsic::nvvm_read_ptx_sreg_tid_x);
    Value *Y = ask(B, Intrinsic::nvvm_read_ptx_sreg_tid_y);
    Value *Z = ask(B, Intrinsic::nvvm_read_ptx_sreg_tid_z);
    Value *Rows = B.CreateAdd(Y, B.CreateMul(Z, ask(B, Intrinsic::nvvm_read_ptx_sreg_ntid_y)));
    return B.CreateAdd(X, B.CreateMul(Rows, ask(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x)));
  }

  Value *threadsOfBlock(IRBuilderBase &B) const override {
    Value *Rows = B.CreateMul(ask(B, Intrinsic::nvvm_read_ptx_sreg_ntid_y),
                              ask(B, Intrinsic::nvvm_read_ptx_sreg_ntid_z));
    return B.CreateMul(ask(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x), Rows);
  }

  Value *bytesOfLaunch(IRBuilderBase &B) const override {
    return ask(B, Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size);
  }

  std::optional<WarpExchange> exchangeOf(Intrinsic::ID Id) const override {
    switch (Id) {
    case Intrinsic::nvvm_shfl_sync_up_i32:
    case Intrinsic::nvvm_shfl_sync_up_f32:
    case Intrinsic::nvvm_shfl_sync_down_i32:
    case Intrinsic::nvvm_shfl_sync_down_f32:
    case Intrinsic::nvvm_shfl_sync_bfly_i32:
    case Intrinsic::nvvm_shfl_sync_bfly_f32:
    case Intrinsic::nvvm_shfl_sync_idx_i32:
    case Intrinsic::nvvm_shfl_sync_idx_f32:
      return WarpExchange{1, 0};
    default:
      return std::nullopt;
    }
  }

  bool isSameInBlock(Intrinsic::ID Id) const override {
    StringRef Name = Intrinsic::getBaseName(Id);
    return Name.consume_front("llvm.nvvm.read.ptx.sreg.") &&
           any_of(ArrayRef<StringLiteral>{"ctaid.", "ntid.", "nctaid.", "gridid", "warpsize"},
                  [&](StringRef Same) { return Name.starts_with(Same); });
  }

  unsigned mostLanes() const override { return 32; }
  Value *lane(IRBuilderBase &B) const override {
    return ask(B, Intrinsic::nvvm_read_ptx_sreg_laneid);
  }
  Value *lanesWhere(IRBuilderBase &B, Value *Is, Value *Mask) const override {
    Value *Lanes = B.CreateIntrinsic(B.getInt32Ty(), Intrinsic::nvvm_vote_ballot_sync, {Mask, Is});
    return B.CreateZExt(Lanes, B.getInt64Ty());
  }
  Value *fromLane(IRBuilderBase &B, Value *Word, Value *Lane, Value *Mask) const override {
    return B.CreateIntrinsic(B.getInt32Ty(), Intrinsic::nvvm_shfl_sync_idx_i32,
                             {Mask, Word, Lane, B.getInt32(WholeWarp)});
  }

  const WarpSums *sumsOfWarp(const Function &User) const override {
    static const ShuffledSums Sums;
    constexpr unsigned FirstToMatch = 70;
    StringRef Kind = User.getFnAttribute("target-cpu").getValueAsString();
    unsigned Number = 0;
    return Kind.consume_front("sm_") && !Kind.consumeInteger(10, Number) && Number >= FirstToMatch
               ? &Sums
               : nullptr;
  }

  void endThread(IRBuilderBase &B) const override {
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::nvvm_exit, {});
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
