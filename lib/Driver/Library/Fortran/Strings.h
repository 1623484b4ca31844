//===- Strings.h - Text that flang's run time makes -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that make new text of old. There is no derivative in it; but where the old text is a
// component of a record with numbers, what is called needs a body that reads nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_STRINGS_H
#define ISOZYME_LIBRARY_FORTRAN_STRINGS_H

#include "Elements.h"

namespace isozyme::fortran {

/// Characters of one byte, as CFI_type_t numbers them.
inline constexpr signed char CharacterType = 40;

/// Makes \p Result a single text of \p Length characters in memory of its own.
inline char *makeText(Descriptor *Result, const Descriptor *Like, long Length) {
  if (Like->Type != CharacterType || Like->Rank)
    _FortranAReportFatalUserError("isozyme: cannot differentiate a function that makes arrays of "
                                  "texts, or texts of wide characters",
                                  "isozyme", 0);
  Result->Base = allocateBytes(Length);
  Result->ElementSize = Length;
  Result->Version = Like->Version;
  Result->Rank = 0;
  Result->Type = Like->Type;
  Result->Attribute = AllocatableAttribute;
  Result->Extra = 0;
  return Result->Base;
}

inline long lengthWithoutBlanks(const Descriptor *Text) {
  long Length = Text->ElementSize;
  while (Length > 0 && Text->Base[Length - 1] == ' ')
    --Length;
  return Length;
}

inline void trim(Descriptor *Result, const Descriptor *Text) {
  long Length = lengthWithoutBlanks(Text);
  char *To = makeText(Result, Text, Length);
  for (long K = 0; K < Length; ++K)
    To[K] = Text->Base[K];
}

/// Moves the \p Blanks in front of or behind \p Text to its other end.
inline void turn(Descriptor *Result, const Descriptor *Text, long Blanks) {
  long Length = Text->ElementSize;
  char *To = makeText(Result, Text, Length);
  for (long K = 0; K < Length; ++K) {
    long From = K + Blanks;
    To[K] = From >= 0 && From < Length ? Text->Base[From] : ' ';
  }
}

inline void adjustLeft(Descriptor *Result, const Descriptor *Text) {
  long Blanks = 0;
  while (Blanks < Text->ElementSize && Text->Base[Blanks] == ' ')
    ++Blanks;
  turn(Result, Text, Blanks);
}

inline void adjustRight(Descriptor *Result, const Descriptor *Text) {
  turn(Result, Text, lengthWithoutBlanks(Text) - Text->ElementSize);
}

inline void repeat(Descriptor *Result, const Descriptor *Text, long Copies) {
  long Length = Text->ElementSize, Whole = Copies > 0 ? Length * Copies : 0;
  char *To = makeText(Result, Text, Whole);
  for (long K = 0; K < Whole; ++K)
    To[K] = Text->Base[K % Length];
}

} // namespace isozyme::fortran

extern "C" {

void _FortranATrim(Descriptor *Result, const Descriptor *Text, const char *, int) {
  isozyme::fortran::trim(Result, Text);
}
void _FortranARepeat(Descriptor *Result, const Descriptor *Text, long Copies, const char *, int) {
  isozyme::fortran::repeat(Result, Text, Copies);
}
void _FortranAAdjustl(Descriptor *Result, const Descriptor *Text, const char *, int) {
  isozyme::fortran::adjustLeft(Result, Text);
}
void _FortranAAdjustr(Descriptor *Result, const Descriptor *Text, const char *, int) {
  isozyme::fortran::adjustRight(Result, Text);
}

} // extern "C"

#endif
