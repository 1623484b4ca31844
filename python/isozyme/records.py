# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structures and complex numbers as parameters: which numbers they hold, from the source's debug information.

A record that holds numbers of one type and nothing else is an array of them, with one extent more:

    struct Vec3 { double x, y, z; };     const Vec3 p[n]            as  const double p[n][3]
                                         std::complex<double> z     as  const double z[2]

Any other is its fields, each a parameter of its own:

    struct Spring { double k; int turns; };     Spring s            as  double s_k, int s_turns
"""
import re
from dataclasses import dataclass

from . import cache, toolchain
from .errors import CompileError, DeclarationError

NODE = re.compile(r"^!(\d+) = (?:distinct )?(?:!(DI\w+)\((.*)\)|!\{(.*)\})$", re.M)
VALUE = re.compile(r'(\w+): (?:"((?:[^"\\]|\\.)*)"|!(\d+)|([^,]+))')
PROBE = "iz_probe"
KINDS = {("DW_ATE_float", 64): "double", ("DW_ATE_float", 32): "float", ("DW_ATE_boolean", 8): "bool"}
INTEGERS = {"DW_ATE_signed": "int{}_t", "DW_ATE_signed_char": "int{}_t", "DW_ATE_unsigned": "uint{}_t",
            "DW_ATE_unsigned_char": "uint{}_t"}


@dataclass(frozen=True)
class Number:
    """Numbers in a record: how C reaches them, their type, and the extents of an array."""
    path: str
    ctype: str
    extents: tuple = ()
    is_public: bool = True

    @property
    def count(self):
        count = 1
        for n in self.extents:
            count *= n
        return count


@dataclass(frozen=True)
class Record:
    """What a type holds, and its size in bytes."""
    name: str
    numbers: tuple
    size: int

    @property
    def element(self):
        """The type of all its numbers, if there is nothing else between them; else None."""
        kinds = {n.ctype for n in self.numbers}
        bytes_of = {"double": 8, "float": 4, "bool": 1}
        kind = kinds.pop() if len(kinds) == 1 else None
        size = bytes_of.get(kind) or (int(re.sub(r"\D", "", kind)) // 8 if kind else 0)
        return kind if kind and self.count * size == self.size else None

    @property
    def count(self):
        return sum(n.count for n in self.numbers)


class Reader:
    """The nodes of debug information, from LLVM's text."""

    def __init__(self, text, where):
        self.where, self.nodes, self.lists = where, {}, {}
        for number, kind, inside, members in NODE.findall(text):
            if kind:
                self.nodes[number] = (kind, inside)
            else:
                self.lists[number] = re.findall(r"!(\d+)", members)

    def values(self, number):
        kind, inside = self.nodes[number]
        found = {key: text or reference or word.strip() for key, text, reference, word in VALUE.findall(inside)}
        return {"kind": kind, **found}

    def refuse(self, what):
        raise DeclarationError(f"{self.where}: {what}; write a function that takes arrays around it")

    def record(self, name):
        variable = next(n for n, (kind, inside) in self.nodes.items()
                        if kind == "DIGlobalVariable" and f'name: "{PROBE}"' in inside)
        node = self.plain(self.values(self.values(variable)["type"])["baseType"])
        return Record(name, tuple(self.numbers(node, "", True)), int(self.values(node).get("size", 0)) // 8)

    def plain(self, number):
        """Without names and qualifiers."""
        v = self.values(number)
        while v.get("tag") in ("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type"):
            number = v["baseType"]
            v = self.values(number)
        return number

    def numbers(self, number, path, public):
        number = self.plain(number)
        v = self.values(number)
        if v["kind"] == "DIBasicType":
            return [self.basic(v, path, public)]
        if v.get("tag") == "DW_TAG_array_type":
            return self.array(v, path, public)
        if v.get("tag") not in ("DW_TAG_structure_type", "DW_TAG_class_type"):
            what = {"DW_TAG_pointer_type": "a pointer", "DW_TAG_reference_type": "a reference", "DW_TAG_union_type": "a union",
                    "DW_TAG_enumeration_type": "an enumeration"}.get(v.get("tag"), "no number")
            self.refuse(f"its member '{path}' is {what}" if path else f"it is {what}, or holds one")
        found, is_class = [], v["tag"] == "DW_TAG_class_type"
        for member in self.lists.get(v.get("elements"), []):
            m = self.values(member)
            flags = m.get("flags", "")
            if m["kind"] != "DIDerivedType" or m["tag"] not in ("DW_TAG_member", "DW_TAG_inheritance") or "Static" in flags:
                continue
            if "BitField" in flags:
                self.refuse(f"its member '{m['name']}' is a bit field")
            if m["tag"] == "DW_TAG_inheritance":
                found += self.numbers(m["baseType"], path, public)
                continue
            seen = public and "Private" not in flags and "Protected" not in flags and (not is_class or "Public" in flags)
            name = m.get("name", "")  # A union within may have none.
            found += self.numbers(m["baseType"], f"{path}.{name}" if path else name, seen)
        return found

    def basic(self, v, path, public):
        encoding, size = v.get("encoding"), int(v.get("size", 0))
        if encoding == "DW_ATE_complex_float" and size in (64, 128):
            return Number(path, "double" if size == 128 else "float", (2,), public)
        kind = KINDS.get((encoding, size)) or INTEGERS.get(encoding, "").format(size)
        if not kind:
            self.refuse(f"it holds a number of the type '{v.get('name')}'")
        return Number(path, kind, (), public)

    def array(self, v, path, public):
        counts = tuple(int(self.values(n)["count"]) for n in self.lists[v["elements"]])
        inside = self.numbers(v["baseType"], path, public)
        if len(inside) == 1:
            return [Number(path, inside[0].ctype, counts + inside[0].extents, public)]
        # Records in an array have no names of their own.
        total = Number(path, "", counts).count
        return [Number("", n.ctype, n.extents, False) for n in inside] * total


def record_of(source, language, flags, name, where):
    """The record of the type `name`, as the source knows it."""
    text = f'#include "{source}"\n{name} *{PROBE};\nunsigned long iz_size = sizeof({name});\n'
    command = [toolchain.clang(), "-S", "-emit-llvm", "-g", "-fstandalone-debug", "-O0", "-Xclang", "-disable-llvm-passes",
               f"-I{toolchain.installation() / 'include'}", *flags, "-MD", "-MF", cache.RULE, "-MT", "record", "-w",
               cache.SOURCE, "-o", "-"]
    try:
        output = cache.cached(text, language, f"the type {name}", [command], "ll")[0].read_text()
    except CompileError as problem:
        raise DeclarationError(f"{where}: the type '{name}' is not understood: clang says\n{problem}") from None
    return Reader(output, f"{where}, of the type '{name}'").record(name)
