# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled function as one of PyTorch.

Each mode is a custom operator (isozyme::<name>_<mode>), for torch.compile and export, and an autograd.Function
around it, for everything else: only the latter has rules for forward mode. Both share their derivatives: what a
mode's derivative needs is one call of another mode.

An operator takes one dimension more, in front, for a batch: of all tensors or some. So the rule for vmap is a call
of the same operator.
"""
import itertools

import numpy
import torch
from torch.autograd import forward_ad

from .errors import Error
from .function import arguments_by_name
from .wrappers import slots_of

DTYPES = {numpy.dtype(kind): dtype for kind, dtype in {
    "f8": torch.float64, "f4": torch.float32, "b1": torch.bool, "i1": torch.int8, "u1": torch.uint8, "i2": torch.int16,
    "u2": torch.uint16, "i4": torch.int32, "u4": torch.uint32, "i8": torch.int64, "u8": torch.uint64}.items()}
NUMBER_OF_LAYER = itertools.count()


def dtype_of(p):
    return DTYPES[p.dtype]


def tensors_of(result):
    return (result,) if isinstance(result, torch.Tensor) else tuple(result)


def one_or_all(values):
    return values[0] if len(values) == 1 else tuple(values)


def summed_to(gradient, like):
    """The gradient of a tensor that all calls of a batch have shared is their sum."""
    return gradient.sum(0) if gradient.ndim > like.ndim else gradient


class Layer:
    def __init__(self, function):
        self.function, self.s = function, function.signature
        self.name = f"{self.s.attribute}_{next(NUMBER_OF_LAYER)}"
        if not self.s.inputs:
            raise TypeError(f"'{self.s.text}' has no input but integers, so no tensor could show what it belongs to; "
                            "call it without PyTorch")
        differentiable = self.s.active_inputs and self.s.active_outputs
        present = ["primal", *(m for m in ("vjp", "jvp", "hvp") if m in function._entries and differentiable)]
        self.modes = {mode: Mode(self, mode) for mode in present}
        self.op = self.modes["primal"].op

    def mode(self, name):
        self.function.entry(name)  # An error, if it was not compiled.
        return self.modes[name]

    def __call__(self, *arguments, **named):
        tensors, numbers = self.prepared(arguments, named)
        if torch.compiler.is_compiling() or need_operator(tensors):
            return self.op(*tensors, *numbers)
        if is_plain(tensors):
            return self.modes["primal"].run(*tensors, *numbers)
        if "vjp" in self.modes and is_recorded(tensors):
            if self.s.has_one_number:
                return WithGradient.apply(self, *tensors, *numbers)
            if "augment" in self.function._entries:
                return Taped.apply(self, *tensors, *numbers)
        return self.modes["primal"].apply(*tensors, *numbers)

    def invoke(self, mode, tensors, numbers, given):
        """Calls an entry point: the inputs, and tensors (or None) for all slots that follow the sizes."""
        place = lambda t: 0 if t is None else t.data_ptr() or EMPTY.data_ptr()
        sizes = self.function.integers(self.sizes(tensors, numbers))
        self.function.invoke(mode, [*map(place, tensors), *sizes, *map(place, given)])

    # Arguments.

    def prepared(self, arguments, named):
        """(tensors of the inputs, integers), checked."""
        s, values = self.s, arguments_by_name(self.function, arguments, named)
        tensors = [self.tensor(p, values[p.python_name]) for p in s.inputs]
        self.check_shapes(tensors)
        return tensors, [values[p.python_name] for p in s.numbers]

    def tensor(self, p, value):
        where = f"{self.function.__name__}: '{p.name}'"
        if not p.is_array and isinstance(value, (int, float)) and not isinstance(value, bool):
            return torch.tensor(value, dtype=dtype_of(p))
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"{where} is of type {type(value).__name__}, and has to be a tensor as the others are")
        if value.dtype != dtype_of(p):
            raise TypeError(f"{where} holds {value.dtype}, and '{p.describe()}' holds {dtype_of(p)}: "
                            f"pass {p.name}.to({dtype_of(p)})")
        if value.device.type != "cpu":
            raise ValueError(f"{where} is on the device '{value.device}', and the function runs on 'cpu'")
        if value.layout != torch.strided:
            raise ValueError(f"{where} is {value.layout}: pass {p.name}.to_dense()")
        if value.ndim != p.ndim:
            raise ValueError(f"{where} has {value.ndim} dimension(s), the shape {tuple(value.shape)}, and '{p.describe()}' "
                             f"has {p.ndim}")
        return value

    def sizes(self, tensors, numbers):
        """The sizes by name, from the last dimensions of the inputs."""
        by_name = dict(zip((p.name for p in self.s.inputs), tensors))
        sizes = {n: by_name[p.name].shape[axis - p.ndim] for n, (p, axis) in self.s.found.items()}
        sizes.update(zip((p.name for p in self.s.numbers), numbers))
        return sizes

    def shape(self, p, sizes):
        return tuple(extent.evaluate(sizes) for extent in p.extents or ())

    def check_shapes(self, tensors):
        sizes = self.sizes(tensors, ())
        for p, tensor in zip(self.s.inputs, tensors):
            for axis, extent in enumerate(p.extents or ()):
                if not extent.names <= sizes.keys():
                    continue
                wanted = extent.evaluate(sizes)
                if tensor.shape[axis] != wanted:
                    raise ValueError(f"{self.function.__name__}: '{p.name}' has the shape {tuple(tensor.shape)}, and "
                                     f"extent {axis} of '{p.describe()}' is {wanted}")


class Mode:
    """One mode as an operator and as an autograd.Function."""

    def __init__(self, layer, mode):
        self.layer, self.mode, self.s = layer, mode, layer.s
        self.slots = slots_of(layer.s, mode)
        slots = [slot for slot in self.slots if slot.kind != "size"]
        self.given = [slot for slot in slots if slot.is_given]
        # Outputs of the primal are wanted from the primal alone.
        self.results = [slot for slot in slots if not slot.is_given and (slot.kind != "output" or mode == "primal")]
        self.of_kind = {kind: [i for i, slot in enumerate(self.given) if slot.kind == kind]
                        for kind in ("input", "cotangent", "tangent", "cotangent_tangent")}
        self.active = [i for i in self.of_kind["input"] if self.given[i].of.is_active_input]
        self.op = self.define()
        self.apply = make_function(self).apply

    def define(self):
        tensors = [f"Tensor {slot.name}" for slot in self.given]
        numbers = [f"SymInt {p.name}" for p in self.s.numbers]
        results = ", ".join("Tensor" for _ in self.results)
        schema = f"({', '.join(tensors + numbers)}) -> {results if len(self.results) == 1 else f'({results})'}"
        op = torch.library.custom_op(f"isozyme::{self.layer.name}_{self.mode}", self.run, mutates_args=(), schema=schema,
                                     device_types="cpu")
        op.register_fake(lambda *arguments: one_or_all(self.empty(*self.split(arguments))[0]))
        op.register_autograd(lambda ctx, *gradients: self.backward(ctx, gradients),
                             setup_context=lambda ctx, inputs, output: self.save(ctx, inputs))
        op.register_vmap(lambda info, in_dims, *arguments: self.vmap(op, info, in_dims, arguments))
        return op

    def split(self, arguments):
        return arguments[:len(self.given)], arguments[len(self.given):]

    # The call.

    def batch(self, tensors):
        """The length of the batch, or None."""
        found = None
        for slot, tensor in zip(self.given, tensors):
            if tensor.ndim == slot.of.ndim:
                continue
            if tensor.ndim != slot.of.ndim + 1 or found is not None and tensor.shape[0] != found:
                raise ValueError(f"{self.layer.function.__name__}: '{slot.name}' has the shape {tuple(tensor.shape)}, which "
                                 "fits neither one call nor a batch")
            found = tensor.shape[0]
        return found

    def empty(self, tensors, numbers):
        """(tensors for the results, sizes, length of the batch)."""
        count = len(self.of_kind["input"])
        sizes = self.layer.sizes(tensors[:count], numbers)
        batch = self.batch(tensors)
        front = () if batch is None else (batch,)
        made = [tensors[0].new_empty(front + self.layer.shape(slot.of, sizes), dtype=dtype_of(slot.of))
                if tensors else torch.empty(self.layer.shape(slot.of, sizes), dtype=dtype_of(slot.of))
                for slot in self.results]
        return made, sizes, batch

    def run(self, *arguments):
        tensors, numbers = self.split(arguments)
        made, sizes, batch = self.empty(tensors, numbers)
        tensors = [t.contiguous() for t in tensors]
        by_name = dict(zip((slot.name for slot in self.given + self.results), tensors + made))
        slots, strides, integers = [], [], iter(self.layer.function.integers(sizes))
        for slot in self.slots:
            tensor = by_name.get(slot.name)
            if slot.kind == "size":
                slots.append(next(integers))
                strides.append(0)
            else:
                slots.append(0 if tensor is None else tensor.data_ptr() or EMPTY.data_ptr())
                moves = tensor is not None and tensor.ndim > slot.of.ndim
                strides.append(tensor.stride(0) * tensor.element_size() if moves and tensor.numel() else 0)
        self.layer.function.invoke(self.mode, slots, 1 if batch is None else batch, None if batch is None else strides)
        return one_or_all(made)

    # Derivatives: those of one mode are a call of another.

    def save(self, ctx, inputs):
        tensors, ctx.numbers = self.split(inputs)
        ctx.save_for_backward(*tensors)
        if hasattr(ctx, "save_for_forward"):  # An operator's context has no forward mode.
            ctx.save_for_forward(*tensors)

    def backward(self, ctx, gradients):
        return self.derivatives(ctx.saved_tensors, ctx.numbers, gradients)

    def derivatives(self, tensors, numbers, gradients):
        """What gradients of the results come to, by all arguments."""
        result = [None] * (len(tensors) + len(numbers))
        if not self.active:
            return tuple(result)
        seeds = self.materialized(gradients, tensors, numbers)
        inputs = [tensors[i] for i in self.of_kind["input"]]
        pick = lambda kind: [tensors[i] for i in self.of_kind[kind]]
        zeros = lambda given: [torch.zeros_like(t) for t in given]
        if self.mode == "primal":
            found = zip(self.active, tensors_of(self.call("vjp", inputs, seeds, numbers)))
        elif self.mode in ("vjp", "jvp"):
            cotangents = pick("cotangent") if self.mode == "vjp" else seeds
            tangents = seeds if self.mode == "vjp" else pick("tangent")
            made = tensors_of(self.call("hvp", inputs, cotangents + tangents + zeros(cotangents), numbers))
            outputs, count = len(self.s.active_outputs), len(self.active)
            along, gradient, second = made[:outputs], made[outputs:outputs + count], made[outputs + count:]
            others = zip(self.of_kind["cotangent"], along) if self.mode == "vjp" else zip(self.of_kind["tangent"], gradient)
            found = itertools.chain(zip(self.active, second), others)
        else:
            raise Error(f"'{self.layer.function.__name__}': PyTorch asks for third derivatives, which are not there")
        for i, gradient in found:
            result[i] = summed_to(gradient, tensors[i])
        return tuple(result)

    def materialized(self, gradients, tensors, numbers):
        active = [(slot, g) for slot, g in zip(self.results, gradients) if slot.of.is_float]
        if all(g is not None for _, g in active):
            return [g for _, g in active]
        made = self.empty(tensors, numbers)[0]
        return [torch.zeros_like(m) if g is None else g
                for slot, g, m in zip(self.results, gradients, made) if slot.of.is_float]

    def call(self, mode, inputs, more, numbers):
        other = self.layer.mode(mode)
        if torch.compiler.is_compiling() or need_operator(inputs + more):
            return other.op(*inputs, *more, *numbers)
        return (other.run if is_plain(inputs + more) else other.apply)(*inputs, *more, *numbers)

    def forward_mode(self, ctx, tangents):
        tensors, numbers = ctx.saved_tensors, ctx.numbers
        if not self.active:
            return one_or_all([None] * len(self.results))
        moved = [torch.zeros_like(t) if d is None else d for t, d in zip(tensors, tangents)]
        inputs = [tensors[i] for i in self.of_kind["input"]]
        along = [moved[i] for i in self.active]
        if self.mode == "primal":
            found = iter(tensors_of(self.call("jvp", inputs, along, numbers)))
            return one_or_all([next(found) if slot.of.is_float else None for slot in self.results])
        if self.mode == "vjp":
            cotangents = [tensors[i] for i in self.of_kind["cotangent"]]
            more = [moved[i] for i in self.of_kind["cotangent"]]
            return one_or_all(tensors_of(self.call("hvp", inputs, cotangents + along + more, numbers))[-len(self.active):])
        raise Error(f"'{self.layer.function.__name__}': PyTorch asks for forward mode over {self.mode}, which is not there; "
                    "take reverse mode inside or outside, as in torch.func.hessian")

    def vmap(self, call, info, in_dims, arguments):
        """One dimension more: a batch, or a longer one where there is one already."""
        tensors, numbers = self.split(arguments)
        new = info.batch_size
        moved = [t if d is None else t.movedim(d, 0) for t, d in zip(tensors, in_dims)]
        is_new = [d is not None for d in in_dims[:len(tensors)]]
        had = [t.ndim - new_here > slot.of.ndim for slot, t, new_here in zip(self.given, moved, is_new)]
        if not any(had):
            return call(*moved, *numbers), one_or_all([0] * len(self.results))
        old = next(t.shape[1 if n else 0] for t, n, h in zip(moved, is_new, had) if h)
        flat = []
        for slot, t, n, h in zip(self.given, moved, is_new, had):
            if n or h:
                t = (t if h else t.unsqueeze(1)) if n else t.unsqueeze(0)
                t = t.expand(new, old, *t.shape[2:]).reshape(new * old, *t.shape[2:])
            flat.append(t)
        result = tensors_of(call(*flat, *numbers))
        result = [r.reshape(new, old, *r.shape[1:]) for r in result]
        return one_or_all(result), one_or_all([0] * len(result))


ONE = {dtype: torch.ones((), dtype=dtype) for dtype in (torch.float64, torch.float32)}
EMPTY = torch.zeros(1)  # An address for tensors without elements: null would mean that they are not given.


def need_operator(tensors):
    """Is it the dispatcher that knows what to do? Tensors without memory, and those of grad(..., is_grads_batched=True)."""
    return any(type(t).__name__ in ("FakeTensor", "FunctionalTensor") or
               torch._C._functorch.is_legacy_batchedtensor(t) for t in tensors)


def is_plain(tensors):
    """Does nothing look at the call: no gradient, transform or mode? Then it is a call of compiled code and no more."""
    return (not (torch.is_grad_enabled() and any(t.requires_grad for t in tensors)) and forward_ad._current_level < 0
            and torch._C._functorch.peek_interpreter_stack() is None and not torch._C._len_torch_dispatch_stack()
            and not torch._C._len_torch_function_stack()
            and all(type(t) in (torch.Tensor, torch.nn.Parameter) for t in tensors))


def is_recorded(tensors):
    """Is a gradient all that may be asked for: no transform, and no forward mode?"""
    return (torch.is_grad_enabled() and any(t.requires_grad for t in tensors) and forward_ad._current_level < 0
            and torch._C._functorch.peek_interpreter_stack() is None)


def make_function(mode):
    """The autograd.Function of a mode."""

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(*arguments):
            return mode.run(*arguments)

        @staticmethod
        def setup_context(ctx, inputs, output):
            mode.save(ctx, inputs)

        @staticmethod
        def backward(ctx, *gradients):
            return mode.backward(ctx, gradients)

        @staticmethod
        def jvp(ctx, *tangents):
            return mode.forward_mode(ctx, tangents)

        @staticmethod
        def vmap(info, in_dims, *arguments):
            return mode.vmap(Function.apply, info, in_dims, arguments)

    Function.__name__ = f"{mode.layer.s.attribute}_{mode.mode}"
    return Function


def placed(mode, count, gradients):
    """Gradients by active inputs as what backward returns for `count` arguments of the layer's call."""
    result = [None] * count
    for i, gradient in zip(mode.active, gradients):
        result[i] = gradient
    return None, *result


