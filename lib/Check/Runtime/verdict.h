//===- verdict.h - Comparing what derivatives say -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes differences and forward derivatives before the call, and compares them with the
// derivative after it. It also checks the shape of shadows, and finds memory that only the
// derivative writes to.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_VERDICT_H
#define ISOZYME_CHECK_VERDICT_H

#include "identity.h"

static void readWeights(Trial *T, const char *Frame) {
  const Check *C = &T->C;
  free(T->W);
  T->W = zeros(C->Outputs);
  for (size_t J = 0; J < C->Outputs; ++J) {
    const IsozymeLeaf *L = J < C->ActiveCount ? NULL : &C->Site->Output[J - C->ActiveCount];
    if (!L)
      T->W[J] = get(activeElement(C, J)->Shadow, activeElement(C, J)->Kind);
    else if (L->Derivative != Nowhere && C->Site->Mode != ModeForward)
      T->W[J] = get(Frame + L->Derivative + (int64_t)C->Lane * L->Stride, L->Kind);
  }
}

/// Are there derivatives of numbers that no access has told of? Then differences lack a part.
static int hasHiddenWeights(const Check *C) {
  const Run *R = &C->R;
  for (size_t U = 0; U < R->UntypedCount; ++U)
    for (int64_t At = 0; At < R->Untypeds[U].Size; At += 4) {
      int64_t Size = R->Untypeds[U].Size - At < 4 ? R->Untypeds[U].Size - At : 4;
      int IsZero = 1;
      for (int64_t B = 0; B < Size; ++B)
        IsZero &= !R->Untypeds[U].Shadow[At + B];
      uintptr_t P = (uintptr_t)R->Untypeds[U].P + (uintptr_t)At;
      if (!IsZero && !indexFind(&R->ElementAt, P) && !indexFind(&R->ElementAt, P - 4))
        return 1;
    }
  for (size_t L = 0; R->Lost && L < R->LooseCount; ++L) {
    const Loose *Bytes = &R->Looses[L];
    if (Bytes->Shadow && memcmp(Bytes->Shadow, "\0\0\0", CellBytes) &&
        !indexFind(&R->ElementAt, (uintptr_t)Bytes->P) &&
        !indexFind(&R->ElementAt, (uintptr_t)Bytes->P - CellBytes))
      return 1;
  }
  return 0;
}

static void tryDirections(Trial *T) {
  T->Directions =
      (int)(TheState->Directions < MostDirections ? TheState->Directions : MostDirections);
  for (int D = 0; D < T->Directions; ++D) {
    T->V[D] = direction(&T->C, (uint64_t)D + 1, NULL);
    T->S[D] = sample(&T->C, T->V[D]);
    T->F[D] = zeros(T->C.Outputs);
    T->HasF[D] = tangentsAlong(&T->C, T->V[D], T->F[D]);
  }
}

/// See locateByForwardMode.
static void tryEach(Trial *T) {
  enum { MostInputs = 64, MostOutputs = 4096 };
  Check *C = &T->C;
  if (C->Inputs > MostInputs || C->Outputs > MostOutputs)
    return;
  T->Each = zeros(C->Inputs * C->Outputs);
  double *V = zeros(C->Inputs);
  for (size_t I = 0; T->Each && I < C->Inputs; ++I) {
    V[I] = 1;
    if (!tangentsAlong(C, V, T->Each + I * C->Outputs)) {
      free(T->Each);
      T->Each = NULL;
    }
    V[I] = 0;
  }
  free(V);
}

/// Along the caller's tangents, at steps that suit the size of the inputs.
static void tryOwnDirection(Trial *T) {
  Check *C = &T->C;
  double *V = zeros(C->Inputs), *Sizes = direction(C, 1, NULL), Longest = 0;
  for (size_t I = 0; I < C->Inputs; ++I) {
    const IsozymeLeaf *L = I < C->ActiveCount ? NULL : &C->Site->Input[I - C->ActiveCount];
    if (!L)
      V[I] = activeElement(C, I)->WrittenFirst ? 0 : T->W[I];
    else
      V[I] = get(C->FrameWas + L->Tangent + (int64_t)C->Lane * C->Site->ShadowStride, L->Kind);
    double Ratio = magnitude(V[I]) / magnitude(Sizes[I]);
    Longest = Ratio > Longest ? Ratio : Longest;
  }
  free(Sizes);
  T->Scale = 1;
  for (; Longest > 0 && isFinite(Longest) && T->Scale < Longest; T->Scale *= 2)
    ;
  for (; Longest > 0 && T->Scale / 2 > Longest; T->Scale /= 2)
    ;
  C->FirstStep /= T->Scale;
  T->Directions = 1;
  T->V[0] = V;
  T->S[0] = sample(C, V);
}

