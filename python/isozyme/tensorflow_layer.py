# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled function as one of TensorFlow.

One operator calls all entry points. Its gradient is registered once: that of the primal is a call of the mode vjp,
and that of vjp one of hvp. What has to be known for a call (shapes, sizes) is computed by tensors where the graph
does not know it yet. Eager calls with tensors alone go a shorter way: an operator for this one entry point, and what it
is given besides arrays is remembered by their shapes.
"""
import ctypes
import functools
from pathlib import Path

import numpy
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import context, core
from tensorflow.python.framework import ops

from . import cache
from .errors import Error
from .function import arguments_by_name, check_integer
from .wrappers import size_names, slots_of

ARGUMENT, RESULT, INTEGER, ABSENT = range(4)
MOST_KNOWN = 1000  # Shapes that are remembered.
MODES = {}  # All of the process, by number: a graph may outlive what it was made from, and its gradient needs the function.
MODES_BY_OPERATOR = {}  # Those that have an operator of their own.
PLAIN = tf.__internal__.EagerTensor


@functools.cache
def library():
    """The file with the operators: compiled against the headers of this TensorFlow."""
    text = Path(__file__).with_name("tensorflow_op.cpp").read_text()
    flags = ["-w", *tf.sysconfig.get_compile_flags(), *tf.sysconfig.get_link_flags()]
    return str(cache.compile_library(text, "c++", flags, "the operator for TensorFlow"))


@functools.cache
def operators():
    """isozyme_call and isozyme_refuse, loaded once in a process."""
    return tf.load_op_library(library())


@functools.cache
def namer():
    operators()
    name = ctypes.CDLL(library()).isozyme_name
    name.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int64, ctypes.c_int64]
    name.restype = None
    return name


@functools.cache
def definer():
    operators()
    define = ctypes.CDLL(library()).isozyme_define
    numbers, texts = ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_char_p)
    define.argtypes = [ctypes.c_void_p, ctypes.c_void_p, numbers, numbers, texts, ctypes.c_int64]
    define.restype = ctypes.c_int64
    return define


class Layer:
    def __init__(self, function):
        self.function, self.s = function, function.signature
        self.kinds = [tf.as_dtype(p.dtype) for p in self.s.inputs]
        self.rows, self.known = {}, {}
        differentiable = self.s.active_inputs and self.s.active_outputs
        self.modes = {mode: Mode(self, mode) for mode in ("primal", "vjp", "hvp")
                      if mode == "primal" or mode in function._entries and differentiable}
        self.call = compile_call(self)

    def mode(self, name):
        self.function.entry(name)  # An error, if it was not compiled.
        return self.modes[name]

    def __call__(self, *arguments, **named):
        return self.call(*arguments, **named)

    def call_any(self, *arguments, **named):
        values = arguments_by_name(self.function, arguments, named)
        arrays = [self.array(p, kind, values[p.python_name]) for p, kind in zip(self.s.inputs, self.kinds)]
        numbers = [self.number(p, values[p.python_name]) for p in self.s.numbers]
        primal = self.modes["primal"]
        results = primal.invoke(arrays, *primal.rows(self.integers(self.ranked(arrays), numbers)))
        return results[0] if len(results) == 1 else tuple(results)

    def rows_by_key(self, arguments, key):
        """The rows for eager tensors and Python's integers, of whose shapes and values `key` consists."""
        arrays = self.ranked([value for value in arguments if type(value) is PLAIN])
        integers = self.integers(arrays, [self.number(p, n) for p, n in zip(self.s.numbers, key[len(arrays):])])
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        rows = self.known[key] = self.modes["primal"].rows(integers)
        return rows

    # Arguments.

    def array(self, p, wanted, value):
        is_plain = isinstance(value, tf.Tensor)
        if is_plain and value.dtype is wanted:
            return value
        where = f"{self.function.__name__}: '{p.name}'"
        if not p.is_array and isinstance(value, (int, float)) and not isinstance(value, bool):
            return tf.constant(value, wanted)
        if not (is_plain or tf.is_tensor(value) or isinstance(value, (numpy.ndarray, numpy.generic))):
            raise TypeError(f"{where} is of type {type(value).__name__}, and has to be a tensor as the others are")
        if not is_plain and isinstance(value, (tf.SparseTensor, tf.RaggedTensor, tf.IndexedSlices)):
            raise TypeError(f"{where} is a {type(value).__name__}, and has to be dense")
        if value.dtype != wanted and tf.as_dtype(value.dtype) != wanted:
            raise TypeError(f"{where} holds {tf.as_dtype(value.dtype).name}, and '{p.describe()}' holds {wanted.name}: "
                            f"pass tf.cast({p.name}, tf.{wanted.name})")
        return tf.convert_to_tensor(value)

    def ranked(self, arrays):
        """The arrays, with as many dimensions as the function wants; an error, if they have others."""
        result = []
        for p, array in zip(self.s.inputs, arrays):
            rank = array.shape.rank
            if rank is None:
                array = tf.ensure_shape(array, [None] * p.ndim)
            elif rank != p.ndim:
                raise ValueError(f"{self.function.__name__}: '{p.name}' has {rank} dimension(s), the shape "
                                 f"{tuple(array.shape)}, and '{p.describe()}' has {p.ndim}")
            result.append(array)
        return result

    def number(self, p, value):
        if tf.is_tensor(value):
            if not value.dtype.is_integer and not (value.dtype.is_bool and p.dtype.kind == "b"):
                raise TypeError(f"{self.function.__name__}: '{p.name}' holds {value.dtype.name}, and has to be an integer")
            return tf.reshape(tf.cast(value, tf.int64), [])
        return check_integer(self.function, p, value)

    def integers(self, arrays, numbers):
        """The sizes and the other integers by name: numbers where they are known, else tensors."""
        by_name = dict(zip((p.name for p in self.s.inputs), arrays))
        found = {}
        for name, (p, axis) in self.s.found.items():
            array = by_name[p.name]
            known = array.shape[axis]
            found[name] = tf.shape(array, tf.int64)[axis] if known is None else known
        found.update(zip((p.name for p in self.s.numbers), numbers))
        return found

    def row(self, values):
        """A tensor of integers. Eager code asks for the same again and again."""
        if not tf.executing_eagerly() or not all(isinstance(v, int) for v in values):
            return tf.convert_to_tensor(values, tf.int64)
        if len(self.rows) > MOST_KNOWN:
            self.rows.clear()
        key = tuple(values)
        if key not in self.rows:
            self.rows[key] = tf.constant(values, tf.int64)
        return self.rows[key]


