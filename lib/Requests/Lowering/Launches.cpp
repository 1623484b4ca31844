//===- Launches.cpp - Launches of kernels as calls ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (__cudaPushCallConfiguration(grid, block, bytes, stream) == 0)
//     __device_stub__k(x, n);
//   => isozyme.launch.__device_stub__k(grid, block, bytes, stream, x, n)
//
// The derivatives of the stub become those of this function, and take the configuration as well: it
// is an argument like others to all that follows, is kept where it has to be, and a kernel that is
// the reverse of another runs on the same grid. The stub itself has no derivative then: a call of
// it without a configuration is none that could be repeated.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/Launches.h"
#include "LauncherMaker.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/GpuRuntime.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

static bool hasDerivative(const Function &F) {
  CustomRules R = customRules(F);
  return R.hasReverse() || R.Forward || R.hasSplitForward();
}

/// The block that runs if \p Push has succeeded; null if its result is used in another way.
static BasicBlock *guardedBlock(const CallBase &Push) {
  auto *Test = Push.hasOneUse() ? dyn_cast<ICmpInst>(Push.user_back()) : nullptr;
  auto *Zero = Test ? dyn_cast<Constant>(Test->getOperand(1)) : nullptr;
  if (!Zero || !Zero->isNullValue() || !Test->isEquality() || !Test->hasOneUse())
    return nullptr;
  auto *Branch = dyn_cast<BranchInst>(Test->user_back());
  return Branch ? Branch->getSuccessor(Test->getPredicate() == CmpInst::ICMP_NE) : nullptr;
}

/// The stream is an address only by its type: nothing is behind it that the program may look at.
/// No other operand is one, unless the ABI passes records in memory.
static bool isReadable(const CallBase &Push) {
  for (unsigned I = 0; I + 1 < Push.arg_size(); ++I)
    if (Push.getArgOperand(I)->getType()->isPointerTy())
      return false;
  return Push.arg_size() != 0;
}

/// The call that pushes the configuration for a call of a stub: the nearest one that leads there.
static CallBase *pushFor(const CallBase &Launch, const DominatorTree &Tree) {
  CallBase *Nearest = nullptr;
  for (const Function &F : *Launch.getModule()) {
    if (!pushesLaunch(F))
      continue;
    for (const User *U : F.users()) {
      auto *Push = const_cast<CallBase *>(dyn_cast<CallBase>(U));
      if (!Push || Push->getFunction() != Launch.getFunction() || Push->getCalledFunction() != &F ||
          !isReadable(*Push))
        continue;
      BasicBlock *Guarded = guardedBlock(*Push);
      if (Guarded && Guarded->getSinglePredecessor() &&
          Tree.dominates(Guarded, Launch.getParent()) &&
          (!Nearest || Tree.dominates(Nearest, Push)))
        Nearest = Push;
    }
  }
  return Nearest;
}

static constexpr StringLiteral Kinds[] = {marking::Augment, marking::Gradient, marking::Derivative,
                                          marking::SplitDerivative};

/// Which half the operand \p Number of the metadata \p Kind is.
static LaunchRole roleOf(StringRef Kind, unsigned Number) {
  if (Kind == marking::Augment)
    return LaunchRole::Augmented;
  if (Kind == marking::Gradient)
    return LaunchRole::Reverse;
  return Kind == marking::SplitDerivative && Number == 0 ? LaunchRole::Augmented
                                                         : LaunchRole::Forward;
}

/// Gives \p Launcher what is registered for \p Stub.
static void passDerivatives(const Function &Stub, Function &Launcher, LauncherMaker &Maker) {
  for (StringRef Kind : Kinds) {
    const MDNode *Node = Stub.getMetadata(Kind);
    if (!Node)
      continue;
    SmallVector<Metadata *, 2> Functions;
    for (auto [Number, Operand] : enumerate(Node->operands()))
      if (auto *F = mdconst::dyn_extract_or_null<Function>(Operand))
        Functions.push_back(ValueAsMetadata::get(Maker.launcherOf(*F, roleOf(Kind, Number))));
    Launcher.setMetadata(Kind, MDNode::get(Stub.getContext(), Functions));
  }
}

