#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints Enzyme's options as a command line, after a look whether the page for those who come
from there has them all."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
text = (source / "tools/plugin/EnzymeOptions.def").read_text()
rows = re.findall(r'^ENZYME_OPTION\("([\w-]+)", (\w+), (\w+)\)', text, re.M)
assert len(rows) > 50, rows
page = (source / "docs/migrating.md").read_text()
listed = set(re.findall(r"`-([\w-]+)`", page))
missing = [name for name, _, _ in rows if name not in listed]
if missing:
    sys.exit("docs/migrating.md lacks " + ", ".join(missing))
for name, form, effect in rows:
    if not effect.startswith("Print") and name != "enzyme-enable":
        print(f"-{name}=3" if form == "Value" else f"-{name}")
