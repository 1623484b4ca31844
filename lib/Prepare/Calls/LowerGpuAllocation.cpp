//===- LowerGpuAllocation.cpp - Memory of a GPU ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   cudaMalloc(a, n)  ->  q = isozyme.gpu.allocate.cuda(n);  *a = q;  q ? 0 :
//   cudaErrorMemoryAllocation cudaFree(p)       ->  the same call, as one that releases memory;  0
//
// The function returns memory of the GPU that is filled with zeros, as a shadow has to be: the host
// cannot do that.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/GpuRuntime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// Of cudaErrorMemoryAllocation and hipErrorOutOfMemory.
constexpr unsigned ErrorNoMemory = 2;

static Attribute allocationKind(LLVMContext &C, AllocFnKind Kind) {
  return Attribute::get(C, Attribute::AllocKind, uint64_t(Kind));
}

static void describe(Function &F) {
  LLVMContext &C = F.getContext();
  F.setDoesNotThrow();
  F.setReturnDoesNotAlias();
  F.addFnAttr(Attribute::NoInline);
  F.addFnAttr(marking::ServesLaterCallers);
  F.addFnAttr(Attribute::getWithAllocSizeArgs(C, 0, std::nullopt));
  F.addFnAttr(allocationKind(C, AllocFnKind::Alloc | AllocFnKind::Zeroed));
  F.addFnAttr("alloc-family", F.getName());
}

/// ptr @isozyme.gpu.allocate.cuda(i64 %bytes): null where there is no memory.
static Function *allocator(Function &Malloc, const GpuFunction &Known) {
  Module &M = *Malloc.getParent();
  LLVMContext &C = M.getContext();
  Type *Size = Malloc.getFunctionType()->getParamType(1);
  Type *Ptr = PointerType::get(C, 0), *Result = Malloc.getReturnType();
  std::string Name = ("isozyme.gpu.allocate." + Known.Runtime).str();
  if (Function *F = M.getFunction(Name))
    return F;
  auto *F = Function::Create(FunctionType::get(Ptr, {Size}, false), GlobalValue::InternalLinkage,
                             Name, M);
  describe(*F);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Made = BasicBlock::Create(C, "made", F),
             *Failed = BasicBlock::Create(C, "failed", F);
  IRBuilder<> B(Entry);
  AllocaInst *Slot = B.CreateAlloca(Ptr);
  CallInst *Call = B.CreateCall(&Malloc, {Slot, F->getArg(0)});
  B.CreateCondBr(B.CreateIsNull(Call), Made, Failed);
  B.SetInsertPoint(Made);
  Value *Memory = B.CreateLoad(Ptr, Slot);
  FunctionCallee Set =
      M.getOrInsertFunction(Known.sibling("Memset"), Result, Ptr, B.getInt32Ty(), Size);
  B.CreateCall(Set, {Memory, B.getInt32(0), F->getArg(0)});
  B.CreateRet(Memory);
  B.SetInsertPoint(Failed);
  B.CreateRet(Constant::getNullValue(Ptr));
  return F;
}

void lowerGpuAllocation(CallInst &Call) {
  Function *Callee = Call.getCalledFunction();
  std::optional<GpuFunction> Known = Callee ? gpuFunction(*Callee) : std::nullopt;
  if (!Known || !Callee->isDeclaration() || Callee->getFunctionType() != Call.getFunctionType() ||
      !Call.getType()->isIntegerTy() || !Call.arg_size() ||
      !Call.getArgOperand(0)->getType()->isPointerTy())
    return;
  LLVMContext &C = Call.getContext();
  Constant *Success = Constant::getNullValue(Call.getType());
  if (Known->What == "Malloc" && Call.arg_size() == 2 &&
      Call.getArgOperand(1)->getType()->isIntegerTy()) {
    IRBuilder<> B(&Call);
    CallInst *New = B.CreateCall(allocator(*Callee, *Known), {Call.getArgOperand(1)}, "memory");
    B.CreateStore(New, Call.getArgOperand(0));
    Call.replaceAllUsesWith(B.CreateSelect(
        B.CreateIsNull(New, "failed"), ConstantInt::get(Call.getType(), ErrorNoMemory), Success));
    Call.eraseFromParent();
  } else if (Known->What == "Free" && Call.arg_size() == 1) {
    Call.replaceAllUsesWith(Success);
    Call.addFnAttr(allocationKind(C, AllocFnKind::Free));
    Call.addFnAttr(
        Attribute::get(C, "alloc-family", ("isozyme.gpu.allocate." + Known->Runtime).str()));
    Call.addParamAttr(0, Attribute::AllocatedPointer);
  }
}

} // namespace isozyme
