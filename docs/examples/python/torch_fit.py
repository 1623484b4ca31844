"""Fits the rates of hares and foxes with an optimiser of PyTorch. Usage: torch_fit.py [PICTURE]."""
import sys
from pathlib import Path

import isozyme
import torch

model = isozyme.load(Path(__file__).with_name("prey.cpp"), functions=[
    "void simulate(const double rate[4], const double start[2], out double years[count][2], int count)"])

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
true_rate, true_start = torch.tensor([0.8, 0.5, 0.6, 0.25]), torch.tensor([3.0, 1.0])
counted = model.simulate(true_rate, true_start, 25) * torch.exp(0.08 * torch.randn(25, 2))

# Rates and animals are positive: the optimiser moves their logarithms.
rate = torch.tensor([0.7, 0.4, 0.6, 0.2]).log().requires_grad_()
start = torch.tensor([2.5, 1.5]).log().requires_grad_()
optimiser = torch.optim.Adam([rate, start], lr=0.02)
errors = []
for step in range(400):
    optimiser.zero_grad()
    years = model.simulate(rate.exp(), start.exp(), 25)  # Compiled C++ between operations of PyTorch.
    error = ((years / counted).log() ** 2).mean()
    error.backward()
    optimiser.step()
    errors.append(error.item())

print(f"error {errors[0]:.2f} -> {errors[-1]:.3f}")
print("rates", rate.exp().detach().numpy().round(2), "start", start.exp().detach().numpy().round(1))

if len(sys.argv) > 1:
    from matplotlib import pyplot

    figure, (course, fit) = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    course.semilogy(errors, color="#444444")
    course.set(xlabel="step of Adam", ylabel="mean squared error of the logarithms")
    for animal, (name, colour) in enumerate([("hares", "#b5651d"), ("foxes", "#336699")]):
        fit.plot(range(1, 26), counted[:, animal], "o", color=colour, label=f"{name}, counted")
        fit.plot(range(1, 26), years[:, animal].detach(), color=colour, label="fitted")
    fit.set(xlabel="year", ylabel="animals (thousands)", ylim=(0, 7))
    fit.legend(fontsize="small", ncols=2, loc="upper center")
    figure.savefig(sys.argv[1], dpi=110)
