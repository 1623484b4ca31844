"""Takes the CUDA program out of PAGE, the block that is announced by `<!-- example: program -->`, or PAGE itself if it is
a program, for HIP, too; compiles both halves, and runs them without a GPU, kernels by gpu-emulate. Prints what the
program prints.
"""
import argparse
import itertools
import os
import re
import subprocess
import sys

LANGUAGES = {
    "cuda": (["-x", "cuda", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Xclang",
              "-target-sdk-version=12.9"],
             ["--cuda-gpu-arch=sm_75", "-Xclang", "-target-feature", "-Xclang", "+ptx64"]),
    "hip": (["-x", "hip", "-nogpuinc", "-nogpulib"], ["--offload-arch=gfx90a"]),
}

# A sanitized plugin needs its runtime in the compiler from the start.
WITH_PLUGIN = dict(os.environ, LD_PRELOAD=os.environ.get("ISOZYME_TEST_PRELOAD", ""))


def run(*command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        sys.exit("%s\n%s%s" % (" ".join(command), done.stdout, done.stderr))
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page")
    parser.add_argument("words", nargs="*", help="for the program")
    for name in ("tools", "plugin", "emulator", "folder"):
        parser.add_argument("--" + name, required=True)
    asked = parser.parse_args()
    inputs = os.path.dirname(os.path.abspath(__file__))
    clang = os.path.join(asked.tools, "clang++")
    os.makedirs(asked.folder, exist_ok=True)
    with open(asked.page) as file:
        program, languages = file.read(), list(LANGUAGES)
    if asked.page.endswith(".md"):
        program = re.search(r"<!-- example: program -->\n```cpp\n(.*?)```", program, re.S).group(1)
        languages = ["cuda"]
    at = lambda name: os.path.join(asked.folder, name)
    for name, text in (("program.cu", program), ("no-code", "none")):
        with open(at(name), "w") as file:
            file.write(text)
    for name in ("fake-runtime", "emulator"):
        run(clang, "-std=c++20", "-O1", "-DEMULATED", "-c", os.path.join(inputs, name + ".cpp"), "-o", at(name + ".o"))
    for language, level in itertools.product(languages, ("-O0", "-O2")):
        flags, device = LANGUAGES[language]
        # AMD's addresses of the memory of a block have four bytes: the program lies in the first four gigabytes.
        both = [clang, *flags, level, "-std=c++20", "-I", os.path.join(inputs, "../../../include"), "-include",
                os.path.join(inputs, "cuda-like.h"), "-fpass-plugin=" + asked.plugin, at("program.cu")]
        run(*both, *device, "--cuda-device-only", "-emit-llvm", "-c", "-o", at("device.bc"), env=WITH_PLUGIN)
        run(asked.emulator, at("device.bc"), "-o", at("emulated.bc"))
        run(clang, "-fno-pie", "-O1", "-w", "-c", at("emulated.bc"), "-o", at("device.o"))
        # The host has names for its kernels, which HIP makes those of the kernels.
        run(os.path.join(asked.tools, "llvm-objcopy"), "--wildcard", "--keep-global-symbol=gpu_*",
            "--keep-global-symbol=isozyme_*", at("device.o"))
        run(*both, "--cuda-host-only", "-fno-pie", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", at("no-code"), "-c",
            "-o", at("host.o"), env=WITH_PLUGIN)
        run(clang, "-no-pie", "-rdynamic", *(at(name + ".o") for name in ("host", "device", "fake-runtime", "emulator")),
            "-o", at("program"), "-ldl", "-lm")
        print(run(at("program"), *asked.words), end="")


main()
