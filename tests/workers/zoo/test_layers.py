"""The layer table holds together: a row that is incomplete or contradicts itself fails here."""

from __future__ import annotations

import pytest

from workers.core.model import Node
from workers.zoo.check_params import check_params
from workers.zoo.layers import LAYERS
from workers.zoo.signature import Layer, Param, Port, Sizes

rows = pytest.mark.parametrize("layer", LAYERS.values(), ids=list(LAYERS))


@rows
def test_a_row_says_what_the_layer_does_and_how_to_find_it(layer: Layer) -> None:
    assert all((layer.title, layer.doc.endswith("."), layer.formula, layer.tags))


@rows
def test_every_port_and_setting_is_documented(layer: Layer) -> None:
    parts: list[Port | Param] = [*layer.inputs, *layer.outputs, *layer.params]
    assert [part for part in parts if not part.doc.endswith(".")] == []


@rows
def test_port_and_setting_names_are_unique(layer: Layer) -> None:
    for names in ([p.name for p in layer.inputs], [p.name for p in layer.outputs], [p.name for p in layer.params]):
        assert len(set(names)) == len(names)


@rows
def test_defaults_are_settings_the_layer_takes(layer: Layer) -> None:
    node = Node(id="n", type=layer.type, params={p.name: p.default for p in layer.params})
    assert list(check_params(node, layer)) == []


@rows
def test_bounds_are_kept_at_the_bound_and_refused_beyond_it(layer: Layer) -> None:
    for param in layer.params:
        for bound, step in ((param.minimum, -1), (param.maximum, 1)):
            if bound is not None:
                assert _codes(layer, param, bound) == []
                assert _codes(layer, param, bound + step) == ["param.range"]


def _codes(layer: Layer, param: Param, value: float) -> list[str]:
    node = Node(id="n", type=layer.type, params={param.name: int(value) if param.type == "int" else value})
    return [p.code for p in check_params(node, layer)]


@rows
def test_the_schema_of_a_setting_carries_type_default_and_text(layer: Layer) -> None:
    for param in layer.params:
        schema = param.schema()
        assert {"type", "default", "description"} <= schema.keys()
        assert schema.get("x-dim", False) == param.size


def test_zero_stands_for_the_number_of_classes_where_a_layer_says_so() -> None:
    gcn = LAYERS["gcn"]
    assert gcn.settings({"out_features": 0}, Sizes(classes=7))["out_features"] == 7
    assert gcn.settings({"out_features": 0}, Sizes())["out_features"] == "C"
    assert gcn.settings({"out_features": 5}, Sizes(classes=7))["out_features"] == 5
