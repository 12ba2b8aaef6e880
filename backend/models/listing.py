"""The list of models: sorted, searched, a page at a time.

A cursor holds the sort value and the id of the last model of a page, so models that come and go move nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, literal, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from backend.errors import Refused
from backend.models.schemas import ModelSort
from backend.models.table import Model


@dataclass(frozen=True)
class Order:
    """A column to sort by, and how its values go into a cursor and come back."""

    column: InstrumentedAttribute[Any]
    descending: bool
    parse: Any


ORDERS: dict[ModelSort, Order] = {
    "-updated_at": Order(Model.updated_at, True, datetime.fromisoformat),
    "-created_at": Order(Model.created_at, True, datetime.fromisoformat),
    "name": Order(Model.name, False, str),
}


def page(session: Session, sort: ModelSort, q: str | None, after: str | None, limit: int) -> list[Model]:
    """At most `limit` models after the cursor; `q` is a part of the name or the whole id."""
    query: Select[tuple[Model]] = select(Model)
    if q:
        query = query.where(Model.name.icontains(q, autoescape=True) | (Model.id == q))
    order = ORDERS[sort]
    key = (order.column, Model.id)
    if after is not None:
        last = _last(order, after)
        query = query.where(tuple_(*key) < last if order.descending else tuple_(*key) > last)
    return list(session.scalars(query.order_by(*(c.desc() if order.descending else c for c in key)).limit(limit)))


def cursor(model: Model, sort: ModelSort) -> str:
    """What stands for a model in a cursor: its id, then its sort value."""
    value = getattr(model, ORDERS[sort].column.key)
    return f"{model.id} {value.isoformat() if isinstance(value, datetime) else value}"


def _last(order: Order, after: str) -> Any:
    last_id, _, value = after.partition(" ")
    try:
        return tuple_(literal(order.parse(value), order.column.type), literal(last_id))
    except ValueError:
        raise Refused("The cursor is of another list; start without it.", code="bad_cursor") from None
