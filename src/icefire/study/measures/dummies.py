"""Expected dummy records: the models of the thesis, for given numbers or fitted to a history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.errors import ParameterError
from icefire.core.parameters import Above, AtLeast
from icefire.history.theory.dummies import expected_dummies, records_of_most_dummies
from icefire.history.theory.fitted import Fitted
from icefire.study.measure import Measure, Setting, Value


@dataclass(frozen=True)
class Dummies(Measure):
    """E(dm), and with data E2, E3 and E4 with the frequencies of its items and customers.

    Parameters:
        clusters: clusters of customers to look alike.
        users, records, items: n, m and l; taken from the data if left out.
    """

    kinds: ClassVar[tuple[str, ...]] = ("history",)

    clusters: Annotated[float, Above(0)]
    users: Annotated[int, AtLeast(1)] | None = None
    records: Annotated[int, AtLeast(0)] | None = None
    items: Annotated[int, AtLeast(2)] | None = None

    def measure(self, setting: Setting) -> Iterator[Value]:
        if setting.data is not None:
            fitted = Fitted.of(setting.data)
            for name, value in fitted.dummies(min(self.clusters, fitted.users)).items():
                yield Value(name, value)
            return
        if self.users is None or self.records is None or self.items is None:
            raise ParameterError("Dummies needs data, or users, records and items.")
        yield Value("E", expected_dummies(self.users, self.records, self.items, self.clusters))
        if float(self.clusters).is_integer():
            most = records_of_most_dummies(self.users, self.items, int(self.clusters))
            yield Value("records_of_most_dummies", float(most))
