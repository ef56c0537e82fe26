"""make says in one sentence what a machine lacks."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What make needs of the repository, without an environment."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "tools", "bench"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    return tmp_path


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def make(folder: Path, *arguments: str, **environment: str) -> list[str]:
    """What a failing `make` says on standard error, less its own closing line."""
    done = subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert not (folder / ".venv" / "built-for-play").exists()
    return [line for line in done.stderr.splitlines() if not line.startswith("make")]


def test_no_python(checkout: Path):
    """Without Python, the sentence says which one to install."""
    (said,) = make(checkout, "play", "PYTHON=no-such-python")
    assert said.startswith("There is no no-such-python here: install Python 3.11 or newer")


def test_python_too_old(checkout: Path):
    """An old Python is named with its version."""
    old = "import sys, runpy; sys.version_info = (3, 10, 4); sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    python = program(checkout / "bin" / "python3", f'#!/bin/sh\nexec {sys.executable} -c "{old}" "$@"\n')
    (said,) = make(checkout, "play", f"PYTHON={python}")
    assert said.startswith("Talion needs Python 3.11 or newer")
    assert "is 3.10.4" in said


def test_no_ensurepip(checkout: Path):
    """A bare Debian's Python has no ensurepip: where installing it does not help, the command is printed."""
    program(checkout / "bin" / "apt-get", '#!/bin/sh\necho "apt-get $*"\n')
    (checkout / "lame").mkdir()
    (checkout / "lame" / "ensurepip.py").write_text("raise ImportError\n")
    path = f"{checkout / 'bin'}:{os.environ['PATH']}"
    (said,) = make(checkout, "play", f"PYTHON={sys.executable}", PATH=path, PYTHONPATH=str(checkout / "lame"))
    assert said.startswith("This Python has no ensurepip")
    assert "apt-get install --yes python3-venv" in said


def test_an_interrupted_build_goes_on(checkout: Path, monkeypatch: pytest.MonkeyPatch):
    """What was installed whole stays; what pip was interrupted in goes; another Python begins anew."""
    tool = runpy.run_path(str(checkout / "tools" / "environment.py"))
    monkeypatch.chdir(checkout)
    packages = checkout / ".venv" / "lib" / "python3" / "site-packages"
    for name, files in (("whole-1.dist-info", ["METADATA", "INSTALLER"]), ("half-1.dist-info", ["METADATA"])):
        for file in files:
            program(packages / name / file, "")
    program(checkout / ".venv" / "bin" / "python", "")
    assert not tool["is_begun"](".venv")
    (checkout / ".venv" / "made-by").write_text(sys.version)
    assert tool["is_begun"](".venv")
    tool["remove_halves"](".venv")
    assert [path.name for path in packages.iterdir()] == ["whole-1.dist-info"]


def test_no_network(checkout: Path):
    """When packages cannot be fetched, the environment does not count as built."""
    nowhere = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(checkout / "nowhere"),
        "PIP_CONFIG_FILE": os.devnull,
    }
    said = make(checkout, "play", f"PYTHON={sys.executable}", **nowhere)
    assert said[-1].startswith("The packages could not be installed")
