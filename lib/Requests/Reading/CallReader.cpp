//===- CallReader.cpp - The function, the flags and the result ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What concerns a marker call as a whole; ReadArguments.cpp has the parameters.
//
//===----------------------------------------------------------------------===//
#include "CallReader.h"
#include "ArgumentTypes.h"
#include "ResultCheck.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

CallReader::CallReader(CallBase &Call, EntryPoint Entry, bool Records)
    : Call(Call), Entry(Entry), R(Result.Request) {
  Result.Call = &Call;
  Result.SizeOnly = Entry == EntryPoint::Augmentsize;
  Result.FromRecord = Entry == EntryPoint::Fwdsplit;
  Result.Records = Records;
  R.Dependence = Entry == EntryPoint::Dependence;
  bool Forward = Entry == EntryPoint::Fwddiff || R.Dependence || Result.FromRecord || Records;
  R.Mode = Forward                         ? DiffMode::Forward
           : Entry == EntryPoint::Reverse  ? DiffMode::FromTape
           : Entry == EntryPoint::Autodiff ? DiffMode::Reverse
                                           : DiffMode::Augment;
  R.TapeOutlives = R.isSplit();
}

Type *CallReader::tapePointer() const { return PointerType::getUnqual(Call.getContext()); }

Error CallReader::fail(DiagId Id, const Twine &What, const Twine &Fix) const {
  return diffError(Id, Place(Call), What, Fix);
}

std::string CallReader::parameter(unsigned Number) const {
  return describeParameter(*R.Fn, Number);
}

Expected<MarkerCall> CallReader::read() {
  if (Error E = readFunction())
    return E;
  if (Error E = splitOperands())
    return E;
  if (Error E = readArguments())
    return E;
  RuntimeActivity |= options().RuntimeActivity;
  for (unsigned I = 0; RuntimeActivity && I < R.Args.size(); ++I)
    if (R.hasShadow(I) && containsPointer(R.Fn->getArg(I)->getType()))
      R.setCheck(I, ShadowCheck::Skip);
  if (Error E = readReturn())
    return E;
  if (Error E = readSeedAndTape())
    return E;
  if (Error E = checkNothingLeft())
    return E;
  noteCommonArguments(Result);
  if (Result.Allocated && R.Mode == DiffMode::Augment)
    return std::move(Result); // What it returns depends on the tape.
  bool ReturnsTape = R.Mode == DiffMode::Augment || Result.Records;
  if (Error E = checkResult(Result, ReturnsTape ? tapePointer() : nullptr))
    return E;
  return std::move(Result);
}

Error CallReader::readFunction() {
  unsigned Number = functionOperandNumber(Call);
  if (Number)
    Result.ResultBuffer = Call.getArgOperand(0);
  if (Number >= Call.arg_size())
    return fail(DiagId::NotAFunction, "the call names no function to differentiate",
                "pass the function as the first argument");
  Value *Operand = Call.getArgOperand(Number);
  if (StringRef Text = tracedMarker(Operand); !Text.empty())
    return fail(DiagId::NotAFunction,
                "the function to differentiate must come first, but '" + Text + "' does",
                "pass the function before all markers");
  R.Fn = tracedFunction(Operand);
  if (!R.Fn && isa<SelectInst>(Operand))
    return fail(DiagId::NotAFunction, "the function to differentiate is chosen at run time",
                "write one call for each function, in the branches of an 'if'");
  if (!R.Fn && isa<ConstantInt>(Operand))
    return fail(DiagId::NotAFunction, "the first argument is a number, not a function",
                "pass the function to differentiate first; of a virtual member, a function that "
                "calls it");
  if (!R.Fn && !Operand->getType()->isPointerTy())
    return fail(DiagId::NotAFunction,
                "the first argument is " + describeType(Operand->getType()) + ", not a function",
                "pass the function to differentiate first");
  if (!R.Fn && isa<AllocaInst, GlobalVariable>(getUnderlyingObject(Operand)))
    return fail(DiagId::NotAFunction,
                "the first argument is the address of a variable, not of a function",
                "pass the function itself; for an object or a lambda, a function that calls it and "
                "takes its address as an argument");
  auto *Load = dyn_cast<LoadInst>(Operand);
  auto *Variable =
      Load ? dyn_cast<GlobalVariable>(getUnderlyingObject(Load->getPointerOperand())) : nullptr;
  if (!R.Fn && Variable)
    return fail(DiagId::NotAFunction,
                "the function to differentiate is what '" + Variable->getName() +
                    "' holds, which may change",
                "make the variable constant, or pass the function by its name");
  if (!R.Fn)
    return fail(DiagId::NotAFunction, "it is not known here which function to differentiate",
                "pass the function by its name, or through code that can be inlined");
  std::string Name = describeFunction(*R.Fn);
  if (R.Fn->isDeclaration() && !hasCustomRule(R))
    return fail(DiagId::NoBody, Name + " has no body in this file",
                "define it here, wrap it in a function that is, or " +
                    linkTimeAdvice(*Call.getFunction()));
  if (R.Fn->isVarArg())
    return fail(DiagId::NotSupportedYet, Name + " takes a variable number of arguments",
                "wrap it in a function that takes a fixed number");
  return Error::success();
}