static void reportUndecided(const Trial *T, Comparison X, const double *V) {
  double Length = T->C.Inputs == 1 ? V[0] : 1;
  if (mayReport(T->C.Site))
    say(T->C.Site,
        "undecided: '%s' is not smooth here, or sensitive to rounding: reverse mode %.6g, "
        "forward mode %.6g, differences %.6g with an error of about %.1g%s",
        T->C.Site->Function, X.Reverse / Length, X.Forward / Length, X.D.Value / Length,
        X.D.Error / magnitude(Length), T->C.Inputs == 1 ? "" : ", along one direction");
}

static void judgeSplit(Trial *T, Comparison X, const double *G) {
  const IsozymeSite *Site = T->C.Site;
  T->IsWrong = 1;
  int IsForwardRight = X.HasForward && !disagrees(&T->C, X.Forward, X.D.Value, X.Scale, X.D.Error);
  if (!(IsForwardRight && locateByForwardMode(T, G)) && mayReport(Site))
    say(Site,
        "the gradient of '%s' is wrong: reverse mode %.10g, differences %.10g, forward "
        "mode %.10g along one direction",
        Site->Function, X.Reverse, X.D.Value, X.Forward);
  rulesNote(Site);
}

static void judgeReverse(Trial *T) {
  const IsozymeSite *Site = T->C.Site;
  double *G = gradientNow(T, T->C.Frame);
  for (int D = 0; D < T->Directions && !T->IsWrong; ++D) {
    Comparison X = compare(T, G, T->V[D], &T->S[D], T->HasF[D] ? T->F[D] : NULL);
    int Apart = disagrees(&T->C, X.Reverse, X.D.Value, X.Scale, X.D.Error);
    int Modes = X.HasForward && disagrees(&T->C, X.Reverse, X.Forward, X.Scale, X.D.Error);
    // A derivative that is written by hand may be better than that of the code.
    if (Site->Rules[0] && !Apart)
      Modes = 0;
    int Clear = isDecided(X.D, X.Scale);
    // Three that agree are right, whatever is near.
    int Agree = !Apart && !Modes && X.HasForward && !X.D.IsKink && X.D.Error <= 1e-3 * X.Scale;
    if (!Apart && !Modes && (Clear || Agree || isFlat(X.D, X.Scale, X.Size)))
      continue;
    if (!Apart && Clear) {
      T->IsWrong = 1;
      if (mayReport(Site))
        say(Site,
            "forward mode of '%s' disagrees with the rest: forward %.10g, reverse %.10g, "
            "differences %.10g along one direction",
            Site->Function, X.Forward, X.Reverse, X.D.Value);
      break;
    }
    if (Apart && Clear && Site->Mode == ModeReverse && afterCall(T, G, locateAmongAll)) {
      T->IsWrong = 1;
      rulesNote(Site);
    } else if (Apart && Clear && Site->Mode == ModeFromTape && !X.D.IsKink) {
      judgeSplit(T, X, G);
    } else {
      T->IsUnclear = 1;
      reportUndecided(T, X, T->V[D]);
      break;
    }
  }
  if (Site->Mode == ModeReverse && !T->IsWrong && !T->IsUnclear &&
      afterCall(T, G, locateAmongSmall)) {
    T->IsWrong = 1;
    rulesNote(Site);
  }
  free(G);
}

