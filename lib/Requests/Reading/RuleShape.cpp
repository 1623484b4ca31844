//===- RuleShape.cpp - What signatures of user's rules mean ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Never: guesses. What fits in no way is an error that says what was expected.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/RuleShape.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/ResultLayout.h"
#include "isozyme/Support/Diagnostics.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Target/GpuRuntime.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

UserFunction::UserFunction(Function &F) : Fn(F) {
  if (F.arg_size() && F.hasParamAttribute(0, Attribute::StructRet)) {
    FirstParam = 1;
    Result = F.getParamStructRetType(0);
  } else if (!F.getReturnType()->isVoidTy()) {
    Result = F.getReturnType();
  }
}

TypeList UserFunction::param(unsigned I) const {
  Type *ByValue = Fn.getParamByValType(I);
  return scalars({ByValue ? ByValue : Fn.getArg(I)->getType()});
}

TypeList UserFunction::scalars(ArrayRef<Type *> Of) const {
  TypeList All;
  for (Type *T : Of)
    for (const Leaf &L : leavesOf(T, Fn.getDataLayout()))
      All.push_back(L.Ty);
  return All;
}

bool isShadowedType(Type *T, bool Forward) {
  return defaultActivity(T, Forward ? DiffMode::Forward : DiffMode::Augment) == ArgActivity::Dup;
}

bool isSeededType(Type *T) { return defaultActivity(T, DiffMode::Augment) == ArgActivity::Active; }

/// Of a launcher, the name of the kernel.
static std::string shownName(const Function &F) {
  const Function &Shown = *launchedBy(F).Fn;
  return isKernelStub(Shown) ? kernelName(Shown) : Shown.getName().str();
}

namespace {

class RuleReader {
public:
  RuleReader(const DiffRequest &R, bool Forward) : F(*R.Fn), R(R), Forward(Forward) {}

  Expected<RuleShape> readReverse();
  Expected<RuleShape> readForward();
  Expected<RuleShape> readSplitForward();

private:
  void chooseResult(const UserFunction &First);
  Error readParameters(const UserFunction &U, unsigned &Next);
  Error readParameter(const UserFunction &U, unsigned I, unsigned &Next);
  Error readAllOf(const UserFunction &U, unsigned &Next);
  Error readAugmented(const UserFunction &U, ArrayRef<Type *> TapeParams);
  Error readTape(const UserFunction &First, const UserFunction &Second, ArrayRef<Type *> Taken);
  Error readGradients(const UserFunction &U);
  Error checkLanes() const;
  Error refuse(const Function &U, const Twine &What, const Twine &Fix) const {
    return withNote(diffError(DiagId::BadCustomRule, Place(*launchedBy(U).Fn),
                              "'" + shownName(U) + "' is registered for the derivative of '" +
                                  shownName(F) + "', but " + What,
                              Fix),
                    Place(*launchedBy(F).Fn), "the function that is differentiated");
  }

  Function &F;
  const DiffRequest &R;
  bool Forward;
  bool ByValueReturned = false; ///< Gradients of structs in memory are returned.
  RuleShape S;
};

} // namespace

/// Does \p F, with all that it calls, write memory that others see?
static bool mayWrite(Function &F, bool OnlyStores) {
  if (F.isDeclaration())
    return !OnlyStores && !F.onlyReadsMemory();
  return any_of(instructions(F), [&](Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (Store)
      return !isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()));
    return !OnlyStores && I.mayWriteToMemory();
  });
}

/// With several directions, each gets a call: all must find the same memory.
Error RuleReader::checkLanes() const {
  if (R.Width == 1)
    return Error::success();
  // Without addresses, only what it writes itself to global variables can be seen.
  bool HasPointers = any_of(F.args(), [](Argument &A) {
    return containsPointer(A.getType()) && !A.hasByValAttr() && !A.hasStructRetAttr();
  });
  bool Writes = !F.onlyReadsMemory() && mayWrite(F, /*OnlyStores=*/!HasPointers);
  if (Writes && F.hasStructRetAttr() && !F.isDeclaration())
    Writes = any_of(instructions(F), [&](Instruction &I) {
      auto *Store = dyn_cast<StoreInst>(&I);
      const Value *Object = Store ? getUnderlyingObject(Store->getPointerOperand()) : nullptr;
      if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
        Object = getUnderlyingObject(Copy->getDest());
      if (Object && (isa<AllocaInst>(Object) || Object == F.getArg(0)))
        return false;
      return HasPointers ? I.mayWriteToMemory() : Store != nullptr;
    });
  if (!Writes)
    return Error::success();
  return diffError(DiagId::BadCustomRule, Place(F),
                   "the registered derivative of '" + F.getName() +
                       "' is for one direction, and cannot be called once for each of " +
                       Twine(R.Width) + ", since the function may change memory",
                   "differentiate in one direction after the other");
}

