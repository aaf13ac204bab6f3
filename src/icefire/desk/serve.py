"""The server of the desk, on this machine alone."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

from icefire.core.errors import InputError, need
from icefire.desk.app import create_desk
from icefire.desk.door import Door
from icefire.desk.routes import begin
from icefire.desk.uploads import LARGEST
from icefire.web.guard import Guard
from icefire.words import language

HOST = "127.0.0.1"
LARGEST_BODY = 2_000_000
"""Bytes of a request body, except for uploads."""


class Desk:
    """A desk with its sessions below a folder. Port 0 takes any that is free."""

    def __init__(self, folder: Path, port: int = 0, largest: int = LARGEST) -> None:
        uvicorn = need("uvicorn", "desk")
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((HOST, port))
        except OSError as error:
            raise InputError(f"the port {port} is taken: choose another one with --port, or none") from error
        self.port = int(self._socket.getsockname()[1])
        self.app = create_desk(folder, largest)
        self.door = Door(self.app, self.port, self.app.state.passes)
        guarded = Guard(self.door, largest=LARGEST_BODY)
        # At lower levels, the server prints what faults say, which may hold cells of a table.
        self._server = uvicorn.Server(
            uvicorn.Config(guarded, log_level="critical", server_header=False, timeout_graceful_shutdown=2)
        )
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address with the token."""
        return f"http://{HOST}:{self.port}/?token={self.door.token}"

    def open(self, source: str) -> str:
        """Begin a session with a file where it is; returns the session's address."""
        session = self.app.state.sessions.new(Path(source).name)
        begin(session, source, self.app.state.jobs, language())
        return f"http://{HOST}:{self.port}/session/{session.id}/file?token={self.door.token}"

    def run(self) -> None:
        """Serve until the process is told to stop."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.app.state.jobs.close()

    def start(self) -> None:
        """Serve in the background."""
        self._thread = threading.Thread(target=self.run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()
