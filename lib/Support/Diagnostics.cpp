//===- Diagnostics.cpp - Errors as values, printed once -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of a DiffError, and the only code that hands one to LLVM's
// diagnostic handler (so that clang prints it as its own, with a caret).
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/Diagnostics.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace isozyme {

char DiffError::ID = 0;

std::string diagnosticName(DiagId Id) {
  return "IZ" + std::to_string(unsigned(Id));
}

StringRef diagnosticSummary(DiagId Id) {
  switch (Id) {
#define IZ_DIAGNOSTIC(NUMBER, NAME, SUMMARY)                                   \
  case DiagId::NAME:                                                           \
    return SUMMARY;
#include "isozyme/Support/DiagnosticIds.def"
  }
  return "";
}

Place::Place(const Instruction &I) : Fn(I.getFunction()), Loc(I.getDebugLoc()) {}

std::string DiffError::text() const {
  std::string Text = What;
  if (!Fix.empty())
    Text += "; " + Fix;
  return Text + " [" + diagnosticName(Id) + "]";
}

Error diffError(DiagId Id, Place Where, const Twine &What, const Twine &Fix) {
  return make_error<DiffError>(Id, Where, What.str(), Fix.str());
}

Error withNote(Error E, Place Where, const Twine &Text) {
  return handleErrors(std::move(E), [&](std::unique_ptr<DiffError> D) -> Error {
    D->addNote(Where, Text.str());
    return Error(std::move(D));
  });
}

static void emit(const Place &Where, const Twine &Text, DiagnosticSeverity Severity) {
  DiagnosticLocation Loc;
  if (Where.Loc)
    Loc = DiagnosticLocation(Where.Loc);
  Where.Fn->getContext().diagnose(
      DiagnosticInfoUnsupported(*Where.Fn, Text, Loc, Severity));
}

void report(Error E) {
  handleAllErrors(
      std::move(E),
      [](const DiffError &D) {
        emit(D.where(), D.text(), DS_Error);
        for (const DiffError::Note &N : D.notes())
          emit(N.Where, N.Text, DS_Note);
      });
}

void warn(DiagId Id, Place Where, const Twine &What) {
  emit(Where, What + " [" + diagnosticName(Id) + "]", DS_Warning);
}

} // namespace isozyme
