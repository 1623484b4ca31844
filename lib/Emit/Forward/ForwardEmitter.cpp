//===- ForwardEmitter.cpp - Tangents beside the primal --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the forward derivative of a prepared function: its body, cloned, and
// behind each active instruction the instruction's tangents.
//
//   %y = fmul double %x, %w            %y = fmul double %x, %w
//                               ->     %0 = fmul double %x.tan, %w
//                                      %1 = fmul double %x, %w.tan
//                                      %y.tan = fadd double %0, %1
//
// In: a plan.  Out: a filled shell.
// Never: decides what is active, or what happens to a call.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/ForwardEmitter.h"
#include "DebugScope.h"
#include "Dependence.h"
#include "ForwardEmission.h"
#include "Runtime/OwnShadow.h"
#include "Runtime/WatchCalls.h"
#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Emit/Recording.h"
#include "isozyme/Emit/RuleInterpreter.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Values/ShadowAlignment.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

Error emitForward(Function &Shell, const ForwardPlan &Plan, DerivativeLookup Lookup,
                  const RecordPlan *Replay, function_ref<void(const CloneMap &)> AtEnd) {
  ForwardEmission Emission(Shell, Plan, Lookup, Replay);
  if (Error E = Emission.run())
    return E;
  if (AtEnd)
    AtEnd(Emission.clones());
  Emission.describeArguments();
  giveDebugScope(Shell, Plan.P, Plan.Request.Dependence ? "dependence of" : "derivative of");
  return Error::success();
}

Error ForwardEmission::run() {
  mapArguments();
  cloneBody();
  // Operands before users, but for the phis of loops, which are completed last.
  ReversePostOrderTraversal<Function *> Order(&P.function());
  for (BasicBlock *BB : Order)
    if (P.reachesReturn(BB))
      Visited.insert(BB);
  for (BasicBlock *BB : Order) {
    if (!Visited.contains(BB))
      continue;
    for (Instruction &I : *BB) {
      visit(I);
      if (Failure)
        return std::move(*Failure);
    }
  }
  finishPhis();
  for (Instruction *I : Plan.Unread.stores())
    if (!Failure)
      cast<Instruction>(primal(I))->eraseFromParent();
  return Failure ? std::move(*Failure) : Error::success();
}

/// Parameters of the shell: each primal, then its shadows, one per lane.
void ForwardEmission::mapArguments() {
  auto Next = Shell.arg_begin();
  for (Argument &A : P.function().args()) {
    Argument &Primal = *Next++;
    Primal.setName(A.getName());
    Primals[&A] = &Primal;
    if (!R.hasShadow(A.getArgNo()))
      continue;
    StringRef Suffix = A.getType()->isPtrOrPtrVectorTy() ? ".shadow" : ".tan";
    Lanes &Values = Tangents[&A];
    for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
      Argument &Shadow = *Next++;
      if (A.hasName())
        Shadow.setName(A.getName() + Suffix);
      Values.push_back(&Shadow);
    }
  }
}

/// Attributes that speak of the calling convention or of the result: the
/// derivative has its own signature, and callers were made before its body.
static AttributeMask foreignParameterAttributes() {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind :
       {Attribute::ByVal, Attribute::StructRet, Attribute::ByRef, Attribute::InAlloca,
        Attribute::Preallocated, Attribute::Nest, Attribute::InReg, Attribute::ZExt,
        Attribute::SExt, Attribute::SwiftSelf, Attribute::SwiftError, Attribute::SwiftAsync,
        Attribute::Returned, Attribute::DeadOnReturn})
    Mask.addAttribute(Kind);
  return Mask;
}

