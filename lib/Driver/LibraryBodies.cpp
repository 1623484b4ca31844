//===- LibraryBodies.cpp - Bodies of functions in shared libraries --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/LibraryBodies.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/EmbeddedBitcode.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Support/UnusedFunctions.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

ISOZYME_EMBED(IsozymeContainers, ISOZYME_CONTAINERS_BITCODE);
ISOZYME_EMBED(IsozymeFortran, ISOZYME_FORTRAN_BITCODE);

namespace isozyme {

/// What a lent body calls by such a name is the function whose place it takes.
static constexpr StringLiteral PlainName = "isozyme_plain";

/// What the user says of a function is worth more than its body.
static bool wantsBody(const Function *F) {
  return F && F->isDeclaration() && !F->use_empty() && !hasMarkedMeaning(*F);
}

static bool callsFortran(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.isDeclaration() && F.getName().starts_with("_FortranA");
  });
}

LibraryBodies::LibraryBodies(Module &M, FunctionAnalysisManager &FAM) : FAM(FAM) {
  lend(IsozymeContainers, M);
  if (!callsFortran(M))
    return;
  lend(IsozymeFortran, M);
  Fortran.emplace(M, FAM, Lent);
}

/// Links what \p M declares and \p Bitcode has a body of.
void LibraryBodies::lend(StringRef Bitcode, Module &M) {
  Expected<std::unique_ptr<Module>> Library = readEmbedded(Bitcode, M);
  if (!Library) {
    M.getContext().emitError("library bodies: " + toString(Library.takeError()));
    return;
  }
  if (!*Library) // For another processor.
    return;
  SmallVector<std::string, 8> Names;
  SmallVector<AttributeList, 8> Attributes;
  for (Function &F : **Library)
    if (F.isDeclaration() || F.hasLocalLinkage() || F.hasLinkOnceODRLinkage())
      continue;
    else if (const Function *Declaration = M.getFunction(F.getName()); wantsBody(Declaration)) {
      Names.push_back(F.getName().str());
      Attributes.push_back(Declaration->getAttributes());
    } else
      F.deleteBody();
  if (Names.empty())
    return;
  DenseSet<const Function *> Before;
  for (const Function &F : M)
    Before.insert(&F);
  if (Linker::linkModules(M, std::move(*Library), Linker::LinkOnlyNeeded)) {
    M.getContext().emitError("library bodies: they cannot be linked");
    return;
  }
  for (auto [Name, Known] : zip_equal(Names, Attributes)) {
    Lent.push_back(M.getFunction(Name));
    Lent.back()->addFnAttr(LentBodyMark);
    Declared[Lent.back()] = Known;
  }
  for (Function &F : M) {
    if (F.getName().starts_with(PlainName))
      F.addFnAttr(marking::Inactive);
    if (Before.contains(&F) || F.isDeclaration())
      continue;
    becomeInternal(F);
    F.addFnAttr(LentBodyMark);
    Helpers.insert(&F);
  }
}

LibraryBodies::~LibraryBodies() {
  if (Fortran)
    Helpers.insert_range(Fortran->helpers());
  Fortran.reset();
  for (Function *F : Lent) {
    FAM.clear(*F, F->getName());
    F->deleteBody();
    F->setAttributes(Declared[F]);
    F->setDSOLocal(false);
    if (Function *Plain = F->getParent()->getFunction((PlainName + F->getName()).str())) {
      Plain->replaceAllUsesWith(F);
      Plain->eraseFromParent();
    }
  }
  eraseUnused(std::move(Helpers), FAM);
}

} // namespace isozyme