/// A struct in memory is the result, unless the first of the user's functions takes it as
/// a parameter.
void RuleReader::chooseResult(const UserFunction &First) {
  S.Result = F.getReturnType()->isVoidTy() ? nullptr : F.getReturnType();
  if (!F.hasStructRetAttr())
    return;
  TypeList Struct = First.scalars({F.getParamStructRetType(0)}), Returned = First.result();
  if (Returned.size() < Struct.size())
    return;
  // { tape, result }, or { result, shadow or tangent }.
  ArrayRef<Type *> All = Returned;
  S.ReturnsStruct = All.take_back(Struct.size()) == ArrayRef(Struct);
  if (S.ReturnsStruct)
    S.Result = F.getParamStructRetType(0);
}

/// The number in the source of what begins at parameter \p I.
static unsigned numberOf(const Function &F, unsigned I) {
  unsigned Number = 1;
  for (unsigned At = F.hasStructRetAttr() + launchedBy(F).Configuration; At < I;
       At += std::max(structParts(F, At), 1u))
    ++Number;
  return Number;
}

/// Reads parameter \p I of the function, of which \p Next and those behind it are the
/// user's.
Error RuleReader::readParameter(const UserFunction &U, unsigned I, unsigned &Next) {
  RuleParam P;
  P.First = I;
  // A struct in several registers: the user's function knows best how it has been written.
  unsigned Here = structParts(F, I), There = structParts(U.Fn, Next);
  P.Count = There ? There : std::max(Here, 1u);
  P.InMemory = F.getParamByValType(I);
  auto fits = [&](unsigned Copy) {
    for (unsigned Part = 0; Part < P.Count; ++Part) {
      unsigned Own = I + Part, At = Next + Part;
      if (Own >= F.arg_size() || At >= U.Fn.arg_size() ||
          U.Fn.getArg(At)->getType() != F.getArg(Own)->getType())
        return false;
      Type *ByValue = U.Fn.getParamByValType(At);
      // A gradient that is added to a copy is lost.
      if (ByValue &&
          (!P.InMemory || (Copy && !Forward) || U.scalars({ByValue}) != U.scalars({P.InMemory})))
        return false;
    }
    return true;
  };
  for (unsigned Part = 0; Part < P.Count && I + Part < F.arg_size(); ++Part) {
    P.Shadowed |= isShadowedType(F.getArg(I + Part)->getType(), Forward);
    P.Seeded |= !Forward && isSeededType(F.getArg(I + Part)->getType());
  }
  if (P.InMemory && !Forward && ByValueReturned && isSeededType(P.InMemory)) {
    P.Shadowed = false;
    P.Seeded = true;
  }
  P.Seeded &= !P.Shadowed;
  for (unsigned Copy = 0; Copy < (P.Shadowed ? 2 : 1); ++Copy, Next += P.Count)
    if (!fits(Copy))
      return refuse(U.Fn,
                    "parameter " + Twine(numberOf(U.Fn, Next)) + " of it should be the " +
                        (Copy ? "shadow of" : "value of") + " parameter " + Twine(numberOf(F, I)) +
                        " of the function",
                    Forward ? "take a value and its tangent for each parameter that is a float "
                              "or a pointer, and a value for any other"
                            : "take a value and its shadow for each pointer, and a value for "
                              "any other parameter");
  S.Params.push_back(P);
  return Error::success();
}

