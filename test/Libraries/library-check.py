#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differentiates functions of public libraries, compiled as they are, and compares with differences.

    library-check.py [--work FOLDER] [--levels 0,1,2,3] [--markdown FILE] [--json FILE] [LIBRARY[:FUNCTION] ...]

Downloads source packages of Debian (104 MB with the lists; apt checks what it gets), compiles each library by `isozyme
cc -flto` at each level, and links one program for each function of Inputs/LIBRARY.c. The program computes the gradient,
and differences. A gradient is right if it differs by at most 1e-6 of its greatest part. The time is that of the linker,
where the derivative is made, in times of a link without one. The exit status is 1 if a gradient is wrong or a compiler
crashes, and 0 otherwise, also where Isozyme declines with a message, or the program stops with one of its errors.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from sources import Sources  # noqa: E402

MARKS = ("<!-- libraries: begin -->", "<!-- libraries: end -->")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions", nargs="*", metavar="LIBRARY[:FUNCTION]", help="default: all")
    parser.add_argument("--isozyme", default=str(ROOT / "build/bin/isozyme"))
    parser.add_argument("--libraries", type=Path, default=HERE / "Inputs", metavar="FOLDER",
                        help="LIBRARY.json says what belongs to a library, LIBRARY.c has functions that use it")
    parser.add_argument("--work", default=str(ROOT / "build/library-check"), help="what is downloaded and compiled")
    parser.add_argument("--levels", default="0,1,2,3")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=300, help="seconds of processor time for a link (default: 300)")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--markdown", metavar="FILE", help="writes the table between the marks of a page")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def run(command, limit=None, **more):
    """(status, output of both kinds, seconds of processor time)"""
    if limit:
        command = ["/bin/bash", "-c", 'ulimit -t "$0"; exec "$@"', str(limit), *command]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)
    output = child.stdout.read()
    _, status, spent = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, output, spent.ru_utime + spent.ru_stime


class Library:
    """What Inputs/NAME.json says, its source, and its archives, one for each level."""

    def __init__(self, name, options):
        self.name, self.options = name, options
        for key, value in json.loads((options.libraries / f"{name}.json").read_text()).items():
            setattr(self, key, value)
        self.driver = next(options.libraries.glob(f"{name}.c*"))
        self.is_cxx = self.driver.suffix == ".cpp"
        self.place = Path(options.work) / name
        self.place.mkdir(parents=True, exist_ok=True)

    def given(self, name, default=()):
        return getattr(self, name, default)

    def is_there(self):
        return self.given("package") or (Path("/usr/include") / self.header).exists()

    def prepare(self, sources):
        self.tree = sources.of(self.package) if self.given("package") else self.place
        shutil.rmtree(self.place / "include", ignore_errors=True)
        for folder, patterns in self.given("links", {}).items():
            (self.place / "include" / folder).mkdir(parents=True, exist_ok=True)
            for header in (h for p in patterns for h in self.tree.glob(p)):
                link = self.place / "include" / folder / header.name
                link.unlink(missing_ok=True)
                link.symlink_to(header)
        for file, lines in self.given("files", {}).items():
            target = self.place / "include" / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(lines) + "\n")
        folders = [self.place / "include", *(self.tree / i for i in self.given("includes"))]
        self.flags = [f"-I{f}" for f in folders] + list(self.given("flags"))
        self.own_flags = [*self.given("own_flags"), *(f"-I{self.tree / i}" for i in self.given("own_includes"))]

    def compiler(self, is_cxx):
        return [self.options.isozyme, "c++", "-std=c++20"] if is_cxx else [self.options.isozyme, "cc"]

    def folder(self, level):
        """What was compiled with other flags is not taken for what is compiled now."""
        return self.place / f"O{level}-{hashlib.sha256(repr(self.flags + self.own_flags).encode()).hexdigest()[:8]}"

    def compile(self, level):
        """The archive of a level."""
        folder = self.folder(level)
        folder.mkdir(exist_ok=True)
        without = {f for p in self.given("without") for f in self.tree.glob(p)}
        files = [f for p in self.given("sources") for f in sorted(self.tree.glob(p)) if f not in without]
        # Some libraries include one file of code in another.
        included = {(f.parent / name).resolve() for f in files
                    for name in re.findall(r'^#\s*include\s+"([^"]+\.c)"', f.read_text(errors="replace"), re.M)}
        files = [f for f in files if f.resolve() not in included]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            objects = list(pool.map(lambda f: self.object(f, folder, level), files))
        archive = folder / "library.a"
        if objects and not archive.exists():
            run(["llvm-ar-22", "rcs", str(archive), *map(str, objects)])
        return [str(archive)] if objects else []

    def object(self, file, folder, level):
        made = folder / (str(file.relative_to(self.tree)).replace("/", "-") + ".o")
        if not made.exists():
            status, output, _ = run([*self.compiler(file.suffix != ".c"), f"-O{level}", "-flto", "-w", *self.flags,
                                     *self.own_flags, "-c", str(file), "-o", str(made)])
            if status:
                sys.exit(f"library-check: {file} can not be compiled:\n{output}")
        return made


