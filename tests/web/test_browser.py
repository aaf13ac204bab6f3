"""A whole contest in a real browser: two teams, an operator, and an audience that never loads its page again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from icefire.contest.uploads import files_of, pack
from icefire.web.serve import Address, Arena
from web.conftest_web import good_guess, good_release

PASSWORD = "correct horse battery"
SAMPLES = Path(__file__).with_name("js") / "samples"


def page_of(browser: Any, url: str, language: str = "en-US", **more: Any) -> Any:
    page = browser.new_context(locale=language, **more).new_page()
    page.set_default_timeout(60_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))

    def note(message: Any) -> None:
        # Tests that make networks change those of this machine, too.
        if message.type == "error" and "ERR_NETWORK_CHANGED" not in message.text:
            page.faults.append(message.text)

    page.on("console", note)
    page.goto(url)
    return page


def wait_until_empty(page: Any, field: str) -> None:
    # `page.wait_for_function` evaluates text when it tries again, which the pages' content security policy forbids.
    from playwright.sync_api import expect

    expect(page.locator(field)).to_have_value("", timeout=60_000)


def log_in(page: Any, hall: Any, login: str, to: str) -> None:
    page.goto(f"{hall.url}/login")
    page.fill("[name=login]", login)
    page.fill("[name=password]", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_url(f"**/{to}")


def ticker(page: Any) -> list[int]:
    return [int(number) for number in page.eval_on_selector_all("#ticker li", "all => all.map(li => li.dataset.id)")]


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


def attacked(attacker: str, team: str) -> str:
    """An item of the story about an attack, however it has ended."""
    told = (f"{attacker} lowered {team}", f"{attacker} left {team}", f"{team} held against {attacker}")
    return ", ".join(f"#ticker li:has-text('{text}')" for text in told)


def test_a_whole_contest(hall: Any, browser: Any, tmp_path: Path) -> None:
    english, japanese = page_of(browser, hall.url), page_of(browser, hall.url, "ja-JP")
    for page in (english, japanese):
        page.evaluate("window.mark = 'never loaded again'")
    assert english.inner_text("#defenders-title") == "Defenders"
    assert japanese.inner_text("#defenders-title") == "匿名化の順位"

    # The operator adds a team and hands its invitation on.
    operator = page_of(browser, hall.url)
    log_in(operator, hall, "boss", "operator")
    operator.fill("#team", "Sora")
    operator.click("#teams button[type=submit]")
    link = operator.input_value("#teams .link")
    assert "/join#" in link
    assert "not invited yet" in operator.inner_text("#teams")
    told(english, "Sora has joined")
    told(japanese, "Sora が参加しました")
    sora = page_of(browser, link)
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
    good = good_release(hall, "aoi", "mondrian(k=5, columns=[age, sex])", "noise(scale=0.3)")
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
    told(japanese, "Sora が 世帯 の匿名化データを提出")
    aoi.wait_for_selector("#uploads .ok:has-text('accepted')")
    assert "information_loss" in aoi.inner_text("#uploads")

    # The attack, and what the audience sees of it.
    hall.reach(71)
    told(english, "Attack is open")
    aoi.wait_for_selector("#guess")
    sent(aoi, "guess", good_guess(hall, "sora", "inside"), "sora/households")
    aoi.wait_for_selector("#guess .told .ok")
    hall.reach(75)
    english.wait_for_selector(attacked("Aoi", "Sora"))
    assert english.locator("#matrix .heat").count() >= 4
    assert english.locator("#map .point").count() == 3

    # The server goes away and comes back: the story has no gap.
    hall.arena.stop()
    english.wait_for_selector("#banner.lost")
    hall.contest.teams.add("Yuki")
    again = Arena(hall.contest, Address(port=hall.arena.address.port), workers=0)
    again.start()
    hall.arena = again
    told(english, "Yuki has joined")
    english.wait_for_selector("#banner", state="hidden")
    expected = [item["id"] for item in again.app.state.live.story.public()]
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
    assert english.locator(attacked("Sora", "Aoi")).count() == 0
    hall.reach(125)
    operator.fill("#why", "the ceremony")
    operator.click("[data-act=unveil]")
    english.wait_for_selector("#banner.unveiling")
    operator.click("[data-act=thaw]")
    operator.wait_for_selector("#told:has-text('cannot be undone')")
    operator.wait_for_timeout(600)
    operator.click("[data-act=thaw]")
    told(english, "The scoreboard is live again")
    english.wait_for_selector(attacked("Sora", "Aoi"))
    operator.wait_for_selector("[data-act=freeze]")
    operator.fill("#why", "it is over")
    operator.dblclick("[data-act=finalize]")
    operator.wait_for_timeout(600)
    assert not hall.contest.state().final, "a double click is one press"
    operator.click("[data-act=finalize]")
    told(english, "The results are final")
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
    loaded = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert all(url.startswith(hall.url) for url in loaded)


def started(hall: Any, *teams: str) -> None:
    """Bring the contest into its attack phase, with a release of each team."""
    hall.reach(1)
    for team in teams:
        hall.contest.uploads.release(team, "households", good_release(hall, team))
    hall.reach(71)


def test_operator_page_is_updated_in_place(hall: Any, browser: Any) -> None:
    started(hall, "aoi", "kaede")
    page = page_of(browser, hall.url, viewport={"width": 900, "height": 500})
    log_in(page, hall, "boss", "operator")
    page.fill("#team", "Half a na")
    page.fill("#minutes", "25")
    page.fill("#why", "the projector is broken")
    page.evaluate("document.getElementById('why').setSelectionRange(4, 13)")
    page.evaluate("window.field = document.getElementById('why'); scrollTo(0, 60)")

    def unharmed() -> bool:
        return bool(
            page.evaluate(
                "field === document.activeElement && field.value === 'the projector is broken'"
                " && field.selectionStart === 4 && field.selectionEnd === 13"
            )
        )

    hall.contest.teams.add("Yuki")
    page.wait_for_selector("#teams tbody th:has-text('Yuki')")
    hall.contest.uploads.guess("aoi", "kaede", "households", good_guess(hall, "kaede"))
    hall.reach(80)
    page.wait_for_selector("#log td:text-is('answer scored')")
    assert unharmed()
    assert page.evaluate("scrollY") == 60
    assert page.input_value("#team") == "Half a na"
    assert page.input_value("#minutes") == "25"

    # A button that turns into its opposite keeps the focus; another language changes nothing that was typed.
    page.focus("[data-act=pause]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-act=resume]")
    assert page.evaluate("document.activeElement.dataset.act") == "resume"
    wait_until_empty(page, "#why")
    page.fill("#why", "the projector works")
    page.focus("[data-act=pause], [data-act=resume]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-act=pause]")
    wait_until_empty(page, "#why")
    page.fill("#why", "the projector is broken")
    page.click("#language")
    assert page.inner_text("[data-act=pause]") == "一時停止"
    assert page.input_value("#why") == "the projector is broken"
    assert page.faults == []


def test_actions_need_a_reason(hall: Any, browser: Any) -> None:
    page = page_of(browser, hall.url)
    log_in(page, hall, "boss", "operator")
    page.click("[data-act=pause]")
    assert page.evaluate("document.activeElement.id") == "why"
    page.fill("#why", " ")
    page.click("[data-act=pause]")
    page.wait_for_timeout(300)
    assert hall.contest.state().paused is None


def test_team_page_is_updated_in_place(hall: Any, browser: Any) -> None:
    hall.contest.teams.add("Sora")
    started(hall, "aoi", "kaede", "sora")
    page = page_of(browser, hall.url)
    log_in(page, hall, hall.team_login("aoi"), "team")
    page.wait_for_selector("#guess")
    page.select_option("#guess select", "sora/households")
    chosen = {"name": "mine.zip", "mimeType": "application/zip", "buffer": b"not yet"}
    page.set_input_files("#guess input[type=file]", chosen)
    page.focus("#guess select")
    page.evaluate("window.field = document.querySelector('#guess select')")
    hall.contest.uploads.guess("aoi", "kaede", "households", good_guess(hall, "kaede"))
    page.wait_for_selector("#uploads td:has-text('waiting')")
    hall.reach(80)
    page.wait_for_selector("#uploads tbody tr:first-child td:has-text('accepted')")
    assert page.evaluate("field === document.activeElement && field.value") == "sora/households"
    assert page.evaluate("document.querySelector('#guess [type=file]').files[0].name") == "mine.zip"
    assert "tries left: 1" in page.inner_text("#guess option[value='kaede/households']")
    page.click("#language")
    assert page.evaluate("field.value") == "sora/households"
    assert page.evaluate("document.querySelector('#guess [type=file]').files[0].name") == "mine.zip"

    # The token stays, and so does what is selected of it, for instance to be copied.
    page.click("section:has(#token) button")
    page.wait_for_selector("#token code:not(:empty)")
    page.evaluate("getSelection().selectAllChildren(document.getElementById('token'))")
    selected = page.evaluate("String(getSelection())")
    hall.contest.teams.add("Yuki")
    hall.contest.uploads.guess("aoi", "sora", "households", good_guess(hall, "sora"))
    page.wait_for_selector("#uploads td:has-text('採点待ち')")
    assert page.evaluate("String(getSelection())") == selected == page.inner_text("#token")
    assert page.faults == []


@pytest.mark.parametrize(("path", "field"), [("login", "login"), ("join#the-code", "code")])
def test_typed_text_survives_a_change_of_language(hall: Any, browser: Any, path: str, field: str) -> None:
    page = page_of(browser, f"{hall.url}/{path}")
    if field == "code":
        assert page.input_value("[name=code]") == "the-code"
    page.fill(f"[name={field}]", "half of it")
    page.click("#language")
    assert page.input_value(f"[name={field}]") == "half of it"
    page.fill("[name=login]", "mai")
    page.fill("[name=password]", "a wrong password")
    page.click("button[type=submit]")
    page.wait_for_selector(".faults li")
    assert page.input_value("[name=login]") == "mai"


def test_every_column_has_a_header_in_both_languages(hall: Any, browser: Any) -> None:
    started(hall, "aoi", "kaede")
    for login, place in (("boss", "operator"), (hall.team_login("aoi"), "team")):
        page = page_of(browser, hall.url)
        log_in(page, hall, login, place)
        page.wait_for_selector("table tbody tr")
        headers = []
        for _ in range(2):
            found = page.evaluate(
                "[...document.querySelectorAll('table')].map(table => [table.rows[0].cells.length,"
                " ...[...table.querySelectorAll('thead th[scope=col]')].map(th => th.innerText.trim())])"
            )
            assert found
            for count, *texts in found:
                assert len(texts) == count
                assert all(texts)
            headers.append([texts for _, *texts in found])
            page.click("#language")
        assert headers[0] != headers[1]


def test_names_are_shown_as_text(hall: Any, browser: Any) -> None:
    page = page_of(browser, hall.url)
    hall.contest.teams.add("<img src=x onerror=alert(1)>")
    told(page, "<img src=x onerror=alert(1)> has joined")
    assert page.locator("img").count() == 0
    assert page.faults == []


def shown_sample(browser: Any, hall: Any, name: str) -> Any:
    """The audience's page of another contest, whose board and story come from a file."""
    sample = json.loads((SAMPLES / f"{name}.json").read_text())
    message = f"retry: 60000\n\nid: 1\nevent: story\ndata: {json.dumps(sample['story'])}\n\n"
    page = browser.new_context(locale="en-GB").new_page()
    # A stream that a change of networks broke is asked for again after the 60 seconds of the message.
    page.set_default_timeout(150_000)
    page.route("**/api/board", lambda route: route.fulfill(json=sample["board"]))
    page.route("**/api/stream*", lambda route: route.fulfill(body=message, content_type="text/event-stream"))
    page.goto(hall.url)
    page.wait_for_selector("#map .point")
    return page