class WithGradient(torch.autograd.Function):
    """The primal of a function with one number as its result. Its gradient is computed with it, in one call of compiled
    code: so nothing runs twice and no tape lives on. The backward pass multiplies by what the number counts for."""

    @staticmethod
    def forward(ctx, layer, *arguments):
        primal = layer.modes["primal"]
        tensors, ctx.numbers = primal.split(arguments)
        ctx.layer = layer
        tensors = [t.contiguous() for t in tensors]
        outputs = primal.empty(tensors, ctx.numbers)[0]
        gradients = [torch.empty_like(tensors[i]) for i in primal.active]
        layer.invoke("vjp", tensors, ctx.numbers, [ONE[dtype_of(layer.s.active_outputs[0])], *outputs, *gradients])
        ctx.save_for_backward(*arguments[:len(tensors)], *gradients)
        ctx.mark_non_differentiable(*(o for o in outputs if not o.is_floating_point()))
        return one_or_all(outputs)

    @staticmethod
    def backward(ctx, *seeds):
        primal = ctx.layer.modes["primal"]
        count = len(primal.given)
        tensors, gradients = ctx.saved_tensors[:count], ctx.saved_tensors[count:]
        if torch.is_grad_enabled():
            return None, *primal.derivatives(tensors, ctx.numbers, seeds)
        seed = primal.materialized(seeds, tensors, ctx.numbers)[0]
        # Nothing counts for nothing, even where the gradient is infinite.
        scaled = [torch.where(seed == 0, 0.0, g * seed) for g in gradients]
        return placed(primal, count + len(ctx.numbers), scaled)


