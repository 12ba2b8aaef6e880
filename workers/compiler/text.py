"""The IR as text, exactly: `parse_ir(print_ir(p)) == p`.

    program gat
    %0: vertex[8] = input() name="h"
    %1: edge[8] = gather_src(%0)
    %2: edge[8] = leaky_relu(%1) slope=0.2
    return out=%2

A program over two vertex sets begins `bipartite program`. Domain and shape of a leaf are those of its printed type.
"""

from __future__ import annotations

import json
import re

from workers.compiler.ir import Attr, Builder, Program, Value

_VALUE = re.compile(r"%(\d+): (\w+)\[([\d,]*)\] = (\w+)\(([^)]*)\) ?(.*)")
_ATTR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\([^)]*\)|\S+)')
_RESULT = re.compile(r"([^\s,=]+)=%(\d+)")
_TYPED = ("domain", "shape")


def print_ir(program: Program) -> str:
    """One line a value, in order; ends with a newline."""
    head = f"{'bipartite ' if program.bipartite else ''}program {program.name}"
    results = ", ".join(f"{name}=%{i}" for name, i in program.outputs)
    return "\n".join([head, *(print_value(v) for v in program.values), f"return {results}".rstrip()]) + "\n"


def print_value(value: Value) -> str:
    """`%2: edge[8] = leaky_relu(%1) slope=0.2`"""
    hidden = _TYPED if value.op in ("input", "param") else ()
    attrs = "".join(f" {name}={_print_attr(x)}" for name, x in value.attrs if name not in hidden)
    return f"%{value.id}: {value.type} = {value.op}({', '.join(f'%{a}' for a in value.args)}){attrs}"


def _print_attr(x: Attr) -> str:
    if isinstance(x, tuple):
        return f"({','.join(map(str, x))})"
    return json.dumps(x) if isinstance(x, str) else repr(x)


def parse_ir(text: str) -> Program:
    """Read what `print_ir` writes; blank lines, indentation and comments (#) are skipped. Raises ValueError."""
    lines = [line.split("  #")[0].strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    head, *body, last = lines
    *flag, word, name = head.split()
    if word != "program" or flag not in ([], ["bipartite"]) or not last.startswith("return"):
        raise ValueError("an IR text begins with `program NAME` and ends with `return NAME=%N`")
    builder = Builder(name, bipartite=bool(flag), share=False)
    for line in body:
        _parse_value(builder, line)
    return builder.build({name: int(i) for name, i in _RESULT.findall(last)})


def _parse_value(builder: Builder, line: str) -> None:
    found = _VALUE.fullmatch(line)
    if not found:
        raise ValueError(f"cannot read {line!r}; expected `%N: domain[sizes] = op(%A, %B) attr=value`")
    number, domain, sizes, op, args, attr_text = found.groups()
    attrs = {name: _parse_attr(x) for name, x in _ATTR.findall(attr_text)}
    if op in ("input", "param"):
        attrs |= {"domain": domain, "shape": _sizes(sizes)}
    got = builder.add(op, *(int(a[1:]) for a in args.split(", ") if a), **attrs)
    if got != int(number) or str(builder.type(got)) != f"{domain}[{sizes}]":
        raise ValueError(f"{line!r} is value %{got} of type {builder.type(got)}")


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in text.split(",") if n)


def _parse_attr(text: str) -> Attr:
    if text.startswith("("):
        return _sizes(text[1:-1])
    if text.startswith('"'):
        return str(json.loads(text))
    if text in ("True", "False"):
        return text == "True"
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
