//===- Mutants.h - Modules changed at random, and what comes of them -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutant is a module of the corpus in which LLVM's FuzzMutate has changed
// instructions, control flow, attributes and operands, the calls that ask for
// derivatives have other arguments, and more such calls may have been added. It
// is valid IR, and otherwise anything. All is decided by one number.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TEST_FUZZ_MUTANTS_H
#define ISOZYME_TEST_FUZZ_MUTANTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace irfuzz {

struct Source {
  std::string Name;
  llvm::SmallVector<char, 0> Bitcode;
};

/// The modules (.ll, .bc) below some folders, in the order of their names; those that do not
/// parse, or are larger than a fuzzer has time for, are left out.
std::vector<Source> readCorpus(llvm::ArrayRef<std::string> Folders);

/// Modifies \p M; MaxSize as for FuzzMutate.
void mutate(llvm::Module &M, std::mt19937 &Random);
/// Calls that ask for derivatives of some of its functions.
void addCalls(llvm::Module &M, std::mt19937 &Random);
/// Whether LLVM's verifier and its readers accept \p M.
bool isValid(const llvm::Module &M);
/// The mutant of \p Seed, or null if it is not valid.
std::unique_ptr<llvm::Module> makeMutant(llvm::ArrayRef<Source> Corpus, uint64_t Seed,
                                         llvm::LLVMContext &Context);

struct Outcome {
  unsigned Errors = 0;  ///< Diagnostics of Isozyme.
  std::string Internal; ///< The text of an internal one, IZ9xx.
  std::string Broken;   ///< What the verifier says of the result.
  bool Changed = false; ///< Some derivative was made.
};
/// Whether LLVM's passes clean up what Isozyme makes of the mutant of \p Seed.
bool isOptimized(uint64_t Seed);
/// Runs Isozyme on \p M, with options decided by \p Seed.
Outcome differentiate(llvm::Module &M, uint64_t Seed, bool Optimize);

} // namespace irfuzz

#endif
