"""The kernel's reference says what the kernel has, and leaves out nothing that a game imports."""

import ast
import textwrap

import pytest

from talion import kernel
from tools import reference

NAMES = {name: example for _, _, names in reference.CHAPTERS for name, example in names.items()}


def test_the_page_is_as_it_is_written() -> None:
    assert reference.PAGE.read_text("utf-8") == reference.page(), "run python -m tools.reference"


def test_nothing_that_can_be_imported_is_missing() -> None:
    assert set(kernel.__all__) - NAMES.keys() == reference.NOT_FOR_AUTHORS


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_python(name: str) -> None:
    example = NAMES[name]
    if example.startswith("except"):
        example = f"try: pass\n{example}"
    ast.parse(f"def example(self):\n{textwrap.indent(example, '    ')}")


def test_every_name_has_words() -> None:
    page = reference.page()
    silent = [name for name in NAMES if f"### `{name}`\n" not in page]
    assert not silent
