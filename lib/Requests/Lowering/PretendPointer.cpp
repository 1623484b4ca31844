//===- PretendPointer.cpp - Accesses that become calls --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer of __enzyme_todense leads nowhere: it is an offset, 0 at first.
//
//   %q = getelementptr double, ptr %p, i64 %i      %o = mul i64 %i, 8
//   %v = load double, ptr %q                   ->  %v = call double @load(i64 %o, ...)
//   store double %w, ptr %q                        call void @store(double %w, i64 %o, ...)
//
// In: the pointer, and what stands behind it.  Out: code without it, or error IZ212.
//
//===----------------------------------------------------------------------===//
#include "PretendPointer.h"
#include "Reading/ArgumentTypes.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace isozyme {

bool canPass(const Value *V, Type *To) {
  Type *T = V->getType();
  return T == To || (T->isIntegerTy() && To->isIntegerTy()) ||
         (T->isFloatingPointTy() && To->isFloatingPointTy());
}

Value *passAs(IRBuilderBase &B, Value *V, Type *To) {
  if (V->getType() == To)
    return V;
  return To->isIntegerTy() ? B.CreateSExtOrTrunc(V, To) : B.CreateFPCast(V, To);
}

Error PretendPointer::refuse(const Instruction &At, const Twine &What, const Twine &Fix) const {
  std::string Advice = Fix.str();
  if (Advice.empty())
    Advice = "load and store numbers through it, compute addresses from it, and pass it only to "
             "functions that are differentiated or defined in this file";
  return diffError(DiagId::PretendPointer, Place(At), "a pointer of '__enzyme_todense' " + What,
                   Advice);
}

/// Calls that ask for a derivative and have failed have had their error.
static bool isMarkerCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && calledEntryPoint(*Call);
}

static bool isAddress(const Instruction &I) {
  return isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst, FreezeInst, PHINode, SelectInst>(I);
}

Error PretendPointer::collect() {
  Derived.insert(&Root);
  for (size_t Next = 0; Next < Derived.size(); ++Next) {
    Value *Pointer = Derived[Next];
    for (User *U : Pointer->users()) {
      auto *I = cast<Instruction>(U);
      if (isAddress(*I) && !I->getType()->isPointerTy())
        return refuse(*I, "becomes a vector of pointers");
      if (isAddress(*I))
        Derived.insert(I);
      else if (!isMarkerCall(*I))
        Users.insert(I);
    }
  }
  if (Error E = checkJoins())
    return E;
  for (Instruction *I : Users)
    for (Value *Operand : I->operands())
      if (isDerived(Operand))
        if (Error E = checkUser(*I, *Operand))
          return E;
  return Error::success();
}

/// A choice must be one between offsets.
Error PretendPointer::checkJoins() const {
  for (Value *V : Derived) {
    auto *I = cast<Instruction>(V);
    if (I == &Root || !isa<PHINode, SelectInst>(I))
      continue;
    for (Value *Operand : drop_begin(I->operands(), isa<SelectInst>(I) ? 1 : 0))
      if (!isDerived(Operand) && !isa<UndefValue>(Operand))
        return refuse(*I, "and another pointer are chosen from",
                      "call the function once for each of the two");
  }
  return Error::success();
}

/// Numbers as the functions take them, vectors of them, and the bits of one.
Error PretendPointer::checkAccess(Instruction &Access, Type *T) const {
  Type *Element = Source.element();
  bool SameBits = T->isIntegerTy() && Element->isFloatingPointTy() &&
                  T->getIntegerBitWidth() == Element->getPrimitiveSizeInBits();
  auto *Vector = dyn_cast<FixedVectorType>(T);
  if (Access.isAtomic())
    return refuse(Access, "is accessed atomically");
  if (T == Element || SameBits || (Vector && Vector->getElementType() == Element))
    return Error::success();
  return refuse(Access,
                "is accessed as " + describeType(T) + ", but '" + Source.Load->getName() +
                    "' returns " + describeType(Element),
                "pass functions that load and store the type that lies there");
}

