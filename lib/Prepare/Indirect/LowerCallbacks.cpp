//===- LowerCallbacks.cpp - qsort and bsearch as ordinary code -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting moves elements to where comparisons say. The comparisons carry no
// derivative, so they are made first, on elements that stay where they are; then
// the elements are moved by copies like any others:
//
//   qsort(p, n, size, cmp)  ->  order = malloc(2 * n * 8);  sorted = malloc(n * size)
//                               isozyme.sort.order(order, p, n, size, cmp)
//                               for (i = 0; i < n; ++i)
//                                 memcpy(sorted + i * size, p + order[i] * size, size)
//                               memcpy(p, sorted, n * size);  free(sorted);  free(order)
//   bsearch(k, p, n, size, cmp)  ->  i = isozyme.search.index(k, p, n, size, cmp)
//                                    i < 0 ? null : p + i * size
//
// The order is that of a stable merge sort, which is also glibc's; the search is
// the one of every C library.
//
//===----------------------------------------------------------------------===//
#include "LowerCallbacks.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Writes a helper with loops; variables are in memory until LLVM promotes them.
class LoopWriter {
public:
  explicit LoopWriter(Function &F) : F(F), B(BasicBlock::Create(F.getContext(), "entry", &F)) {}
  IRBuilder<> &builder() { return B; }

  Value *variable(Value *Start, const Twine &Name) {
    IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
    Value *Place = Entry.CreateAlloca(Start->getType(), nullptr, Name);
    B.CreateStore(Start, Place);
    return Place;
  }
  Value *get(Value *Variable) {
    return B.CreateLoad(cast<AllocaInst>(Variable)->getAllocatedType(), Variable);
  }
  void set(Value *Variable, Value *V) { B.CreateStore(V, Variable); }

  void whileLoop(function_ref<Value *()> Condition, function_ref<void()> Body) {
    BasicBlock *Test = block("test"), *Loop = block("loop"), *Done = block("done");
    B.CreateBr(Test);
    B.SetInsertPoint(Test);
    B.CreateCondBr(Condition(), Loop, Done);
    B.SetInsertPoint(Loop);
    Body();
    B.CreateBr(Test);
    B.SetInsertPoint(Done);
  }
  void ifThen(Value *Condition, function_ref<void()> Body) {
    BasicBlock *Then = block("then"), *Done = block("else");
    B.CreateCondBr(Condition, Then, Done);
    B.SetInsertPoint(Then);
    Body();
    B.CreateBr(Done);
    B.SetInsertPoint(Done);
  }

private:
  BasicBlock *block(const Twine &Name) { return BasicBlock::Create(F.getContext(), Name, &F); }
  Function &F;
  IRBuilder<> B;
};

} // namespace

static Value *elementAt(IRBuilderBase &B, Value *Base, Value *Index, Value *Size) {
  return B.CreateInBoundsGEP(B.getInt8Ty(), Base, {B.CreateMul(Index, Size)});
}

/// \p Context is null for a comparison of two operands.
static Value *compare(IRBuilderBase &B, Value *Compare, Value *Left, Value *Right, Value *Context) {
  SmallVector<Value *, 3> Args{Left, Right};
  if (Context)
    Args.push_back(Context);
  SmallVector<Type *, 3> Types(Args.size(), B.getPtrTy());
  return B.CreateCall(FunctionType::get(B.getInt32Ty(), Types, false), Compare, Args);
}