def compile_call(layer):
    """What is called with TensorFlow's arguments. Written out, for eager code calls it again and again.

    Eager tensors of the right types and Python's integers need no look, and their shapes and values tell the rest. They
    go to TensorFlow as what it generates for its own operators does it.
    """
    s, primal = layer.s, layer.modes["primal"]
    names = {"PLAIN": PLAIN, "context": context, "execute": pywrap_tfe.TFE_Py_FastPathExecute, "primal": primal,
             "known": layer.known, "rows_by_key": layer.rows_by_key, "call_any": layer.call_any, "core": core,
             "raise_from_not_ok_status": ops.raise_from_not_ok_status}
    usual, shapes, arrays, numbers = [], [], [], []
    for i, p in enumerate(s.arguments):
        if p in s.numbers:
            usual.append(f"type(a{i}) is int")
            numbers.append(f"a{i}, ")
        else:
            names[f"d{i}"] = tf.as_dtype(p.dtype)
            usual.append(f"type(a{i}) is PLAIN and a{i}.dtype is d{i}")
            shapes.append(f"a{i}._shape_tuple(), ")
            arrays.append(f"a{i}, ")
    code = f"""
def {s.attribute}(*arguments, **named):
  if len(arguments) == {len(usual)} and not named and context.context()._thread_local_data.is_eager:
    ({''.join(f'a{i}, ' for i in range(len(usual)))}) = arguments
    if {' and '.join(usual) or True}:
      key = ({''.join(shapes + numbers)})
      rows = known.get(key) or rows_by_key(arguments, key)
      try:
        results = execute(context.context(), primal.operator, None, {''.join(arrays)}*rows)
        return {'results' if len(primal.results) == 1 else 'tuple(results)'}
      except core._NotOkStatusException as problem:
        raise_from_not_ok_status(problem, None)
      except core._FallbackException:
        pass
  return call_any(*arguments, **named)
"""
    exec(compile(code, f"<calls of {s.text}>", "exec"), names)
    return names[s.attribute]


