"""Checks a built site: dead links, pages that are missing, and anything that would be loaded from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("video", "src")}
HARMLESS = {"canonical", "alternate", "prev", "next", "author", "license"}
"""Relations of a link element that load nothing."""


class _Reader(HTMLParser):
    """Collects the ids of a page, where its links lead, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        for name, value in values.items():
            if (tag, name) in LOADED and not (tag == "link" and values.get("rel") in HARMLESS):
                self.loaded.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)


def check(site: Path, pages: list[str]) -> None:
    """Raise with the list of all that is wrong."""
    read = {file.relative_to(site).as_posix(): _read(file) for file in sorted(site.rglob("*.html"))}
    faults = [
        f"{prefix}{page} is missing"
        for page in pages
        for prefix in ("", "ja/")
        if f"{prefix}{page.removesuffix('.md')}.html" not in read
    ]
    for name, page in read.items():
        if not name.endswith("404.html"):
            faults += [f"{name}: {fault}" for fault in _faults(site, name, page, read)]
    if faults:
        raise SystemExit("the site has faults:\n" + "\n".join(sorted(set(faults))))


def _read(file: Path) -> _Reader:
    reader = _Reader()
    reader.feed(file.read_text(encoding="utf-8"))
    return reader


def _faults(site: Path, name: str, page: _Reader, read: dict[str, _Reader]) -> list[str]:
    faults = [f"loads {url}" for url in page.loaded if urlsplit(url).netloc]
    for url in [*page.links, *page.loaded]:
        parts = urlsplit(url)
        if parts.scheme or parts.netloc:
            continue
        target = (site / name).parent / unquote(parts.path) if parts.path else site / name
        target = target / "index.html" if target.is_dir() else target
        inside = target.resolve().relative_to(site.resolve()).as_posix() if target.exists() else None
        if inside is None:
            faults.append(f"link to {url}, which does not exist")
        elif parts.fragment and inside in read and not _has(read[inside], unquote(parts.fragment)):
            faults.append(f"link to {url}: no such heading")
    return faults


def _has(page: _Reader, fragment: str) -> bool:
    # Zensical writes its own marks, such as __tabbed_1 and the top of a page.
    return fragment in page.ids or fragment.startswith("__")
