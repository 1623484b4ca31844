"""Compiles a file of kernels once for each of its cases, for which it says the error that is expected:
#ifdef CASE // error: words"""
import argparse
import os
import re
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("source")
parser.add_argument("--clang", required=True)
parser.add_argument("--plugin", required=True)
asked = parser.parse_args()
environment = dict(os.environ, LD_PRELOAD=os.environ.get("ISOZYME_TEST_PRELOAD", ""))
cases = re.findall(r"^#ifdef (\w+) // error: (.*)$", open(asked.source).read(), re.M)
failures = []
for case, words in cases:
    for level in ("-O0", "-O2"):
        done = subprocess.run(
            [asked.clang, "-std=c++20", level, "-x", "cuda", "--cuda-gpu-arch=sm_75", "--cuda-device-only",
             "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Xclang", "-target-feature", "-Xclang",
             "+ptx64", "-I" + os.path.dirname(os.path.abspath(__file__)), "-fpass-plugin=" + asked.plugin,
             "-D" + case, "-emit-llvm", "-c", asked.source, "-o", os.devnull],
            capture_output=True, text=True, env=environment)
        errors = re.findall(r"error: (.*\[IZ\d+\])", done.stderr)
        if not done.returncode or len(errors) != 1 or not errors[0].startswith(words):
            failures.append("%s %s: expected '%s':\n%s" % (case, level, words, done.stderr))
if failures or not cases:
    sys.exit("\n".join(failures) or "no cases")
