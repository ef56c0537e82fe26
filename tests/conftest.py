"""What all tests share."""

import multiprocessing
import os
from collections.abc import Generator

import pytest

NO_SKIPS = bool(os.environ.get("TALION_NO_SKIPS"))


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
