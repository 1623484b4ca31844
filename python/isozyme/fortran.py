# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Procedures of Fortran: what flang knows of their arguments, and how C++ calls them.

Memory stays as it is, so extents turn around: what is a(n, m) in Fortran is a[m][n] in C and in Python.
"""
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from . import cache, toolchain
from .declaration import parse_declaration
from .errors import DeclarationError

TYPES = {"REAL(8)": "double", "REAL(4)": "float", "INTEGER(1)": "int8_t", "INTEGER(2)": "int16_t", "INTEGER(4)": "int",
         "INTEGER(8)": "int64_t"}
INTENTS = {"IN": "const ", "OUT": "out ", "INOUT": "inout "}

SCOPE = re.compile(r"(?P<indent> *)(?P<kind>Module|Subprogram|Global|\w+) scope: (?P<name>\w*)")
ENTITY = re.compile(r" *(?P<name>\w+)(?P<attributes>.*?)(?: \(\w+\))?(?: size=\d+ offset=\d+)?: ObjectEntity (?P<use>dummy|funcResult) "
                    r"type: (?P<type>\S+)(?: shape: (?P<shape>\S+))?")
SUBPROGRAM = re.compile(r" *(?P<name>\w+)(?:,[^:]*)?(?: \(\w+\))?: Subprogram (?:.*?bindName:(?P<binding>\S+) )?.*?\((?P<dummies>.*)\)$")
INCLUDE = re.compile(r"^\s*#?\s*include\s+['\"<]([^'\">]+)", re.I | re.M)


@dataclass
class Dummy:
    """A dummy argument, or the result."""
    name: str
    type: str
    attributes: str
    shape: str  # Or None.

    @property
    def by_value(self):
        return "VALUE" in self.attributes.split(", ")

    @property
    def intent(self):
        found = re.search(r"INTENT\((\w+)\)", self.attributes)
        return found[1] if found else None


@dataclass
class Procedure:
    name: str
    module: str  # Or None.
    binding: str  # The name that bind(C) gives it, or None.
    dummies: list  # Names, in order.
    entities: dict = field(default_factory=dict)

    @property
    def symbol(self):
        """Its name for the linker, as flang makes it."""
        return self.binding or (f"_QM{self.module}P{self.name}" if self.module else f"{self.name}_")

    @property
    def result(self):
        return next((e for e in self.entities.values() if e.use == "funcResult"), None)


def files_read(path, flags):
    """The source and what it includes, as far as a search for lines with 'include' tells."""
    folders = [f[2:] for f in flags if f.startswith("-I") and len(f) > 2]
    found, todo = [], [Path(path)]
    while todo:
        file = todo.pop()
        if file in found:
            continue
        found.append(file)
        for name in INCLUDE.findall(file.read_text(errors="replace")):
            places = (Path(folder) / name for folder in (file.parent, *folders))
            todo += [place for place in places if place.is_file()][:1]
    return [str(f) for f in found]


def procedures(path, flags):
    """All procedures of a file and of its modules, from flang's table of symbols."""
    command = [toolchain.flang(), "-fc1", "-fdebug-dump-symbols", *(f for f in flags if f.startswith(("-I", "-D"))),
               "-module-dir", cache.WORK, str(path)]
    table = cache.cached("", "fortran", f"the procedures of {Path(path).name}", [command], "txt", toolchain.flang,
                         files_read(path, flags))[0].read_text()
    return read_table(table)


