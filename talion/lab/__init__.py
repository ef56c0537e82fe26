"""Many matches at once: simulate, report, compare, and measure how strong bots are."""


class BadInput(Exception):  # noqa: N818
    """What somebody gave cannot be used; the sentence says why."""


class BadFile(BadInput):
    """A file that is no result file, or a damaged one."""
