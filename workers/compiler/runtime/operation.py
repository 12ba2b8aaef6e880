"""A compiled program as operations of torch, which torch.compile and torch.export take as they are.

Every variant is one operation forward and one backward in the namespace `asterism`, named by content, so that the same
program has the same name in every process; defined on first use and kept for the life of the process, as its kernels
are. A graph travels as its two edge tensors and two counts, never as a handle: nothing can dangle or leak, and an
exported program holds all it needs. Results are the program's outputs, then what the backward pass reads.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from workers.compiler.ir import Domain
from workers.compiler.maps import is_typed
from workers.compiler.rows import root
from workers.compiler.runtime.autograd import Variant
from workers.compiler.runtime.executor import Call, Executor
from workers.compiler.runtime.known_graphs import graph_of

NAMESPACE = "asterism"
GRAPH = "Tensor src, Tensor dst, SymInt n_src, SymInt n_dst, Tensor seed, bool training"
STITCHED = f"{GRAPH}, Tensor type_ptr, Tensor rel_ptr, SymInt senders, SymInt receivers"
"""A graph of several relations; the last two, which its edges fix, let torch know sizes before it runs anything."""
ARGUMENTS = {GRAPH: 6, STITCHED: 10}


def define_operation(variant: Variant, content: str) -> str:
    """Name of the forward operation of `variant`; `content` is all that decides what it computes."""
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    name = f"{re.sub(r'[^A-Za-z0-9]+', '_', variant.name)}_{digest}"
    if not hasattr(getattr(torch.ops, NAMESPACE), name):
        _define(variant, f"{NAMESPACE}::{name}")
    return name


def call_operation(name: str, given: Sequence[Any]) -> tuple[Tensor, ...]:
    """Results of an operation from a graph, as `GRAPH` or `STITCHED` say, and the leaves in order."""
    found = getattr(torch.ops.asterism, name)(*given)
    return (found,) if isinstance(found, Tensor) else found


def _graph_arguments(variant: Variant) -> str:
    return STITCHED if is_typed(variant.program) else GRAPH


def _called(src: Tensor, dst: Tensor, n_src: int, n_dst: int, seed: Tensor, training: bool, *typed: Any) -> Call:
    return Call(graph_of(src, dst, n_src, n_dst, *typed[:2]), training, int(seed))


def rows_of_arguments(src: Tensor, _dst: Tensor, n_src: int, n_dst: int, *rest: Any) -> dict[Domain, int]:
    """Rows of each domain, from the arguments that are a graph."""
    rows = {Domain.SRC: n_src, Domain.DST: n_dst, Domain.VERTEX: n_dst, Domain.EDGE: src.shape[0]}
    for type_ptr, rel_ptr, senders, receivers in [rest[2:]] if len(rest) > 2 else []:
        rows |= {Domain.TYPE: type_ptr.shape[0] - 1, Domain.RELATION: rel_ptr.shape[0] - 1}
        rows |= {Domain.SENDER: senders, Domain.RECEIVER: receivers}
    return rows


def _define(variant: Variant, name: str) -> None:
    results, n = (*variant.outputs, *variant.kept_apart), ARGUMENTS[_graph_arguments(variant)]

    def forward(*given: Any) -> Any:
        return _run(variant.forward, _called(*given[:n]), variant.leaves, given[n:], results)

    found = _registered(name, forward, variant, variant.forward, len(variant.leaves), results)
    if variant.backward is not None and variant.gradients:
        _differentiable(variant, name, found)


def _differentiable(variant: Variant, name: str, forward: Any) -> None:
    executor, gradients = variant.backward, tuple(variant.gradients.values())
    assert executor is not None
    read, n = (*variant.saved, *variant.seeds), ARGUMENTS[_graph_arguments(variant)]

    def backward(*given: Any) -> Any:
        return _run(executor, _called(*given[:n]), read, given[n:], gradients)

    _registered(f"{name}_backward", backward, variant, executor, len(read), gradients)
    derivative = f"{name.removeprefix(f'{NAMESPACE}::')}_backward"
    program, extra = variant.forward.schedule.program, variant.kept_apart

    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor | tuple[Tensor, ...]) -> None:
        graph = inputs[:n]
        ctx.numbers = [None if isinstance(x, Tensor) else x for x in graph]
        results = (output,) if isinstance(output, Tensor) else output
        places = (*(root(program, i) for i in variant.outputs), *extra)
        by_id = dict(zip(places, results, strict=True)) | dict(zip(variant.leaves, inputs[n:], strict=True))
        ctx.save_for_backward(*(x for x in graph if isinstance(x, Tensor)), *(by_id[i] for i in variant.saved))

    def differentiate(ctx: Any, *seeds: Tensor) -> tuple[Tensor | None, ...]:
        tensors = iter(ctx.saved_tensors)
        graph = [next(tensors) if x is None else x for x in ctx.numbers]
        found = call_operation(derivative, (*graph, *tensors, *seeds[: len(variant.outputs)]))
        by_place = dict(zip(variant.gradients, found, strict=True))
        return (*[None] * n, *(by_place.get(k) for k in range(len(variant.leaves))))

    forward.register_autograd(differentiate, setup_context=keep)


def _registered(
    name: str, run: Callable[..., Any], variant: Variant, executor: Executor, operands: int, results: Sequence[int]
) -> Any:
    """An operation of a graph and `operands` tensors that gives the values `results` of the executor's program."""
    graph = _graph_arguments(variant)
    given = "".join(f", Tensor x{k}" for k in range(operands))
    schema = f"({graph}{given}) -> ({', '.join(['Tensor'] * len(results))})"
    found = torch.library.custom_op(name, run, mutates_args=(), schema=schema)
    program = executor.schedule.program

    def shapes(*given: Any) -> Any:
        n = ARGUMENTS[graph]
        like, rows = given[n] if len(given) > n else given[0], rows_of_arguments(*given[:n])
        types = [(program[i].type, executor.stored(root(program, i))) for i in results]
        leads = [() if t.domain is Domain.PARAM else (rows[t.domain],) for t, _ in types]
        made = [like.new_empty((*lead, *t.shape), dtype=dtype) for lead, (t, dtype) in zip(leads, types, strict=True)]
        return made[0] if len(made) == 1 else tuple(made)

    found.register_fake(shapes)
    return found


def _run(
    executor: Executor, call: Call, ids: Sequence[int], given: Sequence[Tensor], results: Sequence[int]
) -> Tensor | tuple[Tensor, ...]:
    """Results that share memory neither with an argument nor with each other, as torch asks of operations."""
    tensors = dict(zip(ids, (x.detach().contiguous() for x in given), strict=True))
    seen = {x.untyped_storage().data_ptr() for x in tensors.values()}
    tensors |= executor.run(call, dict(tensors))
    out = []
    for i in results:
        x = executor.shaped(i, call, tensors)
        place = x.untyped_storage().data_ptr()
        out.append(x.clone() if place in seen else x)
        seen.add(place)
    return out[0] if len(out) == 1 else tuple(out)
