"""Result files. One Parquet file holds a row for each match, and in it rows for its seats, its cards and its phrases."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talion.kernel.changes import changes

from . import BadFile
from .playing import Job, Row

if TYPE_CHECKING:
    import polars

    from talion.kernel import Content, Game

    from .compare import Comparison

MARK = "talion.results"
"""The entry of a file's metadata that makes it ours."""


@dataclass(frozen=True)
class ResultHead:
    """What a file's matches have in common."""

    game: str
    title: str
    bots: list[str]
    seed: str
    options: dict[str, str]
    cards: str
    """The fingerprint of what was printed on the cards."""
    faces: list[str]
    """Every card of the game, so that those never seen can be named."""
    phrases: list[str]
    """Every phrase that a card says."""
    content: str = ""
    """Everything printed, as a text: the cards the matches were played with."""
    changed: list[str] = field(default_factory=list)
    """In words, what reads differently than on the game's own printed cards."""

    @classmethod
    def of(cls, job: Job) -> ResultHead:
        from talion import games

        game, content = games.find(job.game), job.content()
        acts = {phrase.pattern for phrase in game.book.phrases if phrase.kind in _ACTS}
        return cls(
            game=game.key,
            title=game.title,
            bots=list(job.bots),
            seed=job.seed,
            options={name: str(value) for name, value in job.options.items()},
            cards=content.fingerprint,
            faces=sorted({face.name for face in content.faces if face.count}),
            phrases=sorted(pattern for pattern, faces in content.uses().items() if faces and pattern in acts),
            content=content.text,
            changed=[line for change in content.changes() for line in change.words()],
        )


def changed_between(first: ResultHead, second: ResultHead) -> list[str]:
    """In words, what reads differently on the cards of a second file."""
    if not first.content or not second.content or first.cards == second.cards:
        return []
    found = changes(json.loads(first.content), json.loads(second.content), {"flavour"})
    return [line for change in found for line in change.words()]


def in_pairs(first: Results, second: Results) -> Comparison | None:
    """What changed from one file to another, match by match; None if they do not hold the same shuffles, seated alike."""
    from .compare import Comparison

    one, two = first.about, second.about
    if (one.game, one.seed, one.bots, one.options) != (two.game, two.seed, two.bots, two.options):
        return None
    after = {row["match"]: row for row in second.matches.to_dicts()}
    rows = sorted(first.matches.to_dicts(), key=lambda row: row["match"])
    pairs = [(row, after[row["match"]]) for row in rows if row["match"] in after]
    printed = one.content and two.content
    changed = changes(json.loads(one.content), json.loads(two.content), {"flavour"}) if printed else []
    return Comparison(pairs, changed) if pairs else None


_ACTS = frozenset({"effect", "ability", "cost", "static", "trigger", "replacement"})


class Results:
    """A result file that was read."""

    def __init__(self, path: Path, about: ResultHead, matches: polars.DataFrame) -> None:
        self.path = path
        self.about = about
        self.matches = matches

    @cached_property
    def seats(self) -> polars.DataFrame:
        """A row for each seat of each match."""
        return self._below("seats")

    @cached_property
    def cards(self) -> polars.DataFrame:
        """A row for each card that a seat saw in a match."""
        return self._below("cards")

    @cached_property
    def phrases(self) -> polars.DataFrame:
        """A row for each phrase carried out in a match."""
        return self._below("phrases")

    def printed(self, game: Game) -> Content:
        """The cards its matches were played with."""
        return game.content_of(self.about.content) if self.about.content else game.content()

    def _below(self, name: str) -> polars.DataFrame:
        return self.matches.select("match", name).explode(name).drop_nulls(name).unnest(name)


def schema() -> dict[str, Any]:
    import polars as pl

    seat = {
        "seat": pl.Int8,
        "bot": pl.String,
        "plays_as": pl.String,
        "won": pl.Boolean,
        "place": pl.Int8,
        "score": pl.Float64,
    }
    card = {
        "seat": pl.Int8,
        "card": pl.String,
        "seen": pl.Int16,
        "held": pl.Int16,
        "played": pl.Int16,
        "won": pl.Boolean,
    }
    phrase = {"phrase": pl.String, "fired": pl.Int32}
    return {
        "match": pl.Int64,
        "seed": pl.String,
        "bots": pl.List(pl.String),
        "winners": pl.List(pl.Int8),
        "decisions": pl.Int32,
        "turns": pl.Int32,
        "why": pl.String,
        "rule": pl.String,
        "seats": pl.List(pl.Struct(seat)),
        "cards": pl.List(pl.Struct(card)),
        "phrases": pl.List(pl.Struct(phrase)),
    }  # fmt: skip


def write(path: Path, about: ResultHead, rows: Iterable[Row]) -> None:
    """Writes a result file: the same rows give the same bytes, in whatever order they come."""
    ordered = sorted(rows, key=lambda row: row["match"])
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        (_write_csv if path.suffix == ".csv" else _write_parquet)(unfinished, about, ordered)
        unfinished.replace(path)
    except OSError as problem:
        raise BadFile(f"{path} cannot be written: {problem.strerror or problem}.") from None


def _write_parquet(path: Path, about: ResultHead, rows: list[Row]) -> None:
    import polars as pl

    frame = pl.DataFrame(rows, schema=schema(), orient="row")
    frame.write_parquet(path, metadata={MARK: json.dumps(vars(about), sort_keys=True)})


def _write_csv(path: Path, about: ResultHead, rows: list[Row]) -> None:
    """For spreadsheets: a line for each seat of each match, without the cards and phrases."""
    whole = ["match", "seed", "decisions", "turns", "rule", "why"]
    seat = ["seat", "bot", "plays_as", "won", "place", "score"]
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.DictWriter(file, ["game", *whole, *seat], extrasaction="ignore")
        lines.writeheader()
        for row in rows:
            why = re.sub(r"@(\d+)", r"seat \1", row["why"])
            lines.writerows({"game": about.game} | row | {"why": why} | sat for sat in row["seats"])


def read(path: Path) -> Results:
    """Reads a result file."""
    import polars as pl

    if not path.is_file():
        raise BadFile(
            f"{path} is a folder, no result file." if path.is_dir() else f"There is no file {path}."
        )
    try:
        found = pl.read_parquet_metadata(path).get(MARK)
    except (pl.exceptions.PolarsError, OSError):
        raise BadFile(
            f"{path} is no result file, or it is damaged; `talion simulate GAME --out FILE.parquet` makes one."
        ) from None
    if found is None:
        raise BadFile(f"{path} is a Parquet file, but not one that talion wrote.")
    try:
        matches = pl.read_parquet(path).cast(pl.Schema(schema()))
        about = ResultHead(**json.loads(found))
    except (pl.exceptions.PolarsError, OSError, TypeError, ValueError):
        raise BadFile(f"{path} is a damaged result file, or one of another version of talion.") from None
    if matches.is_empty():
        raise BadFile(f"{path} holds no matches.")
    return Results(path, about, matches)
