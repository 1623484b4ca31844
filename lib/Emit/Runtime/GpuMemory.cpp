//===- GpuMemory.cpp - Derivatives of copies to and from a GPU ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host cannot add to memory of the GPU. So the reverse of a copy fetches both shadows, adds one
// to the other, and puts both back:
//
//   taken = to';  added = from';  added += taken;  taken = 0;  from' = added;  to' = taken
//
// It waits until the GPU has done all work: a copy of the program may be ordered by streams, which
// are not gone through backwards. Memory that is its own shadow has none.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/GpuMemory.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Target/GpuRuntime.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// One of the functions that are registered for a transfer.
class TransferRule {
public:
  TransferRule(Function &Rule, Function &Transfer, bool IsCopy);

  void emitAugmented() { B.CreateRet(run()); }
  void emitReverse(Type *Number);
  void emitForward();

private:
  /// What both sides of the copy are.
  struct Side {
    Value *Memory, *Shadow, *OnGpu;
  };

  Side to() { return {Args[0], Shadows[0], isCopy() ? onGpu(1) : B.getTrue()}; }
  Side from() { return {Args[1], Shadows[1], onGpu(2)}; }
  bool isCopy() const { return IsCopy; }
  /// Is the side with this bit of the kind memory of the GPU?
  Value *onGpu(unsigned Bit) {
    return B.CreateIsNotNull(B.CreateAnd(Args[3], B.getIntN(widthOfKind(), Bit)));
  }
  unsigned widthOfKind() const { return Args[3]->getType()->getIntegerBitWidth(); }
  Value *run() { return B.CreateCall(&Transfer, Args); }
  Value *sized(Side S) { // Nothing is done to memory that is its own shadow.
    return B.CreateSelect(B.CreateICmpEQ(S.Memory, S.Shadow),
                          ConstantInt::get(Args[2]->getType(), 0), Args[2]);
  }
  void wait();
  void call(StringRef What, ArrayRef<Value *> Operands);
  Value *kind(Value *OnGpu, GpuCopy Wanted);
  void fetch(Value *Block, Side S, Value *Bytes);
  void put(Value *Block, Side S, Value *Bytes);
  void clear(Side S, Value *Bytes);

  Module &M;
  Function &Transfer;
  bool IsCopy;
  IRBuilder<> B;
  SmallVector<Value *, 5> Args, Shadows; ///< The second has what is no pointer itself.
};

} // namespace

TransferRule::TransferRule(Function &Rule, Function &Transfer, bool IsCopy)
    : M(*Rule.getParent()), Transfer(Transfer), IsCopy(IsCopy),
      B(BasicBlock::Create(M.getContext(), "entry", &Rule)) {
  unsigned Next = 0;
  for (Type *T : Transfer.getFunctionType()->params()) {
    Args.push_back(Rule.getArg(Next++));
    Shadows.push_back(T->isPointerTy() ? Rule.getArg(Next++) : Args.back());
  }
}

void TransferRule::call(StringRef What, ArrayRef<Value *> Operands) {
  SmallVector<Type *, 4> Types;
  for (Value *V : Operands)
    Types.push_back(V->getType());
  FunctionType *T = FunctionType::get(Transfer.getReturnType(), Types, false);
  B.CreateCall(M.getOrInsertFunction(gpuFunction(Transfer)->sibling(What), T), Operands);
}

void TransferRule::wait() { call("DeviceSynchronize", {}); }

/// The kind of a copy between the host and a side; the run time finds out itself what the program
/// has left to it.
Value *TransferRule::kind(Value *OnGpu, GpuCopy Wanted) {
  auto number = [&](GpuCopy Kind) { return B.getIntN(widthOfKind(), unsigned(Kind)); };
  Value *Known = B.CreateSelect(OnGpu, number(Wanted), number(GpuCopy::HostToHost));
  Value *Either = B.CreateICmpEQ(Args[3], number(GpuCopy::EitherWay));
  return B.CreateSelect(Either, number(GpuCopy::EitherWay), Known);
}

