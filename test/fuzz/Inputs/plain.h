// Behind the random programs of a reference: what dual.h has changed is undone.
#undef double
#undef float
#include "cases.h"
