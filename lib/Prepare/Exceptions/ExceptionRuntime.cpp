//===- ExceptionRuntime.cpp - Helpers that throw and catch ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of the helpers. A landing pad of C++ gets the address of a header, behind which
// the thrown object lies. The other form knows the object only.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/ExceptionRuntime.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// Bytes of the header (struct _Unwind_Exception) on targets with addresses of 64 bits.
constexpr int64_t HeaderBytes = 32;

static Type *padType(Module &M) {
  return StructType::get(PointerType::getUnqual(M.getContext()), Type::getInt32Ty(M.getContext()));
}

static Value *behind(IRBuilder<> &B, Value *Address, int64_t Bytes) {
  return B.CreateInBoundsGEP(B.getInt8Ty(), Address, B.getInt64(Bytes));
}

Value *ExceptionRuntime::headerOf(IRBuilder<> &B, Value *Object) {
  return behind(B, Object, -HeaderBytes);
}

/// A landing pad for everything, in a block of its own that \p B is set to.
static LandingPadInst *catchAll(IRBuilder<> &B, Function &F, BasicBlock *&Pad) {
  Module &M = *F.getParent();
  F.setPersonalityFn(cast<Constant>(
      M.getOrInsertFunction(ExceptionPersonality, FunctionType::get(B.getInt32Ty(), true))
          .getCallee()));
  Pad = BasicBlock::Create(M.getContext(), "caught", &F);
  IRBuilder<> InPad(Pad);
  LandingPadInst *Caught = InPad.CreateLandingPad(padType(M), 1);
  Caught->addClause(ConstantPointerNull::get(B.getPtrTy()));
  return Caught;
}

static BasicBlock *unreachableBlock(Function &F) {
  auto *BB = BasicBlock::Create(F.getContext(), "never", &F);
  new UnreachableInst(F.getContext(), BB);
  return BB;
}

/// Derivatives neither look into a helper nor inline it before they are made.
Function *ExceptionRuntime::helper(StringRef Name, FunctionType *T) {
  auto *F = Function::Create(T, GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(marking::Inactive);
  F->addFnAttr(marking::ServesExceptions);
  F->setDoesNotThrow();
  F->setUWTableKind(UWTableKind::Default);
  BasicBlock::Create(M.getContext(), "entry", F);
  return F;
}

GlobalVariable *ExceptionRuntime::threadVariable(StringRef Name) {
  auto *Ptr = PointerType::getUnqual(M.getContext());
  return new GlobalVariable(M, Ptr, false, GlobalValue::InternalLinkage,
                            ConstantPointerNull::get(Ptr), Name, nullptr,
                            GlobalValue::GeneralDynamicTLSModel);
}

GlobalVariable *ExceptionRuntime::thrown() {
  if (!Thrown) {
    Thrown = threadVariable("isozyme.thrown");
    Thrown->addAttribute(marking::ServesExceptions);
    if (!CarriesNumbers)
      Thrown->addAttribute(marking::Inactive);
  }
  return Thrown;
}

/// The last block that was allocated and not thrown.
GlobalVariable *ExceptionRuntime::list() {
  if (!List)
    List = threadVariable("isozyme.exceptions.allocated");
  return List;
}

/// A result of a helper is known to be inactive, which what is loaded from memory is not.
Value *ExceptionRuntime::landed(IRBuilder<> &B) {
  auto load = [this](IRBuilder<> &At) {
    return At.CreateLoad(At.getPtrTy(), At.CreateThreadLocalAddress(thrown()), "thrown");
  };
  if (CarriesNumbers)
    return load(B);
  if (!Landed) {
    Landed = helper("isozyme.landed", FunctionType::get(B.getPtrTy(), false));
    Landed->setOnlyReadsMemory();
    IRBuilder<> InHelper(&Landed->getEntryBlock());
    InHelper.CreateRet(load(InHelper));
  }
  return B.CreateCall(Landed, {}, "thrown");
}

void ExceptionRuntime::markCaught(Function &F) const {
  SetVector<Instruction *> Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Landed && Call->getCalledFunction() == Landed)
      Found.insert(Call);
  for (unsigned Next = 0; Next < Found.size(); ++Next) {
    markInactive(*Found[Next]);
    for (User *U : Found[Next]->users()) {
      auto *Call = dyn_cast<CallBase>(U);
      if (isa<LoadInst, GetElementPtrInst>(U) || (Call && Call->getCalledOperand() == Found[Next]))
        Found.insert(cast<Instruction>(U));
    }
  }
}

