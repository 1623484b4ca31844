#!/usr/bin/env python3
"""Measures how long programs of growing size take to compile, with and without the
gradient, and how much of it is spent in Isozyme's own stages.

    measure.py --plugin build/lib/Isozyme.so [--curve curve.svg] [SHAPE ...]
    measure.py --plugin build/lib/Isozyme.so --files test/EndToEnd/programs/*.c

Prints one row per program: seconds of processor time for the primal alone, for the
primal with its gradient, for Isozyme (all stages, without the LLVM passes run on
their behalf), the largest stages, and the growth: by how much Isozyme's time per
unit of size has changed since the row above. 1 is linear. With --files, a row per
program that there is: the analyses of types and activity beside LLVM's own passes.
"""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate

# What needs functions that may set errno; others are compiled without.
ERRNO = ("fields",)
SIZES = {"nest": [1, 2, 4, 8], "fields": [500, 1000, 2000], "loops": [1000, 4000, 16000], "functions": [500, 1000, 2000]}
STAGES = ["prepare", "types", "activity", "plan", "emit", "cleanup"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--level", default="2", help="of optimisation: 0, 1, 2, 3, s")
    parser.add_argument("--sizes", help="comma separated; default 1000,4000,16000")
    parser.add_argument("--own-only", action="store_true",
                        help="stop after Isozyme: no primal, no code generation")
    parser.add_argument("--repeat", type=int, default=1, help="measure so often, take the best")
    parser.add_argument("--largest-growth", type=float, help="fail when a row grows by more")
    parser.add_argument("--curve", help="write a log-log drawing (SVG)")
    parser.add_argument("--limit", type=float, default=600, help="seconds for one compilation")
    parser.add_argument("--files", nargs="+", default=[], help="programs to compile instead")
    parser.add_argument("--include", action="append", default=[], help="for --files")
    parser.add_argument("shapes", nargs="*", default=[])
    return parser.parse_args()


def used():
    """Processor time, in seconds, of all commands that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def seconds(command, limit):
    """Processor time of a command, and the share of a processor that it had; (None, 1) when over the limit."""
    before, begin = used(), time.monotonic()
    try:
        subprocess.run(command, check=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, 1
    spent = used() - before
    return spent, min(1, spent / (time.monotonic() - begin))


def traced(path):
    """Seconds per stage, without the stages inside it, and for all of Isozyme."""
    with open(path) as f:
        events = [e for e in json.load(f)["traceEvents"]
                  if e.get("ph") == "X" and e["name"].startswith("isozyme")
                  and not e["name"].startswith("isozyme::")]
    own = {}
    events.sort(key=lambda e: (e["ts"], -e["dur"]))
    open_events = []
    for e in events:
        while open_events and open_events[-1]["ts"] + open_events[-1]["dur"] <= e["ts"]:
            open_events.pop()
        name = e["name"].removeprefix("isozyme-")
        own[name] = own.get(name, 0) + e["dur"] / 1e6
        if open_events:
            outer = open_events[-1]["name"].removeprefix("isozyme-")
            own[outer] -= e["dur"] / 1e6
        open_events.append(e)
    return sum(own.values()), {s: own.get(s, 0) for s in STAGES}


def measure(options, shape, size, folder):
    source = os.path.join(folder, f"{shape}-{size}.c")
    with open(source, "w") as f:
        f.write(generate.program(shape, size))
    out = os.path.join(folder, "out.o")
    trace = os.path.join(folder, "trace.json")
    errno = "-fmath-errno" if shape in ERRNO else "-fno-math-errno"
    common = [options.clang, "-O" + options.level, errno, "-c", source, "-o", out]
    gradient = common + ["-fpass-plugin=" + options.plugin]
    # The stages are over when vectorisation and code generation would begin.
    stages = gradient + ["-emit-llvm", "-fno-vectorize", "-fno-slp-vectorize",
                         "-ftime-trace=" + trace, "-ftime-trace-granularity=0"]
    row = {"shape": shape, "size": size, "primal": None}
    if not options.own_only:
        row["primal"], _ = seconds(common + ["-D__enzyme_autodiff=ignore"], options.limit)
        row["total"], _ = seconds(gradient, options.limit)
    row["gradient"], share = seconds(stages, options.limit)
    row["own"], row["stages"] = None, {}
    if row["gradient"] is not None:
        # The trace is of the clock, which also runs while other work has the processor.
        own, parts = traced(trace)
        row["own"], row["stages"] = own * share, {name: t * share for name, t in parts.items()}
    row["gradient"] = row.pop("total", row["gradient"])
    return row


def best(options, shape, size, folder, before, is_last):
    """The best of several measurements: of all that are asked for in the first row; then until the
    growth is as wanted, but of two where the time is a reference for the next row."""
    row = None
    # Noise goes away, a wrong growth stays: other work on the machine must not decide.
    checked = before is not None and options.largest_growth
    for number in range(options.repeat * (6 if checked else 1)):
        new = measure(options, shape, size, folder)
        if row is None or (new["own"] or math.inf) < (row["own"] or math.inf):
            row = new
        grown = growth(row, before)
        if options.largest_growth and grown and grown <= options.largest_growth and (number or is_last):
            break
    return row


def text(value, format_):
    return "-" if value is None else format(value, format_)


def growth(row, before):
    if not before or not row["own"] or not before["own"]:
        return None
    return (row["own"] / before["own"]) / (row["size"] / before["size"])


def drawing(rows, path):
    """Isozyme's time over size, both logarithmic, one line per shape."""
    width, height, left, bottom = 760, 480, 70, 50
    points = [r for r in rows if r["own"]]
    x0, x1 = (f(math.log10(r["size"]) for r in points) for f in (min, max))
    y0 = math.floor(min(math.log10(r["own"]) for r in points))
    y1 = math.ceil(max(math.log10(r["own"]) for r in points))

    def at(size, time):
        x = left + (math.log10(size) - x0) / max(x1 - x0, 1e-9) * (width - left - 140)
        y = height - bottom - (math.log10(time) - y0) / (y1 - y0) * (height - bottom - 20)
        return f"{x:.1f},{y:.1f}"

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>']
    for power in range(y0, y1 + 1):
        x, y = at(10 ** x0, 10 ** power).split(",")
        svg.append(f'<line x1="{x}" y1="{y}" x2="{width - 140}" y2="{y}" stroke="#ddd"/>'
                   f'<text x="8" y="{y}">{10.0 ** power:g} s</text>')
    for size in sorted({r["size"] for r in points}):
        x = at(size, 10 ** y0).split(",")[0]
        svg.append(f'<text x="{x}" y="{height - bottom + 20}" text-anchor="middle">{size}</text>')
    svg.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">size of the program'
               '</text>')
    shapes = list(dict.fromkeys(r["shape"] for r in points))
    for number, shape in enumerate(shapes):
        line = [r for r in points if r["shape"] == shape]
        colour = f"hsl({number * 360 // len(shapes)},70%,40%)"
        path_ = " ".join(at(r["size"], r["own"]) for r in line)
        x, y = at(line[-1]["size"], line[-1]["own"]).split(",")
        svg.append(f'<polyline points="{path_}" fill="none" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{float(x) + 6}" y="{y}" fill="{colour}">{shape}</text>')
    with open(path, "w") as f:
        f.write("\n".join(svg) + "\n</svg>\n")


