"""Merge steps into groups that one kernel computes: steps 2 and 3 of `fuse`.

Sets of values are the bits of whole numbers, so that what is asked of two groups takes one operation however large they
are; who waits for whom is kept through merges, not searched for. The work grows with the pairs that have something to
gain, of which there are a few for every step.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from workers.compiler.ir import Domain
from workers.compiler.passes.reads import Place, Reader, Reads
from workers.compiler.rows import Side, size

NEXT = 32  # steps that a step is paired with for a value that both read
EDGES_A_ROW = 16  # a usual mean degree; only the order in which merges are tried depends on it


@dataclass
class Group:
    """Steps that are one by now. Sets of values are the bits of whole numbers, so that a question about two groups is
    one operation however many there are."""

    members: int
    place: Place
    own: int
    tensors: int
    sums: int  # members that are sums over all rows, which other steps can only read as tensors
    before: int = 0  # values that must be there first, and the values that wait for this group, near and far
    behind: int = 0
    changes: int = 0

    def waits_for(self, other: Group) -> bool:
        """Whether a member reads a finished tensor of `other`."""
        return bool(self.tensors & other.members or self.own & other.sums)

    def between(self, later: Group) -> bool:
        """Whether some third step must run after this group and before `later`."""
        return bool(self.behind & (later.own | later.tensors) & ~(self.members | later.members))


@dataclass
class Groups:
    """Steps being merged. Groups are called by their first members."""

    reader: Reader
    computed: list[int]
    reads: dict[int, Reads] = field(init=False)
    groups: dict[int, Group] = field(init=False)
    _joined: dict[int, int] = field(init=False, default_factory=dict)  # groups that are part of another
    _refused: dict[tuple[int, int], tuple[int, int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.reads = {i: self.reader.reads(i) for i in self.computed}
        self.groups = {i: self._alone(i) for i in self.computed}
        for group in self.groups.values():
            for a in bits(self._read(group)):
                group.before |= self.groups[a].before | 1 << a
        for i, group in reversed(self.groups.items()):
            for a in bits(self._read(group)):
                self.groups[a].behind |= group.behind | 1 << i

    def _alone(self, i: int) -> Group:
        reads, bit = self.reads[i], 1 << i
        sums = bit if self.reader.program[i].op == "sum_rows" else 0
        return Group(bit, self.reader.place(i), mask_of(reads.own), mask_of(reads.tensors), sums)

    @cached_property
    def _all(self) -> int:
        return mask_of(self.computed)

    def _read(self, group: Group) -> int:
        """What other groups must have computed."""
        return (group.own | group.tensors) & self._all & ~group.members

    def of(self, i: int) -> int:
        """The group of a value."""
        while (further := self._joined.get(i)) is not None:
            self._joined[i] = self._joined.get(further, further)
            i = further
        return i

    # --- merging ---------------------------------------------------------------------------------------------------

    def merge(self) -> None:
        """Try pairs of steps, the greatest gain first; twice, since one merge may make way for another."""
        gains = {pair: gain for pair in self._pairs() if (gain := self._gain(*pair))}
        for a, b in 2 * sorted(gains, key=lambda pair: (-gains[pair], pair)):
            self.try_merge(self.of(a), self.of(b))

    def _pairs(self) -> set[tuple[int, int]]:
        """Steps with something to gain: one reads the other's row, or both read another one.

        Where very many read the same, each is paired with those that follow it next.
        """
        readers: dict[tuple[int, Domain, Side | None, bool], list[int]] = {}
        pairs = set[tuple[int, int]]()
        sides = {group.place.side for group in self.groups.values()}
        for i, reads in self.reads.items():
            pairs.update((a, i) for a in reads.own & self.reads.keys())
            place = self.groups[i].place
            for side in (place.side,) if place.side else sides:
                for far, read in enumerate((reads.own, reads.far)):
                    for r in read:
                        readers.setdefault((r, place.domain, side, bool(far)), []).append(i)
        for found in readers.values():
            pairs.update((a, b) for k, a in enumerate(found) for b in found[k + 1 : k + 1 + NEXT])
        return pairs

    def _gain(self, a: int, b: int) -> int:
        """Numbers a row that one kernel for both would not have to move."""
        if self.groups[a].place.with_(self.groups[b].place) is None:
            return 0
        ours, theirs = self.reads[a], self.reads[b]
        handed = ({a} & theirs.own) | ({b} & ours.own)
        once, far = self._width(ours.own & theirs.own), self._width(ours.far & theirs.far)
        return once + 2 * self._width(handed) + EDGES_A_ROW * far

    def _width(self, values: Iterable[int]) -> int:
        return sum(size(self.reader.program[i].type) for i in values)

    def try_merge(self, a: int, b: int) -> None:
        """Merge two groups where that is right; a refusal stands until one of them has changed."""
        if a == b:
            return
        one, two = self.groups[a], self.groups[b]
        changes = one.changes, two.changes
        if self._refused.get((a, b)) == changes:
            return
        place = one.place.with_(two.place)
        apart = one.waits_for(two) or two.waits_for(one) or one.between(two) or two.between(one)
        if place is None or apart:
            self._refused[a, b] = changes
        else:
            self._merge(min(a, b), max(a, b), place)

    def _merge(self, a: int, b: int, place: Place) -> None:
        one, two = self.groups[a], self.groups.pop(b)
        self._joined[b] = a
        members, before, behind = one.members | two.members, one.before | two.before, one.behind | two.behind
        for near, far in ((one, two), (two, one)):  # who waited for only one of them waits for both
            self._tell(near.before & ~far.before & ~members, behind=members | behind)
            self._tell(near.behind & ~far.behind & ~members, before=members | before)
        sums, tensors = one.sums | two.sums, one.tensors | two.tensors
        self.groups[a] = Group(
            members, place, one.own | two.own, tensors, sums, before & ~members, behind & ~members, one.changes + 1
        )

    def _tell(self, values: int, *, before: int = 0, behind: int = 0) -> None:
        """Add to what the groups of `values` wait for and to what waits for them."""
        while values:
            group = self.groups[self.of(_last(values))]
            group.before |= before
            group.behind |= behind
            values &= ~group.members

    # --- order -----------------------------------------------------------------------------------------------------

    def ordered(self) -> Iterator[int]:
        """Groups with readers after what they read, gradients of weights first, otherwise in program order."""
        waiting = {g: {self.of(a) for a in bits(self._read(group))} for g, group in self.groups.items()}
        readers: dict[int, list[int]] = {g: [] for g in self.groups}
        for g, read in waiting.items():
            for a in read:
                readers[a].append(g)
        ready = [(self._holds(g), g) for g, read in waiting.items() if not read]
        heapq.heapify(ready)
        while ready:
            _, g = heapq.heappop(ready)
            yield g
            for reader in readers[g]:
                waiting[reader].remove(g)
                if not waiting[reader]:
                    heapq.heappush(ready, (self._holds(reader), reader))

    def _holds(self, g: int) -> bool:
        """Whether running a step early makes more memory wait: a weight's gradient is small, what it reads is large."""
        return self.reader.program[g].op != "weight_grad"


def mask_of(values: Iterable[int]) -> int:
    """A set as the bits of a number."""
    out = 0
    for i in values:
        out |= 1 << i
    return out


def _last(mask: int) -> int:
    return mask.bit_length() - 1


def bits(mask: int) -> Iterator[int]:
    """The members of a set of bits, the last one first."""
    while mask:
        i = _last(mask)
        yield i
        mask ^= 1 << i
