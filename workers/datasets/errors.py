"""What can be wrong with data that comes in from outside.

DatasetError            says which file, which row, what is wrong and what to do; becomes the job's reason
├── UnknownFormat       the files are none of the formats that are read
├── MissingPart         a file or a column that the format needs is not there
├── BadFile             a file cannot be read as what it claims to be
│   └── ForbiddenPickle a pickle asks for more than plain arrays, lists and dicts
├── BadValue            a value is out of range, not a number, missing or given twice
├── TooLarge            more than this platform takes in, or more than so small a file should hold
├── UnsafeArchive       an archive would write outside its folder, or holds links or devices
└── FolderRefused       a folder on the server that may not be read
"""

from __future__ import annotations

from workers.core.errors import JobError


class DatasetError(JobError):
    """Data that cannot be taken in. `row` counts from 1 and counts a header; `where` replaces it outside tables."""

    def __init__(self, what: str, remedy: str, *, file: str = "", row: int | None = None, where: str = "") -> None:
        place = ", ".join(part for part in (file, f"row {row:,}" if row is not None else where) if part)
        super().__init__(f"{place}: {what}. {remedy}" if place else f"{what}. {remedy}")
        self.what, self.remedy, self.file, self.row = what, remedy, file, row

    def __reduce__(self) -> tuple[object, ...]:  # The default would call __init__ with the finished message alone.
        return _rebuild, (type(self), str(self), self.what, self.remedy, self.file, self.row)


class UnknownFormat(DatasetError):
    """The files are none of the formats that are read."""


class MissingPart(DatasetError):
    """A file or a column that the format needs is not there."""


class BadFile(DatasetError):
    """A file cannot be read as what it claims to be."""


class ForbiddenPickle(BadFile):
    """A pickle asks for more than plain arrays, lists and dicts."""


class BadValue(DatasetError):
    """A value is out of range, not a number, missing or given twice."""


class TooLarge(DatasetError):
    """More than this platform takes in, or more than so small a file should hold."""


class UnsafeArchive(DatasetError):
    """An archive would write outside its folder, or holds links or devices."""


class FolderRefused(DatasetError):
    """A folder on the server that may not be read."""


def _rebuild(
    kind: type[DatasetError], message: str, what: str, remedy: str, file: str, row: int | None
) -> DatasetError:
    error = kind(what, remedy, file=file, row=row)
    error.args = (message,)
    return error
