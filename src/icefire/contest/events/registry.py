"""All events by their names in the log."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from icefire.contest.events import alarms, course, messages, teams, uploads
from icefire.contest.events.base import Event
from icefire.core.documents import Json
from icefire.core.errors import DataError

EVENTS: Mapping[str, type[Event]] = {
    event.log_name: event
    for module in (alarms, course, messages, teams, uploads)
    for event in vars(module).values()
    if isinstance(event, type) and issubclass(event, Event) and "log_name" in vars(event)
}


def decode(log_name: str, data: Mapping[str, Json]) -> Event:
    """The event of a log entry."""
    if log_name not in EVENTS:
        raise DataError(f"unknown event {log_name!r}; was it written by a later version?")
    try:
        return EVENTS[log_name].model_validate(data)
    except ValidationError as error:
        raise DataError(f"the data of the event {log_name!r} cannot be read: {error}") from error
