"""A page that needs nothing but itself: style, script, tables and charts in one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2733; background: #fff; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #d7dbe0; text-align: right; }
th:first-child, td:first-child { text-align: left; }
th button { font: inherit; font-weight: 600; border: 0; background: none; padding: 0; cursor: pointer; color: inherit; }
th[aria-sort] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
tr.sure td { background: #fbf1ef; }
.scroll { overflow-x: auto; }
figure { margin: 1rem 0; overflow-x: auto; }
"""

SCRIPT = """
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
    const at = [...head.parentNode.children].indexOf(head);
    const down = head.getAttribute("aria-sort") !== "descending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = row => row.children[at].dataset.key;
    const rows = [...body.rows].sort((a, b) => {
      const x = key(a), y = key(b), numbers = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
      const order = numbers ? x - y : x.localeCompare(y);
      return down ? -order : order;
    });
    body.append(...rows);
  });
}
"""


@dataclass(frozen=True)
class Cell:
    """What a cell says, and what it is sorted by."""

    text: str
    key: float | str


def page(title: str, parts: Iterable[str]) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n"
        + "\n".join(parts)
        + f"\n<script>{SCRIPT}</script></body></html>\n"
    )


def heading(text: str, level: int = 2) -> str:
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def figure(svg: str, says: str) -> str:
    return f'<figure role="img" aria-label="{escape(says)}">{svg}</figure>'


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], sure: Sequence[bool] | None = None) -> str:
    """A table whose rows are sorted by a click on a column. `sure` marks rows that stand out."""
    head = "".join(f'<th scope="col"><button type="button">{escape(name)}</button></th>' for name in columns)
    body = "".join(
        f"<tr{' class=sure' if sure and sure[i] else ''}>{''.join(_cell(value) for value in row)}</tr>\n"
        for i, row in enumerate(rows)
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>'


def _cell(value: Any) -> str:
    cell = value if isinstance(value, Cell) else Cell(str(value), value)
    return f'<td data-key="{escape(str(cell.key))}">{escape(cell.text)}</td>'
