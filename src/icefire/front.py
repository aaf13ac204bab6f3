"""The whole job from Python, on one's own frame.

>>> import polars as pl
>>> import icefire
>>> people = pl.DataFrame({"name": [f"p{i}" for i in range(60)], "age": [20 + i % 30 for i in range(60)], "ill": [0, 1] * 30})
>>> data = icefire.table(people, qi=["age"], sa=["ill"], identifying=["name"])
>>> release = data.anonymize("mondrian(k=5)", seed=7)
>>> release.published.columns
['age', 'ill']
>>> release.attack(attacker="qi").risk.value < 0.5
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import narwhals as nw
import polars as pl

from icefire import __version__
from icefire.core.attackers import Attacker
from icefire.core.chapters import Language
from icefire.core.errors import DataError, InputError, UnknownName
from icefire.core.formats import Recipe
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer, AnyAttack
from icefire.core.seeds import fresh_seed, generator
from icefire.core.values import Score
from icefire.evaluation.assess import Other, assess
from icefire.evaluation.assessment import Assessment, Criterion, Decision, Limits
from icefire.evaluation.runs import (
    AttackRun,
    Outcome,
    measure_safety,
    measure_utility,
    worst_cases,
)
from icefire.frames import engines
from icefire.frames.previous import Previous, add_previous, previous_releases

if TYPE_CHECKING:
    from icefire.microdata.schema import Column
    from icefire.synthetic.schema import Column as SyntheticColumn
    from icefire.synthetic.schema import Survival

Periods = Literal["day", "week", "month", "quarter", "year", "all"]
_REGISTRY = Registry()


def table(
    frame: engines.Native,
    *,
    qi: Sequence[str],
    sa: Sequence[str] | None = None,
    identifying: Sequence[str] = (),
    other: Sequence[str] = (),
    weight: str | None = None,
    household: str | None = None,
    columns: Mapping[str, Column] | None = None,
) -> Data:
    """A table with one row per person: a pandas, polars, Arrow, DuckDB or Spark frame, and the roles of its columns.

    Without `sa`, all other columns are sensitive; those that look as if they identified people, or are copies of a
    quasi-identifier, are asked for by name.

    Parameters:
        qi: quasi-identifiers, what others may know about people.
        sa: sensitive columns, what nobody is to learn.
        identifying: names, numbers and the like, which are never published.
        other: published as they are.
        weight: sampling weights.
        household: who lives together; not published.
        columns: types, orders and hierarchies of columns.
    """
    from icefire.microdata.data import Microdata, Schema
    from icefire.microdata.inspection import Inspection
    from icefire.microdata.people import require_rows_of_people

    held = engines.polars(frame)
    schema = Schema(tuple(qi), tuple(sa or ()), columns or {}, tuple(other), tuple(identifying), weight, household)
    identities = held.select(name for name in identifying if name in held.columns)
    unsaid = [name for name in held.columns if name not in (*schema.names, *schema.identifying)]
    if sa is None and unsaid:
        looks = {look.name: look for look in Inspection.of(held.drop(identifying)).looks}
        copied = {name for name in unsaid if set(looks[name].copies) & set(qi)}
        asked = [name for name in unsaid if looks[name].role == "identifying" or name in copied]
        if asked:
            reasons = "".join(f"\n  {name}: {looks[name].role}? {'; '.join(looks[name].reasons)}" for name in asked)
            raise DataError(f"say what these columns are, in qi, sa, other or identifying:{reasons}")
    require_rows_of_people(held, schema, "the frame")
    return Data("microdata", Microdata(held, schema), _like(frame), identities)


def records(
    frame: engines.Native,
    *,
    user: str = "user",
    date: str = "date",
    item: str = "item",
    price: str | None = None,
    quantity: str | None = None,
    invoice: str | None = None,
    time: str | None = None,
    periods: Periods = "month",
) -> Data:
    """Records of people: who bought, visited or did what, and when. Columns that no parameter names are left out.

    >>> log = pl.DataFrame({"who": ["ann", "bob"], "day": ["2011-01-03", "2011-01-04"], "what": ["tea", "cup"]})
    >>> records(log, user="who", date="day", item="what")
    Data(history: 2 people)
    """
    from icefire.frames.places import Place
    from icefire.history.data import History
    from icefire.history.schema import Schema
    from icefire.history.tables import parse_records

    given = {"user": user, "date": date, "item": item, "price": price, "quantity": quantity}
    given |= {"invoice": invoice, "time": time}
    names = {column: name for column, name in given.items() if name is not None}
    held = engines.polars(frame)
    for name in names.values():
        if name not in held.columns:
            raise InputError(f"the frame has no column {name!r}; its columns are {', '.join(held.columns)}")
    schema = Schema(names, periods=periods)
    parsed = parse_records(held.select(names.values()), schema, Place("the frame"))
    return Data("history", History(parsed, schema), _like(frame))


def traces(
    reference: engines.Native,
    original: engines.Native,
    *,
    rows: int,
    columns: int,
    user: str = "user",
    time: str = "time",
    region: str = "region",
    day: int = 20,
    sensitive: Sequence[int] = (),
) -> Data:
    """Places of people over time, on a grid of `rows` x `columns` regions that count from 1.

    Both frames have a row for each user and time: `reference` what attackers know, `original` what is to be released.

    >>> walks = pl.DataFrame({"user": [1, 1, 2, 2], "time": [1, 2, 1, 2], "region": [1, 2, 4, 3]})
    >>> traces(walks, walks.with_columns(time=pl.col("time") + 2), rows=2, columns=2, day=2)
    Data(trace: 2 people)
    """
    from icefire.trace.data import Traces
    from icefire.trace.grid import Grid
    from icefire.trace.schema import Schema

    grid = Grid(rows, columns)
    parts = [_dense(engines.polars(frame), (user, time, region), grid.regions) for frame in (reference, original)]
    (users, known, before), (others, shown, after) = parts
    if not users.equals(others):
        raise DataError("the reference and the original traces are not of the same users")
    schema = Schema(grid, day, tuple(sensitive))
    held = Traces(before, after, grid, sensitive=schema.mask, day=day, users=users, times=(known, shown))
    return Data("trace", held, _like(original))


def members(
    frame: engines.Native,
    *,
    others: engines.Native | None = None,
    hidden: Sequence[str] = (),
    columns: Mapping[str, SyntheticColumn] | None = None,
    survival: Survival | None = None,
) -> Data:
    """People of whom a synthetic table is made, and others of the same population, who are not in the data.

    Risk is what attackers find of the members beyond what they find of the others. Without `others`, a fifth of the rows is
    held out, and no release is made of those. For a table that another tool has made, see `Data.released`.

    >>> study = pl.DataFrame({"age": list(range(20, 70)), "ill": ["yes", "no"] * 25})
    >>> members(study, hidden=["ill"])
    Data(synthetic: 40 people)

    Parameters:
        others: people of the same population who are not members.
        hidden: columns that somebody who knows all others of a person tries to infer.
        columns: types and domains of columns; differential privacy needs the domains.
        survival: the columns of event times.
    """
    from icefire.synthetic.data import People
    from icefire.synthetic.schema import Schema

    control = None if others is None else engines.polars(others)
    schema = Schema(hidden, columns or {}, survival)
    return Data("synthetic", People(engines.polars(frame), control, schema, "the frame"), _like(frame))


def folder(path: str | Path, kind: str = "microdata") -> Data:
    """The data in a working folder of the command line, with the roles, hierarchies and previous releases of its `schema.toml`.

    >>> import tempfile
    >>> frame = pl.DataFrame({"town": ["01", "02"] * 5, "ill": [0, 1] * 5})
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = table(frame, qi=["town"], sa=["ill"]).anonymize("mondrian(k=2)", seed=1).save(place)
    ...     folder(place).original.frame["town"].to_list()[:2]
    ['01', '02']
    """
    original = _REGISTRY.format(kind, None).read_original(Path(path))
    _REGISTRY.kind(kind).require_roles(original, Path(path))
    previous = tuple(previous_releases(Path(path)))
    return Data(kind, original, nw.Implementation.POLARS, previous=previous)


def _dense(frame: pl.DataFrame, names: Sequence[str], regions: int) -> tuple[pl.Series, Any, Any]:
    """The users, the times, and [user, time] regions from 0."""
    for name in names:
        if name not in frame.columns:
            raise InputError(f"the frame has no column {name!r}; its columns are {', '.join(frame.columns)}")
    user, time, region = names
    ordered = frame.select(names).sort(user, time)
    users, times = ordered[user].unique().sort(), ordered[time].unique().sort()
    if ordered.height != len(users) * len(times) or ordered.select(user, time).is_duplicated().any():
        raise DataError(
            f"{ordered.height:,} rows for {len(users):,} users and {len(times):,} times: one each is needed"
        )
    places = ordered[region].cast(pl.Int64)
    if places.null_count() or not places.is_between(1, regions).all():
        raise DataError(f"the column {region!r} must hold regions 1 to {regions}")
    shape = len(users), len(times)
    return users.cast(pl.String), times.cast(pl.Int64).to_numpy(), places.to_numpy().reshape(shape) - 1


def _like(frame: engines.Native) -> nw.Implementation:
    """What the frame is made with."""
    return nw.from_native(frame).implementation


@dataclass(frozen=True, repr=False)
class Data:
    """Data of people, to be anonymized."""

    kind: str
    original: Any
    """The table, the history, the traces or the people, as icefire's own classes have them."""
    backend: nw.Implementation = field(compare=False)
    """What the frame was made with; what is published is given back in that type."""
    identities: pl.DataFrame | None = field(default=None, compare=False)
    """The identifying columns of a table."""
    previous: tuple[Previous, ...] = field(default=(), compare=False)
    """What was handed out of these people before; attackers hold it."""

    def anonymize(
        self,
        *steps: str | AnyAnonymizer,
        seed: int | None = None,
        pseudonyms: Sequence[str] = (),
        key: str | Path | None = None,
    ) -> Release:
        """Anonymize by one step after the other: `"mondrian(k=5)"`, or `icefire.microdata.Mondrian(k=5)`.

        The seed is part of the secret; it is drawn from the system if left out. `pseudonyms` names identifying columns of a
        table that are published as keyed pseudonyms; `key` is the file with the key, which `icefire key` makes.
        """
        if not steps:
            raise InputError('give at least one step, such as "mondrian(k=5)"')
        made = tuple(_REGISTRY.make(self.kind, "anonymize", step) if isinstance(step, str) else step for step in steps)
        seed = fresh_seed() if seed is None else seed
        beside = self._pseudonyms(pseudonyms, key)
        release = Pipeline(made).anonymize(self.original, generator(seed, "anonymize"))
        return Release(self, release if beside is None else release.with_pseudonyms(beside), made, seed)

    def released(self, frame: engines.Native) -> Release:
        """A table that another tool has made of the members, to be judged. Attackers do not know how it was made.

        >>> study = pl.DataFrame({"age": list(range(20, 70)), "ill": ["yes", "no"] * 25})
        >>> data = members(study, hidden=["ill"])
        >>> data.released(data.original.members).attack("nearest_record").risk.value
        1.0
        """
        if self.kind != "synthetic":
            raise InputError(
                "a table made elsewhere can be judged if it has no row for each person: use icefire.members"
            )
        from icefire.synthetic.data import Release as Made

        return Release(self, Made(self.original, engines.polars(frame)), None, 0)

    def _pseudonyms(self, names: Sequence[str], key: str | Path | None) -> pl.DataFrame | None:
        if not names and key is None:
            return None
        if not names or key is None:
            raise InputError("pseudonyms need both: the identifying columns, and the file with the key")
        from icefire.microdata.pseudonyms import pseudonymized, read_key

        held = pl.DataFrame() if self.identities is None else self.identities
        for name in names:
            if name not in held.columns:
                raise UnknownName.of("identifying column", name, held.columns)
        return pseudonymized(held.select(names), read_key(Path(key)))

    def __repr__(self) -> str:
        return f"Data({self.kind}: {self.original.people:,} people)"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(key)}</td><td>{value:,}</td></tr>" for key, value in self.original.summary().items()
        )
        return f"<table><caption>{self.kind}</caption>{rows}</table>"


