# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""load: from source text to functions."""
import ctypes
import functools
import os
from pathlib import Path

from . import cache, fortran
from .declaration import parse_declaration
from .errors import DeclarationError
from .function import Function
from .records import record_of
from .source_types import declaration_of
from .wrappers import MODES, entries, wrapper_text

SUFFIXES = {".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".C": "c++", ".hpp": "c++", ".h": "c++",
            ".f90": "fortran", ".F90": "fortran", ".f": "fortran", ".F": "fortran", ".f03": "fortran", ".f08": "fortran"}
MOST_THREADS = 1024
ENDINGS = {"c": "c", "c++": "cpp", "fortran": "f90"}  # Of files made from text.


class Module:
    """The functions of one source, as attributes and in the order in which they were asked for."""

    def __init__(self, functions, library):
        self._functions = functions
        self.library = library  # The path of the compiled file.
        for f in functions:
            setattr(self, f.signature.attribute, f)

    def __iter__(self):
        return iter(self._functions)

    def __repr__(self):
        return f"<isozyme module: {', '.join(f.signature.text for f in self._functions)}>"


def source_file(path, source, language):
    """The file that the wrapper includes, and its language. Text gets a file of its own in the cache."""
    if (path is None) == (source is None):
        raise TypeError("load takes the path of a source file, or its text as source=..., and not both")
    if path is not None:
        path = Path(os.path.abspath(path))
        if not path.is_file():
            raise FileNotFoundError(f"there is no file '{path}'")
        language = language or SUFFIXES.get(path.suffix)
    language = (language or "c++").lower()
    if language not in ENDINGS:
        raise ValueError(f"the language '{language}' is not understood; it is 'c', 'c++' or 'fortran'")
    if path is None:
        path = cache.folder() / f"source-{cache.digest(source)}.{ENDINGS[language]}"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            cache.replace(path, source)
    return path, language


def load(path=None, *, functions, source=None, std=None, flags=(), language=None, modes=("vjp", "jvp", "hvp"),
         threads=1):
    """Compiles a source of C, C++ or Fortran, and returns its functions with derivatives.

    path or source   the file, or its text
    functions        declarations such as "double energy(const double x[n], int n)"; the name alone where the types
                     leave no doubt
    std, flags       "c++20", and further flags for clang (behind -O2)
    language         "c", "c++" or "fortran"; else by the file's name, and C++ for text
    modes            which derivatives are made: "vjp" (gradients), "jvp" (directions), "hvp" (second order), "split"
                     (a tape between value and gradient). What is left out costs no time to compile.
    threads          how many threads share the calls of a batch (vmap of PyTorch and JAX); with more than one, the
                     functions must not change global variables
    """
    if isinstance(functions, str):
        functions = [functions]
    if isinstance(flags, str):
        raise TypeError("flags is a list of strings, such as ['-O3', '-march=native']")
    for mode in modes:
        if mode not in MODES:
            raise ValueError(f"the mode '{mode}' is not understood; the modes are {', '.join(MODES)}")
    if not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"threads is a number from 1 to {MOST_THREADS}, and not {threads!r}")
    path, language = source_file(path, source, language)
    flags = [*([f"-std={std}"] if std else []), *map(str, flags)]
    if language == "fortran":
        signatures = [fortran.signature_of(path, flags, f) for f in functions]
    else:
        record = functools.cache(lambda name, where: record_of(path, language, flags, name, where))
        signatures = [parse_declaration(f, record) if "(" in f else declaration_of(path, language, flags, f, record)
                      for f in functions]
    if not signatures:
        raise DeclarationError("load is asked for no function")
    names = [s.attribute for s in signatures]
    for name in names:
        if names.count(name) > 1:
            raise DeclarationError(f"load is asked for two functions '{name}'; load them one by one")
    text = wrapper_text(path, signatures, modes, threads)
    if language == "fortran":
        file = fortran.compile_library(text, path, flags)
    else:
        file = cache.compile_library(text, language, flags, path.name)
    library = ctypes.CDLL(str(file))
    library.iz_message.restype = ctypes.c_char_p
    loaded = []
    for s in signatures:
        entry = {}
        for mode in entries(modes):
            entry[mode] = getattr(library, f"iz_{s.identifier}_{mode}")
            entry[mode].argtypes = [ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
        loaded.append(Function(s, entry, library, (path, flags)))
    return Module(loaded, file)
