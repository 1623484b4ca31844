//===- ReadApart.cpp - Input has memory of its own --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that a library reads from text or a file are constants. Where they replace numbers that
// are differentiated, it reads them into memory of its own, from which they are copied:
//
//   call i32 @sscanf(ptr %s, ptr @"%lf", ptr %x)
//   ->  store double NoNumber, ptr %input
//       call i32 @sscanf(ptr %s, ptr @"%lf", ptr %input)      ; carries no derivative
//       if (bits of %input != NoNumber)                       ; else nothing has been read
//         store double (load %input), ptr %x
//
//   %n = call i64 @read(i32 %fd, ptr %x, i64 %bytes)
//   ->  %input = call ptr @malloc(i64 %bytes)
//       %n = call i64 @read(i32 %fd, ptr %input, i64 %bytes)
//       memcpy(%x, %input, max(%n, 0)); free(%input)
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace isozyme {

namespace {

/// An argument of a call that leads to where numbers are put.
struct NumberRead {
  unsigned Argument;
  Type *Float;
  unsigned Count = 1; ///< Two in a complex number.
};

/// Which arguments are where the bytes go to, and how many: a number, or two to be multiplied.
struct BytesRead {
  unsigned Place, Size;
  std::optional<unsigned> Count;
  bool IsByStream = false; ///< The stream tells how many there were.
};

} // namespace

/// What the conversion of a format that starts behind '%' is called with, which \p Format is moved
/// behind. Null: something else than a number; nothing: no argument.
static std::optional<Type *> conversionOf(StringRef &Format, LLVMContext &C) {
  const bool IsLeftOut = Format.consume_front("*");
  Format = Format.drop_while(isDigit);
  const StringRef Length =
      Format.take_while([](char L) { return StringRef("hlLqjztm").contains(L); });
  Format = Format.drop_front(Length.size());
  const char Letter = Format.empty() ? '%' : Format.front();
  Format = Format.drop_front(!Format.empty());
  if (Letter == '[') { // The first one may be a bracket itself.
    Format.consume_front("^");
    Format = Format.drop_front(!Format.empty());
    Format = Format.drop_until([](char L) { return L == ']'; }).drop_front(!Format.empty());
  }
  if (IsLeftOut || Letter == '%')
    return std::nullopt;
  if (!StringRef("aAeEfFgG").contains(Letter))
    return nullptr;
  return Length.empty()  ? Type::getFloatTy(C)
         : Length == "l" ? Type::getDoubleTy(C)
                         : Type::getX86_FP80Ty(C);
}

/// Of a call of sscanf and the like; nothing, if the format is not known.
static std::optional<SmallVector<NumberRead, 4>> numbersByFormat(const CallBase &Call,
                                                                 unsigned FormatArg) {
  StringRef Format;
  if (Call.arg_size() <= FormatArg ||
      !getConstantStringInfo(Call.getArgOperand(FormatArg), Format) || Format.contains('$'))
    return std::nullopt;
  SmallVector<NumberRead, 4> Numbers;
  unsigned Argument = FormatArg + 1;
  while (true) {
    Format = Format.drop_until([](char L) { return L == '%'; });
    if (!Format.consume_front("%"))
      return Numbers;
    std::optional<Type *> Converted = conversionOf(Format, Call.getContext());
    if (!Converted)
      continue;
    if (Argument >= Call.arg_size())
      return std::nullopt;
    if (*Converted)
      Numbers.push_back({Argument, *Converted});
    ++Argument;
  }
}

static std::optional<SmallVector<NumberRead, 4>> numbersReadBy(const CallBase &Call,
                                                               StringRef Name) {
  StringRef Scan = Name;
  for (StringRef Standard : {"__isoc99_", "__isoc23_"})
    Scan.consume_front(Standard);
  const bool FromPlace = Scan == "sscanf" || Scan == "fscanf";
  if ((FromPlace || Scan == "scanf") && Call.getFunctionType()->isVarArg())
    return numbersByFormat(Call, FromPlace ? 1 : 0);
  Type *Float = Type::getFloatTy(Call.getContext()), *Double = Type::getDoubleTy(Call.getContext());
  std::optional<NumberRead> Number =
      StringSwitch<std::optional<NumberRead>>(Name)
          .Case("_FortranAioInputReal32", NumberRead{1, Float})
          .Case("_FortranAioInputReal64", NumberRead{1, Double})
          .Case("_FortranAioInputComplex32", NumberRead{1, Float, 2})
          .Case("_FortranAioInputComplex64", NumberRead{1, Double, 2})
          .Cases({"_ZNSirsERf", "_ZNSi10_M_extractIfEERSiRT_",
                  "_ZNSt3__113basic_istreamIcNS_11char_traitsIcEEErsERf"},
                 NumberRead{1, Float})
          .Cases({"_ZNSirsERd", "_ZNSi10_M_extractIdEERSiRT_",
                  "_ZNSt3__113basic_istreamIcNS_11char_traitsIcEEErsERd"},
                 NumberRead{1, Double})
          .Default(std::nullopt);
  if (!Number || Call.arg_size() != 2 || !Call.getArgOperand(1)->getType()->isPointerTy())
    return std::nullopt;
  return SmallVector<NumberRead, 4>{*Number};
}

static std::optional<BytesRead> bytesReadBy(const CallBase &Call, StringRef Name) {
  constexpr std::optional<unsigned> None;
  std::optional<BytesRead> Bytes =
      StringSwitch<std::optional<BytesRead>>(Name)
          .Cases({"fread", "fread_unlocked"}, BytesRead{0, 1, 2})
          .Cases({"read", "pread", "pread64"}, BytesRead{1, 2, None})
          .Case("_ZNSi4readEPcl", BytesRead{1, 2, None, /*IsByStream=*/true})
          .Default(std::nullopt);
  const bool HasOneMore = Name.contains("fread") || Name.contains("pread");
  if (!Bytes || Call.arg_size() != (HasOneMore ? 4 : 3) ||
      !Call.getArgOperand(Bytes->Place)->getType()->isPointerTy())
    return std::nullopt;
  Type *Size = Call.getArgOperand(Bytes->Size)->getType();
  if (!Size->isIntegerTy() || (!Bytes->IsByStream && Call.getType() != Size) ||
      (Bytes->Count && Call.getArgOperand(*Bytes->Count)->getType() != Size))
    return std::nullopt;
  return Bytes;
}

/// Where \p Call has returned.
static Instruction &behind(CallBase &Call) {
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    return *SplitEdge(Call.getParent(), Invoke->getNormalDest())->getFirstInsertionPt();
  return *Call.getNextNode();
}

/// A number that nobody reads: a NaN with a word of our own in it.
static Constant *noNumber(Type *Float) {
  const fltSemantics &Kind = Float->getFltSemantics();
  const APInt Word(64, 0x15020E);
  return ConstantFP::get(Float->getContext(), APFloat::getQNaN(Kind, false, &Word));
}

static void readNumber(CallBase &Call, const NumberRead &Number) {
  Function &F = *Call.getFunction();
  Value *Place = Call.getArgOperand(Number.Argument);
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Type *Kept = ArrayType::get(Number.Float, Number.Count);
  Value *Input = B.CreateAlloca(Kept, nullptr, "input");
  Constant *Nothing = noNumber(Number.Float);
  auto Part = [&](Value *P, unsigned K) {
    return K ? B.CreateConstInBoundsGEP1_64(Number.Float, P, K) : P;
  };
  B.SetInsertPoint(&Call);
  for (unsigned K = 0; K < Number.Count; ++K)
    B.CreateStore(Nothing, Part(Input, K));
  Call.setArgOperand(Number.Argument, Input);
  Instruction *At = &behind(Call);
  Type *Bits = B.getIntNTy(Number.Float->getPrimitiveSizeInBits());
  for (unsigned K = 0; K < Number.Count; ++K) {
    B.SetInsertPoint(At);
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    Value *Got = B.CreateLoad(Number.Float, Part(Input, K));
    Value *IsNew = B.CreateICmpNE(B.CreateBitCast(Got, Bits),
                                  ConstantExpr::getBitCast(Nothing, Bits), "is.read");
    B.SetInsertPoint(SplitBlockAndInsertIfThen(IsNew, At, /*Unreachable=*/false));
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    B.CreateStore(Got, Part(Place, K));
  }
}

static void readBytes(CallBase &Call, const BytesRead &Bytes) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Value *Size = Call.getArgOperand(Bytes.Size), *Place = Call.getArgOperand(Bytes.Place);
  Value *Most = Bytes.Count ? B.CreateMul(Size, Call.getArgOperand(*Bytes.Count)) : Size;
  CallInst *Input = targetRuntime(M).allocate(B, Most, "input");
  Call.setArgOperand(Bytes.Place, Input);
  B.SetInsertPoint(&behind(Call));
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Got = &Call;
  if (Bytes.IsByStream)
    Got = B.CreateCall(M.getOrInsertFunction("_ZNKSi6gcountEv", Size->getType(), B.getPtrTy()),
                       Call.getArgOperand(0));
  else if (Bytes.Count)
    Got = B.CreateMul(Got, Size);
  else
    Got = B.CreateBinaryIntrinsic(Intrinsic::smax, Got, ConstantInt::get(Got->getType(), 0));
  B.CreateMemCpy(Place, MaybeAlign(), Input, MaybeAlign(), Got);
  targetRuntime(M).release(B, Input);
}

void readApart(Function &F) {
  SmallVector<CallBase *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || !Callee->isDeclaration())
      continue;
    if (std::optional<BytesRead> Bytes = bytesReadBy(*Call, Callee->getName()))
      readBytes(*Call, *Bytes);
    else if (auto Numbers = numbersReadBy(*Call, Callee->getName()))
      for (const NumberRead &Number : reverse(*Numbers)) // Behind the call, each in front of later.
        readNumber(*Call, Number);
    else
      continue;
    if (Call->getType()->isPointerTy()) // The stream.
      Call->replaceAllUsesWith(Call->getArgOperand(0));
    Call->addFnAttr(Attribute::get(F.getContext(), marking::Inactive));
  }
}

} // namespace isozyme
