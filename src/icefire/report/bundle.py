"""The library that draws charts, as one script."""

from __future__ import annotations

from contextlib import suppress

from icefire.core.caches import cache_folder, write_whole
from icefire.core.errors import need


def bundle() -> str:
    """The script. To put it together takes more than a second, so it is kept for the next report."""
    module = need("vl_convert", "report")
    file = cache_folder() / f"vega-{module.__version__}.js"
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeError):
        text: str = module.javascript_bundle()
    # Where nothing can be kept, it is put together each time.
    with suppress(OSError):
        write_whole(file, text)
    return text