/// The derivative of one output along the caller's tangents.
static Slope slopeAt(const Trial *T, size_t J, double Tangent) {
  const Check *C = &T->C;
  const Samples *S = &T->S[0];
  double Rows[MostSteps], Apart[2];
  for (int K = 0; K < C->Steps; ++K)
    Rows[K] = S->Central[(size_t)K * C->Outputs + J];
  double Noise = C->Epsilon * (magnitude(C->Base[J]) + 4 * magnitude(Tangent) / T->Scale);
  double At[NearPoints];
  for (int K = 0; K < NearPoints; ++K)
    At[K] = S->Near[(size_t)K * C->Outputs + J];
  Nearby Close = nearby(C, At, Noise);
  Slope Found = extrapolate(C, Rows, S->Valid, S->HasNear ? Close.Noise : Noise);
  for (int Late = 0; Late < 2; ++Late)
    Apart[Late] =
        magnitude(S->Plus[(size_t)Late * C->Outputs + J] - S->Minus[(size_t)Late * C->Outputs + J]);
  double Small = 1e-4 * magnitude(Tangent) + 20 * Noise / stepNumber(C, C->Steps - 1);
  Found.IsKink = !(Apart[1] <= 0.6 * Apart[0] || Apart[1] <= Small);
  if (S->HasNear && !isSupported(C, Rows, Found, Close, magnitude(Tangent), magnitude(C->Base[J])))
    Found.IsClear = 0;
  return Found;
}

static void judgeForward(Trial *T) {
  const Check *C = &T->C;
  double Largest = 0;
  double *All = zeros(C->Outputs);
  for (size_t J = 0; J < C->Outputs; ++J) {
    const IsozymeLeaf *L = J < C->ActiveCount ? NULL : &C->Site->Output[J - C->ActiveCount];
    if (!L)
      All[J] = get(activeElement(C, J)->Shadow, activeElement(C, J)->Kind);
    else if (L->Derivative != Nowhere)
      All[J] = get(C->Frame + L->Derivative + (int64_t)C->Lane * L->Stride, L->Kind);
    if (isFinite(All[J]) && magnitude(All[J]) > Largest)
      Largest = magnitude(All[J]);
  }
  for (size_t J = 0; J < C->Outputs; ++J) {
    if (J >= C->ActiveCount && C->Site->Output[J - C->ActiveCount].Derivative == Nowhere)
      continue;
    if (J < C->ActiveCount && activeElement(C, J)->Copied)
      continue;
    Slope D = slopeAt(T, J, All[J]);
    double Scale = magnitude(D.Value);
    if (isFinite(All[J]) && magnitude(All[J]) > Scale)
      Scale = magnitude(All[J]);
    // What is far below the others may be what rounding has left of them.
    double Error = D.Error + 1e-11 * Largest;
    if (!disagrees(C, All[J], D.Value, Scale, Error) && D.Error <= 0.02 * Scale)
      continue;
    if (Scale == 0 || (D.IsClear && Scale <= 10 * Error) || isFlat(D, Scale, magnitude(C->Base[J])))
      continue;
    if (!isDecided(D, Scale) || D.IsKink) {
      T->IsUnclear = 1;
      continue;
    }
    T->IsWrong = 1;
    if (mayReport(C->Site))
      say(C->Site,
          "the derivative of '%s' is wrong: the tangent of %s is %.10g, differences %.10g%s",
          C->Site->Function, outputName(C, J).Text, All[J], D.Value, reverseText(T, J).Text);
  }
  judgeIdentity(T, All);
  if (T->IsWrong)
    rulesNote(C->Site);
  if (T->IsUnclear && !T->IsWrong && mayReport(C->Site))
    say(C->Site, "undecided: '%s' is not smooth here, or sensitive to rounding", C->Site->Function);
  free(All);
}

/// Eight bytes that the function has used.
static int isUsedWord(const Run *R, const char *P) {
  const uint32_t *At = indexFind(&R->WordAt, (uintptr_t)P);
  return At && R->Words[*At].Mask == 0xff;
}

