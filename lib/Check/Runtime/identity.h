//===- identity.h - Forward calls against the reverse derivative ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward call takes tangents v to J v. For any adjoints w of the outputs
//
//   <w, J v>  =  <J^T w, v>
//
// The reverse derivative computes the right side before the call, for random w. Meanwhile
// the shadows hold the adjoints; their contents are restored afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_IDENTITY_H
#define ISOZYME_CHECK_IDENTITY_H

#include "locate.h"

/// How much an output changes along the caller's tangents, as far as it is more than rounding.
static double changeOf(const Trial *T, size_t J) {
  const Check *C = &T->C;
  double Change = magnitude(T->S[0].Central[J]), Base = magnitude(C->Base[J]);
  double Least = Base * (C->Epsilon > 1e-10 ? 1e-2 : 1e-6) / T->Scale;
  return isFinite(Change) && Change > Least ? Change : Least;
}

/// Outputs count about the same, whatever their units. What passes through unchanged would
/// say nothing, and only hide others.
static int drawAdjoints(Trial *T) {
  const Check *C = &T->C;
  uint64_t Seed = 11;
  int Any = 0;
  for (size_t J = 0; J < C->Outputs; ++J) {
    const Element *E = J < C->ActiveCount ? activeElement(C, J) : NULL;
    int Counts = isFinite(C->Base[J]);
    if (E)
      Counts &= !E->Copied && (E->WrittenFirst || C->Base[J] != get(E->P, E->Kind));
    else
      Counts &= C->Site->Output[J - C->ActiveCount].Derivative != Nowhere;
    Seed = Seed * 6364136223846793005u + 1442695040888963407u;
    double Size = changeOf(T, J), Power = 1;
    for (; Size > 0 && Power * Size > 1 && Power > 1e-30; Power /= 2)
      ;
    for (; Size > 0 && Power * Size < 0.5 && Power < 1e30; Power *= 2)
      ;
    double Digits = (double)(8 + (Seed >> 40) % 8) / 8;
    T->W[J] = Counts ? (Seed >> 63 ? -Digits : Digits) * Power : 0;
    Any |= Counts;
  }
  return Any;
}

/// May adjoints be put into all shadows, and are they all there is in them?
static int canSeed(Check *C) {
  char *Last = NULL;
  for (size_t I = 0; I < C->R.ElementCount; ++I)
    if (!C->R.Elements[I].Kind)
      return 0;
  for (size_t I = 0; I < C->ActiveCount; ++I)
    if (!makeWritable(&C->R, activeElement(C, I)->Shadow, &Last))
      return 0;
  return 1;
}

/// To be done before the call, when the caller's tangents are known.
static void tryReverse(Trial *T) {
  Check *C = &T->C;
  if (!C->Site->Reverse || T->IsWrong || !canSeed(C) || !drawAdjoints(T))
    return;
  T->G = zeros(C->Inputs);
  if (gradientsFrom(C, T->W, T->G))
    return;
  free(T->G);
  T->G = NULL;
}

static int alongTangents(Trial *T, const double *W) {
  double *G = zeros(T->C.Inputs);
  int Found = gradientsFrom(&T->C, W, G);
  T->Along = weighted(T->V[0], G, T->C.Inputs);
  free(G);
  return Found;
}

/// ", reverse mode 3": what it says of one output. To be asked after the call.
static Name reverseText(Trial *T, size_t J) {
  Name N = {""};
  if (!T->G)
    return N;
  double *W = zeros(T->C.Outputs);
  W[J] = 1;
  if (afterCall(T, W, alongTangents))
    snprintf(N.Text, sizeof N.Text, ", reverse mode %.10g", T->Along);
  free(W);
  return N;
}

/// The sides of the identity, for one output as if its adjoint were 1.
static Name sidesText(const Trial *T, Comparison X) {
  double Only = 0;
  int Count = 0;
  for (size_t J = 0; J < T->C.Outputs; ++J)
    if (T->W[J] != 0) {
      Only = T->W[J];
      ++Count;
    }
  Name N;
  double Unit = Count == 1 ? Only : 1;
  snprintf(N.Text, sizeof N.Text, "forward mode %.10g, differences %.10g, reverse mode %.10g%s",
           X.Forward / Unit, X.D.Value / Unit, X.Reverse / Unit,
           Count == 1 ? "" : ", summed over its outputs with random weights");
  return N;
}

/// \p Tangents: all outputs', after the call. Where only the reverse derivative disagrees, the
/// call is right, and the next one in the program may not be.
static void judgeIdentity(Trial *T, const double *Tangents) {
  const Check *C = &T->C;
  const IsozymeSite *Site = C->Site;
  if (!T->G || T->IsWrong)
    return;
  Comparison X = compare(T, T->G, T->V[0], &T->S[0], Tangents);
  double Squares = 0;
  for (size_t J = 0; J < C->Outputs; ++J)
    if (T->W[J] != 0)
      Squares += T->W[J] * Tangents[J] * T->W[J] * Tangents[J];
  if (!isFinite(X.Forward) || !isFinite(Squares))
    return; // The comparison with differences has told.
  double Length = __builtin_sqrt(Squares);
  double Scale = X.Scale > Length ? X.Scale : Length;
  if (!disagrees(C, X.Reverse, X.Forward, Scale, X.D.Error))
    return;
  int Apart = disagrees(C, X.Forward, X.D.Value, Scale, X.D.Error);
  int Clear = isDecided(X.D, Scale) && !X.D.IsKink && !T->IsUnclear;
  if (Apart && Clear) {
    T->IsWrong = 1;
    if (mayReport(Site))
      say(Site, "the derivative of '%s' is wrong: %s", Site->Function, sidesText(T, X).Text);
    return;
  }
  // A derivative that is written by hand may be better than that of the code, which is what
  // has been run here; and __enzyme_autodiff would use the one that is written by hand.
  if (Site->Rules[0] || Site->State->Noted)
    return;
  Site->State->Noted = 1;
  say(Site,
      "note: the reverse derivative of '%s' disagrees: %s; a call of __enzyme_autodiff would be "
      "wrong",
      Site->Function, sidesText(T, X).Text);
}

#endif
