//===- Prepare.h - Bring a function into legal form --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_PREPARE_H
#define ISOZYME_PREPARE_PREPARE_H

#include "isozyme/Prepare/PreparedFunction.h"

namespace llvm {
class Argument;
} // namespace llvm

namespace isozyme {

/// What types found out about an instruction when a function was prepared before.
struct MistypedMove {
  unsigned Number; ///< That the instruction had.
  /// A load of an integer is one of a float of this type, whose bits are computed with. Null:
  /// an address is moved as an integer, or a float as a pointer.
  llvm::Type *FloatType = nullptr;
  /// What is loaded, and only stored, may be a double or an address. Memory tells which.
  bool StaysInMemory = false;
  /// The same of several members of a record. Where a half of them is used, it is loaded by itself.
  bool IsOfMembers = false;
};

/// Clones \p F (internal, named "<f>.prepared") and brings the clone into legal
/// form. The original is not touched. On error no clone is left behind.
llvm::Expected<std::unique_ptr<PreparedFunction>>
prepareFunction(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                llvm::ArrayRef<MistypedMove> Mistyped = {});

/// Is there a step of Prepare, in PrepareSteps.def, with this name? "steps" is all of them.
bool isPrepareStep(llvm::StringRef Name);

/// Prepared functions may call copies of functions that pass structs in memory. The copy of
/// \p G; null if there is none.
llvm::Function *mixedFormOf(const llvm::Function &G);
/// Erases the copies that nothing uses any more, and those for the arguments of one call.
void eraseForms(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Erases functions that run a range of the iterations of a loop, where nothing calls them.
void eraseOutlinedLoops(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Checks the legal set and the facts that PreparedFunction promises; returns
/// true and writes why to \p OS when something is broken (as llvm::verifyFunction).
bool verifyPrepared(const PreparedFunction &P, llvm::raw_ostream *OS);

/// Does \p F take the bits of this argument, an integer, or of a part of it, for a float?
/// A structure of small members is passed so by some ABIs.
bool isFloatInDisguise(const llvm::Argument &A);

} // namespace isozyme

#endif
