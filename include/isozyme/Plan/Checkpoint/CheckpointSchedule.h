//===- CheckpointSchedule.h - How a loop is cut into parts -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In C, for the plan makes the forecast with it, and the program the choice.
//
// A loop of N iterations is cut into Parts parts. In front of each part there is a snapshot:
// the memory that it overwrites. The reverse sweep takes the parts from the last one on, puts
// the snapshot back, runs the part again with a tape, and then its adjoint. Where snapshots
// and the tape of a part are still more than the limit, a part is cut in the same way when its
// turn comes, Levels times in all.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_CHECKPOINTSCHEDULE_H
#define ISOZYME_PLAN_CHECKPOINTSCHEDULE_H

typedef struct IsozymeSchedule {
  unsigned long Length; ///< Iterations of a part with a tape.
  unsigned long Parts;  ///< What is cut is cut into at most so many.
  unsigned long Levels; ///< 1: the loop. 2: its parts as well.
  unsigned long Peak;   ///< Bytes of snapshots and tape at once.
  unsigned long Extra;  ///< Iterations that are run more than once.
} IsozymeSchedule;

/// Cutting Levels times, with parts of Length iterations at last.
static inline IsozymeSchedule isozymeCut(unsigned long N, unsigned long Snapshot,
                                         unsigned long Tape, unsigned long Length,
                                         unsigned long Levels) {
  IsozymeSchedule S;
  unsigned long Whole = (N + Length - 1) / Length, Parts = 1, Level, Reached = 1, I;
  // The least number of parts with Parts^Levels >= Whole.
  for (; Reached < Whole; ++Parts)
    for (Reached = 1, I = 0; I < Levels && Reached < Whole; ++I)
      Reached *= Parts + 1;
  S.Length = Length;
  S.Parts = Parts;
  S.Levels = Levels;
  S.Extra = N;
  for (Level = 1; Level < Levels; ++Level)
    S.Extra += N - N / Parts;
  // The first of the parts of a part has the part's own snapshot. One more is of the end.
  S.Peak = (Parts + (Levels - 1) * (Parts - 1) + 1) * Snapshot + Length * Tape;
  return S;
}

/// The best of all lengths that are powers of two, or of those around it.
static inline IsozymeSchedule isozymeBestCut(unsigned long N, unsigned long Snapshot,
                                             unsigned long Tape, unsigned long Levels) {
  IsozymeSchedule Best = isozymeCut(N, Snapshot, Tape, 1, Levels), S;
  unsigned long Length, Step, From;
  for (Length = 2; Length < N; Length *= 2)
    if ((S = isozymeCut(N, Snapshot, Tape, Length, Levels)).Peak < Best.Peak)
      Best = S;
  for (Step = Best.Length / 4; Step; Step /= 2) {
    From = Best.Length;
    if (From > Step && (S = isozymeCut(N, Snapshot, Tape, From - Step, Levels)).Peak < Best.Peak)
      Best = S;
    if (From + Step <= N &&
        (S = isozymeCut(N, Snapshot, Tape, From + Step, Levels)).Peak < Best.Peak)
      Best = S;
  }
  return Best;
}

/// \p N iterations with \p Tape bytes of tape each, \p Snapshot bytes a snapshot, \p Limit
/// bytes at most; 0: the least that one level needs.
static inline IsozymeSchedule isozymeSchedule(unsigned long N, unsigned long Snapshot,
                                              unsigned long Tape, unsigned long Limit) {
  IsozymeSchedule Best, S;
  unsigned long Levels;
  if (Limit && (S = isozymeCut(N, Snapshot, Tape, N, 1)).Peak <= Limit)
    return S;
  Best = isozymeBestCut(N, Snapshot, Tape, 1);
  if (!Limit)
    return Best;
  for (Levels = 2; Best.Peak > Limit && Levels <= 16; ++Levels)
    if ((S = isozymeBestCut(N, Snapshot, Tape, Levels)).Peak < Best.Peak)
      Best = S;
  return Best;
}

#endif
