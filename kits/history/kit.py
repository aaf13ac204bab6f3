"""Samples for contests of histories, as in 2016. Needs nothing but Python.

anonymize FOLDER OUT SEED: original.csv is released with a pseudonym for every customer and noisy prices.
attack FOLDER OUT: the customer whose items are most like those of each pseudonym (Jaccard), as guess- and owners-jaccard.csv.
score FOLDER OWNERS: the share of the 100 items that sell most that is lost, and of the pseudonyms whose customer was found.
"""

import csv
import json
import random
import sys
from pathlib import Path


def read(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def write(path, header, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([header, *rows])


def months(rows):
    return sorted({row["date"][:7] for row in rows})


def anonymize(folder, out, seed):
    rows, rng, out = read(Path(folder) / "original.csv"), random.Random(int(seed)), Path(out)
    customers = sorted({row["user"] for row in rows})
    names = dict(zip(customers, rng.sample(range(1, 10 * len(customers)), len(customers)), strict=True))
    order = list(range(len(rows)))
    rng.shuffle(order)
    made = []
    for place in order:
        row = rows[place]
        price = f"{max(float(row['price']) * rng.uniform(0.9, 1.1), 0.01):.2f}"
        made.append({**row, "user": f"p{names[row['user']]}", "price": price}.values())
    write(out / "published.csv", rows[0], made)
    there = {(row["user"], row["date"][:7]) for row in rows}
    table = [[c, *(f"p{names[c]}" if (c, month) in there else "DEL" for month in months(rows))] for c in customers]
    write(out / "secret.csv", ["user", *months(rows)], table)
    (out / "secret-rows.csv").write_text("".join(f"{place + 1}\n" for place in order))


def items(rows):
    found = {}
    for row in rows:
        found.setdefault(row["user"], set()).add(row["item"])
    return found


def attack(folder, out):
    original, published = (read(Path(folder) / f"{name}.csv") for name in ("original", "published"))
    known, shown = items(original), items(published)
    owners = {}
    for pseudonym, left in shown.items():
        likeness = {customer: len(left & right) / len(left | right) for customer, right in known.items()}
        owners[pseudonym] = max(likeness, key=likeness.get)
    there = {(row["user"], row["date"][:7]) for row in published}
    table = {customer: dict.fromkeys(months(original), "DEL") for customer in sorted(known)}
    for pseudonym, customer in owners.items():
        table[customer].update({month: pseudonym for month in months(original) if (pseudonym, month) in there})
    write(
        Path(out) / "guess-jaccard.csv",
        ["user", *months(original)],
        [[c, *cells.values()] for c, cells in table.items()],
    )
    write(Path(out) / "owners-jaccard.csv", ["pseudonym", "user"], sorted(owners.items()))


def top(rows):
    sales = {}
    for row in rows:
        sales[row["item"]] = sales.get(row["item"], 0) + float(row["price"]) * float(row["quantity"])
    return set(sorted(sales, key=lambda item: (-sales[item], item))[:100])


def score(folder, guess):
    original, published = (read(Path(folder) / f"{name}.csv") for name in ("original", "published"))
    rows = [int(line) for line in (Path(folder) / "secret-rows.csv").read_text().split()]
    truth = {row["user"]: original[at - 1]["user"] for row, at in zip(published, rows, strict=True) if at}
    before = top(original)
    answers = read(guess)
    found = sum(truth.get(row["pseudonym"]) == row["user"] for row in answers)
    print(
        json.dumps({"top_items": len(before - top(published)) / len(before), "re_identification": found / len(truth)})
    )


if __name__ == "__main__":
    {"anonymize": anonymize, "attack": attack, "score": score}[sys.argv[1]](*sys.argv[2:])
