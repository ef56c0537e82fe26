"""A real server on a real socket, and clients for it, for the tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from talion.table.app import build
from talion.table.house import House
from talion.table.patience import Impatient
from talion.table.settings import Limits, Settings

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GAMES = (str(HERE / "sealed"), str(HERE / "echo.py"), str(HERE.parents[1] / "examples" / "tic_tac_toe.py"))
NO_LIMITS = Limits(
    answers_per_second=0,
    requests_per_second=0,
    tables_per_minute=0,
    tables_per_day=0,
    acts_per_minute=0,
    words_per_minute=0,
    hints_per_minute=0,
    moments_per_second=0,
)


class Served:
    """A server in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        self.app: Any = build(settings)
        self.server = uvicorn.Server(
            uvicorn.Config(
                self.app,
                port=0,
                http=Impatient,
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=4,
            )
        )
        self._thread = threading.Thread(target=self.server.run, daemon=True)
        self._thread.start()
        wait_for(lambda: self.server.started, "the server to start")
        self.port = self.server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    @property
    def house(self) -> House:
        return self.app._house

    def stop(self) -> None:
        self.server.servers[0].get_loop().call_soon_threadsafe(self.house.hub.stop)
        self.server.should_exit = True
        self._thread.join(10)
        assert not self._thread.is_alive(), "the server did not stop"

    def in_loop(self, work: Callable[[], Any]) -> Any:
        """Run something of the house in the server's own event loop."""
        loop = self.server.servers[0].get_loop()
        return asyncio.run_coroutine_threadsafe(work(), loop).result(20)


@contextmanager
def served(database: str, **more: Any) -> Iterator[Served]:
    values: dict[str, Any] = {
        "games": GAMES,
        "pace": 0.0,
        "beat": 0.0,
        "limits": NO_LIMITS,
        "stand_in": "random",
        **more,
    }
    server = Served(Settings(database=database, **values))
    try:
        yield server
    finally:
        server.stop()


_clients: list[httpx.Client] = []
_processes: list[Process] = []


def clean_up() -> None:
    """After each test."""
    while _clients:
        _clients.pop().close()
    while _processes:
        _processes.pop().kill()