/// Two addresses, one behind the other, are where a std::vector begins and ends. If \p P is between
/// them, and its shadow is not between those in the shadow, that one has fewer elements. Vectors
/// may be elements of others.
static int isBehindEnd(const Run *R, const char *P, const char *Shadow) {
  enum { Addresses = 2, MostLevels = 64 };
  for (int Level = 0; Level < MostLevels; ++Level) {
    const Root *Root = rootOf(R, P, Shadow);
    if (!Root || !Root->From || !Root->FromShadow)
      return 0;
    const char *Of[Addresses], *OfShadow[Addresses];
    if (isUsedWord(R, Root->From) && isUsedWord(R, Root->From + sizeof *Of)) {
      memcpy(Of, Root->From, sizeof Of);
      memcpy(OfShadow, Root->FromShadow, sizeof OfShadow);
      if (Of[0] == Root->P && P < Of[1] && OfShadow[0] == Root->Shadow &&
          OfShadow[0] <= OfShadow[1] && Shadow >= OfShadow[1])
        return 1;
    }
    P = Root->From;
    Shadow = Root->FromShadow;
  }
  return 0;
}

/// Shadows of another shape than the memory they belong to.
static int reportLayout(const Check *C) {
  const IsozymeSite *Site = C->Site;
  Index Shadows = {NULL, NULL, 0, 0};
  int Wrong = 0;
  if (C->R.Conflict && (Wrong = 1, mayReport(Site)))
    say(Site, "the number at %p has two shadows", (void *)C->R.ConflictAt);
  for (size_t I = 0; I < C->ActiveCount && !Wrong; ++I) {
    const Element *E = activeElement(C, I);
    int IsNew;
    uint32_t *At = indexAt(&Shadows, (uintptr_t)E->Shadow, &IsNew);
    if (IsNew) {
      *At = (uint32_t)I;
    } else {
      Wrong = 1;
      if (mayReport(Site))
        say(Site, "%s and %s have the same shadow", inputName(C, *At).Text, inputName(C, I).Text);
    }
    const Root *From = rootOf(&C->R, E->P, E->Shadow);
    if (isBehindEnd(&C->R, E->P, E->Shadow)) {
      Wrong = 1;
      if (mayReport(Site))
        say(Site, "a std::vector in a shadow has fewer elements than its counterpart: none for %s",
            placeName(C, E).Text);
    }
    if (!From || From->Param < 0)
      continue;
    int64_t Room[2];
    memcpy(Room, C->Frame + Site->Param[From->Param].Room, sizeof Room);
    int64_t End = E->P - From->P + sizeOfKind(E->Kind);
    if (Room[0] < End || Room[1] < 0 || Room[1] >= End)
      continue;
    Wrong = 1;
    if (mayReport(Site))
      say(Site, "the shadow of %s has %lld bytes, and '%s' uses %lld or more of what it is for",
          paramName(Site, From->Param).Text, (long long)Room[1], Site->Function, (long long)End);
  }
  free(Shadows.Keys);
  free(Shadows.At);
  return Wrong;
}

/// Memory that the function leaves alone has been changed by the derivative.
static int reportChangedConstants(const Check *C) {
  const Run *R = &C->R;
  for (size_t I = 0; I < R->WordCount; ++I) {
    const Word *W = &R->Words[I];
    for (int B = 0; B < 8 && W->Role == OfPrimal; ++B) {
      if (!(W->Mask & (1 << B)) || ((unsigned char *)W->Address)[B] == W->Was[B])
        continue;
      const uint32_t *At = indexFind(&R->ElementAt, W->Address);
      if (!At && B >= 4)
        At = indexFind(&R->ElementAt, W->Address + 4);
      int IsNumber = At && R->Elements[*At].Kind;
      if (!IsNumber && C->Site->Prints)
        continue;
      if (!mayReport(C->Site))
        return 1;
      if (!IsNumber) {
        Element Bytes = {(char *)W->Address + B, NULL, KindFloat, 0, 0, 0};
        say(C->Site, "the derivative of '%s' changes memory that the function does not: %s",
            C->Site->Function, placeName(C, &Bytes).Text);
        return 1;
      }
      const Element *E = &R->Elements[*At];
      char Was[16];
      for (size_t Byte = 0; Byte < sizeof Was; ++Byte)
        Was[Byte] = (E->P - (char *)W->Address) + Byte < 8
                        ? (char)W->Was[(size_t)(E->P - (char *)W->Address) + Byte]
                        : 0;
      say(C->Site,
          "the derivative of '%s' changes memory that the function does not: %s was %.10g "
          "and is %.10g",
          C->Site->Function, placeName(C, E).Text,
          E->Kind == KindLongDouble ? 0 : get(Was, E->Kind), get(E->P, E->Kind));
      return 1;
    }
  }
  return 0;
}

