//===- CheckedCall.cpp - A derivative that is checked as it runs ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: the call of a derivative, its request, and functions to compare with.
// Out: the call between two others; tables; functions that run the watched copy, its
// forward derivative and, for forward calls, a reverse one on the operands in a frame:
//
//   frame = { primals, [width x { shadows }], seed, result of the call,
//             primal result, tangent result, [2 x i64] bytes of primal and shadow, ... }
//
// Never decides what can be checked.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Check/CheckedCall.h"
#include "RuntimeNames.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Prepare/SourceNames.h"
#include "isozyme/Requests/ResultLayout.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace isozyme {

namespace {
class CheckEmitter {
public:
  CheckEmitter(CallBase &New, const DiffRequest &R, const CheckPlan &Plan)
      : New(New), R(R), Plan(Plan), M(*New.getModule()), DL(M.getDataLayout()), C(M.getContext()),
        Ptr(PointerType::getUnqual(C)), I32(Type::getInt32Ty(C)), I64(Type::getInt64Ty(C)) {}

  void emit();

private:
  enum Field { Primals, Shadows, Seed, Result, PrimalResult, TangentResult, Rooms };

  bool isChecked() const { return Plan.Why.empty(); }
  void layOut();
  void fillFrame(IRBuilder<> &B, Value *Frame);
  Value *roomBehind(IRBuilder<> &B, Value *Pointer);
  Value *at(IRBuilder<> &B, Value *Frame, uint64_t Offset) {
    return B.CreatePtrAdd(Frame, B.getInt64(Offset));
  }
  uint64_t offsetOf(Field F) const { return DL.getStructLayout(FrameType)->getElementOffset(F); }
  uint64_t primalOffset(unsigned I) const {
    return offsetOf(Primals) + DL.getStructLayout(PrimalsType)->getElementOffset(I);
  }
  uint64_t shadowOffset(unsigned I) const {
    return offsetOf(Shadows) + DL.getStructLayout(ShadowsType)->getElementOffset(ShadowField[I]);
  }
  bool hasTangent(unsigned I) const { return ShadowField[I] >= 0; }
  Function *primalThunk();
  Function *forwardThunk();
  Function *reverseThunk();
  void stopIfThrown(IRBuilder<> &B);
  Value *inLane(IRBuilder<> &B, Function &Thunk, uint64_t Offset);
  SmallVector<Value *, 8> operandsOf(IRBuilder<> &B, Function &Thunk, const DiffRequest &Request);
  Function *thunk(const Twine &Name, ArrayRef<Type *> Params);
  std::string placeText() const;
  Constant *text(const Twine &T);
  Constant *leafTable(ArrayRef<Constant *> Leaves);
  Constant *leaf(unsigned Param, const Leaf &L, uint64_t Value, uint64_t Tangent,
                 std::optional<uint64_t> Derivative, uint64_t Stride);
  void inputLeaves(SmallVectorImpl<Constant *> &Leaves);
  void outputLeaves(SmallVectorImpl<Constant *> &Leaves);
  Constant *params();
  Constant *ranges(unsigned &Count);
  Constant *global(Constant *Init);
  Constant *state();
  Constant *site();

  CallBase &New;
  const DiffRequest &R;
  const CheckPlan &Plan;
  Module &M;
  const DataLayout &DL;
  LLVMContext &C;
  Type *Ptr, *I32, *I64;
  StructType *PrimalsType = nullptr, *ShadowsType = nullptr, *FrameType = nullptr;
  SmallVector<int, 8> ShadowField;
  Type *ReturnType = nullptr, *TangentType = nullptr;
  Value *SeedOperand = nullptr;
};
} // namespace

