#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differentiates random C programs and compares with dual numbers.

A seed decides the program and how it is built: level, way of keeping values, mode (combined
and split reverse, forward), width, and whether x's shadow is x itself. One line is printed
for every failure, with the command that repeats it. A program whose reference itself is not
sound (undefined behaviour, numbers too large) is left out and counted.

  fuzz.py --plugin build/lib/Isozyme.so --seeds 1-200
  fuzz.py --plugin build/lib/Isozyme.so --minutes 10 --seed 5000
  fuzz.py --plugin build/lib/Isozyme.so --program bad/17.c --config O2,cache,1,2,0
"""
import argparse
import collections
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import generator

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")
Config = collections.namedtuple("Config", "level keep mode width shared")
# New memory is not zero, so that what is never written is seen.
ENVIRONMENT = dict(
    os.environ, GLIBC_TUNABLES="glibc.malloc.tcache_count=0:glibc.malloc.perturb=165"
)
LARGEST = 1e7


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-22", help="the clang program")
    parser.add_argument("--seeds", metavar="A-B", help="from A up to B")
    parser.add_argument("--minutes", type=float, help="as many seeds as there is time for")
    parser.add_argument("--seed", type=int, default=1, help="the first one, with --minutes")
    parser.add_argument("--only", metavar="KIND", help="one kind of templates.py in every program")
    parser.add_argument("--program", help="this program instead of random ones")
    parser.add_argument("--config", help="level,keep,mode,width,shared instead of random ones")
    parser.add_argument("--save", default="fuzz-failures", help="folder of failing programs")
    parser.add_argument("--flag", action="append", default=[], help="passed on to clang")
    return parser.parse_args()


def execute(command, timeout):
    """(exit status or None for too long, stdout, stderr)"""
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=timeout,
            env=ENVIRONMENT, check=False,
        )
    except subprocess.TimeoutExpired:
        return None, "", ""
    return run.returncode, run.stdout, run.stderr


def configuration(seed):
    """How the program of this seed is built."""
    choose = random.Random("configuration %d" % seed).choice
    return Config(
        choose(["O0", "O1", "O2", "O2", "O3", "Os"]),
        choose(["plan", "plan", "cache", "recompute"]),
        choose([0, 0, 1, 2]),
        choose([1, 1, 1, 2, 3, 4]),
        choose([0, 0, 0, 0, 1]),
    )


def parse_configuration(text):
    level, keep, mode, width, shared = text.split(",")
    return Config(level, keep, int(mode), int(width), int(shared))


def definitions(program, config):
    return [
        '-DPROGRAM="%s"' % os.path.abspath(program),
        "-DMODE=%d" % config.mode,
        "-DWIDTH=%d" % config.width,
        "-I" + INPUTS,
    ] + (["-DSHARED"] if config.shared else [])


class Fuzzer:
    """Builds and compares programs; keeps its files in one folder."""

    def __init__(self, plugin, clang, folder, flags=()):
        self.plugin = os.path.abspath(plugin)
        self.clang = clang
        self.folder = folder
        self.flags = list(flags)

    def reference(self, program, config, strict=False):
        """(lines or None, why not). Strict: under the sanitizers, for the reducer."""
        binary = os.path.join(self.folder, "reference")
        source = os.path.join(INPUTS, "reference.cpp")
        sound = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all"] if strict else []
        command = [self.clang, "--driver-mode=g++", "-O0", "-w", source, "-o", binary, "-lm"]
        status, _, errors = execute(command + sound + definitions(program, config), 60)
        if status != 0:
            return None, "does not compile: " + errors[:600]
        status, output, errors = execute([binary], 10)
        if status != 0:
            return None, "does not run: " + errors[:300]
        for _, number in numbers(output):
            if not math.isfinite(number) or abs(number) > LARGEST:
                return None, "numbers too large"
        return output, ""

    def build(self, program, config, binary):
        """None, or what went wrong in the compiler."""
        source = os.path.join(INPUTS, "derivatives.inc")
        command = [self.clang, "-w", "-" + config.level, "-fpass-plugin=" + self.plugin]
        for option in ("-isozyme-verify-each", "-isozyme-keep=" + config.keep):
            command += ["-mllvm", option]
        command += definitions(program, config) + self.flags
        command += ["-x", "c", source, "-o", binary, "-lm"]
        status, _, errors = execute(command, 60)
        if status == 0:
            return None
        if status is None:
            return "compiler takes too long"
        message = re.search(r"^.*\[?\b(IZ\d+)\b.*$", errors, re.M)
        if message:
            return "%s: %s" % (message.group(1), message.group(0)[-300:])
        lines = [line for line in errors.split("\n") if line.strip()]
        return "compiler fails: " + " | ".join(lines[:6])[:600]

    def check(self, program, config):
        """('ok', ''), ('left out', why) or ('failure', what)."""
        expected, why = self.reference(program, config)
        if expected is None:
            return "left out", why
        binary = os.path.join(self.folder, "derivatives")
        failure = self.build(program, config, binary)
        if failure:
            return "failure", failure
        status, output, errors = execute([binary], 10)
        if status != 0:
            return "failure", "program ends with %s %s" % (status, errors[:200])
        failure = difference(output, expected, tolerance(program))
        return ("failure", failure) if failure else ("ok", "")


def tolerance(program):
    """Of the numbers of a program: its narrowest type decides."""
    with open(program) as file:
        text = file.read()
    if "HALF(" in text:
        return 2e-2
    return 3e-4 if re.search(r"\bfloat\b", text) else 1e-8


def numbers(output):
    """The (name, number) lines."""
    for line in output.split("\n"):
        name, _, number = line.partition(" ")
        if name in ("v", "g", "t"):
            yield name, float(number)


def difference(output, expected, within):
    """None, or where two outputs differ first, values before derivatives."""
    got, want = list(numbers(output)), list(numbers(expected))
    if [name for name, _ in got] != [name for name, _ in want]:
        return "other lines than expected"
    for word, kind in (("value", "v"), ("derivative", "gt")):
        # Small numbers are differences of larger ones: one scale for all.
        scale = max([1e-2] + [abs(number) for name, number in want if name in kind])
        for place, ((name, a), (_, b)) in enumerate(zip(got, want)):
            if name in kind and not abs(a - b) <= within * scale:
                return "wrong %s, line %d: %r instead of %r" % (word, place + 1, a, b)
    if "leak" in output:
        return "leak"
    return None


def repeat(options, program, config):
    return "%s --plugin %s --program %s --config %s" % (
        os.path.relpath(os.path.abspath(__file__)), options.plugin, program,
        ",".join(str(part) for part in config),
    )


def seeds(options):
    if options.seeds:
        first, _, last = options.seeds.partition("-")
        yield from range(int(first), int(last or first) + 1)
        return
    end = time.time() + 60 * (options.minutes or 1)
    seed = options.seed
    while time.time() < end:
        yield seed
        seed += 1


def main():
    options = arguments()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(options.plugin, options.clang, folder, options.flag)
        if options.program:
            result = fuzzer.check(options.program, parse_configuration(options.config))
            print(*result)
            return 0 if result[0] == "ok" else 1
        for seed in seeds(options):
            text = generator.generate(seed, options.only)
            program = os.path.join(folder, "program.c")
            with open(program, "w") as file:
                file.write(text)
            config = configuration(seed)
            if generator.WRITES_X in text:
                config = config._replace(shared=0)
            if options.config:
                config = parse_configuration(options.config)
            result, why = fuzzer.check(program, config)
            counts[result] += 1
            if result == "left out" and why != "numbers too large":
                print("seed %d left out: %s" % (seed, why), flush=True)
            if result == "failure":
                os.makedirs(options.save, exist_ok=True)
                saved = os.path.join(options.save, "%d.c" % seed)
                with open(saved, "w") as file:
                    file.write(text)
                print("seed %d: %s\n  %s" % (seed, why, repeat(options, saved, config)), flush=True)
    print(", ".join("%d %s" % (n, result) for result, n in sorted(counts.items())))
    return 1 if counts["failure"] else 0


if __name__ == "__main__":
    sys.exit(main())
