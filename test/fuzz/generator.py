#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random, well-defined C programs whose derivative is known.

A program is a function f(x, y, n, a) of floating-point arrays and numbers, put together
from the templates of templates.py and function_templates.py. Values stay small, integers
have known ranges, and what decides a branch is almost never at a kink, so that every
derivative exists. The same seed gives the same program.

In a template,
  @E @U        an expression of at most 4, of at most 1      @C    a condition
  @L           a scalar that may be written                 @I3   an integer from 0 to 2
  @N           a number of turns, at most 5                  @S2   up to two statements
  @r @w        the name of an array to read, to write (@r.n, @w.n: its length, 2 or more)
  @v           a second array to write, other than @w
  $name        a fresh name
and lines starting with # say what the text so far leaves behind:
  #scalar e  #read e  #array e length  #readarray e length  #int e most
                                                     usable from here on
  #global t                                          text at file scope, once
  #in                                                the rest of the template is a loop
Names end with the braces of the template that they are in.
  #expression t, #statement t                        (functions) how the function is called
"""
import random
import re
import sys

import function_templates
import templates

LIMIT = 4.0
# In programs that may write to x: its shadow cannot be x itself.
WRITES_X = "// Writes to x."
HOLE = re.compile(r"@([EUCLN]|I\d+|S\d+|[rwv](?:\.n)?)|\$(\w+)")


class Scope:
    """What can be named at one place of the program."""

    def __init__(self, other=None):
        self.scalars = list(other.scalars) if other else []
        self.written = list(other.written) if other else []
        self.arrays = list(other.arrays) if other else []
        self.outputs = list(other.outputs) if other else []
        self.integers = list(other.integers) if other else []


class Unfit(Exception):
    """The template needs something that there is not at this place."""


class Generator:
    """One program."""

    def __init__(self, seed, only=None):
        self.random = random.Random(seed)
        self.globals = []
        self.expressions = []
        self.statements = []
        self.count = 0
        self.depth = 0
        self.budget = 0
        names = sorted(templates.STATEMENTS)
        # A few features at a time: their combinations matter more than all at once.
        size = self.random.randint(4, 12)
        chosen = self.random.sample(names, min(size, len(names)))
        self.kinds = [only] if only else chosen
        self.kinds += templates.ALWAYS

    def chance(self, p):
        return self.random.random() < p

    # Integers: (text, greatest value), least value 0.

    def integer(self, scope, depth=2):
        kind = self.random.random()
        if depth == 0 or kind < 0.5:
            if scope.integers and self.chance(0.8):
                return self.random.choice(scope.integers)
            value = self.random.randint(0, 5)
            return str(value), value
        a, most = self.integer(scope, depth - 1)
        if kind < 0.7:
            b, other = self.integer(scope, depth - 1)
            return "(%s + %s)" % (a, b), most + other
        k = self.random.randint(2, 4)
        if kind < 0.85:
            return "(%s * %d + 1)" % (a, k), most * k + 1
        if kind < 0.95:
            return "(%s %% %d)" % (a, k), k - 1
        return "((int)(fabs(%s) * 3.0) %% %d)" % (self.leaf(scope)[0], k), k - 1

    def below(self, scope, length):
        text, most = self.integer(scope)
        return text if most < length else "(%s) %% %d" % (text, length)

    # Floating-point expressions: (text, bound of the absolute value).

    def leaf(self, scope):
        kind = self.random.random()
        if kind < 0.5 and scope.scalars:
            return self.random.choice(scope.scalars), LIMIT
        if kind < 0.85 and scope.arrays:
            name, length = self.random.choice(scope.arrays)
            return "%s[%s]" % (name, self.below(scope, length)), LIMIT
        if kind < 0.92 and scope.integers:
            text, most = self.integer(scope, 1)
            return "0.05 * (double)(%s)" % text, 0.05 * most
        return "%.3f" % self.random.uniform(0.2, 1.5), 1.5

    def expression(self, scope, depth):
        if depth <= 0 or self.chance(0.2):
            return self.leaf(scope)
        if self.expressions and self.depth < 3 and self.chance(0.25):
            call = self.random.choice(self.expressions)
            try:
                return self.expand(call, Scope(scope)), LIMIT
            except Unfit:
                pass
        a, x = self.expression(scope, depth - 1)
        if self.chance(0.45):
            b, y = self.expression(scope, depth - 1)
            return self.binary(scope, a, x, b, y)
        kind = self.random.random()
        if kind < 0.35:
            return "%s(%s)" % (self.random.choice(["sin", "cos", "tanh"]), a), 1
        if kind < 0.5:
            return "exp(-fabs(%s))" % a, 1
        if kind < 0.65:
            name = self.random.choice(["sqrt", "log", "cbrt", "log1p"])
            return "%s(1.1 + fabs(%s))" % (name, a), 1.1 + x**0.5
        if kind < 0.75:
            b, _ = self.leaf(scope)
            return "pow(1.1 + fabs(%s), 0.3 * sin(%s))" % (a, b), (1.1 + x) ** 0.3
        if kind < 0.85:
            return "fabs(%s + %.4f)" % (a, self.random.uniform(0.01, 0.1)), x + 0.1
        if kind < 0.95:
            return "atan(%s)" % a, 2
        return "(-(%s))" % a, x

    def binary(self, scope, a, x, b, y):
        kind = self.random.random()
        if kind < 0.4:
            return "(%s %s %s)" % (a, self.random.choice("+-"), b), x + y
        if kind < 0.65:
            if x * y > 40:
                return "sin(%s) * %s" % (a, b), y
            return "(%s * %s)" % (a, b), x * y
        if kind < 0.75:
            return "(%s / (1.2 + fabs(%s)))" % (a, b), x
        if kind < 0.85:
            name = self.random.choice(["fmin", "fmax"])
            return "%s(%s, %s + 0.0531)" % (name, a, b), max(x, y) + 0.1
        if kind < 0.95:
            return "(%s ? %s : %s)" % (self.condition(scope), a, b), max(x, y)
        return "%s(%s, 1.3 + fabs(%s))" % (self.random.choice(["atan2", "hypot"]), a, b), 3 + x + y

    def bounded(self, scope, limit):
        text, most = self.expression(scope, self.random.randint(1, 3))
        if most <= limit:
            return text
        if self.chance(0.5):
            return "%g * %s(%s)" % (limit, self.random.choice(["sin", "tanh"]), text)
        return "%.4g * (%s)" % (limit / most, text)

    def condition(self, scope):
        kind = self.random.random()
        if kind < 0.5:
            text, _ = self.expression(scope, 1)
            return "%s %s %.4f" % (text, self.random.choice("<>"), self.random.uniform(-1, 1))
        if kind < 0.9:
            text, _ = self.integer(scope)
            k = self.random.randint(2, 3)
            return "%s %% %d == %d" % (text, k, self.random.randint(0, k - 1))
        return "(%s %s %s)" % (
            self.condition(scope),
            self.random.choice(["&&", "||"]),
            self.condition(scope),
        )

    # Templates.

    def fill(self, hole, scope, names):
        """The text for one hole of a template."""
        if hole.group(2):
            name = hole.group(2)
            if name not in names:
                self.count += 1
                names[name] = "%s%d" % (name, self.count)
            return names[name]
        kind = hole.group(1)
        if kind[0] in "rwv":
            if kind[0] not in names:
                list_ = scope.arrays if kind[0] == "r" else scope.outputs
                taken = [names["w"][0]] if kind[0] == "v" and "w" in names else []
                fit = [a for a in list_ if a[0] not in taken]
                if not fit:
                    raise Unfit
                names[kind[0]] = self.random.choice(fit)
            name, length = names[kind[0]]
            return str(length) if kind.endswith(".n") else name
        if kind[0] == "I":
            return self.below(scope, int(kind[1:]))
        if kind[0] == "S":
            return self.block(scope, int(kind[1:]))
        if kind == "L":
            if not scope.written:
                raise Unfit
            return self.random.choice(scope.written)
        if kind == "N":
            small = [i for i in scope.integers if i[1] <= 5]
            if small and self.chance(0.6):
                return self.random.choice(small)[0]
            return str(self.random.randint(0, 5))
        if kind == "C":
            return self.condition(scope)
        return self.bounded(scope, LIMIT if kind == "E" else 1.0)

    def directive(self, line, scope, names):
        """Does what a line starting with # says."""
        word, _, rest = line[1:].partition(" ")
        rest = HOLE.sub(lambda hole: self.fill(hole, scope, names), rest)
        if word == "read":
            scope.scalars.append(rest)
        elif word == "scalar":
            scope.scalars.append(rest)
            scope.written.append(rest)
        elif word in ("array", "readarray"):
            name, length = rest.rsplit(" ", 1)
            if int(length) >= 2:
                scope.arrays.append((name, int(length)))
                if word == "array":
                    scope.outputs.append((name, int(length)))
        elif word == "int":
            name, most = rest.rsplit(" ", 1)
            scope.integers += [(name, int(most))] * 2
        elif word == "global":
            if rest not in self.globals:
                self.globals.append(rest)
        elif word == "in":
            self.depth += 1
        else:
            raise ValueError("what is #%s?" % word)

    def expand(self, text, scope):
        """The text of a template with its holes filled; scope gains what it leaves."""
        names = {}
        lines = []
        outer = []
        depth = self.depth
        try:
            for line in text.strip("\n").split("\n"):
                if line.startswith("#expression ") or line.startswith("#statement "):
                    word, _, call = line[1:].partition(" ")
                    call = re.sub(r"\$(\w+)", lambda m: names.get(m.group(1), m.group(0)), call)
                    (self.expressions if word == "expression" else self.statements).append(call)
                elif line.startswith("#"):
                    self.directive(line, scope, names)
                else:
                    # What is declared within braces ends with them.
                    for _ in range(len(line) - len(line.lstrip("}"))):
                        scope.__dict__.update(outer.pop().__dict__)
                    lines.append(HOLE.sub(lambda hole: self.fill(hole, scope, names), line))
                    inner = line.lstrip("}")
                    for _ in range(inner.count("{") - inner.count("}")):
                        outer.append(Scope(scope))
        finally:
            self.depth = depth
        return "\n".join(lines)

    def block(self, scope, most):
        inner = Scope(scope)
        depth = self.depth
        self.depth += 1
        lines = [self.statement(inner) for _ in range(self.random.randint(1, most))]
        self.depth = depth
        return "\n".join(lines)

    def statement(self, scope):
        self.budget -= 1
        for _ in range(5):
            if self.statements and self.depth < 3 and self.chance(0.15):
                text = self.random.choice(self.statements)
            elif self.budget <= 0 or self.depth >= 3:
                text = self.random.choice(templates.SIMPLE)
            else:
                text = templates.STATEMENTS[self.random.choice(self.kinds)]
            trial = Scope(scope)
            try:
                result = self.expand(text, trial)
            except Unfit:
                continue
            scope.__dict__.update(trial.__dict__)
            return result
        return ";"

    def program(self):
        functions = []
        for _ in range(self.random.choice([0, 1, 1, 2, 3])):
            scope = Scope()
            self.budget = self.random.randint(2, 6)
            self.depth = 1
            functions.append(self.expand(self.random.choice(function_templates.FUNCTIONS), scope))
        scope = Scope()
        scope.scalars = ["a", "s"]
        scope.written = ["s"]
        scope.arrays = [("x", 5), ("y", 3)]
        scope.outputs = [("y", 3)]
        scope.integers = [("n", 5)]
        if self.chance(0.3):
            scope.outputs.append(("x", 5))
            self.globals.insert(0, WRITES_X)
        self.depth = 0
        self.budget = self.random.choice([4, 6, 8, 12])
        body = []
        while self.budget > 0:
            body.append(self.statement(scope))
        body.append("return s + %s;" % self.bounded(scope, LIMIT))
        text = "\n".join(self.globals + functions)
        return text + "\ndouble f(double *x, double *y, int n, double a) {\ndouble s = 0.1;\n%s\n}\n" % (
            "\n".join(body)
        )