/// What was thrown before and has landed is thrown once more, as it is.
FunctionCallee ExceptionRuntime::rethrow() {
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction("_Unwind_Resume_or_Rethrow", Type::getInt32Ty(C),
                               PointerType::getUnqual(C));
}

/// Where a listed block has the address of the one before: in a field of the header that is
/// used once it is thrown (private_2).
static Value *linkOf(IRBuilder<> &B, Value *Object) { return behind(B, Object, -8); }

Function *ExceptionRuntime::allocating() {
  if (Allocating)
    return Allocating;
  LLVMContext &C = M.getContext();
  auto *T = FunctionType::get(PointerType::getUnqual(C), Type::getInt64Ty(C), false);
  Allocating = helper("isozyme.exception.allocate", T);
  Allocating->setReturnDoesNotAlias();
  IRBuilder<> B(&Allocating->getEntryBlock());
  Value *Object =
      B.CreateCall(M.getOrInsertFunction("__cxa_allocate_exception", T), Allocating->getArg(0));
  if (CarriesNumbers) {
    Allocating->removeFnAttr(marking::Inactive);
    Allocating->addFnAttr(marking::Allocator, "0");
    Allocating->setMetadata(marking::ShadowRelease,
                            MDNode::get(C, ValueAsMetadata::get(releasing())));
    Value *Last = B.CreateThreadLocalAddress(list());
    B.CreateStore(B.CreateLoad(B.getPtrTy(), Last), linkOf(B, Object));
    B.CreateStore(Object, Last);
  }
  B.CreateRet(Object);
  return Allocating;
}

/// `void (ptr object)`: takes a block off the list, if it is there.
Function *ExceptionRuntime::unlisting() {
  if (Unlisting)
    return Unlisting;
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::getUnqual(C);
  Unlisting = helper("isozyme.exception.unlist", FunctionType::get(Type::getVoidTy(C), Ptr, false));
  auto block = [&](StringRef Name) { return BasicBlock::Create(C, Name, Unlisting); };
  BasicBlock *Loop = block("loop"), *Some = block("some"), *Found = block("found"),
             *Other = block("other"), *Done = block("done");
  IRBuilder<> B(&Unlisting->getEntryBlock());
  Value *Last = B.CreateThreadLocalAddress(list());
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Place = B.CreatePHI(Ptr, 2, "place");
  Value *Object = B.CreateLoad(Ptr, Place);
  B.CreateCondBr(B.CreateIsNull(Object), Done, Some);
  B.SetInsertPoint(Some);
  Value *Link = linkOf(B, Object);
  B.CreateCondBr(B.CreateICmpEQ(Object, Unlisting->getArg(0)), Found, Other);
  Place->addIncoming(Last, &Unlisting->getEntryBlock());
  Place->addIncoming(Link, Other);
  BranchInst::Create(Loop, Other);
  B.SetInsertPoint(Found);
  B.CreateStore(B.CreateLoad(Ptr, Link), Place);
  B.CreateBr(Done);
  ReturnInst::Create(C, Done);
  return Unlisting;
}

/// The runtime's function that releases an object that was not thrown.
static FunctionCallee release(Module &M) {
  return M.getOrInsertFunction("__cxa_free_exception", Type::getVoidTy(M.getContext()),
                               PointerType::getUnqual(M.getContext()));
}

Function *ExceptionRuntime::discarding() {
  if (Discarding)
    return Discarding;
  FunctionCallee Release = release(M);
  Discarding = helper("isozyme.exception.discard", Release.getFunctionType());
  IRBuilder<> B(&Discarding->getEntryBlock());
  if (CarriesNumbers)
    B.CreateCall(unlisting(), Discarding->getArg(0));
  B.CreateCall(Release, Discarding->getArg(0));
  B.CreateRetVoid();
  return Discarding;
}

