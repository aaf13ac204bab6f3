"""Routes for the audience, which does not log in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import StreamingResponse

from icefire.web.live import Live

After = Annotated[int, Query(ge=0, le=1 << 53)]


def audience_router(live: Live) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.get("/board")
    def public_board(request: Request) -> Response:
        """The board as the public sees it."""
        headers = {"etag": f'"{live.tag}"', "vary": "accept-encoding", "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(live.packed, media_type="application/json", headers={**headers, "content-encoding": "gzip"})
        return Response(live.board, media_type="application/json", headers=headers)

    @router.get("/story")
    def story(after: After = 0) -> list[Mapping[str, object]]:
        """What has happened since an item of the story."""
        return [*live.story.public(after)]

    @router.get("/stream", response_class=StreamingResponse)
    async def stream(request: Request, after: After = 0) -> StreamingResponse:
        """The same as it happens (server-sent events); resumes after Last-Event-ID."""
        address = request.client.host if request.client else "?"
        if not live.has_room(address):
            raise HTTPException(503, "too many streams from this address", {"retry-after": "10"})
        last = request.headers.get("last-event-id", "")
        begin = int(last) if re.fullmatch(r"\d{1,15}", last) else after
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(live.stream(begin, address), media_type="text/event-stream", headers=headers)

    return router
