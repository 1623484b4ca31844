//===- AccessScopes.cpp - Tells LLVM which accesses never meet ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AccessScopes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace isozyme {

static StringRef nameOf(const ShadowScope &S) {
  switch (S.K) {
  case ShadowScope::Given:
    return "shadows";
  case ShadowScope::Found:
    return "shadows found in memory";
  case ShadowScope::Written:
  case ShadowScope::OwnMemory:
    return S.Object->getName();
  }
  llvm_unreachable("complete switch");
}

MDNode *AccessScopes::list(const BitVector &Which, bool WithTape) {
  SmallVector<Metadata *, 4> Members;
  for (unsigned Scope : Which.set_bits())
    Members.push_back(Shadows[Scope]);
  if (WithTape)
    Members.push_back(Tape);
  return Members.empty() ? nullptr : MDNode::get(Fn.getContext(), Members);
}

void AccessScopes::make() {
  if (Tape)
    return;
  MDBuilder MDB(Fn.getContext());
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain(Fn.getName());
  for (const ShadowScope &S : Plan.scopes())
    Shadows.push_back(MDB.createAnonymousAliasScope(Domain, nameOf(S)));
  Tape = MDB.createAnonymousAliasScope(Domain, "tape");
  BitVector None(Shadows.size()), All(Shadows.size(), true);
  OnTape = list(None, true);
  InShadows = list(All, false);
  InBoth = list(All, true);
}

/// An inlined `restrict` may have left scopes of its own.
void AccessScopes::mark(Instruction *Access, MDNode *In, MDNode *Apart) {
  auto add = [&](unsigned Kind, MDNode *More) {
    if (More)
      Access->setMetadata(Kind, MDNode::concatenate(Access->getMetadata(Kind), More));
  };
  add(LLVMContext::MD_alias_scope, In);
  add(LLVMContext::MD_noalias, Apart);
}

void AccessScopes::shadow(Instruction *Access, const Instruction &Primal) {
  const ScopesOfAccess *Known = Plan.of(Primal);
  if (!Known)
    return;
  make();
  mark(Access, list(Known->In, false), list(Known->Apart, true));
}

void AccessScopes::tape(Instruction *Access) {
  if (!Plan.areKnown())
    return;
  make();
  mark(Access, OnTape, InShadows);
}

void AccessScopes::primal(Instruction *Access) {
  if (!Plan.areKnown() || !isa<LoadInst, StoreInst>(Access))
    return;
  make();
  mark(Access, nullptr, InBoth);
}

void AccessScopes::declare() {
  if (!Tape)
    return;
  BasicBlock &Entry = Fn.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Metadata *Scope : Shadows)
    B.CreateNoAliasScopeDeclaration(MDNode::get(Fn.getContext(), Scope));
  B.CreateNoAliasScopeDeclaration(OnTape);
}

} // namespace isozyme
