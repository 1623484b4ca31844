"""Compiles the kernels of SOURCE for both GPUs at all levels, lets the machine's code generator (and
ptxas, where it is) take them, and runs them in the emulator. SOURCE has kernels, which are compiled
for the GPU, and a main program for the host behind `#ifdef EMULATED`.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

TARGETS = {
    "nvptx": (["-x", "cuda", "--cuda-gpu-arch=sm_75", "--cuda-device-only", "-nocudainc", "-nocudalib",
               "-Xclang", "-target-feature", "-Xclang", "+ptx64"], ["sm_75", "sm_90", "sm_100"]),
    "amdgpu": (["-x", "hip", "--offload-arch=gfx90a", "--offload-device-only", "-nogpuinc", "-nogpulib"],
               ["gfx90a", "gfx942", "gfx1100"]),
}


# A sanitized plugin needs its runtime in the compiler from the start.
WITH_PLUGIN = dict(os.environ, LD_PRELOAD=os.environ.get("ISOZYME_TEST_PRELOAD", ""))


def run(*command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        sys.exit("%s\n%s%s" % (" ".join(command), done.stdout, done.stderr))


def accept(bitcode, target, machine, tools):
    """The code generator of the machine, and NVIDIA's assembler."""
    out = bitcode + "." + machine
    text = subprocess.run([os.path.join(tools, "llvm-dis"), bitcode, "-o", "-"], capture_output=True, text=True,
                          check=True).stdout
    # What functions say they are compiled for counts more than the command line.
    bitcode = out + ".ll"
    with open(bitcode, "w") as file:
        file.write(re.sub(r'"target-(cpu|features)"="[^"]*"', "", text))
    if target == "amdgpu":
        return run(os.path.join(tools, "llc"), "-mcpu=" + machine, "-filetype=obj", bitcode, "-o", out)
    # The first version of the language that knows this machine lacks operations on halves.
    language = ["-mattr=+ptx70"] if machine == "sm_75" else []
    run(os.path.join(tools, "llc"), "-mcpu=" + machine, *language, bitcode, "-o", out)
    if shutil.which("ptxas"):
        run("ptxas", "-arch=" + machine, "-c", out, "-o", out + ".cubin")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--target", choices=TARGETS, action="append", help="both by default")
    parser.add_argument("--lose-atomics", action="store_true",
                        help="what is added atomically is added by a read and a write")
    parser.add_argument("--watch-races", action="store_true",
                        help="under ThreadSanitizer, at -O2: two threads of a block use one place, and do not wait")
    parser.add_argument("--check", action="store_true", help="gradients check what they are launched with")
    parser.add_argument("--define", action="append", default=[], help="a macro, for the host's half")
    for name in ("tools", "plugin", "emulator", "folder"):
        parser.add_argument("--" + name, required=True)
    return parser.parse_args()


def main():
    asked = arguments()
    inputs = os.path.dirname(os.path.abspath(__file__))
    clang = os.path.join(asked.tools, "clang++")
    os.makedirs(asked.folder, exist_ok=True)
    host = [os.path.join(asked.folder, name) for name in ("main.o", "emulator.o")]
    defines = ["-DEMULATED", *("-D" + name for name in asked.define)]
    run(clang, "-std=c++20", "-O1", *defines, "-I" + inputs, "-x", "c++", "-c", asked.source, "-o", host[0])
    run(clang, "-std=c++20", "-O1", *(["-DWATCH_RACES"] if asked.watch_races else []), "-c",
        os.path.join(inputs, "emulator.cpp"), "-o", host[1])
    sanitizer = ["-fsanitize=thread"] if asked.watch_races else []
    checks = ["-mllvm", "-isozyme-check"] if asked.check else []
    changes = [flag for flag, is_asked in [("--lose-atomics", asked.lose_atomics), ("--watch-races", asked.watch_races)]
               if is_asked]
    for target in asked.target or TARGETS:
        flags, machines = TARGETS[target]
        for level in ["-O2"] if asked.watch_races else ["-O0", "-O1", "-O2", "-O3"]:
            name = os.path.join(asked.folder, target + level)
            run(clang, "-std=c++20", level, "-DLEVEL=" + level[-1], *flags, "-I" + inputs, "-fpass-plugin=" + asked.plugin,
                *checks, "-emit-llvm", "-c", asked.source, "-o", name + ".bc", env=WITH_PLUGIN)
            for machine in machines if level == "-O2" and not asked.watch_races else []:
                accept(name + ".bc", target, machine, asked.tools)
            run(asked.emulator, *changes, name + ".bc", "-o", name + ".host.bc")
            run(clang, "-O1", "-w", *sanitizer, "-c", name + ".host.bc", "-o", name + ".o")
            run(clang, *sanitizer, name + ".o", *host, "-o", name)
            run(name)


main()
