# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statements that random programs are made of (functions: function_templates.py);
generator.py says how to read them. Inputs/reference.cpp compiles the same text as C++ with
double replaced by a class, so: casts where C++ wants them, no jump over a declaration, and
the words of Inputs/words.h (BITS, COMPLEX, HALF, WIDE, TEXT_OF ...) for what a class cannot
do."""

SIMPLE = [
    "@L = @E;",
    "@L = 0.75 * @L + @U;",
    "@w[@I2] = @E;",
    "@w[@I2] *= 0.8 + 0.2 * sin(@E);",
    "@L += 0.1 * @U;",
    "@L -= 0.05 * @U;",
    "double $s = @E;\n#scalar $s",
]

ALWAYS = ["assign", "if", "for", "local"]

STATEMENTS = {
    "assign": "@L = 0.5 * @L + 0.4 * @E;",
    "local": """
double $a[3] = {@E, @E, @E};
#array $a 3
""",
    "if": """
if (@C) {
@S2
} else if (@C) {
@S1
}
""",
    "for": """
for (int $i = 0; $i < @N; $i++) {
#in
#int $i 4
@S3
}
""",
    "scratch": """
{
double $t[8] = {@E, 0.2, 0.3, 0.4, @U, 0.6, 0.7, 0.8};
int $n = @N;
for (int $o = 0; $o < 3; $o++) {
#in
#int $o 3
for (int $i = 0; $i < $n; $i++) {
#scalar $t[$i]
$t[$i + @I2] = 0.3 * sin(@U) + 0.2 * $t[$i + 1];
}
@S1
for (int $j = 0; $j < $n - @I2; $j++) {
#scalar $t[$j]
#read $t[$j + 1]
@S2
}
}
}
""",
    "least": """
{
double $m = @E, $o = @U;
int $w = 0;
for (int $i = 0; $i < @N; $i++) {
#in
#int $i 4
double $t = 0.4 * @E;
#scalar $t
for (int $k = 0; $k < @I2 + 1; $k++) {
$t += 0.2 * sin(@U + $k);
}
if ($t < $m) {
$m = $t;
$o = @U * $t;
$w = $i;
}
}
@L = 0.5 * @L + 0.3 * $m + 0.1 * $o + 0.01 * $w;
}
""",
    "best": """
{
double $m = @E, $p = @E;
for (int $i = 0; $i < @N; $i++) {
#in
#int $i 4
if (@C) continue;
double $d = cos(@E) * @U;
if ($d > $m) {
$p = $m;
$m = $d;
} else if ($d > $p) {
$p = 0.5 * $d;
}
}
@L += 0.2 * $m - 0.1 * $p;
}
""",
    "changed": """
for (int $k = 0; $k < 3; $k++) {
#in
#int $k 3
for (int $i = 0; $i < @N; $i++) {
#in
#int $i 4
double $b = 0.5 * @E + 0.4 * @w[@I2] * @U;
@w[@I2] = $b < @w[@I2] ? $b : @w[@I2];
double *$p = &@w[@I2];
$b = @E - 0.1 * $k;
*$p = *$p > $b ? *$p : $b;
}
}
""",
    "down": """
for (int $i = @N; $i-- > 0;) {
#in
#int $i 4
@S2
if (@C) continue;
@S1
}
""",
    "while": """
int $i = 0;
while ($i < @N && @C) {
#in
#int $i 5
$i++;
@S2
if (@C) break;
@S1
}
""",
    "do": """
int $i = 0;
do {
#in
#int $i 5
@S2
} while (++$i < @N);
""",
    "goto": """
{
int $k = 0;
$Again:
#in
#int $k 3
{
@S2
}
if (@C) goto $Done;
if (++$k < 3) goto $Again;
$Done:;
}
""",
    "irreducible": """
{
int $k = 0;
#in
#int $k 4
if (@C) goto $Middle;
$Top:
{
@S1
}
$Middle:
{
@S2
}
$k++;
if ($k < @N) goto $Top;
if ($k < 3 && @C) goto $Middle;
}
""",
    "switch": """
for (int $i = 0; $i < @N; $i++) {
#in
#int $i 4
switch ((@I9 + $i) % 4) {
case 0: {
@S1
} break;
case 1: {
@S1
}
case 2: {
@S1
} break;
default: {
@S1
}
}
}
""",
    "swap": "{ double $t = @w[@I2]; @w[@I2] = @v[0]; @v[0] = $t; }",
    "walk": "for (double *$p = @w; $p < @w + @w.n; $p++) { *$p = 0.6 * *$p + @U; }",
    "prefix": "for (int $i = 1; $i < @w.n; $i++) @w[$i] = 0.7 * @w[$i] + 0.3 * @w[$i - 1];",
    "pick": """
double *$q = @C ? @w : @v;
#array $q 2
""",
    "alias": """
double *$q = &@w[@I2];
#scalar *$q
""",
    "copies": """
#global #include <string.h>
double $a[5] = {0.1, 0.2, 0.3, 0.4, 0.5};
memcpy($a, @r, @r.n * sizeof(double));
memmove($a + 1, $a, (@I4) * sizeof(double));
if (@C) memset($a + 3, 0, 2 * sizeof(double));
#array $a 5
""",
    "matrix": """
