//===- TapeFlow.cpp - Which second half gets the tape of a first one ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a module. Out: an answer per first half. Copies of the functions are brought into
// registers for it, and are gone afterwards. Never: guesses.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/TapeFlow.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/ResultLayout.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

/// Does the instruction hand a value on, and nothing more?
static bool handsOn(const User *U) {
  return isa<ExtractValueInst, InsertValueInst, PHINode, SelectInst, CastInst, FreezeInst>(U);
}

void TapeFlow::follow(Half &First, CallBase &Copy) {
  // Behind a result in memory, or enzyme_tape, nothing is seen.
  First.OutOfSight = Copy.getType()->isVoidTy();
  // Where the result has an address, the address is the tape, and numbers are not followed.
  bool ByValue = !containsPointer(Copy.getType());
  SetVector<User *> Reached;
  Reached.insert(&Copy);
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    for (User *U : Reached[Next]->users()) {
      auto *Call = dyn_cast<CallBase>(U);
      if (handsOn(U)) {
        if (ByValue || containsPointer(U->getType()))
          Reached.insert(U);
      } else if (CallBase *Second = Call ? Originals.lookup(Call) : nullptr) {
        First.Others.push_back(Second);
      } else if (!isa<ICmpInst>(U)) {
        First.OutOfSight = true;
      }
    }
}

/// The struct that the call is declared to return, by value or in memory.
static Type *structOf(const CallBase &Call) {
  return Call.hasStructRetAttr() && Call.getType()->isVoidTy() ? Call.getParamStructRetType(0)
                                                               : Call.getType();
}

/// Types do not tell which of several pointers is the tape.
static bool returnsPointersAlone(const CallBase &First) {
  const SmallVector<Leaf, 8> Leaves = leavesOf(structOf(First), First.getModule()->getDataLayout());
  return Leaves.size() > 1 && all_of(Leaves, [](const Leaf &L) { return L.Ty->isPointerTy(); });
}

/// Lets \p Call return by value what it returns in memory: its members can be followed then. An
/// exception that leaves it, in a copy that only analyses read, has no handler.
static CallBase &returningByValue(CallBase &Call) {
  IRBuilder<> B(&Call);
  Type *Struct = Call.getParamStructRetType(0);
  SmallVector<Value *, 8> Args(drop_begin(Call.args()));
  SmallVector<Type *, 8> Types;
  for (Value *V : Args)
    Types.push_back(V->getType());
  CallInst *New =
      B.CreateCall(FunctionType::get(Struct, Types, false), Call.getCalledOperand(), Args);
  B.CreateStore(New, Call.getArgOperand(0));
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    B.CreateBr(Invoke->getNormalDest());
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
  }
  Call.eraseFromParent();
  return *New;
}

/// The first half is \p Copy in a function whose variables are values.
void TapeFlow::followLeaves(const CallBase &First, CallBase &Copy) {
  const SmallVector<Leaf, 8> All = leavesOf(Copy.getType(), First.getModule()->getDataLayout());
  Leaves &Of = Uses[&First];
  for (User *U : Copy.users()) {
    auto *Member = dyn_cast<ExtractValueInst>(U);
    auto Found = find_if(All, [&](const Leaf &L) {
      return Member && ArrayRef<unsigned>(L.Path) == Member->getIndices();
    });
    if (Found == All.end()) {
      Of.Leaving.insert_range(seq<unsigned>(All.size()));
      continue;
    }
    const unsigned Number = Found - All.begin();
    SetVector<Value *> Reached;
    Reached.insert(Member);
    for (size_t Next = 0; Next < Reached.size(); ++Next)
      for (const Use &Use : Reached[Next]->uses()) {
        auto *Call = dyn_cast<CallBase>(Use.getUser());
        if (Call && Originals.contains(Call) && Call->isArgOperand(&Use) &&
            Call->getArgOperandNo(&Use) + 1 == Call->arg_size())
          Of.Tapes.insert(Number);
        else if (getLoadStorePointerOperand(Use.getUser()) == Use.get())
          Of.Addresses.insert(Number);
        else if (handsOn(Use.getUser()) || isa<GetElementPtrInst>(Use.getUser()))
          Reached.insert(Use.getUser());
        else if (!isa<ICmpInst>(Use.getUser()))
          Of.Leaving.insert(Number);
      }
  }
}

Expected<std::optional<unsigned>> TapeFlow::tapeLeaf(const CallBase &First) const {
  auto It = Uses.find(&First);
  if (It == Uses.end())
    return std::nullopt;
  const Leaves &L = It->second;
  if (L.Tapes.size() == 1)
    return L.Tapes.front();
  if (L.Tapes.size() > 1)
    return diffError(DiagId::BadTape, Place(First),
                     "more than one member of the struct that this call returns is passed on as "
                     "the tape",
                     "pass the same one to all second halves");
  // Alone, the tape comes first.
  if (L.Addresses.contains(0))
    return diffError(DiagId::BadTape, Place(First),
                     "the first member of a struct of pointers is the tape unless another one is "
                     "seen to go to '__enzyme_reverse', and the program reads or writes where "
                     "this member points to",
                     "declare the tape as the first member");
  return std::nullopt;
}

