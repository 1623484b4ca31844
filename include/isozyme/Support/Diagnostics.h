//===- Diagnostics.h - Errors as values, printed once ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stage that fails returns a DiffError: a stable id, a place, what is wrong,
// what the user can do, and notes that lead from the user's call to the culprit.
// Only the driver prints one (report). Nothing else in lib/ writes to a stream.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_DIAGNOSTICS_H
#define ISOZYME_SUPPORT_DIAGNOSTICS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace isozyme {

/// Every diagnostic that Isozyme can issue; the table is DiagnosticIds.def.
enum class DiagId : unsigned {
#define IZ_DIAGNOSTIC(NUMBER, NAME, SUMMARY) NAME = NUMBER,
#include "isozyme/Support/DiagnosticIds.def"
};

/// What helps where another file has what is missing in that of \p Where.
std::string linkTimeAdvice(const llvm::Function &Where);

/// "IZ103" for DiagId(103).
std::string diagnosticName(DiagId Id);
/// The one-line summary from the table.
llvm::StringRef diagnosticSummary(DiagId Id);

/// A place in the user's program: a function that outlives the request (never
/// a clone of Isozyme's) and, where debug information allows, a line.
struct Place {
  const llvm::Function *Fn = nullptr;
  llvm::DebugLoc Loc;
  /// A variable's own line, which is in no function.
  const llvm::GlobalVariable *Variable = nullptr;

  Place() = default;
  Place(const llvm::Function &Fn, llvm::DebugLoc Loc = {}) : Fn(&Fn), Loc(Loc) {}
  /// The place of an instruction of the user's own module.
  explicit Place(const llvm::Instruction &I);
  /// The place of a global variable, in a module that holds a function.
  explicit Place(const llvm::GlobalVariable &G);
};

/// One error on its way to the user.
class DiffError : public llvm::ErrorInfo<DiffError> {
public:
  static char ID;

  struct Note {
    Place Where;
    std::string Text;
  };

  DiffError(DiagId Id, Place Where, std::string What, std::string Fix)
      : Id(Id), Where(Where), What(std::move(What)), Fix(std::move(Fix)) {}

  DiagId id() const { return Id; }
  const Place &where() const { return Where; }
  llvm::ArrayRef<Note> notes() const { return Notes; }
  const std::string &what() const { return What; }
  const std::string &fix() const { return Fix; }
  /// "<what>; <fix><more> [IZ103]"
  std::string text(llvm::StringRef MoreFix = "") const;

  void addNote(Place Where, std::string Text) { Notes.push_back({Where, std::move(Text)}); }

  void log(llvm::raw_ostream &OS) const override { OS << text(); }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  DiagId Id;
  Place Where;
  std::string What, Fix;
  llvm::SmallVector<Note, 2> Notes;
};

/// What: "a shadow is missing for argument 2". Fix: "pass ... after it".
llvm::Error diffError(DiagId Id, Place Where, const llvm::Twine &What, const llvm::Twine &Fix);

/// Adds a note to the DiffError inside \p E (other errors pass unchanged).
llvm::Error withNote(llvm::Error E, Place Where, const llvm::Twine &Text);

/// Prints \p E through the context's diagnostic handler: one error, then notes.
void report(llvm::Error E);
/// Prints a warning with an id, in the same style.
void warn(DiagId Id, Place Where, const llvm::Twine &What);

} // namespace isozyme

#endif