class Mode:
    """One mode: what the operator is given for it, and its gradient."""

    def __init__(self, layer, mode):
        self.layer, self.mode, self.s = layer, mode, layer.s
        self.slots = slots_of(layer.s, mode)
        self.given = [slot for slot in self.slots if slot.is_given and slot.kind != "size"]
        # Outputs of the primal are wanted from the primal alone.
        self.results = [slot for slot in self.slots
                        if not slot.is_given and (slot.kind != "output" or mode == "primal")]
        self.names = size_names(layer.s)
        self.extents = [e for slot in self.given + self.results for e in slot.of.extents or ()]
        self.result_types = [tf.as_dtype(slot.of.dtype) for slot in self.results]
        self.number = self.define()

    def define(self):
        """Tells the operator what it has to know, for all calls. Gives the number of this mode."""
        plan, count = [], 0
        for slot in self.slots:
            if slot.kind == "size":
                plan += [INTEGER, count]
                count += 1
            elif slot in self.given:
                plan += [ARGUMENT, self.given.index(slot)]
            else:
                plan += [RESULT, self.results.index(slot)] if slot in self.results else [ABSENT, 0]
        bounds_of = {p.name: p.bounds for p in self.s.parameters if p.role in ("size", "number")}
        bounds = [min(bound, 2**63 - 1) for name in self.names for bound in bounds_of.get(name, (0, 2**63 - 1))]
        ranks = [slot.of.ndim for slot in self.given + self.results]
        function = self.layer.function
        texts = [f"{function.__name__}: '{slot.name}' ('{slot.of.describe()}')" for slot in self.given]
        texts = [text.encode() for text in texts + [f"{function.__name__}: '{n}'" for n in self.names]]
        numbers = lambda given: (ctypes.c_int64 * len(given))(*given)
        address = lambda f: ctypes.cast(f, ctypes.c_void_p)
        number = definer()(address(function.entry(self.mode)), address(function._library.iz_message),
                           numbers(plan + bounds + ranks), numbers([len(plan), len(bounds), len(ranks)]),
                           (ctypes.c_char_p * len(texts))(*texts), len(texts))
        MODES[number] = self
        return number

    @functools.cached_property
    def operator(self):
        """The name of the operator for this mode alone."""
        name = f"Isozyme{self.mode.capitalize()}{self.number}"
        types = [tf.as_dtype(slot.of.dtype).name for slot in self.given + self.results]
        namer()(name.encode(), self.number, (ctypes.c_char_p * len(types))(*(t.encode() for t in types)),
                len(self.given), len(self.results))
        MODES_BY_OPERATOR[name] = self
        tf.RegisterGradient(name)(gradient_of_call)
        return name

    def call(self, arrays, integers):
        return self.invoke(arrays, *self.rows(integers))

    def invoke(self, arrays, ordered, extents):
        return operators().isozyme_call(arrays=arrays, integers=ordered, extents=extents, entry=self.number,
                                        result_types=self.result_types)

    def rows(self, integers):
        """What the operator is given besides arrays."""
        return self.ordered(integers), self.extents_of(integers)

    def ordered(self, integers):
        # An unsigned number above the greatest signed one has its bits.
        values = [integers[name] for name in self.names]
        return self.layer.row([v - 2**64 if isinstance(v, int) and v >= 2**63 else v for v in values])

    def extents_of(self, integers):
        return self.layer.row([e.evaluate(integers) for e in self.extents])

    def gradient(self, given, integers, seeds):
        """By each of what was given: a tensor or None."""
        s, count = self.s, len(self.s.inputs)
        inputs, rest = given[:count], given[count:]
        result = [None] * len(given)
        active = [i for i, p in enumerate(s.inputs) if p.is_active_input]
        if not active or not s.active_outputs:
            return result
        if self.mode == "primal":
            seeds = [seed for seed, slot in zip(seeds, self.results) if slot.of.is_float]
            made = self.layer.mode("vjp").call([*inputs, *seeds], integers)
            by_inputs, by_cotangents = made, []
        elif self.mode == "vjp":
            zeros = [tf.zeros_like(c) for c in rest]
            made = self.layer.mode("hvp").call([*inputs, *rest, *seeds, *zeros], integers)
            by_cotangents, by_inputs = made[:len(rest)], made[len(rest) + len(active):]
        else:
            return self.gradient_of_second(given, active, integers, seeds)
        for i, found in zip(active, by_inputs):
            result[i] = found
        result[count:] = by_cotangents or [None] * len(rest)
        return result

    def gradient_of_second(self, given, active, integers, seeds):
        """That of hvp. By what hvp is linear in, it is a call of hvp again; TensorFlow's forward mode needs that.

        By all else it would be a third derivative: an error, in a graph only if the result is used.
        """
        outputs, count = len(self.s.active_outputs), len(self.s.inputs)
        inputs, cotangents = given[:count], given[count:count + outputs]
        along, _, second = seeds[:outputs], seeds[outputs:-len(active)], seeds[-len(active):]
        made = self.call([*inputs, *cotangents, *second, *along], integers)
        text = f"'{self.layer.function.__name__}': TensorFlow asks for third derivatives, which are not there"
        if tf.executing_eagerly():
            raise Error(text)
        refused = [operators().isozyme_refuse(like=g, text=text) if i in active or i >= count else None
                   for i, g in enumerate(given[:count + outputs])]
        return refused + made[-len(active):] + made[:outputs]


@tf.RegisterGradient("IsozymeCall")
def gradient_of_call(op, *seeds):
    mode = MODES_BY_OPERATOR.get(op.type) or MODES[op.get_attr("entry")]
    layer, count = mode.layer, len(mode.given)
    given, ordered, numbers = list(op.inputs[:count]), op.inputs[count], []
    if layer.s.numbers:
        known = tf.get_static_value(ordered)
        numbers = [ordered[i] if known is None else int(known[i]) for i in range(len(layer.s.found), len(mode.names))]
    seeds = [tf.zeros_like(result) if seed is None else seed for seed, result in zip(seeds, op.outputs)]
    gradients = mode.gradient(given, layer.integers(given, numbers), seeds)
    return gradients + [None] * (len(op.inputs) - count)
