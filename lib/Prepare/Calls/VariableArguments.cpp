//===- VariableArguments.cpp - Calls with a variable number of arguments ---===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %s = call double (i32, ...) @sum(i32 2, double %x, double %y)
//
// becomes
//
//   %s = call double @sum.with.double.double(i32 2, double %x, double %y)
//
// where the new function is a copy of @sum that has its arguments in a local array. Its va_list
// says that all registers are used up, so that va_arg reads one word after the other from there.
// Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, section
// 3.5.7, "Variable Argument Lists".
//
// Needs: nothing. Never: changes the callee.
//
//===----------------------------------------------------------------------===//
#include "../Steps.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Target/TargetModel.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

namespace {

/// struct { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; }
struct ArgumentList {
  static constexpr uint64_t IntegersAt = 0, FloatsAt = 4, AreaAt = 8, SavedAt = 16, Size = 24;
  static constexpr unsigned NoIntegersLeft = 48, NoFloatsLeft = 176;
  static constexpr uint64_t Word = 8;
};

} // namespace

/// Is an argument of type \p T in a word of its own?
static bool takesOneWord(const Type &T) {
  return T.isDoubleTy() || T.isPointerTy() ||
         (T.isIntegerTy() && T.getIntegerBitWidth() <= 8 * ArgumentList::Word);
}

static bool readsArguments(const Function &F) {
  bool Reads = false;
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (isa<VAArgInst>(I) || (Call && Call->isMustTailCall()))
      return false;
    Reads |= isa<VAStartInst>(I);
  }
  return Reads;
}

static bool canFix(const CallBase &Call) {
  const Function *G = Call.getCalledFunction();
  if (!G || !G->isVarArg() || G->isDeclaration() || G->isInterposable() || hasMarkedMeaning(*G) ||
      G->hasFnAttribute(marking::OnlyPrints) || Call.arg_size() < G->arg_size() ||
      !isa<CallInst, InvokeInst>(Call) || Call.hasOperandBundles() ||
      G->getCallingConv() != CallingConv::C ||
      !TargetModel(*G->getParent()).countsArgumentRegisters())
    return false;
  for (unsigned K = G->arg_size(); K != Call.arg_size(); ++K)
    if (!takesOneWord(*Call.getArgOperand(K)->getType()) || Call.isByValArgument(K))
      return false;
  return readsArguments(*G);
}

/// The arguments behind the first \p Fixed ones of \p F in an array, at its start.
static Value *argumentArea(Function &F, unsigned Fixed) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  unsigned Count = F.arg_size() - Fixed;
  AllocaInst *Area =
      B.CreateAlloca(ArrayType::get(B.getInt64Ty(), std::max(Count, 1u)), nullptr, "arguments");
  Area->setAlignment(Align(2 * ArgumentList::Word));
  for (unsigned K = 0; K != Count; ++K)
    B.CreateStore(F.getArg(Fixed + K),
                  B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Area, K * ArgumentList::Word));
  return Area;
}

static void fillList(VAStartInst &Start, Value *Area) {
  IRBuilder<> B(&Start);
  auto Store = [&](Value *V, uint64_t At) {
    B.CreateStore(V, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start.getArgList(), At));
  };
  Store(B.getInt32(ArgumentList::NoIntegersLeft), ArgumentList::IntegersAt);
  Store(B.getInt32(ArgumentList::NoFloatsLeft), ArgumentList::FloatsAt);
  Store(Area, ArgumentList::AreaAt);
  Store(Area, ArgumentList::SavedAt);
}

static void lowerLists(Function &F, unsigned Fixed) {
  Value *Area = argumentArea(F, Fixed);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Start = dyn_cast<VAStartInst>(&I))
      fillList(*Start, Area);
    else if (auto *Copy = dyn_cast<VACopyInst>(&I))
      IRBuilder<>(Copy).CreateMemCpy(Copy->getDest(), Align(ArgumentList::Word), Copy->getSrc(),
                                     Align(ArgumentList::Word), ArgumentList::Size);
    else if (!isa<VAEndInst>(I))
      continue;
    I.eraseFromParent();
  }
}

static Function &createForm(Function &G, FunctionType &T, const Twine &Name) {
  auto *Form = Function::Create(&T, GlobalValue::InternalLinkage, Name, G.getParent());
  ValueToValueMapTy Map;
  SmallVector<AttributeSet, 8> Params;
  for (Argument &A : G.args()) {
    Map[&A] = Form->getArg(A.getArgNo());
    Form->getArg(A.getArgNo())->setName(A.getName());
    Params.push_back(G.getAttributes().getParamAttrs(A.getArgNo()));
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Form, &G, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  becomeInternal(*Form);
  dropAssignmentTracking(*Form);
  Form->setAttributes(AttributeList::get(G.getContext(), G.getAttributes().getFnAttrs(),
                                         G.getAttributes().getRetAttrs(), Params));
  lowerLists(*Form, G.arg_size());
  clearMarkings(*Form);
  Form->addFnAttr(marking::FixedArguments);
  return *Form;
}

/// Now it is known which way va_arg takes.
static void simplify(Function &Form, FunctionAnalysisManager &FAM) {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  Passes.addPass(SCCPPass());
  Passes.addPass(InstSimplifyPass());
  Passes.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().setSimplifyCondBranch(false).speculateBlocks(false)));
  FAM.invalidate(Form, Passes.run(Form, FAM));
}

/// What is passed as an int is one: a float would be passed as a double.
static void markIntegers(Function &Form, unsigned Fixed) {
  for (Argument &A : drop_begin(Form.args(), Fixed))
    for (User *U : A.users())
      if (auto *Store = dyn_cast<StoreInst>(U); Store && A.getType()->isIntegerTy(32))
        Store->setMetadata(marking::Number, MDNode::get(Form.getContext(), {}));
}

/// The copy of \p G for arguments of the types that \p Call has.
static Function &formFor(const CallBase &Call, Function &G, FunctionAnalysisManager &FAM) {
  std::string Name = (G.getName() + ".with").str();
  raw_string_ostream OS(Name);
  SmallVector<Type *, 8> Types(G.getFunctionType()->params());
  for (unsigned K = G.arg_size(); K != Call.arg_size(); ++K) {
    Types.push_back(Call.getArgOperand(K)->getType());
    OS << '.' << *Types.back();
  }
  if (Function *Known = G.getParent()->getFunction(Name);
      Known && Known->hasFnAttribute(marking::FixedArguments))
    return *Known;
  Function &Form =
      createForm(G, *FunctionType::get(G.getReturnType(), Types, /*isVarArg=*/false), Name);
  simplify(Form, FAM);
  markIntegers(Form, G.arg_size());
  fixVariableArguments(Form,
                       FAM); // At once: whoever looks must see that a recursive one calls itself.
  return Form;
}

static void callForm(CallBase &Call, Function &Form) {
  SmallVector<Value *, 8> Arguments(Call.args());
  CallBase *New = nullptr;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    New = InvokeInst::Create(&Form, Invoke->getNormalDest(), Invoke->getUnwindDest(), Arguments, "",
                             Call.getIterator());
  else
    New = CallInst::Create(&Form, Arguments, "", Call.getIterator());
  New->setCallingConv(Form.getCallingConv());
  New->setAttributes(Call.getAttributes());
  New->copyMetadata(Call);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void fixVariableArguments(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<CallBase *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && canFix(*Call))
      Calls.push_back(Call);
  for (CallBase *Call : Calls)
    callForm(*Call, formFor(*Call, *Call->getCalledFunction(), FAM));
}

} // namespace isozyme
