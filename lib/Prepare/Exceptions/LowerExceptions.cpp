//===- LowerExceptions.cpp - One function in the form without unwinding ---===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a copy of a function, and how each of its calls throws.  Out: the same without
// invoke, landingpad and resume.  Landing pads hand the address of the thrown object on
// where they handed that of its header on.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/ExceptionCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/ExceptionFlow.h"
#include "isozyme/Prepare/ExceptionRuntime.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

/// What is true of a result is not where an exception takes its place; a function that only
/// reads writes down what it has thrown.
template <typename FunctionOrCall> static void weaken(FunctionOrCall &F) {
  AttributeMask OfResults = AttributeFuncs::getUBImplyingAttributes();
  for (auto Kind :
       {Attribute::NonNull, Attribute::Range, Attribute::Alignment, Attribute::NoFPClass})
    OfResults.addAttribute(Kind);
  F.removeRetAttrs(OfResults);
  for (auto Kind : {Attribute::Memory, Attribute::NoReturn, Attribute::Speculatable})
    F.removeFnAttr(Kind);
  for (unsigned I = 0; I < F.arg_size(); ++I)
    F.removeParamAttr(I, Attribute::Returned);
  F.setDoesNotThrow();
}

namespace {
class Lowering {
public:
  Lowering(Function &F, ExceptionRuntime &Runtime) : F(F), Runtime(Runtime), MayShift(mayShift()) {
    DominatorTree Tree(F);
    for (const Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && exceptionCallOf(*Call) == ExceptionCall::Rethrow)
        Around[Call] = handledAround(*Call, Tree);
  }

  void lowerCall(CallBase &Call, ThrowForm Form);
  void lowerPad(LandingPadInst &Pad);
  void lowerResume(ResumeInst &Resume);
  void lowerRuntimeCall(CallInst &Call);

private:
  bool anyClause(function_ref<bool(StringRef)> Test) const;
  bool mayShift() const;
  BasicBlock *leave();
  Value *variable(IRBuilder<> &B) { return B.CreateThreadLocalAddress(Runtime.thrown()); }
  Value *callHelper(IRBuilder<> &B, CallBase &Call);
  Value *makeVisible(IRBuilder<> &B, CallBase &Call, ThrowForm Form);

  Function &F;
  ExceptionRuntime &Runtime;
  /// For each call that throws again: what the handlers around it have caught.
  DenseMap<const CallBase *, SmallVector<Value *, 1>> Around;
  BasicBlock *Leave = nullptr; ///< Returns, after something was thrown.
  bool MayShift;               ///< May a handler get something else than the object's start?
};
} // namespace

/// Has a handler a type with a name, as the ABI mangles it, of which \p Test is true?
bool Lowering::anyClause(function_ref<bool(StringRef)> Test) const {
  for (const BasicBlock &BB : F)
    if (auto *Pad = BB.getLandingPadInst())
      for (unsigned I = 0; I < Pad->getNumClauses(); ++I)
        if (const Value *Type = Pad->getClause(I)->stripPointerCasts();
            !Type->getName().empty() && Test(Type->getName()))
          return true;
  return false;
}

/// A handler gets the object from its start on, except for bases of a class with several,
/// and for pointers that were thrown.
bool Lowering::mayShift() const {
  return F.getParent()->getNamedValue("_ZTVN10__cxxabiv121__vmi_class_type_infoE") ||
         anyClause([](StringRef Name) { return Name.starts_with("_ZTIP"); });
}

/// The type that \p Entry begins a handler for: it is where types are compared. Null if that is
/// not seen.
static const Value *handledType(const CallInst &Entry) {
  const BasicBlock *BB = Entry.getParent();
  while (const BasicBlock *Before = BB->getSinglePredecessor()) {
    auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
    auto *Compare = Branch && Branch->isConditional() && Branch->getSuccessor(0) == BB
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
    if (Compare && Compare->getPredicate() == CmpInst::ICMP_EQ)
      for (const Value *Side : Compare->operands())
        if (auto *Id = dyn_cast<IntrinsicInst>(Side);
            Id && Id->getIntrinsicID() == Intrinsic::eh_typeid_for)
          return Id->getArgOperand(0)->stripPointerCasts();
    BB = Before;
  }
  return nullptr;
}

