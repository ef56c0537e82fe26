"""The served pages: how much server time and how many bytes a table takes in the middle of a match, for every game."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from litestar.testing import AsyncTestClient

from bench.ours import middle_of_a_match
from talion import games
from talion.table.app import build
from talion.table.play import Play
from talion.table.settings import Limits, Settings

PAGES = 30
MOST_MILLISECONDS = 20
MOST_BYTES = 300_000
UNLIMITED = Limits(answers_per_second=0, requests_per_second=0, tables_per_minute=0)


async def of_game(client: AsyncTestClient[Any], house: Any, key: str) -> dict[str, Any]:
    """A table in the middle of a match, its page drawn again and again. The client's own work is counted in."""
    opened = (await client.post("/api/tables", json={"game": key, "seats": ["me", "me"]})).json()
    live = await house.table(opened["table"])
    live.play = Play(middle_of_a_match(games.find(key)))
    live.seen = live._look([look.number for look in live.seen])
    asked = live.seats[min(live.play.asked)]
    headers = {"authorization": f"Bearer {opened['token']}"}
    spent = []
    for _ in range(PAGES):
        begun = time.process_time()
        page = await client.get(f"/seats/{asked.id}", headers=headers)
        spent.append(time.process_time() - begun)
    assert page.status_code == 200, page.text
    return {
        "bench": f"page of {key}",
        "milliseconds": round(1000 * median(spent), 1),
        "bytes": len(page.content),
    }


async def of_all() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        app: Any = build(Settings(str(Path(folder) / "bench.sqlite3"), limits=UNLIMITED))
        async with AsyncTestClient(app) as client:
            keys = games.keys()
            return [await of_game(client, app._house, key) for key in keys]


def report() -> str:
    """A line for each game, with what is wanted, and the same as JSON."""
    found = asyncio.run(of_all())
    lines = [f"A page in the middle of a match; wanted: {MOST_MILLISECONDS} ms, {MOST_BYTES:,} bytes"]
    for one in found:
        met = one["milliseconds"] < MOST_MILLISECONDS and one["bytes"] < MOST_BYTES
        lines.append(
            f"  {one['bench']}: {one['milliseconds']} ms, {one['bytes']:,} bytes: {'met' if met else 'MISSED'}"
        )
    return "\n".join([*lines, *(json.dumps(one) for one in found)])


if __name__ == "__main__":
    print(report())
