# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled function as one of JAX.

Each mode is a primitive, whose derivative is another one: the tangent of the primal is the mode jvp, which is linear
in its tangents, with the mode vjp as its transpose; and so on for second order. A function with one number as its
result gets its gradient together with its value, in one call; its tangent is their product with those of the inputs.
Compiled code calls an entry point through one handler of XLA's foreign function interface.

A primitive takes arrays with the dimensions of a batch in front, or without: the latter are the same in all calls.
"""
import ctypes
import functools
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import cache
from .errors import Error
from .function import arguments_by_name, check_integer
from .wrappers import slots_of

ARGUMENT, RESULT, INTEGER, ABSENT = range(4)
TARGET = "isozyme_call_entry"


@functools.cache
def handler():
    """Registers the handler with JAX, once in a process."""
    text = Path(__file__).with_name("jax_handler.cpp").read_text()
    flags = ["-std=c++17", "-w", f"-I{jax.ffi.include_dir()}"]
    library = ctypes.CDLL(str(cache.compile_library(text, "c++", flags, "the handler for JAX")))
    jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(getattr(library, TARGET)), platform="cpu")
    return library


class Layer:
    def __init__(self, function):
        self.function, self.s = function, function.signature
        handler()
        differentiable = self.s.active_inputs and self.s.active_outputs
        self.modes = {mode: Mode(self, mode) for mode in ("primal", "vjp", "jvp", "hvp")
                      if mode == "primal" or mode in function._entries and differentiable}
        self.with_gradient = WithGradient(self) if self.s.has_one_number and "vjp" in self.modes else None

    def mode(self, name):
        self.function.entry(name)  # An error, if it was not compiled.
        return self.modes[name]

    def __call__(self, *arguments, **named):
        s, name = self.s, self.function.__name__
        values = arguments_by_name(self.function, arguments, named)
        arrays = [self.array(p, values[p.python_name]) for p in s.inputs]
        numbers = tuple(self.number(p, values[p.python_name]) for p in s.numbers)
        sizes = self.sizes(arrays, numbers)
        for p, array in zip(s.inputs, arrays):
            wanted = tuple(extent.evaluate(sizes) for extent in p.extents or ())
            if array.shape != wanted:
                raise ValueError(f"{name}: '{p.name}' has the shape {array.shape}, and '{p.describe()}' has {wanted}")
        result = self.modes["primal"].bind(arrays, (), numbers, ())
        return result[0] if len(result) == 1 else tuple(result)

    def array(self, p, value):
        where = f"{self.function.__name__}: '{p.name}'"
        if not p.is_array and isinstance(value, (int, float)) and not isinstance(value, bool):
            value = numpy.asarray(value, p.dtype)
        if not isinstance(value, (jax.Array, numpy.ndarray, numpy.generic)):
            raise TypeError(f"{where} is of type {type(value).__name__}, and has to be an array as the others are")
        if p.dtype.itemsize == 8 and not jax.config.jax_enable_x64:
            raise TypeError(f"{where} holds {p.dtype}, which JAX has only after "
                            "jax.config.update('jax_enable_x64', True)")
        if value.dtype != p.dtype:
            raise TypeError(f"{where} holds {value.dtype}, and '{p.describe()}' holds {p.dtype}: "
                            f"pass {p.name}.astype('{p.dtype}')")
        if value.ndim != p.ndim:
            raise ValueError(f"{where} has {value.ndim} dimension(s), the shape {value.shape}, and '{p.describe()}' has "
                             f"{p.ndim}")
        return jnp.asarray(value)

    def number(self, p, value):
        if isinstance(value, jax.core.Tracer):
            raise TypeError(f"{self.function.__name__}: '{p.name}' has to be known when the code is compiled: name it in "
                            "static_argnames of jax.jit")
        return check_integer(self.function, p, int(value) if isinstance(value, jax.Array) else value)

    def sizes(self, arrays, numbers):
        by_name = dict(zip((p.name for p in self.s.inputs), arrays))
        sizes = {n: by_name[p.name].shape[axis - p.ndim] for n, (p, axis) in self.s.found.items()}
        sizes.update(zip((p.name for p in self.s.numbers), numbers))
        return sizes


class Mode:
    """One mode as a primitive of (inputs, cotangents or tangents), with integers and a batch as parameters."""

    WANTED = {"primal": ("output",), "vjp": ("gradient",), "jvp": ("output_tangent",),
              "hvp": ("output_tangent", "gradient", "gradient_tangent")}

    def __init__(self, layer, mode, wanted=None):
        self.layer, self.mode, self.s = layer, mode, layer.s
        self.slots = slots_of(layer.s, mode)
        self.given = [slot for slot in self.slots if slot.is_given and slot.kind != "size"]
        self.results = [slot for slot in self.slots if slot.kind in (wanted or self.WANTED[mode])]
        self.count = len(layer.s.inputs)
        self.active = [i for i, p in enumerate(layer.s.inputs) if p.is_active_input]
        self.primitive = Primitive(f"isozyme_{layer.s.attribute}_{mode}")
        self.primitive.multiple_results = True
        self.primitive.def_impl(lambda *arrays, **known: self.compiled(tuple(known.items()))(*arrays))
        self.primitive.def_abstract_eval(self.abstract)
        mlir.register_lowering(self.primitive, mlir.lower_fun(self.call, multiple_results=True))
        batching.primitive_batchers[self.primitive] = self.batched
        ad.primitive_jvps[self.primitive] = self.derivative
        if mode == "jvp":
            ad.primitive_transposes[self.primitive] = self.transposed
        self.tangent = Tangent(self) if mode in ("vjp", "jvp") and not wanted else None

    def bind(self, inputs, more, numbers, batch):
        return self.primitive.bind(*inputs, *more, numbers=tuple(numbers), batch=tuple(batch))

    @functools.cache
    def compiled(self, known):
        return jax.jit(functools.partial(self.primitive.bind, **dict(known)))

    def shapes(self, arrays, numbers, batch):
        sizes = self.layer.sizes(arrays[:self.count], numbers)
        return [(*batch, *(e.evaluate(sizes) for e in slot.of.extents or ())) for slot in self.results]

    def abstract(self, *arrays, numbers, batch):
        return [jax.core.ShapedArray(shape, slot.of.dtype)
                for slot, shape in zip(self.results, self.shapes(arrays, numbers, batch))]

    def call(self, *arrays, numbers, batch):
        sizes = self.layer.sizes(arrays[:self.count], numbers)
        plan, integers = [], iter(self.layer.function.integers(sizes))
        for slot in self.slots:
            if slot.kind == "size":
                plan += [INTEGER, next(integers), 0]
                continue
            size = slot.of.dtype.itemsize
            for e in slot.of.extents or ():
                size *= e.evaluate(sizes)
            if slot in self.given:
                plan += [ARGUMENT, self.given.index(slot), size]
            else:
                plan += [RESULT, self.results.index(slot), size] if slot in self.results else [ABSENT, 0, 0]
        results = [jax.ShapeDtypeStruct(shape, slot.of.dtype)
                   for slot, shape in zip(self.results, self.shapes(arrays, numbers, batch))]
        address = lambda f: numpy.int64(ctypes.cast(f, ctypes.c_void_p).value)
        call = jax.ffi.ffi_call(TARGET, results, input_output_aliases=self.in_place(arrays, results))
        return call(*arrays, entry=address(self.layer.function.entry(self.mode)),
                    message=address(self.layer.function._library.iz_message),
                    batch=numpy.int64(numpy.prod(batch, dtype=int)), plan=numpy.array(plan, numpy.int64))

    def in_place(self, arrays, results):
        """{argument: result} that share memory, where JAX may give the argument away (donate_argnums). Else it copies."""
        if self.mode != "primal":
            return {}
        places = {slot.of.name: i for i, slot in enumerate(self.given)}
        return {places[slot.of.name]: i for i, (slot, made) in enumerate(zip(self.results, results))
                if slot.of.role == "inout" and arrays[places[slot.of.name]].shape == made.shape}

    # Rules.

    def batched(self, arrays, dims, *, numbers, batch):
        moved, batch = to_front(self.given, arrays, dims, batch)
        return self.bind(moved, (), numbers, batch), [0] * len(self.results)

    def derivative(self, primals, tangents, *, numbers, batch):
        if self.mode == "primal" and self.layer.with_gradient:
            return self.layer.with_gradient.of_primal(primals, tangents, numbers, batch)
        values = self.bind(primals, (), numbers, batch)
        if not self.active or not self.s.active_outputs:
            return values, [zero_tangent(v) for v in values]
        full = [ad.instantiate_zeros(t) for t in tangents]
        inputs, more = list(primals[:self.count]), list(primals[self.count:])
        along = [full[i] for i in self.active]
        if self.mode == "primal":
            found = iter(self.layer.mode("jvp").bind(inputs, along, numbers, batch))
            return values, [next(found) if slot.of.is_float else zero_tangent(v)
                            for slot, v in zip(self.results, values)]
        if self.tangent is None:
            raise Error(f"'{self.layer.function.__name__}': JAX asks for third derivatives, which are not there")
        return values, self.tangent.bind(inputs, more, along, full[self.count:], numbers, batch)

    def transposed(self, cotangents, *arrays, numbers, batch):
        """Of jvp, by its tangents."""
        inputs, tangents = arrays[:self.count], arrays[self.count:]
        seeds = [ad.instantiate_zeros(c) for c in cotangents]
        gradients = self.layer.mode("vjp").bind(inputs, seeds, numbers, batch)
        return [None] * self.count + [summed(g, t, batch) for g, t in zip(gradients, tangents)]


class WithGradient(Mode):
    """The mode vjp with the outputs as results, too: the value of a function with one number as its result, and its
    gradient."""

    def __init__(self, layer):
        super().__init__(layer, "vjp", ("output", "gradient"))
        self.tangent = layer.modes["vjp"].tangent
        self.one = numpy.ones((), layer.s.active_outputs[0].dtype)

    def of_primal(self, inputs, tangents, numbers, batch):
        """Outputs of the primal, and their tangents."""
        made = self.bind(inputs, [self.one], numbers, batch)
        count = len(self.s.outputs)
        return made[:count], self.tangents_of_outputs(made, tangents, batch)

    def tangents_of_outputs(self, made, tangents, batch):
        count, along = len(self.s.outputs), jnp.zeros(batch, self.one.dtype)
        for i, gradient in zip(self.active, made[count:]):
            if type(tangents[i]) is not ad.Zero:
                shares = times(gradient, jnp.broadcast_to(tangents[i], gradient.shape))
                along += shares.sum(tuple(range(len(batch), shares.ndim)))
        return [along if slot.of.is_float else zero_tangent(v) for slot, v in zip(self.results[:count], made)]

    def derivative(self, primals, tangents, *, numbers, batch):
        made = self.bind(primals, (), numbers, batch)
        inputs, seeds = primals[:self.count], primals[self.count:]
        full = [ad.instantiate_zeros(t) for t in tangents]
        second = self.tangent.bind(inputs, seeds, [full[i] for i in self.active], full[self.count:], numbers, batch)
        return made, [*self.tangents_of_outputs(made, tangents, batch), *second]


def make_times():
    """The product of two arrays of one shape, in which zero is stronger than infinity: as compiled derivatives have it."""
    p = Primitive("isozyme_times")
    product = lambda a, b: jnp.where((a == 0) | (b == 0), jnp.zeros_like(a), a * b)
    p.def_impl(jax.jit(product))
    p.def_abstract_eval(lambda a, b: jax.core.ShapedArray(a.shape, a.dtype))
    mlir.register_lowering(p, mlir.lower_fun(product, multiple_results=False))
    ad.defbilinear(p, lambda seed, a, b: p.bind(seed, b), lambda seed, a, b: p.bind(a, seed))

    def batched(arrays, dims):
        size = next(a.shape[d] for a, d in zip(arrays, dims) if d is not None)
        front = [jnp.broadcast_to(a, (size, *a.shape)) if d is None else jnp.moveaxis(a, d, 0) for a, d in zip(arrays, dims)]
        return p.bind(*front), 0
    batching.primitive_batchers[p] = batched
    return p.bind


times = make_times()


class Tangent:
    """The derivative of vjp or jvp: linear in the tangents of the inputs, and in those of its seeds."""

    def __init__(self, mode):
        self.of, self.layer, self.s, self.count = mode, mode.layer, mode.s, mode.count
        self.given = mode.given + [mode.given[i] for i in mode.active] + mode.given[mode.count:]
        self.seeds = len(mode.given) - mode.count
        self.primitive = Primitive(f"isozyme_{mode.layer.s.attribute}_{mode.mode}_tangent")
        self.primitive.multiple_results = True
        self.primitive.def_impl(self.value)
        self.primitive.def_abstract_eval(
            lambda *arrays, numbers, batch: mode.abstract(*arrays[:len(mode.given)], numbers=numbers, batch=batch))
        mlir.register_lowering(self.primitive, mlir.lower_fun(self.value, multiple_results=True))
        batching.primitive_batchers[self.primitive] = self.batched
        ad.primitive_jvps[self.primitive] = self.derivative
        ad.primitive_transposes[self.primitive] = self.transposed

    def bind(self, inputs, seeds, along, seed_tangents, numbers, batch):
        return self.primitive.bind(*inputs, *seeds, *along, *seed_tangents, numbers=tuple(numbers), batch=tuple(batch))

    def parts(self, arrays):
        """(inputs, seeds, tangents of the active inputs, tangents of the seeds)"""
        a, b = self.count, self.count + self.seeds
        c = b + len(self.of.active)
        return arrays[:a], arrays[a:b], arrays[b:c], arrays[c:]

    def second(self, inputs, cotangents, tangents, more, numbers, batch):
        """(tangents of the results, gradients, tangents of the gradients) of hvp."""
        made = self.layer.mode("hvp").bind(inputs, [*cotangents, *tangents, *more], numbers, batch)
        a = len(self.s.active_outputs)
        b = a + len(self.of.active)
        return made[:a], made[a:b], made[b:]

    def value(self, *arrays, numbers, batch):
        inputs, seeds, along, more = self.parts(arrays)
        if self.of.mode == "jvp":
            raise Error(f"'{self.layer.function.__name__}': JAX asks for forward mode over forward mode, which is not there; "
                        "take reverse mode inside or outside, as in jax.hessian")
        return self.second(inputs, seeds, along, more, numbers, batch)[2]

    def batched(self, arrays, dims, *, numbers, batch):
        moved, batch = to_front(self.given, arrays, dims, batch)
        return self.primitive.bind(*moved, numbers=numbers, batch=batch), [0] * len(self.of.results)

    def derivative(self, primals, tangents, *, numbers, batch):
        raise Error(f"'{self.layer.function.__name__}': JAX asks for third derivatives, which are not there")

    def transposed(self, cotangents, *arrays, numbers, batch):
        inputs, seeds, along, more = self.parts(arrays)
        given = [ad.instantiate_zeros(c) for c in cotangents]
        zeros = lambda arrays: [jnp.zeros_like(a) for a in arrays]
        if self.of.mode == "vjp":
            of_seeds, _, of_inputs = self.second(inputs, seeds, given, zeros(seeds), numbers, batch)
        else:
            _, of_seeds, of_inputs = self.second(inputs, given, seeds, zeros(given), numbers, batch)
        wanted = lambda found, arrays: [summed(f, a, batch) for f, a in zip(found, arrays)]
        return [None] * (self.count + self.seeds) + wanted(of_inputs, along) + wanted(of_seeds, more)


def zero_tangent(value):
    return ad.Zero(jax.typeof(value).to_tangent_aval())


def summed(gradient, linear, batch):
    """For a linear argument: nothing if it is known; the sum over the batch if all calls have shared it."""
    if not ad.is_undefined_primal(linear):
        return None
    if gradient.ndim > linear.aval.ndim:
        return gradient.sum(tuple(range(len(batch))))
    return gradient


def to_front(slots, arrays, dims, batch):
    """The arrays with one dimension more in front of the batch, or without any; the new batch."""
    new = next(a.shape[d] for a, d in zip(arrays, dims) if d is not None)
    moved = []
    for slot, a, d in zip(slots, arrays, dims):
        if d is not None:
            a = jnp.moveaxis(a, d, 0)
            if a.ndim - 1 == slot.of.ndim and batch:
                a = jnp.broadcast_to(a.reshape(new, *(1 for _ in batch), *a.shape[1:]), (new, *batch, *a.shape[1:]))
        elif a.ndim > slot.of.ndim:
            a = jnp.broadcast_to(a, (new, *a.shape))
        moved.append(a)
    return moved, (new, *batch)
