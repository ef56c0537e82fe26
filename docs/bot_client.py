"""A bot of one's own, playing at a served table: the whole API in a hundred lines, with nothing but Python.

    python docs/bot_client.py http://localhost:8000 engines-of-vengeance greedy

opens a table against a bot of the server and plays it to its end. With an invite link instead of a game it takes the
free seat there:

    python docs/bot_client.py http://localhost:8000/join/SECRET TABLE
"""

from __future__ import annotations

import json
import random
import sys
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any


class Table:
    """A seat at a table, opened by a token."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.token = ""
        self.seat = ""

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One call. A refusal is an answer too: read its `why`."""
        request = urllib.request.Request(self.server + path, method=method)
        request.add_header("content-type", "application/json")
        if self.token:
            request.add_header("authorization", f"Bearer {self.token}")
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, data, timeout=30) as reply:
                return json.load(reply) if reply.status != 204 else None
        except urllib.error.HTTPError as refusal:
            with refusal:
                return json.load(refusal)

    def open(self, game: str, bot: str) -> None:
        """A new table: one seat for me, the other for a bot of the server."""
        opened = self.call("POST", "/api/tables", {"game": game, "seats": ["me", bot], "name": "Client"})
        if "why" in opened:
            raise SystemExit(opened["why"])
        self.token, self.seat = opened["token"], opened["seats"][0]

    def join(self, table: str, invite: str) -> None:
        """A free seat at somebody's table."""
        seated = self.call("POST", f"/api/tables/{table}/seats", {"invite": invite, "name": "Client"})
        if "why" in seated:
            raise SystemExit(seated["why"])
        self.token, self.seat = seated["token"], seated["seat"]

    def events(self) -> Iterator[dict[str, Any]]:
        """News, as they come. Each says which seat it is about and the number that seat now stands at."""
        request = urllib.request.Request(f"{self.server}/api/events")
        request.add_header("authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=60) as stream:
            for line in stream:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])

    def play(self, choose: Any) -> dict[str, Any]:
        """Answer whenever asked, until the match is over; returns how it ended."""
        while True:
            for _ in self.events():
                state = self.answer_all(choose)
                if state["table"]["status"] in ("over", "aborted", "closed"):
                    return dict(state["table"]["result"] or {})

    def answer_all(self, choose: Any) -> dict[str, Any]:
        """Answer as long as this seat is asked something."""
        state = self.call("GET", f"/api/seats/{self.seat}")
        while state["match"] and "ask" in state["match"] and state["table"]["status"] == "running":
            option = choose(state["match"])
            # The key makes it safe to send the same answer again when no reply came.
            answer = {"key": uuid.uuid4().hex, "number": state["number"], "option": option}
            reply = self.call("POST", f"/api/seats/{self.seat}/answers", answer)
            if reply.get("reply") == "refused":
                raise SystemExit(f"{reply['why']} ({reply['rule']})")
            state = self.call("GET", f"/api/seats/{self.seat}")
        return dict(state)


def anything(match: dict[str, Any]) -> Any:
    """Where a better bot would think: `match` is all that its seat may know."""
    return random.choice(match["ask"]["options"])["option"]


def main() -> None:
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    server, _, invite = sys.argv[1].partition("/join/")
    table = Table(server.rstrip("/"))
    if invite:
        table.join(sys.argv[2], invite)
    else:
        table.open(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "greedy")
    print(table.play(anything).get("why", "The match was called off."))


if __name__ == "__main__":
    main()
