//===- ComplexCalls.cpp - Library functions of complex numbers -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms are told apart by the call itself, not by the target:
//
//   { double, double } @cexp(double, double)               x86-64 double
//   <2 x float> @cexpf(<2 x float>)                        x86-64 float
//   { x86_fp80, x86_fp80 } @cexpl(ptr byval(...))          x86-64 long double
//   { double, double } @cexp([2 x double])                 AArch64
//   void @__divtc3(ptr sret(...), fp128, fp128, ...)       __float128
//   { double, double } @cmplx_inv({ double, double })
//
// An integer may stand before the complex operands (cmplx_jn), a float behind them
// (Faddeeva_erf).
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/ComplexCalls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

constexpr StringLiteral Marking = "isozyme-complex";

/// The float type of <2 x F>, [2 x F] or { F, F }; null for anything else.
Type *floatOfPair(Type *T) {
  Type *Float = nullptr;
  if (auto *Vector = dyn_cast<FixedVectorType>(T); Vector && Vector->getNumElements() == 2)
    Float = Vector->getElementType();
  else if (auto *Array = dyn_cast<ArrayType>(T); Array && Array->getNumElements() == 2)
    Float = Array->getElementType();
  else if (auto *Struct = dyn_cast<StructType>(T);
           Struct && Struct->getNumElements() == 2 &&
           Struct->getElementType(0) == Struct->getElementType(1))
    Float = Struct->getElementType(0);
  return Float && Float->isFloatingPointTy() ? Float : nullptr;
}

Type *memoryPair(Type *Float) { return StructType::get(Float, Float); }

ComplexParts partsOf(IRBuilderBase &B, Value *Pair) {
  if (Pair->getType()->isVectorTy())
    return {B.CreateExtractElement(Pair, uint64_t(0)), B.CreateExtractElement(Pair, uint64_t(1))};
  return {B.CreateExtractValue(Pair, 0), B.CreateExtractValue(Pair, 1)};
}

Value *pairOf(IRBuilderBase &B, Type *T, ComplexParts Parts) {
  Value *Pair = PoisonValue::get(T);
  if (T->isVectorTy())
    return B.CreateInsertElement(B.CreateInsertElement(Pair, Parts.Re, uint64_t(0)), Parts.Im,
                                 uint64_t(1));
  return B.CreateInsertValue(B.CreateInsertValue(Pair, Parts.Re, 0), Parts.Im, 1);
}

ComplexParts loadParts(IRBuilderBase &B, Value *Pointer, Type *Float) {
  return {B.CreateLoad(Float, Pointer),
          B.CreateLoad(Float, B.CreateStructGEP(memoryPair(Float), Pointer, 1))};
}

void storeParts(IRBuilderBase &B, Value *Pointer, Type *Float, ComplexParts Parts) {
  B.CreateStore(Parts.Re, Pointer);
  B.CreateStore(Parts.Im, B.CreateStructGEP(memoryPair(Float), Pointer, 1));
}

bool returnsInMemory(const CallBase &Call) {
  return Call.getType()->isVoidTy() && Call.arg_size() > 0 &&
         Call.paramHasAttr(0, Attribute::StructRet);
}

/// The operands of a call that encode complex numbers.
struct OperandRange {
  unsigned First, Last;
  unsigned size() const { return Last - First; }
};

OperandRange complexRange(const CallBase &Call, Signature Sig) {
  return {unsigned(returnsInMemory(Call)) + (Sig == Signature::C_IC),
          Call.arg_size() - (Sig == Signature::C_CF)};
}

/// Do the operands of \p Call encode the complex numbers of \p Sig, and is what stands
/// beside them what it says?
bool operandsFit(const CallBase &Call, Signature Sig, Type *Float) {
  const OperandRange R = complexRange(Call, Sig);
  if (R.First >= R.Last)
    return false;
  if (Sig == Signature::C_IC && !Call.getArgOperand(R.First - 1)->getType()->isIntegerTy())
    return false;
  if (Sig == Signature::C_CF && Call.getArgOperand(R.Last)->getType() != Float)
    return false;
  const unsigned Count = numComplexOperands(Sig), N = R.size();
  auto All = [&](function_ref<bool(Type *)> Fits) {
    for (unsigned I = R.First; I < R.Last; ++I)
      if (!Fits(Call.getArgOperand(I)->getType()))
        return false;
    return true;
  };
  if (N == 2 * Count)
    return All([&](Type *T) { return T == Float; });
  return N == Count && All([&](Type *T) { return T->isPointerTy() || floatOfPair(T) == Float; });
}

