# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that random programs are made of, in the language of templates.py."""

FUNCTIONS = [
    # Numbers in, a number out.
    """
static NOINLINE double $h(double a, double b, int k) {
#scalar a
#scalar b
#int k 5
@S3
return @E;
}
#expression $h(@E, @E, @I6)
""",
    # Reads an array.
    """
static NOINLINE double $h(const double *p, int k) {
#readarray p 2
#int k 5
double s = 0.2;
#scalar s
@S2
return s + @E;
}
#expression $h(@r, @I6)
""",
    # Changes arrays.
    """
static NOINLINE void $h(double *p, double *q, int k, double b) {
#array p 2
#array q 2
#int k 5
#scalar b
@S3
}
#statement $h(@w, @v, @I6, @E);
""",
    # Recursion on numbers.
    """
static NOINLINE double $h(double a, int k) {
#scalar a
if (k <= 0) return @E;
#int k 4
@S1
double t = $h(@E, k - 1);
#scalar t
return 0.7 * t + @U;
}
#expression $h(@E, @I5)
""",
    # Recursion through pointers.
    """
static NOINLINE void $h(double *p, int k, double b) {
#array p 2
#scalar b
if (k <= 0) return;
#int k 4
@S1
$h(p, k - 1, @E);
@S1
}
#statement $h(@w, @I5, @E);
""",
    # Mutual recursion through a pointer to a function.
    """
static NOINLINE double $even(double a, int k);
static NOINLINE double $odd(double a, int k) { double (*$next)(double, int) = $even; return k <= 0 ? sin(a) : 0.8 * $next(a * 0.7, k - 1); }
static NOINLINE double $even(double a, int k) {
#scalar a
#int k 4
if (k <= 0) return @E;
return $odd(@E, k - 1) + @U;
}
#expression $even(@E, @I5)
""",
    # A struct by value, in and out.
    """
#global struct S { double a; int k; double v[3]; double b; };
static NOINLINE struct S $h(struct S z, double b) {
#scalar z.a
#scalar z.b
#array z.v 3
#int z.k 4
#scalar b
@S2
return z;
}
#statement { struct S $z = {@E, @I5, {@E, @E, @E}, @E}; $z = $h($z, @E); @L = 0.4 * @L + 0.3 * ($z.a + $z.v[$z.k % 3]); }
""",
    # Small structs, passed in registers.
    """
#global struct Pair { double x, y; };
#global struct Mixed { double x; long n; };
static NOINLINE struct Pair $h(struct Pair p, struct Mixed m) {
#scalar p.x
#scalar p.y
#scalar m.x
@S2
p.x += 0.1 * m.x * (double)(int)m.n;
return p;
}
#statement { struct Pair $p = {@U, @E}; struct Mixed $m = {@E, @I3}; $p = $h($p, $m); @L = 0.5 * @L + 0.2 * ($p.x + $p.y); }
""",
    # Results through pointers, an integer returned.
    """
static NOINLINE int $h(double v, double *o1, double *o2) {
#scalar v
*o1 = @E;
#scalar *o1
if (@C) { *o2 = 0.5 * *o1; return 1; }
*o2 = @E;
return *o2 > *o1 ? 2 : 3;
}
#statement { double $p, $q; if ($h(@E, &$p, &$q) > @I3) $p *= 0.5; @L = 0.4 * @L + 0.3 * ($p - $q); }
""",
    # Fills a buffer from what may overlap it, and reads it, again and again.
    """
static NOINLINE double $h(double *p, const double *q, int k, double b) {
double s = 0.1;
#scalar s
#scalar b
for (int o = 0; o < 3; o++) {
#in
#int o 3
for (int i = 0; i < k; i++) p[i] = 0.5 * sin(q[i]) + 0.1 * q[i + 1] * @U;
@S1
for (int j = 0; j < k; j++) { s = 0.6 * s + 0.3 * p[j] * p[j + @I2]; }
}
return s;
}
#statement { double $m[9] = {@E, 0.2, @U, 0.4, 0.5, @E, 0.7, 0.8, 0.9}; @L = 0.4 * @L + 0.3 * $h($m + @I3, $m + @I3, @I5, @E) * $m[@I9]; }
""",
    # Returns a pointer.
    """
static NOINLINE double *$h(double *p, double *q, int k) { return k % 2 ? p : q; }
#statement { double *$p = $h(@w, @v, @I6); $p[0] = 0.5 * $p[1] + @U; }
""",
    # Allocates and hands out.
    """
static NOINLINE double *$h(int n, double v) {
double *m = (double *)malloc((n + 2) * sizeof(double));
for (int i = 0; i < n + 2; i++) m[i] = v * (1 + 0.1 * i);
#scalar v
#array m 2
@S1
return m;
}
#statement { double *$m = $h(@I3, @E); @L = 0.5 * @L + 0.3 * $m[0] * sin($m[1]); free($m); }
""",
    # Callbacks with a context.
    """
#global typedef void (*Visit)(double *, void *);
static NOINLINE void $each(double *p, int n, Visit v, void *c) { for (int i = 0; i < n; i++) v(&p[i], c); }
static void $one(double *p, void *c) { double *k = (double *)c; *p = 0.6 * *p + 0.3 * *k; *k *= 0.9; }
static void $two(double *p, void *c) { double *k = (double *)c; *k = 0.5 * *k + 0.3 * sin(*p); }
#statement { double $c = @U; $each(@w, 2, @C ? $one : $two, &$c); @L = 0.5 * @L + 0.3 * $c; }
""",
    # Returns from within loops.
    """
static NOINLINE double $h(const double *p, double b, int k) {
#readarray p 2
#scalar b
#int k 5
double s = 0.3;
#scalar s
for (int i = 0; i < k; i++) {
#in
#int i 4
@S1
if (@C) return s * @U;
for (int j = i; j < 3; j++) { if (@C) return 0.5 * s + b; s = 0.8 * s + 0.1 * p[j % 2]; }
}
return s + @E;
}
#expression $h(@r, @E, @I6)
""",
    # The same memory by two names.
    """
static NOINLINE void $h(double *p, double *q, int k) {
#array p 2
#array q 2
#int k 5
for (int i = 0; i < k; i++) { p[i % 2] = 0.5 * q[(i + 1) % 2] + 0.3 * sin(p[i % 2]); q[0] += 0.1 * p[1]; }
@S1
}
#statement $h(@w, @w, @I5);
#statement $h(@w, @v, @I4);
""",
    # No other name.
    """
static NOINLINE double $h(double *__restrict p, const double *__restrict q, int k) {
for (int i = 0; i < k; i++) p[i % 2] = 0.6 * p[(i + 1) % 2] + 0.2 * q[i % 2] * p[i % 2];
return p[0] * q[1];
}
#statement { double $a[2] = {@E, @U}, $b[2] = {@U, @E}; double $t = $h($a, $b, @I5); @L = 0.5 * @L + 0.3 * $t + 0.1 * $a[1]; }
""",
    # A struct through a pointer, with pointers.
    """
#global struct View { double *p; int n; double scale; struct View *next; };
static NOINLINE double $h(struct View *v, double b) {
#scalar b
double s = 0.1;
#scalar s
for (; v; v = v->next) {
#in
for (int i = 0; i < v->n; i++) { s = 0.7 * s + 0.2 * v->p[i] * v->scale; v->p[i] *= 0.9; }
v->scale = 0.5 * v->scale + @U;
}
@S1
return s;
}
#statement { struct View $b = {@v, 2, @U, 0}, $a = {@w, 2, @E, @C ? &$b : 0}; double $t = $h(&$a, @E); @L = 0.4 * @L + 0.3 * $t + 0.1 * $b.scale; }
""",
    # A large struct by value, an array of structs by pointer.
    """
#global struct Big { double v[4]; struct { double a; int k; } s[2]; };
static NOINLINE struct Big $h(struct Big z, const struct Big *all, int n, double b) {
#array z.v 4
#scalar z.s[0].a
#scalar b
for (int i = 0; i < n; i++) { z.v[i % 4] = 0.5 * z.v[i % 4] + 0.3 * all[i].v[all[i].s[1].k % 4]; z.s[1].a += 0.2 * all[i].s[0].a; }
@S1
return z;
}
#statement { struct Big $z[2]; for (int $i = 0; $i < 2; $i++) { for (int $j = 0; $j < 4; $j++) $z[$i].v[$j] = @E; $z[$i].s[0].a = @U; $z[$i].s[1].a = @E; $z[$i].s[0].k = @I3; $z[$i].s[1].k = $i; } $z[@I2] = $h($z[0], $z, @I3, @E); @L = 0.4 * @L + 0.2 * ($z[0].v[@I4] + $z[1].s[1].a); }
""",
    # Floats.
    """
static NOINLINE float $h(float a, const float *p, double *out) { float s = a; for (int i = 0; i < 3; i++) { s = s * 0.5f + p[i] * 0.25f; out[i % 2] = 0.6 * out[i % 2] + 0.2 * (double)s; } return s; }
#statement { float $p[3] = {(float)(@E), (float)(@U), 0.5f}; $p[1] = $h((float)(@U), $p, @w); @L = 0.5 * @L + 0.3 * (double)$p[1]; }
""",
    # Globals read and written by functions.
    """
static double $G[3]; static double $H; static int $K;
static NOINLINE void $set(double a, int k) {
#scalar a
$G[k % 3] = @E; $H = 0.5 * a; $K = k % 3;
}
static NOINLINE double $get(double b) { $H = 0.5 * $H + 0.2 * b; return $G[$K] * 0.5 + $H; }
#statement { $G[0] = $G[1] = $G[2] = @U; $set(@E, @I5); if (@C) $set(@E, @I5); double $t = $get(@E), $u = $get(@U); @L = 0.4 * @L + 0.3 * $t + 0.2 * $u; }
""",
    # Pointers to functions, chosen and handed on.
    """
static NOINLINE double $p(double a) { return 0.5 * sin(a) + 0.1; }
static double $q(double a) { return 0.4 * a; }
static NOINLINE double $h(double (*g)(double), double a, int k) { for (int i = 0; i < k; i++) { a = g(a); if (a < 0.05) g = $q; } return a; }
#expression $h(@C ? $p : $q, @E, @I5)
""",
    # Recursion over halves of an array.
    """
static NOINLINE double $h(double *p, int lo, int hi) {
if (hi - lo < 1) return 0.1;
if (hi - lo == 1) { p[lo] = sin(p[lo]); return p[lo]; }
int m = (lo + hi) / 2;
double a = $h(p, lo, m), b = $h(p, m, hi);
p[lo] = 0.5 * a + 0.3 * b;
#scalar a
#scalar b
return a * b + @U;
}
#statement { double $t = $h(@w, @I2, 2); @L = 0.5 * @L + 0.4 * $t; }
""",
    # A result through a pointer to a pointer.
    """
static NOINLINE int $h(double **out, double *p, double *q, double b, int k) {
#scalar b
*out = k % 2 ? p : q;
(*out)[0] = 0.5 * (*out)[1] + @U;
return k % 3;
}
#statement { double *$p = 0; int $k = $h(&$p, @w, @v, @E, @I6); $p[1] = 0.5 * $p[0] + 0.1 * (double)$k; }
""",
    # Memory that one function makes and another one releases.
    """
#global struct Buf { double *data; int n, cap; };
static NOINLINE void $push(struct Buf *b, double v) { if (b->n == b->cap) { b->cap = b->cap ? 2 * b->cap : 1; b->data = (double *)realloc(b->data, b->cap * sizeof(double)); } b->data[b->n++] = v; }
static NOINLINE double $drain(struct Buf *b) { double s = 0.1; while (b->n > 0) s = 0.6 * s + 0.3 * sin(b->data[--b->n]); free(b->data); b->data = 0; return s; }
#statement { struct Buf $b = {0, 0, 0}; for (int $i = 0; $i < 1 + @N; $i++) $push(&$b, @E); @L = 0.4 * @L + 0.4 * $drain(&$b); }
""",
]
