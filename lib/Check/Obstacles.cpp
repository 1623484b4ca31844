//===- Obstacles.cpp - What a check must not run again --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a function as the user has it, and all that it calls.  Out: what stands in the way
// of running it once more, each with its reason. Changes nothing.
//
//===----------------------------------------------------------------------===//
#include "Obstacles.h"
#include "ExceptionParts.h"
#include "RuntimeNames.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Ops/OutputCalls.h"
#include "isozyme/Requests/ResultLayout.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Function *calleeOf(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// As the source has it.
static std::string nameOf(const Function &F) { return demangle(F.getName()); }

/// Control does not come back from here, but by an exception; or has come by one.
static bool isDeadEnd(const BasicBlock &BB) {
  auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator());
  return BB.isEHPad() || isa<UnreachableInst, ResumeInst>(BB.getTerminator()) ||
         (Invoke && Invoke->doesNotReturn());
}

SmallSetVector<BasicBlock *, 16> liveBlocks(Function &F) {
  SmallSetVector<BasicBlock *, 16> Reached, Live;
  if (!isDeadEnd(F.getEntryBlock()))
    Reached.insert(&F.getEntryBlock());
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    for (BasicBlock *To : successors(Reached[Next]))
      if (!isDeadEnd(*To))
        Reached.insert(To);
  for (BasicBlock *BB : Reached)
    if (isa<ReturnInst>(BB->getTerminator()))
      Live.insert(BB);
  for (size_t Next = 0; Next < Live.size(); ++Next)
    for (BasicBlock *From : predecessors(Live[Next]))
      if (Reached.contains(From))
        Live.insert(From);
  return Live;
}

bool onlyLocks(const CallBase &Call) {
  const Function *Callee = calleeOf(Call);
  if (!Callee || !Callee->isDeclaration())
    return false;
  static constexpr StringLiteral Names[] = {
      "mtx_lock",
      "mtx_trylock",
      "mtx_unlock",
      "pthread_mutex_lock",
      "pthread_mutex_trylock",
      "pthread_mutex_unlock",
      "pthread_rwlock_rdlock",
      "pthread_rwlock_tryrdlock",
      "pthread_rwlock_trywrlock",
      "pthread_rwlock_unlock",
      "pthread_rwlock_wrlock",
      "pthread_spin_lock",
      "pthread_spin_trylock",
      "pthread_spin_unlock",
  };
  return is_contained(Names, Callee->getName());
}

namespace {
/// Looks for what cannot be done twice, or is not what a derivative is of.
class ObstacleFinder {
public:
  ObstacleFinder(FunctionAnalysisManager &FAM, Obstacles &Found) : FAM(FAM), Found(Found) {}

  /// Fills what is known of \p F. False once no run would say anything.
  bool look(Function &F);
  void noteRules(Function &F);

private:
  bool refuse(const Twine &Why) {
    Found.Why = Why.str();
    return false;
  }
  std::string whyNot(CallBase &Call, const TargetLibraryInfo &TLI);
  std::string whyNotIntrinsic(CallBase &Call, const TargetLibraryInfo &TLI);
  std::string whyNotLibrary(CallBase &Call, Function &Callee, const TargetLibraryInfo &TLI);
  bool lookAtMarkings(Instruction &I);
  bool lookAtPrecision(const Instruction &I);

  FunctionAnalysisManager &FAM;
  Obstacles &Found;
  StringSet<> Rules;
};
} // namespace

bool ObstacleFinder::lookAtMarkings(Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  Function *Callee = Call ? calleeOf(*Call) : nullptr;
  if (Callee && isAllocationNote(*Callee)) // Of a derivative that is checked itself.
    return true;
  if (Callee && isMarkedInactive(*Callee))
    return refuse("it calls '" + nameOf(*Callee) +
                  "', which is marked inactive, and differences would see it");
  if ((isMarkedInactive(I) || hasInactiveResult(I)) && !followsException(I))
    return refuse("a part of it is marked inactive, and differences would see it");
  if (GlobalVariable *Thrown = thrownVariable(I)) {
    Found.Thrown = Thrown;
    return true;
  }
  for (Value *Operand : I.operands())
    if (auto *G = dyn_cast<GlobalVariable>(Operand->stripInBoundsOffsets());
        G && !G->isConstant() && !G->isDeclaration() && shadowKindOf(*G) == GlobalShadow::Inactive)
      return refuse("it uses '" + G->getName() +
                    "', which is marked inactive, and differences would see it");
  return true;
}

/// Steps of differences have to suit the shortest type that is computed in.
bool ObstacleFinder::lookAtPrecision(const Instruction &I) {
  const Type *T = I.getType()->getScalarType();
  if (T->isHalfTy() || T->isBFloatTy())
    return refuse("it computes in half precision, which is too coarse for differences");
  Found.HasFloat |= T->isFloatTy();
  return true;
}

