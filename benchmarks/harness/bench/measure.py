# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures one program at one size with all tools in turn."""
import contextlib
import subprocess

from .tools import NOT_WRITTEN, Missing
from .worker import Stopped, Worker, largest_error

# Relative to the largest number of the gradient.
AGREEMENT = 1e-9
LONGEST_CALLS = 1 << 22
# A call that takes so many times what a measurement is to take is measured in few rounds.
SLOW, SLOW_ROUNDS = 5, 2


class Series:
    """A column of one row: a worker, what it is asked to compute, and the least time so far."""

    def __init__(self, name, worker, way):
        self.name, self.worker, self.way = name, worker, way
        self.least, self.calls, self.slow = None, 1, False

    def calibrate(self, seconds):
        """Finds out how many calls take about so long; one that takes much longer is slow."""
        while self.calls < LONGEST_CALLS:
            one = self.worker.seconds(self.way, self.calls)
            if one is None or one * self.calls >= seconds / 2:
                self.slow = self.calls == 1 and one is not None and one > SLOW * seconds
                break
            self.calls *= 2

    def measure(self):
        seconds = self.worker.seconds(self.way, self.calls)
        # Clocks of virtual machines stand still at times.
        while seconds is not None and seconds <= 0 and self.calls < LONGEST_CALLS:
            self.calls *= 2
            seconds = self.worker.seconds(self.way, self.calls)
        if seconds is not None and seconds > 0:
            self.least = seconds if self.least is None else min(self.least, seconds)


class Row:
    """A program at one size and level. columns: name -> {ms, ratio, mib, faults, error} or {missing: why}."""

    def __init__(self, program, size, level):
        self.program, self.size, self.level = program, size, level
        self.primal_ms = self.primal_mib = self.primal_faults = None
        self.columns, self.by_hand = {}, ""

    def leave_out(self, name, why):
        self.columns[name] = {"missing": str(why)}

    @property
    def wrong(self):
        return [name for name, c in self.columns.items() if c.get("error", 0) > AGREEMENT]


def start(row, tools, options, folder, stack):
    """The workers of the tools that have this program, by name."""
    workers = {}
    for tool in tools:
        try:
            command = tool.command(row.program, row.level, options, folder)
            workers[tool.name] = stack.enter_context(Worker(command, row.size, options.core, options.limit, folder))
        except Missing as why:
            row.leave_out(tool.name, why)
    return workers


def compare(row, workers, base, options, folder):
    """Takes memory before anything else grows the process, then compares each gradient with the one by hand."""
    ways = {name: (worker, "tool") for name, worker in workers.items()}
    for way in ("hand", "differences"):
        if way in options.peers:
            ways[way] = (base, way)
    path = folder / "gradient"
    row.primal_mib = base.number("memory", "primal")
    mib = {}
    for name, (worker, way) in list(ways.items()):
        try:
            mib[name] = worker.number("memory", way)
        except Stopped as why:
            row.leave_out(name, why)
            del ways[name]
    by_hand = base.result("hand", path)
    for name, (worker, way) in list(ways.items()):
        try:
            if worker is not base:
                # An allocator gives less back to the system when it has seen large blocks. The first process runs
                # the function and the gradient by hand, too; so do the others, before they are compared.
                worker.seconds("primal", 1)
                worker.result("hand", path)
            # Gradients by differences are compared within the program, for it moves few of the variables.
            found = by_hand if way == "differences" else worker.result(way, path)
            if found is None:
                raise Missing(NOT_WRITTEN)
            error = largest_error(found, by_hand)
            row.columns[name] = {"mib": mib[name], "error": error}
            if error > AGREEMENT:
                del ways[name]
        except (Missing, Stopped) as why:
            row.leave_out(name, why)
            del ways[name]
    return ways


def measure(row, tools, options, folder):
    with contextlib.ExitStack() as stack:
        workers = start(row, tools, options, folder, stack)
        base = workers.get(tools[0].name)
        if base is None:
            return
        try:
            ways = compare(row, workers, base, options, folder)
            if options.check:
                check_by_hand(row, tools[0], options, folder)
            else:
                take_turns(row, ways, base, options)
        except Stopped as why:
            row.leave_out(tools[0].name, why)


def check_by_hand(row, tool, options, folder):
    """The program itself compares the gradient by hand with differences of the function."""
    command = tool.command(row.program, row.level, options, folder) + ["--check", row.size]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    row.by_hand = done.stdout.strip() or f"ended with {done.returncode}"
    if done.returncode != 0:
        row.columns[tool.name]["error"] = float("inf")


def take_turns(row, ways, base, options):
    primal = Series("primal", base, "primal")
    series = [primal] + [Series(name, worker, way) for name, (worker, way) in ways.items()]
    for one in list(series):
        try:
            one.calibrate(options.seconds)
            if one.way != "differences" and not one.slow:
                faults = one.worker.number("faults", one.way)
                if one is primal:
                    row.primal_faults = faults
                else:
                    row.columns[one.name]["faults"] = faults
        except Stopped as why:
            row.leave_out(one.name, why)
            series.remove(one)
    for turn in range(options.repetitions):
        for one in series:
            if not one.slow or turn < SLOW_ROUNDS:
                one.measure()
    if primal.least is not None:
        row.primal_ms = primal.least * 1e3
    for one in series:
        if one is primal:
            continue
        if one.least is None or primal.least is None:
            row.leave_out(one.name, "the processor's clock stood still")
        else:
            row.columns[one.name].update(ms=one.least * 1e3, ratio=one.least / primal.least)
