// The words of random C++ programs, with dual numbers.
#include "cxx-headers.h"
#include "dual.h"
