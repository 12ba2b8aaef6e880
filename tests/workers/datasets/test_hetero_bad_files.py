"""Everything that can be wrong with heterogeneous files: file, row and remedy are named, nothing comes of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workers.datasets.made import read_hetero
from tests.workers.datasets.made_hetero import LABELS, NT, OGB, TRIPLES, TYPED, write, write_heco
from tests.workers.datasets.test_bad_files import refused
from workers.datasets.errors import BadFile, BadValue, DatasetError, ForbiddenPickle, MissingPart, TooLarge
from workers.datasets.files import Files
from workers.datasets.formats import ntriples_lines
from workers.datasets.limits import Limits

Spoil = Callable[[Path], None]
S, P = "<http://x/a>", "<http://x/to>"


def nt(line: str) -> Spoil:
    """Two sound lines, then this one as the third."""
    return lambda folder: write(folder, {"g.nt": f"{S} {P} {S} .\n# \n{line}\n"})


def rdf(**changed: str) -> Spoil:
    return lambda folder: write(folder, {"g.nt": NT} | LABELS | {k.replace("__", "."): v for k, v in changed.items()})


def some(sound: dict[str, str], **changed: str | None) -> Spoil:
    """The sound files, some replaced or left out: parts of a name joined by ___ stand for themselves."""

    def spoil(folder: Path) -> None:
        byname = {name.replace("/", "_").replace(".", "_").replace(" ", "_"): name for name in sound}
        write(folder, sound | {byname[key]: value for key, value in changed.items()})

    return spoil


def heco(**changed: Any) -> Spoil:
    return lambda folder: write_heco(folder, **changed)


def pt(content: Any) -> Spoil:
    def spoil(folder: Path) -> None:
        torch = pytest.importorskip("torch")
        if isinstance(content, bytes):
            (folder / "g.pt").write_bytes(content)
        else:
            torch.save(content(torch), folder / "g.pt")

    return spoil


def graph(torch: Any, **changed: Any) -> dict[Any, Any]:
    """A sound to_dict() of a HeteroData, its stores changed by name."""
    paper = {"x": torch.eye(3), "y": torch.tensor([0, 1, 0])}
    edges = {"edge_index": torch.tensor([[0, 1], [2, 0]])}
    return {"_global_store": {}, "paper": paper | changed, ("paper", "to", "paper"): edges}


class Evil:
    def __reduce__(self) -> Any:
        return (print, ("run",))


@pytest.mark.parametrize(("spoil", "kind", "place", "message"), [
    (nt("\"text\" <http://x/to> <http://x/b> ."), BadValue, "g.nt, row 3", "the subject is no <IRI>"),
    (nt(f"{S} _:b {S} ."), BadValue, "g.nt, row 3", "the predicate is no <IRI>"),
    (nt(f"{S} {P} \"open ."), BadValue, "g.nt, row 3", "the object is no <IRI>"),
    (nt(f"{S} {P} \"bad \\q\" ."), BadValue, "g.nt, row 3", "the object is no <IRI>"),
    (nt(f"{S} {P} {S}"), BadValue, "g.nt, row 3", "the full stop at its end is missing"),
    (nt(f"{S} {P} {S} . {S}"), BadValue, "g.nt, row 3", "something stands behind its full stop"),
    (nt(f"{S} {P} \"\\uD800\" ."), BadValue, "g.nt, row 3", "escapes what is no character"),
    (nt(f"{S} {P} \"\\UFFFFFFFF\" ."), BadValue, "g.nt, row 3", "escapes what is no character"),
    (nt("<http://x/a b> <http://x/to> <http://x/b> ."), BadValue, "g.nt, row 3", "the subject is no <IRI>"),
    (lambda f: write(f, {"g.nt": "# nothing\n\n"}), MissingPart, "g.nt", "holds no statement"),
    (lambda f: write(f, {"g.nt": ""}), BadFile, "g.nt", "is empty"),
    (lambda f: (f / "g.nt").write_bytes(b"<http://x/a> <http://x/b> \"\xff\" .\n"), BadFile, "g.nt, row 1", "UTF-8"),
    (rdf(all__tsv="person\tlabel\nhttp://x/none\tx\n"), MissingPart, "all.tsv", "no column names resources"),
    (rdf(testSet__tsv="person\tlabel\nhttp://x/p2\tplace\n"), BadValue, "row 2", "is labelled"),
    (rdf(testSet__tsv="person\tlabel\nhttp://x/p1\there\n"), BadValue, "row 2", "elsewhere"),
    (rdf(testSet__tsv="person\tcity\nhttp://x/p1\there\n"), MissingPart, "testSet.tsv", "has no column for labels"),
    (some(TRIPLES, train_txt=None), MissingPart, "", "cannot tell which file"),
    (some(TRIPLES, valid_txt="a\tb\n"), BadFile, "valid.txt, row 1", "has 2 columns"),
    (some(TRIPLES, test_txt="a\tlikes\tb\na\t\tb\n"), BadValue, "test.txt, row 2", "a cell is empty"),
    (some(TRIPLES, test_txt="a\tlikes\tb\na\tlikes\tb\tc\n"), BadFile, "test.txt, row 2", "4 cells"),
    (heco(pa__txt="0\t0\n1\tx\n"), BadValue, "pa.txt, row 2", "not a whole number"),
    (heco(pa__txt="0\t0\n1\t-1\n"), BadValue, "pa.txt, row 2", "vertex id -1 is negative"),
    (heco(pa__txt="0\t0\n3\t1\n"), BadValue, "pa.txt", "vertex id 3 is outside 0 to 2"),
    (heco(pa__txt="0\t0\t1\n"), BadFile, "pa.txt, row 1", "has 3 columns"),
    (heco(labels__npy=np.array([0, 1.5, 1])), BadValue, "labels.npy, row 2", "1.5 is not a whole number"),
    (heco(labels__npy=np.array([0, -3, 1])), BadValue, "labels.npy, row 2", "label -3 is no class"),
    (heco(labels__npy=np.zeros((2, 2))), BadFile, "labels.npy", "is not a list of numbers"),
    (heco(labels__npy=b"nothing"), BadFile, "labels.npy", "is no .npy file"),
    (heco(labels__npy=pickle.dumps([1])), BadFile, "labels.npy", "is no .npy file"),
    (heco(p_feat__npz=b"nothing"), BadFile, "p_feat.npz", "is not a whole .npz file"),
    (heco(train_5__npy=np.array([7])), BadValue, "train_5.npy", "vertex id 7 is outside 0 to 2"),
    (some(TYPED, nodes__paper_csv="id,label\n10,a\n10,b\n"), BadValue, "nodes__paper.csv, row 3", "is there twice"),
    (some(TYPED, nodes__author_csv="id,label\nann,x\nbob,y\n"), BadValue, "", "several types have labels: "),
    (some(TYPED, edges__author__wrote__paper_csv="source,target\nann,10\neve,10\n"), BadValue,
     "edges__author__wrote__paper.csv, row 3", "vertex id eve in column 'source' is not in nodes__author.csv"),
    (some(TYPED, edges__paper__in__venue_csv="source,target,year\n10,KDD,soon\n"), BadValue, "row 2", "is not a whole"),
    (some(TYPED, edges__paper__in__venue_csv="source,target\n10,\n"), BadValue, "row 2", "an empty cell in column"),
    (some(TYPED, edges__paper__in__venue_csv="source,target,split\n10,KDD,often\n"), BadValue, "row 2", "'often'"),
    (some(TYPED, edges__paper__in__venue_csv="source,target,f0\n10,KDD,nan\n"), BadValue, "row 2", "is not a finite"),
    (lambda f: write(f, OGB | {"raw/num-node-dict.csv": "author,paper\n2,x\n"}), BadValue, "row 2", "whole number"),
    (lambda f: write(f, OGB | {"raw/num-node-dict.csv": "paper\n4\n"}), MissingPart, "edge.csv", "joins 'author'"),
    (lambda f: write(f, OGB | {"raw/relations/paper___cites___paper/edge.csv": "0,1\n0,9\n"}), BadValue,
     "raw/relations/paper___cites___paper/edge.csv, row 2", "vertex id 9 is outside 0 to 3"),
    (lambda f: write(f, OGB | {"raw/node-feat/paper/node-feat.csv": "1,2\n"}), BadFile, "node-feat.csv", "1 rows of"),
    (lambda f: write(f, OGB | {"raw/node-label/paper/node-label.csv": "0\nx\n0\n0\n"}), BadValue, "row 2", "'x' is no"),
    (lambda f: write(f, OGB | {"split/time/paper/test.csv": "4\n"}), BadValue, "test.csv, row 1", "vertex id 4"),
    (pt(b""), BadFile, "g.pt", "is empty"),
    (pt(b"nothing at all"), BadFile, "g.pt", ""),
    (pt(lambda torch: Evil()), ForbiddenPickle, "g.pt", "print"),
    (pt(lambda torch: [1, 2]), BadFile, "g.pt", "holds a list"),
    (pt(lambda torch: {"x": torch.eye(2)}), MissingPart, "g.pt", "holds no heterogeneous graph"),
    (pt(lambda torch: graph(torch, y=torch.tensor([0, 1]))), BadFile, "g.pt, paper", "2 labels for 3 vertices"),
    (pt(lambda torch: graph(torch, y=torch.tensor([0.0, 0.5, 1]))), BadValue, "paper",
     "label 0.5 is no class"),
    (pt(lambda torch: graph(torch, x=torch.full((3, 1), float("nan")))), BadValue, "paper", "NaN or infinite"),
    (pt(lambda torch: graph(torch, x=torch.eye(2), y=torch.zeros(0))), BadFile, "paper", "labels for"),
    (lambda f: (f / "g.bin").write_bytes(b"nothing at all, at all"), DatasetError, "g.bin", ""),
])  # fmt: skip
def test_what_is_wrong_is_named(
    tmp_path: Path, spoil: Spoil, kind: type[DatasetError], place: str, message: str
) -> None:
    spoil(tmp_path)
    error = refused(tmp_path)
    assert isinstance(error, kind), error
    assert place in str(error)
    assert message in str(error)


@pytest.mark.parametrize(("limits", "message"), [
    (Limits(vertices=3), "vertices"), (Limits(arcs=2), "edges"), (Limits(relations=1), "relations"),
    (Limits(types=2), "types of vertices"),
])  # fmt: skip
def test_limits_are_kept_to(tmp_path: Path, limits: Limits, message: str) -> None:
    write(tmp_path, TYPED)
    with pytest.raises(TooLarge, match=message):
        read_hetero(tmp_path, limits)


def test_a_split_that_is_not_there_lists_those_that_are(tmp_path: Path) -> None:
    write_heco(tmp_path)
    assert "there are 5, 20" in str(refused(tmp_path, given_split="60"))


def test_labels_of_several_types_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"g.nt": NT, "all.tsv": "r\tlabel\nhttp://x/p1\ta\nhttp://x/b1\tb\n"})
    assert "resources of one type" in str(refused(tmp_path, resource_types="class"))


@given(st.text(alphabet='<>_:"\\.#@^ abu0\t', max_size=40))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_line_is_read_or_refused_with_its_row(tmp_path: Path, line: str) -> None:
    (tmp_path / "g.nt").write_text(f"{S} {P} {S} .\n{line}\n")
    row = None
    try:
        found = len(list(ntriples_lines.triples(Files.under(tmp_path), "g.nt")))
    except BadValue as error:
        found, row = 1, error.row
    assert (found, row) in ((1, None), (2, None), (1, 2))
