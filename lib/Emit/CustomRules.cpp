//===- CustomRules.cpp - Derivatives that the user has written ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a request, and the functions registered for its function. Out: adapters with the
// signature of the request. The user's functions are compared scalar by scalar, since an
// ABI passes structs in many ways (registers, memory, vectors).
//
// What a request holds constant is passed all the same: a float as if it were active, its
// gradient dropped; a tangent of zero; a pointer as its own shadow. With several
// directions the user's functions are called once for each.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/CustomRules.h"
#include "Sweeps.h"
#include "isozyme/Requests/ResultLayout.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

using Types = SmallVector<Type *, 8>;

/// A function of the user's, without what the ABI adds to it.
struct UserFunction {
  Function &Fn;
  unsigned FirstParam = 0; ///< Behind the buffer for the result.
  Type *Result = nullptr;  ///< Null: nothing.

  explicit UserFunction(Function &F) : Fn(F) {
    if (F.arg_size() && F.hasParamAttribute(0, Attribute::StructRet)) {
      FirstParam = 1;
      Result = F.getParamStructRetType(0);
    } else if (!F.getReturnType()->isVoidTy()) {
      Result = F.getReturnType();
    }
  }
  Types result() const { return Result ? scalars({Result}) : Types(); }
  /// The scalars that parameter \p I holds.
  Types param(unsigned I) const {
    Type *ByValue = Fn.getParamByValType(I);
    return scalars({ByValue ? ByValue : Fn.getArg(I)->getType()});
  }
  Types scalars(ArrayRef<Type *> Of) const {
    Types All;
    for (Type *T : Of)
      for (const Leaf &L : leavesOf(T, Fn.getDataLayout()))
        All.push_back(L.Ty);
    return All;
  }
};

/// What the signatures of a registered reverse derivative say.
struct ReverseShape {
  Types Tape;                  ///< Its scalars.
  unsigned ResultAt = 0;       ///< Where the scalars of the result begin.
  bool HasShadow = false;      ///< The shadow of the result follows it.
  unsigned TapeParam = 0;      ///< The first parameter of the second half that is the tape.
  bool TakesSeed = false;
};

class RuleReader {
public:
  RuleReader(const DiffRequest &R) : F(*R.Fn), R(R) {}

  Expected<ReverseShape> readReverse();
  /// Is the result of the forward rule { result, tangent }, and not the result alone?
  Expected<bool> readForward();

private:
  Error readParameters(const UserFunction &U, bool Forward, unsigned &Next);
  Error readAugmented(const UserFunction &U, bool TakesTape, ReverseShape &S);
  Error checkLanes() const;
  Error refuse(const Function &U, const Twine &What, const Twine &Fix) const {
    return withNote(diffError(DiagId::BadCustomRule, Place(U),
                              "'" + U.getName() + "' is registered for the derivative of '" +
                                  F.getName() + "', but " + What,
                              Fix),
                    Place(F), "the function that is differentiated");
  }

  Function &F;
  const DiffRequest &R;
};

} // namespace

static bool isShadowed(Type *T, bool Forward) {
  return defaultActivity(T, Forward ? DiffMode::Forward : DiffMode::Augment) == ArgActivity::Dup;
}

static bool isSeeded(Type *T) {
  return defaultActivity(T, DiffMode::Augment) == ArgActivity::Active;
}

Error RuleReader::readParameters(const UserFunction &U, bool Forward, unsigned &Next) {
  Next = U.FirstParam;
  for (Argument &A : F.args())
    for (unsigned Copy = 0; Copy < (isShadowed(A.getType(), Forward) ? 2 : 1); ++Copy) {
      if (Next >= U.Fn.arg_size() || U.Fn.getArg(Next)->getType() != A.getType())
        return refuse(U.Fn,
                      "parameter " + Twine(Next - U.FirstParam + 1) + " of it should be the " +
                          (Copy ? "shadow of" : "value of") + " parameter " +
                          Twine(A.getArgNo() + 1) + " of the function",
                      Forward ? "take a value and its tangent for each parameter that is a float "
                                "or a pointer, and a value for any other"
                              : "take a value and its shadow for each pointer, and a value for "
                                "any other parameter");
      ++Next;
    }
  return Error::success();
}