/// void order(i64 *order, void *base, i64 n, i64 size, cmp [, context]); order has room
/// for twice n: the merge goes from one half to the other and back.
static Function *orderFunction(Module &M, bool HasContext) {
  std::string Name = (SortHelperPrefix + (HasContext ? "order.with" : "order")).str();
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  SmallVector<Type *, 6> Parameters{Ptr, Ptr, I64, I64, Ptr};
  if (HasContext)
    Parameters.push_back(Ptr);
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), Parameters, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoInline); // Its name says that it carries no derivative.
  Value *Order = F->getArg(0), *Base = F->getArg(1), *N = F->getArg(2), *Size = F->getArg(3),
        *Compare = F->getArg(4), *Context = HasContext ? F->getArg(5) : nullptr;
  LoopWriter W(*F);
  IRBuilder<> &B = W.builder();
  Value *Zero = B.getInt64(0), *One = B.getInt64(1);
  auto At = [&](Value *Array, Value *I) { return B.CreateInBoundsGEP(I64, Array, {I}); };
  Value *I = W.variable(Zero, "i");
  W.whileLoop([&] { return B.CreateICmpULT(W.get(I), N); },
              [&] {
                B.CreateStore(W.get(I), At(Order, W.get(I)));
                W.set(I, B.CreateAdd(W.get(I), One));
              });
  Value *From = W.variable(Order, "from"), *To = W.variable(At(Order, N), "to");
  Value *Width = W.variable(One, "width"), *Low = W.variable(Zero, "low");
  Value *A = W.variable(Zero, "a"), *Z = W.variable(Zero, "z"), *K = W.variable(Zero, "k");
  Value *First = W.variable(B.getTrue(), "first");
  auto atMostN = [&](Value *V) { return B.CreateBinaryIntrinsic(Intrinsic::umin, V, N); };
  auto mergeTwo = [&] {
    Value *Middle = atMostN(B.CreateAdd(W.get(Low), W.get(Width)));
    Value *High = atMostN(B.CreateAdd(Middle, W.get(Width)));
    W.set(A, W.get(Low));
    W.set(Z, Middle);
    W.set(K, W.get(Low));
    W.whileLoop(
        [&] { return B.CreateICmpULT(W.get(K), High); },
        [&] {
          Value *HasLeft = B.CreateICmpULT(W.get(A), Middle);
          Value *HasBoth = B.CreateAnd(HasLeft, B.CreateICmpULT(W.get(Z), High));
          W.set(First, HasLeft);
          W.ifThen(HasBoth, [&] {
            Value *L = elementAt(B, Base, B.CreateLoad(I64, At(W.get(From), W.get(A))), Size);
            Value *R = elementAt(B, Base, B.CreateLoad(I64, At(W.get(From), W.get(Z))), Size);
            W.set(First, B.CreateICmpSLE(compare(B, Compare, L, R, Context), B.getInt32(0)));
          });
          Value *TakeLeft = W.get(First);
          Value *Taken = B.CreateSelect(TakeLeft, W.get(A), W.get(Z));
          B.CreateStore(B.CreateLoad(I64, At(W.get(From), Taken)), At(W.get(To), W.get(K)));
          W.set(A, B.CreateAdd(W.get(A), B.CreateZExt(TakeLeft, I64)));
          W.set(Z, B.CreateAdd(W.get(Z), B.CreateZExt(B.CreateNot(TakeLeft), I64)));
          W.set(K, B.CreateAdd(W.get(K), One));
        });
    W.set(Low, High);
  };
  W.whileLoop([&] { return B.CreateICmpULT(W.get(Width), N); },
              [&] {
                W.set(Low, Zero);
                W.whileLoop([&] { return B.CreateICmpULT(W.get(Low), N); }, mergeTwo);
                Value *Next = W.get(To);
                W.set(To, W.get(From));
                W.set(From, Next);
                W.set(Width, B.CreateShl(W.get(Width), 1));
              });
  W.ifThen(B.CreateICmpNE(W.get(From), Order), [&] {
    B.CreateMemCpy(Order, Align(8), W.get(From), Align(8), B.CreateMul(N, B.getInt64(8)));
  });
  B.CreateRetVoid();
  return F;
}

