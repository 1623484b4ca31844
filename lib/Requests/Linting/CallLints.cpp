//===- CallLints.cpp - Legal calls that are probably mistakes -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/CallLints.h"
#include "CallVariables.h"
#include "Reading/ArgumentTypes.h"
#include "Reading/ResultCheck.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Support/SymbolNames.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

static bool isAllocated(const Value *V) {
  V = throughVariable(V);
  return isUninitializedAllocation(V) || isa<LoadInst>(V);
}

/// Does nobody but readers and requests for derivatives get hold of \p Object?
static bool isNeverWritten(const Value *Object) {
  return allUsesOf(*Object, [](const Use &U) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    auto *Call = dyn_cast_or_null<CallBase>(I);
    return I && (isa<LoadInst, ICmpInst>(I) ||
                 (Call &&
                  (isa<LifetimeIntrinsic, DbgInfoIntrinsic>(I) || calledEntryPoint(*Call) ||
                   (Call->isArgOperand(&U) &&
                    (Call->onlyReadsMemory(Call->getArgOperandNo(&U)) || isPlainRelease(*Call))))));
  });
}

/// The bytes up to the end of the last float or address of \p T: a shadow has at least as many.
static uint64_t reachOfNumbers(const Type *T, const DataLayout &DL) {
  if (T->isFPOrFPVectorTy() || T->isPointerTy())
    return DL.getTypeStoreSize(const_cast<Type *>(T)).getFixedValue();
  if (auto *Array = dyn_cast<ArrayType>(T)) {
    uint64_t Of = reachOfNumbers(Array->getElementType(), DL);
    return Of && Array->getNumElements()
               ? Of + (Array->getNumElements() - 1) *
                          DL.getTypeAllocSize(Array->getElementType()).getFixedValue()
               : 0;
  }
  uint64_t Reach = 0;
  if (auto *Struct = dyn_cast<StructType>(const_cast<Type *>(T)); Struct && Struct->isSized())
    for (auto [K, Member] : enumerate(Struct->elements()))
      if (uint64_t Of = reachOfNumbers(Member, DL))
        Reach = DL.getStructLayout(Struct)->getElementOffset(K).getFixedValue() + Of;
  return Reach;
}

/// The variable that is \p V as a whole, by its type.
static Type *typeOfVariable(const Value *V) {
  V = throughVariable(V);
  if (auto *Variable = dyn_cast<AllocaInst>(V))
    return Variable->getAllocatedType();
  auto *Global = dyn_cast<GlobalVariable>(V);
  return Global ? Global->getValueType() : nullptr;
}

/// The bytes of the array, or of the allocation, that \p V is the start of. Memory that is
/// reached in another way may be a part of something larger.
static std::optional<uint64_t> sizeOfArray(const Value *V, const DataLayout &DL) {
  Type *Whole = typeOfVariable(V);
  V = throughVariable(V);
  if (Whole && !(Whole->isArrayTy() && isFloatLike(Whole)))
    return std::nullopt;
  // An object of a class is made by another `new`; its shadow may lack what holds no numbers.
  auto *Call = dyn_cast<CallBase>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  if (!Whole && !(F && makesArrays(*F)))
    return std::nullopt;
  uint64_t Size;
  if (!getObjectSize(V, Size, DL, /*TLI=*/nullptr))
    return std::nullopt;
  return Size;
}

/// Does the type \p Text of C++ name the class that \p Type was made for?
static bool namesClass(StringRef Text, const Type *T) {
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct || !Struct->hasName())
    return false;
  StringRef Name = Struct->getName();
  if (!Name.consume_front("class.") && !Name.consume_front("struct."))
    return false;
  if (auto [Front, Back] = Name.rsplit('.'); all_of(Back, isDigit)) // %class.list.7
    Name = Front;
  return Text.consume_front(Name) && (Text.empty() || (Text.front() == '<' && Text.back() == '>'));
}

/// The class that \p Shadow is a copy of, made for the call alone:
///
///   template <typename... T> void __enzyme_autodiff(void *, T...);
///   std::vector<double> x, dx;   __enzyme_autodiff((void *)f, enzyme_dup, x, dx)
static std::string classCopied(const CallBase &Call, const Value *Shadow) {
  auto *Copy = dyn_cast<AllocaInst>(Shadow);
  const Function *Entry = calledEntryPoint(Call);
  if (!Copy || !Entry)
    return "";
  SmallVector<std::string, 8> Types = parameterTypes(*Entry);
  unsigned Hidden = functionOperandNumber(Call);
  if (Types.size() + Hidden != Call.arg_size())
    return "";
  for (auto [I, T] : enumerate(Types))
    if (Call.getArgOperand(unsigned(I) + Hidden) == Shadow &&
        namesClass(T, Copy->getAllocatedType()))
      return T;
  return "";
}

