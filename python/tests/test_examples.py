# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scripts of docs/python-examples.md print what the page says, up to the last digits of a fit. Objectives in the
operations of a framework have the values and gradients of those in C++, with which benchmarks/python compares them."""
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"\d+(?:\.\d*)?")


def printed(page, script):
    """The block behind the first link to the script in a section."""
    return re.search(rf"\n\[{script}\].*?```\n(.*?)```", page, re.S)[1]


@pytest.mark.parametrize("script, needs", [("torch_fit.py", "torch"), ("jax_layer.py", "jax"), ("fortran_fit.py", "scipy"),
                                           ("hmc.py", "numpy"), ("tensorflow_aim.py", "tensorflow")])
def test_an_example(script, needs, tmp_path):
    pytest.importorskip(needs)
    if script == "fortran_fit.py" and not shutil.which("flang-22"):
        pytest.skip("there is no flang-22")
    picture = [tmp_path / "picture.png"] if importlib.util.find_spec("matplotlib") else []
    done = subprocess.run([sys.executable, REPOSITORY / "docs" / "examples" / "python" / script, *picture],
                          capture_output=True, text=True)
    assert not done.returncode, done.stderr
    wanted = printed((REPOSITORY / "docs" / "python-examples.md").read_text(), script)
    assert NUMBER.sub("#", done.stdout) == NUMBER.sub("#", wanted)
    numbers, like = ([float(n) for n in NUMBER.findall(text)] for text in (done.stdout, wanted))
    assert numbers == pytest.approx(like, rel=0.5, abs=0.01)
    assert all(p.stat().st_size > 10_000 for p in picture)


@pytest.mark.parametrize("framework, objectives", [("torch", ("gmm", "ba")), ("jax", ("gmm", "lstm", "ode", "ba")),
                                                   ("tensorflow", ("gmm", "ba"))])
def test_objectives_agree(framework, objectives):
    pytest.importorskip(framework)
    script = REPOSITORY / "benchmarks" / "python" / "compare.py"
    for objective in objectives:
        found = []
        for way in ("own", "isozyme"):
            done = subprocess.run([sys.executable, script, framework, way, objective, "1", "0.1"], capture_output=True,
                                  text=True)
            assert not done.returncode, done.stderr
            found.append([float(word) for word in done.stdout.split()[2:]])
        assert found[0] == pytest.approx(found[1], rel=1e-9)
