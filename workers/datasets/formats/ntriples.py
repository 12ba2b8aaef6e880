"""N-Triples: resources are vertices, predicates are relations; tables beside it say who is labelled and who trains.

Resources are all of one type, as R-GCN takes them, or of the class they are said to be of (the one of theirs that most
resources share). Literals are vertices, features of what they describe, or left out. Names are shortened to what
follows the last # or / where that tells them apart.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from workers.core.hetero import Floats, Ids, Relation
from workers.datasets.checks import Check
from workers.datasets.errors import MissingPart
from workers.datasets.files import Files, plain_name
from workers.datasets.formats import rdf_labels
from workers.datasets.formats.literal_features import Described
from workers.datasets.formats.ntriples_lines import is_blank, is_literal, shown, triples
from workers.datasets.hetero_reading import Edges, HeteroRaw, finish, short_names
from workers.datasets.known import NTRIPLES
from workers.datasets.limits import no_more_than
from workers.datasets.options import ImportOptions
from workers.datasets.reading import Reading, Tick

RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
ONE, UNTOLD, LITERAL = "entity", "resource", "literal"
BATCH = 20_000


@dataclass
class Graph:
    """Terms numbered as they come; statements between them as three columns."""

    terms: dict[str, int] = field(default_factory=dict)
    predicates: dict[str, int] = field(default_factory=dict)
    subject: array[int] = field(default_factory=lambda: array("q"))
    predicate: array[int] = field(default_factory=lambda: array("q"))
    object: array[int] = field(default_factory=lambda: array("q"))
    described: Described = field(default_factory=Described)

    def columns(self) -> tuple[Ids, Ids, Ids]:
        one, two, three = (np.array(column, np.int64) for column in (self.subject, self.predicate, self.object))
        return one, two, three


def read(files: Files, options: ImportOptions, tick: Tick) -> Reading:
    names = [name for name, _ in files.matching(NTRIPLES)]
    if not names:
        raise MissingPart("there is no .nt file", "Send N-Triples as <name>.nt or <name>.nt.gz.")
    graph = Graph()
    for name in names:
        _take(graph, files, name, options, tick)
    if not graph.subject:
        raise MissingPart("holds no statement", "Send a file with at least one triple.", file=names[0])
    terms = list(graph.terms)
    kind, types = _types(graph, terms, options)
    labels = rdf_labels.read(files, graph.terms, options, tick)
    order = np.argsort(kind, kind="stable")
    place = np.empty(len(kind), np.int64)
    starts = np.searchsorted(kind[order], np.arange(len(types)))
    place[order] = np.arange(len(order)) - starts[kind[order]]
    target = labels.target(kind, place, types) if labels else None
    title = plain_name(names[0]).rsplit(".", 1)[0]
    raw = HeteroRaw(
        title,
        {t: int((kind == k).sum()) for k, t in enumerate(types)},
        _edges(graph, kind, place, types),
        source=f"N-Triples {', '.join(plain_name(name) for name in names)}",
        features=_features(graph, kind, place, types),
        names={t: [shown(terms[v])[:300] for v in order[kind[order] == k]] for k, t in enumerate(types)},
        target=target.name if target else None,
        y=target.y if target else None,
        classes=target.classes if target else (),
        split=target.split if target else None,
        usual="random",
        inverse=True,
        notes=_notes(graph, terms),
        checks=labels.checks if labels else (Check(name="Labels", state="note", detail="no table names labels"),),
    )
    return finish(raw, options, files.limits, names[0])


def _take(graph: Graph, files: Files, name: str, options: ImportOptions, tick: Tick) -> None:
    """Number the terms of a file and keep its statements; literals as the options say."""
    done = 0
    for done, triple in enumerate(triples(files, name), start=1):
        if is_literal(triple.object) and options.literals != "vertices":
            if options.literals == "features":
                subject = graph.terms.setdefault(triple.subject, len(graph.terms))
                graph.described.add(subject, triple.predicate, triple.object)
            continue
        graph.subject.append(graph.terms.setdefault(triple.subject, len(graph.terms)))
        graph.predicate.append(graph.predicates.setdefault(triple.predicate, len(graph.predicates)))
        graph.object.append(graph.terms.setdefault(triple.object, len(graph.terms)))
        if done % BATCH == 0:
            no_more_than(len(graph.subject), files.limits.arcs, "statements", name)
            no_more_than(len(graph.terms), files.limits.vertices, "resources", name)
            tick(done, None, "statements")
    tick(done, done, "statements")


def _types(graph: Graph, terms: list[str], options: ImportOptions) -> tuple[Ids, list[str]]:
    """The type of each term, by number, and what types are called."""
    if options.resource_types == "one":
        return np.zeros(len(terms), np.int64), [ONE]
    subject, predicate, object_ = graph.columns()
    says = predicate == graph.predicates.get(RDF_TYPE, -1)
    frequent = Counter(object_[says].tolist())
    chosen: dict[int, int] = {}
    for v, c in zip(subject[says].tolist(), object_[says].tolist(), strict=True):
        best = chosen.get(v)
        if best is None or (frequent[c], terms[best]) > (frequent[best], terms[c]):
            chosen[v] = c
    classes = sorted(set(chosen.values()), key=lambda c: (-frequent[c], terms[c]))
    called = _apart(short_names([shown(terms[c]) for c in classes]))
    literal = any(is_literal(term) for term in terms)
    types = [*called, UNTOLD, *([LITERAL] if literal else [])]
    number = {c: k for k, c in enumerate(classes)}
    kind = [
        len(classes) + 1 if is_literal(term) else number[chosen[v]] if v in chosen else len(classes)
        for v, term in enumerate(terms)
    ]
    return np.array(kind, np.int64), types


def _apart(names: list[str]) -> list[str]:
    """Classes that are called as our own two types are."""
    return [f"{name} (class)" if name in (UNTOLD, LITERAL) else name for name in names]


def _edges(graph: Graph, kind: Ids, place: Ids, types: list[str]) -> dict[Relation, Edges]:
    """One relation for each predicate and pair of types it joins, in the order predicates come."""
    subject, predicate, object_ = graph.columns()
    called = short_names([shown(p) for p in graph.predicates])
    key = (predicate * len(types) + kind[subject]) * len(types) + kind[object_]
    order = np.argsort(key, kind="stable")
    found, starts = np.unique(key[order], return_index=True)
    ends = [*starts[1:].tolist(), len(order)]
    edges = {}
    for value, begin, end in zip(found.tolist(), starts.tolist(), ends, strict=True):
        rest, b = divmod(value, len(types))
        p, a = divmod(rest, len(types))
        at = order[begin:end]
        edges[Relation(types[a], called[p], types[b])] = Edges(place[subject[at]], place[object_[at]])
    return edges


def _features(graph: Graph, kind: Ids, place: Ids, types: list[str]) -> dict[str, Floats]:
    """What literals say of each type's vertices, where they were asked for as features."""
    found = {}
    for k, name in enumerate(types):
        members = np.flatnonzero(kind == k)
        x = graph.described.table(members, place, len(members))
        if x is not None:
            found[name] = x
    return found


def _notes(graph: Graph, terms: list[str]) -> tuple[str, ...]:
    literals, blanks = sum(map(is_literal, terms)), sum(map(is_blank, terms))
    counted = f"{len(graph.predicates):,} predicates; {literals:,} literals and {blanks:,} blank nodes among vertices."
    return (counted, *graph.described.notes())
