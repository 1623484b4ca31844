//===- OptNoneClones.cpp - Simplify without touching the user's -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a module as clang makes it at -O0.  Out: internal clones of what will be
// differentiated, without optnone, calling each other, named by the marker calls:
//
//   define double @f(...) optnone        define double @f.user(...) optnone
//   call @__enzyme_autodiff(@f, ...)  ->  define internal double @f(...)
//                                         call @__enzyme_autodiff(@f, ...)
//
// Never: changes a function of the user's, except one that hands a function on
// to a marker call as a value (Callers), and the marker call's first operand.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/OptNoneClones.h"
#include "isozyme/Driver/MarkerTargets.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/ComputedGoto.h"
#include "isozyme/Requests/ChosenTargets.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Support/UnusedFunctions.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Values/DeclaredFloats.h"
#include "isozyme/Values/DeclaredRecords.h"
#include "isozyme/Values/KnownMultiple.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace isozyme {

/// A function that may be replaced at link time, or whose identity is registered
/// in a table of derivatives, is what it is: a clone would be another function. Functions of the
/// library that work on text stay calls, known by their names: their bodies tell numbers, lengths
/// and addresses from text by types alone, which unoptimised code does not name.
static bool mayClone(const Function &F) {
  if (F.isInterposable() || F.hasFnAttribute(Attribute::Naked) ||
      isInactiveRuntimeName(F.getName()))
    return false;
  return none_of(F.users(), [](const User *U) {
    return isa<ConstantAggregate>(U) && any_of(U->users(), [](const User *Table) {
             return isa<GlobalVariable>(Table) && isConventionName(Table->getName());
           });
  });
}

/// Does \p F keep a parameter in a variable, as only what nothing has simplified does? clang may
/// be told to leave out its passes, which says nothing of whether others may run.
static bool keepsParametersInVariables(const Function &F) {
  return any_of(F.args(), [](const Argument &A) {
    return any_of(A.users(), [&A](const User *U) {
      auto *Store = dyn_cast<StoreInst>(U);
      auto *Variable = Store ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
      return Variable && Store->getValueOperand() == &A && isAllocaPromotable(Variable);
    });
  });
}

/// Those of \p All that call through pointers, and those that call them.
static SmallSetVector<const Function *, 16>
callingThroughPointers(const SetVector<Function *> &All) {
  SmallSetVector<const Function *, 16> Found;
  for (const Function *F : All)
    if (any_of(instructions(*F), [](const Instruction &I) {
          auto *Call = dyn_cast<CallBase>(&I);
          return Call && Call->isIndirectCall();
        }))
      Found.insert(F);
  for (size_t Next = 0; Next < Found.size(); ++Next)
    for (const User *U : Found[Next]->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledFunction() == Found[Next] && All.contains(Call->getFunction()))
        Found.insert(Call->getFunction());
  return Found;
}

void OptNoneClones::cloneAll() {
  SmallSetVector<const Function *, 16> ThroughPointers = callingThroughPointers(Reached);
  for (Function *F : Reached) {
    Function *Clone = &internalCopyOf(*F);
    consumeError(lowerComputedGotos(*Clone, *F)); // Prepare will say so again.
    markStoredNumbers(*Clone);
    markDeclaredPointers(*Clone);
    markDeclaredMembers(*Clone);
    markElementDistances(*Clone);
    markDeclaredFloats(*Clone);
    Clone->removeFnAttr(Attribute::OptimizeNone);
    Clone->removeFnAttr(Attribute::NoInline);
    // A loop that becomes a memcpy loses the types of what it copies, and code
    // without optimisation has no other record of them.
    Clone->addFnAttr("no-builtin-memcpy");
    Clone->addFnAttr("no-builtin-memset");
    Clone->addFnAttr(UnoptimisedMark);
    std::string Name = F->getName().str();
    F->setName(Name + ".user");
    Clone->setName(Name);
    Clones[F] = Clone;
    // What is called is found in simplified code only.
    if (ThroughPointers.contains(F))
      setSimplifiedForm(*F, Clone);
    Names.push_back({F, Name});
  }
}