double $M[2][3] = {{@E, @E, @E}, {@E, @E, @E}};
for (int $i = 0; $i < 2; $i++) for (int $j = 0; $j < 3; $j++) $M[$i][$j] = 0.4 * $M[1 - $i][$j] + 0.3 * $M[$i][2 - $j];
#array $M[@I2] 3
""",
    "static": """
static double $g[3];
for (int $i = 0; $i < 3; $i++) $g[$i] = @E;
#array $g 3
""",
    "global": """
#global double $g[4]; static double $h;
for (int $i = 0; $i < 4; $i++) $g[$i] = @E;
$h = @E;
#array $g 4
#scalar $h
""",
    "static pointer": """
#global static double *$p; static int $c;
$p = @C ? @w : @v;
$c = @I2;
#array $p 2
#scalar $p[$c]
""",
    "static record": """
#global struct GR { double *p; int n; double scale; };
#global static struct GR $g;
$g.p = @w; $g.n = @w.n; $g.scale = @U;
for (int $i = 0; $i < $g.n; $i++) $g.p[$i] = 0.7 * $g.scale * $g.p[$i] + 0.2;
#scalar $g.scale
#scalar $g.p[$g.n - 1]
""",
    "table": """
#global static double op_sin(double v, const void *c) { return sin(v) + *(const double *)c; }
#global static double op_scale(double v, const void *c) { return 0.5 * v * *(const double *)c; }
#global static double op_keep(double v, const void *c) { (void)c; return v; }
#global typedef double (*Operation)(double, const void *);
#global static const Operation operations[3] = {op_sin, op_scale, op_keep};
double $c = @U;
for (int $i = 0; $i < @N; $i++) @L = 0.5 * @L + 0.4 * operations[($i + @I3) % 3](@E, &$c);
#scalar $c
""",
    "closure": """
#global struct Closure { double (*call)(void *, double); void *context; };
#global struct Context { double k; double sum; int calls; };
#global static double add_up(void *c, double v) { struct Context *x = (struct Context *)c; x->sum = 0.5 * x->sum + x->k * v; x->calls++; return x->sum; }
#global static double damp(void *c, double v) { struct Context *x = (struct Context *)c; x->k *= 0.9; return tanh(v * x->k); }
#global static NOINLINE double apply(struct Closure *c, double v, int n) { double r = v; for (int i = 0; i < n; i++) r = c->call(c->context, 0.5 * r); return r; }
struct Context $x = {@U, 0.1, 0};
struct Closure $f = {@C ? add_up : damp, &$x};
double $r = apply(&$f, @U, @I4);
#scalar $r
#scalar $x.k
#int ($x.calls % 3) 2
""",
    "qsort": """
#global #include <stdlib.h>
#global static int by_value(const void *a, const void *b) { double p = *(const double *)a, q = *(const double *)b; return p < q ? -1 : p > q; }
double $a[4] = {@E + 0.01, @E + 0.02, @E + 0.03, @E + 0.04};
qsort($a, 4, sizeof(double), by_value);
#array $a 4
""",
    "qsort records": """
#global #include <stdlib.h>
#global struct Key { int id; double key; double w; };
#global static int by_key(const void *a, const void *b) { const struct Key *p = (const struct Key *)a, *q = (const struct Key *)b; return p->key < q->key ? -1 : p->key > q->key; }
struct Key $k[3];
for (int $i = 0; $i < 3; $i++) { $k[$i].id = $i; $k[$i].key = @E + 0.013 * $i; $k[$i].w = @E; }
qsort($k, 3, sizeof(struct Key), by_key);
#scalar $k[@I3].w
#scalar $k[@I3].key
#int $k[@I3].id 2
""",
    "malloc": """
{
double *$m = (double *)malloc(4 * sizeof(double));
for (int $i = 0; $i < 4; $i++) $m[$i] = @E;
#array $m 4
@S3
@L = 0.5 * @L + 0.3 * $m[@I4];
free($m);
}
""",
    "calloc": """
{
double *$m = (double *)calloc(3, sizeof(double));
$m[@I3] = @E;
#array $m 3
@S2
@L = 0.5 * @L + 0.3 * ($m[0] + $m[1] + $m[2]);
free($m);
}
""",
    "realloc": """
{
int $n = 0, $cap = 1;
double *$m = (double *)malloc($cap * sizeof(double));
for (int $i = 0; $i < 1 + @N; $i++) {
#int $i 5
if ($n == $cap) { $cap = $cap * 2; $m = (double *)realloc($m, $cap * sizeof(double)); }
$m[$n++] = @E;
if ($n > 1) $m[$n - 2] += 0.3 * $m[$n - 1];
}
for (int $j = 0; $j < $n; $j++) @L = 0.6 * @L + 0.3 * $m[$j];
free($m);
}
""",
    "rows": """
{
double **$m = (double **)malloc(3 * sizeof(double *));
for (int $i = 0; $i < 3; $i++) {
$m[$i] = (double *)malloc(2 * sizeof(double));
$m[$i][0] = @E; $m[$i][1] = @E;
}
double *$t = $m[0]; $m[0] = $m[@I3]; 
$t[0] = @E;
@L = 0.5 * @L + 0.2 * ($t[1] + $m[1][0] + $m[2][@I2]);
$m[0] = $t;
for (int $j = 0; $j < 3; $j++) free($m[$j]);
free($m);
}
""",
    "owned rows": """
