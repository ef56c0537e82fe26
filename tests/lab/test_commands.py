"""The lab's commands, as somebody types them: what they say, and how they refuse."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from talion import cli, games
from talion.kernel import Match
from talion.lab.balance import Contract
from talion.lab.files import read

ROOT = Path(__file__).parent.parent.parent
TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def talion(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in a folder of its own; gives its exit code, what it printed, and what it refused."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["talion", *arguments])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        code = left.value.code or 0
        assert isinstance(code, int)
        return code, out, err

    return run


def saved(path: Path, answers: int) -> str:
    match = Match.new(games.find("engines-of-vengeance"), 2, 7)
    match.play_out(lambda options: options[0], answers)
    path.write_text(match.save(), "utf-8")
    return str(path)


def test_simulate_and_report(talion: Run) -> None:
    code, out, _ = talion("simulate", TIC_TAC_TOE, "--games", "6", "--workers", "1", "--out", "a.parquet")
    assert code == 0
    assert out.endswith("Kept in a.parquet.\n")
    assert talion("report", "a.parquet", "--out", "a.html")[:2] == (0, "The page is a.html.\n")
    assert "<svg" in Path("a.html").read_text("utf-8")


def test_a_ladder_is_a_table_and_a_page(talion: Run) -> None:
    code, out, _ = talion(
        "ladder", TIC_TAC_TOE, "--games", "2", "--top", "16", "--workers", "1", "--page", "ladder.html"
    )
    assert code == 0
    assert re.match(r"16 iterations against 8: won [\d.]+ of 2, ", out)
    assert "<svg" in Path("ladder.html").read_text("utf-8")


def test_calibrate_from_the_command_line(talion: Run) -> None:
    options = ("--bots", "greedy,random", "--games", "6", "--workers", "1")
    code, out, _ = talion("calibrate", "engines-of-vengeance", *options, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["matches"] == 6
    assert sum(row["positions"] for row in found["classes"]) == found["positions"] > 50
    code, out, _ = talion("calibrate", "engines-of-vengeance", *options)
    assert "In logarithms of odds, " in out


def test_doubts_from_the_command_line(talion: Run) -> None:
    options = ("--games", "1", "--share", "0.3", "--turns", "4")
    code, out, _ = talion("doubts", "engines-of-vengeance", *options, "--json")
    found = json.loads(out)
    assert code == 0
    assert max(row["decisions"] for row in found["words"]) <= found["decisions"]
    assert "play" in [row["word"] for row in found["words"]]
    code, out, _ = talion("doubts", "engines-of-vengeance", *options)
    assert out.startswith("options begin with")


def test_a_hint_names_every_option_with_its_estimate(talion: Run, tmp_path: Path) -> None:
    file = saved(tmp_path / "match.talion", 12)
    match = Match.load(Path(file).read_text("utf-8"), games.find)
    (seat,) = match.pending
    code, out, _ = talion("hint", file, "--bot", "search:20")
    assert code == 0
    for offer in match.view(seat).offers():
        assert re.search(rf"^ *[\d.]+%  {re.escape(offer.name)} \(\d+ tried\)$", out, re.MULTILINE)
    assert re.search(r"in its head it won \d+ of 100 matches so, and \d+ with the second best, ", out)
    assert out == talion("hint", file, "--bot", "search:20")[1]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["report", "none.parquet"], "There is no file"),
        (["report", "damaged"], "no result file"),
        (["report", "."], "is a folder, no result file"),
        (["report", "damaged", "--out", "damaged"], "would be overwritten by what is made of it"),
        (["report", "damaged", "--out", "."], "is a folder; name a file"),
        (["simulate", TIC_TAC_TOE, "--out", "."], "is a folder; name a file"),
        (["ladder", TIC_TAC_TOE, "--keep", "nowhere/l"], "There is no folder nowhere to write l to: make it, or name another"),
        (["ladder", TIC_TAC_TOE, "--page", "."], "is a folder; name a file"),
        (["export", TIC_TAC_TOE, "--database", "none.sqlite3", "--out", "a.parquet"], "There is no database file none.sqlite3"),
        (["export", TIC_TAC_TOE, "--database", "empty.sqlite3", "--out", "empty.sqlite3"], "would be overwritten"),
        (["simulate", TIC_TAC_TOE, "--bots", "genius,random"], "There is no bot genius"),
        (["simulate", TIC_TAC_TOE, "--bots", "random"], "is played by 2"),
        (["simulate", TIC_TAC_TOE, "--out", "nowhere/a.parquet"], "There is no folder nowhere"),
        (["simulate", TIC_TAC_TOE, "--dask", "tcp://127.0.0.1:9"], "No Dask scheduler answers"),
        (["ladder", TIC_TAC_TOE, "--keep", "damaged"], "taken up again; name another file"),
        (["duel", TIC_TAC_TOE, "random", "random", "--keep", "."], "is a folder; name a file"),
        (["balance", "personal-vendetta", "--keep", "damaged"], "taken up again; name another file"),
        (["hint", "match", "--bot", "greedy"], "greedy does not think"),
        (["calibrate", TIC_TAC_TOE], "has no judgement of positions"),
        (["hint", "match", "--seat", "7"], "Seat 7 is not asked"),
        (["export", TIC_TAC_TOE, "--database", "empty.sqlite3", "--out", "a.parquet"], "No match of Tic-tac-toe"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_sentence(talion: Run, command: list[str], says: str) -> None:
    Path("damaged").write_text("no parquet")
    saved(Path("match"), 5)
    Path("empty.sqlite3").touch()
    code, _, err = talion(*command)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1
    assert Path("damaged").read_text() == "no parquet"
    assert not Path("none.sqlite3").exists()


def test_what_needs_the_lab_says_so_before_it_plays(talion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clone has what playing needs; drawing charts and writing Parquet is another step."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for command in (
        ["ladder", TIC_TAC_TOE, "--page", "l.html"],
        ["simulate", TIC_TAC_TOE, "--out", "a.parquet"],
        ["report", "a.parquet"],
    ):
        code, out, err = talion(*command)
        assert (code, out) == (2, "") and re.fullmatch(r"Not everything is .*: run `make lab`\.\n", err), err
    assert not list(Path().iterdir()), "nothing was played"


def test_a_broken_promise_is_told_by_the_exit_code(talion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for promise, expected in (
        ("At least 99 % of the matches end by X-9.", 1),
        ("No end is more common than 100 %.", 0),
    ):
        contract = Contract("random", (promise,))
        monkeypatch.setattr(Contract, "of", lambda game, contract=contract: contract)
        code, out, _ = talion("balance", TIC_TAC_TOE, "--games", "40", "--workers", "1")
        assert code == expected and ("broken: " in out) == bool(expected)


def test_a_balance_run_goes_on_from_the_matches_it_kept(talion: Run) -> None:
    Path("kept.jsonl").touch()  # interrupted before its first match
    command = ("balance", "engines-of-vengeance", "--bots", "random", "--workers", "1", "--json")
    code, out, _ = talion(*command, "--games", "2", "--keep", "kept.jsonl")
    assert code == 0 and json.loads(out)["matches"] == 2
    first = Path("kept.jsonl").read_text("utf-8")
    _, out, _ = talion(*command, "--games", "3", "--keep", "kept.jsonl")
    assert Path("kept.jsonl").read_text("utf-8").startswith(first)
    assert json.loads(out)["matches"] == 3 and out == talion(*command, "--games", "3")[1]
    first_promise = json.loads(out)["promises"][0]
    assert first_promise["about"].startswith("seat ") and first_promise["of"] == 3
    assert 0 <= first_promise["low"] <= first_promise["share"] <= first_promise["high"] <= 1


def test_what_broke_is_given_to_programs_with_its_match(talion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from talion.lab import breaking

    monkeypatch.setattr(breaking, "IDLE", 1)  # nobody has to wait long until a seat has but one option
    code, out, _ = talion("break", "personal-vendetta", "--minutes", "0.01", "--json")
    finding = json.loads(out)["findings"][0]
    assert code == 1 and finding["what"] == "A seat can do nothing for 1 decisions on end."
    assert Path(finding["match"]).read_text("utf-8").startswith("talion match") and finding["seat"] in (
        0,
        1,
        2,
        3,
    )


def test_progress_without_a_terminal_is_told_in_lines(talion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the results, now and then; programs that want JSON hear nothing."""
    monkeypatch.setattr("talion.lab.commands.SECONDS_BETWEEN_LINES", -1)
    command = ["simulate", TIC_TAC_TOE, "--games", "3", "--workers", "1"]
    _, out, err = talion(*command)
    assert err.splitlines() == [f"{done} of 3 matches" for done in (1, 2, 3)]
    assert out.startswith("3 matches.")
    assert talion(*command, "--json")[2] == ""


