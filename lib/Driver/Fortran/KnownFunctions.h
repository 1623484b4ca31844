//===- KnownFunctions.h - Fortran's functions of arrays and records -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Those that the bodies lent to a module consist of, and what each has to do with elements.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_DRIVER_FORTRAN_KNOWNFUNCTIONS_H
#define ISOZYME_LIB_DRIVER_FORTRAN_KNOWNFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace isozyme::fortran {

/// What a value of `forall` is put on the stack by; copies for one type have longer names.
inline constexpr llvm::StringLiteral PushValueFunction = "_FortranAPushValue";

/// In one module. Each may be missing.
struct KnownFunctions {
  explicit KnownFunctions(llvm::Module &M);

  llvm::ArrayRef<unsigned> descriptorsOf(const llvm::Function &F) const {
    auto It = Descriptors.find(&F);
    return It == Descriptors.end() ? llvm::ArrayRef<unsigned>() : It->second;
  }
  /// Of which descriptor.
  std::optional<unsigned> asksForRank(const llvm::Function &F) const;
  std::optional<unsigned> asksForKind(const llvm::Function &F) const;
  bool isForComponents(const llvm::Function &F) const {
    return &F == InitializeAll || &F == ReleaseAll || &F == AssignAll;
  }
  /// Only for records, and nothing where these are no more than their bytes.
  bool isForRecords(const llvm::Function &F) const {
    return &F == Destroy || &F == Finalize || &F == Initialize;
  }
  bool isAboutElements(const llvm::Function &F) const {
    return Descriptors.contains(&F) || Pushes.contains(&F);
  }

  bool HasMadeTypes; ///< Is there a type whose new records hold something?
  bool HasDeepTypes; ///< One whose records have allocatable components?
  llvm::Function *Kind, *Size, *Rank, *Deep, *Record, *Table, *Copy, *CopyAll, *InitializeAll,
      *ReleaseAll, *ReleaseOne, *AssignAll, *AssignOne, *ReleaseRecords, *AssignRecords,
      *BeginConstructor, *Destroy, *Finalize, *Initialize, *PushDescriptor, *PushValue, *ValueAt,
      *Kinds[2], *Ranks[2];
  llvm::SmallPtrSet<const llvm::Function *, 2> Assigns;
  llvm::SmallPtrSet<const llvm::Function *, 8>
      GoingDeep; ///< Bodies that treat components one by one.
  llvm::SmallPtrSet<const llvm::Function *, 4> Makes;
  llvm::SmallPtrSet<const llvm::Function *, 8> OnlyMemory; ///< Makes, and what releases.
  llvm::SmallPtrSet<const llvm::Function *, 2> OnlyBounds;
  llvm::SmallPtrSet<const llvm::Function *, 4> TwoTypes; ///< Each array may have its own.
  llvm::SmallPtrSet<const llvm::Function *, 4> OneType;  ///< All that they are about is like that.
  llvm::DenseMap<const llvm::Function *, llvm::ArrayRef<unsigned>> Descriptors;
  llvm::SmallPtrSet<const llvm::Function *, 2> Pushes;
};

} // namespace isozyme::fortran

#endif
