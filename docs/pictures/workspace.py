"""Draws the pictures of the workspace in docs/tutorial/workspace.md: needs the extras `web`, `browser`, and Chromium.

python docs/pictures/workspace.py
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent
SPACE = """machine = "sw26010"
[[application]]
code = "example:vector-add"
[names]
cores = "cores.count"
[axes]
cores = { from = 8, to = 128 }
"memory.bandwidth" = { from = "16 GB/s", to = "128 GB/s", scale = "log" }
"clock.frequency" = { from = "1 GHz", to = "2 GHz" }
[follow]
"cores.per_group" = "cores"
[sample]
points = 2000
seed = 1
[objectives]
minimise = ["time", "power"]
"""


def keep(page: Any, name: str) -> None:
    """A picture of few colours, which is small; without the time that the answer took here."""
    page.evaluate("(document.getElementById('status') ?? {}).textContent = ''")
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shot.quantize(128, dither=Image.Dither.NONE).save(FOLDER / name, optimize=True)


def compared(page: Any) -> None:
    page.click("summary:has-text('version before')")
    page.click("#remember")
    page.click(".cm-content")
    for key in ("Control+Home", "ArrowDown", "ArrowDown", "End", "ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.type(" / s")
    page.wait_for_function("() => document.querySelector('#status').textContent.endsWith('ms')")
    page.click("button[data-question=check]")
    page.wait_for_selector("#versions .cm-merge-b")
    page.evaluate("scrollTo(0, 0)")


def brushed(page: Any, link: str) -> None:
    page.goto(link.partition("?")[0] + "jobs")
    page.select_option("#question", "explore")
    page.select_option("#machine", "")
    page.fill("#parameters", "")
    page.fill("#code", SPACE)
    page.click("button:has-text('begin')")
    page.wait_for_selector(".brushed")
    box = page.locator("svg[data-brush]").first.bounding_box()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.35 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.45 * box["width"], box["y"] + 0.85 * box["height"], steps=4)
    page.mouse.up()
    page.mouse.move(0, 0)


def draw(browser: Any, link: str) -> None:
    page = browser.new_page(viewport={"width": 1500, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(link)
    page.wait_for_selector("#answer svg[aria-label=roofline]")
    keep(page, "workspace.png")
    compared(page)
    keep(page, "versions.png")
    brushed(page, link)
    keep(page, "front.png")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "foretell", "serve", "--port", "0", "--folder", folder, "--workers", "1"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as driver:
            assert server.stdout is not None
            link = re.search(r"http\S+", server.stdout.readline())
            assert link is not None
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            try:
                draw(browser, link[0])
            finally:
                browser.close()
                server.terminate()


if __name__ == "__main__":
    main()
