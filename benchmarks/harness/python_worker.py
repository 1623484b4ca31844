#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of the suite in PyTorch and JAX, served to tools/bench as harness.h serves those in C++.

python_worker.py --programs, or torch|jax PROGRAM --serve SIZE. Both frameworks have the same functions of whole
arrays under the same names for most of what is needed here: `xp` is one of them. JAX compiles; PyTorch does not.
"""
import array
import functools
import os
import resource
import sys
import time
from pathlib import Path

PROGRAMS = ("cfd", "gmm", "heat2d", "logistic", "logsumexp", "lstm", "matmul", "mlp", "nbody")


def numbers(count, seed, low, high):
    """As in measure.h."""
    result = []
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        result.append(low + (high - low) * ((seed >> 8) / 16777216.0))
    return result


class Framework:
    """What differs between the two."""

    def __init__(self, name):
        self.name = name
        if name == "jax":
            import jax
            import jax.numpy as jnp
            jax.config.update("jax_enable_x64", True)
            jax.config.update("jax_platforms", "cpu")
            self.jax, self.xp = jax, jnp
        else:
            import torch
            torch.set_num_threads(1)
            torch.set_default_dtype(torch.float64)
            self.torch = self.xp = torch

    def array(self, values, *shape):
        made = self.xp.asarray(values) if self.name == "jax" else self.torch.tensor(values)
        return made.reshape(shape) if shape else made

    def logsumexp(self, a, axis):
        return self.jax.nn.logsumexp(a, axis) if self.name == "jax" else self.torch.logsumexp(a, axis)

    def sigmoid(self, a):
        return self.jax.nn.sigmoid(a) if self.name == "jax" else self.torch.sigmoid(a)

    def repeat(self, step, state, items):
        """Goes through the rows of items; returns the last state and the sum of what step gives."""
        if self.name == "jax":
            state, outs = self.jax.lax.scan(step, state, items)
            return state, outs.sum()
        total = 0.0
        for item in items:
            state, out = step(state, item)
            total = total + out
        return state, total

    def functions(self, value, x):
        """The function and its gradient, of no argument."""
        if self.name == "jax":
            primal, gradient = self.jax.jit(value), self.jax.jit(self.jax.grad(value))
            return (lambda: primal(x).block_until_ready()), (lambda: gradient(x).block_until_ready())
        x.requires_grad_(True)

        def primal():
            with self.torch.no_grad():
                return value(x)

        return primal, lambda: self.torch.autograd.grad(value(x), x)[0]


def gmm(f, d, k, n):
    xp, size = f.xp, d + d * (d - 1) // 2
    x = numbers(k * (1 + d + size), 1, -0.5, 0.5)
    points = f.array(numbers(n * d, 2, -1.5, 1.5), n, d)
    places = [(row, column) for column in range(d) for row in range(column + 1, d)]
    rows, columns = [list(v) for v in zip(*places)]

    def value(v):
        alphas, means, factors = v[:k], v[k:k + k * d].reshape(k, d), v[k + k * d:].reshape(k, size)
        logs, below = factors[:, :d], factors[:, d:]
        diagonal = xp.exp(logs)
        if f.name == "jax":
            q = xp.zeros((k, d, d)).at[:, rows, columns].set(below)
        else:
            q = xp.zeros(k, d, d)
            q[:, rows, columns] = below
        centred = points[:, None, :] - means[None, :, :]
        turned = diagonal * centred + xp.einsum("kij,nkj->nki", q, centred)
        terms = alphas + logs.sum(1) - 0.5 * (turned * turned).sum(2)
        likelihood = f.logsumexp(terms, 1).sum() - n * f.logsumexp(alphas, 0)
        # The prior has gamma = m = 1; constants are left out.
        prior = 0.5 * ((diagonal * diagonal).sum() + (below * below).sum()) - logs.sum()
        return likelihood + prior

    return value, x


def lstm(f, layers, steps):
    xp, width = f.xp, 14
    x = numbers(layers * 8 * width + 3 * width, 8, -0.8, 0.8)
    sequence = f.array(numbers(steps * width, 9, 0, 1), steps, width)

    def value(v):
        weights = v[:layers * 8 * width].reshape(layers, 8, width)
        ends = v[layers * 8 * width:].reshape(3, width)

        def step(state, pair):
            hidden, cell = state
            now, target = pair
            out, hiddens, cells = now * ends[0], [], []
            for l in range(layers):
                w = weights[l]
                forget, show = f.sigmoid(out * w[0] + w[4]), f.sigmoid(out * w[2] + w[6])
                add, news = f.sigmoid(hidden[l] * w[1] + w[5]), xp.tanh(hidden[l] * w[3] + w[7])
                cells.append(cell[l] * forget + add * news)
                out = show * xp.tanh(cells[l])
                hiddens.append(out)
            guess = out * ends[1] + ends[2]
            norm = xp.log(2.0 + xp.exp(guess).sum())
            return (xp.stack(hiddens), xp.stack(cells)), (target * (guess - norm)).sum()

        start = xp.zeros((layers, width))
        pairs = xp.stack([sequence[:-1], sequence[1:]], 1)
        return -f.repeat(step, (start, start), pairs)[1] / ((steps - 1) * width)

    return value, x


def mlp(f, first, hidden, samples):
    xp, widths = f.xp, (first, hidden, hidden, 10)
    count = sum(b * (a + 1) for a, b in zip(widths, widths[1:]))
    most = 1.5 / first**0.5
    x = numbers(count, 1, -most, most)
    inputs = f.array(numbers(samples * first, 2, -1, 1), samples, first)
    targets = [s % 10 for s in range(samples)]

    def value(v):
        out, at = inputs, 0
        for layer, (a, b) in enumerate(zip(widths, widths[1:])):
            w = v[at:at + b * (a + 1)].reshape(b, a + 1)
            at += b * (a + 1)
            out = out @ w[:, :a].T + w[:, a]
            out = xp.tanh(out) if layer < 2 else out
        return (f.logsumexp(out, 1) - out[list(range(samples)), targets]).sum()

    return value, x


def logistic(f, points):
    x = numbers(50, 7, 0.1, 0.9)
    features = f.array([[(p * 31 + i * 17) % 101 / 50.0 - 1 for i in range(50)] for p in range(points)])
    signs = f.array([1.0 if p % 3 else -1.0 for p in range(points)])
    return (lambda v: f.xp.log(1 + f.xp.exp(signs * (features @ v))).sum()), x


def logsumexp(f, rows, columns):
    return (lambda v: f.logsumexp(v.reshape(rows, columns), 1).sum()), numbers(rows * columns, 1, -3, 3)


def matmul(f, n):
    def value(v):
        product = v[:n * n].reshape(n, n) @ v[n * n:].reshape(n, n)
        return (product * product).sum()

    return value, numbers(2 * n * n, 1, -1, 1)


def heat2d(f, side, steps):
    def value(v):
        def step(now, _):
            inner = now[1:-1, 1:-1]
            around = now[1:-1, :-2] + now[1:-1, 2:] + now[:-2, 1:-1] + now[2:, 1:-1]
            moved = inner + 0.05 * inner * (1 - inner) + 0.15 * (around - 4 * inner)
            if f.name == "jax":
                return now.at[1:-1, 1:-1].set(moved), 0.0
            following = now.clone()
            following[1:-1, 1:-1] = moved
            return following, 0.0

        end, _ = f.repeat(step, v.reshape(side, side), f.xp.zeros(steps))
        return (end * end).sum()

    return value, numbers(side * side, 7, 0, 1)


def nbody(f, bodies, steps):
    xp, n = f.xp, 3 * bodies
    x = numbers(2 * n, 1, -1, 1)
    x = [3 * v for v in x[:n]] + x[n:]
    masses, targets = f.array(numbers(bodies, 2, 0.1, 1)), f.array(numbers(n, 3, -1, 1), bodies, 3)

    def value(v):
        def step(state, _):
            place, speed = state
            apart = place[None, :, :] - place[:, None, :]
            square = (apart * apart).sum(2) + 0.05
            pull = masses[None, :] / (square * xp.sqrt(square))
            speed = speed + 0.005 * (pull[:, :, None] * apart).sum(1)
            return (place + 0.005 * speed, speed), 0.0

        (place, _), _ = f.repeat(step, (v[:n].reshape(bodies, 3), v[n:].reshape(bodies, 3)), xp.zeros(steps))
        return ((place - targets) * (place - targets)).sum()

    return value, x


def cfd(f, side):
    xp, cells = f.xp, side * side
    x = numbers(4 * cells, 1, -0.3, 0.3)
    for c in range(cells):
        x[4 * c] += 1
        x[4 * c + 3] += 2.5
    weights = f.array(numbers(4 * cells, 2, -1, 1), side, side, 4)
    roll = functools.partial(xp.roll, shift=-1) if f.name == "jax" else functools.partial(xp.roll, shifts=-1)

    def along(a, axis):
        """The next cell across direction `axis`: 0 is within a row."""
        return roll(a, **{"axis" if f.name == "jax" else "dims": 1 - axis})

    def value(v):
        u = v.reshape(side, side, 4)
        total = 0.0
        for axis in (0, 1):
            over = 1 / u[..., 0]
            across = u[..., 1 + axis] * over
            pressure = 0.4 * (u[..., 3] - 0.5 * over * (u[..., 1] ** 2 + u[..., 2] ** 2))
            push = [pressure if field == 1 + axis else 0.0 for field in range(3)]
            flux = xp.stack([u[..., 1 + axis], u[..., 1] * across + push[1], u[..., 2] * across + push[2],
                             (u[..., 3] + pressure) * across], -1)
            fastest = xp.abs(across) + xp.sqrt(1.4 * pressure * over)
            most = xp.maximum(fastest, along(fastest, axis))[..., None]
            through = 0.5 * (flux + along(flux, axis)) - 0.5 * most * (along(u, axis) - u)
            total = total + ((weights - along(weights, axis)) * through).sum()
        return total

    return value, x


def size_numbers(program, size):
    """What the names of sizes say; the number of points of gmm is not in them."""
    words = size.replace("x", "-").split("-")
    found = [int("".join(c for c in word if c.isdigit())) for word in words if any(c.isdigit() for c in word)]
    if program == "gmm":
        return found + [30 if size == "d3-k4" else 1000]
    return found[:1] if program == "cfd" else found


def answer(question, way, rest, run):
    if way not in run:
        return "none"
    if question == "time":
        begin = time.process_time()
        for _ in range(int(rest)):
            run[way]()
        return "%.9e" % ((time.process_time() - begin) / int(rest))
    if question == "memory":
        return "none"  # The first call makes the framework load and compile much else.
    if question == "faults":
        for _ in range(5):
            run[way]()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        run[way]()
        return str(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    values = run[way]()
    Path(rest).write_bytes(array.array("d", values.tolist()).tobytes())
    return "written"


def main():
    if sys.argv[1:] == ["--programs"]:
        print(*PROGRAMS)
        return
    framework, program, _, size = sys.argv[1:]
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    f = Framework(framework)
    value, x = globals()[program](f, *size_numbers(program, size))
    primal, gradient = f.functions(value, f.array(x))
    run = {"primal": primal, "tool": gradient}
    for line in sys.stdin:
        print(answer(*line.split(None, 2)[:2], line.split(None, 2)[2].strip(), run), flush=True)


if __name__ == "__main__":
    main()
