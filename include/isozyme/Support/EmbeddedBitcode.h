//===- EmbeddedBitcode.h - Code that is a part of the plugin -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some code that is linked into users' modules is compiled to bitcode when Isozyme is
// built (lib/CMakeLists.txt), so that users link nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_EMBEDDEDBITCODE_H
#define ISOZYME_SUPPORT_EMBEDDEDBITCODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

/// Declares \p Name, a StringRef of the bytes of the file \p Path. Once per name, outside of
/// namespaces.
#define ISOZYME_EMBED(Name, Path)                                                                  \
  extern "C" const char Name##Begin[], Name##End[];                                                \
  asm(".section .rodata.isozyme." #Name ",\"a\",@progbits\n"                                       \
      ".globl " #Name "Begin\n.hidden " #Name "Begin\n"                                            \
      ".globl " #Name "End\n.hidden " #Name "End\n"                                                \
      ".balign 16\n" #Name "Begin:\n.incbin \"" Path "\"\n" #Name "End:\n.byte 0\n.previous\n");   \
  static const llvm::StringRef Name(Name##Begin, size_t(Name##End - Name##Begin))

namespace isozyme {

/// The data layouts that embedded code is for: that of the machine it was compiled for, or
/// any with pointers of its size.
enum class Layouts { Own, Any };

/// The module in \p Bytes, for the processor and the options of \p To: what it was compiled
/// for is the least that a target has. Where its data layout is not for \p To, the result is
/// null.
llvm::Expected<std::unique_ptr<llvm::Module>>
readEmbedded(llvm::StringRef Bytes, const llvm::Module &To, Layouts For = Layouts::Own);

} // namespace isozyme

#endif
