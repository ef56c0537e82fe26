"""`talion report`: result files as one page; two of them as a comparison, biggest difference first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from . import BadInput, charts, figures
from .files import Results, changed_between
from .page import Cell, figure, heading, page, paragraph, table
from .statistics import Difference, Share, between_shares, mean


def report(files: Sequence[Results]) -> str:
    """The page of some result files."""
    if len(files) == 2:
        return page(f"Compared: {files[0].path.name} and {files[1].path.name}", comparison(*files))
    title = files[0].about.title if len(files) == 1 else "Results"
    return page(title, (part for results in files for part in section(results)))


# One file ------------------------------------------------------------------------------------------------------------


def section(results: Results) -> Iterator[str]:
    about = results.about
    yield heading(f"{about.title}: {results.path.name}")
    yield paragraph(described(results))
    yield from changed_cards("Cards that are not as they are printed", about.changed)
    seats = len(about.bots)
    for title, column in (
        ("Won by seat", "seat"),
        ("Won by bot", "bot"),
        ("Won by what a seat plays as", "plays_as"),
    ):
        found = figures.wins_by(results, column)
        if list(found) != [""]:
            yield heading(title, 3)
            yield figure(charts.shares(title, found, 1 / seats), f"{title}, as in the table below.")
            yield table(["who", "won", "of", "share", "95 % interval"], map(share_row, found, found.values()))
    yield paragraph(f"Matches that nobody won: {figures.undecided(results)}.")
    yield heading("Length", 3)
    for unit in ("turns", "decisions"):
        lengths: list[int] = sorted(results.matches.get_column(unit))
        if lengths[-1]:
            yield paragraph(
                f"{unit.capitalize()} a match: {lengths[0]} to {lengths[-1]}, median {median(lengths):g}."
            )
            yield figure(charts.spread("Length", lengths, unit), f"How many {unit} matches have.")
    yield heading("Why matches end", 3)
    ended = figures.endings(results)
    yield table(["rule", "matches", "of", "share", "95 % interval"], map(share_row, ended, ended.values()))
    yield from scores(results)
    yield from card_table(results)


def changed_cards(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield heading(title, 3)
        yield from map(paragraph, lines)


def described(results: Results) -> str:
    about = results.about
    options = "".join(f", {name} {value}" for name, value in about.options.items())
    return (
        f"{results.matches.height} matches of {', '.join(about.bots)}, who change seats; seed {about.seed}, "
        f"cards {about.cards}{options}."
    )


def share_row(name: str, share: Share) -> list[Cell]:
    return [
        Cell(name, name),
        Cell(f"{share.count:g}", share.count),
        Cell(str(share.total), share.total),
        *percent(share),
    ]


def percent(share: Share) -> list[Cell]:
    low, high = share.interval
    if not share.total:
        return [Cell("", ""), Cell("", "")]
    return [Cell(f"{share.value:.1%}", share.value), Cell(f"{low:.1%} to {high:.1%}", low)]


def scores(results: Results) -> Iterator[str]:
    found = results.seats.get_column("score").drop_nulls()
    if found.is_empty():
        return
    yield heading("Scores", 3)
    by_seat = results.seats.drop_nulls("score").sort("score").group_by("seat", maintain_order=True)
    rows = []
    for (seat,), frame in by_seat:
        values = frame.get_column("score")
        quarters = [values.quantile(share, "linear") for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
        rows.append([seat, *(Cell(f"{value:g}", value or 0.0) for value in quarters)])
    yield table(
        ["seat", "least", "a quarter below", "middle", "a quarter above", "most"],
        sorted(rows, key=lambda row: row[0]),
    )
    yield figure(charts.spread("Scores", found.to_list(), "score"), "How the scores of all seats are spread.")


def card_table(results: Results) -> Iterator[str]:
    yield heading("Cards", 3)
    yield paragraph(
        "Counted by seat and match: a card is seen when it lies in a zone that the seat owns and sees, and played when "
        "the seat names it and it leaves that zone. More wins of those who played a card do not prove that it won for them."
    )
    columns = [
        "card",
        "seen",
        "played",
        "of seen",
        "won when played",
        "interval",
        "won when not",
        "interval",
        "difference",
        "interval",
    ]
    found = figures.cards(results)
    lifts = [card.lift for card in found]
    rows = [
        [card.name, card.seen, int(card.played.count), percent(card.played)[0], *percent(card.won_played), *percent(card.won_kept), *difference_cells(lift)]
        for card, lift in zip(found, lifts, strict=True)
    ]  # fmt: skip
    yield table(columns, rows, [lift is not None and lift.certain for lift in lifts])
    yield named(
        "Cards held and never played", [card.name for card in found if card.held and not card.played.count]
    )
    yield named("Cards never seen", figures.never_seen(results))
    yield named("Phrases never carried out", figures.never_fired(results))


def named(what: str, names: Sequence[str]) -> str:
    return paragraph(f"{what}: {'; '.join(names) if names else 'none'}.")


def difference_cells(found: Difference | None, unit: str = "%") -> list[Cell]:
    if found is None:
        return [Cell("", ""), Cell("", "")]
    if unit == "%":
        return [
            Cell(f"{100 * found.value:+.1f} points", found.value),
            Cell(f"{100 * found.low:+.1f} to {100 * found.high:+.1f}", found.weight),
        ]
    return [
        Cell(f"{found.value:+.1f}{unit}", found.value),
        Cell(f"{found.low:+.1f} to {found.high:+.1f}", found.weight),
    ]


# Two files -----------------------------------------------------------------------------------------------------------


def comparison(first: Results, second: Results) -> Iterator[str]:
    """What changed from the first file to the second."""
    if first.about.game != second.about.game:
        raise BadInput(
            f"{first.path} and {second.path} hold different games ({first.about.game}, {second.about.game})."
        )
    for which, results in (("First", first), ("Second", second)):
        yield paragraph(f"{which}: {results.path.name}. {described(results)}")
    yield from changed_cards(
        "Cards that changed from the first to the second", changed_between(first.about, second.about)
    )
    pairs = paired(first, second)
    if pairs:
        yield paragraph(
            f"{pairs} matches have the same shuffles and seats in both files and are compared pair by pair."
        )
    else:
        yield paragraph("The files share no shuffles: their figures are compared as separate samples.")
    found = sorted(
        changes(first, second, pairs), key=lambda row: (row[1].weight, abs(row[1].value)), reverse=True
    )
    yield heading("What changed, the surest first")
    yield paragraph("Marked rows: the interval of the difference leaves out zero.")
    rows = [
        [what, before, after, *difference_cells(change, unit)] for what, change, before, after, unit in found
    ]
    yield table(
        ["figure", "first", "second", "difference", "95 % interval"], rows, [row[1].certain for row in found]
    )
    for results in (first, second):
        yield from section(results)


def paired(first: Results, second: Results) -> int:
    """How many matches of two files were dealt alike and seated alike."""
    one, two = first.about, second.about
    if (one.seed, one.bots, one.options) != (two.seed, two.bots, two.options):
        return 0
    return first.matches.join(second.matches, on=["match", "seed"]).height


Change = tuple[str, Difference, str, str, str]
"""A figure, its difference, what it was in both files, and its unit."""


def changes(first: Results, second: Results, pairs: int) -> Iterator[Change]:
    yield from length_change(first, second, pairs)
    for column, what in (("seat", "seat {} wins"), ("bot", "{} wins"), ("plays_as", "{} wins")):
        one, two = figures.wins_by(first, column), figures.wins_by(second, column)
        for name in one:
            if name and name in two:
                change = between_shares(one[name], two[name])
                if pairs and column == "seat":
                    change = paired_wins(first, second, int(name))
                yield what.format(name), change, in_percent(one[name]), in_percent(two[name]), "%"
    for rule in figures.endings(first) | figures.endings(second):
        before = figures.endings(first).get(rule, Share(0, first.matches.height))
        after = figures.endings(second).get(rule, Share(0, second.matches.height))
        yield f"ends by {rule}", between_shares(before, after), in_percent(before), in_percent(after), "%"
    after_by_name = {card.name: card for card in figures.cards(second)}
    for card in figures.cards(first):
        if other := after_by_name.get(card.name):
            yield (
                f"{card.name} is played when seen",
                between_shares(card.played, other.played),
                in_percent(card.played),
                in_percent(other.played),
                "%",
            )
            if card.won_played.total and other.won_played.total:
                yield (
                    f"{card.name} wins when played",
                    between_shares(card.won_played, other.won_played),
                    in_percent(card.won_played),
                    in_percent(other.won_played),
                    "%",
                )


def in_percent(share: Share) -> str:
    return f"{share.value:.1%}"


def length_change(first: Results, second: Results, pairs: int) -> Iterator[Change]:
    one, two = (mean(results.matches.get_column("decisions").to_list()) for results in (first, second))
    if pairs:
        both = first.matches.join(second.matches, on=["match", "seed"], suffix="_after")
        change = mean((both.get_column("decisions_after") - both.get_column("decisions")).to_list())
    else:
        half = ((one.high - one.value) ** 2 + (two.high - two.value) ** 2) ** 0.5
        value = two.value - one.value
        change = Difference(value, value - half, value + half)
    yield "decisions a match", change, f"{one.value:.1f}", f"{two.value:.1f}", ""


def paired_wins(first: Results, second: Results, seat: int) -> Difference:
    """How much more often a seat wins the same matches in the second file."""
    one, two = (results.seats.filter(results.seats["seat"] == seat) for results in (first, second))
    both = one.join(two, on="match", suffix="_after")
    change = both.get_column("won_after").cast(int) - both.get_column("won").cast(int)
    return mean(change.to_list())
