//===- HandBack.cpp - The reverse of what threads hand to each other ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread knows whose value it got: the number of the thread is handed on as the value was. It
// has to know who got its own:
//
//   pairs      the one that its own came from has got its own (xor)
//   distance   the one as far away on the other side (up, down), and maybe itself
//   else       it asks all threads of the warp, one after another
//
// Which of these it is, the threads find out together. What a thread got from one that was not
// there has no adjoint: the number that comes with it may be any.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/HandBack.h"
#include "LoopHints.h"
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// The body of the function for one intrinsic and one type.
class HandBackBody {
public:
  HandBackBody(Function &F, Intrinsic::ID Word)
      : F(F), Machine(*acceleratorOf(*F.getParent())), Word(Word),
        B(BasicBlock::Create(F.getContext(), "entry", &F)), Adjoint(F.getArg(0)) {
    for (Argument &A : drop_begin(F.args()))
      Others.push_back(&A);
    if (std::optional<unsigned> Number = Machine.exchangeOf(Word)->Mask)
      Mask = Others[*Number]; // It stands before the word.
  }
  void emit();

private:
  void findSource();
  Value *where(Value *Is) { return Machine.lanesWhere(B, Is, Mask); }
  Value *isIn(Value *Lanes, Value *Lane);
  Value *fromLane(Value *V, Value *Lane) {
    return byWords(B, V, [&](Value *W) { return Machine.fromLane(B, W, Lane, Mask); });
  }
  /// Ends the function with what \p Result makes, if \p Is holds in all threads.
  void returnWhere(Value *Is, function_ref<Value *()> Result);
  void tryPairs();
  void tryDistance();
  void askAll();

  Function &F;
  const Accelerator &Machine;
  const Intrinsic::ID Word;
  IRBuilder<> B;
  Value *const Adjoint;
  SmallVector<Value *, 4> Others;
  Value *Mask = nullptr;
  Value *Lane = nullptr, *Here = nullptr, *Source = nullptr;
};

} // namespace

/// Is the thread \p Lane, any i32, one of \p Lanes?
Value *HandBackBody::isIn(Value *Lanes, Value *Lane) {
  Value *IsLane = B.CreateICmpULT(Lane, B.getInt32(Machine.mostLanes()));
  Value *Shift = B.CreateZExt(B.CreateAnd(Lane, Machine.mostLanes() - 1), B.getInt64Ty());
  Value *Bit = B.CreateTrunc(B.CreateLShr(Lanes, Shift), B.getInt1Ty());
  return B.CreateAnd(IsLane, Bit);
}

/// Zero is what machines hand on for a thread that is not there.
void HandBackBody::findSource() {
  Lane = Machine.lane(B);
  Here = where(B.getTrue());
  Value *Number = exchangeWord(B, Word, B.CreateAdd(Lane, B.getInt32(1)), Others);
  Source = B.CreateSub(Number, B.getInt32(1), "source");
}

void HandBackBody::returnWhere(Value *Is, function_ref<Value *()> Result) {
  auto *Yes = BasicBlock::Create(F.getContext(), "found", &F);
  auto *No = BasicBlock::Create(F.getContext(), "else", &F);
  B.CreateCondBr(B.CreateICmpEQ(where(B.CreateNot(Is)), B.getInt64(0)), Yes, No);
  B.SetInsertPoint(Yes);
  B.CreateRet(Result());
  B.SetInsertPoint(No);
}

void HandBackBody::tryPairs() {
  Value *Back = Machine.fromLane(B, Source, Source, Mask);
  Value *Is = B.CreateAnd(B.CreateICmpEQ(Back, Lane), isIn(Here, Source));
  returnWhere(Is, [&] { return fromLane(Adjoint, Source); });
}

void HandBackBody::tryDistance() {
  Value *Distance = B.CreateSub(Source, Lane), *Zero = Constant::getNullValue(F.getReturnType());
  Value *IsOwn = B.CreateICmpEQ(Source, Lane), *Movers = where(B.CreateNot(IsOwn));
  Value *First = B.CreateTrunc(
      B.CreateIntrinsic(Intrinsic::cttz, {B.getInt64Ty()}, {Movers, B.getFalse()}), B.getInt32Ty());
  Value *OfFirst = Machine.fromLane(B, Distance, First, Mask);
  returnWhere(B.CreateOr(IsOwn, B.CreateICmpEQ(Distance, OfFirst)), [&] {
    Value *Taker = B.CreateSub(Lane, OfFirst);
    Value *Got = B.CreateSelect(isIn(Movers, Taker), fromLane(Adjoint, Taker), Zero);
    return B.CreateFAdd(Got, B.CreateSelect(IsOwn, Adjoint, Zero));
  });
}

