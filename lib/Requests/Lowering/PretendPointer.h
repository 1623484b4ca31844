//===- PretendPointer.h - Accesses that become calls -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to DenseCalls.cpp and PretendPointer.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_REQUESTS_PRETENDPOINTER_H
#define ISOZYME_LIB_REQUESTS_PRETENDPOINTER_H

#include "isozyme/Support/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace isozyme {

/// What stands behind a pointer of __enzyme_todense.
struct DenseSource {
  llvm::Function *Load = nullptr;  ///< T (offset, extras)
  llvm::Function *Store = nullptr; ///< void (T, offset, extras)
  llvm::SmallVector<llvm::Value *, 4> Extras;

  llvm::Type *element() const { return Load->getReturnType(); }
};

/// A version of \p Callee for a pretend pointer as argument \p Number, which takes the
/// offset in its place and, at the end, the extras.
using SpecialVersion = llvm::function_ref<llvm::Expected<llvm::Function *>(
    llvm::Function &Callee, unsigned Number, const DenseSource &Source)>;

/// Rewrites everything that is done with one pointer inside its function.
class PretendPointer {
public:
  PretendPointer(llvm::Instruction &Root, llvm::Value *Offset, const DenseSource &Source,
                 SpecialVersion Version)
      : Root(Root), Source(Source), Version(Version), B(Root.getContext()) {
    Offsets[&Root] = Offset;
  }

  /// Afterwards nothing uses the pointer but calls that ask for a derivative in vain.
  llvm::Error rewrite();

private:
  llvm::Error collect();
  llvm::Error checkUser(llvm::Instruction &User, llvm::Value &Pointer) const;
  llvm::Error checkAccess(llvm::Instruction &Access, llvm::Type *T) const;
  llvm::Error checkJoins() const;
  bool isDerived(const llvm::Value *V) const { return Derived.contains(V); }
  llvm::Value *offsetOf(llvm::Value *Pointer);
  llvm::Value *makeOffset(llvm::Instruction &Pointer);

  llvm::Error rewriteUser(llvm::Instruction &User);
  void rewriteLoad(llvm::LoadInst &I);
  void rewriteStore(llvm::StoreInst &I);
  void rewriteCompare(llvm::ICmpInst &I);
  void rewriteBulk(llvm::AnyMemIntrinsic &I);
  llvm::Error rewriteCall(llvm::CallBase &I);
  llvm::Value *emitLoad(llvm::Type *T, llvm::Value *Offset);
  void emitStore(llvm::Value *V, llvm::Value *Offset);
  llvm::Value *emitCall(llvm::Function &F, llvm::ArrayRef<llvm::Value *> First);
  llvm::Error refuse(const llvm::Instruction &At, const llvm::Twine &What,
                     const llvm::Twine &Fix = "") const;

  llvm::Instruction &Root;
  const DenseSource &Source;
  SpecialVersion Version;
  llvm::IRBuilder<> B;
  llvm::SetVector<llvm::Value *> Derived;     ///< The root, and what is computed from it.
  llvm::SetVector<llvm::Instruction *> Users; ///< What is done with these.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Offsets;
};

/// Can \p V be passed for a parameter of type \p To? Variable arguments have been promoted.
bool canPass(const llvm::Value *V, llvm::Type *To);
llvm::Value *passAs(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Type *To);

} // namespace isozyme

#endif
