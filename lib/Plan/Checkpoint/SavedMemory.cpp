//===- SavedMemory.cpp - What iterations of a loop overwrite ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each store goes to parameters or global variables that are known. Its least and its largest
// address, over all loops around it, are formulas in the parameters; where it is in a branch,
// the condition is known before the loop. Where this is not so, the size of a variable serves.
// Only then is it sure that a snapshot holds all that changes, and that it touches no memory
// that the program does not have.
//
//===----------------------------------------------------------------------===//
#include "SavedMemory.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"

using namespace llvm;

namespace isozyme {

void SavedMemoryFinder::refuse(const Instruction &I, const Twine &Why) {
  if (!Plan.Refused.empty())
    return;
  Plan.Refused = Why.str();
  Plan.RefusedAt = &I;
}

/// May the caller overwrite it between the two halves?
bool SavedMemoryFinder::mayChangeLater(const Value *Object) const {
  if (auto *A = dyn_cast<Argument>(Object))
    return Plan.Request.MayOverwrite[A->getArgNo()];
  auto *G = dyn_cast<GlobalVariable>(Object);
  return !G || !G->isConstant();
}

bool SavedMemoryFinder::anyMayChangeLater() const {
  return any_of(P.function().args(), [&](const Argument &A) {
    return A.getType()->isPointerTy() && Plan.Request.MayOverwrite[A.getArgNo()];
  });
}

/// Under which conditions \p I is executed in each iteration of all loops around it; none where
/// they are not known before the loop.
std::optional<SmallVector<KnownCondition, 2>>
SavedMemoryFinder::conditionsOf(const Instruction &I) {
  auto &After = P.analyses().getResult<PostDominatorTreeAnalysis>(P.function());
  const DominatorTree &DT = P.dominators();
  SmallVector<KnownCondition, 2> Conditions;
  for (const BasicBlock *BB = I.getParent(); BB != &P.function().getEntryBlock();) {
    const BasicBlock *Above = DT.getNode(BB)->getIDom()->getBlock();
    auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
    bool Always = After.dominates(BB, Above);
    bool Known = Always;
    for (unsigned Way = 0; !Always && Branch && Branch->isConditional() && Way < 2; ++Way)
      if (DT.dominates(BasicBlockEdge(Above, Branch->getSuccessor(Way)), BB) &&
          isKnownAtEntry(Branch->getCondition())) {
        Conditions.push_back({Branch->getCondition(), Way == 0});
        Known = true;
      }
    if (!Known)
      return std::nullopt;
    BB = Above;
  }
  return Conditions;
}

void SavedMemoryFinder::add(const Value *Base, SavedPart Part) {
  auto *Here = find_if(Plan.Saved, [&](const SavedMemory &M) { return M.Base == Base; });
  if (Here == Plan.Saved.end())
    Here = &Plan.Saved.emplace_back(SavedMemory{Base, {}});
  if (!is_contained(Here->Parts, Part))
    Here->Parts.push_back(std::move(Part));
}

/// A variable of known size.
bool SavedMemoryFinder::saveAll(const Value *Base) {
  ScalarEvolution &SE = P.scalarEvolution();
  uint64_t Bytes = 0;
  if (auto *A = dyn_cast<Argument>(Base)) {
    Attribute Known =
        Plan.Request.Fn->getAttributes().getParamAttr(A->getArgNo(), marking::KnownBytes);
    if (!Known.isValid() || Known.getValueAsString().getAsInteger(10, Bytes))
      return false;
  } else if (auto *G = dyn_cast<GlobalVariable>(Base); G && G->hasDefinitiveInitializer()) {
    Bytes = P.function().getDataLayout().getTypeAllocSize(G->getValueType());
  } else {
    return false;
  }
  Type *I64 = Type::getInt64Ty(P.function().getContext());
  add(Base, {SE.getConstant(I64, 0), SE.getConstant(I64, Bytes), {}});
  return true;
}

static std::string nameOf(const PreparedFunction &P, const Value *Object) {
  std::string Name = P.sourceName(Object);
  return Name.empty() ? "the memory" : "'" + Name + "'";
}

void SavedMemoryFinder::save(const Instruction &I, const Value *Ptr, const SCEV *Bytes) {
  ScalarEvolution &SE = P.scalarEvolution();
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Ptr, Objects, &P.loops(), /*MaxLookup=*/0);
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(Ptr));
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
  Type *I64 = Type::getInt64Ty(P.function().getContext());
  const SCEV *Begin = nullptr, *End = nullptr;
  std::optional<SmallVector<KnownCondition, 2>> If;
  if (Base && Bytes) {
    const SCEV *Offset = SE.getTruncateOrSignExtend(SE.removePointerBase(Address), I64);
    Begin = extremeAtEntry(P, Offset, I, /*Largest=*/false);
    End = extremeAtEntry(P, SE.getAddExpr(Offset, Bytes), I, /*Largest=*/true);
    If = conditionsOf(I);
  }
  for (const Value *Object : Objects) {
    if (isa<AllocaInst>(Object))
      continue; // Made by Prepare, for a moment.
    if (!isa<Argument>(Object) && !isa<GlobalVariable>(Object))
      return refuse(I, "it is not known which memory is overwritten here");
    // What a choice of pointers leads to must be the pointers themselves.
    bool Direct =
        Base && (Base->getValue() == Object || isa<SelectInst, PHINode>(Base->getValue()));
    if (Direct && Base->getValue() != Object)
      for (const Use &Operand : cast<Instruction>(Base->getValue())->operands())
        Direct &= !Operand->getType()->isPointerTy() || isa<Argument, GlobalVariable>(Operand) ||
                  isa<SelectInst>(Operand);
    if (Direct && Begin && End && If)
      add(Object, {Begin, End, *If});
    else if (!saveAll(Object))
      return refuse(I, "it is not known before the loop how much of " + Twine(nameOf(P, Object)) +
                           " is overwritten here");
  }
}

