#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns decisions of the planner into their opposite, one at a time: the numbers stay the same.

Decisions are how values are kept, in which sweeps loops run, which stores wait for the end, what
rules take from the program, which shadows are apart from others, which sums loops carry, and what is
left out where adjoints are zero. For each program it writes the plans (-isozyme-plan-out), checks that
reading them back changes nothing, and then builds and runs the program once for each decision that
has a second choice, with that choice in its place (-isozyme-plan-in). What is asked for must be
followed, and every number that the program prints must agree with the first build within the
program's own tolerance.

Without --all it takes five of the programs, and of their decisions one in eight (one in two with
--only), others each time.
"""
import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("run_matrix", HERE.parent / "EndToEnd/run-matrix.py")
run_matrix = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run_matrix)

# The lists of decisions in a plan, and the member that names one.
LISTS = (("keep", "value"), ("loops", "loop"), ("stores", "store"), ("computed", "value"),
         ("shadows", "shadow"), ("sums", "sum"), ("skips", "part"))
LIMIT = 300  # Seconds of processor time, far above what a program takes.
STEP, STEP_OF_LIST = 8, 2
PROGRAMS = 5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--only", help="decisions of this list, such as loops")
    parser.add_argument("--all", action="store_true", default="ISOZYME_TEST_ALL" in os.environ)
    return parser.parse_args()


def decisions_of(plan):
    """Yields (member of the plan, what names the decision, the decision)."""
    for member, name in LISTS:
        for decision in plan[member]:
            yield member, name, decision


def all_decisions(plans):
    return [[(d[name], d["decision"]) for _, name, d in decisions_of(plan)] for plan in plans["plans"]]


class Program:
    def __init__(self, options, source, folder):
        self.options, self.source, self.folder = options, source, folder
        self.name = Path(source).stem

    def build(self, program, *flags):
        """Returns (what went wrong, output of the compiler)."""
        command = [self.options.clang, "-fpass-plugin=" + self.options.plugin, "-O1", self.source,
                   "-o", str(program), "-Wno-unknown-attributes"]
        for flag in flags:
            command += ["-mllvm", flag]
        return run_matrix.execute(command + ["-lm"], LIMIT)

    def numbers(self, *flags):
        """Returns (what went wrong, the numbers that the program prints)."""
        program = self.folder / self.name
        wrong, output = self.build(program, *flags)
        if not wrong and "IZ319" in output:
            wrong = "did not follow the file of plans"
        if wrong:
            return "clang " + wrong + ":\n" + output, []
        wrong, output = run_matrix.execute([str(program)], LIMIT)
        return wrong and wrong + ":\n" + output, run_matrix.numbers(output)

    def check(self):
        """Yields complaints, and None for each decision that was turned without one."""
        written, again = self.folder / "plans.json", self.folder / "again.json"
        # What a file decides for has one version.
        wrong, reference = self.numbers(f"-isozyme-plan-out={written}", "-isozyme-versions=0")
        if wrong:
            yield wrong
            return
        if not reference:
            yield "prints no numbers"
        plans = json.loads(written.read_text())
        wrong, same = self.numbers(f"-isozyme-plan-in={written}", f"-isozyme-plan-out={again}")
        if wrong or same != reference:
            yield "the plans read back give other numbers\n" + wrong
        if all_decisions(plans) != all_decisions(json.loads(again.read_text())):
            yield "the plans read back are other plans"
        open_decisions = [(plan, each) for plan in plans["plans"] for each in decisions_of(plan)
                          if len(each[2]["choices"]) > 1 and self.options.only in (None, each[0])]
        step = 1 if self.options.all else STEP_OF_LIST if self.options.only else STEP
        for plan, each in open_decisions[random.randrange(step)::step]:
            yield self.turn(plan, *each, reference)

    def turn(self, plan, member, name, decision, reference):
        other = next(c for c in decision["choices"] if c != decision["decision"])
        wish = dict(decision, decision=other)
        turned = self.folder / "turned.json"
        turned.write_text(json.dumps(
            {"version": 1, "plans": [{"function": plan["function"], "request": plan["request"],
                                      member: [wish]}]}))
        again = self.folder / "again.json"
        wrong, numbers = self.numbers(f"-isozyme-plan-in={turned}", f"-isozyme-plan-out={again}")
        if not wrong:
            # It may not be there any more: what needs it may be kept now.
            found = [d["decision"] for p in json.loads(again.read_text())["plans"] for d in p[member]
                     if p["request"] == plan["request"] and d[name] == decision[name]]
            wrong = "" if found in ([], [other]) else f"is {found} in the new plan"
        unequal = [] if wrong else run_matrix.differences(reference, numbers)
        if wrong or unequal:
            return (f"{plan['request']}: {decision[name]} as '{other}' instead of "
                    f"'{decision['decision']}': " + (wrong or "\n".join(unequal)))
        return None


def main():
    options = arguments()
    if not options.all and len(options.sources) > PROGRAMS:
        options.sources = random.sample(options.sources, PROGRAMS)
    turned = 0
    failed = False
    for source in options.sources:
        with tempfile.TemporaryDirectory() as folder:
            for complaint in Program(options, source, Path(folder)).check():
                turned += complaint is None
                if complaint:
                    failed = True
                    print(f"{Path(source).name}: {complaint}", file=sys.stderr)
    print(f"{turned} decisions turned in {len(options.sources)} programs")
    return failed or not turned


sys.exit(main())