void ForwardEmission::cloneBody() {
  LLVMContext &C = Shell.getContext();
  AttributeList Own = Shell.getAttributes();
  CallingConv::ID Convention = Shell.getCallingConv();
  keepDebugScope(Primals, P);
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(&Shell, &P.function(), Primals, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  Shell.setCallingConv(Convention);

  AttributeList Cloned = Shell.getAttributes();
  AttributeMask Foreign = foreignParameterAttributes();
  for (unsigned Arg = 0; Arg < Shell.arg_size(); ++Arg)
    Cloned = Cloned.removeParamAttributes(C, Arg, Foreign);
  for (Argument &A : P.function().args()) {
    const unsigned Number = cast<Argument>(primal(&A))->getArgNo();
    if (R.checkOf(A.getArgNo()) != ShadowCheck::None) // Its shadow may be the same memory.
      Cloned = Cloned.removeParamAttribute(C, Number, Attribute::NoAlias);
    else if (A.hasNoAliasAttr() && R.hasShadow(A.getArgNo()))
      // Shadows are read and written where primals are: they keep the same promise.
      for (unsigned Lane = 1; Lane <= R.Width; ++Lane)
        Cloned = Cloned.addParamAttribute(C, Number + Lane, Attribute::NoAlias);
  }
  Cloned = Cloned.removeAttributesAtIndex(C, AttributeList::ReturnIndex);
  // What a rule calls may set errno; shadow memory is read and written as well.
  AttributeMask FunctionMask;
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::Speculatable, Attribute::AllocSize, Attribute::AllocKind})
    FunctionMask.addAttribute(Kind);
  FunctionMask.addAttribute("alloc-family");
  if (R.Dependence) // Of masks, nothing is known as floats.
    for (StringRef About :
         {"no-nans-fp-math", "no-infs-fp-math", "denormal-fp-math", "denormal-fp-math-f32"})
      FunctionMask.addAttribute(About);
  Cloned = Cloned.removeFnAttributes(C, FunctionMask);
  Shell.setAttributes(Cloned.addFnAttributes(C, AttrBuilder(C, Own.getFnAttrs())));

  for (BasicBlock &BB : Shell)
    for (Instruction &I : BB)
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isMustTailCall())
        Call->setTailCallKind(CallInst::TCK_None); // The result is not the callee's any more.
}

void ForwardEmission::visit(Instruction &I) {
  Current = &I;
  auto *Clone = cast<Instruction>(primal(&I));
  if (I.isTerminator())
    B.SetInsertPoint(Clone);
  else if (isa<PHINode>(I))
    B.SetInsertPoint(Clone->getParent(), Clone->getParent()->getFirstNonPHIIt());
  else
    B.SetInsertPoint(Clone->getParent(), std::next(Clone->getIterator()));
  B.SetCurrentDebugLocation(Clone->getDebugLoc());
  if (I.isTerminator())
    copyLanes(I);

  // Where nobody asks for the bytes, they are in the record all the same.
  if (Replay && Replay->at(I) == RecordStep::Copy)
    Copied[&I] = bytesOfRecord(
        B, Shell.getArg(unsigned(Shell.arg_size()) - 1),
        B.CreateZExtOrTrunc(primal(cast<AnyMemTransferInst>(I).getLength()), B.getInt64Ty()));
  switch (stepAt(I).Tangent) {
  case TangentStep::Nothing:
    return;
  case TangentStep::Zero:
    return setZero(I);
  case TangentStep::Rule:
    return emitRule(I);
  case TangentStep::Mirror:
    return emitMirrored(I);
  case TangentStep::Unite:
    return forEachLane(I, [&](unsigned Lane) -> Value * {
      return uniteMasks(B, tangent(I.getOperand(1), Lane), tangent(I.getOperand(2), Lane));
    });
  case TangentStep::MoveAddress:
  case TangentStep::MoveFloats:
    return emitIntegerMove(I);
  case TangentStep::Join:
    return startPhi(cast<PHINode>(I));
  case TangentStep::Reduce:
    return emitReduction(cast<CallBase>(I));
  case TangentStep::Load:
    return visitLoad(cast<LoadInst>(I));
  case TangentStep::MaskedLoad:
    return visitMaskedLoad(cast<CallBase>(I));
  case TangentStep::Store:
    return visitStore(cast<StoreInst>(I));
  case TangentStep::MaskedStore:
    return visitMaskedStore(cast<IntrinsicInst>(I));
  case TangentStep::Atomic:
    return visitAtomic(cast<AtomicRMWInst>(I));
  case TangentStep::Copy:
    return visitCopy(cast<AnyMemTransferInst>(I));
  case TangentStep::Clear:
    return visitFill(cast<AnyMemIntrinsic>(I));
  case TangentStep::Release:
    return visitFree(cast<CallBase>(I));
  case TangentStep::Call:
    return emitDerivativeCall(cast<CallBase>(I), callPlanOf(I));
  case TangentStep::Stop:
    return emitStopCall(cast<CallBase>(I), callPlanOf(I));
  case TangentStep::Return:
    return emitReturn(cast<ReturnInst>(I));
  }
}

