//===- ReadArguments.cpp - The operands of each parameter -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CallReader that shares the operands of a marker call among the
// parameters of the function, and settles each parameter's activity.
//
// An integer carries no derivative: marked enzyme_dup it takes its shadow
// operand, and is a constant all the same.
//
//===----------------------------------------------------------------------===//
#include "ArgumentTypes.h"
#include "CallReader.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

const CallReader::Operand *CallReader::takeValue() {
  const Operand *O = peek();
  if (!O || O->Kind)
    return nullptr;
  ++Next;
  return O;
}

Error CallReader::readArguments() {
  unsigned Count = R.Fn->arg_size();
  R.Args.assign(Count, ArgActivity::Const);
  if (R.isSplit())
    R.MayOverwrite.assign(Count, true);
  Result.Arguments.resize(Count);
  TakesShadow.assign(Count, false);
  if (Result.SizeOnly)
    return readActivities();
  std::optional<unsigned> StructReturn = structReturnParameter(*R.Fn);
  for (unsigned I = 0; I < Count; ++I)
    if (Error E = StructReturn == I ? readStructReturn(I) : readArgument(I))
      return E;
  if (Interleaved)
    if (Error E = readInterleaved())
      return E;
  keepReadMemory();
  return Error::success();
}

/// What one argument leads to may be read through another one if the call passes addresses
/// in one object for both.
void CallReader::keepReadMemory() {
  auto objectOf = [&](unsigned I) -> const Value * {
    const Value *Operand = Result.Arguments[I].Primal;
    if (!Operand || !Operand->getType()->isPointerTy())
      return nullptr;
    const Value *Object = getUnderlyingObject(Operand);
    if (auto *Load = dyn_cast<LoadInst>(Object)) // A variable in code without optimisation.
      return Load->getPointerOperand();
    return isa<Constant>(Object) && !isa<GlobalValue>(Object) ? nullptr : Object;
  };
  for (unsigned I = 0; I < R.Args.size(); ++I)
    for (unsigned Other = 0; R.Args[I] == ArgActivity::DupNoNeed && Other < R.Args.size(); ++Other)
      if (const Value *Object = objectOf(I); Other != I && Object && Object == objectOf(Other))
        R.Args[I] = ArgActivity::Dup;
}

Error CallReader::checkNothingLeft() const {
  const Operand *Left = peek();
  if (!Left)
    return Error::success();
  if (Left->Kind && Next + 1 == Items.size())
    return fail(DiagId::MarkerWithoutValue,
                "'" + Left->Text + "' is the last argument of the call, without a value",
                "pass a value after it, or leave it out");
  unsigned Parameters = R.Fn->arg_size() - (structReturnParameter(*R.Fn) ? 1 : 0);
  return fail(DiagId::TooManyArguments,
              describeFunction(*R.Fn) + " takes " + Twine(Parameters) +
                  (Parameters == 1 ? " argument" : " arguments") + ", but argument " +
                  Twine(Left->Number) + " of the call belongs to none of them",
              R.Mode == DiffMode::Forward
                  ? "leave it out, or mark what it is the derivative of with 'enzyme_dup'"
                  : "leave it out, or mark the pointer it is the shadow of with 'enzyme_dup'");
}

ArgActivity CallReader::structReturnActivity(unsigned Param) const {
  Type *Struct = R.Fn->getParamStructRetType(Param);
  if (defaultActivity(Struct, R.Mode) == ArgActivity::Const ||
      (ForcedReturn && ForcedReturn->Kind == Marker::ConstReturn))
    return ArgActivity::Const;
  // The caller never sees the primal result, but the function may read it back.
  bool WriteOnly = R.Fn->getArg(Param)->hasAttribute(Attribute::WriteOnly);
  return R.isReverse() && WriteOnly ? ArgActivity::DupNoNeed : ArgActivity::Dup;
}

/// The result of the function itself, when it is returned in memory.
Error CallReader::readStructReturn(unsigned Param) {
  R.Args[Param] = structReturnActivity(Param);
  if (R.Args[Param] == ArgActivity::Const)
    return Error::success();
  if (R.Mode == DiffMode::Forward)
    return Error::success(); // Its tangents are what the call returns.
  TakesShadow[Param] = true;
  return readShadows(Param);
}

std::optional<ArgActivity> CallReader::activityOf(Marker Kind) {
  switch (Kind) {
  case Marker::Const:
    return ArgActivity::Const;
  case Marker::Out:
    return ArgActivity::Active;
  case Marker::Dup:
  case Marker::DupStrided:
    return ArgActivity::Dup;
  case Marker::DupNoNeed:
  case Marker::DupNoNeedStrided:
    return ArgActivity::DupNoNeed;
  default:
    return std::nullopt;
  }
}

