"""The command `talion`, as somebody types it."""

import csv
import json
import os
import platform
import pty
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import talion as package
from talion import cli, games
from talion.kernel import Match
from talion.testing import conformance

ROOT = Path(__file__).parent.parent
LEDUC = str(ROOT / "examples" / "leduc.py")
TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")
GAME = "engines-of-vengeance"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def talion(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command; gives its exit code, what it printed, and what it printed as an error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["talion", *arguments])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        return left.value.code or 0, out, err  # type: ignore[return-value]

    return run


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A saved match, in the middle."""
    match = Match.new(games.find(GAME), 2, 7)
    match.play_out(lambda options: options[0], 12)
    path = tmp_path / "saved.talion"
    path.write_text(match.save(), "utf-8")
    return path


# Reading -----------------------------------------------------------------------------------------------------------


def test_games_are_listed_with_seats_length_and_designer(talion: Run):
    """Each game that ships is there."""
    code, out, _ = talion("games")
    assert code == 0
    for game in games.every():
        assert game.key in out
        assert game.designer in out
        assert game.length in out


def test_a_glance_sees_what_the_game_says():
    """The list of games is read without loading them, and is what they say of themselves."""
    for game in games.every():
        seen = games.glance(game.key)
        assert all(getattr(game, field) == value for field, value in seen._asdict().items())


def test_games_answer_at_once():
    """Half a second of work, the quickest of three runs; how busy the machine is does not count."""
    assert min(work_of([sys.executable, "-m", "talion.cli", "games"]) for _ in range(3)) < 0.5


def work_of(command: list[str]) -> float:
    """The CPU seconds a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    "unneeded", ["polars", "altair", "dask", "litestar", "sqlalchemy", "uvicorn", "talion.kernel"]
)
def test_games_do_not_load_what_they_do_not_need(unneeded: str):
    """Listing games loads neither the server, the lab nor the games."""
    code = f"import sys; sys.argv = ['talion', 'games']; import talion.cli\ntry: talion.cli.main()\nexcept SystemExit: pass\nassert {unneeded!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def test_rules_by_id_by_chapter_and_by_words(talion: Run):
    """A rule is found by its id, a chapter by its number, others by words that stand in them."""
    assert talion("rules", GAME, "EV-5.1")[1].count("EV-") == 2  # the chapter's heading, and the rule
    assert "EV-5.3" in talion("rules", GAME, "EV-5")[1]
    assert "EV-5.1" in talion("rules", GAME, "play", "one", "card")[1]


def test_rulings_name_their_options(talion: Run):
    """`--rulings` lists the rulings alone, each with the option that chooses otherwise."""
    _, out, _ = talion("rules", GAME, "--rulings")
    assert "--option double_goal=both|turn_player|nobody" in out
    assert "EV-5.1 " not in out


def test_cards_show_both_ends(talion: Run):
    """A card is shown as it reads; a search by its other end's name finds it too."""
    _, out, _ = talion("cards", GAME, "turncoat")
    assert out.startswith("FIXER")
    assert "exhaust: Discard as TURNCOAT." in out
    assert "action: Reset one card." in out


def test_phrases_are_listed_with_their_use(talion: Run):
    """Every pattern is there with the number of cards that use it."""
    _, out, _ = talion("phrases", GAME)
    book = games.find(GAME).book
    assert all(phrase.pattern in out for phrase in book.phrases)
    assert re.search(r"^ *\d+ take \{card:target\}$", out, re.MULTILINE)


def test_phrases_are_listed_with_what_their_holes_take(talion: Run):
    _, out, _ = talion("phrases", "engines-of-vengeance")
    assert "\ntarget\n" in out
    assert "\ncards\n     card, active card\n" in out
    assert "“Look at the other player's hand.” (TRUFFLE)" in out


def test_the_beginning_of_a_sentence_is_completed(talion: Run):
    status, out, _ = talion("phrases", "engines-of-vengeance", "unrotate", "one")
    assert not status
    assert out.splitlines()[:2] == [
        "enter, action: unrotate one",
        "  Here could stand: one card, one active card",
    ]
    assert "{turn:turn} {card:target}" in out


