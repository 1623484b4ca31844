#!/usr/bin/env python3
"""Checks of the source text that no compiler makes. Usage: check-style.py SOURCE CHECK

sizes        no source file is longer than 900 lines
rooms        no folder of lib or include holds more than 20 files, and a test of one stage stands in its folder
headers      every file starts with its name, the licence and what it is for
format       clang-format leaves the code as it is (.clang-format; tables of rules and names are left out)
functions    no function of the plugin is longer than 80 lines
layering     names, targets, options and streams are looked at in one place each
stages       a stage includes only what stands above it in lib/CMakeLists.txt
diagnostics  every diagnostic has a section with an example in docs/diagnostics.md, and a test
todos        a TODO names an issue
runs         each RUN of a test begins a line, where a formatter has not made one paragraph of several
links        what a page links to is there, the page and the section
prose        no line of prose in a Markdown page is longer than 120 columns
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(sys.argv[1])
FOLDERS = ("include", "lib", "python", "tools", "test")
CODE = (".h", ".cpp", ".def", ".c")
TEXT = CODE + (".py", ".bash", ".cmake", ".in", ".txt", ".ll", ".test", ".f90")
TEST = (".c", ".cpp", ".ll", ".test", ".f90")
MAX_LINES = 900
MAX_FUNCTION = 80
MAX_COLUMNS = 120
MAX_FILES = 20

# What may stand before the body of a function without being its first line.
NO_FUNCTION = re.compile(r"\s*(public|private|protected|case \w+|default):")


def stages_but(*names):
    """The folders of all stages but these."""
    listed = re.search(r"foreach\(STAGE ([\w ]+)\)", (SOURCE / "lib/CMakeLists.txt").read_text())
    return tuple(folder + stage + "/" for folder in ("lib/", "include/isozyme/")
                 for stage in listed.group(1).split() if stage not in names)


# (pattern, where it is allowed, what to do instead)
LAYERING = (
    (r"\bgetName\(\)\s*[!=]=|[!=]=\s*[\w.>-]*\bgetName\(\)", ("lib/Ops", "lib/Requests", "test/Unit"),
     "ask Ops which operation a call is, or Requests what a marker is"),
    (r'getName\(\) [!=]= "(?:malloc|calloc|free|_Zn\w*)"|is_contained\(\{"[^}]*\}, [\w.>-]*getName\(\)\)',
     ("lib/Ops", "tools", "test/Unit"), "ask Ops what a function does, by KnownCalls"),
    (r"\bTriple\b|\bgetTargetTriple\(\)\.", ("lib/Target", "include/isozyme/Target", "tools/gpu-emulate"),
     "ask TargetModel"),
    (r"\bcl::opt\b", ("tools",), "add a member to Support/Options.h"),
    (r'getOrInsertFunction\(\s*"(?:malloc|calloc|aligned_alloc|free|dprintf|abort)"', ("lib/Target",),
     "ask targetRuntime"),
    (r'"(?:malloc|calloc|aligned_alloc|posix_memalign|dprintf|vprintf|abort|__assert_fail)"',
     ("lib/Ops", "include/isozyme/Ops", "lib/Target", "lib/Check/Runtime", "lib/Driver/Library",
      "lib/Emit/Runtime/tape.c", "tools", "test"),
     "ask targetRuntime"),
    (r'getAddressSpace\(\) [!=]= [1-9]|PointerType::get\(.*, [1-9]\d*\)', ("lib/Target", "tools", "test"),
     "ask the Accelerator what an address space means"),
    (r'"(?:nvptx|amdgcn|x86_64|aarch64|i386)[\w-]*"', ("lib/Target", "lib/Driver/Library", "tools", "test"),
     "ask TargetModel"),
    (r'#include "isozyme/(?:Types/|Activity/|Needs/AdjointType\.h|Needs/BulkLayout\.h)',
     ("tools", "test/Unit") + tuple(folder + stage for folder in ("lib/", "include/isozyme/") for stage in
                                    ("Types", "Activity", "Needs", "Plan", "Explain", "Check", "Driver")),
     "decide it in a step of the plan, which emission reads"),
    (r"(?m)^  (?:const )?(?:std::optional<)?(?:Type|Activity)Result>?[ &*]+\w+;",
     ("tools", "test/Unit") + tuple(folder + stage for folder in ("lib/", "include/isozyme/") for stage in
                                    ("Types", "Activity", "Needs", "Explain", "Driver")) + ("lib/Plan",),
     "copy what emission needs into the steps of the plan"),
    (r"\bDiagId::(?!InternalError\b)", ("tools", "test") + stages_but("Emit", "Cleanup"),
     "find a user's mistake before anything is emitted"),
    (r"\bsetLinkage\(GlobalValue::InternalLinkage\)", ("lib/Support/InternalCopy.cpp",),
     "call becomeInternal, which also drops what belongs to the symbol"),
    (r"\berrs\(\)", ("tools", "test"), "return a DiffError"),
    (r"\breport_fatal_error\b", ("tools",), "return a DiffError"),
    (r"\bLLVM_VERSION_MAJOR\b", ("include/isozyme/Support/LLVMCompat.h", "tools"),
     "put what differs between releases into Support/LLVMCompat.h"),
)


def files(suffixes, folders=FOLDERS):
    for folder in folders:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.is_file() and path.suffix in suffixes and "__pycache__" not in path.parts:
                yield path, path.relative_to(SOURCE).as_posix()


def without_comments(text):
    """Code only, with the line breaks kept; strings stay, for they are code."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'

    def replace(match):
        found = match.group(0)
        return found if found.startswith('"') else "\n" * found.count("\n")

    return re.sub(pattern, replace, text, flags=re.S)