/// Is \p Callee what the object at \p Object has as its first virtual function behind its
/// destructors? Of an exception of the library and of what is derived from it that is what().
static bool isWhat(const Value &Callee, const Value &Object) {
  constexpr uint64_t Slot = 2;
  auto *Function = dyn_cast<LoadInst>(&Callee);
  if (!Function)
    return false;
  const DataLayout &DL = Function->getDataLayout();
  int64_t Offset = 0;
  auto *Table = dyn_cast<LoadInst>(
      GetPointerBaseWithConstantOffset(Function->getPointerOperand(), Offset, DL));
  return Table && Offset == int64_t(Slot * DL.getPointerSize()) &&
         Table->getPointerOperand() == &Object;
}

/// The text of an exception of the library comes from the library, which no call through a
/// pointer is known to lead to.
static void markTexts(CallInst &Entry) {
  const Value *Type = handledType(Entry);
  if (!Type || !libraryBase(*Type))
    return;
  for (Instruction &I : instructions(*Entry.getFunction()))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && Call->isIndirectCall() && isWhat(*Call->getCalledOperand(), Entry)) {
      markInactive(*Call);
      Call->addFnAttr(Attribute::get(Call->getContext(), marking::GivesText));
    }
}

BasicBlock *Lowering::leave() {
  if (!Leave) {
    Leave = BasicBlock::Create(F.getContext(), "leave", &F);
    Type *T = F.getReturnType();
    ReturnInst::Create(F.getContext(), T->isVoidTy() ? nullptr : Constant::getNullValue(T), Leave);
  }
  return Leave;
}

/// Calls a helper in the place of \p Call; gives what was thrown, or null.
Value *Lowering::callHelper(IRBuilder<> &B, CallBase &Call) {
  SmallVector<Value *> Arguments(Call.args());
  Type *T = Call.getType();
  AllocaInst *Result = nullptr;
  if (!T->isVoidTy()) {
    IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
    Result = AtEntry.CreateAlloca(T, nullptr, Call.getName() + ".result");
    B.CreateStore(Constant::getNullValue(T), Result);
    Arguments.push_back(Result);
  }
  Value *Got = B.CreateCall(Runtime.calling(Call), Arguments, "thrown"), *Object = nullptr;
  // What is thrown again is one of these; as such it has a shadow.
  for (Value *Handled : Around.lookup(&Call))
    Object = Object ? B.CreateSelect(B.CreateICmpEQ(Got, Handled), Handled, Object) : Handled;
  if (!Object)
    Object = Got;
  B.CreateStore(Object, variable(B));
  if (Result)
    Call.replaceAllUsesWith(B.CreateLoad(T, Result, Call.getName()));
  return Object;
}

/// Gives the address of what \p Call throws, or null.
Value *Lowering::makeVisible(IRBuilder<> &B, CallBase &Call, ThrowForm Form) {
  if (Form == ThrowForm::Outside)
    return callHelper(B, Call);
  if (Form == ThrowForm::Throw) {
    Value *Object = Call.getArgOperand(0);
    B.CreateCall(Runtime.throwing(), {Object, Call.getArgOperand(1), Call.getArgOperand(2)});
    B.CreateStore(Object, variable(B));
    return Object;
  }
  SmallVector<OperandBundleDef, 1> Bundles;
  Call.getOperandBundlesAsDefs(Bundles);
  CallInst *New = B.CreateCall(Call.getFunctionType(), Call.getCalledOperand(),
                               SmallVector<Value *>(Call.args()), Bundles);
  New->setCallingConv(Call.getCallingConv());
  New->setAttributes(Call.getAttributes());
  New->copyMetadata(Call);
  weaken(*New);
  Call.replaceAllUsesWith(New);
  New->takeName(&Call);
  return B.CreateLoad(B.getPtrTy(), variable(B), "thrown");
}

void Lowering::lowerCall(CallBase &Call, ThrowForm Form) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (Form == ThrowForm::None) {
    if (Invoke)
      changeToCall(Invoke);
    return;
  }
  bool Always = Form == ThrowForm::Throw || Call.doesNotReturn();
  BasicBlock *Block = Call.getParent();
  BasicBlock *Catch = Invoke ? Invoke->getUnwindDest() : leave();
  BasicBlock *Go = Invoke ? Invoke->getNormalDest() : SplitBlock(Block, Call.getNextNode());
  IRBuilder<> B(Block->getTerminator());
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Object = makeVisible(B, Call, Form);
  if (Always) {
    Go->removePredecessor(Block);
    B.CreateBr(Catch);
  } else {
    MDNode *Rarely = MDBuilder(F.getContext()).createLikelyBranchWeights();
    B.CreateCondBr(B.CreateIsNull(Object), Go, Catch, Rarely);
  }
  if (!Invoke)
    Block->getTerminator()->eraseFromParent();
  if (!Call.use_empty()) // Nothing comes back.
    Call.replaceAllUsesWith(PoisonValue::get(Call.getType()));
  Call.eraseFromParent();
}

