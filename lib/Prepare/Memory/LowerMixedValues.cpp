//===- LowerMixedValues.cpp - Structs of several pointers, or with numbers ===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that holds pointers has a shadow, one that holds floats an adjoint; one that
// holds both would need both; and one of integers that hold floats (HiddenFloats.cpp)
// has neither. Of one that holds several pointers, types would know what is behind all of
// them, not behind each. Memory has one shadow for everything, and a type for each place:
// such values go through memory when a function is called with them, or returns them.
//
//   %r = call { ptr, double } @g(double %x)
//   =>
//   %slot = alloca { ptr, double }
//   call void @g.by.memory(ptr %slot, double %x)
//   %r = load { ptr, double }, ptr %slot
//
// where g.by.memory is a copy of g that ends in a store. Never: changes g.
//
//===----------------------------------------------------------------------===//
#include "HiddenFloats.h"
#include "Steps.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Support/UnusedFunctions.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

static constexpr StringLiteral FormMetadata = "isozyme_by_memory";

static uint64_t countPointers(const Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return Array->getNumElements() * countPointers(Array->getElementType());
  uint64_t Count = T->isPtrOrPtrVectorTy();
  if (auto *Record = dyn_cast<StructType>(T))
    for (const Type *Member : Record->elements())
      Count += countPointers(Member);
  return Count;
}

static bool isMixed(const Type *T) {
  return (isFloatLike(T) && containsPointer(T)) || countPointers(T) > 1;
}

/// Integers may be structures of floats and others, or unions.
static bool isMixed(const Argument &A) {
  return isMixed(A.getType()) || hiddenFloat(A) != HiddenFloat::None;
}
static unsigned countMembers(const Type *T) {
  auto *Record = dyn_cast<StructType>(T);
  return Record ? Record->getNumElements() : 1;
}
static bool returnsMixed(const Function &F) {
  return isMixed(F.getReturnType()) ||
         any_of(seq(countMembers(F.getReturnType())), [&](unsigned Member) {
           return hiddenFloatInResult(F, Member) != HiddenFloat::None;
         });
}

/// Memory for a value. Its type does not say what an integer in it holds.
static AllocaInst *slotFor(IRBuilder<> &B, Type *T, const Twine &Name) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  AllocaInst *Slot = B.CreateAlloca(
      isMixed(T) ? T : ArrayType::get(B.getInt8Ty(), DL.getTypeAllocSize(T).getFixedValue()),
      nullptr, Name + ".slot");
  Slot->setAlignment(DL.getABITypeAlign(T));
  return Slot;
}

/// The bits of a double that was read as a member of a union, or of what a union was known to hold;
/// else \p V itself. Types let an integer that moves be an address. \p OfFloats: the floats in it.
static Value *wordOf(Value *V, bool OfFloats = false) {
  if (!V->getType()->isDoubleTy())
    return V;
  auto *Cast = dyn_cast<BitCastInst>(V);
  if (Cast && Cast->getOperand(0)->getType()->isIntegerTy() && !OfFloats)
    return Cast->getOperand(0);
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || (!isUnionMember(*Load) && !OfFloats))
    return V;
  IRBuilder<> B(Load);
  Type *T =
      OfFloats ? FixedVectorType::get(B.getFloatTy(), 2) : static_cast<Type *>(B.getInt64Ty());
  LoadInst *Word = B.CreateAlignedLoad(T, Load->getPointerOperand(), Load->getAlign(),
                                       Load->getName() + ".word");
  Word->copyMetadata(*Load, LLVMContext::MD_tbaa);
  return Word;
}

/// Lets unions that \p Load has read keep an address: where they are only moved, as integers; or
/// two floats, \p OfFloats.
static void moveAsWords(LoadInst &Load, bool OfFloats) {
  if (!isUnionMember(Load))
    return;
  for (Use &U : make_early_inc_range(Load.uses()))
    if (auto *Store = dyn_cast<StoreInst>(U.getUser());
        Store && U.getOperandNo() == 0 && isUnionMember(*Store))
      U.set(wordOf(&Load, OfFloats));
  if (Load.use_empty()) // It would tell of a double.
    Load.eraseFromParent();
}

static void storeWord(IRBuilder<> &B, Value *V, Value *To, HiddenFloat Hidden) {
  bool InHalf = Hidden == HiddenFloat::InHalf, IsDouble = V->getType()->isDoubleTy();
  StoreInst *Stored = B.CreateStore(wordOf(V, IsDouble && InHalf), To);
  if (InHalf && !IsDouble)
    splitIntoHalves(*Stored);
}

