#!/usr/bin/env python3
"""Plants faults in copies of a build of Isozyme, one after the other, and runs the tests.

  test/mutation/run.py [--build FOLDER] [--only NAME ... | --sample N [--seed S]] [--jobs N]
  test/mutation/run.py --dry-run        only looks whether they can be planted

A fault that no test notices is a gap in the tests. Exit code: 0 if the tests pass
without a fault and notice each one, 1 if not, 2 if a fault cannot be planted.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from faults import FAULTS  # noqa: E402
from faulty_build import FaultyBuild  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# The quick ones come first; the values that derivatives compute come last.
SUITES = ["Rules", "Emit", "Types", "Activity", "Needs", "Prepare", "Requests", "Cleanup", "Ops", "Plan", "Regressions",
          "EndToEnd", "Diagnostics"]
TARGETS = ["Isozyme", "IsozymeClang", "isozyme", "rule-check"]
LONGEST = 900  # Seconds of processor time for each process; a derivative may loop forever.
MEMORY = 6 << 20  # KiB for each process; or allocate forever.


def run(command, limit=LONGEST, memory="unlimited"):
    """Exit code and output of a command; the limits are of each process."""
    limited = ["bash", "-c", 'ulimit -t "$0" -v "$1"; exec "${@:2}"', str(limit), str(memory)]
    done = subprocess.run(limited + command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace", text=True)
    return done.returncode, done.stdout


def lit(tests, jobs, *options):
    return run(["lit-22", f"-j{jobs}", "-q", *options, str(tests)], memory=MEMORY)


def first_failure(build, jobs):
    """Which test of a build fails, or none."""
    code, output = run([str(build / "bin/rule-check")])
    if code:
        return "rule-check"
    for suite in SUITES:
        code, output = lit(build / "test" / suite, jobs, "--max-failures=1", "--order=lexical")
        if code:
            failed = re.search(r"^(?:FAIL|TIMEOUT): Isozyme :: (\S+)", output, re.M)
            return failed[1] if failed else f"{suite} (exit code {code})"
    return None


def planted(file, old, new):
    """The text of the file with the fault in it."""
    text = (SOURCE / file).read_text()
    # However it is broken into lines.
    found = list(re.finditer(r"\s*".join(re.escape(c) for c in old if not c.isspace()), text))
    if len(found) != 1 or old == new:
        print(f"{file}: the text occurs {len(found)} times, not once: {old}", file=sys.stderr)
        sys.exit(2)
    return text[:found[0].start()] + new + text[found[0].end():]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build",
                        help="a build; the faulty programs go to its folder `mutation`")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--sample", type=int, help="so many of them, others each time")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30),
                        help="chooses the same sample again")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-baseline", action="store_true",
                        help="the tests are known to pass without a fault")
    return parser.parse_args()


def main():
    options = arguments()
    faults = [f for f in FAULTS if not options.only or f[0] in options.only]
    if not faults:
        print("no fault has such a name", file=sys.stderr)
        return 2
    if options.dry_run:
        for fault in faults:
            planted(*fault[1:4])
        print(f"{len(faults)} faults")
        return 0
    if options.sample:
        print(f"seed {options.seed}", flush=True)
        faults = random.Random(options.seed).sample(faults, min(options.sample, len(faults)))
    build = options.build.resolve()
    faulty = FaultyBuild(SOURCE, build, build / "mutation", TARGETS)
    if not options.no_baseline and (failed := first_failure(build, options.jobs)):
        print(f"without a fault, this fails: {failed}", file=sys.stderr)
        return 1
    missed = []
    for number, (name, file, old, new, what) in enumerate(faults, 1):
        start = time.monotonic()
        if broken := faulty.make(SOURCE / file, planted(file, old, new)):
            print(f"{name}: this does not compile\n{broken}", file=sys.stderr)
            return 2
        by = first_failure(faulty.folder, options.jobs)
        if by and by != "rule-check":
            # What fails in such a copy anyway has noticed nothing.
            faulty.copy_build()
            code, output = lit(faulty.folder / "test" / by.split(" ")[0], 1)
            if code:
                print(f"{name}: this fails without the fault, too: {by}\n{output}", file=sys.stderr)
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
