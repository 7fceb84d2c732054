"""The workspace in a real browser: Chromium of the system, driven by Playwright (extra `browser`)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import foretell
from tests.support.explore import GOOD
from tests.support.frontends.captures import vector_addition
from tests.support.frontends.cubins import built
from tests.support.serve.web import ASKED as WEB_ASKED

if TYPE_CHECKING:
    from collections.abc import Iterator

playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")]
AXE = Path(__file__).parents[3] / "web/node_modules/axe-core/axe.min.js"
WAIT_MS = 40_000
LIBRARY = Path(foretell.__file__).parent / "machines/data"
RECORDED = Path(foretell.__file__).parent / "examples"


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    command = [sys.executable, "-m", "foretell", "serve", "--port", "0", "--folder", str(folder), "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        yield found[0]
        process.terminate()


@pytest.fixture(scope="module")
def kept_pages(link: str) -> list[str]:
    """A project with a file, a kept answer and a job, made by the API: the paths of their pages."""
    base, _, token = link.partition("?token=")

    def ask(method: str, path: str, document: object) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        asked = urllib.request.Request(base + path, json.dumps(document).encode(), headers, method=method)
        with urllib.request.urlopen(asked, timeout=WAIT_MS / 1000) as reply:
            answer: dict[str, Any] = json.load(reply)
            return answer

    ask("POST", "api/v1/projects", {"name": "kept"})
    ask("PUT", "api/v1/projects/kept/code/a.c", "void f(void) {}")
    run = ask("POST", "api/v1/runs", {"question": "annotate", "document": WEB_ASKED, "project": "kept"})
    job = ask("POST", "api/v1/jobs", {"question": "tune", "document": {"code": {"example": "hotspot.c"}, "on": "zen4"}})
    return ["/projects/kept", str(run["link"]), str(job["link"])]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


#: drops a file of a name and a text, as often as said, on the page of programs
DROP = """([name, text, times = 1]) => {
    const data = new DataTransfer();
    data.items.add(new File([text.repeat(times)], name));
    const event = (kind) => new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    for (const kind of ["dragenter", "dragover", "drop"]) document.getElementById("drop").dispatchEvent(event(kind));
}"""


class Shown:
    """A page of its own session, with all that its console says."""

    def __init__(self, browser: Any, link: str, **how: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1600, "height": 1000}, **how})
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.set_default_timeout(WAIT_MS)
        self.page.goto(link)

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *failed: object) -> None:
        self.context.close()
        if failed[0] is None:
            assert self.said == []

    @property
    def headline(self) -> str:
        return str(self.page.locator("#answer .headline").first.inner_text())

    def changed(self, before: str) -> str:
        """The headline once it is another one."""
        self.page.wait_for_function(
            "before => document.querySelector('#answer .headline')?.innerText !== before", arg=before
        )
        return self.headline


def to_page(page: Any, name: str) -> None:
    """Goes to a page by the menu, and waits for its scripts."""
    with page.expect_navigation():
        page.click(f"nav >> text={name}")


def test_typing_sliders_advice_and_sharing(browser: Any, link: str) -> None:
    with Shown(browser, link) as shown:
        page = shown.page
        first = shown.changed("")
        assert "triad on zen4" in first
        assert "token" not in page.url
        assert page.locator(".cost").count() >= 1
        page.click(".cm-content")
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")  # typing over a selection, Chromium itself writes a style, which is blocked
        page.keyboard.type("void triad(int n, double *a) {\nfor (int i = 0; i < n; i++)\na[i] *= 3;\n}\n")
        second = shown.changed(first)
        page.locator("#sliders input").first.focus()
        for _ in range(20):
            page.keyboard.press("ArrowRight")
        third = shown.changed(second)
        assert "n = 1e+06" not in third
        page.click("button[data-question=advise]")
        page.locator("section:has-text('between threads') > button.apply").first.click()
        page.wait_for_selector("text=what the time is made of")
        assert page.locator("#answer svg[aria-label=roofline] polyline").count() >= 4
        assert "#pragma" in page.inner_text(".cm-content")
        page.wait_for_function("() => location.hash.length > 20")
        page.click("#share")
        page.wait_for_selector("#status a")
        page.click("#status a")
        page.wait_for_selector("text=what made it")
        page.wait_for_selector("#reopen[href*='#']")
        page.click("#reopen")
        page.wait_for_selector("#answer .headline")
        assert "#pragma" in page.inner_text(".cm-content")
        page.reload()
        page.wait_for_selector("#answer .headline")
        assert "#pragma" in page.inner_text(".cm-content")


def test_a_number_of_the_machine_is_moved_and_put_back(browser: Any, link: str) -> None:
    with Shown(browser, link) as shown:
        page = shown.page
        first = shown.changed("")
        page.click("summary:has-text('what if the machine')")
        slider = page.locator("#sliders input[aria-label='clock.frequency']")
        slider.focus()
        for _ in range(20):
            page.keyboard.press("ArrowRight")
        faster = shown.changed(first)
        assert page.input_value("#set").startswith("clock.frequency=")
        assert "×)" in page.locator("#sliders label:has-text('clock.frequency') output").inner_text()
        for _ in range(20):
            page.keyboard.press("ArrowLeft")
        assert shown.changed(faster) == first
        assert page.input_value("#set") == ""


def test_errors_comparison_and_all_machines(browser: Any, link: str) -> None:
    with Shown(browser, link) as shown:
        page = shown.page
        first = shown.changed("")
        page.click("summary:has-text('version before')")
        page.click("#remember")
        page.click(".cm-content")
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.keyboard.type("void triad(int n, double *a) { for (int i = 0; i < n; i++) a[i] = a[i] / 3.7; }")
        shown.changed(first)
        page.click("button[data-question=check]")
        page.wait_for_selector("#answer :text('faster'), #answer :text('slower')")
        page.wait_for_selector("#versions .cm-merge-a >> text=b[i] + s * c[i]")
        page.wait_for_selector("#versions .cm-merge-b >> text=a[i] / 3.7")
        assert page.locator("#versions .cm-changedLine").count() >= 2
        page.click("button[data-question=rank]")
        page.wait_for_selector("text=predicted times")
        assert page.locator("#answer tbody tr").count() > 10
        page.click("button[data-question=sizes]")
        page.wait_for_selector("#answer svg.picture")
        page.click(".cm-content")
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.keyboard.type("void f( {")
        page.wait_for_selector("#answer .error")
        page.wait_for_selector(".cm-lint-marker-error")
        shown.said[:] = [text for text in shown.said if "422" not in text]  # the browser notes refused requests


def test_a_launch_knows_the_parameters_of_its_kernel(browser: Any, link: str) -> None:
    with Shown(browser, link) as shown:
        page = shown.page
        shown.changed("")
        page.select_option("#language", "cuda")
        page.click(".cm-content")
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.keyboard.type("__global__ void axpy(float *y, const double *x, float a, int n) {}")
        page.wait_for_function("() => document.getElementById('args')?.value.includes('n=')")
        assert page.input_value("#args").split() == [
            "y=float[1000000]",
            "x=double[1000000]",
            "a=float:1.5",
            "n=1000000",
        ]
        assert page.input_value("#block") == "256"
        assert page.locator("#parameters-of-kernel label").all_inner_texts() == [
            "y: float array", "x: double array", "a: float", "n: int",
        ]  # fmt: skip
        page.fill("#parameters-of-kernel input[data-parameter=n]", "4096")
        assert page.input_value("#args").split()[-1] == "n=4096"
        page.click(".cm-content")
        page.keyboard.press("Control+End")
        page.keyboard.type(" __global__ void other(int *p) {}")
        page.wait_for_selector("#parameters-of-kernel >> text=axpy, of axpy, other")
        page.fill("#function", "other")
        page.wait_for_selector("#parameters-of-kernel >> text=p: int array")
        page.fill("#args", "p=int[64]")  # what the user writes himself stays
        page.wait_for_selector("#answer .headline, #answer .error")
        shown.said.clear()  # without nvcc the question is refused


def test_the_page_without_javascript(browser: Any, link: str) -> None:
    with Shown(browser, link, java_script_enabled=False) as shown:
        page = shown.page
        page.fill("#code", "void f(int n, double *a) {\n  for (int i = 0; i < n; i++)\n    a[i] *= 2;\n}\n")
        page.click("button[data-question=annotate]")
        assert "f on zen4" in shown.headline
        assert page.locator("svg[aria-label=roofline]").count() == 1
        page.click("button[data-question=advise]")
        page.locator("section:has-text('between threads') > button.apply").first.click()
        assert "#pragma" in page.input_value("#code")
        page.click("summary:has-text('version before')")
        page.fill("#base", page.input_value("#code").replace("*= 2", "/= 3"))
        page.click("button[data-question=check]")
        assert "+    a[i] *= 2;" in page.inner_text("#versions")
        page.click("#share")
        page.wait_for_selector("text=what made it")


def test_jobs_and_uploads(browser: Any, link: str, tmp_path: Path) -> None:
    own = (LIBRARY / "cpu/zen4.toml").read_text().replace('name = "zen4"', 'name = "mine"')
    (tmp_path / "mine.toml").write_text(own)
    (tmp_path / "profile.csv").write_text((RECORDED / "nekbone-like.csv").read_text())
    with Shown(browser, link) as shown:
        page = shown.page
        to_page(page, "projects")
        page.fill("#name", "first")
        page.click("button:has-text('make')")
        for kind, name in (("machine", "mine.toml"), ("profile", "profile.csv")):
            page.select_option("#kind", kind)
            page.set_input_files("#file", tmp_path / name)
            page.click("button:has-text('upload')")
            page.wait_for_selector(f"td:has-text('{name}')")
        page.click("tr:has-text('mine.toml') >> text=use")
        assert "on mine" in shown.changed("")
        assert page.input_value("#machine") == "first/mine.toml"
        page.click("button[data-question=rank]")
        page.wait_for_selector("#answer td:text-is('mine')")
        to_page(page, "projects")
        page.click("text=first")
        page.click("tr:has-text('profile.csv') >> text=open")
        assert page.input_value("#language") == "profile"
        page.select_option("#machine", "sw26010")
        page.wait_for_selector("#answer .headline, #answer .error")
        to_page(page, "jobs")
        page.fill("#parameters", "n=128 m=128")
        page.click("button:has-text('begin')")
        page.wait_for_selector("text=link to this answer")
        assert "done" in page.inner_text("#job")
        page.reload()
        page.wait_for_selector("text=link to this answer")
        shown.said[:] = [text for text in shown.said if "422" not in text]


def test_a_capture_that_is_chosen_before_the_script_runs_is_predicted(browser: Any, link: str, tmp_path: Path) -> None:
    path = vector_addition(tmp_path / "app.capture", built("simple_sm90.cubin").read_bytes())
    with Shown(browser, link) as shown:
        page, held = shown.page, list[Any]()
        page.route("**/program.js*", lambda route: held.append(route))
        with page.expect_request("**/program.js*"):
            page.click("nav >> text=programs")
        page.set_input_files("#capture", str(path))
        held[0].continue_()
        page.wait_for_selector("#answer .headline")


def test_a_capture_is_dropped_predicted_and_ranked(browser: Any, link: str, tmp_path: Path) -> None:
    path = vector_addition(tmp_path / "app.capture", built("simple_sm90.cubin").read_bytes())
    with Shown(browser, link) as shown:
        page = shown.page
        to_page(page, "programs")
        page.set_input_files("#capture", str(path))
        page.wait_for_selector("#answer .headline")
        assert "app.capture: 3 launches; on h200" in shown.headline
        for words in ("critical path", "copies and sets", "timeline"):
            assert page.locator(f"#answer :text('{words}')").count() >= 1
        page.select_option("#machine", "a100")
        page.click("button[data-question=why]")
        second = shown.changed(shown.headline)
        assert "on a100" in second
        page.click("button[data-question=rank]")
        assert "more GPUs" in shown.changed(second)
        page.evaluate(DROP, ["damaged.capture", "no capture"])
        page.wait_for_selector("#answer .error:has-text('is no capture')")
        page.evaluate(DROP, ["large.capture", "x" * 1024, 17 * 1024])
        page.wait_for_selector("#answer .error:has-text('more than 16.0 MiB')")
        shown.said = [text for text in shown.said if "422" not in text]  # what Chromium says of the refusal


def test_a_front_is_brushed(browser: Any, link: str) -> None:
    """Dragging over the picture filters the table; so does Enter on a point; Escape shows all."""
    with Shown(browser, link) as shown:
        page = shown.page
        to_page(page, "jobs")
        page.select_option("#question", "explore")
        page.select_option("#machine", "")
        page.fill("#parameters", "")
        page.fill("#code", GOOD.replace(', "area"', ""))
        page.click("button:has-text('begin')")
        page.wait_for_selector(".brushed")
        rows = page.locator("tr[data-row]:visible")
        total = rows.count()
        assert total >= 2
        svg = page.locator("svg[data-brush]").first
        svg.scroll_into_view_if_needed()
        box, point = svg.bounding_box(), svg.locator("circle[data-row]").first.bounding_box()
        page.mouse.move(point["x"] - 8, point["y"] - 8)
        page.mouse.down()
        page.mouse.move(point["x"] + 20, point["y"] + 20, steps=3)
        page.mouse.up()
        assert rows.count() == 1
        assert "1 selected" in page.inner_text(".brushed")
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 4)
        assert rows.count() == total
        svg.locator("circle[data-row]").nth(1).focus()
        page.keyboard.press("Enter")
        assert rows.count() == 1
        page.keyboard.press("Escape")
        assert rows.count() == total


def test_the_keyboard_reaches_everything(browser: Any, link: str) -> None:
    with Shown(browser, link) as shown:
        page = shown.page
        shown.changed("")
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate("document.activeElement.id || document.activeElement.getAttribute('class') || ''")
            )
            reached.add(page.evaluate("document.activeElement.dataset.question || ''"))
        assert {"theme", "machine", "parameters", "annotate", "rank", "share"} <= reached
        assert any("cm-content" in name for name in reached)


def tab_to(page: Any, selector: str) -> None:
    """Presses Tab until the element has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached")