class Tape:
    """What the forward sweep has kept. It is used up by one reverse sweep, at the latest when the graph goes."""

    def __init__(self, layer, tensors, numbers):
        self.layer, self.numbers = layer, numbers
        self.tensors = [t.detach() for t in tensors]
        self.place = torch.zeros(1, dtype=torch.int64)
        self.is_used = True

    def record(self, outputs):
        self.layer.invoke("augment", self.tensors, self.numbers, [*outputs, self.place])
        self.is_used = False

    def reverse(self, cotangents, gradients):
        self.is_used = True
        self.layer.invoke("reverse", self.tensors, self.numbers, [*cotangents, *gradients, self.place])

    def __del__(self):
        if not self.is_used:
            self.reverse([None] * len(self.layer.s.active_outputs), [None] * len(self.layer.s.active_inputs))


class Taped(torch.autograd.Function):
    """The primal with a tape, so that the first backward pass does not run it again."""

    @staticmethod
    def forward(ctx, layer, *arguments):
        primal = layer.modes["primal"]
        tensors, ctx.numbers = primal.split(arguments)
        ctx.layer = layer
        ctx.save_for_backward(*tensors)
        outputs = primal.empty(tensors, ctx.numbers)[0]
        ctx.tape = Tape(layer, [t.contiguous() for t in tensors], ctx.numbers)
        ctx.tape.record(outputs)
        ctx.mark_non_differentiable(*(o for o in outputs if not o.is_floating_point()))
        return one_or_all(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        primal = ctx.layer.modes["primal"]
        tensors = ctx.saved_tensors
        if torch.is_grad_enabled() or need_operator([g for g in gradients if g is not None]):
            return None, *primal.derivatives(tensors, ctx.numbers, gradients)
        if ctx.tape.is_used:
            # A second pass takes the same way as the first: the derivatives are the same to the last bit.
            ctx.tape = Tape(ctx.layer, [t.contiguous() for t in tensors], ctx.numbers)
            ctx.tape.record(primal.empty(tensors, ctx.numbers)[0])
        seeds = [g.contiguous() for g in primal.materialized(gradients, tensors, ctx.numbers)]
        made = [torch.empty(tensors[i].shape, dtype=tensors[i].dtype) for i in primal.active]
        ctx.tape.reverse(seeds, made)
        return placed(primal, len(tensors) + len(ctx.numbers), made)
