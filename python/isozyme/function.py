# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled function, called with NumPy arrays."""
import ctypes
import re

import numpy

from .errors import Error, NativeError
from .wrappers import NO_MEMORY, THROWN, size_names, slots_of

INTEGERS = (int, numpy.integer)


class Foreign(Exception):
    """An argument belongs to another framework, whose name this is."""


def framework_of(value):
    """'torch', 'jax', 'tensorflow', or None."""
    root = type(value).__module__.split(".")[0]
    return {"torch": "torch", "jax": "jax", "jaxlib": "jax", "tensorflow": "tensorflow"}.get(root)


def address(array):
    return array.__array_interface__["data"][0]


def fast_address(array, _at=ctypes.c_void_p.from_address, _behind=object.__basicsize__):
    """The same six times as fast: NumPy's C interface promises that the address stands behind Python's header."""
    return _at(id(array) + _behind).value or 0


if any(fast_address(a) != address(a) for a in (numpy.zeros(3), numpy.zeros((4, 5))[1:, 2:])):
    fast_address = address


class Function:
    """A function with derivatives. Call it with arrays; see isozyme.grad and its relatives for derivatives."""

    autograph_info__ = {}  # Tells tf.function to call this code, not to translate it.

    def __init__(self, signature, entries, library, origin):
        self.signature = signature
        self.origin = origin  # (path of the source, flags)
        self.__name__ = signature.attribute
        self.__doc__ = signature.text
        self._entries = entries
        self._library = library
        self._layers = {}
        self._layers_by_type = {}  # By what the first argument of a call was.
        self.bind = compile_bind(self)
        self._runs = {}
        self._numbers = {p.name: p for p in signature.parameters if p.role in ("size", "number")}

    def __repr__(self):
        return f"<isozyme function {self.signature.text}>"

    def __call__(self, *arguments, **named):
        layer = arguments and self._layers_by_type.get(type(arguments[0]))
        if layer:
            return layer(*arguments, **named)
        try:
            return self.run("primal", self.bind(*arguments, **named))[0]
        except Foreign as found:
            framework = str(found)
        layer = self.layer(framework)
        if arguments and framework_of(arguments[0]) == framework:
            self._layers_by_type[type(arguments[0])] = layer
        return layer(*arguments, **named)

    @property
    def torch(self):
        """The function as PyTorch's, which does not look at what it is called with. Its `op` is the custom operator."""
        return self.layer("torch")

    @property
    def jax(self):
        """The function as JAX's. It is what to call with NumPy's arrays and numbers alone, inside of jit and grad, too."""
        return self.layer("jax")

    @property
    def tensorflow(self):
        """The function as TensorFlow's, which does not look at what it is called with."""
        return self.layer("tensorflow")

    def layer(self, framework):
        """The function as one of PyTorch, JAX or TensorFlow. Its import is what needs the framework."""
        if framework not in self._layers:
            import importlib
            self._layers[framework] = importlib.import_module(f".{framework}_layer", __package__).Layer(self)
        return self._layers[framework]

    # The way into compiled code. Other frameworks use it, too.

    def entry(self, mode):
        if mode not in self._entries:
            needed = "split" if mode in ("augment", "reverse") else mode
            raise Error(f"'{self.__name__}' was loaded without '{needed}': add it to load(..., modes=[...])")
        return self._entries[mode]

    def invoke(self, mode, slots, batch=1, strides=None):
        """Calls an entry point with a list of integers: addresses, and the values of sizes."""
        block = (ctypes.c_int64 * len(slots))(*slots)
        moved = (ctypes.c_int64 * len(slots))(*strides) if strides else None
        status = self.entry(mode)(batch, block, moved)
        if status:
            self.fail(status)

    def fail(self, status):
        if status == NO_MEMORY:
            raise MemoryError(f"'{self.__name__}' has no memory for its derivatives")
        if status == THROWN:
            raise NativeError(self._library.iz_message().decode(errors="replace"))
        raise Error(f"'{self.__name__}' ended with status {status}")

    # NumPy.

    def run(self, mode, bound, given=()):
        """Calls a mode with bound arguments, and addresses (or 0) of the cotangents or tangents that follow.

        Returns (outputs, [results]): what the function gives, and what the mode adds to it.
        """
        try:
            call = self._runs[mode]
        except KeyError:
            call = self._runs[mode] = compile_run(self, mode)
        return call(bound, given)

    def integers(self, sizes):
        """The values of integers by name, in the order of their slots; each fits into its type."""
        return [check_integer(self, self._numbers[name], sizes[name]) if name in self._numbers else sizes[name]
                for name in size_names(self.signature)]

    def shape_of(self, p, sizes):
        names = dict(zip(size_names(self.signature), sizes))
        return tuple(e.evaluate(names) for e in p.extents or ())


