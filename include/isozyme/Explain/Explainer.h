//===- Explainer.h - Collects what is decided, and shows it ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EXPLAIN_EXPLAINER_H
#define ISOZYME_EXPLAIN_EXPLAINER_H

#include "isozyme/Explain/Report.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/ForwardPlan.h"
#include "llvm/Support/Error.h"

namespace isozyme {

class SourceFiles;

/// What `-isozyme-explain` asks for. The driver tells it of every derivative while that
/// is made; at the end it writes what it was told.
class Explainer {
public:
  /// \p Level: how the code was optimised before, "-O2". \p Function: only what is made
  /// for it or for what it calls; \p Mode: only "reverse" or "forward". Empty for all.
  Explainer(const llvm::Module &M, llvm::StringRef Level, llvm::StringRef Function,
            llvm::StringRef Mode);
  ~Explainer();

  /// What follows is asked for by \p Call, until the next one.
  void beginRequest(const llvm::CallBase &Call);
  /// As far as it is known before calls are planned.
  void noteActivity(const DiffRequest &R, const PreparedFunction &P, const TypeResult &Types,
                    const ActivityResult &Activity);
  /// All that is decided; \p Types and \p Activity tell why.
  void notePlan(const ForwardPlan &Plan, const TypeResult &Types, const ActivityResult &Activity);
  void notePlan(const DerivativePlan &Plan, const TypeResult &Types,
                const ActivityResult &Activity);
  /// The function that was made for \p R.
  void noteDerivative(const DiffRequest &R, const llvm::Function &Derivative);
  /// \p E goes on to the user.
  void noteError(const llvm::Error &E);

  /// Writes every file of \p Paths, separated by commas: `.json`, `.html`, else text; `-` is
  /// the standard output.
  llvm::Error write(llvm::StringRef Paths);

private:
  struct Entry {
    DiffRequest Request;
    ExplainedDerivative Derivative;
    size_t Group = 0;      ///< The request of the user's that it is made for.
    bool IsMadeUp = false; ///< The user has asked for an explanation, not for a derivative.
    bool IsMeant = true;   ///< It is the function that the user has named.
  };
  Entry &addEntry(const DiffRequest &R);
  Entry &entryOf(const DiffRequest &R);
  void put(const DiffRequest &R, ExplainedDerivative D);
  Report select() const;

  std::string File, Level, Wanted, Mode;
  std::unique_ptr<SourceFiles> Sources;
  std::vector<Entry> Entries;
  size_t First = 0; ///< Of the entries of this request.
  size_t Group = 0;
  SourceLine Asked;
  std::string AskedFor;
  bool IsMadeUp = false;
};

/// `ns::f`, `ns::f<int>` and `f`; the linker's name of what is not C++.
llvm::SmallVector<std::string, 3> qualifiedNames(const llvm::Function &F);
/// Is \p F what the user calls \p Name: `f`, `ns::f`, `ns::f<int>`, `f(double)` or the linker's
/// name?
bool isNamed(const llvm::Function &F, llvm::StringRef Name);
/// Was \p F made for an explanation only?
bool isMadeUpCaller(const llvm::Function &F);
/// Functions of this name prefix hold a call that asks for what is to be explained.
inline constexpr llvm::StringLiteral ExplainPrefix = "isozyme.explain.";

} // namespace isozyme

#endif