def test_medians_agree(talion: Run) -> None:
    """The middle of an even number of matches is between the two, on the screen as on the page."""
    _, out, _ = talion("simulate", TIC_TAC_TOE, "--games", "4", "--workers", "1", "--out", "a.parquet")
    said = re.search(r"median ([\d.]+)", out)
    assert said
    assert float(said[1]) == read(Path("a.parquet")).matches["decisions"].median()
    assert talion("report", "a.parquet", "--out", "a.html")[0] == 0
    assert f"median {said[1]}." in Path("a.html").read_text("utf-8")


def test_a_card_is_read_with_its_rules_and_what_it_touches(talion: Run) -> None:
    code, out, _ = talion("cards", "personal-vendetta", "Bone", "Lathe", "--read", "--plain")
    assert code == 0 and "  Inflict 3 corpus. PV-12.1\n" in out
    assert "Touches “inflict (amount) (resource)”: Shear Line" in out
    (found,) = json.loads(talion("cards", "personal-vendetta", "Bone", "Lathe", "--read", "--json")[1])
    assert found["name"] == "Bone Lathe" and found["lines"][1]["rules"][0][0] == "PV-12.1"


def test_a_card_is_tried_and_cards_become_a_spreadsheet(talion: Run) -> None:
    code, out, _ = talion("try", "personal-vendetta", "Bone", "Lathe", "--out", "lathe.talion")
    assert code == 0 and "The position is in lathe.talion" in out
    assert talion("replay", "lathe.talion", "--json")[0] == 0
    code, out, _ = talion("cards", "personal-vendetta", "--csv")
    Path("mine.csv").write_text(out.replace("Inflict 3 corpus.", "Inflict 9 corpus."), "utf-8")
    code, out, _ = talion("cards", "personal-vendetta", "Bone Lathe", "--cards", "mine.csv")
    assert code == 0 and "Inflict 9 corpus" in out


