"""Trains a neural network through a simulation: it finds the law of a drag from paths. Usage: jax_layer.py [PICTURE]."""
import sys
from pathlib import Path

import isozyme
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
FASTEST, COUNT, STEPS, DT = 4.0, 41, 60, 0.05
model = isozyme.load(Path(__file__).with_name("glider.cpp"), functions=[
    "void glide(const double drag[count], int count, constant double fastest, double speed, constant double dt,"
    "           out double path[steps], int steps)"], modes=["vjp", "jvp"])
speeds = jnp.linspace(0, FASTEST, COUNT)


def paths(drag, first_speeds):
    """One path for each first speed."""
    return jax.vmap(lambda speed: model.glide.jax(drag, FASTEST, speed, DT, STEPS))(first_speeds)


def network(weights, speed):
    """Drag as a function of speed: a layer of twelve units, and positive."""
    inner, bias, outer = weights
    return jax.nn.softplus(jnp.tanh(speed[:, None] * inner + bias) @ outer)


true_drag = 0.3 * speeds + 0.15 * speeds**2
first_speeds = jnp.linspace(1.0, 3.8, 8)
key = jax.random.split(jax.random.key(3), 3)
seen = paths(true_drag, first_speeds) + 0.01 * jax.random.normal(key[0], (8, STEPS))


@jax.jit
@jax.value_and_grad
def error(weights):
    return jnp.mean((paths(network(weights, speeds), first_speeds) - seen) ** 2)


weights = [jax.random.normal(key[1], (12,)), jnp.zeros(12), 0.1 * jax.random.normal(key[2], (12,))]
mean, square, errors = [jax.tree.map(jnp.zeros_like, weights) for _ in range(2)] + [[]]
for step in range(1, 1501):  # Adam, written out.
    value, slope = error(weights)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, slope)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, square, slope)
    weights = jax.tree.map(lambda w, m, s: w - 0.02 * (m / (1 - 0.9**step)) / (jnp.sqrt(s / (1 - 0.99**step)) + 1e-9),
                           weights, mean, square)
    errors.append(float(value))

found = network(weights, speeds)
between = (speeds > 0.5) & (speeds < 3.5)
print(f"error {errors[0]:.2f} -> {errors[-1]:.4f}; the noise alone: 0.0001")
print(f"drag within {float(jnp.max(jnp.abs(found / true_drag - 1)[between])):.0%} for speeds from 0.5 to 3.5")

if len(sys.argv) > 1:
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    time = DT * jnp.arange(1, STEPS + 1)
    for one, fitted in zip(seen, paths(found, first_speeds)):
        left.plot(time, one, ".", color="#b5651d", markersize=3)
        left.plot(time, fitted, color="#336699")
    left.set(xlabel="time (s)", ylabel="place (m)", title="eight paths, seen and simulated")
    right.plot(speeds, true_drag, "--", color="#b5651d", label="the law behind the paths")
    right.plot(speeds, found, color="#336699", label="the network")
    right.set(xlabel="speed (m/s)", ylabel="drag (m/s²)", title="what the network found")
    right.legend()
    figure.savefig(sys.argv[1], dpi=110)