/// Is operand \p I the second word of a pointer to a member function, as C++ passes it?
///
///   __enzyme_autodiff<double>(&S::f, ...)   call @...(i64 ptrtoint (ptr @f), i64 0, ...)
bool CallReader::isMemberAdjustment(unsigned I) const {
  unsigned First = functionOperandNumber(Call);
  if (I != First + 1 || !Call.getArgOperand(First)->getType()->isIntegerTy() ||
      !Call.getArgOperand(I)->getType()->isIntegerTy(64))
    return false;
  const ConstantInt *Distance = tracedInteger(Call.getArgOperand(I));
  return Distance && Distance->isZero();
}

/// Takes out the flags, which may stand anywhere; what is left has an order.
Error CallReader::splitOperands() {
  SmallVector<Operand, 16> All;
  unsigned First = functionOperandNumber(Call);
  for (unsigned I = First + 1; I < Call.arg_size(); ++I) {
    Value *V = Call.getArgOperand(I);
    Operand O{V, I - First + 1, std::nullopt, tracedMarker(V)};
    if (isMemberAdjustment(I))
      continue;
    if (!O.Text.empty()) {
      O.Kind = markerByName(O.Text);
      if (!O.Kind) {
        StringRef Nearest = nearestMarkerName(O.Text);
        return fail(DiagId::UnknownMarker, "'" + O.Text + "' is not a known marker",
                    Nearest.empty() ? Twine("docs/diagnostics.md lists the markers (IZ106)")
                                    : "did you mean '" + Nearest + "'?");
      }
      if (*O.Kind == Marker::NotSupported)
        return fail(DiagId::NotSupportedYet, "'" + O.Text + "' is not in this release of Isozyme",
                    "leave it out");
    } else if (V->getType()->isMetadataTy() || V->getType()->isTokenTy()) {
      return fail(DiagId::BadArgumentType,
                  "argument " + Twine(O.Number) + " of the call is neither a marker nor a value",
                  "pass a marker whose name starts with enzyme_");
    } else if (Error E = checkNoMarkerIn(O)) {
      return E;
    }
    All.push_back(O);
  }
  for (unsigned I = 0; I < All.size(); ++I)
    if (Error E = readFlag(All[I], I, All))
      return E;
  return Error::success();
}

Error CallReader::readFlag(const Operand &Flag, unsigned &I, ArrayRef<Operand> All) {
  if (!Flag.Kind) {
    Items.push_back(Flag);
    return Error::success();
  }
  switch (*Flag.Kind) {
  case Marker::Width:
    return readWidth(I, All);
  case Marker::PrimalReturn:
    PrimalReturn = true;
    return Error::success();
  case Marker::RuntimeActivity:
    RuntimeActivity = true;
    return Error::success();
  case Marker::NoReturn: // Means something to augmentfwd only.
    Result.NoResult = true;
    return Error::success();
  case Marker::StrongZero: // What Isozyme does anyway.
    return Error::success();
  case Marker::Allocated:
  case Marker::Tape:
  case Marker::NoFree:
    return readTapeFlag(Flag, I, All);
  case Marker::ConstReturn:
  case Marker::ActiveReturn:
  case Marker::DupReturn:
    if (ForcedReturn && ForcedReturn->Kind != Flag.Kind)
      return fail(DiagId::BadActivity,
                  "'" + ForcedReturn->Text + "' and '" + Flag.Text + "' contradict each other",
                  "keep one of them");
    ForcedReturn = Flag;
    return Error::success();
  case Marker::Scalar:
  case Marker::Vector:
  case Marker::Buffer:
    return fail(DiagId::BadActivity, "'" + Flag.Text + "' means nothing to a derivative",
                "leave it out: it is for '__enzyme_batch'");
  case Marker::Interleave:
    Interleaved = true;
    [[fallthrough]];
  default:
    Items.push_back(Flag);
    return Error::success();
  }
}

