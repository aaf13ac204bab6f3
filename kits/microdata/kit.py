"""Samples for contests of tables, as in 2015. Needs nothing but Python.

anonymize ORIGINAL AMOUNTS OUT SEED: noise on the amounts.
attack ORIGINAL PUBLISHED AMOUNTS OUT: Sort by the sum of the amounts (E1), IdRand (E2), SA21 (E3) and IdSA (E4), which
go by the first amount.
score ORIGINAL PUBLISHED SECRET GUESS AMOUNTS: U1 to U6, S1, S2, and the share of rows that a guess has found.
"""

import csv
import json
import random
import sys
from collections import Counter
from pathlib import Path


def read(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def numbers(path):
    return [int(line) for line in Path(path).read_text().split()]


def anonymize(original, amounts, out, seed):
    rows, names, rng = read(original), amounts.split(","), random.Random(int(seed))
    order = list(range(len(rows)))
    rng.shuffle(order)
    Path(out).mkdir(parents=True, exist_ok=True)
    with open(Path(out) / "published.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for place in order:
            noisy = {name: round(float(rows[place][name]) * rng.uniform(0.8, 1.2)) for name in names}
            writer.writerow({**rows[place], **noisy})
    (Path(out) / "secret.csv").write_text("".join(f"{place + 1}\n" for place in order))


def ranked(values):
    return sorted(range(len(values)), key=values.__getitem__)


def sort(known, seen, names):
    by_known, by_seen = (ranked([sum(float(row[name]) for name in names) for row in rows]) for rows in (known, seen))
    guess = [0] * len(seen)
    for rank, place in enumerate(by_seen):
        guess[place] = by_known[min(rank, len(by_known) - 1)]
    return guess


def sa21(known, seen, names):
    by_known, by_seen = (ranked([float(row[names[0]]) for row in rows]) for rows in (known, seen))
    guess = [0] * len(seen)
    for rank, place in enumerate(by_seen):
        guess[place] = by_known[rank * (len(known) - 1) // max(len(seen) - 1, 1)]
    return guess


def alike(known, seen, names):
    """The original rows that agree with each published row in all columns but the amounts; all of them if none does."""
    quasi = [name for name in seen[0] if name not in names]
    same = {}
    for place, row in enumerate(known):
        same.setdefault(tuple(row[name] for name in quasi), []).append(place)
    return [same.get(tuple(row[name] for name in quasi), range(len(known))) for row in seen]


def id_rand(known, seen, names):
    rng = random.Random(1)
    return [rng.choice(candidates) for candidates in alike(known, seen, names)]


def id_sa(known, seen, names):
    near = lambda row: lambda place: abs(float(known[place][names[0]]) - float(row[names[0]]))  # noqa: E731
    return [min(rows, key=near(row)) for row, rows in zip(seen, alike(known, seen, names), strict=True)]


def attack(original, published, amounts, out):
    Path(out).mkdir(parents=True, exist_ok=True)
    for method in (sort, id_rand, sa21, id_sa):
        guess = method(read(original), read(published), amounts.split(","))
        (Path(out) / f"guess-{method.__name__}.csv").write_text("".join(f"{row + 1}\n" for row in guess))


def mean(values):
    return sum(values) / len(values)


def groups(rows, key):
    found = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return found


def cross_mean(before, after, quasi, names):
    """U2: how far the mean of each amount in each group has moved; a group that is lost counts as 0."""
    moved = []
    for key in quasi:
        old, new = groups(before, key), groups(after, key)
        for name in names:
            amount = lambda rows: mean([float(row[name]) for row in rows]) if rows else 0.0  # noqa: B023, E731
            moved.append(mean([abs(amount(rows) - amount(new.get(group))) for group, rows in old.items()]))
    return mean(moved)


def cross_count(before, after, quasi):
    """U3: how far the size of each group has moved."""
    tables = [(groups(before, key), groups(after, key)) for key in quasi]
    return mean([mean([abs(len(old[group]) - len(new.get(group, ()))) for group in old]) for old, new in tables])


def correlation(rows, one, other):
    first, second = ([float(row[name]) for row in rows] for name in (one, other))
    left, right = ([value - mean(values) for value in values] for values in (first, second))
    spread = (sum(a * a for a in left) * sum(b * b for b in right)) ** 0.5
    return float(one == other) if spread == 0 else sum(a * b for a, b in zip(left, right, strict=True)) / spread


def correlation_mae(before, after, names):
    """U4: how far the correlations of the amounts have moved."""
    pairs = [(one, other) for one in names for other in names]
    return mean([abs(correlation(before, *pair) - correlation(after, *pair)) for pair in pairs])


def information_loss(before, after, truth, names):
    """U5: how far cells are from the original ones; amounts relative to the range of their column."""
    losses = []
    for name in before[0]:
        pairs = [(before[place - 1][name], row[name]) for place, row in zip(truth, after, strict=True)]
        if name in names:
            values = [float(row[name]) for row in before]
            span = max(values) - min(values)
            losses.append(mean([abs(float(a) - float(b)) / span if span else 0.0 for a, b in pairs]))
        else:
            losses.append(mean([float(a != b) for a, b in pairs]))
    return mean(losses)


def score(original, published, secret, guess, amounts):
    before, after = read(original), read(published)
    names = amounts.split(",")
    quasi = [name for name in after[0] if name not in names]
    average = lambda rows, name: mean([float(row[name]) for row in rows])  # noqa: E731
    mae = mean([abs(average(before, name) - average(after, name)) for name in names])
    truth, answer = numbers(secret), numbers(guess)
    found = sum(one == other for one, other in zip(truth, answer, strict=True)) / len(truth)
    classes = Counter(tuple(row[name] for name in quasi) for row in after)
    print(
        json.dumps(
            {
                "mean_mae": mae,
                "cross_mean": cross_mean(before, after, quasi, names),
                "cross_count": cross_count(before, after, quasi),
                "correlation_mae": correlation_mae(before, after, names),
                "information_loss": information_loss(before, after, truth, names),
                "rows_lost": abs(len(before) - len(after)),
                "k_anonymity(copies=false)": min(classes.values()),
                "k_anonymity_mean": len(after) / len(classes),
                "re_identification": found,
            }
        )
    )


if __name__ == "__main__":
    {"anonymize": anonymize, "attack": attack, "score": score}[sys.argv[1]](*sys.argv[2:])
