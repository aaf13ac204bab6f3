"""What worker processes do, a file for each task."""

from collections.abc import Callable

from icefire.desk.tasks.arrange import arrange
from icefire.desk.tasks.decide import decide
from icefire.desk.tasks.gate import gate
from icefire.desk.tasks.look import look
from icefire.desk.tasks.read import read
from icefire.desk.tasks.search import search
from icefire.desk.worker import Work

TASKS: dict[str, Callable[[Work], None]] = {
    "read": read,
    "arrange": arrange,
    "search": search,
    "look": look,
    "decide": decide,
    "gate": gate,
}
