# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of docs/python.md run and print what the page says; the fit finds what it should."""
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_page(tmp_path):
    pytest.importorskip("scipy")
    for framework in ("torch", "jax", "tensorflow"):  # Without them their examples are left out.
        if importlib.util.find_spec(framework):
            (tmp_path / framework).touch()
    runner = REPOSITORY / "test" / "Style" / "run-examples.py"
    done = subprocess.run([sys.executable, runner, REPOSITORY / "docs" / "python.md", tmp_path / "page",
                           f"PATH={Path(sys.executable).parent}"], capture_output=True, text=True, cwd=tmp_path)
    assert not done.returncode, done.stderr


def test_the_fit(tmp_path):
    pytest.importorskip("scipy")
    folder = REPOSITORY / "docs" / "examples" / "python"
    picture = [tmp_path / "fit.png"] if importlib.util.find_spec("matplotlib") else []
    done = subprocess.run([sys.executable, folder / "fit.py", *picture], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    assert done.stdout in (REPOSITORY / "docs" / "python.md").read_text()
    assert all(p.stat().st_size > 10_000 for p in picture)
