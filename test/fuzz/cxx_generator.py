#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random, well-defined C++ programs whose derivative is known.

A program is a function f(x, y, n, a), as those of generator.py are, that calls templates of
cxx_templates.py with `double`; the reference has them with dual numbers. In a template,
  @E   an expression of p, q and a constant        @K   a constant
  @I   an integer from 0 to 4                      @J   an integer from 2 to 4
  @C   an `if` that n decides                      @R   an order of the records l and r
  @P @O   unique_ptr or shared_ptr, and what follows make_ for it: the same in all of a template
  @Q   a sequence                                  @M @Y   a type of keys, and the key of an integer
  $name   a fresh name
"""
import random
import re
import sys

import cxx_templates

PER_TEMPLATE = {
    "P": [{"P": "unique_ptr", "O": "unique"}, {"P": "shared_ptr", "O": "shared"}],
    "M": [{"M": "int", "Y": "int"}, {"M": "std::string", "Y": "std::to_string"}],
    "Q": [{"Q": "std::vector"}, {"Q": "std::list"}, {"Q": "std::deque"}],
}
ORDERS = ["l.key < r.key", "l.value > r.value",
          "l.number % 2 != r.number % 2 ? l.number % 2 < r.number % 2 : l.key > r.key"]
UNARY = ["sin(%s)", "cos(%s)", "tanh(%s)", "sqrt(1.5 + sin(%s))", "exp(sin(%s))", "atan(%s)"]


class Generator:
    """One program."""

    def __init__(self, seed):
        self.random = random.Random("c++ %d" % seed)
        self.count = 0

    def constant(self):
        return "%.3f" % self.random.uniform(0.2, 1.5)

    def expression(self, depth):
        kind = self.random.random()
        if depth == 0 or kind < 0.15:
            return self.random.choice(["p", "p", "q", "q", self.constant() + " * p"])
        if kind < 0.5:
            return self.random.choice(UNARY) % self.expression(depth - 1)
        return "(%s %s %s)" % (self.expression(depth - 1), self.random.choice("+-*"),
                               self.expression(depth - 1))

    def hole(self, kind):
        if kind == "E":
            return self.expression(3)
        if kind == "K":
            return self.constant()
        if kind == "R":
            return self.random.choice(ORDERS)
        if kind == "C":
            return "if (n %% %d == %d)" % (self.random.randint(2, 3), self.random.randint(0, 1))
        return str(self.random.randint(*{"I": (0, 4), "J": (2, 4)}[kind]))

    def expand(self, text):
        """(name of the function, text of the template)"""
        self.count += 1
        words = {}
        for choices in PER_TEMPLATE.values():
            words.update(self.random.choice(choices))
        text = re.sub(r"\$(\w+)", lambda match: "%s%d" % (match.group(1), self.count), text)
        text = re.sub(r"@([A-Z])", lambda match: words.get(match.group(1)) or self.hole(match.group(1)),
                      text)
        return "f%d" % self.count, text

    def program(self):
        names = self.random.choices(sorted(cxx_templates.FEATURES), k=self.random.randint(1, 4))
        parts, body = [], []
        for name in names:
            function, text = self.expand(cxx_templates.FEATURES[name])
            parts.append(text)
            call = "%s<T>(v, %s, s)" % (function, self.random.choice(["n", "n", "%d" % self.random.randint(0, 5)]))
            body.append(self.random.choice([
                "  s = %s;", "  s += 0.5 * %s;", "  for (int i = 0; i < 2; i++) v[i] = s = %s;",
                "  y[%d] += %%s;" % self.random.randint(0, 2), "  v.push_back(%s);"]) % call)
        parts.append("template <class T> T whole(T *x, T *y, int n, T a) {\n"
                     "  std::vector<T> v(x, x + n);\n  v.push_back(a);\n  v.push_back(y[0]);\n  T s = a;")
        parts += body + ["  y[1] = sin(y[1] + s * v.back());",
                         "  return std::accumulate(v.begin(), v.end(), s);\n}"]
        return "\n".join(parts)


def generate(seed):
    return ("namespace program {\n%s\n}\n__attribute__((noinline)) double f(double *x, double *y, int n, double a) {\n"
            "  return program::whole<double>(x, y, n, a);\n}\n" % Generator(seed).program())


def renamed(text, suffix):
    """The same program beside others: `f` and its namespace have this suffix."""
    return re.sub(r"\b(program|f)\b(?=::| \{|\()", r"\g<1>" + suffix, text)


if __name__ == "__main__":
    print(generate(int(sys.argv[1])), end="")
