# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the entry points, with the values that they must give. See shapes.py.

A call is a list of tokens (text, C type). valid_call makes one from a random activity for each parameter, a
width, flags at random places and a random way of passing things; what it must give is computed from the
Jacobian of the function, by differences with imaginary steps, which are exact. mutate makes something
else of a call, for which only the answer "one error, or none" is right.
"""
import cmath
import re
from dataclasses import dataclass, field

# Name, type of the result, types of the parameters, C, Python. Arrays have four elements.
FUNCTIONS = {
    "sq": ("d", "d", "double sq(double x) { return x * x * x; }", lambda m, x: [x * x * x]),
    "mul": ("d", "dd", "double mul(double x, double y) { return x * y + sin(x); }",
            lambda m, x, y: [x * y + cmath.sin(x)]),
    "fsq": ("f", "f", "float fsq(float x) { return x * x; }", lambda m, x: [x * x]),
    "dot": ("d", "pi", "double dot(double *p, int n) { double s = 0; for (int i = 0; i < n; i++) "
            "s += p[i] * p[i] * (i + 1); return s; }",
            lambda m, p, n: [sum(p[i] * p[i] * (i + 1) for i in range(n))]),
    "axpy": ("v", "dpp", "void axpy(double a, double *p, double *q) { for (int i = 0; i < 4; i++) "
             "q[i] = a * p[i] + p[i] * p[i]; }",
             lambda m, a, p, q: q.__setitem__(slice(0, 4), [a * v + v * v for v in p]) or []),
    "inplace": ("d", "pd", "double inplace(double *p, double x) { p[0] *= x; p[1] = p[0] * p[2]; "
                "return p[1] + p[3] * x; }", lambda m, p, x: m.inplace(p, x)),
    "mix": ("d", "dipdf", "double mix(double x, int k, double *p, double y, float z) "
            "{ return x * k * p[1] + y * z + p[2] * p[2]; }",
            lambda m, x, k, p, y, z: [x * k * p[1] + y * z + p[2] * p[2]]),
    "pair": ("P", "dd", "struct Two pair(double x, double y) { return (struct Two){x * y, x * x - y}; }",
             lambda m, x, y: [x * y, x * x - y]),
    "wide": ("d", "ddddd", "double wide(double a, double b, double c, double d, double e) "
             "{ return a * b + c * d * e; }", lambda m, a, b, c, d, e: [a * b + c * d * e]),
}
C_TYPE = {"d": "double", "f": "float", "i": "int", "p": "double *", "P": "struct Two", "v": "void"}


class Models:
    @staticmethod
    def inplace(p, x):
        p[0] *= x
        p[1] = p[0] * p[2]
        return [p[1] + p[3] * x]


@dataclass
class Call:
    entry: str
    tokens: list
    result: str  # C type
    style: str = "prototype"
    before: list = field(default_factory=list)  # declarations
    checks: list = field(default_factory=list)  # (C expression, value, tolerance)
    after: "Call" = None  # The second half.
    first: "Call" = None
    name: str = ""


def marker(rng, name):
    return rng.choice([(name, "int"), (name, "int"), ("&" + name, "int *"), ("(long)&" + name, "long"),
                       ("(void *)&" + name, "void *")])


def number(rng):
    return round(rng.uniform(0.5, 2.5) * rng.choice([1, -1]), 3)


def evaluate(function, values):
    """Results, then the contents of the arrays."""
    copies = [list(v) if isinstance(v, list) else v for v in values]
    results = FUNCTIONS[function][3](Models, *copies)
    return results, copies


def real(value):
    return complex(value).real


def flat(results, copies, active):
    out = list(results)
    for value, is_active in zip(copies, active):
        if isinstance(value, list) and is_active:
            out += value
    return out


def jacobian(function, values, active):
    """Rows: what goes in (numbers and elements that are active); columns: results, then arrays."""
    rows = []
    for i, (value, is_active) in enumerate(zip(values, active)):
        if not is_active:
            continue
        for j in range(len(value) if isinstance(value, list) else 1):
            moved = [list(v) if isinstance(v, list) else v for v in values]
            if isinstance(value, list):
                moved[i][j] += 1e-30j
            else:
                moved[i] += 1e-30j
            rows.append([complex(v).imag / 1e-30 for v in flat(*evaluate(function, moved), active)])
    return rows


def array(values):
    return "{" + ", ".join(repr(float(v)) for v in values) + "}"


def result_type(rng, name, members):
    """The type to declare: members are (scalar type, lanes)."""
    if not members:
        return "void", "", []
    if len(members) == 1 and members[0][1] == 1 and rng.random() < 0.7:
        return members[0][0], "", ["r"]
    text, paths, alone = "", [], rng.random() < 0.3
    for i, (scalar, lanes) in enumerate(members):
        if lanes > 1 and not alone:
            text += f"{scalar} m{i}[{lanes}]; "
            paths += [f"r.m{i}[{l}]" for l in range(lanes)]
        else:
            for l in range(lanes):
                text += f"{scalar} m{i}_{l}; "
                paths.append(f"r.m{i}_{l}")
    return f"struct R{name}", f"struct R{name} {{ {text}}};", paths


def valid_call(rng, name):
    function = rng.choice(list(FUNCTIONS))
    result, parameters, _, _ = FUNCTIONS[function]
    mode = rng.choice(["autodiff", "autodiff", "fwddiff", "fwddiff", "split"])
    forward = mode == "fwddiff"
    width = rng.choice([1, 1, 1, 2, 3, 4, 8, 16]) if result != "P" or forward else 1
    interleave = rng.random() < 0.15
    lanes = range(width)
    before, values, active, kinds, items, shadows, not_needed = [], [], [], [], [], [], set()
    for i, type_ in enumerate(parameters):
        item = []
        if type_ == "i":
            values.append(3)
            active.append(False)
            kinds.append("const")
            if interleave or rng.random() < 0.5:
                item.append(marker(rng, "enzyme_const"))
            item.append(("3", "int"))
        elif type_ == "p":
            values.append([number(rng) for _ in range(4)])
            before.append(f"double a{i}[4] = {array(values[-1])};")
            is_const = rng.random() < 0.2 and function != "inplace"
            active.append(not is_const)
            kinds.append("const" if is_const else "dup")
            shadow = [[number(rng) for _ in range(4)] for _ in lanes]
            shadows.append((i, shadow))
            before.append(f"double d{i}[{4 * width}] = {array(sum(shadow, []))};")
            if mode == "split" and rng.random() < 0.3:
                item.append(marker(rng, "enzyme_not_overwritten"))
            if is_const:
                item += [marker(rng, "enzyme_const"), (f"a{i}", "double *")]
            else:
                noneed = rng.random() < 0.2
                if noneed:
                    not_needed.add(i)
                strided = rng.random() < 0.25 and not interleave
                word = "enzyme_dup" + "noneed" * noneed + "v" * strided
                if strided:
                    item += [marker(rng, word), ("32", rng.choice(["int", "long"]))]
                elif noneed or interleave or rng.random() < 0.6:
                    item.append(marker(rng, word))
                item.append((f"a{i}", "double *"))
                if not interleave:
                    item += [(f"d{i} + {4 * l}", "double *") for l in range(1 if strided else width)]
        else:
            values.append(number(rng))
            is_const = rng.random() < 0.25
            active.append(not is_const)
            kinds.append("const" if is_const else "dup" if forward else "out")
            shadow = [number(rng) for _ in lanes]
            shadows.append((i, shadow))
            if is_const or interleave or rng.random() < 0.6:
                word = "enzyme_" + kinds[-1]
                if kinds[-1] == "dup" and rng.random() < 0.2:
                    word = "enzyme_dupnoneed"
                item.append(marker(rng, word))
            suffix = "f" if type_ == "f" else ""
            value = (repr(values[-1]) + suffix, C_TYPE[type_])
            if rng.random() < 0.1 and kinds[-1] != "dup" and not interleave:
                before.append(f"{C_TYPE[type_]} b{i} = {value[0]};")
                item += [marker(rng, "enzyme_byref"), ("8" if type_ == "d" else "4", "int"),
                         (f"&b{i}", C_TYPE[type_] + " *")]
            else:
                item.append(value)
            if kinds[-1] == "dup" and not interleave:
                item += [(repr(s) + suffix, C_TYPE[type_]) for s in shadow]
        items.append(item)
    if interleave:
        tail = []
        for i, shadow in shadows:
            if kinds[i] == "dup":
                tail += [(f"d{i} + {4 * l}", "double *") if parameters[i] == "p"
                         else (repr(shadow[l]) + ("f" if parameters[i] == "f" else ""), C_TYPE[parameters[i]])
                         for l in lanes]
        if tail:
            items.append([marker(rng, "enzyme_interleave")] + tail)

    count = {"v": 0, "P": 2}.get(result, 1)
    scalar = "float" if result == "f" else "double"
    flags = []
    if width > 1 or rng.random() < 0.1:
        flags.append([marker(rng, "enzyme_width"), (str(width), rng.choice(["int", "long"]))])
    primal = count and mode != "split" and rng.random() < 0.3
    if primal:
        flags.append([marker(rng, "enzyme_primal_return")])
    return_active = bool(count)
    if count and rng.random() < 0.1:
        return_active = False
        flags.append([marker(rng, "enzyme_const_return")])
    elif count and rng.random() < 0.1:
        flags.append([marker(rng, "enzyme_dup_return" if forward else "enzyme_active_return")])
    for word in ("enzyme_strong_zero", "enzyme_runtime_activity"):
        if rng.random() < 0.05:
            flags.append([marker(rng, word)])

    def tokens(extra, tail=()):
        all_items = [list(i) for i in items]
        groups = flags + extra
        for group in groups:
            all_items.insert(rng.randrange(len(all_items) + 1) if rng.random() < 0.5 else 0, group)
        head = (function, "void *") if rng.random() < 0.8 else ("(void *)&" + function, "void *")
        return [head] + [t for item in all_items for t in item] + list(tail)

    results, copies = evaluate(function, values)
    matrix = jacobian(function, values, active)
    tolerance = 1e-4 if "f" in parameters else 1e-11
    checks = []
    rows = []  # For each row of the matrix: (parameter, element).
    for i, value in enumerate(values):
        if active[i]:
            rows += [(i, j) for j in range(len(value) if isinstance(value, list) else 1)]
    shadow_of = dict(shadows)

    def seed_of(i, j, l):
        return shadow_of[i][l][j] if isinstance(values[i], list) else shadow_of[i][l]

    columns = [(None, k) for k in range(count)] + [(i, j) for i, v in enumerate(values) if active[i]
                                                   and isinstance(v, list) for j in range(4)]
    members, wanted = [], []
    if primal:
        members += [(scalar, 1)] * count
        wanted += map(real, results)
    return_seed = [[1.0] * width for _ in range(count)]
    explicit = mode == "split" and return_active and count == 1 and rng.random() < 0.7
    if explicit:
        return_seed = [[number(rng) for _ in lanes]]
    if forward:
        tangents = [[sum(matrix[r][c] * seed_of(*rows[r], l) for r in range(len(rows)))
                     for c in range(len(columns))] for l in lanes]
        if return_active:
            if count == 2:  # An array of structs.
                members.append((scalar, 2 * width))
                wanted += [tangents[l][k] for l in lanes for k in range(2)]
            else:
                members.append((scalar, width))
                wanted += [tangents[l][0] for l in lanes]
        for c, (i, j) in enumerate(columns):
            if i is not None:
                checks += [(f"d{i}[{4 * l + j}]", tangents[l][c], tolerance) for l in lanes]
    else:
        adjoints = []
        for l in lanes:
            seeds = [(return_seed[j][l] if return_active else 0) if i is None else seed_of(i, j, l)
                     for i, j in columns]
            adjoints.append([sum(a * s for a, s in zip(row, seeds)) for row in matrix])
        for r, (i, j) in enumerate(rows):
            if isinstance(values[i], list):
                checks += [(f"d{i}[{4 * l + j}]", adjoints[l][r], tolerance) for l in lanes]
            else:
                members.append((C_TYPE[parameters[i]], width))
                wanted += [adjoints[l][r] for l in lanes]
    for i, value in enumerate(values):
        if isinstance(value, list) and i not in not_needed:
            checks += [(f"a{i}[{j}]", real(copies[i][j]), tolerance) for j in range(4)]

    declared, struct, paths = result_type(rng, name, members)
    checks += [(p, w, tolerance) for p, w in zip(paths, wanted)]
    style = rng.choice(["prototype", "prototype", "variadic", "old"])
    if mode != "split":
        call = Call("__enzyme_" + mode, tokens([]), declared, style, before, checks, name=name)
        call.struct = struct
        return call

    # Both halves, the tape as a pointer or in a buffer.
    nofree = [[marker(rng, "enzyme_nofree")]] if rng.random() < 0.1 else []
    buffer = rng.random() < 0.25
    tape_flags = []
    if buffer:
        before.append("_Alignas(16) char room[512];")
        tape_flags = [[marker(rng, "enzyme_allocated"), ("512", "int")],
                      [marker(rng, "enzyme_tape"), ("room", "char *")]]
    noret = count and rng.random() < 0.3
    first_members = ([] if buffer else ["void *tape; "]) + ([] if noret or not count else [
        "struct Two v; " if count == 2 else scalar + " v; "])
    first_checks = []
    if not first_members:
        first_type, first_struct = "void", ""
    elif first_members == ["void *tape; "]:
        first_type, first_struct = "void *", ""
    else:
        first_type = f"struct A{name}"
        first_struct = f"{first_type} {{ {''.join(first_members)}}};"
        if count == 2:
            first_checks = [("t.v.a", real(results[0]), tolerance), ("t.v.b", real(results[1]), tolerance)]
        else:
            first_checks = [("t.v", real(results[0]), tolerance)]
    first_flags = list(tape_flags) + nofree + ([[marker(rng, "enzyme_noret")]] if noret else [])
    first = Call("__enzyme_augmentfwd", tokens(first_flags), first_type, style, before, first_checks, name=name)
    first.struct = first_struct
    tail = []
    if explicit:
        if width == 1 and rng.random() < 0.8:
            tail.append((repr(return_seed[0][0]) + ("f" if result == "f" else ""), scalar))
        else:
            before.append(f"struct S{name} {{ {scalar} s[{width}]; }} seed = {{ {array(return_seed[0])} }};")
            if rng.random() < 0.5:
                tail += [marker(rng, "enzyme_byref"), (f"{width * (4 if result == 'f' else 8)}", "int"),
                         ("&seed", "void *")]
            else:
                tail.append(("seed", f"struct S{name}"))
    if not buffer:
        tail.append(("t" if first_type == "void *" else "t.tape", "void *"))
    second = Call("__enzyme_reverse", tokens(list(tape_flags) + nofree, tail), declared,
                  "prototype" if any(t.startswith("struct S") for _, t in tail) else style, before, checks, name=name)
    second.struct = struct
    second.first = first
    return second


MARKERS = ["const", "dup", "dupnoneed", "out", "dupv", "dupnoneedv", "not_overwritten", "byref", "width",
           "primal_return", "noret", "const_return", "active_return", "dup_return", "strong_zero", "interleave",
           "allocated", "tape", "nofree", "runtime_activity", "nocache", "context", "trace", "likelihood",
           "observations", "interface", "active_rand_var", "scalar", "vector", "buffer", "dupp", ""]
VALUES = [("0", "int"), ("1", "int"), ("-1", "int"), ("2", "int"), ("8", "long"), ("17", "int"), ("1ll << 40", "long long"),
          ("~0ull", "unsigned long long"), ("n", "int"), ("1.0", "double"), ("2.5f", "float"), ("1.0L", "long double"),
          ("x", "double"), ("p", "double *"), ("(void *)0", "void *"), ("&p", "double **"), ("\"enzyme_dup\"", "char *"),
          ("two", "struct Two"), ("three", "struct Three"), ("big", "struct Big"), ("mixed", "struct Mixed"), ("none", "struct None"),
          ("function", "void *"), ("bodyless", "void *"), ("(void *)variadic", "void *"), ("&table", "void *"), ("table[0]", "void *"), ("undefined", "void *"),
          ("undefined_number", "double"), ("n ? (void *)sq : (void *)mul", "void *"), ("(_Bool)1", "_Bool"), ("(char)1", "char"),
          ("sq", "void *"), ("axpy", "void *"), ("nothing", "void *"), ("(void *)count", "void *"), ("(void *)address", "void *"), ("(void *)triple", "void *"),
          ("(void *)ofTriple", "void *"), ("(void *)ofMixed", "void *"), ("(void *)ofQuad", "void *"), ("(void *)16", "void *"), ("fours", "quad"), ("(__int128)1", "__int128"), ("1.0i", "_Complex double")]
RESULTS = ["void", "int", "double", "float", "long double", "void *", "struct Two", "struct Three", "struct Big",
           "struct Mixed", "_Bool", "char", "quad", "_Complex double", "unsigned long", "__int128", "struct None"]
ENTRIES = ["autodiff", "fwddiff", "augmentfwd", "augmentsize", "reverse", "fwdsplit", "batch", "virtualreverse",
           "call_inactive", "iter", "todense", "error_estimate", "truncate_mem_func", "truncate_op_func",
           "truncate_mem_value", "expand_mem_value", "likelihood", "trace", "condition", "sample", "observe",
           "double", "float", "integer", "pointer", "post_sparse_todense", "product", "sum", "context", "shadow",
           "zero_shadows", "checkpoint_for", "fixed_point", "ptr_size_hint"]


def mutate(rng, call):
    tokens = call.tokens
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        at = rng.randrange(len(tokens)) if tokens else 0
        new = (marker(rng, "enzyme_" + rng.choice(MARKERS)) if rng.random() < 0.5 else rng.choice(VALUES))
        how = rng.randrange(11)
        if how == 0 and tokens:
            del tokens[at]
        elif how == 1 and tokens:
            tokens.insert(at, tokens[rng.randrange(len(tokens))])
        elif how == 2 and tokens:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif how in (3, 4) and tokens:
            tokens[at] = new
        elif how == 5:
            tokens.insert(at, new)
        elif how == 6:
            del tokens[at:]
        elif how == 7:
            tokens.append(new)
        elif how == 8:
            call.result = rng.choice(RESULTS)
        elif how == 9:
            call.entry = "__enzyme_" + rng.choice(ENTRIES)
        elif tokens:
            tokens[0] = rng.choice(VALUES)
    if call.entry == "__enzyme_iter":
        call.result = "int"  # Declared once for the file, as a C name can be.
    if call.entry == "__enzyme_fwdsplit":  # The halves of a function are of one kind in a file.
        tokens[:] = [(re.sub(r"\b(%s)\b" % "|".join(FUNCTIONS), r"\1_again", text), t) for text, t in tokens]
    call.style = rng.choice(["prototype", "prototype", "old"])
    call.checks = []
    return call
