//===- RuntimeHelpers.cpp - Small functions that derivatives call ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of the helpers, built once per module. They are ordinary internal
// functions, so that the optimiser inlines or drops them.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/RuntimeHelpers.h"
#include "LoopHints.h"
#include "isozyme/Emit/AtomicAdd.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace isozyme {

/// Records in the first chunk of a growable tape, as a power of two.
constexpr unsigned FirstChunkLog2 = 4;
/// What malloc aligns to at least, for blocks that have room for it.
constexpr uint64_t AlignOfMalloc = 16;
/// More records than these chunks hold no machine has memory for.
constexpr unsigned MaxChunks = 60;

/// The helper of that name if it exists, else an empty internal function.
static std::pair<Function *, bool> helper(Module &M, StringRef Name, FunctionType *T) {
  if (Function *F = M.getFunction(Name))
    return {F, true};
  auto *F = Function::Create(T, GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->addFnAttr(marking::ServesLaterCallers);
  return {F, false};
}

static bool isHelper(const GlobalValue &G) {
  return G.hasLocalLinkage() && G.getName().starts_with("isozyme.");
}

void keepHelpers(Module &M) {
  SmallVector<GlobalValue *, 16> Helpers;
  for (GlobalValue &G : M.global_values())
    if (isHelper(G) && !isa<GlobalAlias>(G))
      Helpers.push_back(&G);
  appendToCompilerUsed(M, Helpers);
}

bool stopKeepingHelpers(Module &M) {
  SmallVector<GlobalValue *, 16> Kept;
  GlobalVariable *List = collectUsedGlobalVariables(M, Kept, /*CompilerUsed=*/true);
  if (!List || none_of(Kept, [](const GlobalValue *G) { return isHelper(*G); }))
    return false;
  erase_if(Kept, [](const GlobalValue *G) { return isHelper(*G); });
  List->eraseFromParent();
  appendToCompilerUsed(M, Kept);
  return true;
}

namespace {
enum class TapeKind : uint8_t { Plain, Zeroed, Aligned };
} // namespace

static Value *callAllocator(IRBuilder<> &B, Function &Caller, TapeKind Kind) {
  const TargetRuntime &Target = targetRuntime(*Caller.getParent());
  Value *Bytes = Caller.getArg(0);
  if (Kind == TapeKind::Plain)
    return Target.allocateTape(B, Bytes, "memory");
  if (Kind == TapeKind::Zeroed)
    return Target.allocateZeroed(B, Bytes, "memory");
  Value *Alignment = Caller.getArg(1), *Less = B.CreateSub(Alignment, B.getInt64(1));
  Value *Whole = B.CreateAnd(B.CreateAdd(Bytes, Less), B.CreateNot(Less));
  return Target.allocateAligned(B, Alignment, Whole, "memory");
}

static Function *allocator(Module &M, StringRef Name, TapeKind Kind) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  SmallVector<Type *, 2> Params(Kind == TapeKind::Aligned ? 2 : 1, I64);
  auto [F, Exists] = helper(M, Name, FunctionType::get(Ptr, Params, false));
  if (Exists)
    return F;
  AllocFnKind Does = AllocFnKind::Alloc |
                     (Kind == TapeKind::Zeroed ? AllocFnKind::Zeroed : AllocFnKind::Uninitialized);
  if (Kind == TapeKind::Aligned) {
    Does |= AllocFnKind::Aligned;
    F->addParamAttr(1, Attribute::AllocAlign);
  }
  // A derivative of a derivative makes shadows of tapes as of any allocated memory.
  F->setReturnDoesNotAlias();
  F->addFnAttr(Attribute::getWithAllocSizeArgs(C, 0, std::nullopt));
  F->addFnAttr(Attribute::get(C, Attribute::AllocKind, uint64_t(Does)));
  F->addFnAttr("alloc-family", targetRuntime(M).family());
  F->addFnAttr(marking::TapeMemory);
  auto *Entry = BasicBlock::Create(C, "entry", F), *Full = BasicBlock::Create(C, "full", F),
       *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  Value *Memory = callAllocator(B, *F, Kind);
  Value *None = B.CreateICmpEQ(Memory, ConstantPointerNull::get(cast<PointerType>(Ptr)));
  Value *Some = B.CreateICmpNE(F->getArg(0), B.getInt64(0));
  B.CreateCondBr(B.CreateAnd(None, Some), Full, Done, MDBuilder(C).createUnlikelyBranchWeights());
  B.SetInsertPoint(Full);
  targetRuntime(M).stopWithoutTape(B, F->getArg(0));
  B.SetInsertPoint(Done);
  B.CreateRet(Memory);
  return F;
}

