//===- CodeCopy.cpp - A function copied with all that it calls ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: functions as the user has them.  Out: copies without markings, promises and names
// of variables. Never changes what they compute.
//
//===----------------------------------------------------------------------===//
#include "CodeCopy.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/InternalCopy.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// What is not true of a function that makes announcements, or whose callees do.
static void dropPromises(Function &F) {
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::NoFree, Attribute::NoSync, Attribute::WillReturn,
        Attribute::Speculatable, Attribute::AlwaysInline, Attribute::OptimizeNone})
    F.removeFnAttr(K);
  for (Argument &A : F.args())
    for (Attribute::AttrKind K : {Attribute::ReadOnly, Attribute::ReadNone, Attribute::WriteOnly,
                                  Attribute::NoFree, Attribute::Returned})
      A.removeAttr(K);
}

static void dropPromises(CallBase &Call) {
  for (Attribute::AttrKind K : {Attribute::Memory, Attribute::NoFree, Attribute::NoSync,
                                Attribute::WillReturn, Attribute::Speculatable})
    Call.removeFnAttr(K);
  for (unsigned Arg = 0; Arg < Call.arg_size(); ++Arg)
    for (Attribute::AttrKind K : {Attribute::ReadOnly, Attribute::ReadNone, Attribute::WriteOnly,
                                  Attribute::NoFree, Attribute::Returned})
      Call.removeParamAttr(Arg, K);
}

static Function *copyOf(Function &F, StringRef Suffix) {
  Function *Copy = &internalCopyOf(F);
  Copy->setName(F.getName() + Suffix);
  clearMarkings(*Copy);
  // Nobody looks at variables in a copy; lines are enough.
  for (Instruction &I : instructions(*Copy))
    I.dropDbgRecords();
  // What else was noted of the function is not true of its copy.
  DISubprogram *Subprogram = Copy->getSubprogram();
  Copy->clearMetadata();
  Copy->setSubprogram(Subprogram);
  dropPromises(*Copy);
  return Copy;
}

/// The root is called by Isozyme only: with plain pointers.
static void passPlainPointers(Function &Root) {
  for (Argument &A : Root.args())
    for (Attribute::AttrKind K : {Attribute::ByVal, Attribute::StructRet})
      A.removeAttr(K);
}

CodeCopy copyCode(Function &Root, ArrayRef<Function *> Code, StringRef Suffix) {
  MapVector<Function *, Function *> Copies;
  for (Function *Of : Code)
    Copies[Of] = copyOf(*Of, Suffix);
  CodeCopy Result;
  // A root that others call by value as well needs another copy for itself.
  Result.Root = copyOf(Root, Suffix);
  passPlainPointers(*Result.Root);
  Result.All.assign(Copies.begin(), Copies.end());
  Result.All.push_back({&Root, Result.Root});
  for (auto &[Of, Copy] : Result.All)
    for (Instruction &I : instructions(*Copy)) {
      auto *Call = dyn_cast<CallBase>(&I);
      auto *Callee =
          Call ? dyn_cast<Function>(Call->getCalledOperand()->stripPointerCastsAndAliases())
               : nullptr;
      if (!Callee || !Copies.contains(Callee))
        continue;
      Call->setCalledFunction(Copies[Callee]);
      dropPromises(*Call);
    }
  if (Function *Other = Copies[&Root]; Other->use_empty()) {
    erase_if(Result.All, [&](const auto &Pair) { return Pair.second == Other; });
    Other->eraseFromParent();
  }
  return Result;
}

/// Where the callee gets a copy of memory, the caller makes it.
static void spellOut(CallBase &Call) {
  Function &Caller = *Call.getFunction();
  const DataLayout &DL = Caller.getDataLayout();
  for (unsigned Arg = 0; Arg < Call.arg_size(); ++Arg) {
    Type *T = Call.getParamByValType(Arg);
    if (!T)
      continue;
    Align A = Call.getParamAlign(Arg).value_or(DL.getPrefTypeAlign(T));
    auto *Copy = new AllocaInst(T, DL.getAllocaAddrSpace(), nullptr, A, "by.value",
                                Caller.getEntryBlock().getFirstInsertionPt());
    IRBuilder<> B(&Call);
    B.CreateMemCpy(Copy, A, Call.getArgOperand(Arg), Call.getParamAlign(Arg),
                   DL.getTypeAllocSize(T).getFixedValue());
    Call.setArgOperand(Arg, Copy);
    Call.removeParamAttr(Arg, Attribute::ByVal);
  }
}

void spellOutCopies(const CodeCopy &Copy) {
  for (auto &[Of, Made] : Copy.All) {
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : instructions(*Made))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && any_of(Copy.All, [&](auto &Pair) {
                                                 return Pair.second == Call->getCalledOperand();
                                               }))
        Calls.push_back(Call);
    for (CallBase *Call : Calls)
      spellOut(*Call);
  }
  for (auto &[Of, Made] : Copy.All)
    for (Argument &A : Made->args())
      A.removeAttr(Attribute::ByVal);
}

} // namespace isozyme
