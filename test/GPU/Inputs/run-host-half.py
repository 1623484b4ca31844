"""Compiles the host's half of SOURCE for CUDA and for HIP at all levels, and runs it with fake-runtime.cpp in the place
of the run time and the GPU.
"""
import argparse
import os
import subprocess
import sys

LANGUAGES = {
    "cuda": ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Xclang",
             "-target-sdk-version=12.9"],  # Those of old launched in another way.
    "hip": ["-x", "hip", "--cuda-host-only", "-nogpuinc", "-nogpulib"],
}

# A sanitized plugin needs its runtime in the compiler from the start.
WITH_PLUGIN = dict(os.environ, LD_PRELOAD=os.environ.get("ISOZYME_TEST_PRELOAD", ""))


def run(*command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        sys.exit("%s\n%s%s" % (" ".join(command), done.stdout, done.stderr))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    for name in ("tools", "plugin", "folder"):
        parser.add_argument("--" + name, required=True)
    asked = parser.parse_args()
    inputs = os.path.dirname(os.path.abspath(__file__))
    clang = os.path.join(asked.tools, "clang++")
    os.makedirs(asked.folder, exist_ok=True)
    fake, code = (os.path.join(asked.folder, name) for name in ("fake-runtime.o", "no-code"))
    run(clang, "-O1", "-c", os.path.join(inputs, "fake-runtime.cpp"), "-o", fake)
    with open(code, "w") as file:  # What the compiler puts into the program for the GPU.
        file.write("none")
    for language, flags in LANGUAGES.items():
        for level in ("-O0", "-O1", "-O2", "-O3"):
            name = os.path.join(asked.folder, language + level)
            run(clang, *flags, "-std=c++20", level, "-I" + inputs, "-fpass-plugin=" + asked.plugin, "-Xclang",
                "-fcuda-include-gpubinary", "-Xclang", code, "-c", asked.source, "-o", name + ".o", env=WITH_PLUGIN)
            run(clang, name + ".o", fake, "-o", name, "-lm")
            run(name)


main()