/// The class of x, if \p Shadow is x.data() and the parameter refers to an object of that class.
static std::string classOfElements(const Value *Shadow, const Function &F, unsigned Param) {
  auto *Call = dyn_cast<CallBase>(throughVariable(Shadow));
  const Function *Member = Call ? Call->getCalledFunction() : nullptr;
  SmallVector<std::string, 8> Types = parameterTypes(F);
  if (!Member || Types.size() != F.arg_size())
    return "";
  const std::string Mangled = mangledName(*Member);
  ItaniumPartialDemangler Name;
  if (Name.partialDemangle(Mangled.c_str()) || !Name.isFunction())
    return "";
  size_t Size = 0;
  std::unique_ptr<char, decltype(&std::free)> Base(Name.getFunctionBaseName(nullptr, &Size),
                                                   &std::free);
  std::unique_ptr<char, decltype(&std::free)> Class(Name.getFunctionDeclContextName(nullptr, &Size),
                                                    &std::free);
  StringRef Wanted = Types[Param];
  if (!Base || !Class || StringRef(Base.get()) != "data" || !Wanted.consume_front(Class.get()))
    return "";
  return is_contained({"&", "*", " const&", " const*"}, Wanted) ? Class.get() : "";
}

/// The size of the numbers in the array that \p V is the start of; 0 if it is not known.
static uint64_t elementSize(const Value *V, const DataLayout &DL) {
  Type *T = declaredElement(V);
  return T && T->isFloatingPointTy() ? DL.getTypeAllocSize(T).getFixedValue() : 0;
}

/// Why memory cannot take what the call adds to it; empty if nothing is known against it.
static std::string unfitness(const MarkerCall &M, unsigned Param, const Value *Shadow) {
  const DiffRequest &R = M.Request;
  const CallArgument &A = M.Arguments[Param];
  const DataLayout &DL = M.Call->getModule()->getDataLayout();
  auto isNull = [](const Value *V) {
    auto *C = dyn_cast<Constant>(throughVariable(V));
    return C && C->isNullValue() && (C->getType()->isPointerTy() || C->getType()->isIntegerTy());
  };
  if (!R.Fn->getArg(Param)->getType()->isPointerTy() || A.ByRef)
    return "";
  if (isNull(Shadow))
    return isNull(A.Primal) ? "" : "is a null pointer";
  if (isOfUnsetVariable(Shadow))
    return "is a pointer that nothing has set";
  if (!Shadow->getType()->isPointerTy())
    return "";
  auto *Global = dyn_cast<GlobalVariable>(getUnderlyingObject(throughVariable(Shadow)));
  if (Global && Global->isConstant() && R.isReverse())
    return ("is the constant '" + Global->getName() + "', which cannot be written").str();
  if (std::string Class = classOfElements(Shadow, *R.Fn, Param); !Class.empty())
    return "is what a '" + Class +
           "' holds, and the parameter refers to the whole (is the address of the object meant, "
           "'&x' instead of 'x.data()'?)";
  uint64_t Known, Needed = R.Fn->getArg(Param)->getDereferenceableBytes();
  if (isIdentifiedObject(throughVariable(Shadow)) &&
      getObjectSize(throughVariable(Shadow), Known, DL, /*TLI=*/nullptr) && Known < Needed)
    return "has " + std::to_string(Known) + " bytes, and the parameter refers to " +
           std::to_string(Needed) +
           // The elements of a std::vector, for one that is meant as a whole.
           (isAllocated(Shadow) && isAllocated(A.Primal)
                ? " (is the address of the object meant, '&x' instead of 'x.data()'?)"
                : "");
  if (auto *Struct = dyn_cast_or_null<StructType>(typeOfVariable(A.Primal)); Struct && !A.Stride)
    if (uint64_t Reach = reachOfNumbers(Struct, DL);
        isIdentifiedObject(throughVariable(Shadow)) &&
        getObjectSize(throughVariable(Shadow), Known, DL, /*TLI=*/nullptr) && Known < Reach)
      return "has " + std::to_string(Known) + " bytes, and the numbers of the argument reach to " +
             std::to_string(Reach);
  std::optional<uint64_t> Has = sizeOfArray(Shadow, DL), Wanted = sizeOfArray(A.Primal, DL);
  if (std::string Why = foreignNumbers(M, Param, Shadow);
      !Why.empty() && (!Has || !Wanted || *Has >= *Wanted))
    return Why;
  if (!Has || !Wanted || *Has >= *Wanted || A.Stride)
    return "";
  return "has " + std::to_string(*Has) + " bytes, and the argument itself " +
         std::to_string(*Wanted);
}

