//===- GpuRuntime.cpp - How the host talks to a GPU -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/GpuRuntime.h"
#include "isozyme/Support/SymbolNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace isozyme {

std::optional<GpuFunction> gpuFunction(const Function &F) {
  StringRef Name = F.getName();
  Name.consume_front("__");
  for (StringRef Runtime : {"cuda", "hip"})
    if (Name.starts_with(Runtime) && Name.size() > Runtime.size() && isUpper(Name[Runtime.size()]))
      return GpuFunction{Name.take_front(Runtime.size()), Name.drop_front(Runtime.size())};
  return std::nullopt;
}

std::optional<GpuTransfer> gpuTransfer(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  std::optional<GpuFunction> Known = F ? gpuFunction(*F) : std::nullopt;
  if (!Known || !F->isDeclaration() || F->getFunctionType() != Call.getFunctionType())
    return std::nullopt;
  auto takes = [&](StringRef Kinds) { // p: a pointer, i: an integer
    return Call.arg_size() == Kinds.size() && all_of(enumerate(Call.args()), [&](auto Arg) {
             Type *T = Arg.value()->getType();
             return Kinds[Arg.index()] == 'p' ? T->isPointerTy() : T->isIntegerTy();
           });
  };
  if ((Known->What == "Memcpy" && takes("ppii")) ||
      (Known->What == "MemcpyAsync" && takes("ppiip")))
    return GpuTransfer{Call.getArgOperand(0), Call.getArgOperand(1), Call.getArgOperand(2)};
  if ((Known->What == "Memset" && takes("pii")) || (Known->What == "MemsetAsync" && takes("piip")))
    return GpuTransfer{Call.getArgOperand(0), nullptr, Call.getArgOperand(2)};
  return std::nullopt;
}

bool pushesLaunch(const Function &F) {
  std::optional<GpuFunction> Known = gpuFunction(F);
  return Known && Known->What == "PushCallConfiguration";
}

static constexpr StringLiteral StubPrefix = "__device_stub__";

bool isKernelStub(const Function &F) { return F.getName().contains(StubPrefix); }

std::string kernelName(const Function &Stub) {
  std::string Name = nameInSource(Stub.getName());
  size_t At = Name.find(StubPrefix);
  return At == std::string::npos ? Name : Name.erase(At, StubPrefix.size());
}

Function *stubBehind(Constant &C) {
  auto *Handle = dyn_cast<GlobalVariable>(C.stripPointerCasts());
  if (!Handle || !Handle->isConstant() || !Handle->hasDefinitiveInitializer())
    return nullptr;
  auto *Stub = dyn_cast<Function>(Handle->getInitializer()->stripPointerCastsAndAliases());
  return Stub && isKernelStub(*Stub) ? Stub : nullptr;
}

} // namespace isozyme