Error PretendPointer::checkUser(Instruction &User, Value &Pointer) const {
  if (auto *Load = dyn_cast<LoadInst>(&User))
    return checkAccess(User, Load->getType());
  if (auto *Store = dyn_cast<StoreInst>(&User)) {
    if (Store->getValueOperand() == &Pointer)
      return refuse(User, "is stored in memory");
    return checkAccess(User, Store->getValueOperand()->getType());
  }
  if (isa<ICmpInst>(User))
    return Error::success();
  if (auto *Bulk = dyn_cast<AnyMemIntrinsic>(&User)) {
    auto *Set = dyn_cast<AnyMemSetInst>(Bulk);
    auto *Byte = Set ? dyn_cast<ConstantInt>(Set->getValue()) : nullptr;
    if (Bulk->isAtomic() || (Set && !(Byte && Byte->isZero())))
      return refuse(User, "is filled with bytes");
    if (!Set && isDerived(cast<AnyMemTransferInst>(Bulk)->getRawSource()) &&
        isDerived(Bulk->getRawDest()))
      return refuse(User, "is copied to itself");
    return Error::success();
  }
  auto *Call = dyn_cast<CallBase>(&User);
  if (!Call)
    return refuse(User, Twine("is used in '") + User.getOpcodeName() + "'");
  if (isa<AssumeInst>(Call))
    return Error::success();
  Function *Callee = Call->getCalledFunction();
  if (!Callee)
    return refuse(User, "is passed to a function that is known only at run time");
  if (Callee->isDeclaration() || Callee->isVarArg() || Callee->isInterposable())
    return refuse(User, "is passed to " + describeFunction(*Callee) +
                            (Callee->isVarArg() ? ", which takes a variable number of arguments"
                                                : ", which has no body here"));
  return Error::success();
}

Value *PretendPointer::offsetOf(Value *Pointer) {
  if (Value *Known = Offsets.lookup(Pointer))
    return Known;
  if (isa<UndefValue>(Pointer))
    return PoisonValue::get(B.getInt64Ty());
  Value *Made = makeOffset(*cast<Instruction>(Pointer));
  Offsets[Pointer] = Made;
  return Made;
}

Value *PretendPointer::makeOffset(Instruction &Pointer) {
  IRBuilder<> At(&Pointer);
  if (auto *Phi = dyn_cast<PHINode>(&Pointer)) {
    PHINode *New = At.CreatePHI(B.getInt64Ty(), Phi->getNumIncomingValues());
    Offsets[Phi] = New; // It may come back to itself.
    for (auto [V, From] : zip_equal(Phi->incoming_values(), Phi->blocks()))
      New->addIncoming(offsetOf(V), From);
    return New;
  }
  if (auto *Select = dyn_cast<SelectInst>(&Pointer)) {
    Value *True = offsetOf(Select->getTrueValue()), *False = offsetOf(Select->getFalseValue());
    return At.CreateSelect(Select->getCondition(), True, False);
  }
  Value *Base = offsetOf(Pointer.getOperand(0));
  if (auto *GEP = dyn_cast<GetElementPtrInst>(&Pointer)) {
    Value *Step = emitGEPOffset(&At, Pointer.getDataLayout(), GEP);
    return At.CreateAdd(Base, At.CreateSExtOrTrunc(Step, B.getInt64Ty()));
  }
  return Base;
}

Value *PretendPointer::emitCall(Function &F, ArrayRef<Value *> First) {
  SmallVector<Value *, 8> Operands;
  FunctionType *T = F.getFunctionType();
  for (auto List : {First, ArrayRef<Value *>(Source.Extras)})
    for (Value *V : List)
      Operands.push_back(passAs(B, V, T->getParamType(Operands.size())));
  CallInst *Call = B.CreateCall(&F, Operands);
  Call->setCallingConv(F.getCallingConv());
  return Call;
}

Value *PretendPointer::emitLoad(Type *T, Value *Offset) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  if (!Vector)
    return B.CreateBitCast(emitCall(*Source.Load, {Offset}), T);
  uint64_t Size = Root.getDataLayout().getTypeStoreSize(Vector->getElementType());
  Value *All = PoisonValue::get(T);
  for (unsigned I = 0; I < Vector->getNumElements(); ++I)
    All = B.CreateInsertElement(
        All, emitCall(*Source.Load, {B.CreateAdd(Offset, B.getInt64(I * Size))}), I);
  return All;
}

void PretendPointer::emitStore(Value *V, Value *Offset) {
  auto *Vector = dyn_cast<FixedVectorType>(V->getType());
  if (!Vector) {
    emitCall(*Source.Store, {B.CreateBitCast(V, Source.element()), Offset});
    return;
  }
  uint64_t Size = Root.getDataLayout().getTypeStoreSize(Vector->getElementType());
  for (unsigned I = 0; I < Vector->getNumElements(); ++I)
    emitCall(*Source.Store,
             {B.CreateExtractElement(V, I), B.CreateAdd(Offset, B.getInt64(I * Size))});
}

void PretendPointer::rewriteLoad(LoadInst &I) {
  Value *V = emitLoad(I.getType(), offsetOf(I.getPointerOperand()));
  I.replaceAllUsesWith(V);
  I.eraseFromParent();
}

void PretendPointer::rewriteStore(StoreInst &I) {
  emitStore(I.getValueOperand(), offsetOf(I.getPointerOperand()));
  I.eraseFromParent();
}