static bool isZeroInitializer(const Value *V) {
  auto *Source = dyn_cast<GlobalVariable>(V);
  return Source && Source->isConstant() && Source->hasInitializer() &&
         Source->getInitializer()->isNullValue();
}

/// Does \p U leave zeros where it finds zeros, up to \p Call?
static bool keepsZero(const Use &U, const CallBase &Call) {
  const auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return false;
  if (isa<LoadInst, ICmpInst, LifetimeIntrinsic, DbgInfoIntrinsic>(I) || I == &Call)
    return true;
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    auto *Stored = dyn_cast<Constant>(Store->getValueOperand());
    return U.getOperandNo() == Store->getPointerOperandIndex() && Stored && Stored->isNullValue();
  }
  if (auto *Set = dyn_cast<MemSetInst>(I))
    return isa<ConstantInt>(Set->getValue()) && cast<ConstantInt>(Set->getValue())->isZero();
  if (auto *Copy = dyn_cast<MemTransferInst>(I); Copy && U.getOperandNo() == 0)
    return isZeroInitializer(Copy->getSource());
  auto *Other = dyn_cast<CallBase>(I);
  return Other && Other->isArgOperand(&U) && !calledEntryPoint(*Other) &&
         (Other->onlyReadsMemory(Other->getArgOperandNo(&U)) || isPlainRelease(*Other));
}

/// Does fresh memory that \p Shadow points to hold nothing but zeros when \p Call begins?
static bool isZeroMemory(const Value *Shadow, const CallBase &Call) {
  const Value *Object = getUnderlyingObject(throughVariable(Shadow));
  if (!isa<AllocaInst>(Object) && !isUninitializedAllocation(Object) && !isZeroedAllocation(Object))
    return false;
  return allUsesOf(*Object, [&](const Use &U) { return keepsZero(U, Call); });
}

/// Does the program write floats into memory that it has allocated by \p Allocation?
static bool isFilledWithNumbers(const Value *Allocation) {
  return !allUsesOf(*Allocation, [](const Use &U) {
    auto *Store = dyn_cast<StoreInst>(U.getUser());
    auto *Copy = dyn_cast<MemTransferInst>(U.getUser());
    auto *Source = Copy ? dyn_cast<GlobalVariable>(Copy->getRawSource()) : nullptr;
    return !(Store && isFloatLike(Store->getValueOperand()->getType())) &&
           !(Source && Source->hasInitializer() && isFloatLike(Source->getValueType()));
  });
}

/// Does \p Pointer lead to a variable, or to memory, with numbers?
static bool isAddressOfNumbers(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(throughVariable(Pointer));
  auto *Variable = dyn_cast<AllocaInst>(Object);
  auto *Global = dyn_cast<GlobalVariable>(Object);
  return (isUninitializedAllocation(Object) && isFilledWithNumbers(Object)) ||
         (Variable && isFloatLike(Variable->getAllocatedType())) ||
         (Global && !Global->isConstant() && isFloatLike(Global->getValueType()));
}

/// Does fresh memory that \p V points to hold the address of a variable with numbers?
static bool holdsAddressOfNumbers(const Value *V) {
  const Value *Object = getUnderlyingObject(throughVariable(V));
  return isa<AllocaInst>(Object) && !allUsesOf(*Object, [](const Use &U) {
           auto *Store = dyn_cast<StoreInst>(U.getUser());
           return !(Store && U.getOperandNo() == StoreInst::getPointerOperandIndex() &&
                    Store->getValueOperand()->getType()->isPointerTy() &&
                    isAddressOfNumbers(Store->getValueOperand()));
         });
}

