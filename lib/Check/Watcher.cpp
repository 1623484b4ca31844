//===- Watcher.cpp - Announcements of accesses ----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a copy of a function.  Out: the same code, which says before each access what bytes
// it is about to use, and as what.
//
//===----------------------------------------------------------------------===//
#include "Watcher.h"
#include "ExceptionParts.h"
#include "Obstacles.h"
#include "RuntimeNames.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Requests/ResultLayout.h"
#include "isozyme/Values/Origins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace isozyme {

/// Memory of one call: nobody sees it afterwards.
static bool isLocal(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, 0);
  if (auto *A = dyn_cast<Argument>(Object))
    return A->hasByValAttr();
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return G->isConstant();
  return isa<AllocaInst>(Object);
}

void announceAllocation(CallBase &Call, const TargetLibraryInfo &TLI) {
  std::optional<Reallocation> Resized = libraryReallocation(Call, TLI);
  std::optional<AllocationSize> Size = allocationSize(Call, TLI);
  if (allocatesException(Call))
    Size = AllocationSize{};
  if (!Resized && !Size)
    return;
  IRBuilder<> B(&Call);
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    if (!Invoke->getNormalDest()->getSinglePredecessor())
      SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
    B.SetInsertPoint(Invoke->getNormalDest(), Invoke->getNormalDest()->getFirstInsertionPt());
  } else {
    B.SetInsertPoint(Call.getNextNode());
  }
  std::optional<unsigned> Count = Resized ? Resized->Count : Size->Count;
  auto operand = [&](unsigned Number) {
    return B.CreateZExtOrTrunc(Call.getArgOperand(Number), B.getInt64Ty());
  };
  Value *Bytes = operand(Resized ? Resized->Bytes : Size->Bytes);
  if (Count)
    Bytes = B.CreateMul(Bytes, operand(*Count));
  B.CreateCall(noteFunction(*Call.getModule(), CheckAllocated), {&Call, Bytes});
}

namespace {
/// Puts the announcements into one copy.
class Watcher {
public:
  Watcher(Function &F, const TargetLibraryInfo &TLI)
      : F(F), TLI(TLI), DL(F.getDataLayout()), B(F.getContext()) {}

  void run();

private:
  void announce(Value *Pointer, Value *Size, unsigned Kind);
  void announceValue(Value *Pointer, Type *T, bool Writes, unsigned IntKind = KindBytes);
  void announceCall(CallBase &Call);
  void announceTransfer(AnyMemTransferInst &Transfer);
  void announceStore(StoreInst &S);
  unsigned kindOfObject(const Value *Pointer) const;
  void findCopies();
  void forgetCopies();
  /// Memory of this call, whose accesses say nothing.
  bool isQuiet(const Value *Pointer) const {
    auto *Local = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, 0));
    return Local ? !WithCopies.contains(Local) : isLocal(Pointer);
  }
  Value *tokenOf(Value *V);
  void visit(Instruction &I);

  Function &F;
  const TargetLibraryInfo &TLI;
  const DataLayout &DL;
  IRBuilder<> B;
  SmallSetVector<const AllocaInst *, 8> WithCopies; ///< Local memory that bytes are moved to.
  DenseMap<Value *, Value *> Tokens; ///< Of integers, where they have been loaded from.
};
} // namespace

void Watcher::announce(Value *Pointer, Value *Size, unsigned Kind) {
  if (isQuiet(Pointer))
    return;
  Value *P = B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
  B.CreateCall(touchFunction(*F.getParent()),
               {P, B.CreateZExtOrTrunc(Size, B.getInt64Ty()), B.getInt32(Kind)});
}

