//===- ReplaceCalls.cpp - Calls the derivative instead --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a marker call that has been read, and its derivative.  Out: a call of the
// derivative, its result in the form that the user declared.
//
//   %g = call double @__enzyme_autodiff(ptr @f, double %x)
//   =>
//   %0 = call { double } @f.reverse(double %x, double 1.0)
//   %g = extractvalue { double } %0, 0
//
// Never fails: the reader has checked everything.
//
//===----------------------------------------------------------------------===//
#include "Reading/ArgumentTypes.h"
#include "Reading/ResultCheck.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

namespace {
class CallReplacer {
public:
  CallReplacer(const MarkerCall &M, Function &Derivative)
      : M(M), R(M.Request), Derivative(Derivative), B(M.Call),
        DL(Derivative.getParent()->getDataLayout()) {}

  CallBase &replace();

private:
  SmallVector<Value *, 16> arguments();
  void appendParameter(unsigned Param, SmallVectorImpl<Value *> &Args);
  Value *operand(const CallArgument &A, Value *V, Type *To);
  Value *shadow(unsigned Param, unsigned Lane);
  Value *structReturnSlot(unsigned Param, std::optional<unsigned> BufferIndex);
  Value *passByValue(unsigned Param, Value *Pointer, unsigned Position);
  Value *seed(Type *T);
  Value *tape(Type *T);
  CallBase *createCall(ArrayRef<Value *> Args);
  Value *inUsersOrder(CallBase &New);
  void useResult(CallBase &New);

  const MarkerCall &M;
  const DiffRequest &R;
  Function &Derivative;
  IRBuilder<> B;
  const DataLayout &DL;
};
} // namespace

/// A derivative of 1 for every float in \p T, in every lane.
static Constant *unitSeed(Type *T) {
  if (auto *S = dyn_cast<StructType>(T)) {
    SmallVector<Constant *, 4> Members;
    for (Type *Member : S->elements())
      Members.push_back(unitSeed(Member));
    return ConstantStruct::get(S, Members);
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    SmallVector<Constant *, 4> Members(A->getNumElements(), unitSeed(A->getElementType()));
    return ConstantArray::get(A, Members);
  }
  return T->isFPOrFPVectorTy() ? ConstantFP::get(T, 1.0) : Constant::getNullValue(T);
}

Value *CallReplacer::operand(const CallArgument &A, Value *V, Type *To) {
  if (A.ByRef && V->getType()->isPointerTy())
    return B.CreateAlignedLoad(To, bytesBehind(B, V, A.Offset), Align(1));
  return convert(B, V, To);
}

/// Memory for what \p Param returns: a part of the user's buffer, or of nobody's interest.
Value *CallReplacer::structReturnSlot(unsigned Param, std::optional<unsigned> BufferIndex) {
  Type *Struct = R.Fn->getParamStructRetType(Param);
  if (BufferIndex && M.ResultBuffer) {
    uint64_t Offset = *BufferIndex * DL.getTypeAllocSize(Struct);
    Value *Part = bytesBehind(B, M.ResultBuffer, Offset);
    return B.CreateAddrSpaceCast(Part, R.Fn->getArg(Param)->getType());
  }
  Value *Slot = createTemporary(B, Struct, R.Fn->getParamAlign(Param), "result.unused");
  return B.CreateAddrSpaceCast(Slot, R.Fn->getArg(Param)->getType());
}

Value *CallReplacer::shadow(unsigned Param, unsigned Lane) {
  const CallArgument &A = M.Arguments[Param];
  Type *Ty = R.Fn->getArg(Param)->getType();
  if (A.Shadows.empty())
    return structReturnSlot(Param, Lane + (M.PrimalInBuffer ? 1 : 0));
  if (!A.Stride)
    // A pointer's shadow is a pointer even if the pointer itself came by address.
    return Ty->isPointerTy() ? convert(B, A.Shadows[Lane], Ty) : operand(A, A.Shadows[Lane], Ty);
  Value *Base = convert(B, A.Shadows[0], Ty);
  if (!Lane)
    return Base;
  Type *IndexTy = DL.getIndexType(Ty);
  Value *Stride = B.CreateSExtOrTrunc(A.Stride, IndexTy);
  Value *Distance = B.CreateMul(Stride, ConstantInt::get(IndexTy, Lane));
  return B.CreatePtrAdd(Base, Distance);
}

/// The callee owns a byval argument, and in forward mode its tangent, which it may
/// overwrite. If the derivative does not take them so, it gets copies made here.
Value *CallReplacer::passByValue(unsigned Param, Value *Pointer, unsigned Position) {
  Type *Pointee = R.Fn->getParamByValType(Param);
  if (!Pointee || Derivative.hasParamAttribute(Position, Attribute::ByVal))
    return Pointer;
  MaybeAlign Alignment = R.Fn->getParamAlign(Param);
  Value *Copy = createTemporary(B, Pointee, Alignment, "byval.copy");
  B.CreateMemCpy(Copy, Alignment, Pointer, MaybeAlign(), DL.getTypeAllocSize(Pointee));
  return B.CreateAddrSpaceCast(Copy, Pointer->getType());
}

