//===- MarkerCalls.h - Calls such as __enzyme_autodiff(f, ...) ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the calls by which a user asks for derivatives, reads them into a
// DiffRequest with the operands that belong to it, and, once the derivative
// function exists, replaces the call. Everything about Enzyme's calling
// convention is here and in ReplaceCalls.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_MARKERCALLS_H
#define ISOZYME_REQUESTS_MARKERCALLS_H

#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Support/Diagnostics.h"
#include <optional>

namespace llvm {
class CallBase;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

/// The operands that belong to one parameter of the differentiated function.
struct CallArgument {
  llvm::Value *Primal = nullptr; ///< Null: a temporary for an sret primal.
  llvm::SmallVector<llvm::Value *, 2> Shadows;
  llvm::Value *Stride = nullptr; ///< Bytes between the lanes behind Shadows[0], if given.
  bool ByRef = false;            ///< Operands that are not pointers came by address.
  bool SaidConst = false;        ///< The user wrote enzyme_const.
  uint64_t Offset = 0;           ///< And this many bytes behind it.
};

struct MarkerCall {
  llvm::CallBase *Call = nullptr;
  DiffRequest Request;
  llvm::SmallVector<CallArgument, 8> Arguments; ///< One per parameter.
  llvm::Value *ResultBuffer = nullptr;          ///< The call's own sret operand.
  /// Forward mode, result returned by sret: the buffer starts with the primal result
  /// (enzyme_primal_return); a tangent per lane follows.
  bool PrimalInBuffer = false;

  // Split modes.
  /// Asks for the number of bytes of the tape: there are no operands.
  bool SizeOnly = false;
  /// enzyme_allocated: the tape is a value of at most so many bytes, not a pointer.
  std::optional<uint64_t> Allocated;
  llvm::Value *TapeAddress = nullptr; ///< enzyme_tape: the tape lies there.
  /// Forward mode that reads a tape (__enzyme_fwdsplit), and leaves it for another use; or
  /// the first half that makes one, without shadows.
  bool FromRecord = false, KeepRecord = false, Records = false;
  /// Which scalar of the declared struct the caller hands on as the tape, where types alone do not
  /// tell.
  std::optional<unsigned> TapeLeaf;
  bool NoResult = false; ///< enzyme_noret: the tape is all that is wanted.
  /// The operands that make up the seed (empty: 1) and the tape. An ABI may have split a
  /// value into several, or pass its address.
  struct Pieces {
    llvm::SmallVector<llvm::Value *, 2> Values;
    bool InMemory = false;
  } Seed, Tape;
};

/// "argument 2 ('p') of 'f'", as the user counts and names them.
std::string describeParameter(const llvm::Function &F, unsigned Number);

/// Calls that ask for a derivative, in module order.
llvm::SmallVector<llvm::CallBase *, 4> findMarkerCalls(llvm::Module &M);
/// The same with those that are replaced by code beside them: __enzyme_batch and the like.
llvm::SmallVector<llvm::CallBase *, 4> findEntryCalls(llvm::Module &M);

/// An error for each call of a function without body whose name is nearly that of an entry point.
llvm::Error checkEntryNames(llvm::Module &M);

/// Is this a question for the size of a tape, __enzyme_augmentsize?
bool asksForSize(const llvm::CallBase &Call);

/// Reads one call. Checks all that can be checked before differentiation, the
/// declared result type included: after success, and that of checkTape if there is a
/// tape by value, replaceMarkerCall cannot fail.
/// \p Records: a first half leaves its tape to __enzyme_fwdsplit.
llvm::Expected<MarkerCall> parseMarkerCall(llvm::CallBase &Call, bool Records = false);
/// The function that \p Call is about if it calls \p Kind.
llvm::Function *targetOf(const llvm::CallBase &Call, EntryPoint Kind);

/// The tape that \p M hands on by value has type \p Tape (null: it is empty). Is there
/// room for it, and for the rest of the result?
llvm::Error checkTape(const MarkerCall &M, llvm::Type *Tape);
/// Is the member of a struct of pointers that the caller hands on as the tape one that can be it?
llvm::Error checkTapeLeaf(const MarkerCall &M);
/// Warns that the first scalar is taken as the tape, if \p IsUnclear and another one may be it.
void lintTapeLeaf(const MarkerCall &M, bool IsUnclear);
/// To be asked of a call whose tape is read: is a null pointer passed for it?
llvm::Error checkNoNullTape(const MarkerCall &M);

/// Replaces the call by one of \p Derivative and erases it. A derivative with a tape
/// returns it as the last member, or takes it as the last operand. The call of it.
llvm::CallBase &replaceMarkerCall(const MarkerCall &M, llvm::Function &Derivative);
/// Erases a call that nothing uses any more, with what was only there for it.
void eraseMarkerCall(llvm::CallBase &Call);
/// Replaces a call that asks for the size of a tape (null: there is none).
void replaceSizeCall(const MarkerCall &M, llvm::Type *Tape);

/// Erases declarations of entry points and marker globals that nothing uses any more.
void eraseUnusedMarkers(llvm::Module &M);

} // namespace isozyme

#endif
