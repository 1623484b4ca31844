//===- WatchedCopy.cpp - A function that says what memory it uses ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = load double, ptr %p        =>   call void @touch(ptr %p, i64 8, i32 double)
//                                        %x = load double, ptr %p
//   %m = call ptr @malloc(i64 %n)   =>   ... call void @allocated(ptr %m, i64 %n)
//   call void @free(ptr %m)         =>   call void @freed(ptr %m) ...
//   unreachable                     =>   call void @stop() at the start of its block
//
// In: a function, before it is prepared.  Out: its copy, or why it cannot be run again:
// effects that cannot be put back, or markings by which its derivative is not that of
// what it computes.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Check/WatchedCopy.h"
#include "CodeCopy.h"
#include "RuntimeNames.h"
#include "isozyme/Activity/GlobalShadows.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Requests/ResultLayout.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace isozyme {

static Function *calleeOf(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// As the source has it.
static std::string nameOf(const Function &F) { return demangle(F.getName()); }

/// Control does not come back from here, but by an exception; or has come by one.
static bool isDeadEnd(const BasicBlock &BB) {
  auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator());
  return BB.isEHPad() || isa<UnreachableInst, ResumeInst>(BB.getTerminator()) ||
         (Invoke && Invoke->doesNotReturn());
}

/// The blocks from which control may come back. Where it does not, runs are left: code that
/// makes an exception and throws it has effects, but not on values.
static SmallSetVector<BasicBlock *, 16> liveBlocks(Function &F) {
  SmallSetVector<BasicBlock *, 16> Reached, Live;
  if (!isDeadEnd(F.getEntryBlock()))
    Reached.insert(&F.getEntryBlock());
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    for (BasicBlock *To : successors(Reached[Next]))
      if (!isDeadEnd(*To))
        Reached.insert(To);
  for (BasicBlock *BB : Reached)
    if (isa<ReturnInst>(BB->getTerminator()))
      Live.insert(BB);
  for (size_t Next = 0; Next < Live.size(); ++Next)
    for (BasicBlock *From : predecessors(Live[Next]))
      if (Reached.contains(From))
        Live.insert(From);
  return Live;
}

/// Memory of one call: nobody sees it afterwards.
static bool isLocal(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, 0);
  if (auto *A = dyn_cast<Argument>(Object))
    return A->hasByValAttr();
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return G->isConstant();
  return isa<AllocaInst>(Object);
}

namespace {
/// Looks for what cannot be done twice, or is not what a derivative is of.
class ObstacleFinder {
public:
  ObstacleFinder(FunctionAnalysisManager &FAM, SetVector<Function *> &Reached, WatchedCopy &Found)
      : FAM(FAM), Reached(Reached), Found(Found) {}

  /// Fills what is known of \p F. False once there is an obstacle.
  bool look(Function &F);

private:
  bool refuse(const Twine &Why) {
    Found.Why = Why.str();
    return false;
  }
  bool lookAtCall(CallBase &Call, const TargetLibraryInfo &TLI);
  bool lookAtLibraryCall(CallBase &Call, Function &Callee, const TargetLibraryInfo &TLI);
  bool lookAtMarkings(Instruction &I);
  bool lookAtPrecision(const Instruction &I);

  FunctionAnalysisManager &FAM;
  SetVector<Function *> &Reached;
  WatchedCopy &Found;
  StringSet<> Rules;
};
} // namespace

bool ObstacleFinder::lookAtMarkings(Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (Function *Callee = Call ? calleeOf(*Call) : nullptr; Callee && isMarkedInactive(*Callee))
    return refuse("it calls '" + nameOf(*Callee) +
                  "', which is marked inactive, and differences would see it");
  if (isMarkedInactive(I) || hasInactiveResult(I))
    return refuse("a part of it is marked inactive, and differences would see it");
  for (Value *Operand : I.operands())
    if (auto *G = dyn_cast<GlobalVariable>(Operand->stripInBoundsOffsets());
        G && !G->isConstant() && !G->isDeclaration() && shadowKindOf(*G) == GlobalShadow::Inactive)
      return refuse("it uses '" + G->getName() +
                    "', which is marked inactive, and differences would see it");
  return true;
}

