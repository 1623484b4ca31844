# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that several tests use, compiled once."""
import os
import tempfile

import hypothesis
import pytest

import isozyme

os.environ.setdefault("ISOZYME_CACHE", os.path.join(tempfile.gettempdir(), f"isozyme-tests-{os.getuid()}"))
hypothesis.settings.register_profile("tests", max_examples=50, deadline=None)
hypothesis.settings.load_profile("tests")

SOURCE = r"""
#include <cmath>
#include <stdexcept>

namespace spring {
// The energy of a chain of springs between neighbours.
double energy(const double *x, int n, double stiffness) {
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) {
    double stretch = x[i + 1] - x[i];
    sum += 0.5 * stiffness * stretch * stretch + std::cos(x[i]);
  }
  return sum;
}
}

// A step of a pendulum for each pair in the state; gives the energy as well.
void step(double *state, double *energy, int n, double dt) {
  energy[0] = 0;
  for (int i = 0; i < n; ++i) {
    double *s = state + 2 * i;
    energy[0] += 0.5 * s[1] * s[1] - std::cos(s[0]);
    s[1] -= dt * std::sin(s[0]);
    s[0] += dt * s[1];
  }
}

void product(const double *a, const double *x, double *y, long rows, long columns) {
  for (long i = 0; i < rows; ++i) {
    y[i] = 0;
    for (long j = 0; j < columns; ++j)
      y[i] += a[i * columns + j] * x[j] * x[j];
  }
}

float single(const float *x, const int *index, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[index[i]];
  return sum;
}

double refuses(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] < 0)
      throw std::domain_error("a negative number");
  return std::sqrt(x[0]);
}

// Uses its input as a workspace.
double scratch(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = x[i] * x[i];
    sum += std::sin(x[i]);
  }
  return sum;
}

double power(double x, int exponent) {
  double y = 1;
  for (int i = 0; i < exponent; ++i)
    y *= x;
  return y;
}
"""

DECLARATIONS = [
    "double spring::energy(const double x[n], int n, double stiffness)",
    "void step(inout double state[n][2], out double energy[1], int n, double dt)",
    "void product(const double a[rows][columns], const double x[columns], out double y[rows], long rows, long columns)",
    "float single(const float x[n], const int index[n], int n)",
    "double refuses(const double x[n], int n)",
    "double scratch(in double x[n], int n)",
    "double power(double x, int exponent)",
]


@pytest.fixture(scope="session")
def module():
    return isozyme.load(source=SOURCE, functions=DECLARATIONS, modes=["vjp", "jvp", "hvp", "split"])

# Results and inputs without derivatives.
INTEGERS = """
int squares(const double *x, double *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] * x[i]; return n; }
double held(double *p, int n) { return p[0] * n; }
"""


@pytest.fixture(scope="session")
def integers():
    return isozyme.load(source=INTEGERS, modes=["vjp", "jvp", "hvp", "split"],
                        functions=["int squares(const double x[n], out double y[n], int n)",
                                   "double held(constant double p[n], int n)"])
