# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command line says."""
import argparse
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SUITE = ROOT / "benchmarks"
# Programs with tables of their own; the suite's have a Size list.
APART = ("width", "sparse")
PEERS = ("hand", "differences", "adolc", "sacado", "cppad", "pytorch", "jax")


def fail(message):
    sys.exit("bench: " + message)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(message)


def programs():
    found = (path.parent.name for path in SUITE.glob("*/*.cpp") if path.stem == path.parent.name)
    return sorted(name for name in found if name not in APART)


class Plugin:
    """A plugin with Enzyme's interface, and the compiler that loads it."""

    def __init__(self, name, path, clang, load, flags):
        self.name, self.path, self.clang, self.load, self.flags = name, path, clang, load, flags

    @staticmethod
    def read(text, clang):
        name, equals, rest = text.partition("=")
        fields = rest.split(",")
        if not equals or not name or not fields[0]:
            fail(f"'{text}' is not name=path[,clang=path][,load=option][,flag=flag]")
        if not Path(fields[0]).is_file():
            fail(f"there is no plugin '{fields[0]}'")
        # The form that clang's own plugins of Enzyme have registers its passes when it is loaded.
        load = "-fplugin" if Path(fields[0]).name.startswith("ClangEnzyme") else "-fpass-plugin"
        flags = []
        for field in fields[1:]:
            key, equals, value = field.partition("=")
            if key == "clang" and value:
                clang = value
            elif key == "load" and value:
                load = value
            elif key == "flag" and value:
                flags.append(value)
            else:
                fail(f"'{field}' in '{text}' is not clang=path, load=option or flag=flag")
        return Plugin(name, str(Path(fields[0]).resolve()), clang, load, flags)


def parser(text):
    p = Parser(prog="bench", description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("programs", nargs="*", metavar="PROGRAM[:SIZE]", help="default: all, at all sizes but the smallest")
    p.add_argument("--list", action="store_true", help="names programs and sizes")
    p.add_argument("--check", action="store_true", help="compares the gradients and measures nothing")
    p.add_argument("--quick", action="store_true", help="the smallest sizes, measured shortly: no figures for people")
    p.add_argument("--level", action="append", default=[], help="-O2 (default), -O3 ...; may be repeated: --level=-O3")
    p.add_argument("--flag", action="append", default=[], help="passed on to every compiler: --flag=-march=native")
    p.add_argument("--clang", default=None, help="the C++ compiler (default: $CLANGXX or clang++-22)")
    p.add_argument("--isozyme", metavar="PLUGIN", default=None, help="default: $ISOZYME_PLUGIN or build/lib/Isozyme.so")
    p.add_argument("--plugin", action="append", default=[], metavar="NAME=PATH[,clang=PATH][,load=OPTION][,flag=FLAG]",
                   help="another plugin with the same interface, or this one with other flags")
    p.add_argument("--peers", default=None, metavar="NAMES",
                   help=f"of {','.join(PEERS)} (default: hand and what is installed)")
    p.add_argument("--python", default=sys.executable, help="the Python that has PyTorch or JAX")
    p.add_argument("--early", action="store_true", help="also differentiates before optimisation")
    p.add_argument("--repetitions", type=int, default=9, help="rounds of measurements (default: 9)")
    p.add_argument("--seconds", type=float, default=0.05, help="a measurement takes so long (default: 0.05)")
    p.add_argument("--core", type=int, default=None, help="the processor core (default: the last one)")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs built at once (default: all cores)")
    p.add_argument("--part", metavar="I/N", help="of all programs every n-th, from the i-th on")
    p.add_argument("--limit", type=float, default=300, help="seconds after which an answer is given up (default: 300)")
    p.add_argument("--markdown", metavar="FILE", help="writes the tables; a file with marks gets them between these")
    p.add_argument("--json", metavar="FILE")
    p.add_argument("--plot", metavar="FILE.svg")
    return p


def chosen_peers(text):
    if text is None:
        return [peer for peer in PEERS if peer != "differences"]
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in PEERS:
            fail(f"there is no peer '{name}'; the peers are {', '.join(PEERS)}")
    return names


def chosen_programs(words):
    """A list of (program, size or None)."""
    known = programs()
    result = []
    for word in words or known:
        name, _, size = word.partition(":")
        if name not in known and name not in APART:
            fail(f"there is no program '{name}'; tools/bench --list names them")
        result.append((name, size or None))
    return result


def part_of(chosen, text):
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if not match or int(match[1]) > int(match[2]):
        fail(f"--part is something like 1/3, and not '{text}'")
    return chosen[int(match[1]) - 1::int(match[2])]


def read(text, words):
    options = parser(text).parse_args(words)
    if options.repetitions < 1:
        fail("--repetitions is a number from 1 on")
    if options.jobs < 1:
        fail("--jobs is a number from 1 on")
    if not options.seconds > 0:
        fail("--seconds is a number above 0")
    cores = os.sched_getaffinity(0)
    if options.core is None:
        options.core = max(cores)
    if options.core not in cores:
        fail(f"there is no core {options.core} here")
    options.clang = options.clang or os.environ.get("CLANGXX", "clang++-22")
    options.isozyme = options.isozyme or os.environ.get("ISOZYME_PLUGIN", str(ROOT / "build/lib/Isozyme.so"))
    options.level = options.level or ["-O2"]
    if options.quick:
        options.repetitions, options.seconds = 2, 0.001
    options.peers = chosen_peers(options.peers)
    options.programs = chosen_programs(options.programs)
    if options.part:
        options.programs = part_of(options.programs, options.part)
    options.plugins = [Plugin.read("Isozyme=" + options.isozyme, options.clang)]
    options.plugins += [Plugin.read(text, options.clang) for text in options.plugin]
    names = [plugin.name for plugin in options.plugins]
    if len(set(names)) < len(names):
        fail(f"two plugins have the same name: {', '.join(names)}")
    return options
