# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values and derivatives with NumPy, against finite differences and formulas."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import isozyme

NUMBERS = st.floats(-2, 2, width=32)


def vectors(minimum=1, maximum=9):
    return arrays.arrays(np.float64, st.integers(minimum, maximum), elements=NUMBERS)


def difference(f, x, step=1e-6):
    """Central differences of f, of any shape, by the array x: the shape of f, then that of x."""
    columns = []
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        columns.append((np.asarray(f(up)) - np.asarray(f(down))) / (2 * step))
    first = np.asarray(f(x))
    return np.stack(columns, -1).reshape(first.shape + x.shape) if columns else np.zeros(first.shape + x.shape)


def energy(x, stiffness):
    stretch = np.diff(x)
    return np.sum(0.5 * stiffness * stretch**2 + np.cos(x[:-1]))


@given(x=vectors(), stiffness=NUMBERS)
def test_value_and_gradient(module, x, stiffness):
    value, (by_x, by_stiffness) = isozyme.value_and_grad(module.energy)(x, stiffness)
    assert value == pytest.approx(energy(x, stiffness), abs=1e-12)
    assert module.energy(x, stiffness) == value
    np.testing.assert_allclose(by_x, difference(lambda x: energy(x, stiffness), x), atol=1e-7)
    assert by_stiffness == pytest.approx(0.5 * np.sum(np.diff(x)**2), abs=1e-12)


@given(x=vectors(), stiffness=NUMBERS, data=st.data())
def test_second_order(module, x, stiffness, data):
    gradient = isozyme.grad(module.energy, "x")
    matrix = isozyme.hessian(module.energy, "x")(x, stiffness)
    np.testing.assert_allclose(matrix, difference(lambda x: gradient(x, stiffness), x), atol=1e-7)
    v = data.draw(arrays.arrays(np.float64, x.shape, elements=NUMBERS))
    (g, _), (hv, _) = isozyme.hvp(module.energy, (x, stiffness), (v, None))
    np.testing.assert_array_equal(g, gradient(x, stiffness))
    np.testing.assert_allclose(hv, matrix @ v, atol=1e-12)
    (by_x, by_mixed), (_, twice) = isozyme.hessian(module.energy)(x, stiffness)
    np.testing.assert_array_equal(by_x, matrix)
    np.testing.assert_allclose(by_mixed, difference(lambda s: gradient(x, float(s)), np.array(stiffness)), atol=1e-7)
    assert twice == 0


@given(n=st.integers(0, 4), dt=st.floats(0, 1), data=st.data())
def test_in_place_and_out(module, n, dt, data):
    state = data.draw(arrays.arrays(np.float64, (n, 2), elements=NUMBERS))
    before = state.copy()
    new, total = module.step(state, dt)
    np.testing.assert_array_equal(state, before)
    speed = state[:, 1] - dt * np.sin(state[:, 0])
    np.testing.assert_allclose(new, np.stack([state[:, 0] + dt * speed, speed], 1), atol=1e-14)
    np.testing.assert_allclose(total, [np.sum(0.5 * state[:, 1]**2 - np.cos(state[:, 0]))], atol=1e-13)

    (by_state, by_dt), (of_total, total_by_dt) = isozyme.jacobian(module.step)(state, dt)
    assert by_state.shape == (n, 2, n, 2) and by_dt.shape == (n, 2)
    np.testing.assert_allclose(by_state, difference(lambda s: module.step(s, dt)[0], state), atol=1e-7)
    np.testing.assert_allclose(of_total, difference(lambda s: module.step(s, dt)[1], state), atol=1e-7)
    np.testing.assert_array_equal(total_by_dt, [0])

    seed = data.draw(arrays.arrays(np.float64, (n, 2), elements=NUMBERS))
    outputs, (g, g_dt) = isozyme.vjp(module.step, (state, dt), (seed, np.array([2.0])))
    np.testing.assert_array_equal(outputs[0], new)
    np.testing.assert_allclose(g, np.tensordot(seed, by_state, 2) + 2 * of_total[0], atol=1e-12)
    assert g_dt == pytest.approx(np.sum(seed * by_dt), abs=1e-12)
    outputs, (t_state, t_total) = isozyme.jvp(module.step, (state, dt), (seed, 3.0))
    np.testing.assert_array_equal(outputs[1], total)
    np.testing.assert_allclose(t_state, np.tensordot(by_state, seed, 2) + 3 * by_dt, atol=1e-12)
    np.testing.assert_allclose(t_total, np.tensordot(of_total, seed, 2), atol=1e-12)


