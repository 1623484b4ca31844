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

void nameAsInSource(Argument &A, StringRef Name, const DIType *Declared) {
  DISubprogram *In = A.getParent()->getSubprogram();
  if (!In || Name.empty())
    return;
  DIBuilder Debug(*A.getParent()->getParent(), /*AllowUnresolved=*/false, In->getUnit());
  unsigned Bits = A.getParent()->getDataLayout().getTypeSizeInBits(A.getType());
  auto *Type = const_cast<DIType *>(Declared);
  if (A.getType()->isPointerTy() && !pointeeType(Type))
    Type = Debug.createPointerType(nullptr, Bits);
  else if (!Type)
    Type = Debug.createBasicType("int", Bits, dwarf::DW_ATE_signed);
  DILocalVariable *Variable =
      Debug.createAutoVariable(In, Name, In->getFile(), In->getLine(), Type);
  Debug.insertDbgValueIntrinsic(&A, Variable, Debug.createExpression(),
                                DILocation::get(A.getContext(), In->getLine(), 0, In),
                                A.getParent()->getEntryBlock().getFirstNonPHIIt());
}

Function *copyWithParameters(Function &F, ArrayRef<Type *> Given, const Twine &Name,
                             ValueToValueMapTy &Map) {
  SmallVector<Type *, 16> Params(F.getFunctionType()->params());
  append_range(Params, Given);
  auto *T = FunctionType::get(F.getReturnType(), Params, F.isVarArg());
  auto *Copy =
      Function::Create(T, GlobalValue::InternalLinkage, F.getAddressSpace(), Name, F.getParent());
  for (auto [Old, New] : zip_first(F.args(), Copy->args())) {
    Map[&Old] = &New;
    New.setName(Old.getName());
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  becomeInternal(*Copy);
  return Copy;
}

/// The same function with parameters for \p Reads.
static Function *withParameters(Function &F, ArrayRef<EntryRead> Reads) {
  SmallVector<Type *, 8> Given;
  for (const EntryRead &Read : Reads)
    Given.push_back(Read.Type);
  ValueToValueMapTy Map;
  Function *Copy = copyWithParameters(F, Given, F.getName() + ".given", Map);
  for (auto [N, Read] : enumerate(Reads)) {
    Argument *Word = Copy->getArg(F.arg_size() + N);
    Word->setName(Copy->getArg(Read.Base)->getName() + "." + Twine(Read.Offset));
    nameAsInSource(*Word, Read.Name, Read.Declared);
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

void addParameter(DiffRequest &R, ArgActivity Activity) {
  auto append = [](SmallVectorImpl<bool> &Facts, bool Fact) {
    if (!Facts.empty())
      Facts.push_back(Fact);
  };
  R.Args.push_back(Activity);
  append(R.MayOverwrite, true);
  append(R.Apart, false);
  append(R.Fresh, false);
  append(R.Steady, false);
  append(R.Own, false);
  append(R.Unshared, false);
  append(R.Common, false);
  if (!R.Checks.empty())
    R.Checks.push_back(ShadowCheck::None);
}

DiffRequest requestForCopy(const DiffRequest &R, Function &Copy, ArrayRef<EntryRead> Reads) {
  DiffRequest Given = R;
  Given.Fn = &Copy;
  for (const EntryRead &Read : Reads)
    addParameter(Given, Read.HasShadow ? ArgActivity::Dup : ArgActivity::Const);
  return Given;
}

} // namespace isozyme
