//===- ShadowPages.cpp - Shadows of memory that nobody has made one for ---===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a pointer in a global variable led to before the derivative began (a
// workspace that is allocated once) has no shadow, and its size is not known. Its
// derivatives are kept by address:
//
//   isozyme.pages:  bucket[address / 4096 mixed] -> { next, key, -> 4096 bytes } -> ...
//
// The bytes are memory of their own: derivatives of derivatives join them with the shadows that
// they stand in for, which have nothing to do with lists and keys.
//
// The table is one per thread. It is emptied when a derivative that the user asked
// for begins and ends.
//
//===----------------------------------------------------------------------===//
#include "OwnShadow.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

constexpr unsigned PageLog2 = 12, BucketsLog2 = 10, LanesLog2 = 4;

/// Each level of derivatives has a table, and functions, of its own.
static std::string levelName(const char *Name, unsigned Level) {
  return Level ? Name + (".level" + std::to_string(Level)) : Name;
}

static constexpr const char *TableName = "isozyme.pages";

bool hasPages(const Module &M, unsigned Level) {
  return M.getGlobalVariable(levelName(TableName, Level), /*AllowInternal=*/true);
}

static GlobalVariable *pageTable(Module &M, unsigned Level) {
  std::string Name = levelName(TableName, Level);
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  // One more than buckets: any page, if there is one.
  auto *T = ArrayType::get(PointerType::get(M.getContext(), 0), (1u << BucketsLog2) + 1);
  auto *G = new GlobalVariable(M, T, false, GlobalValue::InternalLinkage, Constant::getNullValue(T),
                               Name, nullptr, GlobalValue::GeneralDynamicTLSModel);
  markShadow(*G, Level);
  return G;
}

static StructType *pageType(LLVMContext &C) {
  return StructType::get(C, {PointerType::get(C, 0), Type::getInt64Ty(C), PointerType::get(C, 0)});
}