void CallReplacer::appendParameter(unsigned Param, SmallVectorImpl<Value *> &Args) {
  const CallArgument &A = M.Arguments[Param];
  Type *Ty = R.Fn->getArg(Param)->getType();
  if (A.Primal) {
    Value *Primal = operand(A, A.Primal, Ty);
    Args.push_back(passByValue(Param, Primal, unsigned(Args.size())));
  } else {
    Args.push_back(structReturnSlot(Param, M.PrimalInBuffer ? std::optional(0u) : std::nullopt));
  }
  if (R.hasShadow(Param) && !M.Records)
    for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
      Value *Shadow = shadow(Param, Lane);
      // A reverse sweep leaves the gradient with respect to what the caller passed there.
      Args.push_back(R.isReverse() ? Shadow : passByValue(Param, Shadow, unsigned(Args.size())));
    }
}

/// The scalars of the seed, put together; 1 everywhere if the user gave none.
Value *CallReplacer::seed(Type *T) {
  ArrayRef<Value *> Given = M.Seed.Values;
  if (Given.empty())
    return unitSeed(T);
  if (M.Seed.InMemory)
    return B.CreateAlignedLoad(T, Given.front(), Align(1), "seed");
  SmallVector<Type *, 4> Types;
  for (Value *V : Given)
    Types.push_back(V->getType());
  Value *All = PoisonValue::get(StructType::get(B.getContext(), Types));
  for (auto [I, V] : enumerate(Given))
    All = B.CreateInsertValue(All, V, unsigned(I));
  return convertResult(B, All, T, ResultMatch::ByLeaf);
}

/// The tape: where the user has put it, or the bytes that the ABI has made of it.
Value *CallReplacer::tape(Type *T) {
  if (M.TapeAddress)
    return B.CreateAlignedLoad(T, M.TapeAddress, Align(1), "tape");
  ArrayRef<Value *> Given = M.Tape.Values;
  if (M.Tape.InMemory)
    return B.CreateAlignedLoad(T, Given.front(), Align(1), "tape");
  if (Given.size() == 1 && (Given.front()->getType() == T || !M.Allocated))
    return convert(B, Given.front(), T);
  SmallVector<uint64_t, 4> Offsets;
  uint64_t Size = 0;
  for (Value *V : Given) {
    Offsets.push_back(alignTo(Size, 8));
    Size = Offsets.back() + DL.getTypeStoreSize(V->getType());
  }
  Value *Slot = createTemporary(B, ArrayType::get(B.getInt8Ty(), Size), Align(16), "tape.slot");
  for (auto [V, Offset] : zip_equal(Given, Offsets))
    B.CreateAlignedStore(V, bytesBehind(B, Slot, Offset), Align(1));
  return B.CreateAlignedLoad(T, Slot, Align(1), "tape");
}

SmallVector<Value *, 16> CallReplacer::arguments() {
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < R.Args.size(); ++I)
    appendParameter(I, Args);
  bool HasSeed = R.Mode == DiffMode::Reverse || R.Mode == DiffMode::FromTape;
  if (HasSeed && R.Return == ReturnActivity::Active)
    Args.push_back(seed(Derivative.getArg(Args.size())->getType()));
  bool TakesTape = R.Mode == DiffMode::FromTape || M.FromRecord;
  if (TakesTape && Args.size() < Derivative.arg_size())
    Args.push_back(tape(Derivative.getArg(Args.size())->getType()));
  assert(Args.size() == Derivative.arg_size() && "the derivative has another signature");
  return Args;
}

/// Creates the call, and leaves the builder where its result may be used.
CallBase *CallReplacer::createCall(ArrayRef<Value *> Args) {
  CallBase *New;
  bool MayThrow = !Derivative.doesNotThrow() && !R.Fn->doesNotThrow();
  if (auto *Invoke = dyn_cast<InvokeInst>(M.Call); Invoke && MayThrow) {
    // The result may be used only where the edge has been taken.
    SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
    BasicBlock *Normal = Invoke->getNormalDest();
    New = B.CreateInvoke(&Derivative, Normal, Invoke->getUnwindDest(), Args);
    B.SetInsertPoint(Normal, Normal->getFirstInsertionPt());
  } else {
    New = B.CreateCall(&Derivative, Args);
  }
  B.SetCurrentDebugLocation(M.Call->getDebugLoc());
  New->setDebugLoc(M.Call->getDebugLoc());
  New->setCallingConv(Derivative.getCallingConv());
  AttributeList Declared = Derivative.getAttributes();
  SmallVector<AttributeSet, 8> Params;
  for (unsigned I = 0; I < Derivative.arg_size(); ++I)
    Params.push_back(Declared.getParamAttrs(I));
  New->setAttributes(AttributeList::get(New->getContext(), {}, Declared.getRetAttrs(), Params));
  return New;
}

/// The type of the tape that \p New, a call of a first half, returns: its last member,
/// behind the primal result and its shadow.
static Type *tapeTypeOf(const MarkerCall &M, Type *Returned) {
  const DiffRequest &R = M.Request;
  unsigned Others = !R.Fn->getReturnType()->isVoidTy();
  Others += R.Return == ReturnActivity::Dup && !M.Records;
  auto *S = dyn_cast<StructType>(Returned);
  return S && S->getNumElements() > Others ? S->getElementType(Others) : nullptr;
}

