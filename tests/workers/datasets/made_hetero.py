"""Small sound files of every heterogeneous format, for tests to read and to spoil."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, save_npz

NT = """\
# people and what they wrote
<http://x/p1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/Person> .
<http://x/p2> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/Person> .
<http://x/b1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/Book> .

<http://x/p1> <http://x/wrote> <http://x/b1> .
<http://x/p2> <http://x/wrote> _:b2 .
_:b2 <http://x/title> "A \\"quoted\\" t\\u00EFtle"@en .
<http://x/b1> <http://x/title> "Plain"^^<http://www.w3.org/2001/XMLSchema#string> . # behind
<http://x/b1> <http://x/pages> "100"^^<http://www.w3.org/2001/XMLSchema#integer> .
_:b2 <http://x/pages> "300" .
<http://x/b1> <http://x/title> "Plain" .
"""
LABELS = {
    "all.tsv": "person\tlabel_place\nhttp://x/p1\there\nhttp://x/p2\tthere\n",
    "trainingSet.tsv": "person\tid\tlabel_place\nhttp://x/p1\t1.0\there\n",
    "testSet.tsv": "person\tid\tlabel_place\nhttp://x/p2\t2.0\tthere\n",
}
TRIPLES = {
    "train.txt": "a\tlikes\tb\nb\tlikes\t007\na\tknows\tb\n",
    "valid.txt": "007\tknows\ta\n",
    "test.txt": "b\tlikes\ta\n",
}
TYPED = {
    "nodes__paper.csv": "id,label,f0,f1,split\n10,old,1,0,train\n20,new,0,1,test\n30,,0,0,\n",
    "nodes__author.csv": "id\nann\nbob\n",
    "edges__author__wrote__paper.csv": "source,target,f0,year\nann,10,0.5,1999\nann,20,1.5,2001\nbob,30,2,2002\n",
    "edges__paper__in__venue.csv": "source,target,year\n10,KDD,1999\n20,WWW,2000\n30,KDD,2001\n",
    "edges__paper__cites__paper.csv": "source,target,year\n",
}
OGB = {
    "raw/num-node-dict.csv": "author,paper\n2,4\n",
    "raw/triplet-type-list.csv": "author,writes,paper\npaper,cites,paper\n",
    "raw/relations/author___writes___paper/edge.csv": "0,0\n0,1\n1,2\n",
    "raw/relations/paper___cites___paper/edge.csv": "0,1\n",
    "raw/node-feat/paper/node-feat.csv": "1,0.5\n0,1\n2,2\n0,0\n",
    "raw/node-label/paper/node-label.csv": "0\n1\nnan\n1\n",
    "split/time/paper/train.csv": "0\n",
    "split/time/paper/valid.csv": "1\n",
    "split/time/paper/test.csv": "3\n",
}


def write(folder: Path, files: Mapping[str, str | None]) -> None:
    """Write the files that are not None."""
    for name, content in files.items():
        if content is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())


def write_heco(folder: Path, **changed: Any) -> None:
    """Three papers, two authors, four subjects; two splits. Names with __ for a dot; None leaves a file out."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: dict[str, Any] = {
        "pa__txt": "0\t0\n1\t0\n2\t1\n",
        "ps__txt": "0\t3\n1\t0\n2\t0\n",
        "labels__npy": np.array([0.0, 1.0, 1.0]),
        "p_feat__npz": csr_matrix(np.array([[1, 0], [0, 0], [0, 2]], np.float64)),
        **{f"train_{n}__npy": np.array([0]) for n in (20, 5)},
        **{f"val_{n}__npy": np.array([1]) for n in (20, 5)},
        "test_20__npy": np.array([2]),
        "test_5__npy": np.zeros(0, np.int64),
    }
    for name, value in (parts | changed).items():
        path = folder / name.replace("__", ".")
        if isinstance(value, str | bytes):
            path.write_bytes(value.encode() if isinstance(value, str) else value)
        elif isinstance(value, np.ndarray):
            np.save(path, value)
        elif value is not None:
            save_npz(path, value)
