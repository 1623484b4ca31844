//===- differences.h - Derivatives from values alone ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a function at points along a line through its inputs and estimates how its outputs
// change: central differences at steps that become smaller, extrapolated to step zero
// (Richardson), with an estimate of what is wrong with that; and one-sided differences,
// which disagree where the function has a kink.
//
// Inputs and outputs are numbered: first the elements in memory that have a shadow, then
// floats among the arguments (inputs), or in the result (outputs).
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_DIFFERENCES_H
#define ISOZYME_CHECK_DIFFERENCES_H

#include "memory.h"

enum { MostSteps = 7, StepRatio = 4 };

/// One lane of a checked call.
typedef struct {
  Run R;
  const IsozymeSite *Site;
  char *Frame, *FrameWas;
  int Lane;
  uint32_t *Active;
  size_t ActiveCount, Inputs, Outputs;
  double *Base;   ///< Outputs as they are.
  double Epsilon; ///< Of the shortest float type involved.
  double FirstStep;
  int Steps;
} Check;

/// Central differences of all outputs for each step, one-sided ones for the last two.
typedef struct {
  double *Central, *Plus, *Minus;
  int Valid[MostSteps]; ///< The function could be run on both sides.
} Samples;

/// A derivative by differences.
typedef struct {
  double Value, Error;
  int IsKink, IsClear;
} Slope;

static double *zeros(size_t Count) {
  double *All = calloc(Count + 1, sizeof *All);
  if (!All)
    abort();
  return All;
}

static const Element *activeElement(const Check *C, size_t I) {
  return &C->R.Elements[C->Active[I]];
}

static int isFinite(double V) { return V - V == 0; }
static double magnitude(double V) { return V < 0 ? -V : V; }

/// Memory and arguments as the caller has them, moved by \p V times \p Step (V may be null).
static void setInputs(Check *C, const double *V, double Step) {
  restore(&C->R);
  memcpy(C->Frame, C->FrameWas, (size_t)C->Site->FrameSize);
  for (size_t I = 0; V && I < C->Inputs; ++I) {
    if (V[I] == 0)
      continue;
    if (I < C->ActiveCount) {
      const Element *E = activeElement(C, I);
      if (!E->WrittenFirst)
        add(E->P, E->Kind, V[I] * Step);
    } else {
      const IsozymeLeaf *L = &C->Site->Input[I - C->ActiveCount];
      add(C->Frame + L->Value, L->Kind, V[I] * Step);
    }
  }
}

static void beginRun(Check *C, char *StackEnd) {
  ++C->R.Number;
  C->R.StackEnd = StackEnd;
}

static Run *TheRun(Run *New, int Set);

/// 0, or why the run has ended early.
static __attribute__((noinline)) int runPrimal(Check *C) {
  beginRun(C, __builtin_frame_address(0));
  int Why = setjmp(C->R.Out);
  if (!Why) {
    TheRun(&C->R, 1);
    C->Site->Primal(C->Frame);
  }
  TheRun(NULL, 1);
  return Why;
}

static __attribute__((noinline)) int runForward(Check *C) {
  beginRun(C, __builtin_frame_address(0));
  int Why = setjmp(C->R.Out);
  if (!Why) {
    TheRun(&C->R, 1);
    C->Site->Forward(C->Frame, C->Lane);
  }
  TheRun(NULL, 1);
  return Why;
}

static void readOutputs(const Check *C, double *Out) {
  for (size_t J = 0; J < C->Outputs; ++J)
    if (J < C->ActiveCount) {
      const Element *E = activeElement(C, J);
      Out[J] = get(E->P, E->Kind);
    } else {
      const IsozymeLeaf *L = &C->Site->Output[J - C->ActiveCount];
      Out[J] = get(C->Frame + L->Value, L->Kind);
    }
}

/// Copies that the function gets do not come back.
static void hideCopies(const Check *C, const double *V, double *Tangents) {
  for (size_t J = 0; J < C->ActiveCount; ++J)
    if (activeElement(C, J)->Copied)
      Tangents[J] = V ? V[J] : 0;
}

static double stepNumber(const Check *C, int K) {
  double Step = C->FirstStep;
  while (K-- > 0)
    Step /= StepRatio;
  return Step;
}

static int runAt(Check *C, const double *V, double Step, double *Out) {
  setInputs(C, V, Step);
  int Why = runPrimal(C);
  if (!Why)
    readOutputs(C, Out);
  return Why;
}

static Samples sample(Check *C, const double *V) {
  size_t N = C->Outputs;
  Samples S = {zeros(N * (size_t)C->Steps), zeros(2 * N), zeros(2 * N), {0}};
  double *Up = zeros(N), *Down = zeros(N);
  for (int K = 0; K < C->Steps; ++K) {
    double Step = stepNumber(C, K);
    S.Valid[K] = !runAt(C, V, Step, Up) && !runAt(C, V, -Step, Down);
    if (!S.Valid[K])
      continue;
    double *To = S.Central + (size_t)K * N;
    for (size_t J = 0; J < N; ++J)
      To[J] = (Up[J] - Down[J]) / (2 * Step);
    hideCopies(C, V, To);
    int Late = K - (C->Steps - 2);
    if (Late < 0)
      continue;
    for (size_t J = 0; J < N; ++J) {
      S.Plus[(size_t)Late * N + J] = (Up[J] - C->Base[J]) / Step;
      S.Minus[(size_t)Late * N + J] = (C->Base[J] - Down[J]) / Step;
    }
    hideCopies(C, V, S.Plus + (size_t)Late * N);
    hideCopies(C, V, S.Minus + (size_t)Late * N);
  }
  free(Up);
  free(Down);
  setInputs(C, NULL, 0);
  return S;
}