def test_matrix_shows_one_task_at_a_time(hall: Any, browser: Any) -> None:
    page = shown_sample(browser, hall, "tasks")
    columns = "#matrix thead th"
    assert page.locator(columns).all_inner_texts() == ["Haru", "Natsu", "Judge: mean prices"]
    page.focus("#matrix [data-choice='purchases/months']")
    page.keyboard.press("Enter")
    assert page.locator(columns).all_inner_texts() == ["Haru", "Natsu"]
    assert page.locator("#matrix .heat").all_inner_texts() == ["0.58", "0.28"]
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert page.locator("#map .point").count() == 3
    page.click("#map [data-choice='visits/places']")
    assert page.locator(columns).all_inner_texts() == ["Haru"]
    assert page.locator("#map .point").count() == 1


def test_unbounded_utility_has_an_axis_of_its_values(hall: Any, browser: Any) -> None:
    page = shown_sample(browser, hall, "unbounded")
    assert "utility: error of means (lower is better) →" in page.inner_text("#map")
    places = {
        team: page.locator(f"#map [data-team={team}] path").bounding_box()["x"] for team in ("ine", "mugi", "awa")
    }
    assert places["ine"] + 100 < places["mugi"] < places["awa"] - 20
    assert page.locator("#map [data-team=mugi] title").text_content().endswith("not attacked yet, as safe as can be")


