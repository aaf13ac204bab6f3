"""The columns of a session: their roles and hierarchies as the page sets them, and the schema made of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from icefire.core.errors import InputError, UnknownName
from icefire.desk.sessions import Document, Session
from icefire.frames.files import staged
from icefire.frames.previous import add_previous, previous_releases
from icefire.microdata.hierarchy import ANYTHING, Hierarchy
from icefire.microdata.schema import FILE, Column, Schema, read_schema, schema_toml

READING, VALUES = "reading.json", "values.json"
LISTS = ("qi", "sa", "other", "identifying")
LABELS = 60
"""Labels of a level that are listed with their counts."""


def chosen_columns(session: Session) -> dict[str, dict[str, Any]]:
    """Role, hierarchy and importance of each column: as set, or as suggested."""
    chosen: Any = session.document().get("columns") or {}
    looks: Any = session.document(READING).get("columns") or []
    suggested = {
        look["name"]: {"role": look["role"], "hierarchy": look["hierarchy"], "importance": 1.0} for look in looks
    }
    return {name: {**entry, **chosen.get(name, {})} for name, entry in suggested.items()}


def set_columns(session: Session, columns: dict[str, dict[str, Any]]) -> None:
    """Take over what the page says, and write schema.toml. What is wrong with it is raised, and nothing written."""
    known = chosen_columns(session)
    for name in columns:
        if name not in known:
            raise UnknownName.of("column", name, list(known))
    merged = {name: {**entry, **columns.get(name, {})} for name, entry in known.items()}
    schema = _schema(session, merged)
    if not schema.published:
        raise InputError("nothing is left to publish: all columns identify people")
    before = previous_releases(session.work)
    with staged() as stage:
        stage.text(schema_toml(schema), session.work / FILE)
    add_previous(session.work, before)
    read_schema(session.work / FILE, list(known))
    if merged != known:
        session.change_table(columns=merged)


def _schema(session: Session, columns: dict[str, dict[str, Any]]) -> Schema:
    roles: dict[str, list[str]] = {}
    for name, entry in columns.items():
        roles.setdefault(entry["role"], []).append(name)
    for role in ("weight", "household"):
        if len(roles.get(role, ())) > 1:
            raise InputError(f"only one column can be the {role}: {', '.join(roles[role])}")
    looks: Any = session.document(READING)["columns"]
    codes = {look["name"] for look in looks if look["codes"]}
    made = {name: _column(name, entry, name in codes) for name, entry in columns.items()}
    kept = {name: column for name, column in made.items() if column != Column() and columns[name]["role"] in LISTS[:3]}
    qi, sa, other, identifying = (tuple(roles.get(role, ())) for role in LISTS)
    weight, household = (next(iter(roles.get(role, ())), None) for role in ("weight", "household"))
    return Schema(qi, sa, kept, other, identifying, weight, household)


def _column(name: str, entry: dict[str, Any], is_code: bool) -> Column:
    hierarchy = hierarchy_of(entry["hierarchy"]) if entry["role"] == "qi" else None
    return Column("categorical" if is_code else None, hierarchy=hierarchy, importance=float(entry["importance"]))


def hierarchy_of(entry: dict[str, Any] | None) -> Hierarchy | None:
    """A hierarchy as the page writes it."""
    if not entry:
        return None
    table = entry.get("table")
    return Hierarchy(
        table=None if table is None else {value: tuple(labels) for value, labels in table.items()},
        widths=tuple(entry["widths"]) if entry.get("widths") is not None else None,
        digits=tuple(entry["digits"]) if entry.get("digits") is not None else None,
        learned=entry.get("learned"),
    )


def hidden_behind(session: Session, name: str, entry: dict[str, Any] | None) -> Document:
    """For each level of a hierarchy, how many people hide behind each label: the rarest labels first."""
    values: Any = session.document(VALUES).get(name)
    if name not in chosen_columns(session):
        raise UnknownName.of("column", name, list(chosen_columns(session)))
    if values is None:
        return {"levels": None}
    held, counts = [value for value, _ in values], [count for _, count in values]
    hierarchy = hierarchy_of(entry)
    bare = (tuple(map(str, held)), (ANYTHING,) * len(held))
    levels = bare if hierarchy is None else hierarchy.over(name, held, counts).labels
    told = []
    for labels in levels:
        behind: Counter[str] = Counter()
        for label, count in zip(labels, counts, strict=True):
            behind[label] += count
        rarest = sorted(behind.items(), key=lambda pair: pair[1])
        told.append({"labels": len(rarest), "rarest": [list(pair) for pair in rarest[:LABELS]], "all": list(labels)})
    return {"levels": told, "values": [str(value) for value in held], "counts": counts}