Function *OptNoneClones::cloneOf(Value *V) const {
  Function *F = definedFunction(V);
  return F ? cast_or_null<Function>(Clones.lookup(F)) : nullptr;
}

void OptNoneClones::redirect(Function &In) {
  for (Instruction &I : instructions(In))
    for (Use &Operand : I.operands())
      if (Function *Clone = cloneOf(Operand))
        Operand.set(Clone);
}

/// Clones call clones. As a value a function stays what it is for the rest of the program,
/// which may compare it.
void OptNoneClones::redirectCalls(Function &In) {
  for (Instruction &I : instructions(In))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Clone = cloneOf(Call->getCalledOperand()))
        Call->setCalledOperand(Clone);
}

OptNoneClones::OptNoneClones(Module &M, bool AllRaw) {
  MarkerTargets Targets(M);
  Callers = Targets.Unresolved;
  // What nothing calls is where ResolvedCalls has set a body aside: it is about to go.
  Callers.remove_if([](Function *F) { return F->hasLocalLinkage() && F->use_empty(); });
  // The first entries are the roots: what is named, and what is yet to be found.
  Reached = Targets.Named;
  Reached.insert_range(Callers);
  for (Function *F : Callers)
    for (Instruction &I : instructions(*F))
      if (isa<LoadInst>(I) && I.getType()->isPointerTy())
        for (Function *InTable : possibleFunctions(&I))
          if (!InTable->isDeclaration() && mayClone(*InTable))
            Reached.insert(InTable);
  addReachable(Reached, [&](Function &F) { return Callers.contains(&F) || !mayClone(F); });
  // A clone of a function with a registered derivative would be another function.
  Reached.remove_if([&](Function *F) { return Callers.contains(F) || hasMarkedMeaning(*F); });
  auto isRaw = [&](Function *F) {
    return AllRaw || F->hasOptNone() || keepsParametersInVariables(*F);
  };
  if (none_of(Reached, isRaw) && none_of(Callers, isRaw)) {
    Callers.clear();
    return;
  }
  for (Function &F : M)
    if (!F.isDeclaration() && !Callers.contains(&F))
      UserFunctions.push_back(&F);
  cloneAll();
  for (auto &[Original, Clone] : Clones)
    redirectCalls(cast<Function>(*Clone));
  for (Function *F : Callers) {
    F->removeFnAttr(Attribute::OptimizeNone);
    F->removeFnAttr(Attribute::NoInline);
    redirect(*F);
  }
  for (Function *F : Targets.Wrappers)
    F->addFnAttr(Attribute::AlwaysInline);
  nameClones(M);
}

void OptNoneClones::nameClones(Module &M) {
  for (CallBase *Call : findMarkerCalls(M)) {
    unsigned Number = functionOperandNumber(*Call);
    if (Number >= Call->arg_size())
      continue;
    if (Function *Clone = cloneOf(Call->getArgOperand(Number)))
      Call->setArgOperand(Number, Clone);
  }
}

namespace {
/// Keeps the optimiser away from some functions for a while.
class Shelter {
public:
  explicit Shelter(ArrayRef<WeakVH> Functions) {
    for (const WeakVH &Handle : Functions) {
      auto *F = cast_or_null<Function>(Handle);
      if (!F)
        continue;
      Saved.push_back({Handle, F->getAttributes()});
      F->removeFnAttr(Attribute::AlwaysInline);
      F->removeFnAttr(Attribute::OptimizeForSize);
      F->removeFnAttr(Attribute::MinSize);
      F->addFnAttr(Attribute::OptimizeNone);
      F->addFnAttr(Attribute::NoInline);
    }
  }
  ~Shelter() {
    for (auto &[Handle, Attributes] : Saved)
      if (auto *F = cast_or_null<Function>(Handle))
        F->setAttributes(Attributes);
  }

private:
  SmallVector<std::pair<WeakVH, AttributeList>, 32> Saved;
};
} // namespace