@dataclass(frozen=True, repr=False)
class Release:
    """What may be handed out, the secret that links it back, and what both are worth."""

    data: Data
    secret: Any = field(repr=False)
    """The release with its secret, as icefire's own classes have it: never hand this out."""
    steps: tuple[AnyAnonymizer, ...] | None
    """None if it was made elsewhere: then nobody can say what attackers who know how would find."""
    seed: int

    @cached_property
    def published(self) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
        """What may be handed out, in the type of the frame that was given: `.to_native()`, `.to_pandas()`, `.to_polars()`."""
        return _given_back(self._frame, self.data.backend)

    @cached_property
    def _frame(self) -> pl.DataFrame:
        if self.data.kind == "trace":
            from icefire.trace.formats.ours import published_table

            return published_table(self.secret)[0]
        frame: pl.DataFrame
        match self.data.kind:
            case "microdata":
                frame = self.secret.shown
            case "synthetic":
                frame = self.secret.published
            case _:
                frame = self.secret.published.frame
        return frame

    def attack(
        self,
        *attacks: str | AnyAttack,
        attacker: str | None = None,
        method_known: bool = True,
        others: Sequence[Release | str | Path] = (),
        seed: int = 0,
    ) -> Findings:
        """Attack with the named attacks, or with all; as one attacker (`"qi"`), or as every attacker of the kind.

        `others` are releases of the same people that attackers hold as well, or their folders, beside those that the schema
        of the folder names.
        """
        kind, original = _REGISTRY.kind(self.data.kind), self.data.original
        method = self.steps if method_known else None
        levels = kind.implied(attacker) if attacker else kind.levels_of(original)
        assessment = assess(
            _REGISTRY,
            kind,
            self.secret,
            [Attacker(kind.known(original, level), level, method) for level in levels],
            attacks=[_REGISTRY.make(kind.name, "attack", a) if isinstance(a, str) else a for a in attacks],
            # What needs no guess is measured once, when somebody asks for it.
            utility=(),
            metrics=[metric for metric in _REGISTRY.safety_metrics(kind.name) if metric.needs_guess],
            others=[*(_other(other, self.data) for other in others), *previous_of(self.data)],
            method=method,
            seed=seed,
            name=self._title,
            steps=self._title,
        )
        return Findings(self, assessment, (attacker,) if attacker else ())

    @cached_property
    def utility(self) -> dict[str, Outcome]:
        """Every utility metric by name: what the release is still worth."""
        found = measure_utility(_REGISTRY.utility_metrics(self.data.kind), self.data.original, self.secret)
        return {outcome.method.name: outcome for outcome in found}

    @cached_property
    def safety(self) -> dict[str, Outcome]:
        """Every safety metric that needs no attack, by name."""
        found = measure_safety(_REGISTRY.safety_metrics(self.data.kind), self.secret)
        return {outcome.method.name: outcome for outcome in found}

    def report(
        self,
        path: str | Path,
        *,
        max_risk: float = 0.05,
        max_disclosure: float = 0.2,
        language: Language = "en",
        findings: Findings | None = None,
    ) -> Path:
        """Write the report of all attacks (or of these findings) as a page of its own; returns its path."""
        from icefire.frames.files import staged
        from icefire.report.release import release_page

        assessment = (findings or self.attack()).assess(max_risk, max_disclosure)
        maker = {"microdata": "table", "history": "records", "trace": "traces", "synthetic": "members"}[self.data.kind]
        steps = ", ".join(repr(step.step()) for step in self.steps or ())
        recipe = f"icefire.{maker}(...).{f'anonymize({steps})' if steps else 'released(...)'}"
        with staged() as stage:
            stage.text(release_page(assessment, recipe, language).html(), Path(path))
        return Path(path)

    def save(self, folder: str | Path) -> Path:
        """Write a working folder for the command line: what is published, and the secret apart from it."""
        files = _REGISTRY.format(self.data.kind, None)
        if files.has_release(Path(folder)):
            raise InputError(f"{folder} holds a release, whose secret would be lost: choose a new folder")
        steps = [step.step(full=True) for step in self.steps or ()]
        recipe: Recipe = {"steps": steps, "seed": self.seed, "icefire": __version__} if steps else {}
        files.write_release(self.secret, Path(folder), recipe)
        add_previous(Path(folder), self.data.previous)
        return Path(folder)

    def __repr__(self) -> str:
        return f"Release({self.data.kind}: {self._title})"

    @property
    def _title(self) -> str:
        return "made elsewhere" if self.steps is None else " ".join(step.step() for step in self.steps)

    def _repr_html_(self) -> str:
        steps = escape(self._title)
        return f"<p>Release by <code>{steps}</code></p>{self._frame.head(10)._repr_html_()}"