#global static NOINLINE void fill_rows(double **to, double v) { for (int i = 0; i < 3; i++) { to[i] = (double *)malloc(5 * sizeof(double)); for (int j = 0; j < 5; j++) to[i][j] = 0.1 * v + 0.1 * (i + j); } }
{
double **$a = (double **)malloc(3 * sizeof(double *)), **$b = (double **)malloc(3 * sizeof(double *)), **$t;
fill_rows($a, @E); fill_rows($b, @E);
for (int $o = 0; $o < @N; $o++) {
for (int $i = 0; $i < 3; $i++) for (int $j = 1; $j < 4; $j++) $b[$i][$j] = 0.5 * $a[$i][$j - 1] - 0.3 * $a[$i][$j + 1] * $a[2 - $i][$j] + 0.1 * @U;
$t = $a; $a = $b; $b = $t;
}
#array $a[@I3] 3
@S1
@L = 0.5 * @L + 0.2 * ($a[@I3][1] + $b[2][@I2]);
for (int $j = 0; $j < 3; $j++) { free($a[$j]); free($b[$j]); }
free($a); free($b);
}
""",
    "swapped rows": """
#global static NOINLINE double *row_of(double v) { double *r = (double *)malloc(5 * sizeof(double)); for (int j = 0; j < 5; j++) r[j] = v - 0.1 * j; return r; }
{
double *$a[3], *$b[3], *$t;
for (int $i = 0; $i < 3; $i++) { $a[$i] = row_of(@E); $b[$i] = (double *)calloc(5, sizeof(double)); }
for (int $o = 0; $o < @N; $o++) {
#int $o 4
for (int $i = 0; $i < 3; $i++) for (int $j = 1; $j < 4; $j++) $b[$i][$j] = 0.5 * $a[$i][$j - 1] - 0.3 * $a[$i][$j + 1] * $b[2 - $i][$j] + 0.1 * @U;
if (@C) { $t = $a[1]; $a[1] = $b[2]; $b[2] = $t; }
$t = $a[$o % 3]; $a[$o % 3] = $b[1]; $b[1] = $t;
}
#array $b[@I3] 3
@S1
@L = 0.5 * @L + 0.2 * ($a[@I3][1] + $b[2][@I2]);
for (int $j = 0; $j < 3; $j++) { free($a[$j]); free($b[$j]); }
}
""",
    "list": """
#global struct Node { double v; struct Node *next; };
{
struct Node *$h = 0;
for (int $i = 0; $i < @N; $i++) {
#int $i 4
struct Node *$c = (struct Node *)malloc(sizeof(struct Node));
$c->v = @E; $c->next = $h; $h = $c;
}
for (struct Node *$p = $h; $p; $p = $p->next) { $p->v = sin($p->v) * @U; @L = 0.5 * @L + 0.3 * $p->v; }
while ($h) { struct Node *$d = $h; $h = $h->next; free($d); }
}
""",
    "tree": """
#global struct Tree { double v; struct Tree *l, *r; };
#global static NOINLINE struct Tree *grow(int depth, double v) { if (depth <= 0) return 0; struct Tree *t = (struct Tree *)malloc(sizeof(struct Tree)); t->v = sin(v); t->l = grow(depth - 1, 0.5 * v); t->r = grow(depth - 2, v + 0.2); return t; }
#global static NOINLINE double fell(struct Tree *t) { if (!t) return 0.1; double s = 0.3 * fell(t->l) + 0.3 * t->v * fell(t->r) + 0.2 * t->v; free(t); return s; }
@L = 0.5 * @L + 0.4 * fell(grow(@I4, @E));
""",
    "records": """
#global struct P { double x; int id; double w[2]; };
struct P $p[3];
for (int $i = 0; $i < 3; $i++) { $p[$i].x = @E; $p[$i].id = @I3; $p[$i].w[0] = @E; $p[$i].w[1] = @E; }
if (@C) { struct P $t = $p[0]; $p[0] = $p[$p[1].id]; $p[2] = $t; }
memcpy(&$p[1], &$p[2], sizeof(struct P));
if (@C) memmove(&$p[1], &$p[0], 2 * sizeof(struct P));
#scalar $p[@I3].x
#array $p[@I3].w 2
#int $p[@I3].id 2
""",
    "cleared": """
#global struct C { double v[3]; int n; double b; };
struct C $c;
memset(&$c, 0, sizeof $c);
$c.v[@I3] = @E; $c.n = @I3;
#array $c.v 3
#scalar $c.b
#int $c.n 2
""",
    "moved addresses": """
#global #include <string.h>
#global static NOINLINE __attribute__((used)) void move_address(void *to, const void *from) { memcpy(to, from, sizeof(void *)); }
#global static NOINLINE __attribute__((used)) void move_choice(void *to, const void *a, const void *b, int first) { memcpy(to, first ? a : b, sizeof(void *)); }
#global static NOINLINE __attribute__((used)) void swap_addresses(void *rows, int i, int k) { char t[sizeof(void *)], *c = (char *)rows; memcpy(t, c + i * sizeof t, sizeof t); memcpy(c + i * sizeof t, c + k * sizeof t, sizeof t); memcpy(c + k * sizeof t, t, sizeof t); }
double $k[2] = {0.3, 0.7}, *$rows[3] = {@w, @v, $k}, *$p;
swap_addresses($rows, @I3, @I3);
if (@C) swap_addresses($rows, @I2, 2);
for (int $i = 0; $i < 3; $i++) { $rows[$i][0] = 0.6 * $rows[$i][0] + 0.3 * $rows[2 - $i][1]; @S1 }
move_choice(&$p, &$rows[@I3], &$rows[1], @I2);
@L = 0.5 * @L + 0.3 * $p[@I2];
move_address(&$p, &$rows[@I3]);
#array $p 2
""",
    "number or address": """
