//===- ResultCheck.cpp - What a marker call hands back --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a marker call that has been read. Out: whether the declared type fits, or an
// error that lists what the call returns. Never: writes IR.
//
//===----------------------------------------------------------------------===//
#include "ResultCheck.h"
#include "ArgumentTypes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static const DataLayout &layoutOf(const MarkerCall &M) {
  return M.Call->getModule()->getDataLayout();
}

Type *declaredResult(const MarkerCall &M) {
  return M.ResultBuffer ? M.Call->getParamStructRetType(0) : M.Call->getType();
}

/// \p Tape and as much room behind it as was announced.
static Type *announcedTape(const MarkerCall &M, Type *Tape) {
  uint64_t Size = layoutOf(M).getTypeAllocSize(Tape);
  if (!M.Allocated || *M.Allocated <= Size)
    return Tape;
  Type *Bytes = ArrayType::get(Type::getInt8Ty(Tape->getContext()), *M.Allocated - Size);
  return StructType::get(Tape, Bytes);
}

/// Without a tape; null if that is nothing.
static StructType *resultsOfFirstHalf(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  SmallVector<Type *, 2> Members;
  Type *Primal = R.Fn->getReturnType();
  if (!M.NoResult && !Primal->isVoidTy())
    Members.push_back(Primal);
  if (!M.NoResult && !M.Records && R.Return == ReturnActivity::Dup)
    Members.push_back(laneType(Primal, R.Width));
  return Members.empty() ? nullptr : StructType::get(R.Fn->getContext(), Members);
}

bool declaresEmptyTape(const MarkerCall &M, Type *Tape) {
  if (Tape || !M.Allocated || !*M.Allocated || M.TapeAddress ||
      (M.Request.Mode != DiffMode::Augment && !M.Records))
    return false;
  Type *Declared = declaredResult(M);
  StructType *Results = resultsOfFirstHalf(M);
  if (!Results || Declared->isVoidTy())
    return !Declared->isVoidTy();
  const DataLayout &DL = layoutOf(M);
  return matchResult(Results, Declared, DL) == ResultMatch::None &&
         matchResult(Results->getElementType(0), Declared, DL) != ResultMatch::ByLeaf;
}

/// With the tape as member number \p Place.
static Type *firstHalfWithTapeAt(const MarkerCall &M, Type *Tape, unsigned Place) {
  LLVMContext &C = M.Call->getContext();
  SmallVector<Type *, 3> Members;
  if (StructType *Results = resultsOfFirstHalf(M))
    append_range(Members, Results->elements());
  if (Tape && !M.TapeAddress)
    Members.insert(Members.begin() + Place, announcedTape(M, Tape));
  if (declaresEmptyTape(M, Tape))
    Members.insert(Members.begin(), ArrayType::get(Type::getInt8Ty(C), *M.Allocated));
  return Members.empty() ? Type::getVoidTy(C) : StructType::get(C, Members);
}

namespace {
/// A place among the members, and how many scalars stand before it.
struct TapePlace {
  unsigned Member, Leaf;
};
} // namespace

/// Where the declared struct has room for the tape.
static SmallVector<TapePlace, 3> possiblePlaces(const MarkerCall &M, Type *Tape,
                                                const StructType &Results) {
  SmallVector<TapePlace, 3> Places;
  TapePlace At{0, 0};
  for (; At.Member <= Results.getNumElements(); ++At.Member) {
    if (matchResult(firstHalfWithTapeAt(M, Tape, At.Member), declaredResult(M), layoutOf(M)) !=
        ResultMatch::None)
      Places.push_back(At);
    if (At.Member < Results.getNumElements())
      At.Leaf += leavesOf(Results.getElementType(At.Member), layoutOf(M)).size();
  }
  return Places;
}

unsigned placeOfTape(const MarkerCall &M, Type *Tape) {
  StructType *Results = resultsOfFirstHalf(M);
  // A tape by value is so many bytes: nobody can tell them from a result.
  if (!Tape || M.TapeAddress || M.Allocated || !Results)
    return 0;
  const SmallVector<TapePlace, 3> Places = possiblePlaces(M, Tape, *Results);
  for (const TapePlace &P : Places)
    if (M.TapeLeaf == P.Leaf)
      return P.Member;
  return Places.empty() ? 0 : Places.front().Member;
}

