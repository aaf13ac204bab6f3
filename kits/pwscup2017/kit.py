"""Samples for contests with the files of 2017. Needs nothing but Python.

anonymize FOLDER OUT SEED: T becomes AT, with a new pseudonym for every customer and month and noisy prices.
attack FOLDER OUT: the sample attacks S1 to S6 on S with T (or with --table T25 and so on), as Fh_S1.csv to Fh_S6.csv.
score FOLDER GUESS: E1 to E6 of AT, and what a guess has found (UM, MM).
"""

import csv
import json
import random
import sys
from datetime import date
from pathlib import Path

USER, INVOICE, DATE, TIME, ITEM, PRICE, QUANTITY = range(7)
KEYS = {
    "S1": (DATE, QUANTITY),
    "S2": (ITEM, PRICE),
    "S3": (ITEM, QUANTITY),
    "S4": (DATE, ITEM),
    "S5": (ITEM, PRICE, QUANTITY),
    "S6": (ITEM, DATE, QUANTITY),
}


def read(folder, stem):
    paths = [path for path in sorted(Path(folder).iterdir()) if path.name.split(".")[0].split("_")[0] == stem]
    return lines(paths[0])


def lines(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return [row for row in csv.reader(file) if row]


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def month(row):
    year, number, _ = row[DATE].split("/")
    return int(year), int(number)


def anonymize(folder, out, seed):
    rows, rng = read(folder, "T"), random.Random(int(seed))
    places = sorted({(row[USER], month(row)) for row in rows})
    numbers = rng.sample(range(1, 10 * len(places)), len(places))
    names = {place: f"p{number}" for place, number in zip(places, numbers, strict=True)}
    made = []
    for row in rows:
        price = max(round(float(row[PRICE]) * rng.uniform(0.9, 1.1), 2), 0.01)
        made.append([names[row[USER], month(row)], *row[1:PRICE], f"{price:.2f}", row[QUANTITY]])
    write(Path(out) / "AT.csv", made)


def key(row, columns):
    return tuple(row[column][:2] if column == ITEM else row[column] for column in columns)


def attack(folder, out, known="T"):
    known, shown, customers = read(folder, known), read(folder, "S"), [row[0] for row in read(folder, "M")]
    months = sorted({month(row) for row in shown} | {month(row) for row in known if row[DATE]})
    for name, columns in KEYS.items():
        pseudonyms = {key(row, columns): row[USER] for row in shown}
        guess = {customer: dict.fromkeys(months, "DEL") for customer in customers}
        for row in known:
            if row[DATE] and key(row, columns) in pseudonyms:
                guess[row[USER]][month(row)] = pseudonyms[key(row, columns)]
        table = [[customer, *guess[customer].values()] for customer in customers]
        write(Path(out) / f"Fh_{name}.csv", [[len(table)], *table])


def item_vectors(rows, scoring, chosen=None):
    """Items by what users buy of them in total, as scored, every vector of length 1."""
    totals = {}
    for row in rows:
        if chosen is None or row[ITEM] in chosen:
            buyers = totals.setdefault(row[ITEM], {})
            buyers[row[USER]] = buyers.get(row[USER], 0) + float(row[QUANTITY])
    for item, buyers in totals.items():
        scores = {user: scoring(total) for user, total in buyers.items()}
        length = sum(value * value for value in scores.values()) ** 0.5
        totals[item] = {user: value / length for user, value in scores.items() if value}
    return totals


def similarity(one, other):
    return sum(value * other[user] for user, value in one.items() if user in other)


def similarity_loss(before, after):
    """How far the similarities of any two items have moved, per similarity before; at most 1."""
    total, lost, items = 0.0, 0.0, sorted(before)
    for at, one in enumerate(items):
        for other in items[:at]:
            was = similarity(before[one], before[other])
            if was:
                total += was
                lost += abs(was - similarity(after.get(one, {}), after.get(other, {})))
    return min(lost / total, 1.0)


def popular(rows):
    """The 100 items that most users buy; of equally popular ones those whose id comes later."""
    buyers = {}
    for row in rows:
        buyers.setdefault(row[ITEM], set()).add(row[USER])
    return sorted(buyers, key=lambda item: (len(buyers[item]), item), reverse=True)[:100]


def items_lost(original, kept):
    """E1, E2, and the two numbers of E3."""
    chosen = popular(original)
    scorings = {
        "quantity_similarity": (lambda total: min(max(total // 12, 0), 6), None),
        "small_quantity_similarity": (lambda total: 0 if total > 11 else total, None),
        "popular_similarity": (lambda total: float(total > 0), chosen),
    }
    found = {
        name: similarity_loss(*(item_vectors(rows, scoring, among) for rows in (original, kept)))
        for name, (scoring, among) in scorings.items()
    }
    return {**found, "popular_items": len(set(chosen) - set(popular(kept))) / len(chosen)}


def score(folder, guess):
    original, made, customers = read(folder, "T"), read(folder, "AT"), [row[0] for row in read(folder, "M")]
    months = sorted({month(row) for row in original})
    truth = {customer: dict.fromkeys(months, "DEL") for customer in customers}
    shift = loss = deleted = 0
    for before, after in zip(original, made, strict=True):
        if after[USER] == "DEL":
            deleted += 1
            continue
        cells = truth[before[USER]]
        if cells[month(before)] == "DEL":
            cells[month(before)] = after[USER]
        days = [date(*map(int, row[DATE].split("/"))) for row in (before, after)]
        prices = sorted(float(row[PRICE]) for row in (before, after))
        shift += abs((days[0] - days[1]).days)
        loss += 1 - prices[0] / prices[1]
    found = {row[0]: row[1:] for row in lines(guess) if len(row) > 1}
    right = [[a == b for a, b in zip(truth[customer].values(), found[customer], strict=True)] for customer in customers]
    match = sum(map(sum, right))
    absent = sum(cell == "DEL" for cells in truth.values() for cell in cells.values())
    total = len(customers) * len(months)
    print(
        json.dumps(
            {
                **items_lost(original, [row for row in made if row[USER] != "DEL"]),
                "date_shift": shift / (31 * len(made)),
                "price_ratio": loss / len(made),
                "rows_deleted": deleted / len(made),
                "user_matching": sum(map(all, right)) / len(customers),
                "month_matching": max((match - absent) / (total - absent), 0),
            }
        )
    )


if __name__ == "__main__":
    {"anonymize": anonymize, "attack": attack, "score": score}[sys.argv[1]](*sys.argv[2:])
