#!/usr/bin/env python3
"""Writes C programs of a given size that ask for a gradient: material for measuring the
compiler, not the programs.

    generate.py SHAPE SIZE > program.c

SHAPE     what grows with SIZE
scalars   straight-line arithmetic on local variables: SIZE instructions
memory    the same with loads and stores between two arrays: SIZE instructions
calls     the same with calls of mathematical functions: SIZE instructions
branches  a conditional every few lines: SIZE instructions
locals    straight-line code on SIZE/8 arrays of two that live on the stack
nest      a loop nest of depth SIZE
loops     SIZE/10 loops one after the other
functions SIZE/20 functions in a tree of calls, none of them inlined
"""
import random
import sys

NAMES = "abcd"


def head(extra=""):
    return f"""#include <math.h>
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
{extra}
double primal(const double *restrict x, double *restrict y, int n) {{
  double a = x[0], b = x[1], c = x[2], d = x[3];
"""


TAIL = """  return a + b + c + d;
}

void gradient(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)primal, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
"""


def arithmetic(rng):
    """Three instructions: bounded values, nothing that folds away."""
    p, q, r = (rng.choice(NAMES) for _ in range(3))
    return f"  {p} = {q} * {r} + {rng.uniform(0.1, 0.9):.3f} * {p};\n"


def scalars(size, rng):
    return head() + "".join(arithmetic(rng) for _ in range(size // 4)) + TAIL


def memory(size, rng):
    body = ""
    for i in range(size // 10):
        p, q = rng.choice(NAMES), rng.choice(NAMES)
        body += f"  y[{(3 * i) % 256}] = {p} * x[{i % 64}] + {q};\n"
        body += f"  {p} = y[{(7 * i) % 256}] * 0.5 + {q} * x[{(5 * i) % 64}];\n"
    return head() + body + TAIL


def calls(size, rng):
    body = ""
    for _ in range(size // 5):
        p, q = rng.choice(NAMES), rng.choice(NAMES)
        body += f"  {p} = {rng.choice(['sin', 'cos', 'tanh'])}({p} * {q}) + 0.5 * {q};\n"
    return head() + body + TAIL


def branches(size, rng):
    body = ""
    for i in range(size // 12):
        body += arithmetic(rng)
        p, q = rng.choice(NAMES), rng.choice(NAMES)
        body += f"  if ({p} > x[{i % 64}])\n  {arithmetic(rng)}  else\n    {q} = sin({p}) * {q};\n"
    return head() + body + TAIL


def locals_(size, rng):
    body = ""
    for i in range(size // 8):
        p, q = rng.choice(NAMES), rng.choice(NAMES)
        body += f"  double t{i}[2] = {{{p} * x[{i % 64}], {q}}};\n"
        body += f"  {q} = t{i}[n & 1] + 0.5 * {q};\n"
    return head() + body + TAIL


def nest(depth, rng):
    body, counters = "", [f"i{k}" for k in range(depth)]
    for k, counter in enumerate(counters):
        body += "  " * (k + 1) + f"for (int {counter} = 0; {counter} < n; ++{counter}) {{\n"
        body += "  " * (k + 2) + f"y[{counter}] = a * x[{counter}] + y[{counter}] * y[{counter}];\n"
    body += "  " * (depth + 1) + f"a += sin(y[{' + '.join(counters)}]) * b;\n"
    for k in reversed(range(depth)):
        body += "  " * (k + 1) + "}\n"
    return head() + body + TAIL


def loops(size, rng):
    body = ""
    for i in range(size // 10):
        p = rng.choice(NAMES)
        body += f"  for (int i = 0; i < n; ++i)\n    y[i] = {p} * y[i] * y[i] + x[i + {i % 64}];\n"
        body += f"  {p} += y[{i % 64}];\n"
    return head() + body + TAIL


def functions(size, rng):
    body, count = "", max(1, size // 20)
    for i in reversed(range(count)):
        inner = "".join(f" + step{j}(x, y, a)" for j in (2 * i + 1, 2 * i + 2) if j < count)
        body += f"__attribute__((noinline)) static double step{i}(const double *x, double *y, double a) {{\n"
        body += f"  y[{i % 64}] = y[{i % 64}] * a + x[{(3 * i) % 64}];\n"
        body += f"  return y[{(i + 1) % 64}] * sin(a){inner};\n}}\n"
    return head(body) + "  a += step0(x, y, b);\n" + TAIL


def fields(size, rng):
    """Sizes that loops read from an object again, behind functions that may set errno."""
    body = "  const struct grid { int rows, columns; } *g = (const void *)(x + n);\n"
    for i in range(size // 10):
        p = rng.choice(NAMES)
        body += f"  for (int i = 0; i < g->rows; ++i)\n"
        body += f"    y[i * g->columns] = log({p} * y[i]) + x[{i % 64} + g->columns] * exp(x[i + g->columns]);\n"
        body += f"  {p} += y[g->rows - {i % 64}];\n"
    return head() + body + TAIL


SHAPES = {"fields": fields, "scalars": scalars, "memory": memory, "calls": calls, "branches": branches,
          "locals": locals_, "nest": nest, "loops": loops, "functions": functions}


def program(shape, size):
    return SHAPES[shape](size, random.Random(1))


if __name__ == "__main__":
    sys.stdout.write(program(sys.argv[1], int(sys.argv[2])))
