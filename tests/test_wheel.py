"""A wheel, built and installed somewhere else, has all it needs."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built with what is installed here: no network."""
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)])
    (built,) = folder.glob("*.whl")
    return built


def run(command: list[str], **options: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    printed: str = done.stdout
    return printed


def test_everything_of_the_package_is_in_the_wheel(wheel: Path):
    """Code and data: what git knows of talion/ and nothing else. The games' scenarios are for a clone."""
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("talion/")}
    known = run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "talion"], cwd=ROOT)
    assert packed == {name for name in known.splitlines() if not re.match("talion/games/.*/scenarios/", name)}


def test_an_installed_wheel_plays(wheel: Path, tmp_path: Path):
    """Outside the checkout: every game is listed, has its rules and cards, and is played by bots to its end."""
    run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", str(tmp_path / "venv")])
    python = str(tmp_path / "venv" / "bin" / "python")
    target = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    run([sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", target, str(wheel)])
    borrowed = next(path for path in sys.path if path.endswith("site-packages"))
    (Path(target) / "borrowed.pth").write_text(f"{borrowed}\n")
    elsewhere = {"cwd": tmp_path, "env": {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}}
    where = run([python, "-c", "import talion; print(talion.__file__)"], **elsewhere).strip()
    assert Path(where).is_relative_to(tmp_path)
    listed = run([python, "-m", "talion", "games"], **elsewhere)
    keys = [line for line in listed.splitlines() if line and not line.startswith(" ")]
    assert len(keys) == len(list((ROOT / "talion" / "games").glob("*/__init__.py")))
    for key in keys:
        assert run([python, "-m", "talion", "rules", key], **elsewhere)
        assert run([python, "-m", "talion", "cards", key], **elsewhere)
        played = run(
            [python, "-m", "talion", "play", key, "--seats", "random,random", "--seed", "1"], **elsewhere
        )
        assert played.splitlines()[0].endswith("Random bot, Random 2.")
