//===- LinkRuntime.cpp - The run-time part of checks, in each module ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run-time part was compiled to bitcode when Isozyme was built, and is part of the
// plugin. It is linked into modules with checked calls, so that users link nothing.
// Several modules of a program share it: its symbols are linkonce_odr.
//
//===----------------------------------------------------------------------===//
#include "RuntimeNames.h"
#include "isozyme/Check/CheckedCall.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

extern "C" const char IsozymeCheckRuntime[], IsozymeCheckRuntimeEnd[];
// clang-format off
asm(".section .rodata.isozyme.check,\"a\",@progbits\n"
    ".globl IsozymeCheckRuntime\n.hidden IsozymeCheckRuntime\n"
    ".globl IsozymeCheckRuntimeEnd\n.hidden IsozymeCheckRuntimeEnd\n"
    ".balign 16\n"
    "IsozymeCheckRuntime:\n.incbin \"" ISOZYME_CHECK_BITCODE "\"\n"
    "IsozymeCheckRuntimeEnd:\n.byte 0\n.previous\n");
// clang-format on

namespace isozyme {

/// To fit a module for any processor and any options: what the runtime was compiled for
/// is the least that a target has.
static void adapt(Module &Runtime, const Module &To) {
  Runtime.setTargetTriple(To.getTargetTriple());
  Runtime.setDataLayout(To.getDataLayout());
  if (NamedMDNode *Flags = Runtime.getModuleFlagsMetadata())
    Flags->eraseFromParent();
  for (Function &F : Runtime) {
    for (StringRef Name : {"target-cpu", "target-features", "tune-cpu"})
      F.removeFnAttr(Name);
    if (F.isDeclaration() || F.hasLocalLinkage())
      continue;
    F.setLinkage(GlobalValue::LinkOnceODRLinkage);
    F.addFnAttr(Attribute::NoInline); // Watched code has many calls of them.
  }
  for (GlobalVariable &G : Runtime.globals())
    if (!G.isDeclaration() && !G.hasLocalLinkage() && !G.hasAppendingLinkage())
      G.setLinkage(GlobalValue::LinkOnceODRLinkage);
}

void linkCheckRuntime(Module &M) {
  Function *Begin = M.getFunction(CheckBegin);
  if (!Begin || !Begin->isDeclaration())
    return;
  StringRef Bytes(IsozymeCheckRuntime, size_t(IsozymeCheckRuntimeEnd - IsozymeCheckRuntime));
  Expected<std::unique_ptr<Module>> Runtime =
      parseBitcodeFile(MemoryBufferRef(Bytes, "isozyme.check"), M.getContext());
  if (!Runtime) {
    M.getContext().emitError("checks: " + toString(Runtime.takeError()));
    return;
  }
  if ((*Runtime)->getDataLayout() != M.getDataLayout()) {
    M.getContext().emitError("checks of derivatives are for the processor that Isozyme was built "
                             "for, and this file is compiled for another");
    return;
  }
  adapt(**Runtime, M);
  SmallVector<std::string, 16> Shared;
  for (GlobalValue &G : (*Runtime)->global_values())
    if (G.hasLinkOnceLinkage())
      Shared.push_back(G.getName().str());
  if (Linker::linkModules(M, std::move(*Runtime)))
    M.getContext().emitError("checks: the run-time part cannot be linked");
  // A link-time optimiser would make them its module's own; another module brings others.
  SmallVector<GlobalValue *, 16> Kept;
  for (const std::string &Name : Shared)
    if (GlobalValue *G = M.getNamedValue(Name))
      Kept.push_back(G);
  appendToUsed(M, Kept);
}

} // namespace isozyme