/// Real functions of the parts, and what is no function of analysis.
std::optional<ComplexCall> partFunction(StringRef Name) {
  struct Row {
    StringLiteral Name;
    ComplexCall::Kind K;
    Op Id;
  };
  static constexpr Row Rows[] = {{"cabs", ComplexCall::OfParts, Op::Hypot},
                                 {"carg", ComplexCall::OfParts, Op::Atan2},
                                 {"creal", ComplexCall::Real, Op::None},
                                 {"cimag", ComplexCall::Imaginary, Op::None},
                                 {"conj", ComplexCall::Conjugate, Op::None}};
  for (const Row &R : Rows)
    if (std::optional<FloatSuffix> Suffix = suffixAfter(Name, R.Name))
      return ComplexCall{R.K, R.Id, *Suffix, nullptr};
  return std::nullopt;
}

/// The call that a function on vectors consists of.
CallBase &callInside(const Function &F) {
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (auto *Call = dyn_cast<CallBase>(&I))
        return const_cast<CallBase &>(*Call);
  llvm_unreachable("a function on vectors calls the library");
}

/// What stands before and behind the complex operands; null where nothing does.
struct Beside {
  Value *Before = nullptr, *Behind = nullptr;
};

/// Calls \p Callee in the form of \p Like, which takes at least as many operands.
ComplexParts callInForm(IRBuilderBase &B, FunctionCallee Callee, const CallBase &Like, Type *Float,
                        ArrayRef<ComplexParts> Operands, Beside Others) {
  SmallVector<Value *, 6> Args;
  Value *ResultPlace = nullptr;
  if (returnsInMemory(Like))
    Args.push_back(ResultPlace = B.CreateAlloca(memoryPair(Float)));
  if (Others.Before)
    Args.push_back(Others.Before);
  const unsigned Params =
      Callee.getFunctionType()->getNumParams() - Args.size() - (Others.Behind ? 1 : 0);
  for (const ComplexParts &Parts : Operands) {
    if (Params == 2 * Operands.size()) {
      Args.append({Parts.Re, Parts.Im});
      continue;
    }
    Type *T = Callee.getFunctionType()->getParamType(Args.size());
    if (!T->isPointerTy()) {
      Args.push_back(pairOf(B, T, Parts));
      continue;
    }
    AllocaInst *Place = B.CreateAlloca(memoryPair(Float));
    if (MaybeAlign A = Like.getParamAlign(Args.size()))
      Place->setAlignment(std::max(*A, Place->getAlign()));
    storeParts(B, Place, Float, Parts);
    Args.push_back(Place);
  }
  if (Others.Behind)
    Args.push_back(Others.Behind);
  CallInst *Call = B.CreateCall(Callee, Args);
  Call->setCallingConv(Like.getCallingConv());
  AttributeList From = Like.getAttributes();
  SmallVector<AttributeSet, 6> ParamAttrs;
  for (unsigned I = 0; I < Args.size(); ++I)
    ParamAttrs.push_back(From.getParamAttrs(I));
  Call->setAttributes(
      AttributeList::get(B.getContext(), AttributeSet(), From.getRetAttrs(), ParamAttrs));
  // Nobody reads errno after a derivative.
  const bool HasPointer = any_of(Args, [](Value *A) { return A->getType()->isPointerTy(); });
  Call->setMemoryEffects(HasPointer ? MemoryEffects::argMemOnly() : MemoryEffects::none());
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
  return ResultPlace ? loadParts(B, ResultPlace, Float) : partsOf(B, Call);
}

Function &makeFunction(Module &M, FunctionCallee Callee, StringRef Name, Signature Sig, Type *Float,
                       const CallBase &Like) {
  const std::string Own = ("isozyme." + Name).str();
  if (Function *Known = M.getFunction(Own))
    return *Known;
  auto *Pair = FixedVectorType::get(Float, 2);
  SmallVector<Type *, 2> Params(numComplexOperands(Sig), Pair);
  const OperandRange Range = complexRange(Like, Sig);
  if (Sig == Signature::C_IC)
    Params.insert(Params.begin(), Like.getArgOperand(Range.First - 1)->getType());
  if (Sig == Signature::C_CF)
    Params.push_back(Float);
  auto *F = Function::Create(FunctionType::get(Pair, Params, false), GlobalValue::InternalLinkage,
                             Own, M);
  F->addFnAttr(Marking, Name);
  F->addFnAttr(Attribute::AlwaysInline);
  F->setMemoryEffects(MemoryEffects::none());
  F->setDoesNotThrow();
  F->setWillReturn();
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  SmallVector<ComplexParts, 2> Operands;
  Beside Others;
  for (Argument &A : F->args())
    if (A.getType() == Pair)
      Operands.push_back(partsOf(B, &A));
    else
      (A.getArgNo() == 0 ? Others.Before : Others.Behind) = &A;
  ComplexParts Result = callInForm(B, Callee, Like, Float, Operands, Others);
  B.CreateRet(pairOf(B, Pair, Result));
  return *F;
}

