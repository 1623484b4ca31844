//===- GpuEmulate.cpp - Runs kernels without a GPU ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gpu-emulate kernels.bc -o host.bc
//
// Reads a module for NVPTX or AMDGPU, and writes one for this machine.
//
//===----------------------------------------------------------------------===//
#include "Retarget.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;

int main(int Count, char **Words) {
  cl::opt<std::string> Input(cl::Positional, cl::Required, cl::desc("<module>"));
  cl::opt<std::string> Output("o", cl::Required, cl::desc("where the result goes"));
  cl::opt<bool> LoseAtomics("lose-atomics", cl::desc("add by a read and a write instead"));
  cl::opt<bool> WatchRaces("watch-races", cl::desc("let ThreadSanitizer see all accesses"));
  cl::ParseCommandLineOptions(Count, Words, "Rewrites kernels for this machine\n");
  LLVMContext Context;
  SMDiagnostic Trouble;
  std::unique_ptr<Module> M = parseIRFile(Input, Trouble, Context);
  if (!M) {
    Trouble.print(Words[0], errs());
    return 1;
  }
  if (LoseAtomics)
    isozyme::loseAtomics(*M);
  isozyme::retarget(*M);
  if (WatchRaces)
    isozyme::watchRaces(*M);
  if (verifyModule(*M, &errs()))
    return 1;
  std::error_code Failed;
  ToolOutputFile File(Output, Failed, sys::fs::OF_None);
  if (Failed) {
    errs() << Output << ": " << Failed.message() << '\n';
    return 1;
  }
  WriteBitcodeToFile(*M, File.os());
  File.keep();
}
