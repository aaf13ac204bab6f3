"""The sample programs of PWS Cup 2019 on the public Osaka traces, and attacks that find more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from icefire.trace.anonymize.krr import Krr
from icefire.trace.anonymize.mrlh import Mrlh
from icefire.trace.anonymize.planar_laplace import PlanarLaplace
from icefire.trace.anonymize.yamaoka import Yamaoka
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.attack.home_prob import HomeProb
from icefire.trace.attack.random_guess import RandomGuess
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.attack.visit_prob import VisitProb
from icefire.trace.data import Release, Traces
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety
from icefire.trace.utility.closeness import Closeness
from icefire.trace.utility.closeness_paper import ClosenessPaper

Rng = np.random.default_rng
# anonymizer: s_U, s_I under VisitProb and HomeProb, s_T under VisitProb and HomeProb.
PUBLISHED: dict[str, tuple[Any, float, float, float, float, float]] = {
    "none": (Mrlh(), 1.0, 0.9555, 0.889, 0.856, 0.781),
    "MRLH(1,1,0)": (Mrlh(x=1, y=1), 0.8532, 0.970, 0.932, 0.864, 0.823),
    "MRLH(0,0,.2)": (Mrlh(delete=0.2), 0.7989, 0.958, 0.890, 0.882, 0.821),
    "kRR(8)": (Krr(epsilon=8.0), 0.7532, 0.969, 0.9035, 0.896, 0.849),
    "PL(4,1)": (PlanarLaplace(level=4.0), 0.7546, 0.989, 0.9635, 0.891, 0.858),
    "PL(7,1)": (PlanarLaplace(level=7.0), 0.8658, 0.9785, 0.9415, 0.879, 0.832),
    "YA(.3)": (Yamaoka(share=0.3), 0.7146, 0.968, 0.924, 0.855, 0.786),
    "YA(1)": (Yamaoka(share=1.0), 0.0551, 1.0, 1.0, 0.857, 0.789),
}


@pytest.fixture(scope="session")
def osaka(shared: Path) -> Traces:
    table = pl.read_parquet(shared / "osaka_traces.parquet").sort("user_id", "time_id")
    reference, original = (
        table.filter(pl.col("kind") == kind)["reg_id"].to_numpy().reshape(2000, 40) - 1 for kind in ("ref", "org")
    )
    hospitals = pl.read_csv(shared / "osaka_regions.csv")["hospital"].to_numpy() == 1
    return Traces(reference, original, sensitive=hospitals)


@pytest.fixture(scope="session")
def releases(osaka: Traces) -> dict[str, Release]:
    return {name: entry[0].anonymize(osaka, Rng(0)) for name, entry in PUBLISHED.items()}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_sample_programs_give_the_published_figures(osaka: Traces, releases: dict[str, Release], name: str) -> None:
    anonymizer, utility, visit_id, home_id, visit_trace, home_trace = PUBLISHED[name]
    exact = name in ("none", "MRLH(1,1,0)")
    measured = Closeness().measure(osaka, releases[name]).value
    assert measured == pytest.approx(utility, abs=5e-5 if exact else 0.01)
    for attack, id_safety, trace_safety in (
        (VisitProb(ties="first"), visit_id, visit_trace),
        (HomeProb(ties="first"), home_id, home_trace),
    ):
        found = []
        for seed in range(5):
            release = anonymizer.anonymize(osaka, Rng(seed))
            guess = attack.attack(release.published, osaka.knowledge, Rng(seed))
            found.append([metric.measure(release, guess).value for metric in (IdSafety(), TraceSafety())])
        assert np.mean(found, axis=0) == pytest.approx([id_safety, trace_safety], abs=0.01), attack.name


def test_both_readings_of_the_utility(osaka: Traces) -> None:
    release = Mrlh(x=3, y=3).anonymize(osaka, Rng(0))
    assert round(Closeness().measure(osaka, release).value, 4) == 0.3240
    assert round(ClosenessPaper().measure(osaka, release).value, 4) == 0.2816


def test_home_prob_is_exact_where_nothing_is_drawn(osaka: Traces, releases: dict[str, Release]) -> None:
    guess = HomeProb(ties="first").attack(releases["none"].published, osaka.knowledge, Rng(0))
    assert IdSafety().measure(releases["none"], guess).value == 0.889


@pytest.mark.slow
def test_strong_attacks_find_more_than_the_samples(osaka: Traces, releases: dict[str, Release]) -> None:
    better = 0
    for name in ("none", "MRLH(1,1,0)", "kRR(8)", "PL(4,1)", "YA(.3)"):
        release = releases[name]
        published = release.published
        samples = [
            attack.attack(published, osaka.knowledge, Rng(1)) for attack in (VisitProb(), HomeProb(), RandomGuess())
        ]
        strong = SlotLikelihood().attack(published, osaka.knowledge, Rng(1))
        home = IdSafety().measure(release, samples[1]).value
        found = IdSafety().measure(release, strong).value
        assert found <= home + 0.005, name
        better += found < home
        least = min(TraceSafety().measure(release, sample).value for sample in samples)
        assert TraceSafety().measure(release, strong).value < least - 0.03, name
    assert better >= 3, better


def test_the_winning_attack_of_2019_runs(osaka: Traces, releases: dict[str, Release]) -> None:
    guess = CountVectors().attack(releases["PL(4,1)"].published, osaka.knowledge, Rng(0))
    assert IdSafety().measure(releases["PL(4,1)"], guess).value < 0.95
