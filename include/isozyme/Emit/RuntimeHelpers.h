//===- RuntimeHelpers.h - Small functions that derivatives call --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal functions added to the user's module on first use, so that a program
// needs no run-time library.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_RUNTIMEHELPERS_H
#define ISOZYME_EMIT_RUNTIMEHELPERS_H

#include "isozyme/Plan/ByteRuns.h"
#include "isozyme/Plan/Tape/TapeLayout.h"
#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class AllocaInst;
class CallBase;
class CallInst;
class Function;
class GlobalVariable;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

/// Before the link: keeps LLVM from making other parameters or other bodies of helpers, for those
/// that it calls now. Derivatives that are made at the link find helpers by their names.
void keepHelpers(llvm::Module &M);
/// No more derivatives are made. True if there were such helpers.
bool stopKeepingHelpers(llvm::Module &M);

/// ptr (i64 bytes): fresh memory, never null. When there is none left, prints
/// one line and aborts.
llvm::Function *tapeAllocate(llvm::Module &M);
/// The same, of zeros.
llvm::Function *tapeAllocateZeroed(llvm::Module &M);
/// The alignment of a \p T there: that of malloc, which is less than large vectors want.
llvm::Align tapeAlign(llvm::Type *T, const llvm::DataLayout &DL);
/// Memory for \p Count of what \p Local is one of, aligned as it is: a call whose first
/// operand are the bytes. Released as a tape in memoryOfLocal.
llvm::CallInst *allocateLocal(llvm::IRBuilderBase &B, const llvm::AllocaInst &Local,
                              llvm::Value *Count, TapeMemory Where);
/// How many bytes these are.
llvm::Value *bytesOfLocal(llvm::IRBuilderBase &B, const llvm::AllocaInst &Local,
                          llvm::Value *Count);
/// Where the copy of \p Local lies, of a derivative with its tape in \p Where.
TapeMemory memoryOfLocal(const llvm::AllocaInst &Local, TapeMemory Where);
/// Fresh memory of a tape, never null; not for the stack.
llvm::CallInst *allocateTape(llvm::IRBuilderBase &B, TapeMemory Where, llvm::Value *Bytes,
                             const llvm::Twine &Name = "");
/// Releases what allocateTape, or tapeAllocate, gave.
void releaseTape(llvm::IRBuilderBase &B, llvm::Value *Memory, TapeMemory Where = TapeMemory::Heap);
/// A derivative that may be left begins, and ends: \p Frame is a variable of its own. The
/// result of the first is the operand of the second.
llvm::Value *markMemory(llvm::IRBuilderBase &B, llvm::AllocaInst *Frame);
void unmarkMemory(llvm::IRBuilderBase &B, llvm::Value *Mark);
/// Adds what these call, where \p M calls it.
void linkTapeRuntime(llvm::Module &M);

/// A growable tape is a table of chunks of 16, 32, 64, ... records: nothing is ever
/// copied and addresses stay valid. A null pointer stands behind the last chunk.
llvm::ArrayType *tableType(llvm::LLVMContext &C);
/// ptr (ptr table, i64 iteration, i64 recordBytes): the record, made when new.
llvm::Function *tapeRecordForWriting(llvm::Module &M, TapeMemory Where);
/// ptr (ptr table, i64 iteration, i64 recordBytes): the record, which exists.
llvm::Function *tapeRecord(llvm::Module &M);
/// Does iteration \p I make a chunk, and of how many records?
struct NewChunk {
  llvm::Value *Begins, *Records;
};
NewChunk chunkFrom(llvm::IRBuilderBase &B, llvm::Value *I);
/// void (ptr table): releases the chunks, not the table.
llvm::Function *tapeReleaseChunks(llvm::Module &M, TapeMemory Where);

