//===- LibFuzzer.cpp - Mutants for libFuzzer ------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   ir-libfuzzer CORPUS-FOLDER            of bitcode files, which it adds to
//
// The same mutations and checks as ir-fuzz has, guided by what they reach, if the
// stages have been compiled with -DISOZYME_FUZZER=ON. Stops at the first failure.
//
//===----------------------------------------------------------------------===//
#include "Mutants.h"
#include "llvm/FuzzMutate/IRMutator.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size <= 1)
    return 0; // The first input is empty.
  LLVMContext Context;
  std::unique_ptr<Module> M = parseModule(Data, Size, Context);
  if (!M || !irfuzz::isValid(*M))
    return 0;
  // What is not part of the module is decided by it, too.
  irfuzz::Outcome R = irfuzz::differentiate(*M, Size, false);
  if (R.Broken.empty())
    return 0;
  std::fprintf(stderr, "the derivatives are not valid IR: %s\n", R.Broken.c_str());
  std::abort();
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size, size_t MaxSize,
                                          unsigned Seed) {
  LLVMContext Context;
  std::unique_ptr<Module> M;
  if (Size > 1)
    M = parseModule(Data, Size, Context);
  if (!M)
    M = std::make_unique<Module>("empty", Context);
  std::mt19937 Random(Seed);
  irfuzz::mutate(*M, Random);
  if (Random() % 4 == 0)
    irfuzz::addCalls(*M, Random);
  return irfuzz::isValid(*M) ? writeModule(*M, Data, MaxSize) : Size;
}
