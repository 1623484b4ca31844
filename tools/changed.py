# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which files of the repository were changed last, as git has it."""
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent


def changed_lately(commits):
    """Paths from the root, each once: of what is not committed, then of the last commits, the newest first.

    Outside of a repository the list is empty.
    """
    names = []
    for command in (["diff", "--name-only", "HEAD"], ["log", "-n", str(commits), "--format=", "--name-only"]):
        done = subprocess.run(["git", *command], cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        names += done.stdout.splitlines()
    return list(dict.fromkeys(names))