Error CallReader::readModifiers(unsigned Param, Modifiers &M) {
  for (const Operand *O = peek(); O && O->Kind && *O->Kind != Marker::Interleave; O = peek()) {
    ++Next;
    std::optional<ArgActivity> Activity = activityOf(*O->Kind);
    if (Activity && M.Activity)
      return fail(DiagId::BadActivity,
                  "'" + M.Last + "' and '" + O->Text + "' both stand before " + parameter(Param),
                  "keep one of them");
    if ((*O->Kind == Marker::ByRef && M.ByRefSize) ||
        (*O->Kind == Marker::NotOverwritten && M.NotOverwritten) ||
        (*O->Kind == Marker::Unshared && M.Unshared))
      return fail(DiagId::BadActivity, "'" + O->Text + "' stands twice before " + parameter(Param),
                  "keep one of them");
    M.NotOverwritten |= *O->Kind == Marker::NotOverwritten; // Nothing to promise in one call.
    M.Unshared |= *O->Kind == Marker::Unshared;
    if (Activity)
      M.Activity = Activity;
    M.Last = O->Text;
    M.Strided |= *O->Kind == Marker::DupStrided || *O->Kind == Marker::DupNoNeedStrided;
    if (M.Strided && !M.Stride) {
      const Operand *Stride = takeValue();
      if (!Stride || !Stride->V->getType()->isIntegerTy())
        return fail(DiagId::BadArgumentType,
                    "'" + O->Text + "' needs the distance between two shadows in bytes",
                    "pass it as an integer directly after the marker");
      M.Stride = Stride->V;
    }
    if (*O->Kind == Marker::ByRef) {
      const Operand *Size = takeValue();
      const ConstantInt *Bytes = Size ? tracedInteger(Size->V) : nullptr;
      if (!Bytes || Bytes->isNegative())
        return fail(DiagId::BadArgumentType, "no constant size follows 'enzyme_byref'",
                    "pass the size of the value in bytes directly after it");
      M.ByRefSize = Bytes->getZExtValue();
    }
  }
  return Error::success();
}

/// May \p F use an integer as an address?
static bool makesPointers(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) { return isa<IntToPtrInst>(I); });
}

Error CallReader::chooseActivity(unsigned Param, const Modifiers &M) {
  Type *Ty = R.Fn->getArg(Param)->getType();
  ArgActivity Activity = defaultActivity(Ty, R.Mode);
  Result.Arguments[Param].SaidConst = M.Activity == ArgActivity::Const;
  if (M.Activity)
    Activity = *M.Activity;
  else if (Interleaved)
    Activity = Param ? R.Args[Param - 1] : ArgActivity::Dup;
  bool Floats = isFloatLike(Ty), Pointers = containsPointer(Ty);
  bool WantsShadow = Activity == ArgActivity::Dup || Activity == ArgActivity::DupNoNeed;
  std::string Kind = describeType(Ty);
  if (Activity == ArgActivity::Active && R.Mode == DiffMode::Forward)
    return fail(DiagId::BadActivity,
                "'enzyme_out' before " + parameter(Param) + " has no meaning in forward mode",
                "use 'enzyme_dup' and pass a derivative after the value");
  if (Activity == ArgActivity::Active && (Pointers || !Floats))
    return fail(DiagId::BadActivity,
                parameter(Param) + " is " + Kind + ", whose gradient cannot be returned",
                Pointers ? "use 'enzyme_dup' and pass a shadow" : "use 'enzyme_const'");
  if (WantsShadow && R.isReverse() && Floats && !Pointers)
    return fail(DiagId::BadActivity,
                parameter(Param) + " is passed by value: no shadow can receive its gradient",
                "use 'enzyme_out', and the gradient is returned");
  if (M.Strided && !Ty->isPointerTy())
    return fail(DiagId::BadActivity,
                parameter(Param) + " is " + Kind + ", but '" + M.Last + "' is for pointers",
                "use 'enzyme_dup' and pass every derivative");
  TakesShadow[Param] = WantsShadow;
  if (WantsShadow && !Floats && !Pointers) {
    if (Ty->isIntegerTy() && Ty->getIntegerBitWidth() >= 64 && makesPointers(*R.Fn))
      return fail(DiagId::BadActivity,
                  parameter(Param) + " is an integer, which may hold an address in this function",
                  "declare it as a pointer, or use 'enzyme_const'");
    Activity = ArgActivity::Const;
  }
  // What reads a record writes nothing.
  if (Activity == ArgActivity::DupNoNeed &&
      (Result.FromRecord || (R.Mode == DiffMode::Forward && !Pointers)))
    Activity = ArgActivity::Dup;
  R.Args[Param] = Activity;
  if (M.Unshared && (!Ty->isPointerTy() || !R.hasShadow(Param)))
    return fail(DiagId::BadActivity,
                "'isozyme_unshared' stands before " + parameter(Param) +
                    ", which is no pointer with a shadow",
                "remove it");
  if (M.Unshared && R.isReverse() && acceleratorOf(*R.Fn->getParent())) {
    R.Unshared.resize(R.Args.size());
    R.Unshared[Param] = true;
  }
  return Error::success();
}

