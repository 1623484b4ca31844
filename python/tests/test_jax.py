# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX: gradients, directions, batches and second derivatives, compiled and not."""
import re

import numpy as np
import pytest

import isozyme

jax = pytest.importorskip("jax", reason="JAX is not installed")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy
from jax.test_util import check_grads  # noqa: E402

X = np.array([0.1, 0.5, -0.3, 0.8])


def test_values(module):
    for f in (module.energy, jax.jit(module.energy.jax)):
        assert f(jnp.array(X), 2.0) == module.energy(X, 2.0)
    for found, wanted in zip(module.step(jnp.ones((3, 2)), 0.1), module.step(np.ones((3, 2)), 0.1)):
        np.testing.assert_array_equal(found, wanted)
    index = jnp.array([1, 0], "int32")
    f = jax.jit(module.single)
    np.testing.assert_array_equal(jax.grad(f)(jnp.array([2, 3], "float32"), index), [6, 4])


@pytest.mark.parametrize("compiled", [False, True])
def test_gradients(module, compiled):
    wrap = jax.jit if compiled else lambda f: f
    x = jnp.array(X)
    for found, wanted in zip(wrap(jax.grad(module.energy, (0, 1)))(x, 2.0), isozyme.grad(module.energy)(X, 2.0)):
        np.testing.assert_array_equal(found, wanted)
    check_grads(wrap(module.energy), (x, 2.0), order=1, modes=["fwd", "rev"])
    check_grads(wrap(module.energy), (x, 2.0), order=2, modes=["rev"])
    check_grads(wrap(module.step), (jnp.ones((3, 2)) * 0.3, 0.1), order=2, modes=["rev"])
    check_grads(wrap(module.product), (jnp.ones((3, 2)) * 0.3, jnp.array([1.0, 2.0])), order=2, modes=["rev"])
    check_grads(wrap(module.scratch), (x,), order=2, modes=["rev"])


def test_second_order(module):
    wanted = isozyme.hessian(module.energy, "x")(X, 2.0)
    for second in (jax.hessian, lambda f: jax.jacrev(jax.jacrev(f)), lambda f: jax.jacrev(jax.jacfwd(f)),
                   lambda f: jax.jacfwd(jax.jacfwd(f)),
                   lambda f: jax.jit(jax.hessian(f))):
        np.testing.assert_allclose(second(module.energy)(jnp.array(X), 2.0), wanted, atol=1e-14)


def test_batches(module):
    f, xs = module.energy, jnp.stack([X, X + 1, 2 * X])
    one_by_one = np.stack([f(np.array(x), 2.0) for x in xs])
    np.testing.assert_array_equal(jax.vmap(f, (0, None))(xs, 2.0), one_by_one)
    np.testing.assert_array_equal(jax.jit(jax.vmap(f, (1, None)))(xs.T, 2.0), one_by_one)
    stiff = jnp.arange(2.0)
    grid = jax.vmap(lambda s: jax.vmap(lambda x: jax.grad(f, (0, 1))(x, s))(xs))(stiff)
    for i, s in enumerate(stiff):
        for j, x in enumerate(xs):
            for found, wanted in zip(grid, isozyme.grad(f)(np.array(x), float(s))):
                np.testing.assert_array_equal(found[i, j], wanted)
    total = jax.grad(lambda s: jax.vmap(f, (0, None))(xs, s).sum())(2.0)
    np.testing.assert_allclose(total, sum(isozyme.grad(f, "stiffness")(np.array(x), 2.0) for x in xs))
    check_grads(lambda x, s: jax.vmap(f, (0, None))(x, s), (xs, 2.0), order=2, modes=["rev"])


ONE_NUMBER = """
#include <cmath>
static int calls = 0;
double inverse(double x) { ++calls; return 1 / x; }
long counted(long unused) { return calls; }
"""


