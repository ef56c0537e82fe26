"""When much is wanted of the bots it is said, and they think for less long; and what a restart leaves as it was."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from talion.bots.named import scaled
from talion.table import workers
from talion.table.turns import Claim
from talion.table.workers import CROWDED, THIN, Thought, Workers, think

from .serving import Player, served, wait_for


def test_a_long_queue_is_said_at_the_table_and_goes_by(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        turns = server.house.keeper.workers.turns
        claims: list[asyncio.Task[None]] = []

        async def crowd() -> None:
            """Somebody's many tables: all workers think for them, and forty more thoughts wait."""
            for number in range(turns.places + 40):
                claims.append(asyncio.create_task(turns.take(Claim("somebody", f"t{number}"))))
            await asyncio.sleep(0)

        async def leave() -> None:
            for claim in claims[turns.places :]:
                claim.cancel()
            await asyncio.sleep(0)
            for _ in range(turns.places):
                turns.give_back(Claim("somebody", "t0"), 0.1)

        server.in_loop(crowd)
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "random"])
        ann.moves()
        said = wait_for(lambda: ann.sees()["table"]["waits_for"], "a word of the queue")
        assert said == "The bots are busy: about 10 seconds."
        server.in_loop(leave)
        wait_for(lambda: "ask" in ann.sees()["match"], "the bot's move")
        assert ann.sees()["table"]["waits_for"] == ""
        counted = ann.get("/metrics").text
        assert "talion_bot_defaults_total 0" in counted, "waiting is not thinking: it was no default"


@pytest.mark.parametrize("crowded", [False, True])
def test_bots_think_for_less_long_when_many_wait(crowded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def ask(
        self: Workers,
        table: str,
        job: Any,
        games: Any,
        match: Any,
        cards: Any,
        seat: int,
        strength: str,
        *more: Any,
    ) -> str:
        asked.append(strength)
        return "option"

    monkeypatch.setattr(workers.Workers, "_ask", ask)

    async def one_thought() -> None:
        house = Workers(1)
        first = asyncio.create_task(house.turns.take(Claim("other", "o")))
        await first
        claim = Claim("me", "t")
        thinking = asyncio.create_task(house.think(Thought("", 0, "hard", "", claim, None, think)))
        await asyncio.sleep(0)
        behind = [
            asyncio.create_task(house.turns.take(Claim("other", "o"))) for _ in range((CROWDED + 1) * crowded)
        ]
        await asyncio.sleep(0)
        house.turns.give_back(Claim("other", "o"), 1.0)
        await thinking
        for task in behind:
            task.cancel()

    asyncio.run(one_thought())
    assert asked == [scaled("hard", THIN) if crowded else "hard"]


def test_an_answer_before_the_last_written_state_is_taken_back_after_a_restart(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database) as server:
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "me"])
        ann.moves()
        token = ann.headers["authorization"].removeprefix("Bearer ")
    with served(
        database
    ) as server:  # which began with the state that the first wrote out when it was stopped
        again = Player(server.url, token)
        again.seat = ann.seat
        assert "ask" not in again.sees()["match"]
        assert again.proposes("undo").status_code == 200
        assert len(again.sees()["match"]["ask"]["options"]) == 9


def test_whoever_answers_at_one_server_reads_it_at_the_other_at_once(postgres: str) -> None:
    """Even while that one hears nothing of the first."""
    with served(postgres) as one, served(postgres) as two:
        ann = Player(one.url)
        opened = ann.opens("tic-tac-toe", ["me", "me"])
        token = ann.headers["authorization"].removeprefix("Bearer ")
        there = Player(two.url, token)
        there.seat = ann.seat
        assert there.sees()["number"] == 0

        async def deafen() -> None:
            two.house._tasks[1].cancel()

        two.in_loop(deafen)
        for turn in range(4):
            ann.seat = there.seat = opened["seats"][turn % 2]
            reply = ann.moves()
            assert reply is not None
            assert there.sees()["number"] >= reply.json()["number"]


def test_a_bot_that_has_no_time_left_says_so_and_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its move is the plain one, and never without a word."""
    with served(str(tmp_path / "x.sqlite3")) as server:

        async def never(*_: Any) -> None:
            raise TimeoutError

        monkeypatch.setattr(server.house.keeper.workers, "think", never)
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "random"])
        ann.moves()
        wait_for(lambda: "ask" in ann.sees()["match"], "the bot's move")
        assert (
            ann.sees()["table"]["waits_for"]
            == "A bot could not think of anything, and its move was the plain one."
        )
        assert "talion_bot_defaults_total 1\n" in ann.get("/metrics").text