Error RuleReader::readParameters(const UserFunction &U, unsigned &Next) {
  Next = U.FirstParam;
  S.Params.clear();
  for (unsigned I = S.ReturnsStruct; I < F.arg_size();) {
    if (Error E = readParameter(U, I, Next))
      return E;
    I += S.Params.back().Count;
  }
  return Error::success();
}

/// Parameters, and nothing else.
Error RuleReader::readAllOf(const UserFunction &U, unsigned &Next) {
  if (Error E = readParameters(U, Next))
    return E;
  if (Next == U.Fn.arg_size())
    return Error::success();
  if (Forward)
    return refuse(U.Fn, "it takes more arguments than values and tangents",
                  "take a value and its tangent for each parameter that is a float or a pointer, "
                  "and a value for any other");
  return refuse(U.Fn, "it takes more arguments than the function and shadows",
                "take a value and its shadow for each pointer, and a value for any other "
                "parameter");
}

/// Where the tape, the result and its shadow are in what the first half returns.
Error RuleReader::readAugmented(const UserFunction &U, ArrayRef<Type *> TapeParams) {
  TypeList Returned = U.result(), Result;
  if (S.Result)
    Result = U.scalars({S.Result});
  // A result of an integer's size and a tape may share a register.
  TypeList Parts(TapeParams);
  if (S.Result && U.Result && !TapeParams.empty()) {
    Parts.push_back(S.Result);
    Type *Unpacked = StructType::get(F.getContext(), Parts);
    if (matchResult(Unpacked, U.Result, F.getDataLayout()) == ResultMatch::ByMemory) {
      S.Unpacked = Unpacked;
      Returned = U.scalars({Unpacked});
    }
  }
  bool Shadowed = S.Result && isShadowedType(S.Result, false);
  unsigned Count = Result.size();
  auto isResultAt = [&](unsigned At) {
    return At + Count <= Returned.size() && ArrayRef(Returned).slice(At, Count) == ArrayRef(Result);
  };
  unsigned Total = Returned.size();
  bool Twice = Total >= 2 * Count && isResultAt(Total - Count) && isResultAt(Total - 2 * Count);
  if (!Count) {
    S.ResultAt = Total;
  } else if (Total == Count && isResultAt(0)) {
    S.ResultAt = 0;
  } else if (Twice && (Shadowed || (TapeParams.empty() && Total == 2 * Count))) {
    S.ResultAt = Total - 2 * Count;
    S.HasShadow = true;
  } else if (Total > Count && isResultAt(Total - Count)) {
    S.ResultAt = Total - Count;
  } else {
    return refuse(U.Fn, "it does not return the result of the function",
                  "return what the function returns, behind a tape if there is one");
  }
  S.Tape.assign(Returned.begin(), Returned.begin() + S.ResultAt);
  return Error::success();
}

/// Is what the first half returns the tape that the second takes? A null pointer stands for that
/// of a first half that returns nothing at all:
///
///   void augmented_f(double *p, double *dp)
///   void reverse_f(double *p, double *dp, void *tape)
Error RuleReader::readTape(const UserFunction &First, const UserFunction &Second,
                           ArrayRef<Type *> Taken) {
  if (Error E = readAugmented(First, Taken))
    return E;
  if (Taken.empty())
    S.Tape.clear(); // The second half does not want it.
  S.TapeIsNull = !First.Result && Taken.size() == 1 && Taken.front()->isPointerTy();
  if (Taken == ArrayRef(S.Tape) || S.TapeIsNull)
    return Error::success();
  return refuse(Second.Fn,
                "its last argument is not the tape that '" + First.Fn.getName() + "' returns",
                Forward ? "take it behind the values and tangents"
                        : "take the seed behind the arguments, and then the tape");
}

