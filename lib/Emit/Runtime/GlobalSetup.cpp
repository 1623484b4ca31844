//===- GlobalSetup.cpp - Shadows of global variables at the start ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A derivative is that of one call, whatever earlier calls have left behind:
//
//   memset(g.shadow, 0, sizeof g)
//   for each address in g:  g.shadow[i] = its translation
//
// A translation compares with the extents of all variables that the derivative
// touches and whose address is taken somewhere: pointers that the program swaps between
// two buffers are found again.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/GlobalSetup.h"
#include "OwnShadow.h"
#include "isozyme/Emit/LaunchShadows.h"
#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Transforms/Utils/GlobalStatus.h"

using namespace llvm;

namespace isozyme {

namespace {
class GlobalSetup {
public:
  GlobalSetup(Function &Derivative, ArrayRef<GlobalVariable *> Globals, ShadowIndex Index)
      : M(*Derivative.getParent()), DL(M.getDataLayout()), Globals(Globals), Index(Index),
        B(M.getContext()) {}

  Function *make(const Twine &Name);

private:
  Value *addressOf(GlobalVariable &G) {
    return G.isThreadLocal() ? B.CreateThreadLocalAddress(&G) : static_cast<Value *>(&G);
  }
  bool isOfBlock(const GlobalVariable &G) const;
  void clearTogether(ArrayRef<GlobalVariable *> OfBlock);
  Value *distance(Value *Pointer, GlobalVariable &From);
  Value *translated(Value *Pointer);
  Value *mayBeAddress(Value *Pointer);
  void setAddresses(Type *T, Value *Primal, Value *Shadow);
  void eachElement(ArrayType *T, Value *Primal, Value *Shadow);

  Module &M;
  const DataLayout &DL;
  ArrayRef<GlobalVariable *> Globals;
  ShadowIndex Index;
  IRBuilder<> B;
  bool InUnion = false;
};
} // namespace

/// Is there code, here or in another file, that may let a pointer variable point to \p G?
static bool hasAddressTaken(const GlobalVariable &G) {
  GlobalStatus Uses;
  return !G.hasLocalLinkage() || GlobalStatus::analyzeGlobal(&G, Uses);
}

/// Variables of this file that a pointer to numbers may point to and that have no shadow
/// here.
static SmallVector<GlobalVariable *, 8> strangers(Module &M, ArrayRef<GlobalVariable *> Known) {
  SmallVector<GlobalVariable *, 8> Others;
  for (GlobalVariable &G : M.globals())
    if (!is_contained(Known, &G) && !G.isThreadLocal() && !G.getName().starts_with("llvm.") &&
        G.getValueType()->isSized() &&
        (isFloatLike(G.getValueType()) || containsPointer(G.getValueType())) && hasAddressTaken(G))
      Others.push_back(&G);
  return Others;
}

Value *GlobalSetup::distance(Value *Pointer, GlobalVariable &From) {
  Type *T = DL.getIntPtrType(Pointer->getType());
  return B.CreateSub(B.CreatePtrToInt(Pointer, T), B.CreatePtrToInt(addressOf(From), T));
}

/// Some keep numbers where they declare addresses, by a union or by memcpy. A double that looks
/// like an address is next to zero; a float in a union, beside which there are zeros, looks like
/// a low one.
Value *GlobalSetup::mayBeAddress(Value *Pointer) {
  Type *T = DL.getIntPtrType(Pointer->getType());
  if (T->getIntegerBitWidth() != 64)
    return B.getTrue();
  const uint64_t FloatEnd = InUnion ? uint64_t(1) << 32 : 0, SmallestNormal = uint64_t(1) << 52;
  Value *FromEnd = B.CreateSub(B.CreatePtrToInt(Pointer, T), ConstantInt::get(T, FloatEnd));
  return B.CreateICmpULT(FromEnd, ConstantInt::get(T, SmallestNormal - FloatEnd));
}

/// One past the end counts as inside (a stack that grows downwards begins there), unless
/// another variable begins there.
Value *GlobalSetup::translated(Value *Pointer) {
  constexpr size_t MostStrangers = 64;
  SmallVector<GlobalVariable *, 8> Others = strangers(M, Globals);
  Value *Result = B.CreateSelect(mayBeAddress(Pointer), Pointer,
                                 ConstantPointerNull::get(cast<PointerType>(Pointer->getType())));
  for (bool AtEnd : {true, false}) {
    if (AtEnd && Others.size() > MostStrangers)
      continue;
    for (GlobalVariable *G : Globals) {
      if (G->getAddressSpace() != Pointer->getType()->getPointerAddressSpace() ||
          !hasAddressTaken(*G))
        continue;
      Value *Bytes = distance(Pointer, *G);
      Value *Size = ConstantInt::get(Bytes->getType(), DL.getTypeAllocSize(G->getValueType()));
      Value *Inside = AtEnd ? B.CreateICmpEQ(Bytes, Size) : B.CreateICmpULT(Bytes, Size);
      Value *There = B.CreateGEP(B.getInt8Ty(), addressOf(*automaticShadow(*G, Index)), {Bytes});
      Result = B.CreateSelect(Inside, There, Result);
    }
    for (GlobalVariable *G : Others)
      if (AtEnd && G->getType() == Pointer->getType())
        Result = B.CreateSelect(B.CreateICmpEQ(Pointer, G), Pointer, Result);
  }
  return Result;
}

void GlobalSetup::eachElement(ArrayType *T, Value *Primal, Value *Shadow) {
  if (T->getNumElements() == 0)
    return;
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Before = B.GetInsertBlock();
  auto *Loop = BasicBlock::Create(M.getContext(), "element", F);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "i");
  I->addIncoming(B.getInt64(0), Before);
  Type *E = T->getElementType();
  setAddresses(E, B.CreateInBoundsGEP(E, Primal, {I}), B.CreateInBoundsGEP(E, Shadow, {I}));
  Value *Next = B.CreateAdd(I, B.getInt64(1));
  I->addIncoming(Next, B.GetInsertBlock());
  auto *Done = BasicBlock::Create(M.getContext(), "done", F);
  B.CreateCondBr(B.CreateICmpEQ(Next, B.getInt64(T->getNumElements())), Done, Loop);
  B.SetInsertPoint(Done);
}

