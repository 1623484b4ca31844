# How the lit tests run. Substitutions:
#   %opt       opt with the plugin, verifying the module after every pass and the
#              result of every stage of Isozyme
#   %opt_bin   opt alone
#   %clang, %clangxx, %flang   compilers with the plugin and the include path
#   %clang_bin, %clangxx_bin   the same compilers as they are   %python   this python
#   %plugin    the plugin file        %isozyme   the driver command
#   %plugin_folder   where it lies, and the library for derivatives at run time
#   %frontend  the plugin file for clang's front end
#   %include   the public headers     %examples  docs/examples
#   %chromium  a browser without a window
#   %run_kernels   test/GPU/Inputs/run-kernels.py
#   %run_host_half   test/GPU/Inputs/run-host-half.py
#   %fortran   compiles a test of Fortran and runs it, with the module slopes to compare gradients
#   %preload   what runs a program that loads the plugin under the sanitizers
# FileCheck, not, count and split-file are on the path.
import os
import random
import shutil
import subprocess
import sys

import lit.formats

config.name = "Isozyme"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".f90", ".test"]
config.excludes = ["Unit", "Install", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.isozyme_build, "test")

tools = config.llvm_tools
config.environment["PATH"] = os.pathsep.join([tools, config.environment.get("PATH", "")])
config.environment.pop("ISOZYME_OPTIONS", None)
# tools/check --full: tests that take a part of their cases, another one each time, take all.
if "ISOZYME_TEST_ALL" in os.environ:
    config.environment["ISOZYME_TEST_ALL"] = "1"
# Some tests have lines for three turns, of which one runs, another one each time, or all.
TURNS = ["turn-1", "turn-2", "turn-3"]
config.available_features.update(TURNS if "ISOZYME_TEST_ALL" in os.environ else [random.choice(TURNS)])
# Explanations in lines as long as they are, for tests to look at.
config.environment["COLUMNS"] = "0"

# A sanitized plugin needs its runtime to be in the host from the start. LLVM
# itself is not sanitized, so that leaks and container checks would be its own.
preload = ""
if config.asan_runtime:
    preload = "env LD_PRELOAD=%s " % config.asan_runtime
    config.environment["ISOZYME_TEST_PRELOAD"] = config.asan_runtime
    config.environment["ASAN_OPTIONS"] = (
        "detect_leaks=0:detect_container_overflow=0:detect_odr_violation=0"
    )
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1"
    config.available_features.add("sanitizers")
    # The others are about what surrounds the plugin.
    config.suffixes = [".ll", ".c", ".cpp", ".f90"]

# --param memcheck=asan|msan|valgrind: programs run once each, under that checker; =prepared: with
# what is differentiated in place of what the user wrote.
memcheck = lit_config.params.get("memcheck")
if memcheck:
    config.environment["ISOZYME_TEST_MEMCHECK"] = memcheck
    config.available_features.update({"memcheck", "memcheck-" + memcheck})
    # MemorySanitizer wants all code to be its own, and C++'s library is not.
    config.suffixes = [".c"] if memcheck == "msan" else [".c", ".cpp"]

include = config.public_include
plugin = config.plugin


def compiler(name):
    return "%s%s -fpass-plugin=%s -I%s" % (preload, os.path.join(tools, name), plugin, include)


config.substitutions += [
    (r"%opt\b", "%s%s -load-pass-plugin=%s -verify-each -isozyme-verify-each"
     % (preload, os.path.join(tools, "opt"), plugin)),
    ("%llvm_link", os.path.join(tools, "llvm-link")),
    ("%opt_bin", preload + os.path.join(tools, "opt")),
    (r"%clangxx_bin", os.path.join(tools, "clang++")),
    (r"%clang_bin", os.path.join(tools, "clang")),
    (r"%clangxx\b", compiler("clang++")),
    (r"%clang\b", compiler("clang")),
    ("%python", sys.executable),
    (r"%flang\b", "%s%s -fpass-plugin=%s" % (preload, os.path.join(tools, "flang"), plugin)),
    # Compiles a test of Fortran, and runs it.
    (r"%fortran\b", "bash %s/test/Host/Inputs/run-fortran.sh '%s%s fc'"
     % (config.isozyme_source, preload, os.path.join(config.isozyme_build, "bin", "isozyme"))),
    (r"%isozyme\b", os.path.join(config.isozyme_build, "bin", "isozyme")),
    ("%tools", tools),
    ("%plugin_folder", os.path.dirname(plugin)),
    ("%plugin", plugin),
    ("%frontend", os.path.join(os.path.dirname(plugin), "IsozymeClang.so")),
    ("%include", include),
    ("%examples", os.path.join(config.isozyme_source, "docs", "examples")),
    ("%bin", os.path.join(config.isozyme_build, "bin")),
    ("%source", config.isozyme_source),
    ("%preload", preload),
    # Kernels for GPUs, in the emulator; %t is their folder.
    ("%run_kernels", "%s %s/test/GPU/Inputs/run-kernels.py --tools=%s --plugin=%s --emulator=%s --folder=%%t"
     % (sys.executable, config.isozyme_source, tools, plugin,
        os.path.join(config.isozyme_build, "bin", "gpu-emulate"))),
    # What the host does with them; %t is the folder.
    ("%run_host_half", "%s %s/test/GPU/Inputs/run-host-half.py --tools=%s --plugin=%s --folder=%%t"
     % (sys.executable, config.isozyme_source, tools, plugin)),
]

for feature, program in [("flang", "flang"), ("lld", "ld.lld")]:
    if os.path.exists(os.path.join(tools, program)):
        config.available_features.add(feature)
if os.path.exists("/proc/cpuinfo") and {"avx2", "fma"} <= set(open("/proc/cpuinfo").read().split()):
    config.available_features.add("avx2")
if shutil.which("gdb") and not preload:  # Where a debugger may not start programs, it is of no use.
    probe = subprocess.run(["gdb", "-batch", "-nx", "-ex", "run", "/bin/true"], capture_output=True)
    if b"exited normally" in probe.stdout:
        config.available_features.add("gdb")
browsers = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
browser = next(filter(None, map(shutil.which, browsers)), None)
if browser:
    config.available_features.add("chromium")
    # A profile of its own; no sandbox, for that does not run as root.
    config.substitutions.append(
        ("%chromium", browser + " --headless --no-sandbox --disable-gpu --hide-scrollbars"
         " --force-device-scale-factor=1 --user-data-dir=%t.profile")
    )
if shutil.which("gcc"):
    config.available_features.add("gcc")
if shutil.which("doxygen"):
    config.available_features.add("doxygen")
if os.path.exists("/usr/include/eigen3/Eigen/Dense"):
    config.available_features.add("eigen")
if shutil.which("clang-format-22"):
    config.available_features.add("clang-format")
if shutil.which("clang-tidy-22"):
    config.available_features.add("clang-tidy")
if shutil.which("ptxas") and os.path.exists("/usr/local/cuda/nvvm/libdevice/libdevice.10.bc"):
    config.available_features.add("ptxas")
if shutil.which("valgrind"):
    config.available_features.add("valgrind")
if os.path.exists("/usr/lib/llvm-19/bin/opt"):
    config.available_features.add("llvm-19")