Error CallReader::checkOperand(unsigned Param, const Operand &O, bool IsShadow) {
  Type *Ty = R.Fn->getArg(Param)->getType();
  CallArgument &A = Result.Arguments[Param];
  bool ByRef = A.ByRef && O.V->getType()->isPointerTy() && !(IsShadow && Ty->isPointerTy());
  if (!ByRef && !canConvert(O.V, Ty))
    return fail(DiagId::BadArgumentType,
                "argument " + Twine(O.Number) + " of the call is " + describeType(O.V->getType()) +
                    ", but " +
                    (!IsShadow                                           ? ""
                     : R.Mode == DiffMode::Forward && !Ty->isPointerTy() ? "the derivative of "
                                                                         : "the shadow of ") +
                    parameter(Param) + " must be " + describeType(Ty),
                misfitFix(Param, O, IsShadow));
  unsigned Number = O.Number - 1 + functionOperandNumber(Call);
  if (IsShadow && R.isReverse() && Call.isByValArgument(Number))
    return fail(DiagId::BadActivity,
                "the shadow of " + parameter(Param) +
                    " is passed by value: its gradient "
                    "would be lost",
                "pass the addresses of value and shadow");
  return checkShape(Param, O, IsShadow);
}

/// How many parameters from \p Param on are the struct that \p O points to. The caller has
/// run out of registers, and the function has not:
///
///   struct { double a; int b; }     call @__enzyme_autodiff(..., ptr byval(%struct) %s)
///                                   define @f(double %s.0, i32 %s.1)
unsigned CallReader::piecesFrom(unsigned Param, const Operand &O) const {
  unsigned Number = O.Number - 1 + functionOperandNumber(Call);
  if (!Call.isByValArgument(Number) || R.Fn->getArg(Param)->getType()->isPointerTy())
    return 0;
  const DataLayout &DL = Call.getModule()->getDataLayout();
  uint64_t Size = DL.getTypeAllocSize(Call.getParamByValType(Number)), Covered = 0;
  unsigned Count = 0;
  // Registers are eight bytes each.
  for (; Covered < Size && Param + Count < R.Fn->arg_size(); ++Count, Covered += 8)
    if (DL.getTypeStoreSize(R.Fn->getArg(Param + Count)->getType()) > 8)
      return 0;
  return Covered >= Size ? Count : 0;
}

Error CallReader::readPiece(unsigned Param) {
  CallArgument &A = Result.Arguments[Param];
  A.Primal = Pieces.Address;
  A.ByRef = true;
  A.Offset = Pieces.Offset;
  Pieces.Offset += 8;
  --Pieces.Left;
  if (R.isSplit())
    R.MayOverwrite[Param] = !Pieces.M.NotOverwritten;
  if (Error E = chooseActivity(Param, Pieces.M))
    return E;
  if (!TakesShadow[Param])
    return Error::success();
  return fail(DiagId::BadActivity,
              parameter(Param) + " is a part of a struct that is passed by value: its shadow "
                                 "cannot be told apart",
              "pass the structs by address");
}

