//===- DeviceMath.cpp - The library of mathematics of a GPU ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a GPU the front end links the bodies of __nv_sin and the like into each module, those that
// the program calls, to be inlined. What they do to bits has no derivative: the function has. And
// a derivative calls others, whose bodies have to come from the same file.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/DeviceMath.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Support/Diagnostics.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace isozyme {

static bool isOfLibrary(const Function &F, const Accelerator &Machine) {
  return F.getName().starts_with(Machine.mathPrefix());
}

bool markDeviceMath(Module &M) {
  const Accelerator *Machine = acceleratorOf(M);
  bool HasAny = false;
  for (Function &F : M) {
    if (!Machine || F.isDeclaration() || !isOfLibrary(F, *Machine) || !markedLike(F).empty())
      continue;
    F.addFnAttr(marking::Math, F.getName());
    if (!mathFunctionOf(F)) {
      F.removeFnAttr(marking::Math);
      continue;
    }
    HasAny = true;
    if (any_of(F.args(), [](const Argument &A) { return A.getType()->isPointerTy(); }))
      continue;
    F.setMemoryEffects(MemoryEffects::none());
    F.setDoesNotThrow();
    F.setWillReturn();
  }
  return HasAny;
}

/// The file that the user names, or the first that is there; "" if none is.
static std::string libraryFile(const Accelerator &Machine) {
  if (!options().DeviceMath.empty())
    return options().DeviceMath;
  for (const std::string &Path : Machine.mathFiles())
    if (sys::fs::exists(Path))
      return Path;
  return "";
}

static void linkLibrary(Module &M, std::unique_ptr<Module> Library) {
  Library->setDataLayout(M.getDataLayout());
  Library->setTargetTriple(M.getTargetTriple());
  StringSet<> Known;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Known.insert(F.getName());
  const Function *User = nullptr;
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasFnAttribute("target-cpu"))
      User = &F;
  Linker::linkModules(M, std::move(Library), Linker::LinkOnlyNeeded);
  for (Function &F : M) {
    if (F.isDeclaration() || Known.contains(F.getName()))
      continue;
    becomeInternal(F);
    for (StringRef Kind : {"target-cpu", "target-features"})
      if (User && User->hasFnAttribute(Kind))
        F.addFnAttr(User->getFnAttribute(Kind));
  }
}

static Error missingFunction(const Function &F, const Accelerator &Machine,
                             const std::string &Path) {
  std::string Why = Path.empty() ? "no file of the library of " + Machine.name().str() + " is found"
                                 : "'" + Path + "' cannot be read";
  return diffError(DiagId::UnsupportedTarget, Place(F),
                   "the derivative calls '" + F.getName() + "', which the program does not, and " +
                       Why,
                   "name the file of the library by '-mllvm -isozyme-device-math=<file>'");
}

Error linkDeviceMath(Module &M) {
  const Accelerator *Machine = acceleratorOf(M);
  const Function *Missing = nullptr;
  bool HasLibrary = false;
  for (const Function &F : M) {
    if (!Machine || !isOfLibrary(F, *Machine))
      continue;
    HasLibrary |= !F.isDeclaration();
    if (F.isDeclaration() && !F.use_empty())
      Missing = &F;
  }
  // Without the library it is linked later, by whoever does so.
  if (!Missing || !HasLibrary)
    return Error::success();
  SMDiagnostic Trouble;
  std::string Path = libraryFile(*Machine);
  std::unique_ptr<Module> Library =
      Path.empty() ? nullptr : parseIRFile(Path, Trouble, M.getContext());
  if (!Library)
    return missingFunction(*Missing, *Machine, Path);
  linkLibrary(M, std::move(Library));
  return Error::success();
}

} // namespace isozyme
