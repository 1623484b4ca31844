# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow: gradients and second derivatives, eager and in graphs, and what is wrong."""
import re

import numpy as np
import pytest

import isozyme

tf = pytest.importorskip("tensorflow", reason="TensorFlow is not installed")

X = np.array([0.1, 0.5, -0.3, 0.8])
PAIRS = np.array([[0.3, 0.1], [0.2, -0.4], [1.0, 0.5]])


def both(f):
    return pytest.mark.parametrize("wrap", [lambda g: g, tf.function], ids=["eager", "graph"])(f)


@both
def test_values(module, wrap):
    assert wrap(module.energy)(tf.constant(X), 2.0) == module.energy(X, 2.0)
    assert wrap(module.energy)(tf.constant(X), tf.constant(2.0, tf.float64)) == module.energy(X, 2.0)
    for found, wanted in zip(wrap(module.step)(tf.constant(PAIRS), 0.1), module.step(PAIRS, 0.1)):
        np.testing.assert_array_equal(found, wanted)
    assert module.energy.tensorflow(X, 2.0) == module.energy(X, 2.0)
    assert module.energy(tf.zeros(0, tf.float64), 2.0) == 0


@both
def test_gradients(module, wrap):
    @wrap
    def gradients(x, stiffness):
        with tf.GradientTape() as tape:
            tape.watch([x, stiffness])
            energy = module.energy(x, stiffness) ** 2
        return tape.gradient(energy, [x, stiffness])

    stiffness = tf.constant(2.0, tf.float64)
    value, wanted = isozyme.value_and_grad(module.energy)(X, 2.0)
    for found, one in zip(gradients(tf.constant(X), stiffness), wanted):
        np.testing.assert_allclose(found, 2 * value * one, rtol=1e-15)
    weights = tf.Variable(X)
    with tf.GradientTape() as tape:
        energy = module.energy(weights, 2.0)
    np.testing.assert_array_equal(tape.gradient(energy, weights), wanted[0])


@pytest.mark.parametrize("name, inputs", [
    ("energy", (X, np.float64(2.0))),
    ("step", (PAIRS, np.float64(0.1))),
    ("product", (PAIRS, np.array([1.0, 2.0]))),
    ("scratch", (X,)),
])
def test_gradients_against_differences(module, name, inputs):
    f = getattr(module, name)
    inputs = [tf.constant(i) for i in inputs]
    results = range(len(f(*inputs)) if isinstance(f(*inputs), tuple) else 1)
    for r in results:
        one = lambda *given: f(*given)[r] if len(results) > 1 else f(*given)
        for theory, differences in zip(*tf.test.compute_gradient(one, inputs, delta=1e-5)):
            np.testing.assert_allclose(theory, differences, atol=1e-9)

        def first(*given):
            with tf.GradientTape() as tape:
                tape.watch(given)
                total = tf.reduce_sum(tf.sin(one(*given)))
            return tape.gradient(total, given[0])

        for theory, differences in zip(*tf.test.compute_gradient(first, inputs, delta=1e-5)):
            np.testing.assert_allclose(theory, differences, atol=1e-8)


@both
def test_second_order(module, wrap):
    @wrap
    def hessian(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                energy = module.energy(x, 2.0)
            slope = inner.gradient(energy, x)
        return outer.jacobian(slope, x)

    wanted = isozyme.hessian(module.energy, "x")(X, 2.0)
    np.testing.assert_allclose(hessian(tf.constant(X)), wanted, atol=1e-14)
    x = tf.constant(X)
    with tf.autodiff.ForwardAccumulator(x, tf.ones(4, tf.float64)) as along:
        with tf.GradientTape() as tape:
            tape.watch(x)
            energy = module.energy(x, 2.0)
        slope = tape.gradient(energy, x)
    np.testing.assert_allclose(along.jvp(slope), wanted.sum(1), atol=1e-14)
    np.testing.assert_allclose(along.jvp(energy), isozyme.grad(module.energy, "x")(X, 2.0).sum())


def test_graphs_of_unknown_shape(module):
    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float64), tf.TensorSpec([], tf.float64)])
    def slope(state, dt):
        with tf.GradientTape() as tape:
            tape.watch(state)
            moved, energy = module.step(state, dt)
            assert moved.shape.as_list() == [None, 2] and energy.shape.as_list() == [1]
        return tape.gradient(energy, state)

    @tf.function
    def known(state):
        moved, energy = module.step(state, 0.1)
        assert moved.shape.as_list() == [3, 2]
        return moved

    known(tf.constant(PAIRS))
    for state in (PAIRS, PAIRS[:1], np.concatenate([PAIRS, PAIRS])):
        wanted = isozyme.vjp(module.step, (state, 0.1), (np.zeros_like(state), np.ones(1)))[1][0]
        np.testing.assert_array_equal(slope(tf.constant(state), tf.constant(0.1, tf.float64)), wanted)

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float64), tf.TensorSpec([None], tf.float64)])
    def product(a, x):
        return module.product(a, x)

    np.testing.assert_array_equal(product(PAIRS, [1.0, 2.0]), module.product(PAIRS, np.array([1.0, 2.0])))
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape("product: 'x' ('double x[columns]') has the shape [3]")):
        product(PAIRS, [1.0, 2.0, 3.0])


