/*===- isozyme.h - What a program says to Isozyme -----------------*- C -*-===*\
|*
|* Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Optional. Declares the words that may stand between the arguments of a call
|* of __enzyme_autodiff or __enzyme_fwddiff. The calls themselves are declared
|* by each program, with the types it needs; any name that contains one of the
|* two will do:
|*
|*   #include <isozyme/isozyme.h>
|*   double dot(const double *x, const double *y, int n);
|*   void __enzyme_autodiff_dot(void *, ...);
|*
|*   __enzyme_autodiff_dot((void *)dot, enzyme_dup, x, dx, enzyme_const, y,
|*                         enzyme_const, n);
|*
|* The words are names without a definition: Isozyme takes every use of them out
|* of the program. A link error that names one says that the plugin did not run.
|*
\*===----------------------------------------------------------------------===*/
#ifndef ISOZYME_ISOZYME_H
#define ISOZYME_ISOZYME_H

#ifdef __cplusplus
extern "C" {
#endif

/* How the next argument takes part. */
extern int enzyme_const;     /* Held constant. */
extern int enzyme_out;       /* By value; its derivative is returned (reverse). */
extern int enzyme_dup;       /* Two operands follow: the value and its derivative.
                                For a pointer, the derivative has its own memory. */
extern int enzyme_dupnoneed; /* As enzyme_dup, and the result itself is not needed. */

/* About the call as a whole. */
extern int enzyme_width;          /* The next operand is the number of directions. */
extern int enzyme_primal_return;  /* Also return what the function returns. */
extern int enzyme_const_return;   /* Take the result for a constant. */
extern int enzyme_active_return;  /* The result is differentiated (reverse). */
extern int enzyme_dup_return;     /* The result has a derivative of its own. */

#ifdef __cplusplus
}
#endif

#endif
