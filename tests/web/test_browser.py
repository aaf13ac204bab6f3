"""A whole contest in a real browser: two teams, an operator, and an audience that never loads its page again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from conftest_web import good_guess, good_release

from icefire.contest.uploads import files_of, pack
from icefire.web.serve import Address, Arena

PASSWORD = "correct horse battery"


def page_of(browser: Any, url: str, language: str = "en-US", **more: Any) -> Any:
    page = browser.new_context(locale=language, **more).new_page()
    page.set_default_timeout(15_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
    page.goto(url)
    return page


def log_in(page: Any, hall: Any, login: str, to: str) -> None:
    page.goto(f"{hall.url}/login")
    page.fill("[name=login]", login)
    page.fill("[name=password]", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_url(f"**/{to}")


def ticker(page: Any) -> list[int]:
    return [int(one) for one in page.eval_on_selector_all("#ticker li", "all => all.map(one => one.dataset.id)")]


def told(page: Any, words: str) -> None:
    page.wait_for_selector(f"#ticker li:has-text({words!r})")


def sent(page: Any, section: str, content: bytes, choice: str | None = None) -> None:
    if choice is not None:
        page.select_option(f"#{section} select", choice)
    page.set_input_files(
        f"#{section} input[type=file]", {"name": "x.zip", "mimeType": "application/zip", "buffer": content}
    )
    page.click(f"#{section} button[type=submit]")


def standings(page: Any) -> str:
    return str(page.inner_text("#defenders"))


def test_a_whole_contest(hall: Any, browser: Any, tmp_path: Path) -> None:
    english, japanese = page_of(browser, hall.url), page_of(browser, hall.url, "ja-JP")
    for page in (english, japanese):
        page.evaluate("window.mark = 'never loaded again'")
    assert english.inner_text("#t1") == "Defenders"
    assert japanese.inner_text("#t1") == "防御側"

    # The operator adds a team and hands its invitation on.
    operator = page_of(browser, hall.url)
    log_in(operator, hall, "boss", "operator")
    operator.fill("#team", "Sora")
    operator.click("section:has(#team) button[type=submit]")
    operator.wait_for_selector("#told:has-text('/join#')")
    link = re.search(r"http\S+", operator.inner_text("#told"))
    assert link is not None
    told(english, "Sora has joined")
    told(japanese, "Sora が参加しました")
    sora = page_of(browser, link[0])
    sora.fill("[name=login]", "Sora's captain")
    sora.fill("[name=password]", PASSWORD)
    sora.click("button[type=submit]")
    sora.wait_for_url("**/team")
    aoi = page_of(browser, hall.url)
    log_in(aoi, hall, hall.team_login("aoi"), "team")

    # The defence: a wrong file says file, line and reason; good ones are taken.
    hall.reach(1)
    told(english, "Defence is open")
    aoi.wait_for_selector("#release")
    good = good_release(hall, "aoi", "mondrian(k=5)", "noise(scale=0.3)")
    files = files_of(good)
    wrong = pack({**files, "secret.csv": files["secret.csv"].replace(b"\n", b"\nseven\n", 1)})
    sent(aoi, "release", wrong)
    aoi.wait_for_selector("#release .faults")
    assert "secret.csv, line 2" in aoi.inner_text("#release .faults")
    assert "'seven'" in aoi.inner_text("#release .faults")
    assert "tries left: 10" in aoi.inner_text("#release select")
    sent(aoi, "release", good)
    aoi.wait_for_selector("#release .told .ok")
    sora.wait_for_selector("#release")
    sent(sora, "release", good_release(hall, "sora"))
    sora.wait_for_selector("#release .told .ok")
    hall.reach(20)
    told(english, "Aoi has a new release")
    told(japanese, "Sora が households を公開")
    aoi.wait_for_selector("#uploads .ok:has-text('accepted')")
    assert "information_loss" in aoi.inner_text("#uploads")

    # The attack, and what the audience sees of it.
    hall.reach(71)
    told(english, "Attack is open")
    aoi.wait_for_selector("#guess")
    sent(aoi, "guess", good_guess(hall, "sora", "inside"), "sora/households")
    aoi.wait_for_selector("#guess .told .ok")
    hall.reach(75)
    english.wait_for_selector("#ticker li:has-text('Aoi lowered Sora'), #ticker li:has-text('Sora held against Aoi')")
    assert english.locator("#matrix .heat").count() >= 4
    assert english.locator("#map circle").count() == 2

    # The server goes away and comes back: the story has no gap.
    hall.arena.stop()
    english.wait_for_selector("#banner.lost")
    hall.contest.add_team("Yuki")
    again = Arena(hall.contest, Address(port=hall.arena.address.port), workers=0)
    again.start()
    hall.arena = again
    told(english, "Yuki has joined")
    english.wait_for_selector("#banner", state="hidden")
    expected = [one["id"] for one in again.app.state.live.story.public()]
    assert sorted(ticker(english)) == expected
    assert len(set(ticker(english))) == len(ticker(english))

    # The freeze hides what comes after it, until the thaw.
    log_in(operator, hall, "boss", "operator")
    operator.fill("#why", "the last minutes")
    operator.click("[data-act=freeze]")
    english.wait_for_selector("#banner.frozen")
    japanese.wait_for_selector("#banner.frozen")
    before, cells = standings(english), english.inner_text("#matrix")
    sora.reload()
    sora.wait_for_selector("#guess")
    sent(sora, "guess", good_guess(hall, "aoi", "inside"), "aoi/households")
    sora.wait_for_selector("#guess .told .ok")
    hall.reach(100)
    english.wait_for_timeout(800)
    assert (standings(english), english.inner_text("#matrix")) == (before, cells)
    assert "Sora lowered Aoi" not in english.inner_text("#ticker")
    hall.reach(125)
    operator.fill("#why", "the ceremony")
    operator.click("[data-act=unveil]")
    english.wait_for_selector("#banner.unveiling")
    operator.click("[data-act=thaw]")
    told(english, "The board is thawed")
    english.wait_for_selector("#ticker li:has-text('Sora lowered Aoi'), #ticker li:has-text('held against Sora')")
    operator.wait_for_selector("[data-act=freeze]")
    operator.fill("#why", "it is over")
    operator.click("[data-act=finalize]")
    told(english, "The results stand")
    told(japanese, "結果が確定しました")
    for page in (english, japanese):
        assert page.evaluate("window.mark") == "never loaded again"
    # What the server said while it was away is no fault of the page.
    for page in (english, japanese, operator, aoi, sora):
        assert [fault for fault in page.faults if "ERR_" not in fault and "status of 4" not in fault] == []


def test_keyboard_language_and_theme(hall: Any, browser: Any) -> None:
    page = page_of(browser, hall.url, color_scheme="dark")
    assert page.get_attribute("html", "data-theme") == "dark"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#language")
    page.keyboard.press("Enter")
    assert page.get_attribute("html", "lang") == "ja"
    page.focus("#theme")
    page.keyboard.press("Enter")
    assert page.get_attribute("html", "data-theme") == "light"
    page.reload()
    assert page.get_attribute("html", "lang") == "ja"
    assert page.locator("h1").count() == 1
    outside = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert all(one.startswith(hall.url) for one in outside)
