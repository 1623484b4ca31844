#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how long the programs of the suite take to compile with their gradients, in times of the function alone.

    suite.py [--plugin build/lib/Isozyme.so] [--markdown docs/performance.md] [PROGRAM ...]

A program is compiled without the harness that measures: the function with a call of it, and the same with a call of
its gradient. Two ratios: of the whole compilation, headers of the standard library included, and of what comes after
the front end, from unoptimised IR to the object file. Processor time; compilations take turns, of each the least
counts.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "harness"))
sys.dont_write_bytecode = True
from bench.options import ROOT, SUITE, programs  # noqa: E402
from bench.report import figure, write_markdown  # noqa: E402
from bench.tools import STANDARD  # noqa: E402

MARKS = ("<!-- compile time: begin -->", "<!-- compile time: end -->")
BAR = 4
TITLES = {"whole": "the whole compilation", "back": "from IR to the object file"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="default: all")
    parser.add_argument("--plugin", default=str(ROOT / "build/lib/Isozyme.so"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--rounds", type=int, default=5, help="compilations of each kind (default: 5)")
    parser.add_argument("--markdown", metavar="FILE", help="writes the table between the marks of a page")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    unknown = set(options.programs) - set(programs())
    if unknown:
        parser.error(f"there is no program '{min(unknown)}'")
    options.programs = options.programs or programs()
    return options


def seconds(command):
    """Of processor time."""
    child = subprocess.Popen(command)
    _, status, spent = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"suite: failed: {' '.join(command)}")
    return spent.ru_utime + spent.ru_stime


class Program:
    def __init__(self, name, options, folder):
        self.name = name
        self.least = {}
        source = str(SUITE / name / f"{name}.cpp")
        out = str(folder / "out.o")
        self.commands = {}
        for kind, flags, plugin in (("function", [], []),
                                    ("gradient", ["-DBENCH_PLUGIN"], [f"-fpass-plugin={options.plugin}"])):
            front = [options.clang, *STANDARD, options.level, "-DBENCH_COMPILE", *flags, "-c", source]
            ir = str(folder / f"{name}-{kind}.bc")
            subprocess.run([*front, "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-o", ir], check=True)
            self.commands["whole", kind] = [*front, *plugin, "-o", out]
            self.commands["back", kind] = [options.clang, options.level, *plugin, "-c", ir, "-o", out]

    def measure(self):
        for key, command in self.commands.items():
            self.least[key] = min(seconds(command), self.least.get(key, float("inf")))

    def ratio(self, way):
        return self.least[way, "gradient"] / self.least[way, "function"]


def table(found):
    kinds = ("function", "with gradient", "ratio")
    lines = [["", *kinds, *(f"{kind} from IR" for kind in kinds)]]
    for program in found:
        cells = [program.name]
        for way in TITLES:
            cells += [f"{program.least[way, kind]:.2f}" for kind in ("function", "gradient")]
            cells.append(figure(program.ratio(way)))
        lines.append(cells)
    return lines


def sentences(found):
    for way in TITLES:
        ratios = [program.ratio(way) for program in found]
        over = sum(ratio > BAR for ratio in ratios)
        yield (f"{TITLES[way]}: {statistics.median(ratios):.2f} times in the median, at most {max(ratios):.2f}; "
               f"{over} of {len(ratios)} programs over {BAR} times")


def markdown(found, options):
    lines = table(found)
    out = ["| " + " | ".join(lines[0]) + " |", "|" + "---|" * len(lines[0])]
    out += ["| " + " | ".join(line) + " |" for line in lines[1:]]
    notes = [*sentences(found), f"seconds of processor time at {options.level}, the least of {options.rounds}"]
    return "\n".join([*out, "", *(f"* {note}" for note in notes)]) + "\n"


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="suite-") as folder:
        found = [Program(name, options, Path(folder)) for name in options.programs]
        for _ in range(options.rounds):
            for program in found:
                program.measure()
    lines = table(found)
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  ".join([line[0].ljust(widths[0]), *(text.rjust(w) for text, w in zip(line[1:], widths[1:]))]))
    print("\n".join(sentences(found)))
    if options.markdown:
        write_markdown(options.markdown, markdown(found, options), MARKS)
    if options.json:
        Path(options.json).write_text(json.dumps(
            {p.name: {way: {"ratio": p.ratio(way), **{k: p.least[way, k] for k in ("function", "gradient")}}
                      for way in TITLES} for p in found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