Signature signatureOf(const ComplexCall &What) {
  return What.K == ComplexCall::Complex ? opInfo(What.Id).Sig : Signature::C_C;
}

} // namespace

std::optional<ComplexCall> complexCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic() || Callee->isVarArg() ||
      Callee->getFunctionType() != Call.getFunctionType())
    return std::nullopt;
  std::optional<ComplexCall> What = partFunction(Callee->getName());
  if (std::optional<MathName> Name = parseComplexName(Callee->getName()))
    What = ComplexCall{ComplexCall::Complex, Name->Id, Name->Suffix, nullptr};
  if (!What)
    return std::nullopt;
  const bool IsReal = What->K != ComplexCall::Complex && What->K != ComplexCall::Conjugate;
  if (IsReal)
    What->Float = Call.getType();
  else
    What->Float =
        floatOfPair(returnsInMemory(Call) ? Call.getParamStructRetType(0) : Call.getType());
  if (!What->Float || !What->Float->isFloatingPointTy() ||
      !suffixFits(What->Suffix, MathFamily::Libm, What->Float) ||
      !operandsFit(Call, signatureOf(*What), What->Float))
    return std::nullopt;
  return What;
}

ComplexParts complexOperand(IRBuilderBase &B, const CallBase &Call, const ComplexCall &What,
                            unsigned Number) {
  const OperandRange R = complexRange(Call, signatureOf(What));
  if (R.size() == 2 * numComplexOperands(signatureOf(What)))
    return {Call.getArgOperand(R.First + 2 * Number), Call.getArgOperand(R.First + 2 * Number + 1)};
  Value *Operand = Call.getArgOperand(R.First + Number);
  return Operand->getType()->isPointerTy() ? loadParts(B, Operand, What.Float)
                                           : partsOf(B, Operand);
}

SmallVector<Value *, 1> operandsBefore(const CallBase &Call, const ComplexCall &What) {
  if (signatureOf(What) != Signature::C_IC)
    return {};
  return {Call.getArgOperand(complexRange(Call, signatureOf(What)).First - 1)};
}

SmallVector<Value *, 1> operandsBehind(const CallBase &Call, const ComplexCall &What) {
  if (signatureOf(What) != Signature::C_CF)
    return {};
  return {Call.getArgOperand(complexRange(Call, signatureOf(What)).Last)};
}

void replaceComplexCall(IRBuilderBase &B, CallBase &Call, const ComplexCall &What,
                        ComplexParts Result) {
  if (returnsInMemory(Call))
    storeParts(B, Call.getArgOperand(0), What.Float, Result);
  else
    Call.replaceAllUsesWith(Call.getType() == What.Float ? Result.Re
                                                         : pairOf(B, Call.getType(), Result));
  Call.eraseFromParent();
}

Function &complexFunction(CallBase &Call, const ComplexCall &What) {
  Function *Callee = Call.getCalledFunction();
  return makeFunction(*Call.getModule(), Callee, Callee->getName(), opInfo(What.Id).Sig, What.Float,
                      Call);
}

Function &complexFunctionLike(const Function &Like, Op Id) {
  const CallBase &Call = callInside(Like);
  const std::optional<MathName> From = complexFunctionName(Like);
  if (From && From->Id == Id)
    return const_cast<Function &>(Like);
  Type *Float = cast<VectorType>(Like.getReturnType())->getElementType();
  Module &M = const_cast<Module &>(*Like.getParent());
  const Signature Sig = opInfo(Id).Sig, LikeSig = opInfo(From->Id).Sig;
  const unsigned Count = numComplexOperands(Sig), LikeCount = numComplexOperands(LikeSig);
  assert(Count <= LikeCount && LikeSig != Signature::C_IC && "its attributes stand elsewhere");
  const OperandRange R = complexRange(Call, LikeSig);
  auto *Type = FunctionType::get(
      Call.getType(),
      Call.getFunctionType()->params().take_front(R.First + Count * (R.size() / LikeCount)), false);
  const std::string Name = mathName(Id, MathFamily::Libm, Float, From->Suffix);
  return makeFunction(M, M.getOrInsertFunction(Name, Type), Name, Sig, Float, Call);
}

std::optional<MathName> complexFunctionName(const Function &F) {
  if (!F.hasFnAttribute(Marking))
    return std::nullopt;
  return parseComplexName(F.getFnAttribute(Marking).getValueAsString());
}

} // namespace isozyme