void HandBackBody::askAll() {
  BasicBlock *Before = B.GetInsertBlock();
  auto *Ask = BasicBlock::Create(F.getContext(), "ask", &F);
  auto *Done = BasicBlock::Create(F.getContext(), "done", &F);
  B.CreateBr(Ask);
  B.SetInsertPoint(Ask);
  PHINode *Asked = B.CreatePHI(B.getInt32Ty(), 2), *Sum = B.CreatePHI(F.getReturnType(), 2);
  Value *Takes = B.CreateICmpEQ(Machine.fromLane(B, Source, Asked, Mask), Lane);
  Value *Share = fromLane(Adjoint, Asked);
  Value *More =
      B.CreateSelect(B.CreateAnd(Takes, isIn(Here, Asked)), B.CreateFAdd(Sum, Share), Sum);
  Value *Next = B.CreateAdd(Asked, B.getInt32(1));
  Asked->addIncoming(B.getInt32(0), Before);
  Asked->addIncoming(Next, Ask);
  Sum->addIncoming(Constant::getNullValue(F.getReturnType()), Before);
  Sum->addIncoming(More, Ask);
  // Hardly anybody comes here: copies of the body would only take registers from the others.
  Instruction *Again =
      B.CreateCondBr(B.CreateICmpULT(Next, B.getInt32(Machine.mostLanes())), Ask, Done);
  wishForLoop(*Again, "llvm.loop.unroll.disable");
  B.SetInsertPoint(Done);
  B.CreateRet(More);
}

void HandBackBody::emit() {
  findSource();
  tryPairs();
  tryDistance();
  askAll();
}

Value *handBack(IRBuilderBase &B, Intrinsic::ID Word, Value *Adjoint, ArrayRef<Value *> Others) {
  Function &User = *B.GetInsertBlock()->getParent();
  Module &M = *User.getParent();
  Function *Forward = exchangeFunction(M, Word, Adjoint->getType());
  std::string Name = (Forward->getName() + ".back").str();
  Function *F = M.getFunction(Name);
  if (!F) {
    F = Function::Create(Forward->getFunctionType(), GlobalValue::InternalLinkage, Name, M);
    F->addFnAttr(marking::ServesLaterCallers);
    F->setConvergent();
    F->setDoesNotThrow();
    for (StringRef Kind : {"target-cpu", "target-features"})
      if (Attribute A = User.getFnAttribute(Kind); A.isValid())
        F->addFnAttr(A);
    HandBackBody(*F, Word).emit();
  }
  SmallVector<Value *, 4> Args = {Adjoint};
  append_range(Args, Others);
  return B.CreateCall(F, Args);
}

/// void (i64 pass): a loop that one thread runs longer than another comes backwards through passes
/// that did not meet.
static Function *passCheck(Module &M, const Accelerator &Machine) {
  StringRef Name = "isozyme.same.pass";
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *I64 = Type::getInt64Ty(C);
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), {I64}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(marking::ServesLaterCallers);
  F->setConvergent();
  F->setDoesNotThrow();
  auto *Entry = BasicBlock::Create(C, "entry", F), *Differ = BasicBlock::Create(C, "differ", F),
       *Same = BasicBlock::Create(C, "same", F);
  IRBuilder<> B(Entry);
  Value *Here = Machine.lanesWhere(B, B.getTrue(), nullptr);
  Value *First = B.CreateTrunc(B.CreateIntrinsic(Intrinsic::cttz, {I64}, {Here, B.getFalse()}),
                               B.getInt32Ty());
  Value *OfFirst =
      byWords(B, F->getArg(0), [&](Value *W) { return Machine.fromLane(B, W, First, nullptr); });
  Value *Differs = Machine.lanesWhere(B, B.CreateICmpNE(F->getArg(0), OfFirst), nullptr);
  B.CreateCondBr(B.CreateICmpEQ(Differs, B.getInt64(0)), Same, Differ);
  B.SetInsertPoint(Differ);
  targetRuntime(M).stop(B);
  B.SetInsertPoint(Same);
  B.CreateRetVoid();
  return F;
}

void meetInPass(IRBuilderBase &B, Intrinsic::ID Word, Value *Pass) {
  Module &M = *B.GetInsertBlock()->getModule();
  const Accelerator &Machine = *acceleratorOf(M);
  if (!Machine.exchangeOf(Word)->Mask)
    B.CreateCall(passCheck(M, Machine), {Pass});
}

} // namespace isozyme
