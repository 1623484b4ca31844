# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures: what a function takes and gives, from a declaration of one line.

    double misfit(const double p[2], constant const double y[n][m], int n, int m)
    void step(inout double state[n], out double energy[1], int n, double dt)

A parameter begins with its role, if the type does not show it: 'in', 'out', 'inout' or 'constant'
(an input that is not differentiated by). A pointer to const is an input. The extents of an array
are numbers, names of sizes, or sums and products of them. What structures hold is in records.py.
"""
import ast
import keyword
import re
from dataclasses import dataclass, field

import numpy

from .errors import DeclarationError

DTYPES = {
    "double": "f8", "float": "f4", "bool": "?", "signed char": "i1", "unsigned char": "u1", "short": "i2",
    "unsigned short": "u2", "int": "i4", "unsigned": "u4", "unsigned int": "u4", "long": "i8", "unsigned long": "u8",
    "long long": "i8", "unsigned long long": "u8", "size_t": "u8", "ptrdiff_t": "i8", "int8_t": "i1", "uint8_t": "u1",
    "int16_t": "i2", "uint16_t": "u2", "int32_t": "i4", "uint32_t": "u4", "int64_t": "i8", "uint64_t": "u8",
}
ROLES = ("in", "out", "inout", "constant")

FUNCTION = re.compile(r"\s*(?P<type>[\w:\s]+?)\s+(?P<name>[A-Za-z_][\w:]*(?:<[^()]*>)?)\s*\((?P<parameters>.*)\)\s*;?\s*$",
                      re.S)
PARAMETER = re.compile(r"\s*(?:(?P<role>in|out|inout|constant)\b)?\s*(?P<type>[\w:\s<>,]+?)\s*(?P<star>[*&]?)\s*"
                       r"(?:\b(?:__restrict|__restrict__|restrict|const)\b\s*)?\b(?P<name>[A-Za-z_]\w*)\s*"
                       r"(?P<extents>(?:\[[^\]]*\]\s*)*)$", re.S)


@dataclass(frozen=True)
class Extent:
    """One extent of an array: its text, which is Python and C at once, and the sizes in it."""
    text: str
    names: frozenset

    @property
    def is_name(self):
        return self.text in self.names

    def evaluate(self, sizes):
        """Its number; sizes are any numbers by name."""
        if self.text in sizes:
            return sizes[self.text]
        return int(self.text) if self.text.isdecimal() else eval(self.text, {}, sizes)


@dataclass(frozen=True)
class Holder:
    """What the function's own parameter is, where it is no number or array of numbers."""
    name: str           # Of that parameter,
    ctype: str          # and its type without pointers.
    passed: str         # "value", "reference" or "address".
    field: str = None   # What the numbers are of it, where each field is a parameter; None: they are all of it.


@dataclass(eq=False)
class Parameter:
    name: str
    ctype: str  # Of one element.
    role: str   # "in", "out", "inout", "constant"; "size": found from the arrays; "number": an integer.
    extents: tuple = None  # None: passed by value.
    points_to_const: bool = False
    holder: Holder = None  # None: the parameter is this number, or the address of these.
    dtype: numpy.dtype = field(init=False)
    ndim: int = field(init=False)
    bounds: tuple = field(init=False)  # The least and the greatest value of an integer.
    python_name: str = field(init=False)

    def __post_init__(self):
        self.dtype = numpy.dtype(DTYPES[self.ctype.removeprefix("std::")])
        self.ndim = len(self.extents or ())
        self.python_name = self.name + "_" if keyword.iskeyword(self.name) else self.name
        kind = self.dtype.kind
        limits = numpy.iinfo(self.dtype) if kind in "iu" else None
        self.bounds = (limits.min, limits.max) if limits else (0, 1) if kind == "b" else None

    @property
    def is_array(self):
        return self.extents is not None

    @property
    def is_float(self):
        return self.dtype.kind == "f"

    @property
    def is_input(self):
        return self.role in ("in", "inout", "constant")

    @property
    def is_output(self):
        return self.role in ("out", "inout")

    @property
    def is_active_input(self):
        return self.role in ("in", "inout") and self.is_float

    @property
    def is_active_output(self):
        return self.is_output and self.is_float


    def describe(self):
        shape = "".join(f"[{e.text}]" for e in self.extents or ())
        return f"{self.ctype} {self.name}{shape}"


