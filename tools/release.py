"""Make a release: `python tools/release.py 1.2.3`. Writes the version and the changelog's heading, commits, tags, builds."""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path("talion/__init__.py")
CHANGES = Path("CHANGELOG.md")


def main() -> None:
    version = sys.argv[1] if len(sys.argv) > 1 else ""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        sys.exit("Say which version: make release VERSION=1.2.3.")
    if run("git", "status", "--porcelain"):
        sys.exit("There are changes that are not committed: commit them, or put them aside.")
    if run("git", "tag", "--list", f"v{version}"):
        sys.exit(f"There is a release {version} already.")
    PACKAGE.write_text(numbered(PACKAGE.read_text("utf-8"), version), "utf-8")
    CHANGES.write_text(headed(CHANGES.read_text("utf-8"), version, datetime.date.today()), "utf-8")
    run("git", "commit", "--all", "--allow-empty", "--message", f"release: {version}")
    run("git", "tag", "--annotate", f"v{version}", "--message", f"Talion {version}")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation")
    print(f"Talion {version} is tagged, and its wheel is in dist/. Publish it with `git push --follow-tags`.")


def numbered(package: str, version: str) -> str:
    """The package with this version."""
    return re.sub(r'^__version__ = ".*"$', f'__version__ = "{version}"', package, flags=re.MULTILINE)


def headed(changes: str, version: str, day: datetime.date) -> str:
    """The changelog, in which what was not yet released is this version of today."""
    pattern = re.compile(r"^## .*\(not yet released\)$", re.MULTILINE)
    if not pattern.search(changes):
        sys.exit("CHANGELOG.md has no heading “(not yet released)”: say there what is new.")
    return pattern.sub(f"## {version} ({day.isoformat()})", changes, count=1)


def run(*command: str) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
