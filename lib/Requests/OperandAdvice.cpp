//===- OperandAdvice.cpp - Operands that are hardly what was meant --------===//
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
#include "ArgumentTypes.h"
#include "CallReader.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

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
                "'" + Twine(Name) + "' has a value of its own here, and is a number instead of a marker",
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

/// What to do about an operand that cannot become the parameter, or its shadow.
std::string CallReader::misfitFix(unsigned Param, const Operand &O, bool IsShadow) const {
  Type *From = O.V->getType(), *To = R.Fn->getArg(Param)->getType();
  if (IsShadow)
    return std::string(To->isPointerTy() && R.Mode == DiffMode::Forward
                           ? "pass a pointer to the derivatives before it"
                           : "pass a shadow before it") +
           ", or mark " + parameter(Param) + " with 'enzyme_const' if it has none";
  if (From->isPointerTy() && Param && R.Fn->getArg(Param - 1)->getType()->isPointerTy() &&
      R.Args[Param - 1] == ArgActivity::Const)
    return "leave it out if it is the shadow of the argument before, which is marked as constant";
  if (From->isPointerTy())
    return "pass the value itself, not its address";
  if (!To->isPointerTy())
    return "convert it in the call";
  return isa<ConstantInt>(O.V)
             ? "pass an address; if a marker is meant, declare it 'extern int enzyme_dup;' without a "
               "value"
             : "pass the address of the value";
}

/// A literal 0 is a null pointer, but hardly one that has a shadow, or that is an object.
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
  return fail(DiagId::BadArgumentType,
              "argument " + Twine(O.Number) + " of the call is the number 0, which makes " +
                  parameter(Param) + " a null pointer, and yet it has a shadow",
              "pass its address; if a marker is meant, declare it 'extern int enzyme_dup;' without a "
              "value");
}

} // namespace isozyme
