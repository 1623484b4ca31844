// The words of random C++ programs, with numbers. With PLANTED, derivatives of `sin` are lost.
#include "cxx-headers.h"
#include "words.h"
#ifdef PLANTED
__attribute__((annotate("enzyme_inactive"), noinline)) static double held(double x) { return sin(x); }
#define sin held
#endif
