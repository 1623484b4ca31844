"""Half-lives from counts, by Hamiltonian Monte Carlo over a likelihood in C++. Usage: hmc.py [PICTURE]."""
import sys
from pathlib import Path

import isozyme
import numpy as np

model = isozyme.load(Path(__file__).with_name("decay.cpp"), modes=["vjp", "hvp"], functions=[
    "double log_posterior(const double p[5], constant const double minute[n], constant const double counts[n], int n)"])

random = np.random.default_rng(2)
minute = np.arange(0.5, 120)
truth = np.log([400, 150, 3, 30, 4])
expected = np.exp(truth[4]) + sum(np.exp(truth[i]) * 2 ** (-minute / np.exp(truth[2 + i])) for i in (0, 1))
counts = random.poisson(expected).astype(float)
gradient = isozyme.value_and_grad(model.log_posterior, "p")

# Newton's method goes to the top; the curvature there gives the sampler its scales.
top = np.array([5.5, 5, 1, 3.5, 1.5])
for _ in range(30):
    curvature = -isozyme.hessian(model.log_posterior, "p")(top, minute, counts)
    step = np.linalg.solve(curvature + 1e-3 * np.eye(5), gradient(top, minute, counts)[1])
    top += step / max(1, 3 * abs(step).max())
shape = np.linalg.cholesky(np.linalg.inv(curvature))


def sample(count, steps=6, length=0.5):
    """Points with the density exp(log_posterior): a ball rolls over its hills, and is pushed anew for each point."""
    at, points, taken = np.zeros(5), [], 0
    value, slope = gradient(top, minute, counts)
    for _ in range(count):
        push = random.normal(size=5)
        to, by, height, down = at, push, value, slope
        for _ in range(steps):  # The leapfrog method, in coordinates in which the density is nearly round.
            by = by + length / 2 * shape.T @ down
            to = to + length * by
            height, down = gradient(top + shape @ to, minute, counts)
            by = by + length / 2 * shape.T @ down
        if np.log(random.random()) < height - value + (push @ push - by @ by) / 2:
            at, value, slope, taken = to, height, down, taken + 1
        points.append(top + shape @ at)
    return np.exp(points), taken / count


points, taken = sample(4000)
low, middle, high = np.percentile(points[:, 2:4], [5, 50, 95], axis=0)
print(f"{taken:.0%} of the steps were taken")
for name, a, b, c, true in zip(["first", "second"], low, middle, high, np.exp(truth[2:4])):
    print(f"{name} half-life: {b:.1f} minutes, with 90 % from {a:.1f} to {c:.1f} (in truth {true:.0f})")

if len(sys.argv) > 1:
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    left.semilogy(minute, counts, ".", color="#b5651d", label="counts")
    for a, b, c, d, e in points[::200]:
        left.semilogy(minute, e + a * 2 ** (-minute / c) + b * 2 ** (-minute / d), color="#336699", alpha=0.3)
    left.set(xlabel="time (minutes)", ylabel="counts per minute", title="counts, and curves of 20 samples")
    right.plot(points[:, 2], points[:, 3], ".", color="#336699", markersize=2)
    right.plot(*np.exp(truth[2:4]), "+", color="#b5651d", markersize=16, markeredgewidth=3, label="in truth")
    right.set(xlabel="first half-life (minutes)", ylabel="second half-life (minutes)", title="4,000 samples")
    right.legend()
    figure.savefig(sys.argv[1], dpi=110)
