"""Takes the CUDA program out of PAGE, the block that is announced by `<!-- example: program -->`, compiles both halves,
and runs them without a GPU, kernels by gpu-emulate. Prints what the program prints.
"""
import argparse
import os
import re
import subprocess
import sys

CUDA = ["-x", "cuda", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Xclang", "-target-sdk-version=12.9"]
DEVICE = ["--cuda-gpu-arch=sm_75", "--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx64"]

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
    for name in ("tools", "plugin", "emulator", "folder"):
        parser.add_argument("--" + name, required=True)
    asked = parser.parse_args()
    inputs = os.path.dirname(os.path.abspath(__file__))
    clang = os.path.join(asked.tools, "clang++")
    os.makedirs(asked.folder, exist_ok=True)
    with open(asked.page) as file:
        program = re.search(r"<!-- example: program -->\n```cpp\n(.*?)```", file.read(), re.S).group(1)
    at = lambda name: os.path.join(asked.folder, name)
    for name, text in (("program.cu", program), ("no-code", "none")):
        with open(at(name), "w") as file:
            file.write(text)
    for name in ("fake-runtime", "emulator"):
        run(clang, "-std=c++20", "-O1", "-DEMULATED", "-c", os.path.join(inputs, name + ".cpp"), "-o", at(name + ".o"))
    for level in ("-O0", "-O2"):
        both = [clang, *CUDA, level, "-include", os.path.join(inputs, "cuda-like.h"), "-fpass-plugin=" + asked.plugin,
                at("program.cu")]
        run(*both, *DEVICE, "-emit-llvm", "-c", "-o", at("device.bc"), env=WITH_PLUGIN)
        run(asked.emulator, at("device.bc"), "-o", at("emulated.bc"))
        run(clang, "-O1", "-w", "-c", at("emulated.bc"), "-o", at("device.o"))
        run(*both, "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", at("no-code"), "-c", "-o",
            at("host.o"), env=WITH_PLUGIN)
        run(clang, "-rdynamic", *(at(name + ".o") for name in ("host", "device", "fake-runtime", "emulator")), "-o",
            at("program"), "-ldl", "-lm")
        print(run(at("program")), end="")


main()
