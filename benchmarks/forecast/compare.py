#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what plans forecast with what was measured, over the programs of the suite.

    compare.py [--plugin build/lib/Isozyme.so] [--measured docs/performance.md] [--list] [PROGRAM ...]

The forecast of a plan (print<isozyme-plan>) is that of the bytes of tape and of the work of both sweeps, in times of
the function's. How often loops run comes from a profile of the function. Measured are the ratio of times and the
memory in the tables that tools/bench has written into a page. Spearman's rank correlation says how well the forecast
orders programs; it is 1 where the order is the same. Of memory, what one call of the function takes is left out.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "harness"))
sys.dont_write_bytecode = True
from bench.options import ROOT, SUITE, programs  # noqa: E402
from bench.report import BEGIN, END  # noqa: E402
from bench.tools import STANDARD  # noqa: E402

FORECAST = re.compile(r"^  forecast  (\d+) bytes of tape; work (\d+) forward \+ (\d+) reverse, of the function (\d+)")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="default: all")
    parser.add_argument("--plugin", default=str(ROOT / "build/lib/Isozyme.so"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--profdata", default="llvm-profdata-22")
    parser.add_argument("--measured", metavar="PAGE", default=str(ROOT / "docs/performance.md"))
    parser.add_argument("--jobs", type=int, default=2, help="programs compiled at once (default: 2)")
    parser.add_argument("--list", action="store_true", help="prints forecast and measurement of each program")
    return parser.parse_args()


def measured(page):
    """By program and size: the ratio of times, and MiB beyond those of the function."""
    rows = re.findall(r"^\| (\w+) (\S+) \| ([^|]*) \| ([^|]*) \|", page.split(BEGIN)[1].split(END)[0], re.MULTILINE)
    found = {}
    for program, size, first, second in rows:
        first, second = (float(cell.split()[0]) for cell in (first, second))
        # The first table has milliseconds and ratios, the second one MiB of function and gradient.
        found.setdefault((program, size), []).append((first, second))
    return {key: (tables[0][1], tables[1][1] - tables[1][0]) for key, tables in found.items() if len(tables) == 2}


def sizes_of(program):
    """Names, in the order of the program's list."""
    text = (SUITE / program / f"{program}.cpp").read_text()
    return re.findall(r'\{"([^"]+)"', text.split("Sizes[] =")[1].split(";")[0])


def without_summary(text):
    """Only weights of branches stay of a profile: by the rest the optimiser would make another program."""
    text = re.sub(r"^(define .*?) !prof !\d+", r"\1", text, flags=re.MULTILINE)
    summary = re.search(r'^(!\d+) = !\{i32 \d+, !"ProfileSummary", !\d+\}$', text, re.MULTILINE).group(1)
    flags = re.search(r"^!llvm.module.flags = .*$", text, re.MULTILINE).group(0)
    kept = [flag for flag in re.findall(r"!\d+", flags) if flag != summary]
    return text.replace(flags, f"!llvm.module.flags = !{{{', '.join(kept)}}}")


def forecasts(program, figures, options, folder):
    """By size: bytes, and work in times of the function's, of the plan that does most."""
    found = {}
    run, raw, data, ir, out = (str(folder / f"{program}.{name}") for name in ("run", "raw", "data", "ll", "bc"))
    common = [options.clang, *STANDARD, "-DBENCH_COMPILE", str(SUITE / program / f"{program}.cpp")]
    subprocess.run([*common, "-O1", "-fprofile-instr-generate", "-o", run], check=True)
    for number, size in enumerate(sizes_of(program)):
        if (program, size) not in figures:
            continue
        subprocess.run([run] + ["size"] * number, check=True, env={**os.environ, "LLVM_PROFILE_FILE": raw})
        subprocess.run([options.profdata, "merge", raw, "-o", data], check=True)
        subprocess.run([*common, "-O2", "-DBENCH_PLUGIN", f"-fprofile-instr-use={data}", "-Xclang",
                        "-disable-llvm-passes", "-S", "-emit-llvm", "-o", ir], check=True)
        Path(ir).write_text(without_summary(Path(ir).read_text()))
        printed = subprocess.run([options.clang, "-O2", "-c", "-emit-llvm", ir, "-o", out, "-mllvm",
                                  "-isozyme-print-after=plan", f"-fpass-plugin={options.plugin}"],
                                 check=True, stderr=subprocess.PIPE, text=True).stderr
        matches = filter(None, map(FORECAST.match, printed.splitlines()))
        plans = [tuple(map(int, match.groups())) for match in matches]
        if plans:  # Forward mode has none.
            tape, forward, back, primal = max(plans, key=lambda plan: plan[3])
            found[size] = (tape, (forward + back) / max(primal, 1))
    return found


def ranks(values):
    """The mean of their places for those that are equal."""
    places = sorted(values)
    return [places.index(v) + (places.count(v) - 1) / 2 for v in values]


def spearman(first, second):
    a, b = ranks(first), ranks(second)
    middle = (len(a) - 1) / 2
    squares = [sum((x - middle) ** 2 for x in each) for each in (a, b)]
    if not all(squares):
        return float("nan")  # All are equal.
    return sum((x - middle) * (y - middle) for x, y in zip(a, b)) / (squares[0] * squares[1]) ** 0.5


def main():
    options = arguments()
    figures = measured(Path(options.measured).read_text())
    names = options.programs or programs()
    with tempfile.TemporaryDirectory(prefix="forecast-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda name: forecasts(name, figures, options, Path(folder)), names))
    rows = []
    for program, sizes in zip(names, found):
        for size, (tape, work) in sizes.items():
            ratio, mib = figures[program, size]
            rows.append((tape, mib, work, ratio))
            if options.list:
                print(f"{program} {size}: {tape / 2 ** 20:.3f} MiB of tape forecast, {mib:.2f} measured; "
                      f"work {work:.2f} times, time {ratio}")
    tape, mib, work, ratio = zip(*rows)
    print(f"{len(rows)} programs and sizes: rank correlation of bytes {spearman(tape, mib):.2f}, "
          f"of work {spearman(work, ratio):.2f}")


if __name__ == "__main__":
    main()