def test_the_keyboard_alone_changes_code_asks_and_shares(browser: Any, link: str) -> None:
    with Shown(browser, link) as shown:
        page = shown.page
        first = shown.changed("")
        tab_to(page, ".cm-content")
        for key in ("Control+Home", "ArrowDown", "ArrowDown", "End", "ArrowLeft"):
            page.keyboard.press(key)
        page.keyboard.type(" / s")
        assert shown.changed(first) != first
        tab_to(page, "button[data-question=why]")  # Tab leaves the editor
        page.keyboard.press("Enter")
        page.wait_for_selector("#answer >> text=elasticity")
        page.wait_for_function("() => document.activeElement?.id === 'answer'")  # where the answer is read
        page.keyboard.press("Shift+Tab")
        tab_to(page, "#share")
        page.keyboard.press("Enter")
        page.wait_for_selector("#status a")
        tab_to(page, "#status a")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=what made it")


def test_the_chosen_theme_stays(browser: Any, link: str) -> None:
    with Shown(browser, link, color_scheme="light") as shown:
        page = shown.page
        paper = "() => getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(paper) == "rgb(255, 255, 255)"
        page.focus("#theme")
        page.keyboard.press("Enter")
        assert page.evaluate(paper) != "rgb(255, 255, 255)"
        to_page(page, "machines")
        assert page.evaluate(paper) != "rgb(255, 255, 255)"
        page.reload()
        page.click("#theme")
        assert page.evaluate(paper) == "rgb(255, 255, 255)"


