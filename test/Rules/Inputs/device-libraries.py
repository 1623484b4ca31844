"""Compares what `isozyme rules` knows with LIST, the names of a GPU's library of mathematics: each name under [rule] has
one, each under [none] has none. With --library, a bitcode file, its functions have to be in the list.
"""
import argparse
import os
import re
import subprocess
import sys


def sections(path):
    found, names = {}, None
    with open(path) as file:
        for line in file:
            if line.startswith("["):
                names = found.setdefault(line.strip()[1:-1], [])
            elif not line.startswith("#"):
                names.extend(line.split())
    return found


def unknown(isozyme, names):
    """Those without a rule; the command names the first of what it is given."""
    rest, found = list(names), []
    while rest:
        done = subprocess.run([isozyme, "rules", *rest], capture_output=True, text=True)
        missing = re.search(r"no rule for '([^']*)'", done.stderr)
        if not done.returncode:
            return found
        if not missing or missing.group(1) not in rest:
            sys.exit(done.stderr)
        found.append(missing.group(1))
        rest.remove(missing.group(1))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("list")
    parser.add_argument("--isozyme", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--library")
    asked = parser.parse_args()
    listed = sections(asked.list)
    complaints = ["%s has no rule" % name for name in unknown(asked.isozyme, listed["rule"])]
    # One in eight: each is a run of the command.
    sample = listed["none"][::8]
    complaints += ["%s has a rule" % name for name in sorted(set(sample) - set(unknown(asked.isozyme, sample)))]
    if asked.library and os.path.exists(asked.library):
        text = subprocess.run([os.path.join(asked.tools, "llvm-nm"), asked.library], capture_output=True, text=True,
                              check=True).stdout
        there = {line.split()[-1] for line in text.splitlines() if " T " in line or " t " in line}
        every = {name for names in listed.values() for name in names}
        complaints += ["%s is not in the list" % name for name in sorted(there - every)
                       if name.startswith(("__nv_", "__ocml_"))]
    if complaints:
        sys.exit("\n".join(complaints))


main()