/// y.tan = sum over the active operands of their partial derivatives.
void ForwardEmission::emitRule(Instruction &I) {
  Instruction &Clone = *cast<Instruction>(primal(&I));
  OpView View = viewOf(I, P.libraryInfo());
  OpView CloneView = viewOf(Clone, P.libraryInfo());
  auto Primal = [&](unsigned Operand) -> Value * {
    return Operand == ResultValue ? &Clone : CloneView.Operands[Operand];
  };
  auto Computed = [&](RuleCall Call) -> Value * {
    Instruction *By = Plan.Steps.computedFor(I, Call);
    return By ? primal(By) : nullptr;
  };
  const Step &Todo = stepAt(I);
  const bool InVector = Plan.Vectors.contains(I);
  Lanes Sum(InVector ? 1 : R.Width, nullptr);
  IRBuilder<>::FastMathFlagGuard Guard(B);
  if (isa<FPMathOperator>(Clone))
    B.setFastMathFlags(Clone.getFastMathFlags());
  for (auto [Number, Operand] : enumerate(View.Operands)) {
    if (!hasPartial(View, Number) || isZero(Operand))
      continue;
    Lanes Incoming;
    for (unsigned Lane = 0; Lane < Sum.size(); ++Lane)
      Incoming.push_back(InVector ? packed(Operand) : tangent(Operand, Lane));
    if (Failure)
      return;
    auto Partial = R.Dependence
                       ? emitDependence(B, Clone, CloneView, Number, Incoming)
                       : emitPartial(B, Clone, CloneView, Number, Incoming, RuleMode::Forward,
                                     Primal, Computed, Todo.Guards & (1u << Number));
    for (unsigned Lane = 0; Lane < Partial.size(); ++Lane)
      Sum[Lane] = Sum[Lane] ? addTangents(Sum[Lane], Partial[Lane]) : Partial[Lane];
  }
  // modf: the whole part goes to memory, and does not vary.
  if (Todo.Shadow != ShadowReach::None)
    for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
      Value *Zero = Constant::getNullValue(View.WrittenType);
      if (Todo.Shadow == ShadowReach::Paged) {
        B.CreateStore(Zero, inPages(View.WritesZeroTo, Lane));
        continue;
      }
      if (Value *Own = isOwn(View.WritesZeroTo, Todo.Shadow, Lane); Own && !Replay) {
        Value *Whole = B.CreateLoad(View.WrittenType, primal(View.WritesZeroTo));
        Zero = B.CreateSelect(Own, Whole, Zero);
      }
      B.CreateStore(Zero, shadowToAccess(View.WritesZeroTo, Todo.Shadow, View.WrittenType, Lane));
    }
  if (!Sum.front())
    return setZero(I);
  if (InVector)
    return setPacked(I, Sum.front());
  forEachLane(I, [&](unsigned Lane) { return Sum[Lane]; });
}

/// Tangents are added, masks united. A sum of tangents has the order of the source, or a debugger
/// would not find that of each variable, but may be fused with a product.
Value *ForwardEmission::addTangents(Value *L, Value *Right) {
  if (R.Dependence)
    return uniteMasks(B, L, Right);
  FastMathFlags Flags = B.getFastMathFlags();
  Flags.setAllowContract(Flags.allowContract() || options().Order == AdjointOrder::Any);
  return B.CreateFAddFMF(L, Right, FMFSource(Flags));
}

/// The bits of a mask may be those of a nan, and users keep masks as integers.
static void moveMask(Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (I && isa<FPMathOperator>(I))
    I->copyFastMathFlags(FastMathFlags()); // Setting only adds.
  if (I)
    I->setMetadata(LLVMContext::MD_tbaa, nullptr);
}

/// The instruction itself, on tangents or shadows.
void ForwardEmission::emitMirrored(Instruction &I) {
  if (auto *Select = dyn_cast<SelectInst>(&I); Select && Plan.Vectors.contains(I))
    return emitPackedSelect(*Select);
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *New = mirrorPointer(
        B, P, I, [&](Value *V) { return primal(V); }, [&](Value *V) { return tangent(V, Lane); });
    if (!New)
      fail(Twine("no way is known to repeat '") + I.getOpcodeName() + "' on shadows");
    else if (R.Dependence)
      moveMask(*New);
    return New;
  });
  if (auto *A = dyn_cast<AllocaInst>(&I); A && !Failure) {
    stateLayout(Plan.Steps.contentsOf(*A), *cast<Instruction>(primal(A)));
    for (Value *Shadow : Tangents[A])
      if (auto *Made = dyn_cast<AllocaInst>(Shadow))
        stateLayout(Plan.Steps.contentsOf(*A), *Made);
  }
}

