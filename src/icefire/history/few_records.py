"""A section of the report: whom a few known records single out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import polars as pl

from icefire.core.chapters import Section, Table
from icefire.history.data import History
from icefire.knowledge.curve import TYPE, CurvePoint, identification_curve, with_types
from icefire.report.words import Phrases

MOST_RECORDS = 500_000
MOST_SORTS = 4
SAMPLES = 2_000
FACTS = (("item",), ("date",), ("date", "item"))
KNOWN = (1, 2, 3)


def section(original: History, say: Phrases) -> Section | None:
    """By what is known of each record, and where items have sorts (ride/C07, shop/A01) by records of one sort and of two."""
    if original.height > MOST_RECORDS:
        return None
    frame = original.frame
    most = int(original.user_codes.size and np.bincount(original.user_codes).max())
    tables = []
    for facts in (facts for facts in FACTS if original.has(*facts)):
        points = identification_curve(frame, "user", facts, [g for g in KNOWN if g <= most], samples=SAMPLES)
        rows = [_row(str(point.known["any"]), point) for point in points]
        tables.append(_table(say("few of", known=say("comma").join(facts)), rows, say))
    sorts = sorts_of(original)
    if sorts:
        tables.append(_mixed(frame, sorts, say))
    return Section(say("few title"), say("few text"), tables=tables)


def sorts_of(original: History) -> list[str]:
    """The sorts of records, as the texts of items before a slash say; none if some item has no slash, or there are many."""
    if not original.has("item"):
        return []
    parts = original.frame["item"].cast(pl.String).str.splitn("/", 2)
    found = parts.struct["field_0"].unique().sort().to_list()
    sorted_out = parts.struct["field_1"].null_count() == 0 and 1 < len(found) <= MOST_SORTS
    return found if sorted_out else []


def _mixed(frame: pl.DataFrame, sorts: Sequence[str], say: Phrases) -> Table:
    """Mixed knowledge: one or two records of a sort, and one of each of two sorts."""
    known = [{sort: number} for sort in sorts for number in (1, 2)]
    known += [{first: 1, second: 1} for first, second in combinations(sorts, 2)]
    held = frame.group_by("user").agg(
        (pl.col("item").cast(pl.String).str.starts_with(f"{sort}/")).sum().alias(sort) for sort in sorts
    )
    known = [
        entry
        for entry in known
        if held.filter(pl.all_horizontal(pl.col(sort) >= number for sort, number in entry.items())).height
    ]
    points = identification_curve(with_types(frame, "item"), "user", ["item"], known, type_column=TYPE, samples=SAMPLES)
    rows = [_row(" + ".join(f"{number} {sort}" for sort, number in point.known.items()), point) for point in points]
    return _table(say("few mixed"), rows, say)


def _row(known: str, point: CurvePoint) -> list[str]:
    return [known, f"{point.probability:.1%}", f"{point.unicity:.1%}", f"{point.bits:.2f}", f"{point.users:,}"]


def _table(caption: str, rows: list[list[str]], say: Phrases) -> Table:
    header = [say(f"few {name}") for name in ("known", "probability", "unicity", "bits", "users")]
    return Table(header, rows, caption=caption)