/// Hands a result on to memory, member by member.
static void storeResult(IRBuilder<> &B, Value *V, Value *To, const Function &Of) {
  auto *Record = dyn_cast<StructType>(V->getType());
  for (unsigned Member : seq(countMembers(V->getType()))) {
    Value *Each = V, *Place = To;
    if (Record) {
      Each = FindInsertedValue(V, Member);
      if (!Each)
        Each = B.CreateExtractValue(V, Member);
      Place = B.CreateStructGEP(Record, To, Member);
    }
    storeWord(B, Each, Place, hiddenFloatInResult(Of, Member));
  }
}

/// Lets the users of \p Result use memory instead.
static void loadResult(CallInst &Result, Value *From, const Function &Of) {
  IRBuilder<> B(&Result);
  auto *Record = dyn_cast<StructType>(Result.getType());
  Value *Whole = Record ? PoisonValue::get(Record) : nullptr;
  SmallVector<LoadInst *, 2> Members;
  for (unsigned Member : seq(countMembers(Result.getType()))) {
    Value *Place = Record ? B.CreateStructGEP(Record, From, Member) : From;
    Type *T = Record ? Record->getElementType(Member) : Result.getType();
    Members.push_back(B.CreateLoad(T, Place, Result.getName()));
    if (T->isDoubleTy() && hiddenFloatInResult(Of, Member) != HiddenFloat::None)
      markUnionMember(*Members.back());
    Whole = Record ? B.CreateInsertValue(Whole, Members.back(), Member) : Members.back();
  }
  for (User *U : make_early_inc_range(Result.users()))
    if (auto *Extract = dyn_cast<ExtractValueInst>(U); Extract && Extract->getNumIndices() == 1) {
      Extract->replaceAllUsesWith(Members[Extract->getIndices()[0]]);
      Extract->eraseFromParent();
    }
  Result.replaceAllUsesWith(Whole);
  for (auto [Member, Load] : enumerate(Members))
    if (bool InHalf = hiddenFloatInResult(Of, Member) == HiddenFloat::InHalf;
        InHalf && !Load->getType()->isDoubleTy())
      splitIntoHalves(*Load);
    else
      moveAsWords(*Load, InHalf);
}

static bool hasMixedValues(const Function &F) {
  return returnsMixed(F) || any_of(F.args(), [](const Argument &A) { return isMixed(A); });
}

/// A copy of \p G whose mixed parameters and result are in memory; the address of the
/// result comes first.
static Function &createForm(Function &G) {
  LLVMContext &C = G.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  bool ByMemory = returnsMixed(G);
  SmallVector<Type *, 8> Params;
  SmallVector<AttributeSet, 8> Attributes;
  if (ByMemory) {
    Params.push_back(Ptr);
    Attributes.push_back(AttributeSet::get(C, {Attribute::get(C, Attribute::NoAlias)}));
  }
  for (Argument &A : G.args()) {
    bool Mixed = isMixed(A);
    Params.push_back(Mixed ? Ptr : A.getType());
    Attributes.push_back(Mixed ? AttributeSet::get(C, {Attribute::get(C, Attribute::NoAlias)})
                               : G.getAttributes().getParamAttrs(A.getArgNo()));
  }
  Type *Result = ByMemory ? Type::getVoidTy(C) : G.getReturnType();
  auto *Form =
      Function::Create(FunctionType::get(Result, Params, false), GlobalValue::InternalLinkage,
                       G.getName() + ".by.memory", G.getParent());
  ValueToValueMapTy Map;
  SmallVector<LoadInst *, 2> Loads;
  unsigned Next = ByMemory;
  for (Argument &A : G.args()) {
    Argument *New = Form->getArg(Next++);
    New->setName(A.getName());
    if (isMixed(A))
      Map[&A] = Loads.emplace_back(new LoadInst(A.getType(), New, A.getName(), false,
                                                G.getDataLayout().getABITypeAlign(A.getType())));
    else
      Map[&A] = New;
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Form, &G, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  becomeInternal(*Form);
  dropAssignmentTracking(*Form);
  for (LoadInst *Load : Loads)
    Load->insertInto(&Form->getEntryBlock(), Form->getEntryBlock().begin());
  AttributeSet OfFunction = G.getAttributes().getFnAttrs().removeAttribute(C, Attribute::Memory);
  AttributeSet OfResult = ByMemory ? AttributeSet() : G.getAttributes().getRetAttrs();
  Form->setAttributes(AttributeList::get(C, OfFunction, OfResult, Attributes));
  for (ReturnInst *Return : ByMemory ? ArrayRef(Returns) : ArrayRef<ReturnInst *>()) {
    IRBuilder<> B(Return);
    storeResult(B, Return->getReturnValue(), Form->getArg(0), G);
    B.CreateRetVoid();
    Return->eraseFromParent();
  }
  auto *Load = Loads.begin();
  for (const Argument &A :
       make_filter_range(G.args(), [](const Argument &A) { return isMixed(A); })) {
    LoadInst &Each = **Load++;
    if (A.getType()->isDoubleTy())
      markUnionMember(Each);
    if (bool InHalf = hiddenFloat(A) == HiddenFloat::InHalf; InHalf && !A.getType()->isDoubleTy())
      splitIntoHalves(Each);
    else
      moveAsWords(Each, InHalf);
  }
  for (Instruction &I : instructions(*Form))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isMustTailCall())
      Call->setTailCallKind(CallInst::TCK_None);
  clearMarkings(*Form);
  Form->addFnAttr(marking::ByMemory);
  return *Form;
}

