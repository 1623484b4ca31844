//===- CheckpointEmitter.cpp - Execute a plan of a loop in parts -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a half lie in one structure, so that the run-time part (checkpoint.c), which
// knows nothing of them, can hand them to three functions:
//
//   run.parts.f(args, first, last)       { f(args...) }
//   reverse.parts.f(args, first, last)   { gradients of args += reverse.f(args...) }
//   move.parts.f(args, first, last, buffer, what)   the size of a snapshot; save; put back
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/CheckpointEmitter.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Plan/EntryValues.h"
#include "isozyme/Support/EmbeddedBitcode.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Support/Options.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

ISOZYME_EMBED(IsozymeCheckpointRuntime, ISOZYME_CHECKPOINT_BITCODE);

namespace isozyme {

using marking::PartsBackward;
using marking::PartsForward;

namespace {

/// What lies where in the structure of arguments: those of the augmented half, but for the tape,
/// and behind them the gradients.
class ArgumentRecord {
public:
  explicit ArgumentRecord(const CheckpointPlan &Plan);
  StructType *type() const { return Record; }
  /// Where the parameter of the function lies.
  unsigned fieldOf(unsigned Param) const { return Fields[Param]; }
  unsigned parameters() const { return Params; }
  unsigned gradients() const { return Record->getNumElements() - Params; }
  Value *address(IRBuilder<> &B, Value *Args, unsigned Field) const {
    return B.CreateStructGEP(Record, Args, Field);
  }
  Value *load(IRBuilder<> &B, Value *Args, unsigned Field) const {
    return B.CreateLoad(Record->getElementType(Field), address(B, Args, Field));
  }

private:
  SmallVector<unsigned, 8> Fields;
  unsigned Params;
  StructType *Record;
};

} // namespace

ArgumentRecord::ArgumentRecord(const CheckpointPlan &Plan) {
  const DiffRequest &R = Plan.Request;
  SmallVector<Type *, 16> Types, Gradients;
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Type *T = R.Fn->getArg(I)->getType();
    Fields.push_back(Types.size());
    Types.append(1 + (R.hasShadow(I) ? R.Width : 0), T);
    if (R.Args[I] == ArgActivity::Active)
      Gradients.push_back(laneType(T, R.Width));
  }
  Params = Types.size();
  append_range(Types, Gradients);
  Record = StructType::get(R.Fn->getContext(), Types);
}

/// Values of the prepared function from the structure of arguments.
static EntryValues entryValues(const CheckpointPlan &Plan, IRBuilder<> &B,
                               const ArgumentRecord &Record, Value *Args, Value *First,
                               Value *Last) {
  SmallVector<Value *, 8> Known;
  for (unsigned Param = 0; Param < Plan.P.function().arg_size(); ++Param)
    Known.push_back(Param == Plan.First  ? First
                    : Param == Plan.Last ? Last
                                         : Record.load(B, Args, Record.fieldOf(Param)));
  return EntryValues(Plan.P, B, Known);
}

static Function *partFunction(const CheckpointPlan &Plan, StringRef What, FunctionType *T) {
  Function &Steps = *Plan.Request.Fn;
  auto *F = Function::Create(T, GlobalValue::InternalLinkage, What + ".parts." + Steps.getName(),
                             Steps.getParent());
  takeTarget(*F, Steps);
  F->addFnAttr(marking::Synthesised);
  BasicBlock::Create(F->getContext(), "entry", F);
  return F;
}

static FunctionType *partType(LLVMContext &C) {
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  return FunctionType::get(Type::getVoidTy(C), {Ptr, I64, I64}, false);
}

/// The parameters of the function, or of its derivative, from the structure.
static SmallVector<Value *, 16> argumentsOf(const CheckpointPlan &Plan, IRBuilder<> &B,
                                            const ArgumentRecord &Record, Function &In,
                                            bool WithShadows) {
  const DiffRequest &R = Plan.Request;
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    if (I == Plan.First || I == Plan.Last) {
      Args.push_back(In.getArg(I == Plan.First ? 1 : 2));
      continue;
    }
    unsigned Shadows = WithShadows && R.hasShadow(I) ? R.Width : 0;
    for (unsigned Field = 0; Field <= Shadows; ++Field)
      Args.push_back(Record.load(B, In.getArg(0), Record.fieldOf(I) + Field));
  }
  return Args;
}

static Function *emitRun(const CheckpointPlan &Plan, const ArgumentRecord &Record) {
  Function &Steps = *Plan.Request.Fn;
  Function *F = partFunction(Plan, "run", partType(Steps.getContext()));
  IRBuilder<> B(&F->getEntryBlock());
  B.CreateCall(&Steps, argumentsOf(Plan, B, Record, *F, false));
  B.CreateRetVoid();
  return F;
}

