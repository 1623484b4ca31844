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
// LLVM removes the second copy, or the first where the call stays.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_NAMEDCOPIES_H
#define ISOZYME_VALUES_NAMEDCOPIES_H

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace isozyme {

/// Does so for \p Call, where its function has alias metadata and the records hold floats. True:
/// changed.
bool nameCopiesByValue(llvm::CallBase &Call);

/// Does so in all of \p M, which is as the front end has made it. Gives names, too, to the loads of
/// records that are passed in registers. Records that may alias anything (may_alias) have no name
/// in alias metadata, and get none: this is code that runs in the user's program, too.
bool nameMembers(llvm::Module &M);

} // namespace isozyme

#endif
