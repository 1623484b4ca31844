//===- Retarget.cpp - The code of a GPU, for this machine -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address spaces stay: a processor has one memory for all of them, and takes them as such.
// Threads of a block take turns: behind each read of memory that others may write comes the turn of
// the next, so that sums that are not atomic lose what the others have added.
//
//===----------------------------------------------------------------------===//
#include "Retarget.h"
#include "Steps.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace isozyme {

#if defined(__x86_64__)
static constexpr StringLiteral HostLayout =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
#else
static constexpr StringLiteral HostLayout =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32";
#endif

/// The memory of a block, for all `extern __shared__` arrays together.
static constexpr uint64_t LargestShared = 1 << 16;

namespace {
struct Query {
  StringLiteral Intrinsic; ///< Without the dimension.
  StringLiteral Function;  ///< unsigned (unsigned dimension)
};
} // namespace

static constexpr Query Queries[] = {
    {"llvm.nvvm.read.ptx.sreg.tid", "gpu_thread"},
    {"llvm.nvvm.read.ptx.sreg.ctaid", "gpu_block"},
    {"llvm.nvvm.read.ptx.sreg.ntid", "gpu_block_size"},
    {"llvm.nvvm.read.ptx.sreg.nctaid", "gpu_grid_size"},
    {"llvm.amdgcn.workitem.id", "gpu_thread"},
    {"llvm.amdgcn.workgroup.id", "gpu_block"},
};

/// The function of the runtime for \p Call, with the operands in \p Args; "" if there is none.
static StringRef functionFor(CallBase &Call, SmallVectorImpl<Value *> &Args) {
  StringRef Name = Call.getCalledFunction()->getName();
  auto [Base, Dimension] = Name.rsplit('.');
  for (const Query &Q : Queries)
    if (Base == Q.Intrinsic) {
      Args.assign(1, ConstantInt::get(Call.getType(), Dimension[0] - 'x'));
      return Q.Function;
    }
  Args.assign(Call.arg_begin(), Call.arg_end());
  if (Name == "llvm.nvvm.isspacep.local")
    return "gpu_is_local";
  if (Name == "llvm.amdgcn.implicitarg.ptr")
    return "gpu_implicit_arguments";
  if (Name == "llvm.nvvm.exit" || Name == "llvm.amdgcn.endpgm")
    return "gpu_end_thread";
  if (Name == "llvm.nvvm.barrier.cta.sync.count" ||
      Name == "llvm.nvvm.barrier.cta.sync.aligned.count")
    return "gpu_barrier_of";
  if (Name.starts_with("llvm.nvvm.barrier") || Name.starts_with("llvm.amdgcn.s.barrier")) {
    Args.clear();
    return "gpu_barrier";
  }
  return "";
}

/// What has no function is left to the linker, by a name that says what is missing.
static void replaceIntrinsic(CallBase &Call) {
  Function &Callee = *Call.getCalledFunction();
  SmallVector<Value *, 4> Args;
  std::string Name = functionFor(Call, Args).str();
  if (Name.empty()) {
    Name = "gpu_" + Callee.getName().drop_front(strlen("llvm.")).str();
    std::replace(Name.begin(), Name.end(), '.', '_');
  }
  SmallVector<Type *, 4> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  FunctionType *T = FunctionType::get(Call.getType(), Types, false);
  IRBuilder<> B(&Call);
  CallInst *New = B.CreateCall(Callee.getParent()->getOrInsertFunction(Name, T), Args);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

static void replaceIntrinsics(Function &F) {
  SmallVector<CallBase *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && Call->getCalledFunction() &&
        Intrinsic::isTargetIntrinsic(Call->getCalledFunction()->getIntrinsicID()))
      Calls.push_back(Call);
  for (CallBase *Call : Calls)
    replaceIntrinsic(*Call);
}

/// Locals lie on the stack of this machine, whatever the GPU calls theirs.
static void moveLocals(Function &F) {
  SmallVector<AllocaInst *, 8> Locals;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->getAddressSpace() != 0)
      Locals.push_back(A);
  for (AllocaInst *A : Locals) {
    for (User *U : make_early_inc_range(A->users())) // They want the local itself.
      if (auto *Mark = dyn_cast<LifetimeIntrinsic>(U))
        Mark->eraseFromParent();
    IRBuilder<> B(A);
    auto *New =
        B.Insert(new AllocaInst(A->getAllocatedType(), 0, A->getArraySize(), A->getAlign()));
    A->replaceAllUsesWith(B.CreateAddrSpaceCast(New, A->getType()));
    A->eraseFromParent();
  }
}

