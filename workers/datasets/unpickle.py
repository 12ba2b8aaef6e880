"""A closed unpickler: plain containers, numbers, numpy arrays and SciPy CSR matrices; nothing else is looked up.

1. The pickle's instructions are read without running them; a name or an instruction outside the tables ends it there.
2. Then it is loaded, and names resolve to the stand-ins below alone: arrays and matrices become holders of their parts.
3. Arrays are made from the parts, whose bytes must be there. So no code of the pickle's choosing runs, not even
   numpy's, and no size that it only claims is allocated.
"""

from __future__ import annotations

import collections
import io
import pickle
import pickletools
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.datasets.errors import BadFile, ForbiddenPickle

REMEDY = "Only arrays, CSR matrices, lists and dicts are read from pickles; save the data as .npz or CSV instead."
NUMBERS = re.compile(r"[|<>=]?([biuf])([1248])")


class _Sealed(type):
    """A class whose attributes a pickle cannot set."""

    def __setattr__(cls, name: str, value: Any) -> None:
        raise pickle.UnpicklingError("it changes a class")


class PickledCsr(metaclass=_Sealed):
    """A CSR matrix as its parts, not yet checked against each other."""

    shape: tuple[int, int]
    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: NDArray[Any]

    def __setstate__(self, state: dict[str, Any]) -> None:
        rows, columns = state.get("_shape", state.get("shape", (None, None)))
        self.shape = (int(rows), int(columns))
        self.data, self.indices, self.indptr = (state[part].array() for part in ("data", "indices", "indptr"))


class PickledType(metaclass=_Sealed):
    """The type of an array's numbers: booleans, integers and floats of up to 8 bytes."""

    def __init__(self, code: str, *_copying: Any) -> None:
        found = NUMBERS.fullmatch(code)
        if not found:
            raise ForbiddenPickle(f"the pickle holds an array of type {code!r}, which is not a number", REMEDY)
        self.kind, self.order = found[1] + found[2], "<"

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.order = ">" if state[1] == ">" else "<"


class PickledArray(metaclass=_Sealed):
    """An array as its parts: shape, type, order and bytes."""

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _version, self.shape, self.type, self.column_major, self.content = state

    def array(self) -> NDArray[Any]:
        raw = self.content.encode("latin1") if isinstance(self.content, str) else self.content
        flat = np.frombuffer(raw, np.dtype(self.type.order + self.type.kind))
        return flat.reshape(self.shape, order="F" if self.column_major else "C")


def _reconstruct_array(_subtype: Any, _shape: Any, _typecode: Any) -> PickledArray:
    return PickledArray()


def _reconstruct_object(cls: Any, _base: Any, _state: Any) -> Any:
    return cls.__new__(cls)


def _array_from_buffer(content: bytes, number_type: PickledType, shape: Any, order: str) -> PickledArray:
    """As protocol 5 has it."""
    array = PickledArray()
    array.__setstate__((1, shape, number_type, order == "F", bytes(content)))
    return array


def _text_to_bytes(text: str, encoding: str) -> bytes:
    """As protocols before 3 have bytes."""
    if encoding != "latin1":
        raise ForbiddenPickle(f"the pickle asks for the encoding {encoding!r}", REMEDY)
    return text.encode("latin1")


def _scalar(number_type: PickledType, content: Any) -> Any:
    raw = content.encode("latin1") if isinstance(content, str) else content
    return np.frombuffer(raw, np.dtype(number_type.order + number_type.kind))[0].item()


STAND_INS: dict[str, Any] = {
    **{f"numpy.{core}.multiarray._reconstruct": _reconstruct_array for core in ("core", "_core")},
    **{f"numpy.{core}.multiarray.scalar": _scalar for core in ("core", "_core")},
    **{f"scipy.sparse.{module}.csr_matrix": PickledCsr for module in ("csr", "_csr")},
    **{f"{module}._reconstructor": _reconstruct_object for module in ("copy_reg", "copyreg")},
    **{f"{module}.{name}": kind for module in ("__builtin__", "builtins")
       for name, kind in (("list", list), ("dict", dict), ("object", object))},
    **{f"numpy.{core}.numeric._frombuffer": _array_from_buffer for core in ("core", "_core")},
    "_codecs.encode": _text_to_bytes,
    "numpy.ndarray": PickledArray,
    "numpy.dtype": PickledType,
    "collections.defaultdict": collections.defaultdict,
    "collections.OrderedDict": collections.OrderedDict,
}  # fmt: skip
FORBIDDEN_OPCODES = frozenset(
    {"PERSID", "BINPERSID", "EXT1", "EXT2", "EXT4", "INST", "OBJ", "NEXT_BUFFER", "READONLY_BUFFER"}
)


def load(content: bytes, file: str) -> Any:
    """The object in a pickle of protocol 0 to 5 (strings of Python 2 read as Latin-1): array, PickledCsr, dict ...

    ForbiddenPickle when it asks for anything outside the table; BadFile when it is damaged.
    """
    try:
        _inspect(content)
        found = _Closed(io.BytesIO(content), encoding="latin1").load()
        return found.array() if isinstance(found, PickledArray) else found
    except ForbiddenPickle as error:
        raise ForbiddenPickle(error.what, error.remedy, file=file) from None
    except Exception as error:  # noqa: BLE001 - broken bytes raise anything; whatever it is, the file is bad
        raise BadFile(
            f"is not a whole pickle ({error})", "Send the file again, in the format its name says.", file=file
        ) from None


class _Closed(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        return _stand_in(f"{module}.{name}")


def _stand_in(name: str) -> Any:
    if name not in STAND_INS:
        raise ForbiddenPickle(f"the pickle asks for {name}", REMEDY)
    return STAND_INS[name]


def _inspect(content: bytes) -> None:
    """Refuse a pickle for what its instructions say, before any of them runs."""
    for op, argument, _at in pickletools.genops(content):
        if op.name in FORBIDDEN_OPCODES:
            raise ForbiddenPickle(f"the pickle uses the instruction {op.name}", REMEDY)
        if op.name == "GLOBAL":
            _stand_in(str(argument).replace(" ", ".", 1))
        if op.name in ("PUT", "BINPUT", "LONG_BINPUT") and int(argument or 0) > len(content):
            raise ForbiddenPickle("the pickle numbers more objects than it can hold", REMEDY)