/// Does a union lie in memory of type \p T? Its LLVM type is that of one member.
static bool containsUnion(Type *T) {
  if (auto *A = dyn_cast<ArrayType>(T))
    return containsUnion(A->getElementType());
  auto *S = dyn_cast<StructType>(T);
  return S && (isUnion(*S) || any_of(S->elements(), containsUnion));
}

void GlobalSetup::setAddresses(Type *T, Value *Primal, Value *Shadow) {
  if (!containsPointer(T) && !containsUnion(T))
    return;
  if (T->isPointerTy()) {
    B.CreateStore(translated(B.CreateLoad(T, Primal)), Shadow);
    return;
  }
  if (auto *A = dyn_cast<ArrayType>(T))
    return eachElement(A, Primal, Shadow);
  auto *S = dyn_cast<StructType>(T);
  if (!S)
    return;
  // Another member than that of the type may be an address.
  Type *Address = B.getPtrTy();
  if (!InUnion && isUnion(*S) && DL.getABITypeAlign(S) >= DL.getABITypeAlign(Address)) {
    SaveAndRestore Here(InUnion, true);
    uint64_t Words = DL.getTypeAllocSize(S) / DL.getTypeAllocSize(Address);
    return setAddresses(ArrayType::get(Address, Words), Primal, Shadow);
  }
  for (unsigned I = 0; I < S->getNumElements(); ++I)
    setAddresses(S->getElementType(I), B.CreateStructGEP(S, Primal, I),
                 B.CreateStructGEP(S, Shadow, I));
}

/// Does it lie in memory that the threads of a block share?
bool GlobalSetup::isOfBlock(const GlobalVariable &G) const {
  const Accelerator *Machine = acceleratorOf(M);
  return Machine && Machine->sharingOf(G.getAddressSpace()) == MemorySharing::Block;
}