def read_table(table):
    """Procedure by procedure. Scopes lie in one another, and are indented by two columns each."""
    found, scopes = [], []
    for line in table.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        scope = SCOPE.match(line)
        scopes = [s for s in scopes if s[0] < depth]
        if scope:
            scopes.append((depth, scope["kind"], scope["name"]))
            continue
        outer = [s for s in scopes if s[1] != "Global"]
        subprogram, entity = SUBPROGRAM.match(line), ENTITY.match(line)
        if subprogram and len(outer) <= 1 and all(s[1] == "Module" for s in outer) and "HostAssoc" not in line:
            module = outer[0][2] if outer else None
            names = re.findall(r"\w+(?=,\w+\(|,TYPE|,CLASS|$)", subprogram["dummies"])
            found.append(Procedure(subprogram["name"], module, subprogram["binding"], names))
        elif entity and outer and outer[-1][1] == "Subprogram":
            module = outer[0][2] if len(outer) == 2 and outer[0][1] == "Module" else None
            if len(outer) == (2 if module else 1):
                for p in found:
                    if (p.name, p.module) == (outer[-1][2], module):
                        made = Dummy(entity["name"], entity["type"], entity["attributes"], entity["shape"])
                        made.use = entity["use"]
                        p.entities[made.name] = made
    return found


def plain_bound(text):
    """'int(2_4*n+1_4,kind=8)' -> '2*n+1'"""
    text = re.sub(r"int\((.*),kind=8\)", r"\1", text)
    return re.sub(r"\b(\d+)_\d\b", r"\1", text)


def count_of(first, last):
    """How many integers there are from one bound to the other: ('0', 'n-1') -> 'n'."""
    if not re.fullmatch(r"-?\d+", first):
        return f"{last}-({first})+1"
    number = re.fullmatch(r"(?P<sum>.*?)(?P<constant>[+-]?\b\d+)?", last)
    if number["sum"].endswith(("*", "(")):
        return last if first == "1" else f"{last}+{1 - int(first)}"
    constant = int(number["constant"] or 0) + 1 - int(first)
    return f"{number['sum']}{constant:+}" if constant and number["sum"] else number["sum"] or str(constant)


def extents_of(dummy, where):
    """The extents of an array in the order of C."""
    extents = []
    for dimension in re.findall(r"[^,:]*(?:\([^)]*\))?[^,:]*:[^,(:]*(?:\([^)]*\))?[^,:]*", dummy.shape):
        first, last = map(plain_bound, dimension.split(":"))
        if last in ("", "*"):
            raise DeclarationError(f"{where}: '{dummy.name}' does not say how long it is. Declare it as '{dummy.name}(n)' with "
                                   "an argument n" + (f", or write the declaration out, with '{dummy.name}[n]'" if last else ""))
        extents.append(count_of(first, last))
    return "".join(f"[{e}]" for e in reversed(extents))


def type_of(entity, where):
    if entity.type not in TYPES:
        raise DeclarationError(f"{where}: '{entity.name}' is of the type {entity.type}; these can be passed: {', '.join(TYPES)}")
    for word in ("OPTIONAL", "ALLOCATABLE", "POINTER"):
        if word in entity.attributes.split(", "):
            raise DeclarationError(f"{where}: '{entity.name}' is {word.lower()}, and can not be passed from Python")
    return TYPES[entity.type]


def parameter_text(dummy, where):
    kind = type_of(dummy, where)
    if dummy.shape:
        extents = extents_of(dummy, where)
    elif dummy.intent in ("OUT", "INOUT"):
        extents = "[1]"
    else:
        return f"{kind} {dummy.name}"  # A copy is passed, so that an intent is not needed.
    if not dummy.intent:
        raise DeclarationError(f"{where}: '{dummy.name}' has no intent: write intent(in), intent(out) or intent(inout), or write "
                               "the declaration out, with the roles 'in', 'out' and 'inout'")
    return f"{INTENTS[dummy.intent]}{kind} {dummy.name}{extents}"


