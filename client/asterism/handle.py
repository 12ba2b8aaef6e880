"""Objects of the API that can be acted on, and lists of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self, TypeVar

from pydantic import PrivateAttr

from asterism.base import Schema
from asterism.transport import Transport

H = TypeVar("H", bound="Handle")


class Handle(Schema):
    """An object that knows the installation it came from."""

    _api: Transport = PrivateAttr()

    @classmethod
    def of(cls, api: Transport, data: dict[str, Any]) -> Self:
        """The object that an answer describes."""
        found = cls.model_validate(data)
        found._api = api
        return found

    def become(self, data: dict[str, Any]) -> Self:
        """Take over what an answer says about this object."""
        fresh = type(self).model_validate(data)
        self.__dict__.update(fresh.__dict__)
        return self


def pages(api: Transport, path: str, type_: type[H], /, **params: Any) -> Iterator[H]:
    """Every object of a list, read a page at a time as far as the caller goes."""
    cursor: str | None = None
    while True:
        page = api.get(path, cursor=cursor, **params)
        yield from (type_.of(api, item) for item in page["items"])
        cursor = page["next_cursor"]
        if cursor is None:
            return