@pytest.mark.parametrize("width", [400, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_themes_widths_and_accessibility(
    browser: Any, link: str, kept_pages: list[str], width: int, scheme: str
) -> None:
    with Shown(browser, link, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True) as shown:
        page = shown.page
        shown.changed("")
        for path in ("/", "/program", "/machines", "/jobs", "/projects", "/machines/zen4", "/login", *kept_pages):
            page.goto(link.partition("?")[0].rstrip("/") + path)
            if path == "/":
                page.wait_for_selector("#answer .headline")
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (paper == "rgb(255, 255, 255)") == (scheme == "light"), path
            if AXE.exists():
                page.add_script_tag(path=str(AXE))
                found = page.evaluate("axe.run().then(r => r.violations.map(v => [v.impact, v.id, v.nodes.length]))")
                assert [entry for entry in found if entry[0] in ("serious", "critical")] == [], (
                    path,
                    json.dumps(found),
                )


#: 20,480 variants of hotspot: seconds, so that there is something to see; and more, to be cancelled in the middle
SOME, MANY = "tile_i=1:64:1 tile_j=0:504:8", "tile_i=1:128:1 tile_j=0:508:4"
#: tells what the line of a job says, over all loads of its page
WATCH = """addEventListener("DOMContentLoaded", () => {
    const line = document.getElementById("job");
    if (!line) return;
    noted(line.textContent);
    new MutationObserver(() => noted(line.textContent)).observe(line, { childList: true, subtree: true });
});"""


def begin(page: Any, axes: str) -> None:
    """Begins a tuning run by its form."""
    to_page(page, "jobs")
    page.fill("#parameters", "n=512 m=512")
    page.click("summary:has-text('axes')")
    page.fill("#axes", axes)
    page.click("button:has-text('begin')")


def test_a_tuning_run_shows_its_progress_and_its_result_stays(browser: Any, link: str) -> None:
    with Shown(browser, link) as shown:
        page, said = shown.page, list[str]()
        page.expose_function("noted", lambda text: said.append(text))
        page.add_init_script(WATCH)
        begin(page, SOME)
        page.wait_for_selector("text=link to this answer", timeout=4 * WAIT_MS)
        done = [int(text.split()[1]) for text in said if text.startswith("running: ")]
        assert len(set(done)) >= 2, said  # it moved before our eyes, without a reload
        assert done == sorted(done)
        assert said[-1] == "done: 20480 of 20480"
        best = shown.page.inner_text("main .headline")
        address = page.url
        page.reload()
        assert page.inner_text("main .headline") == best
        page.click("text=link to this answer")
        page.wait_for_selector("text=what made it")
        assert best in page.inner_text("main")
        to_page(page, "jobs")
        page.click(f"tr:has-text('done') a[href='/jobs/{address.rsplit('/', 1)[1]}']")
        assert page.inner_text("main .headline") == best


def test_a_tuning_run_is_cancelled(browser: Any, link: str) -> None:
    with Shown(browser, link) as shown:
        page = shown.page
        begin(page, MANY)
        page.wait_for_selector("#job >> text=/^running/")  # unlike a script, waits also while the page is loaded
        page.click("button:has-text('cancel')")
        page.wait_for_selector("#job >> text=/^cancelled/")
        assert page.locator("progress").count() == 0
        page.reload()
        assert page.inner_text("#job").startswith("cancelled")
        page.click("text=begin another")
        page.fill("#parameters", "n=128 m=128")  # the worker is free for the next one
        page.click("button:has-text('begin')")
        page.wait_for_selector("text=link to this answer")
