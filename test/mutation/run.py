#!/usr/bin/env python3
"""Plants faults in a copy of Isozyme, one after the other, and runs the tests.

  test/mutation/run.py --work FOLDER [--only NAME ... | --sample N [--seed S]] [--jobs N]
  test/mutation/run.py --dry-run        only looks whether they can be planted

A fault that no test notices is a gap in the tests. Exit code: 0 if the tests pass
without a fault and notice each one, 1 if not, 2 if a fault cannot be planted.
"""

import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from faults import FAULTS  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# The values that derivatives compute come first: a fault should be seen there.
SUITES = ["EndToEnd", "Regressions", "Emit", "Plan", "Needs", "Activity", "Types", "Prepare",
          "Requests", "Diagnostics"]
TARGETS = ["Isozyme", "IsozymeClang", "isozyme", "rule-check"]
LONGEST = 900  # Seconds of processor time for each process; a derivative may loop forever.
MEMORY = 6 << 20  # KiB for each process; or allocate forever.


def run(command, limit=LONGEST, memory="unlimited"):
    """Exit code and output of a command; the limits are of each process."""
    limited = ["bash", "-c", 'ulimit -t "$0" -v "$1"; exec "${@:2}"', str(limit), str(memory)]
    done = subprocess.run(limited + command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace", text=True)
    return done.returncode, done.stdout


class Copy:
    """A copy of the tree, and its build."""

    def __init__(self, work, jobs):
        self.tree, self.build, self.jobs = work / "tree", work / "build", str(jobs)
        names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=SOURCE,
                               check=True, capture_output=True, text=True).stdout.split("\n")
        for name in filter(None, names):
            source, target = SOURCE / name, self.tree / name
            if not source.is_file():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            # An unchanged file keeps its time, so that a second run builds little.
            if not target.exists() or target.read_bytes() != source.read_bytes():
                shutil.copy(source, target)
        # Less optimised than a release: it is compiled more often than it runs.
        self.must(["cmake", "--preset", "release", "-S", str(self.tree), "-B", str(self.build),
                   "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"])
        self.must(["ninja", "-C", str(self.build)] + TARGETS)

    def must(self, command):
        code, output = run(command)
        if code:
            sys.exit(f"{' '.join(command)} failed:\n{output}")

    def rebuild(self):
        code, output = run(["ninja", "-C", str(self.build)] + TARGETS)
        return None if code == 0 else output

    def first_failure(self):
        """Which test fails, or none."""
        code, output = run([str(self.build / "bin/rule-check")])
        if code:
            return "rule-check"
        for suite in SUITES:
            code, output = run(["lit-22", f"-j{self.jobs}", "-q", "--max-failures=1",
                                str(self.build / "test" / suite)], memory=MEMORY)
            if code:
                failed = re.search(r"^FAIL: Isozyme :: (\S+)", output, re.M)
                return failed[1] if failed else f"{suite} (exit code {code})"
        return None


def plant(tree, file, old, new, only_look=False):
    path = tree / file
    text = path.read_text()
    # However it is broken into lines.
    found = list(re.finditer(r"\s*".join(re.escape(c) for c in old if not c.isspace()), text))
    if len(found) != 1 or old == new:
        print(f"{file}: the text occurs {len(found)} times, not once: {old}", file=sys.stderr)
        sys.exit(2)
    if not only_look:
        path.write_text(text[:found[0].start()] + new + text[found[0].end():])
    return lambda: path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--sample", type=int, help="so many of them, others each time")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30),
                        help="chooses the same sample again")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-baseline", action="store_true",
                        help="the tests are known to pass without a fault")
    options = parser.parse_args()
    faults = [f for f in FAULTS if not options.only or f[0] in options.only]
    if not faults:
        print("no fault has such a name", file=sys.stderr)
        return 2
    if options.dry_run:
        for fault in faults:
            plant(SOURCE, *fault[1:4], only_look=True)
        print(f"{len(faults)} faults")
        return 0
    if not options.work:
        parser.error("--work says where the copy is to be")
    if options.sample:
        print(f"seed {options.seed}", flush=True)
        faults = random.Random(options.seed).sample(faults, min(options.sample, len(faults)))
    copy = Copy(options.work.resolve(), options.jobs)
    if not options.no_baseline and (failed := copy.first_failure()):
        print(f"without a fault, this fails: {failed}", file=sys.stderr)
        return 1
    missed = []
    for number, (name, file, old, new, what) in enumerate(faults, 1):
        start = time.monotonic()
        undo = plant(copy.tree, file, old, new)
        broken = copy.rebuild()
        by = "" if broken else copy.first_failure()
        undo()
        if broken:
            print(f"{name}: this does not compile\n{broken}", file=sys.stderr)
            return 2
        if not by:
            missed.append(name)
        print(f"{number}/{len(faults)} {name} ({what}): {by or 'NOT NOTICED'} "
              f"[{time.monotonic() - start:.0f} s]", flush=True)
    print(f"{len(faults) - len(missed)} of {len(faults)} noticed")
    if missed:
        print(f"not noticed: {' '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