/// i64 index(void *key, void *base, i64 n, i64 size, cmp); -1 where there is none.
static Function *indexFunction(Module &M) {
  std::string Name = (SearchHelperPrefix + "index").str();
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  auto *F = Function::Create(FunctionType::get(I64, {Ptr, Ptr, I64, I64, Ptr}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoInline);
  Value *Key = F->getArg(0), *Base = F->getArg(1), *N = F->getArg(2), *Size = F->getArg(3);
  LoopWriter W(*F);
  IRBuilder<> &B = W.builder();
  Value *Low = W.variable(B.getInt64(0), "low"), *High = W.variable(N, "high");
  Value *Found = W.variable(B.getInt64(-1), "found");
  W.whileLoop([&] { return B.CreateICmpULT(W.get(Low), W.get(High)); },
              [&] {
                Value *L = W.get(Low), *H = W.get(High);
                Value *Middle = B.CreateLShr(B.CreateAdd(L, H), 1);
                Value *Sign =
                    compare(B, F->getArg(4), Key, elementAt(B, Base, Middle, Size), nullptr);
                Value *Less = B.CreateICmpSLT(Sign, B.getInt32(0));
                Value *Equal = B.CreateICmpEQ(Sign, B.getInt32(0));
                W.set(Found, B.CreateSelect(Equal, Middle, W.get(Found)));
                // Found: nothing is left to be searched.
                W.set(Low, B.CreateSelect(Less, L, B.CreateAdd(Middle, B.getInt64(1))));
                W.set(High, B.CreateSelect(Less, Middle, B.CreateSelect(Equal, L, H)));
              });
  B.CreateRet(W.get(Found));
  return F;
}

/// Element \p Index, in a form that shows a constant size.
static Value *element(IRBuilderBase &B, Value *Base, Value *Index, Value *Size) {
  auto *Known = dyn_cast<ConstantInt>(Size);
  if (!Known)
    return elementAt(B, Base, Index, Size);
  Type *Bytes = ArrayType::get(B.getInt8Ty(), Known->getZExtValue());
  return B.CreateInBoundsGEP(Bytes, Base, {Index});
}

static void lowerSort(CallInst &Call, const LibraryCallback &What) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  auto Wide = [&](unsigned Operand) {
    return B.CreateZExtOrTrunc(Call.getArgOperand(Operand), B.getInt64Ty());
  };
  Value *Base = Call.getArgOperand(0), *N = Wide(1), *Size = Wide(2), *Bytes = B.CreateMul(N, Size);
  const TargetRuntime &Target = targetRuntime(M);
  Value *Order = Target.allocate(B, B.CreateMul(N, B.getInt64(16)), "order");
  Value *Sorted = Target.allocate(B, Bytes, "sorted");
  SmallVector<Value *, 6> Args{Order, Base, N, Size, Call.getArgOperand(What.Compare)};
  if (What.Context)
    Args.push_back(Call.getArgOperand(*What.Context));
  B.CreateCall(orderFunction(M, What.Context.has_value()), Args);
  Instruction *End = SplitBlockAndInsertIfThen(B.CreateICmpNE(N, B.getInt64(0)), &Call, false);
  auto [Body, I] = SplitBlockAndInsertSimpleForLoop(N, End->getIterator());
  B.SetInsertPoint(Body);
  Value *From =
      B.CreateLoad(B.getInt64Ty(), B.CreateInBoundsGEP(B.getInt64Ty(), Order, {I}), "from");
  B.CreateMemCpy(element(B, Sorted, I, Size), MaybeAlign(), element(B, Base, From, Size),
                 MaybeAlign(), Size);
  B.SetInsertPoint(&Call);
  B.CreateMemCpy(Base, MaybeAlign(), Sorted, MaybeAlign(), Bytes);
  Target.release(B, Sorted);
  Target.release(B, Order);
  Call.eraseFromParent();
}

static void lowerSearch(CallInst &Call, const LibraryCallback &What) {
  IRBuilder<> B(&Call);
  auto Wide = [&](unsigned Operand) {
    return B.CreateZExtOrTrunc(Call.getArgOperand(Operand), B.getInt64Ty());
  };
  Value *Base = Call.getArgOperand(1), *Size = Wide(3);
  Value *I =
      B.CreateCall(indexFunction(*Call.getModule()),
                   {Call.getArgOperand(0), Base, Wide(2), Size, Call.getArgOperand(What.Compare)});
  Value *Found = B.CreateSelect(B.CreateICmpSLT(I, B.getInt64(0)),
                                Constant::getNullValue(Base->getType()), element(B, Base, I, Size));
  Found->takeName(&Call);
  Call.replaceAllUsesWith(Found);
  Call.eraseFromParent();
}

void lowerCallback(CallInst &Call) {
  std::optional<LibraryCallback> What = libraryCallback(Call);
  assert(What && "asked before");
  if (What->Sorts)
    lowerSort(Call, *What);
  else
    lowerSearch(Call, *What);
}

bool takesCallback(const CallBase &Call) {
  return isa<CallInst>(Call) && libraryCallback(Call).has_value();
}

} // namespace isozyme