/// What is read must be there again, whatever the caller has done since.
void SavedMemoryFinder::read(const Instruction &I, const Value *Ptr, const SCEV *Bytes) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Ptr, Objects, &P.loops(), /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    if (isa<AllocaInst>(Object))
      continue;
    bool IsKnown = isa<Argument, GlobalVariable>(Object);
    if (IsKnown ? mayChangeLater(Object) : anyMayChangeLater()) {
      if (!IsKnown)
        return refuse(I, "it is not known which memory is read here, and memory is overwritten "
                         "behind the loop");
      return save(I, Ptr, Bytes);
    }
  }
}

void SavedMemoryFinder::lookAtFill(MemIntrinsic &M) {
  ScalarEvolution &SE = P.scalarEvolution();
  const SCEV *Bytes =
      SE.getTruncateOrZeroExtend(SE.getSCEV(M.getLength()), Type::getInt64Ty(M.getContext()));
  bool IsInvariant = all_of(P.loops(), [&](const Loop *L) { return SE.isLoopInvariant(Bytes, L); });
  if (!IsInvariant)
    Bytes = nullptr;
  if (auto *Copy = dyn_cast<MemTransferInst>(&M)) {
    auto *Length = dyn_cast<ConstantInt>(M.getLength());
    MemoryLayout Moved = Types.layoutOf(M.getDest(), Length ? Length->getZExtValue() : 0);
    if (!Moved.isComplete() || any_of(Moved.Runs, [](const TypedRun &R) {
          return R.Type.kind() == ConcreteType::Pointer;
        }))
      return refuse(M, "addresses may be among what is copied here");
    read(M, Copy->getSource(), Bytes);
  }
  save(M, M.getDest(), Bytes);
}

void SavedMemoryFinder::lookAtCall(const CallBase &Call) {
  auto Known = Calls.find(&Call);
  if (Known == Calls.end() || isa<DbgInfoIntrinsic>(Call))
    return;
  switch (viewOf(Call, P.libraryInfo()).Class) {
  case OpClass::Elementwise:
  case OpClass::Zero:
  case OpClass::Structural:
    return;
  case OpClass::Allocate:
  case OpClass::Free:
    return refuse(Call, "memory is allocated or released in the loop");
  default:
    break;
  }
  MemoryEffects Effects = Known->second.Effects;
  std::string Name = "what is called here";
  if (auto *F = Call.getCalledFunction())
    Name = ("'" + F->getName() + "'").str();
  if (isModSet(Effects.getWithoutLoc(IRMemLocation::ErrnoMem).getModRef()))
    return refuse(Call, Name + " may write memory, or do something that is not to be done twice");
  if (isRefSet(Effects.getModRef()) && anyMayChangeLater())
    refuse(Call, Name + " reads memory, and memory is overwritten behind the loop");
}

void SavedMemoryFinder::look(Instruction &I) {
  ScalarEvolution &SE = P.scalarEvolution();
  const DataLayout &DL = P.function().getDataLayout();
  Type *I64 = Type::getInt64Ty(I.getContext());
  if (I.isAtomic() || I.isVolatile())
    return refuse(I, "an access that is volatile or atomic is not to be done twice");
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    Type *Stored = S->getValueOperand()->getType();
    if (Stored->isPtrOrPtrVectorTy() ||
        Types.typeOf(S->getValueOperand()).kind() == ConcreteType::Pointer)
      return refuse(I, "an address is stored in the loop");
    return save(I, S->getPointerOperand(), SE.getConstant(I64, DL.getTypeStoreSize(Stored)));
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return read(I, Load->getPointerOperand(),
                SE.getConstant(I64, DL.getTypeStoreSize(Load->getType())));
  if (auto *M = dyn_cast<MemIntrinsic>(&I))
    return lookAtFill(*M);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return lookAtCall(*Call);
  if (I.mayReadOrWriteMemory())
    refuse(I, "it is not known what this does to memory");
}

void SavedMemoryFinder::run() {
  for (Instruction &I : instructions(P.function())) {
    if (!P.reachesReturn(I.getParent()))
      continue;
    look(I);
    if (!Plan.Refused.empty())
      return;
  }
}

} // namespace isozyme