/// Adds floats, or arrays of them.
static Value *addLanes(IRBuilder<> &B, Value *Left, Value *Right) {
  auto *Array = dyn_cast<ArrayType>(Left->getType());
  if (!Array)
    return B.CreateFAdd(Left, Right);
  for (unsigned I = 0; I < Array->getNumElements(); ++I)
    Left = B.CreateInsertValue(
        Left, addLanes(B, B.CreateExtractValue(Left, I), B.CreateExtractValue(Right, I)), I);
  return Left;
}

static Function *emitReversePart(const CheckpointPlan &Plan, const ArgumentRecord &Record,
                                 Function &Part) {
  Function *F = partFunction(Plan, "reverse", partType(Part.getContext()));
  IRBuilder<> B(&F->getEntryBlock());
  Value *Gradients = B.CreateCall(&Part, argumentsOf(Plan, B, Record, *F, true));
  for (unsigned I = 0; I < Record.gradients(); ++I) {
    Value *Address = Record.address(B, F->getArg(0), Record.parameters() + I);
    Value *Share = B.CreateExtractValue(Gradients, I);
    B.CreateStore(addLanes(B, B.CreateLoad(Share->getType(), Address), Share), Address);
  }
  B.CreateRetVoid();
  return F;
}

namespace {
struct Bytes {
  Value *Address, *Count;
};
} // namespace

/// What a snapshot holds of \p M.
static Bytes bytesOf(const SavedMemory &M, EntryValues &Values, IRBuilder<> &B) {
  Value *Begin = nullptr, *End = nullptr;
  for (const SavedPart &Part : M.Parts) {
    Value *From = Values.of(Part.Begin), *To = Values.of(Part.End);
    Value *IsAny = B.CreateICmpSLT(From, To);
    for (const KnownCondition &C : Part.If) {
      Value *Holds = Values.of(C.Value);
      IsAny = B.CreateLogicalAnd(C.Holds ? Holds : B.CreateNot(Holds), IsAny);
    }
    From = B.CreateSelect(IsAny, From, B.getInt64(INT64_MAX));
    To = B.CreateSelect(IsAny, To, B.getInt64(INT64_MIN));
    Begin = Begin ? B.CreateBinaryIntrinsic(Intrinsic::smin, Begin, From) : From;
    End = End ? B.CreateBinaryIntrinsic(Intrinsic::smax, End, To) : To;
  }
  Value *IsAny = B.CreateICmpSLT(Begin, End);
  Begin = B.CreateSelect(IsAny, Begin, B.getInt64(0));
  End = B.CreateSelect(IsAny, End, B.getInt64(0));
  return {B.CreatePtrAdd(Values.of(M.Base), Begin), B.CreateSub(End, Begin)};
}

static Function *emitMove(const CheckpointPlan &Plan, const ArgumentRecord &Record) {
  LLVMContext &C = Plan.Request.Fn->getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C), *I32 = Type::getInt32Ty(C);
  Function *F =
      partFunction(Plan, "move", FunctionType::get(I64, {Ptr, I64, I64, Ptr, I32}, false));
  IRBuilder<> B(&F->getEntryBlock());
  EntryValues Values = entryValues(Plan, B, Record, F->getArg(0), F->getArg(1), F->getArg(2));
  SmallVector<Bytes, 4> All;
  SmallVector<Value *, 4> Offsets;
  Value *Sum = B.getInt64(0);
  for (const SavedMemory &M : Plan.Saved) {
    All.push_back(bytesOf(M, Values, B));
    Offsets.push_back(Sum);
    Sum = B.CreateAdd(Sum, All.back().Count);
  }
  BasicBlock *Save = BasicBlock::Create(C, "save", F),
             *Restore = BasicBlock::Create(C, "restore", F), *End = BasicBlock::Create(C, "end", F);
  SwitchInst *Switch = B.CreateSwitch(F->getArg(4), End, 2);
  Switch->addCase(B.getInt32(1), Save);
  Switch->addCase(B.getInt32(2), Restore);
  for (BasicBlock *BB : {Save, Restore}) {
    B.SetInsertPoint(BB);
    for (auto [Memory, Offset] : zip_equal(All, Offsets)) {
      Value *There = B.CreatePtrAdd(F->getArg(3), Offset);
      B.CreateMemCpy(BB == Save ? There : Memory.Address, Align(1),
                     BB == Save ? Memory.Address : There, Align(1), Memory.Count);
    }
    B.CreateBr(End);
  }
  B.SetInsertPoint(End);
  B.CreateRet(Sum);
  return F;
}

CheckpointParts emitCheckpointParts(const CheckpointPlan &Plan, Function &Part) {
  ArgumentRecord Record(Plan);
  CheckpointParts Parts;
  Parts.Run = emitRun(Plan, Record);
  Parts.Reverse = emitReversePart(Plan, Record, Part);
  Parts.Move = emitMove(Plan, Record);
  return Parts;
}