#global typedef struct { int kind; EITHER { const char *text; double number; } is; } Item;
#global static NOINLINE Item item_of(double x) { Item i; i.kind = 1; i.is.number = x; return i; }
#global static NOINLINE Item pick_item(const Item *from, int k) { return from[k]; }
#global static NOINLINE double number_in(Item i) { return i.kind ? i.is.number : 0.5; }
#global static NOINLINE __attribute__((used)) void swap_items(Item *a, Item *b) { Item t = *a; *a = *b; *b = t; }
Item $v[3], $t;
for (int $i = 0; $i < 3; $i++) $v[$i] = item_of(@E);
swap_items(&$v[@I3], &$v[@I3]);
$t = $v[@I3];
if (@C) { $v[@I3] = pick_item($v, @I3); $t = item_of(0.5 * number_in($t)); }
$v[@I3].is = $t.is;
@L = 0.5 * @L + 0.3 * number_in(pick_item($v, @I3));
#scalar $v[@I3].is.number
""",
    "moved records": """
#global #include <string.h>
#global struct Moved { double *p; long n; };
#global static NOINLINE __attribute__((used)) void move_record(void *to, const void *from) { memcpy(to, from, sizeof(struct Moved)); }
#global static NOINLINE __attribute__((used)) void move_number(void *to, const void *from) { memcpy(to, from, sizeof(long)); }
struct Moved $a = {@w, @I2}, $b = {@v, @I2}, $c;
move_record(&$c, @C ? &$a : &$b);
if (@C) { move_record(&$a, &$b); move_number(&$c.n, &$a.n); }
#scalar $c.p[$c.n]
#scalar $a.p[1]
""",
    "mixed pointers": """
#global static const double constants[4] = {0.3, -0.8, 1.1, 0.6};
const double *$q = @C ? @r : constants;
#read $q[0]
#read $q[1]
""",
    "pointer array": """
double *$R[2] = {@w, @v};
if (@C) { double *$t = $R[0]; $R[0] = $R[1]; $R[1] = $t; }
#array $R[@I2] 2
""",
    "bits": """
double $b;
BITS($b, @E);
#scalar $b
""",
    "select bits": """
double $b;
SELECT_BITS($b, @C, @E, @E);
#scalar $b
""",
    "tagged": """
#global struct Tagged { double v; double w; };
{
struct Tagged $t = {@E, @E};
uintptr_t $bits = (uintptr_t)&$t | (uintptr_t)(@I2);
struct Tagged *$p = (struct Tagged *)($bits & ~(uintptr_t)7);
if ($bits & 1) $p->v *= @U; else $p->w += 0.2;
@L = 0.5 * @L + 0.2 * ($t.v + $p->w);
}
""",
    "complex": """
COMPLEX $z = MAKE_COMPLEX(@U, @U);
COMPLEX $c = MAKE_COMPLEX(@U, 0.3);
for (int $i = 0; $i < @N; $i++) $z = TIMES($z, $z) * HALF_OF + $c;
@L = 0.2 * (REAL($z) - 0.5 * IMAG($z)) + 0.3 * @L;
""",
    "float": """
float $f = (float)(@U), $g = (float)(@E);
for (int $i = 0; $i < @N; $i++) $f = $f * 0.5f + $g * 0.25f;
#read (double)$f
""",
    "float array": """
float $f[3] = {(float)(@E), (float)(@E), (float)(@E)};
$f[@I3] = $f[@I3] * 0.5f + sinf($f[0]);
@L = 0.5 * @L + 0.3 * (double)$f[@I3];
""",
    "half": "@L = 0.5 * @L + 0.4 * HALF(@U);",
    "wide": """
WIDE $w = (WIDE)(@E);
for (int $i = 0; $i < @N; $i++) $w = $w * (WIDE)0.5 + (WIDE)(@U);
@L = 0.3 * @L + 0.5 * NARROW($w);
""",
    "text": """
#global #include <stdio.h>
{
char $t[64];
snprintf($t, sizeof $t, "%g %d", TEXT_OF(@E), @I5);
@L *= $t[0] == '-' ? 0.9 : 0.8;
}
""",
    "flags": """
{
unsigned char $F[3];
for (int $i = 0; $i < 3; $i++) $F[$i] = @C;
for (int $j = 0; $j < 3; $j++) if ($F[$j]) @L = 0.6 * @L + @U; else @L *= 0.9;
}
""",
    "newton": """
double $v = 1.5;
{ double $c = @E; for (int $k = 0; $k < 6; $k++) { double $d = ($v * $v * $v + $v - $c) / (3 * $v * $v + 1); $v -= $d; if (fabs($d) < 1e-3) break; } }
#scalar $v
""",
    "pingpong": """
{
double *$p = @w, *$q = @v;
for (int $i = 0; $i < @N; $i++) { for (int $j = 1; $j < 2; $j++) $q[$j] = 0.5 * $p[$j - 1] + 0.4 * sin($p[$j]); double *$t = $p; $p = $q; $q = $t; }
}
""",
    "odd loop": """
