"""What the rows of a result file come to: the figures that reports and comparisons show."""

from __future__ import annotations

from dataclasses import dataclass

from .files import Results
from .statistics import Difference, Share, between_shares


@dataclass(frozen=True)
class CardFigures:
    """One card over all matches. Its unit is one seat in one match that saw it."""

    name: str
    seen: int
    held: int
    """How many of those had it in their hand."""
    played: Share
    """By how many of those who saw it it was played."""
    won_played: Share
    won_kept: Share
    """Won by seats that saw it and did not play it."""

    @property
    def lift(self) -> Difference | None:
        """How much more often a seat won that played it than one that did not."""
        if not self.won_played.total or not self.won_kept.total:
            return None
        return between_shares(self.won_kept, self.won_played)


def wins_by(results: Results, column: str) -> dict[str, Share]:
    """How often seats won, by seat, by bot or by what they play as."""
    import polars as pl

    counted = (
        results.seats.group_by(column)
        .agg(pl.col("won").sum().alias("won"), pl.len().alias("total"))
        .sort(column)
    )
    return {str(name): Share(won, total) for name, won, total in counted.rows()}


def endings(results: Results) -> dict[str, Share]:
    """Why matches ended, by rule, the usual first."""
    counted = results.matches.get_column("rule").value_counts(sort=True)
    return {rule or "no rule": Share(count, results.matches.height) for rule, count in counted.rows()}


def undecided(results: Results) -> Share:
    return Share(int((results.matches.get_column("winners").list.len() == 0).sum()), results.matches.height)


def cards(results: Results) -> list[CardFigures]:
    """Every card that was seen, those played most often first."""
    import polars as pl

    played = pl.col("played") > 0
    counted = (
        results.cards.group_by("card")
        .agg(
            pl.len().alias("seen"),
            (pl.col("held") > 0).sum().alias("held"),
            played.sum().alias("played"),
            (played & pl.col("won")).sum().alias("won_played"),
            (~played & pl.col("won")).sum().alias("won_kept"),
        )
        .sort(["played", "card"], descending=[True, False])
    )
    return [
        CardFigures(
            name, seen, held, Share(plays, seen), Share(won_played, plays), Share(won_kept, seen - plays)
        )
        for name, seen, held, plays, won_played, won_kept in counted.rows()
    ]


def never_seen(results: Results) -> list[str]:
    seen = set(results.cards.get_column("card"))
    return [name for name in results.about.faces if name not in seen]


def never_fired(results: Results) -> list[str]:
    fired = set(results.phrases.get_column("phrase"))
    return [phrase for phrase in results.about.phrases if phrase not in fired]
