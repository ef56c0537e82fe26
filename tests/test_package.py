"""The package as it is named, numbered and imported."""

import datetime
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import talion

ROOT = Path(__file__).parent.parent


def test_version_is_three_numbers():
    """A release is named by three numbers."""
    assert all(part.isdigit() for part in talion.__version__.split("."))
    assert talion.__version__.count(".") == 2


def test_scripts_get_what_is_promised_and_nothing_else():
    """Each name is there and documented on the page; the package's own names are not exported by accident."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    for name in talion.__all__:
        assert getattr(talion, name).__doc__
        assert f"`{name}`" in page
    assert set(dir(talion)) == {*talion.__all__, "__version__"}
    with pytest.raises(AttributeError, match="talion has no nonsense"):
        _ = talion.nonsense


def test_simulations_from_a_script():
    rows = talion.simulate("engines-of-vengeance", ["random", "random"], 3, seed=5)
    assert [row["match"] for row in rows] == [0, 1, 2]
    assert rows == talion.simulate("engines-of-vengeance", ["random", "random"], 3, seed="5")


def test_importing_the_package_alone_is_quick():
    """Nothing heavy comes with it: the command has to start in half a second."""
    code = "import sys, talion; sys.exit(any(m in sys.modules for m in ('lark', 'rich', 'litestar', 'talion.kernel')))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


HIDDEN = """
import os, sys
for name in ("fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "readline", "_posixshmem"):
    sys.modules[name] = None
for name in ("fork", "nice", "geteuid", "getuid", "killpg", "sched_getaffinity"):
    if hasattr(os, name): delattr(os, name)
"""
"""What only POSIX has is not there any more, as on Windows."""


@pytest.mark.parametrize(
    "room", ["kernel", "games", "bots", "lab", "drawing", "table", "workshop", "testing", "terminal", "cli"]
)
def test_nothing_needs_posix_to_be_imported(room: str):
    """All of the room can be imported where there is no POSIX."""
    code = f"""{HIDDEN}
import importlib, pkgutil
room = importlib.import_module("talion.{room}")
for found in pkgutil.walk_packages(getattr(room, "__path__", []), "talion.{room}."):
    if not found.name.endswith((".mutate", ".migrations.env")):  # for developers, who fork; run by alembic alone
        importlib.import_module(found.name)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "cards engines-of-vengeance WRATH",
        "simulate engines-of-vengeance --games 4 --workers 1",
        pytest.param("simulate engines-of-vengeance --games 4", marks=pytest.mark.deep),
        "try engines-of-vengeance WRATH --json",
        "play engines-of-vengeance --seats greedy,random --plain",
    ],
)
def test_commands_work_without_posix(words: str):
    """What one reads, plays and simulates with, where there is no POSIX; without `--workers` on spawned processes."""
    code = f"""{HIDDEN}
del sys.modules["_posixshmem"]  # here Python's own spawning needs it
from talion.cli import main
if __name__ == "__main__":
    sys.argv = ["talion", *{words.split()!r}]
    main()
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_only_the_served_table_asks_on_which_system_it_is():
    """Rules, bots, lab, drawing, workshop and terminal have no code for one system alone."""
    rooms = ("kernel", "games", "bots", "lab", "drawing", "workshop", "cli")
    files = [path for room in rooms for path in (ROOT / "talion" / room).rglob("*.py")]
    asking = [
        path.name
        for path in files
        if re.search(r"os\.name|sys\.platform|import fcntl", path.read_text("utf-8"))
    ]
    assert not asking


def test_a_release_gets_its_number_and_its_heading():
    tool = runpy.run_path(str(ROOT / "tools" / "release.py"))
    assert tool["numbered"]('a\n__version__ = "0.1.0"\nb\n', "1.2.3") == 'a\n__version__ = "1.2.3"\nb\n'
    day = datetime.date(2026, 11, 16)
    assert tool["headed"]("## 9 (not yet released)\n## 8\n", "1.2.3", day) == "## 1.2.3 (2026-11-16)\n## 8\n"
    with pytest.raises(SystemExit, match="say there what is new"):
        tool["headed"]("## 8\n", "1.2.3", day)
