# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C or C++ code around a user's functions: one entry point for each function and mode.

All entry points have one type: int entry(int64_t batch, char *const *slots, const int64_t *strides).
A slot holds the address of an array or of a number, or the value of an integer. `batch` calls are made,
with the addresses moved on by `strides` bytes in between. The result is 0, or a status below.

Inside, each function is `plain`: it gets addresses and integers, and puts its result into memory. So a
shadow is memory for every active argument, and no mode has a special case for numbers.
"""
import re
from dataclasses import dataclass

from . import fortran

MODES = ("vjp", "jvp", "hvp", "split")
OK, NO_MEMORY, THROWN = 0, 1, 2


@dataclass(frozen=True)
class Slot:
    """What an entry point is given at one position."""
    name: str
    kind: str      # "input", "size", "cotangent", "tangent", "cotangent_tangent", "output", "output_tangent",
                   # "gradient", "gradient_tangent", "tape"
    of: object     # The parameter, or the name of the size.
    may_be_null: bool = False

    @property
    def is_given(self):
        return self.kind in ("input", "size", "cotangent", "tangent", "cotangent_tangent")


def size_names(signature):
    """The integers that come with every call: sizes that arrays have, then the others."""
    return [*signature.found, *(p.name for p in signature.numbers)]


def slots_of(signature, mode):
    """What the entry point of a mode is given, in order. Null inputs count as zero; null results are not wanted."""
    s = signature
    slots = [Slot(p.name, "input", p) for p in s.inputs] + [Slot(n, "size", n) for n in size_names(s)]
    cotangents = [Slot(f"ct_{o.name}", "cotangent", o, True) for o in s.active_outputs]
    tangents = [Slot(f"t_{p.name}", "tangent", p, True) for p in s.active_inputs]
    outputs = [Slot(f"o_{o.name}", "output", o, True) for o in s.outputs]
    out_tangents = [Slot(f"to_{o.name}", "output_tangent", o, True) for o in s.active_outputs]
    gradients = [Slot(f"g_{p.name}", "gradient", p, True) for p in s.active_inputs]
    tape = [Slot("tape", "tape", None)]
    more = [Slot(f"ctt_{o.name}", "cotangent_tangent", o, True) for o in s.active_outputs]
    of_gradients = [Slot(f"h_{p.name}", "gradient_tangent", p, True) for p in s.active_inputs]
    return slots + {
        "primal": outputs,
        "vjp": cotangents + outputs + gradients,
        "jvp": tangents + outputs + out_tangents,
        "hvp": cotangents + tangents + more + out_tangents + gradients + of_gradients,
        "augment": outputs + tape,
        "reverse": cotangents + gradients + tape,
    }[mode]


def entries(modes):
    return ["primal", *(m for m in ("vjp", "jvp", "hvp") if m in modes), *(("augment", "reverse") if "split" in modes else ())]


PRELUDE = r"""
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <stdbool.h>
#ifdef __cplusplus
#include <exception>
#define IZ_ENTRY extern "C" __attribute__((visibility("default")))
#define IZ_THREAD thread_local
#define IZ_TRY try {
#define IZ_CATCH } catch (const std::exception &e) { strncpy(iz_text, e.what(), sizeof iz_text - 1); status = 2; } \
  catch (...) { strncpy(iz_text, "an exception that is no std::exception", sizeof iz_text - 1); status = 2; }