# Arguments: what is usual is checked by a few comparisons, everything else in words.

def check_array(function, p, value):
    """The value as an array that can be passed, or an exception that says what is wrong."""
    where = f"{function.__name__}: '{p.name}'"
    if value is None:
        raise TypeError(f"{where} is None, and has to be an array of {p.dtype} with {p.ndim} dimension(s)")
    framework = framework_of(value)
    if framework:
        raise Foreign(framework)
    if isinstance(value, (list, tuple)):
        try:
            value = numpy.array(value, p.dtype)
        except (TypeError, ValueError) as problem:
            raise type(problem)(f"{where}: {problem}") from None
    if not isinstance(value, numpy.ndarray):
        raise TypeError(f"{where} is of type {type(value).__name__}, and has to be an array of {p.dtype}")
    if value.dtype != p.dtype:
        raise TypeError(f"{where} holds {value.dtype}, and '{p.describe()}' holds {p.dtype}: "
                        f"pass {p.name}.astype('{p.dtype}')")
    if value.ndim != p.ndim:
        raise ValueError(f"{where} has {value.ndim} dimension(s), the shape {value.shape}, and '{p.describe()}' has {p.ndim}")
    if not value.flags.c_contiguous or not value.flags.aligned:
        raise ValueError(f"{where} is not contiguous (in the order of C) and aligned: pass numpy.ascontiguousarray({p.name})")
    return value


def arguments_by_name(function, arguments, named):
    """What a call of a framework's function gives, by the parameters' names in Python; each is given once."""
    name, known = function.__name__, [p.python_name for p in function.signature.arguments]
    if len(arguments) > len(known):
        raise TypeError(f"{name}() takes {len(known)} positional arguments but {len(arguments)} were given")
    values = dict(zip(known, arguments))
    for key, value in named.items():
        if key in values or key not in known:
            raise TypeError(f"{name}() got an unexpected argument '{key}', or got it twice")
        values[key] = value
    missing = [repr(key) for key in known if key not in values]
    if missing:
        raise TypeError(f"{name}() missing {len(missing)} required positional argument{'s' * (len(missing) > 1)}: "
                        f"{', '.join(missing)}")
    return values


def check_scalar(function, p, value):
    where = f"{function.__name__}: '{p.name}'"
    framework = framework_of(value)
    if framework:
        raise Foreign(framework)
    if isinstance(value, numpy.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, numpy.bool_)) or not isinstance(value, (int, float, numpy.integer, numpy.floating)):
        shown = "None" if value is None else f"of type {type(value).__name__}"
        raise TypeError(f"{where} is {shown}, and has to be a number")
    return float(value)


def check_integer(function, p, value):
    where = f"{function.__name__}: '{p.name}'"
    if not isinstance(value, INTEGERS) and not (p.dtype.kind == "b" and isinstance(value, numpy.bool_)):
        shown = "None" if value is None else f"of type {type(value).__name__}"
        raise TypeError(f"{where} is {shown}, and has to be an integer")
    value = int(value)
    low, high = p.bounds
    if not low <= value <= high:
        raise OverflowError(f"{where} is {value}, which does not fit into '{p.describe()}'")
    return value - 2**64 if value >= 2**63 else value


def shape_error(function, p, shape, sizes):
    wanted = function.shape_of(p, sizes)
    sizes = dict(zip(size_names(function.signature), sizes))
    found = ", ".join(f"{n} = {sizes[n]}" for n in sorted(set().union(*(e.names for e in p.extents))))
    return ValueError(f"{function.__name__}: '{p.name}' has the shape {tuple(shape)}, and '{p.describe()}' has "
                      f"{wanted}{f' with {found}' if found else ''}")


def size_error(function, p, shape):
    return ValueError(f"{function.__name__}: the shape of '{p.name}' ('{p.describe()}') would be {shape}: "
                      "an extent is negative or too large")