class Case:
    """One function of a library at one level."""

    def __init__(self, library, function, level, archive):
        self.library, self.function, self.level, self.archive = library, function, level, archive
        self.about = library.functions[function]

    def build(self, gradient):
        """(path of the program, or None; output; seconds of the link)"""
        place = self.library.folder(self.level)
        program = place / (self.function + ("-gradient" if gradient else "-primal"))
        driver = program.with_suffix(".o")
        macros = {"DRIVER": f'"{self.library.driver}"', "FUNCTION": self.function,
                  "POINT": ",".join(map(str, self.about["at"])), "STEP": self.about.get("step", 1e-3)}
        common = [*self.library.compiler(self.library.is_cxx), f"-O{self.level}", "-flto", "-w"]
        status, output, front = run(
            [*common, *self.library.flags, *(f"-D{k}={v}" for k, v in macros.items()), *(["-DGRADIENT"] * gradient), "-x",
             "c++" if self.library.is_cxx else "c", "-c", str(HERE / "Inputs/harness.inc"), "-o", str(driver)],
            self.library.options.limit)
        if status:
            return None, output, front
        status, output, spent = run([*common, str(driver), *self.archive, "-lm", "-o", str(program)],
                                    self.library.options.limit)
        return (None if status else program), output, spent

    def check(self):
        """{"outcome": right, wrong, declined, crashed or late, ...}"""
        result = {"library": self.library.name, "function": self.function, "level": f"O{self.level}"}
        primal, output, without = self.build(False)
        if not primal:
            sys.exit(f"library-check: {self.function} of {self.library.name} can not be compiled:\n{output}")
        program, output, spent = self.build(True)
        result |= {"seconds": round(spent, 2), "times": round(spent / without, 2)}
        if not program:
            ids = re.findall(r"error: (?:[^\n]*?)\[(IZ\d+)\]|\[(IZ\d+)\]", output)
            result["ids"] = sorted({a or b for a, b in ids})
            result["output"] = output[-4000:]
            late = spent > self.library.options.limit - 5
            return result | {"outcome": "late" if late else "declined" if result["ids"] else "crashed"}
        status, output, _ = run([str(program)], self.library.options.limit)
        ids = re.findall(r"^isozyme: .*\[(IZ\d+)\]", output, re.M)
        if status and ids:  # A pointer that leads to a function without a derivative is known when it is called.
            return result | {"outcome": "declined", "ids": sorted(set(ids)), "output": output}
        if status:
            return result | {"outcome": "wrong", "output": f"status {status}: {output[-2000:]}"}
        numbers = json.loads(output.replace("nan", "NaN").replace("inf", "Infinity"))
        largest = max(map(abs, numbers["differences"]))
        error = max(abs(g - d) for g, d in zip(numbers["gradient"], numbers["differences"])) / (largest or 1)
        right = error <= self.about.get("tolerance", 1e-6) and largest > 0
        return result | {"outcome": "right" if right else "wrong", "error": error, **numbers}


def show(result):
    more = " ".join(result.get("ids", [])) or (f"error {result['error']:.1e}" if "error" in result else "")
    print(f"{result['library']:14} {result['function']:20} {result['level']}  {result['outcome']:9}{more:12}  "
          f"link {result['seconds']:.1f} s, {result['times']:.1f} times", flush=True)
    if result["outcome"] in ("wrong", "crashed"):
        print(result.get("output") or f"  {result['gradient']}\n  {result['differences']}")


def summary(results):
    count = collections.Counter(r["outcome"] for r in results)
    times = sorted(r["times"] for r in results)
    return (", ".join(f"{n} {outcome}" for outcome, n in count.most_common()) +
            f"; the link takes {times[len(times) // 2]} times as long in the median, {times[-1]} at most")


def table(results, levels):
    """Markdown: a row for each function."""
    rows = collections.defaultdict(dict)
    for r in results:
        text = {"right": "right", "declined": ", ".join(r.get("ids", []))}.get(r["outcome"], f"**{r['outcome']}**")
        rows[r["library"], r["function"]][r["level"]] = text
    lines = ["| Library | Function | " + " | ".join(f"-O{l}" for l in levels) + " |", "|---" * (2 + len(levels)) + "|"]
    for (library, function), found in rows.items():
        lines.append(f"| {library} | `{function}` | " + " | ".join(found.get(f"O{l}", "") for l in levels) + " |")
    return "\n".join([*lines, "", summary(results) + "."])


def main():
    options = arguments()
    levels = options.levels.split(",")
    names = sorted(p.stem for p in options.libraries.glob("*.json"))
    wanted = [w.split(":") for w in options.functions] or [[n] for n in names]
    for name, *_ in wanted:
        if name not in names:
            sys.exit(f"library-check: there is no library '{name}'; there are {', '.join(names)}")
    sources, results = Sources(options.work, options.mirror, options.suite), []
    for name, *only in wanted:
        library = Library(name, options)
        if not library.is_there():
            print(f"{name}: left out, its headers are not installed")
            continue
        library.prepare(sources)
        cases = []
        for level in levels:
            archive = library.compile(level)
            cases += [Case(library, f, level, archive) for f in only or library.functions]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for result in pool.map(Case.check, cases):
                results.append(result)
                show(result)
    print(summary(results))
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    if options.markdown:
        page = Path(options.markdown)
        before, _, rest = page.read_text().partition(MARKS[0])
        page.write_text(before + f"{MARKS[0]}\n{table(results, levels)}\n{MARKS[1]}" + rest.partition(MARKS[1])[2])
    sys.exit(any(r["outcome"] in ("wrong", "crashed") for r in results))


if __name__ == "__main__":
    main()