/// A distance in numbers where one in bytes belongs.
static bool lintStride(const MarkerCall &M, unsigned Param, const Value *Shadow) {
  auto *Stride = dyn_cast_or_null<ConstantInt>(M.Arguments[Param].Stride);
  uint64_t Element = elementSize(Shadow, M.Call->getModule()->getDataLayout());
  if (!Stride || !Element || Stride->getSExtValue() % int64_t(Element) == 0)
    return false;
  warn(DiagId::ShadowUnfit, Place(*M.Call),
       "the shadows of " + describeParameter(*M.Request.Fn, Param) + " are said to be " +
           Twine(Stride->getSExtValue()) + " bytes apart, and hold numbers of " + Twine(Element) +
           "; pass the distance between two shadows in bytes");
  return true;
}

static void lintShadow(const MarkerCall &M, unsigned Param, const Value *Shadow) {
  const DiffRequest &R = M.Request;
  const Value *Primal = M.Arguments[Param].Primal;
  if (lintStride(M, Param, Shadow))
    return;
  if (std::string Why = Primal ? unfitness(M, Param, Shadow) : ""; !Why.empty()) {
    warn(DiagId::ShadowUnfit, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) + " " + Why +
             "; pass memory of the same layout as the argument's, or mark it with 'enzyme_const'");
    return;
  }
  if (!Shadow->getType()->isPointerTy() || !Primal)
    return;
  if (const CallBase *Release = releasedBefore(Shadow, *M.Call)) {
    warn(DiagId::ShadowUnfit, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) + " is released before the call" +
             (Release->getDebugLoc() ? ", in line " + Twine(Release->getDebugLoc().getLine())
                                     : Twine("")) +
             "; release it when its derivatives have been used");
    return;
  }
  if (std::string Names = exchangedNames(Primal, Shadow); !Names.empty()) {
    warn(DiagId::ShadowUnfit, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) + " " + Names +
             ": have they changed places? The value comes first, and then its shadow");
    return;
  }
  if (std::string Class = R.isReverse() ? classCopied(*M.Call, Shadow) : ""; !Class.empty()) {
    warn(DiagId::ShadowUnfit, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) + " is a copy of a '" + Class +
             "', made for this call: the gradient does not get into the shadow itself; pass the "
             "addresses of the value and of its shadow");
    return;
  }
  if (throughVariable(Primal) == throughVariable(Shadow) && R.checkOf(Param) == ShadowCheck::None &&
      !isa<ConstantPointerNull>(Primal)) {
    warn(DiagId::ShadowIsPrimal, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) +
             " is the memory of the argument itself: derivatives and values would overwrite each "
             "other; pass memory of its own, or mark it with 'enzyme_const'");
    return;
  }
  if ((isZeroMemory(Shadow, *M.Call) && holdsAddressOfNumbers(Primal)) ||
      (isEmptyVector(Shadow) && !isEmptyVector(Primal))) {
    warn(DiagId::ShadowUnfit, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) +
             " holds null where the argument holds the address of numbers; let it hold the address "
             "of their shadow (of a std::vector: give the shadow as many elements)");
    return;
  }
  const Value *Object = getUnderlyingObject(throughVariable(Shadow));
  bool Fresh = isa<AllocaInst>(Object) || isUninitializedAllocation(Object);
  if (R.isReverse() && R.Mode != DiffMode::FromTape && Fresh && isNeverWritten(Object))
    warn(DiagId::ShadowUninitialized, Place(*M.Call),
         "nothing is written to the shadow of " + describeParameter(*R.Fn, Param) +
             " before the call, which adds to it; set it to zero first");
}

static bool isZero(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  return C && C->isNullValue() && isFloatLike(C->getType());
}

/// All that the derivative starts from is zero.
static bool startsFromZero(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  if (R.Mode == DiffMode::FromTape && R.Return == ReturnActivity::Active)
    return !M.Seed.Values.empty() && !M.Seed.InMemory && all_of(M.Seed.Values, isZero) &&
           none_of(R.Args, [](ArgActivity A) { return A == ArgActivity::Dup; });
  if (R.Mode != DiffMode::Forward || R.Dependence) // Masks of a program may well be empty.
    return false;
  bool Any = false;
  for (const CallArgument &A : M.Arguments)
    for (const Value *Tangent : A.Shadows) {
      Any = true;
      if (!isZero(Tangent) &&
          !(Tangent->getType()->isPointerTy() && isZeroMemory(Tangent, *M.Call)))
        return false;
    }
  return Any;
}

