# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of explanations, and the cell magic of notebooks."""
import re

import pytest

import isozyme

CELL = "double half(const double *x, int n) {\n  return FACTOR * x[0] * x[n - 1];\n}\n"
LINE = '''spring "double half(const double x[n], int n)" --flags "-DFACTOR=0.5 -O1"'''


def test_pages(module, tmp_path):
    page = isozyme.explain(module.energy)
    assert "reverse of" in page.text and "stretch" in page.text
    assert repr(page) == "<isozyme page: reverse of spring::energy>"
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.text
    shown = page._repr_html_()
    assert shown.startswith("<iframe") and "<script" not in shown and "&lt;script" in shown
    assert "forward of" in isozyme.explain(module.scratch, mode="forward").text
    with pytest.raises(ValueError, match="the mode 'sideways' is not understood"):
        isozyme.explain(module.energy, mode="sideways")


@pytest.fixture
def shell():
    testing = pytest.importorskip("IPython.testing.globalipapp", reason="IPython is not installed")
    shell = testing.start_ipython() or testing.get_ipython()
    shell.run_line_magic("load_ext", "isozyme")
    return shell


def test_cells(shell, monkeypatch):
    import isozyme.notebook
    shown = []
    monkeypatch.setattr(isozyme.notebook, "display", shown.append)
    shell.run_cell_magic("isozyme", LINE, CELL)
    assert shell.user_ns["spring"].half([2.0, 1.0, 3.0]) == 3
    assert [page.title for page in shown] == ["reverse of half"]
    shell.run_cell_magic("isozyme", LINE + " --quiet --language c --modes vjp", CELL)
    assert len(shown) == 1
    assert isozyme.grad(shell.user_ns["spring"].half)([2.0, 1.0, 3.0]).tolist() == [1.5, 0, 1]


@pytest.mark.parametrize("line, says", [
    ("", "the following arguments are required: variable, functions"),
    ("a-b half", "'a-b' can not be the name of a variable"),
    ("spring half --language fortran", "invalid choice: 'fortran'"),
    ("spring 'half", "No closing quotation"),
    ("spring half --loud", "unrecognized arguments: --loud"),
])
def test_wrong_lines(shell, line, says):
    from IPython.core.error import UsageError
    with pytest.raises(UsageError, match=re.escape(says)):
        shell.run_cell_magic("isozyme", line, CELL)


def test_wrong_cells(shell):
    with pytest.raises(isozyme.CompileError, match="use of undeclared identifier 'FACTOR'"):
        shell.run_cell_magic("isozyme", 'spring "double half(const double x[n], int n)"', CELL)
