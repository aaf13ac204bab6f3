"""How many hidden values of Adult are reconstructed, beside the winner of NIST's red team exercise of 2025.

    python benchmarks/bench_reconstruction.py                             # ours, for seeds 1 and 2
    python benchmarks/bench_reconstruction.py --seeds 1,2,3
    python benchmarks/bench_reconstruction.py --peer FOLDER --python P    # CoBP-RA in the same run

FOLDER is a checkout of github.com/steveng9/Reconstruction, P a Python with numpy, pandas, scikit-learn, networkx and
lightgbm.

3,000 people are released and 3,000 others are not. The attacker knows age in steps of five years, sex, race, country, education
and marital status; hidden are seven columns: the weights of the survey and the number of the education are left out. Once the
hidden numbers are in bands (some or no capital gain and loss, hours in tens), once each number is a value of its own.

For each release: the mean rarity-weighted score (NIST's) and the plain one over the seven columns, in percent, of members (and
of others). "By our rule" are the guesses that the peer's probabilities give when they are divided by how often a value is
released, as ours are: so much is the rule worth, the rest the probabilities.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
from timing import SHARED, processor

from icefire.core.seeds import generator
from icefire.microdata import schema as microdata
from icefire.microdata.accuracy import Hits
from icefire.microdata.anonymize.local_suppression import LocalSuppression
from icefire.microdata.anonymize.pram import Pram
from icefire.microdata.attack.likelihood_inference import LikelihoodInference
from icefire.microdata.attack.reconstruction import Reconstruction
from icefire.microdata.data import Microdata
from icefire.synthetic.anonymize.network import Network
from icefire.synthetic.anonymize.sequential_trees import SequentialTrees
from icefire.synthetic.attack import reconstruction as synthetic
from icefire.synthetic.data import People, Schema

KNOWN = ["age", "sex", "race", "native-country", "education", "marital-status"]
HIDDEN = ["workclass", "occupation", "relationship", "capital-gain", "capital-loss", "hours-per-week", "income"]
NUMBERS = HIDDEN[3:6]
COLUMNS = {name: microdata.Column(type="categorical") for name in HIDDEN}
SIZE = 3_000
PEER = """
import json, sys, types
import numpy as np, pandas as pd

folder, members, published, known, hidden = *sys.argv[1:4], *map(json.loads, sys.argv[4:])
sys.path.insert(0, folder)
# The attack alone: the package imports all the others.
package = types.ModuleType("attacks")
package.__path__ = [folder + "/attacks"]
sys.modules["attacks"] = package
from attack_defaults import ATTACK_PARAM_DEFAULTS
from attacks.marginal_rf import marginal_rf_reconstruction
from scoring import calculate_reconstruction_score

truth, rows = (pd.read_csv(path, dtype=str, keep_default_na=False) for path in (members, published))
result = {}
for name in ("CoBP-RA", "CoBP-RA_graphQI_entropyBP"):
    np.random.seed(0)
    settings = {"attack_params": ATTACK_PARAM_DEFAULTS[name]}
    guess, chances, classes = marginal_rf_reconstruction(settings, rows, truth, known, hidden)
    by_rule = {}
    for column, table, values in zip(hidden, chances, classes):
        released = rows[column].value_counts().reindex(values).to_numpy()
        by_rule[column] = [str(value) for value in np.asarray(values)[(table / released).argmax(axis=1)]]
    score = float(np.mean(calculate_reconstruction_score(truth, guess, hidden)))
    result[name] = {"guess": {c: guess[c].astype(str).tolist() for c in hidden}, "by our rule": by_rule, "own score": score}
