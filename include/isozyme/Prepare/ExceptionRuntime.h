//===- ExceptionRuntime.h - Helpers that throw and catch ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the other form of code with exceptions (ExceptionFlow.h) calls. Each helper is an
// internal function of the module, made when it is first asked for. Names and layouts are
// those of the Itanium C++ ABI (itanium-cxx-abi.github.io/cxx-abi/abi-eh.html).
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_EXCEPTIONRUNTIME_H
#define ISOZYME_PREPARE_EXCEPTIONRUNTIME_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include <map>
#include <vector>

namespace llvm {
class CallBase;
class Constant;
class Function;
class GlobalVariable;
class LandingPadInst;
class Module;
} // namespace llvm

namespace isozyme {

constexpr llvm::StringLiteral ExceptionPersonality = "__gxx_personality_v0";

class ExceptionRuntime {
public:
  /// \p CarriesNumbers: objects that are thrown may hold what is differentiated.
  ExceptionRuntime(llvm::Module &M, bool CarriesNumbers) : M(M), CarriesNumbers(CarriesNumbers) {}

  /// The variable of the thread with the address of what was thrown; else it holds null.
  llvm::GlobalVariable *thrown();
  /// Gives what the variable holds, where it is known not to be null.
  llvm::Value *landed(llvm::IRBuilder<> &B);
  /// Says of what \p F finds in objects that it catches, and of what it calls through these,
  /// that they carry no derivative, if none can.
  void markCaught(llvm::Function &F) const;
  /// `ptr (i64 bytes)`: memory for an object to throw. If that may hold what is differentiated,
  /// the same function makes its shadow, which is never thrown. Objects that were not thrown
  /// are on a list, and the derivative releases them when it returns.
  llvm::Function *allocating();
  /// `void (ptr object)`: releases such memory without its having been thrown.
  llvm::Function *discarding();
  /// `void (ptr object, ptr type, ptr destructor)`: throws, and comes back.
  llvm::Function *throwing();
  /// `i64 (ptr object)`: calls \p Entry, an ExceptionCall::Enter, and returns how many bytes
  /// behind the object that is thrown lies the one that the handler gets.
  llvm::Function *entering(llvm::Function &Entry);
  /// `ptr (arguments of \p Call, ptr result)`: calls what \p Call calls. Returns what that has
  /// thrown, or null. There is no last parameter for a result that is void.
  llvm::Function *calling(const llvm::CallBase &Call);
  /// `i32 (ptr object)`: the number of the first type among the clauses of \p Pad that what was
  /// thrown has; 0 if it has none of them.
  llvm::Function *selecting(const llvm::LandingPadInst &Pad);
  /// `ptr ()`: where a derivative begins; gives the list of the derivative around it.
  llvm::Function *beginning();
  /// `void (ptr list, i1 keep)`: where it has returned; releases shadows of what was thrown,
  /// unless they are to be kept, and goes on with \p list. If something was thrown and not
  /// caught, throws it in earnest.
  llvm::Function *leaving();

  /// The address that the language's runtime knows \p Object by.
  static llvm::Value *headerOf(llvm::IRBuilder<> &B, llvm::Value *Object);

  /// The number that stands for \p Type in the other form. Null, all types, has one, too.
  unsigned numberOf(const llvm::Constant *Type);

private:
  llvm::Function *helper(llvm::StringRef Name, llvm::FunctionType *T);
  llvm::FunctionCallee rethrow();
  llvm::GlobalVariable *threadVariable(llvm::StringRef Name);
  llvm::GlobalVariable *list();
  llvm::Function *unlisting();
  llvm::Function *releasing();

  llvm::Module &M;
  bool CarriesNumbers;
  llvm::Function *Throwing = nullptr, *Allocating = nullptr, *Landed = nullptr;
  llvm::Function *Discarding = nullptr, *Unlisting = nullptr, *Releasing = nullptr;
  llvm::Function *Beginning = nullptr, *Leaving = nullptr;
  llvm::GlobalVariable *Thrown = nullptr, *List = nullptr;
  llvm::DenseMap<const llvm::Constant *, unsigned> Numbers;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> Entering;
  std::map<std::pair<const llvm::Function *, llvm::FunctionType *>, llvm::Function *> Calling;
  std::map<std::vector<const llvm::Constant *>, llvm::Function *> Selecting;
};

} // namespace isozyme

#endif
