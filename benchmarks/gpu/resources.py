#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of this folder and their gradients for GPUs, and says what each takes of one.

    resources.py [--target sm_90] [--early] [--markdown docs/gpu.md] [--json figures.json] [--hold] [KERNEL ...]

No GPU is needed. For NVIDIA the figures are those of ptxas, which has to be there; for AMD those that llc writes into
its assembly. Both need the machine's library of mathematics: libdevice of CUDA, ocml of ROCm. Atomic operations and
calls of malloc are counted in the code, so a loop that is unrolled counts as often as it was; how many atomic
operations a thread does, at most, is what the plan says. --early also differentiates what the front end leaves, before
optimisation. --hold fails where a gradient allocates, or takes more than 2.5 times the registers of the function, or
spills where the function's registers and 2.5 times its spills would do.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks/harness"))
sys.dont_write_bytecode = True
from bench.report import page_around, write_markdown  # noqa: E402

TOOLKIT = os.environ.get("CUDA_PATH") or os.environ.get("CUDA_HOME") or "/usr/local/cuda"
LIBDEVICE = f"{TOOLKIT}/nvvm/libdevice/libdevice.10.bc"
OCML_FOLDER = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
MOST_REGISTERS = MOST_SPILLS = 2.5
OCML = ["ocml", "ockl", "hip", "oclc_unsafe_math_off", "oclc_finite_only_off", "oclc_daz_opt_off",
        "oclc_correctly_rounded_sqrt_on", "oclc_wavefrontsize64_on", "oclc_abi_version_500"]