/// Scalars of a vector stand side by side; those of a structure are announced one by one.
void Watcher::announceValue(Value *Pointer, Type *T, bool Writes, unsigned IntKind) {
  if (isQuiet(Pointer))
    return;
  unsigned Writing = Writes ? unsigned(KindWrite) : 0;
  auto kindOf = [&](Type *Scalar) {
    return (Scalar->isIntegerTy() ? IntKind : accessKindOf(Scalar)) | Writing;
  };
  if (T->isAggregateType()) {
    for (const Leaf &L : leavesOf(T, DL)) {
      Value *At = B.CreatePtrAdd(Pointer, B.getInt64(L.Offset));
      announce(At, B.getInt64(DL.getTypeStoreSize(L.Ty)), kindOf(L.Ty));
    }
    return;
  }
  announce(Pointer, B.getInt64(DL.getTypeStoreSize(T)), kindOf(T->getScalarType()));
}

/// What functions with a body call \p V.
static void addParameters(const CallBase &Call, const Value *V,
                          SmallVectorImpl<const Value *> &Work) {
  Function *Callee = calleeOf(Call);
  if (!Callee || Callee->isDeclaration() || Callee->arg_size() != Call.arg_size())
    return;
  for (unsigned Arg = 0; Arg < Call.arg_size(); ++Arg)
    if (Call.getArgOperand(Arg) == V)
      Work.push_back(Callee->getArg(Arg));
}

/// The one float type that \p Pointer's memory is an array of, for copies of bytes. Where
/// members are told apart, or bytes are counted, it may have others as well.
unsigned Watcher::kindOfObject(const Value *Pointer) const {
  constexpr unsigned MostUsers = 128;
  SmallVector<const Value *, 8> Work{getUnderlyingObject(Pointer, 0)};
  SmallPtrSet<const Value *, 16> Seen;
  unsigned Found = KindUnknown;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > MostUsers)
      return KindUnknown;
    for (const User *U : V->users()) {
      Type *T = nullptr;
      if (auto *G = dyn_cast<GetElementPtrInst>(U)) {
        if (accessKindOf(G->getSourceElementType()) == KindBytes)
          return KindUnknown;
        Work.push_back(U);
      } else if (isa<PHINode, SelectInst>(U))
        Work.push_back(U);
      else if (auto *Call = dyn_cast<CallBase>(U))
        addParameters(*Call, V, Work);
      else if (auto *L = dyn_cast<LoadInst>(U))
        T = L->getType();
      else if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == V)
        T = S->getValueOperand()->getType();
      if (!T)
        continue;
      unsigned Kind = accessKindOf(T->getScalarType());
      if (Kind < KindFloat || Kind > KindLongDouble || (Found != KindUnknown && Found != Kind))
        return KindUnknown;
      Found = Kind;
    }
  }
  return Found;
}

/// Bytes of an array of floats are as many floats. What others are shows in the copy.
void Watcher::announceTransfer(AnyMemTransferInst &Transfer) {
  Value *To = Transfer.getRawDest(), *From = Transfer.getRawSource();
  Value *Size = B.CreateZExtOrTrunc(Transfer.getLength(), B.getInt64Ty());
  unsigned Kind = kindOfObject(To);
  if (Kind == KindUnknown)
    Kind = kindOfObject(From);
  if (Kind == KindUnknown)
    Kind = KindMoved;
  announce(From, Size, Kind);
  announce(To, Size, Kind | KindWrite);
  if (Kind == KindMoved)
    B.CreateCall(
        noteFunction(*F.getParent(), CheckCopied),
        {B.CreateAddrSpaceCast(To, B.getPtrTy()), B.CreateAddrSpaceCast(From, B.getPtrTy()), Size});
}

