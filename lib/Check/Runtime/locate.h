//===- locate.h - Which input has the wrong derivative --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares gradients with differences along directions through all or some inputs, and
// halves the set of inputs until one is left that shows what is wrong. Nothing is called
// wrong unless differences are clear about that input: no kink, steps that agree.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_LOCATE_H
#define ISOZYME_CHECK_LOCATE_H

#include "report.h"

enum { MostDirections = 8 };

/// A lane under check.
typedef struct {
  Check C;
  double *W; ///< Per output: the adjoint before a reverse call; see identity.h for forward ones.
  int Directions;
  double *V[MostDirections], *F[MostDirections]; ///< Directions, and forward derivatives there.
  Samples S[MostDirections];
  int HasF[MostDirections];
  double *Each; ///< First halves with few inputs: forward derivatives along each.
  double Scale; ///< Forward mode: how much longer than the inputs the tangents are.
  double *G;    ///< Forward mode: gradients from adjoints W by the reverse derivative, or null.
  double Along; ///< A result of what is done after the call.
  int IsWrong, IsUnclear;
} Trial;

static void releaseTrial(Trial *T) {
  free(T->W);
  free(T->Each);
  free(T->G);
  for (int D = 0; D < T->Directions; ++D) {
    free(T->V[D]);
    free(T->F[D]);
    releaseSamples(&T->S[D]);
  }
}

static double toleranceOf(const Check *C, double Scale, double Error) {
  double Relative = TheState->Tolerance > 0 ? TheState->Tolerance
                    : C->Epsilon > 1e-10    ? 2e-3
                                            : 1e-6;
  return Relative * Scale + 10 * Error;
}

static int isDecided(Slope D, double Scale) {
  return D.IsClear && isFinite(D.Value) && D.Error <= 0.02 * Scale;
}

/// Nothing changes, as far as rounding lets one see.
static int isFlat(Slope D, double Scale, double Size) {
  return D.IsClear && D.Error <= 1e-5 * Size && Scale <= 1e-5 * Size;
}

typedef struct {
  double Reverse, Forward, Scale;
  double Size; ///< Of the outputs.
  Slope D;
  int HasForward;
} Comparison;

/// Gradients \p G against differences, along one direction.
static Comparison compare(const Trial *T, const double *G, const double *V, const Samples *S,
                          const double *F) {
  Comparison X = {0, 0, 0, 0, {0, 0, 0, 0}, F != NULL};
  double Squares = 0;
  for (size_t I = 0; I < T->C.Inputs; ++I)
    if (V[I] != 0) {
      X.Reverse += G[I] * V[I];
      Squares += G[I] * V[I] * G[I] * V[I];
    }
  if (F)
    X.Forward = weighted(T->W, F, T->C.Outputs);
  for (size_t J = 0; J < T->C.Outputs; ++J)
    X.Size += T->W[J] != 0 ? magnitude(T->W[J] * T->C.Base[J]) : 0;
  X.D = slopeOf(&T->C, S, T->W, magnitude(X.Reverse));
  double Length = Squares > 0 && isFinite(Squares) ? __builtin_sqrt(Squares) : 0;
  X.Scale = magnitude(X.D.Value);
  if (isFinite(X.Reverse) && magnitude(X.Reverse) > X.Scale)
    X.Scale = magnitude(X.Reverse);
  X.Scale = Length > X.Scale ? Length : X.Scale;
  return X;
}

static int disagrees(const Check *C, double A, double B, double Scale, double Error) {
  return !(magnitude(A - B) <= toleranceOf(C, Scale, Error));
}

/// The gradient as it stands after the call, per input.
static double *gradientNow(const Trial *T, const char *Frame) {
  const Check *C = &T->C;
  double *G = zeros(C->Inputs);
  for (size_t I = 0; I < C->Inputs; ++I) {
    const IsozymeLeaf *L = I < C->ActiveCount ? NULL : &C->Site->Input[I - C->ActiveCount];
    if (!L)
      G[I] = get(activeElement(C, I)->Shadow, activeElement(C, I)->Kind);
    else if (L->Derivative != Nowhere)
      G[I] = get(Frame + L->Derivative + (int64_t)C->Lane * L->Stride, L->Kind);
  }
  return G;
}

/// Compares along a direction through some inputs only.
static Comparison compareSome(Trial *T, const double *G, const unsigned char *Only,
                              double *Length) {
  double *V = direction(&T->C, 7, Only), *F = zeros(T->C.Outputs);
  Samples S = sample(&T->C, V);
  int HasForward = tangentsAlong(&T->C, V, F);
  Comparison X = compare(T, G, V, &S, HasForward ? F : NULL);
  for (size_t I = 0; I < T->C.Inputs; ++I)
    if (Only[I])
      *Length = V[I];
  free(V);
  free(F);
  releaseSamples(&S);
  return X;
}

static unsigned char *flags(size_t Count) {
  unsigned char *All = calloc(Count + 1, 1);
  if (!All)
    abort();
  return All;
}

static double excess(Trial *T, const double *G, const unsigned char *Excluded, size_t From,
                     size_t To) {
  unsigned char *Only = flags(T->C.Inputs);
  int Any = 0;
  for (size_t I = From; I < To; ++I)
    Any |= Only[I] = !Excluded[I];
  double Length;
  Comparison X = {0, 0, 0, 0, {0, 0, 0, 0}, 0};
  if (Any)
    X = compareSome(T, G, Only, &Length);
  free(Only);
  if (!Any)
    return 0;
  double Apart = magnitude(X.Reverse - X.D.Value);
  return isFinite(Apart) ? Apart / (toleranceOf(&T->C, X.Scale, X.D.Error) + 1e-300) : 1e300;
}

