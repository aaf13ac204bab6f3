"""Whose process is at the other end of a connection within this machine, where the system says so (Linux)."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

CONNECTIONS = Path("/proc/net/tcp")
ADMINISTRATOR = 0
"""May read everything anyway; and relays of virtual machines run as it."""


def is_strangers(client: tuple[str, int] | None) -> bool:
    """Whether a connection is known to be another person's.

    The address of the desk, with its token, is an argument of the browser's process, which everybody on the machine can list.
    """
    if client is None or not CONNECTIONS.is_file():
        return False
    return _owner(client, CONNECTIONS.read_text()) not in (None, ADMINISTRATOR, os.getuid())


def _owner(client: tuple[str, int], connections: str) -> int | None:
    """The user who holds the near end of a connection, by the system's list.

    >>> line = "   1: 0100007F:A2D4 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 51"
    >>> _owner(("127.0.0.1", 0xA2D4), "  sl  local_address" + chr(10) + line), _owner(("127.0.0.1", 0x1F90), line)
    (1001, None)
    """
    host, port = client
    near = f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"
    for line in connections.splitlines():
        cells = line.split()
        if len(cells) > 7 and cells[1] == near:
            return int(cells[7])
    return None
