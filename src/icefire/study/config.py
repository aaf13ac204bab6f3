"""The parts of a study, as its file declares them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue, model_validator

from icefire.core.chapters import Language
from icefire.core.documents import JsonObject
from icefire.core.strictfile import NAME, Part

Name = Annotated[str, Field(pattern=NAME)]
Label: TypeAlias = str | int | float | bool
"""A value of a sweep, or whatever else tells the figures of a run apart."""
Labels: TypeAlias = dict[str, Label]


class Text(Part):
    """A text in both languages; Japanese readers get the English one if it stands alone."""

    en: str
    ja: str = ""

    def told(self, language: Language) -> str:
        return (self.ja or self.en) if language == "ja" else self.en


NO_FILE = {"file": None, "folder": None, "inline": (), "beside": (), "master": None, "regions": None, "people": None}


class Data(Part):
    """Data to measure: a generator, or a file with its hash."""

    name: Name
    kind: Literal["microdata", "history", "trace", "synthetic", "table"]
    """A table is for measures of `knowledge` alone: it needs no roles."""
    generator: str | None = None
    """Such as purchases(n=400)."""
    file: str | None = None
    """In the folder of --data, or beside the study."""
    folder: str | None = None
    """A working folder of the command line, with its schema.toml."""
    inline: tuple[tuple[Label, ...], ...] = ()
    """Rows of `qi` and `sa`, in this order; a further number says how often the row occurs."""
    beside: tuple[str, ...] = ()
    """Further files, joined by the first column; a column that both have is called NAME/2, NAME/3 and so on."""
    sha256: str = ""
    master: str | None = None
    """Of histories: the table of customers."""
    regions: str | None = None
    """Of traces: the table of regions, with the column `hospital`."""
    columns: dict[str, str] = Field(default_factory=dict)
    """Names of columns in the file, by icefire's own names."""
    qi: tuple[str, ...] = ()
    sa: tuple[str, ...] = ()
    """Of synthetic tables: the hidden columns. With `qi`, only these and those are read."""
    people: int | None = None
    """So many people, drawn at random; everybody if left out."""
    seed: Annotated[int, Field(ge=0)] = 0
    small: str | None = None
    """A generator of little data, for trying the study out."""
    origin: str = ""
    """Where the file comes from."""

    @model_validator(mode="after")
    def _one_source(self) -> Data:
        if [self.generator is None, self.file is None, self.folder is None, not self.inline].count(False) != 1:
            raise ValueError("give a generator, a file, a folder or rows (inline), and only one of them")
        width = len(self.qi) + len(self.sa)
        if any(len(row) not in (width, width + 1) for row in self.inline):
            raise ValueError(f"every row has {width} values, for qi and sa, and may have a count")
        return self


class Small(Part):
    """What a run does when the study is only tried out."""

    skip: bool = False
    repeats: Annotated[int, Field(ge=1)] | None = None
    sweep: dict[str, tuple[Label, ...]] = Field(default_factory=dict)
    cases: tuple[Labels, ...] | None = None
    settings: dict[str, JsonValue] = Field(default_factory=dict)


class Run(Part):
    """A measure, for every combination of what is swept."""

    name: Name
    measure: str
    data: str | None = None
    seed: Annotated[int, Field(ge=0)] = 0
    repeats: Annotated[int, Field(ge=1)] = 1
    sweep: dict[str, tuple[Label, ...]] = Field(default_factory=dict)
    """All combinations are measured; {name} in the settings stands for the value."""
    cases: tuple[Labels, ...] = ()
    """Combinations by hand, each with everything that is swept."""
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    small: Small = Small()


class Table(Part):
    """A table to make: a row for each combination of some labels, a column for each quantity."""

    name: Name
    title: Text
    run: str
    rows: tuple[str, ...]
    columns: str | None = None
    """A label whose values are columns."""
    quantities: tuple[str, ...]
    where: Labels = Field(default_factory=dict)


class Line(Part):
    """A line of a figure, or its points, beside others."""

    y: str
    run: str | None = None
    """That of the figure if left out."""
    by: str | None = None
    name: Text | None = None
    """That of the quantity if left out."""
    where: Labels = Field(default_factory=dict)


class Figure(Part):
    """A figure to make: points or lines of quantities over a label or another quantity."""

    name: Name
    title: Text
    run: str
    x: str
    y: str
    by: str | None = None
    """A label: a line or a colour for each of its values."""
    kind: Literal["lines", "points", "bars"] = "lines"
    x_title: Text | None = None
    y_title: Text | None = None
    log_x: bool = False
    log_y: bool = False
    where: Labels = Field(default_factory=dict)
    also: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[tuple[str, Line], ...]:
        """What the figure itself draws and what it has beside it, each with its run."""
        own = Line(y=self.y, by=self.by, where=self.where)
        return tuple((line.run or self.run, line) for line in (own, *self.also))


