"""The client in the docs plays; and schemathesis, calling everything the API describes, finds no server error."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from .serving import Player, Served, served

CLIENT = Path(__file__).parents[2] / "docs" / "bot_client.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("house") / "x.sqlite3")) as running:
        yield running


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(CLIENT), *words], capture_output=True, text=True, timeout=120)


def test_the_client_of_the_docs_plays_a_match(server: Served) -> None:
    played = run(server.url, "sealed", "random")
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout == "The best score wins.\n"
    wrong = run(server.url, "chess")
    assert wrong.returncode == 1
    assert "There is no game 'chess'" in wrong.stderr


def test_the_client_of_the_docs_joins_by_invitation(server: Served) -> None:
    ann = Player(server.url)
    opened = ann.opens("tic-tac-toe", ["me", "open"])
    client = subprocess.Popen(
        [sys.executable, str(CLIENT), f"{server.url}/join/{opened['invite']}", opened["table"]],
        stdout=subprocess.PIPE,
        text=True,
    )
    from .serving import play_out, wait_for

    wait_for(lambda: ann.sees()["table"]["seats"][1]["name"] == "Client", "the client to sit down")
    assert ann.post(f"/api/seats/{ann.seat}/start").status_code == 200
    play_out(ann)
    said, _ = client.communicate(timeout=60)
    assert said.strip()


def test_nothing_described_fails(server: Served) -> None:
    """Calls made up from the description, half of them about live tables, seats and numbers."""
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    from hypothesis import HealthCheck, Phase, given, settings

    description = httpx.get(f"{server.url}/api/openapi.json").json()
    del description["paths"]["/api/events"]
    schema = schemathesis.openapi.from_dict(description)
    counts: Counter[str] = Counter()
    people = [Player(server.url) for _ in range(3)]
    for player, game in zip(people, ("sealed", "tic-tac-toe", "sealed"), strict=True):
        player.opens(game, ["me", "me"], open=True)

    def made_real(case: Any, turn: int) -> Player:
        """Fill in a live table, seat and number."""
        player = people[turn % 3]
        if "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = player.table
        if "seat" in (case.path_parameters or {}):
            case.path_parameters["seat"] = player.seat
        if case.path.endswith("/answers"):
            state = player.sees()
            options = ((state["match"] or {}).get("ask") or {"options": [{"option": []}]})["options"]
            case.body = {"key": f"k{turn}", "number": state["number"], "option": options[0]["option"]}
        return player

    for operation in schema.get_all_operations():
        strategy = operation.ok().as_strategy()

        @given(case=strategy)
        @settings(
            max_examples=8,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        def one(case: Any) -> None:
            counts["calls"] += 1
            real = counts["calls"] % 4 != 0
            player = made_real(case, counts["calls"]) if real else people[0]
            reply = case.call(base_url=server.url, headers={"authorization": player.headers["authorization"]})
            assert reply.status_code < 500, f"{case.method} {case.formatted_path}: {reply.text}"
            counts["fine" if reply.status_code < 300 else "refused"] += 1

        one()
    print(dict(counts))
    assert counts["calls"] > 100
    assert counts["fine"] >= 0.3 * counts["calls"], counts
