#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a program at every optimisation level and with every way of keeping values
for the reverse sweep, runs all of the builds, and compares what they print.

-O0 and -O2 are the two shapes of code, unsimplified and simplified. What the plan chooses is
built at both, and a third build is drawn anew each time: at another level (-O1, -O3, -Os), or to
keep all values or to recompute where possible, at one of the two. Where --levels names levels, all
of them are built (of -O1/-O3 one is drawn), and a forced way at one of the two. With ISOZYME_TEST_ALL
in the environment (tools/check --full) all of these are built; --all builds every way at every level.

A program prints lines `= name value tolerance`, ends with `ok` and returns 0.
The numbers must agree between all builds, each within its relative tolerance.
"""
import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import processor_time  # noqa: E402

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
KEEPS = ["plan", "cache", "recompute"]
FORCED_LEVELS = ["-O0", "-O2"]
# A sanitized plugin is slow, and what it is run for does not depend on the rest.
SANITIZED = "ISOZYME_TEST_PRELOAD" in os.environ
# What the tests run under when lit is called with --param memcheck=...
# Each array of a tape is a block of its own for valgrind, as for the others.
CHECKERS = {"valgrind": ["-mllvm", "-isozyme-tape-memory=malloc"],
            "asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
            "msan": ["-fsanitize=memory", "-fsanitize-memory-track-origins"]}
# And this is what is differentiated, run in place of what the user wrote.
PREPARED = "prepared"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", required=True, help="the clang program, or the folder it is in")
    parser.add_argument("--levels", help="separated by commas; of those that are separated by '/' one is drawn")
    parser.add_argument("--keep", default="plan" if SANITIZED else ",".join(KEEPS))
    parser.add_argument("--all", action="store_true", help="every way of keeping at every level")
    parser.add_argument("--parts", type=int, help="number of parts that main has (IN_PART in check.h), of which one is drawn")
    parser.add_argument("--flag", action="append", default=[], help="passed on to clang")
    parser.add_argument("--limit", type=float, default=900 if SANITIZED else 300,
                        help="seconds of processor time, to build and to run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-verify", action="store_true", help="without -isozyme-verify-each")
    parser.add_argument("--keep-files", metavar="DIR", help="leave the programs there")
    parser.add_argument("--memcheck", choices=list(CHECKERS) + [PREPARED],
                        default=os.environ.get("ISOZYME_TEST_MEMCHECK"),
                        help="one build (-O1, as planned) that must use memory correctly and leak "
                        "nothing; numbers are not looked at. With 'prepared': what is "
                        "differentiated computes the same bits as what the user wrote")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def drawn(several):
    """One of them; all, if all is to be tested."""
    return several if "ISOZYME_TEST_ALL" in os.environ else random.sample(several, min(len(several), 1))


def named_levels(options):
    if options.levels:
        choices = [choice.split("/") for choice in options.levels.split(",")]
        return [level for choice in choices for level in drawn(choice)]
    return FORCED_LEVELS if SANITIZED else LEVELS


def compiler(options):
    """The command that compiles the source's language."""
    cxx = options.source.endswith((".cpp", ".cc"))
    path = options.clang
    if os.path.isdir(path):
        path = os.path.join(path, "clang")
    # Under the sanitizers the plugin's runtime has to be in the compiler from the start.
    preload = os.environ.get("ISOZYME_TEST_PRELOAD")
    start = ["env", "LD_PRELOAD=" + preload] if preload else []
    return start + [path] + (["--driver-mode=g++", "-std=c++17"] if cxx else [])


