# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structures and complex numbers as parameters."""
import numpy as np
import pytest

import isozyme
from isozyme.errors import DeclarationError

SOURCE = r"""
#include <array>
#include <cmath>
#include <complex>
struct Vec3 { double x, y, z; };
struct Ends { int first, last; };
struct Spring { double k, length; float weights[2][2]; Ends ends; bool on; };
double dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// The energy of a chain of springs between neighbours, in a field.
double energy(const Vec3 *p, Vec3 field, const Spring &s, int n) {
  double sum = 0;
  for (int i = s.ends.first; i < s.ends.last; i++) {
    const Vec3 d = {p[i + 1].x - p[i].x, p[i + 1].y - p[i].y, p[i + 1].z - p[i].z};
    const double stretch = std::sqrt(dot(d, d)) - s.length;
    sum += 0.5 * s.k * stretch * stretch * s.weights[i % 2][1];
  }
  for (int i = 0; i < n; i++)
    sum -= dot(field, p[i]);
  return s.on ? sum : 0;
}
double byAddress(const Spring *s, std::array<double, 3> a) { return s->k * a[0] * a[1] * a[2]; }
void squares(const std::complex<double> *z, std::complex<double> *w, int n) {
  for (int i = 0; i < n; i++)
    w[i] = z[i] * z[i];
}
double length(const Vec3 *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += std::sqrt(dot(p[i], p[i]));
  return sum;
}
struct Node { double value; const Node *next; };
struct Either { union { double x; int i; }; };
struct Flags { double x; int a : 3; };
class Hidden { double x; int i; };
struct Many { double x; Ends ends[2]; };
double of(Node, Either, Flags, Hidden, Many, long double);
"""
FUNCTIONS = ["double energy(const Vec3 p[n], Vec3 field, const Spring &s, int n)",
             "double byAddress(const Spring s[1], std::array<double, 3> a)",
             "void squares(const std::complex<double> z[n], out std::complex<double> w[n], int n)", "length"]
P, FIELD = np.random.default_rng(0).normal(size=(4, 3)), np.array([0.0, 0.1, -9.8])
WEIGHTS = np.array([[5, 1], [6, 2]], "float32")
ARGUMENTS = (P, FIELD, 2.0, 0.5, WEIGHTS, 0, 3, True)


@pytest.fixture(scope="module")
def records():
    return isozyme.load(source=SOURCE, functions=FUNCTIONS)


def energy(p, field, k, length, weights, first, last, on):
    stretch = np.sqrt((np.diff(p, axis=0)[first:last] ** 2).sum(1)) - length
    return 0.5 * k * (stretch**2 * weights[np.arange(first, last) % 2, 1]).sum() - (p @ field).sum()


def test_values_and_gradients(records):
    assert [p.python_name for p in records.energy.signature.arguments] == [
        "p", "field", "s_k", "s_length", "s_weights", "s_ends_first", "s_ends_last", "s_on"]
    np.testing.assert_allclose(records.energy(*ARGUMENTS), energy(*ARGUMENTS))
    by = isozyme.grad(records.energy)(*ARGUMENTS)
    np.testing.assert_allclose(by[1], -P.sum(0))
    for i in range(P.size):
        step = np.zeros(P.size)
        step[i] = 1e-5
        step = step.reshape(P.shape)
        slope = (energy(P + step, *ARGUMENTS[1:]) - energy(P - step, *ARGUMENTS[1:])) / 2e-5
        np.testing.assert_allclose(by[0].flat[i], slope, rtol=1e-7)
    np.testing.assert_allclose(by[2], energy(P, 0 * FIELD, 1.0, *ARGUMENTS[3:]))
    np.testing.assert_allclose(by[4][:, 0], 0)
    np.testing.assert_allclose((by[4] * WEIGHTS).sum(), energy(P, 0 * FIELD, *ARGUMENTS[2:]), rtol=1e-6)
    assert isozyme.grad(records.energy)(*ARGUMENTS[:-1], False)[2] == 0
    h = isozyme.hessian(records.energy, "s_length")(*ARGUMENTS)
    np.testing.assert_allclose(h, 2.0 * (1 + 2 + 1))


def test_by_address_and_by_name(records):
    a = np.array([2.0, 3.0, 4.0])
    assert records.byAddress(0.5, 0.0, WEIGHTS, 0, 0, True, a) == 12
    np.testing.assert_array_equal(isozyme.grad(records.byAddress, "a")(0.5, 0.0, WEIGHTS, 0, 0, True, a), [6, 4, 3])
    np.testing.assert_allclose(isozyme.grad(records.length)(P), P / np.linalg.norm(P, axis=1)[:, None])


def test_complex_numbers_are_pairs(records):
    z = np.array([1 + 2j, 3 - 1j])
    w = records.squares(z.view(float).reshape(-1, 2))
    np.testing.assert_allclose(w.view(complex)[:, 0], z * z)
    _, by = isozyme.vjp(records.squares, (z.view(float).reshape(-1, 2),), np.array([[1.0, 0], [0, 0]]))
    np.testing.assert_allclose(by, [[2, -4], [0, 0]])  # Of Re z^2.


def test_in_c():
    m = isozyme.load(language="c", functions=["double area(const struct box b[n], int n)", "double share(Part part)"], source="""
struct box { float sides[2]; };
typedef struct { double a; int parts; } Part;
double area(const struct box *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += b[i].sides[0] * b[i].sides[1];
  return sum;
}
double share(Part part) { return part.a * part.a / part.parts; }
""")
    assert m.area(np.array([[2, 3], [1, 4]], "float32")) == 10
    np.testing.assert_array_equal(isozyme.grad(m.area)(np.array([[2, 3], [1, 4]], "float32")), [[3, 2], [4, 1]])
    assert isozyme.value_and_grad(m.share)(4.0, 8) == (2, 1)


@pytest.mark.parametrize("declaration, says", [
    ("double of(Node n)", "its member 'next' is a pointer"),
    ("double of(Either e)", "is a union, or holds one"),
    ("double of(Flags f)", "its member 'a' is a bit field"),
    ("double of(Hidden h)", "has no members, or some that are private"),
    ("double of(Many m)", "has no members, or some that are private or in an array of structures"),
    ("double of(const Spring s[n], int n)", "holds numbers of several types"),
    ("double of(Spring &s)", "a reference that is not const"),
    ("double of(long double x)", "it holds a number of the type 'long double'"),
    ("double of(Nothing x)", "the type 'Nothing' is not understood: clang says"),
])
def test_what_is_no_array_of_numbers(declaration, says):
    with pytest.raises(DeclarationError, match=says):
        isozyme.load(source=SOURCE, functions=[declaration])


def test_in_frameworks(records):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    p = torch.tensor(P, requires_grad=True)
    records.energy(p, torch.tensor(FIELD), 2.0, 0.5, torch.tensor(WEIGHTS), 0, 3, True).backward()
    np.testing.assert_allclose(p.grad, isozyme.grad(records.energy, "p")(*ARGUMENTS))
