"""What all tests share."""

import os
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With TALION_NO_SKIPS set, as in continuous integration, a skipped test counts as failed."""
    report = yield
    if report.skipped and os.environ.get("TALION_NO_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: nothing may be skipped here. {report.longrepr}"
    return report
