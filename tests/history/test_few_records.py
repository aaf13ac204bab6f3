"""What a report says about a few known records, of one sort and of several, and about the cost models."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.registry import Registry
from icefire.datasets.purchases import Purchases
from icefire.datasets.transit_cards import TransitCards
from icefire.evaluation.assessment import Assessment
from icefire.history import few_records, report
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.examples import records
from icefire.history.theory.fitted import Fitted
from icefire.report.words import Phrases


def test_one_known_record_by_hand() -> None:
    # Tea is everybody's, cups are ann's alone. Customers count equally, however many records they have.
    log = records("ann 2011-01-03 tea", "ann 2011-01-04 cup", "bob 2011-01-03 tea", "eve 2011-01-05 tea")
    section = few_records.section(log, Phrases("en"))
    assert section is not None
    items = next(table for table in section.tables if table.caption.endswith(": item"))
    known, probability, unicity, _, users = items.rows[0]
    assert (known, users) == ("1", "3")
    assert probability == f"{((1 / 3 + 1) / 2 + 1 / 3 + 1 / 3) / 3:.1%}"
    assert unicity == f"{(1 / 2) / 3:.1%}"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_records_of_two_sorts_are_mixed(language: str) -> None:
    cards = TransitCards(n=30).generate(np.random.default_rng(0))
    assert few_records.sorts_of(cards) == ["load", "ride", "shop"]
    section = few_records.section(cards, Phrases("ja" if language == "ja" else "en"))
    assert section is not None
    found = {row[0]: float(row[1].rstrip("%")) for row in section.tables[-1].rows}
    assert found["1 ride + 1 shop"] >= max(found["1 ride"], found["1 shop"])


def test_items_without_sorts_are_not_mixed() -> None:
    assert few_records.sorts_of(records("ann 2011-01-03 ride/tea", "bob 2011-01-03 cup")) == []


def test_the_cost_of_looking_alike_has_all_four_models() -> None:
    log = Purchases(n=20, items=60).generate(np.random.default_rng(0))
    release = Pseudonyms().anonymize(log, np.random.default_rng(0))
    judged = Assessment("", "", Registry().kind("history"), release, (), (), ())
    [table] = report._cost([judged], Phrases("en")).tables
    clusters = int(table.rows[0][0])
    assert list(table.rows[0][1:5]) == [f"{value:,.0f}" for value in Fitted.of(log).dummies(clusters).values()]