void CheckEmitter::layOut() {
  SmallVector<Type *, 8> PrimalTypes, ShadowTypes;
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Type *T = R.Fn->getArg(I)->getType();
    PrimalTypes.push_back(T);
    bool Has = R.Args[I] != ArgActivity::Const;
    ShadowField.push_back(Has ? int(ShadowTypes.size()) : -1);
    if (Has)
      ShadowTypes.push_back(T);
  }
  PrimalsType = StructType::get(C, PrimalTypes);
  ShadowsType = StructType::get(C, ShadowTypes);
  Type *None = StructType::get(C);
  ReturnType = R.Fn->getReturnType()->isVoidTy() ? None : R.Fn->getReturnType();
  TangentType = Plan.ForwardRequest.Return == ReturnActivity::Dup ? ReturnType : None;
  bool HasSeed = (R.Mode == DiffMode::Reverse || R.Mode == DiffMode::FromTape) &&
                 R.Return == ReturnActivity::Active;
  if (HasSeed) {
    unsigned Position = 0;
    for (unsigned I = 0; I < R.Args.size(); ++I)
      Position += 1 + (R.hasShadow(I) ? R.Width : 0);
    SeedOperand = New.getArgOperand(Position);
  }
  Type *SeedType = SeedOperand ? SeedOperand->getType() : None;
  Type *NewType = New.getType()->isVoidTy() ? None : New.getType();
  Type *RoomType = ArrayType::get(I64, 2 * R.Args.size());
  FrameType = StructType::get(C, {PrimalsType, ArrayType::get(ShadowsType, R.Width), SeedType,
                                  NewType, ReturnType, TangentType, RoomType});
}

/// How many bytes there are, as far as can be told where the call stands; or -1.
Value *CheckEmitter::roomBehind(IRBuilder<> &B, Value *Pointer) {
  return B.CreateIntrinsic(Intrinsic::objectsize, {I64, Pointer->getType()},
                           {Pointer, B.getFalse(), B.getTrue(), B.getTrue()});
}

void CheckEmitter::fillFrame(IRBuilder<> &B, Value *Frame) {
  B.CreateMemSet(Frame, B.getInt8(0), DL.getTypeAllocSize(FrameType), Align(16));
  unsigned Position = 0;
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Value *Primal = New.getArgOperand(Position++);
    B.CreateStore(Primal, at(B, Frame, primalOffset(I)));
    Value *First = nullptr;
    for (unsigned Lane = 0; R.hasShadow(I) && Lane < R.Width; ++Lane) {
      Value *Shadow = New.getArgOperand(Position++);
      First = First ? First : Shadow;
      uint64_t Stride = DL.getTypeAllocSize(ShadowsType);
      B.CreateStore(Shadow, at(B, Frame, shadowOffset(I) + Lane * Stride));
    }
    uint64_t Room = offsetOf(Rooms) + 16 * uint64_t(I);
    bool Known = First && First->getType()->isPointerTy();
    for (unsigned Which = 0; Which < 2; ++Which)
      B.CreateStore(Known ? roomBehind(B, Which ? First : Primal) : B.getInt64(-1),
                    at(B, Frame, Room + 8 * Which));
  }
  if (SeedOperand)
    B.CreateStore(SeedOperand, at(B, Frame, offsetOf(Seed)));
}

Function *CheckEmitter::thunk(const Twine &Name, ArrayRef<Type *> Params) {
  auto *T = FunctionType::get(Type::getVoidTy(C), Params, false);
  auto *F = Function::Create(T, GlobalValue::InternalLinkage, Name, M);
  takeTarget(*F, *R.Fn);
  F->addFnAttr(Attribute::NoInline);
  BasicBlock::Create(C, "entry", F);
  return F;
}

/// A run that throws, and does not catch, has no result.
void CheckEmitter::stopIfThrown(IRBuilder<> &B) {
  if (!Plan.Thrown)
    return;
  Function &F = *B.GetInsertBlock()->getParent();
  BasicBlock *Stop = BasicBlock::Create(C, "thrown", &F), *Go = BasicBlock::Create(C, "go", &F);
  Value *Thrown = B.CreateLoad(Ptr, B.CreateThreadLocalAddress(Plan.Thrown));
  B.CreateCondBr(B.CreateIsNull(Thrown), Go, Stop);
  B.SetInsertPoint(Stop);
  B.CreateCall(noteFunction(M, CheckStop), {B.getInt32(1)});
  B.CreateBr(Go);
  B.SetInsertPoint(Go);
}

