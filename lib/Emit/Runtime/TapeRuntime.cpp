//===- TapeRuntime.cpp - Calls of the memory that threads keep for tapes --===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To LLVM, and to a derivative of the derivative, isozyme.tape.push is an allocation and
// isozyme.tape.pop a release, of a family of their own. They are never inlined: what is
// known of memory that an allocation returns (nothing else leads there) is worth more than
// the call costs.
//
// Their bodies (Runtime/tape.c) were compiled to bitcode when Isozyme was built. All files
// of a program, or of a shared library, have them in common.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/EmbeddedBitcode.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Target/TargetModel.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

ISOZYME_EMBED(IsozymeTapeRuntime, ISOZYME_TAPE_BITCODE);

namespace isozyme {

namespace {
/// The functions of the run-time part, and what LLVM and Isozyme take them for.
struct RuntimeFunction {
  enum Kind : uint8_t { Allocates, Releases, IsInactive };
  StringLiteral Name;
  Kind Does;
};
} // namespace

static constexpr RuntimeFunction Push{"isozyme.tape.push", RuntimeFunction::Allocates},
    Pop{"isozyme.tape.pop", RuntimeFunction::Releases},
    Enter{"isozyme.tape.enter", RuntimeFunction::IsInactive},
    Leave{"isozyme.tape.leave", RuntimeFunction::IsInactive};
static constexpr const RuntimeFunction *Functions[] = {&Push, &Pop, &Enter, &Leave};
static constexpr StringLiteral Kept = "isozyme.tape.kept";

/// What the body of a function does not say.
static void describe(Function &F, RuntimeFunction::Kind Does) {
  LLVMContext &C = F.getContext();
  F.setDoesNotThrow();
  F.setWillReturn();
  F.addFnAttr(Attribute::NoInline);
  F.addFnAttr(marking::ServesLaterCallers);
  AllocFnKind Kind = AllocFnKind::Free;
  switch (Does) {
  case RuntimeFunction::IsInactive:
    F.addFnAttr(marking::Inactive);
    return;
  case RuntimeFunction::Allocates:
    F.setOnlyAccessesInaccessibleMemory();
    F.setReturnDoesNotAlias();
    F.addFnAttr(Attribute::getWithAllocSizeArgs(C, 0, std::nullopt));
    Kind = AllocFnKind::Alloc | AllocFnKind::Uninitialized;
    break;
  case RuntimeFunction::Releases:
    F.setOnlyAccessesInaccessibleMemOrArgMem();
    F.addParamAttr(0, Attribute::AllocatedPointer);
    F.addParamAttr(0, Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
    break;
  }
  F.addFnAttr(Attribute::get(C, Attribute::AllocKind, uint64_t(Kind)));
  F.addFnAttr("alloc-family", "isozyme.tape");
  F.addFnAttr(marking::TapeMemory);
}

static FunctionCallee runtimeFunction(IRBuilderBase &B, const RuntimeFunction &R, Type *Result,
                                      Type *Param) {
  Module &M = *B.GetInsertBlock()->getModule();
  bool IsNew = !M.getFunction(R.Name);
  FunctionCallee Callee = M.getOrInsertFunction(R.Name, Result, Param);
  if (IsNew)
    describe(*cast<Function>(Callee.getCallee()), R.Does);
  return Callee;
}

CallInst *allocateTape(IRBuilderBase &B, TapeMemory Where, Value *Bytes, const Twine &Name) {
  assert(Where != TapeMemory::Stack && "a local of the derivative");
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Callee = Where == TapeMemory::Thread
                              ? runtimeFunction(B, Push, B.getPtrTy(), B.getInt64Ty())
                              : FunctionCallee(tapeAllocate(M));
  return B.CreateCall(Callee, {Bytes}, Name);
}

void releaseTape(IRBuilderBase &B, Value *Memory, TapeMemory Where) {
  if (Where == TapeMemory::Thread) {
    B.CreateCall(runtimeFunction(B, Pop, B.getVoidTy(), B.getPtrTy()), {Memory});
    return;
  }
  const TargetRuntime &Target = targetRuntime(*B.GetInsertBlock()->getModule());
  if (Target.releasesTapes())
    Target.release(B, Memory)->addFnAttr(Attribute::get(B.getContext(), marking::TapeMemory));
}

Value *markMemory(IRBuilderBase &B, AllocaInst *Frame) {
  return B.CreateCall(runtimeFunction(B, Enter, B.getPtrTy(), B.getPtrTy()), {Frame}, "tape.mark");
}

void unmarkMemory(IRBuilderBase &B, Value *Mark) {
  B.CreateCall(runtimeFunction(B, Leave, B.getVoidTy(), B.getPtrTy()), {Mark});
}

/// One group: a linker takes all of it from one file.
static void share(Module &Runtime) {
  Comdat *Group = Runtime.getOrInsertComdat(Push.Name);
  for (GlobalObject &G : Runtime.global_objects()) {
    if (G.isDeclaration())
      continue;
    G.setComdat(Group);
    if (G.hasLocalLinkage())
      continue;
    G.setLinkage(GlobalValue::LinkOnceODRLinkage);
    G.setVisibility(GlobalValue::HiddenVisibility);
  }
  for (const RuntimeFunction *R : Functions)
    describe(*Runtime.getFunction(R->Name), R->Does);
}

/// Limits what a thread keeps: to nothing if its end does not release the memory.
static void limitKept(Module &Runtime) {
  GlobalVariable *Limit = Runtime.getNamedGlobal(Kept);
  uint64_t Bytes =
      TargetModel(Runtime).releasesAtThreadExit() ? uint64_t(options().TapeKept) << 20 : 0;
  Limit->setInitializer(ConstantInt::get(Limit->getValueType(), Bytes));
  // Another file may have another number.
  Limit->setLinkage(GlobalValue::LinkOnceAnyLinkage);
}

void linkTapeRuntime(Module &M) {
  if (none_of(Functions, [&](const RuntimeFunction *R) {
        Function *F = M.getFunction(R->Name);
        return F && F->isDeclaration();
      }))
    return;
  Expected<std::unique_ptr<Module>> Runtime = readEmbedded(IsozymeTapeRuntime, M, Layouts::Any);
  if (!Runtime) {
    M.getContext().emitError("memory of tapes: " + toString(Runtime.takeError()));
    return;
  }
  share(**Runtime);
  limitKept(**Runtime);
  if (Linker::linkModules(M, std::move(*Runtime))) {
    M.getContext().emitError("memory of tapes: the run-time part cannot be linked");
    return;
  }
  // A link-time optimiser would make them its module's own; another module brings others. The
  // variables share the fate of their group.
  for (const RuntimeFunction *R : Functions)
    appendToUsed(M, {M.getFunction(R->Name)});
}

} // namespace isozyme