void Lowering::lowerPad(LandingPadInst &Pad) {
  IRBuilder<> B(&Pad);
  Value *Object = Runtime.landed(B);
  bool All = Pad.isCleanup();
  for (unsigned I = 0; I < Pad.getNumClauses(); ++I)
    All |= Pad.getClause(I)->isNullValue();
  Value *Type = B.getInt32(0);
  if (Pad.getNumClauses())
    Type = B.CreateCall(Runtime.selecting(Pad), Object, "type");
  Value *Both = B.CreateInsertValue(PoisonValue::get(Pad.getType()), Object, 0);
  Instruction *Caught = B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), variable(B));
  Pad.replaceAllUsesWith(B.CreateInsertValue(Both, Type, 1));
  Pad.eraseFromParent();
  if (All)
    return;
  // What it is not for passes by.
  BasicBlock *Block = Caught->getParent();
  BasicBlock *Handler = SplitBlock(Block, Caught);
  Block->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Block);
  B.CreateCondBr(B.CreateICmpEQ(Type, B.getInt32(0)), leave(), Handler);
}

void Lowering::lowerResume(ResumeInst &Resume) {
  IRBuilder<> B(&Resume);
  B.CreateStore(B.CreateExtractValue(Resume.getValue(), 0), variable(B));
  B.CreateBr(leave());
  Resume.eraseFromParent();
}

void Lowering::lowerRuntimeCall(CallInst &Call) {
  IRBuilder<> B(&Call);
  switch (exceptionCallOf(Call)) {
  case ExceptionCall::Enter: {
    Value *Object = Call.getArgOperand(0);
    Value *Distance = B.CreateCall(Runtime.entering(*Call.getCalledFunction()), Object);
    Call.replaceAllUsesWith(MayShift ? B.CreateGEP(B.getInt8Ty(), Object, Distance) : Object);
    Call.eraseFromParent();
    return;
  }
  case ExceptionCall::Allocate:
    return Call.setCalledFunction(Runtime.allocating());
  case ExceptionCall::Release:
    return Call.setCalledFunction(Runtime.discarding());
  case ExceptionCall::EndProgram:
    return Call.setArgOperand(0, Runtime.headerOf(B, Call.getArgOperand(0)));
  default:
    break;
  }
  if (Call.getIntrinsicID() != Intrinsic::eh_typeid_for)
    return;
  Call.replaceAllUsesWith(B.getInt32(Runtime.numberOf(cast<Constant>(Call.getArgOperand(0)))));
  Call.eraseFromParent();
}

void lowerExceptions(Function &Clone, const Function &Original, const ExceptionFlow &Flow,
                     ExceptionRuntime &Runtime, ExceptionFlow::MarkerTarget Target) {
  Lowering Lower(Clone, Runtime);
  SmallVector<std::pair<CallBase *, ThrowForm>> Calls;
  SmallVector<CallInst *> RuntimeCalls;
  SmallVector<LandingPadInst *> Pads;
  SmallVector<ResumeInst *> Resumes;
  for (Instruction &I : instructions(Clone)) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      ThrowForm Form = Flow.formOf(*Call, Original, Target);
      if (Form != ThrowForm::None || isa<InvokeInst>(Call))
        Calls.push_back({Call, Form});
      else if (auto *Plain = dyn_cast<CallInst>(Call))
        RuntimeCalls.push_back(Plain);
    } else if (auto *Pad = dyn_cast<LandingPadInst>(&I))
      Pads.push_back(Pad);
    else if (auto *Resume = dyn_cast<ResumeInst>(&I))
      Resumes.push_back(Resume);
  }
  for (CallInst *Call : RuntimeCalls)
    if (exceptionCallOf(*Call) == ExceptionCall::Enter)
      markTexts(*Call);
  for (CallInst *Call : RuntimeCalls)
    Lower.lowerRuntimeCall(*Call);
  for (auto [Call, Form] : Calls)
    Lower.lowerCall(*Call, Form);
  for (LandingPadInst *Pad : Pads)
    Lower.lowerPad(*Pad);
  for (ResumeInst *Resume : Resumes)
    Lower.lowerResume(*Resume);
  Clone.setPersonalityFn(nullptr);
  weaken(Clone);
}

} // namespace isozyme
