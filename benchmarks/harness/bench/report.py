# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of what was measured, for people and for programs."""
import json
import math
import platform
import re
from pathlib import Path

from .measure import AGREEMENT
from .options import fail
from .tools import NOT_WRITTEN

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
TITLES = {"hand": "by hand", "differences": "differences"}
GRADIENT = "Gradient in times of the function; the function in milliseconds."
MEMORY = ("MiB that one call takes at most, in a process that has made none before. In brackets: how many\n"
          "pages the sixth call gets from the system, where it gets any.")


def figure(value, digits=2):
    """Two digits that count; more before the point where there are more."""
    if value is None:
        return ""
    if value >= 10:
        return f"{value:.0f}"
    return f"{value:.{digits - 1}f}" if value >= 1 else f"{value:.{digits}g}"


def mean(values):
    """Geometric."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


class Report:
    def __init__(self, rows, names, notes, options):
        self.rows, self.names, self.notes, self.options = rows, names, notes, options

    def label(self, row):
        return f"{row.program} {row.size}" + (f" {row.level}" if len(self.options.level) > 1 else "")

    def cell(self, row, name, key):
        column = row.columns.get(name, {})
        if column.get("error", 0) > AGREEMENT:
            return "wrong"
        if column.get("missing") == NOT_WRITTEN:
            return ""
        return "failed" if "missing" in column else figure(column.get(key))

    def ratio_table(self):
        lines = [["", "function"] + [TITLES.get(name, name) for name in self.names]]
        for row in self.rows:
            lines.append([self.label(row), figure(row.primal_ms, 3)] +
                         [self.cell(row, name, "ratio") for name in self.names])
        lines.append(["*geometric mean*", ""] + [figure(mean(self.ratios(name))) for name in self.names])
        return lines

    def memory_table(self):
        lines = [["", "function"] + [TITLES.get(name, name) for name in self.memory_names()]]
        for row in self.rows:
            cells = [self.cell(row, name, "mib") + self.faults(row.columns.get(name, {}).get("faults"))
                     for name in self.memory_names()]
            lines.append([self.label(row), figure(row.primal_mib) + self.faults(row.primal_faults)] + cells)
        return lines

    def memory_names(self):
        """Those whose memory is measured at all."""
        return [name for name in self.names
                if name != "differences" and any(row.columns.get(name, {}).get("mib") is not None for row in self.rows)]

    @staticmethod
    def faults(count):
        return f" ({count:.0f})" if count else ""

    def ratios(self, name):
        return [row.columns[name]["ratio"] for row in self.rows if "ratio" in row.columns.get(name, {})]

    def against(self, name, other):
        """The geometric mean of how much longer `name` takes than `other`, where both were measured."""
        pairs = [(row.columns.get(name, {}).get("ratio"), row.columns.get(other, {}).get("ratio")) for row in self.rows]
        return mean([a / b for a, b in pairs if a and b])

    def sentences(self):
        """Isozyme beside each of the others, where both have a gradient."""
        base = self.names[0]
        for other in self.names[1:]:
            factor = self.against(other, base)
            if factor is not None:
                yield (f"{TITLES.get(other, other)}: {figure(factor)} times the time of {base} "
                       "(geometric mean where both have a gradient)")

    def machine(self):
        model = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
        flags = " ".join(self.options.level + self.options.flag)
        return (f"{model.group(1) if model else platform.machine()}; {flags}; "
                f"{self.options.repetitions} rounds of {self.options.seconds:g} s")

    def tables(self):
        yield GRADIENT, self.ratio_table()
        yield MEMORY, self.memory_table()

    def markdown(self):
        out = []
        for title, lines in self.tables():
            out += [title, "", "| " + " | ".join(lines[0]) + " |", "|" + "---|" * len(lines[0])]
            out += ["| " + " | ".join(line) + " |" for line in lines[1:]] + [""]
        out += [f"* {sentence}" for sentence in self.sentences()]
        return "\n".join(out + [f"* {note}" for note in self.notes] + [f"* {self.machine()}"]) + "\n"

    def text(self):
        out = []
        for title, lines in self.tables():
            widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
            out.append(title)
            for line in lines:
                out.append("  ".join([line[0].ljust(widths[0])] + [v.rjust(w) for v, w in zip(line[1:], widths[1:])]))
            out.append("")
        return "\n".join(out + list(self.sentences()) + self.notes + [self.machine()])

    def json(self):
        rows = [{"program": r.program, "size": r.size, "level": r.level, "primal_ms": r.primal_ms,
                 "primal_mib": r.primal_mib, "primal_faults": r.primal_faults,
                 "gradients": r.columns} for r in self.rows]
        means = {name: mean(self.ratios(name)) for name in self.names}
        return json.dumps({"machine": self.machine(), "geometric_means": means, "notes": self.notes, "rows": rows},
                          indent=1) + "\n"


def page_around(path, marks=(BEGIN, END)):
    """What stands before and after the tables of a page."""
    begin, end = marks
    page = Path(path).read_text() if Path(path).exists() else f"{begin}\n{end}\n"
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        fail(f"'{path}' has no place for tables: a line '{begin}' and then a line '{end}'")
    before, rest = page.split(begin)
    return before, rest.split(end)[1]


def write_markdown(path, tables, marks=(BEGIN, END)):
    """Between the marks of a page that has them; else the page is the tables."""
    before, after = page_around(path, marks)
    Path(path).write_text(f"{before}{marks[0]}\n{tables}{marks[1]}{after}")
