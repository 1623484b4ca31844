//===- LauncherMaker.cpp - Functions that launch kernels ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   void @isozyme.launch.K(configuration..., parameters of K...) {
//     if (__cudaPushCallConfiguration(configuration...) == 0)
//       K(parameters...);
//   }
//
// A kernel that is its own augmented form takes no shadows, but its launcher does. One that is the
// reverse of another returns nothing, but its launcher zeros: a call that wants the gradient of a
// number is an error (marking::NoGradients). A function of the host is called: it launches what it
// likes.
//
//===----------------------------------------------------------------------===//
#include "LauncherMaker.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/Annotations.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Target/GpuRuntime.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

LauncherMaker::LauncherMaker(const CallBase &Call, Function &Stub)
    : Push(*Call.getCalledFunction()), Stub(Stub), M(*Stub.getParent()) {
  for (const Use &U : Call.args())
    Configuration.push_back(U->getType()->isPointerTy() ? Type::getInt64Ty(M.getContext())
                                                        : U->getType());
  noteStructParts(Stub);
}

Value *LauncherMaker::asParameter(IRBuilderBase &B, Value *V) const {
  return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, B.getInt64Ty()) : V;
}

/// A result in memory is the first parameter, of functions of the host.
static unsigned resultParams(const Function &F) {
  return F.arg_size() && F.hasParamAttribute(0, Attribute::StructRet);
}

/// The parameters behind the configuration.
SmallVector<LauncherMaker::Slot, 16> LauncherMaker::slotsOf(const Function &Run,
                                                            LaunchRole Role) const {
  SmallVector<Slot, 16> Slots;
  const bool AddsShadows = &Run == &Stub && Role != LaunchRole::Primal;
  for (unsigned I = resultParams(Run); I < Run.arg_size();) {
    const unsigned Count = AddsShadows ? std::max(structParts(Run, I), 1u) : 1;
    auto Parts = seq(I, std::min<unsigned>(I + Count, Run.arg_size()));
    for (unsigned Part : Parts)
      Slots.push_back({Part, false});
    if (AddsShadows &&
        any_of(Parts, [&](unsigned Part) { return containsPointer(Run.getArg(Part)->getType()); }))
      for (unsigned Part : Parts)
        Slots.push_back({Part, true});
    I += Count;
  }
  return Slots;
}

/// A kernel cannot be seen to compare addresses. Where a shadow is the memory itself, which is
/// constant then, it gets none.
void LauncherMaker::dropOwnShadows(IRBuilderBase &B, MutableArrayRef<Value *> Args,
                                   LaunchRole Role) const {
  auto isShadowed = [&](Type *T) {
    return containsPointer(T) || (Role == LaunchRole::Forward && isFloatLike(T));
  };
  unsigned Next = 0;
  for (unsigned I = 0; I < Stub.arg_size();) {
    const unsigned Count = std::max(structParts(Stub, I), 1u);
    const bool HasShadow = any_of(
        seq(I, I + Count), [&](unsigned Part) { return isShadowed(Stub.getArg(Part)->getType()); });
    for (unsigned At = Next; HasShadow && At < Next + Count; ++At) {
      if (At + Count >= Args.size())
        return; // Not what it should be, which is an error where it is used.
      Value *Memory = Args[At], *&Shadow = Args[At + Count];
      if (Memory->getType()->isPointerTy() && Shadow->getType() == Memory->getType())
        Shadow = B.CreateSelect(B.CreateICmpEQ(Memory, Shadow),
                                Constant::getNullValue(Shadow->getType()), Shadow);
    }
    Next += HasShadow ? 2 * Count : Count;
    I += Count;
  }
}

Type *LauncherMaker::resultOf(const Function &Run, LaunchRole Role) const {
  SmallVector<Type *, 4> Numbers;
  if (Role == LaunchRole::Reverse && isKernelStub(Run))
    for (const Argument &A : Stub.args())
      if (isFloatLike(A.getType()) && !containsPointer(A.getType()))
        Numbers.push_back(A.getType());
  return Numbers.empty() ? Run.getReturnType() : StructType::get(M.getContext(), Numbers);
}

