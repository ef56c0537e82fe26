"""Served matches become rows like those of bots."""

from talion import bots, games
from talion.bots import Seen
from talion.kernel import Chance, Match
from talion.lab.export import row_of_file
from talion.lab.playing import Job, play_match


def test_a_match_file_gives_the_row_the_match_gave() -> None:
    """The same match played by the lab and read from its file comes to the same figures."""
    job = Job("engines-of-vengeance", ("random", "random"), "3")
    kept = play_match(job, 0).row
    match = Match.new(games.find(job.game), 2, "3:0")
    thinkers = [bots.make("random", f"3:0:{seat}") for seat in range(2)]
    chance = Chance.of("3:0:served first")
    while not match.over:
        seat = chance.pick(sorted(match.pending))
        match.answer(seat, thinkers[seat].choose(Seen(match, seat)))
    row = row_of_file(0, ["person", "random"], match.save(), games.find)
    for name in ("winners", "decisions", "why", "rule", "cards", "phrases"):
        assert row[name] == kept[name]
    assert [seat["bot"] for seat in row["seats"]] == ["person", "random"]