/// The callers of marker calls named clones wherever they name a function, so that
/// simplification could bring them to the marker calls. What else they do with the
/// address is the rest of the program's business again.
void OptNoneClones::restoreValues(ArrayRef<WeakVH> LiveCallers) {
  DenseMap<Value *, Function *> Originals;
  for (auto &[Original, Clone] : Clones)
    if (Clone)
      Originals[Clone] = Original;
  for (const WeakVH &Caller : LiveCallers) {
    if (!Caller) // Inlined, and gone.
      continue;
    for (Instruction &I : instructions(*cast<Function>(Caller)))
      for (Use &U : I.operands()) {
        Function *Original = Originals.lookup(U.get());
        auto *Call = dyn_cast<CallBase>(&I);
        bool Named = Call && calledEntryPoint(*Call) && Call->isArgOperand(&U) &&
                     Call->getArgOperandNo(&U) == functionOperandNumber(*Call);
        if (Original && !Named)
          U.set(Original);
      }
  }
}

void OptNoneClones::simplify(Module &M, ModulePassManager &Passes, ModuleAnalysisManager &MAM) {
  Shelter Keep(UserFunctions);
  SmallVector<WeakVH, 8> LiveCallers(Callers.begin(), Callers.end());
  MAM.invalidate(M, PreservedAnalyses::none());
  MAM.invalidate(M, Passes.run(M, MAM));
  restoreValues(LiveCallers);
  Callers.clear();
  for (const WeakVH &Caller : LiveCallers)
    if (Caller)
      Callers.insert(cast<Function>(Caller));
}

void OptNoneClones::eraseUnused(FunctionAnalysisManager &FAM) {
  SetVector<Function *> Unused;
  for (auto &[Original, Clone] : Clones)
    if (Clone)
      Unused.insert(cast<Function>(Clone));
  isozyme::eraseUnused(std::move(Unused), FAM);
}

/// What the linker's run is to differentiate is the user's function: a clone knows only what
/// this file says of the calls in it.
void OptNoneClones::restoreTargets(Module &M) {
  DenseMap<const Value *, Function *> Originals;
  for (auto &[Original, Clone] : Clones)
    if (Clone)
      Originals[Clone] = Original;
  for (CallBase *Call : findMarkerCalls(M))
    if (unsigned Number = functionOperandNumber(*Call); Number < Call->arg_size())
      if (Function *F = Originals.lookup(Call->getArgOperand(Number)->stripPointerCasts()))
        Call->setArgOperand(Number, F);
}

/// Simplified code may make an address of the bits of a float, where memory holds either. The
/// instruction selection for -O0 (FastISel) looks through the bit cast, and addresses memory by
/// a register for floats.
static void keepAddressesFromFloatRegisters(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Bits = isa<IntToPtrInst>(I) ? dyn_cast<BitCastInst>(I.getOperand(0)) : nullptr)
      if (Bits->getOperand(0)->getType()->isFPOrFPVectorTy())
        I.setOperand(0, new FreezeInst(Bits, Bits->getName(), I.getIterator()));
}

void OptNoneClones::finish(Module &M, ModuleAnalysisManager &MAM) {
  restoreTargets(M);
  eraseUnused(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
  for (Function &F : M)
    if (!Clones.empty() && !F.hasOptNone())
      keepAddressesFromFloatRegisters(F);
  for (auto &[Original, Name] : Names) {
    auto Found = Clones.find(Original);
    if (Value *Clone = Found->second)
      Clone->setName(Name + ".simplified");
    Original->setName(Name);
    setSimplifiedForm(*Original, nullptr);
  }
}

} // namespace isozyme
