/*===- isozyme.h - What a program says to Isozyme -----------------*- C -*-===*\
|*
|* Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Optional. Declares the words that may stand between the arguments of a call
|* of __enzyme_autodiff, __enzyme_fwddiff, __enzyme_augmentfwd or
|* __enzyme_reverse. The calls themselves are declared by each program, with the
|* types it needs; any name that contains one of them will do:
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

/** \file
 * The words that may stand between the arguments of a call of `__enzyme_autodiff`,
 * `__enzyme_fwddiff` and the other entry points. They have no definition.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* How the next argument takes part. */
extern int enzyme_const;     /**< Held constant. */
extern int enzyme_out;       /**< By value; its derivative is returned (reverse). */
extern int enzyme_dup;       /**< Two operands follow: the value and its derivative.
                                For a pointer, the derivative has its own memory. */
extern int enzyme_dupnoneed; /**< As enzyme_dup, and the result itself is not needed. */

extern int enzyme_dupv;            /**< A distance in bytes, the pointer, and the derivative of
                                      the first direction; the others follow at that distance. */
extern int enzyme_dupnoneedv;      /**< Both. */
extern int enzyme_byref;           /**< A size in bytes follows, then the address of the value. */
extern int isozyme_unshared;       /**< On a GPU: no other thread touches what this call touches of
                                      the derivative that follows. */
extern int enzyme_not_overwritten; /**< Split halves: the memory of the next argument stays as
                                      it is until the reverse half has run. */

/* About the call as a whole. */
extern int enzyme_width;            /**< The next operand is the number of directions. */
extern int enzyme_primal_return;    /**< Also return what the function returns. */
extern int enzyme_noret;            /**< Split halves: do not return it. */
extern int enzyme_const_return;     /**< Take the result for a constant. */
extern int enzyme_active_return;    /**< The result is differentiated (reverse). */
extern int enzyme_dup_return;       /**< The result has a derivative of its own. */
extern int enzyme_interleave;       /**< All derivatives follow, behind all values. */
extern int enzyme_runtime_activity; /**< A derivative that is the pointer itself stands for
                                       memory that is constant. */
extern int enzyme_allocated;        /**< The next operand is the room for the tape in bytes. */
extern int enzyme_tape;             /**< The next operand points to the tape's place. */
extern int enzyme_nofree;           /**< The tape will be used again. */
extern int enzyme_strong_zero;      /**< Accepted: it is what Isozyme does. */

/* What depends on what: called like __enzyme_fwddiff, with masks in the place of derivatives.
 * A mask is as large as the number that it belongs to, 64 bits for a double, 32 for a float,
 * and lies where its derivative would lie. Bit i of a result's mask says that the result
 * depends on a variable whose mask has bit i. A bit that has no room in a narrower number
 * on the way makes all bits of what follows.
 *
 *   uint64_t seed[N], depends[M] = {0};    (seed[i] = 1 << i)
 *   void __isozyme_dependence_f(void *, ...);
 *   __isozyme_dependence_f((void *)f, enzyme_dup, x, seed, enzyme_dup, y, depends);
 */

/* __enzyme_batch: how the values of the next argument are given. */
extern int enzyme_scalar; /**< One for all lanes. */
extern int enzyme_vector; /**< One for each lane. */
extern int enzyme_buffer; /**< A distance in bytes, enzyme_vector, and the first address. */

/** Stands in the body of a long loop. Its reverse derivative runs the loop in parts: what the
 * loop overwrites is saved in front of each part, and the part is run again, with a tape of its
 * own, when the reverse sweep comes to it. Does nothing when the program runs. */
extern void isozyme_checkpoint(void);

#ifdef __cplusplus
}
#endif

#endif
