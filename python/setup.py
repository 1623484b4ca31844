# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the plugin, its headers and the command into the package: from the repository's build folder if there is one,
else from one of the package's own. $ISOZYME_BUILD names another."""
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
TARGETS = ["Isozyme", "IsozymeClang", "IsozymeJIT", "isozyme"]


def run(*command):
    print("+", *command, flush=True)
    try:
        subprocess.run([str(word) for word in command], check=True, stdout=sys.stderr)
    except FileNotFoundError:
        sys.exit(f"'{command[0]}' is missing. On Debian 12, tools/quickstart installs what a build needs.")
    except subprocess.CalledProcessError:
        sys.exit("Isozyme could not be built. It needs the packages that tools/quickstart installs: LLVM 22 and clang 22 "
                 "with headers, CMake, Ninja and g++.")


def build_folder():
    named = os.environ.get("ISOZYME_BUILD")
    for folder in [Path(named)] if named else [REPOSITORY / "build"]:
        if (folder / "CMakeCache.txt").exists():
            return folder
    own = Path(named) if named else HERE / "build" / "isozyme"
    if not (REPOSITORY / "CMakeLists.txt").exists():
        sys.exit("the package is built in a clone of Isozyme's repository: pip install ./python")
    # As the repository's presets do; g++ builds the plugin, too, in twice the time.
    clang = shutil.which("clang-22") and shutil.which("clang++-22")
    compilers = ["-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22"] if clang else []
    run("cmake", "-S", REPOSITORY, "-B", own, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DISOZYME_TESTS=OFF", *compilers)
    return own


class BuildWithPlugin(build_py):
    def run(self):
        super().run()
        if self.editable_mode:
            return  # The package finds the build folder of the repository.
        folder = build_folder()
        target = Path(self.build_lib) / "isozyme" / "_install"
        run("cmake", "--build", folder, "--target", *TARGETS)
        shutil.rmtree(target, ignore_errors=True)
        run("cmake", "--install", folder, "--prefix", target.resolve())


class Wheel(bdist_wheel):
    """The wheel holds machine code, and none that belongs to one release of Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        """It runs where the C library is as new as here; nothing else is asked of a machine but clang 22 (see PEP 600)."""
        place = super().get_tag()[2]
        library, version = platform.libc_ver()
        if library == "glibc" and place.startswith("linux_"):
            place = f"manylinux_{'_'.join(version.split('.')[:2])}_{place.removeprefix('linux_')}"
        return "py3", "none", place


setup(cmdclass={"build_py": BuildWithPlugin, "bdist_wheel": Wheel})