/// It is no other pointer, and not null: it lies behind all other memory, as if it were
/// there, so that questions whether two arrays overlap find that they do not.
void PretendPointer::rewriteCompare(ICmpInst &I) {
  bool First = isDerived(I.getOperand(0)), Second = isDerived(I.getOperand(1));
  Value *Result;
  if (First && Second)
    Result = B.CreateICmp(I.getPredicate(), offsetOf(I.getOperand(0)), offsetOf(I.getOperand(1)));
  else
    Result =
        B.getInt1(ICmpInst::compare(APInt(8, First), APInt(8, Second), I.getUnsignedPredicate()));
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

/// memset and memcpy, one number after the other.
void PretendPointer::rewriteBulk(AnyMemIntrinsic &I) {
  Type *T = Source.element();
  Value *Dest = I.getRawDest(), *From = nullptr;
  if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I))
    From = Copy->getRawSource();
  for (Value *V : {Dest, From})
    if (V && isDerived(V))
      offsetOf(V);
  Value *Size = B.getInt64(I.getDataLayout().getTypeStoreSize(T));
  Value *Count = B.CreateUDiv(B.CreateZExtOrTrunc(I.getLength(), B.getInt64Ty()), Size);
  auto [Body, Index] = SplitBlockAndInsertSimpleForLoop(Count, I.getIterator());
  B.SetInsertPoint(Body);
  Value *Step = B.CreateMul(Index, Size), *V = Constant::getNullValue(T);
  if (From && isDerived(From))
    V = emitLoad(T, B.CreateAdd(offsetOf(From), Step));
  else if (From)
    V = B.CreateAlignedLoad(T, B.CreatePtrAdd(From, Step), Align(1));
  if (isDerived(Dest))
    emitStore(V, B.CreateAdd(offsetOf(Dest), Step));
  else
    B.CreateAlignedStore(V, B.CreatePtrAdd(Dest, Step), Align(1));
  I.eraseFromParent();
}

/// The call of a version that takes offsets, for one argument after the other.
Error PretendPointer::rewriteCall(CallBase &I) {
  CallBase *Call = &I;
  for (unsigned Number = 0; Number < Call->arg_size(); ++Number) {
    Value *Operand = Call->getArgOperand(Number);
    if (!isDerived(Operand))
      continue;
    Expected<Function *> Special = Version(*Call->getCalledFunction(), Number, Source);
    if (!Special)
      return withNote(Special.takeError(), Place(*Call), "called here with such a pointer");
    B.SetInsertPoint(Call);
    SmallVector<Value *, 8> Operands(Call->args());
    Operands[Number] = offsetOf(Operand);
    append_range(Operands, Source.Extras);
    CallBase *New;
    if (auto *Invoke = dyn_cast<InvokeInst>(Call))
      New = B.CreateInvoke(*Special, Invoke->getNormalDest(), Invoke->getUnwindDest(), Operands);
    else
      New = B.CreateCall(*Special, Operands);
    New->setCallingConv((*Special)->getCallingConv());
    New->setDebugLoc(Call->getDebugLoc());
    New->takeName(Call);
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
    Call = New;
  }
  return Error::success();
}

Error PretendPointer::rewriteUser(Instruction &User) {
  B.SetInsertPoint(&User);
  if (auto *Load = dyn_cast<LoadInst>(&User))
    rewriteLoad(*Load);
  else if (auto *Store = dyn_cast<StoreInst>(&User))
    rewriteStore(*Store);
  else if (auto *Compare = dyn_cast<ICmpInst>(&User))
    rewriteCompare(*Compare);
  else if (auto *Bulk = dyn_cast<AnyMemIntrinsic>(&User))
    rewriteBulk(*Bulk);
  else if (isa<AssumeInst>(User))
    User.eraseFromParent();
  else
    return rewriteCall(cast<CallBase>(User));
  return Error::success();
}

Error PretendPointer::rewrite() {
  if (Error E = collect())
    return E;
  for (Instruction *User : Users)
    if (Error E = rewriteUser(*User))
      return E;
  // Addresses are left: of each other, and for calls that have failed.
  bool Shrinks = true;
  while (Shrinks) {
    Shrinks = false;
    for (Value *V : Derived)
      if (V != &Root && V->use_empty() && cast<Instruction>(V)->getParent()) {
        cast<Instruction>(V)->eraseFromParent();
        Derived.remove(V);
        Shrinks = true;
        break;
      }
  }
  for (Value *V : Derived) // Phis that use each other.
    if (V != &Root && isa<PHINode>(V) &&
        !any_of(V->users(), [](User *U) { return isMarkerCall(*cast<Instruction>(U)); }))
      V->replaceAllUsesWith(PoisonValue::get(V->getType()));
  return Error::success();
}

} // namespace isozyme
