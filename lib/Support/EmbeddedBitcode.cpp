//===- EmbeddedBitcode.cpp - Code that is a part of the plugin ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/EmbeddedBitcode.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace isozyme {

Expected<std::unique_ptr<Module>> readEmbedded(StringRef Bytes, const Module &To, Layouts For) {
  Expected<std::unique_ptr<Module>> Read =
      parseBitcodeFile(MemoryBufferRef(Bytes, "isozyme"), To.getContext());
  if (!Read)
    return Read.takeError();
  Module &M = **Read;
  if (For == Layouts::Any &&
      M.getDataLayout().getPointerSize() == To.getDataLayout().getPointerSize())
    M.setDataLayout(To.getDataLayout());
  if (M.getDataLayout() != To.getDataLayout())
    return nullptr;
  M.setTargetTriple(To.getTargetTriple());
  for (NamedMDNode &Node : make_early_inc_range(M.named_metadata()))
    Node.eraseFromParent();
  for (Function &F : M)
    for (StringRef Name : {"target-cpu", "target-features", "tune-cpu"})
      F.removeFnAttr(Name);
  return std::move(*Read);
}

} // namespace isozyme