@given(shape=st.tuples(st.integers(1, 6), st.integers(1, 6)), data=st.data())
def test_both_directions_of_jacobians(module, shape, data):
    a = data.draw(arrays.arrays(np.float64, shape, elements=NUMBERS))
    x = data.draw(arrays.arrays(np.float64, shape[1:], elements=NUMBERS))
    np.testing.assert_allclose(module.product(a, x), a @ x**2, atol=1e-12)
    np.testing.assert_allclose(isozyme.jacobian(module.product, "x")(a, x), 2 * a * x, atol=1e-12)
    by_a, by_x = isozyme.jacobian(module.product)(a, x)
    assert by_a.shape == (shape[0], *shape)
    np.testing.assert_allclose(by_a, np.einsum("ij,k->ijk", np.eye(shape[0]), x**2), atol=1e-12)


def test_single_precision_and_integers(module):
    x, index = np.array([1, 2, 3], "f4"), np.array([2, 2, 0], "i4")
    value, gradient = isozyme.value_and_grad(module.single)(x, index)
    assert (value, gradient.dtype) == (12, np.float32)
    np.testing.assert_array_equal(gradient, [6, 3, 4])
    with pytest.raises(TypeError, match="'index' holds int64, and 'int index.n.' holds int32"):
        module.single(x, index.astype("i8"))


def test_numbers(module):
    assert module.power(3, 4) == 81
    assert isozyme.grad(module.power)(3.0, 4) == 108
    assert isozyme.hessian(module.power)(np.float64(3), np.int64(4)) == 108
    assert module.power(x=2.0, exponent=3) == 8


def test_an_input_used_as_workspace_stays_as_it_is(module):
    x = np.array([0.1, 0.2])
    x.flags.writeable = False
    value, gradient = isozyme.value_and_grad(module.scratch)(x)
    np.testing.assert_array_equal(x, [0.1, 0.2])
    np.testing.assert_allclose(gradient, 2 * x * np.cos(x**2))
    np.testing.assert_allclose(isozyme.hessian(module.scratch)(x),
                               np.diag(2 * np.cos(x**2) - 4 * x**2 * np.sin(x**2)), atol=1e-15)


def test_constants_have_no_gradient():
    f = isozyme.load(source="double f(double *p, const double *y, int n) { double s = 0; for (int i = 0; i < n; ++i)"
                     " s += (p[0] - y[i]) * (p[0] - y[i]); return s; }", modes=["vjp"],
                     functions="double f(constant double p[1], const double y[n], int n)").f
    gradient = isozyme.grad(f)(np.array([1.0]), np.array([1.0, 3.0]))
    np.testing.assert_array_equal(gradient, [0, 4])
    with pytest.raises(ValueError, match="wrt: 'p' is no input"):
        isozyme.grad(f, "p")
    with pytest.raises(isozyme.Error, match="loaded without 'jvp'"):
        isozyme.jvp(f, (np.ones(1), np.ones(2)), np.ones(2))


def test_scipy_minimises():
    scipy = pytest.importorskip("scipy.optimize")
    f = isozyme.load(source="""double rosenbrock(const double *x, int n) {
      double sum = 0;
      for (int i = 0; i + 1 < n; ++i) {
        double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
        sum += 100 * a * a + b * b;
      }
      return sum;
    }""", functions="rosenbrock").rosenbrock
    found = scipy.minimize(isozyme.value_and_grad(f), np.zeros(6), jac=True)
    np.testing.assert_allclose(found.x, np.ones(6), atol=1e-5)
    found = scipy.minimize(isozyme.value_and_grad(f), np.zeros(6), jac=True, hess=isozyme.hessian(f),
                           method="trust-exact", options={"gtol": 1e-10})
    np.testing.assert_allclose(found.x, np.ones(6), atol=1e-8)