def execute(command, limit):
    """Returns (what went wrong or '', output)."""
    done = processor_time.run(command, limit, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
    if processor_time.is_over(done):
        return "was killed (its limit is %g s of processor time)" % limit, done.stdout
    if done.returncode < 0:
        return "died of signal %d" % -done.returncode, done.stdout
    if done.returncode:
        return "returned %d" % done.returncode, done.stdout
    return "", done.stdout


def shorten(text, lines=12):
    rows = text.strip().splitlines()
    rows = [r for r in rows if r.startswith("FAILED ")] or rows
    if len(rows) > lines:
        rows = rows[:lines] + ["... %d lines more" % (len(rows) - lines)]
    return "\n".join("    " + r[:200] for r in rows)


def chosen_builds(options):
    """Pairs of a level and a way of keeping values."""
    levels, keeps = named_levels(options), options.keep.split(",")
    if options.all:
        return [(level, keep) for level in levels for keep in keeps]
    forced = [(level, keep) for keep in keeps if keep != "plan" for level in levels if level in FORCED_LEVELS]
    if "plan" not in keeps:
        return drawn(forced)
    always = levels if options.levels else [level for level in levels if level in FORCED_LEVELS]
    others = [(level, "plan") for level in levels if level not in always]
    return [(level, "plan") for level in always] + drawn(others + forced)


def build_and_run(options, folder, level, keep):
    """Returns (what went wrong or '', output of the failing step or the program)."""
    program = os.path.join(folder, "program%s-%s" % (level, keep))
    command = compiler(options) + [
        "-fpass-plugin=" + os.path.abspath(options.plugin), level, options.source, "-o", program,
        "-Wno-unknown-attributes"]
    if keep != "plan":
        command += ["-mllvm", "-isozyme-keep=" + keep]
    if not options.no_verify:
        command += ["-mllvm", "-isozyme-verify-each"]
    command += options.flag + ["-lm"]
    wrong, output = execute(command, options.limit)
    if wrong:
        return "clang " + wrong, output
    wrong, output = execute([program], options.limit)
    if wrong:
        return "the program " + wrong, output
    if output.split("\n")[-2:-1] != ["ok"]:
        return "the program did not print ok", output
    return "", output


MEMORY_ERRORS = 99  # What a program returns that valgrind or a sanitizer finds fault with.


def check_memory(options, folder):
    """Builds once and runs under a checker of memory; returns what build_and_run does."""
    program = os.path.join(folder, "program-memcheck")
    command = compiler(options) + [
        "-fpass-plugin=" + os.path.abspath(options.plugin), "-O1", "-gdwarf-4", options.source, "-o",
        program, "-Wno-unknown-attributes"] + options.flag + ["-lm"] + CHECKERS[options.memcheck]
    wrong, output = execute(command, options.limit)
    if wrong:
        return "clang " + wrong, output
    run = ["env", "ASAN_OPTIONS=allocator_may_return_null=1:exitcode=%d" % MEMORY_ERRORS,
           "UBSAN_OPTIONS=exitcode=%d" % MEMORY_ERRORS,
           "MSAN_OPTIONS=allocator_may_return_null=1:exitcode=%d" % MEMORY_ERRORS, program]
    if options.memcheck == "valgrind":
        # valgrind computes long double as double: the program may well find wrong numbers.
        run = ["valgrind", "-q", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect",
               "--error-exitcode=%d" % MEMORY_ERRORS, program]
    wrong, output = execute(run, 10 * options.limit)
    if wrong not in ("", "returned 1"):
        rows = [row for row in output.splitlines() if not row.startswith("= ")]
        return "the program " + wrong, "\n".join(rows)
    return "", output


def check_prepared(options, folder):
    """Runs a program as it is and with its functions in the form that is differentiated.

    Both print the same: derivatives, and to the last bit what they are compared with. Functions
    are not inlined where Isozyme can do without, so that it is them that run.
    """
    level = next((each for each in named_levels(options) if each != "-O0"), "-O1")

    def build(name, flags):
        program = os.path.join(folder, name)
        command = compiler(options) + [
            "-fpass-plugin=" + os.path.abspath(options.plugin), level, "-DISOZYME_TEST_BITS",
            options.source, "-o", program, "-Wno-unknown-attributes"] + options.flag + ["-lm"] + flags
        wrong, output = execute(command, options.limit)
        return ("clang " + wrong, output) if wrong else execute([program], options.limit)

    for inlining in (["-fno-inline"], []):
        wrong, plain = build("plain", inlining)
        if not wrong:
            break
    if wrong:
        return wrong, plain
    if "bits " not in plain:
        return "prints no bits", plain
    wrong, prepared = build("prepared", inlining + ["-mllvm", "-isozyme-run-prepared"])
    if not wrong and prepared != plain:
        unlike = [a + " (as written: " + b + ")" for a, b in
                  zip(prepared.splitlines(), plain.splitlines()) if a != b]
        return "prints something else", "\n".join(unlike)
    return wrong, prepared


def numbers(output):
    """The lines `= name value tolerance`, in order."""
    found = []
    for line in output.splitlines():
        if line.startswith("= "):
            name, value, tolerance = line[2:].rsplit(" ", 2)
            found.append((name, float(value), float(tolerance)))
    return found


def differences(reference, other):
    """Sentences about what differs between two lists of numbers."""
    if [r[0] for r in reference] != [o[0] for o in other]:
        return ["prints other names"]
    wrong = []
    for (name, a, tolerance), (_, b, _) in zip(reference, other):
        scale = max(abs(a), abs(b), 1e-6)
        if a != b and not abs(a - b) <= tolerance * scale:
            wrong.append("%s: %.17g, but %.17g in the first build" % (name, b, a))
    return wrong


def main():
    options = arguments()
    if options.parts and "ISOZYME_TEST_ALL" not in os.environ:
        options.flag.append("-DPART=%d" % random.randrange(options.parts))
    if options.memcheck:
        with tempfile.TemporaryDirectory() as temporary:
            check = check_prepared if options.memcheck == PREPARED else check_memory
            wrong, output = check(options, temporary)
        if wrong:
            print("%s, %s: %s\n%s" % (os.path.basename(options.source), options.memcheck, wrong,
                                     shorten(output, 40)))
        return 1 if wrong else 0
    combinations = chosen_builds(options)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep_files or temporary
        os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda c: build_and_run(options, folder, *c), combinations))

    reference = next((numbers(out) for wrong, out in results if not wrong), None)
    table, details = [], []
    for (level, keep), (wrong, output) in zip(combinations, results):
        verdict = wrong or "ok"
        detail = shorten(output) if wrong else ""
        if not wrong and not reference:
            verdict = "prints no numbers"
        elif not wrong:
            unequal = differences(reference, numbers(output))
            if unequal:
                verdict, detail = "other numbers", shorten("\n".join(unequal))
        table.append("  %-4s %-10s %s" % (level, keep, verdict))
        if verdict != "ok" and (verdict, detail) not in [d[1:] for d in details]:
            details.append(((level, keep), verdict, detail))

    if details or options.verbose:
        print(os.path.basename(options.source))
        print("\n".join(table))
    for (level, keep), verdict, detail in details:
        print("\n%s %s: %s\n%s" % (level, keep, verdict, detail))
    return 1 if details else 0


if __name__ == "__main__":
    sys.exit(main())