def test_plain_has_no_escape_codes(talion: Run, monkeypatch: pytest.MonkeyPatch):
    """`--plain` prints no escape codes, also where colours are forced, and no box characters."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in talion("games")[1]
    for command in (["games"], ["rules", GAME], ["cards", GAME], ["phrases", GAME]):
        out = talion(*command, "--plain")[1]
        assert "\x1b" not in out
        assert not re.search("[\u2500-\u257f]", out)


# Playing -----------------------------------------------------------------------------------------------------------


def test_bots_play_without_a_terminal(talion: Run):
    """A match of bots alone is shown line by line, and is the same for the same seed."""
    first = talion("play", GAME, "--seats", "random,greedy", "--seed", "4")
    assert first == talion("play", GAME, "--seats", "random,greedy", "--seed", "4")
    assert first[0] == 0
    assert "Act 1: Random bot is the Vigilante, Greedy bot the Detective. [EV-2.4]" in first[1]
    assert first[1].rstrip().splitlines()[-1].endswith(("won.", "over.")) or "won" in first[1]


def in_a_terminal(*arguments: str, typed: str) -> str:
    """Runs talion in a terminal of its own, typing ahead."""
    child, screen = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.execv(sys.executable, [sys.executable, "-m", "talion.cli", *arguments])
    os.write(screen, typed.encode())
    seen = b""
    while True:
        try:
            piece = os.read(screen, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.waitpid(child, 0)
    os.close(screen)
    return seen.decode().replace("\r\n", "\n")


@pytest.mark.usefixtures("can_open_terminals")
def test_a_person_plays_in_a_terminal():
    """From the first prompt to quitting, in a real terminal; `--plain` sends it no escape codes."""
    seen = in_a_terminal("play", GAME, "--seed", "5", "--plain", typed="1\nundo\nwhy\nquit\n")
    assert "Play one card [EV-5.1]" in seen
    assert "Taken back." in seen
    assert "You left the match." in seen
    assert "\x1b" not in seen


@pytest.mark.usefixtures("can_open_terminals")
def test_a_saved_match_goes_on(tmp_path: Path):
    """What `save` writes, `talion play FILE` goes on with, also where the game is a file somewhere."""
    saved = tmp_path / "mine.talion"
    in_a_terminal(
        "play",
        TIC_TAC_TOE,
        "--seats",
        "Ann,Bob",
        "--plain",
        typed=f"\n5\nsave {saved}\n\nsave {saved}\nquit\n",
    )
    seen = in_a_terminal("play", str(saved), "--seats", "Ann,Bob", "--plain", typed="\nlog\nquit\n")
    assert "Ann marks cell 5. [TT-1]" in seen


@pytest.mark.usefixtures("can_open_terminals")
def test_a_saved_match_brings_its_changed_cards(talion: Run, tmp_path: Path):
    """Played with cards of one's own, it goes on, is replayed and advised upon where that file is not."""
    cards, saved = tmp_path / "mine.toml", tmp_path / "mine.talion"
    cards.write_text('[[card]]\nname = "WRATH"\ncount = 30\n', encoding="utf-8")
    in_a_terminal(
        "play", GAME, "--seed", "5", "--cards", str(cards), "--plain", typed=f"1\nsave {saved}\nquit\n"
    )
    cards.unlink()
    assert "At any time: concede" in in_a_terminal("play", str(saved), "--plain", typed="quit\n")
    for command in ("replay", "hint"):
        code, _, problem = talion(command, str(saved))
        assert code == 0, problem


def test_replay_rebuilds_any_moment(talion: Run, record: Path):
    """The log and the table after so many answers, as a seat saw them, or a watcher."""
    code, out, _ = talion("replay", str(record), "--to", "1", "--seat", "0")
    assert code == 0
    assert "Seat 0 plays" in out
    assert re.search(r"Seat 0 \(you\).*:\n(  .*\n)*  hand: [A-Z]", out)
    watched = talion("replay", str(record), "--to", "1")[1]
    assert watched.count("hand: 2 cards") == 2


# Trying out --------------------------------------------------------------------------------------------------------