/// What is added to: worth a word, for it may have been forgotten.
static int reportUncleared(const Trial *T) {
  const Check *C = &T->C;
  const IsozymeSite *Site = C->Site;
  if (Site->Mode != ModeReverse || (Site->State->Told && !TheState->AskZero))
    return 0;
  for (size_t J = 0; J < C->ActiveCount; ++J) {
    const Element *E = activeElement(C, J);
    if (E->WrittenFirst || T->W[J] == 0 || C->Base[J] != get(E->P, E->Kind))
      continue;
    Site->State->Told = 1;
    if (!TheState->AskZero || mayReport(Site))
      say(Site, "%sthe shadow of %s is %.10g before the call, and the gradient is added to it",
          TheState->AskZero ? "" : "note: ", placeName(C, E).Text, T->W[J]);
    return TheState->AskZero;
  }
  return 0;
}

/// Moves all numbers of a parameter that have no shadow: the weighted outputs, upwards less
/// downwards, over the step. Not finite if the function could not be run.
static double constantSlope(Trial *T, int Param, const double *W, double Step) {
  Check *C = &T->C;
  double *Out[2] = {zeros(C->Outputs), zeros(C->Outputs)}, Sum = 0;
  char *Last = NULL;
  for (int Side = 0; Side < 2; ++Side) {
    setInputs(C, NULL, 0);
    for (size_t I = 0; I < C->R.ElementCount; ++I) {
      const Element *E = &C->R.Elements[I];
      if (E->Shadow || !E->Kind || E->WrittenFirst || paramOf(&C->R, E->P, NULL, 0) != Param)
        continue;
      if (!makeWritable(&C->R, E->P, &Last))
        continue;
      double X = magnitude(get(E->P, E->Kind));
      double Size = X > 0 && isFinite(X) ? X : 1;
      add(E->P, E->Kind, (Side ? -Step : Step) * Size * (double)(I % 3 + 1));
    }
    if (runPrimal(C))
      Sum = __builtin_nan("");
    readOutputs(C, Out[Side]);
  }
  for (size_t J = 0; J < C->Outputs; ++J)
    if (W[J] != 0)
      Sum += W[J] * (Out[0][J] - Out[1][J]) / (2 * Step);
  free(Out[0]);
  free(Out[1]);
  setInputs(C, NULL, 0);
  return Sum;
}

/// Is the derivative with respect to numbers without a shadow zero?
static int reportConstant(Trial *T, int Param) {
  const Check *C = &T->C;
  const IsozymeSite *Site = C->Site;
  double *W = zeros(C->Outputs), Noise = 0;
  for (size_t J = 0; J < C->Outputs; ++J) {
    W[J] = Site->Mode == ModeReverse ? T->W[J] : 1;
    Noise += W[J] != 0 ? magnitude(W[J] * C->Base[J]) * C->Epsilon : 0;
  }
  double Step = C->FirstStep / 256;
  double Far = constantSlope(T, Param, W, Step), Near = constantSlope(T, Param, W, Step / 8);
  free(W);
  int Wrong = magnitude(Near) > 100 * Noise / Step && magnitude(Far - Near) < 0.1 * magnitude(Near);
  if (Wrong && mayReport(Site))
    say(Site,
        "the derivative of '%s' with respect to %s is not zero, and the call says "
        "enzyme_const",
        Site->Function, paramName(Site, Param).Text);
  return Wrong;
}

static int reportConstants(Trial *T) {
  int Wrong = 0;
  for (int P = 0; P < T->C.Site->Params; ++P)
    if (T->C.Site->Param[P].IsPointer && T->C.Site->Param[P].Activity == ArgConst)
      Wrong |= reportConstant(T, P);
  return Wrong;
}

#endif
