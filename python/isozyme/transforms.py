# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives for NumPy: what value_and_grad, jacobian and the others do."""
import functools

import numpy

from .function import Function, address, check_array
from .wrappers import slots_of


def _function(f, what):
    if not isinstance(f, Function):
        raise TypeError(f"{what} takes a function that isozyme.load returned, not {type(f).__name__}")
    return f


def _scalar(f, what):
    """A function with one number as its result, which everything else is differentiated of."""
    if not _function(f, what).signature.has_one_number:
        outputs = ", ".join(o.describe() for o in f.signature.active_outputs) or "none"
        raise ValueError(f"{what} is for functions with one number as a result; '{f.signature.text}' has {outputs}: "
                         "use vjp, jvp or jacobian")
    return f


def _chosen(f, wrt):
    """The positions, among the active inputs, of what is differentiated by."""
    names = [p.name for p in f.signature.active_inputs]
    if not names:
        raise ValueError(f"'{f.signature.text}' has no input that can be differentiated by")
    if wrt is None:
        return list(range(len(names)))
    for name in [wrt] if isinstance(wrt, str) else wrt:
        if name not in names:
            raise ValueError(f"wrt: '{name}' is no input of '{f.signature.text}' that can be differentiated by; "
                             f"these are: {', '.join(names)}")
    return [names.index(name) for name in ([wrt] if isinstance(wrt, str) else wrt)]


def _packed(values, wrt, total):
    """One result by itself, several as a tuple."""
    if isinstance(wrt, str) or wrt is None and total == 1:
        return values[0]
    return tuple(values)


def _plain(array):
    """Numbers as such, not as arrays without dimensions."""
    return array if array.ndim else array.item()


def _vectors(f, parameters, values, sizes, what):
    """Cotangents or tangents as arrays of the right kind; None counts as zeros."""
    if len(parameters) == 1 and not isinstance(values, (tuple, list)):
        values = (values,)
    if len(values) != len(parameters):
        raise ValueError(f"{f.__name__}: {len(values)} {what} for {len(parameters)}: "
                         f"{', '.join(p.describe() for p in parameters)}; None stands for zeros")
    arrays = []
    for p, value in zip(parameters, values):
        if value is not None:
            if p.ndim == 0:
                value = numpy.asarray(value, p.dtype)
            value = check_array(f, p, value)
            shape = f.shape_of(p, sizes)
            if value.shape != shape:
                raise ValueError(f"{f.__name__}: one of the {what}, for '{p.describe()}', has the shape {value.shape}, "
                                 f"not {shape}")
        arrays.append(value)
    return arrays, [0 if a is None else address(a) for a in arrays]


ONE = numpy.ones(()), numpy.ones((), "f4")
ONE_AT = {a.dtype: address(a) for a in ONE}


def value_and_grad(f, wrt=None):
    """A function that returns the value of f and its gradient: by all inputs, or by those that wrt names."""
    _scalar(f, "value_and_grad")
    chosen = _chosen(f, wrt)
    seed = [ONE_AT[f.signature.active_outputs[0].dtype]]
    single = _packed(range(len(chosen)), wrt, len(chosen)) == 0

    @functools.wraps(f.__call__)
    def both(*arguments, **named):
        value, gradients = f.run("vjp", f.bind(*arguments, **named), seed)
        if single:
            return value, gradients[chosen[0]]
        return value, tuple(gradients[i] for i in chosen)

    return both


def grad(f, wrt=None):
    """A function that returns the gradient of f."""
    both = value_and_grad(f, wrt)
    return functools.wraps(both)(lambda *arguments, **named: both(*arguments, **named)[1])


def vjp(f, arguments, cotangents):
    """(f(*arguments), gradients by all active inputs): one reverse sweep from the cotangents of f's results."""
    _function(f, "vjp")
    bound = f.bind(*arguments)
    keep, seeds = _vectors(f, f.signature.active_outputs, cotangents, bound[1], "cotangents")
    value, gradients = f.run("vjp", bound, seeds)
    return value, _packed(gradients, None, len(gradients))


def jvp(f, arguments, tangents):
    """(f(*arguments), its derivative along the tangents of all active inputs)."""
    _function(f, "jvp")
    bound = f.bind(*arguments)
    keep, seeds = _vectors(f, f.signature.active_inputs, tangents, bound[1], "tangents")
    value, derivatives = f.run("jvp", bound, seeds)
    return value, _packed(derivatives, None, len(derivatives))


