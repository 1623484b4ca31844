# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Procedures of Fortran: their signatures from flang, values, derivatives, and what is refused."""
import shutil

import numpy as np
import pytest

import isozyme

pytestmark = pytest.mark.skipif(not shutil.which("flang-22"), reason="there is no flang-22")

SOURCE = """
module springs
  implicit none
  integer, parameter :: dp = kind(1d0), axes = 2
contains
  real(dp) function energy(x, n, stiffness)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n), stiffness
    energy = 0.5_dp * stiffness * sum((x(2:n) - x(1:n-1))**2) + sum(cos(x))
  end function

  subroutine step(state, n, energy, dt)
    integer, intent(in) :: n
    real(dp), intent(inout) :: state(axes, 0:n-1)
    real(dp), intent(out) :: energy
    real(dp), intent(in) :: dt
    energy = sum(0.5_dp * state(2, :)**2 - cos(state(1, :)))
    state(2, :) = state(2, :) - dt * sin(state(1, :))
    state(1, :) = state(1, :) + dt * state(2, :)
  end subroutine

  subroutine index(x, y, n) bind(c)   ! The name of a function of the C library.
    use iso_c_binding
    integer(c_int64_t), value :: n
    real(c_float), intent(in) :: x(n)
    real(c_float), intent(out) :: y(2*n+1)
    y = 0
    y(1:n) = x**3
  end subroutine

  real(dp) function assumed(x)
    real(dp), intent(in) :: x(:)
    assumed = sum(x)
  end function

  function several(x) result(y)
    real(dp), intent(in) :: x(3)
    real(dp) :: y(3)
    y = x
  end function

  real(dp) function truth(flag, x)
    logical, intent(in) :: flag
    real(dp), intent(in) :: x
    truth = merge(x, 0._dp, flag)
  end function

  real(dp) function of_function(f, x)
    interface
      real(8) function f(x)
        real(8) :: x
      end function
    end interface
    real(dp), intent(in) :: x
    of_function = f(x)
  end function
end module

function old(x, n, w)
  double precision x(n), w(*), old
  integer n
  n = n - 1                      ! Its caller's n stays as it is.
  old = 0
  do i = 1, n + 1
    old = old + w(i) * x(i)**2
  end do
end
"""


def load(*functions, source=SOURCE, **named):
    return isozyme.load(source=source, language="fortran", functions=list(functions), **named)


@pytest.fixture(scope="module")
def springs():
    return load("energy", "springs::step", "index", "double old(const double x[n], int n, constant const double w[n])",
                modes=["vjp", "jvp", "hvp", "split"])


def test_signatures_come_from_the_source(springs):
    assert [f.signature.text for f in springs][:3] == [
        "double energy(const double x[n], int n, double stiffness)",
        "void springs::step(inout double state[n][2], int n, out double energy[1], double dt)",
        "void index(const float x[n], out float y[2*n+1], int64_t n)"]


def test_all_derivatives(springs):
    x = np.array([0.0, 1.0, 3.0])
    assert springs.energy(x, 2.0) == pytest.approx(5 + np.cos(x).sum())
    value, (by_x, by_stiffness) = isozyme.value_and_grad(springs.energy)(x, 2.0)
    assert by_x == pytest.approx(np.array([-2, 2 - 4, 4]) - np.sin(x)) and by_stiffness == 2.5
    assert isozyme.jvp(springs.energy, (x, 2.0), (np.ones(3), 0.0))[1] == pytest.approx(-np.sin(x).sum())
    chain = np.array([[2.0, -2, 0], [-2, 4, -2], [0, -2, 2]])
    assert isozyme.hessian(springs.energy, "x")(x, 2.0) == pytest.approx(chain - np.diag(np.cos(x)))


def test_extents_turn_around(springs):
    state, dt = np.array([[0.3, 1.0], [2.0, -1.0]]), 0.1  # (angle, speed) of two pendulums.
    after, energy = springs.step(state, dt)
    speed = state[:, 1] - dt * np.sin(state[:, 0])
    assert after == pytest.approx(np.stack([state[:, 0] + dt * speed, speed], axis=1))
    assert energy == pytest.approx((0.5 * state[:, 1] ** 2 - np.cos(state[:, 0])).sum())
    of_after, of_energy = isozyme.jacobian(springs.step, wrt="state")(state, dt)
    assert of_energy[0] == pytest.approx(np.stack([np.sin(state[:, 0]), state[:, 1]], axis=1))
    assert of_after[0, 1, 0, 0] == pytest.approx(-dt * np.cos(0.3)) and of_after[0, 1, 1].tolist() == [0, 0]


def test_bind_c_and_a_name_of_the_c_library(springs):
    x = np.array([1, 2], np.float32)
    assert springs.index(x).tolist() == [1, 8, 0, 0, 0]
    assert isozyme.vjp(springs.index, (x,), np.ones(5, np.float32))[1].tolist() == [3, 12]


def test_a_declaration_says_what_old_sources_leave_open(springs):
    x, w = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    assert springs.old(x, w) == 19
    assert isozyme.grad(springs.old, "x")(x, w).tolist() == [6, 16]


def test_frameworks_take_it(springs):
    torch = pytest.importorskip("torch")
    x = torch.tensor([0.0, 1.0, 3.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: springs.energy(x, 2.0), x)


@pytest.mark.parametrize("name, message", [
    ("nothing", "there is no procedure 'nothing'"),
    ("assumed", "'x' does not say how long it is. Declare it as 'x\\(n\\)'"),
    ("old", "'x' has no intent"),
    ("several", "returns an array"),
    ("truth", "'flag' is of the type LOGICAL\\(4\\)"),
    ("of_function", "'f' is a procedure"),
    ("double energy(const double x[n], double stiffness)", "does not fit 'energy'"),
    ("float energy(const double x[n], int n, double stiffness)", "does not fit 'energy'"),
])
def test_what_can_not_be_passed(name, message):
    with pytest.raises(isozyme.DeclarationError, match=message):
        load(name)


def test_errors_of_flang_are_shown():
    with pytest.raises(isozyme.CompileError, match="No explicit type declared for 'y'"):
        load("f", source="subroutine f(x)\n implicit none\n real(8), intent(in) :: x\n y = x\nend\n")


def test_a_changed_include_is_seen(tmp_path):
    source, part = tmp_path / "scaled.f90", tmp_path / "factor.inc"
    source.write_text("real(8) function scaled(x)\n  real(8), intent(in) :: x\n  include 'factor.inc'\nend\n")
    for factor in (2, 3):
        part.write_text(f"scaled = {factor} * x\n")
        f = isozyme.load(source, functions="scaled", modes=["vjp"]).scaled
        assert (f(1.0), isozyme.grad(f)(1.0)) == (factor, factor)


def test_a_missing_flang_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(isozyme.ToolchainError, match="apt-get install flang-22"):
        load("energy")
