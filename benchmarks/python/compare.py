#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Value and gradient of four objectives: by a framework's own operations, and by C++ through Isozyme inside of it.

    compare.py [SECONDS]                             all of it, as a table of Markdown; takes minutes
    compare.py FRAMEWORK WAY OBJECTIVE THREADS [SECONDS]    one measurement: milliseconds, MiB, the value, and the sum of
                                                            the gradient's absolute values

Each measurement is a process of its own, and takes 8 seconds where SECONDS does not say otherwise: the least time of a
call, and by how much the peak of the process's memory rose over what it held with the framework and the data loaded. JAX
compiles what it is given, TensorFlow makes a graph of it, and PyTorch runs it as it stands.
"""
import importlib.util
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

FRAMEWORKS, OBJECTIVES, WAYS = ("torch", "jax", "tensorflow"), ("gmm", "lstm", "ode", "ba"), ("own", "isozyme")
DECLARATIONS = {
    "gmm": "double mixture(const double alphas[k], const double means[k][d], const double factors[k][size],"
           " constant const double points[n][d], int n, int d, int k)",
    "lstm": "double memory(const double weights[layers][8][14], const double ends[3][14],"
            " constant const double sequence[steps][14], int layers, int steps)",
    "ode": "double animals(const double rates[cases][4], int cases)",
    "ba": "double bundle(const double cameras[c][11], const double points[p][3], const int which[count][2],"
          " constant const double seen[count][2], int count)"}


def data(objective):
    """(what is differentiated by, what is constant)"""
    random = np.random.default_rng(1)
    if objective == "gmm":
        n, d, k = 1000, 10, 25
        return ([random.uniform(-0.5, 0.5, s) for s in ((k,), (k, d), (k, d + d * (d - 1) // 2))],
                [random.uniform(-1.5, 1.5, (n, d))])
    if objective == "lstm":
        return [random.uniform(-0.8, 0.8, s) for s in ((2, 8, 14), (3, 14))], [random.uniform(0, 1, (1024, 14))]
    if objective == "ode":
        return [np.array([0.8, 0.5, 0.6, 0.25]) * random.uniform(0.9, 1.1, (20, 4))], []
    cameras = np.concatenate([random.uniform(-1, 1, (49, 3)), random.uniform(-1, 1, (49, 3)) + [0, 0, -8],
                              random.uniform(0.9, 1.1, (49, 1)), random.uniform(-0.1, 0.1, (49, 4))], axis=1)
    which = np.stack([random.integers(0, 49, 30_000), random.integers(0, 8_000, 30_000)], axis=1).astype(np.int32)
    return [cameras, random.uniform(-1, 1, (8_000, 3))], [which, random.uniform(-1, 1, (30_000, 2))]


class Torch:
    def __init__(self, threads):
        import torch
        torch.set_num_threads(threads)
        self.xp = torch
        self.constant = torch.tensor
        self.exp, self.log, self.tanh, self.sqrt, self.stack = torch.exp, torch.log, torch.tanh, torch.sqrt, torch.stack
        self.sigmoid, self.cos, self.sin, self.cat = torch.sigmoid, torch.cos, torch.sin, torch.cat
        self.sum = lambda a, axis=None: a.sum() if axis is None else a.sum(axis)
        self.logsumexp = lambda a, axis: torch.logsumexp(a, axis)
        self.rows = lambda a, index: a[index]
        self.einsum = torch.einsum

    def repeat(self, step, state, items):
        total = 0.0
        for item in items:
            state, out = step(state, item)
            total = total + out
        return state, total

    def gradient(self, f, inputs):
        inputs = [self.xp.tensor(a, requires_grad=True) for a in inputs]

        def run():
            value = f(*inputs)
            return value, self.xp.autograd.grad(value, inputs)
        return run


class Jax:
    def __init__(self, threads):
        import jax
        import jax.numpy as jnp
        jax.config.update("jax_enable_x64", True)
        self.jax, self.constant = jax, jnp.asarray
        self.exp, self.log, self.tanh, self.sqrt, self.stack = jnp.exp, jnp.log, jnp.tanh, jnp.sqrt, jnp.stack
        self.sigmoid, self.cos, self.sin, self.cat = jax.nn.sigmoid, jnp.cos, jnp.sin, jnp.concatenate
        self.sum = lambda a, axis=None: a.sum(axis)
        self.logsumexp = lambda a, axis: jax.nn.logsumexp(a, axis)
        self.rows = lambda a, index: a[index]
        self.einsum = jnp.einsum

    def repeat(self, step, state, items):
        state, outs = self.jax.lax.scan(step, state, items)
        return state, outs.sum()

    def gradient(self, f, inputs):
        inputs = [self.constant(a) for a in inputs]
        both = self.jax.jit(self.jax.value_and_grad(f, argnums=tuple(range(len(inputs)))))
        return lambda: self.jax.block_until_ready(both(*inputs))


class TensorFlow:
    def __init__(self, threads):
        import tensorflow as tf
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(threads)
        self.tf, self.constant = tf, tf.constant
        self.exp, self.log, self.tanh, self.sqrt, self.stack = tf.exp, tf.math.log, tf.tanh, tf.sqrt, tf.stack
        self.sigmoid, self.cos, self.sin, self.cat = tf.sigmoid, tf.cos, tf.sin, tf.concat
        self.sum = lambda a, axis=None: tf.reduce_sum(a, axis)
        self.logsumexp = lambda a, axis: tf.reduce_logsumexp(a, axis)
        self.rows, self.einsum = tf.gather, tf.einsum

    def repeat(self, step, state, items):
        total = self.constant(0.0, self.tf.float64)
        for item in items:  # A loop of the graph, by tf.function.
            state, out = step(state, item)
            total = total + out
        return state, total

    def gradient(self, f, inputs):
        tf, inputs = self.tf, [self.constant(a) for a in inputs]

        @tf.function
        def run():
            with tf.GradientTape() as tape:
                tape.watch(inputs)
                value = f(*inputs)
            return value, [tf.convert_to_tensor(g) for g in tape.gradient(value, inputs)]
        return run


def own_gmm(f, points):
    d = points.shape[1]
    places = [(row, column) for column in range(d) for row in range(column + 1, d)]
    spread = np.zeros((len(places), d, d))
    for i, (row, column) in enumerate(places):
        spread[i, row, column] = 1
    spread, points = f.constant(spread), f.constant(points)

    def value(alphas, means, factors):
        logs, below = factors[:, :d], factors[:, d:]
        diagonal, q = f.exp(logs), f.einsum("ks,sij->kij", below, spread)
        away = points[:, None, :] - means[None, :, :]
        turned = diagonal * away + f.einsum("kij,nkj->nki", q, away)
        terms = alphas + f.sum(logs, 1) - 0.5 * f.sum(turned * turned, 2)
        prior = 0.5 * (f.sum(diagonal * diagonal) + f.sum(below * below)) - f.sum(logs)
        return f.sum(f.logsumexp(terms, 1)) - points.shape[0] * f.logsumexp(alphas, 0) + prior
    return value


def own_lstm(f, sequence):
    pairs, steps = f.constant(np.stack([sequence[:-1], sequence[1:]], 1)), len(sequence)

    def value(weights, ends):
        def step(state, pair):
            hidden, cell = state
            out, hiddens, cells = pair[0] * ends[0], [], []
            for l in range(weights.shape[0]):
                w = weights[l]
                forget, show = f.sigmoid(out * w[0] + w[4]), f.sigmoid(out * w[2] + w[6])
                cells.append(cell[l] * forget + f.sigmoid(hidden[l] * w[1] + w[5]) * f.tanh(hidden[l] * w[3] + w[7]))
                out = show * f.tanh(cells[l])
                hiddens.append(out)
            guess = out * ends[1] + ends[2]
            return (f.stack(hiddens), f.stack(cells)), f.sum(pair[1] * (guess - f.log(2.0 + f.sum(f.exp(guess)))))
        start = f.constant(np.zeros((weights.shape[0], 14)))
        return -f.repeat(step, (start, start), pairs)[1] / ((steps - 1) * 14)
    return value


def own_ode(f):
    h, none = 0.01, f.constant(np.zeros(2000))

    def value(rates):
        r = [rates[:, i] for i in range(4)]
        change = lambda a, b: (r[0] * a - r[1] * a * b, r[3] * a * b - r[2] * b)

        def step(state, _):
            a, b = state
            a1, b1 = change(a, b)
            a2, b2 = change(a + h / 2 * a1, b + h / 2 * b1)
            a3, b3 = change(a + h / 2 * a2, b + h / 2 * b2)
            a4, b4 = change(a + h * a3, b + h * b3)
            return (a + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), b + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)), none[0]
        a, b = f.repeat(step, (3 + 0 * r[0], 1 + 0 * r[0]), none)[0]
        return f.sum(a * a + b * b)
    return value


def own_ba(f, which, seen):
    camera, point, seen = f.constant(which[:, 0]), f.constant(which[:, 1]), f.constant(seen)

    def value(cameras, points):
        c = f.rows(cameras, camera)
        r, x = c[:, :3], f.rows(points, point) - c[:, 3:6]
        square = f.sum(r * r, 1)
        angle = f.sqrt(square)
        across = f.stack([r[:, 1] * x[:, 2] - r[:, 2] * x[:, 1], r[:, 2] * x[:, 0] - r[:, 0] * x[:, 2],
                          r[:, 0] * x[:, 1] - r[:, 1] * x[:, 0]], 1)
        along = (1 - f.cos(angle)) / square * f.sum(r * x, 1)
        turned = f.cos(angle)[:, None] * x + (f.sin(angle) / angle)[:, None] * across + along[:, None] * r
        plane = turned[:, :2] / turned[:, 2:]
        radius = f.sum(plane * plane, 1)
        bent = c[:, 6] * (1 + radius * (c[:, 9] + radius * c[:, 10]))
        error = plane * bent[:, None] + c[:, 7:9] - seen
        return 0.5 * f.sum(error * error)
    return value


def objective_of(framework, way, name, constants):
    if way == "own":
        return {"gmm": own_gmm, "lstm": own_lstm, "ode": own_ode, "ba": own_ba}[name](framework, *constants)
    import isozyme
    f = next(iter(isozyme.load(Path(__file__).with_name("objectives.cpp"), functions=DECLARATIONS[name],
                               flags=["-O3"], modes=["vjp", "jvp", "split"])))
    return lambda *inputs: f(*inputs, *map(framework.constant, constants))


def measure(framework, way, name, threads, seconds):
    framework = {"torch": Torch, "jax": Jax, "tensorflow": TensorFlow}[framework](threads)
    inputs, constants = data(name)
    run = framework.gradient(objective_of(framework, way, name, constants), inputs)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run()
    least, end = float("inf"), time.monotonic() + seconds
    for i in range(200):
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
        if i >= 2 and time.monotonic() > end:
            break
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    value, gradients = run()
    plain = lambda a: np.asarray(a.detach() if hasattr(a, "detach") else a)
    print(f"{least * 1e3:.6g} {memory:.3g} {plain(value):.12g} {sum(np.abs(plain(g)).sum() for g in gradients):.12g}")


def one(*words):
    """What a measurement in its own process printed, as numbers, or None."""
    environment = {**os.environ, "OMP_NUM_THREADS": words[3], "TF_CPP_MIN_LOG_LEVEL": "3",
                   "XLA_FLAGS": f"--xla_cpu_multi_thread_eigen={'true' if words[3] != '1' else 'false'}"}
    cores = sorted(os.sched_getaffinity(0))[:int(words[3])]
    done = subprocess.run([sys.executable, __file__, *words], capture_output=True, text=True, env=environment, timeout=600,
                          preexec_fn=lambda: os.sched_setaffinity(0, cores))
    if done.returncode:
        sys.exit(done.stderr)
    return [float(word) for word in done.stdout.split()]


def table(frameworks, threads, seconds):
    print("| objective | threads | " + " | ".join(f"{f}: own, Isozyme | ratio | MiB" for f in frameworks) + " |")
    print("|---|---|" + "---|---|---|" * len(frameworks))
    for name in OBJECTIVES:
        for count in threads:
            cells, known = [], None
            for framework in frameworks:
                found = {way: one(framework, way, name, count, seconds) for way in WAYS}
                for way in WAYS:
                    known = known or found[way][2:]
                    if not np.allclose(found[way][2:], known, rtol=1e-9):
                        sys.exit(f"{framework}, {way}, {name}: value and gradient {found[way][2:]}, and not {known}")
                (own, own_memory), (ours, our_memory) = found["own"][:2], found["isozyme"][:2]
                cells.append(f"{own:.3g} ms, {ours:.3g} ms | {own / ours:.1f} | {own_memory:.0f}, {our_memory:.0f}")
            print(f"| {name} | {count} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) in (5, 6):
        measure(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]) if len(sys.argv) == 6 else 8)
    elif len(sys.argv) <= 2 and "".join(sys.argv[1:]).replace(".", "").isdecimal() or len(sys.argv) == 1:
        table([f for f in FRAMEWORKS if importlib.util.find_spec(f)], ("1", "2"), sys.argv[1] if len(sys.argv) == 2 else "8")
    else:
        sys.exit(__doc__)