/// Steps of differences have to suit the shortest type that is computed in.
bool ObstacleFinder::lookAtPrecision(const Instruction &I) {
  const Type *T = I.getType()->getScalarType();
  if (T->isHalfTy() || T->isBFloatTy())
    return refuse("it computes in half precision, which is too coarse for differences");
  Found.HasFloat |= T->isFloatTy();
  return true;
}

bool ObstacleFinder::lookAtLibraryCall(CallBase &Call, Function &Callee,
                                       const TargetLibraryInfo &TLI) {
  OpClass Class = viewOf(Call, TLI).Class;
  if (Class == OpClass::Elementwise || Class == OpClass::Zero || Call.onlyReadsMemory())
    return true;
  if (isReallocation(Call, TLI) && libraryReallocation(Call, TLI))
    return true;
  if (Class == OpClass::Free && freedPointer(Call, TLI))
    return true;
  if (Class == OpClass::Allocate && allocationSize(Call, TLI))
    return true;
  CustomRules R = customRules(Callee);
  if (R.hasReverse() || R.Forward)
    return refuse("'" + nameOf(Callee) + "' has a registered derivative, but no body here");
  return refuse("it calls '" + nameOf(Callee) + "', whose effects cannot be taken back");
}

bool ObstacleFinder::lookAtCall(CallBase &Call, const TargetLibraryInfo &TLI) {
  if (Call.isInlineAsm())
    return refuse("it has inline assembly");
  Function *Callee = calleeOf(Call);
  if (!Callee)
    return refuse("it calls a function through a pointer");
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    if (isa<DbgInfoIntrinsic, LifetimeIntrinsic, AssumeInst, AnyMemIntrinsic>(Intrinsic) ||
        isInactiveIntrinsic(Intrinsic->getIntrinsicID()) || !Intrinsic->mayReadOrWriteMemory())
      return true;
    OpClass Class = viewOf(Call, TLI).Class;
    if (Class == OpClass::Elementwise || Class == OpClass::Zero)
      return true;
    return refuse("it uses '" + nameOf(*Callee) + "'");
  }
  if (Call.hasFnAttr(Attribute::ReturnsTwice))
    return refuse("it calls '" + nameOf(*Callee) + "', which may return twice");
  if (Callee->isDeclaration())
    return lookAtLibraryCall(Call, *Callee, TLI);
  if (allocationLike(*Callee))
    return refuse("it calls '" + nameOf(*Callee) + "', which is marked as an allocator");
  if (Callee->hasFnAttribute(marking::ReleasesLater))
    return refuse("it is a derivative that releases memory at its end");
  if (Callee->isVarArg())
    return refuse("'" + nameOf(*Callee) + "' takes a variable number of arguments");
  if (Call.getFunctionType() != Callee->getFunctionType())
    return refuse("'" + nameOf(*Callee) + "' is called with a type that is not its own");
  CustomRules R = customRules(*Callee);
  if ((R.hasReverse() || R.Forward || !markedLike(*Callee).empty()) &&
      Rules.insert(Callee->getName()).second)
    Found.Rules += (Found.Rules.empty() ? "'" : ", '") + nameOf(*Callee) + "'";
  Reached.insert(Callee);
  return true;
}

bool ObstacleFinder::look(Function &F) {
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  for (BasicBlock *BB : liveBlocks(F)) {
    for (Instruction &I : *BB) {
      if (isa<DbgInfoIntrinsic>(I))
        continue;
      if (isa<VAArgInst, CallBrInst>(I))
        return refuse("it takes a variable number of arguments, or jumps in assembly");
      if (!lookAtMarkings(I) || !lookAtPrecision(I))
        return false;
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !lookAtCall(*Call, TLI))
        return false;
    }
  }
  return true;
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
  unsigned kindOfObject(const Value *Pointer) const;
  void visit(Instruction &I);

  Function &F;
  const TargetLibraryInfo &TLI;
  const DataLayout &DL;
  IRBuilder<> B;
};
} // namespace

void Watcher::announce(Value *Pointer, Value *Size, unsigned Kind) {
  if (isLocal(Pointer))
    return;
  Value *P = B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
  B.CreateCall(touchFunction(*F.getParent()),
               {P, B.CreateZExtOrTrunc(Size, B.getInt64Ty()), B.getInt32(Kind)});
}

