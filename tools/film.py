"""A turn as a moving picture, `python -m tools.film docs/pictures/turn.webp`: real play in a real browser, by a real pointer.

Needs what the browser tests need, and nothing else: Chromium itself makes the still pictures, and an animated WebP is a few
headers around them.
"""

from __future__ import annotations

import base64
import shutil
import struct
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

from talion.kernel import Match
from tests.table.pointer import MEASURE, WHERE, Hand
from tests.table.serving import served

WINDOW = {"width": 1280, "height": 720}
SMALLER = 0.625
SLOWNESS = 8
"""How much slower everything moves while it is filmed, so that a busy machine misses nothing."""
QUALITY = 0.6
LONGEST = 1500
"""What lies still is shown for so many milliseconds at most."""

CURSOR = """() => {
    const arrow = document.createElement("div");
    arrow.style.cssText = "position:fixed;z-index:2147483647;pointer-events:none;left:640px;top:400px;width:0;height:0;border-left:13px solid #fff;border-bottom:21px solid #0000;filter:drop-shadow(0 0 2px #000) drop-shadow(0 1px 2px #000)";
    arrow.popover = "manual";
    arrow.style.cssText += ";background:none;padding:0;border-top:0;border-right:0;overflow:visible;margin:0;inset:auto";
    document.body.append(arrow);
    arrow.showPopover();
    addEventListener("pointermove", (event) => { arrow.style.left = event.clientX + "px"; arrow.style.top = event.clientY + "px"; }, true);
}"""
TO_WEBP = """async ([png, quality]) => {
    const picture = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
    const [wide, high] = [picture.width, picture.height];
    const whole = new OffscreenCanvas(wide, high).getContext("2d", { alpha: false });
    whole.drawImage(picture, 0, 0);
    const now = new Uint32Array(whole.getImageData(0, 0, wide, high).data.buffer);
    let [left, top, right, bottom] = window.last ? [wide, high, 0, 0] : [0, 0, wide, high];
    for (let i = 0; window.last && i < now.length; i += 1) {
        if (now[i] === window.last[i]) continue;
        const [x, y] = [i % wide, Math.floor(i / wide)];
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
    window.last = now;
    [left, top] = [left & ~1, top & ~1];  // a part begins at an even place
    const canvas = new OffscreenCanvas(right - left, bottom - top);
    canvas.getContext("2d", { alpha: false }).drawImage(picture, -left, -top);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return [left, top, right - left, bottom - top, btoa(text)];
}"""
"""A still as WebP, of it only the part that is not as it was in the one before."""


class Film:
    """Still pictures, and for how long each is seen."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.stills: list[tuple[bytes, float]] = []

    def shoot(self, milliseconds: float) -> None:
        still = self.page.screenshot()
        if self.stills and self.stills[-1][0] == still:
            self.stills[-1] = still, min(LONGEST, self.stills[-1][1] + milliseconds)
        else:
            self.stills.append((still, milliseconds))

    def rolls(self, milliseconds: float) -> None:
        """Film for so long, as it would be seen at its own pace."""
        began = last = time.monotonic()
        while (last - began) * 1000 < milliseconds * SLOWNESS:
            self.page.wait_for_timeout(60 * SLOWNESS)
            now = time.monotonic()
            self.shoot((now - last) * 1000 / SLOWNESS)
            last = now

    def points(self, hand: Hand, name: str) -> None:
        """The pointer goes to a thing and clicks."""
        found = self.page.evaluate(WHERE, name)
        self.clicks(found["x"], found["y"])

    def clicks(self, x: float, y: float) -> None:
        at = getattr(self, "at", (640.0, 400.0))
        for part in (0.35, 0.7, 1):
            self.page.mouse.move(at[0] + (x - at[0]) * part, at[1] + (y - at[1]) * part)
            self.shoot(90)
        self.at = x, y
        self.page.mouse.down()
        self.page.mouse.up()
        self.rolls(600)

    def webp(self, chromium: Any) -> bytes:
        page = chromium.new_page()
        frames = []
        for still, seen in self.stills:
            left, top, wide, high, text = page.evaluate(TO_WEBP, [base64.b64encode(still).decode(), QUALITY])
            frames.append(Frame(left, top, wide, high, seen, image_in(base64.b64decode(text))))
        page.close()
        return animated(frames)


class Frame(NamedTuple):
    """A part of the picture that changes, and for how long it stays so."""

    left: int
    top: int
    wide: int
    high: int
    milliseconds: float
    image: bytes


def chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def three(number: int) -> bytes:
    return struct.pack("<I", number)[:3]


def image_in(webp: bytes) -> bytes:
    """The picture itself, without what a still file says about it."""
    at = 12
    while at < len(webp):
        name, size = webp[at : at + 4], struct.unpack("<I", webp[at + 4 : at + 8])[0]
        if name in (b"VP8 ", b"VP8L"):
            return chunk(name, webp[at + 8 : at + 8 + size])
        at += 8 + size + size % 2
    raise ValueError("no picture in it")


def animated(frames: list[Frame]) -> bytes:
    """An animated WebP, for ever. The first frame is the whole picture."""
    size = three(frames[0].wide - 1) + three(frames[0].high - 1)
    parts = [chunk(b"VP8X", b"\x02\0\0\0" + size), chunk(b"ANIM", b"\0\0\0\0" + b"\0\0")]
    for one in frames:
        place = three(one.left // 2) + three(one.top // 2) + three(one.wide - 1) + three(one.high - 1)
        parts.append(chunk(b"ANMF", place + three(max(20, round(one.milliseconds))) + b"\x02" + one.image))
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def in_a_fight(match: Match) -> bool:
    return 1 in match.pending and any(
        option[0] in ("hit", "double", "shoot", "move") for option in match.options(1)
    )


def plays(film: Film, hand: Hand, decisions: int) -> None:
    """Blow by blow, as somebody would who means to win; then what the others do about it."""
    liked = ("double", "hit", "shoot", "move", "use", "run", "end")
    for _ in range(decisions):
        if not hand.asked():
            return
        options = film.page.evaluate(MEASURE)["options"]

        def rank(option: dict[str, Any]) -> int:
            verb = option["value"].split('"')[1]
            return liked.index(verb) if verb in liked else 99

        option = min(options, key=rank)
        if option["placed"]:
            for name in hand._path(option):
                film.points(hand, name)
            if hand.page.locator(".match.holding").count():
                film.clicks(*film.at)
        else:
            at = hand._button(option)
            film.clicks(at["x"], at["y"])
        film.rolls(400)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        served(f"{folder}/x.sqlite3") as server,
        sync_playwright() as playwright,
    ):
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        hand = Hand(
            chromium, server, "vengeance", 2, 7, in_a_fight, viewport=WINDOW, color_scheme="dark", device_scale_factor=SMALLER,
        )  # fmt: skip
        hand.asked()
        hand.page.emulate_media(reduced_motion="no-preference")
        slow = hand.context.new_cdp_session(hand.page)
        slow.send("Animation.enable")
        slow.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWNESS})
        hand.page.evaluate(CURSOR)
        film = Film(hand.page)
        film.shoot(900)
        plays(film, hand, 4)
        film.shoot(1400)
        Path(sys.argv[1]).write_bytes(film.webp(chromium))
        chromium.close()


if __name__ == "__main__":
    main()
