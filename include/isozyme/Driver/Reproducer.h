//===- Reproducer.h - A file that repeats a failure --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -isozyme-reproducer=<directory>, the input of each request is written there
// before work on it begins, and removed when it ends well: so it is there whatever
// the end is (an error, a signal, no memory, a user who waits no longer).
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_REPRODUCER_H
#define ISOZYME_DRIVER_REPRODUCER_H

#include "isozyme/Support/Diagnostics.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <string>

namespace isozyme {

class Reproducer {
public:
  /// Writes what the request \p Call is about: its function, and all that \p Target calls.
  Reproducer(const llvm::CallBase &Call, const llvm::Function *Target);
  ~Reproducer();
  Reproducer(const Reproducer &) = delete;
  Reproducer &operator=(const Reproducer &) = delete;

  /// Keeps the file if \p E is of the kind that it is for, and says in a note where it is.
  llvm::Error judge(llvm::Error E);

private:
  /// \p Shows: a pattern of grep for what the failure prints.
  void writeScript(llvm::StringRef Shows);

  std::string File, Script;
  Place Where;
  bool Keep = false, Unwritten = false;
  /// What is printed after a crash.
  class Story : public llvm::PrettyStackTraceEntry {
  public:
    explicit Story(const Reproducer &R) : R(R) {}
    void print(llvm::raw_ostream &OS) const override;

  private:
    const Reproducer &R;
  };
  Story AtCrash{*this};
};

} // namespace isozyme

#endif
