"""Charts as SVG text, drawn without a browser and without the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .statistics import Share

INK, ACCENT = "#1d2733", "#9c2f2f"
WIDTH = 420


def shares(title: str, found: Mapping[str, Share], even: float | None = None) -> str:
    """Shares as points with their intervals; `even` marks what equal strength would give."""
    import altair as alt
    import polars as pl

    rows = [
        {"who": name, "share": share.value, "low": share.interval[0], "high": share.interval[1]}
        for name, share in found.items()
    ]
    who = alt.Y("who:N", title=None, sort=None)
    base = alt.Chart(pl.DataFrame(rows))
    scale = alt.Scale(domain=[0, 1])
    bars = base.mark_rule(color=INK, strokeWidth=2).encode(
        y=who, x=alt.X("low:Q", scale=scale, title="won", axis=alt.Axis(format="%")), x2="high:Q"
    )
    points = base.mark_point(color=ACCENT, filled=True, size=70).encode(y=who, x="share:Q")
    layers = [bars, points]
    if even is not None:
        line = alt.Chart(pl.DataFrame({"even": [even]})).mark_rule(strokeDash=[3, 3], color="#888")
        layers.insert(0, line.encode(x="even:Q"))
    return _svg(alt.layer(*layers).properties(title=title, width=WIDTH))


def spread(title: str, values: Sequence[float], what: str) -> str:
    """How often each size came up."""
    import altair as alt
    import polars as pl

    chart = (
        alt.Chart(pl.DataFrame({"value": [float(value) for value in values]}))
        .mark_bar(color=INK)
        .encode(x=alt.X("value:Q", bin=alt.Bin(maxbins=30), title=what), y=alt.Y("count()", title="times"))
    )
    return _svg(chart.properties(title=title, width=WIDTH, height=160))


def rungs(title: str, found: Sequence[tuple[int, Share]]) -> str:
    """How often each budget beats half of it."""
    import altair as alt
    import polars as pl

    rows = [
        {"budget": budget, "share": share.value, "low": share.interval[0], "high": share.interval[1]}
        for budget, share in found
    ]
    base = alt.Chart(pl.DataFrame(rows))
    budget = alt.X("budget:Q", scale=alt.Scale(type="log", base=2), title="iterations a decision")
    scale = alt.Scale(domain=[0, 1])
    bars = base.mark_rule(color=INK).encode(
        x=budget, y=alt.Y("low:Q", scale=scale, title="won", axis=alt.Axis(format="%")), y2="high:Q"
    )
    line = base.mark_line(color=ACCENT, point=True).encode(x=budget, y="share:Q")
    half = alt.Chart(pl.DataFrame({"even": [0.5]})).mark_rule(strokeDash=[3, 3], color="#888")
    return _svg(
        alt.layer(half.encode(y="even:Q"), bars, line).properties(title=title, width=WIDTH, height=220)
    )


def _svg(chart: Any) -> str:
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart.to_dict())
    return svg
