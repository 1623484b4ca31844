//===- AMDGPU.cpp - AMD's GPUs --------------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
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

  Meeting meetingAt(Intrinsic::ID Id) const override {
    if (Id == Intrinsic::amdgcn_s_barrier)
      return Meeting::Block;
    if (Id == Intrinsic::amdgcn_wave_barrier)
      return Meeting::Part;
    bool IsOther = Intrinsic::getBaseName(Id).starts_with("llvm.amdgcn.s.barrier");
    return IsOther ? Meeting::Other : Meeting::None;
  }

  Meeting meetingIn(StringRef Assembly) const override {
    return Assembly.contains("s_barrier") ? Meeting::Other : Meeting::None;
  }

  void waitForBlock(IRBuilderBase &B) const override {
    SyncScope::ID Block = B.getContext().getOrInsertSyncScopeID("workgroup");
    B.CreateFence(AtomicOrdering::Release, Block);
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::amdgcn_s_barrier, {});
    B.CreateFence(AtomicOrdering::Acquire, Block);
  }

  Value *threadInBlock(IRBuilderBase &B) const override {
    auto Ask = [&](Intrinsic::ID What) { return B.CreateIntrinsic(B.getInt32Ty(), What, {}); };
    Value *Y = Ask(Intrinsic::amdgcn_workitem_id_y), *Z = Ask(Intrinsic::amdgcn_workitem_id_z);
    Value *Rows = B.CreateAdd(Y, B.CreateMul(Z, sizeOfBlock(B, 1)));
    return B.CreateAdd(Ask(Intrinsic::amdgcn_workitem_id_x), B.CreateMul(Rows, sizeOfBlock(B, 0)));
  }

  Value *threadsOfBlock(IRBuilderBase &B) const override {
    return B.CreateMul(sizeOfBlock(B, 0), B.CreateMul(sizeOfBlock(B, 1), sizeOfBlock(B, 2)));
  }

  Value *bytesOfLaunch(IRBuilderBase &B) const override {
    constexpr unsigned BytesAt = 120;
    return B.CreateAlignedLoad(B.getInt32Ty(), hidden(B, BytesAt), Align(4));
  }

  std::optional<WarpExchange> exchangeOf(Intrinsic::ID Id) const override {
    if (Id == Intrinsic::amdgcn_ds_bpermute)
      return WarpExchange{1, std::nullopt};
    return std::nullopt;
  }

  bool isSameInBlock(Intrinsic::ID Id) const override {
    return isQuery(Id) && !Intrinsic::getBaseName(Id).starts_with("llvm.amdgcn.workitem.id");
  }

  unsigned mostLanes() const override { return 64; }
  Value *lane(IRBuilderBase &B) const override {
    Value *All = B.getInt32(-1);
    Value *Low =
        B.CreateIntrinsic(B.getInt32Ty(), Intrinsic::amdgcn_mbcnt_lo, {All, B.getInt32(0)});
    return B.CreateIntrinsic(B.getInt32Ty(), Intrinsic::amdgcn_mbcnt_hi, {All, Low});
  }
  Value *lanesWhere(IRBuilderBase &B, Value *Is, Value *) const override {
    return B.CreateIntrinsic(Intrinsic::amdgcn_ballot, {B.getInt64Ty()}, {Is});
  }
  Value *fromLane(IRBuilderBase &B, Value *Word, Value *Lane, Value *) const override {
    constexpr unsigned BytesOfWord = 4;
    Value *At = B.CreateMul(Lane, B.getInt32(BytesOfWord));
    return B.CreateIntrinsic(B.getInt32Ty(), Intrinsic::amdgcn_ds_bpermute, {At, Word});
  }

  // The code generator makes vectors of registers of arrays, not of structures. What a loop keeps
  // for the way back would fill them over both sweeps.
  Type *localTape(ArrayType *Kept) const override {
    constexpr uint64_t MostBits = 8 * 32;
    Type *Element = Kept->getElementType();
    uint64_t Bits = Element->isPointerTy() ? 64 : Element->getPrimitiveSizeInBits().getFixedValue();
    bool IsShort = Bits && Bits * Kept->getNumElements() <= MostBits;
    return IsShort ? static_cast<Type *>(Kept) : StructType::get(Kept);
  }

  void endThread(IRBuilderBase &B) const override {
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::amdgcn_endpgm, {});
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

private:
  /// Behind the arguments of the kernel, from the fifth version of code objects on: three words,
  /// then the sizes as halves of words.
  static Value *sizeOfBlock(IRBuilderBase &B, unsigned Dimension) {
    constexpr unsigned SizesAt = 12;
    Value *At = hidden(B, SizesAt + 2 * Dimension);
    return B.CreateZExt(B.CreateAlignedLoad(B.getInt16Ty(), At, Align(2)), B.getInt32Ty());
  }

  static Value *hidden(IRBuilderBase &B, unsigned Offset) {
    Type *Constant = PointerType::get(B.getContext(), 4);
    Value *Arguments = B.CreateIntrinsic(Constant, Intrinsic::amdgcn_implicitarg_ptr, {});
    return B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), Arguments, Offset);
  }
};
} // namespace

const Accelerator &amdgpuAccelerator() {
  static const AMDGPU Machine;
  return Machine;
}

} // namespace isozyme
