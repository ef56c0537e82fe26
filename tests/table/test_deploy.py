"""The files for hosts: they can be read, fit together, and every command in them is one that `talion` takes."""

from __future__ import annotations

import configparser
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml  # type: ignore[import-untyped]

from talion import cli

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PAGES = [ROOT / "docs" / name for name in ("hosting.md", "upgrading.md", "many-machines.md")]


def parsed(words: list[str]) -> None:
    """Read a command line as `talion` does, without doing anything; raises what a wrong one raises."""
    command: Any = typer.main.get_command(cli.app)
    context = command.make_context("talion", [], resilient_parsing=True)
    while hasattr(command, "commands"):
        _, command, words = command.resolve_command(context, words)
        context = command.make_context(command.name, list(words), parent=context, resilient_parsing=False)


def commands_of(text: str) -> list[list[str]]:
    """The lines of a page's shell blocks, and what stands between backticks, that begin with talion."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`(talion [^`]*)`", text)
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("talion ")]


def unit(name: str) -> configparser.ConfigParser:
    reading = configparser.ConfigParser(interpolation=None, strict=False)
    reading.optionxform = str  # type: ignore[assignment, method-assign]
    reading.read_string((DEPLOY / name).read_text("utf-8"))
    return reading


def container() -> dict[str, Any]:
    """The instructions of the Containerfile that are JSON, and the others' words."""
    text = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    found: dict[str, Any] = {}
    for line in text.splitlines():
        name, _, rest = line.partition(" ")
        if name.isupper():
            found[name] = json.loads(rest) if rest.startswith("[") else rest
    return found


def test_the_containers_command_is_ours() -> None:
    told = container()
    assert told["ENTRYPOINT"] == ["talion"]
    parsed(told["CMD"])
    assert "dist/talion-*.whl" in told["COPY"]
    assert told["STOPSIGNAL"] == "SIGTERM"


def test_the_compose_file_fits_together() -> None:
    told = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    services = told["services"]
    assert set(services) == {"talion", "database", "proxy"}
    parsed(services["talion"]["command"])
    build = services["talion"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Containerfile"
    subnet = told["networks"]["house"]["ipam"]["config"][0]["subnet"]
    assert f"--trust={subnet}" in services["talion"]["command"]
    for service in services.values():
        assert service["networks"] == ["house"]
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in told["volumes"] or (DEPLOY / source).is_file()
    assert "reverse_proxy talion:8000" in (DEPLOY / "Caddyfile").read_text("utf-8")


@pytest.mark.parametrize("name", ["talion.service", "talion-backup.service"])
def test_the_services_start_what_there_is(name: str) -> None:
    service = unit(name)["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert program.endswith("/bin/talion")
    parsed(words)
    assert service["Environment"].startswith("TALION_DATABASE=/var/lib/talion/")
    assert service["StateDirectory"] == "talion"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_the_hosts_pages_is_one(page: Path) -> None:
    found = commands_of(page.read_text("utf-8"))
    assert found
    for words in found:
        # Words in capitals and an ellipsis stand for what a reader puts there.
        parsed([re.sub(r"^[A-Z]+…?$", "3", word) for word in words if word != "…"])


def test_a_wrong_command_is_found() -> None:
    for wrong in (["serve", "--prot", "1"], ["house", "lod"]):
        with pytest.raises(Exception, match=r"(?i)no such"):
            parsed(wrong)