Error checkTapeLeaf(const MarkerCall &M) {
  StructType *Results = resultsOfFirstHalf(M);
  if (!M.TapeLeaf || M.TapeAddress || M.Allocated || !Results)
    return Error::success();
  const auto Places = possiblePlaces(M, PointerType::getUnqual(M.Call->getContext()), *Results);
  if (Places.empty() || any_of(Places, [&](TapePlace P) { return P.Leaf == *M.TapeLeaf; }))
    return Error::success();
  return diffError(DiagId::BadTape, Place(*M.Call),
                   "pointer " + Twine(*M.TapeLeaf + 1) +
                       " of the struct that this call returns is passed on as the tape, and has "
                       "its place inside the result of " +
                       describeFunction(*M.Request.Fn) + " or its shadow",
                   "declare the tape as the first or the last member");
}

void lintTapeLeaf(const MarkerCall &M, bool IsUnclear) {
  StructType *Results = resultsOfFirstHalf(M);
  if (!IsUnclear || M.TapeLeaf || M.TapeAddress || M.Allocated || !Results ||
      possiblePlaces(M, PointerType::getUnqual(M.Call->getContext()), *Results).size() < 2)
    return;
  warn(DiagId::BadTape, Place(*M.Call),
       "the first member of the struct of pointers that this call returns is taken as the tape, "
       "for the call of '__enzyme_reverse' that gets one is out of sight; if another member is "
       "the tape, declare it first");
}

Type *handedBack(const MarkerCall &M, Type *Tape) {
  if (M.Request.Mode != DiffMode::Augment && !M.Records)
    return derivativeType(M.Request)->getReturnType();
  return firstHalfWithTapeAt(M, Tape, placeOfTape(M, Tape));
}

/// A tape by value is so many bytes, whatever the user calls them; what follows it must be
/// what is declared there.
static bool fitsBehindTape(const MarkerCall &M, Type *Full, Type *Declared) {
  const DataLayout &DL = layoutOf(M);
  auto *S = cast<StructType>(Full);
  SmallVector<Leaf, 8> Found = leavesOf(Declared, DL);
  for (unsigned I = 1; I < S->getNumElements(); ++I) {
    uint64_t Begin = DL.getStructLayout(S)->getElementOffset(I);
    for (const Leaf &L : leavesOf(S->getElementType(I), DL))
      if (none_of(Found, [&](const Leaf &Other) {
            return Other.Offset == Begin + L.Offset && Other.Ty == L.Ty;
          }))
        return false;
  }
  return DL.getTypeAllocSize(Declared) >= DL.getTypeAllocSize(Full);
}

ResultMatch matchDeclared(const MarkerCall &M, Type *Tape) {
  const DataLayout &DL = layoutOf(M);
  Type *Full = handedBack(M, Tape), *Declared = declaredResult(M);
  ResultMatch Match = matchResult(Full, Declared, DL);
  if (Match != ResultMatch::None || Full->isVoidTy())
    return Match;
  bool Augment = M.Request.Mode == DiffMode::Augment || M.Records;
  if (M.Allocated && Augment && !M.TapeAddress && (Tape || declaresEmptyTape(M, Tape)))
    return fitsBehindTape(M, Full, Declared) ? ResultMatch::Bytes : ResultMatch::None;
  Type *First = cast<StructType>(Full)->getElementType(0);
  return matchResult(First, Declared, DL) == ResultMatch::ByLeaf ? ResultMatch::First
                                                                 : ResultMatch::None;
}

/// "the result of 'f', then the gradient of argument 1 ('x') of 'f'"
static std::string describeResult(const MarkerCall &M, Type *Tape) {
  const DiffRequest &R = M.Request;
  SmallVector<std::string, 4> Parts;
  std::string Name = describeFunction(*R.Fn);
  bool Augment = R.Mode == DiffMode::Augment || M.Records;
  if (Augment && Tape && !M.TapeAddress)
    Parts.push_back("the tape");
  if (R.ReturnPrimal || (Augment && !M.NoResult && !R.Fn->getReturnType()->isVoidTy()))
    Parts.push_back("the result of " + Name);
  if (Augment && !M.Records && !M.NoResult && R.Return == ReturnActivity::Dup)
    Parts.push_back("the shadow of the result of " + Name);
  if (R.Mode == DiffMode::Forward && !Augment && R.Return == ReturnActivity::Dup)
    Parts.push_back("the derivative of the result of " + Name);
  if (R.Mode == DiffMode::Reverse || R.Mode == DiffMode::FromTape)
    for (unsigned I = 0; I < R.Args.size(); ++I)
      if (R.Args[I] == ArgActivity::Active)
        Parts.push_back("the gradient of " + describeParameter(*R.Fn, I));
  std::string Text = join(Parts, ", then ");
  if (R.Width > 1 && !Augment)
    Text += ", " + std::to_string(R.Width) + " times each";
  return Text;
}