class Correlation(Part):
    """Pearson correlations of the quantities of a run, over all that was measured; a run of its own for tables and figures."""

    name: Name
    run: str
    quantities: Annotated[tuple[str, ...], Field(min_length=2)]
    where: Labels = Field(default_factory=dict)


class Largest(Part):
    """The largest of each quantity over a label, such as what the strongest of some attacks finds; a run of its own."""

    name: Name
    run: str
    over: str
    among: tuple[Label, ...] = ()
    """The values of the label that count; all if left out."""
    quantities: Annotated[tuple[str, ...], Field(min_length=1)]


class Expected(Part):
    """Figures that were printed somewhere, and how near ours should come."""

    run: str
    printed: Text
    """Where: the table, figure or page."""
    at: tuple[str, ...] = ()
    """Labels that the first numbers of each row stand for."""
    quantities: Annotated[tuple[str, ...], Field(min_length=1)]
    values: Annotated[tuple[tuple[Label, ...], ...], Field(min_length=1)]
    where: Labels = Field(default_factory=dict)
    relative: Annotated[float, Field(ge=0)] | None = None
    absolute: Annotated[float, Field(ge=0)] | None = None
    because: Text | None = None
    """Why some do not come as near."""
    small: bool = False
    """Whether they hold for little data, too."""

    @model_validator(mode="after")
    def _fits(self) -> Expected:
        width = len(self.at) + len(self.quantities)
        if any(len(row) != width for row in self.values):
            raise ValueError(f"every row of values has {width} entries: {', '.join((*self.at, *self.quantities))}")
        if any(isinstance(value, str) for row in self.values for value in row[len(self.at) :]):
            raise ValueError("what was printed is a number")
        if (self.relative is None) == (self.absolute is None):
            raise ValueError("give either a relative or an absolute tolerance")
        return self


class Missing(Part):
    """Figures that were printed and cannot be computed here."""

    printed: Text
    because: Text


class Study(Part):
    """A whole study."""

    name: Name
    title: Text
    about: Text
    paper: str = ""
    names: dict[str, Text] = Field(default_factory=dict)
    """What labels and quantities are called in tables and figures."""
    data: tuple[Data, ...] = ()
    run: Annotated[tuple[Run, ...], Field(min_length=1)]
    table: tuple[Table, ...] = ()
    figure: tuple[Figure, ...] = ()
    correlation: tuple[Correlation, ...] = ()
    largest: tuple[Largest, ...] = ()
    expected: tuple[Expected, ...] = ()
    missing: tuple[Missing, ...] = ()

    @property
    def derived(self) -> dict[str, str]:
        """Runs that are computed from another one, and that one."""
        return {each.name: each.run for each in self.correlation} | {each.name: each.run for each in self.largest}

    def tried_out(self) -> Study:
        """The same study with little data and few combinations; runs that are left out take what is said of them along."""
        runs = tuple(_small(run) for run in self.run if not run.small.skip)
        names = {run.name for run in runs}
        names |= {name for name, run in self.derived.items() if run in names}
        kept = [
            tuple(part for part in parts if part.run in names) for parts in (self.table, self.figure, self.expected)
        ]
        data = tuple(
            each.model_copy(update={**NO_FILE, "generator": each.small}) if each.small else each for each in self.data
        )
        expected = tuple(each for each in kept[2] if isinstance(each, Expected) and each.small)
        figures = tuple(
            figure.model_copy(update={"also": tuple(line for line in figure.also if (line.run or figure.run) in names)})
            for figure in kept[1]
            if isinstance(figure, Figure)
        )
        update = {
            "correlation": tuple(each for each in self.correlation if each.name in names),
            "largest": tuple(each for each in self.largest if each.name in names),
            "run": runs,
            "table": kept[0],
            "figure": figures,
            "expected": expected,
            "data": data,
        }
        return self.model_copy(update=update)

    def called(self, name: str, language: Language) -> str:
        """What a label or a quantity is called."""
        return self.names[name].told(language) if name in self.names else name

    def as_dict(self) -> JsonObject:
        return self.model_dump(mode="json")


def _small(run: Run) -> Run:
    less = run.small
    return run.model_copy(
        update={
            "repeats": less.repeats or 1,
            "sweep": {name: less.sweep.get(name, values) for name, values in run.sweep.items()},
            "cases": run.cases if less.cases is None else less.cases,
            "settings": {**run.settings, **less.settings},
        }
    )