/// With several directions, each gets a call: all must find the same memory.
Error RuleReader::checkLanes() const {
  if (R.Width == 1 || none_of(F.args(), [](Argument &A) { return containsPointer(A.getType()); }))
    return Error::success();
  bool Writes = !F.onlyReadsMemory();
  if (Writes && !F.isDeclaration())
    Writes = any_of(instructions(F), [](Instruction &I) {
      auto *Store = dyn_cast<StoreInst>(&I);
      return I.mayWriteToMemory() &&
             !(Store && isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand())));
    });
  if (!Writes)
    return Error::success();
  return diffError(DiagId::BadCustomRule, Place(F),
                   "the registered derivative of '" + F.getName() +
                       "' is for one direction, and cannot be called once for each of " +
                       Twine(R.Width) + ", since the function may change memory",
                   "differentiate in one direction after the other");
}

/// Where the tape, the result and its shadow are in what the first half returns.
Error RuleReader::readAugmented(const UserFunction &U, bool TakesTape, ReverseShape &S) {
  Types Returned = U.result();
  Types Result;
  if (!F.getReturnType()->isVoidTy())
    Result = U.scalars({F.getReturnType()});
  bool Shadowed = !Result.empty() && isShadowed(F.getReturnType(), false);
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
  } else if (Twice && (Shadowed || (!TakesTape && Total == 2 * Count))) {
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

Expected<ReverseShape> RuleReader::readReverse() {
  CustomRules Rules = customRules(F);
  UserFunction Augment(*Rules.Augment), Reverse(*Rules.Reverse);
  if (F.hasStructRetAttr())
    return refuse(*Rules.Augment, "the function returns a struct in memory",
                  "let it take a pointer to its result");
  if (Error E = checkLanes())
    return std::move(E);
  ReverseShape S;
  unsigned Next = 0;
  if (Error E = readParameters(Augment, false, Next))
    return std::move(E);
  if (Next != Augment.Fn.arg_size())
    return refuse(Augment.Fn, "it takes more arguments than the function and shadows",
                  "take a value and its shadow for each pointer, and a value for any other "
                  "parameter");
  if (Error E = readParameters(Reverse, false, Next))
    return std::move(E);
  Types Seed;
  if (!F.getReturnType()->isVoidTy() && isSeeded(F.getReturnType()))
    Seed = Reverse.scalars({F.getReturnType()});
  S.TakesSeed = !Seed.empty();
  Types Given;
  while (Given.size() < Seed.size() && Next < Reverse.Fn.arg_size())
    append_range(Given, Reverse.param(Next++));
  if (Given != Seed)
    return refuse(Reverse.Fn, "it does not take the derivative of the result",
                  "take the seed behind the arguments, and then the tape");
  S.TapeParam = Next;
  if (Error E = readAugmented(Augment, Next < Reverse.Fn.arg_size(), S))
    return std::move(E);
  Types Tape, Gradients;
  for (; Next < Reverse.Fn.arg_size(); ++Next)
    append_range(Tape, Reverse.param(Next));
  if (Tape.empty())
    S.Tape.clear(); // The second half does not want it.
  if (Tape != S.Tape)
    return refuse(Reverse.Fn, "its last argument is not the tape that '" + Augment.Fn.getName() +
                                  "' returns",
                  "take the seed behind the arguments, and then the tape");
  for (Argument &A : F.args())
    if (isSeeded(A.getType()))
      append_range(Gradients, Reverse.scalars({A.getType()}));
  if (Reverse.result() != Gradients)
    return refuse(Reverse.Fn, "it does not return the gradients of " + Twine(Gradients.size()) +
                                  " numbers",
                  "return a struct of the gradients of the parameters that are floats, in order");
  return S;
}

Expected<bool> RuleReader::readForward() {
  UserFunction U(*customRules(F).Forward);
  if (F.hasStructRetAttr())
    return refuse(U.Fn, "the function returns a struct in memory",
                  "let it take a pointer to its result");
  if (Error E = checkLanes())
    return std::move(E);
  unsigned Next = 0;
  if (Error E = readParameters(U, true, Next))
    return std::move(E);
  if (Next != U.Fn.arg_size())
    return refuse(U.Fn, "it takes more arguments than values and tangents",
                  "take a value and its tangent for each parameter that is a float or a pointer, "
                  "and a value for any other");
  Types Result;
  if (!F.getReturnType()->isVoidTy())
    Result = U.scalars({F.getReturnType()});
  bool Shadowed = !Result.empty() && isShadowed(F.getReturnType(), true);
  Types Wanted = Result;
  if (Shadowed)
    append_range(Wanted, Result);
  if (U.result() != Wanted)
    return refuse(U.Fn, Shadowed ? "it does not return the result and its tangent"
                                 : "it does not return what the function returns",
                  Shadowed ? "return a struct of the two" : "return just that");
  return Shadowed;
}

namespace {

/// The parts of an adapter that are the same for all of them.
class Adapter {
public:
  Adapter(Function &Shell, const DiffRequest &R);

  /// The arguments of the function as the user's function takes them.
  SmallVector<Value *, 16> interleaved(unsigned Lane, bool Forward);
  /// Calls it, and returns the scalars of its result.
  SmallVector<Value *, 8> call(Function &Fn, ArrayRef<Value *> Args);
  /// Appends the parameters of \p U from number \p First on, made of \p Scalars.
  void appendParams(const UserFunction &U, unsigned First, unsigned Last,
                    ArrayRef<Value *> Scalars, SmallVectorImpl<Value *> &Args);
  void finish(ArrayRef<Value *> Members);

  Function &Shell;
  const DiffRequest &R;
  IRBuilder<> B;
  SmallVector<Value *, 8> Primals;
  SmallVector<Lanes, 8> Shadows;
  SmallVector<Value *, 2> Rest; ///< Seed and tape.
};

} // namespace

Adapter::Adapter(Function &Shell, const DiffRequest &R)
    : Shell(Shell), R(R), B(BasicBlock::Create(Shell.getContext(), "entry", &Shell)) {
  auto *Next = Shell.arg_begin();
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    Primals.push_back(Next++);
    Shadows.emplace_back();
    for (unsigned Lane = 0; R.hasShadow(I) && Lane < R.Width; ++Lane)
      Shadows.back().push_back(Next++);
  }
  while (Next != Shell.arg_end())
    Rest.push_back(Next++);
}

