// A function that changes floats only through integers, whose own code shows nothing but
// integers: it was taken for inactive, and the gradient had the wrong sign. Its callers know.
// RUN: not %clang -w -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -g -c %s -o %t.o 2>&1 | FileCheck %s
#define APART __attribute__((noinline))
typedef union {
  double d[4];
  unsigned long u[4];
} Numbers;
static APART void flip(Numbers *a) {
  if (a->u[3] >> 63)
    for (int i = 0; i < 4; i++)
      a->u[i] ^= 1ul << 63;
}
double inMemory(const double *x) {
  Numbers a;
  for (int i = 0; i < 4; i++)
    a.d[i] = x[i];
  flip(&a);
  return a.d[0];
}
static APART void flipCopy(Numbers *a) {
  Numbers b = *a;
  flip(&b);
  *a = b;
}
double inCopy(const double *x) {
  Numbers a;
  for (int i = 0; i < 4; i++)
    a.d[i] = x[i];
  flipCopy(&a);
  return a.d[0];
}
static APART long flipped(long bits) { return bits ^ (1ul << 63); }
double byValue(const double *x) {
  long bits;
  double y;
  __builtin_memcpy(&bits, x, 8);
  bits = flipped(bits);
  __builtin_memcpy(&y, &bits, 8);
  return y * x[1];
}
// Read as integers and nothing else; and an exponent, which is no float's bits any more.
static APART unsigned long keyOf(const double *x) {
  unsigned long bits;
  __builtin_memcpy(&bits, x, 8);
  return bits ^ (bits >> 63 ? ~0ul : 1ul << 63);
}
double byKeys(const double *x, int n) {
  double sum = 0, y;
  for (int i = 0; i < n; i++) {
    unsigned long bits = keyOf(x + i);
    bits ^= bits >> 63 ? 1ul << 63 : ~0ul;
    __builtin_memcpy(&y, &bits, 8);
    sum += y * i;
  }
  return sum;
}
static APART int exponentOf(const double *x) { return (int)x[0] + 2; }
double scaled(const double *x, int n) {
  double sum = 0, scale;
  for (int i = 0; i < n; i++) {
    unsigned long bits = (unsigned long)(exponentOf(x + i) + 1023) << 52;
    __builtin_memcpy(&scale, &bits, 8);
    sum += x[i] * scale;
  }
  return sum;
}
// By the place of one element, which the caller has of each.
typedef union {
  double d;
  unsigned long u;
} Number;
static APART void cross(unsigned long *a, unsigned long *b) {
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}
double crossed(const double *x) {
  Number a[8];
  double sum = 0;
  for (int i = 0; i < 8; i++)
    a[i].d = x[i % 4] * (i + 1);
  for (int i = 0; i < 4; i++)
    cross(&a[i].u, &a[7 - i].u);
  for (int i = 0; i < 8; i++)
    sum += a[i].d * x[(i + 1) % 4];
  return sum;
}
// Where a callee counts, beside floats, nothing has changed.
typedef struct {
  double sum;
  union {
    long n;
    char bytes[8];
  } count;
} Mean;
static APART void count(Mean *m) {
  m->count.n = (m->count.n + 1) & 0xffff;
}
static APART void add(Mean *m, double x) {
  m->sum += x;
  count(m);
}
double counted(const double *x) {
  Mean m = {0, {0}};
  for (int i = 0; i < 4; i++)
    add(&m, x[i] * x[i]);
  return m.sum / m.count.n;
}
double __enzyme_autodiff(void *, ...);
int main(void) {
  double x[4] = {1, 2, 3, -4}, d[4] = {0};
  // CHECK-DAG: no derivative is known for 'xor'
  __enzyme_autodiff((void *)inMemory, x, d);
  __enzyme_autodiff((void *)inCopy, x, d);
  // CHECK-DAG: argument 1 {{.*}}of 'flipped' carries a floating-point number in an integer
  __enzyme_autodiff((void *)byValue, x, d);
  // CHECK-DAG: the bits of a differentiated float come from 'keyOf' as an integer; return it as a floating-point number [IZ202]
  __enzyme_autodiff((void *)byKeys, x, d, 4);
  __enzyme_autodiff((void *)crossed, x, d);
  // CHECK: {{3|5}} errors generated
  __enzyme_autodiff((void *)scaled, x, d, 4);
  __enzyme_autodiff((void *)counted, x, d);
}