#else
#define IZ_ENTRY __attribute__((visibility("default")))
#define IZ_THREAD _Thread_local
#define IZ_TRY {
#define IZ_CATCH }
#endif
extern int enzyme_dup, enzyme_const, enzyme_not_overwritten;
static IZ_THREAD char iz_text[1024];
IZ_ENTRY const char *iz_message(void) { return iz_text; }
static void iz_fill(char *to, const char *from, size_t bytes) { if (bytes && to != from) memcpy(to, from, bytes); }
typedef int iz_calls(int64_t batch, char *const *slots, const int64_t *strides);
#if IZ_THREADS > 1
#include <pthread.h>
struct iz_part {
  iz_calls *calls;
  int64_t batch;
  char **slots;
  const int64_t *strides;
  int status;
  char text[sizeof iz_text];
};
static void *iz_run_part(void *given) {
  struct iz_part *part = (struct iz_part *)given;
  part->status = part->calls(part->batch, part->slots, part->strides);
  memcpy(part->text, iz_text, sizeof iz_text);
  return NULL;
}
/* Shares the calls of a batch among threads. What cannot get a thread runs here. */
static int iz_share(iz_calls *calls, int count, int64_t batch, char *const *slots, const int64_t *strides) {
  int64_t parts = batch < IZ_THREADS ? batch : IZ_THREADS, first = 0;
  if (parts < 2 || !strides) return calls(batch, slots, strides);
  struct iz_part part[IZ_THREADS];
  pthread_t thread[IZ_THREADS];
  int started[IZ_THREADS] = {0}, status = 0;
  char **places = (char **)malloc(sizeof(char *) * count * parts);
  if (!places) return 1;
  for (int64_t n = 0; n < parts; ++n) {
    part[n].calls = calls, part[n].strides = strides, part[n].slots = places + n * count;
    for (int i = 0; i < count; ++i) part[n].slots[i] = slots[i] ? slots[i] + first * strides[i] : NULL;
    part[n].batch = batch / parts + (n < batch % parts);
    first += part[n].batch;
  }
  for (int64_t n = 1; n < parts; ++n) started[n] = !pthread_create(&thread[n], NULL, iz_run_part, &part[n]);
  for (int64_t n = 0; n < parts; ++n)
    if (!started[n]) iz_run_part(&part[n]);
  for (int64_t n = 0; n < parts; ++n) {
    if (started[n]) pthread_join(thread[n], NULL);
    if (status || !part[n].status) continue;
    status = part[n].status;
    memcpy(iz_text, part[n].text, sizeof iz_text);
  }
  free(places);
  return status;
}
#else
static int iz_share(iz_calls *calls, int count, int64_t batch, char *const *slots, const int64_t *strides) {
  (void)count;
  return calls(batch, slots, strides);
}
#endif
#define IZ_ROOM(bytes) (((bytes) + 15) / 16 * 16)
static void iz_zero(char *to, size_t bytes) { if (bytes) memset(to, 0, bytes); }
"""


class Writer:
    """The code of one function's entry points."""

    def __init__(self, signature, modes):
        self.s, self.modes = signature, modes
        self.id = signature.identifier
        self.lines = []

    def text(self):
        self.check()
        self.plain()
        if "hvp" in self.modes:
            self.reverse_as_function()
        for mode in entries(self.modes):
            self.entry(mode)
        return "\n".join(self.lines) + "\n"

    def add(self, *lines):
        self.lines.extend(lines)

    # What the function is called with.

    def integers(self):
        return [f"int64_t {name}" for name in map(self.local, size_names(self.s))]

    @staticmethod
    def local(name):
        return f"iz_{name}"

    def memory(self):
        """The parameters of `plain` that are addresses: all but integers."""
        return [p for p in self.s.parameters if p.role not in ("size", "number")] + ([self.s.result] if self.s.result else [])

    def is_untouched(self, p):
        """Is the caller's memory passed as it is? A function may write to what is not const."""
        return p.is_input and p.role != "inout" and (p.points_to_const or not p.is_array)

    def check(self):
        if self.s.symbol:
            self.add(fortran.call_lines(self.s, self.local)[0])
            return
        types = ", ".join(kind for kind, _ in self.passed()) or "void"
        self.add(f"// {' '.join(self.s.text.split())}",
                 f"static {self.s.result_ctype} (*const iz_declared_as_{self.id})({types}) __attribute__((unused)) = "
                 f"{self.s.name};")

    def passed(self):
        """(type, expression) of each parameter of the function itself."""
        found, holders = [], set()
        for p in self.s.parameters:
            name, h, const = self.local(p.name), p.holder, "const " if p.points_to_const else ""
            if h and h.field:
                if h.name not in holders:
                    holders.add(h.name)
                    made = f"iz_made_{h.name}"
                    found.append({"value": (h.ctype, made), "reference": (f"const {h.ctype} &", made),
                                  "address": (f"const {h.ctype} *", f"&{made}")}[h.passed])
            elif h and h.passed == "address":
                found.append((f"{const}{h.ctype} *", f"({const}{h.ctype} *){name}"))
            elif h:
                value = self.value(p) if not p.is_array else f"*(const {h.ctype} *){name}"
                found.append((f"const {h.ctype} &" if h.passed == "reference" else h.ctype, value))
            else:
                found.append((f"{const}{p.ctype} *", name) if p.is_array else (p.ctype, self.value(p)))
        return found

    def value(self, p):
        """Of a parameter that is no array, inside of `plain`."""
        name = self.local(p.name)
        return f"({p.ctype}){name}" if p.role in ("size", "number") else f"*{name}"

    def made(self):
        """Structures that are made of their fields."""
        lines, known = [], set()
        for p in self.s.parameters:
            h = p.holder
            if not h or not h.field:
                continue
            if h.name not in known:
                known.add(h.name)
                lines.append(f"{h.ctype} iz_made_{h.name};")
            place = f"iz_made_{h.name}.{h.field}"
            lines.append(f"for (int iz_i = 0; iz_i < (int)(sizeof {place} / sizeof({p.ctype})); ++iz_i) "
                         f"(({p.ctype} *)&{place})[iz_i] = {self.local(p.name)}[iz_i];" if p.is_array else
                         f"{place} = {self.value(p)};")
        return lines

    def plain(self):
        parameters = [f"{'const ' if self.is_untouched(p) else ''}{p.ctype} *{self.local(p.name)}" for p in self.memory()]
        head = f"static void iz_plain_{self.id}({', '.join(parameters + self.integers())}) {{"
        if self.s.symbol:
            self.add(head, *(f"  {line}" for line in fortran.call_lines(self.s, self.local)[1]), "}")
            return
        call = f"{self.s.name}({', '.join(value for _, value in self.passed())})"
        if self.s.result:
            call = f"*{self.local('result')} = {call}"
        self.add(head, *(f"  {line}" for line in [*self.made(), f"{call};"]), "}")

    def reverse_as_function(self):
        """The reverse derivative with its shadows as parameters, for hvp to differentiate once more."""
        parameters = []
        for p in self.memory():
            const = "const " if self.is_untouched(p) else ""
            parameters.append(f"{const}{p.ctype} *{self.local(p.name)}")
            if self.is_active(p):
                parameters.append(f"{p.ctype} *iz_d_{p.name}")
        words = [w for p in self.memory() for w in self.operands(p, self.local, lambda name: f"iz_d_{name}")]
        self.add(f"void __enzyme_autodiff_of_{self.id}(void *, ...);",
                 f"static void iz_reverse_{self.id}({', '.join(parameters + self.integers())}) {{",
                 f"  __enzyme_autodiff_of_{self.id}((void *)iz_plain_{self.id}{self.join(words + self.constants())});", "}")

    def is_active(self, p):
        return p.is_active_input or p.is_active_output

    def operands(self, p, value, shadow, keep=False):
        if not self.is_active(p):
            return ["enzyme_const", value(p.name)]
        return ["enzyme_dup", *(["enzyme_not_overwritten"] if keep and self.is_untouched(p) else []), value(p.name),
                shadow(p.name)]

    def constants(self):
        return [w for name in size_names(self.s) for w in ("enzyme_const", self.local(name))]

    @staticmethod
    def join(words):
        return "".join(f", {w}" for w in words)

    # Entry points.

    def entry(self, mode):
        slots = slots_of(self.s, mode)
        body = EntryBody(self, mode, slots)
        body.write()
        self.add(*body.lines())


