"""`talion learn`: weights for what positions show, from how matches between bots went on from there.

A logistic regression on the game's own judgement and the features of its declared state, with a penalty on large weights. How large
it is, is decided on matches that were not learned from, and so is whether anything was learned at all. A match weighs as
much as any other, however many positions are kept of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talion import games
from talion.bots.learned import Weights, lead

from . import BadFile
from .playing import Job, Played

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]

MARK = "talion.positions"
"""The entry of a file's metadata that makes it ours."""
PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
FOLDS = 5
STEPS = 30
RARE = 10
"""A feature that is there in fewer matches teaches nothing."""
LEAST = 0.1
"""A game's own judgement counts at least so much, and what was learned is put in units of it."""


@dataclass(frozen=True)
class PositionHead:
    """What the positions of a file are of."""

    game: str
    cards: str
    bots: tuple[str, ...]
    seed: str


def write(path: Path, job: Job, played: Iterable[Played]) -> None:
    """Keeps the positions of matches: a row for each, with a column for each feature."""
    import polars as pl

    rows = [
        {"match": one.row["match"], "seat": seat, "said": said, "got": got, **shows}
        for one in played
        for seat, said, got, shows in one.positions
    ]
    head = PositionHead(games.find(job.game).key, job.content().fingerprint, job.bots, job.seed)
    names = dict.fromkeys(name for row in rows for name in row)
    frame = pl.DataFrame({name: [float(row.get(name, 0.0)) for row in rows] for name in names})
    frame.write_parquet(path, metadata={MARK: json.dumps(asdict(head))})


class Positions:
    """Positions to learn from, as arrays with a row for each."""

    def __init__(self, head: PositionHead, frame: Any) -> None:
        import numpy as np

        self.head = head
        self.match: Floats = frame["match"].to_numpy()
        self.got: Floats = frame["got"].to_numpy()
        self.lead: Floats = np.array([lead(said) for said in frame["said"]])
        shows = frame.drop("match", "seat", "said", "got")
        often = [
            name
            for name in shows.columns
            if len(set(self.match[shows[name].to_numpy() != 0])) >= RARE and shows[name].n_unique() > 1
        ]
        self.features: list[str] = often
        self.shows: Floats = shows.select(often).to_numpy().astype(np.float64)
        matches, row, count = np.unique(self.match, return_inverse=True, return_counts=True)
        self.matches = len(matches)
        self.weight: Floats = 1 / count[row]
        self.fold = row % FOLDS

    @classmethod
    def read(cls, path: Path) -> Positions:
        import polars as pl

        try:
            found = pl.read_parquet_metadata(path).get(MARK)
            frame = pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError):
            raise BadFile(f"{path} holds no positions, or it is damaged.") from None
        if found is None:
            raise BadFile(f"{path} holds no positions; talion simulate --positions {path} makes such a file.")
        if frame["match"].n_unique() < 2 * FOLDS:
            raise BadFile(f"{path} has too few matches to learn from: {2 * FOLDS} are the least.")
        return cls(PositionHead(**json.loads(found)), frame)


@dataclass(frozen=True)
class Lesson:
    """What was learned, and how well it foretells matches that it was not learned from."""

    weights: Weights
    sure: float
    """What a lead has to be multiplied by to come true: for putting it into words."""
    matches: int
    positions: int
    losses: dict[str, float]
    """How far off foretelling is, in nats a position, on matches that were held back."""

    def lines(self) -> Iterator[str]:
        yield f"Learned from {self.positions} positions of {self.matches} matches. Off by, on matches held back:"
        for what, loss in self.losses.items():
            yield f"  {loss:.4f} {what}"
        yield f"In logarithms of odds, {self.sure:.2f} times what it says would be right."
        yield "The weights, the heaviest first:"
        for name, weight in self.weights.weights.items():
            yield f"  {weight:+.3f} {name}"

    def data(self) -> dict[str, Any]:
        return {**asdict(self)}


