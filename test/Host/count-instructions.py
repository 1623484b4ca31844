# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of a program for two last arguments and compares their ratio with two bounds.

count-instructions.py LEAST MOST COMMAND... -- FIRST SECOND

The command is run under valgrind with each of both, a size perhaps, as its last argument. The exit status is 1 where the
second takes fewer than LEAST or more than MOST times the instructions of the first.
"""
import re
import subprocess
import sys


def instructions(command):
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(valgrind + command, stderr=subprocess.PIPE, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(done.stderr)
    return int(found.group(1).replace(",", ""))


def main():
    least, most = float(sys.argv[1]), float(sys.argv[2])
    end = sys.argv.index("--")
    counts = []
    for size in sys.argv[end + 1 : end + 3]:
        counts.append(instructions(sys.argv[3:end] + [size]))
        print(size, counts[-1], flush=True)
    ratio = counts[1] / counts[0]
    print("ratio %.2f" % ratio)
    return 0 if least <= ratio <= most else 1


sys.exit(main())
