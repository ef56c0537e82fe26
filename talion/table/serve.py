"""Serving: find a port, start the workers, say where to go, and stop within five seconds."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from dataclasses import dataclass, replace
from typing import Any

import segno
import uvicorn

from talion.table import logs
from talion.table.database import InUse, address, say_where_served
from talion.table.memory import settle
from talion.table.patience import Impatient
from talion.table.refusal import Unusable
from talion.table.settings import Settings
from talion.table.store import Store

GRACE = 4
PORTS_TO_TRY = 20
WORKSHOP = "talion.workshop"


@dataclass(frozen=True)
class Launch:
    """Where and how to serve."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    browser: bool = False
    qr: bool = False
    log_level: str = "WARNING"
    workshop: bool = False
    """Whether the workshop is open to everybody who reaches this server; on this machine alone it always is."""


def serve(settings: Settings, place: Launch) -> None:
    """Serve until stopped. Raises Unusable, with a sentence, if that cannot be."""
    if place.log_level not in logging.getLevelNamesMapping():
        raise Unusable(f"There is no log level {place.log_level}; there are DEBUG, INFO, WARNING and ERROR.")
    if place.workers > 1 and address(settings.database).drivername == "sqlite":
        raise Unusable("SQLite serves one worker; for several, give a PostgreSQL database by its URL.")
    if os.name == "nt" and address(settings.database).drivername != "sqlite":
        raise Unusable("On Windows, tables are kept in SQLite: give --database a file.")
    try:
        Store(settings.database).close()  # refuses, or migrates, before anybody is told where to go
    except InUse as taken:
        if not (place.browser and taken.served_at):
            raise
        print(f"The table is at {taken.served_at} already.")
        _open_browser(taken.served_at)
        return
    listening = _bind(place)
    port = listening.getsockname()[1]
    local = place.host in ("127.0.0.1", "localhost", "::1")
    settings = replace(
        settings,
        local=local,
        rooms=(WORKSHOP,) if place.workshop or (local and not settings.behind_a_proxy) else (),
        reached_at="" if local else f"{lan_address(place.host)}:{port}",
        metrics=settings.metrics or tempfile.mkdtemp(prefix="talion-metrics-"),
    )
    _say_where(settings, place, port)
    if place.workers > 1:
        _supervise(settings, place, listening)
    else:
        run_worker(settings, place.log_level, listening)


def _bind(place: Launch) -> socket.socket:
    """The port asked for, or the next free one, which is said."""
    ports = range(place.port, min(place.port + PORTS_TO_TRY, 65536))
    for port in ports:
        listening = socket.socket(socket.AF_INET6 if ":" in place.host else socket.AF_INET)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((place.host, port))
            listening.listen(1024)
        except OSError as error:
            listening.close()
            if error.errno not in (13, 98, 48):
                raise Unusable(f"Cannot listen at {place.host}: {error.strerror}.") from None
            continue
        if port != place.port:
            print(f"Port {place.port} is taken; using {port}.", file=sys.stderr)
        return listening
    raise Unusable(f"No port from {ports[0]} to {ports[-1]} is free.")


def _say_where(settings: Settings, place: Launch, port: int) -> None:
    here = f"http://{settings.reached_at or f'localhost:{port}'}{settings.root_path.rstrip('/')}/"
    told = settings.url or here
    print(f"The table is at {told}", flush=True)
    if settings.url:
        print(f"On this machine it is at {here}", flush=True)
    if settings.local and not settings.behind_a_proxy:
        print("Only this machine can join.", flush=True)
    say_where_served(address(settings.database), here)
    if place.browser:
        threading.Timer(1.0, _open_browser, [here]).start()
    if place.qr:
        segno.make(told, micro=False).terminal(compact=True)


def _open_browser(url: str) -> None:
    """Where there is a screen; elsewhere the address was printed."""
    if _has_screen():
        webbrowser.open(url)


def _has_screen() -> bool:
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def lan_address(host: str) -> str:
    """The address by which others in the house reach this machine, as it stands in a URL."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; only asks which way it would go
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def run_worker(settings: Settings, log_level: str, listening: socket.socket) -> None:
    """One server process."""
    from talion.table.app import build

    logs.start(log_level)
    if supervisor := multiprocessing.parent_process():
        threading.Thread(target=_stop_without, args=(supervisor,), daemon=True).start()
    config = uvicorn.Config(
        build(settings),
        http=Impatient,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=bool(settings.trusted),
        forwarded_allow_ips=list(settings.trusted) or None,
        backlog=1024,
        timeout_keep_alive=60,
    )
    settle()
    uvicorn.Server(config).run(sockets=[listening])


def _stop_without(supervisor: Any) -> None:
    """A worker whose supervisor is gone stops too."""
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _supervise(settings: Settings, place: Launch, listening: socket.socket) -> None:
    """Keep so many workers running; stop them all when stopped."""
    spawn: Any = multiprocessing.get_context("spawn")
    stopping = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopping.set())

    def start() -> Any:
        worker = spawn.Process(target=run_worker, args=(settings, place.log_level, listening))
        worker.start()
        return worker

    workers = [start() for _ in range(place.workers)]
    while not stopping.wait(0.5):
        workers = [worker if worker.is_alive() else start() for worker in workers]
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(GRACE + 1)
        if worker.is_alive():
            worker.kill()
