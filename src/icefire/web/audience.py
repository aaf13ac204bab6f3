"""Routes for the audience, which does not log in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from icefire.web.live import Live
from icefire.web.watch import Watch

After = Annotated[int, Query(ge=0, le=1 << 53)]


def audience_router(live: Live, watch: Watch) -> APIRouter:
    router = APIRouter(prefix="/api")

    # They answer from memory, whatever the threads of other requests wait for.
    @router.get("/board")
    async def public_board(request: Request) -> Response:
        """The board as the public sees it."""
        headers = {"etag": f'"{live.tag}"', "vary": "accept-encoding", "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(live.packed, media_type="application/json", headers={**headers, "content-encoding": "gzip"})
        return Response(live.board, media_type="application/json", headers=headers)

    @router.get("/health")
    async def health(response: Response) -> dict[str, bool]:
        """Whether the server can do its work, for load balancers; what is wrong is told to the operator alone."""
        well = not any(trouble["kind"] in ("database", "workers") for trouble in watch.troubles())
        response.status_code = 200 if well else 503
        return {"well": well}

    @router.get("/story")
    async def story(after: After = 0) -> list[Mapping[str, object]]:
        """What has happened since an item of the story."""
        return [*live.story.public(after)]

    @router.get("/stream", response_class=StreamingResponse)
    async def stream(request: Request, after: After = 0) -> StreamingResponse:
        """The same as it happens (server-sent events); resumes after Last-Event-ID."""
        address = request.client.host if request.client else "?"
        last = request.headers.get("last-event-id", "")
        begin = int(last) if re.fullmatch(r"\d{1,15}", last) else after
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(live.stream(begin, address), media_type="text/event-stream", headers=headers)

    return router
