# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong arguments and declarations are exceptions that say what is wrong, and never a crash."""
import re
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import isozyme
from isozyme.declaration import parse_declaration

X = np.linspace(0, 1, 5)
WRONG = [
    ((None, 1.0), TypeError, "energy: 'x' is None, and has to be an array of float64 with 1 dimension"),
    ((X.astype("f4"), 1.0), TypeError, "'x' holds float32, and 'double x[n]' holds float64: pass x.astype('float64')"),
    ((X.astype(">f8"), 1.0), TypeError, "'x' holds >f8"),
    ((X.astype(complex), 1.0), TypeError, "'x' holds complex128"),
    ((X[::2], 1.0), ValueError, "'x' is not contiguous"),
    ((X.reshape(1, 5), 1.0), ValueError, "'x' has 2 dimension(s), the shape (1, 5)"),
    ((np.float64(1), 1.0), TypeError, "'x' is of type float64, and has to be an array"),
    (("text", 1.0), TypeError, "'x' is of type str"),
    ((["text"], 1.0), ValueError, "could not convert string to float"),
    ((X, None), TypeError, "'stiffness' is None, and has to be a number"),
    ((X, 1j), TypeError, "'stiffness' is of type complex"),
    ((X, X), TypeError, "'stiffness' is of type ndarray"),
    ((X,), TypeError, "missing 1 required positional argument: 'stiffness'"),
    ((X, 1.0, 2.0), TypeError, "takes 2 positional arguments but 3 were given"),
]


@pytest.mark.parametrize("arguments, kind, text", WRONG)
def test_wrong_arguments(module, arguments, kind, text):
    for call in (module.energy, isozyme.grad(module.energy), isozyme.hessian(module.energy, "x")):
        with pytest.raises(kind, match=re.escape(text)):
            call(*arguments)


def test_shapes_that_do_not_fit(module):
    with pytest.raises(ValueError, match=re.escape("'x' has the shape (3,), and 'double x[columns]' has (2,) with "
                                                   "columns = 2")):
        module.product(np.ones((4, 2)), np.ones(3))
    with pytest.raises(ValueError, match=re.escape("'double state[n][2]' has (4, 2) with n = 4")):
        module.step(np.ones((4, 3)), 0.1)
    with pytest.raises(ValueError, match="1 cotangents for 2: double state.n..2., double energy.1."):
        isozyme.vjp(module.step, (np.ones((4, 2)), 0.1), (None,))
    with pytest.raises(ValueError, match=re.escape("has the shape (3, 2), not (4, 2)")):
        isozyme.vjp(module.step, (np.ones((4, 2)), 0.1), (np.ones((3, 2)), None))
    with pytest.raises(ValueError, match="value_and_grad is for functions with one number as a result"):
        isozyme.grad(module.step)
    with pytest.raises(TypeError, match="takes a function that isozyme.load returned"):
        isozyme.grad(np.sin)
    with pytest.raises(OverflowError, match="'exponent' is 2147483648"):
        module.power(1.0, 2**31)


@given(x=st.one_of(st.none(), st.text(), st.integers(), st.floats(), st.lists(st.floats() | st.text() | st.none()),
                   arrays.arrays(arrays.scalar_dtypes(), arrays.array_shapes(min_dims=0, min_side=0))))
def test_anything(module, x):
    """A number, or a TypeError or ValueError."""
    try:
        assert isinstance(module.energy(x, 1.0), float)
    except (TypeError, ValueError):
        return
    assert isinstance(x, list) or x.dtype == np.float64 and x.ndim == 1


@given(x=arrays.arrays(np.float64, arrays.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.floats(-1, 1)),
       rows=st.slices(6), columns=st.slices(6))
def test_strides(module, x, rows, columns):
    """A view is either contiguous and right, or refused."""
    view = x[rows, columns].T
    if not view.shape[1] or not view.shape[0]:
        return
    try:
        value = module.product(view, np.ones(view.shape[1]))
    except ValueError:
        assert not view.flags.c_contiguous
    else:
        np.testing.assert_allclose(value, view.sum(1), atol=1e-14)


def test_read_only_inputs_are_fine(module):
    x = np.linspace(0, 1, 5)
    x.flags.writeable = False
    assert module.energy(x, 1.0) == module.energy(x.copy(), 1.0)


def test_exceptions(module):
    for call in (module.refuses, isozyme.grad(module.refuses), isozyme.hessian(module.refuses)):
        with pytest.raises(isozyme.NativeError, match="^a negative number$"):
            call(np.array([1.0, -1.0]))
    assert isozyme.grad(module.refuses)(np.array([4.0]))[0] == 0.25


def test_threads(module):
    x, wrong = np.linspace(0, 1, 1000), []

    def work(k):
        for i in range(200):
            value, gradient = isozyme.value_and_grad(module.energy, "x")(x * k, 2.0)
            if value != expected[k][0] or (gradient != expected[k][1]).any():
                wrong.append(k)

    expected = {k: isozyme.value_and_grad(module.energy, "x")(x * k, 2.0) for k in range(4)}
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


@pytest.mark.parametrize("text, says", [
    ("energy", "not understood as the declaration of a function"),
    ("double f(double *x)", "say how long the array is: 'x[n]'"),
    ("double f(double x[n], int n)", "it is not const, so say whether it is 'in', 'out', 'inout' or 'constant'"),
    ("double f(out const double x[n], int n)", "it is const, so it can not be 'out'"),
    ("double f(const double x[n / 2], int n)", "the extent 'n / 2' is not understood"),
    ("double f(const double x[], int n)", "an extent is empty"),
    ("double f(const complex x[n], int n)", "the type 'complex' is not understood"),
    ("double f(out double x, int n)", "passed by value can be no output; write 'x[1]'"),
    ("double f(const double x[n], int n, int n)", "two parameters are called 'n'"),
    ("double f(out double x[m], int n)", "nothing says how large 'm' is"),
    ("double f(out double x[m], double m)", "'m' is no integer"),
    ("void f(const double x[n], int n)", "gives nothing"),
    ("double *f(const double x[n], int n)", "not understood as the declaration"),
    ("double f(const double *x[n], int n)", "an array of pointers or references is not supported"),
    ("double f(const double x[__import__('os')])", "is not understood"),
])
def test_wrong_declarations(text, says):
    with pytest.raises(isozyme.DeclarationError, match=re.escape(says)):
        parse_declaration(text)


def test_right_declarations():
    s = parse_declaration("static unsigned long int ns::f<3>(const double x[2*n+1][m], std::size_t n, const float *restrict "
                          "y[m], int k);" .replace("*restrict ", ""))
    assert [p.role for p in s.parameters] == ["in", "number", "in", "number"]
    assert s.result.ctype == "unsigned long" and s.attribute == "f"


def test_sizes_that_make_no_array():
    f = isozyme.load(source="void f(double a, double *y, long n) { for (long i = 0; i < n; ++i) y[i] = a * i; }",
                     functions="void f(double a, out double y[n], long n)", modes=["jvp"]).f
    np.testing.assert_array_equal(f(2.0, 3), [0, 2, 4])
    np.testing.assert_array_equal(isozyme.jvp(f, (2.0, 3), 1.0)[1], [0, 1, 2])
    for n in (-1, 2**60):
        with pytest.raises(ValueError, match="an extent is negative or too large"):
            f(2.0, n)