class EntryBody:
    """One entry point: slots, memory that the caller does not give, what is filled in, and the call.

    A tape may hold addresses of the shadows that its first half was called with. So these are memory of the tape's own:
    a block that begins with the tape itself, lives from one half to the other, and has the gradients in the end.
    """

    def __init__(self, writer, mode, slots):
        self.w, self.s, self.mode, self.slots = writer, writer.s, mode, slots
        self.index = {slot.name: i for i, slot in enumerate(slots)}
        self.room = []     # (index, bytes): slots that get memory of their own where they are null.
        self.prepare = []  # Done before each call,
        self.finish = []   # and behind it.
        self.call = ""
        self.is_half = mode in ("augment", "reverse")
        for i, slot in enumerate(slots):
            if slot.may_be_null and not (self.is_half and slot.kind in ("gradient", "cotangent")):
                self.room.append((i, self.bytes(slot.of)))

    def bytes(self, p):
        count = "".join(f" * (size_t)({self.extent(e)})" for e in p.extents or ())
        return f"sizeof({p.ctype}){count}"

    def extent(self, extent):
        return re.sub(r"[A-Za-z_]\w*", lambda m: self.w.local(m[0]), extent.text)

    def slot(self, name):
        return f"p[{self.index[name]}]"

    def hidden(self, name, p):
        """Memory that no caller gives."""
        self.index[name] = len(self.index)
        self.room.append((self.index[name], self.bytes(p)))
        return self.slot(name)

    def fill(self, to, name, p):
        self.prepare.append(f"iz_fill({to}, {self.slot(name)}, {self.bytes(p)});")

    def zero(self, to, p):
        self.prepare.append(f"iz_zero({to}, {self.bytes(p)});")

    def primal_place(self, p):
        """Where the function finds p."""
        if self.w.is_untouched(p):
            return self.slot(p.name)
        name = f"o_{p.name}"
        place = self.slot(name) if name in self.index else self.hidden(f"w_{p.name}", p)
        self.fill(place, p.name, p) if p.is_input else self.zero(place, p)
        return place

    def shadow_of_tape(self, p):
        """As reverse_shadow, for a half of a derivative."""
        place = f"iz_s_{p.name}"
        self.prepare.append(f"char *{place} = iz_block + iz_used; iz_used += IZ_ROOM({self.bytes(p)});")
        if self.mode == "reverse":
            self.zero(place, p)
            if p.is_active_output:
                self.prepare.append(f"if ({self.slot(f'ct_{p.name}')})")
                self.fill(place, f"ct_{p.name}", p)
            if p.is_active_input:
                gradient = self.slot(f"g_{p.name}")
                self.finish.append(f"if ({gradient}) iz_fill({gradient}, {place}, {self.bytes(p)});")
        return place

    def begin_half(self, memory):
        """The block of shadows: made by the first half, and found by the second one in place of the tape."""
        tape = f"*(char **){self.slot('tape')}"
        if self.mode == "augment":
            total = " + ".join(f"IZ_ROOM({self.bytes(p)})" for p in memory if self.w.is_active(p))
            self.prepare += [f"char *iz_block = (char *)calloc(1, IZ_ROOM(sizeof(void *)) + {total or 0});",
                             "if (!iz_block) return 1;"]
            self.finish.append(f"{tape} = iz_block;")
        else:
            self.prepare.append(f"char *iz_block = {tape};")
        self.prepare.append("size_t iz_used = IZ_ROOM(sizeof(void *)); (void)iz_used;")

    def reverse_shadow(self, p, prefix="g", seed="ct"):
        """Where the reverse sweep finds the adjoint of p: what it starts from, or zeros."""
        if self.is_half:
            return self.shadow_of_tape(p)
        place = self.slot(f"{prefix}_{p.name}") if p.is_active_input and f"{prefix}_{p.name}" in self.index else (
            self.hidden(f"{prefix}_{p.name}", p))
        if p.is_active_output and f"{seed}_{p.name}" in self.index:
            self.fill(place, f"{seed}_{p.name}", p)
        else:
            self.zero(place, p)
        return place

    def tangent(self, p):
        if self.w.is_untouched(p):
            return self.slot(f"t_{p.name}")
        place = self.slot(f"to_{p.name}") if p.is_active_output else self.hidden(f"wt_{p.name}", p)
        self.fill(place, f"t_{p.name}", p) if p.is_active_input else self.zero(place, p)
        return place

    def write(self):
        memory, w, id = self.w.memory(), self.w, self.w.id
        typed = lambda place, p: f"({'const ' if w.is_untouched(p) else ''}{p.ctype} *){place}"
        words = []
        if self.mode == "primal":
            values = [typed(self.primal_place(p), p) for p in memory] + [w.local(n) for n in size_names(self.s)]
            self.call = f"iz_plain_{id}({', '.join(values)});"
            return
        if self.is_half:
            self.begin_half(memory)
        for p in memory:
            value = typed(self.primal_place(p), p)
            if not w.is_active(p):
                words += ["enzyme_const", value]
            elif self.mode == "jvp":
                words += ["enzyme_dup", value, f"({p.ctype} *){self.tangent(p)}"]
            elif self.mode == "hvp":
                words += ["enzyme_dup", value, f"({p.ctype} *){self.tangent(p)}",
                          "enzyme_dup", f"({p.ctype} *){self.reverse_shadow(p)}",
                          f"({p.ctype} *){self.reverse_shadow(p, 'h', 'ctt')}"]
            else:
                keep = ["enzyme_not_overwritten"] if self.mode != "vjp" and w.is_untouched(p) else []
                words += ["enzyme_dup", *keep, value, f"({p.ctype} *){self.reverse_shadow(p)}"]
        words += w.constants()
        marker = {"vjp": "void __enzyme_autodiff", "jvp": "void __enzyme_fwddiff", "hvp": "void __enzyme_fwddiff",
                  "augment": "void *__enzyme_augmentfwd", "reverse": "void __enzyme_reverse"}[self.mode]
        function = f"iz_reverse_{id}" if self.mode == "hvp" else f"iz_plain_{id}"
        name = f"{marker}_{self.mode}_{id}"
        self.declaration = f"{name}(void *, ...);"
        if self.mode == "reverse":
            words.append("*(void **)iz_block")
            self.finish.append("free(iz_block);")
        self.call = f"{name.split()[-1].lstrip('*')}((void *){function}{w.join(words)});"
        if self.mode == "augment":
            self.call = f"*(void **)iz_block = {self.call}"

    declaration = ""

    def lines(self):
        id, total, sizes = f"{self.w.id}_{self.mode}", len(self.index), []
        for name in size_names(self.s):
            sizes.append(f"  int64_t {self.w.local(name)} = (int64_t)p[{self.index[name]}]; (void){self.w.local(name)};")
        slots = len(self.slots)
        return [
            self.declaration,
            f"static __attribute__((noinline)) int iz_one_{id}(char *const *p) {{", *sizes,
            *(f"  {line}" for line in [*self.prepare, self.call, *self.finish]), "  return 0;", "}",
            f"static int iz_calls_{id}(int64_t batch, char *const *slots, const int64_t *strides) {{",
            f"  char *p[{total + 1}] = {{0}}, *own[{total + 1}] = {{0}};",
            "  int status = 0;",
            f"  for (int i = 0; i < {slots}; ++i) p[i] = slots[i];", *sizes,
            *(f"  if (!p[{i}] && !(p[{i}] = own[{i}] = (char *)calloc(1, {bytes} + 1))) status = 1;"
              for i, bytes in self.room),
            "  if (!status)",
            "  IZ_TRY",
            "    for (int64_t b = 0; b < batch && !status; ++b) {",
            f"      status = iz_one_{id}(p);",
            f"      if (strides) for (int i = 0; i < {slots}; ++i) if (p[i] && !own[i]) p[i] += strides[i];",
            "    }",
            "  IZ_CATCH",
            f"  for (int i = 0; i < {total}; ++i) free(own[i]);",
            "  return status;", "}",
            f"IZ_ENTRY int iz_{id}(int64_t batch, char *const *slots, const int64_t *strides) {{",
            f"  return iz_share(iz_calls_{id}, {slots}, batch, slots, strides);", "}"]


def wrapper_text(source_path, signatures, modes, threads=1):
    included = str(source_path).replace("\\", "\\\\").replace('"', '\\"')
    source = [] if any(s.symbol for s in signatures) else [f'#include "{included}"']
    return "\n".join([*source, f"#define IZ_THREADS {threads}", PRELUDE, *(Writer(s, modes).text() for s in signatures)])