void Watcher::announceCall(CallBase &Call) {
  Module &M = *F.getParent();
  if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&Call)) {
    announceTransfer(*Transfer);
    return;
  }
  if (auto *Memory = dyn_cast<AnyMemIntrinsic>(&Call)) {
    unsigned Kind = kindOfObject(Memory->getRawDest());
    if (Kind == KindUnknown)
      Kind = KindBytes; // One byte over and over: no number but zero.
    announce(Memory->getRawDest(), Memory->getLength(), Kind | KindWrite);
    return;
  }
  if (servesExceptions(Call)) {
    announceAllocation(Call, TLI);
    return;
  }
  Function *Callee = calleeOf(Call);
  if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic())
    return;
  Value *Freed = freedPointer(Call, TLI);
  std::optional<Reallocation> Resized = libraryReallocation(Call, TLI);
  if (Resized)
    Freed = Call.getArgOperand(Resized->Pointer);
  if (Freed)
    B.CreateCall(noteFunction(M, CheckFreed), {Freed});
  if (isAllocation(Call, TLI) || Resized) {
    announceAllocation(Call, TLI);
    return;
  }
  // frexp, modf and their like store a number or two.
  OpView View = viewOf(Call, TLI);
  if (!Freed && !Call.onlyReadsMemory())
    for (Value *Arg : Call.args())
      if (Arg->getType()->isPointerTy()) {
        Type *Written = View.WrittenType ? View.WrittenType : nullptr;
        unsigned Bytes = View.Suffix == FloatSuffix::F ? 4 : 8;
        announce(Arg, B.getInt64(Written ? DL.getTypeStoreSize(Written).getFixedValue() : Bytes),
                 (Written ? accessKindOf(Written) : unsigned(KindUnknown)) | KindWrite);
      }
}

/// An integer of this type may be the bits of a number.
static bool mayHoldNumber(const Type *T) {
  return T->isIntOrIntVectorTy() && T->getPrimitiveSizeInBits().getFixedValue() % 32 == 0;
}

/// Has \p V been loaded, and not been computed with?
static bool isMoved(const Value *V) {
  return mayBeCopyOf(V, [](const Value *From) { return isa<LoadInst>(From); });
}

/// What the run-time part calls the place that \p V has been loaded from.
Value *Watcher::tokenOf(Value *V) {
  if (Value *Known = Tokens.lookup(V))
    return Known;
  IRBuilder<>::InsertPointGuard Guard(B);
  Value *None = B.getInt64(0), *&Token = Tokens[V];
  if (auto *L = dyn_cast<LoadInst>(V)) {
    B.SetInsertPoint(L);
    Value *P = B.CreateAddrSpaceCast(L->getPointerOperand(), B.getPtrTy());
    return Token = B.CreateCall(originFunction(*F.getParent()), {P});
  }
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    B.SetInsertPoint(Phi);
    PHINode *New = B.CreatePHI(B.getInt64Ty(), Phi->getNumIncomingValues());
    Token = New;
    for (auto [From, Block] : zip(Phi->incoming_values(), Phi->blocks()))
      New->addIncoming(tokenOf(From), Block);
    return New;
  }
  if (auto *S = dyn_cast<SelectInst>(V); S && S->getCondition()->getType()->isIntegerTy()) {
    Value *True = tokenOf(S->getTrueValue()), *False = tokenOf(S->getFalseValue());
    B.SetInsertPoint(S);
    return Tokens[V] = B.CreateSelect(S->getCondition(), True, False);
  }
  return Token = None;
}

/// An integer that has only been loaded may be a number that is moved.
void Watcher::announceStore(StoreInst &S) {
  Value *V = S.getValueOperand(), *Pointer = S.getPointerOperand();
  bool Moved = mayHoldNumber(V->getType()) && isMoved(V);
  announceValue(Pointer, V->getType(), /*Writes=*/true, Moved ? KindMoved : KindBytes);
  if (!Moved || isQuiet(Pointer))
    return;
  Value *Token = tokenOf(V);
  B.CreateCall(noteFunction(*F.getParent(), CheckMoved),
               {B.CreateAddrSpaceCast(Pointer, B.getPtrTy()), Token,
                B.getInt64(DL.getTypeStoreSize(V->getType()))});
}

