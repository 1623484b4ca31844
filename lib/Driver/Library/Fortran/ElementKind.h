//===- ElementKind.h - What an array of Fortran holds ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the bodies of flang's run-time functions and by FortranBodies, which makes a
// copy of such a body for each kind of element that the program uses it with.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_ELEMENTKIND_H
#define ISOZYME_LIBRARY_FORTRAN_ELEMENTKIND_H

namespace isozyme::fortran {

enum class ElementKind : int {
  Unknown, ///< Bytes: what they are is known to those who use them (derived types).
  Integer, ///< Integers, logicals and characters of any size.
  Real4,
  Real8,
  Complex4,
  Complex8,
};

} // namespace isozyme::fortran

#endif
