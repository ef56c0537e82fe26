"""What a game's tests would miss: change its rules in one place, run them, and see whether anything notices.

    python -m talion.testing.mutate engines-of-vengeance

Two hundred places are drawn from the game's rules and phrases. At each, one small thing is made wrong: `==` becomes
`!=`, 4 becomes 5, a statement disappears. The game's scenarios and a few verified random matches are held against it,
in a process of its own with a time limit. A change that nothing notices is a survivor: a rule that nobody tests, or a
line that nobody needs.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, ModuleType

from talion import games
from talion.kernel import Game

PLACES = 200
MATCHES = 4
"""Random matches that are verified against each change."""
PATIENCE = 5
"""How many times longer than the unchanged game a changed one may take."""
WANTED = 0.8
"""The share that must be caught."""

PROCESSES = multiprocessing.get_context("forkserver")
"""Every trial begins in a fresh process that knows the kernel already, and no game yet."""
PROCESSES.set_forkserver_preload(["talion.testing"])

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SPOKEN = {"log"}
"""What is only said is no rule: these statements stay."""
FOR_PEOPLE = ("words", "means", "grave", "picture", "phase")
"""Functions of a game that only put things into words: they stay as they are too."""


@dataclass(frozen=True)
class Mutant:
    """A module of the game with one place made wrong."""

    module: str
    file: Path
    line: int
    was: str
    now: str
    source: str

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line}: `{self.was}` became `{self.now or 'nothing'}`"


@dataclass(frozen=True)
class Outcome:
    """What noticed a change: a scenario, a verified match, an error, the time limit. None: it survived."""

    mutant: Mutant
    caught_by: str | None


@dataclass(frozen=True)
class MutationReport:
    key: str
    outcomes: list[Outcome]

    @property
    def share(self) -> float:
        return sum(outcome.caught_by is not None for outcome in self.outcomes) / len(self.outcomes)

    def lines(self) -> Iterator[str]:
        ways = Counter((outcome.caught_by or "nobody").split(":")[0] for outcome in self.outcomes)
        yield f"{self.key}: {len(self.outcomes)} changes, {self.share:.1%} caught"
        yield from (f"  {number} by {way}" for way, number in ways.most_common())
        yield from (f"  survived: {outcome.mutant}" for outcome in self.outcomes if outcome.caught_by is None)


# The places of a source file ---------------------------------------------------------------------------------------


def mutants(game: Game) -> list[Mutant]:
    """Every change that the game's rules and phrases offer."""
    package = game.rules.__name__.rsplit(".", 1)[0]
    inside = Path(str(game.rules.__file__)).parent
    files = (
        sorted(inside.glob("*.py")) if hasattr(game.rules, "__path__") else [Path(str(game.rules.__file__))]
    )
    modules = {
        file: game.rules.__name__
        if file.stem in ("__init__", "rules")
        else f"{game.rules.__name__}.{file.stem}"
        for file in files
    }
    if game.folder and (book := game.folder / "phrases.py").exists():
        modules[book] = f"{package}.phrases"
    spoken = {getattr(getattr(game, name), "__name__", "") for name in FOR_PEOPLE}
    return [mutant for file, module in modules.items() for mutant in _of_file(module, file, spoken)]


def _of_file(module: str, file: Path, spoken: set[str]) -> Iterator[Mutant]:
    source = file.read_text("utf-8")
    text = source.encode()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, new in _changes(ast.parse(source), spoken):
        assert node.end_lineno is not None and node.end_col_offset is not None
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        put = f"({new})" if isinstance(node, ast.expr) else "pass"
        changed = (text[:begin] + put.encode() + text[end:]).decode()
        yield Mutant(module, file, node.lineno, _short(ast.unparse(node)), _short(new), changed)


def _changes(tree: ast.Module, spoken: set[str]) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Each place with what is put there instead. A statement is only ever removed."""
    nodes = list(_rules(tree, spoken))
    words = sorted({node.value for node in nodes if _is_word(node)})  # type: ignore[attr-defined]
    for node in nodes:
        if isinstance(node, ast.Compare):
            for index, operator in enumerate(node.ops):
                operators = [*node.ops[:index], FLIPPED[type(operator)](), *node.ops[index + 1 :]]
                yield node, ast.unparse(ast.Compare(node.left, operators, node.comparators))
        elif isinstance(node, ast.BoolOp):
            yield (
                node,
                ast.unparse(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)),
            )
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, ast.unparse(node.operand)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield node, ast.unparse(ast.BinOp(node.left, other, node.right))
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, str(not node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield node, str(node.value + 1)
        elif isinstance(node, ast.Constant) and _is_word(node) and len(words) > 1:
            yield node, repr(words[words.index(node.value) - 1])
        elif isinstance(node, ast.stmt) and _removable(node):
            yield node, ""


def _is_word(node: ast.AST) -> bool:
    """A constant that is one plain word: an option's verb, a pile's name. Texts for people are longer."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()


