# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch: gradients, directions, batches, second derivatives, tapes and torch.compile."""
import gc
import re

import numpy as np
import pytest

import isozyme
from conftest import DECLARATIONS, SOURCE

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from torch.autograd import gradcheck, gradgradcheck  # noqa: E402


@pytest.fixture(scope="session")
def untaped():
    return isozyme.load(source=SOURCE, functions=DECLARATIONS)


@pytest.fixture(params=["with a tape", "without"])
def loaded(request, module, untaped):
    return module if request.param == "with a tape" else untaped


def tensor(*shape, seed=0, grad=True):
    made = torch.rand(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    return made.requires_grad_(grad)


def cases(m):
    return {"energy": (m.energy, (tensor(5), tensor())),
            "step": (m.step, (tensor(3, 2), tensor())),
            "product": (m.product, (tensor(3, 2), tensor(2))),
            "scratch": (m.scratch, (tensor(4),)),
            "power": (lambda x: m.power(x, 3), (tensor(),))}


@pytest.mark.parametrize("name", ["energy", "step", "product", "scratch", "power"])
def test_gradcheck(loaded, name):
    f, inputs = cases(loaded)[name]
    assert gradcheck(f, inputs, check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True)
    assert gradgradcheck(f, inputs, check_fwd_over_rev=True, check_batched_grad=True)


@pytest.mark.parametrize("name", ["energy", "step", "product", "scratch"])
def test_opcheck(untaped, name):
    f, inputs = cases(untaped)[name]
    checked = torch.library.opcheck(f.torch.op._opoverload, inputs)
    assert set(checked.values()) == {"SUCCESS"}
    mode = f.torch.modes["vjp"]
    seeds = [torch.ones_like(o) for o in torch.utils._pytree.tree_leaves(f(*inputs))]
    assert set(torch.library.opcheck(mode.op._opoverload, (*inputs, *seeds)).values()) == {"SUCCESS"}


def test_values_are_those_of_numpy(loaded):
    x = tensor(6)
    value = loaded.energy(x, 2.0)
    assert value.item() == loaded.energy(x.detach().numpy(), 2.0)
    value.backward()
    np.testing.assert_array_equal(x.grad.numpy(), isozyme.grad(loaded.energy, "x")(x.detach().numpy(), 2.0))


def test_transforms(loaded):
    f, s = loaded.energy, tensor(grad=False)
    xs = tensor(4, 5, grad=False)
    one_by_one = torch.stack([f(x, s) for x in xs])
    torch.testing.assert_close(torch.func.vmap(f, (0, None))(xs, s), one_by_one, rtol=0, atol=0)
    torch.testing.assert_close(torch.func.vmap(f, (1, None))(xs.T, s), one_by_one, rtol=0, atol=0)
    stiff = tensor(3, seed=1, grad=False)
    grid = torch.func.vmap(lambda k: torch.func.vmap(lambda x: f(x, k))(xs))(stiff)
    torch.testing.assert_close(grid, torch.stack([torch.stack([f(x, k) for x in xs]) for k in stiff]), rtol=0, atol=0)
    gradients = torch.func.vmap(torch.func.grad(f), (0, None))(xs, s)
    torch.testing.assert_close(gradients[2], torch.func.grad(f)(xs[2], s), rtol=0, atol=0)
    matrix = torch.from_numpy(isozyme.hessian(f, "x")(xs[0].numpy(), s.item()))
    for hessian in (torch.func.hessian(f), torch.func.jacrev(torch.func.jacrev(f))):
        torch.testing.assert_close(hessian(xs[0], s), matrix)
    value, slope = torch.func.jvp(lambda x: f(x, s), (xs[0],), (xs[1],))
    assert value == f(xs[0], s)
    torch.testing.assert_close(slope, gradients[0] @ xs[1])


def test_jacobians_of_several_outputs(loaded):
    state, dt = tensor(3, 2, grad=False), tensor(grad=False)
    expected = isozyme.jacobian(loaded.step, "state")(state.numpy(), dt.item())
    for jacobian in (torch.func.jacrev, torch.func.jacfwd):
        for found, wanted in zip(jacobian(loaded.step)(state, dt), expected):
            torch.testing.assert_close(found, torch.from_numpy(wanted))


def test_compile_without_graph_break(untaped):
    x, s = tensor(5), tensor()
    plain = lambda x, s: untaped.energy(x.sin(), s) * 2
    expected = torch.autograd.grad(plain(x, s), (x, s))
    torch._dynamo.reset()
    for f in (plain, lambda x, s: untaped.energy.torch(x.sin(), s) * 2):
        compiled = torch.compile(f, fullgraph=True, backend="aot_eager")
        for found, wanted in zip(torch.autograd.grad(compiled(x, s), (x, s)), expected):
            torch.testing.assert_close(found, wanted)


def test_a_contiguous_tensor_is_not_copied_and_views_are_right(loaded):
    wide = tensor(4, 6)
    value, _ = loaded.step(wide[:, ::3], 0.1)
    value.sum().backward()
    assert (wide.grad != 0).sum() == 8
    x = np.linspace(0, 1, 5)
    seen = []
    invoke = loaded.energy.invoke
    loaded.energy.invoke = lambda mode, slots, *more: seen.append(slots[0]) or invoke(mode, slots, *more)
    try:
        loaded.energy(torch.from_numpy(x), 1.0)
    finally:
        del loaded.energy.invoke
    assert seen == [x.__array_interface__["data"][0]]


COUNTED = """
#include <cmath>
static int calls = 0;
double wave(const double *x, int n) {
  ++calls;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::sin(x[i]) * std::exp(x[i]);
  return sum;
}
void waves(const double *x, double *y, int n) {
  ++calls;
  for (int i = 0; i < n; ++i) {
    y[i] = std::sin(x[i]) * std::exp(x[i]);
    y[i] *= y[i];
  }
}
double inverse(double x) { return 1 / x; }
long counted(long unused) { return calls; }
"""
COUNTED_FUNCTIONS = ["double wave(const double x[n], int n)", "void waves(const double x[n], out double y[n], int n)",
                     "double inverse(double x)", "long counted(long unused)"]


@pytest.fixture
def counted():
    return isozyme.load(source=COUNTED, modes=["vjp", "hvp", "split"], functions=COUNTED_FUNCTIONS)


def test_with_a_tape_the_function_runs_once(counted):
    x, before = tensor(5), counted.counted(0)
    value = counted.waves(x).sum()
    value.backward(retain_graph=True)
    assert counted.counted(0) == before + 1
    first = x.grad.clone()
    value.backward()  # The tape is used up: the function runs again.
    assert counted.counted(0) == before + 2
    torch.testing.assert_close(x.grad, 2 * first)


SPREADING = """
#include <vector>
double outlet(const double *u0, int cells, double rate, int steps, double *profile) {
  std::vector<double> u(u0, u0 + cells), v(cells);
  double sum = 0;
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i + 1 < cells; ++i) v[i] = u[i] + rate * (u[i - 1] - 2 * u[i] + u[i + 1]);
    v[0] = u[0];
    v[cells - 1] = v[cells - 2];
    u.swap(v);
    sum += (u[cells - 1] - 0.3) * (u[cells - 1] - 0.3);
  }
  for (int i = 0; i < cells; ++i) profile[i] = u[i];
  return sum;
}
"""


@pytest.fixture(scope="session")
def spreading():
    return isozyme.load(source=SPREADING, modes=["vjp", "split"], functions=[
        "double outlet(const double u0[cells], int cells, double rate, int steps, out double profile[cells])"])


def test_passes_over_one_graph_agree_to_the_last_bit(spreading):
    x, rate = torch.linspace(1, 0, 12, dtype=torch.float64, requires_grad=True), torch.tensor(0.2, dtype=torch.float64)
    value = spreading.outlet(x, rate, 20)[0]
    first, = torch.autograd.grad(value, x, retain_graph=True)
    second, = torch.autograd.grad(value, x, retain_graph=True)
    assert torch.equal(first, second)
    assert gradcheck(lambda x, rate: spreading.outlet(x, rate, 20), (x, rate.requires_grad_()))


def test_the_first_pass_over_a_tape_may_be_a_batch(spreading):
    x, seeds = torch.linspace(1, 0, 12, dtype=torch.float64, requires_grad=True), torch.eye(12, dtype=torch.float64)
    rows, = torch.autograd.grad(spreading.outlet(x, 0.2, 20)[1], x, seeds, is_grads_batched=True)
    profile = spreading.outlet(x, 0.2, 20)[1]
    for seed, row in zip(seeds, rows):
        torch.testing.assert_close(torch.autograd.grad(profile, x, seed, retain_graph=True)[0], row)


def test_a_number_comes_with_its_gradient(counted):
    x, before = tensor(5), counted.counted(0)
    value = 3 * counted.wave(x)
    value.backward(retain_graph=True)
    first = x.grad.clone()
    torch.testing.assert_close(first, 3 * (x.exp() * (x.sin() + x.cos())).detach())
    value.backward()
    assert counted.counted(0) == before + 1
    torch.testing.assert_close(x.grad, 2 * first)
    second, = torch.autograd.grad(counted.wave(x), x, create_graph=True)  # This one may be differentiated again.
    assert torch.autograd.gradcheck(lambda x: torch.autograd.grad(counted.wave(x), x, create_graph=True)[0], x)
    torch.testing.assert_close(second.detach(), first / 3)


def test_a_number_that_does_not_count_has_no_share(counted):
    x = torch.zeros((), dtype=torch.float64, requires_grad=True)
    assert torch.autograd.grad(counted.inverse(x), x)[0] == -torch.inf
    assert torch.autograd.grad(0 * counted.inverse(x), x)[0] == 0


def test_a_tape_goes_with_its_graph(counted):
    used = lambda: int(re.search(r"VmRSS:\s+(\d+)", open("/proc/self/status").read())[1])
    x = tensor(200_000)
    for _ in range(3):
        counted.waves(x)
    before = used()
    for _ in range(30):
        counted.waves(x)  # No backward pass: 1.6 MB at least for each of them.
    gc.collect()
    assert used() - before < 20_000


def test_tensors_that_changed_meanwhile_are_noticed(loaded):
    x = tensor(5)
    y = x * 1
    value = loaded.energy(y, 1.0)
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        value.backward()


@pytest.mark.parametrize("arguments, kind, says", [
    ((torch.zeros(3), 1.0), TypeError, "'x' holds torch.float32, and 'double x[n]' holds torch.float64"),
    ((torch.zeros(3, 3, dtype=torch.float64), 1.0), ValueError, "'x' has 2 dimension(s), the shape (3, 3)"),
    ((torch.zeros(3, dtype=torch.float64), None), TypeError, "'stiffness' is of type NoneType"),
    ((None, torch.zeros((), dtype=torch.float64)), TypeError, "'x' is None"),
    ((torch.zeros(3, dtype=torch.float64, device="meta"), 1.0), ValueError, "'x' is on the device 'meta'"),
    ((torch.zeros(3, dtype=torch.float64).to_sparse(), 1.0), ValueError, "pass x.to_dense()"),
    ((torch.zeros(3, dtype=torch.float64),), TypeError, "required positional argument: 'stiffness'"),
    ((torch.zeros(3, dtype=torch.float64), 1.0, 2.0), TypeError, "takes 2 positional arguments but 3 were given"),
])
def test_wrong_tensors(loaded, arguments, kind, says):
    with pytest.raises(kind, match=re.escape(says)):
        loaded.energy(*arguments)
    with pytest.raises(ValueError, match="extent 0 of 'double x.columns.' is 2"):
        loaded.product(tensor(3, 2), tensor(3))


@pytest.mark.parametrize("grad", [False, True])
def test_wrong_integers(loaded, grad):
    for number, kind in [(2**31, OverflowError), (2.5, TypeError), (None, TypeError), (tensor(), TypeError)]:
        with pytest.raises(kind, match="'exponent' is"):
            loaded.power(tensor(grad=grad), number)


def test_exceptions_and_third_derivatives(loaded):
    with pytest.raises(isozyme.NativeError, match="a negative number"):
        loaded.refuses(torch.tensor([1.0, -1.0], dtype=torch.float64, requires_grad=True))
    x = tensor(3)
    first, = torch.autograd.grad(loaded.scratch(x), x, create_graph=True)
    second, = torch.autograd.grad(first.sum(), x, create_graph=True)
    with pytest.raises(isozyme.Error, match="third derivatives, which are not there"):
        torch.autograd.grad(second.sum(), x)


def test_a_model_is_trained(loaded):
    x = torch.tensor([2.0, -1.0, 0.5], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([x], max_iter=50, line_search_fn="strong_wolfe")

    def closure():
        optimiser.zero_grad()
        loss = (loaded.product(torch.eye(3, dtype=torch.float64), x) - 4).square().sum()
        loss.backward()
        return loss

    optimiser.step(closure)
    torch.testing.assert_close(x.detach(), torch.tensor([2.0, -2.0, 2.0], dtype=torch.float64), atol=1e-5, rtol=0)


def test_what_carries_no_derivative(integers):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    count, y = integers.squares(x)
    assert (count.item(), count.dtype, count.requires_grad) == (2, torch.int32, False)
    found, = torch.autograd.grad(y.sum() + integers.held(x), x)
    torch.testing.assert_close(found, 2 * x.detach())


def test_a_tape_may_hold_addresses_of_shadows():
    """A pointer that moves on is kept, and its shadow with it: the second half has to find that memory again."""
    walk = isozyme.load(modes=["vjp", "split"], functions="double walk(const double x[n], int n)", source="""
        __attribute__((noinline)) static double next(const double **at) { double v = **at; *at += 1 + (v < 0); return v * v * v; }
        double walk(const double *x, int n) {
          double sum = 0;
          for (const double *at = x; at < x + n;)
            sum += next(&at);
          return sum;
        }""").walk
    x = torch.tensor([1.0, 2, -3, 100, 4], dtype=torch.float64, requires_grad=True)
    for _ in range(3):
        value = walk(x)
        assert value.item() == 1 + 8 - 27 + 64
        between = [torch.full((5,), 7.0) for _ in range(100)]  # Takes memory that the first half may have left.
        assert torch.autograd.grad(value, x)[0].tolist() == [3, 12, 27, 0, 48]
        del between


SLOW = """
#include <stdexcept>
#include <thread>
double sum(const double *x, int n, int *id) {
  *id = std::hash<std::thread::id>{}(std::this_thread::get_id()) & 0xfffff;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0)
      throw std::domain_error("a negative number");
    s += x[i] * x[i] * x[i];
  }
  return s;
}
"""


def test_batches_over_threads():
    f = isozyme.load(source=SLOW, functions="double sum(const double x[n], int n, out int id[1])", threads=3).sum
    x = torch.arange(1.0, 15.0, dtype=torch.float64).reshape(7, 2)
    total, where = torch.func.vmap(f)(x)
    torch.testing.assert_close(total, (x**3).sum(1))
    assert len(set(where.flatten().tolist())) == 3
    slopes = torch.func.vmap(torch.func.grad(lambda x: f(x)[0]))(x)
    torch.testing.assert_close(slopes, 3 * x**2)
    x[4, 1] = -1
    with pytest.raises(isozyme.NativeError, match="a negative number"):
        torch.func.vmap(f)(x)
    with pytest.raises(ValueError, match="threads is a number from 1 to 1024, and not 0"):
        isozyme.load(source=SLOW, functions="double sum(const double x[n], int n, out int id[1])", threads=0)
