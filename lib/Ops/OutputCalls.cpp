//===- OutputCalls.cpp - Calls that only print ----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a call.  Out: does it print, and do nothing else that its caller could
// see? Writing to a file counts; opening one, or printing into memory, does not.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/OutputCalls.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;

namespace isozyme {

namespace {
/// What a call returns that succeeds.
enum class Success { Nothing, Zero, One, FirstOperand, ThirdOperand };
} // namespace

/// Members and operators of std::ostream, of libstdc++ and libc++, return the stream.
static bool isOfOutputStream(StringRef Symbol) {
  static constexpr StringLiteral Prefixes[] = {
      "_ZNSo",  // std::ostream
      "_ZStls", // operator<<(std::ostream &, ...)
      "_ZSt4endl",
      "_ZSt4ends",
      "_ZSt5flush",
      "_ZSt16__ostream_insert",
      "_ZNSt13basic_ostream", // of other characters
      "_ZNSt3__113basic_ostream",
      "_ZNSt3__1lsB",
      "_ZNSt3__1lsI",
      "_ZNSt3__14endl",
      "_ZNSt3__15flush",
      "_ZNSt3__124__put_character_sequence",
  };
  return any_of(Prefixes, [&](StringRef Prefix) { return Symbol.starts_with(Prefix); });
}

/// Of a function that makes text of its arguments: puts it where the program may read it.
static bool printsIntoMemory(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->isDeclaration() &&
           (Callee->getName().contains("vs") || Callee->getName().contains("vas"));
  });
}

static std::optional<Success> successOf(const Function &F) {
  StringRef Name = F.getName();
  // With or without a body: of some the header has one, so that the optimiser may use it.
  if (isOfOutputStream(Name))
    return Success::FirstOperand;
  if (F.hasFnAttribute(marking::OnlyPrints) && !printsIntoMemory(F))
    return Success::One;
  if (!F.isDeclaration())
    return std::nullopt;
  for (StringRef Prefix : {"_FortranAioBeginExternal", "_FortranAioOutput", "_FortranAioEnd",
                           "_FortranAioEnable", "_FortranAioSet"})
    if (Name.starts_with(Prefix))
      return Name.starts_with("_FortranAioEnd") ? Success::Zero : Success::One;
  return StringSwitch<std::optional<Success>>(Name)
      .Cases({"printf", "fprintf", "vprintf", "vfprintf", "dprintf", "vdprintf", "wprintf",
              "fwprintf", "__printf_chk", "__fprintf_chk", "__vprintf_chk", "__vfprintf_chk",
              "__dprintf_chk", "__vdprintf_chk", "fprintf_unlocked"},
             Success::One)
      .Cases({"puts", "fputs", "fputws", "puts_unlocked", "fputs_unlocked"}, Success::One)
      .Cases({"putchar", "fputc", "putc", "putwchar", "fputwc", "putwc", "putchar_unlocked",
              "fputc_unlocked", "putc_unlocked", "putw"},
             Success::FirstOperand)
      .Cases({"fwrite", "write", "fwrite_unlocked"}, Success::ThirdOperand)
      .Cases({"fflush", "flockfile", "funlockfile"}, Success::Zero)
      .Cases({"perror", "syslog", "vsyslog"}, Success::Nothing)
      .Case("_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate", Success::Nothing)
      .Default(std::nullopt);
}

static const Function *calleeOf(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

bool isOutput(const CallBase &Call) {
  const Function *Callee = calleeOf(Call);
  return Callee && successOf(*Callee).has_value();
}

/// A stream asks its locale for the character of '\n': a virtual function of the library's,
/// char (this, char), whose result is printed.
static bool makesCharacter(const CallBase &Call) {
  if (calleeOf(Call) || Call.arg_size() != 2 || !Call.getType()->isIntegerTy(8) ||
      !Call.getArgOperand(0)->getType()->isPointerTy() ||
      Call.getArgOperand(1)->getType() != Call.getType())
    return false;
  auto isPrinted = [](const User *U) {
    auto *Printing = dyn_cast<CallBase>(U);
    return Printing && isOutput(*Printing);
  };
  return all_of(Call.users(), [&](const User *U) {
    return isPrinted(U) || (isa<PHINode>(U) && all_of(U->users(), isPrinted));
  });
}

bool servesOutput(const CallBase &Call) {
  const Function *Callee = calleeOf(Call);
  // Fills in the table of characters, once.
  bool Prepares = Callee && Callee->getName() == "_ZNKSt5ctypeIcE13_M_widen_initEv";
  return Prepares || isOutput(Call) || makesCharacter(Call);
}

Value *resultOfOutput(const CallBase &Call) {
  Type *T = Call.getType();
  const Function *Callee = calleeOf(Call);
  switch (Callee ? successOf(*Callee).value_or(Success::Zero) : Success::Zero) {
  case Success::FirstOperand:
    if (!Call.arg_empty() && Call.getArgOperand(0)->getType() == T)
      return Call.getArgOperand(0);
    break;
  case Success::ThirdOperand:
    if (Call.arg_size() > 2 && Call.getArgOperand(2)->getType() == T)
      return Call.getArgOperand(2);
    break;
  case Success::One:
    if (T->isIntegerTy())
      return ConstantInt::get(T, 1);
    break;
  case Success::Nothing:
  case Success::Zero:
    break;
  }
  return Constant::getNullValue(T);
}

} // namespace isozyme