class Process:
    """A server process of its own, which can be killed and started again at the same address."""

    def __init__(self, database: str, folder: Path, *more: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self.command = [sys.executable, "-m", "talion.table", "serve", "--port", str(self.port)]
        self.command += ["--database", database, "--pace", "0", "--beat", "0", *more]
        for game in GAMES:
            self.command += ["--game", game]
        self.process: subprocess.Popen[bytes] | None = None
        _processes.append(self)
        self.start()

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True, parents=True)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
        wait_for(self.healthy, f"a server, whose log is {self.log()[-2000:]}", 60)

    def log(self) -> str:
        return (self.folder / "log").read_text()

    def healthy(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log()
        try:
            return httpx.get(f"{self.url}/health", timeout=2).status_code == 200
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        """Without a word, as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Politely."""
        assert self.process is not None
        self.process.terminate()
        self.process.wait(30)


def wait_for(condition: Callable[[], Any], what: str, seconds: float = 60.0) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError(f"waited {seconds} s in vain for {what}")


class Player(httpx.Client):
    """A program that holds a token."""

    seat = ""
    table = ""

    def __init__(self, url: str, token: str = "") -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        super().__init__(base_url=url, headers=headers, timeout=20)
        _clients.append(self)

    def opens(self, game: str, seats: list[str], **more: Any) -> dict[str, Any]:
        reply = self.post("/api/tables", json={"game": game, "seats": seats, **more})
        assert reply.status_code == 201, reply.text
        body: dict[str, Any] = reply.json()
        self.headers["authorization"] = f"Bearer {body['token']}"
        self.table, self.seat = body["table"], body["seats"][0]
        return body

    def sits(self, table: str, invite: str = "", name: str = "") -> None:
        reply = self.post(f"/api/tables/{table}/seats", json={"invite": invite, "name": name})
        assert reply.status_code == 201, reply.text
        self.headers["authorization"] = f"Bearer {reply.json()['token']}"
        self.table, self.seat = table, reply.json()["seat"]

    def sees(self) -> dict[str, Any]:
        reply = self.get(f"/api/seats/{self.seat}")
        assert reply.status_code == 200, reply.text
        body: dict[str, Any] = reply.json()
        return body

    def answers(self, number: int, option: Any, key: str = "") -> httpx.Response:
        body = {"key": key or uuid.uuid4().hex, "number": number, "option": option}
        return self.post(f"/api/seats/{self.seat}/answers", json=body)

    def proposes(self, what: str, number: int | None = None, key: str = "") -> httpx.Response:
        stands = self.sees()["number"] if number is None else number
        body = {"key": key or uuid.uuid4().hex, "number": stands, "what": what}
        return self.post(f"/api/seats/{self.seat}/proposals", json=body)

    def consents(self, yes: bool) -> httpx.Response:
        offer = self.sees()["table"]["offer"]["id"]
        return self.post(f"/api/seats/{self.seat}/consent", json={"offer": offer, "yes": yes})

    def moves(self, pick: Callable[[list[Any]], Any] = lambda options: options[0]) -> httpx.Response | None:
        """Answer, if asked anything."""
        state = self.sees()
        ask = state["match"].get("ask") if state["match"] else None
        if ask is None or state["table"]["status"] != "running":
            return None
        return self.answers(state["number"], pick(ask["options"])["option"])


class Events:
    """What a player's stream is told, from the moment it is open."""

    def __init__(self, player: Player, query: str = "?states=true") -> None:
        self.told: list[dict[str, Any]] = []
        self._opened = threading.Event()
        self._player, self._query = player, query
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._opened.wait(20)

    def _listen(self) -> None:
        url = str(self._player.base_url).rstrip("/") + "/api/events" + self._query
        with (
            contextlib.suppress(httpx.HTTPError),
            httpx.stream("GET", url, headers=self._player.headers, timeout=60) as stream,
        ):
            for line in stream.iter_lines():
                self._opened.set()
                if line.startswith("data:"):
                    self.told.append(json.loads(line.removeprefix("data:")))

    def about(self, seat: str) -> list[dict[str, Any]]:
        return [news for news in self.told if news.get("of") == seat]


def at_play(url: str, game: str, **more: Any) -> tuple[Player, Player]:
    """Two people who sit at a table of their own and have begun."""
    ann, bob = Player(url), Player(url)
    opened = ann.opens(game, ["me", "open"], **more)
    bob.sits(opened["table"], opened["invite"])
    assert ann.post(f"/api/seats/{ann.seat}/start").status_code == 200
    return ann, bob


def play_out(*players: Player) -> None:
    """All play until the match is over."""

    def over() -> bool:
        for player in players:
            player.moves()
        return players[0].sees()["table"]["status"] != "running"

    wait_for(over, "the match to end", 60)


class Browser(httpx.Client):
    """A browser without script: cookies, forms, redirects."""

    def __init__(self, url: str) -> None:
        super().__init__(base_url=url, follow_redirects=True, timeout=20)
        _clients.append(self)
        self.page = self.get("/")

    def go(self, path: str) -> httpx.Response:
        self.page = self.get(path)
        return self.page

    @property
    def guard(self) -> str:
        found = re.search(r'name="guard" (?:value|content)="([^"]+)"', self.page.text)
        assert found, self.page.text
        return found[1]

    def posts(self, path: str, **form: str) -> httpx.Response:
        self.page = self.post(path, data={"guard": self.guard, **form})
        return self.page

    def surely_posts(self, path: str, **form: str) -> httpx.Response:
        """Post, and say yes if asked whether that is meant."""
        if "Are you sure?" in self.posts(path, **form).text:
            self.posts(path, confirmed="yes", **form)
        return self.page

    @property
    def seat(self) -> str:
        found = re.search(r"/seats/([\w-]+)", str(self.page.url))
        assert found, self.page.url
        return found[1]

    def choices(self) -> list[str]:
        """What is asked; not what may be done at any time, such as conceding."""
        asked = re.sub(r"<div class=\"any-time\".*?</div>", "", self.page.text, flags=re.S)
        return [unescape(option) for option in re.findall(r'name="option" value="([^"]+)"', asked)]

    @property
    def number(self) -> str:
        """The number at which the page's seat stands."""
        found = re.search(r'name="number" value="(\d+)"', self.page.text)
        assert found, self.page.text
        return found[1]

    def clicks(self, option: str) -> httpx.Response:
        return self.surely_posts(f"/seats/{self.seat}/answer", number=self.number, option=option)