for (long $i = 1; $i < 6; $i *= 2) {
#in
#int (int)$i 4
@S2
}
""",
    "nest": "for (int $i = 0; $i < @N; $i++) for (int $j = 0; $j < $i; $j++) for (int $k = $j; $k < $i; $k++) @L = 0.8 * sin(@L) * cos(@E) + 0.1;",
    "nested struct": """
#global struct Inner { double v[2]; int k; };
#global struct Outer { struct Inner in[2]; double w; double *link; };
struct Outer $o;
$o.in[0].v[0] = @E; $o.in[0].v[1] = @E; $o.in[0].k = @I3; $o.in[1] = $o.in[0]; $o.w = @E; $o.link = @C ? $o.in[1].v : @w;
if (@C) { $o.in[1].v[@I2] = @E; $o.in[1].k = ($o.in[0].k + 1) % 3; }
#scalar $o.w
#array $o.link 2
#array $o.in[@I2].v 2
#int $o.in[@I2].k 2
""",
    "struct pointer": """
#global struct Peer { double v; float f; int k; struct Peer *peer; };
struct Peer $i[2];
$i[0].v = @E; $i[0].f = 0.5f; $i[0].k = @I3; $i[0].peer = &$i[1];
$i[1].v = @E; $i[1].f = 0.25f; $i[1].k = 1; $i[1].peer = @C ? &$i[0] : &$i[1];
for (int $j = 0; $j < @N; $j++) { struct Peer *$p = &$i[$j % 2]; $p->peer->v = 0.5 * $p->peer->v + 0.3 * sin($p->v); $p->k = ($p->k + $p->peer->k) % 3; }
#scalar $i[0].v
#scalar $i[1].peer->v
#int $i[0].k 2
""",
    "union": """
#global union Either { double d; struct { double p; int k; } s; long n; };
union Either $u;
if (@C) { $u.s.p = @E; $u.s.k = @I3; @L = 0.5 * @L + 0.3 * $u.s.p * (double)(1 + $u.s.k); } else { $u.d = @E; @L = 0.6 * @L + 0.2 * $u.d; }
$u.d = @U;
#scalar $u.d
""",
    "gather": """
int $I[4] = {@I4, @I4, @I4, @I4};
double $a[4] = {@E, @E, @E, @E};
for (int $i = 0; $i < 4; $i++) { double $t = $a[$I[$i]]; $a[$i] = 0.5 * $a[$i] + 0.4 * $t; $I[($i + 1) % 4] = ($I[$i] + $i) % 4; }
#array $a 4
#int $I[@I4] 3
""",
    "sorting": """
