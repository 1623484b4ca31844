# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the command line to the tables."""
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from . import plot
from .measure import Row, measure
from .options import APART, ROOT, SUITE, fail, read
from .report import TITLES, Report, page_around, write_markdown
from .tools import NOT_WRITTEN, STANDARD, Missing, all_tools, build_all, run


def sizes_of(program, tool, options, folder):
    command = tool.command(program, options.level[0], options, folder)
    return subprocess.run(command + ["--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def rows_of(program, size, tool, options, folder):
    known = sizes_of(program, tool, options, folder)
    if size is None:
        small = [known[0]] + [name for name in known[1:] if program == "matmul" and name.endswith("-6")]
        wanted = small if options.quick or options.check else [name for name in known if name not in small]
    elif size in known:
        wanted = [size]
    else:
        fail(f"{program} has no size '{size}'; its sizes are {', '.join(known)}")
    return [Row(program, name, level) for level in options.level for name in wanted]


def run_apart(program, options, folder):
    """A program that prints a table of its own."""
    out = folder / program
    plugin = options.plugins[0]
    run([plugin.clang, *STANDARD, options.level[0], *options.flag, f"{plugin.load}={plugin.path}",
         f"-I{ROOT / 'include'}", str(SUITE / program / f"{program}.cpp"), "-o", str(out)])
    return subprocess.run([str(out)]).returncode


def show_list(options, tool, folder):
    for program, _ in options.programs:
        print(program, *([] if program in APART else sizes_of(program, tool, options, folder)))


def progress(row):
    """A line to standard error while measurements go on; of a check, to standard output."""
    found = []
    for name, column in row.columns.items():
        if "missing" in column:
            if column["missing"] != NOT_WRITTEN:
                found.append(f"{name}: {column['missing']}")
        elif "ratio" in column:
            found.append(f"{name} {column['ratio']:.3g}")
        elif name != "hand":
            found.append(f"{name} {column['error']:.0e} from the one by hand")
    if row.by_hand:
        print(f"{row.by_hand}; " + ", ".join(found), flush=True)
    else:
        print(f"{row.program} {row.size} {row.level}: " + ", ".join(found), file=sys.stderr, flush=True)


def bench(options, folder):
    tools, notes = all_tools(options)
    if options.list:
        show_list(options, tools[0], folder)
        return 0
    build_all(tools, options, folder)
    rows, status = [], 0
    for program, size in options.programs:
        if program in APART:
            status |= run_apart(program, options, folder)
            continue
        try:
            program_rows = rows_of(program, size, tools[0], options, folder)
        except Missing as why:
            print(f"{program}: {tools[0].name} makes no program of it: {why}", file=sys.stderr)
            status = 1
            continue
        for row in program_rows:
            try:
                measure(row, tools, options, folder)
            except KeyboardInterrupt:
                print("interrupted: what follows are the programs before", file=sys.stderr)
                return finish(rows, tools, notes, options, 130)
            progress(row)
            status |= tools[0].name in row.wrong or "missing" in row.columns[tools[0].name]
            rows.append(row)
    return finish(rows, tools, notes, options, int(status))


def finish(rows, tools, notes, options, status):
    if rows and not options.check:
        names = [tool.name for tool in tools] + [way for way in ("hand", "differences") if way in options.peers]
        publish(Report(rows, names, notes, options), options)
    return status


def publish(report, options):
    print(report.text())
    if options.markdown:
        write_markdown(options.markdown, report.markdown())
    if options.json:
        Path(options.json).write_text(report.json())
    if options.plot:
        Path(options.plot).write_text(plot.picture(report, TITLES))


def main(text):
    options = read(text, sys.argv[1:])
    if options.markdown:
        page_around(options.markdown)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        try:
            return bench(options, Path(folder))
        except FileNotFoundError as missing:
            fail(f"'{missing.filename}' cannot be found")
        except KeyboardInterrupt:
            return 130
