"""The package as it is named and numbered."""

import talion


def test_version_is_three_numbers():
    """A release is named by three numbers."""
    assert all(part.isdigit() for part in talion.__version__.split("."))
    assert talion.__version__.count(".") == 2