/// void (ptr dst, ptr src, i64 rows, i64 stride, i64 count), on shadows: for each row
/// of `count` elements, `stride` bytes apart: src[i] += dst[i]; dst[i] = 0. \p Float
/// is the scalar type. \p Shared: the sides that other threads may take from, and add to.
/// \p MayOverlap: source and destination of a memmove do; those of a memcpy are apart, or one.
struct SharedSides {
  bool Destination, Source;
};
llvm::Function *copyAdjoint(llvm::Module &M, llvm::Type *Float, SharedSides Shared,
                            bool MayOverlap);

/// void (ptr dst, ptr src, i64 bytes): the same for the floats of \p Layout, and a memmove of its
/// addresses alone, where the two sides may overlap at a distance that is no multiple of its
/// period.
llvm::Function *moveAdjointRuns(llvm::Module &M, const ByteRuns &Layout, SharedSides Shared);
llvm::Function *moveAddressRuns(llvm::Module &M, const ByteRuns &Layout);

/// The first Bytes of each of Count rows that are Stride bytes apart (i64).
struct ByteRows {
  llvm::Value *Count, *Stride, *Bytes;
};
/// Copies them, as memmove does.
void copyRows(llvm::IRBuilderBase &B, llvm::Value *To, llvm::Value *From, const ByteRows &R);
/// Fills them with zero.
void clearRows(llvm::IRBuilderBase &B, llvm::Value *Memory, const ByteRows &R);

/// void (ptr to, i64 count, ptr lane0, ptr lane1, ...): to[k] = the vector of all lane[k].
llvm::Function *laneCopier(llvm::Module &M, llvm::Type *Element, unsigned Width);
/// The alignment of vectors that are \p Row bytes apart there.
llvm::Align alignOfLanes(uint64_t Row);

/// The smaller of \p Length and the bytes that the block at \p Block has.
llvm::Value *limitToBlock(llvm::IRBuilderBase &B, llvm::Value *Length, llvm::Value *Block);

/// void (ptr p, i64 a, i64 b): what the call \p Free does when its operand \p Freed is
/// p, with its other operands (sizes, alignments, a pool) a and b.
llvm::Function *releaseThunk(llvm::Module &M, const llvm::CallBase &Free, const llvm::Value *Freed);
/// void (ptr p, ptr thunk, i64 a, i64 b): puts p on this thread's list of memory to
/// release; null pointers are left out.
llvm::Function *releaseLater(llvm::Module &M);
/// Puts what \p Free would release on that list, and \p Shadows of it; a shadow that is the memory
/// itself is none. \p Operands: those of the call, as they are here; \p Freed is one of the call's.
void createReleaseLater(llvm::IRBuilderBase &B, const llvm::CallBase &Free,
                        const llvm::Value *Freed, llvm::ArrayRef<llvm::Value *> Operands,
                        llvm::ArrayRef<llvm::Value *> Shadows);
/// A record of words: ptr () makes one, ptr (ptr record) one inside, whose address is
/// written to the record.
llvm::Function *recordNew(llvm::Module &M);
llvm::Function *recordChild(llvm::Module &M);
/// void (ptr record, ptr from, i64 words), and to: the next words.
llvm::Function *recordWrite(llvm::Module &M);
llvm::Function *recordRead(llvm::Module &M);
/// ptr (ptr record, i64 words): room for the next words, to be filled at once; and where
/// the next words to read are, as long as the record.
llvm::Function *recordRoom(llvm::Module &M);
llvm::Function *recordTake(llvm::Module &M);
/// The thunk for memory of allocateLocal.
llvm::Function *releaseLocalThunk(llvm::Module &M);
/// void (ptr record, ptr p, ptr thunk, i64 a, i64 b): p is released with the record.
llvm::Function *recordPutOff(llvm::Module &M);
/// void (ptr record): reading starts again; the record is gone. It may be null.
llvm::Function *recordRewind(llvm::Module &M);
llvm::Function *recordRelease(llvm::Module &M);

/// The head of that list, a thread-local pointer.
llvm::GlobalVariable *releaseList(llvm::Module &M);
/// void (): releases everything on the list.
llvm::Function *releaseAll(llvm::Module &M);

} // namespace isozyme

#endif
