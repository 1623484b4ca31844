#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program of fuzz.py smaller while it fails in the same way.

Lines, blocks and parts of expressions are left out. A smaller program counts when its
reference is sound under the sanitizers and the failure has the same kind (what its
message starts with).

  reduce.py --plugin build/lib/Isozyme.so --build O2,cache, --ways 0,1,0,0,0,0,0 bad/17.c -o small.c
"""
import argparse
import re
import sys
import tempfile
import time

import fuzz


class Reducer:
    """Smaller and smaller forms of one program."""

    def __init__(self, fuzzer, item, build, end):
        self.fuzzer = fuzzer
        self.item = item
        self.build = build
        self.end = end
        self.kind = None
        self.seen = {}

    def failure(self, text, ways=None):
        """The kind of failure of this program, or None."""
        item = self.item._replace(text=text, ways=ways or self.item.ways)
        result, why = self.fuzzer.check([item], self.build)[item.seed]
        return re.split("[,(;]", why)[0][:60] if result in ("failure", "declined") else None

    def fails(self, text):
        if text not in self.seen:
            if time.time() > self.end:
                return False
            self.seen[text] = self.failure(text) == self.kind and self.fuzzer.is_defined(
                self.item._replace(text=text))
        return self.seen[text]

    def one_way(self):
        """Keeps one of several calls, if that one fails alone."""
        for way in self.item.ways:
            if len(self.item.ways) > 1 and self.failure(self.item.text, [way]) == self.kind:
                self.item = self.item._replace(ways=[way])

    def without_lines(self, text):
        """Leaves out runs of lines, long ones first, then the braces around blocks."""
        lines = text.split("\n")
        size = max(len(lines) // 2, 1)
        while size:
            first = 0
            while first < len(lines):
                fewer = lines[:first] + lines[first + size :]
                if self.fails("\n".join(fewer)):
                    lines = fewer
                else:
                    first += size
            size //= 2
        first = 0
        while first < len(lines):
            last = block_end(lines, first)
            for fewer in (
                lines[:first] + lines[last + 1 :],
                lines[:first] + lines[first + 1 : last] + lines[last + 1 :],
            ):
                if last > first and self.fails("\n".join(fewer)):
                    lines = fewer
                    break
            else:
                first += 1
        return "\n".join(lines)

    def with_smaller_expressions(self, text):
        """Puts something simpler in the place of expressions, long ones first."""
        for begin, end in sorted(parentheses(text), key=lambda pair: pair[0] - pair[1]):
            start = begin - len(re.search(r"\w*$", text[:begin]).group(0))
            if text[start:begin] in ("for", "if", "while", "switch", "sizeof", "__attribute__"):
                continue
            inner = text[begin + 1 : end]
            for simpler in ("1.0", "s", "x[0]", "a", "(%s)" % inner, inner):
                shorter = text[:start] + simpler + text[end + 1 :]
                if len(shorter) < len(text) and self.fails(shorter):
                    return shorter
        for part in re.finditer(r"(?<== )[^;{}=]+(?=;)| [-+*/] [\w.\[\]]+", text):
            for simpler in ("1.0", "s", "x[0]", ""):
                shorter = text[: part.start()] + simpler + text[part.end() :]
                if len(shorter) < len(text) and self.fails(shorter):
                    return shorter
        return text

    def reduce(self, text):
        self.kind = self.failure(text)
        if not self.kind:
            return None
        self.one_way()
        before = None
        while before != text and time.time() < self.end:
            before = text
            text = self.with_smaller_expressions(self.without_lines(text))
        return "\n".join(line for line in text.split("\n") if line.strip()) + "\n"


def block_end(lines, first):
    """The last line of the block that starts here; first itself if none does."""
    depth = 0
    for place in range(first, len(lines)):
        depth += lines[place].count("{") - lines[place].count("}")
        if depth <= 0:
            return place
    return first


def parentheses(text):
    """(begin, end) of every pair."""
    opened, pairs = [], []
    for place, char in enumerate(text):
        if char == "(":
            opened.append(place)
        elif char == ")" and opened:
            pairs.append((opened.pop(), place))
    return pairs


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--ways", action="append", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--flag", action="append", default=[], help="passed on to clang")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    with open(options.program) as file:
        item = fuzz.Item(0, file.read(), [fuzz.Way.parse(way) for way in options.ways])
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = fuzz.Fuzzer(options.plugin, options.clang, folder, options.flag, strict=True,
                             language=fuzz.CXX if options.program.endswith(".cpp") else fuzz.C)
        reducer = Reducer(fuzzer, item, fuzz.Build.parse(options.build),
                          time.time() + 60 * options.minutes)
        small = reducer.reduce(item.text)
    if small is None:
        print("%s does not fail" % options.program)
        return 1
    with open(options.output, "w") as file:
        file.write(small)
    print(small, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
