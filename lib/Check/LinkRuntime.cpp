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
#include "isozyme/Support/EmbeddedBitcode.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

ISOZYME_EMBED(IsozymeCheckRuntime, ISOZYME_CHECK_BITCODE);

namespace isozyme {

static void share(Module &Runtime) {
  for (Function &F : Runtime) {
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
  Expected<std::unique_ptr<Module>> Runtime = readEmbedded(IsozymeCheckRuntime, M);
  if (!Runtime) {
    M.getContext().emitError("checks: " + toString(Runtime.takeError()));
    return;
  }
  if (!*Runtime) {
    M.getContext().emitError("checks of derivatives are for the processor that Isozyme was built "
                             "for, and this file is compiled for another");
    return;
  }
  share(**Runtime);
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