def hvp(f, arguments, vectors):
    """(gradient, Hessian times the vectors) of a function with one number as its result."""
    _scalar(f, "hvp")
    bound = f.bind(*arguments)
    keep, seeds = _vectors(f, f.signature.active_inputs, vectors, bound[1], "vectors")
    one = ONE_AT[f.signature.active_outputs[0].dtype]
    _, made = f.run("hvp", bound, [one, *seeds, 0])
    count = len(f.signature.active_inputs)
    pack = lambda arrays: _packed(arrays, None, count)
    return pack(made[1:1 + count]), pack(made[1 + count:])


def _batched(f, mode, bound, given, batch, wanted):
    """Calls a mode `batch` times: with arrays that have one more dimension in `given`, for results `wanted` ditto.

    Both map the names of slots to arrays; arrays in `given` without that dimension are under ('same', array).
    """
    slots, sizes, keep = bound
    strides = [0] * len(slots)
    slots = list(slots)
    for slot in slots_of(f.signature, mode)[len(slots):]:
        array = given.get(slot.name, wanted.get(slot.name))
        if array is None:
            slots.append(0)
            strides.append(0)
        else:
            same = isinstance(array, tuple)
            slots.append(address(array[1] if same else array))
            strides.append(0 if same else array.strides[0])
    f.invoke(mode, slots, batch, strides)


def _units(shape, dtype):
    count = int(numpy.prod(shape, dtype=int))
    return count, numpy.eye(count, dtype=dtype).reshape((count, *shape))


def jacobian(f, wrt=None):
    """A function that returns the Jacobian: for each result and input an array of the shape result + input."""
    _function(f, "jacobian")
    chosen = _chosen(f, wrt)
    s = f.signature

    def of(*arguments, **named):
        bound = f.bind(*arguments, **named)
        shapes_in = [f.shape_of(s.active_inputs[i], bound[1]) for i in chosen]
        shapes_out = [f.shape_of(o, bound[1]) for o in s.active_outputs]
        size = lambda shapes: sum(int(numpy.prod(shape, dtype=int)) for shape in shapes)
        forward = "jvp" in f._entries and (size(shapes_in) <= size(shapes_out) or "vjp" not in f._entries)
        blocks = [[None] * len(chosen) for _ in s.active_outputs]
        if forward:
            for column, i in enumerate(chosen):
                p = s.active_inputs[i]
                count, units = _units(shapes_in[column], p.dtype)
                made = {f"to_{o.name}": numpy.empty((count, *shape), o.dtype)
                        for o, shape in zip(s.active_outputs, shapes_out)}
                _batched(f, "jvp", bound, {f"t_{p.name}": units}, count, made)
                for row, array in enumerate(made.values()):
                    turned = numpy.ascontiguousarray(numpy.moveaxis(array, 0, -1))
                    blocks[row][column] = turned.reshape(shapes_out[row] + shapes_in[column])
        else:
            for row, o in enumerate(s.active_outputs):
                count, units = _units(shapes_out[row], o.dtype)
                made = {f"g_{s.active_inputs[i].name}": numpy.empty((count, *shape), s.active_inputs[i].dtype)
                        for i, shape in zip(chosen, shapes_in)}
                _batched(f, "vjp", bound, {f"ct_{o.name}": units}, count, made)
                for column, array in enumerate(made.values()):
                    blocks[row][column] = array.reshape(shapes_out[row] + shapes_in[column])
        return _packed([_packed([_plain(b) for b in row], wrt, len(row)) for row in blocks], None, len(blocks))

    return functools.wraps(f.__call__)(of)


def hessian(f, wrt=None):
    """A function that returns the matrix of second derivatives of a function with one number as its result."""
    _scalar(f, "hessian")
    chosen = _chosen(f, wrt)
    s = f.signature

    def of(*arguments, **named):
        bound = f.bind(*arguments, **named)
        inputs = [s.active_inputs[i] for i in chosen]
        shapes = [f.shape_of(p, bound[1]) for p in inputs]
        blocks = [[None] * len(chosen) for _ in chosen]
        one = ("same", numpy.ones((), s.active_outputs[0].dtype))
        for column, p in enumerate(inputs):
            count, units = _units(shapes[column], p.dtype)
            made = {f"h_{q.name}": numpy.empty((count, *shape), q.dtype) for q, shape in zip(inputs, shapes)}
            _batched(f, "hvp", bound, {f"ct_{s.active_outputs[0].name}": one, f"t_{p.name}": units}, count, made)
            for row, array in enumerate(made.values()):
                turned = numpy.ascontiguousarray(numpy.moveaxis(array, 0, -1))
                blocks[row][column] = _plain(turned.reshape(shapes[row] + shapes[column]))
        if len(blocks) == 1 and (wrt is None or isinstance(wrt, str)):
            return blocks[0][0]
        return tuple(tuple(row) for row in blocks)

    return functools.wraps(f.__call__)(of)
