"""Many matches at once: simulate, report, compare, and measure how strong bots are."""


class BadInput(Exception):  # noqa: N818
    """The lab was given something it cannot work with; the sentence says what."""


class BadFile(BadInput):
    """A file that is no result file, or a damaged one."""
