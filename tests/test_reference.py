"""The kernel's reference says what the kernel has, and leaves out nothing that a game imports."""

import ast
import textwrap
from pathlib import Path

import pytest

from talion import kernel
from talion.kernel.insides import Insides
from tools import reference

ROOT = Path(__file__).parent.parent

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


def public(kind: type) -> set[str]:
    return {
        name for name in (*vars(kind), *vars(kind).get("__annotations__", ())) if not name.startswith("_")
    }


ABOUT_THE_CLASS = {"derived", "fields", "free", "has_secrets", "per_card"}
"""What a kind of part knows of itself."""
AUTHORS = {name.removeprefix("t.") for name in NAMES if name.startswith("t.")}


def test_a_state_has_an_authors_names_and_all_of_them_are_documented() -> None:
    assert public(kernel.State) - ABOUT_THE_CLASS == AUTHORS
    assert len(AUTHORS) < 50


@pytest.mark.parametrize("room", ["talion/games", "talion/template", "examples"])
def test_games_keep_out_of_the_insides_of_a_state(room: str) -> None:
    """What the kernel keeps in a state for itself is read by the kernel alone, and by those who check it."""
    inside = public(Insides) - AUTHORS - {"new", "seat"}
    reached = [
        f"{path.relative_to(ROOT)}, line {node.lineno}: t.{node.attr}"
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in inside
        if isinstance(node.value, ast.Name) and node.value.id == "t"
    ]
    assert not reached


def test_every_name_has_words() -> None:
    page = reference.page()
    silent = [name for name in NAMES if f"### `{name}`\n" not in page]
    assert not silent