class Signature:
    """A function: its parameters in order, its result, and the sizes that its arrays have."""

    symbol = None           # Of a procedure of Fortran: its name for the linker, and
    by_value = frozenset()  # the parameters that are not passed by their address.

    def __init__(self, name, result, parameters, text):
        self.name, self.text, self.parameters = name, text, parameters
        self.result = None if result == "void" else Parameter("result", result, "out")
        self.result_ctype = result
        self._find_sizes()
        self.inputs = [p for p in parameters if p.is_input]
        self.numbers = [p for p in parameters if p.role == "number"]
        self.arguments = [p for p in parameters if p.is_input or p.role == "number"]
        self.outputs = ([self.result] if self.result else []) + [p for p in parameters if p.is_output]
        self.active_inputs = [p for p in parameters if p.is_active_input]
        self.active_outputs = [p for p in self.outputs if p.is_active_output]
        if not self.outputs:
            raise DeclarationError(f"'{text}' gives nothing: mark what it writes with 'out' or 'inout'")

    @property
    def identifier(self):
        return re.sub(r"\W+", "_", self.name)

    @property
    def attribute(self):
        """The name as an attribute of a module: without namespace and template arguments."""
        return re.sub(r"\W+", "_", re.sub(r"<.*>", "", self.name).split("::")[-1])

    @property
    def has_one_number(self):
        """Is all that can be differentiated one number, which has a gradient?"""
        return len(self.active_outputs) == 1 and not self.active_outputs[0].is_array

    def _find_sizes(self):
        by_name = {p.name: p for p in self.parameters}
        # Where a size is found: the first input with an extent that is this name alone.
        self.found = {}
        for p in self.parameters:
            for axis, extent in enumerate(p.extents or ()):
                for name in extent.names:
                    number = by_name.get(name)
                    if number and (number.is_array or number.is_float):
                        raise DeclarationError(f"'{self.text}': '{name}' is no integer, so it can be no extent")
                if p.is_input and extent.is_name and extent.text not in self.found:
                    self.found[extent.text] = (p, axis)
        for name in self.found:
            if name in by_name:
                by_name[name].role = "size"
        for p in self.parameters:
            for name in sorted(set().union(*(e.names for e in p.extents or ()))):
                if name not in self.found and name not in by_name:
                    raise DeclarationError(f"'{self.text}': nothing says how large '{name}' is, an extent of '{p.name}': "
                                           f"it is neither a parameter nor the whole extent of an input")


def parse_extent(text, where):
    text = text.strip()
    if not text:
        raise DeclarationError(f"{where}: an extent is empty: say how long the array is, as in 'x[n]'")
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        tree = None
    allowed = (ast.Expression, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Name, ast.Load, ast.Constant)
    if tree is None or any(not isinstance(node, allowed) or
                           isinstance(node, ast.Constant) and type(node.value) is not int for node in ast.walk(tree)):
        raise DeclarationError(f"{where}: the extent '{text}' is not understood: it may hold integers, names, + - and *")
    return Extent(text, frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)))


def type_words(text):
    """('const struct Vec3 ') -> (["struct", "Vec3"], True)"""
    words = text.split()
    return [w for w in words if w != "const"], "const" in words


def number_type(words):
    """The name of a type of numbers as DTYPES has it, or None."""
    words = [w for w in words if w != "struct"]
    if words[-1:] == ["int"] and words[:-1] and words[-2] in ("long", "short", "unsigned") and words != ["unsigned", "int"]:
        words = words[:-1]
    name = " ".join(words)
    return name if name.removeprefix("std::") in DTYPES else None


def not_understood(words, where):
    return DeclarationError(f"{where}: the type '{' '.join(words)}' is not understood; these are: {', '.join(DTYPES)}")


