"""The health of the contest, looked after by a thread of the web server."""

from __future__ import annotations

import logging
import threading
import time

from icefire.contest.closing import Closing
from icefire.contest.engine import Contest
from icefire.contest.health import Health, TroubleDocument

PAUSE = 2.0
"""Seconds between two looks."""
LONGEST = 8.0
"""Seconds that a look may take; a database that does not answer makes it hang."""
SILENT: TroubleDocument = {"kind": "database", "message": "the database is away: it does not answer"}


class Watch(Closing):
    """Knows what is wrong, without asking the database when it is asked itself."""

    def __init__(self, contest: Contest) -> None:
        self._health, self._troubles = Health(contest), list[TroubleDocument]()
        self._looked = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def troubles(self) -> list[TroubleDocument]:
        """What is wrong now."""
        late = time.monotonic() - self._looked > PAUSE + LONGEST
        return [SILENT] if late else self._troubles

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(LONGEST)

    def look(self) -> None:
        self._troubles = self._health.look()
        self._looked = time.monotonic()

    def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                self.look()
            except Exception:
                logging.getLogger(__name__).exception("a look at the health of the contest failed")
            self._stop.wait(PAUSE)