Function *tapeAllocate(Module &M) { return allocator(M, "isozyme.tape.allocate", TapeKind::Plain); }

Align tapeAlign(Type *T, const DataLayout &DL) {
  return std::min(DL.getABITypeAlign(T), Align(AlignOfMalloc));
}

Function *tapeAllocateZeroed(Module &M) {
  return allocator(M, "isozyme.tape.allocate.zeroed", TapeKind::Zeroed);
}

TapeMemory memoryOfLocal(const AllocaInst &Local, TapeMemory Where) {
  return Local.getAlign().value() <= AlignOfMalloc ? Where : TapeMemory::Heap;
}

Value *bytesOfLocal(IRBuilderBase &B, const AllocaInst &Local, Value *Count) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  return B.CreateMul(B.CreateZExtOrTrunc(Count, B.getInt64Ty()),
                     B.getInt64(DL.getTypeAllocSize(Local.getAllocatedType())));
}

CallInst *allocateLocal(IRBuilderBase &B, const AllocaInst &Local, Value *Count, TapeMemory Where) {
  Module &M = *B.GetInsertBlock()->getModule();
  Value *Bytes = bytesOfLocal(B, Local, Count);
  if (Local.getAlign().value() <= AlignOfMalloc)
    return allocateTape(B, Where, Bytes);
  return B.CreateCall(allocator(M, "isozyme.tape.allocate.aligned", TapeKind::Aligned),
                      {Bytes, B.getInt64(Local.getAlign().value())});
}

ArrayType *tableType(LLVMContext &C) {
  return ArrayType::get(PointerType::get(C, 0), MaxChunks + 1);
}

namespace {
/// Where record i lies: chunk k = log2(i/16 + 1), at i - 16*(2^k - 1) in it.
struct RecordPlace {
  Value *Chunk, *Entry, *Index;
};
} // namespace

static RecordPlace placeOfRecord(IRBuilder<> &B, Value *Table, Value *I) {
  Value *Scaled = B.CreateAdd(B.CreateLShr(I, FirstChunkLog2), B.getInt64(1));
  Value *Zeros = B.CreateIntrinsic(Intrinsic::ctlz, {B.getInt64Ty()}, {Scaled, B.getTrue()});
  Value *Chunk = B.CreateSub(B.getInt64(63), Zeros, "chunk");
  Value *First = B.CreateShl(B.CreateSub(B.CreateShl(B.getInt64(1), Chunk), B.getInt64(1)),
                             FirstChunkLog2, "first");
  Value *Entry = B.CreateInBoundsGEP(B.getPtrTy(), Table, {Chunk}, "entry");
  return {Chunk, Entry, B.CreateSub(I, First, "index")};
}

NewChunk chunkFrom(IRBuilderBase &B, Value *I) {
  constexpr uint64_t First = uint64_t(1) << FirstChunkLog2;
  // First * (2^k - 1): a multiple of First, and with another one a power of two.
  Value *Records = B.CreateAdd(I, B.getInt64(First)), *Less = B.CreateSub(Records, B.getInt64(1));
  return {B.CreateIsNull(B.CreateAnd(Records, Less)), Records};
}

