//===- ExceptionFlow.h - Exceptions as ordinary control flow ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An exception that is caught inside differentiated code is a way through it like any
// other. In another form of the code this way is visible: a function that throws leaves
// the address of the thrown object in a variable of the thread and returns, and whoever
// has called it looks there:
//
//   invoke void @g(x)                      call void @g(x)
//     to label %go unwind label %pad  ->   %thrown = load ptr, @isozyme.thrown
//                                          br (%thrown == null), label %go, label %pad
//   pad:                                 pad:
//   %p = landingpad ... catch ptr @T       store null, @isozyme.thrown
//                                          %type = call i32 @isozyme.selected(%thrown)
//
// The exception is a real one all the same: helpers (ExceptionRuntime) throw it and catch
// it at once, so that the language's runtime counts it, finds the handler that fits, and
// destroys it.
//
// Only functions that an exception may pass on its way to such a handler get the form.
// What is thrown elsewhere leaves a derivative as it leaves the primal.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_EXCEPTIONFLOW_H
#define ISOZYME_PREPARE_EXCEPTIONFLOW_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class CallBase;
class DominatorTree;
class Function;
class InvokeInst;
class Value;
} // namespace llvm

namespace isozyme {

/// How the other form of the code has what a call throws.
enum class ThrowForm : uint8_t {
  None,    ///< Not at all: the call does not throw, or a real exception passes through.
  Throw,   ///< The call throws: __cxa_throw.
  Flagged, ///< What is called has the other form, too.
  Outside, ///< What is called is not differentiated: a helper calls it, and catches.
};

class ExceptionRuntime;

class ExceptionFlow {
public:
  /// The function that the derivative called by a marker call is one of, or null.
  using MarkerTarget = llvm::function_ref<llvm::Function *(const llvm::CallBase &)>;

  /// \p Reached: all functions with a body that are differentiated.
  ExceptionFlow(llvm::ArrayRef<llvm::Function *> Reached, MarkerTarget Target);

  /// The functions that need the other form; none if no exception is caught.
  llvm::ArrayRef<llvm::Function *> functions() const { return Functions.getArrayRef(); }
  /// May an exception leave \p F, so that its callers have to look?
  bool mayThrow(const llvm::Function &F) const { return Throwing.contains(&F); }
  /// May an object that is thrown hold something that is differentiated?
  bool carriesNumbers() const { return CarriesNumbers; }
  /// \p Call is in \p Of or in a copy of it that calls the same functions.
  ThrowForm formOf(const llvm::CallBase &Call, const llvm::Function &Of, MarkerTarget Target) const;

private:
  /// The calls behind which the function may go on after an exception.
  using CatchingCalls = llvm::DenseSet<const llvm::CallBase *>;

  bool add(llvm::Function &F, MarkerTarget Target, const CatchingCalls &Known);
  ThrowForm formOf(const llvm::CallBase &Call, const llvm::Function &Of, MarkerTarget Target,
                   llvm::function_ref<bool()> IsCatching) const;
  bool mayPassThrough(const llvm::CallBase &Call, MarkerTarget Target) const;

  /// Those that can have the other form.
  llvm::SmallSetVector<llvm::Function *, 16> Able;
  llvm::SetVector<llvm::Function *> Functions;
  /// What is called where an exception may be caught, and what that calls.
  llvm::DenseSet<const llvm::Function *> Protected;
  llvm::DenseSet<const llvm::Function *> Throwing;
  bool CarriesNumbers = false;
};

/// \p Type, a type_info, or the only base of a base of it that is of the standard library; null
/// if there is none.
const llvm::Value *libraryBase(const llvm::Value &Type);
/// May the object that \p Throw, a call of __cxa_throw, throws hold floating-point numbers?
bool mayCarryNumbers(const llvm::CallBase &Throw);

/// Gives \p Clone, a copy of \p Original, the other form. Its calls name originals still.
void lowerExceptions(llvm::Function &Clone, const llvm::Function &Original,
                     const ExceptionFlow &Flow, ExceptionRuntime &Runtime,
                     ExceptionFlow::MarkerTarget Target);

/// What the handlers are called with that control has entered before it comes to \p Call.
llvm::SmallVector<llvm::Value *, 1> handledAround(const llvm::CallBase &Call,
                                                  const llvm::DominatorTree &Tree);

/// Control that enters the landing pad of \p Invoke may come back to normal execution: to a
/// return, or to the same call again.
bool mayResumeNormally(const llvm::InvokeInst &Invoke);

} // namespace isozyme

#endif
