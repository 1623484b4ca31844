//===- DenseCalls.cpp - __enzyme_todense ----------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   double *p = __enzyme_todense(load, store, extra...);
//
// gives a pointer that may be passed to a derivative as if there were memory behind it.
// When all derivatives exist, each access through it becomes a call of `load` or
// `store`. Functions that it is passed to get versions of their own.
//
//===----------------------------------------------------------------------===//
#include "PretendPointer.h"
#include "Reading/ArgumentTypes.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Requests/PlainCalls.h"
#include "isozyme/Support/InternalCopy.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace isozyme {

namespace {

class DenseLowering {
public:
  explicit DenseLowering(Module &M) : M(M) {}
  Error lower(CallBase &Call);

private:
  Expected<DenseSource> read(CallBase &Call) const;
  Error checkFunction(const CallBase &Call, const Function &F, ArrayRef<Type *> First,
                      const DenseSource &S) const;
  Expected<Function *> versionOf(Function &F, unsigned Number, const DenseSource &S);
  Error rewrite(Instruction &Root, Value *Offset, const DenseSource &S);

  struct Key {
    Function *Fn;
    unsigned Number;
    Function *Load, *Store;
    SmallVector<Type *, 4> Extras;
    bool operator==(const Key &) const = default;
  };
  Module &M;
  SmallVector<std::pair<Key, Function *>, 8> Versions;
};

} // namespace

/// Does \p F take \p First, then the extras?
Error DenseLowering::checkFunction(const CallBase &Call, const Function &F, ArrayRef<Type *> First,
                                   const DenseSource &S) const {
  auto fail = [&](const Twine &What) {
    return diffError(DiagId::BadTodense, Place(Call), describeFunction(F) + " " + What,
                     "declare 'T load(int64_t offset, extra...)' and 'void store(T value, int64_t "
                     "offset, extra...)'");
  };
  FunctionType *T = F.getFunctionType();
  if (T->getNumParams() != First.size() + S.Extras.size() || T->isVarArg())
    return fail("takes " + Twine(T->getNumParams()) + " arguments, but '__enzyme_todense' calls " +
                "it with " + Twine(First.size() + S.Extras.size()));
  for (unsigned I = 0; I < T->getNumParams(); ++I) {
    bool Fits = I < First.size() ? T->getParamType(I) == First[I]
                                 : canPass(S.Extras[I - First.size()], T->getParamType(I));
    if (!Fits)
      return fail(
          "has " + describeType(T->getParamType(I)) + " for argument " + Twine(I + 1) +
          ", but '__enzyme_todense' has " +
          describeType(I < First.size() ? First[I] : S.Extras[I - First.size()]->getType()));
  }
  return Error::success();
}

Expected<DenseSource> DenseLowering::read(CallBase &Call) const {
  auto fail = [&](const Twine &What, const Twine &Fix) {
    return diffError(DiagId::BadTodense, Place(Call), What, Fix);
  };
  StringRef Usage = "write __enzyme_todense(load, store, ...), where ... is passed on to both";
  if (!Call.getType()->isPointerTy())
    return fail("'__enzyme_todense' is declared to return " + describeType(Call.getType()),
                "declare it to return a pointer to the numbers");
  if (Call.arg_size() < 2)
    return fail("'__enzyme_todense' needs two functions, to load and to store with", Usage);
  DenseSource S;
  S.Load = tracedFunction(Call.getArgOperand(0));
  S.Store = tracedFunction(Call.getArgOperand(1));
  if (!S.Load || !S.Store)
    return fail(Twine(S.Load ? "the second" : "the first") +
                    " argument of '__enzyme_todense' is not a function that is known here",
                Usage);
  append_range(S.Extras, drop_begin(Call.args(), 2));
  Type *T = S.element(), *Offset = Type::getInt64Ty(M.getContext());
  if (!T->isFloatingPointTy() && !T->isIntegerTy())
    return fail(describeFunction(*S.Load) + " returns " + describeType(T) + ", not a number",
                "let it return the number at the offset that it is given");
  if (Error E = checkFunction(Call, *S.Load, {Offset}, S))
    return std::move(E);
  if (Error E = checkFunction(Call, *S.Store, {T, Offset}, S))
    return std::move(E);
  return S;
}

