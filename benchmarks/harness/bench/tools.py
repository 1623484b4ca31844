# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How each tool makes a program that measures: the command that answers, or why there is none."""
import functools
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .options import APART, SUITE

STANDARD = ["-std=c++20"]
NOT_WRITTEN = "the program is not written for it"
PYTHON_WORKER = SUITE / "harness" / "python_worker.py"


class Missing(Exception):
    """Why a tool has no program here."""


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines() or ["the compiler failed"]
        raise Missing(next((line for line in lines if "error" in line), lines[-1]))


class Compiled:
    """A tool that a compiler's flags bring in."""

    way = "tool"

    def __init__(self, name, clang, flags, libraries=(), needs=None):
        self.name, self.clang, self.flags, self.libraries, self.needs = name, clang, flags, list(libraries), needs
        self.made = {}

    def source(self, program):
        return str(SUITE / program / f"{program}.cpp")

    def missing(self):
        return f"{self.needs} is not installed" if self.needs and not Path(self.needs).exists() else ""

    def command(self, program, level, options, folder):
        """Builds the program, once; returns the command that runs it."""
        if (program, level) not in self.made:
            out = folder / f"{program}-{re.sub(r'[^A-Za-z0-9]', '_', self.name + level)}"
            try:
                self.build(program, [level, *options.flag], out)
                self.made[program, level] = out
            except Missing as why:
                self.made[program, level] = why
        if isinstance(self.made[program, level], Missing):
            raise self.made[program, level]
        return [str(self.made[program, level])]

    def build(self, program, flags, out):
        run([self.clang, *STANDARD, *flags, *self.flags, self.source(program), "-o", str(out), *self.libraries])


class Early(Compiled):
    """Isozyme, which gets the program as the front end leaves it, and optimisation after that."""

    def __init__(self, plugin):
        super().__init__(plugin.name + " early", plugin.clang, plugin.flags)
        self.plugin = plugin

    def build(self, program, flags, out):
        before, after = f"{out}.before.bc", f"{out}.after.bc"
        run([self.clang, *STANDARD, *flags, "-DBENCH_PLUGIN", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm",
             self.source(program), "-o", before])
        opt = self.clang.replace("clang++", "opt")
        run([opt, f"-load-pass-plugin={self.plugin.path}", "-passes=isozyme", before, "-o", after])
        run([self.clang, *flags, after, "-o", str(out)])


class Python:
    """A framework whose programs are in python_worker.py."""

    way = "tool"

    def __init__(self, name, framework, python):
        self.name, self.framework, self.python = name, framework, python

    @functools.cached_property
    def known(self):
        return subprocess.run([self.python, str(PYTHON_WORKER), "--programs"], stdout=subprocess.PIPE,
                              text=True).stdout.split()

    def missing(self):
        test = [self.python, "-c", f"import {self.framework}"]
        installed = subprocess.run(test, stderr=subprocess.DEVNULL).returncode == 0
        return "" if installed else f"{self.python} has no {self.framework}"

    def command(self, program, level, options, folder):
        if program not in self.known:
            raise Missing(NOT_WRITTEN)
        return [self.python, str(PYTHON_WORKER), self.framework, program]


def build_all(tools, options, folder):
    """So that what follows finds all programs built, and the machine at rest."""

    def build(job):
        tool, program, level = job
        try:
            tool.command(program, level, options, folder)
        except Missing:
            pass  # Who asks for the program is told.

    names = {name for name, _ in options.programs if name not in APART}
    jobs = [(tool, name, level) for name in sorted(names) for tool in tools for level in options.level]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(build, jobs))


def plugin_tool(plugin):
    flags = ["-DBENCH_PLUGIN", f"{plugin.load}={plugin.path}", *plugin.flags]
    return Compiled(plugin.name, plugin.clang, flags)


def peer_tool(name, options):
    trilinos = "/usr/include/trilinos"
    made = {
        "adolc": lambda: Compiled("ADOL-C", options.clang, ["-DBENCH_ADOLC"], ["-ladolc"],
                                  "/usr/include/adolc/adolc.h"),
        "sacado": lambda: Compiled("Sacado", options.clang, ["-DBENCH_SACADO", "-w", "-isystem", trilinos],
                                   ["-ltrilinos_sacado", "-ltrilinos_kokkoscore"], trilinos + "/Sacado_trad.hpp"),
        "cppad": lambda: Compiled("CppAD", options.clang, ["-DBENCH_CPPAD"], ["-lcppad_lib"],
                                  "/usr/include/cppad/cppad.hpp"),
        "pytorch": lambda: Python("PyTorch", "torch", options.python),
        "jax": lambda: Python("JAX", "jax", options.python),
    }
    return made[name]()


def all_tools(options):
    """The tools with programs of their own, the first of which is Isozyme; and a note on each that is left out."""
    tools = [plugin_tool(plugin) for plugin in options.plugins]
    if options.early:
        tools.append(Early(options.plugins[0]))
    notes = []
    for peer in options.peers:
        if peer in ("hand", "differences"):
            continue
        tool = peer_tool(peer, options)
        reason = tool.missing()
        if reason:
            notes.append(f"{tool.name} is left out: {reason}")
        else:
            tools.append(tool)
    return tools, notes