static void releaseSamples(Samples *S) {
  free(S->Central);
  free(S->Plus);
  free(S->Minus);
}

/// Weights times outputs. Outputs without a weight may be anything.
static double weighted(const double *Weights, const double *Values, size_t N) {
  double Sum = 0;
  for (size_t J = 0; J < N; ++J)
    if (Weights[J] != 0)
      Sum += Weights[J] * Values[J];
  return Sum;
}

/// Rows[K] is the difference for step number K. \p Noise: what rounding does to values.
static Slope extrapolate(const Check *C, const double *Rows, const int *Valid, double Noise) {
  Slope S = {0, 0, 0, 0};
  double Table[MostSteps][MostSteps];
  int First = 0, Found = 0;
  for (int K = 0; K < C->Steps; ++K)
    if (!Valid[K] || !isFinite(Rows[K]))
      First = K + 1;
  if (C->Steps - First < 3)
    return S;
  for (int I = 0; I < C->Steps - First; ++I) {
    double Power = 1, Step = stepNumber(C, First + I);
    Table[I][0] = Rows[First + I];
    for (int J = 1; J <= I; ++J) {
      Power *= StepRatio * StepRatio;
      Table[I][J] = Table[I][J - 1] + (Table[I][J - 1] - Table[I - 1][J - 1]) / (Power - 1);
      double Left = magnitude(Table[I][J] - Table[I][J - 1]);
      double Above = magnitude(Table[I][J] - Table[I - 1][J - 1]);
      double Error = (Left > Above ? Left : Above) + Noise / Step;
      if (!Found || Error < S.Error) {
        S.Value = Table[I][J];
        S.Error = Error;
        Found = 1;
      }
    }
  }
  S.IsClear = 1;
  return S;
}

/// The derivative of the weighted sum of outputs. \p Scale: how large its parts are.
static Slope slopeOf(const Check *C, const Samples *S, const double *Weights, double Scale) {
  size_t N = C->Outputs;
  double Rows[MostSteps], Noise = 0;
  for (int K = 0; K < C->Steps; ++K)
    Rows[K] = weighted(Weights, S->Central + (size_t)K * N, N);
  for (size_t J = 0; J < N; ++J)
    if (Weights[J] != 0)
      Noise += magnitude(Weights[J] * C->Base[J]);
  Noise *= C->Epsilon;
  Slope Found = extrapolate(C, Rows, S->Valid, Noise);
  double Apart[2];
  for (int Late = 0; Late < 2; ++Late)
    Apart[Late] = magnitude(weighted(Weights, S->Plus + (size_t)Late * N, N) -
                            weighted(Weights, S->Minus + (size_t)Late * N, N));
  double Small = 1e-4 * (magnitude(Found.Value) > Scale ? magnitude(Found.Value) : Scale) +
                 20 * Noise / stepNumber(C, C->Steps - 1);
  Found.IsKink = !(Apart[1] <= 0.6 * Apart[0] || Apart[1] <= Small);
  return Found;
}

/// Numbers with few digits, so that inputs are moved by exactly that much, and of the
/// size of the inputs.
static double *direction(const Check *C, uint64_t Seed, const unsigned char *Only) {
  double *V = zeros(C->Inputs), Sum = 0;
  size_t Count = 0;
  for (int Pass = 0; Pass < 2; ++Pass)
    for (size_t I = 0; I < C->Inputs; ++I) {
      const Element *E = I < C->ActiveCount ? activeElement(C, I) : NULL;
      const IsozymeLeaf *L = E ? NULL : &C->Site->Input[I - C->ActiveCount];
      double X = E ? get(E->P, E->Kind) : get(C->FrameWas + L->Value, L->Kind);
      X = magnitude(X);
      int Counts = isFinite(X) && !(E && E->WrittenFirst);
      if (!Pass) {
        Sum += Counts ? X : 0;
        Count += Counts;
        continue;
      }
      Seed = Seed * 6364136223846793005u + 1442695040888963407u;
      if (Only && !Only[I])
        continue;
      double Mean = Count && Sum > 0 ? Sum / (double)Count : 1;
      double Size = !Counts || X < 0.125 * Mean ? 0.125 * Mean : X, Power = 1;
      if (!isFinite(Size))
        Size = 1;
      for (; Power > Size; Power /= 2)
        ;
      for (; Power * 2 <= Size; Power *= 2)
        ;
      double Digits = (double)(8 + (Seed >> 40) % 8) / 8;
      V[I] = (Seed >> 63 ? -Digits : Digits) * Power;
    }
  return V;
}

/// The forward derivative along \p V; 0 if it could not be run.
static int tangentsAlong(Check *C, const double *V, double *Tangents) {
  setInputs(C, NULL, 0);
  for (size_t I = 0; I < C->Inputs; ++I)
    if (I < C->ActiveCount) {
      const Element *E = activeElement(C, I);
      put(E->Shadow, E->Kind, E->WrittenFirst ? 0 : V[I]);
    } else {
      const IsozymeLeaf *L = &C->Site->Input[I - C->ActiveCount];
      put(C->Frame + L->Tangent + (int64_t)C->Lane * C->Site->ShadowStride, L->Kind, V[I]);
    }
  int Why = runForward(C);
  for (size_t J = 0; !Why && J < C->Outputs; ++J)
    if (J < C->ActiveCount) {
      const Element *E = activeElement(C, J);
      Tangents[J] = get(E->Shadow, E->Kind);
    } else {
      const IsozymeLeaf *L = &C->Site->Output[J - C->ActiveCount];
      Tangents[J] = get(C->Frame + L->Tangent, L->Kind);
    }
  hideCopies(C, V, Tangents);
  setInputs(C, NULL, 0);
  return !Why;
}

#endif
