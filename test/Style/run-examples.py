#!/usr/bin/env python3
"""Runs the examples of a Markdown page as they are printed.

Usage: run-examples.py PAGE WORK-FOLDER [NAME=VALUE...]

A comment before a block of code says what it is:
  <!-- example: file NAME -->   the block is the file NAME
  <!-- example: run -->         the block is a shell script, run beside the files
  <!-- example: run needs:FILE -->   the same; it and its output are left out where FILE is not there
  <!-- example: output -->      the block is what the last script has to print
"""
import os
import re
import shutil
import subprocess
import sys

page, folder = sys.argv[1:3]
environment = dict(os.environ)
environment.pop("COLUMNS", None)  # What readers see whose output is no terminal.
for assignment in sys.argv[3:]:
    name, value = assignment.split("=", 1)
    if name == "PATH":
        value += os.pathsep + environment["PATH"]
    environment[name] = value

shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
with open(page) as File:
    text = File.read()
examples = re.findall(r"<!-- example: (\w+)(?: (\S+))? -->\n+```\w*\n(.*?)```", text, re.S)
if not examples:
    sys.exit(f"{page} has no examples")

output, skipped = None, False
for kind, name, block in examples:
    if kind == "file":
        target = os.path.join(folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w") as File:
            File.write(block)
    elif kind == "run" and name and not os.path.exists(name.removeprefix("needs:")):
        skipped = True
    elif kind == "run":
        skipped = False
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder,
                              env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        output = done.stdout
        if done.returncode:
            sys.exit(f"{page}: this fails:\n{block}\n{output}")
    elif kind == "output":
        if skipped:
            continue
        if output is None or output.strip() != block.strip():
            sys.exit(f"{page}: promises\n{block}\nand prints\n{output}")
    else:
        sys.exit(f"{page}: unknown kind of example '{kind}'")