/// The types of the parameters of \p Stub as the source has them: "double const*". None in C.
static SmallVector<StringRef, 8> parameterTypes(const Function &Stub, std::string &Text) {
  ItaniumPartialDemangler Symbol;
  if (Symbol.partialDemangle(Stub.getName().str().c_str()) || !Symbol.isFunction())
    return {};
  char *List = Symbol.getFunctionParameters(nullptr, nullptr);
  Text = List;
  std::free(List);
  StringRef Rest = StringRef(Text).drop_front().drop_back();
  SmallVector<StringRef, 8> Types;
  size_t Begin = 0;
  int Depth = 0; // Of template arguments and functions.
  for (auto [At, C] : enumerate(Rest)) {
    Depth += (C == '<' || C == '(') - (C == '>' || C == ')');
    if (C != ',' || Depth)
      continue;
    Types.push_back(Rest.slice(Begin, At).trim());
    Begin = At + 1;
  }
  Types.push_back(Rest.drop_front(Begin).trim());
  return Types;
}

/// Says what lies behind the pointers that a kernel takes, as its symbol has it: the host does not
/// look at that memory, and nothing else tells.
static void stateElements(CallBase &Call, const Function &Stub) {
  std::string Text;
  SmallVector<StringRef, 8> Types = parameterTypes(Stub, Text);
  if (Types.size() != Call.arg_size()) // Structs in several registers.
    return;
  IRBuilder<> B(&Call);
  for (auto [T, Arg] : zip_equal(Types, Call.args())) {
    StringRef Element = T;
    if (!Element.consume_back("*") || !Arg->getType()->isPointerTy())
      continue;
    Element.consume_back(" const");
    if (!is_contained({"double", "float"}, Element))
      continue;
    FunctionCallee Hint = Call.getModule()->getOrInsertFunction(
        ("__enzyme_" + Element).str(), B.getVoidTy(), B.getPtrTy(), B.getInt64Ty());
    B.CreateCall(Hint, {Arg, B.getInt64(-1)});
  }
}

/// \p Call is in the place of both.
static void replaceLaunch(CallBase &Push, CallBase &Call, const Function &Stub, Function &Launcher,
                          const LauncherMaker &Maker) {
  SmallVector<Value *, 16> Args;
  stateElements(Call, Stub);
  IRBuilder<> B(&Call);
  for (Value *V : Push.args())
    Args.push_back(Maker.asParameter(B, V));
  append_range(Args, Call.args());
  CallInst *New = B.CreateCall(&Launcher, Args);
  SmallVector<AttributeSet, 16> Sets(Push.arg_size());
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    Sets.push_back(Call.getAttributes().getParamAttrs(I));
  New->setAttributes(AttributeList::get(B.getContext(), {}, {}, Sets));
  New->setCallingConv(Launcher.getCallingConv());
  Call.eraseFromParent();
}

/// Exceptions do not come out of C.
static CallBase *withoutUnwinding(CallBase *Call) {
  auto *Invoke = dyn_cast<InvokeInst>(Call);
  return Invoke ? changeToCall(Invoke) : Call;
}

static SmallVector<CallBase *, 4> launchesOf(Function &Stub) {
  SmallVector<CallBase *, 4> Calls;
  for (User *U : Stub.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      if (Call->getCalledFunction() == &Stub &&
          !Call->getFunction()->getName().starts_with(LauncherPrefix))
        Calls.push_back(Call);
  return Calls;
}

/// True if a launch was found.
static bool lowerLaunchesOf(Function &Stub) {
  bool Changed = false;
  SmallVector<CallBase *, 4> Used;
  for (CallBase *Call : launchesOf(Stub)) {
    DominatorTree Tree(*Call->getFunction());
    CallBase *Push = pushFor(*Call, Tree);
    if (!Push)
      continue;
    LauncherMaker Maker(*Push, Stub);
    Function *Launcher = Maker.launcherOf(Stub, LaunchRole::Primal);
    passDerivatives(Stub, *Launcher, Maker);
    replaceLaunch(*Push, *withoutUnwinding(Call), Stub, *Launcher, Maker);
    if (!is_contained(Used, Push))
      Used.push_back(Push);
    Changed = true;
  }
  for (CallBase *Push : Used) {
    CallBase *Call = withoutUnwinding(Push);
    Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
    Call->eraseFromParent();
  }
  return Changed;
}

bool lowerLaunches(Module &M) {
  if (none_of(M, pushesLaunch))
    return false;
  SmallVector<Function *, 4> Stubs;
  for (Function &F : M)
    if (isKernelStub(F) && !F.getName().starts_with(LauncherPrefix) && hasDerivative(F))
      Stubs.push_back(&F);
  bool Changed = false;
  for (Function *Stub : Stubs) {
    Changed |= lowerLaunchesOf(*Stub);
    for (StringRef Kind : Kinds)
      Stub->setMetadata(Kind, nullptr);
  }
  return Changed;
}

} // namespace isozyme