bool TapeFlow::isTapeUnclear(const CallBase &First) const {
  if (!targetOf(First, EntryPoint::Augmentfwd) || !returnsPointersAlone(First))
    return false;
  auto It = Uses.find(&First);
  if (It == Uses.end())
    return true;
  const Leaves &L = It->second;
  return L.Tapes.empty() && any_of(L.Leaving, [](unsigned Leaf) { return Leaf != 0; });
}

void TapeFlow::traceBack(Half &Second, CallBase &Copy) {
  if (!Copy.arg_size()) {
    Second.OutOfSight = true;
    return;
  }
  // The tape comes last.
  SetVector<Value *> Reached;
  Reached.insert(Copy.getArgOperand(Copy.arg_size() - 1));
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    Value *V = Reached[Next];
    auto *I = dyn_cast<Instruction>(V);
    if (isa<ConstantData>(V))
      continue;
    if (CallBase *First = Originals.lookup(V))
      Second.Others.push_back(First);
    else if (I && handsOn(I))
      Reached.insert_range(I->operand_values());
    else
      Second.OutOfSight = true;
  }
  // enzyme_tape: what comes last is something else.
  if (Second.Others.empty() && !isa<ConstantPointerNull>(Reached.front()))
    Second.OutOfSight = true;
}

/// Reads the calls in a copy of \p F, in which local variables are values.
void TapeFlow::readCopy(Function &F, FunctionAnalysisManager &FAM) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  Copy->removeFnAttr(Attribute::OptimizeNone);
  struct Pair {
    Half H;
    WeakTrackingVH Copy;
  };
  SmallVector<Pair, 4> Found;
  Originals.clear();
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    for (EntryPoint Kind : {EntryPoint::Augmentfwd, EntryPoint::Reverse, EntryPoint::Fwdsplit})
      if (Function *Fn = targetOf(*Call, Kind);
          Fn && (Both.contains(Fn) || OfPointers.contains(Fn)))
        Found.push_back({{Call, Fn, false, {}}, Map.lookup(Call)});
  }
  for (Pair &P : Found)
    if (auto *Call = dyn_cast<CallBase>(static_cast<Value *>(P.Copy));
        Call && returnsPointersAlone(*P.H.Call) && Call->hasStructRetAttr())
      P.Copy = &returningByValue(*Call);
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  Passes.run(*Copy, FAM);
  for (Pair &P : Found)
    if (auto *Call = dyn_cast_or_null<CallBase>(static_cast<Value *>(P.Copy)))
      Originals[Call] = P.H.Call;
  for (Pair &P : Found) {
    auto *Call = dyn_cast_or_null<CallBase>(static_cast<Value *>(P.Copy));
    bool IsFirst = targetOf(*P.H.Call, EntryPoint::Augmentfwd);
    if (!Call)
      P.H.OutOfSight = true;
    else if (IsFirst)
      follow(P.H, *Call);
    else
      traceBack(P.H, *Call);
    if (IsFirst && Call && returnsPointersAlone(*P.H.Call) && !Call->getType()->isVoidTy())
      followLeaves(*P.H.Call, *Call);
    auto &List = IsFirst ? Firsts : targetOf(*P.H.Call, EntryPoint::Reverse) ? Reverses : Replays;
    List.push_back(std::move(P.H));
  }
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
}

void TapeFlow::decide(const Half &First) {
  if (!Both.contains(First.Fn))
    return;
  auto isOf = [&](const Half &Second) { return Second.Fn == First.Fn; };
  auto reaches = [&](const SmallVectorImpl<Half> &Seconds) {
    return any_of(Seconds, [&](const Half &Second) {
      return is_contained(First.Others, Second.Call) || is_contained(Second.Others, First.Call);
    });
  };
  auto allSeen = [&](const SmallVectorImpl<Half> &Seconds) {
    return none_of(Seconds, [&](const Half &Second) { return isOf(Second) && Second.OutOfSight; });
  };
  bool ToReverse = reaches(Reverses), ToReplay = reaches(Replays);
  if (ToReverse && ToReplay)
    return;
  // If it is not read at all, it does not matter.
  bool ForReverse = !ToReplay && (!First.OutOfSight || allSeen(Replays));
  bool ForReplay = !ToReverse && ((ToReplay && !First.OutOfSight) || allSeen(Reverses));
  if (ForReverse || ForReplay)
    Known[First.Call] = !ForReverse;
}

TapeFlow::TapeFlow(Module &M, FunctionAnalysisManager &FAM) {
  SetVector<Function *> Callers;
  SmallVector<CallBase *, 4> Calls = findMarkerCalls(M);
  for (CallBase *Call : Calls)
    if (Function *F = targetOf(*Call, EntryPoint::Fwdsplit))
      Replayed.insert(F);
  for (CallBase *Call : Calls)
    if (Function *F = targetOf(*Call, EntryPoint::Reverse); F && Replayed.contains(F))
      Both.insert(F);
  for (CallBase *Call : Calls)
    if (Function *F = targetOf(*Call, EntryPoint::Augmentfwd); F && returnsPointersAlone(*Call))
      OfPointers.insert(F);
  if (Both.empty() && OfPointers.empty())
    return;
  for (CallBase *Call : Calls)
    Callers.insert(Call->getFunction());
  for (Function *F : Callers)
    readCopy(*F, FAM);
  for (const Half &First : Firsts)
    decide(First);
}

std::optional<bool> TapeFlow::makesRecord(const CallBase &First) const {
  auto It = Known.find(&First);
  return It == Known.end() ? std::nullopt : std::optional(It->second);
}

} // namespace isozyme