/// void check.f(ptr %frame): f on the primals there, its result put there.
Function *CheckEmitter::primalThunk() {
  Function *F = thunk("check." + R.Fn->getName(), {Ptr});
  IRBuilder<> B(&F->getEntryBlock());
  SmallVector<Value *, 8> Args;
  for (unsigned I = 0; I < R.Args.size(); ++I)
    Args.push_back(B.CreateLoad(R.Fn->getArg(I)->getType(), at(B, F->getArg(0), primalOffset(I))));
  CallInst *Call = B.CreateCall(Plan.Primal, Args);
  Call->setCallingConv(Plan.Primal->getCallingConv());
  stopIfThrown(B);
  if (!Call->getType()->isVoidTy())
    B.CreateStore(Call, at(B, F->getArg(0), offsetOf(PrimalResult)));
  B.CreateRetVoid();
  return F;
}

/// What is at \p Offset in the first lane, in the lane that a thunk is called for.
Value *CheckEmitter::inLane(IRBuilder<> &B, Function &Thunk, uint64_t Offset) {
  Value *Behind = B.CreateMul(Thunk.getArg(1), B.getInt64(DL.getTypeAllocSize(ShadowsType)));
  return B.CreatePtrAdd(at(B, Thunk.getArg(0), Offset), Behind);
}

/// Primals, and shadows where \p Request has them.
SmallVector<Value *, 8> CheckEmitter::operandsOf(IRBuilder<> &B, Function &Thunk,
                                                 const DiffRequest &Request) {
  SmallVector<Value *, 8> Args;
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Type *T = R.Fn->getArg(I)->getType();
    Args.push_back(B.CreateLoad(T, at(B, Thunk.getArg(0), primalOffset(I))));
    if (Request.hasShadow(I))
      Args.push_back(B.CreateLoad(T, inLane(B, Thunk, shadowOffset(I))));
  }
  return Args;
}

/// void check.forward.f(ptr %frame, i64 %lane)
Function *CheckEmitter::forwardThunk() {
  Function *F = thunk("check.forward." + R.Fn->getName(), {Ptr, I64});
  IRBuilder<> B(&F->getEntryBlock());
  Value *Frame = F->getArg(0);
  CallInst *Call = B.CreateCall(Plan.Forward, operandsOf(B, *F, Plan.ForwardRequest));
  Call->setCallingConv(Plan.Forward->getCallingConv());
  stopIfThrown(B);
  unsigned Member = 0;
  if (Plan.ForwardRequest.ReturnPrimal)
    B.CreateStore(B.CreateExtractValue(Call, Member++), at(B, Frame, offsetOf(PrimalResult)));
  if (Plan.ForwardRequest.Return == ReturnActivity::Dup)
    B.CreateStore(B.CreateExtractValue(Call, Member), at(B, Frame, offsetOf(TangentResult)));
  B.CreateRetVoid();
  return F;
}

/// void check.reverse.f(ptr %frame, i64 %lane): the seed is where the tangent of the result
/// would be, and gradients replace the tangents of arguments.
Function *CheckEmitter::reverseThunk() {
  Function *F = thunk("check.reverse." + R.Fn->getName(), {Ptr, I64});
  IRBuilder<> B(&F->getEntryBlock());
  SmallVector<Value *, 8> Args = operandsOf(B, *F, Plan.ReverseRequest);
  if (Plan.ReverseRequest.Return == ReturnActivity::Active)
    Args.push_back(B.CreateLoad(TangentType, at(B, F->getArg(0), offsetOf(TangentResult))));
  CallInst *Call = B.CreateCall(Plan.Reverse, Args);
  Call->setCallingConv(Plan.Reverse->getCallingConv());
  stopIfThrown(B);
  unsigned Member = 0;
  for (unsigned I = 0; I < R.Args.size(); ++I)
    if (Plan.ReverseRequest.Args[I] == ArgActivity::Active)
      B.CreateStore(B.CreateExtractValue(Call, Member++), inLane(B, *F, shadowOffset(I)));
  B.CreateRetVoid();
  return F;
}