def test_a_change_is_told_as_a_page_and_as_json(talion: Run) -> None:
    Path("mine.toml").write_text('[[card]]\nname = "Bone Lathe"\nbenefit = "Inflict 9 corpus."\n', "utf-8")
    play = ("simulate", "personal-vendetta", "--bots", "random,random", "--games", "4", "--workers", "1")
    code, out, err = talion(*play, "--against", "mine.toml", "--page", "a.html")
    assert code == 0, err
    assert out.endswith("The page is a.html.\n")
    assert "Inflict 9 corpus." in Path("a.html").read_text("utf-8")
    talion(*play, "--out", "a.parquet")
    talion(*play, "--cards", "mine.toml", "--out", "b.parquet")
    code, out, _ = talion("report", "a.parquet", "b.parquet", "--json")
    found = json.loads(out)
    assert code == 0 and found["pairs"] == 4 and found["touched"] == ["Bone Lathe"]
    talion("report", "a.parquet", "b.parquet", "--out", "b.html")
    assert "4 pairs of matches" in Path("b.html").read_text("utf-8")
    assert talion("report", "a.parquet", "--json")[0] == 2


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("simulate {game} --against none.toml", r"There is no card file .*none\.toml\."),
        ("simulate {game} --against .", r"cannot be read: Is a directory\."),
        ("simulate {game} --against latin.toml", r"latin\.toml cannot be read: it is not in UTF-8\."),
        ("simulate {game} --against latin.csv", r"latin\.csv cannot be read: it is not in UTF-8\."),
        ("simulate {game} --against empty.toml", "empty.toml changes nothing that is printed.*: change a card in it"),
        ("simulate {game} --against same.toml", "same.toml changes nothing that is printed"),
        ("simulate vitium --against mine.toml", "The game prints no card of this name: as a new one it has to be whole"),
        ("balance {game} --cards wrong.toml", "card “Bone Lathe”, benefit: this says nothing the phrasebook knows"),
        ("break {game} --cards wrong.toml", "card “Bone Lathe”, benefit: this says nothing the phrasebook knows"),
        ("report mine.toml", "no result file, or it is damaged; `talion simulate GAME --out FILE.parquet` makes one"),
        ("sets list --database none.sqlite3", "`talion serve` begins one, and --database names another"),
        ("sets list --game vitum --database none.sqlite3", r"There is no game “vitum” \(did you mean vitium\?\)"),
    ],
)  # fmt: skip
def test_wrong_input_is_refused_in_a_sentence_with_the_next_step(
    talion: Run, command: str, said: str
) -> None:
    card = '[[card]]\nname = "Bone Lathe"\n'
    for name, text in {
        "empty": "",
        "same": f'{card}benefit = "Inflict 3 corpus."\n',
        "mine": f'{card}benefit = "Inflict 4 corpus."\n',
        "wrong": f'{card}benefit = "Inflikt 4 corpus."\n',
    }.items():
        Path(f"{name}.toml").write_text(text, "utf-8")
    for name in ("latin.toml", "latin.csv"):
        Path(name).write_bytes("name,flavour\nBone Lathe,é".encode("latin-1"))
    code, out, err = talion(*command.format(game="personal-vendetta").split())
    assert (code, out) == (2, "") and re.search(said, err), err


def test_two_files_that_are_no_pairs_are_not_compared(talion: Run) -> None:
    for name, seed in (("a", "1"), ("b", "2")):
        talion(
            "simulate",
            TIC_TAC_TOE,
            "--games",
            "1",
            "--seed",
            seed,
            "--workers",
            "1",
            "--out",
            f"{name}.parquet",
        )
    code, _, err = talion("report", "a.parquet", "b.parquet", "--json")
    assert code == 2 and "of the same game, bots, options and --seed" in err
