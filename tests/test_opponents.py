"""The page about the opponents shows the duels that were fought."""

from pathlib import Path

from talion.lab.strengths import lines

ROOT = Path(__file__).parent.parent


def test_the_table_of_strengths_is_that_of_the_kept_duels() -> None:
    page = (ROOT / "docs" / "opponents.md").read_text("utf-8")
    shown = page.partition("<!-- strengths -->")[2].partition("<!-- end -->")[0].strip().splitlines()
    assert shown == list(lines([ROOT / "bench" / "duels"]))
