"""Build the documentation site into build/site: the pages of docs/, and one for each game.

Run by `make docs`. Zensical, the successor of Material for MkDocs, needs no network and stops at a link that leads nowhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from talion import drawing, games, table
from talion.drawing.cards import sheets, sprites
from talion.kernel import Game

ROOT = Path(__file__).parent.parent

PARTS = {
    "Play": ["playing", "opponents"],
    "Design": ["writing-cards", "the-workshop", "writing-lessons", "adding-a-game", "kernel"],
    "Research": ["the-lab", "environments", "python", "command-line"],
    "Host": ["hosting", "api"],
    "About": ["design", "glossary", "contributing", "security", "changelog", "notice"],
}
"""Which page stands where; one that nobody has written yet is left out, one not named here comes last."""

CONFIG = """\
[project]
site_name = "Talion"
site_description = "A table for five games of revenge."
docs_dir = "site-source"
site_dir = "site"
use_directory_urls = false
extra_css = ["site.css"]
nav = [
{nav}
]

[project.theme]
font = false
language = "en"
features = ["navigation.sections", "navigation.top", "toc.follow", "search.highlight", "content.code.copy"]
"""

STYLE = """\
.faces { width: 100%; height: 36rem; border: .05rem solid var(--md-default-fg-color--lightest); border-radius: .4rem; }
"""

FACES = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light">
<title>The cards of {title}</title>
<link rel="stylesheet" href="static/stage.css">
<link rel="stylesheet" href="{key}.css">
<style>
body {{ margin: 0; }}
.match:not(.waiting) {{ height: auto; display: flex; flex-wrap: wrap; gap: 14px; padding: 14px; }}
.match .card {{ --h: 294px; --w: 210px; }}
</style>
</head>
<body>
<div hidden>{sprites}</div>
<main class="match game-{key}">
{cards}
</main>
</body>
</html>
"""


def main() -> None:
    print(f"The site is {build(ROOT / 'build') / 'index.html'}.")


def build(folder: Path) -> Path:
    """Builds the site within this folder, and says where it is."""
    source, site = folder / "site-source", folder / "site"
    write_source(source)
    config = folder / "zensical.toml"
    config.write_text(CONFIG.format(nav=",\n".join(nav(source))), "utf-8")
    shutil.rmtree(site, ignore_errors=True)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "--config-file", str(config)]
    if subprocess.call(command) != 0:
        sys.exit("The site was not built: the words above say which page is at fault.")
    if dead := list(dead_links(site)):
        sys.exit("Links that lead nowhere: " + ", ".join(dead))
    return site


def dead_links(site: Path) -> Iterator[str]:
    """The generator looks at links between pages; this looks at all that stay within the site."""
    for page in site.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="?([^" >#?]+)', page.read_text("utf-8")):
            if not re.match(r"[a-z]+:|/", link) and not (page.parent / unquote(link)).exists():
                yield f"{page.relative_to(site)}: {link}"


def write_source(folder: Path) -> None:
    """All pages as Markdown, as the generator wants them."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"):
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        (folder / name.lower()).write_text(text, "utf-8")
    (folder / "notice.md").write_text(
        f"# Rights\n\n```text\n{(ROOT / 'NOTICE').read_text('utf-8')}```\n", "utf-8"
    )
    (folder / "games").mkdir()
    (folder / "faces" / "static").mkdir(parents=True)
    shutil.copy(Path(table.__file__).parent / "static" / "stage.css", folder / "faces" / "static")
    shutil.copytree(Path(drawing.__file__).parent / "fonts", folder / "faces" / "fonts")
    for game in games.every():
        (folder / "games" / f"{game.key}.md").write_text("\n".join(page_of(game)), "utf-8")
        draw_faces(game, folder / "faces")
    for page in folder.glob("*.md"):
        page.write_text(titled(page.read_text("utf-8")), "utf-8")
    (folder / "site.css").write_text(STYLE, "utf-8")


def titled(text: str) -> str:
    """Code blocks that name a file show the name; the examples lie beside the pages."""
    text = text.replace("](../examples/", "](examples/")
    return re.sub(r"^```(\w+)[ \t]+([\w./-]+)$", r'```\1 title="\2"', text, flags=re.MULTILINE)


def nav(folder: Path) -> Iterator[str]:
    """The table of contents, in the words of the configuration."""
    left = {page.stem for page in folder.glob("*.md")} - {"index"}
    yield '  {"Home" = "index.md"}'
    for title, names in PARTS.items():
        there = [name for name in names if name in left]
        left.difference_update(there)
        pages = [f'"{name}.md"' for name in there]
        if title == "Play":
            pages += [f'"games/{key}.md"' for key in games.keys()]  # noqa: SIM118 - a function, not a dictionary
        yield f'  {{"{title}" = [{", ".join(pages)}]}}'
    if left:
        yield f'  {{"More" = [{", ".join(f"{chr(34)}{name}.md{chr(34)}" for name in sorted(left))}]}}'


# A game's page -----------------------------------------------------------------------------------------------------


def page_of(game: Game) -> Iterator[str]:
    """Who it is, its rules with a name for each, its options, and its cards."""
    assert game.folder is not None
    rules = (game.folder / "rules.md").read_text("utf-8")
    title, _, text = rules.partition("\n")
    seats = f"{game.seats[0]} to {game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
    yield f"{title}\n\n*By {game.designer}. {seats} seats, {game.length}.*\n"
    yield re.sub(r"^\*\*([A-Z]+-[A-Z]?[\d.]+)\*\*", r'<a id="\1"></a>**\1**', text, flags=re.MULTILINE)
    if game.choices:
        yield "\n## Options\n\n| option | values | usually | says |\n|---|---|---|---|"
        for choice in game.choices:
            values = ", ".join(str(value) for value in choice.values) or "any"
            yield f"| `{choice.name}` | {cell(values)} | {cell(str(choice.default))} | {cell(choice.text)} |"
    yield "\n## Cards\n"
    yield f'<iframe class="faces" src="../faces/{game.key}.html" title="The cards of {escape(game.title)}"></iframe>\n'
    yield f"[The cards on a page of their own](../faces/{game.key}.html). In words:\n"
    yield from map(in_words, sheets(game).values())


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def in_words(sheet: dict[str, Any]) -> str:
    """What is printed on a card, as a line; so it can be searched for and read aloud."""
    plain = ", ".join(f"{label} {value}" for label, value in sheet["plain"])
    words = " ".join(escape(line) for line in (plain and f"{plain}.", *sheet["texts"]) if line)
    flavour = f" *{escape(sheet['flavour'])}*" if sheet["flavour"] else ""
    return f"- **{escape(sheet['name'])}**: {words}{flavour}"


def draw_faces(game: Game, folder: Path) -> None:
    """All cards as the table shows them, on a page that needs nothing but its styles."""
    assert game.folder is not None
    style = game.folder / "views" / "table.css"
    (folder / f"{game.key}.css").write_text(style.read_text("utf-8") if style.is_file() else "", "utf-8")
    cards = "\n".join(
        f'<div class="card kind-{sheet["kind_slug"]}">{sheet["front"]}</div>'
        for sheet in sheets(game).values()
    )
    page = FACES.format(title=escape(game.title), key=game.key, sprites=sprites(game), cards=cards)
    (folder / f"{game.key}.html").write_text(page, "utf-8")


if __name__ == "__main__":
    main()