def test_a_number_comes_with_its_gradient():
    m = isozyme.load(source=ONE_NUMBER, functions=["double inverse(double x)", "long counted(long unused)"])
    assert jax.value_and_grad(m.inverse.jax)(4.0) == (0.25, -0.0625) and m.counted(0) == 1
    assert jax.grad(lambda x: 0 * m.inverse.jax(x))(0.0) == 0  # What does not count has no share, not even an infinite one.
    product = lambda a, x: a * m.inverse.jax(x)
    for mixed in (jax.grad(jax.grad(product, 1), 0), jax.grad(jax.grad(product, 0), 1), jax.jacfwd(jax.jacfwd(product, 0), 1)):
        assert mixed(0.0, 4.0) == -0.0625
    assert jax.jit(jax.hessian(product, 1))(2.0, 4.0) == 0.0625
    check_grads(jax.vmap(product, (None, 0)), (0.0, jnp.array([1.0, 4.0])), order=2, modes=["fwd", "rev"])


def test_static_numbers(module):
    assert jax.jit(jax.grad(module.power), static_argnums=1)(3.0, 4) == 108
    with pytest.raises(TypeError, match="name it in static_argnames of jax.jit"):
        jax.jit(module.power)(3.0, 4)


def test_donated_memory(module):
    """What is given away is changed in place; what is not stays as it is."""
    start = np.arange(40.0).reshape(20, 2) / 40
    wanted, _ = module.step(start, 0.1)
    state = jnp.array(start)
    np.testing.assert_array_equal(jax.jit(module.step)(state, 0.1)[0], wanted)
    np.testing.assert_array_equal(state, start)
    place = state.unsafe_buffer_pointer()
    after, _ = jax.jit(module.step, donate_argnums=0)(state, 0.1)
    assert state.is_deleted() and after.unsafe_buffer_pointer() == place
    np.testing.assert_array_equal(after, wanted)
    several = jnp.stack([jnp.array(start)] * 3)
    batch = jax.jit(jax.vmap(module.step, (0, None)), donate_argnums=0)(several, 0.1)[0]
    np.testing.assert_array_equal(batch, np.stack([wanted] * 3))
    steps = jax.jit(jax.vmap(module.step, (None, 0)))(jnp.array(start), jnp.array([0.1, 0.2]))[0]
    np.testing.assert_array_equal(steps[1], module.step(start, 0.2)[0])


@pytest.mark.parametrize("arguments, kind, says", [
    ((jnp.zeros(3, "float32"), 1.0), TypeError, "'x' holds float32, and 'double x[n]' holds float64"),
    ((jnp.zeros((3, 3)), 1.0), ValueError, "'x' has 2 dimension(s), the shape (3, 3)"),
    ((jnp.zeros(3), None), TypeError, "'stiffness' is of type NoneType"),
    ((jnp.zeros(3),), TypeError, "required positional argument: 'stiffness'"),
])
def test_wrong_arrays(module, arguments, kind, says):
    for call in (module.energy, module.energy.jax):
        with pytest.raises(kind, match=re.escape(says) if call is module.energy else None):
            call(*arguments)
    with pytest.raises(ValueError, match=re.escape("'x' has the shape (3,), and 'double x[columns]' has (2,)")):
        module.product(jnp.ones((3, 2)), jnp.ones(3))


def test_exceptions_and_what_is_not_there(module):
    with pytest.raises(Exception, match="a negative number"):
        module.refuses(jnp.array([1.0, -1.0]))
    with pytest.raises(isozyme.Error, match="third derivatives"):
        jax.jacrev(jax.hessian(module.scratch))(jnp.array(X))
    with pytest.raises(isozyme.Error, match="forward mode over forward mode"):
        jax.jacfwd(jax.jacfwd(lambda x: module.product(jnp.ones((2, 4)), x)))(jnp.array(X))


def test_what_carries_no_derivative(integers):
    def total(x):
        count, y = integers.squares(x)
        return y.sum() + count + integers.held(x)

    for call in (jax.grad(total), jax.jit(jax.grad(total)), jax.jacfwd(total)):
        np.testing.assert_array_equal(call(jnp.array([1.0, 2.0])), [2, 4])