void Watcher::visit(Instruction &I) {
  B.SetInsertPoint(&I);
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (!L->use_empty()) // Others are left of markers, whose variables go.
      announceValue(L->getPointerOperand(), L->getType(), /*Writes=*/false,
                    mayHoldNumber(L->getType()) ? KindMoved : KindBytes);
  } else if (auto *S = dyn_cast<StoreInst>(&I)) {
    announceStore(*S);
  } else if (auto *R = dyn_cast<AtomicRMWInst>(&I)) {
    announceValue(R->getPointerOperand(), R->getType(), /*Writes=*/false);
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    announceValue(X->getPointerOperand(), X->getNewValOperand()->getType(), /*Writes=*/false);
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    announceCall(*Call);
  }
}

/// Local memory that structures, or integers that are moved, are copied to.
void Watcher::findCopies() {
  auto note = [&](const Value *Pointer) {
    if (auto *Local = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, 0)))
      WithCopies.insert(Local);
  };
  for (Instruction &I : instructions(F)) {
    auto *Transfer = dyn_cast<AnyMemTransferInst>(&I);
    auto *S = dyn_cast<StoreInst>(&I);
    if (Transfer && kindOfObject(Transfer->getRawDest()) == KindUnknown &&
        kindOfObject(Transfer->getRawSource()) == KindUnknown) {
      note(Transfer->getRawDest());
      note(Transfer->getRawSource());
    } else if (S && mayHoldNumber(S->getValueOperand()->getType()) &&
               isMoved(S->getValueOperand())) {
      note(S->getPointerOperand());
    }
  }
}

/// The same stack will be another function's.
void Watcher::forgetCopies() {
  SmallVector<ReturnInst *, 4> Returns;
  for (BasicBlock &BB : F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
      Returns.push_back(Return);
  for (const AllocaInst *Local : WithCopies) {
    std::optional<TypeSize> Size = Local->getAllocationSize(DL);
    if (!Size || !Local->isStaticAlloca())
      continue;
    for (ReturnInst *Return : Returns) {
      B.SetInsertPoint(Return);
      B.CreateCall(noteFunction(*F.getParent(), CheckForget),
                   {B.CreateAddrSpaceCast(const_cast<AllocaInst *>(Local), B.getPtrTy()),
                    B.getInt64(Size->getFixedValue())});
    }
  }
}

void Watcher::run() {
  SmallVector<Instruction *, 64> All;
  auto Live = liveBlocks(F);
  for (BasicBlock *BB : Live)
    for (Instruction &I : *BB)
      if (!isa<DbgInfoIntrinsic>(I))
        All.push_back(&I);
  for (BasicBlock &BB : F)
    if (!Live.contains(&BB) && BB.getFirstInsertionPt() != BB.end()) {
      B.SetInsertPoint(&BB, BB.getFirstInsertionPt());
      B.CreateCall(noteFunction(*F.getParent(), CheckStop), {B.getInt32(1)});
    }
  findCopies();
  for (Instruction *I : All)
    visit(*I);
  forgetCopies();
}

void watch(Function &Copy, const TargetLibraryInfo &TLI) { Watcher(Copy, TLI).run(); }

void watchWrites(Function &F) {
  SmallVector<Instruction *, 32> Writes;
  for (Instruction &I : instructions(F))
    if (isa<StoreInst, AnyMemIntrinsic, AtomicRMWInst, AtomicCmpXchgInst>(I))
      Writes.push_back(&I);
  const DataLayout &DL = F.getDataLayout();
  for (Instruction *I : Writes) {
    IRBuilder<> B(I);
    Value *Pointer = I->getOperand(isa<StoreInst>(I) ? 1 : 0);
    Value *Size = nullptr;
    if (auto *Memory = dyn_cast<AnyMemIntrinsic>(I))
      Size = B.CreateZExtOrTrunc(Memory->getLength(), B.getInt64Ty());
    else
      Size = B.getInt64(DL.getTypeStoreSize(I->getOperand(isa<StoreInst>(I) ? 0 : 1)->getType()));
    if (!isLocal(Pointer) && Pointer->getType()->getPointerAddressSpace() == 0)
      B.CreateCall(touchFunction(*F.getParent()), {Pointer, Size, B.getInt32(KindOverwritten)});
  }
}

} // namespace isozyme
