//===- Markings.cpp - What a module says of its functions -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads attributes and metadata; a malformed one is none.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/KnownRuntimes.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

/// The function that a call calls, behind aliases and casts.
static const Function *calleeOf(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// The function that the \p Operand-th operand of a function's metadata names.
static Function *functionIn(const Function &F, StringRef Kind, unsigned Operand) {
  const MDNode *Node = F.getMetadata(Kind);
  if (!Node || Operand >= Node->getNumOperands())
    return nullptr;
  auto *C = mdconst::dyn_extract_or_null<Constant>(Node->getOperand(Operand));
  return C ? dyn_cast<Function>(C->stripPointerCastsAndAliases()) : nullptr;
}

/// Of a function that starts threads, the mark would be about all that they compute.
bool isMarkedInactive(const Function &F) {
  return F.hasFnAttribute(marking::Inactive) && !runsProgram(F);
}

bool isMarkedInactive(const CallBase &Call) {
  if (Call.getAttributes().hasFnAttr(marking::Inactive) || Call.hasMetadata(marking::Inactive))
    return true;
  const Function *F = calleeOf(Call);
  return F && isMarkedInactive(*F);
}

bool isMarkedInactive(const CallBase &Call, unsigned Arg) {
  if (Call.getAttributes().hasParamAttr(Arg, marking::Inactive))
    return true;
  const Function *F = calleeOf(Call);
  return F && Arg < F->arg_size() && F->getAttributes().hasParamAttr(Arg, marking::Inactive);
}

void setSimplifiedForm(Function &Original, Function *Copy) {
  LLVMContext &C = Original.getContext();
  Original.setMetadata(marking::SimplifiedForm,
                       Copy ? MDNode::get(C, ValueAsMetadata::get(Copy)) : nullptr);
}

const Function &simplifiedForm(const Function &F) {
  const MDNode *Note = F.getMetadata(marking::SimplifiedForm);
  auto *Copy = Note ? mdconst::dyn_extract_or_null<Function>(Note->getOperand(0)) : nullptr;
  return Copy && !Copy->isDeclaration() && Copy->getFunctionType() == F.getFunctionType() ? *Copy
                                                                                          : F;
}

void setPreparedFrom(Function &Clone, Function &Original) {
  Clone.setMetadata(marking::PreparedFrom,
                    MDNode::get(Clone.getContext(),
                                {ValueAsMetadata::get(&Original), ValueAsMetadata::get(&Clone)}));
}

// A copy of a function, such as its derivative, has the metadata, too: it tells whose they are.
const Function &preparedFrom(const Function &F) {
  const MDNode *Note = F.getMetadata(marking::PreparedFrom);
  bool IsOwn = Note && mdconst::dyn_extract_or_null<Function>(Note->getOperand(1)) == &F;
  auto *Original = IsOwn ? mdconst::dyn_extract_or_null<Function>(Note->getOperand(0)) : nullptr;
  return Original ? *Original : F;
}

bool isMadeByIsozyme(const Function &F) {
  return F.hasFnAttribute(marking::Synthesised) || F.hasFnAttribute(marking::Helper) ||
         F.hasFnAttribute(marking::ServesLaterCallers);
}

/// An integer, not a byte, that is a member of a record or an element of an array in one.
static bool isIntegerMember(const Value *Ptr, Type *Stored) {
  auto *GEP = dyn_cast<GEPOperator>(Ptr);
  if (!GEP || !Stored->isIntegerTy() || Stored->isIntegerTy(8) ||
      GEP->getResultElementType() != Stored)
    return false;
  Type *Source = GEP->getSourceElementType();
  while (isa<ArrayType>(Source)) {
    GEP = dyn_cast<GEPOperator>(GEP->getPointerOperand());
    if (!GEP)
      return false;
    Source = GEP->getSourceElementType();
  }
  auto *Record = dyn_cast<StructType>(Source);
  return Record && Record->hasName() && !isUnion(*Record);
}

bool isUnion(const StructType &T) { return T.hasName() && T.getName().starts_with("union."); }

void markStoredNumbers(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (isIntegerMember(Store->getPointerOperand(), Store->getValueOperand()->getType()))
        Store->setMetadata(marking::Number, MDNode::get(F.getContext(), {}));
}

bool isMarkedNumber(const Instruction &I) { return I.hasMetadata(marking::Number); }

void markNumber(Argument &A) { A.addAttr(Attribute::get(A.getContext(), marking::Number)); }

bool isMarkedNumber(const Argument &A) {
  return A.getParent()->getAttributes().hasParamAttr(A.getArgNo(), marking::Number);
}

bool isUnlisted(const CallBase &Call) {
  return Call.isIndirectCall() && Call.getAttributes().hasFnAttr(marking::Unlisted);
}

bool hasInactiveResult(const Value &V) {
  if (auto *A = dyn_cast<Argument>(&V))
    return A->getParent()->getAttributes().hasParamAttr(A->getArgNo(), marking::Inactive);
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return false;
  if (I->hasMetadata("enzyme_inactive_val") || isMarkedInactive(*I))
    return true;
  auto *Call = dyn_cast<CallBase>(I);
  const Function *F = Call ? calleeOf(*Call) : nullptr;
  return Call && (Call->getAttributes().hasRetAttr(marking::Inactive) ||
                  (F && F->getAttributes().hasRetAttr(marking::Inactive)));
}

bool isMarkedInactive(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I); Call && isMarkedInactive(*Call))
    return true;
  return I.hasMetadata(marking::Inactive) || I.hasMetadata("enzyme_inactive_inst");
}