def test_integers(module, integers):
    @tf.function
    def slope(x, exponent):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = module.power(x, exponent)
        return tape.gradient(y, x)

    x = tf.constant(3.0, tf.float64)
    assert slope(x, 4) == slope(x, tf.constant(4)) == 108
    with pytest.raises(tf.errors.InvalidArgumentError, match="'exponent' is 4294967296, which does not fit"):
        slope(x, tf.constant(2**32, tf.int64))
    with pytest.raises(OverflowError, match="'exponent' is 4294967296, which does not fit"):
        module.power(x, 2**32)
    x = tf.constant([1.0, 2.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        count, y = integers.squares(x)
        total = tf.reduce_sum(y) + tf.cast(count, tf.float64) + integers.held(x)
    np.testing.assert_array_equal(tape.gradient(total, x), [2, 4])


@pytest.mark.parametrize("arguments, kind, says", [
    ((tf.zeros(3, tf.float32), 1.0), TypeError, "'x' holds float32, and 'double x[n]' holds float64: pass tf.cast(x, tf.float64)"),
    ((tf.zeros([3, 3], tf.float64), 1.0), ValueError, "'x' has 2 dimension(s), the shape (3, 3)"),
    ((tf.zeros(3, tf.float64), None), TypeError, "'stiffness' is of type NoneType"),
    ((tf.zeros(3, tf.float64), 1.0, 2), TypeError, "positional arguments"),
    ((tf.sparse.from_dense(tf.zeros(3, tf.float64)), 1.0), TypeError, "SparseTensor"),
])
def test_wrong_arrays(module, arguments, kind, says):
    with pytest.raises(kind, match=re.escape(says)):
        module.energy(*arguments)
    with pytest.raises(kind):
        module.energy.tensorflow(*arguments)


def test_exceptions_and_what_is_not_there(module):
    with pytest.raises(tf.errors.InternalError, match="a negative number"):
        module.refuses(tf.constant([1.0, -1.0], tf.float64))
    x = tf.constant(X)
    with tf.GradientTape() as third, tf.GradientTape() as second, tf.GradientTape() as first:
        for tape in (third, second, first):
            tape.watch(x)
        y = module.scratch(x)
        one = first.gradient(y, x)
        two = second.gradient(one, x)
    with pytest.raises(isozyme.Error, match="third derivatives"):
        third.gradient(two, x)

    @tf.function
    def graph(x):
        return tf.gradients(tf.gradients(tf.gradients(module.scratch(x), x), x), x)

    with pytest.raises(tf.errors.UnimplementedError, match="third derivatives"):
        graph(x)
    limited = isozyme.load(source="double twice(double x) { return 2 * x; }", functions=["double twice(double x)"], modes=["jvp"])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = limited.twice(x[0])
    with pytest.raises(isozyme.Error, match="was loaded without 'vjp'"):
        tape.gradient(y, x)


def test_training(module):
    """A layer of compiled code in a model of Keras."""
    class Chain(tf.keras.layers.Layer):
        def call(self, x):
            return tf.map_fn(lambda one: module.energy(one, 2.0), x)

    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, dtype="float64"), Chain(dtype="float64")])
    model.compile(tf.keras.optimizers.Adam(0.05), lambda wanted, found: tf.reduce_mean((wanted - found) ** 2))
    given = np.random.default_rng(1).normal(size=(64, 3))
    before = model.evaluate(given, np.full(64, 5.0), verbose=0)
    model.fit(given, np.full(64, 5.0), epochs=30, verbose=0)
    assert model.evaluate(given, np.full(64, 5.0), verbose=0) < before / 2


def test_a_graph_of_another_process(module):
    graph = tf.function(module.energy).get_concrete_function(tf.TensorSpec([4], tf.float64), 2.0).graph.as_graph_def()
    call, = (node for node in graph.node if node.op == "IsozymeCall")
    call.attr["entry"].i += 1 << 32
    with pytest.raises((ValueError, tf.errors.FailedPreconditionError), match="only in the process that made it"):
        with tf.Graph().as_default():
            tf.import_graph_def(graph)


def test_eager_calls_with_tensors_alone(module):
    """They go a shorter way, on which errors, gradients and what is remembered by shape have to stay right."""
    layer = module.energy.tensorflow
    stiffness = tf.constant(2.0, tf.float64)
    for n in (3, 1, 3, 0, 4):
        x = tf.constant(X[:n])
        assert module.energy(x, stiffness) == module.energy(X[:n], 2.0)
    assert len(layer.known) == 4
    x = tf.constant(X)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
        energy = module.energy(x, stiffness)
    np.testing.assert_allclose(forward.jvp(energy), isozyme.grad(module.energy)(X, 2.0)[0].sum(), rtol=1e-14)
    with pytest.raises(ValueError, match="has 2 dimension"):
        module.energy(tf.constant(PAIRS), stiffness)
    with pytest.raises(TypeError, match="tf.cast"):
        module.energy(tf.constant(X, tf.float32), stiffness)
    with pytest.raises(TypeError, match="missing 1 required"):
        module.energy(tf.constant(X))
