#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the examples of the page on diagnostics: each error and warning comes as promised.

Usage: diagnostic-examples.py PAGE WORK-FOLDER CLANG [FLAG...]

In the section of an id, a comment before each block of code says what it is:
  <!-- example: wrong -->   a program with one mistake: one error or warning, with the id
  <!-- example: right -->   a program without: the compiler says nothing
  <!-- example: lines -->   lines that are tried one by one. A line with the comment 'right' is
                            right, the others are wrong. Those that do not differentiate or
                            register anything, which takes a '(void *)', belong to all of them.
  <!-- example: text -->    no program
The comment may go on with code that the reader can do without, in which a line '...' is the place
of the block or of one of its lines; without it, the code comes before. If nothing else is said,
lines are in a function, whose parameters are x, y, n, p, dp, q and dq. The comment
<!-- example: preamble --> before the first section is the start of every program.
"""
import re
import subprocess
import sys
from pathlib import Path

FUNCTION = """void example(double x, double y, int n, double *p, double *dp, double *q, double *dq) {
...
}
"""
BLOCK = re.compile(r"^## (?P<section>\S+?):"
                   r"|(?:^<!-- example: (?P<kind>\w+)\s(?P<around>(?:(?!-->).)*)-->\n+)?"
                   r"^```(?P<language>\w*)\n(?P<code>.*?)^```", re.M | re.S)
CASE = re.compile(r"\(void \*\)")
RIGHT = re.compile(r"(?:/\*|//) right\b")
RESULT = re.compile(r"^\s*(?:struct )?\w+ (\w+) = ")
PLACED = re.compile(r"^\.\.\.\n", re.M)


class Page:
    def __init__(self, path, folder, compiler):
        self.path, self.folder, self.compiler = path, folder, compiler
        self.preamble = None
        self.complaints, self.programs = [], 0
        self.compiled, self.provoked = {}, set()  # By id: where its last example is.

    def complain(self, line, what):
        self.complaints.append(f"{self.path}:{line}: {what}")

    def compile(self, program, language):
        """What the compiler complains about: pairs of an id, or of nothing, and a message."""
        self.programs += 1
        file = self.folder / f"{self.programs}.{language}"
        file.write_text(program)
        done = subprocess.run([*self.compiler, str(file)], stderr=subprocess.PIPE, text=True)
        said = re.findall(r"^.*?\b(?:error|warning): .*", done.stderr, re.M)
        if done.returncode and not said:
            said = [f"status {done.returncode}: {done.stderr}"]
        return [(re.findall(r"\[(IZ\d+)\]$", message), message) for message in said]

    def expect(self, number, right, line, program, language):
        """Is what the compiler says about a program in the section of an id what it should?"""
        ids = [] if right else [number]
        self.compiled[number] = line
        self.provoked.update(ids)
        said = self.compile(program, language)
        if [found for found, _ in said] != [[number] for number in ids]:
            messages = "".join(f"\n    {message}" for _, message in said) or " nothing"
            self.complain(line, f"promises {' '.join(ids) or 'no message'}, but gives{messages}")

    def place(self, around, code, line):
        """The code where the program around it wants it; the page's line numbers."""
        code = f'#line {line} "{self.path.name}"\n{code.rstrip()}\n#line 1 "comment"\n'
        return PLACED.sub(lambda _: code, around) if PLACED.search(around) else around + code

    def lines(self, number, line, around, code, language):
        start = self.preamble
        if not PLACED.search(around):
            start, around = start + around, FUNCTION
        lines = list(enumerate(code.splitlines(), line))
        common = "".join(f'#line {at} "{self.path.name}"\n{text}\n' for at, text in lines
                         if not CASE.search(text))
        if not CASE.search(code):
            self.complain(line, "none of these lines has a '(void *)': 'wrong' or 'right'")
        for at, text in lines:
            if CASE.search(text):
                result = RESULT.search(text)  # What nobody looks at has a warning of its own.
                used = f"\n  use(&{result[1]});" if result else ""
                self.expect(number, RIGHT.search(text), at,
                            start + common + self.place(around, text + used, at), language)

    def example(self, number, line, block):
        kind, around, code = block["kind"], block["around"] or "", block["code"]
        language = block["language"]
        if kind == "text":
            return
        if language not in ("c", "cpp"):
            self.complain(line, f"a block in '{language}' is no program: 'example: text'")
        elif kind == "lines":
            self.lines(number, line, around, code, language)
        elif kind in ("wrong", "right"):
            self.expect(number, kind == "right", line,
                        self.preamble + self.place(around, code, line), language)
        else:
            self.complain(line, "no '<!-- example: ... -->' says what this block is")

    def check(self):
        text, number = self.path.read_text(), None
        for block in BLOCK.finditer(text):
            if block["section"]:
                number = block["section"]
                continue
            line = text.count("\n", 0, block.start("code")) + 1
            if block["kind"] == "preamble":
                self.preamble = self.place(block["around"], block["code"], line)
            elif self.preamble is None:
                self.complain(line, "there is no preamble before the first example")
                break
            else:
                self.example(number, line, block)
        for number in sorted(self.compiled.keys() - self.provoked):
            self.complain(self.compiled[number], f"no example provokes {number}")


folder = Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
page = Page(Path(sys.argv[1]), folder, sys.argv[3:])
page.check()
print("\n".join(page.complaints) or f"{page.programs} programs")
sys.exit(bool(page.complaints) or page.programs < 50)
