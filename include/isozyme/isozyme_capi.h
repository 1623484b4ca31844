/*===- isozyme_capi.h - Derivatives at run time -----------------------------===*\
|*
|* Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Compiles a source file or LLVM IR while a program runs, and gives the addresses
|* of its functions and of their derivatives. Link with -lIsozymeJIT; any language
|* that calls C can use it. See docs/run-time.md.
|*
|* A function that can fail returns null then, and stores a text in *error, which
|* isozyme_free_text releases; error may be null. Calls may come from any thread.
|*
\*===----------------------------------------------------------------------===*/
#ifndef ISOZYME_CAPI_H
#define ISOZYME_CAPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Compiled code. Its addresses are valid until it is released. */
typedef struct isozyme_module isozyme_module;

typedef enum isozyme_mode {
  ISOZYME_REVERSE, /**< gradients */
  ISOZYME_FORWARD  /**< derivatives along one direction */
} isozyme_mode;

/**
 * Compiles a C or C++ file with the command `isozyme cc` or `isozyme c++`.
 *
 * `arguments` are further ones for the compiler, such as "-O3" or "-DN=3", with null behind the
 * last; null stands for none.
 */
isozyme_module *isozyme_compile_file(const char *path, const char *const *arguments, char **error);

/** Takes LLVM IR, as bitcode or as text, of `length` bytes; optimises it as at -O2. */
isozyme_module *isozyme_load_ir(const char *bytes, size_t length, char **error);

/** The address of a function; `name` is that of the symbol, which in C++ is the mangled one. */
void *isozyme_function(isozyme_module *module, const char *name, char **error);

/**
 * The address of the derivative of a function; the same one when it is asked for again.
 *
 * `activities` is a word for each parameter of the function, with commas in between:
 *   const   it carries no derivative
 *   active  a number (float or double), or a pointer to memory that has a shadow
 * Null stands for: numbers and pointers are active, everything else is const.
 *
 * For R f(...) with a number as its result, the derivatives are, for each parameter T x in turn,
 *                         reverse                           forward
 *   const                 T x                               T x
 *   active, a pointer     T x, T shadow (adds adjoints)     T x, T shadow (holds tangents)
 *   active, a number      T x, T *adjoint (is stored)       T x, T tangent
 *   behind the last one   R seed (1 for the gradient)       R *tangent (of the result)
 * and return what f returns. Where f returns no number, the last line is left out.
 */
void *isozyme_derivative(isozyme_module *module, const char *name, isozyme_mode mode,
                         const char *activities, char **error);

/** Releases the code of a module; null does nothing. */
void isozyme_release(isozyme_module *module);

/** Releases the text of an error; null does nothing. */
void isozyme_free_text(char *text);

#ifdef __cplusplus
}
#endif
#endif
