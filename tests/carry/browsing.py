"""A page in Debian's chromium, without a window, and what can be asked of it."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from .. import needs

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
_PACKAGES = "chromium chromium-driver"
#: Why no page can be opened here; empty where one can.
MISSING = "" if CHROMIUM and DRIVER else needs.package("no chromium", _PACKAGES)


class Browser:
    """One page at a time."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, file: Path) -> None:
        self.driver.get(file.as_uri())

    def ask(self, expression: str) -> Any:
        return self.driver.execute_script(f"return {expression}")

    def show_as(self, *, width: int = 1280, scheme: str = "light") -> None:
        """Take a screen of this width, and light or dark colours."""
        self._command(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=800, deviceScaleFactor=1, mobile=width < 500,
        )  # fmt: skip
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self._command("Emulation.setEmulatedMedia", media="screen", features=[feature])

    def show_on_paper(self) -> None:
        self._command("Emulation.setEmulatedMedia", media="print", features=[])

    def press(self, key: str) -> None:
        self.driver.switch_to.active_element.send_keys(key)

    def printed(self) -> bytes:
        """The page as a PDF, on A4."""
        self.show_on_paper()
        paper = {"paperWidth": 8.27, "paperHeight": 11.69}
        return base64.b64decode(self._command("Page.printToPDF", **paper)["data"])

    def complaints(self) -> list[str]:
        """What the console has said since it was asked last."""
        return [entry["message"] for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def _command(self, name: str, **parameters: object) -> Any:
        return self.driver.execute_cdp_cmd(name, parameters)


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start chromium with a profile of its own; it ends with the block."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for word in (
        "--headless=new", "--hide-scrollbars", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={profile}",
        # Its sandbox needs what a container does not give; it opens nothing but our own page.
        "--no-sandbox",
    ):  # fmt: skip
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
