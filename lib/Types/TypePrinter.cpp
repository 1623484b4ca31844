//===- TypePrinter.cpp - Types as text ------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line for each argument, pointer and integer of the function, in program
// order; lines about integers that are plain integers are left out.
//
//===----------------------------------------------------------------------===//

#include "TypeResultImpl.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace isozyme;

/// What is known of the first bytes, where nothing is of an array of them.
static bool printStart(const TypeResult &Types, const Value &V, raw_ostream &OS) {
  constexpr unsigned Shown = 16;
  MemoryLayout L = Types.layoutOf(&V, Shown);
  while (!L.Runs.empty() && !L.Runs.back().Type.isKnown())
    L.Runs.pop_back();
  if (L.Runs.empty())
    return false;
  OS << "starts with {";
  ListSeparator Comma;
  for (const TypedRun &R : L.Runs) {
    OS << Comma << R.Offset << ".." << R.Offset + R.Size << ' ';
    R.Type.print(OS);
  }
  OS << '}';
  return true;
}

static void printLine(const TypeResult &Types, const Value &V, ModuleSlotTracker &Slots,
                      raw_ostream &OS) {
  Type *T = V.getType();
  if (T->isPointerTy()) {
    OS << "  ";
    V.printAsOperand(OS, false, Slots);
    OS << " -> ";
    MemoryLayout L = Types.layoutOf(&V, 0);
    if (L.Period || !printStart(Types, V, OS))
      L.print(OS);
    OS << '\n';
  } else if (T->isIntOrIntVectorTy()) {
    ConcreteType C = Types.typeOf(&V);
    if (C.kind() == ConcreteType::Integer)
      return;
    OS << "  ";
    V.printAsOperand(OS, false, Slots);
    OS << ": ";
    C.print(OS);
    OS << '\n';
  }
}

/// The bytes that an instruction copies, if it says how many.
static std::optional<std::pair<const Value *, uint64_t>> copiedBytes(const Instruction &I) {
  auto *M = dyn_cast<MemTransferInst>(&I);
  auto *Length = M ? dyn_cast<ConstantInt>(M->getLength()) : nullptr;
  if (!Length)
    return std::nullopt;
  return std::pair<const Value *, uint64_t>(M->getRawSource(), Length->getZExtValue());
}

void TypeResult::print(raw_ostream &OS) const {
  ModuleSlotTracker Slots(I->F->getParent());
  Slots.incorporateFunction(*I->F);
  OS << "types of @" << I->F->getName() << '\n';
  for (const Argument &A : I->F->args())
    printLine(*this, A, Slots, OS);
  for (const Instruction &Inst : instructions(*I->F)) {
    printLine(*this, Inst, Slots, OS);
    if (auto Copy = copiedBytes(Inst)) {
      OS << "  copy of " << Copy->second << " bytes at ";
      Copy->first->printAsOperand(OS, false, Slots);
      OS << ": ";
      layoutOf(Copy->first, Copy->second).print(OS);
      OS << '\n';
    }
  }
}

bool TypeResult::verify(raw_ostream &OS) const {
  auto Broken = [&](const MemoryLayout &L, const Value &V) {
    if (!L.Period || L.verify(OS))
      return false;
    OS << "in the layout behind " << V.getName() << '\n';
    return true;
  };
  for (const Argument &A : I->F->args())
    if (A.getType()->isPointerTy() && Broken(layoutOf(&A, 0), A))
      return true;
  for (const Instruction &Inst : instructions(*I->F)) {
    if (Inst.getType()->isPointerTy() && Broken(layoutOf(&Inst, 0), Inst))
      return true;
    if (auto Copy = copiedBytes(Inst))
      if (Broken(layoutOf(Copy->first, Copy->second), *Copy->first))
        return true;
  }
  return false;
}
