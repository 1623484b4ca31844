//===- Plain.h - Functions of flang's themselves ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a body is lent, what it takes the place of has the name of these. No derivative goes
// through them.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_PLAIN_H
#define ISOZYME_LIBRARY_FORTRAN_PLAIN_H

#include "Descriptor.h"

extern "C" {
using isozyme::fortran::Descriptor;
bool isozyme_plain_FortranAioInputDescriptor(void *, const Descriptor *);
void isozyme_plain_FortranARandomNumber(const Descriptor *, const char *, int);
void isozyme_plain_FortranAFindloc(Descriptor *, const Descriptor *, const Descriptor *, int,
                                   const char *, int, const Descriptor *, bool);
void isozyme_plain_FortranAFindlocDim(Descriptor *, const Descriptor *, const Descriptor *, int,
                                      int, const char *, int, const Descriptor *, bool);
void isozyme_plain_FortranATransfer(Descriptor *, const Descriptor *, const Descriptor *,
                                    const char *, int);
void isozyme_plain_FortranATransferSize(Descriptor *, const Descriptor *, const Descriptor *,
                                        const char *, int, long);
}

#endif