def test_simulate_is_the_same_for_the_same_seed(talion: Run):
    """Bots change seats, and one line of JSON tells one match."""
    code, out, _ = talion(
        "simulate", GAME, "--games", "4", "--bots", "random,greedy", "--seed", "9", "--json"
    )
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [row["bots"][0] for row in rows] == ["random", "greedy", "random", "greedy"]
    assert (
        out == talion("simulate", GAME, "--games", "4", "--bots", "random,greedy", "--seed", "9", "--json")[1]
    )


def test_simulate_says_who_won(talion: Run):
    """Shares have their intervals."""
    _, out, _ = talion("simulate", TIC_TAC_TOE, "--games", "10", "--bots", "random,random")
    assert out.startswith("10 matches.\nrandom, bot 1: won ")
    assert re.search(r"seat 0: won \d+ of 10, [\d.]+% \([\d.]+% to [\d.]+%\)", out)


def test_check_runs_scenarios_and_random_matches(talion: Run, tmp_path: Path):
    """All well gives 0; a scenario that differs gives 1 and says what."""
    code, out, _ = talion("check", TIC_TAC_TOE, "--seconds", "30")
    assert code == 0
    assert "50 matches at 2 seats" in out
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(
        f'title = "Nobody begins"\nrule = "TT-1"\ngame = "{TIC_TAC_TOE}"\nseats = 2\nat = "turn"\n'
        '[[when]]\nseat = 0\nanswer = "mark cell 10"\n'
    )
    code, out, _ = talion("check", str(wrong))
    assert code == 1
    assert "mark cell 10" in out
    assert "0 of 1 scenarios pass." in out


# Refusing ----------------------------------------------------------------------------------------------------------


def damaged(record: Path) -> Path:
    lines = record.read_text("utf-8").splitlines()
    lines[-1] = 'answer 0 ["fly"]'
    record.write_text("\n".join(lines))
    return record


def of_another_version(record: Path) -> Path:
    record.write_text(record.read_text("utf-8").replace("version: ", "version: 99"))
    return record


def not_text(record: Path) -> Path:
    record.write_bytes(b"\xff\xfe\x00")
    return record