/// What is said of a function that calls nothing may not hold of its version.
static void weakenAttributes(Function &F) {
  for (Attribute::AttrKind Kind : {Attribute::Memory, Attribute::NoFree, Attribute::NoSync,
                                   Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoRecurse,
                                   Attribute::Speculatable, Attribute::NoCallback})
    F.removeFnAttr(Kind);
  for (Argument &A : F.args())
    for (Attribute::AttrKind Kind : {Attribute::NoAlias, Attribute::ReadOnly, Attribute::ReadNone,
                                     Attribute::WriteOnly, Attribute::Captures})
      A.removeAttr(Kind);
}

/// R f(A, ptr p, B)  ->  R f.dense(A, i64 offset, B, extras...)
Expected<Function *> DenseLowering::versionOf(Function &F, unsigned Number, const DenseSource &S) {
  Key K{&F, Number, S.Load, S.Store, {}};
  for (Value *V : S.Extras)
    K.Extras.push_back(V->getType());
  for (auto &[Known, Version] : Versions)
    if (Known == K)
      return Version;
  SmallVector<Type *, 8> Params(F.getFunctionType()->params());
  Params[Number] = Type::getInt64Ty(M.getContext());
  append_range(Params, K.Extras);
  Function *New = Function::Create(FunctionType::get(F.getReturnType(), Params, false),
                                   GlobalValue::InternalLinkage, F.getName() + ".dense", M);
  Versions.emplace_back(K, New);

  Instruction *Pointer = new FreezeInst(PoisonValue::get(F.getArg(Number)->getType()));
  ValueToValueMapTy Map;
  for (Argument &A : F.args()) {
    New->getArg(A.getArgNo())->setName(A.getName());
    Map[&A] = A.getArgNo() == Number ? static_cast<Value *>(Pointer) : New->getArg(A.getArgNo());
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(New, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  becomeInternal(*New);
  weakenAttributes(*New);
  Pointer->insertBefore(New->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  DenseSource Inside{S.Load, S.Store, {}};
  for (unsigned I = 0; I < S.Extras.size(); ++I)
    Inside.Extras.push_back(New->getArg(F.arg_size() + I));
  if (Error E = rewrite(*Pointer, New->getArg(Number), Inside))
    return std::move(E);
  if (Pointer->use_empty())
    Pointer->eraseFromParent();
  return New;
}

/// Locals that the pointer is kept in become values, as in unoptimised code.
static void promoteHolders(Instruction &Root) {
  SmallVector<AllocaInst *, 2> Holders;
  for (User *U : Root.users())
    if (auto *Store = dyn_cast<StoreInst>(U); Store && Store->getValueOperand() == &Root)
      if (auto *Local = dyn_cast<AllocaInst>(Store->getPointerOperand());
          Local && isAllocaPromotable(Local))
        Holders.push_back(Local);
  if (Holders.empty())
    return;
  DominatorTree DT(*Root.getFunction());
  PromoteMemToReg(Holders, DT);
  promoteHolders(Root);
}

Error DenseLowering::rewrite(Instruction &Root, Value *Offset, const DenseSource &S) {
  promoteHolders(Root);
  return PretendPointer(Root, Offset, S,
                        [&](Function &F, unsigned Number, const DenseSource &Source) {
                          return versionOf(F, Number, Source);
                        })
      .rewrite();
}

Error DenseLowering::lower(CallBase &Call) {
  Expected<DenseSource> S = read(Call);
  if (!S)
    return S.takeError();
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    auto *Plain = CallInst::Create(Call.getFunctionType(), Call.getCalledOperand(),
                                   SmallVector<Value *, 8>(Call.args()), "", Call.getIterator());
    Call.replaceAllUsesWith(Plain);
    Call.eraseFromParent();
    return lower(*Plain);
  }
  Value *Zero = ConstantInt::get(Type::getInt64Ty(M.getContext()), 0);
  if (Error E = rewrite(Call, Zero, *S))
    return E;
  if (Call.use_empty())
    Call.eraseFromParent();
  return Error::success();
}

Error lowerTodense(Module &M) {
  DenseLowering Lowering(M);
  Error All = Error::success();
  SmallVector<CallBase *, 4> Calls = callsOf(M, EntryPoint::Todense);
  for (CallBase *Call : reverse(Calls)) // As they stand in the file.
    All = joinErrors(std::move(All), Lowering.lower(*Call));
  return All;
}

} // namespace isozyme
