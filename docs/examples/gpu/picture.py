"""Draws what tomography.cu has written into a file. Usage: picture.py NUMBERS PICTURE."""
import sys

import numpy as np
from matplotlib import pyplot

truth, seen, found, losses = (np.array(line.split(), float) for line in open(sys.argv[1]))
cells = int(np.sqrt(truth.size))
figure, (first, second, third, fourth) = pyplot.subplots(1, 4, figsize=(12, 3.2), layout="constrained")
for axes, numbers, title in ((first, truth, "the slice"), (third, found, "fitted density")):
    axes.imshow(numbers.reshape(cells, cells), cmap="magma", vmin=0, vmax=truth.max(), origin="lower")
    axes.set(title=title, xticks=[], yticks=[])
second.imshow(seen.reshape(-1, cells), cmap="gray", vmin=0, vmax=1, aspect="auto")
second.set(title="light that comes through", xlabel="ray", ylabel="direction")
fourth.semilogy(np.arange(1, losses.size + 1), losses, color="#336699")
fourth.set(title="misfit", xlabel="round")
figure.savefig(sys.argv[2], dpi=110)