/// Structs have their integers in a gradient of the same type, or are left out of it.
Error RuleReader::readGradients(const UserFunction &U) {
  if (U.Fn.hasFnAttribute(marking::NoGradients))
    for (auto [I, A] : enumerate(R.Args))
      if (A == ArgActivity::Active)
        return refuse(U.Fn,
                      "parameter " + Twine(numberOf(F, I)) +
                          " is a number that takes part, and a kernel returns no gradient of it",
                      "register a function of the host that launches the kernel and returns the "
                      "gradient, or pass the number in memory of the GPU");
  TypeList Returned = U.result(), All, Floats;
  for (const RuleParam &P : S.Params)
    for (unsigned Part = 0; P.Seeded && Part < P.Count; ++Part) {
      Type *T = P.InMemory ? P.InMemory : F.getArg(P.First + Part)->getType();
      for (Type *Scalar : U.scalars({T})) {
        All.push_back(Scalar);
        if (Scalar->isFloatingPointTy())
          Floats.push_back(Scalar);
      }
    }
  S.GradientsOfIntegers = Returned == All;
  if (Returned == All || Returned == Floats)
    return Error::success();
  return refuse(
      U.Fn,
      Floats.size() == 1
          ? "it does not return the gradient of the one parameter that is a float"
          : "it does not return the gradients of " + Twine(Floats.size()) + " numbers",
      Floats.size() == 1
          ? "return one number of the type of that parameter"
          : "return a struct of the gradients of the parameters that are floats, in order");
}

/// Does anything look at parameter \p I? Unoptimised code puts it into a local variable.
static bool isUsed(Function &F, unsigned I) {
  if (F.isDeclaration())
    return false; // It will find that it is null.
  return any_of(F.getArg(I)->users(), [](User *U) {
    auto *Store = dyn_cast<StoreInst>(U);
    auto *Slot = Store ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
    return !Slot || !all_of(Slot->users(), [&](User *Other) { return Other == Store; });
  });
}

/// Does \p U use the shadow of a pointer that is constant in this request, and never look
/// whether it is the pointer itself?
static void warnOfOwnShadows(const DiffRequest &R, const RuleShape &S, const UserFunction &U) {
  bool Compares = any_of(instructions(U.Fn), [](const Instruction &I) {
    return isa<ICmpInst>(I) && I.getOperand(0)->getType()->isPointerTy();
  });
  unsigned At = U.FirstParam;
  for (const RuleParam &P : S.Params) {
    At += P.Count;
    for (unsigned I = P.First; P.Shadowed && I < P.First + P.Count; ++I, ++At)
      if (!P.InMemory && (!R.hasShadow(I) || R.checkOf(I) != ShadowCheck::None) && !Compares &&
          U.Fn.getArg(At)->getType()->isPointerTy() && isUsed(U.Fn, At)) {
        warn(DiagId::ShadowIsPrimal, Place(U.Fn),
             "'" + U.Fn.getName() + "' uses shadows, and '" + R.Fn->getName() +
                 "' is called with memory that is constant, whose shadow is the memory itself; "
                 "compare the two addresses first");
        return;
      }
  }
}

/// Of numbers, each result may depend on each argument. What a registered derivative does
/// with memory, masks cannot show: it computes with tangents.
static Error checkDependence(const DiffRequest &R) {
  Type *Ret = R.Fn->getReturnType();
  bool InMemory = R.Return == ReturnActivity::Dup && containsPointer(Ret);
  for (Argument &Arg : R.Fn->args())
    InMemory |= R.hasShadow(Arg.getArgNo()) && containsPointer(Arg.getType());
  if (!InMemory)
    return Error::success();
  return withNote(diffError(DiagId::HiddenDependence, Place(*R.Fn),
                            "'" + R.Fn->getName() +
                                "' works on memory and has a registered "
                                "derivative, which hides what depends on what",
                            "find the pattern of a function that does not call it, or give "
                            "the pattern yourself"),
                  Place(*customRules(*R.Fn).Forward), "the derivative");
}