def indent(text):
    """Indents by braces, for the reader."""
    depth = 0
    out = []
    for line in text.split("\n"):
        line = line.strip()
        closes = len(line) - len(line.lstrip("}"))
        out.append("  " * max(depth - closes, 0) + line if line else "")
        depth += line.count("{") - line.count("}")
    return "\n".join(out)


def generate(seed, only=None):
    return indent(Generator(seed, only).program())


# What can stand in front of a name at file scope.
NO_NAMES = set("static const void int long unsigned char short double float signed struct union enum "
               "typedef extern inline volatile NOINLINE COMPLEX WIDE VECTOR size_t uint64_t "
               "int64_t uint32_t uintptr_t __restrict restrict __attribute__ noinline".split())


def file_scope_names(text):
    """What a program defines outside of functions."""
    names, braces, parentheses = set(), 0, 0
    code = re.sub(r"//[^\n]*|^#.*$|'.'", "", text, flags=re.M)
    code = re.sub(r'"[^"\n]*"', "0", code)
    for token in re.finditer(r"\(\*(\w+)|[A-Za-z_]\w*|[{}()=;]", code):
        word = token.group(0)
        if word in "{}":
            braces += 1 if word == "{" else -1
        elif word[0] in "()":
            parentheses += 1 if word[0] == "(" else -1
            if token.group(1) and braces == 0 and parentheses == 1:
                names.add(token.group(1))
        elif braces == 0 and parentheses == 0 and word not in "=;":
            names.add(word)
    return names - NO_NAMES


def renamed(text, suffix):
    """The program with other names at file scope, so that several fit into one file."""
    names = file_scope_names(text)
    return re.sub(r"\b[A-Za-z_]\w*\b",
                  lambda word: word.group(0) + suffix if word.group(0) in names else word.group(0), text)


if __name__ == "__main__":
    print(generate(int(sys.argv[1]), *sys.argv[2:3]), end="")
