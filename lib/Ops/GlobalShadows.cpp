//===- GlobalShadows.cpp - Which global variables have a shadow -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that knows how a global variable says what becomes of its
// derivative. Never: makes a shadow (lib/Emit does), or asks whether one is needed.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

GlobalVariable *explicitShadow(const GlobalVariable &G, unsigned Lane) {
  const MDNode *Node = G.getMetadata(marking::Shadow);
  if (!Node || Lane >= Node->getNumOperands())
    return nullptr;
  auto *C = mdconst::dyn_extract_or_null<Constant>(Node->getOperand(Lane));
  return C ? dyn_cast<GlobalVariable>(C->stripPointerCasts()) : nullptr;
}

GlobalShadow shadowKindOf(const GlobalVariable &G) {
  if (isMarkedInactive(G) || isInactiveRuntimeVariable(G.getName()))
    return GlobalShadow::Inactive;
  if (explicitShadow(G, 0))
    return GlobalShadow::Explicit;
  if (G.isConstant())
    return GlobalShadow::Mirrored;
  return G.isDeclaration() && !isSizedByLaunch(G) ? GlobalShadow::Missing : GlobalShadow::Automatic;
}

bool isSizedByLaunch(const GlobalVariable &G) {
  auto *Array = dyn_cast<ArrayType>(G.getValueType());
  if (!G.isDeclaration() || !Array || Array->getNumElements() != 0)
    return false;
  const Accelerator *Machine = acceleratorOf(*G.getParent());
  return Machine && Machine->sharingOf(G.getAddressSpace()) == MemorySharing::Block;
}

DenseSet<const GlobalVariable *> mentionedGlobals(const Function &F) {
  DenseSet<const GlobalVariable *> Mentioned;
  DenseSet<const Constant *> Seen;
  SmallVector<const Constant *, 16> Work{&F};
  auto Mention = [&](const User &U) {
    for (const Use &Operand : U.operands())
      if (auto *C = dyn_cast<Constant>(Operand.get()); C && !isa<ConstantData>(C))
        Work.push_back(C);
  };
  while (!Work.empty()) {
    const Constant *C = Work.pop_back_val();
    if (!Seen.insert(C).second)
      continue;
    if (auto *Fn = dyn_cast<Function>(C))
      for (const Instruction &I : instructions(Fn))
        Mention(I);
    else
      Mention(*C);
    if (auto *G = dyn_cast<GlobalVariable>(C))
      Mentioned.insert(G);
  }
  return Mentioned;
}

static constexpr StringLiteral LevelAttribute = "isozyme-shadow-level";
static constexpr StringLiteral CompanionAttribute = "isozyme-companion";

void markShadow(GlobalVariable &Shadow, unsigned Level) {
  Shadow.addAttribute(LevelAttribute, std::to_string(Level));
}

static constexpr StringLiteral LaunchShadow = "isozyme.launch.shadow";

void markLaunchShadow(GlobalVariable &Shadow, GlobalVariable &G) {
  Shadow.setMetadata(LaunchShadow, MDNode::get(Shadow.getContext(), ConstantAsMetadata::get(&G)));
}

GlobalVariable *halvedBy(const GlobalVariable &Shadow) {
  const MDNode *Node = Shadow.getMetadata(LaunchShadow);
  return Node ? mdconst::dyn_extract_or_null<GlobalVariable>(Node->getOperand(0)) : nullptr;
}

void markCompanion(GlobalVariable &Companion) { Companion.addAttribute(CompanionAttribute); }

bool isMadeShadow(const GlobalVariable &G) {
  return G.hasAttribute(LevelAttribute) || G.hasAttribute(CompanionAttribute);
}

unsigned shadowLevelFor(const Function &F) {
  unsigned Level = 0;
  if (none_of(F.getParent()->globals(),
              [](const GlobalVariable &G) { return G.hasAttribute(LevelAttribute); }))
    return Level;
  for (const GlobalVariable *G : mentionedGlobals(F)) {
    unsigned Of;
    if (!G->getAttribute(LevelAttribute).getValueAsString().getAsInteger(10, Of))
      Level = std::max(Level, Of + 1);
  }
  return Level;
}

} // namespace isozyme
