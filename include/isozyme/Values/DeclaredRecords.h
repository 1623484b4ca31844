//===- DeclaredRecords.h - Of which record a place is a member --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end steps to a member of a record by the type of the record. Simplification makes
// steps of bytes of that, and code that is compiled without optimisation has no alias metadata
// that says the same.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_DECLAREDRECORDS_H
#define ISOZYME_VALUES_DECLAREDRECORDS_H

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Function;
class Instruction;
class StructType;
class Type;
} // namespace llvm

namespace isozyme {

/// A record, how far behind its start an access is, and whether it is one to an integer there.
struct DeclaredMember {
  llvm::StructType *Record;
  int64_t Offset;
  bool IsInteger;

  /// The member that begins there, if it is a number or a pointer, and no member of a union.
  llvm::Type *scalar(const llvm::DataLayout &DL) const;
};

/// Notes in \p F, which is as the front end has made it, which members of records its loads and
/// stores access.
void markDeclaredMembers(llvm::Function &F);
/// Notes the same of the load or store \p I, which somebody else has made.
void markDeclaredMember(llvm::Instruction &I, const DeclaredMember &Member);
/// What is noted at \p I.
std::optional<DeclaredMember> declaredMember(const llvm::Instruction &I);

} // namespace isozyme

#endif
