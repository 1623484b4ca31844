//===- Report.h - What is known of derivatives, line by line -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that `isozyme explain` shows, as plain data without a trace of IR:
// made from a plan, written as JSON, as text for a terminal, or as a page. It
// outlives the module that it tells of.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EXPLAIN_REPORT_H
#define ISOZYME_EXPLAIN_REPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace isozyme {

/// A line of a file; 0 where there is none.
struct SourceLine {
  std::string File; ///< As the compiler was told.
  unsigned Line = 0;
  bool operator==(const SourceLine &) const = default;
};

/// What the reverse sweep does to have a value.
enum class Had : uint8_t { NotNeeded, AtHand, ComputedAgain, ReadAgain, Kept };

struct ExplainedValue {
  std::string Name;  ///< In the words of the source: "e", "x[i] * x[i]".
  std::string Which; ///< "at the start of each iteration": of several values
  std::string Type;  ///< "double"
  bool Active = false;
  std::string Why;                 ///< Half a sentence on what makes it active, or not.
  std::vector<std::string> Causes; ///< From the value to what is differentiated, a step each.
  Had How = Had::NotNeeded;
  std::string Reason; ///< Of How.
  std::string Size;   ///< Kept: "8 * n bytes".
  int Slot = -1;      ///< Kept: the row of the tape.
  bool operator==(const ExplainedValue &) const = default;
};

struct ExplainedCall {
  std::string Callee;
  std::string Treatment; ///< One word of the plan: "by rule", "differentiate".
  std::string Text;      ///< A sentence.
  bool operator==(const ExplainedCall &) const = default;
};

struct ExplainedMessage {
  std::string Severity; ///< "error", "warning", "note"
  std::string Id;       ///< "IZ201"
  std::string Text;
  SourceLine Where;
  bool operator==(const ExplainedMessage &) const = default;
};

/// What differentiation makes of a line.
enum class LineKind : uint8_t {
  Empty,    ///< No code is left of it: a comment, a declaration, or optimised away.
  Inactive, ///< Runs in the forward sweep only.
  Active    ///< Carries derivatives.
};

struct ExplainedLine {
  unsigned Number = 0;
  std::string Source;
  LineKind Kind = LineKind::Empty;
  std::string WhyInactive;
  std::vector<ExplainedValue> Values;
  std::vector<ExplainedCall> Calls;
  std::vector<std::string> Remarks;    ///< Atomic operations, checks at run time, unknown types.
  std::vector<std::string> Loops;      ///< "i, n times"
  std::vector<std::string> Where;      ///< "t1 = a * b": what short names stand for.
  std::vector<std::string> Derivative; ///< Statements, in the order in which they are run.
  std::vector<std::string> Code;       ///< The derivative's instructions, likewise.
  std::vector<ExplainedMessage> Messages;
  bool operator==(const ExplainedLine &) const = default;
};

/// A function whose code is part of the derivative: the one asked for, or a copy of an inlined
/// one. Copies of which the same is said are one block.
struct ExplainedBlock {
  std::string Function;
  std::string File;
  std::string Inlined;                ///< "in line 12"; empty for the function itself.
  std::vector<SourceLine> CalledFrom; ///< The calls that were inlined.
  std::vector<std::string> Paths;     ///< The same, with the calls that lead to them.
  std::vector<std::string> Copies;    ///< "in line 15": the others of which the same is said.
  std::vector<ExplainedLine> Lines;
};

struct ExplainedLoop {
  SourceLine Where;
  std::string Counter; ///< The variable, or a name made up for the iteration.
  std::string Count;   ///< "n", "n - i"
  unsigned Depth = 1;
  bool KnownBefore = true;
  bool HasVariable = true; ///< Counter is a variable of the source.
  bool IsFused = false;    ///< It runs in the reverse sweep only.
  bool IsCarrying = false; ///< Its iterations hand sums of adjoints on, in registers.
};

struct TapeRow {
  int Slot = -1;
  std::string What; ///< "'e'"
  SourceLine Where;
  uint64_t Bytes = 0;
  std::string Times; ///< "n * m"; empty for once.
  std::string Total; ///< "8 * n * m"
  std::string Shape, Reason;
};

/// A long part of formulas, and the short name that stands for it there.
struct ShortName {
  std::string Name, Text;
};

struct ExplainedArgument {
  std::string Name, Type, Activity, Text;
};

struct ExplainedDerivative {
  std::string Function;  ///< As the source names it.
  std::string Title;     ///< "reverse of 'scan', by x"
  std::string Request;   ///< As plans print it.
  std::string Mode;      ///< "reverse", "forward", "split reverse"
  std::string Level;     ///< "-O2"
  SourceLine Asked;      ///< Where the call is; none for a function that others call.
  std::string AskedBy;   ///< A sentence.
  bool Complete = false; ///< Else an error ended it.
  std::vector<ExplainedArgument> Arguments;
  std::vector<ExplainedBlock> Blocks; ///< The function itself comes first.
  std::vector<ExplainedLoop> Loops;
  std::vector<TapeRow> Tape;
  std::string TapeTotal; ///< "16 * n + 8"
  std::vector<ShortName> ShortNames;
  std::vector<std::string> Unknowns; ///< What the sizes depend on: "n", "N1".
  unsigned Kept = 0, ComputedAgain = 0, ReadAgain = 0;
  std::vector<std::string> Remarks;       ///< On the whole.
  std::vector<ExplainedMessage> Messages; ///< Without a line in the blocks.
};

struct Report {
  std::string File; ///< The source file that is compiled.
  std::vector<ExplainedDerivative> Derivatives;
};

} // namespace isozyme

#endif
