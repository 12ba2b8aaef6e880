"""How files are called that hold one type or one relation each: `nodes__<type>`, `edges__<source>__<name>__<target>`.

Two underscores, which no name may hold, and what no file name may hold are written as %XX.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from workers.core.hetero import Relation

BETWEEN = "__"
PARTS = r"(?:(?!__).)+"
TABLE = r"\.(?:csv|tsv|txt|parquet|pq)"
NODES = rf"(?:nodes|vertices){BETWEEN}(?P<type>{PARTS}){TABLE}"
EDGES = rf"edges{BETWEEN}(?P<source>{PARTS}){BETWEEN}(?P<name>{PARTS}){BETWEEN}(?P<target>{PARTS}){TABLE}"


def nodes_file(node_type: str) -> str:
    return f"nodes{BETWEEN}{_written(node_type)}.csv"


def edges_file(relation: Relation) -> str:
    return f"edges{BETWEEN}{BETWEEN.join(_written(part) for part in relation)}.csv"


def relation_of(match: re.Match[str]) -> Relation:
    return Relation(*(unquote(match[part]) for part in ("source", "name", "target")))


def type_of(match: re.Match[str]) -> str:
    return unquote(match["type"])


def _written(name: str) -> str:
    written = quote(name, safe=" ()+,=@-.")
    # An underscore at either end would join those that part the words.
    return written.replace("_", "%5F") if BETWEEN in f"_{name}_" else written
