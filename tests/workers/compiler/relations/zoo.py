"""Sizes to compile the zoo's programs over relations for: small, and no powers of two."""

from __future__ import annotations

SIZES: dict[str, dict[str, int]] = {
    "rgcn": {"in": 6, "out": 5},
    "rgcn_bases": {"width": 6, "out": 5, "count": 2},
    "rgcn_blocks": {"in": 6, "out": 4, "blocks": 2},
    "rgcn_rows": {"out": 3, "count": 2},
    "rgat": {"in": 6, "out": 3, "heads": 2},
    "han": {"in": 6, "out": 3, "heads": 2},
    "hgt": {"out": 3, "heads": 2},
    "hetero_sage": {"in": 6, "out": 5},
    "simple_hgn": {"in": 6, "out": 3, "heads": 2, "kind": 2},
    "comp_gcn": {"in": 6, "out": 5},
}
