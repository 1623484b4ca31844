# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where Isozyme's command and clang 22 are."""
import os
import shutil
import subprocess
from pathlib import Path

from .errors import ToolchainError

LLVM = "22"
PACKAGE = Path(__file__).resolve().parent


def installation():
    """The folder with bin/isozyme: in the package, or the build folder of the repository that the package lies in."""
    for folder in (PACKAGE / "_install", PACKAGE.parent.parent / "build"):
        if (folder / "bin" / "isozyme").exists():
            return folder
    raise ToolchainError(f"this copy of the package has no Isozyme in it ({PACKAGE / '_install'}): install it again, "
                         "with 'pip install ./python' in a clone of the repository")


def command():
    return installation() / "bin" / "isozyme"


def compile_flags():
    """What a command of clang 22 needs to know Isozyme: for build systems, such as torch.utils.cpp_extension."""
    return subprocess.run([command(), "--flags", "-c"], capture_output=True, text=True, check=True).stdout.split()


def plugins():
    folder = installation()
    return sorted(folder.glob("lib/**/Isozyme*.so"))


def clang():
    """The compiler that the command will take."""
    named = os.environ.get("ISOZYME_CLANG")
    if named:
        path = shutil.which(named)
        if path:
            return path
        raise ToolchainError(f"$ISOZYME_CLANG names '{named}', and there is no such program")
    path = shutil.which(f"clang-{LLVM}") or shutil.which("clang", path=f"/usr/lib/llvm-{LLVM}/bin")
    if path:
        return path
    raise ToolchainError(f"there is no clang-{LLVM}, which Isozyme works inside of. On Debian:\n"
                         f"  apt-get install clang-{LLVM} g++\n"
                         "or name a clang of that release in $ISOZYME_CLANG")


def flang():
    """The compiler of Fortran."""
    path = shutil.which(f"flang-{LLVM}")
    if path:
        return path
    raise ToolchainError(f"there is no flang-{LLVM}, which compiles Fortran. On Debian: apt-get install flang-{LLVM}")


def identity(path):
    """Changes when the file does, and costs no look inside."""
    path = os.path.realpath(path)
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"