def procedure_of(path, flags, name):
    module, _, plain = name.lower().rpartition("::")
    found = [p for p in procedures(path, flags) if p.name == plain and (not module or p.module == module)]
    if not found:
        raise DeclarationError(f"there is no procedure '{name}' in {path}")
    if len(found) > 1:
        raise DeclarationError(f"there are several procedures '{name}': name the module, as in '{found[-1].module}::{plain}'")
    procedure, where = found[0], f"'{name}' of {os.path.basename(path)}"
    missing = [d for d in procedure.dummies if d not in procedure.entities]
    if missing:
        raise DeclarationError(f"{where}: '{missing[0]}' is a procedure, and can not be passed from Python")
    if procedure.result is not None and procedure.result.shape:
        raise DeclarationError(f"{where} returns an array: make it a subroutine with an argument of intent(out)")
    return procedure, where


def signature_of(path, flags, text):
    """The signature of a procedure, from its name, or from a declaration of C that says what Fortran leaves open."""
    name = re.match(r"[^(]*?([\w:]+)\s*(?:\(|$)", text.strip())
    procedure, where = procedure_of(path, flags, name[1] if name else text)
    dummies = [procedure.entities[d] for d in procedure.dummies]
    result = type_of(procedure.result, where) if procedure.result is not None else "void"
    if "(" not in text:
        text = f"{result} {text.strip().lower()}({', '.join(parameter_text(d, where) for d in dummies)})"
    signature = parse_declaration(text)
    wanted = [(type_of(d, where), bool(d.shape) or d.intent in ("OUT", "INOUT")) for d in dummies]
    if [(p.ctype, p.is_array) for p in signature.parameters] != wanted or signature.result_ctype != result:
        types = ", ".join(f"{kind} {d.name}{'[...]' if array else ''}" for d, (kind, array) in zip(dummies, wanted))
        raise DeclarationError(f"'{text}' does not fit {where}, which is '{result} {procedure.name}({types})' in terms of C")
    signature.symbol = procedure.symbol
    signature.by_value = frozenset(p.name for p, d in zip(signature.parameters, dummies) if d.by_value)
    return signature


def call_lines(signature, local):
    """(the declaration of the procedure, the lines that call it): all but what is `value` is passed by its address."""
    types, lines, passed = [], [], []
    for p in signature.parameters:
        star = "" if p.name in signature.by_value else "*"
        types.append(("const " if p.points_to_const else "") + p.ctype + star)
        value = local(p.name) if p.role in ("size", "number") else f"*{local(p.name)}"
        if p.is_array:
            passed.append(local(p.name))
        elif star:
            lines.append(f"{p.ctype} copy_{p.name} = ({p.ctype}){value};")
            passed.append(f"&copy_{p.name}")
        else:
            passed.append(f"({p.ctype}){value}")
    call = f"iz_procedure_{signature.identifier}({', '.join(passed)});"
    lines.append(f"*{local('result')} = {call}" if signature.result else call)
    return (f'extern "C" {signature.result_ctype} iz_procedure_{signature.identifier}({", ".join(types)}) '
            f'__asm__("{signature.symbol}");'), lines


def compile_library(text, path, flags):
    """The path of a shared library made from a source of Fortran and the C++ around it. Derivatives are made by the linker."""
    tool, objects = str(toolchain.command()), [cache.WORK + "source.o", cache.WORK + "wrapper.o"]
    machine = [f for f in flags if f.startswith(("-O", "-m"))]
    fortran = [tool, "fc", "-O2", "-fPIC", "-flto", "-module-dir", cache.WORK, *flags, "-c", str(path), "-o", objects[0]]
    wrapper = [tool, "c++", "-O2", "-fPIC", "-flto", "-fno-unified-lto", "-fvisibility=hidden", *machine, "-MD", "-MF", cache.RULE,
               "-MT", "library", "-c", cache.SOURCE, "-o", objects[1]]
    # Procedures may have the names of functions of other libraries: this one means its own.
    link = [tool, "fc", "-O2", "-shared", "-fPIC", "-flto", "-Wl,-Bsymbolic", *machine, *objects, "-lstdc++", "-lm", "-o",
            cache.MADE]
    return cache.warned(*cache.cached(text, "c++", path.name, [fortran, wrapper, link], "so", toolchain.flang,
                                      files_read(path, flags)))
