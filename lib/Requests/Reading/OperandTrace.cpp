//===- OperandTrace.cpp - What an operand of a marker call stands for -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows a value backwards as long as there is only one thing it can be.
// Never guesses: a slot whose address escapes, or with two stores that may
// reach the load, ends the search.
//
//   %op = alloca ptr                            traced from the call:
//   store ptr @f, ptr %op                         %g -> slot %op -> @f
//   %g = load ptr, ptr %op
//   call double @__enzyme_autodiff(ptr %g, double %x)
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Requests/MarkerNames.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

namespace {

/// A call whose callee's body is being read: gives its arguments their values.
struct Frame {
  const CallBase *Call;
  const Frame *Caller;
};

/// A value, and the frame that its arguments belong to (null: the user's function).
struct Traced {
  Value *V;
  const Frame *In;
};

/// An object and a distance into it.
struct Location {
  Traced Base;
  APInt Offset;
};

/// A write into a local variable, at a known distance from its start.
struct SlotWrite {
  Instruction *By;
  uint64_t Begin, End;
};

class Tracer {
public:
  explicit Tracer(const DataLayout &DL) : DL(DL) {}
  Traced trace(Traced T);

private:
  std::optional<Traced> step(Traced T);
  std::optional<Traced> stepLoad(LoadInst &Load, const Frame *In);
  std::optional<Traced> stepMemory(Location From, Type *Ty);
  std::optional<Traced> stepSlot(AllocaInst &Slot, Location From, Type *Ty);
  std::optional<Traced> stepCall(CallBase &Call, const Frame *In);
  std::optional<Traced> stepMerge(ArrayRef<Value *> Inputs, const Frame *In);
  Location locate(Traced Pointer);

  const DataLayout &DL;
  /// Bounds the work; also what ends cycles through phis and recursive callees.
  unsigned Steps = 256;
  unsigned Depth = 0;
};

} // namespace

/// Is this variable one that names a marker?
static bool isMarkerVariable(const Value *V) {
  return (isa<GlobalVariable>(V) || isa<AllocaInst>(V)) && isMarkerName(V->getName());
}

bool isNeverWritten(const GlobalVariable &G) {
  if (!G.hasDefinitiveInitializer())
    return false;
  return G.isConstant() ||
         (G.hasLocalLinkage() && all_of(G.users(), [](const User *U) { return isa<LoadInst>(U); }));
}

/// The writes into \p Slot, or nothing if its address gets out of sight.
static std::optional<SmallVector<SlotWrite, 4>> writesTo(AllocaInst &Slot, const DataLayout &DL) {
  SmallVector<SlotWrite, 4> Writes;
  SmallVector<std::pair<Value *, uint64_t>, 8> Work = {{&Slot, 0}};
  while (!Work.empty()) {
    auto [Pointer, Offset] = Work.pop_back_val();
    for (Use &U : Pointer->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<LoadInst>(I) || isa<LifetimeIntrinsic>(I))
        continue;
      if (isa<BitCastInst>(I) || isa<AddrSpaceCastInst>(I)) {
        Work.push_back({I, Offset});
        continue;
      }
      if (auto *GEP = dyn_cast<GetElementPtrInst>(I)) {
        APInt Distance(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        // A variable index may read any element; writing one is caught below.
        if (!GEP->accumulateConstantOffset(DL, Distance)) {
          if (any_of(GEP->users(), [](User *User) { return !isa<LoadInst>(User); }))
            return std::nullopt;
          continue;
        }
        Work.push_back({I, Offset + Distance.getSExtValue()});
        continue;
      }
      if (auto *Store = dyn_cast<StoreInst>(I); Store && U.getOperandNo() == 1) {
        uint64_t Size = DL.getTypeStoreSize(Store->getValueOperand()->getType());
        Writes.push_back({I, Offset, Offset + Size});
        continue;
      }
      if (auto *Copy = dyn_cast<MemTransferInst>(I)) {
        auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
        if (U.getOperandNo() == 1)
          continue; // It is the source.
        if (U.getOperandNo() != 0 || !Length)
          return std::nullopt;
        Writes.push_back({I, Offset, Offset + Length->getZExtValue()});
        continue;
      }
      return std::nullopt;
    }
  }
  return Writes;
}