def parse_parameter(text, where, record_of):
    """The parameters in Python that a parameter is: one, or the fields of a structure."""
    match = PARAMETER.match(text)
    if not match:
        raise DeclarationError(f"{where}: the parameter '{text.strip()}' is not understood; write 'const double x[n]', "
                               "'out double y[n]', 'double s' or 'int n'")
    name, role = match["name"], match["role"]
    where = f"{where}, parameter '{name}'"
    words, const = type_words(match["type"])
    ctype, record = number_type(words), None
    if not ctype:
        if not record_of:
            raise not_understood(words, where)
        record = record_of(" ".join(words), where)
        ctype = record.element
    extents = tuple(parse_extent(e, where) for e in re.findall(r"\[([^\]]*)\]", match["extents"]))
    if match["star"] == "*" and not extents:
        raise DeclarationError(f"{where}: say how long the array is: '{name}[n]' for '*{name}'")
    if match["star"] and extents:
        raise DeclarationError(f"{where}: an array of pointers or references is not supported; write '{name}[n]' without "
                               f"'{match['star']}'")
    if match["star"] and not const:
        raise DeclarationError(f"{where}: a reference that is not const is not supported: write a function that takes the "
                               "address")
    passed = "address" if extents else "reference" if match["star"] else "value"
    if not extents and role in ("out", "inout"):
        raise DeclarationError(f"{where}: what is passed by value can be no output; write '{name}[1]'")
    if extents and role is None and not const:
        raise DeclarationError(f"{where}: it is not const, so say whether it is 'in', 'out', 'inout' or 'constant'")
    if const and role in ("out", "inout"):
        raise DeclarationError(f"{where}: it is const, so it can not be '{role}'")
    if record and not ctype:
        return fields_of(record, Holder(name, record.name, passed), role, extents, const, where)
    holder = Holder(name, record.name if record else ctype, passed) if record or passed == "reference" else None
    if record:
        extents = (*extents, known_extent(record.count))
        return [Parameter(name, ctype, role or "in", extents, const or passed == "value", holder)]
    if extents:
        return [Parameter(name, ctype, role or "in", extents, const)]
    return [Parameter(name, ctype, role or "in" if ctype in ("double", "float") else "number", holder=holder)]


def known_extent(count):
    return Extent(str(count), frozenset())


def fields_of(record, holder, role, extents, const, where):
    """The fields of a structure as parameters. The wrapper makes the structure of them."""
    if extents and (not const or [e.text for e in extents] != ["1"]):
        raise DeclarationError(f"{where}: '{record.name}' holds numbers of several types, so there can be one that is const, "
                               f"or passed by value, and no array of them; write a function that takes arrays")
    if not record.numbers or not all(n.is_public and n.path for n in record.numbers):
        raise DeclarationError(f"{where}: '{record.name}' has no members, or some that are private or in an array of "
                               "structures; write a function that takes arrays")
    found = []
    for number in record.numbers:
        name = f"{holder.name}_{number.path.replace('.', '_')}"
        of = Holder(holder.name, holder.ctype, holder.passed, number.path)
        if number.extents:
            found.append(Parameter(name, number.ctype, role or "in", tuple(map(known_extent, number.extents)), True, of))
        else:
            kind = role or "in" if number.ctype in ("double", "float") else "number"
            found.append(Parameter(name, number.ctype, kind, holder=of))
    return found


def parse_declaration(text, record_of=None):
    """The signature that a declaration says. record_of(type, where) is asked for the numbers of other types."""
    where = f"'{text.strip()}'"
    match = FUNCTION.match(text)
    if not match:
        raise DeclarationError(f"{where} is not understood as the declaration of a function; write one like "
                               "'double energy(const double x[n], int n)'")
    inside = match["parameters"].strip()
    parts = [] if inside in ("", "void") else re.split(r",(?![^<]*>)", inside)
    parameters = [p for part in parts for p in parse_parameter(part, where, record_of)]
    names = [p.name for p in parameters]
    for name in names:
        if names.count(name) > 1:
            raise DeclarationError(f"{where}: two parameters are called '{name}'")
    words = [w for w in match["type"].split() if w not in ("static", "extern", "inline", "constexpr")]
    result = "void" if words == ["void"] else number_type(type_words(" ".join(words))[0])
    if not result:
        raise not_understood(words, where)
    return Signature(match["name"], result, parameters, text.strip())