print("RESULT" + json.dumps(result))
"""

Guesses = Mapping[str, pl.Series]


def prepare(bands: bool) -> pl.DataFrame:
    frame = pl.read_parquet(SHARED / "adult.parquet")
    age = pl.col("age") // 5 * 5
    if not bands:
        return frame.select(age, *KNOWN[1:], *(pl.col(name).cast(pl.String) for name in HIDDEN))
    some = [pl.when(pl.col(n) > 0).then(pl.lit("some")).otherwise(pl.lit("none")).alias(n) for n in NUMBERS[:2]]
    hours = (pl.col("hours-per-week") // 10 * 10).cast(pl.String)
    return frame.select(age, *KNOWN[1:], *HIDDEN[:3], *some, hours, "income")


def score(truth: pl.DataFrame, guesses: Guesses, rows: slice = slice(None)) -> tuple[float, float]:
    """The rarity-weighted and the plain score, in percent."""
    table = Microdata(truth, microdata.Schema(qi=KNOWN, sa=HIDDEN, columns=COLUMNS))
    hits = [Hits.of(table, name, np.arange(truth.height), guesses[name][rows]) for name in HIDDEN]
    return 100 * float(np.mean([h.weighted for h in hits])), 100 * float(np.mean([h.plain for h in hits]))


def report(name: str, weighted: float, plain: float, more: str = "") -> None:
    print(f"    {name:<42} {weighted:5.1f}  plain {plain:5.1f}{more}", flush=True)


def ask_peer(folder: Path, python: str, members: pl.DataFrame, published: pl.DataFrame) -> None:
    with TemporaryDirectory() as place:
        paths = [Path(place) / name for name in ("members.csv", "published.csv")]
        for path, table in zip(paths, (members, published), strict=True):
            table.write_csv(path)
        words = [
            python,
            "-W",
            "ignore",
            "-c",
            PEER,
            str(folder),
            *map(str, paths),
            json.dumps(KNOWN),
            json.dumps(HIDDEN),
        ]
        output = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    for name, result in json.loads(output.partition("RESULT")[2]).items():
        guess, by_rule = ({c: pl.Series(v) for c, v in result[key].items()} for key in ("guess", "by our rule"))
        weighted, plain = score(members, guess)
        report(
            name,
            weighted,
            plain,
            f"  by its own program {result['own score']:.1f}; by our rule {score(members, by_rule)[0]:.1f}",
        )


def synthetic_release(
    maker: SequentialTrees | Network, members: pl.DataFrame, others: pl.DataFrame, seed: int
) -> pl.DataFrame:
    people = People(members, others, Schema(hidden=HIDDEN))
    release = maker.anonymize(people, generator(seed, "release"))
    knowledge = people.known("facts")
    seconds, guess = processor(
        lambda: synthetic.Reconstruction().attack(release.published, knowledge, generator(seed, "attack"))
    )
    order = np.argsort(people.rows)
    values, rare = ({name: table[name].gather(order) for name in HIDDEN} for table in (guess.values, guess.rare_values))
    inside, outside = slice(0, SIZE), slice(SIZE, None)
    of_others = f"  (others {score(others, rare, outside)[0]:.1f}, {score(others, values, outside)[1]:.1f})"
    report(
        "reconstruction",
        score(members, rare, inside)[0],
        score(members, values, inside)[1],
        f"{of_others}  {seconds:.2f} s",
    )
    return release.published


def microdata_release(maker: LocalSuppression | Pram, members: pl.DataFrame, seed: int) -> pl.DataFrame:
    original = Microdata(members, microdata.Schema(KNOWN, HIDDEN, COLUMNS))
    release = maker.anonymize(original, generator(seed, "release"))
    attacks = [Reconstruction(), *([LikelihoodInference().knowing([maker])] if isinstance(maker, Pram) else [])]
    for attack in attacks:
        known = original.only(KNOWN)
        seconds, guess = processor(lambda: attack.attack(release.published, known, generator(seed, "attack")))  # noqa: B023
        name = attack.name + (", knows the method" if attack.knows_method else "")
        report(name, score(members, guess.rare_values)[0], score(members, guess.values)[1], f"  {seconds:.2f} s")
    return release.published.frame


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    for bands in (True, False):
        frame = prepare(bands)
        for seed in map(int, options.seeds.split(",")):
            rows = generator(seed, "people").permutation(frame.height)
            members, others = frame[rows[:SIZE]], frame[rows[SIZE : 2 * SIZE]]
            for maker in (SequentialTrees(), Network(), LocalSuppression(k=5), Pram(keep=0.8)):
                print(f"{maker.step()}, hidden numbers {'in bands' if bands else 'one by one'}, seed {seed}")
                if isinstance(maker, SequentialTrees | Network):
                    published = synthetic_release(maker, members, others, seed)
                else:
                    published = microdata_release(maker, members, seed)
                if options.peer is not None:
                    ask_peer(options.peer, options.python, members, published)


if __name__ == "__main__":
    main()