/// Another thread may have the block on its list, or none, if a first half has made it.
Function *ExceptionRuntime::releasing() {
  if (Releasing)
    return Releasing;
  FunctionCallee Release = release(M);
  Releasing = helper("isozyme.exception.release", Release.getFunctionType());
  IRBuilder<> B(&Releasing->getEntryBlock());
  B.CreateCall(unlisting(), Releasing->getArg(0));
  B.CreateCall(Release, Releasing->getArg(0));
  B.CreateRetVoid();
  return Releasing;
}

Function *ExceptionRuntime::throwing() {
  if (Throwing)
    return Throwing;
  auto *Ptr = PointerType::getUnqual(M.getContext());
  auto *T = FunctionType::get(Type::getVoidTy(M.getContext()), {Ptr, Ptr, Ptr}, false);
  Throwing = helper("isozyme.throw", T);
  IRBuilder<> B(&Throwing->getEntryBlock());
  if (CarriesNumbers)
    B.CreateCall(unlisting(), Throwing->getArg(0));
  BasicBlock *Pad;
  catchAll(B, *Throwing, Pad);
  IRBuilder<>(Pad).CreateRetVoid();
  B.CreateInvoke(M.getOrInsertFunction("__cxa_throw", T), unreachableBlock(*Throwing), Pad,
                 {Throwing->getArg(0), Throwing->getArg(1), Throwing->getArg(2)});
  return Throwing;
}

Function *ExceptionRuntime::entering(Function &Entry) {
  Function *&F = Entering[&Entry];
  if (F)
    return F;
  auto *Ptr = PointerType::getUnqual(M.getContext());
  F = helper("isozyme.enter", FunctionType::get(Type::getInt64Ty(M.getContext()), Ptr, false));
  IRBuilder<> B(&F->getEntryBlock());
  Value *Got = B.CreateCall(&Entry, headerOf(B, F->getArg(0)));
  B.CreateRet(B.CreateSub(B.CreatePtrToInt(Got, B.getInt64Ty()),
                          B.CreatePtrToInt(F->getArg(0), B.getInt64Ty())));
  return F;
}

Function *ExceptionRuntime::calling(const CallBase &Call) {
  auto *Ptr = PointerType::getUnqual(M.getContext());
  SmallVector<Type *> Params;
  for (const Use &Argument : Call.args())
    Params.push_back(Argument->getType());
  if (!Call.getType()->isVoidTy())
    Params.push_back(Ptr);
  auto *T = FunctionType::get(Ptr, Params, false);
  Function *Callee = Call.getCalledFunction();
  Function *&F = Calling[{Callee, T}];
  if (F)
    return F;
  F = helper(("isozyme.try." + Callee->getName()).str(), T);
  IRBuilder<> B(&F->getEntryBlock());
  BasicBlock *Pad, *Fine = BasicBlock::Create(M.getContext(), "fine", F);
  LandingPadInst *Caught = catchAll(B, *F, Pad);
  SmallVector<Value *> Arguments;
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    Arguments.push_back(F->getArg(I));
  InvokeInst *Invoke = B.CreateInvoke(Call.getFunctionType(), Callee, Fine, Pad, Arguments);
  Invoke->setAttributes(Call.getAttributes());
  Invoke->setCallingConv(Call.getCallingConv());
  B.SetInsertPoint(Fine);
  if (!Call.getType()->isVoidTy())
    B.CreateStore(Invoke, F->getArg(Call.arg_size()));
  B.CreateRet(ConstantPointerNull::get(Ptr));
  B.SetInsertPoint(Pad);
  B.CreateRet(behind(B, B.CreateExtractValue(Caught, 0), HeaderBytes));
  return F;
}

unsigned ExceptionRuntime::numberOf(const Constant *Type) {
  return Numbers.try_emplace(Type, Numbers.size() + 1).first->second;
}