double $a[4] = {@E + 0.011, @E + 0.023, @E + 0.037, @E + 0.041};
for (int $i = 0; $i < 3; $i++) for (int $j = 0; $j + 1 < 4 - $i; $j++) if ($a[$j] > $a[$j + 1]) { double $t = $a[$j]; $a[$j] = $a[$j + 1]; $a[$j + 1] = $t; }
#array $a 4
""",
    "stack": """
{
double $v[8]; int $k[8]; int $top = 0;
$v[$top] = @E; $k[$top++] = @I3;
while ($top > 0) {
$top--;
double $x = $v[$top]; int $d = $k[$top];
@L = 0.7 * @L + 0.2 * sin($x);
if ($d > 0 && $top < 6) { $v[$top] = 0.5 * $x; $k[$top++] = $d - 1; $v[$top] = @U * $x; $k[$top++] = $d - 1; }
}
}
""",
    "solve": """
{
double $A[3][3], $b[3];
for (int $i = 0; $i < 3; $i++) { $b[$i] = @E; for (int $j = 0; $j < 3; $j++) $A[$i][$j] = $i == $j ? 6.0 + @U : @U; }
for (int $k = 0; $k < 3; $k++) for (int $r = $k + 1; $r < 3; $r++) { double $m = $A[$r][$k] / $A[$k][$k]; for (int $c = $k; $c < 3; $c++) $A[$r][$c] -= $m * $A[$k][$c]; $b[$r] -= $m * $b[$k]; }
for (int $q = 2; $q >= 0; $q--) { for (int $c = $q + 1; $c < 3; $c++) $b[$q] -= $A[$q][$c] * $b[$c]; $b[$q] = $b[$q] / $A[$q][$q]; }
@L = 0.5 * @L + 0.5 * ($b[0] + $b[1] * $b[2]);
}
""",
    "grid": """
{
int $n = @I3 + 2;
double *$g = (double *)malloc($n * $n * sizeof(double)), *$h = (double *)malloc($n * $n * sizeof(double));
for (int $i = 0; $i < $n * $n; $i++) $g[$i] = $h[$i] = 0.1 * (double)($i % 3) + @U;
for (int $t = 0; $t < @N; $t++) {
for (int $i = 1; $i + 1 < $n; $i++) for (int $j = 1; $j + 1 < $n; $j++) $h[$i * $n + $j] = 0.2 * ($g[$i * $n + $j - 1] + $g[$i * $n + $j + 1] + $g[($i - 1) * $n + $j] + $g[($i + 1) * $n + $j]) + 0.1 * sin($g[$i * $n + $j]);
double *$s = $g; $g = $h; $h = $s;
}
for (int $i = 0; $i < $n; $i++) @L = 0.6 * @L + 0.2 * $g[$i * $n + $i];
free($g); free($h);
}
""",
    "columns": """
{
int $n = @I3 + 1, $m = @I3 + 1;
double *$a = (double *)malloc($n * $m * sizeof(double)), *$b = (double *)malloc($m * $n * sizeof(double)), *$c = (double *)malloc($n * $n * sizeof(double));
for (int $i = 0; $i < $n * $m; $i++) { $a[$i] = @U + 0.1 * (double)($i % 4); $b[$i] = 0.3 * (double)($i % 3) - @U; }
for (int $i = 0; $i < $n * $n; $i++) $c[$i] = 0.4;
for (int $t = 0; $t < @N; $t++) {
double *$x = @I3 ? $a : $b, *$y = @I3 ? $b : $a;
for (int $r = 0; $r < $n; $r++) for (int $j = 0; $j < $n; $j++) {
double $s = @I3 ? 0.0 : 0.1 * @U;
for (int $k = 0; $k < $m; $k++) $s += $x[$r * $m + $k] * $y[$k * $n + $j];
$c[$r * $n + $j] = 0.2 * $s;
}
for (int $j = 0; $j < $n * $m; $j++) $a[$j] = 0.5 * sin($a[$j]) + $c[$j % ($n * $n)];
}
for (int $i = 0; $i < $n; $i++) @L = 0.6 * @L + 0.2 * $c[$i * $n + $i] + 0.1 * $a[$i];
free($a); free($b); free($c);
}
""",
    "pairs": """
{
int $n = @I3 + 3;
double *$p = (double *)malloc($n * sizeof(double)), *$f = (double *)malloc($n * sizeof(double));
for (int $i = 0; $i < $n; $i++) { $p[$i] = @U - 0.2 * (double)$i; $f[$i] = 0.1 * @U; }
for (int $t = 0; $t < @N; $t++) {
for (int $i = 0; $i < $n; $i++) for (int $j = 0; $j < $i; $j++) {
double $d = $p[$i] - $p[$j], $g = 0.1 * $d / sqrt($d * $d + 0.3);
#scalar $g
$f[$i] -= $g;
@S1
$f[$j] += $g * cos($p[$i]);
}
for (int $i = 0; $i < $n; $i++) $p[$i] = 0.8 * $p[$i] + 0.1 * sin($f[$i]) + 0.1 * $p[$n / 2];
}
for (int $i = 0; $i < $n; $i++) @L = 0.7 * @L + 0.1 * $p[$i];
free($p); free($f);
}
""",
    "neighbours in records": """
#global struct Cell { double h, u; int k; double v; };
{
int $n = @I3 + @I3 + @I3 + 1;
struct Cell $a[12], $b[12];
for (int $j = 0; $j < 12; $j++) { $a[$j].h = @U; $a[$j].u = 0.2 * @U + 0.1 * (double)$j; $a[$j].k = $j % 3; $a[$j].v = 0.3; $b[$j] = $a[$j]; }
for (int $t = 0; $t < @N; $t++) {
for (int $j = 1; $j < $n; $j++) {
$b[$j].h = 0.6 * $a[$j].h - 0.2 * $a[$j].u * ($a[$j + 1].h - $a[$j - 1].h);
$b[$j].u = 0.5 * $a[$j + 1].u * $a[$j].u + ($a[$j].k ? 0.2 * $a[$j - 1].v : 0.1 * sin($a[$j + 1].v));
}
for (int $j = $n; $j > 0; $j--) {
$a[$j].h = 0.4 * $b[$j + 2].u + 0.3 * $b[$j].h * $b[$j + 1].u;
$a[$j].v = 0.7 * $a[$j - 1].v + 0.1 * $b[$j + 1].h - 0.1 * $b[$j].h;
$a[$j].u = $b[$j].u;
}
}
for (int $j = 0; $j < 12; $j++) @L = 0.8 * @L + 0.05 * $a[$j].h - 0.04 * $b[$j].u + 0.03 * $a[$j].v;
}
""",
    "neighbours": """
{
int $n = @I3 + @I3 + @I3 + 1;
double $u[3][12], $o[3][12];
for (int $r = 0; $r < 3; $r++) for (int $j = 0; $j < 12; $j++) { $u[$r][$j] = @U + 0.1 * (double)($j % 4); $o[$r][$j] = 0.2 * @U; }
for (int $t = 0; $t < @N; $t++) {
for (int $r = 0; $r < 3; $r++) for (int $j = 2; $j < $n + 1; $j++)
$o[$r][$j] = 0.2 * sin($u[$r][$j - 2] * $u[$r][$j]) + 0.3 * $u[$r][$j + 1] - 0.1 * $o[$r][$j];
for (int $j = 1; $j < $n; $j++)
$o[1][$j] = 0.5 * $o[1][$j] + 0.2 * ($u[0][$j] + $u[2][$j] + $u[1][$j - 1] * $u[1][$j + 1]);
for (int $j = $n; $j > 0; $j--)
$u[1][$j] = 0.6 * $o[1][$j + 2] - 0.2 * cos($o[1][$j]) * $o[1][$j - 1];
}
for (int $j = 0; $j < 12; $j++) @L = 0.8 * @L + 0.05 * $u[1][$j] - 0.04 * $o[$j % 3][$j];
}
""",
    "strides": """
{
int $n = @I3 + 2, $w = @I3 + @I3 + 2, $s = @I3 ? $w : @I3 ? $w + 2 : 1 + @I3, $off = @I3;
int $l = ($n + 2) * ($w + 5) + 8;
double *$a = (double *)malloc($l * sizeof(double)), *$b = (double *)malloc($l * sizeof(double));
for (int $i = 0; $i < $l; $i++) { $a[$i] = 0.3 * @U + 0.1 * (double)($i % 4); $b[$i] = 0.2; }
for (int $t = 0; $t < @N; $t++) {
for (int $r = 1; $r + 1 < $n; $r++) for (int $j = 1; $j < $w; $j++)
$b[$r * $s + $j] = 0.3 * $a[$r * $s + $j] + 0.2 * sin($a[($r - 1) * $s + $j] * $a[($r + 1) * $s + $j + $off]) + 0.1 * $a[$r * $s + $j - 1];
unsigned long $h = (unsigned long)$n, $v = (unsigned long)$w, $q = (unsigned long)$s;
for (unsigned long $r = 0; $r + 1 < $h; $r++) for (unsigned long $j = @I3 ? $r : 0; $j < $v; $j++)
$a[($r + 1) * $q + $j] = 0.5 * $a[($r + 1) * $q + $j] - 0.1 * cos($b[$r * $q + $j]) * $a[$r * $q + $j];
for (int $k = 0; $k + 1 < $w; $k++) for (int $i = $k + 1; $i < $w; $i++) for (int $j = $k; $j < $w; $j++)
if ($i * $s + $j < $l) $b[$i * $s + $j] = 0.6 * $b[$i * $s + $j] - 0.2 * sin($b[$k * $s + $j]);
memcpy(@I3 ? $a + $w : $b + 1, @I3 ? $a : $b + 1 + $w, $w * sizeof(double));
}
for (int $i = 0; $i < $l; $i++) @L = 0.8 * @L + 0.05 * $a[$i] - 0.04 * $b[$i];
free($a); free($b);
}
""",
    "growing records": """
