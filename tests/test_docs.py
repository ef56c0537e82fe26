"""The pages run: every command in a `console` block is executed, and what it prints is compared.

In such a block a line that starts with `$ ` is a command and the lines below it are what it prints; where none are
shown, it only has to succeed. A line `...` stands for any lines, and within a line for any words. A command that is meant to be refused ends with
`# exit 2`. A block with a file name after its language, as in "toml duel.toml", is written to that file first; if it
is one of the examples, the block must stand in it word for word. The blocks of one page run in their order, in one
folder, which also holds the examples. A `text` block that begins with `$ talion play` is a match in the terminal: what
stands after a prompt is typed, and all the rest must be printed.
"""

import html
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from talion import cli, games

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
BLOCK = re.compile(
    r"^```(?P<language>\w+)[ \t]*(?P<file>[\w./-]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")


@dataclass
class Command:
    """A command of a page, with what it should print (nothing shown: anything)."""

    line: str
    shown: list[str] = field(default_factory=list)

    @property
    def status(self) -> int:
        found = re.search(r"# exit (\d+)$", self.line)
        return int(found[1]) if found else 0

    def expects(self, printed: str) -> bool:
        """Whether it printed what is shown; trailing blanks do not count, nor how far it has come on a slow machine."""
        pattern = "".join(r"(?:.*\n)*?" if line == "..." else words(line) + r"\n" for line in self.shown)
        lines = [line.rstrip() for line in printed.splitlines()]
        printed = "".join(f"{line}\n" for line in lines if not re.fullmatch(r"\d+ of \d+ matches", line))
        return not self.shown or re.fullmatch(pattern, printed) is not None


def words(line: str) -> str:
    """A pattern for a line as it is shown."""
    return re.escape(line.rstrip()).replace(re.escape("..."), ".*")


def commands(block: str) -> Iterator[Command]:
    command = None
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                yield command
            command = Command(line[2:])
        elif command:
            command.shown.append(line)
    if command:
        yield command


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the examples in it, and `talion` as this Python runs it."""
    programs = tmp_path / ".programs"
    programs.mkdir()
    for name, words in (("talion", "-m talion"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {words} "$@"\n')
        (programs / name).chmod(0o755)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def run(command: Command, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PATH": f"{folder / '.programs'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    return subprocess.run(
        ["bash", "-c", command.line], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_commands_print_what_the_page_shows(page: Path, desk: Path):
    """A reader who types what a page says sees what it shows."""
    for block in BLOCK.finditer(page.read_text("utf-8")):
        if block["file"] and (desk / block["file"]).exists():
            assert block["text"] in (desk / block["file"]).read_text("utf-8"), block["text"]
        elif block["file"]:
            (desk / block["file"]).parent.mkdir(parents=True, exist_ok=True)
            (desk / block["file"]).write_text(block["text"], "utf-8")
        elif block["language"] == "console":
            for command in commands(block["text"]):
                done = run(command, desk)
                assert done.returncode == command.status, f"$ {command.line}\n{done.stdout}"
                assert command.expects(done.stdout), f"$ {command.line}\n{done.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_matches_go_as_the_page_shows(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """What a page shows of a match in the terminal is what a person sees who types the same."""
    for block in BLOCK.finditer(page.read_text("utf-8")):
        if block["language"] != "text" or not block["text"].startswith("$ talion play"):
            continue
        command, *shown = block["text"].splitlines()
        typed = iter([line.partition("> ")[2] for line in shown if re.match(r"\w+> ", line)])

        def read(prompt: str, typed: Iterator[str] = typed) -> str:
            line = next(typed)
            print(f"{prompt}{line}")
            return line

        monkeypatch.setattr("builtins.input", read)
        monkeypatch.setattr("sys.argv", command[2:].split())
        monkeypatch.setattr("sys.stdin.isatty", lambda: True)
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        with pytest.raises(SystemExit):
            cli.main()
        printed = capsys.readouterr().out
        assert Command(command, shown).expects(printed), printed


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path):
    """A link inside the repository names a file that is there."""
    broken = [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()]
    assert not broken


def test_the_site_is_built_whole_and_offline(tmp_path: Path):
    """Every page is there, each game with its rules and cards; a link that leads nowhere would stop the build."""
    site = runpy.run_path(str(ROOT / "tools" / "site.py"))["build"](tmp_path)
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / f"{page.stem}.html").is_file()
    for game in games.every():
        text = html.unescape((site / "games" / f"{game.key}.html").read_text("utf-8"))
        assert game.designer in text
        assert "Rights: the game is its designer" in text
        faces = (site / "faces" / f"{game.key}.html").read_text("utf-8")
        assert faces.count('class="card ') >= len({face.name for face in game.content().faces if face.count})
        rule = next(iter(game.rulebook.rules))
        assert f'id="{rule}"' in text
        assert not [face.name for face in game.content().faces if face.count and face.name not in text]
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|link|img)[^>]*(?:src|href)="?(https?:[^" >]*)', page.read_text("utf-8")
        )
        assert not loaded


def test_a_dead_link_is_found(tmp_path: Path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#x"></a><img src=c.png><a href="https://d"></a><a href="#y">'
    )
    (tmp_path / "b.html").touch()
    assert list(runpy.run_path(str(ROOT / "tools" / "site.py"))["dead_links"](tmp_path)) == ["a.html: c.png"]


def test_the_comparison_can_fail():
    """Other output than shown is noticed, and `...` stands for any lines."""
    assert Command("x", ["one", "..."]).expects("one\ntwo\nthree\n")
    assert Command("x", ["one", "...", "three"]).expects("one\ntwo\nthree\n")
    assert Command("x", ["one ... three"]).expects("one two three\n")
    assert not Command("x", ["one", "...", "four"]).expects("one\ntwo\nthree\n")
    assert not Command("x", ["one"]).expects("one\ntwo\n")