/// What the run-time part is told of the loop.
static Value *tableOf(const CheckpointPlan &Plan, const CheckpointParts &Parts, IRBuilder<> &B) {
  Value *Members[] = {Parts.Run, Parts.Reverse, Parts.Move, B.getInt64(Plan.Moves)};
  AllocaInst *Table =
      B.CreateAlloca(ArrayType::get(B.getInt64Ty(), std::size(Members)), nullptr, "loop");
  for (auto [I, Member] : enumerate(Members))
    B.CreateStore(Member, B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Table, I));
  return Table;
}

/// The structure of arguments, filled from the parameters of \p Shell.
static AllocaInst *fillRecord(Function &Shell, IRBuilder<> &B, const ArgumentRecord &Record) {
  AllocaInst *Args = B.CreateAlloca(Record.type(), nullptr, "args");
  for (unsigned I = 0; I < Record.parameters(); ++I)
    B.CreateStore(Shell.getArg(I), Record.address(B, Args, I));
  for (unsigned I = 0; I < Record.gradients(); ++I) {
    unsigned Field = Record.parameters() + I;
    B.CreateStore(Constant::getNullValue(Record.type()->getElementType(Field)),
                  Record.address(B, Args, Field));
  }
  return Args;
}

static FunctionCallee runtimeFunction(IRBuilder<> &B, StringRef Name, Type *Result,
                                      ArrayRef<Type *> Params) {
  Module &M = *B.GetInsertBlock()->getModule();
  return M.getOrInsertFunction(Name, FunctionType::get(Result, Params, false));
}

static Value *tapeBytes(const CheckpointPlan &Plan, IRBuilder<> &B, EntryValues &Values) {
  Value *Sum = B.getInt64(0);
  for (const TapeShare &T : Plan.Tape) {
    Value *Share = B.getInt64(T.Bytes);
    for (const Value *Times : T.Times)
      Share = B.CreateMul(Share, Values.of(Times));
    Sum = B.CreateAdd(Sum, Share);
  }
  return Sum;
}

void emitCheckpointAugment(Function &Shell, const CheckpointPlan &Plan,
                           const CheckpointParts &Parts) {
  ArgumentRecord Record(Plan);
  IRBuilder<> B(BasicBlock::Create(Shell.getContext(), "entry", &Shell));
  AllocaInst *Args = fillRecord(Shell, B, Record);
  Value *First = Record.load(B, Args, Record.fieldOf(Plan.First)),
        *Last = Record.load(B, Args, Record.fieldOf(Plan.Last));
  EntryValues Values = entryValues(Plan, B, Record, Args, First, Last);
  Type *Ptr = B.getPtrTy(), *I64 = B.getInt64Ty();
  Value *Tape = B.CreateCall(runtimeFunction(B, PartsForward, Ptr, {Ptr, Ptr, I64, I64, I64, I64}),
                             {tableOf(Plan, Parts, B), Args, First, Last,
                              tapeBytes(Plan, B, Values), B.getInt64(options().TapeLimit)},
                             "parts");
  B.CreateRet(B.CreateInsertValue(PoisonValue::get(Shell.getReturnType()), Tape, 0));
}

void emitCheckpointFromTape(Function &Shell, const CheckpointPlan &Plan,
                            const CheckpointParts &Parts, bool KeepTape) {
  ArgumentRecord Record(Plan);
  IRBuilder<> B(BasicBlock::Create(Shell.getContext(), "entry", &Shell));
  AllocaInst *Args = fillRecord(Shell, B, Record);
  Type *Ptr = B.getPtrTy(), *I64 = B.getInt64Ty();
  Value *Tape = Shell.getArg(Shell.arg_size() - 1);
  B.CreateCall(runtimeFunction(B, PartsBackward, B.getVoidTy(), {Ptr, Ptr, Ptr, I64}),
               {tableOf(Plan, Parts, B), Args, Tape, B.getInt64(KeepTape)});
  if (Shell.getReturnType()->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  Value *Result = PoisonValue::get(Shell.getReturnType());
  for (unsigned I = 0; I < Record.gradients(); ++I)
    Result = B.CreateInsertValue(Result, Record.load(B, Args, Record.parameters() + I), I);
  B.CreateRet(Result);
}

void linkCheckpointRuntime(Module &M) {
  auto isCalled = [&](StringRef Name) {
    Function *F = M.getFunction(Name);
    return F && F->isDeclaration();
  };
  if (!isCalled(PartsForward) && !isCalled(PartsBackward))
    return;
  Expected<std::unique_ptr<Module>> Runtime =
      readEmbedded(IsozymeCheckpointRuntime, M, Layouts::Any);
  if (!Runtime) {
    M.getContext().emitError("checkpoints: " + toString(Runtime.takeError()));
    return;
  }
  if (Linker::linkModules(M, std::move(*Runtime))) {
    M.getContext().emitError("checkpoints: the run-time part cannot be linked");
    return;
  }
  for (StringRef Name : {PartsForward, PartsBackward})
    becomeInternal(*M.getFunction(Name));
}

} // namespace isozyme