def same_shape(sample: Any, real: Any, where: str = "") -> None:
    """Fail unless two JSON values have the same keys and types; null fits everything, and so does an empty list."""
    if sample is None or real is None:
        return
    if isinstance(sample, dict) and where.rpartition(".")[2] not in ("measures", "parts", "seeds"):
        assert isinstance(real, dict), where
        optional = {"found", "before", "interval", "confidence", "method"}
        assert sample.keys() - optional == real.keys() - optional, where
        for key in sample.keys() & real.keys():
            same_shape(sample[key], real[key], f"{where}.{key}")
    elif isinstance(sample, dict):
        for left, right in zip(sample.values(), real.values(), strict=False):
            same_shape(left, right, f"{where}.value")
    elif isinstance(sample, list):
        assert isinstance(real, list), where
        for left, right in zip(sample, real, strict=False):
            same_shape(left, right, f"{where}[]")
    else:
        numbers = (int, float)
        both = isinstance(sample, numbers) and isinstance(real, numbers)
        assert both or type(sample) is type(real), where


@pytest.mark.parametrize("name", ["tasks", "unbounded"])
def test_samples_have_the_shape_of_what_the_server_sends(hall: Any, name: str) -> None:
    started(hall, "aoi", "kaede")
    sample = json.loads((SAMPLES / f"{name}.json").read_text())
    with hall.client() as client:
        board, story = client.get("/api/board").json(), client.get("/api/story").json()
    assert board["rounds"][0]["cells"]
    same_shape(sample["board"], board)
    for what in ("joined", "phase_opened", "released", "lowered"):
        ours = next((item for item in sample["story"] if item["what"] == what), None)
        same_shape(ours, next(item for item in story if item["what"] == what), what)