/// Lets the personality routine choose: throws into a copy of the landing pad.
Function *ExceptionRuntime::selecting(const LandingPadInst &Pad) {
  std::vector<const Constant *> Clauses;
  for (unsigned I = 0; I < Pad.getNumClauses(); ++I)
    Clauses.push_back(Pad.getClause(I));
  Function *&F = Selecting[Clauses];
  if (F)
    return F;
  auto *Ptr = PointerType::getUnqual(M.getContext());
  F = helper("isozyme.selected", FunctionType::get(Type::getInt32Ty(M.getContext()), Ptr, false));
  IRBuilder<> B(&F->getEntryBlock());
  BasicBlock *Block;
  LandingPadInst *Last = catchAll(B, *F, Block);
  B.CreateInvoke(rethrow(), unreachableBlock(*F), Block, headerOf(B, F->getArg(0)));
  B.SetInsertPoint(Last);
  LandingPadInst *Caught = B.CreateLandingPad(padType(M), Clauses.size() + 1);
  bool All = false;
  for (const Constant *Clause : Clauses) {
    Caught->addClause(const_cast<Constant *>(Clause));
    All |= Clause->isNullValue();
  }
  if (!All)
    Caught->addClause(ConstantPointerNull::get(Ptr));
  Last->eraseFromParent();
  B.SetInsertPoint(Block);
  Value *Type = B.CreateExtractValue(Caught, 1);
  Value *Number = B.getInt32(All ? numberOf(ConstantPointerNull::get(Ptr)) : 0);
  for (const Constant *Clause : reverse(Clauses))
    if (!Clause->isNullValue()) {
      Value *Id =
          B.CreateIntrinsic(Intrinsic::eh_typeid_for, {Ptr}, {const_cast<Constant *>(Clause)});
      Number = B.CreateSelect(B.CreateICmpEQ(Type, Id), B.getInt32(numberOf(Clause)), Number);
    }
  B.CreateRet(Number);
  return F;
}

Function *ExceptionRuntime::beginning() {
  if (Beginning)
    return Beginning;
  auto *Ptr = PointerType::getUnqual(M.getContext());
  Beginning = helper("isozyme.begin", FunctionType::get(Ptr, false));
  IRBuilder<> B(&Beginning->getEntryBlock());
  Value *Last = B.CreateThreadLocalAddress(list());
  Value *Around = B.CreateLoad(Ptr, Last);
  B.CreateStore(ConstantPointerNull::get(Ptr), Last);
  B.CreateRet(Around);
  return Beginning;
}

Function *ExceptionRuntime::leaving() {
  if (Leaving)
    return Leaving;
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::getUnqual(C);
  Type *Flag = Type::getInt1Ty(C);
  Leaving = helper("isozyme.leave", FunctionType::get(Type::getVoidTy(C), {Ptr, Flag}, false));
  Leaving->removeFnAttr(Attribute::NoUnwind);
  auto block = [&](StringRef Name) { return BasicBlock::Create(C, Name, Leaving); };
  BasicBlock *Loop = block("loop"), *Release = block("release"), *Look = block("look"),
             *Throw = block("throw"), *Done = block("done");
  IRBuilder<> B(&Leaving->getEntryBlock());
  Value *Last = B.CreateThreadLocalAddress(list()),
        *Variable = B.CreateThreadLocalAddress(thrown());
  B.CreateCondBr(Leaving->getArg(1), Look, Loop);
  B.SetInsertPoint(Loop);
  Value *Block = B.CreateLoad(Ptr, Last);
  B.CreateCondBr(B.CreateIsNull(Block), Look, Release);
  B.SetInsertPoint(Release);
  B.CreateStore(B.CreateLoad(Ptr, linkOf(B, Block)), Last);
  B.CreateCall(release(M), Block);
  B.CreateBr(Loop);
  B.SetInsertPoint(Look);
  B.CreateStore(Leaving->getArg(0), Last);
  Value *Object = B.CreateLoad(Ptr, Variable);
  B.CreateCondBr(B.CreateIsNull(Object), Done, Throw);
  B.SetInsertPoint(Throw);
  B.CreateStore(ConstantPointerNull::get(Ptr), Variable);
  B.CreateCall(rethrow(), headerOf(B, Object));
  B.CreateUnreachable();
  ReturnInst::Create(C, Done);
  return Leaving;
}

} // namespace isozyme