// A copy of a function, such as its derivative, has the metadata, too: it tells whose they are.
Function *mixedFormOf(const Function &G) {
  MDNode *Known = G.getMetadata(FormMetadata);
  bool IsOwn = Known && mdconst::dyn_extract_or_null<Function>(Known->getOperand(1)) == &G;
  return IsOwn ? mdconst::dyn_extract_or_null<Function>(Known->getOperand(0)) : nullptr;
}

/// The one form of \p G.
static Function &formOf(Function &G) {
  if (Function *Known = mixedFormOf(G))
    return *Known;
  Function &Form = createForm(G);
  Form.setMetadata(FormMetadata, nullptr);
  G.setMetadata(FormMetadata, MDNode::get(G.getContext(),
                                          {ValueAsMetadata::get(&Form), ValueAsMetadata::get(&G)}));
  lowerMixedValues(Form); // At once: whoever looks must see that a recursive form calls itself.
  separateCarriedFloats(Form); // Types look at the form as it stands.
  return Form;
}

static void lowerCall(CallInst &Call, Function &Callee) {
  Function &Form = formOf(Callee);
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> Locals(&Entry, Entry.begin());
  IRBuilder<> B(&Call);
  SmallVector<Value *, 8> Args;
  SmallVector<WeakTrackingVH, 8> Passed(Call.args());
  AllocaInst *Slot = nullptr;
  // Calls that have been lowered since may be what made doubles go through memory.
  if (Form.getReturnType() != Callee.getReturnType()) {
    Slot = slotFor(Locals, Call.getType(), Call.getName());
    Args.push_back(Slot);
  }
  for (Argument &A : Callee.args()) {
    Value *Operand = Call.getArgOperand(A.getArgNo());
    const Type *Expected = Form.getArg(Args.size())->getType();
    if (A.getType()->isPointerTy() ? isMixed(A) : Expected != A.getType()) {
      AllocaInst *In = slotFor(Locals, Operand->getType(), Operand->getName());
      storeWord(B, Operand, In, hiddenFloat(A));
      Operand = In;
    }
    Args.push_back(Operand);
  }
  CallInst *New = B.CreateCall(&Form, Args);
  New->setCallingConv(Form.getCallingConv());
  New->setDebugLoc(Call.getDebugLoc());
  if (Slot) {
    loadResult(Call, Slot, Callee);
  } else {
    New->takeName(&Call);
    Call.replaceAllUsesWith(New);
  }
  Call.eraseFromParent();
  for (WeakTrackingVH &V : Passed)
    if (auto *Load = dyn_cast_or_null<LoadInst>(V); Load && Load->use_empty())
      Load->eraseFromParent();
}

/// Is a number passed of which \p Callee reads the halves? By value, it is refused there.
static bool passesNumberForFloats(const CallInst &Call, const Function &Callee) {
  return any_of(Callee.args(), [&](const Argument &A) {
    const Value *V = Call.getArgOperand(A.getArgNo());
    return A.getType()->isDoubleTy() && !isa<LoadInst, BitCastInst>(V) &&
           hiddenFloat(A) == HiddenFloat::InHalf;
  });
}

void lowerMixedValues(Function &F) {
  SmallVector<std::pair<CallInst *, Function *>, 4> Calls;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto *Callee = Call ? Call->getCalledFunction() : nullptr;
    // What has no body, or a derivative of its own, is called as it is.
    if (Callee && !Callee->isDeclaration() && !Callee->isVarArg() && !hasMarkedMeaning(*Callee) &&
        hasMixedValues(*Callee))
      Calls.push_back({Call, Callee});
  }
  for (auto [Call, Callee] : Calls)
    if (!passesNumberForFloats(*Call, *Callee))
      lowerCall(*Call, *Callee);
}

void eraseForms(Module &M, FunctionAnalysisManager &FAM) {
  SetVector<Function *> Unused;
  for (Function &F : M) {
    F.setMetadata(FormMetadata, nullptr);
    if (F.hasFnAttribute(marking::ByMemory) || F.hasFnAttribute(marking::FixedArguments))
      Unused.insert(&F);
  }
  eraseUnused(std::move(Unused), FAM);
}

} // namespace isozyme
