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

#include "faults.h"

enum { MostSteps = 7, StepRatio = 4, NearPoints = 7 };

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
  double *Near;         ///< Outputs at equal distances, much closer: see Nearby.
  int Valid[MostSteps]; ///< The function could be run on both sides.
  int HasNear;
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

/// 0, or why the run has ended early. Null stands for the function itself.
static __attribute__((noinline)) int run(Check *C, void (*Derivative)(char *, int64_t)) {
  Handlers H;
  Exceptions None = {NULL, 0}, *Now = __cxa_get_globals ? __cxa_get_globals() : &None, Was = *Now;
  beginRun(C, __builtin_frame_address(0));
  catchFaults(&H, &C->R);
  int Why = setjmp(C->R.Out);
  if (!Why) {
    TheRun(&C->R, 1);
    C->R.IsForward = Derivative && Derivative == C->Site->Forward;
    if (Derivative)
      Derivative(C->Frame, C->Lane);
    else
      C->Site->Primal(C->Frame);
  }
  TheRun(NULL, 1);
  releaseFaults(&H);
  if (Why) // Nobody comes to the end of a handler that has been left.
    *Now = Was;
  return Why;
}

static int runPrimal(Check *C) { return run(C, NULL); }
static int runForward(Check *C) { return run(C, C->Site->Forward); }

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

/// The distance of near points: where a smooth function is all but straight.
static double nearStep(const Check *C) {
  return C->FirstStep / (C->Epsilon > 1e-10 ? 2048 : 262144);
}

static void sampleNear(Check *C, const double *V, Samples *S) {
  S->HasNear = 1;
  for (int K = 0; K < NearPoints; ++K)
    S->HasNear &=
        !runAt(C, V, (K - NearPoints / 2) * nearStep(C), S->Near + (size_t)K * C->Outputs);
}

static Samples sample(Check *C, const double *V) {
  size_t N = C->Outputs;
  Samples S = {zeros(N * (size_t)C->Steps), zeros(2 * N), zeros(2 * N),
               zeros(N * NearPoints),       {0},          0};
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
  sampleNear(C, V, &S);
  setInputs(C, NULL, 0);
  return S;
}

static void releaseSamples(Samples *S) {
  free(S->Central);
  free(S->Plus);
  free(S->Minus);
  free(S->Near);
}

/// Weights times outputs. Outputs without a weight may be anything.
static double weighted(const double *Weights, const double *Values, size_t N) {
  double Sum = 0;
  for (size_t J = 0; J < N; ++J)
    if (Weights[J] != 0)
      Sum += Weights[J] * Values[J];
  return Sum;
}

/// What values at near points say: how much of them is noise, and how steep they are.
typedef struct {
  double Noise, Slope;
} Nearby;

/// A smooth function has no differences of high order there; rounding has, and so has
/// what changes faster than the steps can see. \p Floor: the least that rounding does.
static Nearby nearby(const Check *C, const double *At, double Floor) {
  Nearby Found = {Floor, (At[6] - At[0]) / (6 * nearStep(C))};
  // Differences of orders 4 and 6, over what they make of independent errors of size 1.
  double Sixth = At[0] - 6 * At[1] + 15 * At[2] - 20 * At[3] + 15 * At[4] - 6 * At[5] + At[6];
  double Noise = magnitude(Sixth) / 30.4;
  for (int I = 0; I < 3; ++I) {
    double Fourth = At[I] - 4 * At[I + 1] + 6 * At[I + 2] - 4 * At[I + 3] + At[I + 4];
    if (!(magnitude(Fourth) / 8.4 <= Noise))
      Noise = magnitude(Fourth) / 8.4;
  }
  if (!(Noise <= Floor))
    Found.Noise = Noise;
  return Found;
}

