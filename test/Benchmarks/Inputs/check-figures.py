# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-figures.py FIGURES.json PROGRAM... -- GRADIENT...: the file holds a row for each program, with each gradient
measured and equal to the one by hand."""
import json
import sys

figures = json.load(open(sys.argv[1]))
end = sys.argv.index("--")
programs, gradients = sys.argv[2:end], sys.argv[end + 1 :]
assert [row["program"] for row in figures["rows"]] == programs, figures
for row in figures["rows"]:
    assert row["primal_ms"] > 0 and row["primal_mib"] >= 0 and row["primal_faults"] >= 0, row
    assert sorted(row["gradients"]) == sorted(gradients), row
    for name, gradient in row["gradients"].items():
        assert gradient["error"] < 1e-9 and gradient["ms"] > 0 and gradient["mib"] >= 0, (name, gradient)
        assert abs(gradient["ratio"] * row["primal_ms"] / gradient["ms"] - 1) < 1e-9, (name, gradient)
for name in gradients:
    assert figures["geometric_means"][name] > 0, figures
