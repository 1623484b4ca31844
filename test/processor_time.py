# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs within limits of processor time.

A limit in seconds of the clock would fail beside other work. The limit here is the kernel's, for each
process by itself, and the kernel kills a process at its limit. An hour of the clock ends only what waits
for ever.
"""
import signal
import subprocess

HOUR = 3600
# What clang says of a compiler process that was killed.
KILLED = "unable to execute command: Killed"


def run(command, seconds, **options):
    """subprocess.run of the command; no process of it gets more than so many seconds of a processor."""
    limited = ["bash", "-c", 'ulimit -t "$0"; exec "$@"', "%d" % max(seconds, 1)] + list(command)
    return subprocess.run(limited, timeout=HOUR, **options)


def is_over(done):
    """True if the limit may have ended it; its output has to be text, if it was captured."""
    return done.returncode == -signal.SIGKILL or KILLED in (done.stderr or "") + (done.stdout or "")
