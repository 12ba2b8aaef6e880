"""The tables of the workers as catalogues."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache

from backend.catalog.schemas import (
    LayerItem,
    LayerList,
    LayerNeeds,
    LayerPort,
    LayerWidth,
    OpItem,
    OpList,
    SystemItem,
    SystemList,
    WordItem,
)
from workers.catalog import systems
from workers.compiler.ops import OPS
from workers.compiler.ops_page import EXAMPLES, FUNCTIONS, WORDS
from workers.zoo.layers import LAYERS
from workers.zoo.reading import zoo_source
from workers.zoo.shapes import Rule
from workers.zoo.signature import Layer, Port


def all_systems() -> SystemList:
    """Every kind of job, with the JSON schemas of what it takes and gives."""
    items = [
        SystemItem(
            kind=s.kind,
            title=s.title,
            description=s.description,
            devices=list(s.devices),
            spec_schema=s.spec.model_json_schema(),
            result_schema=s.result.model_json_schema(mode="serialization"),
        )
        for s in systems().values()
    ]
    return SystemList(items=items)


@lru_cache(maxsize=1)
def all_ops() -> OpList:
    items = [
        OpItem(
            name=o.name,
            group=o.group,
            operands=list(o.operands),
            variadic=o.variadic,
            public=o.public,
            doc=o.doc,
            rule=o.rule,
            example=EXAMPLES.get(o.name),
        )
        for o in OPS.values()
    ]
    words = [WordItem(word=word, doc=doc, example=example) for word, (doc, example) in (FUNCTIONS | WORDS).items()]
    return OpList(items=items, words=words)


@lru_cache(maxsize=1)
def all_layers() -> LayerList:
    return LayerList(items=[_layer(layer) for layer in LAYERS.values()])


def _layer(layer: Layer) -> LayerItem:
    needs = layer.preparation
    name = layer.program.name if layer.program else None
    return LayerItem(
        type=layer.type,
        title=layer.title,
        group=layer.group,
        doc=layer.doc,
        formula=layer.formula,
        tags=list(layer.tags),
        inputs=[_port(p) for p in layer.inputs],
        outputs=[_port(p) for p in layer.outputs],
        params={p.name: p.schema() for p in layer.params},
        open_params=layer.open_params,
        needs=LayerNeeds(self_loops=needs.self_loops, norm=needs.norm),
        widths=_widths(layer),
        program=name or None,
        program_source=zoo_source(name) if name else None,
    )


def _widths(layer: Layer) -> dict[str, LayerWidth] | None:
    """The layer's rule where it is data: a model's own program has to be read."""
    rule = layer.infer
    return {p: LayerWidth(**asdict(w)) for p, w in rule.widths.items()} if isinstance(rule, Rule) else None


def _port(port: Port) -> LayerPort:
    return LayerPort(
        name=port.name, kind=port.kind, doc=port.doc, expects=port.expects, optional=port.optional, many=port.many
    )
