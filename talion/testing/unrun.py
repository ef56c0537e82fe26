"""Calls that do nothing: a generator that is made and never run, for want of a `yield from`.

Python says nothing of it, the match goes on without what should have happened, and everything else is verified as if that
were the game. So it is found by reading: whatever asks has to be called in a place from which its asks can be heard.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from talion import kernel
from talion.kernel import Game

DEAF = (
    ast.Expr, ast.If, ast.While, ast.Assert, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.BinOp, ast.Attribute, ast.Subscript,
)  # fmt: skip
"""Where nothing is heard of what a generator asks, nor is it kept for later."""


def unrun(game: Game) -> list[str]:
    """For each call in a game's own files whose asks nobody hears, a sentence with its place."""
    modules = list(_modules(game))
    methods = _asking_methods([kernel, *modules])
    return [sentence for module in modules for sentence in _of_module(module, methods)]


def _modules(game: Game) -> Iterator[ModuleType]:
    """The game's own: those of its folder, or the one file it is."""
    for module in [*sys.modules.values()]:
        file = getattr(module, "__file__", None)
        if file and (module is game.rules or (game.folder and Path(file).is_relative_to(game.folder))):
            yield module


def _asking_methods(modules: list[ModuleType]) -> set[str]:
    """The names of methods that are generators in whatever class has them."""
    kinds = {kind for module in modules for kind in vars(module).values() if inspect.isclass(kind)}
    methods = [(name, method) for kind in kinds for name, method in inspect.getmembers(kind, callable)]
    plain = {name for name, method in methods if not inspect.isgeneratorfunction(method)}
    return {name for name, _ in methods} - plain


def _of_module(module: ModuleType, methods: set[str]) -> Iterator[str]:
    file = Path(str(module.__file__))
    for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(function, ast.FunctionDef):
            for call in _deaf_calls(function):
                if _asks(call.func, module, methods):
                    yield (
                        f"{ast.unparse(call.func)}(…) is called in {function.name} ({file.name}, line {call.lineno}) "
                        "and never run: write `yield from` before it."
                    )


def _deaf_calls(function: ast.FunctionDef) -> Iterator[ast.Call]:
    """Calls in a function, not in those within it, from which nothing can be heard."""
    inside = list(_with_parents(function))
    loaded = [
        (name, to) for name, to in inside if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)
    ]
    heard = {name.id for name, to in loaded if not _is_deaf(name, to)}
    for node, within in inside:
        if isinstance(node, ast.Call):
            forgotten = isinstance(within, ast.Assign) and not heard & _named(within)
            if forgotten or _is_deaf(node, within):
                yield node


def _is_deaf(node: ast.AST, within: ast.AST) -> bool:
    return isinstance(within, DEAF) or (isinstance(within, ast.IfExp) and node is within.test)


def _named(assigned: ast.Assign) -> set[str]:
    return {name.id for target in assigned.targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _with_parents(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, ast.AST]]:
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef):
                yield child, node
                waiting.append(child)


def _asks(called: ast.expr, module: ModuleType, methods: set[str]) -> bool:
    """Whether what is called is a generator function: found by its name in the module, or a method that asks."""
    found: Any = None
    if isinstance(called, ast.Name):
        found = getattr(module, called.id, None)
    elif isinstance(called, ast.Attribute):
        owner = getattr(module, called.value.id, None) if isinstance(called.value, ast.Name) else None
        if not isinstance(owner, ModuleType):
            return called.attr in methods
        found = getattr(owner, called.attr, None)
    return inspect.isgeneratorfunction(found)
