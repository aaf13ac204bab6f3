"""The desk in a real browser: from files as people have them to what they take away."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from icefire.core.seeds import generator
from icefire.datasets.purchases import Purchases
from icefire.datasets.walks import Walks
from icefire.desk.serve import Desk
from web.test_screens import AXE, SERIOUS

LONG = 240_000
"""Milliseconds: the machine of the tests has other things to do, too."""


def people(number: int = 80) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "氏名": [f"山田{n}" for n in range(number)],
            "年齢": rng.integers(20, 60, number),
            "性別": rng.choice(["男", "女"], number),
            "年収": rng.integers(200, 900, number),
        }
    )


@contextmanager
def opened(browser: Any, desk: Desk, language: str, **more: Any) -> Iterator[Any]:
    context = browser.new_context(locale=language, bypass_csp=True, reduced_motion="reduce", **more)
    page = context.new_page()
    page.set_default_timeout(LONG)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(desk.url)
    page.wait_for_selector("#file", state="attached")
    yield page
    assert faults == []
    context.close()


def serious(page: Any) -> list[str]:
    """What stands in the way of assistive technology, where axe-core is installed."""
    if not AXE.is_file():
        return []
    page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(SERIOUS)
    return found


def take_in(page: Any, file: Path) -> None:
    page.set_input_files("#file", file)
    page.wait_for_selector(".raw")


def searched(page: Any, limit: str, until: str = ".dot.passing, .dot.suggested") -> None:
    """Search until a release passes, or until something else, and stop the search then."""
    page.wait_for_selector("[name=limit]")
    page.fill("[name=limit]", limit)
    page.fill("[name=minutes]", "5")
    page.click("form button[type=submit]")
    page.wait_for_selector(until, state="attached")
    page.click("#cancel")
    page.wait_for_selector("#cancel", state="detached")


def press(page: Any, selector: str) -> None:
    """Go to an element by the keyboard alone, and press it."""
    for _ in range(300):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def looked_into(page: Any) -> None:
    page.click(".list .link >> nth=0")
    page.wait_for_selector(".details .meterlist")
    page.wait_for_selector(".details .working", state="detached")


def decided(page: Any) -> None:
    page.click(".details .next a")
    page.wait_for_selector("#verdict")


def downloaded(page: Any, selector: str) -> bytes:
    with page.expect_download() as begun:
        page.click(selector)
    return Path(begun.value.path()).read_bytes()


def test_a_list_of_names_in_shift_jis_becomes_a_release_and_a_report(browser: Any, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "名簿.csv"
    file.write_bytes(people().write_csv().encode("cp932"))
    with opened(browser, desk, "ja-JP") as page:
        take_in(page, file)
        assert "Shift_JIS" in page.inner_text("main")
        found = {"file": serious(page)}
        page.click(".next a")
        page.wait_for_selector(".columns")
        assert page.input_value("[data-column='氏名']") == "identifying"
        page.click(".columns button >> nth=0")
        page.wait_for_selector(".levels li")
        page.click("tr:has([data-column='性別']) button")
        page.select_option(".editor select", "table")
        for value in "男女":
            page.fill(f"[aria-label='{value} のグループ（段階 1）']", "どちらか")
            page.keyboard.press("Tab")
        page.wait_for_selector(".levels li:has-text('どちらか: 80')")
        page.click("#coarser")
        page.wait_for_selector("[aria-label='女 のグループ（段階 2）']")
        page.click("text='この階層にする'")
        found["columns"] = serious(page)
        page.click(".next a")
        page.wait_for_selector("[name=limit]")
        found["goal"] = serious(page)
        searched(page, "30")
        looked_into(page)
        assert "加工後" in page.inner_text(".details")
        found["frontier"] = serious(page)
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        decided(page)
        found["decide"] = serious(page)
        published = downloaded(page, ".goes-out a >> nth=0").decode()
        assert published.splitlines()[0] == "年齢,性別,年収"
        assert "山田" not in published
        assert "提供" in downloaded(page, ".report a[download]").decode()
        names = zipfile.ZipFile(io.BytesIO(downloaded(page, "#secret a"))).namelist()
        assert "KEEP-SECRET/secret.csv" in names
        assert {step: faults for step, faults in found.items() if faults} == {}


def test_counts_of_an_edited_hierarchy_are_of_the_last_edit(browser: Any, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    people().write_csv(file)
    waiting: list[Any] = []

    def late(route: Any) -> None:
        """Keep back the answers about hierarchies of which one value is in the group."""
        if route.request.post_data.count("both") == 1:
            waiting.append(route)
        else:
            route.continue_()

    with opened(browser, desk, "en-GB") as page:
        take_in(page, file)
        page.click(".next a")
        page.click("tr:has([data-column='性別']) button")
        page.select_option(".editor select", "table")
        page.route("**/hierarchy", late)
        for value in "男女":
            page.fill(f"[aria-label='Group of {value}, level 1']", "both")
            page.keyboard.press("Tab")
        page.wait_for_selector(".levels li:has-text('both: 80')")
        [first] = waiting
        with page.expect_response("**/hierarchy"):
            first.continue_()
        page.wait_for_timeout(500)
        assert "both: 80" in page.inner_text(".levels")


def test_a_spreadsheet_in_the_dark(browser: Any, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "people.xlsx"
    people().rename({"氏名": "name", "年齢": "age", "性別": "sex", "年収": "income"}).write_excel(file)
    with opened(browser, desk, "en-GB", color_scheme="dark") as page:
        found = serious(page)
        take_in(page, file)
        press(page, ".next a")
        page.wait_for_selector(".columns")
        page.select_option("[data-column=sex]", "other")
        press(page, ".next a")
        page.wait_for_selector("[name='weight age']")
        assert page.locator("[name='weight sex']").count() == 0, "it is no longer made coarser"
        searched(page, "30")
        press(page, ".list .link")
        page.wait_for_selector(".details .meterlist")
        press(page, ".details .next a")
        page.wait_for_selector("#verdict")
        found += serious(page)
        assert downloaded(page, ".goes-out a >> nth=0").decode().splitlines()[0] == "age,sex,income"
        assert page.inner_text("#verdict").startswith("Release")
        assert "secret" in page.inner_text("#secret")
        page.click("summary:has-text('Study')")
        assert "[[run]]" in downloaded(page, "#study").decode()
        session = page.url.rpartition("/")[0]
        page.goto(f"{session}/frontier")
        page.click(".list .link >> nth=1")
        decided(page)
        page.wait_for_selector("[aria-label='Compare two of them'] td")
        heads = page.locator("[aria-label='Compare two of them'] th")
        assert heads.count() == 3, "what, the earlier release, the later one"
        assert found == []


def test_three_months_of_purchases_pass_the_gate(browser: Any, desk: Desk, tmp_path: Path) -> None:
    concealed = "text='k-concealment (k=3)'"
    records = Purchases(n=30).generate(generator(1)).frame
    months = records["date"].dt.truncate("1mo").unique().sort()[:3]
    files = [tmp_path / f"month{n}.csv" for n in range(3)]
    for month, file in zip(months, files, strict=True):
        chosen = records.filter(pl.col("date").dt.truncate("1mo") == month)
        chosen.select("user", "date", "item", "price").write_csv(file)
    with opened(browser, desk, "en-GB") as page:
        take_in(page, files[0])
        for number in range(3):
            page.click(".next a")
            if number == 0:
                page.click("input[value=history]")
                page.click("form button[type=submit]")
            page.wait_for_selector("#arranged table")
            assert str(months[number])[:7] in page.inner_text("#arranged")
            page.click(".next a")
            searched(page, "100", until=concealed)
            page.click(concealed)
            decided(page)
            assert "only after the gate" in page.inner_text("#out")
            page.fill("[name=limit]", "100")
            page.click("#gate")
            page.wait_for_selector("#gate-verdict table")
            assert page.locator("#gate-verdict tbody tr").count() == number + 1
            assert "Publish this file only." in page.inner_text("#out")
            if number < 2:
                page.set_input_files("#next-file", files[number + 1])
                page.wait_for_selector(".raw")
        assert page.inner_text("#ledger").count("-") == 3


def test_traces_on_a_map_of_the_grid(browser: Any, desk: Desk, tmp_path: Path) -> None:
    walks = Walks(n=8, days=1, rows=6, columns=6).generate(generator(1))
    file = tmp_path / "walks.csv"
    parts = [(walks.reference, walks.times[0]), (walks.cells.codes, walks.times[1])]
    rows = [
        {"user": user, "time": int(time), "region": int(codes[user, place]) + 1}
        for codes, times in parts
        for place, time in enumerate(times)
        for user in range(8)
    ]
    pl.DataFrame(rows).write_csv(file)
    with opened(browser, desk, "en-GB") as page:
        take_in(page, file)
        page.click(".next a")
        page.click("input[value=trace]")
        for name, value in (("rows", walks.grid.rows), ("columns", walks.grid.columns), ("day", walks.day)):
            page.fill(f"[name={name}]", str(value))
        page.click("form button[type=submit]")
        page.wait_for_selector(".grid-map")
        page.click(".next a")
        searched(page, "100")
        page.click(".list .link >> nth=0")
        page.wait_for_selector(".maps .grid-map >> nth=1")
        assert page.locator(".maps .grid-map").count() == 2


def test_what_attackers_know_of_people_to_be_synthesized(browser: Any, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "study.csv"
    people(50).write_csv(file)
    with opened(browser, desk, "en-GB") as page:
        take_in(page, file)
        page.click(".next a")
        page.click("input[value=synthetic]")
        assert page.input_value("[name='part 氏名']") == "out"
        page.select_option("[name='part 性別']", "hidden")
        page.click("form button[type=submit]")
        page.wait_for_selector("#arranged")
        assert "10 others are held out" in page.inner_text("#arranged")
        page.click(".next a")
        page.wait_for_selector("input[value=facts]")
        assert "asks who was in the data" in page.inner_text("form")


def test_an_earlier_session_is_found_again(browser: Any, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "again.csv"
    people(30).write_csv(file)
    with opened(browser, desk, "en-GB") as page:
        take_in(page, file)
        page.click(".steps .home")
        page.wait_for_selector(".sessions li")
        page.click(".sessions a >> nth=0")
        page.wait_for_selector(".raw")
        assert "again.csv" in page.inner_text("h1")