def without_strings(text):
    """The same lines, without what raw strings hold."""
    return re.sub(r'R"(\w*)\(.*?\)\1"', lambda m: '""' + "\n" * m[0].count("\n"), text, flags=re.S)


def sizes():
    for path, name in files(TEXT):
        lines = len(path.read_text().splitlines())
        if lines > MAX_LINES:
            yield f"{name}: {lines} lines; split it (at most {MAX_LINES})"


def rooms():
    for root in ("lib", "include"):
        for folder in sorted({path.parent for path in (SOURCE / root).rglob("*") if path.is_file()}):
            count = sum(path.is_file() for path in folder.iterdir())
            if count > MAX_FILES:
                yield f"{folder.relative_to(SOURCE)}: {count} files; make rooms in it (at most {MAX_FILES} files each)"
    for path in sorted((SOURCE / "test/Regressions").glob("*.ll")):
        yield f"{path.relative_to(SOURCE)}: code of one stage; put it into the folder of that stage"


def headers():
    for path, name in files((".h", ".cpp"), ("include", "lib", "tools")):
        text = path.read_text()
        start = "\n".join(text.splitlines()[:20])
        if path.name == "Precompiled.h":
            continue
        if f"- {path.name} - " not in start and f"===- {path.name} " not in start:
            yield f"{name}:1: does not start with '===- {path.name} - <what it is> ---==='"
        if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in start:
            yield f"{name}:1: has no licence line"


def layering():
    for path, name in files(CODE):
        code = without_comments(path.read_text())
        for number, line in enumerate(code.splitlines(), 1):
            for pattern, allowed, instead in LAYERING:
                if re.search(pattern, line) and not name.startswith(allowed):
                    yield f"{name}:{number}: '{line.strip()}': {instead}"


def format():
    program = shutil.which("clang-format-22") or sys.exit("clang-format-22 is missing (Debian: clang-format-22)")
    names = [name for _, name in files((".h", ".cpp"), ("include", "lib", "tools", "test/Unit"))]
    done = subprocess.run([program, "--dry-run", "-ferror-limit=1"] + names, cwd=SOURCE, stderr=subprocess.PIPE,
                          text=True)
    for name in dict.fromkeys(re.findall(r"^(.*?):\d+:\d+: ", done.stderr, re.M)):
        yield f"{name}: not as clang-format has it; run clang-format-22 -i on it"
    if done.returncode:
        yield done.stderr


