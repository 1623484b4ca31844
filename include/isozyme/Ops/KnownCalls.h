//===- KnownCalls.h - Library functions that move no derivative --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing, strings, time, the environment, C++ streams: functions that neither
// read nor write numbers that anyone differentiates. Also who allocates and who
// frees. Functions that put numbers into memory (scanf, fread) are not here.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_KNOWNCALLS_H
#define ISOZYME_OPS_KNOWNCALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class FunctionCallee;
class MemTransferInst;
class Module;
class TargetLibraryInfo;
class Type;
class Use;
class Value;
} // namespace llvm

namespace isozyme {

/// Has a function of the C library this name through which no derivative passes?
bool isInactiveLibraryName(llvm::StringRef Name);
/// Is \p F declared as such a function: by its name, with its parameters and its result?
bool isInactiveLibraryFunction(const llvm::Function &F);
/// A function of the C++ library (streams, strings, locales, ...) or of Fortran's or Rust's
/// run time, by the start of its symbol.
bool isInactiveRuntimeName(llvm::StringRef Symbol);
/// Returns the address of text: no number is read there, whatever else is in such memory.
bool returnsText(const llvm::CallBase &CB);
/// Is it a call of a member of std::string, or of its constructor?
bool isMemberOfString(const llvm::CallBase &CB);
/// Does a member of std::string return an address in its text: data, begin, at?
bool leadsIntoString(const llvm::CallBase &CB);
/// The string that a member of std::string has changed, and returns: append, assign, +=. Null for
/// other functions.
llvm::Value *stringItself(const llvm::CallBase &CB);
/// An inactive function that returns the address of memory of the library, whatever it is given.
bool returnsLibraryMemory(const llvm::CallBase &CB);
/// A variable of a language's run time: virtual tables, type information, stdout, std::cout.
bool isInactiveRuntimeVariable(llvm::StringRef Symbol);
/// An intrinsic that is a hint or a marker.
bool isInactiveIntrinsic(llvm::Intrinsic::ID Id);
/// An intrinsic whose result is the pointer that is its first operand, or one into the same
/// memory.
bool passesPointerOn(llvm::Intrinsic::ID Id);
/// The functions that a call through a pointer is known to lead to.
using CallTargetsOf =
    llvm::function_ref<llvm::SmallVector<llvm::Function *, 4>(const llvm::CallBase &)>;
/// A variadic function of the user's that hands its arguments on to vprintf and its like.
/// Looks at the whole body: the answer is kept as marking::OnlyPrints.
bool onlyPrints(const llvm::Function &F, CallTargetsOf Targets);
/// All of the above, for a call; a function of the user's with the name of a C
/// function is not one.
bool isKnownInactive(const llvm::CallBase &CB);

/// Returns fresh memory: malloc, calloc, aligned_alloc, operator new, allockind("alloc"),
/// and functions that are registered as allocators (enzyme_allocator), body or not.
/// Not realloc, which keeps contents.
bool isAllocation(const llvm::CallBase &CB, const llvm::TargetLibraryInfo &TLI);
/// The operands that say how many bytes an allocation has: Bytes, times Count if there
/// is one.
struct AllocationSize {
  unsigned Bytes;
  std::optional<unsigned> Count;
  bool Zeroed; ///< The memory is zero from the start (calloc).
};
/// Nothing when \p CB is no allocation, or one whose size its operands do not tell.
std::optional<AllocationSize> allocationSize(const llvm::CallBase &CB,
                                             const llvm::TargetLibraryInfo &TLI);
/// Such a function of the library that makes arrays rather than objects of a class: malloc,
/// new[]. By name alone.
bool makesArrays(const llvm::Function &F);
/// Is \p U the function that the run time of the language is to call when a thrown object, a thread
/// or the program ends? Nobody else learns its address, by way of helpers neither.
bool isForRuntime(const llvm::Use &U);
/// malloc of the C library.
bool isPlainMalloc(const llvm::CallBase &CB, const llvm::TargetLibraryInfo &TLI);
/// The operands of a resizing call of the C library, realloc or reallocarray.
struct Reallocation {
  unsigned Pointer;
  unsigned Bytes;
  std::optional<unsigned> Count;
};
std::optional<Reallocation> libraryReallocation(const llvm::CallBase &CB,
                                                const llvm::TargetLibraryInfo &TLI);
/// posix_memalign(address of the result, alignment, bytes).
bool isPosixMemalign(const llvm::CallBase &CB, const llvm::TargetLibraryInfo &TLI);
/// The function that tells how many bytes allocated memory has.
llvm::FunctionCallee blockSizeFunction(llvm::Module &M, llvm::Type *SizeType);
/// The copy \p Copy moves at most as many bytes as the block at its source has, as it
/// asks the library: the same copy on shadow memory has to ask for the shadow's size.
bool isLimitedByBlockSize(const llvm::MemTransferInst &Copy);
/// A function of the C library that calls one that it is given, to compare elements:
/// qsort, qsort_r, bsearch.
struct LibraryCallback {
  bool Sorts;       ///< (elements, count, size); otherwise (key, elements, count, size).
  unsigned Compare; ///< The operand that compares two elements.
  std::optional<unsigned> Context; ///< What it is given besides.
};
std::optional<LibraryCallback> libraryCallback(const llvm::CallBase &Call);
/// Helpers of Isozyme's that only compare elements have names that start so.
constexpr llvm::StringLiteral SortHelperPrefix = "isozyme.sort.";
constexpr llvm::StringLiteral SearchHelperPrefix = "isozyme.search.";
/// Does \p V come from malloc or the like, so that its memory holds anything?
bool isUninitializedAllocation(const llvm::Value *V);
/// Does \p V come from calloc?
bool isZeroedAllocation(const llvm::Value *V);
/// Is \p Call one of free?
bool isPlainRelease(const llvm::CallBase &Call);

/// The pointer to what realloc and the like resize; null of other calls.
llvm::Value *reallocatedPointer(const llvm::CallBase &CB, const llvm::TargetLibraryInfo &TLI);
/// The pointer that a call frees; null when it frees nothing.
llvm::Value *freedPointer(const llvm::CallBase &CB, const llvm::TargetLibraryInfo &TLI);

/// A function that allocates or releases memory, and may be called through a pointer.
bool managesMemory(const llvm::Function &F);

} // namespace isozyme

#endif