def _removable(node: ast.stmt) -> bool:
    """Statements that change something or leave early. Without the value of a plain name nothing would run."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Assign(targets=[target]):
            return isinstance(target, ast.Attribute | ast.Subscript)
        case ast.Expr() | ast.AugAssign() | ast.Return() | ast.Continue() | ast.Break():
            return True
    return False


def _rules(node: ast.AST, spoken: set[str]) -> Iterator[ast.AST]:
    """The nodes that are rules: what functions do and what constants are, not types, decorators or words."""
    match node:
        case ast.FunctionDef(name=name, body=body):
            for statement in body if name not in spoken else ():
                yield from _rules(statement, spoken)
            return
        case ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.Assign(targets=[ast.Name(id="__all__")]):
            return
        case ast.AnnAssign(value=value):
            if value is not None:
                yield from _rules(value, spoken)
            return
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))) if name in SPOKEN:
            return
        case ast.Expr(value=ast.Constant()):
            return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _rules(child, spoken)


def _short(code: str) -> str:
    first, *more = code.splitlines() or [""]
    return first if len(first) <= 70 and not more else first[:67] + "…"


# One trial ---------------------------------------------------------------------------------------------------------


class _Changed(SourceFileLoader):
    """Loads a mutant in place of its module."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.file))
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.mutant.source, self.mutant.file, "exec", dont_inherit=True)


class _Finder:
    """Finds the mutant where its module is asked for."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.file, loader=_Changed(self.mutant))


def examine(key: str) -> str | None:
    """What is wrong with a game: the first scenario or random match that fails, or nothing."""
    from talion.testing import conformance, load_scenarios, run_scenario

    game = games.find(key)
    assert game.folder is not None
    for scenario in load_scenarios(game.folder / "scenarios"):
        if run_scenario(scenario, games.find):
            return f"scenario: {scenario.path.stem}"
    for number in range(MATCHES):
        seats = game.seats[number % len(game.seats)]
        try:
            conformance.Verify(game, seats, f"mutant {number}", conformance.Report(game), None).match()
        except conformance.Found as problem:
            return f"random match: {problem}"
    return None


def _in_own_process(key: str, mutant: Mutant | None, send: Connection) -> None:
    if mutant is not None:
        sys.meta_path.insert(0, _Finder(mutant))
    try:
        caught = examine(key)
    except Exception as problem:
        caught = f"error: {type(problem).__name__}: {problem}"
    send.send(caught)


def trial(key: str, mutant: Mutant | None, seconds: float) -> str | None:
    """What notices the change; the process that tries it is ended when its time is up."""
    receive, send = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=_in_own_process, args=(key, mutant, send), daemon=True)
    process.start()
    send.close()
    try:
        caught: str | None = receive.recv() if receive.poll(seconds) else "time limit"
    except EOFError:
        caught = "error: the process died"
    process.kill()
    process.join()
    receive.close()
    return caught


def mutate(key: str, places: int = PLACES, seed: int = 0, workers: int = 2) -> MutationReport:
    """Draws places of a game's rules, makes each wrong in turn, and reports what was noticed."""
    began = time.monotonic()
    if problem := trial(key, None, 600):
        raise RuntimeError(f"{key} fails its own tests before anything is changed: {problem}")
    patience = 10 + PATIENCE * (time.monotonic() - began)
    offered = mutants(games.find(key))
    chosen = random.Random(seed).sample(offered, min(places, len(offered)))
    chosen.sort(key=lambda mutant: (mutant.file, mutant.line))
    with ThreadPoolExecutor(workers) as pool:
        caught = pool.map(lambda mutant: trial(key, mutant, patience), chosen)
        return MutationReport(key, [Outcome(mutant, by) for mutant, by in zip(chosen, caught, strict=True)])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m talion.testing.mutate", description=__doc__)
    parser.add_argument("game", choices=games.keys())
    parser.add_argument("--places", type=int, default=PLACES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    wanted = parser.parse_args()
    report = mutate(wanted.game, wanted.places, wanted.seed, wanted.workers)
    print(*report.lines(), sep="\n")
    return 0 if report.share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