void markInactive(Instruction &I) {
  I.setMetadata(marking::Inactive, MDNode::get(I.getContext(), {}));
}

bool isMarkedActive(const Instruction &I) {
  return I.hasMetadata(marking::Active) || I.hasMetadata("enzyme_active_inst") ||
         I.hasMetadata("enzyme_active_val");
}

// The name of a variable may say it as well.
bool isMarkedInactive(const GlobalVariable &G) {
  return G.hasAttribute(marking::Inactive) || G.getName().contains("enzyme_const");
}

bool isMarkedShouldRecompute(const CallBase &Call) {
  if (Call.getAttributes().hasFnAttr(marking::ShouldRecompute))
    return true;
  const Function *F = calleeOf(Call);
  return F && F->hasFnAttribute(marking::ShouldRecompute);
}

StringRef markedLike(const Function &F) {
  return F.getFnAttribute(marking::Math).getValueAsString();
}

std::optional<AllocationLike> allocationLike(const Function &F) {
  if (!F.hasFnAttribute(marking::Allocator))
    return std::nullopt;
  AllocationLike A;
  if (F.getFnAttribute(marking::Allocator).getValueAsString().getAsInteger(10, A.SizeArg) ||
      A.SizeArg >= F.arg_size() || !F.getReturnType()->isPointerTy())
    return std::nullopt;
  SmallVector<StringRef, 2> Parts;
  F.getFnAttribute(marking::Deallocator).getValueAsString().split(Parts, ',', -1, false);
  for (StringRef Part : Parts) {
    int Number;
    if (Part.trim().getAsInteger(10, Number) || Number < -1 || Number >= int(F.arg_size()))
      return std::nullopt;
    A.FreeArgs.push_back(Number);
  }
  A.Free = functionIn(F, marking::DeallocatorFn, 0);
  return A;
}

Function *shadowRelease(const CallBase &Call) {
  const Function *F = calleeOf(Call);
  return F ? functionIn(*F, marking::ShadowRelease, 0) : nullptr;
}

std::optional<TypeHint> typeHintOf(const Function &F) {
  if (!F.getName().contains("__enzyme_"))
    return std::nullopt;
  for (auto [Text, Hint] : {std::pair("__enzyme_float", TypeHint::Float),
                            {"__enzyme_double", TypeHint::Double},
                            {"__enzyme_integer", TypeHint::Integer},
                            {"__enzyme_pointer", TypeHint::Pointer}})
    if (F.getName().contains(Text))
      return Hint;
  return std::nullopt;
}

