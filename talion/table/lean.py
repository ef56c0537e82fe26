"""Templates that cost less: what ours do ten thousand times in a page, said in fewer steps than for templates in general.

Jinja leaves three doors open for this: how code is made of a template, how something is called in it, and what an attribute is. What is
drawn is the same to the byte.
"""

from __future__ import annotations

from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape


class _Code(CodeGenerator):
    """Reads a dictionary on the spot, and says what is safe already without asking twice."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - Jinja's name
        found = self.temporary_identifier()
        self.write(f"({found}[{node.attr!r}] if type({found} := (")
        self.visit(node.node, frame)
        self.write(
            f")) is dict and {node.attr!r} in {found} else environment.getattr({found}, {node.attr!r}))"
        )

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.safe(")


class _Context(Context):
    """Calls macros and functions as they are: none of ours wants to know where it is called from."""

    def call(__self, __obj: Any, *args: Any, **given: Any) -> Any:  # noqa: N805 - Jinja's names
        given.pop("_loop_vars", None)
        given.pop("_block_vars", None)
        if type(__obj) is Macro:
            return __obj(__self.eval_ctx, *args, **given)
        return __obj(*args, **given)


class Environment(jinja2.Environment):
    """`one.hand` is looked for among a dictionary's keys first: ours have no key that is also the name of a method they call."""

    code_generator_class = _Code
    context_class = _Context

    @staticmethod
    def safe(value: Any) -> str:
        """A value as it is written into a page."""
        kind = type(value)
        return value if kind is Markup else str(value) if kind is int else escape(value)
