# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache, errors of the compiler, interrupted and concurrent loads."""
import importlib.metadata
import os
import platform
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import isozyme
from isozyme import cache, toolchain

SQUARE = "double square(double x) { return x * x; }"


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ISOZYME_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def compilations(monkeypatch):
    """A list that grows by one command whenever a compiler is started."""
    commands, run = [], cache.run
    monkeypatch.setattr(cache, "run", lambda command: commands.append(command) or run(command))
    return commands


def test_the_second_load_compiles_nothing(empty_cache, monkeypatch):
    commands = compilations(monkeypatch)
    for _ in range(2):
        f = isozyme.load(source=SQUARE, functions="square", modes=["vjp"]).square
        assert isozyme.grad(f)(3.0) == 6
    assert len(commands) == 2  # The types of 'square', and the library.
    isozyme.load(source=SQUARE, functions="double square(double x)", modes=["vjp"], flags=["-DOTHER"])
    assert len(commands) == 3


def test_a_cache_named_by_a_relative_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ISOZYME_CACHE", "here")
    assert isozyme.load(source=SQUARE, functions="double square(double x)", modes=["vjp"]).square(3.0) == 9
    assert (tmp_path / "here").is_dir()


def test_a_changed_header_is_seen(empty_cache, tmp_path, monkeypatch):
    commands = compilations(monkeypatch)
    header, source = tmp_path / "factor of.h", tmp_path / "scaled.c"
    source.write_text('#include "factor of.h"\ndouble scaled(double x) { return FACTOR * x; }\n')
    for factor in (2, 3, 3, 2):
        header.write_text(f"#define FACTOR {factor}\n")
        f = isozyme.load(source, functions="double scaled(double x)", modes=["vjp"]).scaled
        assert (f(1.0), isozyme.grad(f)(1.0)) == (factor, factor)
    assert len(commands) == 3
    source.write_text(source.read_text().replace("FACTOR *", "10 *"))
    assert isozyme.load(source, functions="double scaled(double x)", modes=["vjp"]).scaled(1.0) == 10


def test_errors_of_the_compiler_are_shown(empty_cache):
    with pytest.raises(isozyme.CompileError, match="use of undeclared identifier 'y'") as caught:
        isozyme.load(source="double f(double x) { return y; }", functions="double f(double x)")
    assert "c++" in caught.value.command
    with pytest.raises(isozyme.CompileError, match=r"error: .*\[IZ\d+\]"):
        isozyme.load(source="double g(double); double f(double x) { return g(x); }", functions="double f(double x)")
    with pytest.raises(isozyme.CompileError, match="cannot initialize a variable of type"):
        isozyme.load(source=SQUARE, functions="double square(const double x[n], int n)")
    assert not list(empty_cache.glob("*/*.so")) and not list(empty_cache.glob("*/tmp*"))


def test_what_types_do_not_say_is_asked_for(empty_cache):
    source = "void f(const double *x, double *y, int n, int m) {}"
    with pytest.raises(isozyme.DeclarationError, match=re.escape(
            '"void f(const double x[?], out/inout double y[?], int n, int m)"')):
        isozyme.load(source=source, functions="f")
    with pytest.raises(isozyme.DeclarationError, match="there is no function 'g'"):
        isozyme.load(source=source, functions="g")
    with pytest.raises(isozyme.DeclarationError, match="there are several functions 'h'"):
        isozyme.load(source="double h(double x) { return x; } float h(float x) { return x; }", functions="h")


def test_wrong_calls_of_load(tmp_path):
    for arguments, kind, says in [
            ({}, TypeError, "the path of a source file, or its text"),
            ({"path": tmp_path / "none.c"}, FileNotFoundError, "there is no file"),
            ({"source": SQUARE, "modes": ["reverse"]}, ValueError, "the mode 'reverse' is not understood"),
            ({"source": SQUARE, "flags": "-O3"}, TypeError, "flags is a list"),
            ({"source": SQUARE, "language": "ada"}, ValueError, "the language 'ada' is not understood"),
            ({"source": SQUARE, "functions": []}, isozyme.DeclarationError, "asked for no function")]:
        with pytest.raises(kind, match=says):
            isozyme.load(**{"functions": "double square(double x)", **arguments})