static FunctionType *recordFunctionType(LLVMContext &C) {
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  return FunctionType::get(Ptr, {Ptr, I64, I64}, false);
}

Function *tapeRecord(Module &M) {
  LLVMContext &C = M.getContext();
  auto [F, Exists] = helper(M, "isozyme.tape.record", recordFunctionType(C));
  if (Exists)
    return F;
  F->addFnAttr(marking::PartOfCaller);
  F->setOnlyReadsMemory();
  F->setWillReturn();
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  RecordPlace R = placeOfRecord(B, F->getArg(0), F->getArg(1));
  Value *Base = B.CreateLoad(B.getPtrTy(), R.Entry, "base");
  B.CreateRet(B.CreateInBoundsGEP(B.getInt8Ty(), Base, {B.CreateMul(R.Index, F->getArg(2))}));
  return F;
}

/// Helpers that allocate, or release, are one for each kind of memory.
static std::string nameFor(TapeMemory Where, StringRef Name) {
  return (Name + (Where == TapeMemory::Thread ? ".of.thread" : "")).str();
}

Function *tapeRecordForWriting(Module &M, TapeMemory Where) {
  LLVMContext &C = M.getContext();
  auto [F, Exists] = helper(M, nameFor(Where, "isozyme.tape.record.new"), recordFunctionType(C));
  if (Exists)
    return F;
  F->addFnAttr(marking::PartOfCaller);
  auto *Entry = BasicBlock::Create(C, "", F), *Grow = BasicBlock::Create(C, "grow", F),
       *Done = BasicBlock::Create(C, "done", F);
  Value *Table = F->getArg(0), *Bytes = F->getArg(2);
  IRBuilder<> B(Entry);
  RecordPlace R = placeOfRecord(B, Table, F->getArg(1));
  B.CreateCondBr(B.CreateICmpEQ(R.Index, B.getInt64(0)), Grow, Done,
                 MDBuilder(C).createUnlikelyBranchWeights());
  B.SetInsertPoint(Grow);
  Value *Records = B.CreateShl(B.getInt64(uint64_t(1) << FirstChunkLog2), R.Chunk);
  Value *New = allocateTape(B, Where, B.CreateMul(Records, Bytes), "new");
  B.CreateStore(New, R.Entry);
  B.CreateStore(ConstantPointerNull::get(B.getPtrTy()),
                B.CreateConstInBoundsGEP1_64(B.getPtrTy(), R.Entry, 1));
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  Value *Base = B.CreateLoad(B.getPtrTy(), R.Entry, "base");
  B.CreateRet(B.CreateInBoundsGEP(B.getInt8Ty(), Base, {B.CreateMul(R.Index, Bytes)}));
  return F;
}

Function *tapeReleaseChunks(Module &M, TapeMemory Where) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0);
  auto [F, Exists] = helper(M, nameFor(Where, "isozyme.tape.release.chunks"),
                            FunctionType::get(Type::getVoidTy(C), {Ptr}, false));
  if (Exists)
    return F;
  auto *Entry = BasicBlock::Create(C, "entry", F), *Loop = BasicBlock::Create(C, "loop", F),
       *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  Value *Table = F->getArg(0);
  Value *First = B.CreateLoad(Ptr, Table, "first");
  B.CreateCondBr(B.CreateIsNull(First), Done, Loop);
  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "i"), *Chunk = B.CreatePHI(Ptr, 2, "chunk");
  releaseTape(B, Chunk, Where);
  Value *Next = B.CreateAdd(I, B.getInt64(1), "next");
  Value *After = B.CreateLoad(Ptr, B.CreateInBoundsGEP(Ptr, Table, {Next}), "after");
  I->addIncoming(B.getInt64(0), Entry);
  I->addIncoming(Next, Loop);
  Chunk->addIncoming(First, Entry);
  Chunk->addIncoming(After, Loop);
  B.CreateCondBr(B.CreateIsNull(After), Done, Loop);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