SmallVector<Value *, 16> Adapter::interleaved(unsigned Lane, bool Forward) {
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < Primals.size(); ++I) {
    Type *T = Primals[I]->getType();
    Args.push_back(Primals[I]);
    if (!isShadowed(T, Forward))
      continue;
    if (R.hasShadow(I))
      Args.push_back(Shadows[I][Lane]);
    else
      Args.push_back(containsPointer(T) ? Primals[I] : Constant::getNullValue(T));
  }
  return Args;
}

SmallVector<Value *, 8> Adapter::call(Function &Fn, ArrayRef<Value *> Args) {
  UserFunction U(Fn);
  SmallVector<Value *, 16> All;
  Value *Buffer = nullptr;
  if (U.FirstParam) {
    Buffer = createTemporary(B, U.Result, Fn.getParamAlign(0), "result");
    All.push_back(Buffer);
  }
  append_range(All, Args);
  CallInst *Call = B.CreateCall(&Fn, All);
  Call->setCallingConv(Fn.getCallingConv());
  // How arguments are passed is said at the call as well.
  SmallVector<AttributeSet, 8> Params;
  for (unsigned I = 0; I < Fn.arg_size(); ++I)
    Params.push_back(Fn.getAttributes().getParamAttrs(I));
  Call->setAttributes(
      AttributeList::get(Fn.getContext(), {}, Fn.getAttributes().getRetAttrs(), Params));
  if (!U.Result)
    return {};
  return scalarsOf(B, Buffer ? B.CreateLoad(U.Result, Buffer) : static_cast<Value *>(Call));
}

