"""Looking at uploads in processes of their own: what a team sends is never unpacked or parsed by the web."""

from __future__ import annotations

import logging
import queue
import tempfile
from pathlib import Path

from icefire.contest.admission import Request
from icefire.contest.closing import Closing
from icefire.contest.config import Limits
from icefire.contest.errors import NotFound, NotNow
from icefire.contest.sandbox import JobFailed, Sandbox
from icefire.contest.state import Place
from icefire.core.errors import DataError

SECONDS = 3.0
"""Processor time for a look at an upload. What takes longer is left to the judge."""
ERRORS: dict[str, type[DataError]] = {"NotNow": NotNow, "NotFound": NotFound}
logger = logging.getLogger(__name__)


class Inspector(Closing):
    """So many processes that look at uploads; they are started when they are needed."""

    def __init__(self, folder: Path, number: int = 2) -> None:
        self._sandboxes = [Sandbox(folder) for _ in range(number)]
        # The one that was used last has its libraries loaded.
        self._idle: queue.LifoQueue[Sandbox] = queue.LifoQueue()
        for sandbox in self._sandboxes:
            self._idle.put(sandbox)

    def inspect(self, request: Request, place: Place, content: bytes, limits: Limits) -> None:
        """DataError if an upload is refused."""
        bounded = limits.model_copy(update={"seconds": min(SECONDS, limits.seconds)})
        sandbox = self._idle.get()
        try:
            with tempfile.NamedTemporaryFile(prefix="icefire-upload-") as file:
                file.write(content)
                file.flush()
                refusal = sandbox.inspect(request, place, Path(file.name), bounded)
        except JobFailed as error:
            logger.warning("an upload of %s is left to the judge: %s", request.team, error)
            return
        finally:
            self._idle.put(sandbox)
        if refusal is not None:
            raise ERRORS.get(refusal.error, DataError)(refusal.message)

    def close(self) -> None:
        for sandbox in self._sandboxes:
            sandbox.interrupt()
        for _ in self._sandboxes:
            self._idle.get().close()