/// \p T with integers in the place of addresses that have four bytes on the GPU.
static Type *withWords(Type *T, const DataLayout &OfGpu) {
  LLVMContext &C = T->getContext();
  if (T->isPointerTy())
    return OfGpu.getPointerTypeSize(T) == 4 ? Type::getInt32Ty(C) : T;
  if (auto *Array = dyn_cast<ArrayType>(T))
    return ArrayType::get(withWords(Array->getElementType(), OfGpu), Array->getNumElements());
  auto *Record = dyn_cast<StructType>(T);
  if (!Record || Record->isOpaque())
    return T;
  SmallVector<Type *, 8> Members;
  for (Type *Member : Record->elements())
    Members.push_back(withWords(Member, OfGpu));
  return equal(Members, Record->elements()) ? T : StructType::get(C, Members, Record->isPacked());
}

/// AMD's addresses of locals and of the memory of a block have four bytes. So they have in memory
/// here: the program and the stacks of its threads lie in the first four gigabytes.
static void narrowAddresses(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  auto isNarrow = [&](Type *T) { return T->isPointerTy() && withWords(T, DL) != T; };
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    IRBuilder<> B(&I);
    if (auto *Local = dyn_cast<AllocaInst>(&I)) {
      Local->setAllocatedType(withWords(Local->getAllocatedType(), DL));
    } else if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
      Gep->setSourceElementType(withWords(Gep->getSourceElementType(), DL));
      Gep->setResultElementType(withWords(Gep->getResultElementType(), DL));
    } else if (auto *Load = dyn_cast<LoadInst>(&I); Load && isNarrow(I.getType())) {
      Value *Word = B.CreateLoad(B.getInt32Ty(), Load->getPointerOperand());
      I.replaceAllUsesWith(B.CreateIntToPtr(Word, I.getType()));
      I.eraseFromParent();
    } else if (auto *Store = dyn_cast<StoreInst>(&I);
               Store && isNarrow(Store->getValueOperand()->getType())) {
      B.CreateStore(B.CreatePtrToInt(Store->getValueOperand(), B.getInt32Ty()),
                    Store->getPointerOperand());
      I.eraseFromParent();
    }
  }
}

/// Tells of each atomic addition of floats.
static void countAdditions(Function &F) {
  FunctionCallee Count =
      F.getParent()->getOrInsertFunction("gpu_count_addition", Type::getVoidTy(F.getContext()));
  for (Instruction &I : instructions(F))
    if (auto *Add = dyn_cast<AtomicRMWInst>(&I); Add && Add->getOperation() == AtomicRMWInst::FAdd)
      IRBuilder<>(Add).CreateCall(Count);
}

static void takeTurns(Function &F) {
  FunctionCallee Yield =
      F.getParent()->getOrInsertFunction("gpu_yield", Type::getVoidTy(F.getContext()));
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Load = dyn_cast<LoadInst>(&I);
        Load && !isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand())))
      IRBuilder<>(Load->getNextNode()).CreateCall(Yield);
}

/// void gpu_begin_block(): the memory of a block holds anything when it begins.
static void fillShared(Module &M) {
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(M.getContext()), false),
                             GlobalValue::ExternalLinkage, "gpu_begin_block", M);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", F));
  SmallVector<GlobalVariable *, 4> Shared;
  for (GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == 3)
      Shared.push_back(&G);
  GlobalVariable *Whole = nullptr;
  for (GlobalVariable *G : Shared) {
    if (G->isDeclaration()) {
      bool IsFirst = !Whole;
      auto *T = ArrayType::get(B.getInt8Ty(), LargestShared);
      if (IsFirst) {
        Whole = new GlobalVariable(M, T, false, GlobalValue::InternalLinkage, UndefValue::get(T),
                                   "gpu_launch_memory", nullptr, GlobalValue::NotThreadLocal, 3);
        Whole->setAlignment(Align(16));
      }
      G->replaceAllUsesWith(Whole);
      G->eraseFromParent();
      if (!IsFirst)
        continue;
      G = Whole;
    }
    B.CreateMemSet(G, B.getInt8(-1), M.getDataLayout().getTypeAllocSize(G->getValueType()),
                   G->getAlign());
  }
  B.CreateRetVoid();
}

