#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds what random C programs and their gradients depend on, and compares with derivatives.

No derivative that is not zero may be missing from a pattern; that patterns have more, for
choices that values decide, is counted. Programs that Isozyme declines with an error are
left out and counted.

  patterns.py --plugin build/lib/Isozyme.so --clang clang-22 --seeds 0-19 --level=-O2
"""
import argparse
import os
import re
import sys
import tempfile

import generator

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import processor_time  # noqa: E402

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")
INCLUDE = os.path.join(INPUTS, "..", "..", "..", "include")


def source(seeds):
    parts = ['#include "words.h"']
    parts += [generator.renamed(generator.generate(seed), "_%d" % seed) for seed in seeds]
    parts.append('#include "dependence.h"')
    for seed in seeds:
        parts.append("#define F f_%d\n#define RUN run_%d" % (seed, seed))
        parts.append('#include "dependence.inc"')
    parts.append("int main(void) {")
    parts += ["  run_%d();" % seed for seed in seeds]
    parts.append('  printf("%ld entries, %ld spare, %ld missing\\n", entries, spare, missing);')
    return "\n".join(parts + ["  return missing != 0;", "}", ""])


def run(arguments, seeds, folder):
    """(exit status, output), or (None, errors) for programs that do not compile."""
    path = os.path.join(folder, "patterns")
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(source(seeds))
    command = [arguments.clang, "-w", arguments.level, "-fpass-plugin=" + arguments.plugin,
               "-I" + INPUTS, "-I" + INCLUDE, path + ".c", "-o", path, "-lm"]
    built = processor_time.run(command, 300, capture_output=True, text=True, check=False)
    if built.returncode:
        return None, built.stderr
    ran = processor_time.run([path], 60, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--seeds", default="0-19", help="first and last")
    parser.add_argument("--level", default="-O1")
    arguments = parser.parse_args()
    first, last = map(int, arguments.seeds.split("-"))
    seeds = list(range(first, last + 1))
    batches = [seeds[at:at + 10] for at in range(0, len(seeds), 10)]
    failed = declined = 0
    with tempfile.TemporaryDirectory() as folder:
        while batches:
            batch = batches.pop(0)
            status, output = run(arguments, batch, folder)
            if status == 0:
                print("%s: %s" % (batch, output.strip()))
            elif len(batch) > 1:
                batches += [[seed] for seed in batch]
            elif status is None and re.search(r"error: .*\[IZ[12]\d\d\]", output):
                declined += 1
            else:
                failed += 1
                print("%s: %s" % (batch, output.strip()[-2000:]))
    print("%d programs, %d declined, %d wrong" % (len(seeds), declined, failed))
    return failed != 0


sys.exit(main())