def test_announcements_questions_and_answers(hall: Any, browser: Any) -> None:
    boss, team = page_of(browser, hall.url), page_of(browser, hall.url, "ja-JP")
    log_in(boss, hall, "boss", "operator")
    log_in(team, hall, hall.team_login("aoi"), "team")
    # The rules of the contest, in the language of the team, without sideways scrolling on a phone.
    team.set_viewport_size({"width": 390, "height": 844})
    team.click("#rules summary")
    assert "次の項目の重み付き和" in team.inner_text("#rules")
    assert team.evaluate("document.documentElement.scrollWidth") <= 390
    boss.fill("[data-form=announce] [name=text]", "Lunch is at noon.")
    boss.click("[data-form=announce] button")
    team.wait_for_selector("#announcements:has-text('Lunch is at noon.')")
    assert "お知らせ" in team.inner_text("#announcements")
    team.fill("#question", "<b>May</b> rows be left out?")
    team.click("#questions button")
    boss.wait_for_selector("#messages q:text-is('<b>May</b> rows be left out?')")
    assert team.input_value("#question") == ""
    boss.fill("[data-form=answer] [name=text]", "Yes.")
    boss.check("[data-form=answer] [name=all]")
    boss.click("[data-form=answer] button")
    team.wait_for_selector("#questions p:has-text('Yes.')")
    team.wait_for_selector("#announcements p:has-text('Yes.')")
    boss.wait_for_selector("#messages:not(:has([data-form=answer]))")
    assert boss.faults == team.faults == []


def test_troubles_are_shown(hall: Any, browser: Any) -> None:
    page = page_of(browser, hall.url, "ja-JP")
    log_in(page, hall, "boss", "operator")
    page.wait_for_selector("#troubles li:has-text('採点プロセスが動いていません')")
    assert page.faults == []
