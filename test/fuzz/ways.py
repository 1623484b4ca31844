# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How random programs are differentiated and compiled, decided by their seeds."""
import collections
import random

import generator

# Programs with seeds from n * BATCH on are compiled together, in the same way.
BATCH = 25
MODES = ["reverse", "split", "forward", "forward over reverse", "forward from a tape",
         "reverse over forward"]


class Way(collections.namedtuple("Way", "mode width x a y value tapes")):
    """One call: what the members mean is said in Inputs/derivatives.inc."""

    def text(self):
        return ",".join(str(part) for part in self)

    @staticmethod
    def parse(text):
        return Way(*(int(part) for part in text.split(",")))


class Build(collections.namedtuple("Build", "level keep flags")):
    """Optimisation level, -isozyme-keep, and letters: g debug information, a no strict
    aliasing, z without strong zeros, i nothing is inlined, c as C++, m no builtin knowledge
    of the errors of mathematical functions, f code is made without further optimisation, s all
    loops have a forward sweep, o shadows may overlap other memory, n Isozyme inlines nothing, u
    stores are undone wherever they can be, v nowhere, e each derivative has one version, h
    loops are reversed for all iterations."""

    def text(self):
        return ",".join(self)

    @property
    def cxx(self):
        return "c" in self.flags

    @staticmethod
    def parse(text):
        level, keep, *flags = text.split(",")
        return Build(level, keep, "".join(flags))


def build(seed):
    """Of the batch that the program of this seed is in."""
    draw = random.Random("build %d" % (seed // BATCH))
    level = draw.choice(["O0", "O1", "O2", "O2", "O3", "Os"])
    keep = draw.choice(["plan", "plan", "cache", "recompute"])
    flags = [letter for letter, odds in (("g", 0.2), ("a", 0.2), ("z", 0.1), ("i", 0.1),
                                         ("c", 0.15), ("m", 0.15), ("f", 0.75), ("s", 0.25),
                                         ("o", 0.1), ("n", 0.25), ("k", 0.25),
                                         ("u", 0.35), ("v", 0.1), ("e", 0.2), ("h", 0.25))
             if draw.random() < odds]
    return Build(level, keep, "".join(flags))


def plugin_options(chosen):
    return ["-isozyme-keep=" + chosen.keep] + (
        ["-isozyme-strong-zero=0"] if "z" in chosen.flags else []) + (
        ["-isozyme-fuse=0"] if "s" in chosen.flags else []) + (
        ["-isozyme-apart=0"] if "o" in chosen.flags else []) + (
        ["-isozyme-inline=0"] if "n" in chosen.flags else []) + (
        ["-isozyme-skip-zeros=0"] if "k" in chosen.flags else []) + (
        ["-isozyme-chosen=0"] if "h" in chosen.flags else []) + (
        ["-isozyme-undo=always"] if "u" in chosen.flags else
        ["-isozyme-undo=never"] if "v" in chosen.flags else []) + (
        ["-isozyme-versions=0"] if "e" in chosen.flags else [])


def compiler_options(chosen):
    words = {"g": "-g", "a": "-fno-strict-aliasing", "i": "-fno-inline", "m": "-fno-math-errno"}
    return [words[letter] for letter in chosen.flags if letter in words]


def by_bitcode(chosen):
    """Whether code is made from the optimised bitcode without further optimisation, which
    takes much less time."""
    return "f" in chosen.flags


def ways(seed, text):
    """The calls by which the program of this seed is differentiated: one, at times two."""
    draw = random.Random("ways %d" % seed)
    chosen = [one_way(draw, text)]
    if draw.random() < 0.2:
        other = one_way(draw, text)
        # A file that asks for forward mode from a tape has no tapes for the reverse.
        if {chosen[0].mode, other.mode} != {1, 4}:
            chosen.append(other)
    return chosen


def one_way(draw, text):
    mode = draw.choice([0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5])
    width = draw.choice([1, 1, 1, 1, 2, 3, 4, 8])
    tapes = draw.choice([0, 1, 2]) if mode in (1, 4) else 0
    if mode in (3, 5):
        return Way(mode, 1 if mode == 5 else width, 0, 0, 0, 0, 0)
    # x can be constant, or its own shadow, only where nothing is written to it.
    x = 0 if generator.WRITES_X in text else draw.choice([0, 0, 0, 0, 1, 2])
    a = draw.choice([0, 0, 0, 1])
    y = draw.choice([0, 0, 0, 1]) if mode in (0, 2) else 0
    value = draw.choice([0, 0, 1]) if mode in (0, 2) else 0
    return Way(mode, width, x, a, y, value, tapes)