def learn(positions: Positions, most: int) -> Lesson:
    """Fits the weights of the features that matter most, at most so many."""
    fit = Fit(positions)
    everything = range(len(positions.features))
    penalty = min(PENALTIES, key=lambda penalty: fit.held_back(penalty, len(everything)))
    kept = fit.heaviest(penalty, most)
    losses = {
        "as the game judges by itself": fit.loss_of(positions.lead),
        "the same, as sure as it may be": fit.held_back(1.0, 0),
        f"with all {len(everything)} features": fit.held_back(penalty, len(everything)),
        f"with the {len(kept)} heaviest": fit.held_back(penalty, most),
    }
    found = fit.weights(kept, penalty)
    sure = max(LEAST, float(found[1]))
    scaled = found[2:] / fit.spread[kept] / sure
    plus = float(found[0] / sure - scaled @ fit.middle[kept])
    named = {positions.features[at]: round(float(weight), 5) for at, weight in zip(kept, scaled, strict=True)}
    head = positions.head
    weights = Weights(head.game, head.cards, round(plus, 5), named)
    return Lesson(weights, sure, positions.matches, len(positions.got), losses)


class Fit:
    """Logistic regressions on some of the features, each brought to one scale."""

    def __init__(self, positions: Positions) -> None:
        import numpy as np

        self._of = positions
        self.middle: Floats = positions.shows.mean(axis=0)
        self.spread: Floats = np.maximum(positions.shows.std(axis=0), 1e-9)
        self._scaled: Floats = (positions.shows - self.middle) / self.spread

    def _table(self, kept: Sequence[int]) -> Floats:
        import numpy as np

        lead = self._of.lead
        return np.column_stack([np.ones_like(lead), lead, self._scaled[:, list(kept)]])

    def weights(self, kept: Sequence[int], penalty: float, rows: Any = slice(None)) -> Floats:
        """What is added in any case, what the game's own judgement counts, and the features: by Newton's method."""
        import numpy as np

        table, got, weight = self._table(kept)[rows], self._of.got[rows], self._of.weight[rows]
        fine = np.full(table.shape[1], penalty)
        fine[:2] = 1e-3  # these two are not held small, only kept from running away
        found = np.zeros(table.shape[1])
        for _ in range(STEPS):
            likely = _likely(table @ found)
            slope = table.T @ (weight * (got - likely)) - fine * found
            bend = (table * (weight * likely * (1 - likely))[:, None]).T @ table + np.diag(fine)
            step = np.linalg.solve(bend, slope)
            found = found + step
            if np.abs(step).max() < 1e-6:
                break
        return found

    def heaviest(self, penalty: float, most: int, rows: Any = slice(None)) -> list[int]:
        """The features that matter most, at most so many."""
        import numpy as np

        everything = range(len(self._of.features))
        if not most or len(everything) <= most:
            return list(everything[:most])
        weights = np.abs(self.weights(everything, penalty, rows)[2:])
        return [int(at) for at in np.argsort(-weights, kind="stable")[:most]]

    def held_back(self, penalty: float, most: int) -> float:
        """How far off it is on each fifth of the matches, if weights and what to weigh are learned from the others."""
        import numpy as np

        leads = np.empty_like(self._of.lead)
        for fold in range(FOLDS):
            inside = self._of.fold == fold
            kept = self.heaviest(penalty, most, ~inside)
            leads[inside] = self._table(kept)[inside] @ self.weights(kept, penalty, ~inside)
        return self.loss_of(leads)

    def loss_of(self, leads: Floats) -> float:
        import numpy as np

        likely = np.clip(_likely(leads), 1e-9, 1 - 1e-9)
        got, weight = self._of.got, self._of.weight
        losses = -(got * np.log(likely) + (1 - got) * np.log(1 - likely))
        return float((weight * losses).sum() / weight.sum())


def _likely(leads: Floats) -> Floats:
    import numpy as np

    found: Floats = 1 / (1 + np.exp(-np.clip(leads, -30, 30)))
    return found
