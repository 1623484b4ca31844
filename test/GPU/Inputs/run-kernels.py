"""Compiles the kernels of SOURCE for both GPUs, for one at -O2 and for the other at another level, drawn anew each time
(with ISOZYME_TEST_ALL in the environment, as tools/check --full sets it, for both at all levels), lets the machine's
code generator (and ptxas, where it is) take them, and runs them in the emulator; some, or all, under ThreadSanitizer,
too. SOURCE has kernels, which are compiled
for the GPU, and a main program for the host behind `#ifdef EMULATED`. With --device they run on a GPU, and in the
emulator beside it, which has to find the same numbers.
"""
import argparse
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys

INPUTS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(INPUTS, "../../../benchmarks/gpu"))
sys.dont_write_bytecode = True
from resources import AMD, LIBDEVICE, NVIDIA, OCML_FOLDER  # noqa: E402

# AMD's addresses of the memory of a block have four bytes: the program lies in the first four gigabytes.
LOW = ["-fno-pie"]
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
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
    return done.stdout


def language(machine):
    """The first version of NVIDIA's language that knows this machine lacks operations on halves."""
    return "+ptx70" if machine == "sm_75" else None


def accept(bitcode, target, machine, tools):
    """The code generator of the machine, and NVIDIA's assembler. The code."""
    out = bitcode + "." + machine
    text = subprocess.run([os.path.join(tools, "llvm-dis"), bitcode, "-o", "-"], capture_output=True, text=True,
                          check=True).stdout
    # What functions say they are compiled for counts more than the command line.
    bitcode = out + ".ll"
    with open(bitcode, "w") as file:
        file.write(re.sub(r'"target-(cpu|features)"="[^"]*"', "", text))
    attributes = ["-mattr=" + language(machine)] if language(machine) else []
    kind = ["-filetype=obj"] if target == "amdgpu" else []
    run(os.path.join(tools, "llc"), "-mcpu=" + machine, *attributes, *kind, bitcode, "-o", out)
    if target == "amdgpu" or not shutil.which("ptxas"):
        return out  # A driver of NVIDIA takes text as well.
    run("ptxas", "-arch=" + machine, "-c", out, "-o", out + ".cubin")
    return out + ".cubin"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--target", choices=TARGETS, action="append", help="both by default")
    parser.add_argument("--lose-atomics", action="store_true",
                        help="what is added atomically is added by a read and a write")
    parser.add_argument("--watch-races", action="store_true",
                        help="under ThreadSanitizer, at -O2: two threads of a block use one place, and do not wait")
    parser.add_argument("--unwatched", action="store_true",
                        help="never under ThreadSanitizer: the function itself has races")
    parser.add_argument("--check", action="store_true", help="gradients check what they are launched with")
    parser.add_argument("--define", action="append", default=[], help="a macro, for the host's half")
    parser.add_argument("--device", metavar="sm_90|gfx90a", help="run on this GPU")
    parser.add_argument("--driver", help="the library that runs kernels there (with --device)")
    parser.add_argument("--compile-only", action="store_true", help="all but running (with --device)")
    parser.add_argument("--measure", action="store_true", help="print times, compare nothing (with --device)")
    parser.add_argument("--level", choices=LEVELS, action="append", help="these and no others")
    parser.add_argument("--libdevice", default=LIBDEVICE)
    parser.add_argument("--ocml", default=OCML_FOLDER, metavar="FOLDER")
    for name in ("tools", "plugin", "emulator", "folder"):
        parser.add_argument("--" + name, required=True)
    return parser.parse_args()


def compiled_once(asked, command, source):
    """The object of a source of the tests' own; what other tests have compiled in the same way is taken from there."""
    key = hashlib.sha256(repr(command).encode())
    for name in sorted(os.listdir(INPUTS)):
        with open(os.path.join(INPUTS, name), "rb") as file:
            key.update(file.read())
    folder = os.path.join(os.path.dirname(os.path.abspath(asked.emulator)), "..", "gpu-objects")
    os.makedirs(folder, exist_ok=True)
    compiled = os.path.join(folder, "%s-%s.o" % (os.path.basename(source), key.hexdigest()[:16]))
    if not os.path.exists(compiled):
        begun = os.path.join(asked.folder, os.path.basename(source) + ".o")
        run(*command, "-c", source, "-o", begun)
        # A test beside this one may do the same.
        beside = "%s.%d" % (compiled, os.getpid())
        shutil.copyfile(begun, beside)
        os.replace(beside, compiled)
    return compiled


def host_half(asked, clang, defines):
    """The objects of the main program, and of what runs kernels."""
    command = [clang, "-std=c++20", "-O1", *LOW, "-DEMULATED", *("-D" + name for name in [*asked.define, *defines]),
               "-I" + INPUTS, "-x", "c++"]
    main_program = os.path.join(asked.folder, os.path.basename(asked.source) + ".o")
    run(*command, "-c", asked.source, "-o", main_program)
    own = ["emulator", *(["on-device", "arena"] * bool(asked.device))]
    return [main_program, *(compiled_once(asked, command, os.path.join(INPUTS, name + ".cpp")) for name in own)]