static const Value *addressOf(const Instruction &I) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

/// ThreadSanitizer passes over other address spaces than the first.
void watchRaces(Module &M) {
  Type *Generic = PointerType::get(M.getContext(), 0);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    F.addFnAttr(Attribute::SanitizeThread);
    for (Instruction &I : instructions(F))
      if (const Value *At = addressOf(I); At && At->getType() != Generic)
        for (Use &U : I.operands())
          if (U.get() == At)
            U = IRBuilder<>(&I).CreateAddrSpaceCast(U, Generic);
  }
}

void loseAtomics(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Add = dyn_cast<AtomicRMWInst>(&I); Add && Add->getType()->isFloatingPointTy()) {
        IRBuilder<> B(Add);
        Value *Old = B.CreateLoad(Add->getType(), Add->getPointerOperand());
        Value *New = Add->getValOperand();
        if (Add->getOperation() == AtomicRMWInst::FAdd)
          New = B.CreateFAdd(Old, New);
        B.CreateStore(New, Add->getPointerOperand());
        Add->replaceAllUsesWith(Old);
        Add->eraseFromParent();
      }
}

/// void gpu_kernel_K(void **arguments): runs the kernel K as the host launches it, by the addresses
/// of its arguments.
static void addLaunch(Function &Kernel) {
  Module &M = *Kernel.getParent();
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0);
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr}, false),
                             GlobalValue::ExternalLinkage, "gpu_kernel_" + Kernel.getName(), M);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  SmallVector<Value *, 8> Args;
  for (Argument &A : Kernel.args()) {
    Value *Address = B.CreateLoad(Ptr, B.CreateConstGEP1_32(Ptr, F->getArg(0), A.getArgNo()));
    bool InMemory = A.hasByValAttr() || A.hasByRefAttr();
    Args.push_back(InMemory ? B.CreateAddrSpaceCast(Address, A.getType())
                            : B.CreateLoad(A.getType(), Address));
  }
  B.CreateCall(&Kernel, Args);
  B.CreateRetVoid();
}

void retarget(Module &M) {
  SmallVector<Function *, 8> Kernels;
  for (Function &F : M)
    if (!F.isDeclaration() && isKernel(F))
      Kernels.push_back(&F);
  for (Function &F : M) {
    F.setCallingConv(CallingConv::C);
    F.setVisibility(GlobalValue::DefaultVisibility);
    F.setAttributes(F.getAttributes().removeFnAttribute(M.getContext(), "target-cpu"));
    F.removeFnAttr("target-features");
    F.removeFnAttr("uniform-work-group-size");
    if (F.isDeclaration())
      continue;
    moveLocals(F);
    lowerInlineAsm(F); // The processor has other assembly.
    replaceIntrinsics(F);
    narrowAddresses(F);
    takeTurns(F);
    countAdditions(F);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Call->setCallingConv(CallingConv::C);
  }
  // The host writes to those, and takes arrays to be aligned as it aligns them.
  for (GlobalVariable &G : M.globals())
    if (G.isExternallyInitialized()) {
      G.setConstant(false);
      G.setAlignment(std::max(G.getAlign().valueOrOne(), Align(16)));
    }
  // What the driver of the GPU wants to know.
  for (GlobalVariable &G : make_early_inc_range(M.globals()))
    if (G.getName().starts_with("llvm.") || G.getName().starts_with("__hip_cuid"))
      G.eraseFromParent();
  for (NamedMDNode &Node : make_early_inc_range(M.named_metadata()))
    if (!is_contained({"llvm.dbg.cu", "llvm.module.flags"}, Node.getName()))
      Node.eraseFromParent();
  M.setTargetTriple(llvm::Triple(sys::getDefaultTargetTriple()));
  M.setDataLayout(HostLayout);
  fillShared(M);
  for (Function *Kernel : Kernels)
    addLaunch(*Kernel);
}

} // namespace isozyme
