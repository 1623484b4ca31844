//===- NamedCopies.h - Records that are passed by value ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call copies a record that it passes by value, and where the callee is inlined, LLVM writes this
// copy without alias metadata. The loads that become of it say nothing of what the source calls the
// members that they read. So the record is copied once before, by a copy that says it:
//
//   before:  call void @update(ptr byval(%Box) %from)
//   after:   memcpy(%named, %from, sizeof(%Box)), !tbaa.struct
//            call void @update(ptr byval(%Box) %named)
//
// The second copy, which LLVM makes in place of the call, is named like the first.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_NAMEDCOPIES_H
#define ISOZYME_VALUES_NAMEDCOPIES_H

namespace llvm {
class CallBase;
class InlineFunctionInfo;
class Module;
} // namespace llvm

namespace isozyme {

/// Inlines \p Call, and names the members of what it passes by value, where its function has alias
/// metadata and the records hold floats. False if LLVM cannot inline it. \p InsertLifetime: locals
/// of the callee live as long as the call took.
bool inlineWithNames(llvm::CallBase &Call, llvm::InlineFunctionInfo &Info,
                     bool InsertLifetime = true);

/// Names the copies in all of \p M, which is as the front end has made it. Gives names, too, to the
/// loads of records that are passed in registers. Records that may alias anything (may_alias) have
/// no name in alias metadata, and get none: this is code that runs in the user's program, too.
bool nameMembers(llvm::Module &M);

} // namespace isozyme

#endif
