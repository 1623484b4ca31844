#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs check-style.py on small trees with one fault each. Usage: plant.py CHECK-STYLE FOLDER

Each tree is first checked without its fault, which must give no complaint, then with it. A check, or
a pattern of the check of layers, for which no fault is planted is one as well.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

CHECKER, FOLDER = sys.argv[1], Path(sys.argv[2])
HEAD = """//===- Good.cpp - A file without faults ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
STAGES = "foreach(STAGE Support Ops Plan Emit)\nendforeach()\n"
IDS = 'IZ_DIAGNOSTIC(101, NoFunction, "no function")\n'
PAGE = "## IZ101: no function\n\n```c\nint x;\n```\n"
GOOD = {"lib/CMakeLists.txt": STAGES, "lib/Plan/Good.cpp": HEAD + "int good() { return 1; }\n",
        "include/isozyme/Support/DiagnosticIds.def": IDS, "docs/diagnostics.md": PAGE,
        "test/Diagnostics/one.ll": "; IZ101\n", "README.md": "See [the page](docs/diagnostics.md).\n"}

# check, file, its text with the fault (or the texts of several files), what the complaint says
PLANTED = (
    ("sizes", "lib/Plan/Good.cpp", HEAD + "int x;\n" * 900, "split it (at most 900)"),
    ("rooms", "lib/Plan/Good%d.cpp", ["int x;\n"] * 20, "21 files; make rooms"),
    ("rooms", "test/Regressions/one.ll", "; IZ101\n", "into the folder of that stage"),
    ("headers", "lib/Plan/Good.cpp", "int good();\n", "has no licence line"),
    ("headers", "lib/Plan/Good.cpp", HEAD.replace("Good.cpp", "Other.cpp") + "int x;\n", "does not start with"),
    ("functions", "lib/Plan/Good.cpp", HEAD + "int good(int a,\n         int b) {\n" + "  a += b;\n" * 79 + "}\n",
     "a function of 82 lines"),
    ("functions", "lib/Plan/Good.cpp",
     HEAD + "class C {\npublic:\n  int good() {\n" + "    a += b;\n" * 79 + "  }\n};\n", "a function of 81 lines"),
    ("layering", "lib/Plan/Good.cpp", HEAD + "bool b = F.getName() == \"sin\";\n", "ask Ops"),
    ("layering", "lib/Requests/Good.cpp", HEAD + 'bool b = F.getName() == "free";\n', "by KnownCalls"),
    ("layering", "lib/Requests/Good.cpp", HEAD + 'bool b = is_contained({"free", "cfree"}, F->getName());\n',
     "by KnownCalls"),
    ("format", "lib/Plan/Good.cpp", HEAD + "int good() { return  1; }\n", "not as clang-format has it"),
    ("layering", "lib/Emit/Good.cpp", HEAD + 'M.getOrInsertFunction("free", T);\n', "ask targetRuntime"),
    ("layering", "lib/Prepare/Good.cpp", HEAD + 'StringRef Name = "calloc";\n', "ask targetRuntime"),
    ("layering", "lib/Emit/Good.cpp", HEAD + "bool b = P->getAddressSpace() == 3;\n", "ask the Accelerator"),
    ("layering", "lib/Emit/Good.cpp", HEAD + "auto *P = PointerType::get(C, 5);\n", "ask the Accelerator"),
    ("layering", "lib/Driver/Good.cpp", HEAD + 'bool b = Name == "nvptx64-nvidia-cuda";\n', "ask TargetModel"),
    ("layering", "lib/Emit/Good.cpp", HEAD + "Triple T(M.getTargetTriple());\n", "ask TargetModel"),
    ("layering", "lib/Emit/Good.cpp", HEAD + '#include "isozyme/Types/TypeResult.h"\n', "decide it in a step"),
    ("layering", "lib/Emit/Good.cpp", HEAD + '#include "isozyme/Activity/ActivityResult.h"\n', "decide it in a step"),
    ("layering", "include/isozyme/Emit/Good.h", HEAD + '#include "isozyme/Needs/AdjointType.h"\n', "decide it in a step"),
    ("layering", "lib/Emit/Good.cpp", HEAD + '#include "isozyme/Needs/BulkLayout.h"\n', "decide it in a step"),
    ("layering", "include/isozyme/Plan/Good.h", HEAD + "struct Plan {\n  const TypeResult &Types;\n};\n",
     "copy what emission needs"),
    ("layering", "include/isozyme/Plan/Good.h", HEAD + "struct Plan {\n  ActivityResult Active;\n};\n",
     "copy what emission needs"),
    ("layering", "lib/Emit/Good.cpp", HEAD + "return diffError(DiagId::BadCustomRule, Place(F), What, Fix);\n",
     "find a user's mistake before"),
    ("layering", "lib/Driver/Good.cpp", HEAD + "F.setLinkage(GlobalValue::InternalLinkage);\n", "call becomeInternal"),
    ("layering", "lib/Driver/Good.cpp", HEAD + "cl::opt<bool> Fast;\n", "add a member to Support/Options.h"),
    ("layering", "lib/Plan/Good.cpp", HEAD + "errs() << 1;\n", "return a DiffError"),
    ("layering", "lib/Plan/Good.cpp", HEAD + 'report_fatal_error("no");\n', "return a DiffError"),
    ("layering", "lib/Plan/Good.cpp", HEAD + "#if LLVM_VERSION_MAJOR > 22\n#endif\n", "into Support/LLVMCompat.h"),
    ("stages", "lib/Plan/Good.cpp", HEAD + '#include "isozyme/Emit/Emitter.h"\n', "stands below it"),
    ("stages", "include/isozyme/Ops/Good.h", HEAD + '#include "isozyme/Plan/Plan.h"\n', "stands below it"),
    ("diagnostics", "docs/diagnostics.md", "## IZ102: another\n\n```c\n```\n", "no section for IZ101"),
    ("diagnostics", "test/Diagnostics/one.ll", "; nothing\n", "nothing provokes IZ101"),
    ("diagnostics", "include/isozyme/Support/DiagnosticIds.def", IDS + IDS, "101 is there twice"),
    ("diagnostics", "docs/diagnostics.md", PAGE + PAGE.replace("101", "102"), "IZ102 is not in DiagnosticIds.def"),
    ("diagnostics", "docs/diagnostics.md", "## IZ101: no function\n", "no example for IZ101"),
    ("todos", "lib/Plan/Good.cpp", HEAD + "// TODO: later\n", "without the number"),
    ("runs", "test/EndToEnd/one.c", "// RUN: %clang\n// %s -o %t RUN: %t\n", "in the middle of a line"),
    ("links", "README.md", "See [the page](docs/no-page.md).\n", "is not there"),
    ("links", "README.md", "See [the page](docs/diagnostics.md#no-section).\n", "is not there"),
    ("prose", "README.md", "word " * 25 + "\n", "wrap it at 120"),
)


def complaints(check):
    done = subprocess.run([sys.executable, CHECKER, str(FOLDER), check], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def plant(tree):
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name, text in tree.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def rules_without_fault():
    """Yields checks, and patterns of the check of layers, for which nothing is planted."""
    text = Path(CHECKER).read_text()
    for check in re.findall(r"^(\w+)  +\S", text.split('"""')[1], re.M):
        if check not in [each[0] for each in PLANTED]:
            yield check
    rules = {}
    exec(text[text.index("def stages_but"):text.index("\n)\n", text.index("LAYERING = (")) + 3],
         {"re": re, "SOURCE": Path(CHECKER).resolve().parents[2]}, rules)
    for pattern, _, _ in rules["LAYERING"]:
        if not any(check == "layering" and re.search(pattern, text) for check, _, text, _ in PLANTED):
            yield pattern


def main():
    wrong = [f"nothing is planted for '{rule}'" for rule in rules_without_fault()]
    for check, name, text, expected in PLANTED:
        plant(GOOD)
        status, output = complaints(check)
        if status:
            wrong.append(f"{check}: complains of a good tree: {output}")
        plant({**GOOD, **({name: text} if isinstance(text, str) else {name % i: each for i, each in enumerate(text)})})
        status, output = complaints(check)
        if not status or expected not in output:
            wrong.append(f"{check}: '{expected}' is not found in {name}: {output}")
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