CustomRules customRules(const Function &F) {
  CustomRules R;
  R.Augment = functionIn(F, marking::Augment, 0);
  R.Reverse = functionIn(F, marking::Gradient, 0);
  R.Forward = functionIn(F, marking::Derivative, 0);
  R.SplitAugment = functionIn(F, marking::SplitDerivative, 0);
  R.SplitForward = functionIn(F, marking::SplitDerivative, 1);
  // Enzyme's own form: the first half is the one of the gradient.
  if (R.SplitAugment && !R.SplitForward) {
    R.SplitForward = R.SplitAugment;
    R.SplitAugment = R.Augment;
  }
  return R;
}

Launched launchedBy(const Function &F) {
  StringRef Text = F.getFnAttribute(marking::Launcher).getValueAsString();
  unsigned Configuration = 0;
  if (Text.consumeInteger(10, Configuration))
    return {&F};
  const Function *Fn = F.getParent()->getFunction(Text.ltrim());
  return {Fn ? Fn : &F, Configuration};
}

/// The variable that unsimplified code puts a parameter into, and nothing else it does with it.
static const AllocaInst *variableOf(const Argument &A) {
  auto *Store = A.hasOneUse() ? dyn_cast<StoreInst>(*A.user_begin()) : nullptr;
  if (!Store || Store->getValueOperand() != &A)
    return nullptr;
  return dyn_cast<AllocaInst>(Store->getPointerOperand()->stripInBoundsOffsets());
}

void noteStructParts(Function &F) {
  if (F.isDeclaration() || F.hasFnAttribute(marking::Parameters))
    return;
  std::string Text;
  for (unsigned I = 0; I < F.arg_size();) {
    bool InMemory =
        F.hasParamAttribute(I, Attribute::ByVal) || F.hasParamAttribute(I, Attribute::StructRet);
    const AllocaInst *Variable = variableOf(*F.getArg(I));
    if (!Variable && !InMemory)
      return; // Simplified code does not tell.
    unsigned Count = 1;
    while (Variable && I + Count < F.arg_size() && variableOf(*F.getArg(I + Count)) == Variable)
      ++Count;
    Text += (Text.empty() ? "" : " ") + std::to_string(Count);
    I += Count;
  }
  F.addFnAttr(marking::Parameters, Text);
}

unsigned structParts(const Function &F, unsigned Param) {
  StringRef Text = F.getFnAttribute(marking::Parameters).getValueAsString();
  for (unsigned At = 0, Count; !Text.consumeInteger(10, Count); At += Count) {
    if (At == Param)
      return Count;
    Text = Text.ltrim();
  }
  return 0;
}

bool isAboutTheFunction(StringRef Attribute) {
  return Attribute.starts_with("enzyme_") || Attribute.starts_with("isozyme-");
}

void clearMarkings(Function &Copy) {
  StringRef OfItsCode[] = {LentBodyMark, marking::Synthesised};
  for (Attribute A : Copy.getAttributes().getFnAttrs())
    if (A.isStringAttribute() && isAboutTheFunction(A.getKindAsString()) &&
        !is_contained(OfItsCode, A.getKindAsString()))
      Copy.removeFnAttr(A.getKindAsString());
  for (StringRef Kind : {marking::Augment, marking::Gradient, marking::Derivative,
                         marking::SplitDerivative, marking::DeallocatorFn})
    Copy.setMetadata(Kind, nullptr);
}

bool hasMarkedMeaning(const Function &F) {
  CustomRules R = customRules(F);
  return isMarkedInactive(F) || !markedLike(F).empty() || F.hasFnAttribute(marking::Allocator) ||
         R.hasReverse() || R.Forward || R.hasSplitForward();
}

bool isOnlyForReverse(const Function &F) {
  CustomRules R = customRules(F);
  return R.hasReverse() && !R.Forward && !R.hasSplitForward() && !isMarkedInactive(F) &&
         markedLike(F).empty() && !F.hasFnAttribute(marking::Allocator);
}

} // namespace isozyme
