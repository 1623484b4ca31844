//===- TaggedRecords.h - Records by the address that leads to them -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some accesses have no alias metadata: where a record is passed by value and the callee is
// inlined, where several stores of zero became one. Others go to the same record by the same
// address, and name it:
//
//   %x = getelementptr i8, ptr %body, i64 56
//   %a = load double, ptr %x                               ; no name
//   %m = getelementptr i8, ptr %body, i64 32
//   store double %b, ptr %m, !tbaa !cpBody.m               ; byte 56 of a cpBody is a double
//
// Or the address was loaded as that of such a record, which other accesses name:
//
//   %body = load ptr, ptr %p, !tbaa !"p1 _ZTS6cpBody"
//
// The graph may know less: there, pointers that may lead to several records lead to a mixture.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_TYPES_FACTS_TAGGEDRECORDS_H
#define ISOZYME_LIB_TYPES_FACTS_TAGGEDRECORDS_H

#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Value.h"
#include <map>
#include <optional>

namespace llvm {
class DataLayout;
class Function;
class Instruction;
class MDNode;
} // namespace llvm

namespace isozyme {

class TaggedRecords {
public:
  explicit TaggedRecords(const llvm::Function &F);
  /// What \p Size bytes at \p Ptr hold, by all records that are named there; nothing if these do
  /// not tell of each byte, or differ.
  std::optional<MemoryLayout> layoutAt(const llvm::Value *Ptr, uint64_t Size) const;

  /// What each record in an array holds to which a pointer leads that was loaded with \p Tag;
  /// nothing if that is not known of each byte.
  std::optional<MemoryLayout> layoutOfPointee(const llvm::MDNode *Tag) const;

private:
  struct Member {
    uint64_t Size;
    ConcreteType Type;
  };
  /// By their distance from the base.
  using Members = std::map<int64_t, Member>;

  /// By name: what it has, where its last member ends, and the size of its largest.
  struct Record {
    Members Of;
    uint64_t End = 0, Alignment = 1;
  };

  void addAccess(const llvm::Instruction &I);
  std::optional<MemoryLayout> layoutInPointee(const llvm::Value *Base, int64_t Begin,
                                              uint64_t Size) const;
  std::optional<Record> recordOfPointee(const llvm::MDNode &Tag) const;
  static std::optional<MemoryLayout> layoutOf(const Members &Known, int64_t Begin, uint64_t Size);
  static void add(Members &To, int64_t At, uint64_t Size, ConcreteType Type);

  const llvm::DataLayout &DL;
  llvm::DenseMap<const llvm::Value *, Members> Bases;
  /// By name; null where there are several.
  llvm::StringMap<const llvm::MDNode *> Records;
};

} // namespace isozyme

#endif