/// The C++ header has everything called by way of `thunk<F, R, ...>::call(F *, ...)`, or
/// `callInto(F *, R *, ...)`.
static constexpr StringLiteral ThunkName = "enzyme::detail::thunk<";

/// As the source has it; a callable by its type.
static std::string shownName(const Function &F) {
  std::string Name = demangle(F.getName());
  size_t At = Name.find(ThunkName);
  if (At == std::string::npos)
    return Name;
  size_t From = At + ThunkName.size(), To = From;
  for (int Depth = 0; To < Name.size() && (Depth || Name[To] != ','); ++To)
    Depth += StringRef("<({").contains(Name[To]) - StringRef(">)}").contains(Name[To]);
  StringRef Callable = StringRef(Name).slice(From, To);
  Callable.consume_back(" const");
  return Callable.str();
}

/// How many parameters in front the source does not have.
static unsigned hiddenParameters(const Function &F) {
  std::string Name = demangle(F.getName());
  if (!StringRef(Name).contains(ThunkName))
    return 0;
  return StringRef(Name).contains(">::callInto(") ? 2 : 1;
}

/// "file.c:12:3", or the function's name where there is no debug information.
std::string CheckEmitter::placeText() const {
  const DILocation *Loc = userLocation(New.getDebugLoc().get());
  if (!Loc)
    return "in '" + demangle(New.getFunction()->getName()) + "'";
  return (Loc->getFilename() + ":" + Twine(Loc->getLine()) + ":" + Twine(Loc->getColumn())).str();
}

Constant *CheckEmitter::global(Constant *Init) {
  return new GlobalVariable(M, Init->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
                            Init, "isozyme.check");
}

/// See IsozymeSiteState. Where a loop has been unrolled, one call of the source is several.
Constant *CheckEmitter::state() {
  std::string Name = "isozyme.check.state." + placeText();
  if (GlobalVariable *G = M.getNamedGlobal(Name); G && New.getDebugLoc())
    return G;
  Type *T = StructType::get(C, {I64, I32, I32, I32});
  return new GlobalVariable(M, T, /*isConstant=*/false, GlobalValue::InternalLinkage,
                            Constant::getNullValue(T), Name);
}

Constant *CheckEmitter::text(const Twine &T) {
  return global(ConstantDataArray::getString(C, T.str()));
}

static Constant *number(Type *T, std::optional<uint64_t> N) {
  return ConstantInt::get(T, N ? *N : uint64_t(-1), /*IsSigned=*/true);
}

/// See IsozymeLeaf in Runtime/site.h.
Constant *CheckEmitter::leaf(unsigned Param, const Leaf &L, uint64_t Value, uint64_t Tangent,
                             std::optional<uint64_t> Derivative, uint64_t Stride) {
  if (Derivative)
    *Derivative += L.Offset;
  return ConstantStruct::getAnon({number(I32, Param), number(I32, accessKindOf(L.Ty)),
                                  number(I32, Value + L.Offset), number(I32, Tangent + L.Offset),
                                  number(I32, Derivative), number(I32, Stride)});
}

static bool isNumber(const Leaf &L) {
  unsigned Kind = accessKindOf(L.Ty);
  return Kind >= KindFloat && Kind <= KindLongDouble;
}

