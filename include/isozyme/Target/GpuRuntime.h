//===- GpuRuntime.h - How the host talks to a GPU ----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for CUDA or HIP is compiled twice. In the host's half a kernel is a stub, and a launch
// is three calls:
//
//   if (__cudaPushCallConfiguration(grid, block, bytes, stream) == 0)
//     __device_stub__kernel(arguments...);    // which takes the configuration, and launches
//
// The functions of both run times are the same, with another prefix.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TARGET_GPURUNTIME_H
#define ISOZYME_TARGET_GPURUNTIME_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Constant;
class Function;
class Value;
} // namespace llvm

namespace isozyme {

/// A function of a run time: `__cudaPushCallConfiguration` is PushCallConfiguration of cuda.
struct GpuFunction {
  llvm::StringRef Runtime, What;
  /// The function \p Other of the same run time.
  std::string sibling(llvm::StringRef Other) const { return (Runtime + Other).str(); }
};
std::optional<GpuFunction> gpuFunction(const llvm::Function &F);

/// A call that moves bytes to or from memory of a GPU, or sets them: cudaMemcpy, cudaMemset, and
/// their forms that take a stream.
struct GpuTransfer {
  const llvm::Value *To, *From; ///< The second is null where bytes are set.
  const llvm::Value *Bytes;
};
std::optional<GpuTransfer> gpuTransfer(const llvm::CallBase &Call);
/// What the third operand of a copy means; the same for both run times.
enum class GpuCopy : unsigned { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, EitherWay };

/// Notes the configuration of the launch that follows.
bool pushesLaunch(const llvm::Function &F);
/// Is \p F what the host has in the place of a kernel?
bool isKernelStub(const llvm::Function &F);
/// The kernel in the source.
std::string kernelName(const llvm::Function &Stub);
/// The stub that \p C is the address of: for HIP, the address of a kernel is that of a variable
/// which holds the stub. Null if it is none.
llvm::Function *stubBehind(llvm::Constant &C);

} // namespace isozyme

#endif
