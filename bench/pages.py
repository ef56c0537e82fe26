"""The served pages: how much server time a table takes in the middle of a match, and how many bytes travel, for every game.

Measured at the app's own door, without a client: a move costs each viewer this much CPU, and those who watch the same share it.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from bench.ours import middle_of_a_match
from talion import games
from talion.table.app import build
from talion.table.play import ServedMatch
from talion.table.settings import Limits, Settings

PAGES = 40
MOST_MILLISECONDS = 4
MOST_BYTES = 12_000
UNLIMITED = Limits(answers_per_second=0, requests_per_second=0, tables_per_minute=0)


async def sends(app: Any, method: str, path: str, token: str = "", body: bytes = b"") -> tuple[int, bytes]:
    """One request at the door; the status and the bytes that come back."""
    headers = [(b"host", b"bench"), (b"accept-encoding", b"gzip"), (b"content-type", b"application/json")]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    path, _, query = path.partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
        "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "scheme": "http",
        "headers": headers, "client": ("127.0.0.1", 1), "server": ("bench", 80), "state": {},
    }  # fmt: skip
    told: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        told.append(message)

    await app(scope, receive, send)
    return told[0]["status"], b"".join(message.get("body", b"") for message in told[1:])


async def of_game(app: Any, key: str) -> dict[str, Any]:
    """A table in the middle of a match, its page drawn when nothing is kept of the one before: after a move less is drawn."""
    house = app._house
    wanted = json.dumps({"game": key, "seats": ["me", "me"]}).encode()
    _, reply = await sends(app, "POST", "/api/tables", body=wanted)
    opened = json.loads(reply)
    live = await house.table(opened["table"])
    live.play = ServedMatch(middle_of_a_match(games.find(key)))
    live.seen = live._look([look.number for look in live.seen])
    asked = live.seats[min(live.play.asked)]
    spent, shared = [], []
    for _ in range(PAGES):
        app._app.state.pages.forget()
        begun = time.process_time()
        status, page = await sends(app, "GET", f"/seats/{asked.id}", opened["token"])
        spent.append(time.process_time() - begun)
        assert status == 200, page
        begun = time.process_time()
        await sends(app, "GET", f"/seats/{asked.id}", opened["token"])
        shared.append(time.process_time() - begun)
    return {
        "bench": f"page of {key}",
        "milliseconds": round(1000 * median(spent), 1),
        "shared": round(1000 * median(shared), 1),
        "bytes": len(page),
    }


async def of_all() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        app: Any = build(Settings(str(Path(folder) / "bench.sqlite3"), limits=UNLIMITED))
        await app._house.start()
        try:
            return [await of_game(app, key) for key in games.keys()]  # noqa: SIM118 - a function of the registry
        finally:
            await app._house.stop()


def report() -> str:
    """A line for each game, with what is wanted, and the same as JSON."""
    found = asyncio.run(of_all())
    lines = [
        f"A page of which nothing is kept; wanted: {MOST_MILLISECONDS} ms of CPU, {MOST_BYTES:,} bytes sent"
    ]
    for one in found:
        met = one["milliseconds"] <= MOST_MILLISECONDS and one["bytes"] <= MOST_BYTES
        lines.append(
            f"  {one['bench']}: {one['milliseconds']} ms, {one['shared']} ms for who sees the same, "
            f"{one['bytes']:,} bytes: {'met' if met else 'MISSED'}"
        )
    return "\n".join([*lines, *(json.dumps(one) for one in found)])


if __name__ == "__main__":
    print(report())