def measure_files(options):
    """The share of the analyses in compiling programs as they are."""
    print(f"{'types':>8} {'activity':>8} {'isozyme':>8} {'LLVM':>8} {'share':>7}  program")
    sums = [0, 0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        for source in options.files:
            subprocess.run([options.clang, "-O" + options.level, "-c", source, "-o",
                            os.path.join(folder, "out.o"), "-fpass-plugin=" + options.plugin,
                            "-ftime-trace=" + trace, "-ftime-trace-granularity=0"]
                           + ["-I" + path for path in options.include], check=True)
            own, stages = traced(trace)
            with open(trace) as f:
                total = {e["name"]: e["dur"] / 1e6 for e in json.load(f)["traceEvents"]
                         if e["name"] in ("Total Optimizer", "Total CodeGenPasses")}
            row = [stages["types"], stages["activity"], own, sum(total.values()) - own]
            sums = [a + b for a, b in zip(sums, row)]
            print_share(row, os.path.basename(source))
    print_share(sums, "all")


def print_share(row, name):
    share = (row[0] + row[1]) / max(row[3], 1e-9)
    print(" ".join(f"{value:8.3f}" for value in row), f"{100 * share:6.1f}%  {name}", flush=True)


def main():
    options = arguments()
    if options.files:
        return measure_files(options)
    shapes = options.shapes or list(generate.SHAPES)
    print(f"{'shape':10} {'size':>7} {'primal':>8} {'gradient':>8} {'ratio':>6} {'isozyme':>8} "
          f"{'growth':>6}  " + " ".join(f"{s:>8}" for s in STAGES))
    rows, status = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for shape in shapes:
            sizes = SIZES.get(shape, [1000, 4000, 16000])
            if options.sizes:
                sizes = [int(s) for s in options.sizes.split(",")]
            before = None
            for size in sizes:
                row = best(options, shape, size, folder, before, size == sizes[-1])
                ratio = row["primal"] and row["gradient"] and row["gradient"] / row["primal"]
                grown = growth(row, before)
                print(f"{shape:10} {size:7} {text(row['primal'], '8.2f'):>8} "
                      f"{text(row['gradient'], '8.2f'):>8} {text(ratio, '6.1f'):>6} "
                      f"{text(row['own'], '8.3f'):>8} {text(grown, '6.2f'):>6}  "
                      + " ".join(f"{row['stages'].get(s, 0):8.3f}" for s in STAGES), flush=True)
                if options.largest_growth and grown and grown > options.largest_growth:
                    print(f"{shape}: not in proportion to size", file=sys.stderr)
                    status = 1
                rows.append(row)
                before = row
    if options.curve:
        drawing(rows, options.curve)
    return status


if __name__ == "__main__":
    sys.exit(main())
