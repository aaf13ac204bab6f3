"""Samples for contests with the files of 2018. Needs nothing but Python.

anonymize FOLDER OUT SEED: T becomes A, with a pseudonym for every customer and whole months in place of dates.
attack FOLDER OUT: the customer whose items are most like those of each pseudonym (Jaccard), as F1_jaccard.csv.
score FOLDER GUESS: the loss of A (ut-il), and the r(n) test of a guess; 1 or more is unsafe.
"""

import csv
import json
import math
import random
import sys
from datetime import date
from fractions import Fraction
from pathlib import Path
from statistics import pstdev

USER, DATE, ITEM, PRICE, QUANTITY = range(5)
UNITS = {DATE: 1, PRICE: 1, QUANTITY: 1}  # a day, a cent, a piece


def read(folder, stem):
    paths = [path for path in sorted(Path(folder).iterdir()) if path.name.split(".")[0].split("_")[0] == stem]
    return rows(paths[0])


def rows(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return [row for row in csv.reader(file) if row]


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8")


def anonymize(folder, out, seed):
    table, rng = read(folder, "T"), random.Random(int(seed))
    customers = sorted({row[USER] for row in table})
    names = dict(zip(customers, rng.sample(range(1, 10 * len(customers)), len(customers)), strict=True))
    made = []
    for row in table:
        year, month, _ = map(int, row[DATE].split("/"))
        last = (date(year + month // 12, month % 12 + 1, 1) - date(year, month, 1)).days
        made.append([f"p{names[row[USER]]}", f"[{year}/{month}/1;{year}/{month}/{last}]", *row[ITEM:]])
    write(Path(out) / "A.csv", made)


def items(table):
    found = {}
    for row in table:
        found.setdefault(row[USER], set()).update(row[ITEM].strip("{}").split(";"))
    return found


def attack(folder, out):
    known, shown = items(read(folder, "T")), items(read(folder, "A1"))
    guess = []
    for pseudonym, left in shown.items():
        likeness = {customer: len(left & right) / len(left | right) for customer, right in known.items()}
        guess.append([pseudonym, max(likeness, key=likeness.get)])
    write(Path(out) / "F1_jaccard.csv", guess)


def number(cell, column):
    if column == DATE:
        return date(*map(int, cell.split("/"))).toordinal()
    return round(float(cell) * 100) if column == PRICE else int(cell)


def loss(cell, column, true, spread):
    if cell == "*":
        return 1.0
    if cell.startswith("{"):
        return 1 - 1 / len(cell.split(";"))
    if not cell.startswith("["):
        return 0.0
    low, high = (number(end, column) for end in cell[1:-1].split(";"))
    unit = UNITS[column]
    return ((low - true) ** 2 + (high - true) ** 2 + (high - low) * unit) / (2 * (high - low + unit) * spread)


def score(folder, guess):
    table, made = read(folder, "T"), read(folder, "A")
    losses = []
    for column in (DATE, ITEM, PRICE, QUANTITY):
        true = [0 if column == ITEM else number(row[column], column) for row in table]
        spread = pstdev(true) or 1
        cells = [loss(after[column], column, x, spread) for x, after in zip(true, made, strict=True)]
        losses.append(sum(cells) / len(cells))
    owners = {}
    for before, after in zip(table, made, strict=True):
        owners.setdefault(after[USER], before[USER])
    answers = rows(guess)
    right = sum(owners.get(pseudonym) == customer for pseudonym, customer in answers)
    named, chance, least = len(answers), Fraction(0), len(answers) + 1
    # r(n): the least r whose tail of (1/3)^i C(n, i) is below 0.01 / 20.
    while least > 0 and chance + math.comb(named, least - 1) * Fraction(1, 3 ** (least - 1)) < Fraction(1, 2000):
        least -= 1
        chance += math.comb(named, least) * Fraction(1, 3**least)
    print(json.dumps({"ut_il": sum(losses) / 4, "identification_test": right / least}))


if __name__ == "__main__":
    {"anonymize": anonymize, "attack": attack, "score": score}[sys.argv[1]](*sys.argv[2:])
