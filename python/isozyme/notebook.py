# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cell magic of notebooks: %%isozyme compiles a cell of C or C++.

    %%isozyme spring "double energy(const double x[n], int n)" --std c++20
    double energy(const double *x, int n) { ... }

stores the module in the variable `spring`, and shows how each function is differentiated.
"""
import argparse
import shlex

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import display

from .explanation import explain
from .library import load


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(f"{message}; %%isozyme? shows how it is used")


def parser():
    made = Parser(prog="%%isozyme", add_help=False)
    made.add_argument("variable")
    made.add_argument("functions", nargs="+")
    made.add_argument("--std")
    made.add_argument("--language", choices=["c", "c++"])
    made.add_argument("--modes", default="vjp,jvp,hvp")
    made.add_argument("--flags", default="")
    made.add_argument("--quiet", action="store_true")
    return made


@magics_class
class IsozymeMagics(Magics):
    @cell_magic
    def isozyme(self, line, cell):
        """Compiles the cell, and stores its functions as a module in a variable.

        %%isozyme VARIABLE DECLARATION... [--std c++20] [--flags "-O3 -DN=3"] [--modes vjp,jvp] [--language c] [--quiet]

        A declaration is what isozyme.load takes: "double energy(const double x[n], int n)", or the name alone. Below
        the cell stands a page for each function that shows how it is differentiated; --quiet leaves the pages out.
        """
        try:
            asked = parser().parse_args(shlex.split(line))
        except ValueError as problem:  # Of a quotation mark without a second one.
            raise UsageError(f"%%isozyme: {problem}") from None
        if not asked.variable.isidentifier():
            raise UsageError(f"'{asked.variable}' can not be the name of a variable; %%isozyme? shows how it is used")
        module = load(source=cell, functions=asked.functions, std=asked.std, flags=shlex.split(asked.flags),
                      language=asked.language, modes=[m for m in asked.modes.split(",") if m])
        self.shell.user_ns[asked.variable] = module
        if not asked.quiet:
            for function in module:
                display(explain(function))
