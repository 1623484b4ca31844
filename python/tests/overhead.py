# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a call costs, in microseconds: the least of many rounds, for a function that does nearly nothing."""
import time

import numpy as np

import isozyme
from isozyme import cache

# An operator of TensorFlow that does the same and nothing else, and its gradient.
TRIVIAL = """
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/shape_inference.h"
using namespace tensorflow;
REGISTER_OP("Trivial").Input("x: double").Output("y: double").SetShapeFn([](shape_inference::InferenceContext *C) {
  C->set_output(0, C->Scalar());
  return absl::OkStatus();
});
REGISTER_OP("TrivialSlope").Input("x: double").Input("seed: double").Output("y: double").SetShapeFn(
    [](shape_inference::InferenceContext *C) {
      C->set_output(0, C->input(0));
      return absl::OkStatus();
    });
struct Trivial : OpKernel {
  using OpKernel::OpKernel;
  void Compute(OpKernelContext *C) override {
    Tensor *Result;
    OP_REQUIRES_OK(C, C->allocate_output(0, TensorShape({}), &Result));
    auto X = C->input(0).flat<double>();
    double Sum = 0;
    for (int I = 0; I < X.size(); ++I)
      Sum += X(I) * X(I) * X(I);
    Result->scalar<double>()() = Sum;
  }
};
struct TrivialSlope : OpKernel {
  using OpKernel::OpKernel;
  void Compute(OpKernelContext *C) override {
    Tensor *Result;
    OP_REQUIRES_OK(C, C->allocate_output(0, C->input(0).shape(), &Result));
    auto X = C->input(0).flat<double>();
    for (int I = 0; I < X.size(); ++I)
      Result->flat<double>()(I) = 3 * X(I) * X(I) * C->input(1).scalar<double>()();
  }
};
REGISTER_KERNEL_BUILDER(Name("Trivial").Device(DEVICE_CPU), Trivial);
REGISTER_KERNEL_BUILDER(Name("TrivialSlope").Device(DEVICE_CPU), TrivialSlope);
"""
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
    flags = ["-w", *tf.sysconfig.get_compile_flags(), *tf.sysconfig.get_link_flags()]
    operators = tf.load_op_library(str(cache.compile_library(TRIVIAL, "c++", flags, "an operator that does little")))
    trivial = operators.trivial
    tf.RegisterGradient("Trivial")(lambda op, seed: operators.trivial_slope(x=op.inputs[0], seed=seed))
    x = tf.range(8, dtype=tf.float64)

    def gradient_of(f):
        def gradient(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)
        return gradient

    print("TensorFlow, a call:", cost(f, x), "; a native operator:", cost(trivial, x), "; tf.reduce_sum:",
          cost(tf.reduce_sum, x))
    for name, wrap in (("", lambda f: f), (" in a graph", tf.function)):
        print(f"TensorFlow, value and gradient{name}:", cost(wrap(gradient_of(f)), x, calls=50), "; a native operator:",
              cost(wrap(gradient_of(trivial)), x, calls=50), "; of tf.reduce_sum:",
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