def compile_bind(function):
    """A function from Python's arguments to (slots, sizes, what has to live on). Written out, for it runs at each call."""
    s = function.signature
    lines, arrays = [], [p for p in s.inputs if p.is_array]
    names = {"address": fast_address, "ndarray": numpy.ndarray, "function": function, "check_array": check_array, "Real": ctypes.c_double,
             "Single": ctypes.c_float, "addressof": ctypes.addressof, "check_scalar": check_scalar,
             "check_integer": check_integer, "shape_error": shape_error, "size_error": size_error, "math_prod": _product}
    for p in s.arguments:
        a = f"a_{p.name}"
        names[f"p_{p.name}"], names[f"d_{p.name}"] = p, p.dtype
        lines.append(f"{a} = {p.python_name}")
        if p.is_array:
            lines += [f"if not (type({a}) is ndarray and {a}.dtype is d_{p.name} and {a}.ndim == {p.ndim} "
                      f"and {a}.flags.carray):",
                      f"  {a} = check_array(function, p_{p.name}, {a})"]
        elif p.role == "number":
            lines += [f"s_{p.name} = check_integer(function, p_{p.name}, {a})"]
        else:
            holder = "Real" if p.dtype.itemsize == 8 else "Single"
            lines += [f"if type({a}) is not float: {a} = check_scalar(function, p_{p.name}, {a})", f"{a} = {holder}({a})"]
    for name, (p, axis) in s.found.items():
        lines.append(f"s_{name} = a_{p.name}.shape[{axis}]")
    for name in s.found:
        number = next((p for p in s.parameters if p.name == name), None)
        if number:
            names[f"p_{name}"] = number
            top = numpy.iinfo(number.dtype).max
            if top < 2**62:
                lines.append(f"if s_{name} > {top}: check_integer(function, p_{name}, s_{name})")
    sizes = size_names(s)
    lines.append(f"sizes = ({''.join(f's_{n}, ' for n in sizes)})")
    for p in arrays:
        shape = ", ".join(rename(e) for e in p.extents)
        if any(not (e.is_name and s.found.get(e.text) == (p, i)) for i, e in enumerate(p.extents)):
            lines.append(f"if a_{p.name}.shape != ({shape},): raise shape_error(function, p_{p.name}, a_{p.name}.shape, sizes)")
    for p in s.parameters:
        if p.role == "out" and any(not e.is_name or e.text not in s.found for e in p.extents):
            names[f"p_{p.name}"] = p
            shape = "(" + "".join(f"{rename(e)}, " for e in p.extents) + ")"
            lines.append(f"if min({shape}) < 0 or math_prod({shape}) > {2**48}: "
                         f"raise size_error(function, p_{p.name}, {shape})")
    place = lambda p: f"address(a_{p.name})" if p.is_array else f"addressof(a_{p.name})"
    slots = [place(p) for p in s.inputs] + [f"s_{n}" for n in sizes]
    kept = ", ".join(f"a_{p.name}" for p in s.inputs)
    lines.append(f"return [{', '.join(slots)}], sizes, ({kept}{',' if s.inputs else ''})")
    header = f"def {function.__name__}({', '.join(p.python_name for p in s.arguments)}):\n  "
    exec(compile(header + "\n  ".join(lines), f"<arguments of {s.text}>", "exec"), names)
    return names[function.__name__]


def compile_run(function, mode):
    """A function that makes what a mode returns, calls it, and returns it: written out like the above."""
    s, entry = function.signature, function.entry(mode)
    results = [slot for slot in slots_of(s, mode) if not slot.is_given]
    names = {"address": fast_address, "empty": numpy.empty, "addressof": ctypes.addressof, "entry": entry,
             "Block": ctypes.c_int64 * len(slots_of(s, mode)), "fail": function.fail}
    lines = [f"slots, ({''.join(f's_{n}, ' for n in size_names(s))}), keep = bound"]
    places, values = [], {True: [], False: []}
    for slot in results:
        p, name = slot.of, slot.name
        if p.is_array:
            names[f"d_{name}"] = p.dtype
            shape = "".join(f"{rename(e)}, " for e in p.extents)
            lines.append(f"{name} = empty(({shape}), d_{name})")
            places.append(f"address({name})")
        else:
            names[f"d_{name}"] = numpy.ctypeslib.as_ctypes_type(p.dtype)
            lines.append(f"{name} = d_{name}()")
            places.append(f"addressof({name})")
        values[slot.kind == "output"].append(name if p.is_array else f"{name}.value")
    outputs = values[True][0] if len(values[True]) == 1 else f"({', '.join(values[True])})"
    lines += [f"status = entry(1, Block(*slots, *given, {', '.join(places)}), None)",
              "if status: fail(status)",
              f"return {outputs}, [{', '.join(values[False])}]"]
    exec(compile("def run(bound, given):\n  " + "\n  ".join(lines), f"<{mode} of {s.text}>", "exec"), names)
    return names["run"]


def rename(extent):
    return re.sub(r"[A-Za-z_]\w*", lambda m: f"s_{m[0]}", extent.text)


def _product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result

