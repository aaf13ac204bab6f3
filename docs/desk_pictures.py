"""Take the pictures of the desk in Chromium: python docs/desk_pictures.py."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from icefire.core.seeds import generator
from icefire.datasets.households import Households
from icefire.desk.serve import Desk

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import programs

TARGET = Path(__file__).with_name("pictures")
VIEWS = {"en": ("en-GB", "light"), "ja": ("ja-JP", "dark")}
SIZE = {"width": 1280, "height": 820}
PATIENCE = 600_000
"""Milliseconds."""


def picture(browser: Browser, desk: Desk, file: Path) -> None:
    """Search for releases of a table, look into the best, and take a picture in each language."""
    page = browser.new_context(viewport=SIZE).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(desk.url)
    page.set_input_files("#file", file)
    for wanted in (".raw", ".columns"):
        page.wait_for_selector(wanted)
        page.click(".next a")
    page.fill("[name=minutes]", "2")
    page.fill("[name=limit]", "10")
    page.click("form button[type=submit]")
    page.wait_for_selector("#cancel")
    page.wait_for_selector("#cancel", state="detached")
    address = page.url
    for name, (language, theme) in VIEWS.items():
        context = browser.new_context(viewport=SIZE, locale=language, color_scheme=theme)  # type: ignore[arg-type]
        view = context.new_page()
        view.set_default_timeout(PATIENCE)
        view.goto(desk.url)
        view.goto(address)
        view.click(".list .link >> nth=0")
        view.wait_for_selector(".details .meterlist")
        view.evaluate("scrollTo(0, 0)")
        view.screenshot(path=TARGET / f"desk-{name}.png")


def main() -> None:
    path = programs.find("chromium")
    if path is None:
        sys.exit("taking pictures needs Chromium: apt-get install chromium fonts-noto-cjk")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "households.csv"
        Households(n=1000).generate(generator(1)).frame.write_csv(file)
        desk = Desk(Path(folder) / "sessions")
        desk.start()
        picture(playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]), desk, file)
        desk.stop()


if __name__ == "__main__":
    main()
