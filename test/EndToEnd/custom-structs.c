// Registered derivatives whose functions take and return structs, however the ABI passes them.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 %s
#include "check.h"

typedef struct { double lane[2]; } Lanes;
typedef struct { double a, b; } Pair;
typedef struct { double v[3]; } Big;
typedef struct { float x, y; } Small;
typedef struct { double *p; long n; } Span;
typedef struct { double value, tangent; } Both;
double __enzyme_autodiff(void *, ...);
Pair __enzyme_autodiff_pair(void *, ...);
void __enzyme_autodiff_v(void *, ...);
double __enzyme_fwddiff(void *, ...);
Lanes __enzyme_fwddiff_lanes(void *, ...);
typedef struct { Lanes x, y; } TwoLanes;
TwoLanes __enzyme_autodiff_lanes(void *, ...);
#define NI __attribute__((noinline))
/* Every derivative is wrong on purpose, so that it tells. A struct in two registers. */
NI double dot(Pair s, double z) { return s.a * s.b * z; }
double aug_dot(Pair s, double z) { return s.a * s.b * z; }
typedef struct { Pair s; double z; } GDot;
GDot rev_dot(Pair s, double z, double seed) { return (GDot){{10*s.b*z*seed, 20*s.a*z*seed}, 30*s.a*s.b*seed}; }
Both fwd_dot(Pair s, Pair ds, double z, double dz) { return (Both){s.a*s.b*z, 10*s.b*z*ds.a + 20*s.a*z*ds.b + 30*s.a*s.b*dz}; }
void *__enzyme_register_gradient_dot[] = {(void*)dot,(void*)aug_dot,(void*)rev_dot};
void *__enzyme_register_derivative_dot[] = {(void*)dot,(void*)fwd_dot};
double use_dot(double x, double y) { Pair p = {x, y}; return dot(p, x); }
/* Results in one register. */
NI float flt(float x, float y) { return x * y; }
float aug_flt(float x, float y) { return x * y; }
Small rev_flt(float x, float y, float seed) { return (Small){10*y*seed, 20*x*seed}; }
Small fwd_flt(float x, float dx, float y, float dy) { return (Small){x*y, 10*y*dx+20*x*dy}; }
void *__enzyme_register_gradient_flt[] = {(void*)flt,(void*)aug_flt,(void*)rev_flt};
void *__enzyme_register_derivative_flt[] = {(void*)flt,(void*)fwd_flt};
double use_flt(double x, double y) { return flt(x, y); }
/* The result is in memory, and so is what the rules return. */
NI Big big(double x, double y) { return (Big){{x, y, x*y}}; }
typedef struct { double t; Big b; } ABig;
ABig aug_big(double x, double y) { return (ABig){x, {{x, y, x*y}}}; }
Pair rev_big(double x, double y, Big seed, double t) { return (Pair){10*seed.v[0]+20*y*seed.v[2], 30*seed.v[1]+40*t*seed.v[2]}; }
typedef struct { Big v, d; } FBig;
FBig fwd_big(double x, double dx, double y, double dy) { return (FBig){{{x,y,x*y}},{{10*dx,30*dy,20*y*dx+40*x*dy}}}; }
void *__enzyme_register_gradient_big[] = {(void*)big,(void*)aug_big,(void*)rev_big};
void *__enzyme_register_derivative_big[] = {(void*)big,(void*)fwd_big};
double use_big(double x, double y) { Big b = big(x, y); return b.v[0]+2*b.v[1]+3*b.v[2]; }
/* A struct with an address has a shadow. */
NI double span(Span s, double z) { double r = 0; for (long i=0;i<s.n;i++) r += s.p[i]*z; return r; }
double aug_span(Span s, Span ds, double z) { return span(s, z); }
double rev_span(Span s, Span ds, double z, double seed) { for (long i=0;i<s.n;i++) ds.p[i] += 10*z*seed; return 20*seed; }
Both fwd_span(Span s, Span ds, double z, double dz) { double t = 20*dz; for (long i=0;i<s.n;i++) t += 10*z*ds.p[i]; return (Both){span(s,z), t}; }
void *__enzyme_register_gradient_span[] = {(void*)span,(void*)aug_span,(void*)rev_span};
void *__enzyme_register_derivative_span[] = {(void*)span,(void*)fwd_span};
double use_span(double x, double y) { double m[2] = {x, y}; Span s = {m, 2}; return span(s, 3.0); }
/* A struct in memory: its gradient is returned. */
NI double byv(Big b, double z) { return b.v[0]*b.v[2]*z; }
double aug_byv(Big b, double z) { return byv(b, z); }
typedef struct { Big b; double z; } GByv;
GByv rev_byv(Big b, double z, double seed) { return (GByv){{{10*seed*b.v[2]*z, 0, 20*b.v[0]*z*seed}}, 30*seed}; }
Both fwd_byv(Big b, Big db, double z, double dz) { return (Both){byv(b,z), 10*b.v[2]*z*db.v[0]+20*b.v[0]*z*db.v[2]+30*dz}; }
void *__enzyme_register_gradient_byv[] = {(void*)byv,(void*)aug_byv,(void*)rev_byv};
void *__enzyme_register_derivative_byv[] = {(void*)byv,(void*)fwd_byv};
double use_byv(double x, double y) { Big b = {{x, 1, y}}; return byv(b, 2.0); }
/* The same, but its shadow is taken: by address. */
NI double byd(Big b, double z) { return b.v[0]*b.v[2]*z; }
double aug_byd(Big b, Big *db, double z) { return byd(b, z); }
double rev_byd(Big b, Big *db, double z, double seed) { db->v[0] += 10*seed*b.v[2]*z; db->v[2] += 20*b.v[0]*z*seed; return 30*seed; }
void *__enzyme_register_gradient_byd[] = {(void*)byd,(void*)aug_byd,(void*)rev_byd};
double use_byd(double x, double y) { Big b = {{x, 1, y}}; return byd(b, 2.0); }
/* The result in memory as parameters: as the function is in LLVM. */
NI Big low(double x, double y) { return (Big){{x, y, x*y}}; }
void aug_low(Big *b, Big *db, double x, double y) { *b = (Big){{x, y, x*y}}; }
Pair rev_low(Big *b, Big *db, double x, double y) { Pair g = {10*db->v[0]+20*y*db->v[2], 30*db->v[1]+40*x*db->v[2]}; *db = (Big){{0}}; return g; }
void *__enzyme_register_gradient_low[] = {(void*)low,(void*)aug_low,(void*)rev_low};
double use_low(double x, double y) { Big b = low(x, y); return b.v[0]+2*b.v[1]+3*b.v[2]; }
/* A tape that shares a register with the result. */
NI float narrow(float x, int n) { return x * n; }
typedef struct { int n; float r; } Narrow;
Narrow aug_narrow(float x, int n) { return (Narrow){n + 1, x * n}; }
float rev_narrow(float x, int n, float seed, int tape) { return 100 * tape * seed; }
void *__enzyme_register_gradient_narrow[] = {(void*)narrow,(void*)aug_narrow,(void*)rev_narrow};
double use_narrow(double x, double y) { return narrow(x, 2) + y; }
/* Scalars, for which the rule takes structs; and the other way round. */
NI double scalars(double a, double b) { return a * b; }
Both fwd_scalars(Pair p, Pair d) { return (Both){p.a*p.b, 10*p.b*d.a + 20*p.a*d.b}; }
void *__enzyme_register_derivative_scalars[] = {(void*)scalars,(void*)fwd_scalars};
NI double joined(Pair p) { return p.a * p.b; }
Both fwd_joined(double a, double da, double b, double db) { return (Both){a*b, 10*b*da + 20*a*db}; }
void *__enzyme_register_derivative_joined[] = {(void*)joined,(void*)fwd_joined};
double use_scalars(double x, double y) { return scalars(x, y); }
double use_joined(double x, double y) { Pair p = {x, y}; return joined(p); }

