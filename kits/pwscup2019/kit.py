"""Samples for contests with the files of 2019. Needs nothing but Python.

anonymize FOLDER OUT SEED METHOD: orgtraces become anotraces and ptable. METHOD is krr, the default (k-ary randomized
response with epsilon 8), mrlh (merges 2 x 2 regions, hides a tenth of the places), pl (planar Laplace noise, epsilon 4 / km)
or ya (permutes traces).
attack FOLDER OUT: the user who is most likely where each pseudonym is, in the morning (HomeProb: etable_home.csv,
etraces_home.csv) or all day (VisitProb: etable_visit.csv, etraces_visit.csv).
score FOLDER ETABLE ETRACES: s_U, and what is left of s_I and s_T.
"""

import csv
import json
import math
import random
import re
import sys
from pathlib import Path

SIDE, DAY, MORNING, REACH, FLOOR = 32, 20, 2, 2.0, 1e-8
MIDDLE = SIDE * SIDE // 2 + SIDE // 2
HEIGHT, WIDTH = 0.1 / 32 * 111, 0.12 / 32 * 91  # kilometres of a region
# fmt: off
HOSPITALS = [
    2, 43, 50, 147, 150, 152, 174, 183, 186, 205, 237, 296, 303, 326, 331, 344, 358, 420, 434,
    449, 471, 491, 497, 507, 522, 535, 550, 561, 628, 631, 708, 771, 782, 821, 871, 883, 995,
]
# fmt: on


def read(folder, stem):
    path = sorted(Path(folder).glob(f"{stem}*.csv"))[0]
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def write(path, header, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [header, *rows]
    path.write_text("".join(",".join(map(str, line)) + "\n" for line in lines), encoding="utf-8")


def hospitals(folder):
    """Those of the contest, or what schema.toml says of another map."""
    file = Path(folder) / "schema.toml"
    found = re.search(r"sensitive = \[(.*?)\]", file.read_text()) if file.is_file() else None
    return {int(text) for text in found[1].split(",")} if found and found[1] else set(HOSPITALS)


def distance(one, other):
    """Kilometres between the centres of two regions."""
    (row, column), (row2, column2) = divmod(one - 1, SIDE), divmod(other - 1, SIDE)
    return math.hypot((row - row2) * HEIGHT, (column - column2) * WIDTH)


def krr(region, rng):
    other, keep = rng.randrange(1, SIDE * SIDE), math.exp(8) / (math.exp(8) + SIDE * SIDE - 1)
    return region if rng.random() < keep else other + (other >= region)


def mrlh(region, rng):
    row, column = divmod(region - 1, SIDE)
    south_west = row // 2 * 2 * SIDE + column // 2 * 2 + 1
    block = [south_west, south_west + 1, south_west + SIDE, south_west + SIDE + 1]
    return "*" if rng.random() < 0.1 else " ".join(map(str, block))


def pl(region, rng):
    (row, column), far, angle = divmod(region - 1, SIDE), rng.gammavariate(2, 1 / 4), rng.uniform(0, 2 * math.pi)
    row, column = round(row + far * math.sin(angle) / HEIGHT), round(column + far * math.cos(angle) / WIDTH)
    return min(max(row, 0), SIDE - 1) * SIDE + min(max(column, 0), SIDE - 1) + 1


def anonymize(folder, out, seed, method="krr"):
    rows, rng = read(folder, "orgtraces"), random.Random(int(seed))
    users, traces = list(dict.fromkeys(row["user_id"] for row in rows)), {}
    for row in rows:
        traces.setdefault(row["user_id"], []).append(int(row["reg_id"]))
    if method == "ya":
        cells = [[region] for user in rng.sample(users, len(users)) for region in traces[user]]
    else:
        noisy = {"krr": krr, "mrlh": mrlh, "pl": pl}[method]
        cells = [[noisy(region, rng)] for user in users for region in traces[user]]
    rng.shuffle(users)
    write(Path(out) / "anotraces.csv", ["reg_id"], cells)
    write(Path(out) / "ptable.csv", ["pse_id", "user_id"], [(len(users) + 1 + i, user) for i, user in enumerate(users)])


def attack(folder, out):
    guess_by(folder, Path(out), "home", MORNING)
    guess_by(folder, Path(out), "visit", DAY)


def guess_by(folder, out, name, slots):
    """Guess by the first times of each day."""
    habits, seen = {}, {}
    for row in read(folder, "reftraces"):
        if (int(row["time_id"]) - 1) % DAY < slots:
            habits.setdefault(row["user_id"], []).append(row["reg_id"])
    shares = {user: {place: all_.count(place) / len(all_) for place in all_} for user, all_ in habits.items()}
    published = read(folder, "pubtraces")
    for row in published:
        cells = seen.setdefault(row["pse_id"], [])
        if (int(row["time_id"]) - 1) % DAY < slots and row["reg_id"] != "*":
            cells.append(row["reg_id"].split())
    guess, left, of = [], dict.fromkeys(shares), {}
    for pseudonym, cells in seen.items():
        likely = {
            user: sum(math.log(max(share.get(cell[0], 0), FLOOR)) for cell in cells) for user, share in shares.items()
        }
        guess.append([max(shares, key=likely.get)])
        # Traces need one pseudonym for each user: the likeliest user who is left.
        best = max(left, key=likely.get)
        of[best] = pseudonym
        del left[best]
    write(out / f"etable_{name}.csv", ["user_id"], guess)
    # Places as they were published; where nothing was, the middle of the map.
    places = {}
    for row in published:
        places.setdefault(row["pse_id"], []).append([row["reg_id"].split()[0] if row["reg_id"] != "*" else MIDDLE])
    write(out / f"etraces_{name}.csv", ["reg_id"], [place for user in shares for place in places[of[user]]])


def column(path, name):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return [row[name] for row in csv.DictReader(file)]


def score(folder, table, traces):
    original, owners = read(folder, "orgtraces"), {row["pse_id"]: row["user_id"] for row in read(folder, "ptable")}
    worth = []
    for row, cell in zip(original, column(sorted(Path(folder).glob("anotraces*.csv"))[0], "reg_id"), strict=True):
        places = [] if cell == "*" else cell.split()
        near = [max(1 - distance(int(row["reg_id"]), int(place)) / REACH, 0) for place in places]
        worth.append(sum(near) / len(near) if near else 0)
    guess = column(table, "user_id")
    right = sum(one == other for one, other in zip(owners.values(), guess, strict=True))
    special, far, weights = hospitals(folder), 0.0, 0
    for row, place in zip(original, column(traces, "reg_id"), strict=True):
        region = int(row["reg_id"])
        weight = 10 if region in special else 1
        weights += weight
        far += weight * min(distance(region, int(place)) / REACH, 1)
    print(
        json.dumps(
            {
                "closeness": sum(worth) / len(worth),
                "id_safety": 1 - right / len(guess),
                "trace_safety": far / weights,
            }
        )
    )


if __name__ == "__main__":
    {"anonymize": anonymize, "attack": attack, "score": score}[sys.argv[1]](*sys.argv[2:])
