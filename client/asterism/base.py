"""The base of every type of the API."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Schema(BaseModel):
    """Fields a newer server added are kept, so that nothing is lost when an object is sent back."""

    model_config = ConfigDict(extra="allow")

    def to_json(self) -> dict[str, Any]:
        """As the API takes it: fields that were left open are left to the server."""
        return self.model_dump(mode="json", exclude_none=True)