#global struct Rec { double v; int n; double *row; };
{
int $n = 0, $cap = 1;
struct Rec *$m = (struct Rec *)malloc($cap * sizeof(struct Rec));
for (int $i = 0; $i < 1 + @N; $i++) {
#int $i 5
if ($n == $cap) { $cap *= 2; $m = (struct Rec *)realloc($m, $cap * sizeof(struct Rec)); }
struct Rec *$r = &$m[$n++];
$r->v = @E; $r->n = 1 + $i % 2; $r->row = (double *)malloc($r->n * sizeof(double));
for (int $j = 0; $j < $r->n; $j++) $r->row[$j] = 0.5 * $r->v + @U;
}
for (int $i = 0; $i < $n; $i++) { for (int $j = 0; $j < $m[$i].n; $j++) @L = 0.6 * @L + 0.2 * $m[$i].row[$j]; free($m[$i].row); }
free($m);
}
""",
    "buckets": """
{
double *$heads[3] = {0, 0, 0}; double $v[6]; int $next[6];
int $first[3] = {-1, -1, -1};
for (int $i = 0; $i < 6; $i++) { $v[$i] = @E; int $b = ($i * 2 + @I3) % 3; $next[$i] = $first[$b]; $first[$b] = $i; $heads[$b] = &$v[$i]; }
for (int $b = 0; $b < 3; $b++) { for (int $i = $first[$b]; $i >= 0; $i = $next[$i]) { $v[$i] = sin($v[$i]); @L = 0.8 * @L + 0.1 * $v[$i]; } if ($heads[$b]) @L += 0.1 * *$heads[$b]; }
}
""",
    "backwards": """
{
double *$p = @w + @w.n;
while ($p != @w) { --$p; *$p = 0.7 * *$p + 0.2 * @U; if (@C && $p - @w < 2) break; }
}
""",
    "chosen target": """
double $a = @E, $b = @E;
*(@C ? &$a : &$b) = @E;
#scalar $a
#scalar $b
""",
    "effects in conditions": """
int $k = 0;
if (@C && ($k++, @L = 0.5 * @L + @U, @C)) { @L = 0.9 * @L; } else if ($k || @C) { @L += 0.1; }
#int $k 1
""",
    "alloca": """
{
int $m = @I3 + 2;
double *$a = (double *)__builtin_alloca($m * sizeof(double));
for (int $i = 0; $i < $m; $i++) $a[$i] = @E;
for (int $i = 1; $i < $m; $i++) $a[$i] += 0.5 * $a[$i - 1];
@L = 0.5 * @L + 0.3 * $a[$m - 1];
}
""",
    "independent iterations": """
{
int $m = @I3 + 1;
double $t[5];
double $s = 0.0;
for (int $i = 0; $i < 4; $i++) {
for (int $j = 0; $j < $m; $j++) $t[$j] = sin(@U + 0.2 * (double)($i + $j)) * @E;
double $r = 0.0;
for (int $j = 0; $j < $m; $j++) $r += exp(0.2 * $t[$j]);
$s += log(1.0 + $r);
}
@L = 0.5 * @L + 0.02 * $s;
}
""",
    "long loops": """