/// An address in the guise of an integer: the same distance from its shadow. Two floats
/// travel in one i64: shifts and masks move their tangents likewise.
void ForwardEmission::emitIntegerMove(Instruction &I) {
  const Step &Todo = stepAt(I);
  if (Todo.Tangent == TangentStep::MoveAddress)
    return forEachLane(I, [&](unsigned Lane) -> Value * {
      return insertCopy(I, {{Todo.Operand, tangent(I.getOperand(Todo.Operand), Lane)}});
    });
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *Second = Todo.Operand ? tangent(I.getOperand(1), Lane) : primal(I.getOperand(1));
    return insertCopy(I, {{0, tangent(I.getOperand(0), Lane)}, {1, Second}});
  });
}

void ForwardEmission::startPhi(PHINode &I) {
  OpenPhis.push_back(&I);
  if (Plan.Vectors.contains(I))
    return startPackedPhi(I);
  forEachLane(I, [&](unsigned) -> Value * {
    PHINode *New = B.CreatePHI(I.getType(), I.getNumIncomingValues());
    if (isa<FPMathOperator>(I) && !R.Dependence)
      New->copyFastMathFlags(&I);
    return New;
  });
}

void ForwardEmission::finishPhis() {
  for (PHINode *I : OpenPhis) {
    Current = I;
    if (Packed.contains(I)) {
      finishPackedPhi(*I);
      continue;
    }
    Lanes Phis = Tangents[I];
    for (unsigned K = 0; K < I->getNumIncomingValues(); ++K) {
      BasicBlock *From = I->getIncomingBlock(K);
      for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
        Value *V = Visited.contains(From) ? tangent(I->getIncomingValue(K), Lane)
                                          : PoisonValue::get(I->getType());
        cast<PHINode>(Phis[Lane])->addIncoming(V, cast<BasicBlock>(primal(From)));
      }
    }
  }
}

/// ret { [primal], [tangent, or an array of one per lane] }
void ForwardEmission::emitReturn(ReturnInst &I) {
  Instruction *Old = cast<Instruction>(primal(&I));
  Type *ResultType = Shell.getReturnType();
  if (ResultType->isVoidTy()) {
    B.CreateRetVoid();
    Old->eraseFromParent();
    return;
  }
  Value *Result = PoisonValue::get(ResultType);
  unsigned Member = 0;
  Value *Returned = I.getReturnValue();
  if (R.ReturnPrimal)
    Result = B.CreateInsertValue(Result, primal(Returned), Member++);
  if (R.Return == ReturnActivity::Dup) {
    for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
      Value *T = tangent(Returned, Lane);
      Result = R.Width == 1 ? B.CreateInsertValue(Result, T, Member)
                            : B.CreateInsertValue(Result, T, {Member, Lane});
    }
  }
  B.CreateRet(Result);
  Old->eraseFromParent();
}

Value *ForwardEmission::primal(Value *V) const {
  if (Value *New = Primals.lookup(V))
    return New;
  return V; // A constant, a global, an inline asm.
}

Value *ForwardEmission::tangent(Value *V, unsigned Lane) {
  if (auto It = Tangents.find(V); It != Tangents.end())
    return It->second[Lane];
  switch (Plan.Steps.of(V).Shadow) {
  case ShadowForm::None: // Poison is mostly an operand that is not looked at.
    return isa<PoisonValue>(V) ? V : Constant::getNullValue(V->getType());
  case ShadowForm::Itself:
    return primal(V);
  case ShadowForm::OfConstant:
    return shadowOfConstant(*cast<Constant>(V), ShadowUse::Zeros, {Lane, R.Level});
  case ShadowForm::Companion:
    return shadowOfConstant(*cast<Constant>(V), ShadowUse::Zeros, {0, R.Level});
  case ShadowForm::Given:
  case ShadowForm::Made:
  case ShadowForm::Missing:
    fail("the tangent of '" + P.sourceName(V) + "' is used before it is made");
    return PoisonValue::get(V->getType());
  }
  llvm_unreachable("complete switch");
}

