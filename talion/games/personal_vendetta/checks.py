"""What is wrong with a set of cards though every sentence can be read."""

from __future__ import annotations

from collections.abc import Iterator

from talion.kernel import Content, Face, Said


def problems(content: Content) -> Iterator[str]:
    """What is wrong with a set of cards though every sentence can be read."""
    for face in content.faces:
        yield from wrong_references(face)


def wrong_references(face: Face) -> Iterator[str]:
    """A sentence that speaks of something no sentence before it has named."""
    if face.type == "state":
        for line in (*face.said.get("abilities", ()), *face.said.get("afflictions", ())):
            if "when" in line.filled:
                yield from wrong_arrow(face, line.filled["when"])
            sentences = line.filled.get("does", [line])
            yield from dangling(face, sentences, that_clone="when" in line.filled)
            yield from unknown_x(face, sentences, [line.filled["price"]] if "price" in line.filled else [])
    else:
        sentences = [*face.said.get("benefit", ()), *face.said.get("penalty", ())]
        yield from dangling(face, sentences, that_clone=False)
        yield from unknown_x(face, sentences, face.said.get("cost", []))


def unknown_x(face: Face, sentences: list[Said], price: list[Said]) -> Iterator[str]:
    """PV-4.10 X is chosen when its cost is paid: where no cost has one, it would be nothing."""
    if not any(map(speaks_of_x, price)):
        for said in filter(speaks_of_x, sentences):
            yield f"{face.name}: “{said.text}” speaks of X, which nobody chooses; its cost must have an X (PV-4.10)."


def speaks_of_x(said: Said) -> bool:
    return any("x" in part.phrase.hints for part in said.below())


def wrong_arrow(face: Face, when: Said) -> Iterator[str]:
    filled = when.filled
    who = filled["whose"].value if "whose" in filled else filled["deed"].value[0]
    if filled["arrow"].value != who:
        yield f"{face.name}: “{when.text}” wants the arrow [{who}] (PV-7.5)."


def dangling(face: Face, sentences: list[Said], *, that_clone: bool) -> Iterator[str]:
    it = False
    for said in sentences:
        hints = {hint for part in said.below() for hint in part.phrase.hints}
        words = said.text.lower().replace("'s", "").split()
        if "that clone" in " ".join(words) and not that_clone:
            yield f"{face.name}: “{said.text}” names no clone; say “Choose a clone.” first (PV-13.4)."
        if "it" in words and not it:
            yield f"{face.name}: “{said.text}”: no card was set aside before (PV-13.2)."
        that_clone = that_clone or "names_clone" in hints
        it = it or "names_it" in hints
    used = [said for said in sentences if "it" in said.text.lower().split()]
    if it and not used:
        yield f"{face.name} sets a card aside and never says what becomes of it (PV-13.3)."
