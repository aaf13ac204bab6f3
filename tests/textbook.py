"""Mondrian as a textbook writes it: one recursion per class. The yardstick for ours."""

from __future__ import annotations

from collections import Counter


def partitions(rows: list[tuple[int, ...]], k: int) -> list[list[int]]:
    """Rows of codes; spans are code ranges relative to the whole table's."""
    width = len(rows[0])
    whole = [max(row[c] for row in rows) - min(row[c] for row in rows) or 1 for c in range(width)]
    done: list[list[int]] = []
    open_ = [list(range(len(rows)))]
    while open_:
        part = open_.pop()
        spans = [(max(rows[i][c] for i in part) - min(rows[i][c] for i in part)) / whole[c] for c in range(width)]
        for c in sorted(range(width), key=lambda c: -spans[c]):
            if spans[c] == 0:
                continue
            ordered = sorted(rows[i][c] for i in part)
            median = ordered[len(part) // 2]
            left = [i for i in part if rows[i][c] < median]
            right = [i for i in part if rows[i][c] >= median]
            if len(left) < k or len(right) < k:
                left = [i for i in part if rows[i][c] <= median]
                right = [i for i in part if rows[i][c] > median]
            if len(left) >= k and len(right) >= k:
                open_ += [left, right]
                break
        else:
            done.append(part)
    return done


def loss(
    rows: list[tuple[int, ...]], parts: list[list[int]], ordinal: list[bool], positions: list[list[float]]
) -> float:
    """LM: covered range for ordinal columns, number of categories for the others."""
    total = 0.0
    for c, by_order in enumerate(ordinal):
        values = Counter(row[c] for row in rows)
        span = max(positions[c]) - min(positions[c]) or 1
        for part in parts:
            inside = {rows[i][c] for i in part}
            if by_order:
                cost = (positions[c][max(inside)] - positions[c][min(inside)]) / span
            else:
                cost = (len(inside) - 1) / max(len(values) - 1, 1)
            total += cost * len(part)
    return total / (len(rows) * len(ordinal))