namespace {

struct CountedLoop {
  BasicBlock &Header;
  Instruction &Back;
};

} // namespace

/// for (i = 0; i < n; ++i) Body(i), at the end of the builder's block.
static CountedLoop countedLoop(IRBuilder<> &B, Value *N, const Twine &Name,
                               function_ref<void(Value *)> Body) {
  Function *F = B.GetInsertBlock()->getParent();
  LLVMContext &C = F->getContext();
  BasicBlock *Before = B.GetInsertBlock();
  auto *Loop = BasicBlock::Create(C, Name, F), *Done = BasicBlock::Create(C, Name + ".done", F);
  B.CreateCondBr(B.CreateICmpEQ(N, B.getInt64(0)), Done, Loop);
  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, Name + ".i");
  I->addIncoming(B.getInt64(0), Before);
  Body(I);
  Value *Next = B.CreateAdd(I, B.getInt64(1));
  I->addIncoming(Next, B.GetInsertBlock());
  Instruction *Back = B.CreateCondBr(B.CreateICmpEQ(Next, N), Done, Loop);
  B.SetInsertPoint(Done);
  return {*Loop, *Back};
}

/// Most blocks that a memmove is told of do not overlap, as those of a std::vector that is copied:
/// \p Plain does it then, in an order that LLVM vectorises. \p F and \p Plain are copyAdjoint's.
static void leaveWhereApart(IRBuilder<> &B, Function &F, Type *Float, Function &Plain) {
  LLVMContext &C = F.getContext();
  Value *Dst = F.getArg(0), *Src = F.getArg(1), *Count = F.getArg(4);
  Value *LastRow = B.CreateMul(B.CreateSub(F.getArg(2), B.getInt64(1)), F.getArg(3));
  // No addresses as integers, and no sums of bytes that may be some: the helper may be
  // differentiated itself.
  auto endsBefore = [&](Value *One, Value *Other) {
    Value *Row = B.CreateGEP(B.getInt8Ty(), One, LastRow);
    return B.CreateICmpULE(B.CreateGEP(Float, Row, Count), Other);
  };
  Value *IsApart = B.CreateOr(endsBefore(Dst, Src), endsBefore(Src, Dst));
  auto *Apart = BasicBlock::Create(C, "apart", &F), *Meet = BasicBlock::Create(C, "meet", &F);
  B.CreateCondBr(IsApart, Apart, Meet);
  B.SetInsertPoint(Apart);
  SmallVector<Value *, 5> Arguments(make_pointer_range(F.args()));
  B.CreateCall(&Plain, Arguments);
  B.CreateRetVoid();
  B.SetInsertPoint(Meet);
}

Function *copyAdjoint(Module &M, Type *Float, SharedSides Shared, bool MayOverlap) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  std::string Name;
  raw_string_ostream(Name) << "isozyme.copy.adjoint." << *Float
                           << (Shared.Destination ? ".taken" : "")
                           << (Shared.Source ? ".shared" : "")
                           << (MayOverlap ? ".overlapping" : "");
  auto [F, Exists] =
      helper(M, Name, FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, I64, I64, I64}, false));
  if (Exists)
    return F;
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  Value *Dst = F->getArg(0), *Src = F->getArg(1), *Rows = F->getArg(2), *Stride = F->getArg(3),
        *Count = F->getArg(4);
  if (MayOverlap)
    leaveWhereApart(B, *F, Float, *copyAdjoint(M, Float, Shared, /*MayOverlap=*/false));
  // With overlap, an element's adjoint must be taken before its place is added
  // to: backwards when the destination lies before the source.
  Value *Backwards = MayOverlap ? B.CreateICmpULT(Dst, Src, "backwards") : nullptr;
  auto mirrored = [&](Value *I, Value *N) {
    if (!Backwards)
      return I;
    Value *FromEnd = B.CreateSub(B.CreateSub(N, I), B.getInt64(1));
    return B.CreateSelect(Backwards, FromEnd, I);
  };
  countedLoop(B, Rows, "row", [&](Value *RowNumber) {
    Value *Offset = B.CreateMul(mirrored(RowNumber, Rows), Stride);
    Value *DstRow = B.CreateInBoundsGEP(B.getInt8Ty(), Dst, {Offset});
    Value *SrcRow = B.CreateInBoundsGEP(B.getInt8Ty(), Src, {Offset});
    CountedLoop Elements = countedLoop(B, Count, "element", [&](Value *Number) {
      Value *I = mirrored(Number, Count);
      Value *From = B.CreateInBoundsGEP(Float, DstRow, {I});
      Value *To = B.CreateInBoundsGEP(Float, SrcRow, {I});
      Value *Adjoint;
      if (Shared.Destination) {
        Adjoint = takeAtomically(B, From, Float);
      } else {
        Adjoint = B.CreateLoad(Float, From);
        B.CreateStore(Constant::getNullValue(Float), From);
      }
      if (Shared.Source)
        addAtomically(B, To, Adjoint);
      else
        B.CreateStore(B.CreateFAdd(B.CreateLoad(Float, To), Adjoint), To);
    });
    if (!MayOverlap && !Shared.Destination && !Shared.Source)
      promiseIndependence(Elements.Header, Elements.Back);
  });
  B.CreateRetVoid();
  return F;
}

