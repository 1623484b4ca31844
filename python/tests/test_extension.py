# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""isozyme/torch.hpp: extensions of PyTorch in C++, unoptimised and optimised."""
import importlib.util
import subprocess
import sysconfig
from pathlib import Path

import pytest

from isozyme import toolchain

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

SOURCE = """
#include <cmath>
#include <isozyme/torch.hpp>
#include <torch/csrc/utils/pybind.h>

double energy(const double *x, int n, double stiffness) {
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) {
    double stretch = x[i + 1] - x[i];
    sum += 0.5 * stiffness * stretch * stretch + std::cos(x[i]);
  }
  return sum;
}
// Writes two results; reads integers.
void step(const double *u, double *next, const int64_t *kind, int64_t n, double dt, float *half) {
  for (int64_t i = 0; i < n; ++i) {
    next[i] = u[i] + dt * (u[(i + 1) % n] * u[i] - kind[i] * u[i] * u[i]);
    half[i] = 0.5f * (float)(u[i] * u[i]);
  }
}
// Returns a number, and writes.
float scaled(const float *x, int n, float by, float *y) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] = by * x[i] * x[i];
  return sum;
}

at::Tensor chain(const at::Tensor &x, const at::Tensor &k) { return isozyme::on_tensors<energy>(x, x.numel(), k); }
at::Tensor plain(const at::Tensor &x) { return isozyme::on_tensors<energy>(x, x.numel(), 2); }
std::vector<at::Tensor> move(const at::Tensor &u, const at::Tensor &kind, const at::Tensor &dt) {
  return isozyme::on_tensors<step>(u, isozyme::result(u.sizes()), kind, u.numel(), dt, isozyme::result({u.numel()}));
}
std::vector<at::Tensor> both(const at::Tensor &x) {
  return isozyme::on_tensors<scaled>(x, x.numel(), 3.0, isozyme::result(x.sizes()));
}
PYBIND11_MODULE(NAME, m) {
  m.def("chain", &chain);
  m.def("plain", &plain);
  m.def("move", &move);
  m.def("both", &both);
}
"""


@pytest.fixture(scope="module", params=["O0", "O2"])
def extension(request, tmp_path_factory):
    """Built by one command of the driver, as a build system would."""
    from torch.utils import cpp_extension
    name, folder = f"extension_{request.param}", tmp_path_factory.mktemp("extension")
    (folder / "extension.cpp").write_text(SOURCE)
    places = [*cpp_extension.include_paths(), sysconfig.get_path("include")]
    library = folder / f"{name}.so"
    subprocess.run([toolchain.command(), "c++", "-std=c++20", f"-{request.param}", "-fPIC", "-shared", "-w", f"-DNAME={name}",
                    *(f"-I{p}" for p in places), folder / "extension.cpp", "-o", library,
                    *(f"-L{p}" for p in cpp_extension.library_paths()), "-ltorch", "-ltorch_cpu", "-ltorch_python", "-lc10"],
                   check=True)
    spec = importlib.util.spec_from_file_location(name, library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def doubles(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


K = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
X = doubles(0.3, 1.0, -0.4, 0.9, 2.0)


def test_derivatives(extension):
    assert torch.autograd.gradcheck(extension.chain, (X, K))
    assert torch.autograd.gradgradcheck(extension.chain, (X, K))
    assert torch.autograd.gradgradcheck(extension.plain, (X,))
    kind = torch.tensor([1, 0, 1, 1, 0])
    step = lambda u, dt: extension.move(u, kind, dt)[0]
    assert torch.autograd.gradcheck(step, (X, K)) and torch.autograd.gradgradcheck(step, (X, K))


def test_several_results(extension):
    kind = torch.tensor([1, 0, 1, 1, 0])
    following, half = extension.move(X, kind, K)
    torch.testing.assert_close(half, (0.5 * X * X).float())
    assert torch.equal(following, X + K * (X.roll(-1) * X - kind * X * X))
    # The tensors of one call that a loss does not use count for nothing.
    torch.testing.assert_close(torch.autograd.grad(half.sum(), X)[0], X.detach(), rtol=1e-6, atol=0)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    total, squares = extension.both(x.t())  # It is made contiguous.
    assert total == 90 and torch.equal(squares, 3 * x.t() ** 2)
    weights = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    (total + (weights * squares).sum()).backward()
    assert torch.equal(x.grad, 6 * x * (1 + weights))


@pytest.mark.parametrize("arguments, says", [
    ((X.float(), K), "argument 1 holds Float, and the function takes Double"),
    ((X, X), r"argument 3 is a number, and the tensor has the shape \[5\]")])
def test_what_does_not_fit(extension, arguments, says):
    with pytest.raises(RuntimeError, match=says):
        extension.chain(*arguments)


def test_what_is_not_there(extension):
    slope, = torch.autograd.grad(extension.plain(X), X, create_graph=True)
    with pytest.raises(RuntimeError, match="third derivatives"):
        torch.autograd.grad(slope.sum(), X, create_graph=True)
    with pytest.raises(RuntimeError):
        torch.func.grad(extension.plain)(X.detach())