Function *LauncherMaker::declare(Function &Run, LaunchRole Role, StringRef Name) const {
  AttributeList Attributes = Run.getAttributes();
  SmallVector<Type *, 16> Params;
  SmallVector<AttributeSet, 16> Sets;
  for (unsigned I = 0; I < resultParams(Run); ++I) {
    Params.push_back(Run.getArg(I)->getType());
    Sets.push_back(Attributes.getParamAttrs(I));
  }
  append_range(Params, Configuration);
  Attribute Inactive = Attribute::get(M.getContext(), marking::Inactive);
  Sets.append(Configuration.size(), AttributeSet::get(M.getContext(), Inactive));
  for (Slot S : slotsOf(Run, Role)) {
    Params.push_back(Run.getArg(S.Param)->getType());
    Sets.push_back(S.IsShadow ? AttributeSet() : Attributes.getParamAttrs(S.Param));
  }
  auto *F = Function::Create(FunctionType::get(resultOf(Run, Role), Params, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setAttributes(AttributeList::get(M.getContext(), {}, Attributes.getRetAttrs(), Sets));
  F->setCallingConv(Run.getCallingConv());
  F->addFnAttr(marking::Launcher, (Twine(Configuration.size()) + " " + Run.getName()).str());
  if (F->getReturnType() != Run.getReturnType())
    F->addFnAttr(marking::NoGradients);
  return F;
}

/// Says of the launcher which of its parameters are one struct, as it is known of \p Run.
void LauncherMaker::noteParts(Function &Launcher, Function &Run) const {
  noteStructParts(Run);
  const bool AddsShadows = Launcher.arg_size() != Run.arg_size() + Configuration.size();
  if (AddsShadows || !Run.hasFnAttribute(marking::Parameters))
    return;
  std::string Text;
  auto append = [&](unsigned Count) { Text += (Text.empty() ? "" : " ") + std::to_string(Count); };
  for (unsigned I = 0; I <= Run.arg_size();) {
    if (I == resultParams(Run))
      for (size_t K = 0; K < Configuration.size(); ++K)
        append(1);
    if (I == Run.arg_size())
      break;
    append(structParts(Run, I));
    I += std::max(structParts(Run, I), 1u);
  }
  Launcher.addFnAttr(marking::Parameters, Text);
}

/// What the streams of the program wait for is not repeated backwards: before the reverse of a
/// launch on a stream, all that runs comes to its end.
Value *LauncherMaker::push(IRBuilderBase &B, ArrayRef<Value *> Given, bool WaitsBefore) const {
  if (WaitsBefore) {
    Function &F = *B.GetInsertBlock()->getParent();
    BasicBlock *Wait = BasicBlock::Create(M.getContext(), "wait", &F),
               *Go = BasicBlock::Create(M.getContext(), "go", &F);
    B.CreateCondBr(B.CreateIsNull(Given.back()), Go, Wait);
    B.SetInsertPoint(Wait);
    B.CreateCall(
        M.getOrInsertFunction(gpuFunction(Push)->sibling("DeviceSynchronize"), B.getInt32Ty()));
    B.CreateBr(Go);
    B.SetInsertPoint(Go);
  }
  CallInst *Call = B.CreateCall(&Push, Given, "pushed");
  Call->setAttributes(Push.getAttributes());
  return Call;
}

void LauncherMaker::emit(Function &Launcher, Function &Run, LaunchRole Role) const {
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", &Launcher));
  SmallVector<Value *, 16> Params(make_pointer_range(Launcher.args())), Args;
  ArrayRef<Value *> All = Params;
  append_range(Args, All.take_front(resultParams(Run)));
  All = All.drop_front(resultParams(Run));
  SmallVector<Value *, 6> Given(All.take_front(Configuration.size()));
  All = All.drop_front(Configuration.size());
  for (auto [S, Param] : zip_equal(slotsOf(Run, Role), All))
    if (!S.IsShadow)
      Args.push_back(Param);
  auto run = [&] {
    CallInst *Call = B.CreateCall(&Run, Args);
    Call->setCallingConv(Run.getCallingConv());
    Call->setAttributes(Run.getAttributes());
    return Call;
  };
  if (!isKernelStub(Run)) {
    CallInst *Call = run();
    Call->getType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
    return;
  }
  for (auto [V, T] : zip_equal(Given, Push.getFunctionType()->params()))
    if (T->isPointerTy())
      V = B.CreateIntToPtr(V, T);
  BasicBlock *Ready = BasicBlock::Create(M.getContext(), "ready", &Launcher),
             *Done = BasicBlock::Create(M.getContext(), "done", &Launcher);
  if (&Run != &Stub)
    dropOwnShadows(B, Args, Role);
  Value *Pushed = push(B, Given, Role == LaunchRole::Reverse);
  B.CreateCondBr(B.CreateIsNull(Pushed), Ready, Done);
  B.SetInsertPoint(Ready);
  run();
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  if (Launcher.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Constant::getNullValue(Launcher.getReturnType()));
}

Function *LauncherMaker::launcherOf(Function &Run, LaunchRole Role) {
  static constexpr StringLiteral Words[] = {"", "augmented.", "reverse.", "forward."};
  std::string Name = LauncherPrefix.str();
  if (Role != LaunchRole::Primal)
    Name += (Words[unsigned(Role)] + Stub.getName() + ".by.").str();
  Name += Run.getName();
  if (Function *Known = M.getFunction(Name))
    return Known;
  Function *Launcher = declare(Run, Role, Name);
  noteParts(*Launcher, Run);
  emit(*Launcher, Run, Role);
  // Metadata does not keep it: it is pinned until the derivatives exist.
  Launcher->addFnAttr(PinnedAttribute, std::to_string(Launcher->getLinkage()));
  Launcher->setLinkage(GlobalValue::WeakAnyLinkage);
  return Launcher;
}

} // namespace isozyme
