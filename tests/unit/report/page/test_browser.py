"""Reports in a real browser: Chromium of the system, driven by Playwright (extra `browser`)."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from foretell.report import json as json_report
from foretell.report.page import html
from foretell.report.page.build import page
from tests.unit.report.page.test_page import HOSTILE, a_check, documents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    hostile = json.loads(
        json_report.dumps(json_report.check(a_check(" ".join([*HOSTILE, "a_folder_with_a_long_name/" * 20]))))
    )
    every = {name: [page(document)] for name, document in documents().items()} | {"hostile": [page(hostile)]}
    every["compared"] = [every["prediction"][0], every["explanation"][0]]
    for name, pages in every.items():
        (folder / f"{name}.html").write_text(html.document(pages, "foretell <b>"), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in every}


@pytest.mark.parametrize("width", [400, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_reports_open_without_network_or_errors(browser: Any, files: dict[str, Path], width: int, scheme: str) -> None:
    for name, path in files.items():
        shown = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        said: list[str] = []
        asked: list[str] = []
        shown.on("console", lambda message, said=said: said.append(message.text))
        shown.on("pageerror", lambda error, said=said: said.append(str(error)))
        shown.on("dialog", lambda dialog, said=said: (said.append("dialog"), dialog.dismiss()))
        shown.on("request", lambda request, asked=asked: asked.append(request.url))
        shown.goto(path.as_uri())
        assert said == [], (name, said)
        assert asked == [path.as_uri()], name
        assert shown.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
        ends = "[...document.querySelectorAll('svg.picture')].map((part) => part.getBoundingClientRect().right)"
        assert all(end <= width for end in shown.evaluate(ends)), name
        paper = shown.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (scheme == "light"), name
        shown.close()


def test_keyboard_tooltips_and_theme(browser: Any, files: dict[str, Path]) -> None:
    shown = browser.new_page(viewport={"width": 1200, "height": 900}, color_scheme="light")
    shown.goto(files["validation"].as_uri())
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.id") == "theme"
    shown.keyboard.press("Enter")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    shown.keyboard.press("Tab")  # the picture, which can be scrolled
    assert shown.evaluate("document.activeElement.className") == "scroll"
    shown.keyboard.press("Tab")  # its first point
    tip = shown.locator("#tip")
    assert "measured" in tip.inner_text()
    assert tip.is_visible()
    shown.keyboard.press("Escape")
    assert not tip.is_visible()
    shown.close()


def test_a_page_prints_with_everything_open(browser: Any, files: dict[str, Path]) -> None:
    shown = browser.new_page()
    shown.goto(files["explanation"].as_uri())
    assert len(shown.pdf()) > 10_000
    assert shown.evaluate("[...document.querySelectorAll('details')].every((part) => part.open)")
    shown.close()