Error CallReader::readArgument(unsigned Param) {
  if (Pieces.Left)
    return readPiece(Param);
  Modifiers M;
  if (Error E = readModifiers(Param, M))
    return E;
  const Operand *Primal = takeValue();
  if (!Primal && !M.Last.empty())
    return fail(DiagId::MarkerWithoutValue,
                "no value follows '" + M.Last + "', for " + parameter(Param), "pass one");
  if (!Primal) {
    std::optional<unsigned> StructReturn = structReturnParameter(*R.Fn);
    unsigned Hidden = StructReturn ? 1 : 0;
    unsigned Count = R.Fn->arg_size() - Hidden;
    return fail(DiagId::TooFewArguments,
                describeFunction(*R.Fn) + " takes " + Twine(Count) +
                    (Count == 1 ? " argument" : " arguments") + ", but the call has values for " +
                    Twine(Param - (StructReturn && *StructReturn < Param ? 1 : 0)),
                "pass " + parameter(Param) + " as well");
  }
  if (unsigned Count = M.ByRefSize ? 0 : piecesFrom(Param, *Primal)) {
    Pieces = {Primal->V, 0, Count, M};
    return readPiece(Param);
  }
  CallArgument &A = Result.Arguments[Param];
  if (R.isSplit())
    R.MayOverwrite[Param] = !M.NotOverwritten;
  A.Primal = Primal->V;
  A.Stride = M.Stride;
  A.ByRef = M.ByRefSize.has_value();
  Type *Ty = R.Fn->getArg(Param)->getType();
  const DataLayout &DL = Call.getModule()->getDataLayout();
  if (M.ByRefSize && *M.ByRefSize != DL.getTypeAllocSize(Ty))
    return fail(DiagId::BadArgumentType,
                "'enzyme_byref' says " + Twine(*M.ByRefSize) + " bytes, but " + parameter(Param) +
                    " has " + Twine(DL.getTypeAllocSize(Ty).getFixedValue()),
                "pass the size of the value itself");
  if (A.ByRef && !Primal->V->getType()->isPointerTy())
    return fail(DiagId::BadArgumentType,
                "argument " + Twine(Primal->Number) + " of the call is " +
                    describeType(Primal->V->getType()) +
                    ", not the address that 'enzyme_byref' "
                    "announces",
                "pass a pointer to the value");
  if (Error E = checkOperand(Param, *Primal, /*IsShadow=*/false))
    return E;
  if (Error E = chooseActivity(Param, M))
    return E;
  if (Error E = checkNumberForPointer(Param, *Primal))
    return E;
  return TakesShadow[Param] && !Interleaved ? readShadows(Param) : Error::success();
}

Error CallReader::readShadows(unsigned Param) {
  CallArgument &A = Result.Arguments[Param];
  unsigned Count = A.Stride ? 1 : R.Width;
  bool Forward = R.Mode == DiffMode::Forward;
  for (unsigned Lane = 0; Lane < Count; ++Lane) {
    const Operand *Shadow = takeValue();
    if (!Shadow) {
      bool StructReturn = structReturnParameter(*R.Fn) == Param;
      StringRef Word = Forward ? "derivative" : "shadow";
      std::string WhichOne = " (" + std::to_string(Lane + 1) + " of " + std::to_string(Count) + ")";
      return fail(
          DiagId::MissingShadow,
          "the " + Word + " of " + parameter(Param) + " is missing" +
              (Count > 1 ? WhichOne : std::string()),
          StructReturn ? Twine("pass the shadow of the result directly after the function")
          : !R.Fn->getArg(Param)->getType()->isPointerTy() && !Forward
              ? "leave out the marker: a number that is not differentiated has none"
          : Lane == 0 && isMisplacedMarker()
              ? "markers come before the value, and what belongs to it directly after it"
          : isStructInMemory(A.Primal) && !Forward
              ? "pass the addresses of the struct and of its shadow, or mark the struct with "
                "'enzyme_const'"
          : Forward ? "pass it after the value, or mark the value with 'enzyme_const'"
                    : "pass it after the pointer, or mark the pointer with 'enzyme_const'");
    }
    // A constant's shadow is read and forgotten, whatever it is.
    if (R.Args[Param] == ArgActivity::Const)
      continue;
    if (Error E = checkOperand(Param, *Shadow, /*IsShadow=*/true))
      return E;
    A.Shadows.push_back(Shadow->V);
  }
  return Error::success();
}

Error CallReader::readInterleaved() {
  const Operand *O = peek();
  if (!O || O->Kind != Marker::Interleave)
    return fail(DiagId::TooManyArguments,
                "more values than " + describeFunction(*R.Fn) +
                    " has parameters stand before 'enzyme_interleave'",
                "leave out the others");
  ++Next;
  std::optional<unsigned> StructReturn = structReturnParameter(*R.Fn);
  for (unsigned I = 0; I < R.Args.size(); ++I)
    if (TakesShadow[I] && StructReturn != I)
      if (Error E = readShadows(I))
        return E;
  return Error::success();
}

} // namespace isozyme
