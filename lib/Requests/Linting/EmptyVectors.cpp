//===- EmptyVectors.cpp - A std::vector without elements as a shadow ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CallLints that looks at vectors of code without optimisation, where the
// constructor is a call, and nothing shows what it writes:
//
//   std::vector<double> x{1, 2}, dx;   __enzyme_autodiff(f, &x, &dx)
//
// In: an operand.  Out: is it a vector, or the data of one, to which nothing is ever added?
// Never: says so of a vector that anything else gets hold of.
//
//===----------------------------------------------------------------------===//
#include "CallVariables.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// What follows the class in the symbol of \p Call's callee: "C2Ev" for the constructor without
/// arguments. Empty if it is no member of a std::vector.
static StringRef memberOfVector(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  StringRef Symbol = F ? F->getName() : "";
  bool OfVector = Symbol.consume_front("_ZNSt6vectorI") || Symbol.consume_front("_ZNKSt6vectorI") ||
                  Symbol.consume_front("_ZNSt3__16vectorI") ||
                  Symbol.consume_front("_ZNKSt3__16vectorI");
  size_t End = Symbol.rfind('E', Symbol.size() - 3); // Parameters end in "Ev" or "Em".
  return OfVector && End != StringRef::npos ? Symbol.drop_front(End + 1) : "";
}

bool isEmptyVector(const Value *V) {
  const Value *Object = throughVariable(V);
  if (auto *Call = dyn_cast<CallBase>(Object); Call && memberOfVector(*Call) == "4dataEv")
    Object = throughVariable(Call->getArgOperand(0));
  bool Made = false;
  auto leavesEmpty = [&](const User *U) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || isa<LifetimeIntrinsic>(Call) || calledEntryPoint(*Call))
      return Call != nullptr;
    StringRef Member = memberOfVector(*Call);
    if (Member == "C1Ev" || Member == "C2Ev")
      return Made = true;
    return is_contained({"D1Ev", "D2Ev", "4dataEv", "4sizeEv", "5emptyEv", "5beginEv", "3endEv",
                         "5clearEv", "ixEm", "8capacityEv"},
                        Member);
  };
  return isa<AllocaInst>(Object) && all_of(Object->users(), leavesEmpty) && Made;
}

} // namespace isozyme