/// "the call is declared to return 'double'"
static std::string describeCall(const MarkerCall &M) {
  return "the call is declared to return " + describeLeaves(declaredResult(M), layoutOf(M));
}

/// Forward mode through memory: the buffer holds as many results as are asked for.
static Error checkBufferOfTangents(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  unsigned Param = *structReturnParameter(*R.Fn);
  Type *Struct = R.Fn->getParamStructRetType(Param);
  const DataLayout &DL = layoutOf(M);
  unsigned Count = M.PrimalInBuffer + (R.hasShadow(Param) ? R.Width : 0);
  if (!M.ResultBuffer) {
    if (M.Call->getType()->isVoidTy() || (M.Call->use_empty() && !M.PrimalInBuffer))
      return Error::success();
  } else {
    Type *Declared = declaredResult(M);
    if (matchResult(ArrayType::get(Struct, Count), Declared, DL) == ResultMatch::ByLeaf &&
        DL.getTypeAllocSize(Declared) == Count * DL.getTypeAllocSize(Struct))
      return Error::success();
  }
  return diffError(DiagId::BadResultType, Place(*M.Call),
                   describeCall(M) + ", but gives " + Twine(Count) + " of what " +
                       describeFunction(*R.Fn) + " returns, each " + describeLeaves(Struct, DL),
                   "declare a struct that holds just these");
}

/// std::tuple of GNU's library, whose last member comes first in memory:
///   %"class.std::tuple" = type { %"struct.std::_Tuple_impl" }
static bool isReversedTuple(Type *T) {
  auto *Tuple = dyn_cast<StructType>(T);
  auto *Members = Tuple && Tuple->hasName() && Tuple->getName().starts_with("class.std::tuple") &&
                          Tuple->getNumElements() == 1
                      ? dyn_cast<StructType>(Tuple->getElementType(0))
                      : nullptr;
  return Members && Members->hasName() &&
         Members->getName().starts_with("struct.std::_Tuple_impl") && Members->getNumElements() > 1;
}

Error checkResult(const MarkerCall &M, Type *Tape) {
  const DiffRequest &R = M.Request;
  const DataLayout &DL = layoutOf(M);
  if (M.SizeOnly) {
    if (M.Call->getType()->isIntegerTy())
      return Error::success();
    return diffError(DiagId::BadResultType, Place(*M.Call),
                     describeCall(M) + ", but gives a number of bytes",
                     "declare it to return 'size_t'");
  }
  if (R.Mode == DiffMode::Forward && !M.Records && structReturnParameter(*R.Fn))
    return checkBufferOfTangents(M);
  Type *Full = handedBack(M, Tape), *Declared = declaredResult(M);
  if (!M.ResultBuffer && (Declared->isVoidTy() || M.Call->use_empty()))
    return Error::success();
  if (leavesOf(Declared, DL).empty())
    return Error::success();
  if (isReversedTuple(Declared))
    return diffError(
        DiagId::BadResultType, Place(*M.Call),
        "the call is declared to return a 'std::tuple', whose members lie in memory in "
        "the reverse order",
        "declare it to return a struct of the same members, a std::array or a std::pair");
  bool Shadows = any_of(M.Arguments, [](const CallArgument &A) { return !A.Shadows.empty(); });
  if (Full->isVoidTy() && !Shadows)
    return diffError(
        DiagId::BadResultType, Place(*M.Call),
        describeCall(M) + ", but no argument of " + describeFunction(*R.Fn) +
            " is differentiated, so that nothing is returned",
        "mark what to differentiate by with 'enzyme_out' or 'enzyme_dup'; integers have "
        "no derivative");
  if (Full->isVoidTy())
    return Error::success();
  switch (matchDeclared(M, Tape)) {
  case ResultMatch::ByLeaf:
  case ResultMatch::ByMemory:
  case ResultMatch::Bytes:
    return Error::success();
  case ResultMatch::First:
    // One derivative of several directions is more likely a mistake than a wish.
    if (R.Width > 1 && R.Mode != DiffMode::Augment && !M.Records)
      break;
    return Error::success();
  case ResultMatch::None:
    break;
  }
  return diffError(DiagId::BadResultType, Place(*M.Call),
                   describeCall(M) + ", but the derivative returns " + describeLeaves(Full, DL) +
                       ": " + describeResult(M, Tape),
                   Tape && !M.TapeAddress && !M.Allocated
                       ? "declare it to return just this; the tape may come first or last"
                       : "declare it to return just this");
}