Value *limitToBlock(IRBuilderBase &B, Value *Length, Value *Block) {
  FunctionCallee Size = blockSizeFunction(*B.GetInsertBlock()->getModule(), Length->getType());
  return B.CreateBinaryIntrinsic(Intrinsic::umin, Length, B.CreateCall(Size, {Block}));
}

static Function *rowCopier(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  auto [F, Exists] =
      helper(M, "isozyme.copy.rows",
             FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, I64, I64, I64}, false));
  if (Exists)
    return F;
  F->addFnAttr(marking::PartOfCaller);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  countedLoop(B, F->getArg(2), "row", [&](Value *Row) {
    Value *Offset = B.CreateMul(Row, F->getArg(3));
    B.CreateMemMove(B.CreateInBoundsGEP(B.getInt8Ty(), F->getArg(0), {Offset}), MaybeAlign(),
                    B.CreateInBoundsGEP(B.getInt8Ty(), F->getArg(1), {Offset}), MaybeAlign(),
                    F->getArg(4));
  });
  B.CreateRetVoid();
  return F;
}

static Function *rowCleaner(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  auto [F, Exists] = helper(M, "isozyme.clear.rows",
                            FunctionType::get(Type::getVoidTy(C), {Ptr, I64, I64, I64}, false));
  if (Exists)
    return F;
  F->addFnAttr(marking::PartOfCaller);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  countedLoop(B, F->getArg(1), "row", [&](Value *Row) {
    Value *Offset = B.CreateMul(Row, F->getArg(2));
    B.CreateMemSet(B.CreateInBoundsGEP(B.getInt8Ty(), F->getArg(0), {Offset}), B.getInt8(0),
                   F->getArg(3), MaybeAlign());
  });
  B.CreateRetVoid();
  return F;
}

