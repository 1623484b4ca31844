"""Finds how warm a rod was before heat spread in it, with Fortran and SciPy. Usage: fortran_fit.py [PICTURE]."""
import sys
from pathlib import Path

import isozyme
import numpy as np
from scipy.optimize import minimize

rod = isozyme.load(Path(__file__).with_name("heat.f90"), functions=["spread_heat", "misfit"], modes=["vjp"])

place = np.linspace(0, 1, 100)
before = np.where((place > 0.2) & (place < 0.35), 80.0, 20.0) + 40 * np.exp(-((place - 0.7) / 0.06) ** 2)
measured = rod.spread_heat(before, 0.4, 60) + np.random.default_rng(1).normal(0, 0.1, 100)

gradient = isozyme.value_and_grad(rod.misfit, "before")
found = minimize(lambda guess: gradient(guess, 0.4, 60, measured, 1e-3), measured, jac=True, method="L-BFGS-B",
                 options={"maxiter": 300})
print("misfit", f"{rod.misfit(measured, 0.4, 60, measured, 1e-3):.0f} -> {found.fun:.1f} after {found.nit} steps")
print("warmest cell: measured", f"{measured.max():.0f}, found {found.x.max():.0f}, in truth {before.max():.0f}")

if len(sys.argv) > 1:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 3.4), layout="constrained")
    axes.plot(place, before, "--", color="#888888", label="before, in truth")
    axes.plot(place, measured, ".", color="#b5651d", label="measured afterwards")
    axes.plot(place, found.x, color="#336699", label="before, as found")
    axes.set(xlabel="place (m)", ylabel="temperature (°C)")
    axes.legend()
    figure.savefig(sys.argv[1], dpi=110)
