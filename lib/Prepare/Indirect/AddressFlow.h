//===- AddressFlow.h - Where the address of a function goes ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PREPARE_ADDRESSFLOW_H
#define ISOZYME_LIB_PREPARE_ADDRESSFLOW_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class Instruction;
class MDNode;
class StoreInst;
class Use;
} // namespace llvm

namespace isozyme {

/// Does \p U say which function is to be differentiated? An operand that the derivative is
/// called with is handed on, as by any other call.
bool asksForDerivative(const llvm::Use &U, const llvm::CallBase &Call);

/// Follows addresses of functions of this file to one call through a pointer, or elsewhere: through
/// tables, choices, parameters, and memory. What is stored is read by the loads that may alias by
/// their types: by the rules of C, the member of a record is not read as another.
class AddressFlow {
public:
  /// Functions that a pointer of a type may lead to.
  using FunctionsOf = llvm::function_ref<llvm::ArrayRef<llvm::Function *>(llvm::FunctionType *)>;

  AddressFlow(const llvm::CallBase &Call, FunctionsOf Functions);

  /// True, too, where it goes where it cannot be followed.
  bool reaches(const llvm::Function &F);

private:
  /// The function itself; the address of memory that holds it.
  enum Role : unsigned { Target, Memory };

  bool follow(const llvm::Use &U, Role R);
  bool followCall(const llvm::Use &U, const llvm::CallBase &By, Role R);
  bool followInto(const llvm::Function &Callee, const llvm::Use &U, const llvm::CallBase &By,
                  Role R);
  bool followReading(const llvm::Instruction &I);
  bool followStore(const llvm::StoreInst &Store);
  /// What may read what \p Store, which has a tag, has written.
  llvm::ArrayRef<const llvm::Instruction *> readersOf(const llvm::StoreInst &Store);
  bool followReturn(const llvm::Function &From, Role R);
  bool add(const llvm::Value &V, Role R) {
    Work.insert({&V, R});
    return false;
  }

  static constexpr unsigned MaxValues = 512;
  const llvm::CallBase &Call;
  FunctionsOf Functions;
  llvm::TargetLibraryInfoImpl NoLibrary;
  llvm::TargetLibraryInfo Library;
  llvm::TypeBasedAAResult ByType;
  llvm::AAResults AA;
  llvm::SmallSetVector<std::pair<const llvm::Value *, Role>, 16> Work;
  llvm::SmallPtrSet<const llvm::MDNode *, 4> Written; ///< Tags of stores of the address.
  /// All that reads memory, and for each tag of a store, for whatever function it was asked.
  std::optional<llvm::SmallVector<const llvm::Instruction *, 0>> Reading;
  llvm::DenseMap<const llvm::MDNode *, llvm::SmallVector<const llvm::Instruction *, 0>> Readers;
};

} // namespace isozyme

#endif
