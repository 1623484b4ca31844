# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process that computes one program at one size with one tool, and answers questions about it."""
import array
import os
import selectors
import subprocess

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "XLA_FLAGS":
               "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}


class Stopped(Exception):
    """The process ended, or gave no answer in time."""


class Worker:
    def __init__(self, command, size, core, limit, folder):
        # Tools that write files, as ADOL-C does, write them into the folder.
        self.limit = limit
        self.process = subprocess.Popen(
            command + ["--serve", size], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ENVIRONMENT}, preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.selector.close()
        self.process.stdin.close()
        self.process.stdout.close()

    def ask(self, *words):
        """The answer in one line, or None where the program has none."""
        try:
            self.process.stdin.write((" ".join(map(str, words)) + "\n").encode())
            self.process.stdin.flush()
        except (BrokenPipeError, OSError):
            raise Stopped("it died") from None
        if not self.selector.select(self.limit):
            raise Stopped(f"no answer in {self.limit:g} s")
        line = self.process.stdout.readline().decode().strip()
        if not line:
            raise Stopped("it died")
        return None if line == "none" else line

    def seconds(self, way, calls):
        answer = self.ask("time", way, calls)
        return None if answer is None else float(answer)

    def number(self, question, way):
        answer = self.ask(question, way, "-")
        return None if answer is None else float(answer)

    def result(self, way, path):
        """The gradient, as numbers."""
        if self.ask("result", way, path) is None:
            return None
        numbers = array.array("d")
        numbers.frombytes(path.read_bytes())
        path.unlink()
        return numbers


def largest_error(found, right):
    """The largest difference, in times of the largest number."""
    if len(found) != len(right):
        return float("inf")
    largest = max(map(abs, right), default=0) or 1e-300
    apart = [abs(a - b) for a, b in zip(found, right)]
    return float("inf") if any(a != a for a in apart) else max(apart, default=0) / largest