def functions():
    """Knows functions by their form, as clang-format leaves it: from a line in the first column, or one
    step in, to the brace that closes it there."""
    for path, name in files((".h", ".cpp"), ("include", "lib", "tools")):
        lines = without_strings(path.read_text()).splitlines()
        for indent in ("", "  "):
            begin = 0
            for number, line in enumerate(lines, 1):
                if line == indent + "}":
                    if number - begin + 1 > MAX_FUNCTION and "(" in lines[begin - 1]:
                        yield (f"{name}:{begin}: a function of {number - begin + 1} lines; "
                               f"split it (at most {MAX_FUNCTION})")
                elif re.match(indent + r"\w", line) and not NO_FUNCTION.match(line):
                    begin = number


def stages():
    listed = re.search(r"foreach\(STAGE ([\w ]+)\)", (SOURCE / "lib/CMakeLists.txt").read_text())
    order = listed.group(1).split()
    for path, name in files((".h", ".cpp"), ("include/isozyme", "lib")):
        stage = name.removeprefix("include/isozyme/").removeprefix("lib/").split("/")[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            used = re.match(r'#include "isozyme/(\w+)/', line)
            if not used or stage not in order:
                continue
            if used.group(1) in order[order.index(stage) + 1:]:
                yield f"{name}:{number}: {stage} includes {used.group(1)}, which stands below it"


def diagnostics():
    table = (SOURCE / "include/isozyme/Support/DiagnosticIds.def").read_text()
    ids = re.findall(r"^IZ_DIAGNOSTIC\((\d+),", table, re.M)
    for number in sorted({i for i in ids if ids.count(i) > 1}):
        yield f"DiagnosticIds.def: {number} is there twice"
    page = (SOURCE / "docs/diagnostics.md").read_text()
    documented = re.findall(r"^#+ .*\bIZ(\d+)", page, re.M)
    for number in ids:
        if number not in documented:
            yield f"docs/diagnostics.md: no section for IZ{number}"
    for number in documented:
        if number not in ids:
            yield f"docs/diagnostics.md: IZ{number} is not in DiagnosticIds.def"
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        if section.startswith("IZ") and "```" not in section:
            yield f"docs/diagnostics.md: no example for {section[:5]}"
    tests = "".join(path.read_text() for path, name in files(TEST, ("test",))
                    if not name.startswith("test/Style/"))
    for number in ids:
        if f"IZ{number}" not in tests and number != "901":  # No program is known that would.
            yield f"test: nothing provokes IZ{number}"


def todos():
    for path, name in files(TEXT):
        if name.startswith("test/Style/"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\b(TODO|FIXME|XXX)\b", line) and not re.search(r"#\d+", line):
                yield f"{name}:{number}: a TODO without the number of an issue"


def runs():
    for path, name in files(TEST):
        if name.startswith("test/") and not name.startswith(("test/Style/", "test/Unit/")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if "RUN:" in line and not re.match(r"\s*(//|[;#!*]+)?\s*RUN:\s+\S", line):
                    yield f"{name}:{number}: a RUN in the middle of a line: what stands before it is not run"


def anchors(path):
    """What can follow '#' in a link to a page: its headings, as GitHub and GitLab write them."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)", text, re.M)}


def links():
    for path in [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md"))]:
        name = path.relative_to(SOURCE)
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", path.read_text()):
            page = path.parent / target if target else path
            if "://" in target:
                continue
            if not page.exists():
                yield f"{name}: links to {target}, which is not there"
            elif anchor and page.suffix == ".md" and anchor not in anchors(page):
                yield f"{name}: links to {target}#{anchor}, a section which is not there"


def prose():
    """Tables, code, pictures and what cannot be broken (a link, a word) may be longer."""
    for path in sorted(SOURCE.rglob("*.md")):
        name = path.relative_to(SOURCE)
        if any(part.startswith((".", "build")) for part in name.parts):
            continue
        text = re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), path.read_text(), flags=re.S)
        in_code = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("```"):
                in_code = not in_code
            elif len(line) > MAX_COLUMNS and not in_code and not line.startswith("|"):
                words = re.sub(r"`[^`]*`|\]\([^)]*\)", "x", line.lstrip("-*> 0123456789."))
                if " " in words:
                    yield f"{name}:{number}: {len(line)} columns; wrap it at {MAX_COLUMNS}"


complaints = list(globals()[sys.argv[2]]())
print("\n".join(complaints))
sys.exit(bool(complaints))