/// Active floats among the arguments. Gradients stand in the result, behind the primal's.
void CheckEmitter::inputLeaves(SmallVectorImpl<Constant *> &Leaves) {
  unsigned Member = R.Mode == DiffMode::Reverse && R.ReturnPrimal;
  auto *Returned = dyn_cast<StructType>(New.getType());
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Type *T = R.Fn->getArg(I)->getType();
    if (R.Args[I] == ArgActivity::Const || T->isPointerTy())
      continue;
    std::optional<uint64_t> Gradient;
    bool Backwards = R.Mode == DiffMode::Reverse || R.Mode == DiffMode::FromTape;
    if (Backwards && R.Args[I] == ArgActivity::Active)
      Gradient = offsetOf(Result) + DL.getStructLayout(Returned)->getElementOffset(Member++);
    for (const Leaf &L : leavesOf(T, DL))
      if (isNumber(L))
        Leaves.push_back(
            leaf(I, L, primalOffset(I), shadowOffset(I), Gradient, DL.getTypeAllocSize(T)));
  }
}

/// Floats of the result. In forward mode, their tangents stand behind the primal's.
void CheckEmitter::outputLeaves(SmallVectorImpl<Constant *> &Leaves) {
  if (Plan.ForwardRequest.Return != ReturnActivity::Dup)
    return;
  std::optional<uint64_t> Derivative;
  if (SeedOperand)
    Derivative = offsetOf(Seed);
  else if (R.Mode == DiffMode::Forward)
    Derivative = offsetOf(Result) + DL.getStructLayout(cast<StructType>(New.getType()))
                                        ->getElementOffset(R.ReturnPrimal ? 1 : 0);
  for (const Leaf &L : leavesOf(ReturnType, DL))
    if (isNumber(L))
      Leaves.push_back(leaf(0, L, offsetOf(PrimalResult), offsetOf(TangentResult), Derivative,
                            DL.getTypeAllocSize(ReturnType)));
}

Constant *CheckEmitter::leafTable(ArrayRef<Constant *> Leaves) {
  if (Leaves.empty())
    return ConstantPointerNull::get(PointerType::getUnqual(C));
  return global(ConstantArray::get(ArrayType::get(Leaves[0]->getType(), Leaves.size()), Leaves));
}

/// See IsozymeParam.
Constant *CheckEmitter::params() {
  SmallVector<Constant *, 8> All;
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Argument &A = *R.Fn->getArg(I);
    const DILocalVariable *Variable = sourceVariableOf(&A);
    StringRef Given = Variable ? Variable->getName() : A.getName();
    unsigned Hidden = hiddenParameters(*R.Fn);
    if (Hidden && I >= Hidden)
      Given = ""; // That of a parameter pack.
    else if (Hidden)
      Given = I ? "result" : "callable";
    Type *ByValue = A.getParamByValType();
    All.push_back(ConstantStruct::getAnon(
        {text(Given), number(I32, unsigned(R.Args[I])), number(I32, A.getType()->isPointerTy()),
         number(I32, primalOffset(I)),
         number(I32, hasTangent(I) ? std::optional(shadowOffset(I)) : std::nullopt),
         number(I32, offsetOf(Rooms) + 16 * uint64_t(I)),
         number(I32, ByValue ? DL.getTypeAllocSize(ByValue).getFixedValue() : 0)}));
  }
  return leafTable(All);
}

/// Shadows of global variables: a derivative starts with zeros there.
Constant *CheckEmitter::ranges(unsigned &Count) {
  SmallVector<Constant *, 8> All;
  for (GlobalVariable &G : M.globals()) {
    SmallVector<GlobalVariable *, 2> Shadows;
    if (isMadeShadow(G))
      Shadows.push_back(&G);
    for (unsigned Lane = 0; GlobalVariable *Named = explicitShadow(G, Lane); ++Lane)
      Shadows.push_back(Named);
    for (GlobalVariable *Shadow : Shadows)
      if (!Shadow->isThreadLocal())
        All.push_back(ConstantStruct::getAnon(
            {Shadow, number(I64, DL.getTypeAllocSize(Shadow->getValueType()).getFixedValue())}));
  }
  Count = unsigned(All.size());
  return leafTable(All);
}

