//===- CopyByValue.cpp - Parameters passed by value own their memory -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  define void @f(ptr byval(%S) align 8 %s)     ; the call makes the copy
// after:   define void @f(ptr align 8 %s)               ; f makes it
//            %s.copy = alloca %S, align 8
//            call void @llvm.memcpy(ptr %s.copy, ptr %s, i64 sizeof(%S))
//
// A derivative takes plain pointers, so that a write to such a parameter would
// reach the caller's variable. And the copy is where the derivative of the
// parameter separates from that of the variable. A function that writes nothing
// needs no copy; one that does may reach the caller's variable in another way,
// or return its result there.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace isozyme {

void copyByValueParameters(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Argument &A : F.args()) {
    Type *T = A.getParamByValType();
    if (!T)
      continue;
    Align Alignment = F.getParamAlign(A.getArgNo()).value_or(DL.getABITypeAlign(T));
    A.removeAttr(Attribute::ByVal);
    if (F.onlyReadsMemory() || A.use_empty())
      continue;
    // These were said of the copy.
    for (Attribute::AttrKind Kind :
         {Attribute::Initializes, Attribute::WriteOnly, Attribute::ReadNone, Attribute::NoAlias,
          Attribute::DeadOnReturn})
      A.removeAttr(Kind);
    AllocaInst *Copy = B.CreateAlloca(T, DL.getAllocaAddrSpace(), nullptr, A.getName() + ".copy");
    Copy->setAlignment(Alignment);
    Value *Own = B.CreateAddrSpaceCast(Copy, A.getType());
    A.replaceAllUsesWith(Own);
    B.CreateMemCpy(Own, Alignment, &A, Alignment, DL.getTypeAllocSize(T).getFixedValue());
  }
}

} // namespace isozyme