void Adapter::appendParams(const UserFunction &U, unsigned First, unsigned Last,
                           ArrayRef<Value *> Scalars, SmallVectorImpl<Value *> &Args) {
  for (unsigned I = First; I < Last; ++I) {
    unsigned Count = U.param(I).size();
    Type *ByValue = U.Fn.getParamByValType(I);
    Value *V = fromScalars(B, ByValue ? ByValue : U.Fn.getArg(I)->getType(),
                           Scalars.take_front(Count));
    Scalars = Scalars.drop_front(Count);
    if (ByValue) {
      Value *Slot = createTemporary(B, ByValue, U.Fn.getParamAlign(I), "by.value");
      B.CreateStore(V, Slot);
      V = Slot;
    }
    Args.push_back(V);
  }
}

void Adapter::finish(ArrayRef<Value *> Members) {
  Type *T = Shell.getReturnType();
  if (T->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  Value *All = PoisonValue::get(T);
  for (auto [I, V] : enumerate(Members))
    All = B.CreateInsertValue(All, V, unsigned(I));
  B.CreateRet(All);
}

Expected<Type *> customTape(const DiffRequest &R) {
  Expected<ReverseShape> S = RuleReader(R).readReverse();
  if (!S)
    return S.takeError();
  if (S->Tape.empty())
    return nullptr;
  return laneType(StructType::get(R.Fn->getContext(), S->Tape), R.Width);
}

void emitCustomAugment(Function &Shell, const DiffRequest &R) {
  ReverseShape S = cantFail(RuleReader(R).readReverse());
  Adapter A(Shell, R);
  Type *Ret = R.Fn->getReturnType();
  Value *Primal = nullptr;
  Lanes ResultShadows, Tapes;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    SmallVector<Value *, 8> Given =
        A.call(*customRules(*R.Fn).Augment, A.interleaved(Lane, /*Forward=*/false));
    ArrayRef<Value *> All = Given;
    unsigned Count = Ret->isVoidTy() ? 0 : leavesOf(Ret, Shell.getDataLayout()).size();
    if (Count && !Primal)
      Primal = fromScalars(A.B, Ret, All.slice(S.ResultAt, Count));
    if (R.Return == ReturnActivity::Dup)
      ResultShadows.push_back(S.HasShadow
                                  ? fromScalars(A.B, Ret, All.slice(S.ResultAt + Count, Count))
                                  : Primal);
    if (!S.Tape.empty())
      Tapes.push_back(
          fromScalars(A.B, StructType::get(A.B.getContext(), S.Tape), All.take_front(S.ResultAt)));
  }
  SmallVector<Value *, 3> Members;
  if (Primal)
    Members.push_back(Primal);
  if (!ResultShadows.empty())
    Members.push_back(joinLanes(A.B, ResultShadows));
  if (!Tapes.empty())
    Members.push_back(joinLanes(A.B, Tapes));
  A.finish(Members);
}