/// Each thread of the block clears every n-th word, when all have come and before any goes on.
void GlobalSetup::clearTogether(ArrayRef<GlobalVariable *> OfBlock) {
  const Accelerator &Machine = *acceleratorOf(M);
  LLVMContext &C = M.getContext();
  Function *F = B.GetInsertBlock()->getParent();
  F->setConvergent();
  Machine.waitForBlock(B);
  Value *First = Machine.threadInBlock(B), *Step = Machine.threadsOfBlock(B);
  for (GlobalVariable *G : OfBlock) {
    uint64_t Bytes = DL.getTypeAllocSize(G->getValueType());
    Type *Word = Bytes % 4 ? B.getInt8Ty() : B.getInt32Ty();
    Value *Count = B.getInt32(Bytes / DL.getTypeAllocSize(Word));
    if (isSizedByLaunch(*G))
      Count = B.CreateUDiv(bytesOfLaunchShadow(B), B.getInt32(DL.getTypeAllocSize(Word)));
    BasicBlock *Before = B.GetInsertBlock();
    auto *Test = BasicBlock::Create(C, "clear", F), *Body = BasicBlock::Create(C, "word", F),
         *Done = BasicBlock::Create(C, "cleared", F);
    B.CreateBr(Test);
    B.SetInsertPoint(Test);
    PHINode *At = B.CreatePHI(B.getInt32Ty(), 2, "at");
    At->addIncoming(First, Before);
    B.CreateCondBr(B.CreateICmpULT(At, Count), Body, Done);
    B.SetInsertPoint(Body);
    B.CreateStore(Constant::getNullValue(Word),
                  B.CreateInBoundsGEP(Word, automaticShadow(*G, Index), {At}));
    At->addIncoming(B.CreateAdd(At, Step), Body);
    B.CreateBr(Test);
    B.SetInsertPoint(Done);
  }
  Machine.waitForBlock(B);
}

Function *GlobalSetup::make(const Twine &Name) {
  auto *F = Function::Create(FunctionType::get(B.getVoidTy(), false), GlobalValue::InternalLinkage,
                             Name, M);
  F->setDoesNotThrow();
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "", F));
  SmallVector<GlobalVariable *, 4> OfBlock;
  for (GlobalVariable *G : Globals)
    if (isOfBlock(*G))
      OfBlock.push_back(G);
    else
      B.CreateMemSet(addressOf(*automaticShadow(*G, Index)), B.getInt8(0),
                     DL.getTypeAllocSize(G->getValueType()), G->getAlign());
  if (!OfBlock.empty())
    clearTogether(OfBlock);
  for (GlobalVariable *G : Globals)
    setAddresses(G->getValueType(), addressOf(*G), addressOf(*automaticShadow(*G, Index)));
  B.CreateRetVoid();
  return F;
}

Function *emitGlobalStart(Function &Derivative, ArrayRef<GlobalVariable *> Globals, unsigned Width,
                          unsigned Level) {
  Module &M = *Derivative.getParent();
  auto *Start = Function::Create(Derivative.getFunctionType(), GlobalValue::InternalLinkage,
                                 Derivative.getName() + ".started", M);
  Start->addFnAttrs(AttrBuilder(M.getContext(), Derivative.getAttributes().getFnAttrs()));
  Start->removeFnAttr(Attribute::Memory);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Start));
  bool Pages = hasPages(M, Level);
  for (unsigned Lane = 0; Lane < Width; ++Lane)
    B.CreateCall(
        GlobalSetup(Derivative, Globals, {Lane, Level}).make(Derivative.getName() + ".start"));
  SmallVector<Value *, 8> Args;
  for (auto [Mine, Theirs] : zip_equal(Start->args(), Derivative.args())) {
    Mine.setName(Theirs.getName());
    Args.push_back(&Mine);
  }
  if (Pages)
    B.CreateCall(releasePages(M, Level));
  CallInst *Call = B.CreateCall(&Derivative, Args);
  Call->setCallingConv(Derivative.getCallingConv());
  if (Pages)
    B.CreateCall(releasePages(M, Level));
  if (Call->getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
  return Start;
}

} // namespace isozyme