/// ptr isozyme.page(i64 key): the bytes of the page, found or made.
static Function *findPage(Module &M, unsigned Level) {
  std::string Name = levelName("isozyme.page", Level);
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  StructType *Page = pageType(C);
  auto *F =
      Function::Create(FunctionType::get(Ptr, {I64}, false), GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->addFnAttr(marking::ServesLaterCallers);
  auto block = [&](const char *Text) { return BasicBlock::Create(C, Text, F); };
  BasicBlock *Entry = block("entry"), *Look = block("look"), *Compare = block("compare"),
             *Further = block("further"), *Make = block("make"), *Done = block("done");
  Value *Key = F->getArg(0);
  IRBuilder<> B(Entry);
  // Fibonacci hashing: the upper bits depend on all of the key.
  Value *Mixed = B.CreateMul(Key, B.getInt64(0x9E3779B97F4A7C15));
  Value *Index = B.CreateLShr(Mixed, 64 - BucketsLog2);
  Value *Table = B.CreateThreadLocalAddress(pageTable(M, Level));
  Value *Bucket = B.CreateInBoundsGEP(Ptr, Table, {Index}, "bucket");
  Value *First = B.CreateLoad(Ptr, Bucket, "first");
  B.CreateBr(Look);
  B.SetInsertPoint(Look);
  PHINode *At = B.CreatePHI(Ptr, 2, "at");
  At->addIncoming(First, Entry);
  B.CreateCondBr(B.CreateIsNull(At), Make, Compare, MDBuilder(C).createUnlikelyBranchWeights());
  B.SetInsertPoint(Compare);
  Value *Same = B.CreateICmpEQ(B.CreateLoad(I64, B.CreateStructGEP(Page, At, 1)), Key);
  B.CreateCondBr(Same, Done, Further);
  B.SetInsertPoint(Further);
  At->addIncoming(B.CreateLoad(Ptr, B.CreateStructGEP(Page, At, 0)), Further);
  B.CreateBr(Look);
  B.SetInsertPoint(Make);
  Value *Bytes = B.getInt64(M.getDataLayout().getTypeAllocSize(Page));
  Value *New = B.CreateCall(tapeAllocate(M), {Bytes}, "new");
  B.CreateStore(First, B.CreateStructGEP(Page, New, 0));
  B.CreateStore(Key, B.CreateStructGEP(Page, New, 1));
  Value *Content = B.CreateCall(tapeAllocateZeroed(M), {B.getInt64(1u << PageLog2)}, "content");
  B.CreateStore(Content, B.CreateStructGEP(Page, New, 2));
  B.CreateStore(New, Bucket);
  B.CreateStore(New, B.CreateConstInBoundsGEP1_64(Ptr, Table, 1u << BucketsLog2));
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  PHINode *Found = B.CreatePHI(Ptr, 2, "found");
  Found->addIncoming(At, Compare);
  Found->addIncoming(New, Make);
  B.CreateRet(B.CreateLoad(Ptr, B.CreateStructGEP(Page, Found, 2)));
  return F;
}

/// ptr isozyme.shadow.at(ptr primal, ptr shadow, i64 lane)
static Function *shadowAt(Module &M, unsigned Level) {
  std::string Name = levelName("isozyme.shadow.at", Level);
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  auto *F = Function::Create(FunctionType::get(Ptr, {Ptr, Ptr, I64}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->addFnAttr(marking::ServesLaterCallers);
  auto *Entry = BasicBlock::Create(C, "entry", F), *Own = BasicBlock::Create(C, "own", F),
       *Fine = BasicBlock::Create(C, "fine", F);
  IRBuilder<> B(Entry);
  Value *Primal = F->getArg(0), *Shadow = F->getArg(1);
  // Null: copied along with memory that has pages.
  Value *None = B.CreateOr(B.CreateICmpEQ(Primal, Shadow), B.CreateIsNull(Shadow));
  B.CreateCondBr(None, Own, Fine, MDBuilder(C).createUnlikelyBranchWeights());
  B.SetInsertPoint(Fine);
  B.CreateRet(Shadow);
  B.SetInsertPoint(Own);
  Value *Address = B.CreatePtrToInt(Primal, I64);
  Value *Key = B.CreateOr(B.CreateShl(B.CreateLShr(Address, PageLog2), LanesLog2), F->getArg(2));
  Value *Page = B.CreateCall(findPage(M, Level), {Key});
  Value *Inside = B.CreateAnd(Address, B.getInt64((1u << PageLog2) - 1));
  B.CreateRet(B.CreateInBoundsGEP(B.getInt8Ty(), Page, {Inside}));
  return F;
}

Value *pagedShadow(IRBuilderBase &B, Value *Primal, Value *Shadow, ShadowIndex Index) {
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(shadowAt(M, Index.Level), {Primal, Shadow, B.getInt64(Index.Lane)});
}

/// void isozyme.shadow.copy(ptr primal, ptr shadow, ptr copy, i64 bytes, i64 lane, i1 back):
/// what lies in one page at a time.
static Function *copyShadow(Module &M, unsigned Level) {
  std::string Name = levelName("isozyme.shadow.copy", Level);
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C), *I1 = Type::getInt1Ty(C);
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, Ptr, I64, I64, I1}, false),
                       GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->addFnAttr(marking::ServesLaterCallers);
  Value *Primal = F->getArg(0), *Shadow = F->getArg(1), *Copy = F->getArg(2), *Bytes = F->getArg(3);
  auto *Entry = BasicBlock::Create(C, "entry", F), *Loop = BasicBlock::Create(C, "loop", F),
       *Piece = BasicBlock::Create(C, "piece", F), *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  Value *Own = B.CreateOr(B.CreateICmpEQ(Primal, Shadow), B.CreateIsNull(Shadow), "own");
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *At = B.CreatePHI(I64, 2, "at");
  At->addIncoming(B.getInt64(0), Entry);
  B.CreateCondBr(B.CreateICmpULT(At, Bytes), Piece, Done);
  B.SetInsertPoint(Piece);
  Value *From = B.CreateInBoundsGEP(B.getInt8Ty(), Primal, {At});
  Value *InPage =
      B.CreateSub(B.getInt64(1u << PageLog2),
                  B.CreateAnd(B.CreatePtrToInt(From, I64), B.getInt64((1u << PageLog2) - 1)));
  Value *Rest = B.CreateSub(Bytes, At);
  Value *Size = B.CreateSelect(Own, B.CreateBinaryIntrinsic(Intrinsic::umin, InPage, Rest), Rest);
  Value *Theirs = B.CreateSelect(Own, From, B.CreateGEP(B.getInt8Ty(), Shadow, {At}));
  Value *There = B.CreateCall(shadowAt(M, Level), {From, Theirs, F->getArg(4)});
  Value *Here = B.CreateInBoundsGEP(B.getInt8Ty(), Copy, {At});
  Value *Back = F->getArg(5);
  B.CreateMemMove(B.CreateSelect(Back, There, Here), MaybeAlign(),
                  B.CreateSelect(Back, Here, There), MaybeAlign(), Size);
  At->addIncoming(B.CreateAdd(At, Size), Piece);
  B.CreateBr(Loop);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

void ShadowBlock::open() {
  if (!Paged)
    return;
  Module &M = *B.GetInsertBlock()->getModule();
  Bytes = B.CreateZExtOrTrunc(Bytes, B.getInt64Ty());
  Memory = B.CreateCall(tapeAllocate(M), {Bytes}, "block");
  B.CreateCall(copyShadow(M, Index.Level),
               {Primal, Shadow, Memory, Bytes, B.getInt64(Index.Lane), B.getFalse()});
}

void ShadowBlock::close(bool Written) {
  if (!Paged)
    return;
  Module &M = *B.GetInsertBlock()->getModule();
  if (Written)
    B.CreateCall(copyShadow(M, Index.Level),
                 {Primal, Shadow, Memory, Bytes, B.getInt64(Index.Lane), B.getTrue()});
  releaseTape(B, Memory);
}

Function *releasePages(Module &M, unsigned Level) {
  std::string Name = levelName("isozyme.pages.release", Level);
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0);
  StructType *Page = pageType(C);
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                             GlobalValue::InternalLinkage, Name, M);
  auto block = [&](const char *Text) { return BasicBlock::Create(C, Text, F); };
  BasicBlock *Entry = block("entry"), *Bucket = block("bucket"), *Look = block("look"),
             *Free = block("free"), *Next = block("next"), *Last = block("last"),
             *Done = block("done");
  IRBuilder<> B(Entry);
  Value *Table = B.CreateThreadLocalAddress(pageTable(M, Level));
  Value *Any = B.CreateConstInBoundsGEP1_64(Ptr, Table, 1u << BucketsLog2);
  B.CreateCondBr(B.CreateIsNull(B.CreateLoad(Ptr, Any)), Done, Bucket);
  B.SetInsertPoint(Bucket);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "i");
  I->addIncoming(B.getInt64(0), Entry);
  Value *Head = B.CreateInBoundsGEP(Ptr, Table, {I});
  Value *First = B.CreateLoad(Ptr, Head);
  B.CreateBr(Look);
  B.SetInsertPoint(Look);
  PHINode *At = B.CreatePHI(Ptr, 2, "at");
  At->addIncoming(First, Bucket);
  B.CreateCondBr(B.CreateIsNull(At), Next, Free);
  B.SetInsertPoint(Free);
  Value *Following = B.CreateLoad(Ptr, B.CreateStructGEP(Page, At, 0));
  releaseTape(B, B.CreateLoad(Ptr, B.CreateStructGEP(Page, At, 2)));
  releaseTape(B, At);
  At->addIncoming(Following, Free);
  B.CreateBr(Look);
  B.SetInsertPoint(Next);
  B.CreateStore(ConstantPointerNull::get(cast<PointerType>(Ptr)), Head);
  Value *Number = B.CreateAdd(I, B.getInt64(1));
  I->addIncoming(Number, Next);
  B.CreateCondBr(B.CreateICmpEQ(Number, B.getInt64(1u << BucketsLog2)), Last, Bucket);
  B.SetInsertPoint(Last);
  B.CreateStore(ConstantPointerNull::get(cast<PointerType>(Ptr)), Any);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

} // namespace isozyme
