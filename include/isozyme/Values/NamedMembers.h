//===- NamedMembers.h - Bytes of records that the source names ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array of bytes in the type of a record is a member, in which anything may be kept, or
// what the front end puts between members and behind the last one. Only members are accessed
// by name.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_NAMEDMEMBERS_H
#define ISOZYME_VALUES_NAMEDMEMBERS_H

#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace llvm {
class DataLayout;
class Module;
class StructType;
} // namespace llvm

namespace isozyme {

/// Notes in \p M which arrays of bytes in records are named anywhere, if \p M is as the front end
/// has made it. Simplified code has forgotten the names.
void noteNamedBytes(llvm::Module &M);

/// What was noted, of all the modules that have been linked.
class NamedBytes {
public:
  explicit NamedBytes(const llvm::Module &M);
  /// Is \p Member of \p Record an array of bytes that nobody names, as large as a gap between other
  /// members? Room that is kept free for something else is larger.
  bool isFilling(const llvm::StructType &Record, unsigned Member, const llvm::DataLayout &DL) const;

private:
  bool Known = false;
  llvm::SmallVector<std::pair<llvm::StructType *, unsigned>, 4> Named;
};

} // namespace isozyme

#endif
