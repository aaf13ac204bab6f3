"""The server of a contest: pages, API and, unless they run elsewhere, the workers."""

from __future__ import annotations

import resource
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from icefire.contest.closing import Closing
from icefire.contest.engine import Contest
from icefire.contest.workers import Workers
from icefire.core.errors import InputError, need
from icefire.web.app import create_app
from icefire.web.guard import Guard
from icefire.web.prompt import prompt_protocol


@dataclass(frozen=True)
class Address:
    """Where the server is reached."""

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Path | None = None
    key: Path | None = None
    proxies: str = ""
    """Addresses of reverse proxies that terminate TLS and may name the client."""

    @property
    def secure(self) -> bool:
        return self.certificate is not None or bool(self.proxies)

    @property
    def in_the_clear(self) -> bool:
        """Whether passwords would be sent unencrypted."""
        return not self.secure and self.host not in ("127.0.0.1", "::1", "localhost")

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{host}:{self.port}/"


class Arena(Closing):
    """A server of one contest, with workers unless they run elsewhere."""

    def __init__(self, contest: Contest, address: Address, workers: int = 2) -> None:
        if (address.certificate is None) != (address.key is None):
            raise InputError("TLS needs both: --certificate and --key")
        uvicorn = need("uvicorn", "web")
        self.contest, self.address = contest, address
        self.app = create_app(contest, address.secure)
        self._server = uvicorn.Server(
            uvicorn.Config(
                # Outermost, so that answers to our own failures pass it, too.
                Guard(self.app, address.secure),
                host=address.host,
                port=address.port,
                log_level="warning",
                server_header=False,
                http=prompt_protocol(),
                # The protocol closes idle connections itself.
                timeout_keep_alive=3600,
                ssl_certfile=address.certificate,
                ssl_keyfile=address.key,
                proxy_headers=bool(address.proxies),
                forwarded_allow_ips=address.proxies or None,
                timeout_graceful_shutdown=2,
            )
        )
        # Every stream is an open file.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 65_536), hard) if hard > 0 else soft, hard))
        self._crew = Workers(contest, number=workers) if workers else None
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []

    def run(self) -> None:
        """Serve until the process is told to stop."""
        if self._crew is not None:
            self._begin(partial(self._crew.run, until=self._stopped.is_set))
        self._server.run()
        self._stopped.set()

    def start(self) -> None:
        """Serve in the background."""
        self._begin(self.run)

    def stop(self) -> None:
        """End the server, its streams and its workers, and wait until they have ended."""
        self._stopped.set()
        # Streams never end by themselves.
        self.app.state.live.stop()
        self._server.should_exit = True
        for thread in self._threads:
            thread.join()
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    close = stop

    def _begin(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, daemon=True)
        self._threads.append(thread)
        thread.start()
