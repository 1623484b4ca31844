#!/usr/bin/env python3
# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The objectives of objectives.h in JAX, compiled by XLA for one thread; the same columns."""
import os

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

POINTS = jnp.array([[((p * 31 + i * 17) % 101) / 50.0 - 1 for i in range(50)] for p in range(500)])
SIGNS = jnp.array([1.0 if p % 3 else -1.0 for p in range(500)])


def logistic(weights):
    return jnp.sum(jnp.log(1 + jnp.exp(SIGNS * (POINTS @ weights))))


def pendulum(p):
    def step(state, drive):
        angle, speed = state
        speed = speed + 0.005 * (p[3] * drive - p[2] * speed - jnp.sin(angle))
        return (angle + 0.005 * speed, speed), None

    (angle, speed), _ = jax.lax.scan(step, (p[0], p[1]), jnp.cos(0.01 * jnp.arange(2000)))
    return angle**2 + speed**2


def diffusion(start):
    def step(now, _):
        inner = now[1:-1]
        moved = inner + 0.2 * (now[:-2] - 2 * inner + now[2:]) - 0.01 * inner * inner
        return now.at[1:-1].set(moved), None

    end, _ = jax.lax.scan(step, start, None, length=200)
    return jnp.sum(end * end)


def numbers(count, seed, low, high):
    result = []
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        result.append(low + (high - low) * ((seed >> 8) / 16777216.0))
    return np.array(result)


def seconds(work, x, calls):
    begin = time.process_time()
    for _ in range(calls):
        work(x).block_until_ready()
    return (time.process_time() - begin) / calls


def measure(name, function, n):
    x = jnp.array(numbers(n, 7, 0.1, 0.9))
    primal, gradient = jax.jit(function), jax.jit(jax.grad(function))
    direction = np.sin(np.arange(n) + 1.0)
    h = 1e-5
    slope = (primal(x + h * direction) - primal(x - h * direction)) / (2 * h)
    wrong = abs(float(gradient(x) @ direction - slope) / float(slope))
    best = [1e9, 1e9]
    calls = max(1, int(0.02 / seconds(primal, x, 3)))
    for _ in range(7):
        best[0] = min(best[0], seconds(primal, x, calls))
        best[1] = min(best[1], seconds(gradient, x, max(1, calls // 4)))
    print(f"{'JAX':10} {name:26} {best[0] * 1e3:10.3f} ms {best[1] * 1e3:10.3f} ms "
          f"{best[1] / best[0]:8.2f}   {wrong:.1e}")


measure("logistic, 50 variables", logistic, 50)
measure("pendulum, 4 variables", pendulum, 4)
measure("diffusion, 200 variables", diffusion, 200)