void TransferRule::fetch(Value *Block, Side S, Value *Bytes) {
  call("Memcpy", {Block, S.Shadow, Bytes, kind(S.OnGpu, GpuCopy::DeviceToHost)});
}

void TransferRule::put(Value *Block, Side S, Value *Bytes) {
  call("Memcpy", {S.Shadow, Block, Bytes, kind(S.OnGpu, GpuCopy::HostToDevice)});
}

void TransferRule::clear(Side S, Value *Bytes) {
  const TargetRuntime &Host = targetRuntime(M);
  Value *Zeros = Host.allocateZeroed(B, Bytes, "zeros");
  put(Zeros, S, Bytes);
  Host.release(B, Zeros);
}

void TransferRule::emitReverse(Type *Number) {
  wait();
  Value *Bytes = sized(to());
  if (!IsCopy) {
    call("Memset", {Shadows[0], ConstantInt::get(Args[1]->getType(), 0), Bytes});
    wait();
    B.CreateRetVoid();
    return;
  }
  const TargetRuntime &Host = targetRuntime(M);
  Value *Added = B.CreateSelect(B.CreateICmpEQ(Args[1], Shadows[1]),
                                ConstantInt::get(Bytes->getType(), 0), Bytes);
  Value *Taken = Host.allocate(B, Bytes, "taken"), *Sum = Host.allocate(B, Bytes, "sum");
  fetch(Taken, to(), Bytes);
  clear(to(), Bytes);
  fetch(Sum, from(), Added);
  Value *Count = B.CreateUDiv(B.CreateZExtOrTrunc(Added, B.getInt64Ty()),
                              B.getInt64(M.getDataLayout().getTypeAllocSize(Number)));
  B.CreateCall(copyAdjoint(M, Number, {}, /*MayOverlap=*/false),
               {Taken, Sum, B.getInt64(1), B.getInt64(0), Count});
  put(Sum, from(), Added);
  Host.release(B, Taken);
  Host.release(B, Sum);
  B.CreateRetVoid();
}

void TransferRule::emitForward() {
  Value *Result = run();
  wait();
  Value *Bytes = sized(to());
  if (!IsCopy) {
    call("Memset", {Shadows[0], ConstantInt::get(Args[1]->getType(), 0), Bytes});
  } else {
    Value *None = ConstantInt::get(Bytes->getType(), 0);
    Value *Constant = B.CreateICmpEQ(Args[1], Shadows[1]);
    clear(to(), B.CreateSelect(Constant, Bytes, None));
    call("Memcpy", {Shadows[0], Shadows[1], B.CreateSelect(Constant, None, Bytes), Args[3]});
  }
  B.CreateRet(Result);
}

/// The type of number at the end of a name.
static Type *numberIn(StringRef Name, LLVMContext &C) {
  for (Type *T :
       {Type::getDoubleTy(C), Type::getFloatTy(C), Type::getHalfTy(C), Type::getBFloatTy(C)}) {
    std::string Text;
    raw_string_ostream(Text) << '.' << *T;
    if (Name.ends_with(Text))
      return T;
  }
  return nullptr;
}

void emitGpuTransfers(Module &M) {
  SmallVector<Function *, 4> Known;
  for (Function &F : M)
    if (F.hasFnAttribute(marking::GpuTransfer))
      Known.push_back(&F);
  for (Function *F : Known) {
    Function &Transfer = *M.getFunction(F->getFnAttribute(marking::GpuTransfer).getValueAsString());
    Type *Number = numberIn(F->getName(), M.getContext());
    CustomRules Rules = customRules(*F);
    TransferRule(*Rules.Augment, Transfer, Number).emitAugmented();
    TransferRule(*Rules.Reverse, Transfer, Number).emitReverse(Number);
    TransferRule(*Rules.Forward, Transfer, Number).emitForward();
    for (Function *Rule : {Rules.Augment, Rules.Reverse, Rules.Forward})
      becomeInternal(*Rule);
    if (F->use_empty())
      F->eraseFromParent();
  }
}

} // namespace isozyme
