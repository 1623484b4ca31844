//===- Watcher.h - Announcements of accesses ---------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = load double, ptr %p        =>   call void @touch(ptr %p, i64 8, i32 double)
//                                        %x = load double, ptr %p
//   memcpy(%q, %p, %n)              =>   ... call void @copied(%q, %p, %n)
//   %m = call ptr @malloc(i64 %n)   =>   ... call void @allocated(ptr %m, i64 %n)
//   call void @free(ptr %m)         =>   call void @freed(ptr %m) ...
//   unreachable                     =>   call void @stop() at the start of its block
//
// Memory of one call is announced only if structures are copied there: a read of the copy
// says which of its bytes are numbers.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_CHECK_WATCHER_H
#define ISOZYME_LIB_CHECK_WATCHER_H

namespace llvm {
class CallBase;
class Function;
class TargetLibraryInfo;
} // namespace llvm

namespace isozyme {

/// Puts the announcements into \p Copy.
void watch(llvm::Function &Copy, const llvm::TargetLibraryInfo &TLI);
/// Tells what \p F, a derivative, overwrites, whatever for.
void watchWrites(llvm::Function &F);
/// Tells of memory behind the result of \p Call, which allocates or resizes.
void announceAllocation(llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

} // namespace isozyme

#endif