/// A reverse derivative of a function without a differentiated result starts from what its
/// shadows hold.
static bool startsFromZeroMemory(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  bool Any = false;
  if (R.Mode != DiffMode::Reverse || R.Return != ReturnActivity::Const)
    return false;
  for (const CallArgument &A : M.Arguments)
    for (const Value *Shadow : A.Shadows) {
      Any = true;
      if (!Shadow->getType()->isPointerTy() || !isZeroMemory(Shadow, *M.Call))
        return false;
    }
  return Any;
}

/// A forward derivative is returned, the function writes nothing, and nobody takes it.
static bool isTangentIgnored(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  return R.Mode == DiffMode::Forward && !R.Dependence && !M.FromRecord && !M.Records &&
         R.Return == ReturnActivity::Dup && isFloatLike(R.Fn->getReturnType()) &&
         R.Fn->onlyReadsMemory() && !M.ResultBuffer && M.Call->use_empty();
}

/// Gradients are returned, and that is all that comes of the call.
static bool isIgnored(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  bool Returned = is_contained(R.Args, ArgActivity::Active);
  bool InMemory = any_of(M.Arguments, [](const CallArgument &A) { return !A.Shadows.empty(); });
  return (R.Mode == DiffMode::Reverse || R.Mode == DiffMode::FromTape) && Returned && !InMemory &&
         !M.ResultBuffer && M.Call->use_empty();
}

/// Gradients of numbers by a function whose result has no derivative, and that has no shadows.
static bool startsFromNothing(const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  return R.Mode == DiffMode::Reverse && R.Return == ReturnActivity::Const &&
         !isFloatLike(R.Fn->getReturnType()) && is_contained(R.Args, ArgActivity::Active) &&
         none_of(M.Arguments, [](const CallArgument &A) { return !A.Shadows.empty(); });
}

void lintCall(const MarkerCall &M) {
  if (M.SizeOnly)
    return;
  const bool HandsTape = M.Request.Mode == DiffMode::Augment || M.Records;
  if (!(HandsTape && M.Allocated)) // What such a call returns depends on the tape: see checkTape.
    lintResult(M, HandsTape ? PointerType::getUnqual(M.Call->getContext()) : nullptr);
  for (auto [Param, Argument] : enumerate(M.Arguments)) {
    if (std::string Why = foreignArgument(M, unsigned(Param)); !Why.empty())
      warn(DiagId::ShadowUnfit, Place(*M.Call),
           describeParameter(*M.Request.Fn, unsigned(Param)) + " " + Why +
               "; pass an array of the type that the function declares");
    for (const Value *Shadow : Argument.Shadows)
      lintShadow(M, unsigned(Param), Shadow);
  }
  lintSharedMemory(M);
  bool Ignored = isIgnored(M);
  // Both together release a tape that is not needed any more.
  if (Ignored && M.Request.Mode == DiffMode::FromTape && startsFromZero(M))
    return;
  if (startsFromZero(M))
    warn(DiagId::ZeroSeed, Place(*M.Call),
         M.Request.Mode == DiffMode::Forward
             ? "all derivatives that the call starts from are zero, and so are all that it gives; "
               "pass 1 for the argument to differentiate by"
             : "the seed is zero, and so are all derivatives; pass 1 for the gradient itself");
  if (startsFromZeroMemory(M))
    warn(DiagId::ZeroSeed, Place(*M.Call),
         "all gradients are zero: no result of " + describeFunction(*M.Request.Fn) +
             " is differentiated, and every shadow holds zeros when the call begins; set the "
             "shadow of what the function computes to 1");
  if (startsFromNothing(M))
    warn(DiagId::ZeroSeed, Place(*M.Call),
         "all gradients are zero: the result of " + describeFunction(*M.Request.Fn) +
             " has no derivative, and no argument has a shadow; return a floating-point number, or "
             "write the result to memory that has a shadow");
  if (isTangentIgnored(M))
    warn(DiagId::GradientIgnored, Place(*M.Call),
         "the call returns the derivative, and nothing uses it; declare the call to return it");
  if (Ignored)
    warn(DiagId::GradientIgnored, Place(*M.Call),
         "the call returns the gradient, and nothing uses it; declare the call to return it, or "
         "pass pointers and their shadows");
}

} // namespace isozyme
