"""Replies travel packed where that pays: text of some length, for whoever can unpack it. News are sent on as they come."""

from __future__ import annotations

import re
import zlib
from typing import Any

from litestar.types import Message, Scope, Send

SHORTEST = 1000
LEVEL = 3
GZIP = 31
"""How zlib is told to write gzip's own head and tail."""
_TEXT = re.compile(rb"text/(?!event-stream)|application/(?:json|manifest\+json|x-ndjson)|image/svg\+xml")


def packing(scope: Scope, send: Send) -> Send:
    """A way to send by which the body is packed, if whoever asks can unpack it."""
    reads = any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])
    return Packing(send) if reads else send


class Packing:
    """One reply on its way out. Its head waits for the first of its body: only that tells how long it is."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._head: Any = None
        self._packer: Any = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_text(message["headers"]):
            self._head = message
        elif message["type"] == "http.response.body" and (self._head or self._packer):
            await self._send_body(message.get("body", b""), message.get("more_body", False))
        else:
            await self._send(message)

    async def _send_body(self, body: bytes, more: bool) -> None:
        head, self._head = self._head, None
        if head and (more or len(body) >= SHORTEST):
            self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
        if self._packer:
            body = self._packer.compress(body) + (b"" if more else self._packer.flush())
        if head and self._packer:
            head = {**head, "headers": _packed(head["headers"], None if more else len(body))}
        if head:
            await self._send(head)
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


def _is_text(headers: Any) -> bool:
    told = dict(headers)
    return b"content-encoding" not in told and _TEXT.match(told.get(b"content-type", b"")) is not None


def _packed(headers: Any, length: int | None) -> list[tuple[bytes, bytes]]:
    """What the head of a packed reply says; its length, if it is known by now."""
    said = [pair for pair in headers if pair[0] != b"content-length"]
    if length is not None:
        said.append((b"content-length", b"%d" % length))
    return [*said, (b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