/// void (ptr dst, ptr src, i64 bytes): \p Move(dst, src, bytes) for each run of \p Wanted, in the
/// order of addresses, or from the last to the first where \p Last holds of dst and src: what
/// overlaps is read before it is overwritten, whatever the distance is.
static Function *
runMover(Module &M, StringRef Name, const ByteRuns &Layout, ByteRun::Kind Wanted,
         CmpInst::Predicate Last,
         function_ref<void(IRBuilder<> &, const ByteRun &, Value *, Value *, Value *)> Move) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0);
  std::string Full;
  raw_string_ostream OS(Full);
  OS << Name << ' ';
  Layout.print(OS);
  auto [F, Exists] = helper(
      M, Full, FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, Type::getInt64Ty(C)}, false));
  if (Exists)
    return F;
  F->addFnAttr(marking::PartOfCaller);
  Value *Dst = F->getArg(0), *Src = F->getArg(1), *Bytes = F->getArg(2);
  auto *Down = BasicBlock::Create(C, "down", F), *Up = BasicBlock::Create(C, "up", F);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F, Down));
  Value *Period = B.getInt64(Layout.Period);
  Value *Rows = B.CreateUDiv(B.CreateAdd(Bytes, B.getInt64(Layout.Period - 1)), Period, "rows");
  B.CreateCondBr(B.CreateICmp(Last, Dst, Src), Down, Up);
  auto moveRow = [&](Value *Row, auto &&Runs) {
    Value *Start = B.CreateMul(Row, Period), *Rest = B.CreateSub(Bytes, Start);
    for (const ByteRun &R : Runs)
      if (R.maybe(Wanted)) {
        Value *Offset = B.CreateAdd(Start, B.getInt64(R.Offset));
        Value *Part = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Rest, B.getInt64(R.Offset));
        Move(B, R, B.CreateInBoundsPtrAdd(Dst, Offset), B.CreateInBoundsPtrAdd(Src, Offset),
             B.CreateBinaryIntrinsic(Intrinsic::umin, Part, B.getInt64(R.Size)));
      }
  };
  B.SetInsertPoint(Down);
  countedLoop(B, Rows, "row", [&](Value *Row) {
    moveRow(B.CreateSub(B.CreateSub(Rows, Row), B.getInt64(1)), reverse(Layout.Runs));
  });
  B.CreateRetVoid();
  B.SetInsertPoint(Up);
  countedLoop(B, Rows, "row", [&](Value *Row) { moveRow(Row, Layout.Runs); });
  B.CreateRetVoid();
  return F;
}

// Words lie in steps of eight bytes from the start of what is copied, which need not be aligned.

/// Is the word of a shadow at \p At an address, and not zero? As doubles, addresses are below the
/// least normal number: a derivative that small counts for nothing.
static Value *isAddressWord(IRBuilder<> &B, Value *At) {
  constexpr uint64_t LeastNormal = uint64_t(1) << 52;
  Value *Word = B.CreateAlignedLoad(B.getInt64Ty(), At, Align(1));
  return B.CreateICmpULT(B.CreateSub(Word, B.getInt64(1)), B.getInt64(LeastNormal - 1), "address");
}

/// The word at \p Dst is added to that at \p Src, and left zero, if it is a derivative.
static void takeWord(IRBuilder<> &B, Value *Dst, Value *Src) {
  Type *Double = B.getDoubleTy();
  Constant *Zero = ConstantFP::get(Double, 0.0);
  Value *Stays = isAddressWord(B, Dst), *Taken = B.CreateAlignedLoad(Double, Dst, Align(1));
  B.CreateAlignedStore(B.CreateSelect(Stays, Taken, Zero), Dst, Align(1));
  Value *Adjoint = B.CreateSelect(Stays, Zero, Taken);
  Value *Replaced = isAddressWord(B, Src), *Old = B.CreateAlignedLoad(Double, Src, Align(1));
  Value *Sum = B.CreateFAdd(B.CreateSelect(Replaced, Zero, Old), Adjoint);
  Value *Nothing = B.CreateFCmpOEQ(Adjoint, Zero);
  B.CreateAlignedStore(B.CreateSelect(Nothing, Old, Sum), Src, Align(1));
}

/// The word at \p Src is copied if it is an address. Where it is none, one that was at \p Dst goes.
static void copyWord(IRBuilder<> &B, Value *Dst, Value *Src) {
  Type *Double = B.getDoubleTy();
  Value *Copied = isAddressWord(B, Src), *New = B.CreateAlignedLoad(Double, Src, Align(1));
  Value *Cleared = isAddressWord(B, Dst), *Old = B.CreateAlignedLoad(Double, Dst, Align(1));
  Value *Kept = B.CreateSelect(Cleared, ConstantFP::get(Double, 0.0), Old);
  B.CreateAlignedStore(B.CreateSelect(Copied, New, Kept), Dst, Align(1));
}