def code_for_device(asked, clang, target, level):
    """The kernels as the device runs them, with the machine's library of mathematics; the names of their variables."""
    name = os.path.join(asked.folder, asked.device + level)
    features = ["-Xclang", "-target-feature", "-Xclang", language(asked.device)] if language(asked.device) else []
    machine = (AMD if target == "amdgpu" else NVIDIA)(asked.device, asked)
    run(clang, "-std=c++20", level, "-DLEVEL=" + level[-1], *machine.flags, *features, "-I" + INPUTS,
        "-fpass-plugin=" + asked.plugin, "-emit-llvm", "-c", asked.source, "-o", name + ".bc", env=WITH_PLUGIN)
    code = accept(name + ".bc", target, asked.device, asked.tools)
    if target == "amdgpu":
        run(os.path.join(asked.tools, "ld.lld"), "-shared", code, "-o", name + ".hsaco")
        code = name + ".hsaco"
    symbols = run(os.path.join(asked.tools, "llvm-nm"), "--defined-only", name + ".bc")
    return code, re.findall(r"^\S+ [BDRV] (\w+)$", symbols, re.MULTILINE)


def emulated(asked, clang, target, level):
    """The object of the kernels for the host, as gpu-emulate makes it."""
    name = os.path.join(asked.folder, target + level)
    flags, machines = TARGETS[target]
    checks = ["-mllvm", "-isozyme-check"] if asked.check else []
    changes = [flag for flag, is_asked in [("--lose-atomics", asked.lose_atomics), ("--watch-races", asked.watch_races)]
               if is_asked]
    run(clang, "-std=c++20", level, "-DLEVEL=" + level[-1], *flags, "-I" + INPUTS, "-fpass-plugin=" + asked.plugin,
        *checks, "-emit-llvm", "-c", asked.source, "-o", name + ".bc", env=WITH_PLUGIN)
    for machine in machines if level == "-O2" and not asked.watch_races and not asked.device else []:
        accept(name + ".bc", target, machine, asked.tools)
    run(asked.emulator, *changes, name + ".bc", "-o", name + ".host.bc")
    run(clang, "-O1", "-w", *LOW, *sanitizer(asked), "-c", name + ".host.bc", "-o", name + ".o")
    return name


def sanitizer(asked):
    return ["-fsanitize=thread"] if asked.watch_races else []


def run_on_device(asked, clang):
    target = "amdgpu" if asked.device.startswith("gfx") else "nvptx"
    library = asked.ocml if target == "amdgpu" else asked.libdevice
    if not os.path.exists(library):
        sys.exit("%s, the device's library of mathematics, is missing (--libdevice, --ocml)" % library)
    host = host_half(asked, clang, ["ON_DEVICE", *(["MEASURE"] * asked.measure)])
    for level in asked.level or LEVELS:
        name = emulated(asked, clang, target, level)
        code, variables = code_for_device(asked, clang, target, level)
        run(clang, "-rdynamic", "-no-pie", name + ".o", *host, "-o", name, "-ldl")
        if not asked.compile_only:
            said = run(name, env=dict(os.environ, GPU_DRIVER=asked.driver, GPU_CODE=code,
                                      GPU_VARIABLES=",".join(variables)))
            print("".join("%s: %s\n" % (level, line) for line in said.splitlines()), end="", flush=True)


def drawn_builds(targets):
    """Pairs of a target and a level."""
    if "ISOZYME_TEST_ALL" in os.environ:
        return [(target, level) for target in targets for level in LEVELS]
    simplified = random.choice(targets)
    return [(target, "-O2" if target == simplified else random.choice([level for level in LEVELS if level != "-O2"]))
            for target in targets]


def drawn_watches(targets):
    """The targets for which ThreadSanitizer watches: all, or one for a third of the sources."""
    if "ISOZYME_TEST_ALL" in os.environ:
        return targets
    return random.sample(targets, 1) if random.random() < 1 / 3 else []


def run_builds(asked, clang, builds):
    if not builds:
        return
    host = host_half(asked, clang, ["WATCH_RACES"] if asked.watch_races else [])
    for target, level in builds:
        name = emulated(asked, clang, target, level)
        run(clang, "-no-pie", *sanitizer(asked), name + ".o", *host, "-o", name)
        run(name)


def main():
    asked = arguments()
    clang = os.path.join(asked.tools, "clang++")
    os.makedirs(asked.folder, exist_ok=True)
    if asked.device:
        return run_on_device(asked, clang)
    targets = asked.target or list(TARGETS)
    levels = ["-O2"] if asked.watch_races else asked.level
    run_builds(asked, clang, [(target, level) for target in targets for level in levels] if levels
               else drawn_builds(targets))
    if not (levels or asked.lose_atomics or asked.unwatched):
        asked.watch_races = True
        run_builds(asked, clang, [(target, "-O2") for target in drawn_watches(targets)])


main()
