#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the entry points in random shapes: right answers or clean errors. Usage: shapes.py --help

Part of the calls of a module are valid, and what they must give is known (shape_calls.py); the others are mutated ones. A
module is compiled; each call must have at most one error, at its own line, with a number of the kind 1xx or
2xx, and valid ones none. Then all calls that had no error are compiled once more, under -isozyme-verify-each; nothing may be left of
any, and the valid ones are run. Deterministic by seed: module N is always the same.
"""
import argparse
import os
import random
import re
import sys
from pathlib import Path

import shape_calls as calls

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import processor_time  # noqa: E402

PRELUDE = r"""
#include <math.h>
#include <stdio.h>
struct Two { double a, b; };
struct Three { double v[3]; };
struct Big { double v[20]; };
struct Mixed { int n; double x; float *p; };
struct None {};
typedef double quad __attribute__((vector_size(32)));
extern int MARKERS;
extern void use(void *);
double bodyless(double);
extern void *table[2];
struct Three triple(double x) { return (struct Three){{x, x * x, 2 * x}}; }
double ofTriple(struct Three t) { return t.v[0] * t.v[1]; }
double ofMixed(struct Mixed m) { return m.x * m.n; }
quad ofQuad(quad q) { return q * q; }
int count(int n) { return n + 1; }
double *address(double *p) { return p + 1; }
double variadic(double x, ...) { return x; }
void nothing(void) {}
"""
MAIN = r"""
static int failures;
static void check(const char *call, const char *what, double got, double wanted, double tolerance) {
  double scale = fabs(wanted) > 1 ? fabs(wanted) : 1;
  if (!(fabs(got - wanted) <= tolerance * scale)) {
    printf("%s: %s is %.17g, but must be %.17g\n", call, what, got, wanted);
    failures++;
  }
}
"""


def lines_of(call, name):
    """Declarations in front, and the line of the call itself."""
    entry = f"{call.entry}_{name}" if call.entry != "__enzyme_iter" else call.entry
    declared = [call.struct] if getattr(call, "struct", "") else []
    types = [t for _, t in call.tokens]
    variadic = call.style == "variadic" and types and types[0] == "void *"
    parameters = "void *, ..." if variadic else "" if call.style == "old" or not types else ", ".join(types)
    if call.entry == "__enzyme_iter":
        parameters = ""
    local = [t for t in types if t.startswith("struct S")]
    inside = f"{call.result} {entry}({parameters});"
    text = f"{entry}({', '.join('(%s)' % v if v not in ('two',) else v for v, _ in call.tokens)});"
    return declared, inside, text, bool(local)


def module(seed, count, share):
    rng = random.Random(seed)
    made = []
    for i in range(count):
        name = f"{seed}_{i}"
        call = calls.valid_call(rng, name)
        if rng.random() < share:
            made.append((name, call, True))
        else:
            if call.first and rng.random() < 0.5:
                call = call.first
            call.first = None
            made.append((name, calls.mutate(rng, call), False))
    return made


def write(path, made, keep=None):
    """Writes the calls; with keep, those alone, with a main function. Gives {line: name}."""
    out = PRELUDE.replace("MARKERS", ", ".join("enzyme_" + m for m in calls.MARKERS)).split("\n")
    for name, (_, _, text, _) in calls.FUNCTIONS.items():
        out += [text, re.sub(r"\b%s\(" % name, name + "_again(", text, count=1)]
    out += ["void *function = (void *)sq;"]
    if keep is not None:
        out += MAIN.split("\n")
        out += ["void *table[2];", "void use(void *p) {}"]
    where, valid_names = {}, []
    for name, call, valid in made:
        if keep is not None and name not in keep:
            continue
        parts = [c for c in (call.first, call) if c]
        for part in parts:
            if getattr(part, "struct", ""):
                out.append(part.struct)
        out.append(f"void call_{name}(int n, double x, double *p, struct Two two, struct Three three, "
                   "struct Big big, struct Mixed mixed, struct None none, quad fours) {")
        out.append("  void *undefined; double undefined_number;")
        out += ["  " + b for b in call.before]
        if not valid:  # In place of the first half's result.
            out.append("  struct { void *tape; } t;" if ("t.tape", "void *") in call.tokens else "  void *t = p;")
        for part in parts:
            _, prototype, text, _ = lines_of(part, name + ("_first" if part is call.first else ""))
            out.append("  " + prototype)
            if part.result == "void":
                out.append("  " + text)
            else:
                variable = "t" if part is call.first else "r"
                out.append(f"  {part.result} {variable} = {text}")
            where[len(out)] = name
            if part.result != "void":
                out.append(f"  use(&{'t' if part is call.first else 'r'});")
            if keep is not None and valid:
                for what, wanted, tolerance in part.checks:
                    out.append(f'  check("{name}", "{what}", {what}, {wanted!r}, {tolerance});')
        out.append("}")
        if valid:
            valid_names.append(name)
    if keep is not None:
        out.append("int main(void) {")
        out.append("  struct Two two = {0}; struct Three three = {0}; struct Big big = {0}; struct Mixed mixed = {0};"
                   " struct None none = {}; quad q = {0}; double p[64] = {0};")
        out += [f"  call_{name}(0, 1.0, p, two, three, big, mixed, none, q);" for name in valid_names]
        out.append("  return failures != 0;")
        out.append("}")
    path.write_text("\n".join(out) + "\n")
    return where


def run(options, command):
    environment = dict(os.environ)
    if options.preload and command[0] == options.clang:
        command = ["env", "LD_PRELOAD=" + options.preload] + command
    done = processor_time.run(command, 600, capture_output=True, text=True, errors="replace", env=environment)
    if processor_time.is_over(done):
        return 124, "needs more than 600 s of processor time"
    return done.returncode, done.stdout + done.stderr


def compile_command(options, level, source, *more):
    return [options.clang, level, "-g1", "-w", "-ferror-limit=0", "-fno-caret-diagnostics", "-std=gnu17",
            "-fpass-plugin=" + options.plugin, str(source), *more]


def one_module(options, seed):
    """Complaints about a module, and how many calls had errors."""
    level = random.Random(seed).choice(["-O0", "-O1", "-O2"])
    made = module(seed, options.calls, options.valid)
    source = Path(options.save) / f"calls-{seed}.c"
    where = write(source, made)
    status, text = run(options, compile_command(options, level, source, "-c", "-o", str(source) + ".o"))
    complaints, failed = [], {}
    validity = {name: valid for name, _, valid in made}
    if status not in (0, 1) or "Stack dump" in text:
        complaints.append(f"module {seed} {level}: status {status}: " + "\n".join(text.splitlines()[-12:]))
    for match in re.finditer(r"^(\S+?):(\d+):\d+: error: (.*)$|^error: (.*)$", text, re.M):
        line, message = int(match[2] or 0), match[3] or match[4]
        name = where.get(line)
        number = re.search(r"\[IZ(\d)\d\d\]$", message)
        if "errors generated" in message:
            continue
        if not name:
            complaints.append(f"module {seed} {level}: line {line} is none of a call: {message}")
        elif not number or number[1] not in "12":
            complaints.append(f"{name} {level}: {message}")
        elif validity[name]:
            complaints.append(f"{name} {level}: valid, but: {message}")
        elif name in failed:
            complaints.append(f"{name} {level}: a second error: {message}")
        if name:
            failed[name] = message
    keep = {name for name in validity if name not in failed}
    if not complaints or status in (0, 1):
        second, program = Path(options.save) / f"accepted-{seed}.c", Path(options.save) / f"accepted-{seed}"
        write(second, made, keep)
        status, text = run(options, compile_command(options, level, second, "-mllvm", "-isozyme-verify-each",
                                                    "-Wl,--defsym=bodyless=0", "-lm", "-o", str(program)))
        if status:
            complaints.append(f"module {seed} {level}, accepted calls: status {status}: " +
                              "\n".join(text.splitlines()[:12]))
        else:
            status, text = run(options, [str(program)])
            if status:
                complaints.append(f"module {seed} {level}: the program ends with {status}: " +
                                  "\n".join(text.splitlines()[:12]))
        if not complaints:
            for path in (program, second):
                path.unlink()
    if not complaints:
        source.unlink()
    Path(str(source) + ".o").unlink(missing_ok=True)
    return complaints, len(made), len(failed), sum(validity.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--seeds", default="1-5", help="numbers of modules, as 1-5")
    parser.add_argument("--calls", type=int, default=400, help="calls in a module")
    parser.add_argument("--valid", type=float, default=0.25, help="share of valid calls")
    parser.add_argument("--save", default=".", help="where sources of failures stay")
    parser.add_argument("--preload", default=os.environ.get("ISOZYME_TEST_PRELOAD", ""))
    options = parser.parse_args()
    Path(options.save).mkdir(parents=True, exist_ok=True)
    first, _, last = options.seeds.partition("-")
    total = errors = valid = bad = 0
    for seed in range(int(first), int(last or first) + 1):
        complaints, made, failed, right = one_module(options, seed)
        total, errors, valid, bad = total + made, errors + failed, valid + right, bad + len(complaints)
        print("\n".join(complaints), end="\n" if complaints else "", flush=True)
    print(f"{total} calls: {valid} valid, {errors} with an error, {total - valid - errors} mutated and accepted; "
          f"{bad} complaints")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
