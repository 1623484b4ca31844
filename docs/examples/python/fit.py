"""Fits the rates of hares and foxes to what was counted. Usage: fit.py [PICTURE]; a picture takes matplotlib."""
import sys
from pathlib import Path

import isozyme
import numpy as np
from scipy.optimize import minimize

model = isozyme.load(Path(__file__).with_name("prey.cpp"), functions=[
    "void simulate(const double rate[4], const double start[2], out double years[count][2], int count)",
    "double mismatch(const double rate[4], constant const double start[2], const double counted[count][2], int count)"])

true_rate, start, first = np.array([0.8, 0.5, 0.6, 0.25]), np.array([3.0, 1.0]), np.array([0.7, 0.4, 0.6, 0.2])
noise = np.random.default_rng(1).lognormal(0, 0.08, (25, 2))
counted = model.simulate(true_rate, start, 25) * noise

gradient = isozyme.value_and_grad(model.mismatch, "rate")
found = minimize(lambda rate: gradient(rate, start, counted), first, jac=True, method="L-BFGS-B",
                 bounds=[(0.01, 3)] * 4)
print("mismatch", round(model.mismatch(first, start, counted), 2), "->", round(found.fun, 2))
print("rates", found.x.round(2))

# The curvature at the minimum says how well each rate is known.
curvature = isozyme.hessian(model.mismatch, "rate")(found.x, start, counted)
variance = found.fun / (counted.size - 4)
print("known to", np.sqrt(np.diag(2 * variance * np.linalg.inv(curvature))).round(3))

if len(sys.argv) > 1:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 3.4), layout="constrained")
    years = np.arange(1, 26)
    for animal, (name, colour) in enumerate([("hares", "#b5651d"), ("foxes", "#336699")]):
        axes.plot(years, counted[:, animal], "o", color=colour, label=f"{name}, counted")
        axes.plot(years, model.simulate(found.x, start, 25)[:, animal], color=colour, label="fitted")
        axes.plot(years, model.simulate(first, start, 25)[:, animal], ":", color=colour, label="first guess")
    axes.set(xlabel="year", ylabel="animals (thousands)")
    axes.set_ylim(0, 7)
    axes.legend(ncols=2, fontsize="small", loc="upper center")
    figure.savefig(sys.argv[1], dpi=110)
