"""What all tests share."""

import multiprocessing
import os
import shutil
from collections.abc import Generator, Iterator
from typing import Any

import pytest

NO_SKIPS = bool(os.environ.get("TALION_NO_SKIPS"))

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The same browser; the first has no window to draw and takes a third less of the processor."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With TALION_NO_SKIPS set, as in continuous integration, a skipped test counts as failed."""
    report = yield
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped here. {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole file of tests that skips itself."""
    report = yield
    if NO_SKIPS and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped here. {report.longrepr}"
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser on a busy machine now and then takes longer than anybody's patience: it gets a second try, which is printed."""
    second_try = pytest.mark.flaky(reruns=1)
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(second_try)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser. Without one what needs it is skipped, except in CI, where there has to be one.

    It is closed after each module: while it is open, no other test can run an event loop.
    """
    try:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
            args = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP *.test 127.0.0.1"]
            browser = playwright.chromium.launch(executable_path=path, args=args)
            yield browser
            browser.close()
    except Exception as problem:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no browser to test with: {problem}")


@pytest.fixture
def can_open_terminals() -> None:
    """Small machines have no pseudo-terminals."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError as problem:
        pytest.skip(f"no terminal can be opened here: {problem}")


@pytest.fixture
def has_semaphores() -> None:
    """Small machines have no shared memory. Talion needs none, but Dask does."""
    try:
        multiprocessing.get_context("spawn").Semaphore()
    except OSError as problem:
        pytest.skip(f"no semaphore can be made here: {problem}")