std::string ObstacleFinder::whyNotLibrary(CallBase &Call, Function &Callee,
                                          const TargetLibraryInfo &TLI) {
  OpClass Class = viewOf(Call, TLI).Class;
  if (Class == OpClass::Elementwise || Class == OpClass::Zero || Call.onlyReadsMemory() ||
      isAllocationNote(Callee) || parseComplexName(Callee.getName()))
    return "";
  if (reallocatedPointer(Call, TLI) && libraryReallocation(Call, TLI))
    return "";
  if (Class == OpClass::Free && freedPointer(Call, TLI))
    return "";
  if (Class == OpClass::Allocate && allocationSize(Call, TLI))
    return "";
  CustomRules R = customRules(Callee);
  if (R.hasReverse() || R.Forward)
    return "'" + nameOf(Callee) + "' has a registered derivative, but no body here";
  return "it calls '" + nameOf(Callee) + "', whose effects cannot be taken back";
}

std::string ObstacleFinder::whyNotIntrinsic(CallBase &Call, const TargetLibraryInfo &TLI) {
  auto &Intrinsic = cast<IntrinsicInst>(Call);
  if (isa<DbgInfoIntrinsic, LifetimeIntrinsic, AssumeInst, AnyMemIntrinsic>(Intrinsic) ||
      isInactiveIntrinsic(Intrinsic.getIntrinsicID()) || !Intrinsic.mayReadOrWriteMemory())
    return "";
  OpClass Class = viewOf(Call, TLI).Class;
  if (Class == OpClass::Elementwise || Class == OpClass::Zero)
    return "";
  return "it uses '" + nameOf(*Intrinsic.getCalledFunction()) + "'";
}

/// Calls through pointers have been made chains of direct ones where it is known what they
/// can reach; what is left leads out of the file.
std::string ObstacleFinder::whyNot(CallBase &Call, const TargetLibraryInfo &TLI) {
  if (Call.isInlineAsm())
    return "it has inline assembly";
  Function *Callee = calleeOf(Call);
  if (!Callee)
    return "it calls a function through a pointer, and none of this file's is known to be there";
  if (isa<IntrinsicInst>(Call))
    return whyNotIntrinsic(Call, TLI);
  if (Call.hasFnAttr(Attribute::ReturnsTwice))
    return "it calls '" + nameOf(*Callee) + "', which may return twice";
  if (Callee->isDeclaration())
    return whyNotLibrary(Call, *Callee, TLI);
  if (allocationLike(*Callee))
    return "it calls '" + nameOf(*Callee) + "', which is marked as an allocator";
  if (Callee->hasFnAttribute(marking::ReleasesLater))
    return "it is a derivative that releases memory at its end";
  if (Callee->isVarArg())
    return "'" + nameOf(*Callee) + "' takes a variable number of arguments";
  if (Call.getFunctionType() != Callee->getFunctionType())
    return "'" + nameOf(*Callee) + "' is called with a type that is not its own";
  return "";
}

void ObstacleFinder::noteRules(Function &F) {
  CustomRules R = customRules(F);
  if ((R.hasReverse() || R.Forward || !markedLike(F).empty()) && Rules.insert(F.getName()).second)
    Found.Rules += (Found.Rules.empty() ? "'" : ", '") + nameOf(F) + "'";
}

bool ObstacleFinder::look(Function &F) {
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  for (BasicBlock *BB : liveBlocks(F)) {
    for (Instruction &I : *BB) {
      if (isa<DbgInfoIntrinsic>(I))
        continue;
      if (isa<VAArgInst, CallBrInst>(I))
        return refuse("it takes a variable number of arguments, or jumps in assembly");
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && servesExceptions(*Call))
        continue;
      if (!lookAtMarkings(I) || !lookAtPrecision(I))
        return false;
      bool Prints = Call && servesOutput(*Call);
      Found.Prints |= Prints;
      if (!Call || Prints || onlyLocks(*Call))
        continue;
      if (std::string Why = whyNot(*Call, TLI); !Why.empty()) {
        Found.Calls[Call] = std::move(Why);
      } else if (Function *Callee = calleeOf(*Call); !Callee->isDeclaration()) {
        noteRules(*Callee);
        Found.Code.insert(Callee);
      }
    }
  }
  return true;
}

Obstacles obstaclesIn(Function &F, FunctionAnalysisManager &FAM) {
  Obstacles Found;
  Found.Code.insert(&F);
  ObstacleFinder Finder(FAM, Found);
  Finder.noteRules(F);
  for (size_t Next = 0; Next < Found.Code.size(); ++Next)
    if (!Finder.look(*Found.Code[Next]))
      break;
  return Found;
}

} // namespace isozyme