Error CallReader::readWidth(unsigned &I, ArrayRef<Operand> All) {
  if (R.Width != 1)
    return fail(DiagId::BadWidth, "'enzyme_width' is given twice", "keep one of them");
  ++I;
  if (I >= All.size() || All[I].Kind)
    return fail(DiagId::BadWidth, "no number follows 'enzyme_width'",
                "pass the number of directions after it");
  const ConstantInt *Number = tracedInteger(All[I].V);
  if (!Number)
    return fail(DiagId::BadWidth, "the number after 'enzyme_width' is not a constant",
                "pass a literal between 1 and 16");
  if (Number->isNegative() || Number->getValue().ult(1) || Number->getValue().ugt(16))
    return fail(DiagId::BadWidth,
                "'enzyme_width' is " + Twine(Number->getSExtValue()) +
                    ", but must lie between 1 and 16",
                Number->getValue().sgt(16) ? "differentiate in several calls"
                                           : "leave it out for one direction");
  R.Width = unsigned(Number->getZExtValue());
  return Error::success();
}

Error CallReader::readReturn() {
  Type *Ty = R.Fn->getReturnType();
  std::string Name = describeFunction(*R.Fn);
  bool ThroughMemory = structReturnParameter(*R.Fn).has_value();
  bool Floats = isFloatLike(Ty), Pointers = containsPointer(Ty);
  R.Return = ReturnActivity::Const;
  if (Pointers || (R.Mode == DiffMode::Forward && Floats))
    R.Return = ReturnActivity::Dup;
  else if (Floats)
    R.Return = ReturnActivity::Active;

  // A result in memory takes part through its shadow, whatever is said here.
  if (ForcedReturn && ForcedReturn->Kind == Marker::ConstReturn)
    R.Return = ReturnActivity::Const;
  if (ForcedReturn && !ThroughMemory && ForcedReturn->Kind == Marker::ActiveReturn) {
    if (R.Mode == DiffMode::Forward)
      return fail(DiagId::BadActivity, "'enzyme_active_return' has no meaning in forward mode",
                  "leave it out: the derivative of the result is returned");
    if (R.Return != ReturnActivity::Active)
      return fail(DiagId::NoSeed,
                  Name + " returns " + describeType(Ty) + ", which has no derivative to start from",
                  "leave out 'enzyme_active_return'");
  }
  if (ForcedReturn && !ThroughMemory && ForcedReturn->Kind == Marker::DupReturn &&
      R.Return != ReturnActivity::Dup)
    return fail(DiagId::BadActivity,
                Name + " returns " + describeType(Ty) + ", which 'enzyme_dup_return' does not fit",
                "leave it out");
  if (!PrimalReturn || R.Mode == DiffMode::Augment)
    return Error::success(); // The first half returns it unless told otherwise.
  if (R.Mode == DiffMode::FromTape)
    return fail(DiagId::NoPrimalReturn,
                "the reverse half of " + Name + " does not compute its result again",
                "leave out 'enzyme_primal_return': '__enzyme_augmentfwd' returns the result");
  if (ThroughMemory && R.Mode == DiffMode::Forward) {
    Result.PrimalInBuffer = true;
    return Error::success();
  }
  if (ThroughMemory)
    return fail(DiagId::NoPrimalReturn,
                "the result of " + Name +
                    " is returned in memory; reverse mode does not return it as well",
                "leave out 'enzyme_primal_return' and call " + Name + " for its result");
  if (Ty->isVoidTy())
    return fail(DiagId::NoPrimalReturn,
                "'enzyme_primal_return' asks for the result of " + Name + ", which returns nothing",
                "leave it out");
  R.ReturnPrimal = true;
  return Error::success();
}

} // namespace isozyme