/// A function may be smooth at all steps and another one below them, or not continuous at
/// all. \p Size: of its values.
static int isSupported(const Check *C, const double *Rows, Slope D, Nearby N, double Scale,
                       double Size) {
  double Relative = C->Epsilon > 1e-10 ? 2e-3 : 1e-6, Largest = 0;
  for (int K = 0; K < C->Steps; ++K) {
    double Change = magnitude(Rows[K]) * stepNumber(C, K);
    Largest = isFinite(Change) && Change > Largest ? Change : Largest;
  }
  if (N.Noise > 1e-3 * (Size + Largest))
    return 0;
  return magnitude(N.Slope - D.Value) <=
         10 * N.Noise / nearStep(C) + 10 * D.Error + Relative * Scale;
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
  double Rows[MostSteps], Size = 0;
  for (int K = 0; K < C->Steps; ++K)
    Rows[K] = weighted(Weights, S->Central + (size_t)K * N, N);
  for (size_t J = 0; J < N; ++J)
    if (Weights[J] != 0)
      Size += magnitude(Weights[J] * C->Base[J]);
  double Noise = C->Epsilon * Size, At[NearPoints];
  for (int K = 0; K < NearPoints; ++K)
    At[K] = weighted(Weights, S->Near + (size_t)K * N, N);
  Nearby Close = nearby(C, At, Noise);
  Slope Found = extrapolate(C, Rows, S->Valid, S->HasNear ? Close.Noise : Noise);
  double Apart[2];
  for (int Late = 0; Late < 2; ++Late)
    Apart[Late] = magnitude(weighted(Weights, S->Plus + (size_t)Late * N, N) -
                            weighted(Weights, S->Minus + (size_t)Late * N, N));
  double Small = 1e-4 * (magnitude(Found.Value) > Scale ? magnitude(Found.Value) : Scale) +
                 20 * Noise / stepNumber(C, C->Steps - 1);
  Found.IsKink = !(Apart[1] <= 0.6 * Apart[0] || Apart[1] <= Small);
  if (S->HasNear && !isSupported(C, Rows, Found, Close, Scale, Size))
    Found.IsClear = 0;
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

/// Where the derivative of an input is when one is run.
static char *inputTangent(const Check *C, size_t I) {
  if (I < C->ActiveCount)
    return activeElement(C, I)->Shadow;
  const IsozymeLeaf *L = &C->Site->Input[I - C->ActiveCount];
  return C->Frame + L->Tangent + (int64_t)C->Lane * C->Site->ShadowStride;
}

static char *outputTangent(const Check *C, size_t J) {
  return J < C->ActiveCount ? activeElement(C, J)->Shadow
                            : C->Frame + C->Site->Output[J - C->ActiveCount].Tangent;
}

static int inputKind(const Check *C, size_t I) {
  return I < C->ActiveCount ? activeElement(C, I)->Kind : C->Site->Input[I - C->ActiveCount].Kind;
}

static int outputKind(const Check *C, size_t J) {
  return J < C->ActiveCount ? activeElement(C, J)->Kind : C->Site->Output[J - C->ActiveCount].Kind;
}

/// The forward derivative along \p V; 0 if it could not be run.
static int tangentsAlong(Check *C, const double *V, double *Tangents) {
  setInputs(C, NULL, 0);
  for (size_t I = 0; I < C->Inputs; ++I) {
    int Ignored = I < C->ActiveCount && activeElement(C, I)->WrittenFirst;
    put(inputTangent(C, I), inputKind(C, I), Ignored ? 0 : V[I]);
  }
  int Why = runForward(C);
  for (size_t J = 0; !Why && J < C->Outputs; ++J)
    Tangents[J] = get(outputTangent(C, J), outputKind(C, J));
  hideCopies(C, V, Tangents);
  setInputs(C, NULL, 0);
  return !Why;
}

/// The reverse derivative, from adjoints \p W of outputs; 0 if it could not be run.
static int gradientsFrom(Check *C, const double *W, double *Gradients) {
  setInputs(C, NULL, 0);
  for (size_t J = 0; J < C->Outputs; ++J)
    put(outputTangent(C, J), outputKind(C, J), W[J]);
  int Why = run(C, C->Site->Reverse);
  for (size_t I = 0; !Why && I < C->Inputs; ++I)
    Gradients[I] = get(inputTangent(C, I), inputKind(C, I));
  setInputs(C, NULL, 0);
  return !Why;
}

#endif
