# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The signature of a function of which only the name is given: types from clang, where they say enough.

clang tells the types of parameters, and not how long arrays are. That is clear in one case, which is common:
all pointers are to const, and there is one integer, the length of all of them, or none and no arrays.
Everything else is an error that shows what to write.
"""
import json
import re

from . import cache, toolchain
from .declaration import DTYPES, parse_declaration
from .errors import DeclarationError

POINTER = re.compile(r"(?P<element>.*?)\s*\*\s*(?:__restrict|restrict|const)?$")


def syntax_trees(text):
    """The JSON objects that follow one another in the output of clang."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        tree, at = decoder.raw_decode(text, at)
        yield tree
        at = text.find("{", at)


def declared_functions(source, language, flags, name):
    """[(type of the result, [(type, name)])] of the functions of that name, each type without typedefs."""
    plain = name.split("::")[-1]
    command = [toolchain.clang(), "-fsyntax-only", f"-I{toolchain.installation() / 'include'}", *flags, "-MD", "-MF",
               cache.RULE, "-MT", "names", "-w", "-Xclang", "-ast-dump=json", "-Xclang", f"-ast-dump-filter={name}",
               cache.SOURCE]
    output = cache.cached(f'#include "{source}"\n', language, f"the types of {name}", [command], "json")[0].read_text()
    found = {}
    for tree in syntax_trees(output):
        if tree.get("kind") != "FunctionDecl" or tree.get("name") != plain:
            continue
        kind = lambda node: node["type"].get("desugaredQualType", node["type"]["qualType"])
        parameters = [(kind(p), p.get("name", "")) for p in tree.get("inner", []) if p["kind"] == "ParmVarDecl"]
        result = tree["type"]["qualType"].split("(")[0].strip()
        if all(p[1] for p in parameters):
            found[(result, *(p[0] for p in parameters))] = (result, parameters)
    return list(found.values())


def declaration_of(source, language, flags, name, record_of):
    """The signature of the function `name`, if its types leave no doubt."""
    found = declared_functions(source, language, flags, name)
    if not found:
        raise DeclarationError(f"there is no function '{name}' with named parameters in {source}")
    if len(found) > 1:
        raise DeclarationError(f"there are several functions '{name}': give the declaration of the one you mean")
    result, parameters = found[0]
    pointers = [POINTER.match(kind) for kind, _ in parameters]
    integers = [n for (kind, n), p in zip(parameters, pointers) if not p and DTYPES.get(kind, "f")[0] in "iu"]
    length = integers[0] if len(integers) == 1 else "?"
    words, clear = [], True
    for (kind, parameter), pointer in zip(parameters, pointers):
        if pointer:
            element = pointer["element"]
            clear = clear and "const" in element.split() and length != "?"
            role = "" if "const" in element.split() else "out/inout "
            words.append(f"{role}{element} {parameter}[{length}]")
        else:
            words.append(f"{kind} {parameter}")
    text = f"{result} {name}({', '.join(words)})"
    if not clear:
        raise DeclarationError(f"the types of '{name}' do not say how long its arrays are, or what is written. "
                               f"Say it in a declaration, like this one:\n  \"{text}\"")
    return parse_declaration(text, record_of)
