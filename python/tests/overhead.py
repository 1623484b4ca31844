# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a call costs, in microseconds: the least of many rounds, for a function that does nearly nothing."""
import time

import numpy as np

import isozyme

SOURCE = "double cubes(const double *x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i] * x[i] * x[i]; return s; }"


def cost(f, *arguments, rounds=200, calls=200):
    least = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            f(*arguments)
        least = min(least, time.perf_counter() - start)
    return f"{least / calls * 1e6:.2f}"


def load():
    return isozyme.load(source=SOURCE, functions="double cubes(const double x[n], int n)").cubes


def and_backward(f):
    def both(x):
        f(x).backward()
        x.grad = None
    return both


def measure_torch(f):
    import torch

    @torch.library.custom_op("overhead::trivial", mutates_args=())
    def trivial(x: torch.Tensor) -> torch.Tensor:
        return x.sum()

    trivial.register_autograd(lambda ctx, g: g.expand(8), setup_context=lambda ctx, inputs, output: None)
    x = torch.arange(8.0, dtype=torch.float64)
    print("PyTorch, a call:", cost(f, x), "; a custom operator that sums:", cost(trivial, x))
    x.requires_grad_()
    print("PyTorch, with backward:", cost(and_backward(f), x, calls=50), "; that operator:",
          cost(and_backward(trivial), x, calls=50))


def measure_jax(f):
    import jax
    jax.config.update("jax_enable_x64", True)
    x = jax.numpy.arange(8.0)
    print("JAX, a compiled call:", cost(jax.jit(f), x), "; a compiled sum:", cost(jax.jit(jax.numpy.sum), x))
    print("JAX, a compiled gradient:", cost(jax.jit(jax.grad(f)), x))


def measure_tensorflow(f):
    import tensorflow as tf
    x = tf.range(8, dtype=tf.float64)

    def gradient_of(f):
        def gradient(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)
        return gradient

    print("TensorFlow, a call:", cost(f, x), "; tf.reduce_sum:", cost(tf.reduce_sum, x))
    for name, wrap in (("", lambda f: f), (" in a graph", tf.function)):
        print(f"TensorFlow, value and gradient{name}:", cost(wrap(gradient_of(f)), x, calls=50), "; of tf.reduce_sum:",
              cost(wrap(gradient_of(tf.reduce_sum)), x, calls=50))


if __name__ == "__main__":
    start = time.perf_counter()
    load()
    f, x = load(), np.arange(8.0)
    print(f"load, cached if not the first time: {(time.perf_counter() - start) * 1e3:.1f} ms")
    print("NumPy, a call:", cost(f, x), "; numpy.dot:", cost(np.dot, x, x))
    print("NumPy, value and gradient:", cost(isozyme.value_and_grad(f), x))
    for measure in (measure_torch, measure_jax, measure_tensorflow):
        try:
            measure(f)
        except ImportError as problem:
            print(f"not measured: {problem}")