void emitCustomFromTape(Function &Shell, const DiffRequest &R) {
  ReverseShape S = cantFail(RuleReader(R).readReverse());
  Adapter A(Shell, R);
  UserFunction U(*customRules(*R.Fn).Reverse);
  Type *Ret = R.Fn->getReturnType();
  ArrayRef<Value *> Rest = A.Rest;
  Lanes Seeds, Tapes;
  if (R.Return == ReturnActivity::Active) {
    Seeds = splitLanes(A.B, Rest.front(), R.Width);
    Rest = Rest.drop_front();
  } else if (S.TakesSeed) {
    Seeds.assign(R.Width, Constant::getNullValue(Ret));
  }
  if (!S.Tape.empty())
    Tapes = splitLanes(A.B, Rest.front(), R.Width);
  SmallVector<Lanes, 8> Gradients(R.Args.size());
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    SmallVector<Value *, 16> Args = A.interleaved(Lane, /*Forward=*/false);
    unsigned Next = U.FirstParam + unsigned(Args.size());
    if (S.TakesSeed)
      A.appendParams(U, Next, S.TapeParam, scalarsOf(A.B, Seeds[Lane]), Args);
    if (!S.Tape.empty())
      A.appendParams(U, S.TapeParam, unsigned(U.Fn.arg_size()), scalarsOf(A.B, Tapes[Lane]), Args);
    SmallVector<Value *, 8> Given = A.call(U.Fn, Args);
    ArrayRef<Value *> Left = Given;
    for (Argument &P : R.Fn->args()) {
      if (!isSeeded(P.getType()))
        continue;
      unsigned Count = leavesOf(P.getType(), Shell.getDataLayout()).size();
      if (R.Args[P.getArgNo()] == ArgActivity::Active)
        Gradients[P.getArgNo()].push_back(
            fromScalars(A.B, P.getType(), Left.take_front(Count)));
      Left = Left.drop_front(Count);
    }
  }
  SmallVector<Value *, 4> Members;
  for (const Lanes &L : Gradients)
    if (!L.empty())
      Members.push_back(joinLanes(A.B, L));
  A.finish(Members);
}

Error emitCustomForward(Function &Shell, const DiffRequest &R) {
  Expected<bool> HasTangent = RuleReader(R).readForward();
  if (!HasTangent)
    return HasTangent.takeError();
  Adapter A(Shell, R);
  Type *Ret = R.Fn->getReturnType();
  Value *Primal = nullptr;
  Lanes Tangents;
  for (unsigned Lane = 0; Lane < R.Width; ++Lane) {
    SmallVector<Value *, 8> Given =
        A.call(*customRules(*R.Fn).Forward, A.interleaved(Lane, /*Forward=*/true));
    if (Ret->isVoidTy())
      continue;
    ArrayRef<Value *> All = Given;
    unsigned Count = leavesOf(Ret, Shell.getDataLayout()).size();
    if (!Primal)
      Primal = fromScalars(A.B, Ret, All.take_front(Count));
    if (*HasTangent)
      Tangents.push_back(fromScalars(A.B, Ret, All.drop_front(Count)));
  }
  SmallVector<Value *, 2> Members;
  if (R.ReturnPrimal)
    Members.push_back(Primal);
  if (R.Return == ReturnActivity::Dup)
    Members.push_back(joinLanes(A.B, Tangents));
  A.finish(Members);
  return Error::success();
}

void emitCombined(Function &Shell, const DiffRequest &R, const SplitPair &Pair) {
  IRBuilder<> B(BasicBlock::Create(Shell.getContext(), "entry", &Shell));
  SmallVector<Value *, 16> Args(llvm::make_pointer_range(Shell.args()));
  SmallVector<Value *, 16> First = Args;
  if (R.Return == ReturnActivity::Active)
    First.pop_back();
  CallInst *Both = B.CreateCall(Pair.Augment, First);
  SmallVector<Value *, 4> Members;
  if (R.ReturnPrimal)
    Members.push_back(B.CreateExtractValue(Both, 0));
  if (Pair.Tape)
    Args.push_back(B.CreateExtractValue(Both, Both->getType()->getStructNumElements() - 1));
  CallInst *Gradients = B.CreateCall(Pair.FromTape, Args);
  if (!Gradients->getType()->isVoidTy())
    for (unsigned I = 0; I < Gradients->getType()->getStructNumElements(); ++I)
      Members.push_back(B.CreateExtractValue(Gradients, I));
  if (Shell.getReturnType()->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  Value *All = PoisonValue::get(Shell.getReturnType());
  for (auto [I, V] : enumerate(Members))
    All = B.CreateInsertValue(All, V, unsigned(I));
  B.CreateRet(All);
}

} // namespace isozyme