Function *moveAdjointRuns(Module &M, const ByteRuns &Layout, SharedSides Shared) {
  std::string Name = "isozyme.move.adjoint";
  Name += Shared.Destination ? ".taken" : "";
  Name += Shared.Source ? ".shared" : "";
  return runMover(M, Name, Layout, ByteRun::Floats, CmpInst::ICMP_ULT,
                  [&](IRBuilder<> &B, const ByteRun &R, Value *Dst, Value *Src, Value *Bytes) {
                    if (R.K == ByteRun::Either)
                      return takeWord(B, Dst, Src);
                    Value *Size = B.getInt64(M.getDataLayout().getTypeAllocSize(R.Float));
                    B.CreateCall(
                        copyAdjoint(M, R.Float, Shared, /*MayOverlap=*/true),
                        {Dst, Src, B.getInt64(1), B.getInt64(0), B.CreateUDiv(Bytes, Size)});
                  });
}

Function *moveAddressRuns(Module &M, const ByteRuns &Layout) {
  return runMover(M, "isozyme.move.addresses", Layout, ByteRun::Addresses, CmpInst::ICMP_UGT,
                  [](IRBuilder<> &B, const ByteRun &R, Value *Dst, Value *Src, Value *Bytes) {
                    if (R.K == ByteRun::Either)
                      return copyWord(B, Dst, Src);
                    B.CreateMemMove(Dst, MaybeAlign(), Src, MaybeAlign(), Bytes);
                  });
}

Align alignOfLanes(uint64_t Row) {
  return std::min(Align(Row & -Row), Align(64)); // A line of the cache.
}

Function *laneCopier(Module &M, Type *Element, unsigned Width) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  SmallVector<Type *, 8> Params{Ptr, I64};
  Params.append(Width, Ptr);
  auto [F, Exists] =
      helper(M, ("isozyme.copy.lanes." + Twine(Width) + (Element->isFloatTy() ? "f" : "d")).str(),
             FunctionType::get(Type::getVoidTy(C), Params, false));
  if (Exists)
    return F;
  F->addFnAttr(marking::PartOfCaller);
  const uint64_t Row = Width * M.getDataLayout().getTypeStoreSize(Element);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  countedLoop(B, F->getArg(1), "element", [&](Value *K) {
    Value *All = PoisonValue::get(FixedVectorType::get(Element, Width));
    for (unsigned Lane = 0; Lane < Width; ++Lane) {
      Value *From = B.CreateInBoundsGEP(Element, F->getArg(Lane + 2), {K});
      All = B.CreateInsertElement(All, B.CreateLoad(Element, From), Lane);
    }
    Value *To = B.CreateInBoundsPtrAdd(F->getArg(0), B.CreateMul(K, B.getInt64(Row)));
    B.CreateAlignedStore(All, To, alignOfLanes(Row));
  });
  B.CreateRetVoid();
  return F;
}

static bool isOne(const Value *V) {
  auto *C = dyn_cast<ConstantInt>(V);
  return C && C->isOne();
}

void copyRows(IRBuilderBase &B, Value *To, Value *From, const ByteRows &R) {
  if (isOne(R.Count))
    B.CreateMemMove(To, MaybeAlign(), From, MaybeAlign(), R.Bytes);
  else
    B.CreateCall(rowCopier(*B.GetInsertBlock()->getModule()),
                 {To, From, R.Count, R.Stride, R.Bytes});
}

void clearRows(IRBuilderBase &B, Value *Memory, const ByteRows &R) {
  if (isOne(R.Count))
    B.CreateMemSet(Memory, B.getInt8(0), R.Bytes, MaybeAlign());
  else
    B.CreateCall(rowCleaner(*B.GetInsertBlock()->getModule()),
                 {Memory, R.Count, R.Stride, R.Bytes});
}

} // namespace isozyme