void lintResult(const MarkerCall &M, Type *Tape) {
  const DiffRequest &R = M.Request;
  Type *Declared = declaredResult(M);
  if (M.SizeOnly || (!M.ResultBuffer && (Declared->isVoidTy() || M.Call->use_empty())) ||
      leavesOf(Declared, layoutOf(M)).empty() ||
      (R.Mode == DiffMode::Forward && !M.Records && structReturnParameter(*R.Fn)))
    return;
  if (handedBack(M, Tape)->isVoidTy())
    warn(DiagId::BadResultType, Place(*M.Call),
         describeCall(M) + ", but this derivative of " + describeFunction(*R.Fn) +
             " returns nothing; declare it to return 'void': gradients of memory are in the "
             "shadows");
  // Of the first half, often nothing but the tape is wanted.
  else if (R.Mode != DiffMode::Augment && !M.Records &&
           matchDeclared(M, Tape) == ResultMatch::First)
    warn(DiagId::ResultsDropped, Place(*M.Call),
         describeCall(M) + ", and gets only the first of: " + describeResult(M, Tape));
}

Error checkNoNullTape(const MarkerCall &M) {
  if (M.Allocated || M.TapeAddress ||
      none_of(M.Tape.Values, [](const Value *V) { return isa<ConstantPointerNull>(V); }))
    return Error::success();
  return diffError(DiagId::BadTape, Place(*M.Call),
                   "the tape of " + describeFunction(*M.Request.Fn) +
                       " is not empty, but the call passes a null pointer",
                   "pass the pointer that '__enzyme_augmentfwd' returned as the last argument");
}

Error checkTape(const MarkerCall &M, Type *Tape) {
  const DataLayout &DL = layoutOf(M);
  uint64_t Needed = Tape ? DL.getTypeAllocSize(Tape).getFixedValue() : 0;
  std::string Name = describeFunction(*M.Request.Fn);
  if (M.Allocated && !M.SizeOnly && *M.Allocated < Needed)
    return diffError(DiagId::TapeTooSmall, Place(*M.Call),
                     "the tape of " + Name + " needs " + Twine(Needed) +
                         " bytes, but 'enzyme_allocated' says " + Twine(*M.Allocated),
                     "ask '__enzyme_augmentsize' for the number, with the same markers");
  if ((M.Request.Mode == DiffMode::Augment || M.Records) && M.Allocated) {
    Error E = checkResult(M, Tape);
    if (!E)
      lintResult(M, Tape);
    return E;
  }
  if (M.Request.Mode == DiffMode::FromTape && Tape)
    if (Error E = checkNoNullTape(M))
      return E;
  bool TakesTape = M.Request.Mode == DiffMode::FromTape || M.FromRecord;
  if (!TakesTape || !M.Allocated || M.TapeAddress || !Tape)
    return Error::success();
  uint64_t Given = 0;
  for (const Value *V : M.Tape.Values)
    Given = alignTo(Given, 8) + DL.getTypeStoreSize(V->getType());
  if (M.Tape.InMemory ? true : Given >= Needed)
    return Error::success();
  return diffError(DiagId::TooFewArguments, Place(*M.Call),
                   "the tape of " + Name + " has " + Twine(Needed) + " bytes, but the call has " +
                       Twine(Given) + " bytes for it",
                   "pass the tape that '__enzyme_augmentfwd' returned as the last argument");
}

} // namespace isozyme