def empty(record: Path) -> Path:
    record.write_text("")
    return record


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "no-such-game"], "There is no game “no-such-game”"),
        (["phrases", ""], "There is no game “”"),
        (["rules", "no-such-game"], "There is no game “no-such-game”"),
        (["play", GAME, "--seats", "random,random,random"], "is played by 2, not by 3"),
        (["play", GAME, "--seats", "random,gredy"], "“gredy” can sit at no seat"),
        (["play", GAME, "--seats", "random,random", "--option", "double_goal"], "write --option name=value"),
        (["play", GAME, "--seats", "random,random", "--option", "=3"], "write --option name=value"),
        (["play", GAME, "--seats", "random,random", "--option", "nothing=1"], "has no option nothing"),
        (
            ["play", GAME, "--seats", "random,random", "--option", "double_goal=--5"],
            "double_goal cannot be --5",
        ),
        (["play", GAME, "--seats", "random,random", "--option", "draw_rule=²"], "draw_rule cannot be ²"),
        (["play", GAME, "--seats", "random,random", "--option", "double_goal=3"], "double_goal cannot be 3"),
        (["play", GAME], "There is no terminal to play in"),
        (
            ["play", GAME, "--seats", "random,random", "--cards", "no-such.toml"],
            "There is no card file no-such.toml",
        ),
        (["rules", GAME, "EV-99.9"], "has no rule with “EV-99.9”"),
        (["cards", GAME, "no such card"], "prints nothing called “no such card”"),
        (["cards", "engines-of-vengeance", "subvrt"], "nothing called “subvrt” (did you mean SUBVERT?)"),
        (["simulate", GAME, "--bots", "clever,random"], "There is no bot clever"),
        (["simulate", GAME, "--games", "many"], "--games"),
        (["replay", "no-such.talion"], "There is no file no-such.talion"),
        (["check", "no-such.toml"], "no-such.toml cannot be read"),
        (["dance"], "No such command 'dance'"),
        (["play"], "Missing argument"),
    ],
)
def test_bad_input_gets_one_sentence(talion: Run, arguments: list[str], says: str):
    """One line on standard error, exit code 2, nothing else."""
    code, out, err = talion(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "head",
    [
        "options: 5",
        "options: true",
        'options: "x"',
        "options: [1, 2]",
        "seed: null",
        "seed: true",
        "seed: {}",
        "seats: x",
    ],
)
def test_a_save_with_a_damaged_head_gets_one_sentence(talion: Run, record: Path, head: str):
    name = head.split(":")[0]
    record.write_text(re.sub(rf"^{name}: .*$", head, record.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    code, out, err = talion("replay", str(record))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "The head of this match is damaged" in err


@pytest.mark.parametrize("spoil", [damaged, of_another_version, not_text, empty])
def test_a_bad_save_gets_one_sentence(talion: Run, record: Path, spoil: Callable[[Path], Path]):
    """Damaged, of another version, not text, empty: each is refused, to play and to replay."""
    path = str(spoil(record))
    for command in (["replay", path], ["play", path, "--seats", "random,random"]):
        code, out, err = talion(*command)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert err.rstrip().endswith(".")


def test_moments_that_a_save_does_not_have(talion: Run, record: Path):
    """A seat or a number outside the match is refused."""
    assert talion("replay", str(record), "--seat", "2")[0] == 2
    assert talion("replay", str(record), "--to", "13")[0] == 2
    assert "13" not in talion("replay", str(record), "--to", "12")[2]


def test_scenarios_are_run_with_the_cards_that_are_laid_over(talion: Run, tmp_path: Path):
    """Of a file and of a game: what the changed card breaks is told, and said to be with those cards."""
    cards, scenario = tmp_path / "mine.toml", tmp_path / "one.toml"
    cards.write_text('[[card]]\nname = "SUBVERT"\naction = "Rotate one card."\n')
    scenario.write_text(
        'title = "SUBVERT takes a card"\nrule = "EV-3.6"\ngame = "engines-of-vengeance"\nat = "action_phase"\n'
        '[given]\nturn = 0\n[given."seat 0"]\narea = ["SUBVERT"]\n'
        '[given."seat 1"]\narea = ["TAIL"]\n[[when]]\nseat = 0\noffered = ["SUBVERT: take TAIL"]\n'
    )
    assert talion("check", str(scenario))[:2] == (0, "1 of 1 scenarios pass.\n")
    code, out, _ = talion("check", str(scenario), "--cards", str(cards))
    assert code == 1
    assert f"0 of 1 scenarios pass with the cards of {cards}." in out.replace("\n", " ")
    assert talion("check", str(scenario), "--cards", "none.toml")[0] == 2
    code, out, _ = talion("check", GAME, "--cards", str(cards), "--seconds", "0.1")
    assert code == 1
    assert f"scenarios pass with the cards of {cards}." in out


def test_a_check_that_looked_at_too_little_has_not_passed(talion: Run, monkeypatch: pytest.MonkeyPatch):
    """Too few pairs of worlds compared, or too many skipped: a problem each, and exit code 1."""
    monkeypatch.setattr(conformance, "LEAST_COMPARED", 10**6)
    code, out, _ = talion("check", LEDUC, "--seconds", "0.1")
    assert code == 1
    assert re.search(r"PROBLEM only \d+ pairs of worlds could be compared; 1000000 are wanted", out)
    counts = Counter({"worlds laid out": 50, "worlds compared": 20, "worlds skipped": 21})
    report = conformance.Report(games.find(GAME), counts=counts)
    monkeypatch.undo()
    conformance._floors(report)
    assert report.problems == ["21 of 41 pairs of worlds had to be skipped"]


def test_a_full_disk_is_told_in_one_sentence():
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "talion.cli", "rules", GAME]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no space is left" in done.stderr


def test_cards_that_cannot_be_read(talion: Run, tmp_path: Path):
    """The place is named: file, card, sentence, a caret; and what is near."""
    path = tmp_path / "mine.toml"
    path.write_text('[[card]]\nname = "WRATH"\naction = "Rotate one crad in your area."\n')
    for command in (["play", GAME, "--seats", "random,random"], ["simulate", GAME], ["check", GAME]):
        code, _, err = talion(*command, "--cards", str(path))
        assert code == 2
        assert "mine.toml" in err
        assert "WRATH" in err
        assert "^" in err
        assert "Traceback" not in err
    path.write_text("[[card]\n")
    code, _, err = talion("play", GAME, "--seats", "random,random", "--cards", str(path))
    assert (code, err.count("\n")) == (2, 1)


# As people expect it -------------------------------------------------------------------------------------------------


def every_command() -> list[tuple[list[str], Any]]:
    """All commands with their words, those of a group among them."""
    whole: Any = cli.command()
    found: list[tuple[list[str], Any]] = []
    for name, one in whole.commands.items():
        found.append(([name], one))
        found += [([name, below], inner) for below, inner in getattr(one, "commands", {}).items()]
    return found


@pytest.mark.parametrize("words", [words for words, _ in every_command()], ids=" ".join)
def test_help_is_worded_for_people(talion: Run, words: list[str]):
    """No name of a Python type stands in it."""
    code, out, _ = talion(*words, "--help")
    assert code == 0
    assert not re.search(r"<\w+.*>", out)


def test_results_can_be_had_as_json():
    """Whatever lists or finds something gives it to programs too; what serves, plays or does one thing has none."""
    without = {
        " ".join(words)
        for words, one in every_command()
        if "--json" not in {o for p in one.params for o in p.opts}
    }
    acts = {"house", "house ban", "house close", "house mute", "house unban"}
    assert without == {"new", "play", "serve", "sets", *acts}


@pytest.mark.parametrize(
    "words",
    [
        "games",
        f"rules {GAME}",
        f"cards {GAME}",
        f"phrases {GAME}",
        f"phrases {GAME} unrotate one",
        "replay FILE",
        "hint FILE --bot search:5",
    ]
    + [
        f"check {TIC_TAC_TOE} --seconds 0.1",
        f"ladder {TIC_TAC_TOE} --games 2 --top 16 --workers 1 --minutes 1",
    ],
)
def test_json_is_json(talion: Run, record: Path, words: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(record.parent)
    code, out, _ = talion(*words.replace("FILE", str(record)).split(), "--json")
    assert code == 0
    assert all(json.loads(line) for line in out.splitlines())


@pytest.mark.parametrize("words", [[], ["house"], ["sets"]])
def test_nothing_asked_is_answered_with_help(talion: Run, words: list[str]):
    code, out, err = talion(*words)
    assert (code, err) == (0, "")
    assert out.startswith("Usage:")


def test_what_was_probably_meant_is_asked(talion: Run):
    assert "(did you mean vitium?)" in talion("rules", "vitum")[2]
    assert "(did you mean WRATH?)" in talion("cards", GAME, "WRAHT")[2]


def test_results_for_a_spreadsheet(talion: Run, tmp_path: Path):
    """A line for each seat of each match; a file that is neither of the two kinds is refused before anything is played."""
    code, _, _ = talion("simulate", GAME, "--games", "3", "--workers", "1", "--out", str(tmp_path / "x.csv"))
    assert code == 0
    with (tmp_path / "x.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["match"], line["seat"]) for line in lines] == [
        (str(m), str(s)) for m in range(3) for s in range(2)
    ]
    assert {line["won"] for line in lines} == {"True", "False"}
    assert not any("@" in line["why"] for line in lines)
    refused, _, why = talion("simulate", GAME, "--games", "3", "--out", str(tmp_path / "x.txt"))
    assert refused == 2
    assert "should end in .parquet" in why


def test_the_version_tells_where_things_are(talion: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/far/away")
    code, out, _ = talion("--version")
    assert code == 0
    first, second = out.splitlines()
    assert first.startswith(f"talion {package.__version__}, Python {platform.python_version()}, ")
    assert second == "Tables are kept in /far/away/talion."


def test_the_shell_completes_games():
    asked = {"_TALION_COMPLETE": "complete_bash", "COMP_WORDS": "talion rules vi", "COMP_CWORD": "2"}
    done = subprocess.run(
        [sys.executable, "-m", "talion"],
        env=os.environ | asked,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["vitium"]