Location Tracer::locate(Traced Pointer) {
  unsigned Bits = DL.getIndexTypeSizeInBits(Pointer.V->getType());
  APInt Offset(Bits, 0);
  while (true) {
    APInt Distance(Bits, 0);
    Value *Base = Pointer.V->stripAndAccumulateConstantOffsets(DL, Distance, true);
    Traced Next = trace({Base, Pointer.In});
    if (Distance.getBitWidth() != Bits)
      Distance = Distance.sextOrTrunc(Bits);
    Offset += Distance;
    if (Next.V == Pointer.V || !Next.V->getType()->isPointerTy() || !Steps)
      return {Next, Offset};
    Pointer = Next;
  }
}

std::optional<Traced> Tracer::stepSlot(AllocaInst &Slot, Location From, Type *Ty) {
  std::optional<SmallVector<SlotWrite, 4>> Writes = writesTo(Slot, DL);
  if (!Writes || From.Offset.isNegative())
    return std::nullopt;
  uint64_t Begin = From.Offset.getZExtValue(), End = Begin + DL.getTypeStoreSize(Ty);
  const SlotWrite *Only = nullptr;
  for (const SlotWrite &W : *Writes) {
    if (W.End <= Begin || W.Begin >= End)
      continue;
    if (Only)
      return std::nullopt;
    Only = &W;
  }
  if (!Only)
    return std::nullopt;
  if (auto *Store = dyn_cast<StoreInst>(Only->By)) {
    if (Only->Begin != Begin || Only->End != End)
      return std::nullopt;
    return Traced{Store->getValueOperand(), From.Base.In};
  }
  if (Only->Begin > Begin || Only->End < End)
    return std::nullopt;
  Location Source = locate({cast<MemTransferInst>(Only->By)->getSource(), From.Base.In});
  Source.Offset += Begin - Only->Begin;
  return stepMemory(Source, Ty);
}

std::optional<Traced> Tracer::stepMemory(Location From, Type *Ty) {
  Value *Base = From.Base.V;
  if (isMarkerVariable(Base))
    return From.Base;
  if (auto *G = dyn_cast<GlobalVariable>(Base)) {
    if (!isNeverWritten(*G))
      return std::nullopt;
    APInt Offset = From.Offset.sextOrTrunc(DL.getIndexTypeSizeInBits(G->getType()));
    if (Constant *C = ConstantFoldLoadFromConst(G->getInitializer(), Ty, Offset, DL))
      return Traced{C, nullptr};
    return std::nullopt;
  }
  if (auto *Slot = dyn_cast<AllocaInst>(Base))
    return stepSlot(*Slot, From, Ty);
  return std::nullopt;
}

std::optional<Traced> Tracer::stepLoad(LoadInst &Load, const Frame *In) {
  if (Load.isVolatile())
    return std::nullopt;
  return stepMemory(locate({Load.getPointerOperand(), In}), Load.getType());
}

std::optional<Traced> Tracer::stepCall(CallBase &Call, const Frame *In) {
  if (Value *Returned = Call.getReturnedArgOperand())
    return Traced{Returned, In};
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Callee->isInterposable() ||
      Callee->getFunctionType() != Call.getFunctionType() || Callee->isVarArg())
    return std::nullopt;
  ReturnInst *Return = nullptr;
  for (BasicBlock &BB : *Callee)
    if (auto *R = dyn_cast<ReturnInst>(BB.getTerminator())) {
      if (Return)
        return std::nullopt;
      Return = R;
    }
  if (!Return || !Return->getReturnValue())
    return std::nullopt;
  Frame Inner{&Call, In};
  Traced Result = trace({Return->getReturnValue(), &Inner});
  // A value of the callee's own means nothing outside.
  if (Result.In == &Inner && !isa<Constant>(Result.V))
    return std::nullopt;
  return Result;
}

std::optional<Traced> Tracer::stepMerge(ArrayRef<Value *> Inputs, const Frame *In) {
  std::optional<Traced> Common;
  for (Value *Input : Inputs) {
    Traced T = trace({Input, In});
    if (!isa<Constant>(T.V) && !isMarkerVariable(T.V))
      return std::nullopt;
    if (Common && Common->V != T.V)
      return std::nullopt;
    Common = T;
  }
  return Common;
}

