//===- site.h - What the compiler tells of a checked call -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of the tables that CheckedCall.cpp writes into the user's module, and
// the functions that it calls. The run-time part of checks is C, becomes bitcode when
// Isozyme is built, and is linked into each module that has a checked call: everything
// that several of a program's modules share has a name that starts with
// __isozyme_check, everything else is static.
//
// All arguments and results of a call are in its frame. Offsets count from its start.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_SITE_H
#define ISOZYME_CHECK_SITE_H

#include "kinds.h"
#include <stdint.h>

enum { ModeForward, ModeReverse, ModeAugment, ModeFromTape };
enum { ArgConst, ArgActive, ArgDup, ArgDupNoNeed };
/// Why a run of the function ends early.
enum { StopsProgram = 1, FreesMemory = 2, TooLarge = 3, Crashes = 4, Refused = 5 };
enum { Nowhere = -1 };

typedef struct {
  const char *Name; ///< Empty if not known.
  int32_t Activity;
  int32_t IsPointer;
  int32_t Value, Shadow; ///< Offsets.
  int32_t Room;          ///< Where the frame says how many bytes the shadow has (-1: unknown).
  int32_t Copied;        ///< Bytes that the function gets a copy of, if passed by value.
} IsozymeParam;

/// A float among the arguments or in the result.
typedef struct {
  int32_t Param, Kind;
  int32_t Value, Tangent; ///< Offsets; a tangent is one per lane, ShadowStride apart.
  int32_t Derivative;     ///< Input: gradient. Result: seed (reverse), tangent (forward).
  int32_t Stride;         ///< From lane to lane of it.
} IsozymeLeaf;

typedef struct {
  int64_t Calls;   ///< So many times has control come here.
  int32_t Reports; ///< Lines printed.
  int32_t Told;    ///< "not checked" has been printed,
  int32_t Noted;   ///< and that the reverse derivative of a forward call disagrees.
} IsozymeSiteState;

typedef struct {
  char *Start;
  int64_t Size;
} IsozymeRange;

typedef struct {
  const char *Function, *Where, *Rules; ///< Rules: names of functions with registered derivatives.
  const char *Why;                      ///< Not null: cannot be checked.
  int32_t Mode, Width;
  int32_t Params, Inputs, Outputs, ShadowStride, FrameSize;
  int32_t HasFloat; ///< The function computes in single precision somewhere.
  int32_t Prints;   ///< It prints: streams, which the copies leave alone, change.
  int32_t Hidden;   ///< So many arguments in front are not the caller's own.
  const IsozymeParam *Param;
  const IsozymeLeaf *Input, *Output;
  void (*Primal)(char *Frame);
  void (*Forward)(char *Frame, int64_t Lane);
  /// Forward calls: the adjoints of the result are read where its tangents are for Forward,
  /// and gradients of arguments put where tangents are. Null: there is none.
  void (*Reverse)(char *Frame, int64_t Lane);
  const IsozymeRange *Own; ///< Shadows that Isozyme has made: nobody seeds them.
  int64_t Owns;
  IsozymeSiteState *State;
} IsozymeSite;

void *__isozyme_check_begin(const IsozymeSite *Site, char *Frame);
void __isozyme_check_end(void *Check, char *Frame);
void __isozyme_check_touch(char *P, int64_t Size, int32_t Kind);
void __isozyme_check_touch_forward(char *P, char *Shadow, int64_t Size, int32_t Kind);
void __isozyme_check_allocated(void *P, int64_t Size);
void __isozyme_check_freed(void *P);
void __isozyme_check_stop(int32_t Why);
void __isozyme_check_refuse(const char *Why);
void __isozyme_check_copied(char *To, char *From, int64_t Size);
int64_t __isozyme_check_origin(char *P);
void __isozyme_check_moved(char *To, int64_t Token, int64_t Size);
void __isozyme_check_forget(char *P, int64_t Size);

#endif
