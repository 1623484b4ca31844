//===- TargetModel.cpp - What depends on the machine that is compiled for -===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/TargetModel.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace isozyme {

/// Processors with a heap, on which a call is one thread's: what is not listed is refused.
static bool isHostProcessor(const Triple &T) {
  return T.isX86() || T.isAArch64() || T.isARM() || T.isThumb() || T.isPPC() || T.isRISCV() ||
         T.isSystemZ() || T.isLoongArch() || T.isMIPS() || T.isSPARC() || T.isWasm();
}

bool TargetModel::isSupported() const {
  const Triple &T = M.getTargetTriple();
  return T.str().empty() || isHostProcessor(T) || acceleratorOf(M);
}

bool TargetModel::isAccelerator() const {
  const Triple &T = M.getTargetTriple();
  return T.isNVPTX() || T.isAMDGPU() || T.isSPIROrSPIRV() || T.getArch() == Triple::dxil;
}

std::string TargetModel::name() const {
  const Triple &T = M.getTargetTriple();
  std::string Arch = T.getArchName().str();
  if (T.isNVPTX())
    return "an NVIDIA GPU (" + Arch + ")";
  if (T.isAMDGPU())
    return "an AMD GPU (" + Arch + ")";
  if (isAccelerator())
    return "a GPU (" + Arch + ")";
  return "'" + Arch + "'";
}

bool TargetModel::hasThreadMemory() const {
  const Triple &T = M.getTargetTriple();
  return M.getDataLayout().getPointerSize() == 8 && (T.str().empty() || T.isOSLinux());
}

bool TargetModel::releasesAtThreadExit() const {
  const Triple &T = M.getTargetTriple();
  return T.str().empty() || (T.isOSLinux() && (T.isGNUEnvironment() || T.isAndroid()));
}

bool TargetModel::countsArgumentRegisters() const {
  const Triple &T = M.getTargetTriple();
  return T.getArch() == Triple::x86_64 && !T.isOSWindows() && !T.isX32();
}

bool TargetModel::isLinux() const { return M.getTargetTriple().isOSLinux(); }
bool TargetModel::isDarwin() const { return M.getTargetTriple().isOSDarwin(); }
bool TargetModel::isX86() const { return M.getTargetTriple().isX86(); }

} // namespace isozyme