for (unsigned long $i = @N; $i > 0; --$i) { @L = 0.8 * @L + 0.1 * sin(@E + 0.1 * (double)(int)$i); }
for (unsigned char $c = 250; $c >= 250; $c++) @L = 0.95 * @L + 0.01 * (double)(int)$c * @U * 0.1;
""",
    "rounded": """
#read floor(@E + 0.3137)
#read ceil(@E * 1.7 + 0.2231)
@L = 0.5 * @L + 0.1 * floor(@E + 0.1713) + 0.1 * round(@E * 2.0 + 0.1377) * @U;
""",
    "parts": """
int $k;
double $f = frexp(@E + 5.5, &$k);
@L = 0.5 * @L + 0.4 * $f + ldexp(@U, $k % 2);
#scalar $f
""",
    "math": """
double $m = 0.3 * exp2(@U) - 0.2 * expm1(@U) + 0.1 * log2(1.2 + fabs(@E));
$m = 0.5 * $m + 0.2 * asinh(@E) + 0.2 * atanh(0.9 * sin(@E)) - 0.1 * log10(1.3 + fabs(@E));
$m = 0.6 * $m + 0.2 * asin(0.9 * cos(@E)) - 0.1 * acos(0.9 * sin(@U)) + 0.2 * erf(@E) - 0.1 * erfc(@U);
#scalar $m
""",
    "more math": """
double $m = fma(@U, @E, 0.2) + fdim(@E, @U + 0.0717) - copysign(@E, @U + 0.0313);
$m = 0.2 * $m + 0.3 * sinh(@U) * tanh(@E) - 0.1 * cosh(@U) + 0.2 * tan(@U) + 0.2 * acosh(1.5 + fabs(@E));
$m = 0.5 * $m + 0.2 * fmod(@E + 7.0, 2.317) + 0.1 * pow(1.2 + fabs(@U), (double)(1 + @I3));
#scalar $m
""",
    "float math": """
float $f = (float)(@U), $g[2] = {(float)(@U), 0.75f};
for (int $i = 0; $i < @N; $i++) { $g[$i % 2] = 0.5f * $f + sqrtf(1.5f + fabsf($g[1 - $i % 2])); $f = expf(-fabsf($f)) * cosf($g[0]); }
@L = 0.5 * @L + 0.3 * (double)($f + $g[1]);
""",
    "mixed record": """
#global struct Mix { float f; char c; double d; short s; float g[3]; };
struct Mix $m[2];
for (int $i = 0; $i < 2; $i++) { $m[$i].f = (float)(@U); $m[$i].c = (char)($i + @I3); $m[$i].d = @E; $m[$i].s = (short)($i * 2); $m[$i].g[0] = 0.5f; $m[$i].g[1] = (float)($m[$i].d); $m[$i].g[2] = $m[$i].f * 0.5f; }
if (@C) $m[0] = $m[1];
for (int $j = 0; $j < @N; $j++) $m[$j % 2].g[$j % 3] = $m[1 - $j % 2].g[($j + 1) % 3] * 0.5f + $m[0].f;
#read (double)$m[@I2].g[@I3]
#scalar $m[@I2].d
#int ($m[@I2].c % 3) 2
""",
    "long double array": """
WIDE $w[2] = {(WIDE)(@E), (WIDE)(@U)};
for (int $i = 0; $i < @N; $i++) $w[$i % 2] = $w[$i % 2] * (WIDE)0.5 + $w[1 - $i % 2] * (WIDE)0.25;
@L = 0.4 * @L + 0.4 * NARROW($w[0] - $w[1]);
""",
    "vectors": """
VECTOR $v = MAKE_VECTOR(@E, @U), $w = MAKE_VECTOR(@U, 0.5);
for (int $i = 0; $i < @N; $i++) { $v = $v * $w + $w; $w[$i % 2] = 0.3 * $v[1 - $i % 2]; if ($i > 2) $v = $v * MAKE_VECTOR(0.1, 0.2); }
@L = 0.3 * @L + 0.2 * sin($v[0]) * cos($w[1]);
""",
    "volatile": """
volatile int $k = @I4;
@L = 0.5 * @L + 0.1 * (double)$k * @U;
#int ($k % 4) 3
""",
    "bit fields": """
#global struct Bits { unsigned a : 3; unsigned b : 5; double v; };
struct Bits $b = {1u, 3u, @E};
$b.a = (unsigned)@I5; if (@C) $b.b = $b.a + 2u;
#scalar $b.v
#int ((int)$b.b % 4) 3
""",
    "tables of rows": """
double $M[3][2] = {{@E, @E}, {@E, @E}, {@E, @E}};
double (*$R)[2] = $M;
for (int $i = 0; $i < @N; $i++) { $R = &$M[$i % 3]; (*$R)[$i % 2] = 0.6 * (*$R)[1 - $i % 2] + @U; }
#array (*$R) 2
#array $M[@I3] 2
""",
    "exits": """
for (int $i = 0; $i < 4; $i++) {
#in
#int $i 3
for (int $j = 0; $j < @N; $j++) {
#int $j 4
@S1
if (@C) goto $Out;
if (@C) break;
@S1
}
@L = 0.9 * @L + 0.1 * @U;
}
$Out:;
""",
    "vla": """
double $v[@I4 + 2];
$v[0] = @E; $v[1] = @E;
#array $v 2
""",
}