@dataclass(frozen=True, repr=False)
class Findings:
    """What attacks achieve on a release."""

    release: Release
    attacked: Assessment = field(repr=False)
    """The attacks with their scores, without limits."""
    recipients: tuple[str, ...] = ()
    """The background knowledge of those who are to get the release; empty for everybody."""

    @property
    def runs(self) -> Sequence[AttackRun]:
        """The attacks with their scores, the strongest first."""
        return self.attacked.runs

    @property
    def risk(self) -> Score:
        """The score of the strongest attack, by the metric that stands for all."""
        headline = _REGISTRY.kind(self.release.data.kind).headline_safety
        scores = {worst.metric: worst.score for worst in worst_cases(self.runs)}
        if headline not in scores:
            raise DataError(f"{headline} could not be measured against any attack")
        return scores[headline]

    def assess(self, max_risk: float = 0.05, max_disclosure: float = 0.2) -> Assessment:
        """The four risks, each against its limit, the verdict and the utility."""
        release = self.release
        assessment = replace(
            self.attacked,
            utility=tuple(release.utility.values()),
            safety=tuple(release.safety.values()),
        )
        return assessment.with_criterion(Criterion(self.recipients, Limits(max_risk, max_disclosure)))

    def decision(self, max_risk: float = 0.05, max_disclosure: float = 0.2) -> Decision:
        """ "release", "do_not_release" or "inconclusive"."""
        decision = self.assess(max_risk, max_disclosure).decision
        return "inconclusive" if decision is None else decision

    def answer(self, max_risk: float = 0.05, max_disclosure: float = 0.2, language: Language = "en") -> str:
        """May it be released, to whom, and why, in a few sentences."""
        from icefire.report.answer import sentences
        from icefire.report.words import Phrases

        return sentences(self.assess(max_risk, max_disclosure), Phrases(language))

    @property
    def worst(self) -> dict[str, str]:
        """For each metric, the strongest attack and who makes it, in words."""
        return {worst.metric: f"{worst.attack} ({worst.attacker})" for worst in worst_cases(self.runs)}

    @cached_property
    def table(self) -> pl.DataFrame:
        """A row for each attack and metric."""
        rows = [
            {
                "known": run.level,
                "method known": run.attack.knows_method,
                "attack": run.attack.step(),
                "metric": outcome.method.name,
                "value": outcome.score.value,
                "low": outcome.score.interval.low if outcome.score.interval else None,
                "high": outcome.score.interval.high if outcome.score.interval else None,
            }
            for run in self.runs
            for outcome in run.outcomes
            if outcome.score is not None
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def __repr__(self) -> str:
        worst = next(iter(worst_cases(self.runs)), None)
        text = "nothing" if worst is None else f"{worst.metric} {worst.score.value:.4f} by {worst.attack}"
        return f"Findings({len(self.runs)} attacks: {text})"

    def _repr_html_(self) -> str:
        return str(self.table._repr_html_())


def previous_of(data: Data) -> list[Other]:
    """The releases that the schema of the folder names."""
    files = _REGISTRY.format(data.kind, None)
    return [Other(entry.name, files.read_previous(entry.folder, data.original)) for entry in data.previous]


def _other(release: Release | str | Path, data: Data) -> Other:
    if isinstance(release, Release):
        return Other(release._title, release.secret.published)
    files = _REGISTRY.format(data.kind, None)
    return Other(Path(release).resolve().name, files.read_previous(Path(release), data.original))


def _given_back(frame: pl.DataFrame, backend: nw.Implementation) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    wrapped: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    if backend.is_pandas_like():
        pandas: nw.DataFrame[Any] = nw.from_native(wrapped.to_pandas(), eager_only=True)
        return pandas
    if backend.is_pyarrow():
        arrow: nw.DataFrame[Any] = nw.from_native(wrapped.to_arrow(), eager_only=True)
        return arrow
    if backend.is_duckdb():
        import duckdb

        relation: nw.LazyFrame[Any] = nw.from_native(duckdb.from_arrow(wrapped.to_arrow()))
        return relation
    if backend.is_spark_like():
        from pyspark.sql import SparkSession

        session = SparkSession.builder.getOrCreate()
        distributed: nw.LazyFrame[Any] = nw.from_native(session.createDataFrame(wrapped.to_pandas()))
        return distributed
    return wrapped
