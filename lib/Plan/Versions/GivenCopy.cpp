//===- GivenCopy.cpp - A function that is given what it would read ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Versions/GivenCopy.h"
#include "isozyme/Plan/Versions/ReadReplacer.h"
#include "isozyme/Support/DebugTypes.h"
#include "isozyme/Support/InternalCopy.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

/// Remarks call the parameter what the source calls the word.
static void nameAsInSource(Argument &A, const EntryRead &Read) {
  DISubprogram *In = A.getParent()->getSubprogram();
  if (!In || Read.Name.empty())
    return;
  DIBuilder Debug(*A.getParent()->getParent(), /*AllowUnresolved=*/false, In->getUnit());
  unsigned Bits = A.getParent()->getDataLayout().getTypeSizeInBits(A.getType());
  auto *Type = const_cast<DIType *>(Read.Declared);
  if (A.getType()->isPointerTy() && !pointeeType(Type))
    Type = Debug.createPointerType(nullptr, Bits);
  else if (!Type)
    Type = Debug.createBasicType("int", Bits, dwarf::DW_ATE_signed);
  DILocalVariable *Variable =
      Debug.createAutoVariable(In, Read.Name, In->getFile(), In->getLine(), Type);
  Debug.insertDbgValueIntrinsic(&A, Variable, Debug.createExpression(),
                                DILocation::get(A.getContext(), In->getLine(), 0, In),
                                A.getParent()->getEntryBlock().getFirstNonPHIIt());
}

/// The same function with parameters more.
static Function *withParameters(Function &F, ArrayRef<EntryRead> Reads) {
  SmallVector<Type *, 16> Params(F.getFunctionType()->params());
  for (const EntryRead &Read : Reads)
    Params.push_back(Read.Type);
  auto *T = FunctionType::get(F.getReturnType(), Params, F.isVarArg());
  auto *Copy = Function::Create(T, GlobalValue::InternalLinkage, F.getAddressSpace(),
                                F.getName() + ".given", F.getParent());
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip_first(F.args(), Copy->args())) {
    Map[&Old] = &New;
    New.setName(Old.getName());
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  becomeInternal(*Copy);
  for (auto [N, Read] : enumerate(Reads)) {
    Argument *Word = Copy->getArg(F.arg_size() + N);
    Word->setName(Copy->getArg(Read.Base)->getName() + "." + Twine(Read.Offset));
    nameAsInSource(*Word, Read);
  }
  return Copy;
}

Function *copyThatIsGiven(SmallVectorImpl<EntryRead> &Reads, Function &F) {
  const unsigned Own = F.arg_size();
  while (!Reads.empty()) {
    Function *Copy = withParameters(F, Reads);
    ReadReplacer Replacer(*Copy, Own, Reads);
    Replacer.run();
    unsigned First = 0;
    while (First < Reads.size() && Replacer.isRead(First) && Replacer.isSafe(First))
      ++First;
    if (First == Reads.size())
      return Copy;
    Copy->eraseFromParent();
    // What is behind an address that is not given is not given either.
    SmallVector<bool, 8> Stays(Reads.size());
    SmallVector<unsigned, 8> NewNumber(Reads.size());
    SmallVector<EntryRead, 8> Left;
    for (auto [N, Read] : enumerate(Reads)) {
      Stays[N] =
          Replacer.isRead(N) && Replacer.isSafe(N) && (Read.Base < Own || Stays[Read.Base - Own]);
      NewNumber[N] = Own + Left.size();
      if (!Stays[N])
        continue;
      Left.push_back(Read);
      if (Read.Base >= Own)
        Left.back().Base = NewNumber[Read.Base - Own];
    }
    Reads.assign(Left.begin(), Left.end());
  }
  return nullptr;
}

DiffRequest requestForCopy(const DiffRequest &R, Function &Copy, ArrayRef<EntryRead> Reads) {
  DiffRequest Given = R;
  Given.Fn = &Copy;
  auto append = [](SmallVectorImpl<bool> &Facts, bool Fact) {
    if (!Facts.empty())
      Facts.push_back(Fact);
  };
  for (const EntryRead &Read : Reads) {
    Given.Args.push_back(Read.HasShadow ? ArgActivity::Dup : ArgActivity::Const);
    append(Given.MayOverwrite, true);
    append(Given.Apart, false);
    append(Given.Fresh, false);
    append(Given.Unshared, false);
    if (!Given.Checks.empty())
      Given.Checks.push_back(ShadowCheck::None);
  }
  return Given;
}

} // namespace isozyme