/// { primal, shadow, tape } as the derivative has it -> { tape, primal, shadow }, or what is
/// wanted of it, in the order that is declared.
Value *CallReplacer::inUsersOrder(CallBase &New) {
  Type *Tape = tapeTypeOf(M, New.getType());
  unsigned Last = Tape ? cast<StructType>(New.getType())->getNumElements() - 1 : 0;
  if (Tape && M.TapeAddress)
    B.CreateAlignedStore(B.CreateExtractValue(&New, Last), M.TapeAddress, Align(1));
  Type *Full = handedBack(M, Tape);
  if (Full->isVoidTy())
    return nullptr;
  Value *All = PoisonValue::get(Full);
  unsigned Next = declaresEmptyTape(M, Tape) ? 1 : 0; // Nobody reads that.
  unsigned TapePlace = Tape && !M.TapeAddress ? placeOfTape(M, Tape) : ~0u;
  for (unsigned From = 0; Next < Full->getStructNumElements(); ++Next) {
    if (Next != TapePlace) {
      All = B.CreateInsertValue(All, B.CreateExtractValue(&New, From++), Next);
      continue;
    }
    Value *V = B.CreateExtractValue(&New, Last);
    bool Padded = Full->getStructElementType(Next) != Tape;
    All = Padded ? B.CreateInsertValue(All, V, {Next, 0}) : B.CreateInsertValue(All, V, Next);
  }
  return All;
}

void CallReplacer::useResult(CallBase &New) {
  bool Augment = R.Mode == DiffMode::Augment || M.Records;
  Value *Full = Augment ? inUsersOrder(New) : New.getType()->isVoidTy() ? nullptr : &New;
  bool Wanted = M.ResultBuffer || !M.Call->use_empty();
  if (!Full || !Wanted) {
    if (!M.Call->use_empty())
      M.Call->replaceAllUsesWith(Constant::getNullValue(M.Call->getType()));
    return;
  }
  ResultMatch Match = matchDeclared(M, Augment ? tapeTypeOf(M, New.getType()) : nullptr);
  if (M.ResultBuffer) {
    if (Match != ResultMatch::None) // Nothing at all is declared.
      storeResult(B, Full, M.ResultBuffer, declaredResult(M), Match);
    return;
  }
  Value *Result = Match == ResultMatch::None ? PoisonValue::get(M.Call->getType())
                                             : convertResult(B, Full, M.Call->getType(), Match);
  if (!isa<Constant>(Result))
    Result->takeName(M.Call);
  M.Call->replaceAllUsesWith(Result);
}

/// Erases the call and what was only there for it.
static void eraseCall(CallBase &Call, bool KeepsEdges) {
  SmallVector<WeakTrackingVH, 8> Operands(Call.operands());
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call); Invoke && !KeepsEdges) {
    BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
  }
  Call.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
}

CallBase &CallReplacer::replace() {
  SmallVector<Value *, 16> Args = arguments();
  CallBase *New = createCall(Args);
  useResult(*New);
  eraseCall(*M.Call, isa<InvokeInst>(New));
  return *New;
}

void eraseMarkerCall(CallBase &Call) { eraseCall(Call, /*KeepsEdges=*/false); }

void replaceSizeCall(const MarkerCall &M, Type *Tape) {
  const DataLayout &DL = M.Call->getModule()->getDataLayout();
  uint64_t Size = Tape ? DL.getTypeAllocSize(Tape).getFixedValue() : 0;
  M.Call->replaceAllUsesWith(ConstantInt::get(M.Call->getType(), Size));
  eraseCall(*M.Call, /*KeepsEdges=*/false);
}

CallBase &replaceMarkerCall(const MarkerCall &M, Function &Derivative) {
  return CallReplacer(M, Derivative).replace();
}

/// Hints about types have been read.
static void eraseTypeHints(Function &F) {
  for (User *U : make_early_inc_range(F.users()))
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == &F) {
      Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
      eraseCall(*Call, /*KeepsEdges=*/false);
    }
}

void eraseUnusedMarkers(Module &M) {
  for (Function &F : M)
    if (typeHintOf(F))
      eraseTypeHints(F);
  for (Function &F : make_early_inc_range(M))
    if (F.use_empty() && F.isDeclaration() && (entryPoint(F.getName()) || typeHintOf(F)))
      F.eraseFromParent();
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!markerByName(G.getName()) || !(G.isDeclaration() || G.hasLocalLinkage()))
      continue;
    // What is still loaded goes nowhere (a local variable of the user's at -O0).
    for (User *U : make_early_inc_range(G.users()))
      if (auto *Load = dyn_cast<LoadInst>(U); Load && !Load->isVolatile()) {
        Load->replaceAllUsesWith(Constant::getNullValue(Load->getType()));
        Load->eraseFromParent();
      }
    if (G.use_empty())
      G.eraseFromParent();
  }
}

} // namespace isozyme
