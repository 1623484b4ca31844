//===- Options.h - What the command line may change --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read by every stage, set only by the option parser of the plugin
// (tools/plugin), before any pass runs.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_OPTIONS_H
#define ISOZYME_SUPPORT_OPTIONS_H

#include <cstdint>
#include <string>

namespace isozyme {

/// -isozyme-keep: what the planner does with values the reverse sweep needs.
enum class KeepPolicy { Plan, Cache, Recompute };

/// -isozyme-undo: whether the reverse sweep puts back what stores have overwritten. Always:
/// wherever it can, for tests.
enum class UndoPolicy { Plan, Never, Always };

/// -isozyme-tape-memory: where tapes lie that a call makes, uses and gives back.
enum class TapePolicy { Thread, Malloc };

/// -isozyme-adjoint-order: in which order the shares of a derivative are added, and its factors
/// multiplied.
enum class AdjointOrder { Any, Source };

struct Options {
  KeepPolicy Keep = KeepPolicy::Plan;
  UndoPolicy Undo = UndoPolicy::Plan;
  AdjointOrder Order = AdjointOrder::Any;
  TapePolicy TapeMemory = TapePolicy::Thread;
  unsigned TapeKept = 64;       ///< -isozyme-tape-kept: megabytes that a thread keeps
  uint64_t TapeLimit = 0;       ///< -isozyme-tape-limit: bytes; 0: none
  bool Fuse = true;             ///< -isozyme-fuse: loops may run in the reverse sweep only
  bool Versions = true;         ///< -isozyme-versions: there may be one for memory that is apart
  bool SkipZeros = true;        ///< -isozyme-skip-zeros: adjoints of zero may be tested for
  bool Chosen = true;           ///< -isozyme-chosen: loops may be reversed for one iteration only
  bool Apart = true;            ///< -isozyme-apart: shadows overlap no other memory
  bool Inline = true;           ///< -isozyme-inline: callees become part of what is differentiated
  bool VerifyEach = false;      ///< -isozyme-verify-each
  bool RunPrepared = false;     ///< -isozyme-run-prepared, for tests
  bool Check = false;           ///< -isozyme-check, or ISOZYME_CHECK in the environment
  bool StrongZero = true;       ///< -isozyme-strong-zero
  bool Enabled = true;          ///< -enzyme-enable: marker calls are looked at
  bool RuntimeActivity = false; ///< -enzyme-runtime-activity: in all marker calls
  std::string PrintAfter;       ///< -isozyme-print-after=<stage>
  std::string PlanIn;           ///< -isozyme-plan-in=<file>
  std::string PlanOut;          ///< -isozyme-plan-out=<file>
  std::string PrintFunction;    ///< -type-analysis-func, -activity-analysis-func
  std::string Explain;          ///< -isozyme-explain=<file>,...
  std::string ExplainFunction;  ///< -isozyme-explain-function=<name>
  std::string ExplainMode;      ///< -isozyme-explain-mode=reverse|forward
  std::string NoWarn;           ///< -isozyme-no-warn=IZ301,IZ304; "all"
  std::string Watch;            ///< -isozyme-watch=<variable>,...
  std::string Reproducer;       ///< -isozyme-reproducer=<directory>
  std::string ReproducerFor;    ///< -isozyme-reproducer-for=IZ203,...; "all"
  std::string DeviceMath;       ///< -isozyme-device-math=<file>
  std::string AbortOn;          ///< -isozyme-abort-on=IZ203
};

/// The options of this process, after parsing.
const Options &options();
/// Called once by the plugin's option parser (or a unit test).
void setOptions(const Options &O);

} // namespace isozyme

#endif