def test_a_missing_compiler_is_named(monkeypatch):
    monkeypatch.setenv("ISOZYME_CLANG", "/nowhere/clang")
    with pytest.raises(isozyme.ToolchainError, match="ISOZYME_CLANG names '/nowhere/clang'"):
        isozyme.load(source=SQUARE, functions="double square(double x)")
    monkeypatch.delenv("ISOZYME_CLANG")
    monkeypatch.setattr(toolchain.shutil, "which", lambda *_, **__: None)
    with pytest.raises(isozyme.ToolchainError, match="apt-get install clang-22"):
        isozyme.load(source=SQUARE, functions="double square(double x)")


SCRIPT = """
import isozyme, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # A background job of a shell starts without.
f = isozyme.load(source=sys.argv[1], functions="double square(double x)", modes=["vjp"]).square
print(isozyme.grad(f)(3.0), flush=True)
"""


def test_concurrent_processes(empty_cache):
    started = [subprocess.Popen([sys.executable, "-c", SCRIPT, SQUARE], stdout=subprocess.PIPE, text=True)
               for _ in range(4)]
    assert [p.communicate()[0] for p in started] == ["6.0\n"] * 4
    assert len(list(empty_cache.glob("*/*.so"))) == 1


def test_an_interrupt_ends_the_compiler(empty_cache):
    slow = SQUARE + "\n#include <regex>\n#include <map>\n#include <iostream>\n"
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, slow], stderr=subprocess.PIPE, text=True)
    while not list(empty_cache.glob("*/tmp*/wrapper.cpp")):
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in said and process.returncode
    assert not list(empty_cache.glob("*/tmp*"))


FORK = """
import os
child = os.fork()
if child:
    os.waitpid(child, 0)
print(isozyme.grad(f)(4.0), flush=True)
"""


def test_fork():
    """In a process of its own: the frameworks of other tests have threads, and those do not go with a fork."""
    done = subprocess.run([sys.executable, "-c", SCRIPT + FORK, SQUARE], capture_output=True, text=True, timeout=120)
    assert done.stdout == "6.0\n" + "8.0\n" * 2


def test_c_and_language_standards(empty_cache, tmp_path):
    source = tmp_path / "norm.c"
    source.write_text("#include <math.h>\ndouble norm(const double *restrict x, size_t n);\n"
                      .replace("size_t", "unsigned long") +
                      "double norm(const double *restrict x, unsigned long n) {\n  double s = 0;\n"
                      "  for (unsigned long i = 0; i < n; ++i) s += x[i] * x[i];\n  return sqrt(s);\n}\n")
    f = isozyme.load(source, functions=["norm"], std="c11").norm
    np.testing.assert_allclose(isozyme.grad(f)(np.array([3.0, 4.0])), [0.6, 0.8])
    concept = "template <class T> concept number = true;\ntemplate <number T> T twice(T x) { return 2 * x; }"
    with pytest.raises(isozyme.CompileError):
        isozyme.load(source=concept, functions="double twice<double>(double x)", std="c++17")
    f = isozyme.load(source=concept, functions="double twice<double>(double x)", std="c++20").twice
    assert isozyme.grad(f)(1.0) == 2


def test_warnings_are_shown_each_time(empty_cache):
    for _ in range(2):
        with pytest.warns(isozyme.CompileWarning, match="this is odd"):
            isozyme.load(source="#warning this is odd\n" + SQUARE, functions="double square(double x)", modes=[])


def test_the_wheel_says_what_it_runs_on():
    """Of a package that pip has installed: with machine code, for one C library and all releases of Python."""
    wheels = [d.read_text("WHEEL") for d in importlib.metadata.distributions(name="isozyme")]
    wheel = next(filter(None, wheels), None)  # A clone that was built in has an entry of its own, without that text.
    if not wheel:
        pytest.skip("the package is not installed")
    assert "Root-Is-Purelib: false" in wheel
    version = platform.libc_ver()[1].replace(".", "_")
    assert f"Tag: py3-none-manylinux_{version}_{platform.machine()}" in wheel