/// Scalars of a vector stand side by side; those of a structure are announced one by one.
void Watcher::announceValue(Value *Pointer, Type *T, bool Writes, unsigned IntKind) {
  if (isLocal(Pointer))
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

/// The one float type that \p Pointer's memory is accessed as, for copies of bytes.
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
      if (isa<GetElementPtrInst, PHINode, SelectInst>(U))
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

/// Tells of memory behind the result of \p Call, which allocates or resizes.
static void announceAllocation(CallBase &Call, const TargetLibraryInfo &TLI) {
  std::optional<Reallocation> Resized = libraryReallocation(Call, TLI);
  std::optional<AllocationSize> Size = allocationSize(Call, TLI);
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

void Watcher::announceCall(CallBase &Call) {
  Module &M = *F.getParent();
  auto *Transfer = dyn_cast<AnyMemTransferInst>(&Call);
  if (auto *Memory = dyn_cast<AnyMemIntrinsic>(&Call)) {
    unsigned Kind = kindOfObject(Memory->getRawDest());
    if (Transfer && Kind == KindUnknown)
      Kind = kindOfObject(Transfer->getRawSource());
    if (Transfer)
      announce(Transfer->getRawSource(), Transfer->getLength(), Kind);
    else if (Kind == KindUnknown)
      Kind = KindBytes; // One byte over and over: no number but zero.
    announce(Memory->getRawDest(), Memory->getLength(), Kind | KindWrite);
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

void Watcher::visit(Instruction &I) {
  B.SetInsertPoint(&I);
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (!L->use_empty()) // Others are left of markers, whose variables go.
      announceValue(L->getPointerOperand(), L->getType(), /*Writes=*/false);
  } else if (auto *S = dyn_cast<StoreInst>(&I)) {
    // An integer that has only been loaded may be a number that is moved.
    bool Moved = isa<LoadInst, PHINode>(S->getValueOperand()) &&
                 S->getValueOperand()->getType()->getPrimitiveSizeInBits() >= 32;
    announceValue(S->getPointerOperand(), S->getValueOperand()->getType(), /*Writes=*/true,
                  Moved ? KindUnknown : KindBytes);
  } else if (auto *R = dyn_cast<AtomicRMWInst>(&I)) {
    announceValue(R->getPointerOperand(), R->getType(), /*Writes=*/false);
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    announceValue(X->getPointerOperand(), X->getNewValOperand()->getType(), /*Writes=*/false);
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    announceCall(*Call);
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
  for (Instruction *I : All)
    visit(*I);
}

/// Tells what \p F overwrites, whatever for.
static void watchWrites(Function &F) {
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

void WatchedCopies::watchDerivative(ArrayRef<Function *> Made) {
  SetVector<Function *> Reached(Made.begin(), Made.end());
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    Function &F = *Reached[Next];
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        Calls.push_back(Call);
        if (Function *Callee = calleeOf(*Call); Callee && !Callee->isDeclaration())
          Reached.insert(Callee);
      }
    // Helpers of derivatives are shared with others, and are watched once.
    if (!WithAllocations.insert(&F).second)
      continue;
    const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
    for (CallBase *Call : Calls)
      if (Function *Callee = calleeOf(*Call); Callee && Callee->isDeclaration())
        announceAllocation(*Call, TLI);
  }
  for (Function *F : Made)
    watchWrites(*F);
}

const WatchedCopy &WatchedCopies::of(Function &F) {
  auto [It, New] = Made.try_emplace(&F);
  WatchedCopy &Result = It->second;
  if (!New)
    return Result;
  SetVector<Function *> Reached;
  Reached.insert(&F);
  ObstacleFinder Finder(FAM, Reached, Result);
  CustomRules Own = customRules(F);
  if (Own.hasReverse() || Own.Forward)
    Result.Rules = "'" + nameOf(F) + "'";
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    if (!Finder.look(*Reached[Next]))
      return Result;
  Result.Code.assign(Reached.begin(), Reached.end());
  CodeCopy Copy = copyCode(F, Result.Code, ".watched");
  for (auto &[Of, Made] : Copy.All) {
    Watcher(*Made, FAM.getResult<TargetLibraryAnalysis>(*Of)).run();
    WithAllocations.insert(Made);
  }
  Result.Fn = Copy.Root;
  return Result;
}

Function &WatchedCopies::plainOf(Function &F) {
  WatchedCopy &Known = Made.find(&F)->second;
  if (!Known.Plain)
    Known.Plain = copyCode(F, Known.Code, ".compared").Root;
  return *Known.Plain;
}

} // namespace isozyme