static unsigned modeNumber(DiffMode Mode) {
  switch (Mode) {
  case DiffMode::Forward:
    return 0;
  case DiffMode::Reverse:
    return 1;
  case DiffMode::Augment:
    return 2;
  case DiffMode::FromTape:
    return 3;
  }
  llvm_unreachable("complete switch");
}

/// See IsozymeSite.
Constant *CheckEmitter::site() {
  SmallVector<Constant *, 8> Inputs, Outputs;
  unsigned Owns = 0;
  Constant *Null = ConstantPointerNull::get(PointerType::getUnqual(C));
  Constant *Params = Null, *Own = Null, *Primal = Null, *Forward = Null, *Reverse = Null;
  if (isChecked()) {
    inputLeaves(Inputs);
    outputLeaves(Outputs);
    Params = params();
    Own = ranges(Owns);
    if (R.Mode != DiffMode::FromTape) { // The first half has been run beside the function.
      Primal = primalThunk();
      Forward = forwardThunk();
      Reverse = Plan.Reverse ? reverseThunk() : Null;
    }
  }
  uint64_t Stride = isChecked() ? DL.getTypeAllocSize(ShadowsType).getFixedValue() : 0;
  uint64_t Size = isChecked() ? DL.getTypeAllocSize(FrameType).getFixedValue() : 0;
  return global(ConstantStruct::getAnon({text(shownName(*R.Fn)),
                                         text(placeText()),
                                         text(Plan.Rules),
                                         isChecked() ? Null : text(Plan.Why),
                                         number(I32, modeNumber(R.Mode)),
                                         number(I32, R.Width),
                                         number(I32, R.Args.size()),
                                         number(I32, Inputs.size()),
                                         number(I32, Outputs.size()),
                                         number(I32, Stride),
                                         number(I32, Size),
                                         number(I32, Plan.HasFloat),
                                         number(I32, Plan.Prints),
                                         number(I32, hiddenParameters(*R.Fn)),
                                         Params,
                                         leafTable(Inputs),
                                         leafTable(Outputs),
                                         Primal,
                                         Forward,
                                         Reverse,
                                         Own,
                                         number(I64, Owns),
                                         state()}));
}

void CheckEmitter::emit() {
  IRBuilder<> B(&New);
  Value *Frame = ConstantPointerNull::get(PointerType::getUnqual(C));
  if (isChecked()) {
    layOut();
    BasicBlock &Entry = New.getFunction()->getEntryBlock();
    auto *Slot = new AllocaInst(FrameType, DL.getAllocaAddrSpace(), nullptr, Align(16),
                                "check.frame", Entry.getFirstInsertionPt());
    Frame = B.CreateAddrSpaceCast(Slot, Ptr);
    fillFrame(B, Frame);
  }
  FunctionCallee Begin =
      M.getOrInsertFunction(CheckBegin, FunctionType::get(Ptr, {Ptr, Ptr}, false));
  FunctionCallee End =
      M.getOrInsertFunction(CheckEnd, FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false));
  Value *Check = B.CreateCall(Begin, {site(), Frame}, "check");
  if (auto *Invoke = dyn_cast<InvokeInst>(&New))
    B.SetInsertPoint(Invoke->getNormalDest(), Invoke->getNormalDest()->getFirstInsertionPt());
  else
    B.SetInsertPoint(New.getNextNode());
  B.SetCurrentDebugLocation(New.getDebugLoc());
  if (isChecked() && !New.getType()->isVoidTy())
    B.CreateStore(&New, at(B, Frame, offsetOf(Result)));
  B.CreateCall(End, {Check, Frame});
}

void emitCheck(CallBase &New, const DiffRequest &R, const CheckPlan &Plan) {
  CheckEmitter(New, R, Plan).emit();
}

} // namespace isozyme