class Failed(Exception):
    """A command, and what it said."""


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: all")
    parser.add_argument("--target", action="append", metavar="sm_90|gfx90a", help="default: sm_90")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--early", action="store_true")
    parser.add_argument("--hold", action="store_true")
    parser.add_argument("--plugin", default=str(ROOT / "build/lib/Isozyme.so"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--libdevice", default=LIBDEVICE)
    parser.add_argument("--ocml", default=OCML_FOLDER, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=2, help="kernels compiled at once (default: 2)")
    parser.add_argument("--markdown", metavar="PAGE", type=Path, help="between its marks")
    parser.add_argument("--json", metavar="FILE", type=Path)
    return parser.parse_args()


class NVIDIA:
    title = "NVIDIA"

    def __init__(self, name, options):
        self.name = name
        self.flags = ["-x", "cuda", f"--cuda-gpu-arch={name}", "--cuda-device-only", "-nocudainc", "-nocudalib",
                      "-Wno-unknown-cuda-version", "-Xclang", "-mlink-builtin-bitcode", "-Xclang", options.libdevice]

    @staticmethod
    def functions(text):
        """The code of each function, by its name."""
        return {name: body for name, body in re.findall(
            r"^(?:\.\w+ )*\.(?:entry|func)\s+(?:\([^)]*\)\s*)?(\w+)\s*\((?:.*?)^\{(.*?)^\}", text, re.MULTILINE | re.DOTALL)}

    @staticmethod
    def called(body):
        return set(re.findall(r"\bcall[.\w]*\s+(?:\([^)]*\),\s*)?(\w+)", body))

    atomic = re.compile(r"^\s*(?:@!?%p\d+ )?(?:atom|red)\.", re.MULTILINE)

    def resources(self, assembly):
        said = run("ptxas", f"-arch={self.name}", "-v", assembly, "-o", f"{assembly}.cubin")
        found = {}
        for name, part in re.findall(r"Compiling entry function '(\w+)'(.*?)Compile time", said, re.DOTALL):
            number = {what: int(n) for n, what in
                      re.findall(r"(\d+) bytes (stack frame|spill stores|spill loads)", part)}
            found[name] = {"registers": int(re.search(r"Used (\d+) registers", part)[1]),
                           "spills": number["spill stores"] + number["spill loads"], "stack": number["stack frame"]}
        return found


class AMD:
    title = "AMD"

    def __init__(self, name, options):
        self.name = name
        # Without them, kernels that call no function of mathematics.
        libraries = [f"{options.ocml}/{lib}.bc" for lib in OCML + [f"oclc_isa_version_{name[3:]}"]
                     if Path(options.ocml).exists()]
        self.flags = ["-x", "hip", f"--offload-arch={name}", "--offload-device-only", "-nogpuinc", "-nogpulib",
                      *(part for lib in libraries for part in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", lib))]

    @staticmethod
    def functions(text):
        return {name: body for name, body in re.findall(
            r"^(\w+):\s+; @\w+\n(.*?)^\.Lfunc_end", text, re.MULTILINE | re.DOTALL)}

    @staticmethod
    def called(body):
        return set(re.findall(r"(\w+)@rel32@lo", body))

    atomic = re.compile(r"^\s*(?:(?:global|flat|buffer)_atomic_|ds_(?:add|sub|cmpst|wrxchg|max|min)_)", re.MULTILINE)

    def resources(self, assembly):
        text = Path(assembly).read_text()
        if missing := re.search(r"__ocml_\w+(?=@)", text):
            raise Failed(f"{assembly} calls {missing[0]}, which is not linked: where is ocml.bc? (--ocml)")
        found = {}
        for part in text.split("amdhsa.kernels:")[1].split("  - .agpr_count:")[1:]:
            number = {what: int(n) for what, n in re.findall(r"\.(\w+): +(\d+)$", part, re.MULTILINE)}
            found[re.search(r"^    \.name: +(\w+)", part, re.MULTILINE)[1]] = {
                "registers": number["vgpr_count"] or "unknown", "spills": 4 * number["vgpr_spill_count"],
                "stack": number["private_segment_fixed_size"]}
        return found


def reached(functions, calls, kernel):
    """The code of a kernel and of all that it calls."""
    todo, seen = [kernel], []
    while todo:
        name = todo.pop()
        if name in functions and name not in seen:
            seen.append(name)
            todo += calls(functions[name])
    return "\n".join(functions[name] for name in seen)


def assembly(machine, kernel, options, out, early):
    source = FOLDER / f"{kernel}.cu"
    flags = [options.clang, "-std=c++20", options.level, f"-DLEVEL={options.level[-1]}", *machine.flags,
             f"-I{ROOT / 'test/GPU/Inputs'}"]
    if not early:
        run(*flags, f"-fpass-plugin={options.plugin}", "-S", source, "-o", out)
        return out
    opt, llc = (options.clang.replace("clang++", tool) for tool in ("opt", "llc"))
    run(*flags, "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", source, "-o", f"{out}.bc")
    run(opt, f"-load-pass-plugin={options.plugin}", f"-passes=isozyme,default<O{options.level[-1]}>",
        f"-mcpu={machine.name}", f"{out}.bc", "-o", f"{out}.after.bc")
    run(llc, f"-mcpu={machine.name}", "-O3", f"{out}.after.bc", "-o", out)
    return out


def kernels_of(machine, kernel, options, folder, early):
    """What each kernel of a file takes."""
    path = assembly(machine, kernel, options, f"{folder}/{kernel}-{machine.name}{'-early' * early}.s", early)
    functions = machine.functions(Path(path).read_text())
    found = machine.resources(path)
    for name, figures in found.items():
        code = reached(functions, machine.called, name)
        figures["atomics"] = len(machine.atomic.findall(code))
        figures["mallocs"] = len(re.findall(r"\bmalloc\b", code))
        figures["tape"] = "isozyme_tape" in code
    return found


def atomics_of_thread(machine, kernel, options):
    """How many atomic operations a thread of the gradient does, at most, as the plan says; nothing if none."""
    said = run(options.clang, "-std=c++20", options.level, f"-DLEVEL={options.level[-1]}", *machine.flags, "-gmlt",
               f"-I{ROOT / 'test/GPU/Inputs'}", f"-fpass-plugin={options.plugin}", "-Rpass-analysis=isozyme",
               "-emit-llvm", "-c", FOLDER / f"{kernel}.cu", "-o", os.devnull)
    found = re.search(r"atomically and at most so often: (.*?) \[-Rpass", said)
    return re.sub(r"iterations of the loop in line (\d+)", r"rounds of \1", found[1]) if found else ""


def measure(machine, kernel, options, folder):
    row = {"kernel": kernel, "machine": machine.name, "of a thread": atomics_of_thread(machine, kernel, options)}
    found = kernels_of(machine, kernel, options, folder, False)
    row.update({name: found[name] for name in ("values", "gradients", "hand") if name in found})
    if options.early:
        try:
            row["early"] = kernels_of(machine, kernel, options, folder, True)["gradients"]
        except Failed as why:
            row["early"] = {"registers": "failed", "why": str(why)}
    row["ratio"] = row["gradients"]["registers"] / row["values"]["registers"]
    return row


def missed(row):
    """What of the bar this gradient does not hold, in words."""
    function, gradient = row["values"], row["gradients"]
    found = []
    if gradient["mallocs"]:
        found.append(f"calls malloc {gradient['mallocs']} times")
    if row["ratio"] > MOST_REGISTERS:
        found.append(f"takes {gradient['registers']} registers, the function {function['registers']}")
    if gradient["spills"] > MOST_SPILLS * function["spills"]:
        found.append(f"spills {gradient['spills']} bytes, the function {function['spills']}")
    return found


def table(rows):
    """Of one machine. Pairs are of the function and of the gradient."""
    ways = [way for way in ("gradients", "hand", "early") if any(way in row for row in rows)]
    names = {"gradients": "gradient", "hand": "by hand", "early": "early"}
    lines = [["", "function", *(names[way] for way in ways), "ratio", "spills", "stack", "tape", "atomics", "of a thread",
              "`malloc`"]]
    for row in rows:
        function, gradient = row["values"], row["gradients"]

        def pair(what):
            return f"{function[what]}, {gradient[what]}" if function[what] or gradient[what] else "0"
        lines.append([row["kernel"], str(function["registers"]),
                      *(str(row[way]["registers"]) if way in row else "" for way in ways), f"{row['ratio']:.1f}",
                      pair("spills"), pair("stack"), "pieces" if gradient["tape"] else "", pair("atomics"),
                      row["of a thread"], pair("mallocs")])
    return lines


def in_markdown(rows):
    lines = table(rows)
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def in_text(rows):
    lines = table(rows)
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(f"{cell:<{w}}" for cell, w in zip(line, widths)).rstrip() for line in lines)


def main():
    options = arguments()
    marks = ("<!-- resources: begin -->", "<!-- resources: end -->")
    if options.markdown:
        page_around(options.markdown, marks)
    kernels = options.kernels or sorted(path.stem for path in FOLDER.glob("*.cu"))
    machines = [(AMD if name.startswith("gfx") else NVIDIA)(name, options) for name in options.target or ["sm_90"]]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        try:
            rows = list(pool.map(lambda pair: measure(*pair, options, folder),
                                 [(machine, kernel) for machine in machines for kernel in kernels]))
        except Failed as why:
            sys.exit(str(why))
    tables = [(machine, [row for row in rows if row["machine"] == machine.name]) for machine in machines]
    for machine, own in tables:
        print(f"{machine.name}: registers of a thread, and bytes\n{in_text(own)}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.markdown:
        write_markdown(options.markdown, "\n\n".join(f"`{machine.name}` ({machine.title}):\n\n{in_markdown(own)}"
                                                    for machine, own in tables) + "\n", marks)
    faults = [f"{row['machine']}: the gradient of {row['kernel']} {what}" for row in rows for what in missed(row)]
    print("\n".join(faults))
    sys.exit(bool(faults) and options.hold)


if __name__ == "__main__":
    main()