bool ForwardEmission::isZero(Value *V) {
  auto It = Tangents.find(V);
  if (It == Tangents.end())
    return !Plan.Steps.of(V).HasTangent;
  return all_of(It->second, [](Value *T) {
    auto *C = dyn_cast<Constant>(T);
    return C && C->isNullValue();
  });
}

void ForwardEmission::setZero(Instruction &I) {
  Tangents[&I].assign(R.Width, Constant::getNullValue(I.getType()));
}

void ForwardEmission::forEachLane(Instruction &I, function_ref<Value *(unsigned)> EmitLane) {
  StringRef Suffix = I.getType()->isPtrOrPtrVectorTy() ? ".shadow" : ".tan";
  Lanes Values;
  for (unsigned Lane = 0; Lane < R.Width && !Failure; ++Lane) {
    Value *V = EmitLane(Lane);
    Values.push_back(V);
    // Constants and values that belong to something else keep their name.
    if (auto *New = dyn_cast_or_null<Instruction>(V); New && !New->hasName() && I.hasName())
      New->setName(I.getName() + Suffix);
  }
  if (Failure)
    return;
  describeLanes(B, &I, Values, "_tan");
  watch(I, Values);
  Tangents[&I] = std::move(Values);
}

void ForwardEmission::watch(Value &V, const Lanes &Values, const Lanes &Addresses) {
  const WatchedPlace *Place =
      Addresses.empty() ? Plan.Watches.value(&V) : Plan.Watches.access(cast<Instruction>(&V));
  if (!Place || R.Dependence)
    return;
  // A variable that stays as it is has been printed already.
  if (auto *Phi = dyn_cast<PHINode>(&V); Phi && any_of(Phi->incoming_values(), [&](Value *In) {
                                           const WatchedPlace *From = Plan.Watches.value(In);
                                           return From && From->Name == Place->Name;
                                         }))
    return;
  for (unsigned Lane = 0; Lane < Values.size(); ++Lane) {
    WatchedChange Change{*Place, P};
    if (!Addresses.empty()) {
      Change.Address = Addresses[Lane];
      Change.Base = tangent(Place->Base, Lane);
    }
    Change.Now = Values[Lane];
    Change.Lane = Lane;
    Change.Width = R.Width;
    emitWatch(B, Change);
  }
}

void ForwardEmission::describeArguments() {
  BasicBlock &Entry = Shell.getEntryBlock();
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Argument &A : P.function().args())
    if (auto Known = Tangents.find(&A); Known != Tangents.end())
      describeLanes(B, &A, Known->second, "_tan");
}

/// Drops what \p Call promises of the operands in \p Changes, and of its result: it was found for
/// the primal alone. A shadow may be null where the primal is not, and a derivative any number.
static void dropPromises(CallBase &Call, ArrayRef<std::pair<unsigned, Value *>> Changes) {
  AttributeMask OfValues;
  for (Attribute::AttrKind Kind :
       {Attribute::NonNull, Attribute::Dereferenceable, Attribute::DereferenceableOrNull,
        Attribute::Range, Attribute::NoFPClass})
    OfValues.addAttribute(Kind);
  for (auto [Number, V] : Changes)
    Call.removeParamAttrs(Number, OfValues);
  Call.removeRetAttrs(OfValues);
}

Instruction *ForwardEmission::insertCopy(Instruction &I, ArrayRef<OperandChange> Changes) {
  Instruction *New = cast<Instruction>(primal(&I))->clone();
  for (auto [Number, V] : Changes)
    New->setOperand(Number, V);
  alignAsShadow(*New, I);
  if (auto *Call = dyn_cast<CallBase>(New))
    dropPromises(*Call, Changes);
  // Ranges, non-null promises and alias scopes were found for the primal alone.
  LLVMContext &C = I.getContext();
  New->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa, LLVMContext::MD_access_group,
                                    LLVMContext::MD_nontemporal, C.getMDKindID(marking::Moves)});
  if (R.Dependence)
    moveMask(*New);
  B.Insert(New);
  New->setDebugLoc(B.getCurrentDebugLocation());
  return New;
}

void ForwardEmission::fail(const Twine &What) {
  if (!Failure)
    Failure.emplace(diffError(DiagId::InternalError, P.placeOf(Current), What,
                              "please report it with this program"));
}

} // namespace isozyme
