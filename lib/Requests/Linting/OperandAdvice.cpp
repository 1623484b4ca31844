//===- OperandAdvice.cpp - Operands that are probably mistakes ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CallReader that looks at what a user may have meant by an operand that
// fits nowhere, or fits by chance only:
//
//   enzyme_dup | enzyme_out     a marker that has become a number
//   my::enzyme_dup              a variable that is no marker
//   static int enzyme_const;    a marker that has become the number 0, a null pointer
//
//===----------------------------------------------------------------------===//
#include "CallVariables.h"
#include "Reading/ArgumentTypes.h"
#include "Reading/CallReader.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <cmath>

using namespace llvm;

namespace isozyme {

/// The name of \p V if it is a variable called like a marker, in a namespace or not.
static std::string markerLikeName(const Value *V) {
  auto *G = dyn_cast<GlobalVariable>(V);
  if (!G)
    return "";
  std::string Name = demangle(G->getName().str());
  StringRef Last = StringRef(Name).rsplit("::").second;
  return isMarkerName(Last.empty() ? StringRef(Name) : Last) ? Name : "";
}

/// The variable called like a marker that the integer \p V is computed from.
static std::string markerInside(const Value *V) {
  SmallVector<const Value *, 8> Work = {V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty() && Seen.size() < 32) {
    const Value *Next = Work.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    if (std::string Name = markerLikeName(Next); !Name.empty())
      return Name;
    if (isa<AllocaInst>(Next)) {
      for (const User *U : Next->users())
        if (auto *Store = dyn_cast<StoreInst>(U); Store && Store->getPointerOperand() == Next)
          Work.push_back(Store->getValueOperand());
    } else if (isa<BinaryOperator, CastInst, SelectInst, PHINode, FreezeInst, LoadInst>(Next)) {
      append_range(Work, cast<Instruction>(Next)->operand_values());
    }
  }
  return "";
}

/// No value is computed from markers: \p O would be a number that means nothing.
Error CallReader::checkNoMarkerIn(const Operand &O) const {
  if (!O.V->getType()->isIntegerTy() && !isa<GlobalVariable>(O.V))
    return Error::success();
  std::string Name = markerInside(O.V);
  if (Name.empty())
    return Error::success();
  if (Name.find("::") != std::string::npos)
    return fail(DiagId::UnknownMarker, "'" + Twine(Name) + "' is not a known marker",
                "declare markers outside of namespaces, or include <isozyme/isozyme.h>");
  if (auto *Load = dyn_cast<LoadInst>(O.V); Load && isa<GlobalVariable>(Load->getPointerOperand()))
    return fail(DiagId::UnknownMarker,
                "'" + Twine(Name) +
                    "' has a value of its own here, and is a number instead of a marker",
                "declare it 'extern int " + Twine(Name) + ";', without a value");
  return fail(DiagId::UnknownMarker,
              "argument " + Twine(O.Number) + " of the call is computed from '" + Name +
                  "', and so no marker",
              "pass the marker itself, in a call for each case");
}

/// Does a marker stand where a shadow belongs, and was none before the value, or the same one?
///
///   p, enzyme_dup, dp        enzyme_dup, p, enzyme_dup, dp
bool CallReader::isMisplacedMarker() const {
  const Operand *Here = peek();
  if (!Here || !Here->Kind || Here->Kind == Marker::Const || Next < 1)
    return false;
  return Next < 2 || !Items[Next - 2].Kind || Items[Next - 2].Kind == Here->Kind;
}

bool CallReader::isStructInMemory(const Value *Primal) const {
  for (const Use &U : Call.args())
    if (U.get() == Primal && Call.isByValArgument(Call.getArgOperandNo(&U)))
      return true;
  return false;
}

/// How to write a number as one of type \p To, where that is another kind: "pass 1.0 instead of 1".
static std::string rewritten(const Value *V, const Type *To) {
  auto *Whole = dyn_cast<ConstantInt>(V);
  auto *Real = dyn_cast<ConstantFP>(V);
  bool ToReal = To->isFloatingPointTy();
  if (Whole && ToReal && Whole->getValue().getSignificantBits() <= 32) {
    std::string Text = std::to_string(Whole->getSExtValue());
    return "pass " + Text + ".0 instead of " + Text;
  }
  if (Real && To->isIntegerTy() && Real->getType()->isDoubleTy())
    if (double D = Real->getValueAPF().convertToDouble(); std::abs(D) < 1e9 && D == int(D))
      return "pass " + std::to_string(int(D)) + " instead of " + std::to_string(int(D)) + ".0";
  if (V->getType()->isIntegerTy() && ToReal)
    return To->isFloatTy() ? "convert it in the call, as in '(float)n'"
                           : "convert it in the call, as in '(double)n'";
  if (V->getType()->isFloatTy() && To->isDoubleTy())
    return "convert it in the call, as in '(double)x'";
  return "convert it in the call";
}

/// Is \p V a literal like 1 where 1.0 is meant? Whoever writes one writes others.
static bool isWholeForReal(const Value *V, const Type *To) {
  return isa<ConstantInt>(V) && To->isFloatingPointTy();
}

/// Can the operands from number \p At on, with the markers among them, be all that the parameters
/// from \p Param on take?
bool CallReader::couldBeRest(unsigned Param, unsigned At) const {
  bool Forward = R.Mode == DiffMode::Forward;
  for (; Param < R.Fn->arg_size(); ++Param) {
    Type *T = R.Fn->getArg(Param)->getType();
    ArgActivity Activity = defaultActivity(T, R.Mode);
    for (; At < Items.size() && Items[At].Kind; ++At)
      Activity = activityOf(*Items[At].Kind).value_or(Activity);
    bool HasShadow = Activity == ArgActivity::Dup || Activity == ArgActivity::DupNoNeed;
    for (unsigned Left = HasShadow ? 1 + R.Width : 1; Left; --Left, ++At)
      if (At >= Items.size() || Items[At].Kind ||
          !(canConvert(Items[At].V, T) || isWholeForReal(Items[At].V, T)))
        return false;
  }
  return At == Items.size() || (R.isSplit() && !Forward);
}

/// The parameter behind \p Param that \p O was meant for, if what is passed for that one, or
/// another operand behind it, fits \p Param: the arguments are in another order.
std::optional<unsigned> CallReader::parameterMeant(unsigned Param, const Operand &O) const {
  Type *From = O.V->getType(), *To = R.Fn->getArg(Param)->getType();
  bool FitsLater = any_of(drop_begin(Items, Next), [&](const Operand &Other) {
    return !Other.Kind && Other.V->getType() == To;
  });
  for (unsigned Later = Param + 1; FitsLater && Later < R.Fn->arg_size(); ++Later)
    if (R.Fn->getArg(Later)->getType() == From)
      return Later;
  return std::nullopt;
}

/// What to do about an operand that cannot become the shadow of a parameter.
std::string CallReader::shadowMisfitFix(unsigned Param, const Operand &O) const {
  Type *To = R.Fn->getArg(Param)->getType();
  const bool Forward = R.Mode == DiffMode::Forward;
  const std::string OrConstant =
      ", or mark " + parameter(Param) + " with 'enzyme_const' if it has none";
  // The number itself is meant, and has only another type; or it belongs to the next parameter.
  if (To->isFloatingPointTy() && O.V->getType()->isIntegerTy() && couldBeRest(Param + 1, Next))
    return rewritten(O.V, To);
  // The parts of a struct, and those of its shadow.
  if (R.Fn->arg_size() > Param + 1 && canConvert(O.V, R.Fn->getArg(Param + 1)->getType()) &&
      peek() && !peek()->Kind && peek()->V->getType() == To)
    return "pass a shadow before it" + OrConstant +
           "; if this is a struct that is passed by value, differentiate a function that takes its "
           "address";
  if (!Forward)
    return "pass a shadow before it" + OrConstant;
  return (To->isPointerTy() ? "pass a pointer to the derivatives before it"
                            : "pass the derivative before it, as in '1.0'") +
         OrConstant;
}

/// Is \p O, a number, in the place of a marker? The number behind it is what the parameter takes,
/// and there are more operands than the parameters need.
///
///   int enzyme_out = 0;
///   __enzyme_autodiff((void *)f, enzyme_out, x)
bool CallReader::isInPlaceOfMarker(unsigned Param, const Operand &O) const {
  Type *To = R.Fn->getArg(Param)->getType();
  const Operand *Behind = peek();
  if (!O.V->getType()->isIntegerTy(32) || !tracedInteger(O.V) || !To->isFloatingPointTy() ||
      !Behind || Behind->Kind || Behind->V->getType() != To)
    return false;
  size_t Needed = 0;
  for (const Argument &A : drop_begin(R.Fn->args(), Param))
    Needed += defaultActivity(A.getType(), R.Mode) == ArgActivity::Dup ? 1 + R.Width : 1;
  return Items.size() - Next >= Needed;
}

/// What to do about an operand that cannot become the parameter, or its shadow.
std::string CallReader::misfitFix(unsigned Param, const Operand &O, bool IsShadow) const {
  if (O.V->getType()->isIntegerTy(32) && isOfUnsetVariable(O.V))
    return "it is a variable that has no value; if a marker is meant, declare it outside of "
           "functions, as <isozyme/isozyme.h> does: 'extern int enzyme_dup;'";
  if (IsShadow)
    return shadowMisfitFix(Param, O);
  if (isInPlaceOfMarker(Param, O))
    return "leave it out; if a marker is meant, declare it outside of functions and without a "
           "value, as <isozyme/isozyme.h> does: 'extern int enzyme_out;'";
  Type *From = O.V->getType(), *To = R.Fn->getArg(Param)->getType();
  bool BehindConstant = From->isPointerTy() && Param &&
                        R.Fn->getArg(Param - 1)->getType()->isPointerTy() &&
                        R.Args[Param - 1] == ArgActivity::Const;
  if (std::optional<unsigned> Meant = parameterMeant(Param, O); Meant && !BehindConstant)
    return "pass the arguments in the order of the function: it fits " + parameter(*Meant);
  if (BehindConstant)
    return "leave it out if it is the shadow of the argument before, which is marked as constant";
  if (From->isPointerTy())
    return "pass the value itself, not its address";
  if (!To->isPointerTy())
    return rewritten(O.V, To);
  return isa<ConstantInt>(O.V) ? "pass an address; if a marker is meant, declare it 'extern int "
                                 "enzyme_dup;' without a "
                                 "value"
                               : "pass the address of the value";
}

/// A literal 0 is a null pointer. Such a pointer has no shadow, and leads to no object.
Error CallReader::checkNumberForPointer(unsigned Param, const Operand &O) const {
  const Argument &A = *R.Fn->getArg(Param);
  const Operand *Shadow = peek();
  if (!isa<ConstantInt>(O.V) || !A.getType()->isPointerTy() || Result.Arguments[Param].ByRef)
    return Error::success();
  auto *Null = Shadow ? dyn_cast<Constant>(Shadow->V) : nullptr;
  bool HasShadow = TakesShadow[Param] && !Interleaved && Shadow && !Shadow->Kind &&
                   Shadow->V->getType()->isPointerTy() && !(Null && Null->isNullValue());
  if (!HasShadow)
    return Error::success();
  return fail(
      DiagId::BadArgumentType,
      "argument " + Twine(O.Number) + " of the call is the number 0, which makes " +
          parameter(Param) + " a null pointer, and yet it has a shadow",
      "pass its address; if a marker is meant, declare it 'extern int enzyme_dup;' without a "
      "value");
}

} // namespace isozyme