static void rulesNote(const IsozymeSite *Site) {
  if (Site->Rules[0])
    say(Site, "note: derivatives that are registered by hand take part in it: %s", Site->Rules);
}

/// Reports one input whose derivative is wrong; 0 if differences do not say so clearly.
static int reportInput(Trial *T, const double *G, size_t I) {
  unsigned char *Only = flags(T->C.Inputs);
  Only[I] = 1;
  double Length = 1;
  Comparison X = compareSome(T, G, Only, &Length);
  free(Only);
  int Clear = isDecided(X.D, X.Scale) && !X.D.IsKink;
  if (!Clear || !disagrees(&T->C, X.Reverse, X.D.Value, X.Scale, X.D.Error))
    return 0;
  if (!mayReport(T->C.Site))
    return 1;
  char Forward[64] = "";
  if (X.HasForward)
    snprintf(Forward, sizeof Forward, ", forward mode %.10g", X.Forward / Length);
  say(T->C.Site, "the gradient of '%s' is wrong at %s: reverse mode %.10g, differences %.10g%s",
      T->C.Site->Function, inputName(&T->C, I).Text, X.Reverse / Length, X.D.Value / Length,
      Forward);
  return 1;
}

/// Looks for inputs whose derivatives are wrong among those not \p Excluded; how many have
/// been found. \p IsSure: there is one.
static int locate(Trial *T, const double *G, unsigned char *Excluded, int IsSure) {
  enum { MostFound = 3 };
  int Found = 0;
  while (Found < MostFound) {
    size_t From = 0, To = T->C.Inputs;
    if ((Found || !IsSure) && excess(T, G, Excluded, From, To) <= 1)
      break;
    while (To - From > 1) {
      size_t Middle = From + (To - From) / 2;
      if (excess(T, G, Excluded, From, Middle) >= excess(T, G, Excluded, Middle, To))
        To = Middle;
      else
        From = Middle;
    }
    if (To == From || Excluded[From] || !reportInput(T, G, From))
      break;
    Excluded[From] = 1;
    ++Found;
  }
  return Found;
}

static int locateAmongAll(Trial *T, const double *G) {
  unsigned char *Excluded = flags(T->C.Inputs);
  int Found = locate(T, G, Excluded, /*IsSure=*/1);
  free(Excluded);
  return Found;
}

/// What is wrong with small parts of a sum is lost beside large ones: they are compared again,
/// without them.
static int locateAmongSmall(Trial *T, const double *G) {
  enum { Levels = 2 };
  const Check *C = &T->C;
  double *Parts = direction(C, 7, NULL);
  unsigned char *Excluded = flags(C->Inputs);
  int Found = 0;
  for (size_t I = 0; I < C->Inputs; ++I) {
    Parts[I] = magnitude(Parts[I] * G[I]);
    Excluded[I] = I < C->ActiveCount && activeElement(C, I)->WrittenFirst;
  }
  for (int Level = 0; Level < Levels && !Found; ++Level) {
    double Largest = 0;
    size_t Left = 0;
    for (size_t I = 0; I < C->Inputs; ++I)
      if (!Excluded[I] && Parts[I] > Largest)
        Largest = Parts[I];
    for (size_t I = 0; I < C->Inputs; ++I) {
      Excluded[I] |= !(Parts[I] < 1e-4 * Largest);
      Left += !Excluded[I];
    }
    if (!Left)
      break;
    Found = locate(T, G, Excluded, /*IsSure=*/0);
  }
  free(Excluded);
  free(Parts);
  return Found;
}

/// Does what can only be done with the inputs as they were, and brings back the state.
static int afterCall(Trial *T, const double *G, int (*Search)(Trial *, const double *)) {
  Check *C = &T->C;
  size_t Size = (size_t)C->Site->FrameSize;
  unsigned char *Memory = contents(&C->R);
  char *Frame = malloc(Size);
  if (!Frame)
    abort();
  memcpy(Frame, C->Frame, Size);
  size_t Words = C->R.WordCount;
  openPages(&C->R);
  int Found = Search(T, G);
  restore(&C->R);
  C->R.WordCount = Words; // Later ones have been put back.
  putBack(&C->R, Memory);
  closePages(&C->R);
  memcpy(C->Frame, Frame, Size);
  free(Memory);
  free(Frame);
  return Found;
}

/// Of a second half, whose inputs may be gone: what the first one has found out by forward
/// mode for each input names the one that is wrong. 0 if none.
static int locateByForwardMode(const Trial *T, const double *G) {
  const Check *C = &T->C;
  int Found = 0;
  for (size_t I = 0; T->Each && I < C->Inputs; ++I) {
    double Forward = weighted(T->W, T->Each + I * C->Outputs, C->Outputs);
    double Scale = magnitude(Forward) > magnitude(G[I]) ? magnitude(Forward) : magnitude(G[I]);
    if (!disagrees(C, G[I], Forward, Scale, 0))
      continue;
    Found = 1;
    if (mayReport(C->Site))
      say(C->Site, "the gradient of '%s' is wrong at %s: reverse mode %.10g, forward mode %.10g",
          C->Site->Function, inputName(C, I).Text, G[I], Forward);
  }
  return Found;
}

#endif
