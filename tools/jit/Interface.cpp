//===- Interface.cpp - The functions of isozyme_capi.h --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompiledModule.h"
#include "SourceFile.h"
#include "isozyme/isozyme_capi.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace llvm;
using isozyme::jit::CompiledModule;

/// The value, or null and a text.
template <typename T> static T *unwrap(Expected<T *> Value, char **Error) {
  if (Value)
    return *Value;
  std::string Text = toString(Value.takeError());
  if (Error)
    *Error = strdup(StringRef(Text).rtrim().str().c_str());
  return nullptr;
}

static Expected<isozyme_module *> load(MemoryBufferRef IR) {
  Expected<std::unique_ptr<CompiledModule>> M = CompiledModule::create(IR);
  if (!M)
    return M.takeError();
  return reinterpret_cast<isozyme_module *>(M->release());
}

static CompiledModule &of(isozyme_module *M) { return *reinterpret_cast<CompiledModule *>(M); }

#define PUBLIC __attribute__((visibility("default")))

PUBLIC isozyme_module *isozyme_compile_file(const char *Path, const char *const *Arguments,
                                            char **Error) {
  Expected<std::unique_ptr<MemoryBuffer>> IR = isozyme::jit::compileSource(Path, Arguments);
  if (!IR)
    return unwrap<isozyme_module>(IR.takeError(), Error);
  return unwrap(load(**IR), Error);
}

PUBLIC isozyme_module *isozyme_load_ir(const char *Bytes, size_t Length, char **Error) {
  // LLVM's parser of text reads the zero behind the last byte.
  std::unique_ptr<MemoryBuffer> IR = MemoryBuffer::getMemBufferCopy({Bytes, Length}, "module");
  return unwrap(load(*IR), Error);
}

PUBLIC void *isozyme_function(isozyme_module *M, const char *Name, char **Error) {
  return unwrap(of(M).function(Name), Error);
}

PUBLIC void *isozyme_derivative(isozyme_module *M, const char *Name, isozyme_mode Mode,
                                const char *Activities, char **Error) {
  return unwrap(of(M).derivative(Name, Mode == ISOZYME_REVERSE,
                                 Activities ? StringRef(Activities) : StringRef()),
                Error);
}

PUBLIC void isozyme_release(isozyme_module *M) { delete reinterpret_cast<CompiledModule *>(M); }

PUBLIC void isozyme_free_text(char *Text) { free(Text); }