/// What \p T is known to be equal to, one definition further up.
std::optional<Traced> Tracer::step(Traced T) {
  Value *V = T.V;
  if (auto *Alias = dyn_cast<GlobalAlias>(V))
    return Alias->isInterposable() ? std::nullopt
                                   : std::optional(Traced{Alias->getAliasee(), T.In});
  if (auto *Cast = dyn_cast<CastInst>(V); Cast && !Cast->getSrcTy()->isFPOrFPVectorTy())
    return Traced{Cast->getOperand(0), T.In};
  if (auto *Expr = dyn_cast<ConstantExpr>(V); Expr && Expr->isCast())
    return Traced{Expr->getOperand(0), T.In};
  if (auto *GEP = dyn_cast<GEPOperator>(V); GEP && GEP->hasAllZeroIndices())
    return Traced{GEP->getPointerOperand(), T.In};
  if (auto *Freeze = dyn_cast<FreezeInst>(V))
    return Traced{Freeze->getOperand(0), T.In};
  if (auto *A = dyn_cast<Argument>(V)) {
    if (!T.In || A->getArgNo() >= T.In->Call->arg_size())
      return std::nullopt;
    return Traced{T.In->Call->getArgOperand(A->getArgNo()), T.In->Caller};
  }
  if (auto *Load = dyn_cast<LoadInst>(V))
    return stepLoad(*Load, T.In);
  if (auto *Call = dyn_cast<CallBase>(V))
    return stepCall(*Call, T.In);
  if (auto *Extract = dyn_cast<ExtractValueInst>(V)) {
    Value *Inserted = FindInsertedValue(Extract->getAggregateOperand(), Extract->getIndices());
    return Inserted && Inserted != V ? std::optional(Traced{Inserted, T.In}) : std::nullopt;
  }
  if (auto *Phi = dyn_cast<PHINode>(V))
    return stepMerge(SmallVector<Value *, 4>(Phi->incoming_values()), T.In);
  if (auto *Select = dyn_cast<SelectInst>(V))
    return stepMerge({Select->getTrueValue(), Select->getFalseValue()}, T.In);
  return std::nullopt;
}

Traced Tracer::trace(Traced T) {
  ++Depth;
  while (Steps && Depth < 32) {
    --Steps;
    std::optional<Traced> Next = step(T);
    if (!Next || (Next->V == T.V && Next->In == T.In))
      break;
    T = *Next;
  }
  --Depth;
  return T;
}

static Value *traceOperand(Value *V) {
  Value *Base = V;
  while (auto *Expr = dyn_cast<ConstantExpr>(Base))
    Base = Expr->getOperand(0);
  const Module *M = nullptr;
  if (auto *I = dyn_cast<Instruction>(Base))
    M = I->getModule();
  else if (auto *G = dyn_cast<GlobalValue>(Base))
    M = G->getParent();
  if (!M)
    return V; // An argument of the user's function, or a plain constant.
  return Tracer(M->getDataLayout()).trace({V, nullptr}).V;
}

Function *tracedFunction(Value *V) { return dyn_cast<Function>(traceOperand(V)); }

Constant *tracedConstant(Value *V) {
  auto *C = dyn_cast<Constant>(traceOperand(V));
  Value *Base = C ? C->stripInBoundsConstantOffsets() : nullptr;
  auto *G = dyn_cast_or_null<GlobalVariable>(Base);
  bool Table = G && G->isConstant() && G->hasInitializer();
  return isa_and_nonnull<Function>(C) || Table ? C : nullptr;
}

const ConstantInt *tracedInteger(Value *V) {
  Value *T = traceOperand(V);
  if (auto *G = dyn_cast<GlobalVariable>(T); G && !isMarkerVariable(G) && isNeverWritten(*G))
    T = G->getInitializer();
  return dyn_cast<ConstantInt>(T);
}

StringRef tracedMarker(Value *V) {
  if (auto *MD = dyn_cast<MetadataAsValue>(V)) {
    Metadata *Node = MD->getMetadata();
    if (auto *Tuple = dyn_cast<MDNode>(Node); Tuple && Tuple->getNumOperands() == 1)
      Node = Tuple->getOperand(0);
    auto *Text = dyn_cast_or_null<MDString>(Node);
    return Text && isMarkerName(Text->getString()) ? Text->getString() : StringRef();
  }
  Value *T = traceOperand(V);
  return isMarkerVariable(T) ? T->getName() : StringRef();
}

Function *calledEntryPoint(const CallBase &Call) {
  if (Call.isInlineAsm())
    return nullptr;
  Value *Callee = Call.getCalledOperand()->stripPointerCastsAndAliases();
  auto *F = dyn_cast<Function>(Callee);
  return F && entryPoint(F->getName()) ? F : nullptr;
}

unsigned functionOperandNumber(const CallBase &Call) {
  return Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet) ? 1 : 0;
}

} // namespace isozyme