Expected<RuleShape> RuleReader::readReverse() {
  CustomRules Rules = customRules(F);
  UserFunction Augment(*Rules.Augment), Reverse(*Rules.Reverse);
  chooseResult(Augment);
  if (Error E = checkLanes())
    return std::move(E);
  unsigned Next = 0;
  if (Error E = readAllOf(Augment, Next)) {
    // Gradients of structs in memory are returned, or a pointer to the shadow is taken.
    ByValueReturned = true;
    if (Error Again = readAllOf(Augment, Next)) {
      consumeError(std::move(Again));
      return std::move(E);
    }
    consumeError(std::move(E));
  }
  if (Error E = readParameters(Reverse, Next))
    return std::move(E);
  TypeList Seed;
  if (S.Result && isSeededType(S.Result))
    Seed = Reverse.scalars({S.Result});
  S.TakesSeed = !Seed.empty();
  TypeList Given;
  while (Given.size() < Seed.size() && Next < Reverse.Fn.arg_size())
    append_range(Given, Reverse.param(Next++));
  if (Given != Seed)
    return refuse(Reverse.Fn, "it does not take the derivative of the result",
                  "take the seed behind the arguments, and then the tape");
  S.TapeParam = Next;
  TypeList Tape;
  for (; Next < Reverse.Fn.arg_size(); ++Next)
    append_range(Tape, Reverse.param(Next));
  if (Error E = readTape(Augment, Reverse, Tape))
    return std::move(E);
  if (Error E = readGradients(Reverse))
    return std::move(E);
  warnOfOwnShadows(R, S, Reverse);
  return std::move(S);
}

Expected<RuleShape> RuleReader::readForward() {
  UserFunction U(*customRules(F).Forward);
  chooseResult(U);
  if (Error E = checkLanes())
    return std::move(E);
  unsigned Next = 0;
  if (Error E = readAllOf(U, Next))
    return std::move(E);
  TypeList Wanted;
  if (S.Result)
    Wanted = U.scalars({S.Result});
  S.HasTangent = S.Result && isShadowedType(S.Result, true);
  if (S.HasTangent)
    append_range(Wanted, U.scalars({S.Result}));
  if (U.result() != Wanted)
    return refuse(U.Fn,
                  S.HasTangent ? "it does not return the result and its tangent"
                               : "it does not return what the function returns",
                  S.HasTangent ? "return a struct of the two" : "return just that");
  if (!R.Dependence)
    warnOfOwnShadows(R, S, U);
  else if (Error E = checkDependence(R))
    return std::move(E);
  return std::move(S);
}

Expected<RuleShape> RuleReader::readSplitForward() {
  CustomRules Rules = customRules(F);
  UserFunction Augment(*Rules.SplitAugment), Second(*Rules.SplitForward);
  chooseResult(Augment);
  Forward = false;
  unsigned Next = 0;
  if (Error E = readAllOf(Augment, Next))
    return std::move(E);
  unsigned At = Augment.FirstParam;
  for (const RuleParam &P : S.Params) {
    At += P.Count;
    for (unsigned Part = 0; P.Shadowed && Part < P.Count; ++Part, ++At)
      if (isUsed(Augment.Fn, At))
        return refuse(Augment.Fn,
                      "it uses the shadow of parameter " + Twine(numberOf(F, P.First)) +
                          ", which is not known when the function runs",
                      "use it in '" + Second.Fn.getName() + "'");
  }
  Forward = true;
  S.FirstParams = S.Params;
  if (Error E = readParameters(Second, Next))
    return std::move(E);
  S.TapeParam = Next;
  TypeList Tape, Tangent;
  for (; Next < Second.Fn.arg_size(); ++Next)
    append_range(Tape, Second.param(Next));
  if (Error E = readTape(Augment, Second, Tape))
    return std::move(E);
  if (S.HasShadow)
    return refuse(Augment.Fn,
                  "it returns the shadow of the result, which is not known when the "
                  "function runs",
                  "return the tape and the result, and the shadow by '" + Second.Fn.getName() +
                      "'");
  S.HasTangent = S.Result && isShadowedType(S.Result, true);
  if (S.HasTangent)
    Tangent = Second.scalars({S.Result});
  if (Second.result() != Tangent)
    return refuse(Second.Fn,
                  S.HasTangent ? "it does not return the tangent of the result alone"
                               : "it returns something, where there is no tangent",
                  "return the tangent, and nothing where the function returns no number");
  return std::move(S);
}

Expected<RuleShape> readReverseRule(const DiffRequest &R) {
  return RuleReader(R, /*Forward=*/false).readReverse();
}

Expected<RuleShape> readForwardRule(const DiffRequest &R) {
  return RuleReader(R, /*Forward=*/true).readForward();
}

Expected<RuleShape> readSplitForwardRule(const DiffRequest &R) {
  return RuleReader(R, /*Forward=*/true).readSplitForward();
}

} // namespace isozyme
