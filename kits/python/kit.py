"""A sample anonymizer, a sample attack and a scorer for contests of microdata. Needs nothing but Python."""

import csv
import json
import random
import sys
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


def attack(original, published, amounts, out):
    names = amounts.split(",")
    known, seen = ([sum(float(row[name]) for name in names) for row in read(path)] for path in (original, published))
    by_known, by_seen = (sorted(range(len(values)), key=values.__getitem__) for values in (known, seen))
    guess = [0] * len(seen)
    for rank, place in enumerate(by_seen):
        guess[place] = by_known[min(rank, len(by_known) - 1)] + 1
    Path(out).mkdir(parents=True, exist_ok=True)
    (Path(out) / "guess-sort.csv").write_text("".join(f"{row}\n" for row in guess))


def score(original, published, secret, guess, amounts):
    before, after = read(original), read(published)
    names = amounts.split(",")
    mean = lambda rows, name: sum(float(row[name]) for row in rows) / len(rows)  # noqa: E731
    mae = sum(abs(mean(before, name) - mean(after, name)) for name in names) / len(names)
    truth, answer = numbers(secret), numbers(guess)
    found = sum(one == other for one, other in zip(truth, answer, strict=True)) / len(truth)
    print(json.dumps({"mean_mae": mae, "re_identification": found}))


if __name__ == "__main__":
    {"anonymize": anonymize, "attack": attack, "score": score}[sys.argv[1]](*sys.argv[2:])