int main(void) {
  double x = 1.5, y = 2.5; Pair g;
#define BOTH(N, DX, DY) g = __enzyme_autodiff_pair((void*)use_##N, x, y); CHECK(#N ".dx", g.a, DX); CHECK(#N ".dy", g.b, DY); \
  CHECK(#N ".fx", __enzyme_fwddiff((void*)use_##N, x, 1.0, y, 0.0), DX); CHECK(#N ".fy", __enzyme_fwddiff((void*)use_##N, x, 0.0, y, 1.0), DY);
  BOTH(dot, 10*y*x + 30*x*y, 20*x*x)
  BOTH(flt, 10*y, 20*x)
  BOTH(big, 10+60*y, 60+120*x)
  BOTH(span, 30, 30)
  BOTH(byv, 20*y, 40*x)
  g = __enzyme_autodiff_pair((void*)use_byd, x, y);
  CHECK("byd.dx", g.a, 20*y); CHECK("byd.dy", g.b, 40*x);
  g = __enzyme_autodiff_pair((void*)use_low, x, y);
  CHECK("low.dx", g.a, 10+60*y); CHECK("low.dy", g.b, 60+120*x);
  g = __enzyme_autodiff_pair((void*)use_narrow, x, y);
  CHECK("narrow", g.a, 300);
  CHECK("scalars", __enzyme_fwddiff((void*)use_scalars, x, 1.0, y, 1.0), 10*y + 20*x);
  CHECK("joined", __enzyme_fwddiff((void*)use_joined, x, 1.0, y, 1.0), 10*y + 20*x);
  Lanes two = __enzyme_fwddiff_lanes((void*)use_big, enzyme_width, 2, x, 1.0, 0.0, y, 0.0, 1.0);
  CHECK("big.lane 0", two.lane[0], 10+60*y); CHECK("big.lane 1", two.lane[1], 60+120*x);
  TwoLanes both = __enzyme_autodiff_lanes((void*)use_byv, enzyme_width, 2, x, y);
  CHECK("byv.lane 1", both.x.lane[1], 20*y); CHECK("byv.lane 1", both.y.lane[1], 40*x);
  return finish();
}
