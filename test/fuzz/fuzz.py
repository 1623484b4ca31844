#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differentiates random C programs, or with --cxx C++ programs, and compares with dual numbers.

A seed decides the program and the ways in which it is differentiated (ways.py); the batch of
seeds that it belongs to decides how it is compiled. Programs are compiled and run in
batches; a batch that fails is taken apart until the programs that fail are known. For each of
them one line is printed, with the command that repeats it. A program whose reference itself
is not sound (numbers too large) is left out and counted. So is one that Isozyme declines with
an error (IZ1xx, IZ2xx): that is no wrong answer; --strict makes it a failure.

  fuzz.py --plugin build/lib/Isozyme.so --seeds 0-199
  fuzz.py --plugin build/lib/Isozyme.so --minutes 10 --fresh --reduce 2
  fuzz.py --plugin build/lib/Isozyme.so --program bad/17.c --ways 0,1,0,0,0,0,0 --build O2,cache
"""
import argparse
import collections
import json
import math
import os
import re
import sys
import tempfile
import time

import cxx_generator
import generator
import ways
from ways import BATCH, Build, Way

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import processor_time  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "Inputs")
INCLUDE = os.path.join(HERE, "..", "..", "include")
# New memory is not zero, so that what is never written is seen.
ENVIRONMENT = dict(
    os.environ, GLIBC_TUNABLES="glibc.malloc.tcache_count=0:glibc.malloc.perturb=165"
)
LARGEST = 1e7
Item = collections.namedtuple("Item", "seed text ways")
Result = collections.namedtuple("Result", "verdict why")
OK = Result("ok", "")
# What differs between the programs of two languages. As many as `batch` share a file; of C++
# programs too many are declined for that to pay.
Language = collections.namedtuple("Language", "generator words dual suffix driver options batch")
C = Language(generator, "words.h", "dual.h", ".c", [], ["-nostdinc++", "-fno-exceptions"], BATCH)
CXX = Language(cxx_generator, "cxx-words.h", "cxx-dual.h", ".cpp", ["--driver-mode=g++"],
               ["-std=c++20"], 1)


def execute(command, limit, environment=None):
    """(exit status or None for too long, stdout, stderr); the limit is of processor time, in seconds"""
    done = processor_time.run(
        command, limit, capture_output=True, text=True, errors="replace",
        env=environment or ENVIRONMENT, check=False,
    )
    return None if processor_time.is_over(done) else done.returncode, done.stdout, done.stderr


def definitions(item):
    """Text that has derivatives.inc or reference.inc read for each way of a program."""
    for number, way in enumerate(item.ways):
        lines = ["#define F f_%d" % item.seed, "#define RUN run_%d_%d" % (item.seed, number)]
        for name, value in zip(("MODE", "WIDTH", "X_IS", "A_IS", "Y_IS", "VALUE", "TAPES"), way):
            lines.append("#define %s %d" % (name, value))
        yield "\n".join(lines)


def source(items, before, between, include, renamed):
    """The file that runs programs and prints, behind a line for each, what they print."""
    parts = ['#include "%s"' % before]
    parts += [renamed(item.text, "_%d" % item.seed) for item in items]
    parts.append('#include "%s"' % between)
    for item in items:
        for text in definitions(item):
            parts.append(text + '\n#include "%s"' % include)
    parts.append("int main(void) {")
    for item in items:
        parts.append('printf("program %d\\n"); fflush(stdout);' % item.seed)
        parts += ["run_%d_%d();" % (item.seed, number) for number in range(len(item.ways))]
    parts.append('printf("program end\\n");\n}\n')
    return "\n".join(parts)


def by_program(output):
    """{seed: lines} of the programs that came to their end, and the one that did not or None."""
    found, seed, lines = {}, None, []
    for line in output.split("\n"):
        if line.startswith("program "):
            if seed is not None:
                found[seed] = lines
            seed, lines = line[8:], []
            if seed == "end":
                return found, None
            seed = int(seed)
        else:
            lines.append(line)
    return found, seed


class Fuzzer:
    """Builds and compares programs; keeps its files in one folder."""

    def __init__(self, plugin, clang, folder, flags=(), strict=False, language=C):
        self.strict = strict
        self.language = language
        self.plugin = os.path.abspath(plugin)
        self.clang = clang
        self.folder = folder
        self.flags = list(flags)
        self.undefined = ""
        self.spent = collections.Counter()
        self.counts = collections.Counter()

    def timed(self, what, command, limit, environment=None):
        start = time.time()
        result = execute(command, limit, environment)
        self.spent[what] += time.time() - start
        return result

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def source(self, items, before, between, include):
        return source(items, before, between, include, self.language.generator.renamed)

    def references(self, items):
        """{seed: lines or why there are none}"""
        path = self.write("reference.cpp", self.source(items, self.language.dual, "plain.h", "reference.inc"))
        binary = os.path.join(self.folder, "reference")
        command = [self.clang, "--driver-mode=g++", *self.language.options, "-O0", "-w",
                   "-I" + INPUTS, path, "-o", binary, "-lm"]
        status, _, errors = self.timed("reference", command, 300)
        if status == 0:
            status, output, errors = self.timed("reference runs", [binary], 60)
        else:
            output = ""
            if len(items) == 1:
                return {items[0].seed: "does not compile: " + errors[:600]}
        lines, stopped = by_program(output)
        if len(items) > 1 and (stopped is not None or not lines):
            for item in items:
                lines.update(self.references([item]))
        elif stopped is not None or not lines:
            lines = {item.seed: "does not run: %s %s" % (status, errors[:300]) for item in items}
        return lines

    def is_defined(self, item):
        """Whether nothing that this program does, in C, is undefined."""
        path = self.write("defined" + self.language.suffix, self.source(
            [item], self.language.words, "calls.h", "primal.inc"))
        binary = os.path.join(self.folder, "defined")
        # The library of C++ is not compiled for the checks of memory.
        for checks in ("undefined,address", "memory")[:1 if self.language is CXX else 2]:
            command = [self.clang, *self.language.driver, "-w", "-O1", "-fsanitize=" + checks, "-fno-sanitize-recover=all",
                       "-I" + INPUTS, "-I" + INCLUDE, path, "-o", binary, "-lm"]
            status, _, errors = self.timed("sanitized", command, 60)
            if status == 0:
                status, _, errors = self.timed("sanitized", [binary], 10, os.environ)
            if status != 0:
                self.undefined = errors
                return False
        return True

    def build(self, items, build, binary):
        """None, or what went wrong in the compiler."""
        as_cxx = build.cxx or self.language is CXX
        path = self.write("programs." + ("cpp" if as_cxx else "c"),
                          self.source(items, self.language.words, "calls.h", "derivatives.inc"))
        command = [self.clang] + (["--driver-mode=g++"] if as_cxx else [])
        command += ["-w", "-" + build.level, "-fpass-plugin=" + self.plugin]
        for option in ways.plugin_options(build) + ["-isozyme-verify-each"]:
            command += ["-mllvm", option]
        command += ways.compiler_options(build) + self.flags
        command += ["-I" + INPUTS, "-I" + INCLUDE, path]
        if as_cxx:
            command += self.language.options[:1]
        if ways.by_bitcode(build):
            bitcode = os.path.join(self.folder, "programs.bc")
            command += ["-c", "-emit-llvm", "-o", bitcode]
            code = [self.clang, *self.language.driver, "-w", "-O0", bitcode, "-o", binary, "-lm"] + self.flags
        else:
            command += ["-o", binary, "-lm"]
        status, _, errors = self.timed("compiler", command, 60 + 10 * len(items))
        if status == 0 and ways.by_bitcode(build):
            status, _, errors = self.timed("code", code, 60)
        if status == 0:
            return None
        if status is None:
            return "compiler takes too long"
        message = re.search(r"error: (.*\b(IZ\d+)\b.*)$", errors, re.M)
        if message:
            return "%s: %s" % (message.group(2), message.group(1)[:300])
        lines = [line for line in errors.split("\n") if line.strip()]
        return "compiler fails: " + " | ".join(lines[:6])[:600]

    def derivatives(self, items, build):
        """{seed: lines or what went wrong}"""
        binary = os.path.join(self.folder, "derivatives")
        failure = self.build(items, build, binary)
        if failure and len(items) == 1:
            return {items[0].seed: failure}
        if failure:
            half = len(items) // 2
            found = self.derivatives(items[:half], build)
            found.update(self.derivatives(items[half:], build))
            return found
        status, output, errors = self.timed("programs run", [binary], 20 + 2 * len(items))
        found, stopped = by_program(output)
        if status == 0 and stopped is None:
            return found
        if len(items) == 1 or stopped is None:
            return {item.seed: "program ends with %s %s" % (status, errors[:200]) for item in items}
        rest = [item for item in items if item.seed not in found]
        found.update(self.derivatives(rest[:1], build))
        if rest[1:]:
            found.update(self.derivatives(rest[1:], build))
        return found

    def check(self, items, build):
        """{seed: Result}"""
        results, sound = {}, []
        references = self.references(items)
        for item in items:
            lines = references[item.seed]
            why = lines if isinstance(lines, str) else unsound(lines)
            if why:
                results[item.seed] = Result("left out", why)
            else:
                sound.append(item)
        got = self.derivatives(sound, build) if sound else {}
        for item in sound:
            lines = got[item.seed]
            why = lines if isinstance(lines, str) else self.difference(
                lines, references[item.seed], tolerance(item.text))
            results[item.seed] = Result(self.verdict(why), why) if why else OK
        return results

    def verdict(self, why):
        """Of a program with which something is not as it should be."""
        return "declined" if not self.strict and re.match("IZ[12]", why) else "failure"

    def difference(self, got, want, within):
        """None, or where two outputs differ first, values before derivatives."""
        if any(line.startswith("leak") for line in got):
            return "leak"
        first, second = numbers(got, "gtv"), numbers(want, "gtv")
        if [name for name, _ in first] != [name for name, _ in second]:
            return "other lines than expected"
        by_differences = differ(numbers(got, "d"), numbers(want, "d"), "d", 1e-4)
        if within < 1e-6:
            self.counts["differences agree" if not by_differences else "differences differ"] += 1
        for word, kinds in (("value", "v"), ("derivative", "gt")):
            wrong = differ(first, second, kinds, within)
            if wrong:
                support = "differ from" if by_differences else "agree with"
                return "wrong %s, %s (differences %s the reference)" % (word, wrong, support)
        return second_derivatives(got) if within < 1e-6 else None


def unsound(lines):
    """Why a reference is of no use, or None."""
    for _, number in numbers(lines, "gtv"):
        if not math.isfinite(number) or abs(number) > LARGEST:
            return "numbers too large"
    return None


def tolerance(text):
    """Of the numbers of a program: its narrowest type decides."""
    if "HALF(" in text:
        return 2e-2
    return 3e-4 if re.search(r"\bfloat\b|\bCOMPLEX_FLOAT\b", text) else 1e-8


def numbers(lines, kinds):
    """The (name, number) lines of these kinds."""
    return [(line[0], float(line[2:])) for line in lines
            if line[1:2] == " " and line[0] in kinds]


def differ(got, want, kinds, within):
    """None, or the first place where numbers of these kinds differ."""
    # Small numbers are differences of larger ones: one scale for all.
    scale = max([1e-2] + [abs(number) for name, number in want if name in kinds])
    for place, ((name, a), (_, b)) in enumerate(zip(got, want)):
        if name in kinds and not abs(a - b) <= within * scale:
            return "number %d: %r instead of %r" % (place + 1, a, b)
    return None


def second_derivatives(lines):
    """None, or where second derivatives are not what differences of gradients are."""
    rows = [[float(word) for word in line[2:].split()] for line in lines if line.startswith("h ")]
    scale = max([1e-2] + [abs(number) for row in rows for number in row[1:]])
    for place, (got, wide, narrow) in enumerate(rows):
        # Either of two steps may cross a kink.
        if not min(abs(got - wide), abs(got - narrow)) <= 2e-4 * scale:
            if abs(wide - narrow) > 1e-3 * scale:
                continue
            return "wrong second derivative, %d: %r instead of %r" % (place + 1, got, narrow)
    return None


def batches(options):
    """Lists of seeds; those of one list are compiled together."""
    if options.seeds:
        first, _, last = options.seeds.partition("-")
        first, last = int(first), int(last or first)
    else:
        first = options.seed
        if options.fresh:
            first = int.from_bytes(os.urandom(4), "little") // BATCH * BATCH
        last = sys.maxsize
    print("first seed: %d" % first, flush=True)
    end = time.time() + 60 * (options.minutes or (1 if last == sys.maxsize else 1e6))
    while first <= last and time.time() < end:
        size = (CXX if options.cxx else C).batch
        next_batch = min(first - first % size + size, last + 1)
        yield list(range(first, next_batch))
        first = next_batch


def item_of(seed, options):
    text = cxx_generator.generate(seed) if options.cxx else generator.generate(seed, options.only)
    chosen = [Way.parse(way) for way in options.ways] or ways.ways(seed, text)
    return Item(seed, text, chosen)


def repeat(options, program, item, build):
    command = "%s --plugin %s --program %s --build %s" % (
        os.path.relpath(os.path.abspath(__file__)), options.plugin, program, build.text())
    command += " --cxx" if options.cxx else ""
    return command + "".join(" --ways " + way.text() for way in item.ways)


def report(fuzzer, options, item, build, why):
    """Saves a program that fails, makes it smaller if that is asked for, and prints."""
    os.makedirs(options.save, exist_ok=True)
    saved = os.path.join(options.save, "%d%s" % (item.seed, fuzzer.language.suffix))
    with open(saved, "w") as file:
        file.write(item.text)
    print("seed %d: %s\n  %s" % (item.seed, why, repeat(options, saved, item, build)), flush=True)
    if options.reduce:
        import reduce
        reducer = reduce.Reducer(fuzzer, item, build, time.time() + 60 * options.reduce)
        small = reducer.reduce(item.text)
        if small:
            path = os.path.join(options.save, "%d.small%s" % (item.seed, fuzzer.language.suffix))
            with open(path, "w") as file:
                file.write(small)
            print("  reduced, with %s: %s\n%s" % (
                " ".join("--ways " + way.text() for way in reducer.item.ways), path, small),
                flush=True)
        else:
            print("  does not fail alone", flush=True)


def summary(fuzzer, counts, covered, start):
    total = sum(counts.values())
    seconds = time.time() - start
    print(", ".join("%d %s" % (n, result) for result, n in sorted(counts.items())))
    print("%d programs in %.0f s: %.2f per second" % (total, seconds, total / max(seconds, 1e-9)))
    print(", ".join("%s %.0f s" % pair for pair in fuzzer.spent.most_common()))
    print(", ".join("%s: %d" % pair for pair in sorted(fuzzer.counts.items())))
    for kind, tally in covered.items():
        print("%s: %s" % (kind, ", ".join("%s %d" % pair for pair in sorted(tally.items()))))


def run(options, fuzzer):
    counts, start = collections.Counter(), time.time()
    declined = collections.Counter()
    covered = {"declined": declined, "levels": collections.Counter(), "kept": collections.Counter(),
               "modes": collections.Counter(), "widths": collections.Counter()}
    log = open(options.log, "a") if options.log else None
    for seeds in batches(options):
        build = Build.parse(options.build) if options.build else ways.build(
            seeds[0] // (CXX if options.cxx else C).batch * BATCH)
        items = [item_of(seed, options) for seed in seeds]
        results = fuzzer.check(items, build)
        for item in items:
            result = results[item.seed]
            counts[result.verdict] += 1
            covered["levels"][build.level] += 1
            covered["kept"][build.keep] += 1
            for way in item.ways:
                covered["modes"][ways.MODES[way.mode]] += 1
                covered["widths"][way.width] += 1
            if result.verdict == "left out" and result.why != "numbers too large":
                print("seed %d left out: %s" % (item.seed, result.why), flush=True)
            if result.verdict == "declined":
                declined[result.why.split(":")[0]] += 1
                print("seed %d declined: %s" % (item.seed, result.why[:120]), flush=True)
            if result.verdict == "failure":
                report(fuzzer, options, item, build, result.why)
        if log:
            log.write(json.dumps({"first": seeds[0], "last": seeds[-1], "build": build.text(),
                                  "failures": sum(r.verdict == "failure" for r in results.values()),
                                  "at": round(time.time() - start, 1)}) + "\n")
            log.flush()
    summary(fuzzer, counts, covered, start)
    return 1 if counts["failure"] else 0


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-22", help="the clang program")
    parser.add_argument("--cxx", action="store_true", help="C++ programs, not C")
    parser.add_argument("--seeds", metavar="A-B", help="from A up to B")
    parser.add_argument("--minutes", type=float, help="as many seeds as there is time for")
    parser.add_argument("--seed", type=int, default=0, help="the first one, with --minutes")
    parser.add_argument("--fresh", action="store_true", help="start from a seed by chance")
    parser.add_argument("--only", metavar="KIND", help="one kind of templates.py in every program")
    parser.add_argument("--program", help="this program instead of random ones")
    parser.add_argument("--ways", action="append", default=[], help="see ways.py; may be repeated")
    parser.add_argument("--build", help="see ways.py")
    parser.add_argument("--save", default="fuzz-failures", help="folder of failing programs")
    parser.add_argument("--reduce", type=float, metavar="MINUTES", help="make them smaller")
    parser.add_argument("--strict", action="store_true", help="an error is a failure, too")
    parser.add_argument("--log", help="one line for each batch is appended to this file")
    parser.add_argument("--flag", action="append", default=[], help="passed on to clang")
    return parser.parse_args()


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(options.plugin, options.clang, folder, options.flag, options.strict,
                        CXX if options.cxx else C)
        if not options.program:
            return run(options, fuzzer)
        with open(options.program) as file:
            item = Item(0, file.read(), [Way.parse(way) for way in options.ways])
        result = fuzzer.check([item], Build.parse(options.build))[0]
        print(*result)
        return 0 if result == OK else 1


if __name__ == "__main__":
    sys.exit(main())
